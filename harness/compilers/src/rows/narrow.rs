//! Lists the rows of conversions from the headers of 8, 6 and 4 bits.

use super::{ConditionalPromise, Hole, PromiseLine};

const FP8: Hole = (&["f", "kind"], &[&["e4m3", "__NV_E4M3"], &["e5m2", "__NV_E5M2"]]);
const FP6: Hole = (&["f", "kind"], &[&["e2m3", "__NV_E2M3"], &["e3m2", "__NV_E3M2"]]);
const SATURATION: Hole = (&["s", "sat"], &[&["", "__NV_NOSAT"], &[".satfinite", "__NV_SATFINITE"]]);
const FROM: Hole =
    (&["from", "raw"], &[&["f32", "float"], &["f16", "halfraw"], &["bf16", "bfloat16raw"]]);
const PACKED: Hole = (&["from", "raw"], &[&["f16x2", "halfraw2"], &["bf16x2", "bfloat16raw2"]]);
const HALVES: Hole = (&["to", "raw"], &[&["f16", "halfraw"], &["bf16", "bf16raw"]]);
const PACKED_HALVES: Hole = (&["to", "raw"], &[&["f16x2", "halfraw2"], &["bf16x2", "bf162raw"]]);
const ROUNDED: &str =
    "CUDA Math API, FP8 conversion: round-to-nearest-even, saturated or not as the caller says";
const NARROW: &str = "CUDA Math API, FP6 and FP4 conversion: rounded in the given mode, what is too large becomes the largest number";
const EXACT: &str = "CUDA Math API, FP8, FP6 and FP4 conversion: every number has its value";
const SCALES: &str =
    "CUDA Math API, E8M0 conversion: the sign is discarded, rounded toward zero or up, NaN is 0xff";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    PromiseLine { name: "narrow/{from}.{f}{s}", cuda: "__nv_cvt_{raw}_to_fp8(a, {sat}, {kind})", ir: "", types: "{from} -> {f}",
        over: &[FROM, FP8, SATURATION],
        cases: &[ConditionalPromise { when: "", means: "cast.rn{s}.{f}.{from}", source: ROUNDED }] },
    // PTX puts its first operand into the upper half, and CUDA C++ the first number of a pair into the lower one.
    PromiseLine { name: "narrow/f32.{f}x2", cuda: "__nv_cvt_float2_to_fp8x2(make_float2(b, a), __NV_SATFINITE, {kind})", ir: "", types: "f32 f32 -> {f}x2",
        over: &[FP8], cases: &[ConditionalPromise { when: "", means: "cvt.rn.satfinite.{f}x2.f32", source: ROUNDED }] },
    PromiseLine { name: "narrow/{from}.{f}x2", cuda: "__nv_cvt_{raw}_to_fp8x2(a, __NV_SATFINITE, {kind})", ir: "", types: "{from} -> {f}x2",
        over: &[PACKED, FP8], cases: &[ConditionalPromise { when: "", means: "cvt.rn.satfinite.{f}x2.{from}", source: ROUNDED }] },
    PromiseLine { name: "narrow/{f}.{to}", cuda: "__nv_cvt_fp8_to_{raw}(a, {kind})", ir: "", types: "{f} -> {to}",
        over: &[FP8, HALVES], cases: &[ConditionalPromise { when: "", means: "cast.{to}.{f}", source: EXACT }] },
    PromiseLine { name: "narrow/{f}x2.{to}", cuda: "__nv_cvt_fp8x2_to_{raw}(a, {kind})", ir: "", types: "{f}x2 -> {to}",
        over: &[FP8, PACKED_HALVES], cases: &[ConditionalPromise { when: "", means: "cvt.rn.{to}.{f}x2", source: EXACT }] },
    PromiseLine { name: "narrow/f32.{f}x2", cuda: "__nv_cvt_float2_to_fp6x2(make_float2(b, a), {kind}, cudaRoundNearest)", ir: "", types: "f32 f32 -> {f}x2",
        over: &[FP6], cases: &[ConditionalPromise { when: "", means: "cvt.rn.satfinite.{f}x2.f32", source: NARROW }] },
    PromiseLine { name: "narrow/{from}.{f}x2", cuda: "__nv_cvt_{raw}_to_fp6x2(a, {kind}, cudaRoundNearest)", ir: "", types: "{from} -> {f}x2",
        over: &[PACKED, FP6], cases: &[ConditionalPromise { when: "", means: "cvt.rn.satfinite.{f}x2.{from}", source: NARROW }] },
    PromiseLine { name: "narrow/{f}x2.{to}", cuda: "__nv_cvt_fp6x2_to_{raw}(a, {kind})", ir: "", types: "{f}x2 -> {to}",
        over: &[FP6, PACKED_HALVES], cases: &[ConditionalPromise { when: "", means: "cvt.rn.{to}.{f}x2", source: EXACT }] },
    PromiseLine { name: "narrow/f32.e2m1x2", cuda: "__nv_cvt_float2_to_fp4x2(make_float2(b, a), __NV_E2M1, cudaRoundNearest)", ir: "", types: "f32 f32 -> e2m1x2",
        over: &[], cases: &[ConditionalPromise { when: "", means: "cvt.rn.satfinite.e2m1x2.f32", source: NARROW }] },
    PromiseLine { name: "narrow/{from}.e2m1x2", cuda: "__nv_cvt_{raw}_to_fp4x2(a, __NV_E2M1, cudaRoundNearest)", ir: "", types: "{from} -> e2m1x2",
        over: &[PACKED], cases: &[ConditionalPromise { when: "", means: "cvt.rn.satfinite.e2m1x2.{from}", source: NARROW }] },
    PromiseLine { name: "narrow/e2m1x2.{to}", cuda: "__nv_cvt_fp4x2_to_{raw}(a, __NV_E2M1)", ir: "", types: "e2m1x2 -> {to}",
        over: &[PACKED_HALVES], cases: &[ConditionalPromise { when: "", means: "cvt.rn.{to}.e2m1x2", source: EXACT }] },
    PromiseLine { name: "narrow/f32.ue8m0x2.{r}{s}", cuda: "__nv_cvt_float2_to_e8m0x2(make_float2(b, a), {sat}, {round})", ir: "", types: "f32 f32 -> ue8m0x2",
        over: &[(&["r", "round"], &[&["rz", "cudaRoundZero"], &["rp", "cudaRoundPosInf"]]), SATURATION],
        cases: &[ConditionalPromise { when: "", means: "cvt.{r}{s}.ue8m0x2.f32", source: SCALES }] },
    PromiseLine { name: "narrow/bf16x2.ue8m0x2.{r}{s}", cuda: "__nv_cvt_bfloat162raw_to_e8m0x2(a, {sat}, {round})", ir: "", types: "bf16x2 -> ue8m0x2",
        over: &[(&["r", "round"], &[&["rz", "cudaRoundZero"], &["rp", "cudaRoundPosInf"]]), SATURATION],
        cases: &[ConditionalPromise { when: "", means: "cvt.{r}{s}.ue8m0x2.bf16x2", source: SCALES }] },
    PromiseLine { name: "narrow/ue8m0x2.bf16x2", cuda: "__nv_cvt_e8m0x2_to_bf162raw(a)", ir: "", types: "ue8m0x2 -> bf16x2",
        over: &[], cases: &[ConditionalPromise { when: "", means: "cvt.rn.bf16x2.ue8m0x2", source: SCALES }] },
];
