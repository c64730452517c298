//! Tests of the judge with the oracle's truths: what is accepted, what is counted, and what is not tolerated.

mod bounds;
mod elsewhere;
mod ends;
mod in_turn;
mod nan;
mod open;
mod three;

use std::collections::BTreeMap;

use formats::Column;
use isa::{Register, Variant, columns_for};
use judge::{Batch, Judge, MismatchKind, Tally, Truth};
use oracle::Oracle;

/// The encoding of f32's infinity.
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

/// Returns the results that the oracle expects of these operands, of which each register is a column.
fn expected(text: &str, operands: &[Vec<u64>]) -> Vec<u64> {
    let variant: Variant = text.parse().unwrap();
    let rows = operands[0].len();
    let mut columns: Vec<Column> = columns_for(&variant, rows);
    for (column, data) in columns.iter_mut().zip(operands) {
        data.iter().enumerate().for_each(|(row, &bits)| column.set(row, bits));
    }
    let mut truth = Truth::new(&variant);
    Oracle::new(&variant).expect(&columns, &mut truth);
    (0..rows).map(|row| truth.results[0].get(row)).collect()
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
    accepted("mul.sat.f16", &[0x8000, 0x3c00], 0x8000, &[("zero-sign", "-0 or clamped first")]);
    refused("mul.sat.f16", &[0xbc00, 0x3c00], 0x8000, MismatchKind::ZeroSign);
    refused("mul.sat.f16", &[0x0000, 0x3c00], 0x8000, MismatchKind::ZeroSign);
    refused("mul.f16", &[0x8000, 0x3c00], 0, MismatchKind::ZeroSign);
    refused("add.rm.f32.f16", &[0x3c00, 0xbf80_0000], 0, MismatchKind::ZeroSign);
    refused("add.rp.f32.f16", &[0x3c00, 0xbf80_0000], 0x8000_0000, MismatchKind::ZeroSign);
}

/// Checks the two ranges just below the smallest normal number, which tell the three interpretations of tininess
/// apart.
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

/// Checks that lanes are judged one by one, and a vector counts once.
#[test]
fn lanes_are_judged_one_by_one() {
    let operands = [0x7e00_3c00, 0x3c00_4000];
    accepted("mul.f16x2", &operands, 0xfe01_4000, &[("any-nan", "other")]);
    refused("mul.f16x2", &operands, 0x7fff_4001, MismatchKind::UlpAbove);
    refused("mul.f16x2", &operands, 0x4000_7fff, MismatchKind::LanesSwapped);
    refused("mul.f16x2", &[0x3c00_3c00, 0x3c00_3c00], 0x3c01_3bff, MismatchKind::UlpBelow);
}

/// Checks that the bits of a register that hold no lane are zeros.
#[test]
fn padding_is_zero() {
    let ones = [0x3f80_0000, 0x3f80_0000];
    accepted("cvt.rn.satfinite.e2m3x2.f32", &ones, 0x0808, &[]);
    refused("cvt.rn.satfinite.e2m3x2.f32", &ones, 0x4808, MismatchKind::Padding);
    refused("cvt.rn.satfinite.e2m3x2.f32", &ones, 0x0848, MismatchKind::Padding);
    refused("setp.eq.f16", &[0, 0], 3, MismatchKind::Padding);
    // What is wrong with a lane comes first.
    refused("cvt.rn.satfinite.e2m3x2.f32", &ones, 0x4908, MismatchKind::UlpAbove);
}

/// Checks that predicates are judged as registers of their own, and a vector counts once.
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

/// Checks that wrong integers and truth values have kinds of mismatch of their own.
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
