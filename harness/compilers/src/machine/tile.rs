//! Rows of operations on tiles: what cuTile and tileiras make of roundings, flushing and casts, and what they have to
//! refuse.

use std::fmt::Write;

pub use super::matrices::LINES as MATRICES;
use super::rows::{MachineLine, MachineRow};
use crate::rows::Hole;

const ROUNDED: &str = "Tile IR specification, addf, subf, mulf, divf and sqrtf: the rounding of the operation, and flush_to_zero, which \
                       is of f32 alone";
const HALF: &str = "Tile IR specification, addf, subf, mulf, divf and sqrtf: of f16 and bf16 in f32, rounded as the operation is";
const APPROXIMATE: &str = "Tile IR specification, divf, sqrtf and exp: `approx` is the fast one, `full` is more exact; of f32 alone";
const FUNCTION: &str =
    "Tile IR specification, rsqrt, exp2, exp and tanh: flush_to_zero and roundings, of f32 alone";
const CAST: &str = "Tile IR specification, ftof: the roundings of each pair of types; to 8 and 4 bits the result is saturated";
const OPEN: &str = "cuda.tile, add and mul: rounding_mode is \"the rounding mode for the operation\"; no page says whether an \
                    operation that names one may be contracted";
const DIFFER: &str = "cuda.tile, add and mul: rounding_mode and flush_to_zero are the operation's; no fma has two of them";
const REFUSED: &str =
    "Tile IR specification, and cuda.tile: which roundings and flushing an operation has in which type";
const EXTREME: &str = "Tile IR specification, maxf and minf: flush_to_zero and propagate_nan";

const BOTH: &[&str] = &["sm_90", "sm_100"];
const OLD: &[&str] = &["sm_90"];
const NEW: &[&str] = &["sm_100"];
const ONE: &str = "{t}[128] -> {t}[128]";
const TWO: &str = "{t}[128] {t}[128] -> {t}[128]";
const THREE: &str = "{t}[128] {t}[128] {t}[128] -> {t}[128]";

const OPERATIONS: Hole = (&["op", "OP"], &[&["add", "ADD"], &["sub", "ADD"], &["mul", "MUL"]]);
const ROUNDINGS: Hole = (
    &["rnd", "R", "RND"],
    &[&["rn", "RN", ""], &["rz", "RZ", ".RZ"], &["rm", "RM", ".RM"], &["rp", "RP", ".RP"]],
);
const UPWARD: Hole = (&["rnd", "R", "RND"], &[&["rm", "RM", ".RM"], &["rp", "RP", ".RP"]]);
const FTZ: Hole = (&["z", "flush", "Z"], &[&["", "False", ""], &[".ftz", "True", ".FTZ"]]);
const HALVES: Hole =
    (&["h", "t", "F", "x"], &[&["f16", "float16", "F16", ""], &["bf16", "bfloat16", "BF16", ".BF16"]]);
const MIXED: Hole = (&["op", "OP"], &[&["sub", "FADD"], &["mul", "FMUL"]]);
/// Types that have neither `.ftz` nor approximations.
const OTHERS: Hole = (&["h", "t"], &[&["f16", "float16"], &["bf16", "bfloat16"], &["f64", "float64"]]);

