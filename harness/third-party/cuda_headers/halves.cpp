// f16 and bf16: arithmetic, comparisons and conversions of cuda_fp16.h and cuda_bf16.h.

#include "table.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

using std::string;

// What differs between the two in name.
struct Half {
    using One = __half;
    using Two = __half2;
    static constexpr const char *name = "f16";
    static One one(uint16_t bits) { return __ushort_as_half(bits); }
    static Two two(uint32_t bits) { return {one(uint16_t(bits)), one(uint16_t(bits >> 16))}; }
    static uint16_t bits(One value) { return __half_as_ushort(value); }
};

struct Brain {
    using One = __nv_bfloat16;
    using Two = __nv_bfloat162;
    static constexpr const char *name = "bf16";
    static One one(uint16_t bits) { return __ushort_as_bfloat16(bits); }
    static Two two(uint32_t bits) { return {one(uint16_t(bits)), one(uint16_t(bits >> 16))}; }
    static uint16_t bits(One value) { return __bfloat16_as_ushort(value); }
};

template <class Format>
uint32_t bits(typename Format::Two value) {
    return uint32_t(Format::bits(value.y)) << 16 | Format::bits(value.x);
}

// Enters functions of one operand, of single numbers and of pairs.
template <class Format, class One, class Two>
void unary(Table &table, const string &words, One one, Two two) {
    enter(table, words + "." + Format::name,
          [one](uint16_t a) -> uint16_t { return Format::bits(one(Format::one(a))); });
    enter(table, words + "." + Format::name + "x2",
          [two](uint32_t a) -> uint32_t { return bits<Format>(two(Format::two(a))); });
}

// The same of two.
template <class Format, class One, class Two>
void binary(Table &table, const string &words, One one, Two two) {
    enter(table, words + "." + Format::name, [one](uint16_t a, uint16_t b) -> uint16_t {
        return Format::bits(one(Format::one(a), Format::one(b)));
    });
    enter(table, words + "." + Format::name + "x2", [two](uint32_t a, uint32_t b) -> uint32_t {
        return bits<Format>(two(Format::two(a), Format::two(b)));
    });
}

// Enters a comparison: the truth about single numbers, and of pairs ones and zeros, or masks.
template <class Format, class One, class Two, class Mask>
void comparison(Table &table, const string &words, One one, Two two, Mask mask) {
    const string pair = string(Format::name) + "x2";
    enter(table, "setp." + words + "." + Format::name, [one](uint16_t a, uint16_t b) -> uint8_t {
        return one(Format::one(a), Format::one(b));
    });
    enter(table, "set." + words + "." + pair + "." + pair,
          [two](uint32_t a, uint32_t b) -> uint32_t {
              return bits<Format>(two(Format::two(a), Format::two(b)));
          });
    for (const char *type : {"u32", "s32"})
        enter(table, "set." + words + "." + type + "." + pair,
              [mask](uint32_t a, uint32_t b) -> uint32_t { return mask(Format::two(a), Format::two(b)); });
}

// A function that is overloaded has no address; this is what calls it.
#define CALL(function) [](auto... operands) { return function(operands...); }
#define PAIR(function) CALL(__h##function), CALL(__h##function##2)

template <class Format>
void both(Table &table) {
    unary<Format>(table, "abs", PAIR(abs));
    unary<Format>(table, "neg", PAIR(neg));
    binary<Format>(table, "add", PAIR(add));
    binary<Format>(table, "sub", PAIR(sub));
    binary<Format>(table, "mul", PAIR(mul));
    binary<Format>(table, "add.rn", CALL(__hadd_rn), CALL(__hadd2_rn));
    binary<Format>(table, "sub.rn", CALL(__hsub_rn), CALL(__hsub2_rn));
    binary<Format>(table, "mul.rn", CALL(__hmul_rn), CALL(__hmul2_rn));
    binary<Format>(table, "min", PAIR(min));
    binary<Format>(table, "max", PAIR(max));
    binary<Format>(table, "min.NaN", CALL(__hmin_nan), CALL(__hmin2_nan));
    binary<Format>(table, "max.NaN", CALL(__hmax_nan), CALL(__hmax2_nan));
    comparison<Format>(table, "eq", PAIR(eq), CALL(__heq2_mask));
    comparison<Format>(table, "ne", PAIR(ne), CALL(__hne2_mask));
    comparison<Format>(table, "lt", PAIR(lt), CALL(__hlt2_mask));
    comparison<Format>(table, "le", PAIR(le), CALL(__hle2_mask));
    comparison<Format>(table, "gt", PAIR(gt), CALL(__hgt2_mask));
    comparison<Format>(table, "ge", PAIR(ge), CALL(__hge2_mask));
    comparison<Format>(table, "equ", PAIR(equ), CALL(__hequ2_mask));
    comparison<Format>(table, "neu", PAIR(neu), CALL(__hneu2_mask));
    comparison<Format>(table, "ltu", PAIR(ltu), CALL(__hltu2_mask));
    comparison<Format>(table, "leu", PAIR(leu), CALL(__hleu2_mask));
    comparison<Format>(table, "gtu", PAIR(gtu), CALL(__hgtu2_mask));
    comparison<Format>(table, "geu", PAIR(geu), CALL(__hgeu2_mask));
}

