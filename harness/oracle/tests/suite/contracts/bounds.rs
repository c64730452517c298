//! Tests of what is promised within a bound, and of what is promised where none is stated.

use judge::MismatchKind;

use super::{INF, SIGN, accepted, refused};

/// Checks where bounds end: the last data within a bound on either side, and the first beyond.
#[test]
fn bounds_end_where_the_manual_has_them() {
    const ONE: u64 = 0x3f80_0000;
    const THREE: u64 = 0x4040_0000;
    #[rustfmt::skip] // a table
    let cases: [(&str, &[u64], [u64; 2]); 11] = [
        // 1/3 is 0x3eaaaaab, correctly rounded: 2 ulp, and 1 ulp.
        ("div.full.f32",       &[ONE, THREE], [0x3eaa_aaa9, 0x3eaa_aaad]),
        ("div.approx.f32",     &[ONE, THREE], [0x3eaa_aaa9, 0x3eaa_aaad]),
        ("rcp.approx.ftz.f32", &[THREE],      [0x3eaa_aaaa, 0x3eaa_aaac]),
        // The numbers of a binade are twice as dense as those of the next.
        ("sqrt.approx.f32",    &[0x4080_0000], [0x3fff_fffe, 0x4000_0001]), // 2, 2^-23 of it
        ("lg2.approx.f32",     &[0x4080_0000], [0x3fff_fffc, 0x4000_0002]), // 2, 2^-22 of it
        // √2 is 0x3fb504f3 and a third.
        ("ex2.approx.f32",     &[0x3f00_0000], [0x3fb5_04f1, 0x3fb5_04f5]),
        // 2^-140, in units of 2^-149.
        ("ex2.approx.f32",     &[0xc30c_0000], [0x0000_01fe, 0x0000_0202]),
        // sin 1 = 0xd76aa4.78p-24, and 2^-20.5 is 11.31 of those.
        ("sin.approx.f32",     &[ONE],         [0x3f57_6a9a, 0x3f57_6aaf]),
        // cos 1 = 0x8a5140.7p-24, and 2^-20.4 is 12.13 of those.
        ("cos.approx.f32",     &[ONE],         [0x3f0a_5135, 0x3f0a_514c]),
        // 0, and 2^-22 on either side: the lowest is found by its own case below.
        ("lg2.approx.f32",     &[ONE],         [0x0000_0000, 0x3480_0000]),
        // 2, and 2^-9.9 of it is 1.07 of the units above it, 2.14 of those below.
        ("ex2.approx.f16",     &[0x3c00],      [0x3ffe, 0x4001]),
    ];
    for (text, operands, [low, high]) in cases {
        accepted(text, operands, low, &[]);
        accepted(text, operands, high, &[]);
        refused(text, operands, high + 1, MismatchKind::OutOfBound);
        if low > 0 {
            refused(text, operands, low - 1, MismatchKind::OutOfBound);
        }
    }
    accepted("lg2.approx.f32", &[ONE], 0xb480_0000, &[]);
    refused("lg2.approx.f32", &[ONE], 0xb480_0001, MismatchKind::OutOfBound);
    refused("div.full.f32", &[ONE, THREE], 0x7fff_ffff, MismatchKind::NanAppeared);
}

