//! Tests with planted implementations, which are to be identified as what they are.

use std::collections::HashSet;

use emulator::dot::DotKernel;
use formats::Column;
use isa::matrix::{DotData, Lowering, Unit, UnitRounding};
use isa::{Target, Variant};
use model::{DotFault, DotModel};

use super::*;

/// A function that computes results from operands.
type Sums = dyn Fn(&MatrixVariant, &[Column], &mut [Column]);

/// A planted implementation, whose sums are computed in some way.
struct PlantedSums(Box<Sums>);

impl PlantedSums {
    fn lowered(lowering: Lowering) -> PlantedSums {
        PlantedSums(Box::new(move |variant, operands, results| {
            DotKernel::with_lowering(variant, lowering).unwrap().run(operands, results);
        }))
    }
}

impl Worker for PlantedSums {
    fn run(&mut self, _: &Variant, _: &[Column], _: &mut [Column]) -> Result<()> {
        bail!("it has matrix instructions alone")
    }

    fn run_dots(
        &mut self,
        variant: &MatrixVariant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        (self.0)(variant, operands, results);
        Ok(())
    }
}

fn variant(text: &str) -> &'static MatrixVariant {
    MatrixVariant::all().iter().find(|variant| variant.text() == text).unwrap()
}

/// Returns one variant of every sum, with the models that it has.
fn representatives() -> Vec<(&'static MatrixVariant, Vec<Model>)> {
    let mut seen = HashSet::new();
    let each = MatrixVariant::all().iter().map(|variant| (variant, models::models_of(variant)));
    each.filter(|(variant, models)| {
        let lowerings: Vec<Lowering> = models.iter().map(|model| model.lowering).collect();
        seen.insert(format!("{:?} {lowerings:?}", variant.dot()))
    })
    .collect()
}

