//! Rows of matrix products: what cuTile and tileiras make of the formats of operands, scales and sums.

use super::rows::MachineLine;
use crate::rows::Hole;

const FORMATS: &str =
    "cuda.tile, mma: the formats of operands and of the accumulator, which the instruction has too";
const SINGLE: &str = "cuda.tile, mma: f32 with f32; tf32 is a format of its own";
const FAST: &str = "cuda.tile, mma: use_fast_acc \"trades accumulator precision for throughput\", and is off by default";
const MAY_BE_FAST: &str = "cuda.tile, mma: use_fast_acc has an effect on Hopper alone";
const SCALED: &str =
    "cuda.tile, mma_scaled: the formats of elements and scales, and the sizes of blocks";

const SHAPE: &str = "{t}[64,32] {t}[32,16] -> {acc}[64,16]";
const PRODUCT: &str = "ct.mma(a, b, ct.zeros((64, 16), ct.{acc}))";
const SMALL: &str = "{t}[64,64] {s}[64,{k}] {t}[64,16] {s}[{k},16] -> float32[64,16]";
const SMALL_SUM: &str = "ct.mma_scaled(a, b, c, d, ct.zeros((64, 16), ct.float32))";
/// The smallest tiles that the unit of sm_100 gets; smaller ones become products of f32.
const LARGE: &str = "{t}[128,128] {s}[128,{k}] {t}[128,64] {s}[{k},64] -> float32[128,64]";
const LARGE_SUM: &str = "ct.mma_scaled(a, b, c, d, ct.zeros((128, 64), ct.float32))";

/// Formats of 16 bits and more of operands and accumulators, and their names in `HMMA` and `HGMMA`.
const SIXTEEN: Hole = (
    &["from", "t", "to", "acc", "F"],
    &[
        &["f16", "float16", "f32", "float32", "F32"],
        &["f16", "float16", "f16", "float16", "F16"],
        &["bf16", "bfloat16", "f32", "float32", "F32.BF16"],
        &["tf32", "tfloat32", "f32", "float32", "F32.TF32"],
    ],
);
/// Formats of 8 bits of operands, with each accumulator, and their names in `QMMA`.
const EIGHT: Hole = (
    &["from", "t", "to", "acc", "F"],
    &[
        &["e4m3", "float8_e4m3fn", "f32", "float32", "F32.E4M3.E4M3"],
        &["e5m2", "float8_e5m2", "f32", "float32", "F32.E5M2.E5M2"],
        &["e4m3", "float8_e4m3fn", "f16", "float16", "F16.E4M3.E4M3"],
        &["e5m2", "float8_e5m2", "f16", "float16", "F16.E5M2.E5M2"],
    ],
);
/// Formats of 8 bits that are added up in f32, and their names in `QGMMA`.
const TO_F32: Hole = (
    &["from", "t", "acc", "F"],
    &[
        &["e4m3", "float8_e4m3fn", "float32", "F32.E4M3.E4M3"],
        &["e5m2", "float8_e5m2", "float32", "F32.E5M2.E5M2"],
    ],
);
/// Formats of 8 bits that are added up in f16, and their names in `QGMMA`.
const TO_F16: Hole = (
    &["from", "t", "acc", "F"],
    &[
        &["e4m3", "float8_e4m3fn", "float16", "F16.E4M3.E4M3"],
        &["e5m2", "float8_e5m2", "float16", "F16.E5M2.E5M2"],
    ],
);

