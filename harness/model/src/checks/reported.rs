//! Tests of faults of small results, of sums, of large numbers and of random bits, by examples worked out by hand.

use super::Fault;
use super::faults::{FaultExample, check};

const TWO: &str = "d, a, b";
const FLOAT: &str = "d:dtype, a";
const FOUR: &str = "d:dtype, {a, b, e, f}, rbits:b32";

/// Checks faults of zeros and of subnormal results.
#[test]
#[rustfmt::skip] // a table
fn wrong_where_results_are_small() {
    let wrong: &[FaultExample] = &[
        ("cvt.rn.f16.f32",  FLOAT, Fault::ZeroPositive, &[0x8000_0000], [0x8000, 0]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::ZeroPositive, &[0x8000_0001], [0x8000, 0]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::ZeroPositive, &[0xb800_0000], [0x8200, 0x8200]),
        ("cvt.f32.f16",     FLOAT, Fault::ZeroPositive, &[0x8000], [0x8000_0000, 0]),
        ("mul.rn.f32",      TWO,   Fault::ZeroPositive, &[0, 0x8000_0000], [0x8000_0000, 0]),
        ("add.rn.f32",      TWO,   Fault::ZeroPositive, &[0x8000_0000, 0x8000_0000], [0x8000_0000, 0]),
        // iree-org/iree#20242: 2^-15, 1.125 × 2^-16 and 2^-17.
        ("cvt.rn.f16.f32",  FLOAT, Fault::SubnormalPackedEarly, &[0x3800_0000], [0x0200, 0]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::SubnormalPackedEarly, &[0x3790_0000], [0x0120, 0xfc80]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::SubnormalPackedEarly, &[0xb700_0000], [0x8080, 0x8000]),
        // 2^-16 less so little that it is rounded up to it.
        ("cvt.rn.f16.f32",  FLOAT, Fault::SubnormalPackedEarly, &[0x377f_ffff], [0x0100, 0]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::SubnormalPacked(2), &[0x377f_ffff], [0x0100, 0xfc00]),
        // apache/tvm#20315: 1.25 × 2^-15, and the number before 2^-14.
        ("cast.rn.e5m2.f32", FLOAT, Fault::SubnormalPacked(1), &[0x3820_0000], [0x02, 0x01]),
        ("cast.rn.e5m2.f32", FLOAT, Fault::SubnormalPacked(1), &[0x387f_ffff], [0x04; 2]),
        ("cast.rn.e5m2.f32", FLOAT, Fault::SubnormalPacked(1), &[0x37a0_0000], [0x01, 0]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::UnderflowExponentWraps, &[0xb790_0000], [0x8120, 0xfc80]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::UnderflowExponentWraps, &[0x3710_0000], [0x0090, 0x7880]),
        ("cvt.rn.f16.f32",  FLOAT, Fault::SubnormalExponentZero, &[0x3710_0000], [0x0090, 0x0080]),
        // zephyrproject-rtos/sdk-ng#695: 1.1…1 × 2^-127 in 25 bits; cut to 24 of them it is a tie, and in 23 less.
        ("mul.rn.f32",      TWO,   Fault::SubnormalCutFirst, &[0x3e80_0001, 0x0080_0001], [0x0020_0001, 0x0020_0000]),
        ("mul.rn.f32",      TWO,   Fault::SubnormalCutFirst, &[0x3d80_0100, 0x0080_0008], [0x0008_0011, 0x0008_0010]),
        ("mul.rn.f32",      TWO,   Fault::CutFirst, &[0x3d80_0100, 0x0080_0008], [0x0008_0011, 0x0008_0010]),
        ("mul.rn.f32",      TWO,   Fault::CutFirst, &[0x3fc0_0000, 0x3f80_0001], [0x3fc0_0002, 0x3fc0_0001]),
        ("mul.rn.f32",      TWO,   Fault::SubnormalCutFirst, &[0x3fc0_0000, 0x3f80_0001], [0x3fc0_0002; 2]),
    ];
    check(wrong);
}

