//! Choices about conversions: flushed and negative inputs, numbers that are too large, random bits.

use formats::FormatId;

use super::Settled::{By, Open};
use super::arising::*;
use super::{Choice, row};
use crate::{Clamp, Modifier, RandomFields, Relaxation};

pub const ROWS: &[Choice] = &[
    row(
        "the sign of a flushed input that is scaled",
        |v| scaled_down(v) && shows_sign(v),
        Open(Relaxation::FlushSign),
    ),
    row(
        "whether -0 passes a clamp, where no sign shows",
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
        "what is too large for e5m2, ue5m3 and 8-bit words of several devices without `.satfinite`",
        |v| {
            let unsaid = matches!(to(v), FormatId::E5m2 | FormatId::Ue5m3) || v.is_elsewhere();
            !is_cast(v) && overflows(v) && unsaid && v.can_overflow()
        },
        Open(Relaxation::OverflowResult),
    ),
    row(
        "what is too large for f16 by random bits",
        |v| random(v).is_some() && to(v) == FormatId::F16 && !v.meaning().satfinite,
        Open(Relaxation::RandomOverflow),
    ),
    row(
        "what infinity is in ue5m3 without `.satfinite`, and in e5m2 where the sum is made in f16",
        |v| {
            let unsaid = to(v) == FormatId::Ue5m3 || v.has(Modifier::AccF16);
            unsaid && overflows(v) && may_be_infinite(v)
        },
        Open(Relaxation::InfinityResult),
    ),
    row(
        "what is too large for e4m3 without `.satfinite`",
        |v| overflows(v) && !is_cast(v) && to(v) == FormatId::E4m3 && !v.is_elsewhere(),
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
];
