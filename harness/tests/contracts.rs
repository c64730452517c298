//! The judge: what is accepted, what is counted, and what is not tolerated.

use std::collections::BTreeMap;

use judge::{Batch, Judge, MismatchKind, Tally, Truth};
use oracle::Oracle;
use vectors::isa::Register;
use vectors::sweep::columns_for;
use vectors::{Column, Variant};

/// Of f32.
const INF: u64 = 0x7f80_0000;
const SIGN: u64 = 0x8000_0000;

/// Judges one vector's answer, register by register.
fn judge(text: &str, operands: &[u64], answers: &[u64]) -> Tally {
    let variant: Variant = text.parse().unwrap();
    let mut columns = columns_for(&variant, 1);
    columns.iter_mut().zip(operands).for_each(|(column, &bits)| column.set(0, bits));
    let mut truth = Truth::new(&variant);
    Oracle::new(&variant).expect(&columns, &mut truth);
    let column = |(register, &answer): (&Register, &u64)| {
        let mut column = Column::new(register.ty.row_bytes(), 1);
        column.set(0, answer);
        column
    };
    let results: Vec<Column> = variant.results().iter().zip(answers).map(column).collect();
    assert_eq!(results.len(), variant.results().len(), "{text}");
    let mut tally = Tally::default();
    let batch = Batch::new(&columns, &results);
    Judge::new(&variant).judge(&truth, batch, &mut tally);
    assert_eq!(tally.vectors, 1);
    tally
}

fn accepted(text: &str, operands: &[u64], answer: u64, counted: &[(&str, &str)]) {
    let tally = judge(text, operands, &[answer]);
    let shown = format!("{text} {operands:x?} = {answer:#x}");
    assert_eq!(tally.mismatches, 0, "{shown}");
    let mut expected: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for (relaxation, interpretation) in counted {
        *expected
            .entry((*relaxation).into())
            .or_default()
            .entry((*interpretation).into())
            .or_default() += 1;
    }
    assert_eq!(tally.answers, expected, "{shown}");
}

fn refused(text: &str, operands: &[u64], answer: u64, kind: MismatchKind) {
    refused_registers(text, operands, &[answer], kind);
}

fn refused_registers(text: &str, operands: &[u64], answers: &[u64], kind: MismatchKind) {
    let tally = judge(text, operands, answers);
    let shown = format!("{text} {operands:x?} = {answers:x?}");
    assert_eq!(tally.mismatches, 1, "{shown}");
    assert_eq!(tally.classes.keys().copied().collect::<Vec<_>>(), [kind], "{shown}");
}

#[test]
fn nan_is_any_nan_where_the_row_says_so_and_nowhere_else() {
    let nan = [0x7e00, 0x3c00];
    accepted("mul.f16", &nan, 0x7fff, &[("any-nan", "canonical")]);
    accepted("mul.f16", &nan, 0xfe01, &[("any-nan", "other")]);
    accepted("mul.f16", &[0x3c00, 0x3c00], 0x3c00, &[]);
    refused("mul.f16", &nan, 0x7c00, MismatchKind::NanLost);
    refused("mul.f16", &[0x3c00, 0x3c00], 0x7fff, MismatchKind::NanAppeared);
    refused("fma.rn.relu.f16", &[0x7e00, 0x3c00, 0], 0x7e00, MismatchKind::NanBits);
    refused("fma.rn.sat.f16", &[0x7e00, 0x3c00, 0], 0x7fff, MismatchKind::NanAppeared);
}

#[test]
fn zero_has_its_sign_but_where_a_clamp_leaves_it_open() {
    accepted("mul.sat.f16", &[0x8000, 0x3c00], 0, &[("zero-sign", "+0")]);
    accepted("mul.sat.f16", &[0x8000, 0x3c00], 0x8000, &[("zero-sign", "-0")]);
    refused("mul.sat.f16", &[0xbc00, 0x3c00], 0x8000, MismatchKind::ZeroSign);
    refused("mul.sat.f16", &[0x0000, 0x3c00], 0x8000, MismatchKind::ZeroSign);
    refused("mul.f16", &[0x8000, 0x3c00], 0, MismatchKind::ZeroSign);
    refused("add.rm.f32.f16", &[0x3c00, 0xbf80_0000], 0, MismatchKind::ZeroSign);
    refused("add.rp.f32.f16", &[0x3c00, 0xbf80_0000], 0x8000_0000, MismatchKind::ZeroSign);
}

