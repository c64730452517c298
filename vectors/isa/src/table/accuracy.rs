//! The error bounds of the approximate functions, range by range, with their tables of special inputs (PTX ISA 9.7.3
//! and 9.7.4).

use std::f64::consts::PI;

use crate::Bound::{self, Absolute, Relative, Ulp, Unstated, Zero};
use crate::{Accuracy, Minimum, Range};

/// The number 2^126, by its bits.
const POWER_126: f64 = f64::from_bits(0x47d0_0000_0000_0000);
/// The number 2^-126, by its bits.
const POWER_MINUS_126: f64 = f64::from_bits(0x3810_0000_0000_0000);

const fn range(name: &'static str, operand: usize, from: f64, to: f64, bound: Bound) -> Range {
    Range { name, operand, from, to, bound }
}

/// Returns the range of all finite operands, with its bound.
const fn everywhere(bound: Bound) -> Range {
    range("everywhere", 0, 0.0, f64::INFINITY, bound)
}

/// The widest bound of sine and cosine, which holds up to 100 pi, as a power of two.
const WIDEST: f64 = -14.7;

/// The accuracy of `div.approx`: 2 ulp at most for |b| in [2^-126, 2^126], a zero beyond that range, and no bound below
/// it.
pub const DIV: Accuracy = Accuracy {
    ranges: &[
        range("|b| from 2^-126 to 2^126", 1, POWER_MINUS_126, POWER_126, Ulp(2)),
        range("|b| above 2^126", 1, POWER_126, f64::INFINITY, Zero),
        range("|b| below 2^-126", 1, 0.0, POWER_MINUS_126, Unstated(Minimum::Signed)),
    ],
    specials: &[],
};

/// The accuracy of `div.full`: 2 ulp across the full range of inputs.
pub const DIV_FULL: Accuracy = Accuracy { ranges: &[everywhere(Ulp(2))], specials: &[] };

/// The accuracy of `rcp.approx` of f32: 1 ulp.
pub const RCP: Accuracy = Accuracy {
    ranges: &[everywhere(Ulp(1))],
    specials: &[("-inf", "-0"), ("-0", "-inf"), ("+0", "+inf"), ("+inf", "+0"), ("nan", "nan")],
};

/// The accuracy of `rcp.approx.ftz` of f64: no bound, and NaN is the canonical one. The smallest operand is 2^-1022;
/// the results of the largest operands are flushed.
pub const RCP_F64: Accuracy =
    Accuracy { ranges: &[everywhere(Unstated(Minimum::Values(-1022, 1022)))], specials: RCP.specials };

/// The accuracy of `sqrt.approx`: a relative error of 2^-23 at most, over the entire positive finite range.
pub const SQRT: Accuracy = Accuracy {
    ranges: &[everywhere(Relative(-23.0))],
    specials: &[
        ("-inf", "nan"),
        ("-normal", "nan"),
        ("-0", "-0"),
        ("+0", "+0"),
        ("+inf", "+inf"),
        ("nan", "nan"),
    ],
};

const RSQRT_SPECIALS: &[(&str, &str)] = &[
    ("-inf", "nan"),
    ("-normal", "nan"),
    ("-0", "-inf"),
    ("+0", "+inf"),
    ("+inf", "+0"),
    ("nan", "nan"),
];

/// The accuracy of `rsqrt.approx` of f32: a relative error of 2^-22.9 at most, over the entire positive finite range.
pub const RSQRT: Accuracy =
    Accuracy { ranges: &[everywhere(Relative(-22.9))], specials: RSQRT_SPECIALS };

/// The accuracy of `rsqrt.approx` of f64: no bound. Operands reach from 2^-1074 to just below 2^1024.
pub const RSQRT_F64: Accuracy =
    Accuracy { ranges: &[everywhere(Unstated(Minimum::Values(-512, 537)))], specials: RSQRT_SPECIALS };

/// The accuracy of `rsqrt.approx.ftz` of f64: no bound, and the NaN of an operand becomes the canonical one. Operands
/// begin at 2^-1022.
pub const RSQRT_FTZ_F64: Accuracy =
    Accuracy { ranges: &[everywhere(Unstated(Minimum::Values(-512, 511)))], specials: RSQRT_SPECIALS };

