//! The judge: what is accepted, what is counted, and what is not tolerated.

use std::collections::BTreeMap;

use harness::judge::{Judge, Kind, Tally, Trial};
use harness::oracle::Oracle;
use vectors::sweep::columns_for;
use vectors::{Column, Variant};

/// Judges one vector's answer.
fn judge(text: &str, operands: &[u64], answer: u64) -> Tally {
    let variant: Variant = text.parse().unwrap();
    let mut columns = columns_for(&variant, 1);
    columns.iter_mut().zip(operands).for_each(|(column, &bits)| column.set(0, bits));
    let mut truth = Oracle::truth(&variant);
    Oracle::new(&variant).expect(&columns, &mut truth);
    let mut results = Column::new(variant.results()[0].ty.row_bytes(), 1);
    results.set(0, answer);
    let mut tally = Tally::default();
    let trial = Trial { first: 0, operands: &columns, results: &results };
    Judge::new(&variant).judge(&truth, trial, &mut tally);
    assert_eq!(tally.vectors, 1);
    tally
}

fn accepted(text: &str, operands: &[u64], answer: u64, counted: &[(&str, &str)]) {
    let tally = judge(text, operands, answer);
    let shown = format!("{text} {operands:x?} = {answer:#x}");
    assert_eq!(tally.mismatches, 0, "{shown}");
    let mut expected: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for (relaxation, reading) in counted {
        *expected.entry((*relaxation).into()).or_default().entry((*reading).into()).or_default() += 1;
    }
    assert_eq!(tally.answers, expected, "{shown}");
}

fn refused(text: &str, operands: &[u64], answer: u64, kind: Kind) {
    let tally = judge(text, operands, answer);
    let shown = format!("{text} {operands:x?} = {answer:#x}");
    assert_eq!(tally.mismatches, 1, "{shown}");
    assert_eq!(tally.classes.keys().copied().collect::<Vec<_>>(), [kind], "{shown}");
}

#[test]
fn nan_is_any_nan_where_the_row_says_so_and_nowhere_else() {
    let nan = [0x7e00, 0x3c00];
    accepted("mul.f16", &nan, 0x7fff, &[("any-nan", "canonical")]);
    accepted("mul.f16", &nan, 0xfe01, &[("any-nan", "other")]);
    accepted("mul.f16", &[0x3c00, 0x3c00], 0x3c00, &[]);
    refused("mul.f16", &nan, 0x7c00, Kind::NanLost);
    refused("mul.f16", &[0x3c00, 0x3c00], 0x7fff, Kind::NanAppeared);
    refused("fma.rn.relu.f16", &[0x7e00, 0x3c00, 0], 0x7e00, Kind::NanBits);
    refused("fma.rn.sat.f16", &[0x7e00, 0x3c00, 0], 0x7fff, Kind::NanAppeared);
}

#[test]
fn zero_has_its_sign_but_where_a_clamp_leaves_it_open() {
    accepted("mul.sat.f16", &[0x8000, 0x3c00], 0, &[("zero-sign", "+0")]);
    accepted("mul.sat.f16", &[0x8000, 0x3c00], 0x8000, &[("zero-sign", "-0")]);
    refused("mul.sat.f16", &[0xbc00, 0x3c00], 0x8000, Kind::ZeroSign);
    refused("mul.sat.f16", &[0x0000, 0x3c00], 0x8000, Kind::ZeroSign);
    refused("mul.f16", &[0x8000, 0x3c00], 0, Kind::ZeroSign);
    refused("add.rm.f32.f16", &[0x3c00, 0xbf80_0000], 0, Kind::ZeroSign);
    refused("add.rp.f32.f16", &[0x3c00, 0xbf80_0000], 0x8000_0000, Kind::ZeroSign);
}

/// The two ranges just below the smallest normal number tell the three readings apart.
#[test]
fn tininess_is_read_off_the_answer() {
    let full_precision = [0x3bff, 0x0400];
    accepted("mul.ftz.f16", &full_precision, 0, &[("ftz-tininess", "exact or unbounded")]);
    accepted("mul.ftz.f16", &full_precision, 0x0400, &[("ftz-tininess", "rounded")]);
    let nearer = [0x2da7, 0x11a9];
    accepted("mul.ftz.f16", &nearer, 0, &[("ftz-tininess", "exact")]);
    accepted("mul.ftz.f16", &nearer, 0x0400, &[("ftz-tininess", "unbounded or rounded")]);
    refused("mul.ftz.f16", &nearer, 0x03ff, Kind::NotFlushed);
    refused("mul.f16", &nearer, 0, Kind::ZeroAppeared);
}

#[test]
fn out_of_bounds_is_certain_for_the_measured_pattern_in_a_multiplicand() {
    let one = 0x3c00;
    accepted("fma.rn.oob.f16", &[0x7ff7, one, one], 0, &[]);
    refused("fma.rn.oob.f16", &[0x7ff7, one, one], 0x7fff, Kind::NanAppeared);
    refused("fma.rn.oob.f16", &[0x7ff7, one, one], 0x8000, Kind::ZeroSign);
    let nan = ("any-nan", "canonical");
    accepted("fma.rn.oob.f16", &[0x7eff, one, one], 0x7fff, &[nan, ("oob-pattern", "7ff7")]);
    accepted("fma.rn.oob.f16", &[0x7eff, one, one], 0, &[("oob-pattern", "7ff7 and 7eff")]);
    let addend = |reading| ("oob-addend", reading);
    accepted("fma.rn.oob.f16", &[one, one, 0x7ff7], 0x7fff, &[nan, addend("multiplicands")]);
    accepted("fma.rn.oob.f16", &[one, one, 0x7ff7], 0, &[addend("multiplicands and addend")]);
    refused("fma.rn.oob.bf16", &[0x7eff, 0x3f80, 0], 0, Kind::ZeroAppeared);
    let both = [addend("multiplicands and addend"), ("oob-pattern", "7ff7 and 7eff")];
    accepted("fma.rn.oob.f16", &[one, one, 0x7eff], 0, &both);
    refused("fma.rn.oob.f16", &[0x7fff, one, one], 0, Kind::NanLost);
}

/// Lanes are judged one by one, and a vector counts once.
#[test]
fn lanes_are_judged_one_by_one() {
    let operands = [0x7e00_3c00, 0x3c00_4000];
    accepted("mul.f16x2", &operands, 0xfe01_4000, &[("any-nan", "other")]);
    refused("mul.f16x2", &operands, 0x7fff_4001, Kind::UlpAbove);
    refused("mul.f16x2", &operands, 0x4000_7fff, Kind::LanesSwapped);
    refused("mul.f16x2", &[0x3c00_3c00, 0x3c00_3c00], 0x3c01_3bff, Kind::UlpBelow);
}
