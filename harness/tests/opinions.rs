//! Four opinions on every variant and every sweep: the MPFR oracle, the staged integer model, the
//! emulator (scalar and in lanes), and `rustc_apfloat` where it has the operation.

use harness::emulator::{Kernel, Machine};
use harness::mutant::Model;
use harness::oracle::Oracle;
use rustc_apfloat::ieee::{BFloat, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use vectors::format::{BF16, F16};
use vectors::isa::{Operation, Relaxation, Rounding};
use vectors::sweep::{Length, Sweep, columns_for};
use vectors::{Column, Variant};

/// Vectors of each sweep; odd, so that lanes have a remainder.
const ROWS: u64 = 4999;

/// The batches that a variant is asked: each sweep's beginning.
fn batches(variant: &Variant) -> Vec<(&'static str, Vec<Column>)> {
    let batch = |sweep: &'static Sweep| {
        let rows = match sweep.length(variant) {
            Length::None => return None,
            Length::Finite(all) => all.min(ROWS),
            Length::Endless => ROWS,
        };
        let mut columns = columns_for(variant, rows as usize);
        sweep.fill(variant, 0x5eed, 0, &mut columns);
        Some((sweep.name, columns))
    };
    Sweep::all().iter().filter_map(batch).collect()
}

fn assert_same(
    variant: &Variant,
    sweep: &str,
    operands: &[Column],
    who: [&str; 2],
    [a, b]: [&Column; 2],
) {
    for row in 0..a.rows() {
        let (a, b) = (a.get(row), b.get(row));
        if a != b {
            let operands: Vec<String> =
                operands.iter().map(|column| format!("{:#x}", column.get(row))).collect();
            let operands = operands.join(" ");
            panic!("{variant} {operands} ({sweep} {row}): {} {a:#x}, {} {b:#x}", who[0], who[1]);
        }
    }
}

#[test]
fn oracle_model_and_emulator_agree_on_every_variant_and_sweep() {
    for variant in Variant::all() {
        let mut oracle = Oracle::new(variant);
        let mut truth = Oracle::truth(variant);
        let model = Model::new(variant, None);
        let kernel = |machine| Kernel::of(variant, machine).expect("every variant has a kernel");
        let mut never_arose: Vec<Relaxation> =
            variant.relaxations().filter(|&relaxation| relaxation != Relaxation::AnyNan).collect();
        for (sweep, operands) in batches(variant) {
            oracle.expect(&operands, &mut truth);
            never_arose.retain(|&r| truth.alternatives.iter().all(|a| !a.open.contains(r)));
            let rows = operands[0].rows();
            let mut results = [Column::new(variant.results()[0].ty.row_bytes(), rows)];
            model.run(&operands, &mut results);
            let check = |who: &str, results: &Column| {
                assert_same(variant, sweep, &operands, ["oracle", who], [&truth.results, results]);
            };
            check("model", &results[0]);
            for machine in [Machine::Scalar, Machine::Lanes] {
                results[0].bytes_mut().fill(0);
                kernel(machine).run(&operands, &mut results);
                check(&format!("emulator ({machine:?})"), &results[0]);
            }
        }
        assert!(never_arose.is_empty(), "{variant} declares {never_arose:?}, and no sweep gets there");
    }
}

fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::TowardZero => Round::TowardZero,
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Stochastic => unreachable!("no arithmetic is stochastic"),
    }
}

/// Operands of `N` but the last, which is of `W`, converted exactly and operated on by
/// `rustc_apfloat`; `None` for NaN.
fn apfloat<N: FloatConvert<W>, W: Float>(variant: &Variant, bits: &[u64]) -> Option<u64> {
    let (last, first) = bits.split_last().expect("operands");
    let widen = |&bits: &u64| N::from_bits(bits.into()).convert(&mut false).value;
    let first: Vec<W> = first.iter().map(widen).collect();
    let last = W::from_bits((*last).into());
    let round = round(variant.rounding());
    let result = match variant.operation() {
        Operation::Add => first[0].add_r(last, round),
        Operation::Sub => first[0].sub_r(last, round),
        Operation::Mul => first[0].mul_r(last, round),
        Operation::Fma => first[0].mul_add_r(first[1], last, round),
        operation => unreachable!("{operation:?}"),
    };
    (!result.value.is_nan()).then(|| result.value.to_bits() as u64)
}

#[test]
fn oracle_and_apfloat_agree_on_every_variant_that_only_rounds() {
    let only_rounds =
        |v: &&Variant| v.modifiers().iter().all(|m| m.rounding().is_some()) && v.lanes() == 1;
    let mut compared = 0;
    for variant in Variant::all().iter().filter(only_rounds) {
        let mut oracle = Oracle::new(variant);
        let mut truth = Oracle::truth(variant);
        let result = variant.results()[0].ty.format;
        let narrow = variant.operands()[0].ty.format;
        let reference = match (*narrow, narrow == result) {
            (F16, true) => apfloat::<Half, Half>,
            (BF16, true) => apfloat::<BFloat, BFloat>,
            (F16, false) => apfloat::<Half, Single>,
            (BF16, false) => apfloat::<BFloat, Single>,
            other => panic!("{variant} is of {other:?}"),
        };
        for (sweep, operands) in batches(variant) {
            oracle.expect(&operands, &mut truth);
            for row in 0..operands[0].rows() {
                let bits: Vec<u64> = operands.iter().map(|column| column.get(row)).collect();
                let expected = reference(variant, &bits).unwrap_or(result.canonical_nan());
                let actual = truth.results.get(row);
                assert!(
                    actual == expected,
                    "{variant} {bits:x?} ({sweep} {row}): {actual:#x} {expected:#x}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000_000, "only {compared} vectors compared");
}