/// Checks that the manual's tables of special inputs hold bit for bit, any NaN for NaN.
#[test]
fn special_inputs_have_the_results_of_their_tables() {
    let canonical: &[(&str, &str)] = &[("any-nan", "canonical")];
    accepted("sqrt.approx.f32", &[0xbf80_0000], 0x7fff_ffff, canonical);
    accepted("sqrt.approx.f32", &[0xbf80_0000], 0xffc0_0001, &[("any-nan", "other")]);
    refused("sqrt.approx.f32", &[0xbf80_0000], SIGN, MismatchKind::NanLost);
    accepted("sqrt.approx.f32", &[SIGN], SIGN, &[]);
    refused("sqrt.approx.f32", &[SIGN], 0, MismatchKind::ZeroSign);
    accepted("sqrt.approx.ftz.f32", &[SIGN | 1], SIGN, &[]);
    accepted("rsqrt.approx.f32", &[SIGN], SIGN | INF, &[]);
    refused("rsqrt.approx.f32", &[SIGN], INF, MismatchKind::Sign);
    accepted("rcp.approx.f32", &[SIGN | INF], SIGN, &[]);
    accepted("sin.approx.f32", &[SIGN], SIGN, &[]);
    refused("sin.approx.f32", &[SIGN], 0, MismatchKind::ZeroSign);
    refused("cos.approx.f32", &[SIGN], 0x3f7f_ffff, MismatchKind::UlpBelow);
    accepted("cos.approx.f32", &[INF], 0x7fff_ffff, canonical);
    accepted("lg2.approx.f32", &[0], SIGN | INF, &[]);
    accepted("ex2.approx.f32", &[SIGN | INF], 0, &[]);
    refused("ex2.approx.f32", &[INF], 0x7f7f_ffff, MismatchKind::NoOverflow);
    accepted("tanh.approx.f32", &[SIGN | INF], 0xbf80_0000, &[]);
    refused("tanh.approx.f32", &[INF], 0x3f7f_ffff, MismatchKind::UlpBelow);
    accepted("ex2.approx.ftz.f32", &[0xc30c_0000], 0, &[]); // 2^-140
    refused("ex2.approx.ftz.f32", &[0xc30c_0000], 0x200, MismatchKind::NotFlushed);
    accepted("ex2.approx.ftz.bf16", &[0x0001], 0x3f80, &[]);
    accepted("rcp.approx.ftz.f64", &[1 << 63 | 1], 0xfff0_0000_0000_0000, &[]);
    refused("rcp.approx.ftz.f64", &[1 << 63 | 1], 0x7ff0_0000_0000_0000, MismatchKind::Sign);
    // "For 2^126 < |b| < 2^128, if a is infinity, div.approx.f32 returns NaN, otherwise ±0."
    accepted("div.approx.f32", &[0x3f80_0000, 0x7f00_0000], 0, &[]);
    accepted("div.approx.f32", &[0xbf80_0000, 0x7f00_0000], SIGN, &[]);
    refused("div.approx.f32", &[0x3f80_0000, 0x7f00_0000], 0x0040_0000, MismatchKind::OutOfBound);
    accepted("div.approx.f32", &[INF, 0x7f00_0000], 0x7fff_ffff, canonical);
    refused("div.approx.f32", &[INF, 0x7f00_0000], INF, MismatchKind::NanLost);
    accepted("div.full.f32", &[INF, 0x7f00_0000], INF, &[]);
}

/// Checks that results may be inaccurate where the manual states no bound, and that they are counted.
#[test]
fn unstated_accuracy_is_counted() {
    let far = [0x447a_0000]; // 1000 is above 100 π
    for answer in [0x3f53_ae60, 0, SIGN, 0x3f80_0000, 0xbf80_0000, 0x3f80_0100] {
        accepted("sin.approx.f32", &far, answer, BEST_EFFORT);
    }
    for answer in [0x1234_5678, 0, INF] {
        accepted("div.approx.f32", &[0x3f80_0000, 0x0000_0001], answer, BEST_EFFORT);
    }
    accepted("div.approx.ftz.f32", &[0x3f80_0000, 0x0000_0001], INF, &[]);
    accepted("rsqrt.approx.f64", &[0x4010_0000_0000_0000], 0x3fe0_0000_0000_1234, BEST_EFFORT);
}

pub const BEST_EFFORT: &[(&str, &str)] = &[("unstated-accuracy", "best effort")];

