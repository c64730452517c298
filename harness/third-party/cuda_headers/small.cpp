// Formats of 8, 6 and 4 bits: conversions of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h.

#include "table.hpp"

#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

namespace {

using std::string;

// Operands and results of the headers' functions, from the bits that registers have and back.
__half_raw half(uint16_t bits) { return __half_raw{bits}; }
__half2_raw halves(uint32_t bits) { return {uint16_t(bits), uint16_t(bits >> 16)}; }
__nv_bfloat16_raw brain(uint16_t bits) { return __nv_bfloat16_raw{bits}; }
__nv_bfloat162_raw brains(uint32_t bits) { return {uint16_t(bits), uint16_t(bits >> 16)}; }

template <class Pair>
uint32_t bits(Pair pair) {
    return uint32_t(pair.y) << 16 | pair.x;
}

// Enters the conversions of pairs to a format, from f32, f16 and bf16. PTX has the upper number first, a
// float2 the lower.
template <class Result, class Floats, class Halves, class Brains>
void pairs(Table &table, const string &words, Floats from_f32, Halves from_f16, Brains from_bf16) {
    enter(table, words + ".f32", [=](float a, float b) -> Result { return from_f32(float2{b, a}); });
    enter(table, words + ".f16x2", [=](uint32_t a) -> Result { return from_f16(halves(a)); });
    enter(table, words + ".bf16x2", [=](uint32_t a) -> Result { return from_bf16(brains(a)); });
}

// Enters the conversions of pairs from a format.
template <class Operand, class Halves, class Brains>
void back(Table &table, const string &source, Halves to_f16, Brains to_bf16) {
    enter(table, "cvt.rn.f16x2." + source, [=](Operand a) -> uint32_t { return bits(to_f16(a)); });
    enter(table, "cvt.rn.bf16x2." + source, [=](Operand a) -> uint32_t { return bits(to_bf16(a)); });
}

// The roundings of PTX that the headers' functions are asked for. That PTX does not have each for every
// format does no harm: nobody asks for what is not a variant.
const std::pair<const char *, cudaRoundMode> ROUNDINGS[] = {
    {"rn", cudaRoundNearest}, {"rz", cudaRoundZero}, {"rp", cudaRoundPosInf}};
// And whether too large a number becomes the largest.
const std::pair<const char *, __nv_saturation_t> SATURATIONS[] = {
    {"", __NV_NOSAT}, {".satfinite", __NV_SATFINITE}};

// e4m3 and e5m2. The instructions always saturate; the casts need not.
template <class Type>
void eights(Table &table, const string &name, __nv_fp8_interpretation_t kind) {
    pairs<uint16_t>(
        table, "cvt.rn.satfinite." + name + "x2",
        [=](float2 a) { return __nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, kind); },
        [=](__half2_raw a) { return __nv_cvt_halfraw2_to_fp8x2(a, __NV_SATFINITE, kind); },
        [=](__nv_bfloat162_raw a) { return __nv_cvt_bfloat16raw2_to_fp8x2(a, __NV_SATFINITE, kind); });
    back<uint16_t>(
        table, name + "x2", [kind](uint16_t a) { return __nv_cvt_fp8x2_to_halfraw2(a, kind); },
        [kind](uint16_t a) { return __nv_cvt_fp8x2_to_bf162raw(a, kind); });
    for (const auto &[words, saturation] : SATURATIONS) {
        const auto saturate = saturation;
        const string cast = string("cast.rn") + words + "." + name;
        enter(table, cast + ".f32",
              [=](float a) -> uint8_t { return __nv_cvt_float_to_fp8(a, saturate, kind); });
        enter(table, cast + ".f16",
              [=](uint16_t a) -> uint8_t { return __nv_cvt_halfraw_to_fp8(half(a), saturate, kind); });
        enter(table, cast + ".bf16", [=](uint16_t a) -> uint8_t {
            return __nv_cvt_bfloat16raw_to_fp8(brain(a), saturate, kind);
        });
    }
    enter(table, "cast.f16." + name,
          [kind](uint8_t a) -> uint16_t { return __nv_cvt_fp8_to_halfraw(a, kind).x; });
    enter(table, "cast.bf16." + name,
          [kind](uint8_t a) -> uint16_t { return __nv_cvt_fp8_to_bf16raw(a, kind).x; });
    enter(table, "cast.f32." + name, [](uint8_t a) -> float {
        Type number;
        number.__x = a;
        return float(number);
    });
}