// Enters a conversion from a type of the host to a format, or back.
template <class Format, class Source, class Function>
void to(Table &table, const string &words, const string &source, Function function) {
    enter(table, "cvt." + words + "." + Format::name + "." + source,
          [function](Source a) -> uint16_t { return Format::bits(function(a)); });
}

template <class Format, class Target, class Function>
void from(Table &table, const string &words, Function function) {
    enter(table, "cvt." + words + "." + Format::name,
          [function](uint16_t a) -> Target { return Target(function(Format::one(a))); });
}

// Enters the conversions from a type of the host to f16, in all roundings.
#define ALL_ROUNDINGS(type, name, function)                                                             \
    to<Half, type>(table, "rn", name, CALL(function##_rn));                                             \
    to<Half, type>(table, "rz", name, CALL(function##_rz));                                             \
    to<Half, type>(table, "rm", name, CALL(function##_rd));                                             \
    to<Half, type>(table, "rp", name, CALL(function##_ru))

void half_conversions(Table &table) {
    ALL_ROUNDINGS(int16_t, "s16", __short2half);
    ALL_ROUNDINGS(uint16_t, "u16", __ushort2half);
    ALL_ROUNDINGS(int32_t, "s32", __int2half);
    ALL_ROUNDINGS(uint32_t, "u32", __uint2half);
    ALL_ROUNDINGS(int64_t, "s64", __ll2half);
    ALL_ROUNDINGS(uint64_t, "u64", __ull2half);
    ALL_ROUNDINGS(float, "f32", __float2half);
    to<Half, double>(table, "rn", "f64", CALL(__double2half));
    from<Half, int8_t>(table, "rzi.s8", CALL(__half2char_rz));
    from<Half, uint8_t>(table, "rzi.u8", CALL(__half2uchar_rz));
    from<Half, int16_t>(table, "rzi.s16", CALL(__half2short_rz));
    from<Half, uint16_t>(table, "rzi.u16", CALL(__half2ushort_rz));
    from<Half, int32_t>(table, "rzi.s32", CALL(__half2int_rz));
    from<Half, uint32_t>(table, "rzi.u32", CALL(__half2uint_rz));
    from<Half, int64_t>(table, "rzi.s64", CALL(__half2ll_rz));
    from<Half, uint64_t>(table, "rzi.u64", CALL(__half2ull_rz));
    from<Half, float>(table, "f32", CALL(__half2float));
}

void brain_conversions(Table &table) {
    to<Brain, int16_t>(table, "rn", "s16", CALL(__short2bfloat16_rn));
    to<Brain, uint16_t>(table, "rn", "u16", CALL(__ushort2bfloat16_rn));
    to<Brain, int32_t>(table, "rn", "s32", CALL(__int2bfloat16_rn));
    to<Brain, uint32_t>(table, "rn", "u32", CALL(__uint2bfloat16_rn));
    to<Brain, int64_t>(table, "rn", "s64", CALL(__ll2bfloat16_rn));
    to<Brain, uint64_t>(table, "rn", "u64", CALL(__ull2bfloat16_rn));
    to<Brain, float>(table, "rn", "f32", CALL(__float2bfloat16_rn));
    to<Brain, float>(table, "rz", "f32", CALL(__float2bfloat16_rz));
    to<Brain, float>(table, "rm", "f32", CALL(__float2bfloat16_rd));
    to<Brain, float>(table, "rp", "f32", CALL(__float2bfloat16_ru));
    to<Brain, double>(table, "rn", "f64", CALL(__double2bfloat16));
    from<Brain, int8_t>(table, "rzi.s8", CALL(__bfloat162char_rz));
    from<Brain, uint8_t>(table, "rzi.u8", CALL(__bfloat162uchar_rz));
    from<Brain, int16_t>(table, "rzi.s16", CALL(__bfloat162short_rz));
    from<Brain, uint16_t>(table, "rzi.u16", CALL(__bfloat162ushort_rz));
    from<Brain, int32_t>(table, "rzi.s32", CALL(__bfloat162int_rz));
    from<Brain, uint32_t>(table, "rzi.u32", CALL(__bfloat162uint_rz));
    from<Brain, int64_t>(table, "rzi.s64", CALL(__bfloat162ll_rz));
    from<Brain, uint64_t>(table, "rzi.u64", CALL(__bfloat162ull_rz));
    from<Brain, float>(table, "f32", CALL(__bfloat162float));
}

} // namespace

void enter_halves(Table &table) {
    both<Half>(table);
    both<Brain>(table);
    half_conversions(table);
    brain_conversions(table);
    // Of bf16 the headers clamp too, which PTX does not.
    for (const string rounding : {"", ".rn"}) {
        binary<Half>(table, "add" + rounding + ".sat", CALL(__hadd_sat), CALL(__hadd2_sat));
        binary<Half>(table, "sub" + rounding + ".sat", CALL(__hsub_sat), CALL(__hsub2_sat));
        binary<Half>(table, "mul" + rounding + ".sat", CALL(__hmul_sat), CALL(__hmul2_sat));
    }
    // PTX has the upper number first, the headers the lower.
    enter(table, "cvt.rn.f16x2.f32",
          [](float a, float b) -> uint32_t { return bits<Half>(__floats2half2_rn(b, a)); });
    enter(table, "cvt.rn.bf16x2.f32",
          [](float a, float b) -> uint32_t { return bits<Brain>(__floats2bfloat162_rn(b, a)); });
}
