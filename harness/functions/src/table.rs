//! The table of functions, a line each, as plain data: what they compute, and how exact documents say that they are.

use compilers::language::Language;
use compilers::module;
use compilers::setting::{Setting, Switch};
use formats::{BF16, F16, F32, Format};
use oracle::Real;

/// A function of a library.
pub struct LibraryFunction {
    /// The function's name, with the name of its type where the function has two types.
    pub name: &'static str,
    /// The expression of `a` and `b` in CUDA C++ that calls the function.
    pub cuda: &'static str,
    /// The format of operands and results.
    pub format: &'static Format,
    /// The number of operands that the function takes.
    pub arity: u32,
    /// The function of real numbers that the function computes.
    pub real: Real,
    /// How exact documents say that the function is.
    pub documented: Documented,
    /// How exact documents say that the function is under fast mathematics; `documented` where they say nothing else.
    pub fast: Documented,
}

/// How exact a document says that a function is.
#[derive(Clone, Copy)]
pub struct Documented {
    /// The document's statement, in words.
    pub says: &'static str,
    /// The maximum of errors, by the first operand; `None` where no maximum is documented.
    pub limit: Option<fn(f64) -> Limit>,
}

/// A maximum of errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// A maximum of the distance from the correctly rounded result in ulp, which has [two readings](formats::UlpReading).
    Ulp(u64),
    /// A maximum of the distance from the exact value.
    Absolute(f64),
    /// A maximum of the distance from the exact value, as a part of that value.
    Relative(f64),
    /// No maximum: nothing is said for this operand.
    Unsaid,
}

/// The factor by which an error must exceed a bound to count: values in f64 do not tell an error on a bound from one so
/// little beyond it.
const BEYOND_BOUND: f64 = 1.0 + 1.0 / (1u64 << 36) as f64;

impl Limit {
    /// Whether a result is beyond the maximum, by its distance from the correctly rounded one in ulp, its distance
    /// `off` from the exact value, and that value.
    pub fn is_exceeded(self, distance: f64, off: f64, exact: f64) -> bool {
        match self {
            Limit::Ulp(most) => distance > most as f64,
            Limit::Absolute(most) => off > most * BEYOND_BOUND,
            Limit::Relative(most) => off > most * exact.abs() * BEYOND_BOUND,
            Limit::Unsaid => false,
        }
    }
}

impl LibraryFunction {
    /// Returns how exact documents say that the function is under a setting.
    pub fn documented_under(&self, setting: Setting) -> Documented {
        // The guide documents roots by this option.
        let fast =
            setting.has(Switch::FastMath) || self.real == Real::Sqrt && !setting.has(Switch::PrecSqrt);
        if fast { self.fast } else { self.documented }
    }

    /// Returns the functions whose names some pattern matches; all functions, where there is no pattern.
    pub fn matching(only: &[String]) -> impl Iterator<Item = &'static LibraryFunction> {
        let only: Vec<_> = only.iter().map(|pattern| wildmatch::WildMatch::new(pattern)).collect();
        let wanted =
            move |one: &&LibraryFunction| only.is_empty() || only.iter().any(|of| of.matches(one.name));
        FUNCTIONS.iter().filter(wanted)
    }
}

impl module::CompilableFunction for &'static LibraryFunction {
    fn source(&self, _: Language, _: Setting, name: &str) -> String {
        let ty = match self.format.width() {
            32 => "float",
            _ if self.format.trailing_bits == F16.trailing_bits => "__half",
            _ => "__nv_bfloat16",
        };
        let second = if self.arity == 2 { format!(", {ty} b") } else { String::new() };
        format!(
            "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\nextern \"C\" __device__ {ty} {name}({ty} a{second}) {{ \
             return {}; }}\n",
            self.cuda
        )
    }
}

/// Makes a documented maximum of so many units of the last place, as the guide says it: `ulp!(2)`.
macro_rules! ulp {
    ($most:literal) => {
        Documented { says: concat!(stringify!($most), " ulp"), limit: Some(|_| Limit::Ulp($most)) }
    };
}