#[rustfmt::skip] // a table
pub const LINES: &[MachineLine] = &[
    MachineLine { name: "tile/mma/{from}.{to}", text: PRODUCT, types: SHAPE, over: &[SIXTEEN], due: "HGMMA.{F}", options: &[], targets: &["sm_90"], source: FORMATS },
    MachineLine { name: "tile/mma/{from}.{to}", text: PRODUCT, types: SHAPE, over: &[SIXTEEN], due: "UTCHMMA *", options: &[], targets: &["sm_100"], source: FORMATS },
    MachineLine { name: "tile/mma/{from}.{to}", text: PRODUCT, types: SHAPE, over: &[SIXTEEN], due: "HMMA.{F}", options: &[], targets: &["sm_80", "sm_120"], source: FORMATS },
    MachineLine { name: "tile/mma/f64.f64", text: PRODUCT, types: SHAPE, over: &[(&["t", "acc"], &[&["float64", "float64"]])],
        due: "DMMA", options: &[], targets: &["sm_80", "sm_90", "sm_100", "sm_120"], source: FORMATS },
    MachineLine { name: "tile/mma/f32.f32", text: PRODUCT, types: SHAPE, over: &[(&["t", "acc"], &[&["float32", "float32"]])],
        due: "FFMA * !HMMA.F32.TF32 !HGMMA.F32.TF32 !UTCHMMA", options: &[], targets: &["sm_80", "sm_90", "sm_100", "sm_120"], source: SINGLE },
    MachineLine { name: "tile/mma/{from}.f32", text: PRODUCT, types: SHAPE, over: &[TO_F32], due: "QGMMA.{F} FADD", options: &[], targets: &["sm_90"], source: FAST },
    MachineLine { name: "tile/mma/{from}.f32.fast", text: "ct.mma(a, b, ct.zeros((64, 16), ct.float32), use_fast_acc=True)", types: SHAPE,
        over: &[TO_F32], due: "QGMMA.{F} | QGMMA.{F} FADD", options: &[], targets: &["sm_90"], source: MAY_BE_FAST },
    MachineLine { name: "tile/mma/{from}.f16", text: PRODUCT, types: SHAPE, over: &[TO_F16], due: "QGMMA.{F}", options: &[], targets: &["sm_90"], source: FORMATS },
    MachineLine { name: "tile/mma/{from}.{to}", text: PRODUCT, types: SHAPE, over: &[EIGHT], due: "UTCQMMA *", options: &[], targets: &["sm_100"], source: FORMATS },
    MachineLine { name: "tile/mma/{from}.{to}", text: PRODUCT, types: SHAPE, over: &[EIGHT], due: "QMMA.{F}", options: &[], targets: &["sm_120"], source: FORMATS },
    MachineLine { name: "tile/refused/mma/{from}.{to}", text: PRODUCT, types: SHAPE,
        over: &[(&["from", "t", "to", "acc"], &[
            &["bf16", "bfloat16", "bf16", "bfloat16"], &["bf16", "bfloat16", "f16", "float16"], &["tf32", "tfloat32", "tf32", "tfloat32"],
            &["e4m3", "float8_e4m3fn", "bf16", "bfloat16"], &["e4m3", "float8_e4m3fn", "e4m3", "float8_e4m3fn"],
            &["e5m2", "float8_e5m2", "bf16", "bfloat16"], &["f32", "float32", "f64", "float64"]])],
        due: "refused Unsupported acc dtype", options: &[], targets: &["sm_90", "sm_100"], source: FORMATS },
    MachineLine { name: "tile/refused/mma/{from}.f32", text: PRODUCT, types: SHAPE, over: &[TO_F32], due: "refused is not supported on sm_8", options: &[], targets: &["sm_80", "sm_89"],
        source: "cuda.tile, data types: formats of 8 bits from sm_89 on, for which tileiras has none yet" },
    // Block scales.
    MachineLine { name: "tile/mma-scaled/{from}.e8m0.32", text: SMALL_SUM, types: SMALL,
        over: &[(&["from", "t", "s", "k", "F"], &[&["e4m3", "float8_e4m3fn", "float8_e8m0fnu", "2", "E4M3"], &["e5m2", "float8_e5m2", "float8_e8m0fnu", "2", "E5M2"]])],
        due: "QMMA.SF.F32.{F}.{F}.E8", options: &[], targets: &["sm_120"], source: SCALED },
    MachineLine { name: "tile/mma-scaled/{from}.e8m0.32", text: LARGE_SUM, types: LARGE,
        over: &[(&["from", "t", "s", "k"], &[&["e4m3", "float8_e4m3fn", "float8_e8m0fnu", "4"], &["e5m2", "float8_e5m2", "float8_e8m0fnu", "4"]])],
        due: "UTCQMMA * !FFMA", options: &[], targets: &["sm_100"], source: SCALED },
    MachineLine { name: "tile/mma-scaled/e2m1.{scale}.{block}", text: SMALL_SUM, types: SMALL,
        over: &[(&["t"], &[&["float4_e2m1fn"]]), (&["scale", "s", "block", "k", "F"], &[
            &["e8m0", "float8_e8m0fnu", "32", "2", "E8"], &["e8m0", "float8_e8m0fnu", "16", "4", "E8.4X"], &["e4m3", "float8_e4m3fn", "16", "4", "UE4M3.4X"]])],
        due: "OMMA.SF.F32.E2M1.E2M1.{F}", options: &[], targets: &["sm_120"], source: SCALED },
    MachineLine { name: "tile/mma-scaled/e2m1.{scale}.{block}", text: LARGE_SUM, types: LARGE,
        over: &[(&["t"], &[&["float4_e2m1fn"]]), (&["scale", "s", "block", "k", "X"], &[
            &["e8m0", "float8_e8m0fnu", "32", "4", ""], &["e8m0", "float8_e8m0fnu", "16", "8", ".4X"], &["e4m3", "float8_e4m3fn", "16", "8", ".4X"]])],
        due: "UTCOMMA{X} * !FFMA", options: &[], targets: &["sm_100"], source: SCALED },
    MachineLine { name: "tile/refused/mma-scaled/{from}.{scale}.{block}", text: SMALL_SUM, types: SMALL,
        over: &[(&["from", "t", "scale", "s", "block", "k", "words"], &[
            &["e4m3", "float8_e4m3fn", "e4m3", "float8_e4m3fn", "32", "2", "Unsupported scale dtype"],
            &["e5m2", "float8_e5m2", "e4m3", "float8_e4m3fn", "16", "4", "Unsupported scale dtype"],
            &["e4m3", "float8_e4m3fn", "e8m0", "float8_e8m0fnu", "16", "4", "scaling block"],
            &["e4m3", "float8_e4m3fn", "e8m0", "float8_e8m0fnu", "64", "1", "scaling block"],
            &["e2m1", "float4_e2m1fn", "e4m3", "float8_e4m3fn", "32", "2", "scaling block"],
            &["e2m1", "float4_e2m1fn", "e8m0", "float8_e8m0fnu", "64", "1", "scaling block"]])],
        due: "refused {words}", options: &[], targets: &["sm_100", "sm_120"], source: SCALED },
    MachineLine { name: "tile/refused/mma-scaled/{from}.e8m0.32", text: SMALL_SUM, types: SMALL,
        over: &[(&["from", "t", "s", "k"], &[&["e4m3", "float8_e4m3fn", "float8_e8m0fnu", "2"], &["e2m1", "float4_e2m1fn", "float8_e8m0fnu", "2"]])],
        due: "refused is not supported on sm_90", options: &[], targets: &["sm_90"], source: "cuda.tile, data types: float8_e8m0fnu from sm_100 on" },
];
