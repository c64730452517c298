//! What can be wrong.

use std::fmt;

use vectors::Variant;
use vectors::format::{BF16, F16, F32, F64, Format};
use vectors::isa::{Modifier as M, Operation as O, Rounding as R};

use super::subject::*;

/// The table: a name, what is wrong in words, and the variants that have what it is about.
macro_rules! deviations {
    ($($name:ident: $words:literal, $concerns:expr;)*) => {
        /// A deviation of one stage from what PTX promises. It changes nothing in a variant that does
        /// not have what it is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Deviation {
            $(#[doc = $words] $name,)*
        }

        impl Deviation {
            /// Every deviation, in the order of the stages.
            pub const ALL: &[Deviation] = &[$(Deviation::$name,)*];

            /// What is wrong, in words.
            pub const fn words(self) -> &'static str {
                match self { $(Deviation::$name => $words,)* }
            }

            /// Whether a variant has what it is about. Even then it may change no result.
            pub fn concerns(self, variant: &Variant) -> bool {
                let concerns: fn(&Variant) -> bool = match self { $(Deviation::$name => $concerns,)* };
                concerns(variant)
            }
        }
    };
}

deviations! {
    // Decoding.
    InputNotFlushed: "subnormal inputs are used as they are, in spite of flushing", input_flushed;
    InputFlushLosesSign: "flushed inputs become +0 whatever their sign", input_flushed;
    FlushedAnyway: "subnormal inputs are flushed although they should stay", input_kept;
    NarrowSubnormalLost: "subnormal inputs become zero where they are narrower than the result", |v| input_kept(v) && narrow(v);
    SubnormalMisscaled: "the significand of a subnormal input stands one place too low", |v| decodes(v) && input_kept(v);
    NanIsInfinity: "NaN inputs are read as infinities", |v| (decodes(v) || v.operation() == O::Slct) && v.inputs().iter().any(|i| i.format.infinity().is_some());
    TopExponentIsNan: "the highest exponent is read as NaN in a format that has numbers there", |v| decodes(v) && v.inputs().iter().any(|i| top_exponent_is_finite(i.format));
    UnsignedIsSigned: "unsigned integers are read as signed ones", |v| from_integer(v) && !v.inputs()[0].format.signed;
    LowestIsPositive: "the lowest integer is read as positive", |v| converts(v) && v.inputs()[0].format.is_fixed() && v.inputs()[0].format.signed;
    OperandsExchanged: "the first two operands are exchanged", ordered;
    // The out-of-bounds NaN.
    OobIgnored: "the out-of-bounds NaN is a NaN like any other", |v| v.has(M::Oob);
    OobFirstOnly: "only the first operand is looked at for the out-of-bounds NaN", |v| v.has(M::Oob);
    OobPositiveOnly: "the out-of-bounds NaN is recognised with a positive sign only", |v| v.has(M::Oob);
    OobAnyNan: "any NaN is taken for the out-of-bounds NaN", |v| v.has(M::Oob);
    OobCanonical: "the canonical NaN is taken for the out-of-bounds NaN", |v| v.has(M::Oob);
    OobAddendToo: "the addend is looked at for the out-of-bounds NaN, too", |v| v.has(M::Oob) && v.inputs().len() == 3;
    OobAllLanes: "an out-of-bounds NaN in one lane forces all to zero", |v| v.has(M::Oob) && v.lanes() > 1;
    // Lanes.
    LanesSwapped: "the lanes of the result stand in reverse order", |v| v.lanes() > 1;
    FirstLaneEverywhere: "every lane has the first input of the lowest one", |v| v.lanes() > 1;
    LaneNanSpreads: "a NaN in a lane makes the result of the lane above it NaN", |v| v.lanes() > 1 && v.outputs()[0].format.nan().is_some() && !compares(v);
    // The exact operation.
    Unfused: "the product is rounded before the addition", fused;
    GuardLost: "the smaller term of a difference keeps one bit below the last place and a sticky bit, no more", sums;
    ZeroSumPositive: "an exact zero sum is +0 when rounding down too", |v| sums(v) && v.rounding() == R::Down;
    ZeroSumNegative: "an exact zero sum is −0 when not rounding down", |v| sums(v) && v.rounding() != R::Down;
    ZeroProductPositive: "a product of zero is +0 whatever the signs", products;
    InfiniteDifference: "the difference of infinities is the first of them", sums;
    ZeroTimesInfinity: "zero times infinity is zero", products;
    ZeroByZeroInfinite: "0 / 0 is an infinity", |v| exactly(v, &[O::Div]);
    RootOfZeroPositive: "the square root of −0 is +0", |v| exactly(v, &[O::Sqrt]);
    RootOfMagnitude: "the square root of a negative number is that of its magnitude", |v| exactly(v, &[O::Sqrt]);
    // Rounding.
    TiesAway: "ties are rounded away from zero", nearest;
    TiesToOdd: "ties are rounded to odd", nearest;
    TiesTowardZero: "ties are rounded towards zero", nearest;
    TiesUp: "ties are rounded up", nearest;
    AwayTiesEven: "ties are rounded to even where they should go away from zero", |v| rounds(v, R::NearestAway);
    Truncated: "results are truncated instead of rounded to nearest", nearest;
    NearestInstead: "a direction of rounding is ignored in favour of the nearest", |v| rounded(v) && directed(v);
    TowardZeroDown: "rounding towards zero goes down", |v| rounds(v, R::TowardZero) && v.outputs()[0].format.signed;
    DownTowardZero: "rounding down goes towards zero", |v| rounds(v, R::Down);
    UpTowardZero: "rounding up goes towards zero", |v| rounds(v, R::Up);
    DirectionOfMagnitude: "rounding up or down takes the direction of the magnitude", |v| (rounds(v, R::Up) || rounds(v, R::Down)) && v.outputs()[0].format.signed;
    StickyLost13: "bits more than 13 places below the leading one do not reach the sticky bit", |v| sticky_beyond(v, 13);
    StickyLost26: "bits more than 26 places below the leading one do not reach the sticky bit", |v| sticky_beyond(v, 26);
    StickyLost40: "bits more than 40 places below the leading one do not reach the sticky bit", |v| sticky_beyond(v, 40);
    StickyLost54: "bits more than 54 places below the leading one do not reach the sticky bit", |v| sticky_beyond(v, 54);
    StickyLost60: "bits more than 60 places below the leading one do not reach the sticky bit", |v| sticky_beyond(v, 60);
    StickyLost100: "bits more than 100 places below the leading one do not reach the sticky bit", |v| sticky_beyond(v, 100);
    ThroughBf16: "the result is rounded to bf16 first (double rounding)", |v| through(v, &BF16);
    ThroughF16: "the result is rounded to f16 first (double rounding)", |v| through(v, &F16);
    ThroughF32: "the result is rounded to f32 first (double rounding)", |v| through(v, &F32);
    ThroughF64: "the result is rounded to f64 first (double rounding)", |v| through(v, &F64);
    SubnormalRoundedTwice: "subnormal results are rounded at full precision first (double rounding)", |v| (nearest(v) || rounds(v, R::NearestAway)) && has_subnormals(v.outputs()[0].format);
    BoundaryCarryLost: "a subnormal result that rounds up to the smallest normal number stays subnormal", |v| rounded(v) && has_subnormals(v.outputs()[0].format);
    UnderflowLosesSign: "a negative result that rounds to zero becomes +0", |v| rounded(v) && v.outputs()[0].format.signed;
    IntegralZeroPositive: "rounding to an integral float loses the sign of zero", |v| integral(v) && !v.outputs()[0].format.is_fixed();
    PowerUp: "a power of two rounded up to a power of two is doubled", |v| v.outputs()[0].format.name == "ue8m0" && rounds(v, R::Up);
    RandomShort: "the lowest random bit is taken as 0", |v| rounds(v, R::Stochastic);
    RandomOneMore: "one more than the random bits is added", |v| rounds(v, R::Stochastic);
    RandomReversed: "the random bits are read in reverse", |v| rounds(v, R::Stochastic);
    RandomIgnored: "the random bits are taken as 0", |v| rounds(v, R::Stochastic);
    RandomPairsSwapped: "the upper and the lower two lanes have each other's random bits", |v| rounds(v, R::Stochastic) && v.lanes() == 4;
    // Flushing of results.
    ResultNotFlushed: "subnormal results are kept, in spite of `.ftz`", result_flushed;
    FlushLosesSign: "flushed results become +0 whatever their sign", result_flushed;
    FlushedAfterRounding: "results are flushed if they are subnormal after rounding", result_flushed;
    MinNormalFlushed: "the smallest normal result is flushed, too", result_flushed;
    ResultFlushedAnyway: "subnormal results are flushed without `.ftz`", |v| decodes(v) && !result_flushed(v) && has_subnormals(v.outputs()[0].format);
    // Overflow.
    OverflowToMax: "overflow gives the largest finite number where it should give infinity", |v| (nearest(v) || rounds(v, R::NearestAway)) && overflows(v);
    OverflowToInfinity: "overflow gives infinity where rounding towards zero should keep the largest finite number", |v| rounds(v, R::TowardZero) && overflows(v);
    OverflowWrongSide: "overflow gives infinity on the side that should keep the largest finite number, and the other way round", |v| (rounds(v, R::Up) || rounds(v, R::Down)) && overflows(v);
    OverflowTieKept: "what lies half a unit beyond the largest finite number is rounded to it", |v| (nearest(v) || rounds(v, R::NearestAway)) && overflows(v);
    OverflowAtMax: "the largest finite number counts as overflow", |v| rounded(v) && overflows(v);
    // Clamping.
    SatfiniteIgnored: "`.satfinite` does nothing", |v| v.has(M::Satfinite);
    SatfiniteInfinityNan: "`.satfinite` takes infinity for NaN", |v| v.has(M::Satfinite);
    SatfiniteNanMax: "`.satfinite` turns NaN into the largest number although the format has NaN", |v| v.has(M::Satfinite) && v.outputs()[0].format.nan().is_some();
    NanNegativeMax: "a negative NaN in a format without NaN becomes the lowest number", |v| v.has(M::Satfinite) && v.outputs()[0].format.nan().is_none();
    NanIsZero: "a NaN in a format without NaN becomes zero", |v| v.has(M::Satfinite) && v.outputs()[0].format.nan().is_none();
    ReluKeepsPayload: "`.relu` turns NaN into one with the first NaN operand's payload", |v| v.has(M::Relu) && decodes(v);
    ReluNanToZero: "`.relu` turns NaN into zero", |v| v.has(M::Relu);
    ReluKeepsTiny: "`.relu` lets negative results pass that are subnormal", |v| v.has(M::Relu) && has_subnormals(v.outputs()[0].format);
    ReluKeepsInfinity: "`.relu` lets negative infinity pass", |v| v.has(M::Relu) && v.outputs()[0].format.infinity().is_some() && !v.has(M::Satfinite);
    ReluKeepsNegativeZero: "`.relu` lets −0 pass", |v| v.has(M::Relu);
    PzoIgnored: "`.pzo` does nothing", |v| v.has(M::Pzo);
    SatKeepsNan: "`.sat` lets NaN pass", saturated;
    SatSigned: "`.sat` clamps to [−1, 1]", saturated;
    SatKeepsNegativeZero: "`.sat` lets −0 pass", saturated;
    // Encoding.
    NanKeepsSign: "a NaN result has the sign of the NaN that it comes from", |v| decodes(v) && v.outputs()[0].format.nan().is_some();
    NanKeepsPayload: "a NaN result is the NaN operand, made quiet", |v| !v.outputs()[0].format.is_fixed() && v.inputs().iter().any(|i| i.format == v.outputs()[0].format) && v.outputs()[0].format.nan().is_some() && !matches!(v.operation(), O::Copysign | O::Slct | O::Set) && !passes_nan(v);
    NegativeZeroKept: "a format without −0 gets its bits nevertheless", |v| v.outputs()[0].format.name.ends_with("fnuz");
    // Scales.
    ScaleIgnored: "the scale is taken as 1", scaled;
    ScaleInverted: "the scale multiplies where it should divide, and the other way round", scaled;
    ScaleNanIgnored: "a scale of NaN is taken as 2^128", scaled;
    // Integers.
    Wraps: "integers that are too large keep their low bits", to_integer;
    ClampsShort: "integers that are too large become one less than the largest", to_integer;
    ClampsShortBelow: "integers that are too small become one more than the lowest", to_integer;
    NegativeIsMagnitude: "negative numbers become their magnitude in an unsigned integer", |v| to_integer(v) && !v.outputs()[0].format.signed;
    NanToZero: "NaN becomes the integer 0, with 64 bits too", |v| to_integer(v) && wide_integer(v);
    NanToMax: "NaN becomes the largest integer", to_integer;
    // Signs and classes.
    AbsKeepsNegativeZero: "`abs` lets −0 pass", |v| v.operation() == O::Abs;
    NegSparesZero: "`neg` lets +0 pass", |v| v.operation() == O::Neg;
    NanKeepsItsSign: "`abs` and `neg` let NaN pass", passes_nan;
    CopysignFlips: "a negative sign is not copied but flips that of the magnitude", |v| v.operation() == O::Copysign;
    ZeroNotNormal: "`testp.normal` is false of zero", |v| v.has(M::Normal);
    ZeroSubnormal: "`testp.subnormal` is true of zero", |v| v.has(M::Subnormal);
    InfinityFinite: "`testp.finite` is true of infinity", |v| v.has(M::Finite);
    NanInfinite: "`testp.infinite` is true of NaN", |v| v.has(M::Infinite);
    SignallingIsNumber: "`testp` takes a signalling NaN for a number", |v| [M::Number, M::Notanumber, M::Finite, M::Normal].into_iter().any(|m| v.has(m));
    NegativeZeroSelectsSecond: "`slct` takes the second operand for −0", |v| v.operation() == O::Slct && !v.inputs()[2].format.is_fixed();
    NanSelectsFirst: "`slct` takes the first operand for NaN", |v| v.operation() == O::Slct && !v.inputs()[2].format.is_fixed();
    // The smaller and the larger.
    ZerosEqual: "`min` and `max` take −0 and +0 for equal, and the second of them", extremum;
    NanWins: "a single NaN wins without `.NaN`", |v| extremum(v) && !v.has(M::Nan);
    NanLoses: "a single NaN loses in spite of `.NaN`", |v| extremum(v) && v.has(M::Nan);
    NanGivesSecond: "where there is a NaN, the second operand is taken, as x86 does", extremum;
    ThirdIgnored: "the third operand of `min` and `max` does not count", |v| extremum(v) && v.inputs().len() == 3;
    MagnitudesIgnored: "`.abs` does not take magnitudes", |v| extremum(v) && v.has(M::Abs);
    XorsignIgnored: "`.xorsign.abs` gives a magnitude", |v| v.has(M::XorsignAbs);
    XorsignSkipsNan: "the sign of a NaN does not count for `.xorsign.abs`", |v| v.has(M::XorsignAbs) && !v.has(M::Nan);
    XorsignOfFirst: "`.xorsign.abs` takes the first operand's sign", |v| v.has(M::XorsignAbs);
    IntegerOrder: "numbers are compared as two's complement", |v| (extremum(v) && !v.has(M::XorsignAbs) && !v.has(M::Abs)) || compares_order(v);
    // Comparisons.
    NeUnordered: "`.ne` holds where there is a NaN", |v| v.has(M::Ne);
    UnorderedFalse: "`.equ` and its like do not hold where there is a NaN", unordered;
    OrderedTrue: "`.lt`, `.le`, `.gt` and `.ge` hold where there is a NaN, as the opposite does not", |v| [M::Lt, M::Le, M::Gt, M::Ge].into_iter().any(|m| v.has(m));
    SecondNanMissed: "a NaN is compared as a number if it is the second operand", compares;
    ZerosDiffer: "comparisons take −0 for smaller than +0", |v| compares(v) && !v.has(M::Num) && !v.has(M::IsNan);
    ComplementMissing: "the second predicate is the first, not its complement", |v| v.operation() == O::Setp && v.outputs().len() == 2;
    PredicateIgnored: "a comparison is not combined with the predicate operand", |v| [M::And, M::Or, M::Xor].into_iter().any(|m| v.has(m));
    TrueIsOne: "a comparison that holds gives the integer 1", |v| v.operation() == O::Set && v.outputs()[0].format.is_fixed();
}

