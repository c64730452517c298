//! Tests of faults by examples worked out by hand.

use formats::{F16, F64};
use isa::Variant;

use super::{Fault, run, variant};
use crate::{Faults, Places};

/// An example: a row's syntax and registers, the fault, the operands, and the first result as it should be and as it is
/// instead.
pub(super) type FaultExample = (&'static str, &'static str, Fault, &'static [u64], [u64; 2]);

#[test]
#[rustfmt::skip] // a table
fn wrong_by_as_much_as_they_say() {
    const TWO: &str = "d, a, b";
    const FLOAT: &str = "d:dtype, a";
    const PAIR: &str = "d:dtype, a, b";
    let wrong: &[FaultExample] = &[
        // (1 + 2^-23)^2 − (1 + 2^-22) = 2^-46.
        ("fma.rn.f32",      "d, a, b, c", Fault::Unfused, &[0x3f80_0001, 0x3f80_0001, 0xbf80_0002], [0x2880_0000, 0]),
        // 1 + 2^-24 is a tie; 2^-100 decides it, and is far below f64's last place.
        ("fma.rn.f32",      "d, a, b, c", Fault::Through(&F64), &[0x0d80_0000, 0x3f80_0000, 0x3f80_0000], [0x3f80_0000; 2]),
        ("fma.rn.f32",      "d, a, b, c", Fault::Through(&F64), &[0x3f80_0800, 0x3f80_0800, 0x0d80_0000], [0x3f80_1001, 0x3f80_1000]),
        // What a released solver computed (Z3 5.1.0): the sums carry, and 1/32 of the last place decides between neighbours.
        ("fma.rn.f16",      "d, a, b, c", Fault::CarriedBitLost(5), &[0xad04, 0x4f20, 0xbf13], [0xc401, 0xc400]),
        ("fma.rn.f16",      "d, a, b, c", Fault::CarriedBitLost(5), &[0xaf38, 0x3570, 0xa6a2], [0xac1d, 0xac1c]),
        ("fma.rn.bf16",     "d, a, b, c", Fault::CarriedBitLost(5), &[0x1b47, 0x6370, 0x3ecd], [0x3f91, 0x3f90]),
        // 1 + 2^-24 is a tie, and 2^-28 decides it.
        ("cvt.rn.f32.f64",  FLOAT,  Fault::BitLost(5), &[0x3ff0_0000_1100_0000], [0x3f80_0001, 0x3f80_0000]),
        ("cvt.rn.f32.f64",  FLOAT,  Fault::BitTwice(2), &[0x3ff0_0000_0800_0000], [0x3f80_0000; 2]),
        ("cvt.rn.f32.f64",  FLOAT,  Fault::BitTwice(2), &[0x3ff0_0000_0c00_0000], [0x3f80_0000, 0x3f80_0001]),
        ("cvt.rn.f32.f64",  FLOAT,  Fault::StickyOnly(Places(2, 4)), &[0x3ff0_0000_1100_0000], [0x3f80_0001, 0x3f80_0000]),
        ("sqrt.rn.f64",     "d, a", Fault::RootOfZeroPositive, &[1 << 63], [1 << 63, 0]),
        ("div.rn.f32",      TWO,    Fault::ResultFlushedAnyway, &[0x8080_0000, 0x4000_0000], [0x8040_0000, 0x8000_0000]),
        ("copysign.f32",    TWO,    Fault::OperandsExchanged, &[0x8000_0000, 0x3f80_0000], [0xbf80_0000, 0]),
        ("min.f16",         TWO,    Fault::ZerosEqual, &[0x8000, 0], [0x8000, 0]),
        ("set.ne.u32.f32",  PAIR,   Fault::NeUnordered, &[0x7fc0_0000, 0], [0, 0xffff_ffff]),
        ("set.eq.s16.bf16", PAIR,   Fault::TrueIsOne, &[0, 0x8000], [0xffff, 1]),
        ("cvt.rzi.u8.f32",  FLOAT,  Fault::Wraps, &[0xc380_8000], [0, 0xff]), // −257
        ("cvt.rzi.s8.f32",  FLOAT,  Fault::ClampsShort, &[0x4380_0000], [127, 126]),
        ("cvt.rzi.s64.f32", FLOAT,  Fault::NanToZero, &[0x7fc0_0000], [1 << 63, 0]),
        ("cvt.rna.tf32.f32", FLOAT, Fault::AwayTiesEven, &[0x3f80_1000], [0x3f80_2000, 0x3f80_0000]),
        ("cvt.rn.satfinite.e4m3x2.f32", PAIR, Fault::SatfiniteIgnored, &[0x47c3_5000, 0], [0x7e00, 0x7f00]),
        ("cvt.rn.satfinite.e4m3x2.f32", PAIR, Fault::NanKeepsSign, &[0xffc0_0000, 0], [0x7f00, 0xff00]),
        ("cvt.rn.satfinite.e2m1x2.f32", PAIR, Fault::NanNegativeMax, &[0xffc0_0000, 0], [0x70, 0xf0]),
        ("cvt.rp.ue8m0x2.f32", PAIR, Fault::PowerUp, &[0x3f80_0000, 0x3f80_0001], [0x7f80, 0x8080]),
        ("cvt.rs.bf16x2.f32", "d:dtype, a, b, rbits:b32", Fault::RandomShort, &[0, 0x3f80_0001, 0xffff], [0x3f81, 0x3f80]),
        // Faults as reported: the subnormal numbers 1 and 2 × 2^-24 of f16, payloads, a quotient, a fused sum.
        ("cvt.f32.f16",     FLOAT,  Fault::SubnormalAsNormal, &[1], [0x3380_0000, 0x3800_2000]),
        ("cvt.f32.f16",     FLOAT,  Fault::SubnormalCarryOred, &[1], [0x3380_0000; 2]),
        ("cvt.f32.f16",     FLOAT,  Fault::SubnormalCarryOred, &[2], [0x3400_0000, 0x3380_0000]),
        ("cvt.rn.bf16.f32", FLOAT,  Fault::NanCut, &[0x7f80_0001], [0x7fff, 0x7f80]),
        ("cvt.rn.bf16.f32", FLOAT,  Fault::NanRounded, &[0x7fff_8c22], [0x7fff, 0x8000]),
        ("fma.rn.f32",      "d, a, b, c", Fault::SubnormalThroughDouble, &[0x9700_0800, 0x1cff_f001, 0x1_0002], [0x1_0001, 0x1_0002]),
        ("div.rn.f32",      TWO,    Fault::BoundaryCarryZero, &[0xff_ffff, 0x4000_0000], [0x80_0000, 0]),
        // 2^-25 is half of the smallest number of f16, and 1.5 times that is nearer to the whole.
        ("cvt.rn.f16.f32",  FLOAT,  Fault::SubnormalTruncated, &[0x3340_0000], [1, 0]),
        ("cvt.rn.f16.f32",  FLOAT,  Fault::SubnormalTiesAway, &[0x3300_0000], [0, 1]),
        ("cvt.rn.f16.f32",  FLOAT,  Fault::SubnormalStickyLost, &[0x3300_0001], [1, 0]),
        ("cvt.rp.f16.f32",  FLOAT,  Fault::TinyIsZero, &[0x3300_0000], [1, 0]),
        // 2^-126 − 2^-150 is exact in 24 bits, and a tie between numbers.
        ("mul.rn.f32",      TWO,    Fault::FlushedAfterRoundingAnyway, &[0x80_0000, 0x3f7f_ffff], [0x80_0000, 0]),
        ("mul.rn.f32",      TWO,    Fault::FlushedAsEncodedAnyway, &[0x80_0000, 0x3f7f_ffff], [0x80_0000; 2]),
        ("mul.rn.f32",      TWO,    Fault::FlushedAsEncodedAnyway, &[0x80_0000, 0x3f00_0000], [0x40_0000, 0]),
        ("mul.rn.ftz.f32",  TWO,    Fault::FlushedAsEncoded, &[0x80_0000, 0x3f7f_ffff], [0, 0x80_0000]),
        ("mul.rn.ftz.f32",  TWO,    Fault::FlushedAfterRounding, &[0x80_0000, 0x3f7f_ffff], [0; 2]),
        // 0.5 − 2^-54, half of 1, and 2^31.
        ("cvt.rni.f64.f64", FLOAT,  Fault::HalfAdded, &[0x3fdf_ffff_ffff_ffff], [0, 0x3ff0_0000_0000_0000]),
        ("cvt.rni.s32.f32", FLOAT,  Fault::OneHalfUp, &[0x3f00_0000], [0, 1]),
        ("cvt.rzi.s32.f32", FLOAT,  Fault::Indefinite, &[0x4f00_0000], [0x7fff_ffff, 0x8000_0000]),
        ("cvt.rzi.s32.f32", FLOAT,  Fault::Indefinite, &[0x7fc0_0000], [0, 0x8000_0000]),
        ("cvt.rzi.u32.f32", FLOAT,  Fault::WrapsFrom64, &[0xc040_0000], [0, 0xffff_fffd]), // −3
        ("cvt.rzi.u32.f32", FLOAT,  Fault::WrapsFrom64, &[0x7f80_0000], [0xffff_ffff, 0]),
        ("cast.rn.e4m3fnuz.f32", FLOAT, Fault::NegativeZeroKept, &[0x8000_0000], [0, 0x80]),
    ];
    check(wrong);
}

/// Checks faults that conversions written by hand have. Most examples are what a released library or program computed.
#[test]
#[rustfmt::skip] // a table
fn wrong_as_conversions_by_hand_are() {
    const TWO: &str = "d, a, b";
    const FLOAT: &str = "d:dtype, a";
    const PAIR: &str = "d:dtype, a, b";
    let wrong: &[FaultExample] = &[
        // 2 − 2^-11 and 4 − 2^-10 are ties that go up to a power of two.
        ("cvt.rn.f16.f32",  FLOAT, Fault::CarryLost, &[0x3fff_f000], [0x4000, 0x3c00]),
        ("cast.rn.e4m3.f32", FLOAT, Fault::CarryLost, &[0x3ff8_0000], [0x40, 0x38]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::CarryOred, &[0x3fff_f000], [0x4000, 0x3c00]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::CarryOred, &[0x407f_f000], [0x4400; 2]),
        ("cast.rn.satfinite.e4m3.f32", FLOAT, Fault::ThroughTruncated(&F16), &[0x3f88_0001], [0x39, 0x38]),
        ("cast.rn.satfinite.e4m3.f32", FLOAT, Fault::ThroughTruncated(&F16), &[0x43c8_198c], [0x7d, 0x7c]),
        ("fma.rn.f32", "d, a, b, c", Fault::NudgedWrongWay(&F64), &[0x3fc0_0000, 0xbf80_0001, 0x2500_0000], [0xbfc0_0001, 0xbfc0_0002]),
        ("fma.rn.f32", "d, a, b, c", Fault::NudgedWrongWay(&F64), &[0x3fc0_0000, 0x3f80_0001, 0xa500_0000], [0x3fc0_0001; 2]),
        ("div.rn.f32",      TWO,   Fault::ReciprocalProduct, &[0x416f_ffff, 0x4040_0000], [0x409f_ffff, 0x40a0_0000]),
        ("add.rn.f16",      TWO,   Fault::TermCut(0), &[0x0001, 0x0801], [0x0802, 0x0801]),
        ("add.rn.f16",      TWO,   Fault::TermCut(1), &[0x0001, 0x0801], [0x0802; 2]),
        // The highest exponent where it is not special, and specials where they are something else.
        ("cvt.rn.bf16x2.ue5m3x2", FLOAT, Fault::TopExponentIsIeee, &[0xf800], [0x4780_0000, 0x7f80_0000]),
        ("cvt.rn.bf16x2.ue5m3x2", FLOAT, Fault::TopExponentIsInfinity, &[0xf900], [0x4790_0000, 0x7f80_0000]),
        ("cast.f16.e4m3",   FLOAT, Fault::NanIsNumber, &[0x7f], [0x7fff, 0x5f80]),
        ("cast.f16.e4m3fnuz", FLOAT, Fault::NanIsNumber, &[0x80], [0x7fff, 0x8000]),
        ("cvt.f32.f16",     FLOAT, Fault::SpecialsAreNumbers, &[0x7c00], [0x7f80_0000, 0x4780_0000]),
        ("cvt.f32.f16",     FLOAT, Fault::SpecialsAreNumbers, &[0x7e00], [0x7fff_ffff, 0x47c0_0000]),
        ("cvt.rn.bf16x2.ue8m0x2", FLOAT, Fault::PowerAsExponent, &[0xff00], [0x7fff_0040, 0x7f80_0000]),
        ("cvt.rn.f16x2.e5m2x2", FLOAT, Fault::SubnormalDoubled, &[0x0001], [0x0100, 0x0200]),
        ("cvt.rn.f32.f64",  FLOAT, Fault::LowWordLost, &[0x3ff0_0000_3000_0000], [0x3f80_0002, 0x3f80_0000]),
        // 65504 is the largest number of f16, 448 that of e4m3, where 480 would be the next, and 57344 that of e5m2.
        ("cvt.rn.f16.f32",  FLOAT, Fault::OverflowBeforeRounding, &[0x477f_e001], [0x7bff, 0x7c00]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::OverflowKeepsSignificand, &[0x4780_2000], [0x7c00, 0x7c01]),
        ("cast.rn.e5m2.f32", FLOAT, Fault::OverflowOrsInfinity, &[0x4770_0000], [0x7c, 0x7f]),
        ("cast.rn.e5m2.f32", FLOAT, Fault::OverflowOrsInfinity, &[0x4780_0000], [0x7c; 2]),
        ("cast.rn.e4m3.f32", FLOAT, Fault::NanPlaceIsMax, &[0x43f0_0000], [0x7f, 0x7e]),
        ("cast.rn.e4m3.f32", FLOAT, Fault::NanPlaceIsMax, &[0x43ef_ffff], [0x7f; 2]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::OverflowExponentWraps, &[0x47c0_0000], [0x7c00, 0x7e00]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::OverflowExponentWraps, &[0x4840_0000], [0x7c00, 0x0200]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::OverflowToZero, &[0xc840_0000], [0xfc00, 0x8000]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::NextBinadeIsZero, &[0x47c0_0000], [0x7c00, 0]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::NextBinadeIsZero, &[0x4800_0000], [0x7c00; 2]),
        ("cvt.rn.satfinite.e4m3x2.f32", PAIR, Fault::TopBinadeOverflows, &[0x4396_0000, 0], [0x7900, 0x7e00]),
        ("cast.rn.e4m3fnuz.f32", FLOAT, Fault::UnderflowNegativeZero, &[0xb22b_cc77], [0, 0x80]),
        ("cast.rn.e4m3fnuz.f32", FLOAT, Fault::UnderflowNegativeZero, &[0x8000_0000], [0; 2]),
        ("cast.rn.e4m3.f32", FLOAT, Fault::NanIsMax, &[0x7fc0_0000], [0x7f, 0x7e]),
        ("cvt.f32.f32",     FLOAT, Fault::SignFlipped, &[0x4040_0000], [0x4040_0000, 0xc040_0000]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::SignLost, &[0xbf80_0000], [0xbc00, 0x3c00]),
        // Integers.
        ("cvt.rzi.s32.f32", FLOAT, Fault::NegativeIsZero, &[0xc080_0000], [0xffff_fffc, 0]),
        ("cvt.rzi.s8.f16",  FLOAT, Fault::NegativeIsZero, &[0xc400], [0xfc, 0]),
        ("cvt.rzi.s8.f32",  FLOAT, Fault::WrapsFromClamped(32), &[0x4f00_0000], [0x7f, 0xff]),
        ("cvt.rzi.s8.f32",  FLOAT, Fault::WrapsFromClamped(32), &[0x4380_0000], [0x7f, 0]),
        ("cvt.rn.f32.s32",  FLOAT, Fault::SignedIsUnsigned, &[0xffff_ffff], [0xbf80_0000, 0x4f80_0000]),
        // 2^63 + 2^39 is a tie in f32; 1 decides it.
        ("cvt.rn.f32.u64",  FLOAT, Fault::IntegerInHalves, &[0x8000_0080_0000_0001], [0x5f00_0001, 0x5f00_0000]),
        ("cvt.rn.f32.u32",  FLOAT, Fault::IntegerHalved, &[0x8000_0081], [0x4f00_0001, 0x4f00_0000]),
        // 1.25 is below the root of two, and 1.5 above.
        ("cvt.rp.ue8m0x2.f32", PAIR, Fault::PowerNearest, &[0x3fa0_0000, 0x3fc0_0000], [0x8080, 0x7f80]),
    ];
    check(wrong);
}

/// Checks faults of signs, specials, shift counts and limits. Where a report is named, the example is its own.
#[test]
#[rustfmt::skip] // a table
fn wrong_as_reports_say() {
    const TWO: &str = "d, a, b";
    const FLOAT: &str = "d:dtype, a";
    let wrong: &[FaultExample] = &[
        // RPCS3/rpcs3#9417: 0x10000170 is a number after rounding, 0x10000180 is not, and the tie goes up.
        ("cvt.rn.f32.u32",  FLOAT, Fault::IntegerTopLater, &[0x9000_0170], [0x4f10_0001, 0x4f10_0002]),
        // 2^32 − 0x7fffff7f: the magnitude is rounded to 0x7fffff80, and the difference is a tie.
        ("cvt.rn.f32.u32",  FLOAT, Fault::UnsignedCorrected, &[0x8000_0081], [0x4f00_0001, 0x4f00_0000]),
        ("cvt.rn.f32.u32",  FLOAT, Fault::UnsignedCorrected, &[0x7fff_ffff], [0x4f00_0000; 2]),
        ("add.rn.f32",      TWO,   Fault::ZeroSumOfFirst, &[0xbf80_0000, 0x3f80_0000], [0, 0x8000_0000]),
        ("add.rn.f32",      TWO,   Fault::ZeroSumOfFirst, &[0x3f80_0000, 0xbf80_0000], [0; 2]),
        // TheThirdOne/rars#234
        ("fma.rn.f32", "d, a, b, c", Fault::AddendZeroSign, &[0x3f80_0000, 0x3f80_0000, 0x8000_0000], [0x3f80_0000, 0xbf80_0000]),
        // pulp-platform/cvfpu#54
        ("mul.rm.f32",      TWO,   Fault::ZeroProductNegative, &[0, 0x3f80_0000], [0, 0x8000_0000]),
        ("add.rn.f32",      TWO,   Fault::InfiniteDifferenceZero, &[0x7f80_0000, 0xff80_0000], [0x7fff_ffff, 0]),
        ("div.rn.f32",      TWO,   Fault::InfiniteQuotient, &[0x7f80_0000, 0xff80_0000], [0x7fff_ffff, 0xff80_0000]),
        ("div.rn.f32",      TWO,   Fault::ZeroQuotientPositive, &[0x8000_0000, 0x3f80_0000], [0x8000_0000, 0]),
        ("rcp.rn.f32",      "d, a", Fault::DivisionByZeroPositive, &[0x8000_0000], [0xff80_0000, 0x7f80_0000]),
        // 2^-33, 33 places below 1, is shifted by one place.
        ("add.rn.f32",      TWO,   Fault::AlignmentModulo(32), &[0x3f80_0000, 0x2f00_0000], [0x3f80_0000, 0x3fc0_0000]),
        ("add.rn.f32",      TWO,   Fault::AlignmentModulo(64), &[0x3f80_0000, 0x2f00_0000], [0x3f80_0000; 2]),
        ("add.rn.f32",      TWO,   Fault::AlignmentModulo(32), &[0, 0x2f00_0000], [0x2f00_0000; 2]),
        // A tie is decided by 1/8 of the last place.
        ("cvt.rn.f32.f64",  FLOAT, Fault::OnlyHalfCounts, &[0x3ff0_0000_1400_0000], [0x3f80_0001, 0x3f80_0000]),
        ("cvt.rn.f32.f64",  FLOAT, Fault::StickyOnly(Places(2, 2)), &[0x3ff0_0000_1400_0000], [0x3f80_0001, 0x3f80_0000]),
        ("cvt.rn.f32.f64",  FLOAT, Fault::StickyOnly(Places(2, 3)), &[0x3ff0_0000_1400_0000], [0x3f80_0001; 2]),
        // pulp-platform/fpu_div_sqrt_mvp#31
        ("sqrt.rp.f64",     "d, a", Fault::StickyOnly(Places(2, 4)), &[0x3ff0_0000_8000_0000], [0x3ff0_0000_3fff_ff81, 0x3ff0_0000_3fff_ff80]),
        ("mul.rn.f32",      TWO,   Fault::SubnormalResultHalved, &[0x80_0000, 0x3f00_0000], [0x40_0000, 0x20_0000]),
        ("mul.rn.f32",      TWO,   Fault::SubnormalResultDoubled, &[0x80_0000, 0x3f00_0000], [0x40_0000, 0x80_0000]),
        // ROCm/rocm-systems#10591: 2^-78 should be shifted by 85 places, and is by 21.
        ("cast.rn.e5m2.f32", FLOAT, Fault::ShiftModulo(64), &[0x1880_0000], [0, 4]),
        ("cvt.rzi.s32.f32", FLOAT, Fault::ShiftModulo(32), &[0x3a80_0000], [0, 0x40_0000]),
        ("cvt.rpi.s32.f32", FLOAT, Fault::StepsFurther, &[0x4040_0000], [3, 4]),
        ("cvt.rpi.s32.f32", FLOAT, Fault::StepsFurther, &[0xc040_0000], [0xffff_fffd; 2]),
        ("cvt.rmi.f32.f32", FLOAT, Fault::StepsFurther, &[0xc040_0000], [0xc040_0000, 0xc080_0000]),
        ("cvt.rmi.f32.f32", FLOAT, Fault::IntegralThrough(32), &[0x4f00_0000], [0x4f00_0000, 0xcf00_0000]),
        ("cvt.rmi.f32.f32", FLOAT, Fault::IntegralThrough(64), &[0x4f00_0000], [0x4f00_0000; 2]),
        ("cvt.rzi.f32.f32", FLOAT, Fault::IntegralThrough(32), &[0xbf00_0000], [0x8000_0000, 0]),
        ("cvt.rzi.f32.f32", FLOAT, Fault::IntegralThrough(32), &[0x7fc0_0000], [0x7fff_ffff, 0xcf00_0000]),
        // LekKit/RVVM#296
        ("cvt.rni.f32.f32", FLOAT, Fault::IntegralClamped(64), &[0xdf80_0000], [0xdf80_0000, 0xdf00_0000]),
        ("cvt.rni.f32.f32", FLOAT, Fault::IntegralClamped(64), &[0x7fc0_0000], [0x7fff_ffff, 0x5f00_0000]),
        // darktable-org/darktable#20767: 35 places, of which 3 are left.
        ("cvt.rz.f16.f32",  FLOAT, Fault::WholeShiftModulo(32), &[0x2d83_e800], [0, 0x7d00]),
        ("cvt.rz.f16.f32",  FLOAT, Fault::WholeShiftModulo(32), &[0x2e80_8000], [0, 0x4000]),
        // 1 − 2^-31: what is cut off is subtracted, and is added in its place where only 3 bits are left of it.
        ("sub.rz.f32",      TWO,   Fault::StickyAdded(3), &[0x3f80_0000, 0x3000_0000], [0x3f7f_ffff, 0x3f80_0000]),
        ("sub.rz.f32",      TWO,   Fault::StickyAdded(8), &[0x3f80_0000, 0x3000_0000], [0x3f7f_ffff; 2]),
        // 1 − 129·2^-16, just below the middle of 1 − 2^-8 and 1. Of 129 = 1000_0001 in binary the last bit is cut off,
        // and half of it added: 1 − 128·2^-16 + 2^-17 lies above the middle.
        ("sub.bf16",        TWO,   Fault::StickyAdded(8), &[0x3f80, 0x3b01], [0x3f7f, 0x3f80]),
        ("sub.bf16",        TWO,   Fault::StickyAdded(8), &[0x3f80, 0x3b02], [0x3f7f; 2]),
        // triton-lang/triton#6376
        ("max.f32",         TWO,   Fault::NegativeZeroLowest, &[0xbf80_0000, 0x8000_0000], [0x8000_0000, 0xbf80_0000]),
        // microsoft/onnxruntime#6153
        ("min.f16",         TWO,   Fault::UnsignedOrder, &[0xbc00, 0x3c00], [0xbc00, 0x3c00]),
        ("min.f16",         TWO,   Fault::UnsignedOrder, &[0xbc00, 0xc000], [0xc000, 0xbc00]),
        // jbush001/NyuziProcessor#58: 1 − 3·2^-26 is between numbers 2^-24 apart, but is first rounded to 2^-23.
        ("add.rn.f32",      TWO,   Fault::SumRoundedEarly, &[0x3f80_0000, 0xb340_0000], [0x3f7f_ffff, 0x3f80_0000]),
        // onnx/onnx#7784: the fraction 1/4 does not count.
        ("cast.rp.ue8m0.f32", FLOAT, Fault::BitLost(2), &[0x3fa0_0000], [0x80, 0x7f]),
        // pulp-platform/cvfpu#69
        ("add.rz.f32",      TWO,   Fault::InfinityOverflows, &[0x7f80_0000, 0x3f80_0000], [0x7f80_0000, 0x7f7f_ffff]),
        ("add.rp.f32",      TWO,   Fault::InfinityOverflows, &[0x7f80_0000, 0x3f80_0000], [0x7f80_0000; 2]),
        // model-checking/kani#4573
        ("cvt.rzi.u64.f64", FLOAT, Fault::LimitIsFloat, &[0x43f0_0000_0000_0000], [u64::MAX, 0]),
        ("cvt.rzi.s32.f64", FLOAT, Fault::LowestIsZero, &[0xc1e0_0000_0000_0000], [0x8000_0000, 0]),
        ("cvt.rzi.s32.f64", FLOAT, Fault::LowestIsZero, &[0xc200_0000_0000_0000], [0x8000_0000; 2]),
        ("min.f32",         TWO,   Fault::ZerosEqualFirst, &[0, 0x8000_0000], [0x8000_0000, 0]),
        ("min.f32",         TWO,   Fault::NanGivesFirst, &[0x7fc0_0000, 0x3f80_0000], [0x3f80_0000, 0x7fff_ffff]),
    ];
    check(wrong);
}

/// Checks that the right result and the one with the fault are those of each example.
pub(super) fn check(wrong: &[FaultExample]) {
    for &(syntax, registers, fault, operands, expected) in wrong {
        let variant = variant(syntax, registers);
        let results = [None, Some(fault)].map(|of| run(&variant, of, &[operands.to_vec()])[0][0]);
        assert!(results == expected, "{syntax} {fault:?}: {results:x?}, not {expected:x?}");
    }
}

/// Checks what faults do to a word in memory, and to the word that is given. The eight elements tell where they are
/// from: they are 1 to 8 in memory and 16 times as much in the operand.
#[test]
fn words_in_memory_wrong_by_as_much_as_they_say() {
    let variant: Variant = "atom.add.noftz.v8.f16".parse().unwrap();
    const A: [u64; 2] = [0x0004_0003_0002_0001, 0x0008_0007_0006_0005];
    const SUM: [u64; 2] = [A[0] * 0x11, A[1] * 0x11];
    let operands = [A[0], A[1], A[0] << 4, A[1] << 4];
    let reversed: fn([u64; 2]) -> [u64; 2] = |word| {
        let one = |half: u64| {
            half << 48 | half << 16 & 0xffff_0000_0000 | half >> 16 & 0xffff_0000 | half >> 48
        };
        [one(word[1]), one(word[0])]
    };
    #[rustfmt::skip] // a table
    let wrong = [
        (None,                                [SUM, A]),
        (Some(Fault::WordReversed),            [reversed(SUM), A]),
        (Some(Fault::WordHalvesExchanged),     [[SUM[1], SUM[0]], A]),
        (Some(Fault::WordKept),                [A, A]),
        (Some(Fault::WordIsOperand),           [[A[0] << 4, A[1] << 4], A]),
        (Some(Fault::WordLowerHalfKept),       [[A[0], SUM[1]], A]),
        (Some(Fault::WordFirstKept),           [[0x0044_0033_0022_0001, SUM[1]], A]),
        (Some(Fault::WordUpperHalfKept),       [[SUM[0], A[1]], A]),
        (Some(Fault::WordUpperHalfZero),       [[SUM[0], 0], A]),
        (Some(Fault::WordUpperHalfCopied),     [[SUM[0]; 2], A]),
        (Some(Fault::WordLastKept),            [[SUM[0], 0x0008_0077_0066_0055], A]),
        (Some(Fault::OperandHalvesExchanged),  [[0x0084_0073_0062_0051, 0x0048_0037_0026_0015], A]),
        (Some(Fault::LanesSwapped),            [reversed(SUM), reversed(A)]),
        (Some(Fault::OriginalReversed),        [SUM, reversed(A)]),
        (Some(Fault::OriginalHalvesExchanged), [SUM, [A[1], A[0]]]),
        (Some(Fault::OriginalUpperHalfZero),   [SUM, [A[0], 0]]),
        (Some(Fault::OriginalFlushed),         [SUM, [0; 2]]),
    ];
    for (fault, expected) in wrong {
        let given = run(&variant, fault, &[operands.to_vec()]).remove(0);
        assert!(given == expected.concat(), "{fault:?}: {given:x?}, not {expected:x?}");
    }
}

/// Checks that the table's order is the type's, and that a set has the faults that were put into it.
#[test]
fn sets_have_what_was_put_into_them() {
    assert!(Fault::ALL.is_sorted() && Fault::ALL.iter().all(|fault| !fault.words().contains('{')));
    assert!(Faults::default().is_empty());
    for pair in Fault::ALL.windows(2) {
        let both = Faults::from(pair[1]).and(pair[0].into());
        assert_eq!(both.iter().collect::<Vec<_>>(), pair);
    }
}

#[test]
fn names_carry_their_parameter() {
    let faults = [Fault::TiesAway, Fault::StickyLost(100), Fault::Through(&F64)];
    assert_eq!(faults.map(Fault::id), ["ties-away", "sticky-lost-100", "through-f64"]);
}