void sixes(Table &table, const string &name, __nv_fp6_interpretation_t kind) {
    for (const auto &[words, rounding] : ROUNDINGS) {
        const auto round = rounding;
        pairs<uint16_t>(
            table, string("cvt.") + words + ".satfinite." + name + "x2",
            [=](float2 a) { return __nv_cvt_float2_to_fp6x2(a, kind, round); },
            [=](__half2_raw a) { return __nv_cvt_halfraw2_to_fp6x2(a, kind, round); },
            [=](__nv_bfloat162_raw a) { return __nv_cvt_bfloat16raw2_to_fp6x2(a, kind, round); });
    }
    back<uint16_t>(
        table, name + "x2", [kind](uint16_t a) { return __nv_cvt_fp6x2_to_halfraw2(a, kind); },
        [kind](uint16_t a) { return __nv_cvt_fp6x2_to_bf162raw(a, kind); });
}

void fours(Table &table) {
    for (const auto &[words, rounding] : ROUNDINGS) {
        const auto round = rounding;
        pairs<uint8_t>(
            table, string("cvt.") + words + ".satfinite.e2m1x2",
            [=](float2 a) { return __nv_cvt_float2_to_fp4x2(a, __NV_E2M1, round); },
            [=](__half2_raw a) { return __nv_cvt_halfraw2_to_fp4x2(a, __NV_E2M1, round); },
            [=](__nv_bfloat162_raw a) { return __nv_cvt_bfloat16raw2_to_fp4x2(a, __NV_E2M1, round); });
    }
    back<uint8_t>(
        table, "e2m1x2", [](uint8_t a) { return __nv_cvt_fp4x2_to_halfraw2(a, __NV_E2M1); },
        [](uint8_t a) { return __nv_cvt_fp4x2_to_bf162raw(a, __NV_E2M1); });
}

// ue8m0 and ue5m3, which have no sign.
void unsigned_ones(Table &table) {
    for (const auto &[words, rounding] : ROUNDINGS)
        for (const auto &[tail, saturation] : SATURATIONS) {
            const auto round = rounding;
            const auto saturate = saturation;
            const string start = string("cvt.") + words + tail;
            enter(table, start + ".ue8m0x2.f32", [=](float a, float b) -> uint16_t {
                return __nv_cvt_float2_to_e8m0x2(float2{b, a}, saturate, round);
            });
            enter(table, start + ".ue8m0x2.bf16x2", [=](uint32_t a) -> uint16_t {
                return __nv_cvt_bfloat162raw_to_e8m0x2(brains(a), saturate, round);
            });
            pairs<uint16_t>(
                table, start + ".ue5m3x2",
                [=](float2 a) { return __nv_cvt_float2_to_ue5m3x2(a, saturate, round); },
                [=](__half2_raw a) { return __nv_cvt_half2raw_to_ue5m3x2(a, saturate, round); },
                [=](__nv_bfloat162_raw a) {
                    return __nv_cvt_bfloat162raw_to_ue5m3x2(a, saturate, round);
                });
        }
    enter(table, "cvt.rn.bf16x2.ue8m0x2",
          [](uint16_t a) -> uint32_t { return bits(__nv_cvt_e8m0x2_to_bf162raw(a)); });
    back<uint16_t>(table, "ue5m3x2", __nv_cvt_ue5m3x2_to_halfraw2, __nv_cvt_ue5m3x2_to_bf162raw);
}

} // namespace

void enter_small(Table &table) {
    eights<__nv_fp8_e4m3>(table, "e4m3", __NV_E4M3);
    eights<__nv_fp8_e5m2>(table, "e5m2", __NV_E5M2);
    sixes(table, "e2m3", __NV_E2M3);
    sixes(table, "e3m2", __NV_E3M2);
    fours(table);
    unsigned_ones(table);
}