/// Checks the minimum that is promised where no bound is: results are never NaN, of the wrong sign, or values that
/// the function does not have.
#[test]
fn a_minimum_is_promised_where_no_bound_is() {
    for text in ["sin.approx.f32", "cos.approx.f32", "sin.approx.ftz.f32"] {
        let far = [0x447a_0000];
        refused(text, &far, 0x7fff_ffff, MismatchKind::NanAppeared);
        // 1 + 2^-14.7 is 1 and 315.2 units.
        accepted(text, &far, 0x3f80_013b, BEST_EFFORT);
        accepted(text, &far, 0xbf80_013b, BEST_EFFORT);
        for answer in [0x3f80_013c, 0xbf80_013c, 0x4000_0000, INF] {
            refused(text, &far, answer, MismatchKind::OutOfRange);
        }
    }
    let quotient = [0x3f80_0000, 0x0000_0001];
    refused("div.approx.f32", &quotient, 0x7fff_ffff, MismatchKind::NanAppeared);
    for answer in [SIGN, 0xbf80_0000, INF | SIGN] {
        refused("div.approx.f32", &quotient, answer, MismatchKind::OutOfRange);
    }
    refused("div.approx.f32", &[0, 1], 0x0000_0001, MismatchKind::ZeroLost);
    const INF_64: u64 = 0x7ff0_0000_0000_0000;
    // The functions' own ends, 2^-8 of them beyond: of reciprocals 2^-1022 and 2^1022; of roots 2^-512, and that
    // of the smallest operand, which is 2^-1074, or with .ftz 2^-1022.
    let ends = [
        ("rcp.approx.ftz.f64", 0x0010_0000_0000_0000, 0x7fd0_1000_0000_0000),
        ("rsqrt.approx.f64", 0x1fef_e000_0000_0000, 0x6180_1000_0000_0000),
        ("rsqrt.approx.ftz.f64", 0x1fef_e000_0000_0000, 0x5fe0_1000_0000_0000),
    ];
    for (text, low, high) in ends {
        let two = [0x4000_0000_0000_0000];
        refused(text, &two, 0x7fff_ffff_0000_0000, MismatchKind::NanAppeared);
        for answer in [0, 1 << 63, INF_64, 0xbfe0_0000_0000_0000] {
            refused(text, &two, answer, MismatchKind::OutOfRange);
        }
        accepted(text, &two, low, BEST_EFFORT);
        accepted(text, &two, high, BEST_EFFORT);
        const STEP: u64 = 1 << 32;
        refused(text, &two, high + STEP, MismatchKind::OutOfRange);
        let below = if low > 0x0010_0000_0000_0000 {
            MismatchKind::OutOfRange
        } else {
            MismatchKind::NotFlushed
        };
        refused(text, &two, low - STEP, below);
    }
    accepted("rcp.approx.ftz.f64", &[0xc000_0000_0000_0000], 0xffd0_1000_0000_0000, BEST_EFFORT);
    refused(
        "rcp.approx.ftz.f64",
        &[0xc000_0000_0000_0000],
        0xffd0_1001_0000_0000,
        MismatchKind::OutOfRange,
    );
}

/// Checks that results below the smallest normal number are zeros: "Subnormal inputs and results are flushed to
/// sign-preserving zero" (9.7.3.14).
#[test]
fn reciprocals_below_the_smallest_normal_number_are_zeros() {
    let text = "rcp.approx.ftz.f64";
    for operand in [0x7fe0_0000_0000_0000, 0x7fd8_0000_0000_0000, 0x7fef_ffff_0000_0000] {
        accepted(text, &[operand], 0, BEST_EFFORT);
        accepted(text, &[1 << 63 | operand], 1 << 63, BEST_EFFORT);
        for answer in [1 << 63, 0x0010_0000_0000_0000, 0x3ff0_0000_0000_0000] {
            refused(text, &[operand], answer, MismatchKind::OutOfRange);
        }
        refused(text, &[operand], 0x0008_0000_0000_0000, MismatchKind::NotFlushed);
        refused(text, &[operand], 0x7fff_ffff_0000_0000, MismatchKind::NanAppeared);
    }
}