/// Checks faults of sums, of clamps, of large numbers and of random bits.
#[test]
#[rustfmt::skip] // a table
fn wrong_in_sums_and_large_numbers() {
    let wrong: &[FaultExample] = &[
        // urbit/arvo#289: 2^25 less 1.015625, where the number before 2^25 is 2 less.
        ("sub.rn.f32",      TWO,   Fault::SmallTermLost, &[0xbf82_0000, 0xcc00_0000], [0x4bff_ffff, 0x4c00_0000]),
        ("sub.rn.f32",      TWO,   Fault::SmallTermLost, &[0xc002_0000, 0xcc00_0000], [0x4bff_ffff; 2]),
        // erihsu/INT_FP_MAC#4
        ("add.rn.f16",      TWO,   Fault::CancelledToMagnitude, &[0xc000, 0x4000], [0, 0x4000]),
        ("add.rn.f16",      TWO,   Fault::CancelledToFirst, &[0xc000, 0x4000], [0, 0xc000]),
        ("add.rn.f16",      TWO,   Fault::CancelledToFirst, &[0x8000, 0], [0; 2]),
        // g-truc/glm#18
        ("add.sat.f32",     TWO,   Fault::SatNanToOne, &[0, 0x7f80_0001], [0, 0x3f80_0000]),
        // nebulastream/nautilus#328: 2^64, −2, −2^64, NaN and 2^63.
        ("cvt.rzi.u64.f32", FLOAT, Fault::UnsignedIndefinite, &[0x5f80_0000], [u64::MAX, 1 << 63]),
        ("cvt.rzi.u64.f32", FLOAT, Fault::UnsignedIndefinite, &[0xc000_0000], [0, u64::MAX - 1]),
        ("cvt.rzi.u64.f32", FLOAT, Fault::UnsignedIndefinite, &[0xdf80_0000], [0, 1 << 63]),
        ("cvt.rzi.u32.f32", FLOAT, Fault::UnsignedIndefinite, &[0x7fc0_0000], [0, 1 << 31]),
        ("cvt.rzi.u64.f32", FLOAT, Fault::UnsignedIndefinite, &[0x5f00_0000], [1 << 63; 2]),
        // numpy/numpy#22170: 2^52 + 3 is a tie with 2^52 added; 2^105 loses 2^52.
        ("cvt.rni.f64.f64", FLOAT, Fault::PowerAddedToLarge, &[0x4330_0000_0000_0003], [0x4330_0000_0000_0003, 0x4330_0000_0000_0004]),
        ("cvt.rni.f64.f64", FLOAT, Fault::PowerAddedToLarge, &[0x4680_0000_0000_0000], [0x4680_0000_0000_0000, 0x467f_ffff_ffff_ffff]),
        ("cvt.rni.f64.f64", FLOAT, Fault::PowerAddedToLarge, &[0xbfd0_0000_0000_0000], [1 << 63; 2]),
        // TheSuperHackers/GeneralsGameCode#479: 2^32 + 512 keeps no bit below the leading one, and 1.5 × 2^33 keeps one.
        ("cvt.rzi.f32.f32", FLOAT, Fault::IntegralBitsModulo(32), &[0x4f80_0001], [0x4f80_0001, 0x4f80_0000]),
        ("cvt.rzi.f32.f32", FLOAT, Fault::IntegralBitsModulo(32), &[0x5040_0001], [0x5040_0001, 0x5040_0000]),
        ("cvt.rzi.f32.f32", FLOAT, Fault::IntegralBitsModulo(32), &[0x4f7f_ffff], [0x4f7f_ffff; 2]),
        // The second lane has its field of random bits in reverse: 1 + 2^-1 of the last place and 2^-1 carry.
        ("cvt.rs.satfinite.e4m3x4.f32", FOUR, Fault::RandomNeverReversed, &[0, 0, 0x3f88_0000, 0, 0x8000], [0x3800, 0x3900]),
        ("cvt.rs.satfinite.e4m3x4.f32", FOUR, Fault::RandomNeverReversed, &[0, 0, 0, 0x3f88_0000, 0x8000], [0x39; 2]),
        ("cvt.rs.satfinite.e4m3x4.f32", FOUR, Fault::RandomLower, &[0, 0, 0, 0x3f88_0000, 0x8000], [0x39, 0x38]),
        // ROCm/llvm-project#3275
        ("cvt.rs.satfinite.e4m3x4.f32", FOUR, Fault::CarryLost, &[0, 0, 0, 0x3ffe_0000, 0x2000], [0x40, 0x38]),
        // uxlfoundation/oneDNN#2903
        ("cvt.rs.satfinite.e5m2x4.f32", FOUR, Fault::RandomAtBottom, &[0, 0, 0, 0x3f98_0000, 0x4000], [0x3d, 0x3c]),
        ("cvt.rs.satfinite.e5m2x4.f32", FOUR, Fault::RandomAtBottom, &[0, 0, 0, 0x3f9f_ffff, 0x0001], [0x3d; 2]),
    ];
    check(wrong);
}