#[rustfmt::skip] // a table
pub const LINES: &[MachineLine] = &[
    // Arithmetic.
    MachineLine { name: "tile/{op}.{rnd}{z}.f32", text: "ct.{op}(a, b, rounding_mode=R.{R}, flush_to_zero={flush})", types: TWO,
        over: &[(&["t"], &[&["float32"]]), OPERATIONS, ROUNDINGS, FTZ], due: "F{OP}{RND}{Z}", options: &[], targets: BOTH, source: ROUNDED },
    MachineLine { name: "tile/{op}.{rnd}.f64", text: "ct.{op}(a, b, rounding_mode=R.{R})", types: TWO,
        over: &[(&["t"], &[&["float64"]]), OPERATIONS, ROUNDINGS], due: "D{OP}{RND}", options: &[], targets: BOTH, source: ROUNDED },
    MachineLine { name: "tile/{op}.rn.{h}", text: "ct.{op}(a, b, rounding_mode=R.RN)", types: TWO,
        over: &[(&["h", "t", "b"], &[&["f16", "float16", ""], &["bf16", "bfloat16", ".BF16"]]), OPERATIONS],
        due: "H{OP}2{b}", options: &[], targets: BOTH, source: HALF },
    MachineLine { name: "tile/{op}.rz.{h}", text: "ct.{op}(a, b, rounding_mode=R.RZ)", types: TWO,
        over: &[HALVES, OPERATIONS], due: "F{OP}.RZ F2FP.{F}.F32.RZ", options: &[], targets: OLD, source: HALF },
    MachineLine { name: "tile/{op}.{rnd}.{h}", text: "ct.{op}(a, b, rounding_mode=R.{R})", types: TWO,
        over: &[HALVES, OPERATIONS, UPWARD], due: "F{OP}{RND} F2F.{F}.F32{RND}", options: &[], targets: OLD, source: HALF },
    // Newer targets have an operation for the sum of f32 and f16, with which a sum of f16 and f16 begins.
    MachineLine { name: "tile/{op}.rz.{h}", text: "ct.{op}(a, b, rounding_mode=R.RZ)", types: TWO,
        over: &[HALVES, MIXED], due: "{OP}.RZ F2FP.{F}.F32.RZ", options: &[], targets: NEW, source: HALF },
    MachineLine { name: "tile/{op}.{rnd}.{h}", text: "ct.{op}(a, b, rounding_mode=R.{R})", types: TWO,
        over: &[HALVES, MIXED, UPWARD], due: "{OP}{RND} F2F.{F}.F32{RND}", options: &[], targets: NEW, source: HALF },
    MachineLine { name: "tile/add.rz.{h}", text: "ct.add(a, b, rounding_mode=R.RZ)", types: TWO,
        over: &[HALVES], due: "FHADD{x}.RZ F2FP.{F}.F32.RZ", options: &[], targets: NEW, source: HALF },
    MachineLine { name: "tile/add.{rnd}.{h}", text: "ct.add(a, b, rounding_mode=R.{R})", types: TWO,
        over: &[HALVES, UPWARD], due: "FHADD{x}{RND} F2F.{F}.F32{RND}", options: &[], targets: NEW, source: HALF },
    MachineLine { name: "tile/{op}{n}{z}.f32", text: "ct.{name}(a, b, flush_to_zero={flush}, propagate_nan={nan})", types: TWO,
        over: &[(&["t"], &[&["float32"]]), (&["op", "name"], &[&["min", "minimum"], &["max", "maximum"]]),
            (&["n", "nan", "N"], &[&["", "False", ""], &[".nan", "True", ".NAN"]]), FTZ],
        due: "FMNMX{N}{Z}", options: &[], targets: BOTH, source: EXTREME },
    // Quotients and roots.
    MachineLine { name: "tile/div.{rnd}{z}.f32", text: "ct.truediv(a, b, rounding_mode=R.{R}, flush_to_zero={flush})", types: TWO,
        over: &[(&["t"], &[&["float32"]]), ROUNDINGS, FTZ], due: "MUFU.RCP FFMA{RND} *", options: &[], targets: BOTH, source: ROUNDED },
    MachineLine { name: "tile/div.{rnd}.f64", text: "ct.truediv(a, b, rounding_mode=R.{R})", types: TWO,
        over: &[(&["t"], &[&["float64"]]), ROUNDINGS], due: "MUFU.RCP64H DFMA{RND} *", options: &[], targets: BOTH, source: ROUNDED },
    MachineLine { name: "tile/div.{mode}{z}.f32", text: "ct.truediv(a, b, rounding_mode=R.{M}, flush_to_zero={flush})", types: TWO,
        over: &[(&["t"], &[&["float32"]]), (&["mode", "M"], &[&["approx", "APPROX"], &["full", "FULL"]]), FTZ],
        due: "MUFU.RCP FMUL{Z}", options: &[], targets: BOTH, source: APPROXIMATE },
    MachineLine { name: "tile/div.rn.{h}", text: "ct.truediv(a, b, rounding_mode=R.RN)", types: TWO,
        over: &[HALVES], due: "MUFU.RCP FFMA F2FP.{F}.F32 *", options: &[], targets: BOTH, source: HALF },
    MachineLine { name: "tile/sqrt.{rnd}{z}.f32", text: "ct.sqrt(a, rounding_mode=R.{R}, flush_to_zero={flush})", types: ONE,
        over: &[(&["t"], &[&["float32"]]), ROUNDINGS, FTZ], due: "MUFU.RSQ FFMA{RND} *", options: &[], targets: BOTH, source: ROUNDED },
    MachineLine { name: "tile/sqrt.{rnd}.f64", text: "ct.sqrt(a, rounding_mode=R.{R})", types: ONE,
        over: &[(&["t"], &[&["float64"]]), ROUNDINGS], due: "DFMA{RND} *", options: &[], targets: BOTH, source: ROUNDED },
    MachineLine { name: "tile/sqrt.approx.f32", text: "ct.sqrt(a, rounding_mode=R.APPROX)", types: ONE,
        over: &[(&["t"], &[&["float32"]])], due: "MUFU.SQRT FMUL", options: &[], targets: BOTH, source: APPROXIMATE },
    MachineLine { name: "tile/sqrt.approx.ftz.f32", text: "ct.sqrt(a, rounding_mode=R.APPROX, flush_to_zero=True)", types: ONE,
        over: &[(&["t"], &[&["float32"]])], due: "MUFU.SQRT", options: &[], targets: BOTH, source: APPROXIMATE },
    MachineLine { name: "tile/sqrt.rn.{h}", text: "ct.sqrt(a, rounding_mode=R.RN)", types: ONE,
        over: &[HALVES], due: "MUFU.RSQ FFMA F2FP.{F}.F32 *", options: &[], targets: BOTH, source: HALF },
    // Functions: the table of functions takes subnormal numbers for zeros, so that without flushing they are scaled.
    MachineLine { name: "tile/{op}.f32", text: "ct.{op}(a)", types: ONE,
        over: &[(&["t"], &[&["float32"]]), (&["op", "OP"], &[&["rsqrt", "RSQ"], &["exp2", "EX2"]])],
        due: "MUFU.{OP} FMUL", options: &[], targets: BOTH, source: FUNCTION },
    MachineLine { name: "tile/{op}.ftz.f32", text: "ct.{op}(a, flush_to_zero=True)", types: ONE,
        over: &[(&["t"], &[&["float32"]]), (&["op", "OP"], &[&["rsqrt", "RSQ"], &["exp2", "EX2"]])],
        due: "MUFU.{OP}", options: &[], targets: BOTH, source: FUNCTION },
    MachineLine { name: "tile/{op}.{h}", text: "ct.{op}(a)", types: ONE,
        over: &[HALVES, (&["op", "OP"], &[&["rsqrt", "RSQ"], &["exp2", "EX2"]])],
        due: "MUFU.{OP} FMUL F2FP.{F}.F32", options: &[], targets: BOTH, source: FUNCTION },
    MachineLine { name: "tile/exp.approx.f32", text: "ct.exp(a, rounding_mode=R.APPROX)", types: ONE,
        over: &[(&["t"], &[&["float32"]])], due: "MUFU.EX2 FMUL", options: &[], targets: BOTH, source: APPROXIMATE },
    MachineLine { name: "tile/{op}.{mode}.f32", text: "ct.{op}(a{rounding})", types: ONE,
        over: &[(&["t"], &[&["float32"]]), (&["op"], &[&["exp"], &["tanh"]]),
            (&["mode", "rounding"], &[&["full", ", rounding_mode=R.FULL"], &["default", ""]])],
        due: "MUFU.EX2 FFMA *", options: &[], targets: BOTH, source: FUNCTION },
    MachineLine { name: "tile/tanh.approx.f32", text: "ct.tanh(a, rounding_mode=R.APPROX)", types: ONE,
        over: &[(&["t"], &[&["float32"]])], due: "MUFU.TANH", options: &[], targets: BOTH, source: FUNCTION },
    // Contraction.
    MachineLine { name: "tile/contract/{sum}.{h}", text: "ct.{op}(ct.mul(a, b), c)", types: THREE,
        over: &[(&["h", "t", "ADD", "MUL", "FMA"], &[&["f32", "float32", "FADD", "FMUL", "FFMA"], &["f64", "float64", "DADD", "DMUL", "DFMA"],
            &["f16", "float16", "HADD2", "HMUL2", "HFMA2"], &["bf16", "bfloat16", "HADD2.BF16", "HMUL2.BF16", "HFMA2.BF16"]]),
            (&["sum", "op"], &[&["add", "add"], &["sub", "sub"]])],
        due: "{FMA} | {MUL} {ADD}", options: &[], targets: BOTH, source: OPEN },
    MachineLine { name: "tile/contract/explicit.{rnd}.{h}", text: "ct.add(ct.mul(a, b, rounding_mode=R.{R}), c, rounding_mode=R.{R})", types: THREE,
        over: &[(&["h", "t", "L"], &[&["f32", "float32", "F"], &["f64", "float64", "D"]]), ROUNDINGS],
        due: "{L}FMA{RND} | {L}MUL{RND} {L}ADD{RND}", options: &[], targets: BOTH, source: OPEN },
    MachineLine { name: "tile/contract/explicit.ftz.f32", text: "ct.add(ct.mul(a, b, flush_to_zero=True), c, flush_to_zero=True)", types: THREE,
        over: &[(&["t"], &[&["float32"]])], due: "FFMA.FTZ | FMUL.FTZ FADD.FTZ", options: &[], targets: BOTH, source: OPEN },
    MachineLine { name: "tile/apart/{one}-{other}.{h}", text: "ct.add(ct.mul(a, b, rounding_mode=R.{A}), c, rounding_mode=R.{B})", types: THREE,
        over: &[(&["h", "t", "L"], &[&["f32", "float32", "F"], &["f64", "float64", "D"]]),
            (&["one", "A", "X", "other", "B", "Y"], &[&["rz", "RZ", ".RZ", "rp", "RP", ".RP"], &["rn", "RN", "", "rz", "RZ", ".RZ"], &["rm", "RM", ".RM", "rn", "RN", ""]])],
        due: "{L}MUL{X} {L}ADD{Y}", options: &[], targets: BOTH, source: DIFFER },
    MachineLine { name: "tile/apart/ftz-on-{which}.f32", text: "ct.add(ct.mul(a, b, flush_to_zero={p}), c, flush_to_zero={s})", types: THREE,
        over: &[(&["t"], &[&["float32"]]), (&["which", "p", "s", "P", "S"], &[&["product", "True", "False", ".FTZ", ""], &["sum", "False", "True", "", ".FTZ"]])],
        due: "FMUL{P} FADD{S}", options: &[], targets: BOTH, source: DIFFER },
    // Casts.
    MachineLine { name: "tile/cast/{to}.{rnd}.f32", text: "ct.astype(a, ct.{u}, rounding_mode=R.{R})", types: "float32[128] -> {u}[128]",
        over: &[(&["to", "u", "F"], &[&["f16", "float16", "F16"], &["bf16", "bfloat16", "BF16"], &["tf32", "tfloat32", "TF32"]]),
            (&["rnd", "R", "RND"], &[&["rn", "RN", ""], &["rz", "RZ", ".RZ"]])],
        due: "F2FP.{F}.F32{RND}", options: &[], targets: BOTH, source: CAST },
    MachineLine { name: "tile/cast/f32.{rnd}.f64", text: "ct.astype(a, ct.float32, rounding_mode=R.{R})", types: "float64[128] -> float32[128]",
        over: &[ROUNDINGS], due: "F2F.F32.F64{RND}", options: &[], targets: BOTH, source: CAST },
    MachineLine { name: "tile/cast/{to}.rn.f64", text: "ct.astype(a, ct.{u}, rounding_mode=R.RN)", types: "float64[128] -> {u}[128]",
        over: &[(&["to", "u", "F"], &[&["f16", "float16", "F16"], &["bf16", "bfloat16", "BF16"]])],
        due: "F2F.{F}.F64", options: &[], targets: BOTH, source: CAST },
    MachineLine { name: "tile/cast/{to}.rn.{from}", text: "ct.astype(a, ct.{u}, rounding_mode=R.RN)", types: "{t}[128] -> {u}[128]",
        over: &[(&["to", "u", "F"], &[&["e4m3", "float8_e4m3fn", "E4M3"], &["e5m2", "float8_e5m2", "E5M2"]]),
            (&["from", "t", "G"], &[&["f32", "float32", "F32"], &["f16", "float16", "F16"]])],
        due: "F2FP.SATFINITE.{F}.{G}", options: &[], targets: BOTH, source: CAST },
    MachineLine { name: "tile/cast/e2m1.rn.{from}", text: "ct.astype(a, ct.float4_e2m1fn, rounding_mode=R.RN)", types: "{t}[128] -> float4_e2m1fn[128]",
        over: &[(&["from", "t"], &[&["f32", "float32"], &["f16", "float16"], &["bf16", "bfloat16"]])],
        due: "F2FP.SATFINITE.E2M1.F32 F2FP.F16.E2M1", options: &[], targets: NEW, source: CAST },
    MachineLine { name: "tile/cast/e8m0.{rnd}.f32", text: "ct.astype(a, ct.float8_e8m0fnu, rounding_mode=R.{R})", types: "float32[128] -> float8_e8m0fnu[128]",
        over: &[(&["rnd", "R"], &[&["rz", "RZ"], &["rp", "RP"]])], due: "F2FP.SATFINITE.E8.F32.{R}", options: &[], targets: NEW, source: CAST },
    // What has to be refused.
    MachineLine { name: "tile/refused/{op}.{rnd}.{h}", text: "ct.{op}(a, b, rounding_mode=R.{R})", types: TWO,
        over: &[OPERATIONS, (&["rnd", "R"], &[&["ra", "RA"], &["full", "FULL"], &["approx", "APPROX"]]), (&["h", "t"], &[&["f32", "float32"], &["f16", "float16"], &["f64", "float64"]])],
        due: "refused is not supported for {op}", options: &[], targets: OLD, source: REFUSED },
    MachineLine { name: "tile/refused/div.{rnd}.{h}", text: "ct.truediv(a, b, rounding_mode=R.{R})", types: TWO,
        over: &[(&["rnd", "R"], &[&["full", "FULL"], &["approx", "APPROX"]]), OTHERS],
        due: "refused can only be used for float32", options: &[], targets: OLD, source: REFUSED },
    MachineLine { name: "tile/refused/{op}.approx.{h}", text: "ct.{op}(a, rounding_mode=R.APPROX)", types: ONE,
        over: &[(&["op"], &[&["sqrt"], &["exp"], &["tanh"]]), OTHERS],
        due: "refused can only be used for float32", options: &[], targets: OLD, source: REFUSED },
    MachineLine { name: "tile/refused/{op}.full.{h}", text: "ct.{op}(a, rounding_mode=R.FULL)", types: ONE,
        over: &[(&["op"], &[&["exp"], &["tanh"]]), OTHERS], due: "refused can only be used for float32", options: &[], targets: OLD,
        source: "cuda.tile, exp and tanh: FULL and APPROX are of f32 only. The Tile IR specification has FULL of all types" },
    MachineLine { name: "tile/refused/sqrt.full.f32", text: "ct.sqrt(a, rounding_mode=R.FULL)", types: ONE,
        over: &[(&["t"], &[&["float32"]])], due: "refused is not supported for sqrt", options: &[], targets: OLD, source: REFUSED },
    MachineLine { name: "tile/refused/{op}.ftz.{h}", text: "ct.{op}(a, b, flush_to_zero=True)", types: TWO,
        over: &[(&["op"], &[&["add"], &["sub"], &["mul"], &["truediv"], &["minimum"], &["maximum"]]), OTHERS],
        due: "refused Flush to zero can only be used for float32", options: &[], targets: OLD, source: REFUSED },
    MachineLine { name: "tile/refused/{op}.ftz.{h}", text: "ct.{op}(a, flush_to_zero=True)", types: ONE,
        over: &[(&["op"], &[&["sqrt"], &["rsqrt"], &["exp2"]]), OTHERS],
        due: "refused Flush to zero can only be used for float32", options: &[], targets: OLD, source: REFUSED },
    MachineLine { name: "tile/refused/cast/{to}.{rnd}.{from}", text: "ct.astype(a, ct.{u}, rounding_mode=R.{R})", types: "{t}[128] -> {u}[128]",
        over: &[(&["to", "u"], &[&["f16", "float16"], &["bf16", "bfloat16"], &["tf32", "tfloat32"]]),
            (&["rnd", "R"], &[&["rm", "RM"], &["rp", "RP"]]), (&["from", "t"], &[&["f32", "float32"], &["f64", "float64"]])],
        due: "refused is not supported for conversion", options: &[], targets: OLD, source: CAST },
    MachineLine { name: "tile/refused/cast/{to}.{rnd}.{from}", text: "ct.astype(a, ct.{u}, rounding_mode=R.{R})", types: "{t}[128] -> {u}[128]",
        over: &[(&["to", "u"], &[&["e4m3", "float8_e4m3fn"], &["e5m2", "float8_e5m2"], &["e2m1", "float4_e2m1fn"]]),
            (&["rnd", "R"], &[&["rz", "RZ"], &["ra", "RA"], &["rm", "RM"], &["rp", "RP"]]), (&["from", "t"], &[&["f32", "float32"], &["f16", "float16"]])],
        due: "refused is not supported for conversion", options: &[], targets: NEW, source: CAST },
    MachineLine { name: "tile/refused/cast/e8m0.{rnd}.f32", text: "ct.astype(a, ct.float8_e8m0fnu{r})", types: "float32[128] -> float8_e8m0fnu[128]",
        over: &[(&["rnd", "r"], &[&["default", ""], &["rn", ", rounding_mode=R.RN"], &["ra", ", rounding_mode=R.RA"], &["rm", ", rounding_mode=R.RM"]])],
        due: "refused is not supported for conversion", options: &[], targets: NEW, source: CAST },
    MachineLine { name: "tile/refused/cast/e8m0.rz.f32", text: "ct.astype(a, ct.float8_e8m0fnu, rounding_mode=R.RZ)", types: "float32[128] -> float8_e8m0fnu[128]",
        over: &[], due: "refused is not supported on sm_90", options: &[], targets: OLD, source: "cuda.tile, data types: float8_e8m0fnu from sm_100 on" },
];

