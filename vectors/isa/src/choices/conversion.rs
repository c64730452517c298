//! Choices about conversions: flushed and negative inputs, numbers that are too large, random bits.

use formats::FormatId;

use super::arising::*;
use super::{Choice, row};
use crate::{RandomFields, Rounding};

pub const ROWS: &[Choice] = &[
    row(
        "whether -0 passes a clamp, if the result has no sign",
        |v| scaled_down(v) && !shows_sign(v),
        "9.7.10.24: `.relu` \"clamps the result to 0 if negative\", `.pzo` \"enforces the generation of \
         positive zeros only\", and formats without a sign have only this zero",
    ),
    row(
        "what zero and numbers below 2^-127 become in ue8m0, which has neither",
        |v| is_of_powers(v) && !is_cast(v),
        "measured on sm_100a, published by mlc-ai/TIRx-harness: 0x00, whatever the rounding",
    ),
    row(
        "what a value too large for ue8m0 becomes without `.satfinite`",
        |v| is_of_powers(v) && !v.meaning().satfinite && !is_cast(v),
        "measured on sm_100a, published by mlc-ai/TIRx-harness: infinity gives 0xff; FLT_MAX gives 0xfe with \
         `.rz` and 0xff with `.rp`",
    ),
    row(
        "what a value too large for e4m3 becomes without `.satfinite`",
        |v| overflows(v) && !is_cast(v) && to(v) == FormatId::E4m3 && !v.is_elsewhere(),
        "9.7.6.4: \"results beyond the largest representable target format are converted to NaN\"",
    ),
    row(
        "what a too large value becomes in a cast without saturation",
        |v| overflows(v) && is_cast(v),
        "OCP OFP8 1.0, conversions without saturation: NaN in e4m3, infinity in e5m2; in the other formats, infinity where \
         they have it, and NaN elsewhere",
    ),
    row(
        "what numbers below 2^-127 become in a cast to ue8m0",
        |v| is_of_powers(v) && is_cast(v),
        "OCP Microscaling Formats 1.0, E8M0: 2^-127 is the smallest number, so it is the nearest one, and the next above; \
         rounding down has no other to go to",
    ),
    row(
        "which of two powers of two a number halfway between them is rounded to in ue8m0",
        |v| is_of_powers(v) && is_cast(v) && v.meaning().rounding == Rounding::NearestEven,
        "IEEE 754-2019, 4.3.1: where neither of two neighbours has an even last digit, \"the one larger in magnitude shall \
         be delivered\"",
    ),
    row(
        "which random bits each of two results uses",
        |v| random(v) == Some(RandomFields::Halves),
        "9.7.10.24: \"upper 16-bits are used as random bits for operand a and lower 16-bits … for operand b\"",
    ),
    row(
        "the order of four results in a register",
        |v| v.converts() && v.lanes() == 4,
        "9.7.10.24: \"stored in each 8 bits starting from upper bits of d\"",
    ),
];
