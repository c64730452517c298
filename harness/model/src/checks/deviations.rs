//! Deviations, by examples worked out by hand.

use super::{Deviation, run, variant};

/// A row's syntax and registers, the deviation, the operands, and what the first result should be
/// and is instead.
type Wrong = (&'static str, &'static str, Deviation, &'static [u64], [u64; 2]);

#[test]
#[rustfmt::skip] // a table
fn wrong_by_as_much_as_they_say() {
    const TWO: &str = "d, a, b";
    const FLOAT: &str = "d:dtype, a";
    const PAIR: &str = "d:dtype, a, b";
    let wrong: &[Wrong] = &[
        // (1 + 2^-23)^2 − (1 + 2^-22) = 2^-46.
        ("fma.rn.f32",      "d, a, b, c", Deviation::Unfused, &[0x3f80_0001, 0x3f80_0001, 0xbf80_0002], [0x2880_0000, 0]),
        // 1 + 2^-24 is a tie; 2^-100 decides it, and is far below f64's last place.
        ("fma.rn.f32",      "d, a, b, c", Deviation::ThroughF64, &[0x0d80_0000, 0x3f80_0000, 0x3f80_0000], [0x3f80_0000; 2]),
        ("fma.rn.f32",      "d, a, b, c", Deviation::ThroughF64, &[0x3f80_0800, 0x3f80_0800, 0x0d80_0000], [0x3f80_1001, 0x3f80_1000]),
        ("sqrt.rn.f64",     "d, a", Deviation::RootOfZeroPositive, &[1 << 63], [1 << 63, 0]),
        ("div.rn.f32",      TWO,    Deviation::ResultFlushedAnyway, &[0x8080_0000, 0x4000_0000], [0x8040_0000, 0x8000_0000]),
        ("copysign.f32",    TWO,    Deviation::OperandsExchanged, &[0x8000_0000, 0x3f80_0000], [0xbf80_0000, 0]),
        ("min.f16",         TWO,    Deviation::ZerosEqual, &[0x8000, 0], [0x8000, 0]),
        ("set.ne.u32.f32",  PAIR,   Deviation::NeUnordered, &[0x7fc0_0000, 0], [0, 0xffff_ffff]),
        ("set.eq.s16.bf16", PAIR,   Deviation::TrueIsOne, &[0, 0x8000], [0xffff, 1]),
        ("cvt.rzi.u8.f32",  FLOAT,  Deviation::Wraps, &[0xc380_8000], [0, 0xff]), // −257
        ("cvt.rzi.s8.f32",  FLOAT,  Deviation::ClampsShort, &[0x4380_0000], [127, 126]),
        ("cvt.rzi.s64.f32", FLOAT,  Deviation::NanToZero, &[0x7fc0_0000], [1 << 63, 0]),
        ("cvt.rna.tf32.f32", FLOAT, Deviation::AwayTiesEven, &[0x3f80_1000], [0x3f80_2000, 0x3f80_0000]),
        ("cvt.rn.satfinite.e4m3x2.f32", PAIR, Deviation::SatfiniteIgnored, &[0x47c3_5000, 0], [0x7e00, 0x7f00]),
        ("cvt.rn.satfinite.e4m3x2.f32", PAIR, Deviation::NanKeepsSign, &[0xffc0_0000, 0], [0x7f00, 0xff00]),
        ("cvt.rn.satfinite.e2m1x2.f32", PAIR, Deviation::NanNegativeMax, &[0xffc0_0000, 0], [0x70, 0xf0]),
        ("cvt.rp.ue8m0x2.f32", PAIR, Deviation::PowerUp, &[0x3f80_0000, 0x3f80_0001], [0x7f80, 0x8080]),
        ("cvt.rs.bf16x2.f32", "d:dtype, a, b, rbits:b32", Deviation::RandomShort, &[0, 0x3f80_0001, 0xffff], [0x3f81, 0x3f80]),
        ("cast.rn.e4m3fnuz.f32", FLOAT, Deviation::NegativeZeroKept, &[0x8000_0000], [0, 0x80]),
    ];
    for &(syntax, registers, deviation, operands, expected) in wrong {
        let variant = variant(syntax, registers);
        let results = [None, Some(deviation)].map(|of| run(&variant, of, &[operands.to_vec()])[0][0]);
        assert!(results == expected, "{syntax} {deviation:?}: {results:x?}, not {expected:x?}");
    }
}