impl Deviation {
    /// Whether it is about results that are too large.
    pub fn overflows(self) -> bool {
        use Deviation::*;
        let all = [OverflowToMax, OverflowToInfinity, OverflowWrongSide, OverflowTieKept, OverflowAtMax];
        all.contains(&self)
    }

    /// The name, as in reports: that of the table in small letters with hyphens.
    pub fn id(self) -> String {
        let mut id = String::new();
        let mut before = None::<char>;
        for letter in format!("{self:?}").chars() {
            let begins = letter.is_ascii_uppercase() || letter.is_ascii_digit();
            if begins && before.is_some_and(|before| before.is_ascii_lowercase()) {
                id.push('-');
            }
            id.push(letter.to_ascii_lowercase());
            before = Some(letter);
        }
        id
    }
}

/// A few deviations together; none is right.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deviations(u128);

const _: () = assert!(Deviation::ALL.len() <= u128::BITS as usize);

impl Deviations {
    /// Whether this one is among them.
    pub const fn has(self, deviation: Deviation) -> bool {
        self.0 >> deviation as u32 & 1 == 1
    }

    /// Both together.
    pub const fn and(self, other: Deviations) -> Deviations {
        Deviations(self.0 | other.0)
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Deviation> {
        Deviation::ALL.iter().copied().filter(move |deviation| self.has(*deviation))
    }

    /// Whether they are about the rounding of numbers that have to be rounded, and nothing else.
    pub fn only_round(self) -> bool {
        use Deviation::*;
        let rounds = |deviation| {
            matches!(
                deviation,
                TiesAway
                    | TiesToOdd
                    | TiesTowardZero
                    | TiesUp
                    | AwayTiesEven
                    | Truncated
                    | NearestInstead
                    | TowardZeroDown
                    | DownTowardZero
                    | UpTowardZero
                    | DirectionOfMagnitude
            )
        };
        self.iter().all(|deviation| {
            let alone = Deviations::from(deviation);
            rounds(deviation) || alone.sticky_places().is_some() || alone.through().is_some()
        })
    }

    /// Whether the first rounding of an exact result is to another format, and which.
    pub fn through(self) -> Option<&'static Format> {
        let formats = [
            (Deviation::ThroughBf16, &BF16),
            (Deviation::ThroughF16, &F16),
            (Deviation::ThroughF32, &F32),
            (Deviation::ThroughF64, &F64),
        ];
        formats.into_iter().find(|(deviation, _)| self.has(*deviation)).map(|(_, format)| format)
    }

    /// Below how many places bits do not count.
    pub fn sticky_places(self) -> Option<u32> {
        let places = [
            (Deviation::StickyLost13, 13),
            (Deviation::StickyLost26, 26),
            (Deviation::StickyLost40, 40),
            (Deviation::StickyLost54, 54),
            (Deviation::StickyLost60, 60),
            (Deviation::StickyLost100, 100),
        ];
        places.into_iter().find(|(deviation, _)| self.has(*deviation)).map(|(_, places)| places)
    }
}

impl From<Deviation> for Deviations {
    fn from(deviation: Deviation) -> Deviations {
        Deviations(1 << deviation as u32)
    }
}

impl From<Option<Deviation>> for Deviations {
    fn from(deviation: Option<Deviation>) -> Deviations {
        deviation.map_or(Deviations::default(), Deviations::from)
    }
}

impl fmt::Debug for Deviations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