const HEAD: &str = "import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature
R = ct.RoundingMode

@ct.kernel
";
const TAIL: &str = "\
known = {'stride_lower_bound_incl': 0, 'alias_groups': [], 'may_alias_internally': False}
def array(dtype, dimensions):
    strides = [None] * (dimensions - 1) + [1]
    return ArrayConstraint(dtype, dimensions, index_dtype=ct.int32, stride_constant=strides, **known)
";

/// A tile: its type and its shape.
struct TypedTile<'a> {
    ty: &'a str,
    shape: Vec<usize>,
}

impl<'a> TypedTile<'a> {
    /// Reads a tile from a text such as `float32[128]`.
    fn of(text: &'a str) -> TypedTile<'a> {
        let (ty, shape) = text.trim_end_matches(']').split_once('[').expect("a type and a shape");
        TypedTile {
            ty,
            shape: shape.split(',').map(|length| length.parse().expect("a length")).collect(),
        }
    }

    /// Whether the tile's elements are of 4 bits: arrays have none of these, and two of them are a byte.
    fn is_packed(&self) -> bool {
        self.ty.starts_with("float4")
    }

    /// Returns the constraint of the array that the tile is loaded from or stored to.
    fn array(&self) -> String {
        let (ty, dimensions) = if self.is_packed() { ("uint8", 1) } else { (self.ty, self.shape.len()) };
        format!("array(ct.{ty}, {dimensions})")
    }

    /// Returns the expression that loads the tile from the array of this name.
    fn loaded(&self, array: &str) -> String {
        // In Python, a tuple of one number needs a comma, so each number has one.
        let tuple = |numbers: &[usize]| {
            numbers.iter().fold(String::new(), |text, number| format!("{text}{number}, "))
        };
        let (shape, zeros) = (tuple(&self.shape), tuple(&vec![0; self.shape.len()]));
        match self.is_packed() {
            false => format!("ct.load({array}, ({zeros}), ({shape}))"),
            true => {
                let bytes = self.shape.iter().product::<usize>() / 2;
                format!(
                    "ct.reshape(ct.unpack_from_bytes(ct.load({array}, (0,), ({bytes},)), ct.{}), ({shape}))",
                    self.ty
                )
            }
        }
    }
}

/// Returns the source of a kernel that loads the operands as tiles and stores the result, with its signature.
pub fn kernel(row: &MachineRow) -> String {
    let (operands, result) = row.types.split_once(" -> ").expect("tiles and a result");
    let operands: Vec<TypedTile> = operands.split(' ').map(TypedTile::of).collect();
    let result = TypedTile::of(result);
    let names = &["a", "b", "c", "d"][..operands.len()];
    let mut text = format!("{HEAD}def kernel(of_{}, to):\n", names.join(", of_"));
    for (name, tile) in names.iter().zip(&operands) {
        let _ = writeln!(text, "    {name} = {}", tile.loaded(&format!("of_{name}")));
    }
    let (zeros, value) = match result.is_packed() {
        true => ("0,".to_owned(), format!("ct.pack_to_bytes({})", row.text)),
        false => ("0, ".repeat(result.shape.len()), row.text.clone()),
    };
    let _ = writeln!(text, "    ct.store(to, ({zeros}), {value})");
    let arrays: Vec<String> = operands.iter().chain([&result]).map(TypedTile::array).collect();
    text + TAIL
        + &format!(
            "signature = KernelSignature([{}], CallingConvention.cutile_python_v1())\n",
            arrays.join(", ")
        )
}
