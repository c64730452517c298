//! Tests of faults by examples worked out by hand.

use formats::F64;
use isa::Variant;

use super::{Fault, run, variant};
use crate::{Faults, Places};

/// An example: a row's syntax and registers, the fault, the operands, and the first result as it should be and as it is
/// instead.
type FaultExample = (&'static str, &'static str, Fault, &'static [u64], [u64; 2]);

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