const NOTHING: Documented = Documented { says: "nothing", limit: None };
/// The accuracy that the headers of half precision document: "in round-to-nearest-even mode".
const ROUNDED: Documented =
    Documented { says: "rounded to nearest even", limit: Some(|_| Limit::Ulp(0)) };

/// Makes a function of f32 with one operand, which is documented alike under every setting.
const fn single(
    name: &'static str,
    cuda: &'static str,
    real: Real,
    says: Documented,
) -> LibraryFunction {
    LibraryFunction { name, cuda, format: &F32, arity: 1, real, documented: says, fast: says }
}

/// Makes a function of f32 with one operand, for which fast mathematics have another function: `says` has what is
/// documented of both.
const fn faster(
    name: &'static str,
    cuda: &'static str,
    real: Real,
    says: [Documented; 2],
) -> LibraryFunction {
    LibraryFunction { name, cuda, format: &F32, arity: 1, real, documented: says[0], fast: says[1] }
}

/// Makes a function of half precision with one operand.
const fn half(
    name: &'static str,
    cuda: &'static str,
    format: &'static Format,
    real: Real,
) -> LibraryFunction {
    LibraryFunction { name, cuda, format, arity: 1, real, documented: ROUNDED, fast: ROUNDED }
}

const EXP: Documented = Documented {
    says: "2 + floor(abs(1.173 x)) ulp",
    limit: Some(|x| Limit::Ulp(2 + (1.173 * x).abs() as u64)),
};
const EXP10: Documented = Documented {
    says: "2 + floor(abs(2.97 x)) ulp",
    limit: Some(|x| Limit::Ulp(2 + (2.97 * x).abs() as u64)),
};

/// Makes a logarithm's documented bounds: near 1, as the binary logarithm of an absolute error, and elsewhere, in ulp.
macro_rules! log {
    ($near:literal, $else:literal) => {
        Documented {
            says: concat!("2^", $near, " absolute in [0.5, 2], else ", $else, " ulp"),
            limit: Some(|x| match x {
                0.5..=2.0 => Limit::Absolute(f64::exp2($near)),
                _ => Limit::Ulp($else),
            }),
        }
    };
}

/// Makes a wave's documented bound: the binary logarithm of its absolute error within half a turn.
macro_rules! wave {
    ($log:literal) => {
        Documented {
            says: concat!("2^", $log, " absolute in [−π, π]"),
            limit: Some(|x| match x.abs() <= std::f64::consts::PI {
                true => Limit::Absolute(f64::exp2($log)),
                false => Limit::Unsaid,
            }),
        }
    };
}

const TANH: Documented =
    Documented { says: "2^-11 relative", limit: Some(|_| Limit::Relative(1.0 / 2048.0)) };
const GAMMA: Documented = Documented {
    says: "6 ulp outside −10.001 … −2.264",
    limit: Some(|x| if (-10.001..=-2.264).contains(&x) { Limit::Unsaid } else { Limit::Ulp(6) }),
};
const BESSEL: Documented = Documented {
    says: "9 ulp for abs(x) < 8, else 2.2·10^-6 absolute",
    limit: Some(|x| if x.abs() < 8.0 { Limit::Ulp(9) } else { Limit::Absolute(2.2e-6) }),
};
const DERIVED: Documented = Documented { says: "as __sinf(x) * (1 / __cosf(x))", limit: None };

/// The documents that state maxima: of f32, and of half precision.
pub const SOURCES: [&str; 2] = [
    "CUDA C++ Programming Guide 13.0, mathematical functions: \"the absolute value of the difference in ulps between the \
     result returned by the CUDA library function and a correctly rounded single-precision result\"; \"not guaranteed \
     bounds\"",
    "CUDA Math API, cuda_fp16.h and cuda_bf16.h: \"in round-to-nearest-even mode\"",
];

