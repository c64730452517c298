//! Wrong models of instructions, on purpose: a model in stages (decode, out of bounds, exact
//! operation, rounding, flushing, clamping, encoding, lanes) and deviations of single stages.
//!
//! Without a deviation the model is right, by arithmetic of its own: a third opinion beside the
//! oracle and the emulator, in plain 128-bit integers, slow and obvious.

mod model;
mod number;

pub use model::Model;

/// A deviation of one stage from what PTX promises.
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
}