/// Checks the bound of subnormal hyperbolic tangents: "The maximum relative error over the entire floating point
/// range is 2^-11. The subnormal numbers are supported" (9.7.3.22).
#[test]
fn the_hyperbolic_tangent_of_subnormal_numbers_has_its_bound() {
    let text = "tanh.approx.f32";
    accepted(text, &[0x0000_0001], 0x0000_0001, &[]);
    accepted(text, &[SIGN | 1], SIGN | 1, &[]);
    for answer in [0, 2, SIGN | 1] {
        refused(text, &[0x0000_0001], answer, MismatchKind::OutOfBound);
    }
    refused(text, &[0x0000_0001], 0x7fff_ffff, MismatchKind::NanAppeared);
    // 2048 units, of which one is within the bound.
    accepted(text, &[0x0000_0800], 0x0000_07ff, &[]);
    for answer in [0x0000_0802, 0x0000_07fe] {
        refused(text, &[0x0000_0800], answer, MismatchKind::OutOfBound);
    }
}

/// Checks negative subnormal inputs, for which the tables have no row: they have rows for −normal and for −0, and
/// none between.
#[test]
fn negative_subnormal_inputs_have_no_root_or_that_of_zero() {
    let (nan, zero) = (("negative-subnormal", "nan"), ("negative-subnormal", "zero"));
    for (text, of_zero) in
        [("sqrt.approx.f32", SIGN), ("rsqrt.approx.f32", INF | SIGN), ("lg2.approx.f32", INF | SIGN)]
    {
        accepted(text, &[SIGN | 1], 0x7fff_ffff, &[("any-nan", "canonical"), nan]);
        accepted(text, &[SIGN | 1], of_zero, &[zero]);
        for answer in [0, 0x3f80_0000, INF] {
            refused(text, &[SIGN | 1], answer, MismatchKind::NanLost);
        }
    }
    accepted("rsqrt.approx.f64", &[1 << 63 | 1], 0xfff0_0000_0000_0000, &[zero]);
    refused("rsqrt.approx.f64", &[1 << 63 | 1], 0, MismatchKind::NanLost);
}

/// Checks that zero divided by a tiny number may be NaN: by the product with a reciprocal that is infinite.
#[test]
fn zero_divided_by_next_to_nothing_is_zero_or_nan() {
    let point = |answer| ("zero-dividend", answer);
    for operands in [[0, 0x0020_0000], [SIGN, 1], [0, SIGN | 0x0020_0000]] {
        let zero = (operands[0] ^ operands[1]) & SIGN;
        accepted("div.approx.f32", &operands, zero, &[point("zero")]);
        for nan in [0x7fff_ffff, 0xffc0_0000] {
            accepted("div.approx.f32", &operands, nan, &[point("nan")]);
        }
        refused("div.approx.f32", &operands, zero ^ SIGN, MismatchKind::ZeroSign);
        refused("div.full.f32", &operands, 0x7fff_ffff, MismatchKind::NanAppeared);
    }
    // The largest number, and beyond the least divisors, is a reciprocal that is a number.
    refused("div.approx.f32", &[0, 0x0020_0001], 0x7fff_ffff, MismatchKind::NanAppeared);
    refused("div.approx.ftz.f32", &[0, 1], 0, MismatchKind::NanLost);
}

/// Checks that `.ftz` leaves no subnormal result, and no lower half of f64, whatever the accuracy.
#[test]
fn ftz_is_judged_where_no_bound_is_stated() {
    const TWO: u64 = 0x4000_0000_0000_0000;
    for text in ["rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"] {
        accepted(text, &[TWO], 0x3fe0_0001_0000_0000, BEST_EFFORT);
        refused(text, &[TWO], 0x3fe0_0000_0000_0001, MismatchKind::Padding);
        refused(text, &[TWO], 0x3fe0_0000_8000_0000, MismatchKind::Padding);
        refused(text, &[TWO], 0x0008_0000_0000_0000, MismatchKind::NotFlushed);
    }
    accepted("rsqrt.approx.f64", &[TWO], 0x3fe0_0000_0000_0001, BEST_EFFORT);
    // 1000 is above 100 π.
    accepted("sin.approx.ftz.f32", &[0x447a_0000], 0x0080_0000, BEST_EFFORT);
    refused("sin.approx.ftz.f32", &[0x447a_0000], 0x0000_0001, MismatchKind::NotFlushed);
    accepted("sin.approx.f32", &[0x447a_0000], 0x0000_0001, BEST_EFFORT);
}