/// All functions that are measured, the most used first.
#[rustfmt::skip] // a table
pub const FUNCTIONS: &[LibraryFunction] = &[
    faster("sqrtf", "sqrtf(a)", Real::Sqrt, [ulp!(0), ulp!(1)]),
    faster("expf", "expf(a)", Real::Exp, [ulp!(2), EXP]),
    faster("logf", "logf(a)", Real::Ln, [ulp!(1), log!(-21.41, 3)]),
    faster("sinf", "sinf(a)", Real::Sin, [ulp!(2), wave!(-21.41)]),
    faster("cosf", "cosf(a)", Real::Cos, [ulp!(2), wave!(-21.19)]),
    faster("tanhf", "tanhf(a)", Real::Tanh, [ulp!(2), TANH]),
    single("rsqrtf", "rsqrtf(a)", Real::Rsqrt, ulp!(2)),
    single("exp2f", "exp2f(a)", Real::Exp2, ulp!(2)),
    faster("exp10f", "exp10f(a)", Real::Exp10, [ulp!(2), EXP10]),
    faster("log2f", "log2f(a)", Real::Log2, [ulp!(1), log!(-22.0, 2)]),
    faster("log10f", "log10f(a)", Real::Log10, [ulp!(2), log!(-24.0, 3)]),
    faster("tanf", "tanf(a)", Real::Tan, [ulp!(4), DERIVED]),
    single("expm1f", "expm1f(a)", Real::ExpM1, ulp!(1)),
    single("log1pf", "log1pf(a)", Real::Ln1P, ulp!(1)),
    single("cbrtf", "cbrtf(a)", Real::Cbrt, ulp!(1)),
    single("rcbrtf", "rcbrtf(a)", Real::Rcbrt, ulp!(1)),
    single("sinpif", "sinpif(a)", Real::SinPi, ulp!(1)),
    single("cospif", "cospif(a)", Real::CosPi, ulp!(1)),
    single("asinf", "asinf(a)", Real::Asin, ulp!(2)),
    single("acosf", "acosf(a)", Real::Acos, ulp!(2)),
    single("atanf", "atanf(a)", Real::Atan, ulp!(2)),
    single("sinhf", "sinhf(a)", Real::Sinh, ulp!(3)),
    single("coshf", "coshf(a)", Real::Cosh, ulp!(2)),
    single("asinhf", "asinhf(a)", Real::Asinh, ulp!(3)),
    single("acoshf", "acoshf(a)", Real::Acosh, ulp!(4)),
    single("atanhf", "atanhf(a)", Real::Atanh, ulp!(3)),
    single("erff", "erff(a)", Real::Erf, ulp!(2)),
    single("erfcf", "erfcf(a)", Real::Erfc, ulp!(4)),
    single("erfinvf", "erfinvf(a)", Real::ErfInv, ulp!(2)),
    single("erfcinvf", "erfcinvf(a)", Real::ErfcInv, ulp!(4)),
    single("erfcxf", "erfcxf(a)", Real::Erfcx, ulp!(4)),
    single("normcdff", "normcdff(a)", Real::NormCdf, ulp!(5)),
    single("normcdfinvf", "normcdfinvf(a)", Real::NormCdfInv, ulp!(5)),
    single("lgammaf", "lgammaf(a)", Real::LnGamma, GAMMA),
    single("tgammaf", "tgammaf(a)", Real::Gamma, ulp!(5)),
    single("j0f", "j0f(a)", Real::J0, BESSEL),
    single("j1f", "j1f(a)", Real::J1, BESSEL),
    single("y0f", "y0f(a)", Real::Y0, BESSEL),
    single("y1f", "y1f(a)", Real::Y1, BESSEL),
    single("cyl_bessel_i0f", "cyl_bessel_i0f(a)", Real::I0, ulp!(6)),
    single("cyl_bessel_i1f", "cyl_bessel_i1f(a)", Real::I1, ulp!(6)),
    single("__expf", "__expf(a)", Real::Exp, EXP),
    single("__exp10f", "__exp10f(a)", Real::Exp10, EXP10),
    single("__logf", "__logf(a)", Real::Ln, log!(-21.41, 3)),
    single("__log2f", "__log2f(a)", Real::Log2, log!(-22.0, 2)),
    single("__log10f", "__log10f(a)", Real::Log10, log!(-24.0, 3)),
    single("__sinf", "__sinf(a)", Real::Sin, wave!(-21.41)),
    single("__cosf", "__cosf(a)", Real::Cos, wave!(-21.19)),
    single("__tanf", "__tanf(a)", Real::Tan, DERIVED),
    single("__frsqrt_rn", "__frsqrt_rn(a)", Real::Rsqrt, ulp!(0)),

    half("hsqrt.f16", "hsqrt(a)", &F16, Real::Sqrt),
    half("hsqrt.bf16", "hsqrt(a)", &BF16, Real::Sqrt),
    half("hrsqrt.f16", "hrsqrt(a)", &F16, Real::Rsqrt),
    half("hrsqrt.bf16", "hrsqrt(a)", &BF16, Real::Rsqrt),
    half("hrcp.f16", "hrcp(a)", &F16, Real::Rcp),
    half("hrcp.bf16", "hrcp(a)", &BF16, Real::Rcp),
    half("hlog.f16", "hlog(a)", &F16, Real::Ln),
    half("hlog.bf16", "hlog(a)", &BF16, Real::Ln),
    half("hlog2.f16", "hlog2(a)", &F16, Real::Log2),
    half("hlog2.bf16", "hlog2(a)", &BF16, Real::Log2),
    half("hlog10.f16", "hlog10(a)", &F16, Real::Log10),
    half("hlog10.bf16", "hlog10(a)", &BF16, Real::Log10),
    half("hexp.f16", "hexp(a)", &F16, Real::Exp),
    half("hexp.bf16", "hexp(a)", &BF16, Real::Exp),
    half("hexp2.f16", "hexp2(a)", &F16, Real::Exp2),
    half("hexp2.bf16", "hexp2(a)", &BF16, Real::Exp2),
    half("hexp10.f16", "hexp10(a)", &F16, Real::Exp10),
    half("hexp10.bf16", "hexp10(a)", &BF16, Real::Exp10),
    half("hsin.f16", "hsin(a)", &F16, Real::Sin),
    half("hsin.bf16", "hsin(a)", &BF16, Real::Sin),
    half("hcos.f16", "hcos(a)", &F16, Real::Cos),
    half("hcos.bf16", "hcos(a)", &BF16, Real::Cos),
    half("htanh.f16", "htanh(a)", &F16, Real::Tanh),
    half("htanh.bf16", "htanh(a)", &BF16, Real::Tanh),
    LibraryFunction { documented: NOTHING, fast: NOTHING, ..half("htanh_approx.f16", "htanh_approx(a)", &F16, Real::Tanh) },
    LibraryFunction { documented: NOTHING, fast: NOTHING, ..half("htanh_approx.bf16", "htanh_approx(a)", &BF16, Real::Tanh) },
    half("hfloor.f16", "hfloor(a)", &F16, Real::Floor),
    half("hfloor.bf16", "hfloor(a)", &BF16, Real::Floor),
    half("hceil.f16", "hceil(a)", &F16, Real::Ceil),
    half("hceil.bf16", "hceil(a)", &BF16, Real::Ceil),
    half("htrunc.f16", "htrunc(a)", &F16, Real::Trunc),
    half("htrunc.bf16", "htrunc(a)", &BF16, Real::Trunc),
    half("hrint.f16", "hrint(a)", &F16, Real::Rint),
    half("hrint.bf16", "hrint(a)", &BF16, Real::Rint),
    LibraryFunction { arity: 2, ..half("hdiv.f16", "__hdiv(a, b)", &F16, Real::Div) },
    LibraryFunction { arity: 2, ..half("hdiv.bf16", "__hdiv(a, b)", &BF16, Real::Div) },
];