#[test]
fn every_generation_is_identified() {
    let targets = ["sm_70", "sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a"];
    let targets = targets.map(|name| name.parse::<Target>().unwrap());
    let (mut seen, mut wrong) = (HashSet::new(), Vec::new());
    for (variant, models) in representatives() {
        for model in models {
            let Some(target) = targets.iter().find(|target| model.targets.contains(target)) else {
                continue;
            };
            if !seen.insert(format!("{:?} {:?}", variant.dot(), model.lowering)) {
                continue;
            }
            let mut planted = PlantedSums::lowered(model.lowering);
            let finding = identify(&[variant], &mut planted, 8).unwrap();
            if !finding.is_proven() || finding.way != Some(model.way()) {
                wrong.push(format!("{target}, {:?}: {}", model.lowering, finding.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), seen.len(), wrong.join("\n"));
    assert!(seen.len() > 100, "{}", seen.len());
}

/// The file of splits. It has a line for each pair of models of a sum: the variant, a target of each model, and the
/// sweep with the number of a vector on which they differ, or `none`.
const SPLITS: &str = include_str!("splits.txt");

#[test]
fn every_two_models_of_a_sum_have_a_vector_that_splits_them() {
    let lines: HashMap<String, &str> = SPLITS
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            (words[..3].join(" "), words[3])
        })
        .collect();
    let (mut missing, mut used) = (Vec::new(), 0);
    for (variant, models) in representatives() {
        for (at, one) in models.iter().enumerate() {
            for other in &models[at + 1..] {
                let key = format!("{variant} {} {}", one.targets[0], other.targets[0]);
                let pair = [one.way(), other.way()];
                let splits = |line: &str| {
                    let Some((sweep, number)) = line.split_once(' ') else { return line == "none" };
                    let sweep = DotSweep::named(sweep).unwrap();
                    let operands = proof::vector(variant, sweep, number.parse().unwrap());
                    let [one, other] = pair.map(|way| {
                        sum_computation::Reckoner::new(variant, way).unwrap().results(variant, &operands)
                    });
                    one != other
                };
                match lines.get(&key) {
                    Some(line) if splits(line) => used += 1,
                    _ => missing.push(match proof::split(variant, pair, SOUGHT) {
                        Some((sweep, number)) => format!("{key} {} {number}", sweep.name),
                        None => format!("{key} none"),
                    }),
                }
            }
        }
    }
    assert!(missing.is_empty(), "splits.txt lacks\n{}", missing.join("\n"));
    assert_eq!(used, lines.len(), "splits.txt has lines of no pair");
}

const F16: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
const BF16: &str = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";

#[test]
fn unknown_units_have_their_parameters_found() {
    for (text, unit) in [
        (
            F16,
            Unit {
                fraction_bits: 20,
                group: 8,
                zero_exponent: -132,
                rounding: UnitRounding::TowardZero,
            },
        ),
        (
            BF16,
            Unit {
                fraction_bits: 24,
                group: 4,
                zero_exponent: -128,
                rounding: UnitRounding::NearestEven,
            },
        ),
    ] {
        let planted = Lowering::Unit(unit);
        let finding = identify(&[variant(text)], &mut PlantedSums::lowered(planted), 64).unwrap();
        assert!(!finding.known && !finding.is_proven(), "{}", finding.text());
        let Some(SumComputation::Lowered(Lowering::Unit(found))) = finding.way else {
            panic!("{}", finding.text())
        };
        assert_eq!(finding.proof.mismatches, 0, "{}", finding.text());
        let shown = |unit: Unit| (unit.fraction_bits, unit.group, unit.rounding);
        assert_eq!(shown(found), shown(unit), "{}", finding.text());
        if text == BF16 {
            assert_eq!(found, unit);
        }
    }
}

/// The exact sum is named as such: a reference in wide arithmetic has it, and no tensor core. Of zeros it has only +0.
#[test]
fn an_exact_sum_is_named() {
    let on = "sm_90a".parse::<Target>().unwrap();
    for text in [
        F16,
        BF16,
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
        "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
        "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2(a-regs)",
    ] {
        let exact = DotModel::with_fault(variant(text), on, DotFault::WideSumRoundedOnce).unwrap();
        let mut exact = PlantedSums(Box::new(move |_, operands, results| exact.run(operands, results)));
        let finding = identify(&[variant(text)], &mut exact, 64).unwrap();
        assert_eq!(finding.way, Some(SumComputation::RoundedOnce), "{}", finding.text());
        assert!(finding.proof.mismatches == 0 && !finding.is_proven(), "{}", finding.text());
        assert!(finding.text().contains("no tensor core's: the exact sum"), "{}", finding.text());
        assert!(finding.order.ends_with("the addend together"), "{}", finding.text());
        assert_eq!(finding.widths, [""; 0], "{}", finding.text());
    }
}

#[test]
fn zeros_are_no_model() {
    for text in [F16, BF16, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"] {
        let mut zeros = PlantedSums(Box::new(|_, _, results| results[0].bytes_mut().fill(0)));
        let finding = identify(&[variant(text)], &mut zeros, 16).unwrap();
        assert!(!finding.known && finding.way.is_none(), "{}", finding.text());
        assert!(finding.order.starts_with("no tree"), "{}", finding.text());
    }
}

/// An implementation is seen to sum the terms by a unit, and to add the addend to their sum.
#[test]
fn an_addend_that_comes_last_is_seen() {
    let lowering = models::models_of(variant(F16))[0].lowering;
    let mut last = PlantedSums(Box::new(move |variant, operands, results| {
        let mut terms = operands.to_vec();
        terms[2].bytes_mut().fill(0);
        DotKernel::with_lowering(variant, lowering).unwrap().run(&terms, results);
        for row in 0..results[0].rows() {
            let number = |column: &Column| f32::from_bits(column.get(row) as u32);
            let sum = number(&results[0]) + number(&operands[2]);
            results[0].set(row, sum.to_bits().into());
        }
    }));
    let finding = identify(&[variant(F16)], &mut last, 64).unwrap();
    assert!(finding.order.starts_with("the addend last"), "{}", finding.text());
    assert!(!finding.is_proven(), "{}", finding.text());
}

#[test]
fn what_it_has_none_of_is_an_error() {
    let only = |text: &str| run(&implementations::Canary, &[text.to_owned()], 8, 1, &|_| ());
    for (text, words) in
        [(F16, "has none of the selected matrix instructions"), ("add.f16", "no matrix instruction")]
    {
        let error = only(text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// A chain of fused operations of f32, as simulators have it, is seen.
#[test]
fn a_chain_of_single_operations_is_seen() {
    let mut chain = PlantedSums(Box::new(|variant, operands, results| {
        let dot = variant.dot();
        let mut data = DotData::new(dot);
        for row in 0..results[0].rows() {
            data.read(dot, variant.operands(), operands, row);
            let wide = |bits: u64| f32::from_bits((bits as u32) << 16);
            let terms = data.a.iter().zip(&data.b).map(|(&a, &b)| (wide(a), wide(b)));
            let sum = terms.fold(f32::from_bits(data.c as u32), |sum, (a, b)| a.mul_add(b, sum));
            results[0].set(row, sum.to_bits().into());
        }
    }));
    let finding = identify(&[variant(BF16)], &mut chain, 16).unwrap();
    assert_eq!(finding.order, "one term after the other, from the addend on", "{}", finding.text());
    assert!(!finding.known && !finding.is_proven(), "{}", finding.text());
}

/// A unit that is known but for one thing, which no deciding vector asks for, is not proven.
#[test]
fn a_guess_that_some_vector_refutes_is_not_proven() {
    let lowering = models::models_of(variant(F16))[0].lowering;
    let mut almost = PlantedSums(Box::new(move |variant, operands, results| {
        DotKernel::with_lowering(variant, lowering).unwrap().run(operands, results);
        for row in 0..results[0].rows() {
            let bits = results[0].get(row);
            if bits & 0xff == 0x7f {
                results[0].set(row, bits ^ 1);
            }
        }
    }));
    let finding = identify(&[variant(F16)], &mut almost, 64).unwrap();
    assert!(finding.known && !finding.is_proven(), "{}", finding.text());
    let first = finding.proof.first.as_ref().unwrap();
    assert!(first.answer.ends_with("7e") && first.guess.ends_with("7f"), "{first:?}");
    assert!(finding.text().contains("not proven"), "{}", finding.text());
}