/// The accuracy of `sin.approx`: 2^-20.5 in [-2pi .. 2pi], 2^-14.7 in [-100pi .. 100pi].
pub const SIN: Accuracy = Accuracy {
    ranges: &[
        range("|a| up to 2 pi", 0, 0.0, 2.0 * PI, Absolute(-20.5)),
        range("|a| up to 100 pi", 0, 0.0, 100.0 * PI, Absolute(WIDEST)),
        range("|a| above 100 pi", 0, 0.0, f64::INFINITY, Unstated(Minimum::Unit(WIDEST))),
    ],
    specials: &[("-inf", "nan"), ("-0", "-0"), ("+0", "+0"), ("+inf", "nan"), ("nan", "nan")],
};

/// The accuracy of `cos.approx`: 2^-20.4 in [-2pi .. 2pi], 2^-14.7 in [-100pi .. 100pi]. Version 9.4 of the manual has
/// 2^-20.4 as it was published; 9.0 to 9.3 had 2^-20.5.
pub const COS: Accuracy = Accuracy {
    ranges: &[
        range("|a| up to 2 pi", 0, 0.0, 2.0 * PI, Absolute(-20.4)),
        range("|a| up to 100 pi", 0, 0.0, 100.0 * PI, Absolute(WIDEST)),
        range("|a| above 100 pi", 0, 0.0, f64::INFINITY, Unstated(Minimum::Unit(WIDEST))),
    ],
    specials: &[("-inf", "nan"), ("-0", "+1"), ("+0", "+1"), ("+inf", "nan"), ("nan", "nan")],
};

/// The accuracy of `lg2.approx`: an absolute error of 2^-22 where the operand is in (0.5, 2), otherwise a relative
/// error of 2^-22.
pub const LG2: Accuracy = Accuracy {
    ranges: &[
        // At 0.5 and 2 the logarithm is ±1, where both bounds are one: it does not matter which holds there.
        range("a from 0.5 to 2", 0, 0.5, 2.0, Absolute(-22.0)),
        range("a elsewhere", 0, 0.0, f64::INFINITY, Relative(-22.0)),
    ],
    specials: &[
        ("-inf", "nan"),
        ("-normal", "nan"),
        ("-0", "-inf"),
        ("+0", "-inf"),
        ("+inf", "+inf"),
        ("nan", "nan"),
    ],
};

const EX2_SPECIALS: &[(&str, &str)] =
    &[("-inf", "+0"), ("-0", "+1"), ("+0", "+1"), ("+inf", "+inf"), ("nan", "nan")];

/// The accuracy of `ex2.approx` of f32: 2 ulp from the correctly rounded result, across the full range.
pub const EX2: Accuracy = Accuracy { ranges: &[everywhere(Ulp(2))], specials: EX2_SPECIALS };

/// The accuracy of `ex2.approx` of f16: a relative error of 2^-9.9.
pub const EX2_F16: Accuracy = Accuracy { ranges: &[everywhere(Relative(-9.9))], specials: EX2_SPECIALS };

/// The accuracy of `ex2.approx.ftz` of bf16: a relative error of 2^-7.
pub const EX2_BF16: Accuracy =
    Accuracy { ranges: &[everywhere(Relative(-7.0))], specials: EX2_SPECIALS };

const TANH_SPECIALS: &[(&str, &str)] =
    &[("-inf", "-1"), ("-0", "-0"), ("+0", "+0"), ("+inf", "+1"), ("nan", "nan")];

/// The accuracy of `tanh.approx` of f32: "Maximum relative error over the entire floating point range is 2^-11. The
/// subnormal numbers are supported."
pub const TANH: Accuracy = Accuracy { ranges: &[everywhere(Relative(-11.0))], specials: TANH_SPECIALS };

/// The accuracy of `tanh.approx` of f16: an absolute error of 2^-10.987.
pub const TANH_F16: Accuracy =
    Accuracy { ranges: &[everywhere(Absolute(-10.987))], specials: TANH_SPECIALS };

/// The accuracy of `tanh.approx` of bf16: an absolute error of 2^-8.
pub const TANH_BF16: Accuracy =
    Accuracy { ranges: &[everywhere(Absolute(-8.0))], specials: TANH_SPECIALS };
