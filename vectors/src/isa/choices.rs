//! Where a result depends on more than the manual prints: every such place, and what settles it there.
//! Either a relaxation leaves it open, or a source that is named decides. A test walks over all of them.

mod arising;

use super::contract::Contract;
use super::meaning::{Clamp, RandomFields, Scaling};
use super::operation::Op;
use super::relaxation::Relaxation;
use super::variant::Variant;
use crate::format::{FormatId, Scale};
use arising::*;

/// A place where the manual's words are not enough.
#[derive(Debug)]
pub struct Choice {
    /// What has to be chosen.
    pub what: &'static str,
    /// Whether it arises in a variant.
    pub arises: fn(&Variant) -> bool,
    /// What settles it there.
    pub settled: Settled,
}

/// What settles a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Nothing: the relaxation accepts every interpretation, and counts them.
    Open(Relaxation),
    /// A source, and what it says.
    By(&'static str),
}

use Settled::{By, Open};

/// Every choice.
pub const CHOICES: &[Choice] = &[
    row(
        "which NaN a NaN result is",
        |v| some_nan(v) && to(v) != FormatId::F64,
        Open(Relaxation::AnyNan),
    ),
    row(
        "which NaN, in double precision",
        |v| some_nan(v) && to(v) == FormatId::F64,
        Open(Relaxation::NanPayload),
    ),
    row(
        "which NaN is canonical, of f16, bf16 and f32",
        |v| {
            !is_cast(v)
                && canonical(v)
                && matches!(to(v), FormatId::F16 | FormatId::Bf16 | FormatId::F32)
        },
        By(
            "CUDA C++ Programming Guide, Floating-Point Standard: 0x7fffffff, 0x7fff; measured on sm_100a and an NVIDIA H200",
        ),
    ),
    row(
        "which NaN an operand's becomes in the upper half of f64",
        |v| v.meaning().upper_half,
        By("9.7.3.14, 9.7.3.17: \"a canonical NaN with encoding 0x7fffffff00000000\""),
    ),
    row(
        "whether a payload in the lower half counts",
        |v| v.meaning().upper_half,
        Open(Relaxation::UpperHalfNan),
    ),
    row(
        "the sign of a NaN's magnitude",
        |v| v.meaning().op == Op::Abs && to(v) == FormatId::F64,
        Open(Relaxation::NanSign),
    ),
    row("a NaN whose payload does not fit", truncates_nan, Open(Relaxation::TruncatedNan)),
    row(
        "what NaN is in a format without one",
        |v| is_conversion(v) && format(v).nan().is_none() && !format(v).is_integer(),
        By("9.7.10.24: \"NaN results are converted to positive MAX_NORM\""),
    ),
    row(
        "how many bits of a significand tf32 has",
        |v| to(v) == FormatId::Tf32,
        By(
            "measured on an NVIDIA H200, reports/published: ten behind the point, in every result; 5.2.3 has \"reduced \
             precision (>=10 bits)\"",
        ),
    ),
    row("the low bits of tf32", |v| to(v) == FormatId::Tf32, Open(Relaxation::Tf32Layout)),
    row(
        "whether -0 passes a clamp",
        |v| v.meaning().clamp != Clamp::None && is_float(v) && has_zero_sign(v),
        Open(Relaxation::ZeroSign),
    ),
    row("by which result `.ftz` finds it subnormal", tininess, Open(Relaxation::FtzTininess)),
    row("whether `.ftz` flushes f16 beside f32", mixed_ftz, Open(Relaxation::FtzResult)),
    row(
        "whether `.ftz` flushes f32 beside f16",
        |v| v.meaning().flush.open && is_conversion(v) || mixed_ftz(v),
        Open(Relaxation::FtzIgnored),
    ),
    row(
        "whether f32 in global memory is flushed where no sentence says so",
        |v| v.meaning().flush.open && v.is_of_memory(),
        Open(Relaxation::VectorFlush),
    ),
    row(
        "what the smaller or larger of a number and a NaN is, reduced in bulk or on several devices",
        extremum_in_memory,
        Open(Relaxation::MemoryNan),
    ),
    row("whether -0 is smaller than +0 there", extremum_in_memory, Open(Relaxation::MemoryZero)),
    row(
        "which of two threads changes a word in memory first",
        |v| v.in_turn().is_some(),
        Open(Relaxation::ThreadOrder),
    ),
    row(
        "the sign of a flushed input that is scaled",
        |v| scaled_down(v) && shows_sign(v),
        Open(Relaxation::FlushSign),
    ),
    row(
        "the same, where no sign shows",
        |v| scaled_down(v) && !shows_sign(v),
        By(
            "9.7.10.24: `.relu` \"clamps the result to 0 if negative\", `.pzo` \"enforces the generation of positive \
             zeros only\", and formats without a sign have no other zero",
        ),
    ),
    row("what a negative number is without a sign", unsigned, Open(Relaxation::UnsignedNegative)),
    row(
        "what zero and numbers below 2^-127 are in ue8m0, which has neither",
        |v| to(v) == FormatId::Ue8m0,
        By("measured on sm_100a, published by mlc-ai/TIRx-harness: 0x00, whatever the rounding"),
    ),
    row(
        "what is too large for ue8m0 without `.satfinite`",
        |v| to(v) == FormatId::Ue8m0 && !v.meaning().satfinite,
        By(
            "measured on sm_100a, published by mlc-ai/TIRx-harness: infinity gives 0xff, FLT_MAX 0xfe with `.rz` and \
             0xff with `.rp`",
        ),
    ),
    row(
        "what is too large for e5m2 and ue5m3 without `.satfinite`",
        |v| {
            let asked = matches!(to(v), FormatId::E5m2 | FormatId::Ue5m3);
            !is_cast(v) && overflows(v) && asked && v.can_overflow()
        },
        Open(Relaxation::OverflowResult),
    ),
    row(
        "what is too large for f16 by random bits",
        |v| random(v).is_some() && to(v) == FormatId::F16 && !v.meaning().satfinite,
        Open(Relaxation::RandomOverflow),
    ),
    row(
        "what infinity is in ue5m3 without `.satfinite`",
        |v| to(v) == FormatId::Ue5m3 && overflows(v) && may_be_infinite(v),
        Open(Relaxation::InfinityResult),
    ),
    row(
        "what is too large for e4m3 without `.satfinite`",
        |v| overflows(v) && !is_cast(v) && to(v) == FormatId::E4m3,
        By("9.7.6.4: \"results beyond the largest representable target format are converted to NaN\""),
    ),
    row(
        "what is too large for a cast without saturation",
        |v| overflows(v) && is_cast(v),
        By(
            "OCP OFP8 1.0, conversions without saturation: NaN of e4m3, infinity of e5m2; FNUZ formats have NaN alone",
        ),
    ),
    row(
        "whether what is rounded to the largest number is too large",
        |v| overflows(v) && to(v) != FormatId::Ue8m0 && v.can_round_to_largest(),
        Open(Relaxation::OverflowBoundary),
    ),
    row(
        "whether fixed point reaches its lowest number",
        |v| to(v) == FormatId::S2f6 && v.meaning().clamp != Clamp::Positive,
        Open(Relaxation::FixedMinimum),
    ),
    row(
        "which random bits each of two results has",
        |v| random(v) == Some(RandomFields::Halves),
        By(
            "9.7.10.24: \"upper 16-bits are used as random bits for operand a and lower 16-bits … for operand b\"",
        ),
    ),
    row(
        "which random bits each of four results has",
        |v| random(v).is_some_and(|fields| fields != RandomFields::Halves),
        Open(Relaxation::RandomLayout),
    ),
    row(
        "which discarded bits random ones are added to",
        |v| random(v).is_some(),
        Open(Relaxation::RandomAlignment),
    ),
    row(
        "the order of four results in a register",
        |v| is_conversion(v) && v.lanes() == 4,
        By("9.7.10.24: \"stored in each 8 bits starting from upper bits of d\""),
    ),
    row(
        "how sums of words of several devices are rounded",
        |v| v.is_of_devices() && !v.lane_signature().bulk && v.meaning().op == Op::Add,
        By(
            "9.7.15.5, 9.7.15.6: \"The .add operation rounds to nearest even\", said of `atom` and `red`; of `multimem` \
             nothing is said",
        ),
    ),
    row(
        "how products are rounded that take no modifier",
        |v| v.meaning().converted.is_some(),
        By(
            "9.7.4.3: \"The default value of rounding modifier is .rn\", said of products in half precision; 9.7.5.4 \
             names `.rz` alone, which these do not take",
        ),
    ),
    row(
        "whether what is divided by a scale is rounded before it is converted",
        |v| v.meaning().scale == Some(Scaling::Divide),
        By("9.7.10.24: \"convert(a / scale-factor[7:0])\", in which one conversion rounds"),
    ),
    row(
        "which bits of a packed factor of f32 count",
        |v| {
            matches!(v.meaning().op, Op::Fma)
                && v.inputs()[0].format != v.inputs()[1].format
                && v.lanes() == 2
        },
        By(
            "9.7.5.3: \".btype = .ctype = .dtype = { .f32x2 }\" makes it 64 bits wide, though the formula beneath reads \
             16 of them",
        ),
    ),
    row(
        "what a comparison of bf16 gives as an integer",
        |v| {
            matches!(v.meaning().op, Op::Compare(_))
                && v.outputs()[0].format.is_integer()
                && v.inputs()[0].format.id == FormatId::Bf16
        },
        By(
            "9.7.8.1: \"0xffffffff is written for destination types .u32/.s32\", though the formula beneath gives 1.0 \
             where the source is bf16",
        ),
    ),
    row(
        "the sign of a packed maximum of magnitudes where an operand is NaN",
        |v| {
            matches!(v.meaning().op, Op::Extremum(e) if e.with_product_of_signs && e.largest)
                && v.lanes() == 2
        },
        By(
            "9.7.4.8: \"the sign bit of destination d is equal to the XOR of the sign bits of both the inputs\", though the \
             formula beneath asks whether the first is NaN",
        ),
    ),
    row(
        "what zero divided by a number is whose reciprocal is infinite",
        |v| {
            v.meaning().op == Op::Div
                && !v.meaning().flush.inputs[1]
                && matches!(v.form().contract, Contract::Within(a) if a.ranges.len() > 1)
        },
        Open(Relaxation::ZeroDividend),
    ),
    row(
        "what NaN divided by a large number is",
        |v| {
            v.meaning().op == Op::Div
                && matches!(v.form().contract, Contract::Within(a) if a.ranges.len() > 1)
        },
        By(
            "9.7.3.8: \"computed as d = a * (1/b)\"; that it returns a zero where the dividend is not infinite is said of \
             numbers",
        ),
    ),
    row(
        "which elements of four operands meet",
        |v| !is_conversion(v) && !v.is_of_memory() && v.lanes() == 4,
        By("9.7.6.4: \"d[i] = iA[i] * iB[i] + iC[i]\", and each i is the same place of every operand"),
    ),
    row(
        "which patterns are the out-of-bounds NaN, of f16",
        |v| v.meaning().out_of_bounds && to(v) == FormatId::F16,
        Open(Relaxation::OobPattern),
    ),
    row(
        "which patterns are the out-of-bounds NaN, of bf16",
        |v| v.meaning().out_of_bounds && to(v) == FormatId::Bf16,
        By(
            "measured on an NVIDIA H200, reports/published: 0x7ff7 with either sign, as of f16; others saw sm_100a and \
             sm_120 do so",
        ),
    ),
    row(
        "whether the addend may be out of bounds",
        |v| v.meaning().out_of_bounds,
        Open(Relaxation::OobAddend),
    ),
    row(
        "whether a factor is rounded first",
        |v| v.meaning().converted.is_some(),
        Open(Relaxation::FactorConversion),
    ),
    row(
        "whether what is saturated is scaled already",
        |v| {
            let multiplies = v.meaning().scale == Some(Scaling::Multiply);
            multiplies && v.meaning().satfinite && v.inputs()[0].format.scale != Scale::Fixed
        },
        Open(Relaxation::ScaleSaturation),
    ),
    row(
        "what a scale of NaN gives",
        |v| v.meaning().scale.is_some(),
        By(
            "OCP Microscaling Formats 1.0, E8M0: 0xff is NaN, and what is multiplied or divided by NaN is NaN; seen \
             on sm_100a",
        ),
    ),
    row(
        "how near a function comes where no bound is stated",
        unstated,
        Open(Relaxation::UnstatedAccuracy),
    ),
    row(
        "how near a subnormal power of two comes",
        |v| !v.is_exact() && v.meaning().op == Op::Ex2 && to(v) == FormatId::F16,
        Open(Relaxation::SubnormalAccuracy),
    ),
    row(
        "what a negative subnormal operand of a root or logarithm is",
        |v| {
            !v.is_exact()
                && matches!(v.meaning().op, Op::Sqrt | Op::Rsqrt | Op::Lg2)
                && !v.meaning().flush.inputs[0]
        },
        Open(Relaxation::NegativeSubnormal),
    ),
    row(
        "how far infinity is from the largest numbers",
        overflows_by_bound,
        Open(Relaxation::BoundOverflow),
    ),
    row(
        "how near the smallest normal number a gross reciprocal is flushed",
        |v| !v.is_exact() && v.meaning().op == Op::Rcp && to(v) == FormatId::F64,
        Open(Relaxation::GrossTininess),
    ),
    row(
        "the sign of what units in the last place reach across zero",
        |v| !v.is_exact() && matches!(v.meaning().op, Op::Div | Op::Rcp | Op::Ex2),
        By(
            "9.7.3.8, 9.7.3.13, 9.7.3.21: results that `.ftz` finds too small are a \"sign-preserving zero\"; without it the \
             functions do not have the other sign either, and that no bound reaches it is the suite's decision",
        ),
    ),
    row(
        "which result units in the last place are counted from",
        in_units,
        By(
            "9.7.3.21: \"2 ulp from correctly rounded result\"; 9.7.3.8 and 9.7.3.13 say \"maximum ulp error\", and \
             are read like it, the wider of two readings",
        ),
    ),
    row(
        "whether a subnormal operand of tanh is its own result",
        |v| !v.is_exact() && v.meaning().op == Op::Tanh && to(v) == FormatId::F32,
        By(
            "9.7.3.22: \"The maximum relative error over the entire floating point range is 2^-11\"; older manuals add that \
             such inputs are passed through, which is one of the results that this accepts",
        ),
    ),
];

const fn row(what: &'static str, arises: fn(&Variant) -> bool, settled: Settled) -> Choice {
    Choice { what, arises, settled }
}

#[cfg(test)]
mod tests;
