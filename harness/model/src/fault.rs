//! The table of faults of single stages, a line for each, with the variants that it concerns.
//! `faulty` carries them out.

#[macro_use]
mod define;
mod concerns;
mod kinds;
mod places;
mod set;

use std::cmp::Ordering;

use concerns::*;
use formats::Class::{Infinity, Nan, Normal, Subnormal, Zero};
use formats::{BF16, F16, F32, F64, Format, Scale, Specials};
use isa::Rounding::{Down, NearestAway, Stochastic, TowardZero, Up};
use isa::{NanRule, Op, Variant};

pub use concerns::{is_directed, top_exponent_is_finite};
pub use places::Places;
pub use set::Faults;

faults! {
    // Decoding.
    InputNotFlushed: "subnormal inputs are used as they are, in spite of flushing", input_flushed;
    InputFlushLosesSign: "flushed inputs become +0 whatever their sign", input_flushed;
    FlushedAnyway: "subnormal inputs are flushed although they should stay", input_kept;
    NarrowSubnormalLost: "subnormal inputs become zero where they are narrower than the result", |v| input_kept(v) && narrow(v);
    SubnormalMisscaled: "the significand of a subnormal input stands one place too low", |v| decodes(v) && input_kept(v);
    SubnormalDoubled: "the significand of a subnormal input stands one place too high", |v| decodes(v) && input_kept(v);
    SubnormalAsNormal: "a subnormal input is read with a leading bit, as a number with any other exponent is", |v| decodes(v) && input_kept(v);
    ZeroAsNormal: "an input with the lowest exponent is read with a leading bit, zero as well", |v| decodes(v) && input_kept(v);
    SubnormalCarryOred: "the leading bit of a subnormal input is or-ed into the wider exponent, not added: every other binade is halved", |v| v.converts() && input_kept(v) && narrow(v) && widens(v);
    NanIsInfinity: "NaN inputs are read as infinities", |v| (decodes(v) || v.meaning().op == Op::Select) && v.inputs().iter().any(|i| i.format.infinity().is_some());
    NanCut: "a NaN loses the bits that the result has no place for, and is an infinity where they were the last", |v| narrows_nan(v);
    NanRounded: "a NaN is rounded like a number: it may become infinity, or a zero of the other sign", |v| narrows_nan(v) && nearest(v) && same_exponents(v);
    TopExponentIsNan: "the highest exponent is read as NaN in a format that has numbers there", |v| decodes(v) && v.inputs().iter().any(|i| top_exponent_is_finite(i.format));
    TopExponentIsInfinity: "the highest exponent is read as infinity in a format that has numbers there", |v| decodes(v) && v.inputs().iter().any(|i| top_exponent_is_finite(i.format));
    TopExponentIsIeee: "the highest exponent is read as in IEEE formats, as infinity or NaN, in a format that has numbers there", |v| decodes(v) && v.inputs().iter().any(|i| top_exponent_is_finite(i.format));
    NanIsNumber: "the encoding of NaN is read as a number, in a format without infinity", nan_of_numbers;
    SpecialsAreNumbers: "infinity and NaN inputs are read as numbers of the exponent beyond the highest", specials_widen;
    PowerAsExponent: "a power of two is read as the exponent of an IEEE number: its lowest encoding is zero, and its highest infinity", |v| v.converts() && v.inputs()[0].format.scale == Scale::Power;
    LowWordLost: "the lower 32 bits of an f64 input do not count", |v| v.converts() && v.inputs()[0].format == &F64;
    UnsignedIsSigned: "unsigned integers are read as signed ones", |v| v.is_from_integer() && !v.inputs()[0].format.signed;
    SignedIsUnsigned: "signed integers are read as unsigned ones", |v| v.is_from_integer() && v.inputs()[0].format.signed;
    IntegerInHalves: "the halves of an unsigned integer are converted by themselves, and their rounded sum is rounded again", |v| unsigned_beyond(v, 2 * to(v).precision());
    IntegerHalved: "an unsigned integer with the highest bit set is halved without its lowest bit, converted, and doubled", |v| unsigned_beyond(v, to(v).precision() + 1) && (nearest(v) || rounds(v, Up));
    IntegerTopLater: "the highest bit of an unsigned integer is added after the others were rounded, and the sum is rounded again", |v| unsigned_beyond(v, to(v).precision() + 1) && nearest(v);
    UnsignedCorrected: "an unsigned integer is converted as a signed one, and 2^width is added where that is negative: it is rounded twice", |v| unsigned_beyond(v, to(v).precision() + 1) && nearest(v);
    LowestIsPositive: "the lowest integer is read as positive", |v| v.converts() && v.inputs()[0].format.is_fixed() && v.inputs()[0].format.signed;
    OperandsExchanged: "the first two operands are exchanged", ordered;
    // The out-of-bounds NaN.
    OobIgnored: "the out-of-bounds NaN is a NaN like any other", |v| v.meaning().out_of_bounds;
    OobFirstOnly: "only the first operand is looked at for the out-of-bounds NaN", |v| v.meaning().out_of_bounds;
    OobPositiveOnly: "the out-of-bounds NaN is recognised with a positive sign only", |v| v.meaning().out_of_bounds;
    OobAnyNan: "any NaN is taken for the out-of-bounds NaN", |v| v.meaning().out_of_bounds;
    OobCanonical: "the canonical NaN is taken for the out-of-bounds NaN", |v| v.meaning().out_of_bounds;
    OobAddendToo: "the addend is looked at for the out-of-bounds NaN, too", |v| v.meaning().out_of_bounds && v.inputs().len() == 3;
    OobAllLanes: "an out-of-bounds NaN in one lane forces all to zero", |v| v.meaning().out_of_bounds && v.lanes() > 1;
    // Lanes.
    LanesSwapped: "the lanes of the result stand in reverse order", |v| v.lanes() > 1;
    FirstLaneEverywhere: "every lane has the first input of the lowest one", |v| v.lanes() > 1;
    LaneNanSpreads: "a NaN in a lane makes the result of the lane above it NaN", |v| v.lanes() > 1 && to(v).nan().is_some() && !v.compares();
    LowestLaneOnly: "only the lowest lane is computed, and the others are zero", |v| v.lanes() > 1;
    // The exact operation.
    Unfused: "the product is rounded before the addition", fused;
    UnfusedUnflushed: "the product is rounded before the addition, and not flushed there", |v| fused(v) && v.flushes_result();
    GuardLost: "the smaller term of a difference keeps one bit below the last place and a sticky bit, no more", sums;
    StickyAdded(bits: u32 = 3, 8): "what the smaller term loses more than {bits} bits below the last place of the larger one is added as a sticky bit, though the term is subtracted", |v, _| sums(v);
    SumRoundedEarly: "a sum is rounded to the last place of its larger term first", |v| nearest(v) && sums_alike(v) && matches!(v.meaning().op, Op::Add | Op::Sub);
    TermCut(bits: u32 = 0, 1, 2, 3): "the smaller term of a sum keeps {bits} bits below the last place of the larger one, and no sticky bit", |v, _| sums(v);
    SmallTermLost: "a term smaller than half the last place of the larger one does not count, even where that is a power of two", sums_alike;
    AlignmentModulo(width: u32 = 32, 64): "the smaller term of a sum is shifted by the distance of the exponents modulo {width}", |v, width| adds_far_apart(v, width);
    ReciprocalProduct: "a quotient is the product with the reciprocal, which is rounded", |v| v.is_exact() && v.meaning().op == Op::Div;
    ZeroSumPositive: "an exact zero sum is +0 when rounding down too", |v| sums(v) && v.meaning().rounding == Down;
    ZeroSumNegative: "an exact zero sum is −0 when not rounding down", |v| sums(v) && v.meaning().rounding != Down;
    ZeroSumOfFirst: "an exact zero sum has the sign of its first term", sums;
    CancelledToMagnitude: "a sum of two numbers other than zero that cancel is their magnitude, not zero", sums;
    CancelledToFirst: "a sum of two numbers other than zero that cancel is the first of them, not zero", sums;
    AddendZeroSign: "a sum has the sign of its addend where that is zero", fused;
    ZeroProductPositive: "a product of zero is +0 whatever the signs", products;
    ZeroProductNegative: "a product of zero is −0 when rounding down, as a sum with −0 is", |v| products(v) && v.meaning().op == Op::Mul && v.meaning().rounding == Down;
    InfiniteDifference: "the difference of infinities is the first of them", sums;
    InfiniteDifferenceZero: "the difference of infinities is zero", sums;
    ZeroTimesInfinity: "zero times infinity is zero", products;
    ZeroByZeroInfinite: "0 / 0 is an infinity", |v| v.is_exact() && v.meaning().op == Op::Div;
    InfiniteQuotient: "the quotient of infinities is an infinity", |v| v.is_exact() && v.meaning().op == Op::Div;
    ZeroQuotientPositive: "a quotient that is zero is +0 whatever the signs", quotients;
    DivisionByZeroPositive: "a quotient by zero is +∞ whatever the signs", quotients;
    RootOfZeroPositive: "the square root of −0 is +0", |v| root(v);
    RootOfMagnitude: "the square root of a negative number is that of its magnitude", |v| root(v);
    // Rounding.
    TiesAway: "ties are rounded away from zero", nearest;
    TiesToOdd: "ties are rounded to odd", nearest;
    TiesTowardZero: "ties are rounded towards zero", nearest;
    TiesUp: "ties are rounded up", nearest;
    AwayTiesEven: "ties are rounded to even where they should go away from zero", |v| rounds(v, NearestAway);
    Truncated: "results are truncated instead of rounded to nearest", nearest;
    TruncatedToInfinity: "results are truncated instead of rounded to nearest, and infinite from the power of two beyond the largest", |v| nearest(v) && overflows(v) && to(v).infinity().is_some();
    CarryLost: "the carry out of a significand that is rounded up does not reach the exponent", carries;
    CarryOred: "the carry out of a significand that is rounded up is or-ed into the exponent, not added: every other binade is lost", carries;
    NearestInstead: "a direction of rounding is ignored in favour of the nearest", |v| rounded(v) && is_directed(v.meaning().rounding);
    DownIgnored: "rounding down is ignored in favour of the nearest, and so is the −0 of a zero sum", |v| sums(v) && rounded(v) && v.meaning().rounding == Down;
    TowardZeroDown: "rounding towards zero goes down", |v| rounds(v, TowardZero) && to(v).signed;
    DownTowardZero: "rounding down goes towards zero", |v| rounds(v, Down);
    UpTowardZero: "rounding up goes towards zero", |v| rounds(v, Up);
    DirectionOfMagnitude: "rounding up or down takes the direction of the magnitude", |v| (rounds(v, Up) || rounds(v, Down)) && to(v).signed;
    StickyLost(places: u32 = 13, 21, 26, 40, 54, 60, 64, 100): "bits more than {places} places below the leading one do not reach the sticky bit", sticky_beyond;
    BitLost(place: u32 = 2, 3, 4, 5, 6, 8, 11, 16, 22, 24, 29, 40, 53): "bits {place} places below the last place of the result are lost", may_have_bit;
    BitTwice(place: u32 = 2, 3, 4, 5, 6, 8, 11, 16, 22, 24, 29, 40, 53): "bits {place} places below the last place of the result count twice", may_have_bit;
    OnlyHalfCounts: "bits below half of the last place do not count", |v| may_have_bit(v, 2) || is_endless(v);
    StickyOnly(places: Places = Places(2, 2), Places(2, 3), Places(2, 4), Places(2, 6), Places(2, 8), Places(4, 11), Places(6, 24), Places(12, 53)): "of the bits below half of the last place, only those {places:?} places below the last place reach the sticky bit", |v, places| may_have_bit(v, places.1) || is_endless(v) && places.0 == 2;
    CarriedBitLost(place: u32 = 2, 3, 4, 5, 6, 8, 11, 16, 22, 24, 29, 40, 53): "bits {place} places below the last place of the result are lost where a sum has one bit more than its terms", |v, place| sums_alike(v) && may_have_bit(v, place + 1);
    CancelledBitLost(place: u32 = 2, 3, 4, 5, 6, 8, 11, 16, 22, 24, 29, 40): "bits {place} places below the last place of the result are lost where a sum has fewer bits than its larger term", |v, place| sums_alike(v) && may_have_bit(v, place + 2);
    Through(first: &'static Format = &BF16, &F16, &F32, &F64): "the result is rounded to {first:?} first (double rounding)", may_round_through;
    ThroughTruncated(first: &'static Format = &BF16, &F16, &F32, &F64): "the result is truncated to {first:?} first", |v, first| may_round_through(v, first) && (nearest(v) || rounds(v, Up) || rounds(v, Down));
    NudgedWrongWay(first: &'static Format = &F32, &F64): "the sum is rounded to {first:?} first and then made odd, in the wrong direction if it is negative", |v, first| fused(v) && of_one_format(v) && nearest(v) && may_round_through(v, first);
    SubnormalRoundedTwice: "subnormal results are rounded at full precision first (double rounding)", |v| (nearest(v) || rounds(v, NearestAway)) && to(v).has_subnormals();
    SubnormalThroughDouble: "subnormal results are rounded to f64 first (double rounding)", |v| fused(v) && of_one_format(v) && nearest(v) && to(v).has_subnormals() && may_round_through(v, &F64);
    SubnormalTruncated: "subnormal results are truncated instead of rounded to nearest", |v| nearest(v) && fractional(v);
    SubnormalTiesAway: "ties between subnormal results are rounded away from zero", |v| nearest(v) && fractional(v);
    SubnormalStickyLost: "the bits that a conversion shifts out to align a subnormal result do not reach the sticky bit", |v| nearest(v) && aligns(v);
    CutFirst: "results are cut to the bits of a normal result first: where they are subnormal, the bits below do not count for the rounding", |v| nearest(v) && cut_to_subnormal(v);
    SubnormalCutFirst: "subnormal results are cut to the bits of a normal result first: the bits below do not count for the rounding", cut_to_subnormal;
    SubnormalCutShort: "subnormal results are cut to one bit less than a normal result has first: the bits below do not count for the rounding", cut_to_subnormal;
    SubnormalPacked(binades: u32 = 1, 2): "subnormal results are rounded and packed as normal ones, without their leading bit, where the exponent is at most {binades} too low, and are zero below", |v, _| packs(v);
    SubnormalPackedEarly: "subnormal results are rounded and packed as normal ones, without their leading bit, where the exponent is at most 2 too low before they are rounded, and are zero below", packs;
    SubnormalExponentZero: "the significand of a subnormal result is not shifted: it stands without its leading bit under the exponent zero", packs;
    UnderflowExponentWraps: "underflow keeps the low bits of the exponent, and the significand", packs;
    SubnormalResultHalved: "the significand of a subnormal result stands one place too low", unflushed_fraction;
    SubnormalResultDoubled: "the significand of a subnormal result stands one place too high", unflushed_fraction;
    ShiftModulo(width: u32 = 32, 64): "a significand is shifted to the place of a small result by a count modulo {width}", |v, width| shifts_beyond(v, width);
    WholeShiftModulo(width: u32 = 32, 64): "a significand is shifted to the last place of a subnormal result by a count modulo {width}, and its low bits are the result", |v, width| shifts_to_subnormal(v, width);
    TinyIsZero: "what is smaller than the smallest number becomes zero, however it is rounded", |v| rounded(v) && to(v).scale != Scale::Power && v.meaning().rounding != TowardZero;
    BoundaryCarryLost: "a subnormal result that rounds up to the smallest normal number stays subnormal", |v| rounded(v) && to(v).has_subnormals();
    BoundaryCarryZero: "a subnormal result that rounds up to the smallest normal number becomes zero", |v| rounded(v) && to(v).has_subnormals();
    UnderflowLosesSign: "a negative result that rounds to zero becomes +0", |v| rounded(v) && to(v).signed;
    UnderflowNegativeZero: "a negative result that rounds to zero becomes the code of −0, which is NaN in a format without −0", |v| rounded(v) && to(v).specials == Specials::NanNegativeZero;
    IntegralZeroPositive: "rounding to an integral float loses the sign of zero", |v| v.is_integral() && !to(v).is_fixed();
    HalfAdded: "an integral number is the floor of the sum with one half, rounded to the input's format", |v| halves(v);
    OneHalfUp: "one half alone is rounded to one, other ties to even", |v| halves(v);
    StepsFurther: "rounding up or down to an integral number takes one that is integral to the next", |v| to_integral(v) && (rounds(v, Up) || rounds(v, Down) && to(v).signed) && !saturated(v);
    IntegralThrough(width: u32 = 32, 64): "an integral number goes through an integer of {width} bits, which is the lowest where the number does not fit, as on x86", |v, width| to_integral(v) && !to(v).is_fixed() && to(v).exponent_max() >= width as i32 - 1;
    IntegralClamped(width: u32 = 32, 64): "an integral number goes through an integer of {width} bits, to which what is too large or too small is clamped, and NaN is the largest", |v, width| to_integral(v) && !to(v).is_fixed() && to(v).exponent_max() >= width as i32 - 1;
    PowerAddedToLarge: "an integral number is the number with 2^(precision − 1) added and subtracted again, however large it is", |v| halves(v) && !to(v).is_fixed() && !saturated(v);
    IntegralBitsModulo(width: u32 = 32, 64): "the count of bits above the point is taken modulo {width}, and the bits beyond that count are cleared, in numbers that are integral as well", |v, width| has_integral_bits_modulo(v, width);
    PowerUp: "a power of two rounded up to a power of two is doubled", |v| to(v).scale == Scale::Power && rounds(v, Up);
    PowerNearest: "a power of two is the nearest in the logarithm", |v| to(v).scale == Scale::Power && rounded(v);
    RandomShort: "the lowest random bit is taken as 0", |v| rounds(v, Stochastic);
    RandomOneMore: "one more than the random bits is added", |v| rounds(v, Stochastic);
    RandomReversed: "the random bits are read in reverse", |v| rounds(v, Stochastic);
    RandomIgnored: "the random bits are taken as 0", |v| rounds(v, Stochastic);
    RandomLower: "the random bits are added one place too low", |v| rounds(v, Stochastic);
    RandomAtBottom: "the random bits are added to the lowest bits of the input's significand, not to the highest of those that are cut off", adds_random_bits_above_the_lowest;
    RandomNeverReversed: "every lane has its random bits as they are, none in reverse", shares_random_fields;
    RandomPairsSwapped: "the upper and the lower two lanes have each other's random bits", |v| rounds(v, Stochastic) && v.lanes() == 4;
    // Flushing of results.
    ResultNotFlushed: "subnormal results are kept, in spite of `.ftz`", Variant::flushes_result;
    FlushLosesSign: "flushed results become +0 whatever their sign", Variant::flushes_result;
    FlushedAfterRounding: "results are flushed if they are subnormal after rounding", Variant::flushes_result;
    FlushedAsEncoded: "results are flushed if their bits are those of a subnormal number", Variant::flushes_result;
    MinNormalFlushed: "the smallest normal result is flushed, too", Variant::flushes_result;
    ResultFlushedAnyway: "subnormal results are flushed without `.ftz`", unflushed;
    FlushedAfterRoundingAnyway: "results that are subnormal after rounding are flushed without `.ftz`, as x86 does", |v| unflushed(v) && v.meaning().rounding != Stochastic;
    FlushedAsEncodedAnyway: "results with the bits of a subnormal number are flushed without `.ftz`", |v| unflushed(v) && v.meaning().rounding != Stochastic;
    // Overflow.
    OverflowToMax: "overflow gives the largest finite number where it should give infinity", |v| (nearest(v) || rounds(v, NearestAway)) && overflows(v);
    OverflowToInfinity: "overflow gives infinity where rounding towards zero should keep the largest finite number", |v| rounds(v, TowardZero) && overflows(v);
    OverflowWrongSide: "overflow gives infinity on the side that should keep the largest finite number, and the other way round", |v| (rounds(v, Up) || rounds(v, Down)) && overflows(v);
    InfinityOverflows: "an infinite result counts as too large: where the rounding stops there, it becomes the largest finite number", |v| rounded(v) && is_directed(v.meaning().rounding) && overflows(v) && !v.meaning().satfinite && has_infinite_results(v);
    OverflowTieKept: "what lies half a unit beyond the largest finite number is rounded to it", |v| (nearest(v) || rounds(v, NearestAway)) && overflows(v);
    OverflowAtMax: "the largest finite number counts as overflow", |v| rounded(v) && overflows(v);
    OverflowBeforeRounding: "what exceeds the largest finite number before it is rounded counts as overflow", overflows_to_nearest;
    OverflowKeepsSignificand: "overflow keeps the significand under the exponent of infinity, and so gives NaN", |v| overflows_to_nearest(v) && to(v).specials == Specials::Ieee;
    OverflowOrsInfinity: "where the carry out of the significand overflows, infinity is or-ed with the largest finite number", |v| overflows_to_nearest(v) && to(v).specials == Specials::Ieee;
    OverflowExponentWraps: "overflow keeps the low bits of the exponent, and the significand", overflows_to_nearest;
    OverflowToZero: "overflow gives zero", overflows_to_nearest;
    NextBinadeIsZero: "what lies in the binade above the largest finite number becomes zero", overflows_to_nearest;
    NanPlaceIsMax: "what is rounded down to the place that NaN takes becomes the largest finite number", |v| overflows_to_nearest(v) && to(v).specials == Specials::NanAllOnes && to(v).scale == Scale::Floating;
    TopBinadeOverflows: "the highest exponent counts as overflow in a format that has numbers there", |v| nearest(v) && overflows(v) && top_exponent_is_finite(to(v));
    // Clamping.
    SatfiniteIgnored: "`.satfinite` does nothing", |v| v.meaning().satfinite;
    SatfiniteInfinityNan: "`.satfinite` takes infinity for NaN", |v| v.meaning().satfinite;
    SatfiniteNanMax: "`.satfinite` turns NaN into the largest number although the format has NaN", |v| v.meaning().satfinite && to(v).nan().is_some();
    NanNegativeMax: "a negative NaN in a format without NaN becomes the lowest number", |v| v.meaning().satfinite && to(v).nan().is_none();
    NanIsZero: "a NaN in a format without NaN becomes zero", |v| v.meaning().satfinite && to(v).nan().is_none();
    ReluIgnored: "`.relu` does nothing", relu;
    ReluKeepsPayload: "`.relu` turns NaN into one with the first NaN operand's payload", |v| relu(v) && decodes(v);
    ReluNanToZero: "`.relu` turns NaN into zero", |v| relu(v);
    ReluKeepsTiny: "`.relu` lets negative results pass that are subnormal", |v| relu(v) && to(v).has_subnormals();
    ReluKeepsInfinity: "`.relu` lets negative infinity pass", |v| relu(v) && to(v).infinity().is_some() && !v.meaning().satfinite;
    ReluKeepsNegativeZero: "`.relu` lets −0 pass", |v| relu(v);
    PzoIgnored: "`.pzo` does nothing", |v| v.meaning().positive_zero;
    SatIgnored: "`.sat` does nothing", saturated;
    SatKeepsNan: "`.sat` lets NaN pass", saturated;
    SatSigned: "`.sat` clamps to [−1, 1]", saturated;
    SatKeepsNegativeZero: "`.sat` lets −0 pass", saturated;
    SatNanToOne: "`.sat` turns NaN into 1, as a clamp by the smaller and then the larger does", saturated;
    // Encoding.
    ZeroPositive: "a zero result is +0 whatever its sign", shows_zero_sign;
    NanKeepsSign: "a NaN result has the sign of the NaN that it comes from", |v| decodes(v) && to(v).nan().is_some();
    NanKeepsPayload: "a NaN result is the NaN operand, made quiet", keeps_payload;
    NanIsMax: "a NaN becomes the largest finite number", |v| v.converts() && !v.is_from_integer() && !to(v).is_fixed() && to(v).nan().is_some() && !v.meaning().satfinite;
    SignLost: "the result is the magnitude of the right one", shows_sign;
    SignFlipped: "the result has the other sign", shows_sign;
    NegativeZeroKept: "a format without −0 gets its bits nevertheless", |v| to(v).specials == Specials::NanNegativeZero;
    // Scales.
    ScaleIgnored: "the scale is taken as 1", scaled;
    ScaleInverted: "the scale multiplies where it should divide, and the other way round", scaled;
    ScaleNanIgnored: "a scale of NaN is taken as 2^128", scaled;
    // Integers.
    Wraps: "integers that are too large keep their low bits", Variant::is_to_integer;
    WrapsFrom64: "integers keep the low bits of what x86 converts to 64 bits, where all that does not fit is 2^63", |v| v.is_to_integer() && !v.is_from_integer() && to(v).width() < 64;
    WrapsFromClamped(width: u32 = 32, 64): "integers keep the low bits of an integer of {width} bits, to which what is too large or too small is clamped", |v, width| v.is_to_integer() && !v.is_from_integer() && to(v).width() < width;
    Indefinite: "NaN and what is too large or too small become the lowest integer, as on x86", |v| v.is_to_integer() && to(v).signed && to(v).width() >= 32 && !v.is_from_integer();
    UnsignedIndefinite: "unsigned integers are those of x86's conversion to signed ones of the same width: all that does not fit these, and NaN, is the highest bit alone, and negative numbers keep their low bits", |v| v.is_to_integer() && !to(v).signed && to(v).width() >= 32 && !v.is_from_integer();
    LimitIsFloat: "the largest integer is compared as a float, which is one more, and that becomes the lowest integer", |v| v.is_to_integer() && !v.is_from_integer() && to(v).width() >= 32 && v.inputs()[0].format.exponent_max() >= to(v).width() as i32 - i32::from(to(v).signed);
    LowestIsZero: "the number that is the lowest integer becomes 0", |v| v.is_to_integer() && !v.is_from_integer() && to(v).signed && v.inputs()[0].format.exponent_max() >= to(v).width() as i32 - 1;
    ClampsShort: "integers that are too large become one less than the largest", Variant::is_to_integer;
    ClampsShortBelow: "integers that are too small become one more than the lowest", Variant::is_to_integer;
    NegativeIsMagnitude: "negative numbers become their magnitude in an unsigned integer", |v| v.is_to_integer() && !to(v).signed;
    NegativeWraps: "negative numbers keep their low bits in an unsigned integer", |v| v.is_to_integer() && !v.is_from_integer() && !to(v).signed;
    NegativeIsZero: "negative numbers become the integer 0, as in an unsigned one", |v| v.is_to_integer() && !v.is_from_integer() && to(v).signed;
    NanToZero: "NaN becomes the integer 0, with 64 bits too", |v| v.is_to_integer() && v.meaning().nan != NanRule::Bits(0);
    NanToMax: "NaN becomes the largest integer", Variant::is_to_integer;
    // Signs and classes.
    AbsKeepsNegativeZero: "`abs` lets −0 pass", |v| v.meaning().op == Op::Abs;
    NegSparesZero: "`neg` lets +0 pass", |v| v.meaning().op == Op::Neg;
    NanKeepsItsSign: "`abs` and `neg` let NaN pass", |v| v.meaning().nan == NanRule::Operand;
    CopysignFlips: "a negative sign is not copied but flips that of the magnitude", |v| v.meaning().op == Op::Copysign;
    ZeroNotNormal: "`testp.normal` is false of zero", |v| tests(v, Normal) && tests(v, Zero) && !tests(v, Subnormal);
    ZeroSubnormal: "`testp.subnormal` is true of zero", |v| tests(v, Subnormal) && !tests(v, Zero);
    InfinityFinite: "`testp.finite` is true of infinity", |v| tests(v, Subnormal) && tests(v, Zero) && !tests(v, Infinity);
    NanInfinite: "`testp.infinite` is true of NaN", |v| tests(v, Infinity) && !tests(v, Zero);
    SignallingIsNumber: "`testp` takes a signalling NaN for a number", |v| tests(v, Nan) != tests(v, Normal);
    NegativeZeroSelectsSecond: "`slct` takes the second operand for −0", |v| selects_by_float(v);
    NanSelectsFirst: "`slct` takes the first operand for NaN", |v| selects_by_float(v);
    // The smaller and the larger.
    ZerosEqual: "`min` and `max` take −0 and +0 for equal, and the second of them", |v| extremum(v).is_some();
    ZerosEqualFirst: "`min` and `max` take −0 and +0 for equal, and the first of them", |v| extremum(v).is_some();
    NegativeZeroLowest: "`min` and `max` take −0 for lower than every other number, as the lowest integer is", |v| extremum(v).is_some_and(|e| !e.of_magnitudes);
    UnsignedOrder: "`min` and `max` compare bits as unsigned integers: negative numbers are the larger, and in reverse order", |v| extremum(v).is_some_and(|e| !e.of_magnitudes);
    NanWins: "a single NaN wins without `.NaN`", |v| extremum(v).is_some_and(|e| !e.propagates_nan);
    NanLoses: "a single NaN loses in spite of `.NaN`", |v| extremum(v).is_some_and(|e| e.propagates_nan);
    NanGivesSecond: "where there is a NaN, the second operand is taken, as x86 does", |v| extremum(v).is_some();
    NanGivesFirst: "where there is a NaN, the first operand is taken", |v| extremum(v).is_some();
    ThirdIgnored: "the third operand of `min` and `max` does not count", |v| extremum(v).is_some() && v.inputs().len() == 3;
    MagnitudesIgnored: "`.abs` does not take magnitudes", |v| extremum(v).is_some_and(|e| e.of_magnitudes && !e.with_product_of_signs);
    XorsignIgnored: "`.xorsign.abs` gives a magnitude", |v| extremum(v).is_some_and(|e| e.with_product_of_signs);
    XorsignSkipsNan: "the sign of a NaN does not count for `.xorsign.abs`", |v| extremum(v).is_some_and(|e| e.with_product_of_signs && !e.propagates_nan);
    XorsignOfFirst: "`.xorsign.abs` takes the first operand's sign", |v| extremum(v).is_some_and(|e| e.with_product_of_signs);
    IntegerOrder: "numbers are compared as two's complement, and integers as those of the other kind, signed or not", |v| extremum(v).is_some_and(|e| !e.of_magnitudes) || by_order(v);
    // Memory.
    MemoryKept: "subnormal numbers in global memory are kept, as in shared memory", |v| v.is_of_memory() && v.meaning().flush.result;
    MemoryFlushed: "subnormal numbers are flushed, as f32 in global memory is", |v| v.is_of_memory() && v.meaning().op == Op::Add && !v.meaning().flush.result;
    OriginalIsNew: "the word that is given is that of memory afterwards", gives_original;
    OriginalIsOperand: "the word that is given is the operand", gives_original;
    OriginalFlushed: "the word that is given is flushed", |v| gives_original(v) && to(v).has_subnormals();
    OriginalNanCanonical: "the word that is given has the canonical NaN in the place of any", gives_original;
    OriginalReversed: "the elements of the word that is given stand in reverse order", |v| gives_original(v) && v.lanes() > 1;
    OriginalHalvesExchanged: "the halves of the word that is given are exchanged", |v| gives_original(v) && v.lanes() > 2;
    OriginalUpperHalfZero: "the upper half of the word that is given is zero", |v| gives_original(v) && v.lanes() > 1;
    WordReversed: "the elements of the word in memory stand in reverse order afterwards, and not those of the one that is given", |v| gives_original(v) && v.lanes() > 1;
    WordHalvesExchanged: "the halves of the word in memory are exchanged afterwards", |v| elements(v) && v.lanes() > 2;
    WordKept: "the word in memory stays as it was", Variant::is_in_memory;
    WordIsOperand: "the word in memory is the operand afterwards, as if it were stored", Variant::is_in_memory;
    WordLowerHalfKept: "the lower half of the word in memory stays as it was", word;
    WordFirstKept: "the first element of the word in memory stays as it was", wide_word;
    WordUpperHalfKept: "the upper half of the word in memory stays as it was", word;
    WordUpperHalfZero: "the upper half of the word in memory is zero afterwards", elements;
    WordUpperHalfCopied: "the upper half of the word in memory is a copy of the lower one afterwards", elements;
    WordLastKept: "the last element of the word in memory stays as it was", wide_word;
    OperandHalvesExchanged: "the halves of the operand are exchanged", word;
    FirstUpdateLost: "what the first of two threads does to the word is lost", Variant::is_of_two_threads;
    SecondUpdateLost: "what the second of two threads does to the word is lost", Variant::is_of_two_threads;
    FirstCopyOnly: "of the words at one address only the first counts", |v| v.site().is_one_address();
    SecondCopyOnly: "of the words at one address only the second counts", |v| v.site().is_one_address();
    FirstCopyLost: "of three words at one address the first does not count", Variant::is_of_three_devices;
    ThirdCopyLost: "of three words at one address the third does not count", Variant::is_of_three_devices;
    AccumulatorIgnored: "sums on the way are made in the format of the result, in spite of `.acc`", |v| v.is_of_three_devices() && v.meaning().accumulator.is_some();
    AccumulatorWider: "sums on the way are made in a wider format, as `.acc` asks, without it", |v| v.is_of_three_devices() && v.meaning().accumulator.is_none() && to(v).width() < 32;
    SumOnTheWayExact: "sums on the way are not rounded", |v| v.is_of_three_devices() && v.meaning().accumulator.is_none();
    // Comparisons.
    NeUnordered: "`.ne` holds where there is a NaN", |v| of_numbers(v).is_some_and(|r| r.less && r.greater && !r.equal && !r.unordered);
    UnorderedFalse: "`.equ` and its like do not hold where there is a NaN", |v| of_numbers(v).is_some_and(|r| r.unordered);
    OrderedTrue: "`.lt`, `.le`, `.gt` and `.ge` hold where there is a NaN, as the opposite does not", |v| by_order(v) && of_numbers(v).is_some_and(|r| !r.unordered);
    SecondNanMissed: "a NaN is compared as a number if it is the second operand", |v| of_numbers(v).is_some();
    ZerosDiffer: "comparisons take −0 for smaller than +0", |v| of_numbers(v).is_some_and(|r| r.less != r.equal || r.equal != r.greater);
    ComplementMissing: "the second predicate is the first, not its complement", |v| v.compares() && v.outputs().len() == 2;
    PredicateIgnored: "a comparison is not combined with the predicate operand", |v| v.compares() && v.inputs().len() == 3;
    TrueIsOne: "a comparison that holds gives the integer 1", |v| v.compares() && to(v).is_fixed() && to(v).width() > 1;
}

/// The number of faults.
const COUNT: usize = {
    // A constant has loops, but no iterators.
    let (mut count, mut name) = (0, 0);
    while name < NAMED.len() {
        count += NAMED[name].len();
        name += 1;
    }
    count
};

/// The place in the table of the first fault of each name.
const FIRST: [usize; NAMED.len()] = {
    let (mut first, mut name) = ([0; NAMED.len()], 1);
    while name < NAMED.len() {
        first[name] = first[name - 1] + NAMED[name - 1].len();
        name += 1;
    }
    first
};

impl Fault {
    /// Every fault, in the order of the stages.
    pub const ALL: &[Fault] = &{
        let (mut all, mut name) = ([NAMED[0][0]; COUNT], 0);
        while name < NAMED.len() {
            let mut of_name = 0;
            while of_name < NAMED[name].len() {
                all[FIRST[name] + of_name] = NAMED[name][of_name];
                of_name += 1;
            }
            name += 1;
        }
        all
    };

    /// Returns the name, as in reports: that of the table in small letters with hyphens, its parameter behind.
    pub fn id(self) -> String {
        let (mut id, mut before) = (String::new(), '(');
        for letter in format!("{self:?}").chars().filter(|letter| *letter != ')') {
            // A parameter begins like a name.
            let letter = if before == '(' { letter.to_ascii_uppercase() } else { letter };
            let begins = letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '(';
            if begins && before.is_ascii_lowercase() {
                id.push('-');
            }
            if letter != '(' {
                id.push(letter.to_ascii_lowercase());
            }
            before = letter;
        }
        id
    }
}

impl PartialOrd for Fault {
    fn partial_cmp(&self, other: &Fault) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fault {
    fn cmp(&self, other: &Fault) -> Ordering {
        self.place().cmp(&other.place())
    }
}