/// The two ranges just below the smallest normal number tell the three interpretations apart.
#[test]
fn tininess_is_read_off_the_answer() {
    let full_precision = [0x3bff, 0x0400];
    accepted("mul.ftz.f16", &full_precision, 0, &[("ftz-tininess", "exact or unbounded")]);
    accepted("mul.ftz.f16", &full_precision, 0x0400, &[("ftz-tininess", "rounded")]);
    let nearer = [0x2da7, 0x11a9];
    accepted("mul.ftz.f16", &nearer, 0, &[("ftz-tininess", "exact")]);
    accepted("mul.ftz.f16", &nearer, 0x0400, &[("ftz-tininess", "unbounded or rounded")]);
    refused("mul.ftz.f16", &nearer, 0x03ff, MismatchKind::NotFlushed);
    refused("mul.f16", &nearer, 0, MismatchKind::ZeroAppeared);
}

#[test]
fn out_of_bounds_is_certain_for_the_measured_pattern_in_a_multiplicand() {
    let one = 0x3c00;
    accepted("fma.rn.oob.f16", &[0x7ff7, one, one], 0, &[]);
    refused("fma.rn.oob.f16", &[0x7ff7, one, one], 0x7fff, MismatchKind::NanAppeared);
    refused("fma.rn.oob.f16", &[0x7ff7, one, one], 0x8000, MismatchKind::ZeroSign);
    let nan = ("any-nan", "canonical");
    accepted("fma.rn.oob.f16", &[0x7eff, one, one], 0x7fff, &[nan, ("oob-pattern", "7ff7")]);
    accepted("fma.rn.oob.f16", &[0x7eff, one, one], 0, &[("oob-pattern", "7ff7 and 7eff")]);
    let addend = |interpretation| ("oob-addend", interpretation);
    accepted("fma.rn.oob.f16", &[one, one, 0x7ff7], 0x7fff, &[nan, addend("multiplicands")]);
    accepted("fma.rn.oob.f16", &[one, one, 0x7ff7], 0, &[addend("multiplicands and addend")]);
    refused("fma.rn.oob.bf16", &[0x7eff, 0x3f80, 0], 0, MismatchKind::ZeroAppeared);
    let both = [addend("multiplicands and addend"), ("oob-pattern", "7ff7 and 7eff")];
    accepted("fma.rn.oob.f16", &[one, one, 0x7eff], 0, &both);
    refused("fma.rn.oob.f16", &[0x7fff, one, one], 0, MismatchKind::NanLost);
}

/// Lanes are judged one by one, and a vector counts once.
#[test]
fn lanes_are_judged_one_by_one() {
    let operands = [0x7e00_3c00, 0x3c00_4000];
    accepted("mul.f16x2", &operands, 0xfe01_4000, &[("any-nan", "other")]);
    refused("mul.f16x2", &operands, 0x7fff_4001, MismatchKind::UlpAbove);
    refused("mul.f16x2", &operands, 0x4000_7fff, MismatchKind::LanesSwapped);
    refused("mul.f16x2", &[0x3c00_3c00, 0x3c00_3c00], 0x3c01_3bff, MismatchKind::UlpBelow);
}

