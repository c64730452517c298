//! What can be wrong.

/// A deviation of one stage from what PTX promises. It changes nothing in a variant that does not have
/// what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deviation {
    /// Subnormal inputs are used as they are, in spite of `.ftz`.
    InputNotFlushed,
    /// Subnormal results are kept, in spite of `.ftz`.
    ResultNotFlushed,
    /// Flushed results become +0 whatever their sign.
    FlushLosesSign,
    /// Subnormal narrow operands of a mixed instruction become zero when converted.
    NarrowSubnormalLost,
    /// The product is rounded before the addition.
    Unfused,
    /// The result is rounded to f32's 24 bits, then to the destination.
    ThroughF32,
    /// The result is rounded to f64's 53 bits, then to the destination.
    ThroughF64,
    /// Ties are rounded away from zero.
    TiesAway,
    /// Results are truncated instead of rounded to nearest.
    Truncated,
    /// Bits more than this many places below the leading one do not reach the sticky bit.
    StickyLost(u8),
    /// Rounding down goes towards zero.
    DownTowardZero,
    /// An exact zero sum is +0 when rounding down too.
    ZeroSumPositive,
    /// Overflow gives the largest finite number where it should give infinity.
    OverflowToMax,
    /// Overflow gives infinity where rounding towards zero should keep the largest finite number.
    OverflowToInfinity,
    /// `.sat` lets NaN pass.
    SatKeepsNan,
    /// `.sat` clamps to [-1, 1].
    SatSigned,
    /// `.relu` turns NaN into one with the first NaN operand's payload.
    ReluKeepsPayload,
    /// `.relu` lets negative results pass that are subnormal.
    ReluKeepsTiny,
    /// Only the first operand is looked at for the out-of-bounds NaN.
    OobFirstOnly,
    /// The out-of-bounds NaN is recognised with a positive sign only.
    OobPositiveOnly,
    /// An out-of-bounds NaN in either lane forces both to zero.
    OobAllLanes,
    /// The lanes of the result are exchanged.
    LanesSwapped,
    /// Subnormal inputs are flushed without `.ftz`.
    FlushedAnyway,
    /// Subnormal quotients and reciprocals are flushed without `.ftz`.
    QuotientFlushed,
    /// The first two operands are exchanged.
    OperandsExchanged,
    /// The square root of −0 is +0.
    RootOfZeroPositive,
    /// 0 / 0 is an infinity.
    ZeroByZeroInfinite,
    /// `abs` lets −0 pass.
    AbsKeepsNegativeZero,
    /// `neg` lets +0 pass.
    NegSparesZero,
    /// `testp.normal` is false of zero.
    ZeroNotNormal,
    /// `testp.subnormal` is true of zero.
    ZeroSubnormal,
    /// `slct` takes the second operand for −0.
    NegativeZeroSelectsSecond,
    /// `slct` takes the first operand for NaN.
    NanSelectsFirst,
    /// `min` and `max` take −0 and +0 for equal, and the second of them.
    ZerosEqual,
    /// A single NaN wins without `.NaN`.
    NanWins,
    /// A single NaN loses in spite of `.NaN`.
    NanLoses,
    /// The third operand of `min` and `max` does not count.
    ThirdIgnored,
    /// `.abs` does not take magnitudes.
    MagnitudesIgnored,
    /// `.xorsign.abs` gives a magnitude.
    XorsignIgnored,
    /// The sign of a NaN does not count for `.xorsign.abs`.
    XorsignSkipsNan,
    /// `.ne` holds where there is a NaN.
    NeUnordered,
    /// `.equ` and its like do not hold where there is a NaN.
    UnorderedFalse,
    /// Comparisons take −0 for smaller than +0.
    ZerosDiffer,
    /// The second predicate is the first, not its complement.
    ComplementMissing,
    /// A comparison is not combined with the predicate operand.
    PredicateIgnored,
    /// A comparison that holds gives the integer 1.
    TrueIsOne,
    /// Integers that are too large keep their low bits.
    Wraps,
    /// Integers that are too large become one less than the largest.
    ClampsShort,
    /// NaN becomes the integer 0, with 64 bits too.
    NanToZero,
    /// Rounding to an integral float loses the sign of zero.
    IntegralZeroPositive,
    /// `.satfinite` does nothing.
    SatfiniteIgnored,
    /// `.satfinite` turns NaN into the largest number although the format has NaN.
    SatfiniteNanMax,
    /// A NaN result has the sign of the NaN that it comes from.
    NanKeepsSign,
    /// A NaN in a format without NaN becomes the largest number of its sign.
    NanNegativeMax,
    /// `.pzo` does nothing.
    PzoIgnored,
    /// `.rna` rounds ties to even.
    AwayTiesEven,
    /// The lowest random bit is taken as 0.
    RandomShort,
    /// The upper and the lower two lanes have each other's random bits.
    RandomPairsSwapped,
    /// A power of two rounded up to a power of two is doubled.
    PowerUp,
    /// The scale is taken as 1.
    ScaleIgnored,
    /// The scale multiplies where it should divide, and the other way round.
    ScaleInverted,
    /// A format without −0 gets its bits nevertheless.
    NegativeZeroKept,
}
