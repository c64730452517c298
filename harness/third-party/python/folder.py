"""What a compiler from LLVM's language to PTX makes of operations whose operands it knows.

An operation stands for a variant if it becomes that very instruction where its operands are not known.
A client has the variants of which its compiler computes half the results or more itself. Where it
leaves something to the hardware, such as the NaN of an addition, there is no result.

A compiler has a `name`, its `release`, its `architecture`, and `compiled(parts, options)`, which gives the PTX of a module of
functions and declarations, or raises `Rejected`.
"""

import argparse
import re

from frames import Unable, by_rows, serve
from llvm_operations import TYPES, operations
from variants import BITS, enough, samples, types, words

# Results lie so many bytes apart, whatever their width.
STRIDE = 8
# How many rows are compiled together: more take longer each.
ROWS = 512

STORE = re.compile(r"st\.volatile\.global\.[a-z](\d+)\s+\[%rd\d+(?:\+(\d+))?\], (\S+);")
INSTRUCTION = re.compile(r"\s+([a-z][\w.:]*)\s+(%\w+), (.*);")
# What only brings operands to the instruction, and its result to where it is stored.
CARRIERS = ("ld", "mov", "cvta", "st", "ret")


def filled(lines, operands, mark):
    """Lines with operands and with names of their own."""
    names = {"$d": f"%d{mark}", "$e": f"%e{mark}", "$n": f"%n{mark}"}
    names |= {f"${place}": operand for place, operand in enumerate(operands)}
    return [re.sub(r"\$\w", lambda name: names[name[0]], line) for line in lines]


def stores(results, mark, place):
    """Lines that store the results of a row as integers, so that they are printed as such; the stores
    are volatile, so that each stays where it is."""
    for name, kind in zip("de", results):
        bits = max(BITS[kind], 8)
        widen = "zext" if kind == "pred" else "bitcast"
        yield f"%b{name}{mark} = {widen} {TYPES[kind]} %{name}{mark} to i{bits}"
        yield f"%a{name}{mark} = getelementptr i8, ptr addrspace(1) %out, i64 {place}"
        yield f"store volatile i{bits} %b{name}{mark}, ptr addrspace(1) %a{name}{mark}"
        place += STRIDE


def function(parameters, body):
    """A function that stores what its body computes."""
    head = ", ".join(["ptr addrspace(1) %out", *parameters])
    return [f"define void @results({head}) {{", *body, "ret void", "}"]


def literal(kind, bits):
    """An operand that is known. Bits are cast, so that nothing is read as a decimal number."""
    return f"bitcast (i{BITS[kind]} {bits} to {TYPES[kind]})"


def constant(text):
    """The number that an operand of the PTX text is, None if it is something else."""
    if re.fullmatch(r"0[fd][0-9A-F]+", text):
        return int(text[2:], 16)
    return int(text, 0) if re.fullmatch(r"-?(0x[0-9A-Fa-f]+|\d+)", text) else None


def constants(text):
    """What is stored where, if it is a constant."""
    registers, stored = {}, {}
    for line in text.splitlines():
        if store := STORE.search(line):
            place, value = int(store[2] or 0), registers.get(store[3], constant(store[3]))
            # Of two stores to one place it would not be known which is which.
            known = value is not None and place not in stored
            stored[place] = value % (1 << int(store[1])) if known else None
        elif instruction := INSTRUCTION.match(line):
            opcode, register, source = instruction.groups()
            registers[register] = constant(source) if opcode.startswith("mov.") else None
    return stored


class Rejected(Exception):
    """What a compiler says of a module that it does not take."""


class Folder:
    """What a compiler folds."""

    def __init__(self, compiler):
        self.compiler = compiler
        # Of each variant that was asked for: the operation that stands for it, or why there is none.
        self.known = {}

    def instructions(self, variant, operation):
        """What an operation becomes where its operands are not known."""
        lines, declaration, options = operation
        operands, results = types(variant)
        parameters = [f"{TYPES[kind]} %a{place}" for place, kind in enumerate(operands)]
        names = [f"%a{place}" for place in range(len(operands))]
        body = [*filled(lines, names, ""), *stores(results[:1], "", 0)]
        text = self.compiler.compiled([declaration, *function(parameters, body)], options)
        opcodes = [words[0] for words in map(str.split, text[text.index("{") :].splitlines()) if words]
        return [each for each in opcodes if each[0].isalpha() and not each.startswith(CARRIERS)]

    def stands(self, variant, operation):
        """Whether an operation becomes the very instruction. Modifiers may stand in any order; a
        predicate needs another instruction to become a number."""
        try:
            found = self.instructions(variant, operation)
        except Rejected:
            return False
        if words(variant)[0] == "setp" and found[1:] and found[-1].startswith("selp."):
            found.pop()
        return [sorted(each.split(".")) for each in found] == [sorted(words(variant))]

    def folded(self, variant, operation, rows):
        """The results of each row, None if they are not all constants."""
        lines, declaration, options = operation
        operands, results = types(variant)
        body = []
        for at, row in enumerate(rows):
            body += filled(lines, map(literal, operands, row), at)
            body += stores(results, at, at * len(results) * STRIDE)
        stored = constants(self.compiler.compiled([declaration, *function([], body)], options))
        values = [stored.get(place * STRIDE) for place in range(len(rows) * len(results))]
        return [None if None in row else row for row in zip(*[iter(values)] * len(results))]

    def chosen(self, variant):
        """Of the operations that stand for a variant, the first of those that are folded most often."""
        if types(variant) is None:
            raise Unable(f"{self.compiler.name} folds nothing of its shape in the versions that were tried")
        standing = [each for each in operations(variant) if self.stands(variant, each)]
        if not standing:
            raise Unable(f"{self.compiler.name} has no operation that becomes this instruction")
        rows = samples(types(variant)[0])
        tried = [(self.folded(variant, operation, rows), operation) for operation in standing]
        done, best = min(tried, key=lambda pair: pair[0].count(None))
        if not enough(done):
            raise Unable(f"{self.compiler.name} folds it for few of the operands that were tried, or none")
        return best

    def operation(self, variant):
        """The operation for a variant, or why there is none."""
        if variant not in self.known:
            try:
                self.known[variant] = self.chosen(variant)
            except Unable as reason:
                self.known[variant] = reason
        if isinstance(self.known[variant], Unable):
            raise self.known[variant]
        return self.known[variant]

    def run(self, variant, rows):
        operation, computed = self.operation(variant), []
        for start in range(0, len(rows), ROWS):
            computed += self.folded(variant, operation, rows[start : start + ROWS])
        return computed


def main(compiler_of, default, other):
    """Serves what a compiler folds. `compiler_of` makes it of the architecture that the command line
    names, such as `other`, and `default` unless it does."""
    parser = argparse.ArgumentParser(description=f"{compiler_of.name} as an implementation")
    parser.add_argument("--arch", default=default, help=f"such as {other} (default: {default})")
    compiler = compiler_of(parser.parse_args().arch)
    folder = Folder(compiler)
    title = f"{compiler.name} {compiler.release} {compiler.architecture}"
    serve(title, folder.operation, by_rows(folder.run))