/// What is promised within a bound: the last data on either side, and the first beyond.
#[test]
fn bounds_end_where_the_manual_has_them() {
    const ONE: u64 = 0x3f80_0000;
    const THREE: u64 = 0x4040_0000;
    #[rustfmt::skip] // a table
    let cases: [(&str, &[u64], [u64; 2]); 10] = [
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

/// The manual's tables of special inputs hold bit for bit, any NaN for NaN.
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

/// Where the manual states no bound nothing is wrong, and what came is counted.
#[test]
fn unstated_accuracy_is_counted_and_never_wrong() {
    let any: &[(&str, &str)] = &[("unstated-accuracy", "any")];
    let far = [0x447a_0000]; // 1000 is above 100 π
    for answer in [0x3f53_ae60, 0, 0x3f80_0000] {
        accepted("sin.approx.f32", &far, answer, any);
    }
    accepted("div.approx.f32", &[0x3f80_0000, 0x0000_0001], 0x1234_5678, any);
    accepted("div.approx.ftz.f32", &[0x3f80_0000, 0x0000_0001], 0x7f80_0000, &[]);
    let nan = ("any-nan", "canonical");
    accepted("sqrt.approx.f32", &[0x8000_0001], 0x7fff_ffff, &[nan, any[0]]);
    accepted("sqrt.approx.f32", &[0x8000_0001], 0x8000_0000, any);
    accepted("tanh.approx.f32", &[0x0000_0001], 0, any); // a relative bound, and underflow
    accepted("rsqrt.approx.f64", &[0x4010_0000_0000_0000], 0x3fe0_0000_0000_1234, any);
}

/// Whatever the accuracy: `.ftz` leaves no subnormal result, and of f64 it leaves no lower half.
#[test]
fn ftz_is_judged_where_no_bound_is_stated() {
    let any: &[(&str, &str)] = &[("unstated-accuracy", "any")];
    const TWO: u64 = 0x4000_0000_0000_0000;
    for text in ["rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"] {
        accepted(text, &[TWO], 0x3fe0_0001_0000_0000, any);
        refused(text, &[TWO], 0x3fe0_0000_0000_0001, MismatchKind::Padding);
        refused(text, &[TWO], 0x3fe0_0000_8000_0000, MismatchKind::Padding);
        refused(text, &[TWO], 0x0008_0000_0000_0000, MismatchKind::NotFlushed);
    }
    accepted("rsqrt.approx.f64", &[TWO], 0x0000_0000_0000_0001, any);
    // 1000 is above 100 π.
    accepted("sin.approx.ftz.f32", &[0x447a_0000], 0x0080_0000, any);
    refused("sin.approx.ftz.f32", &[0x447a_0000], 0x0000_0001, MismatchKind::NotFlushed);
    accepted("sin.approx.f32", &[0x447a_0000], 0x0000_0001, any);
}

/// Of a quotient that lies within two units of 2^128.
#[test]
fn a_bound_that_reaches_beyond_the_largest_number_may_reach_infinity() {
    const MAX: u64 = 0x7f7f_ffff;
    let (finite, infinite) = (("bound-overflow", "finite"), ("bound-overflow", "infinite"));
    for text in ["div.full.f32", "div.approx.ftz.f32"] {
        for operands in [[0xe07f_fffe, 0xa07f_ffff], [MAX - 1, 0x3f80_0000]] {
            accepted(text, &operands, INF, &[infinite]);
            accepted(text, &operands, MAX, &[finite]);
            accepted(text, &operands, MAX - 2, &[finite]);
            refused(text, &operands, INF | SIGN, MismatchKind::OutOfBound);
            refused(text, &operands, MAX - 5, MismatchKind::OutOfBound);
            let negative = [operands[0] ^ SIGN, operands[1]];
            accepted(text, &negative, INF | SIGN, &[infinite]);
            refused(text, &negative, INF, MismatchKind::OutOfBound);
        }
        // Three units away, and beyond.
        refused(text, &[MAX - 2, 0x3f80_0000], INF, MismatchKind::OutOfBound);
        accepted(text, &[MAX, 0x3f7f_ffff], INF, &[]);
        accepted(text, &[MAX, 0x3f7f_ffff], MAX, &[]);
    }
}

/// The bits of a register that hold no lane are zeros.
#[test]
fn padding_is_zero() {
    let ones = [0x3f80_0000, 0x3f80_0000];
    accepted("cvt.rn.satfinite.e2m3x2.f32", &ones, 0x0808, &[]);
    refused("cvt.rn.satfinite.e2m3x2.f32", &ones, 0x4808, MismatchKind::Padding);
    refused("cvt.rn.satfinite.e2m3x2.f32", &ones, 0x0848, MismatchKind::Padding);
    accepted("cvt.rna.tf32.f32", &ones[..1], 0x3f80_0000, &[]);
    refused("cvt.rna.tf32.f32", &ones[..1], 0x3f80_0001, MismatchKind::Padding);
    refused("setp.eq.f16", &[0, 0], 3, MismatchKind::Padding);
    // What is wrong with a lane comes first.
    refused("cvt.rn.satfinite.e2m3x2.f32", &ones, 0x4908, MismatchKind::UlpAbove);
}

/// Predicates are registers of their own, and a vector counts once.
#[test]
fn every_result_register_is_judged() {
    let ones = [0x3f80_0000, 0x3f80_0000];
    assert_eq!(judge("setp.eq.f32", &ones, &[1, 0]).mismatches, 0);
    for wrong in [[1, 1], [0, 0], [0, 1]] {
        refused_registers("setp.eq.f32", &ones, &wrong, MismatchKind::Predicate);
    }
    let packed = [0x4000_3c00, 0x3c00_4000];
    assert_eq!(judge("setp.lt.f16x2", &packed, &[1, 0]).mismatches, 0);
    refused_registers("setp.lt.f16x2", &packed, &[1, 1], MismatchKind::Predicate);
    refused_registers("setp.lt.f16x2", &packed, &[0, 1], MismatchKind::LanesSwapped);
}

/// Integers and truth values have kinds of their own.
#[test]
fn wrong_integers_are_told_apart() {
    let half = [0x4020_0000]; // 2.5
    refused("cvt.rni.s32.f32", &half, 3, MismatchKind::NextInteger);
    refused("cvt.rni.s32.f32", &half, 0, MismatchKind::ZeroAppeared);
    refused("cvt.rni.s32.f32", &half, 0xffff_fffe, MismatchKind::Number);
    refused("cvt.rni.s32.f32", &[0x7fc0_0000], 5, MismatchKind::ZeroLost);
    refused("cvt.rni.s32.f32", &[0x7fc0_0000], 0x8000_0000, MismatchKind::IntegerIndefinite);
    accepted("cvt.rzi.s64.f32", &[0x7fc0_0000], 1 << 63, &[]);
}
