// The table of variants, and how a function of one row becomes one of columns.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

using Columns = const void *const *;
using Results = void *const *;
using Run = std::function<void(std::size_t rows, Columns, Results)>;

// Of each variant by its name: what computes a batch.
using Table = std::unordered_map<std::string, Run>;

// What operator() of a lambda takes and gives: the types of the columns.
template <class Function>
struct Signature : Signature<decltype(&Function::operator())> {};

template <class Function, class Result, class... Operands>
struct Signature<Result (Function::*)(Operands...) const> {
    template <std::size_t... Index>
    static void run(const Function &function, std::size_t rows, Columns operands, Results results,
                    std::index_sequence<Index...>) {
        for (std::size_t row = 0; row < rows; row++)
            static_cast<Result *>(results[0])[row] =
                function(static_cast<const Operands *>(operands[Index])[row]...);
    }

    static Run over_columns(Function function) {
        return [function](std::size_t rows, Columns operands, Results results) {
            run(function, rows, operands, results, std::index_sequence_for<Operands...>());
        };
    }
};

// Enters a variant and the function that computes one row of it, from bits to bits or from the type of
// the host that has these bits.
template <class Function>
void enter(Table &table, const std::string &variant, Function function) {
    table[variant] = Signature<Function>::over_columns(function);
}

void enter_halves(Table &table);
void enter_small(Table &table);
