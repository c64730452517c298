//! Tests that faults in sums of products are found by both judges: the contract, and the bit-for-bit results of a
//! target.

use std::collections::HashSet;

use formats::Column;
use isa::Target;
use isa::matrix::{Lowering, MatrixVariant, columns_for, results_for};
use judge::{Batch, SumJudge, SumTruth, Tally};
use model::{DotFault, DotModel, FaultJudge};
use oracle::dot::Sums;
use sweeps::matrix::DotSweep;

use crate::common::each;

/// The most vectors of each sweep, in parts that grow.
const PARTS: [u64; 2] = [32, 320];
/// The same for sums of f64, in which single bits are lost, each in few vectors.
const PARTS_OF_DOUBLE: [u64; 2] = [32, 1 << 10];

/// Returns one variant and target for every kind of lowering with every kind of operands.
fn subjects() -> Vec<(&'static MatrixVariant, Target)> {
    let mut seen = HashSet::new();
    let mut subjects = Vec::new();
    for variant in MatrixVariant::all() {
        let dot = variant.dot();
        for (target, _) in Target::all() {
            let Some(lowering) = Lowering::assumed(variant, target) else { continue };
            let scales = dot.scales.map(|scales| (scales.format.name, scales.count));
            let kind = (dot.d.name, dot.c.name, dot.a.width(), scales, dot.sparsity);
            let lowering = std::mem::discriminant(&lowering);
            if seen.insert(format!("{kind:?} {lowering:?} {}", variant.words()[0])) {
                subjects.push((variant, target));
            }
        }
    }
    subjects
}

/// The judge that finds a mutant, if either does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KillingJudge {
    Contract,
    Bits,
    Unseen,
}

/// A batch of vectors with its right results: every fault is tried on the same vectors.
struct JudgedBatch {
    operands: Vec<Column>,
    right: Vec<Column>,
    truths: Vec<SumTruth>,
}

/// Returns the batches that a variant is asked, in parts.
fn batches(variant: &MatrixVariant, right: &DotModel) -> [Vec<JudgedBatch>; 2] {
    let mut sums = Sums::new(variant);
    let parts = if variant.dot().d.name == "f64" { PARTS_OF_DOUBLE } else { PARTS };
    parts.map(|most| {
        let batch = |sweep: &DotSweep| {
            let rows = sweep.length(variant).at_most(most) as usize;
            let (mut operands, mut results) = (columns_for(variant, rows), results_for(variant, rows));
            sweep.fill(variant, 0, 0, &mut operands);
            right.run(&operands, &mut results);
            let mut truths = Vec::new();
            sums.expect(&operands, &mut truths);
            JudgedBatch { operands, right: results, truths }
        };
        DotSweep::all()
            .iter()
            .filter(|sweep| sweep.length(variant).at_most(most) > 0)
            .map(batch)
            .collect()
    })
}

/// Returns which judge finds one fault in one variant, or nothing where the variant cannot have the fault.
///
/// The contract is asked first, with as many vectors as it takes.
fn end(
    variant: &MatrixVariant,
    target: Target,
    fault: DotFault,
    parts: &[Vec<JudgedBatch>],
) -> Option<KillingJudge> {
    let faulty = DotModel::with_fault(variant, target, fault)?;
    let judge = SumJudge::new(variant);
    let mut differs = false;
    for batches in parts {
        for JudgedBatch { operands, right, truths } in batches {
            let mut results = results_for(variant, operands[0].rows());
            faulty.run(operands, &mut results);
            if results == *right {
                continue;
            }
            differs = true;
            let mut tally = Tally::default();
            judge.judge(truths, Batch::new(operands, &results), &mut tally);
            if tally.mismatches > 0 {
                return Some(KillingJudge::Contract);
            }
        }
        if differs
            && fault.judge_that_sees(variant, Lowering::assumed(variant, target)?)
                != FaultJudge::Contract
        {
            break;
        }
    }
    Some(if differs { KillingJudge::Bits } else { KillingJudge::Unseen })
}

/// The exceptions: faults that may be found by another judge than their row says, and why.
const OTHERWISE: &[(&str, KillingJudge, &str)] = &[
    // The manual lets a sum's result be rounded toward zero, which saturates.
    ("overflow-saturates", KillingJudge::Bits, "rounding is unspecified but of f64"),
    ("fraction-bits-less", KillingJudge::Bits, "f16 hides it where D is narrower than C"),
    ("short-accumulator", KillingJudge::Bits, "the same, and where 13 bits are all that the sum has"),
    (
        "subnormal-results-flushed",
        KillingJudge::Bits,
        "half precision loses as much, where that is enough, and a subnormal addend may be zero",
    ),
    // Faults that no vector can show.
    (
        "subnormal-addend-halved",
        KillingJudge::Unseen,
        "a subnormal f32 is nothing beside any number of f16",
    ),
    ("terms-permuted-within-group", KillingJudge::Unseen, "a group is added exactly"),
];

/// The contract finds every fault that the manual forbids and none that it permits; bit for bit, every fault is
/// found that can be.
#[test]
fn each_fault_is_seen_by_the_judge_that_can() {
    let subjects = subjects();
    let of_each = each(&subjects, |&(variant, target)| {
        let right = DotModel::of(variant, target).expect("it has a lowering");
        let parts = batches(variant, &right);
        let of_fault = |&fault: &DotFault| {
            let end = end(variant, target, fault, &parts)?;
            let lowering = Lowering::assumed(variant, target).expect("it has one");
            let due = match fault.judge_that_sees(variant, lowering) {
                FaultJudge::Contract => KillingJudge::Contract,
                FaultJudge::Bits | FaultJudge::Permitted => KillingJudge::Bits,
            };
            // A judge never accuses what the manual permits.
            let explained = end != KillingJudge::Contract
                && OTHERWISE.iter().any(|(id, how, _)| *id == fault.id() && *how == end);
            let wrong = end != due && !explained;
            Some((end, wrong.then(|| format!("{} in {variant} on {target}: {end:?}", fault.id()))))
        };
        DotFault::ALL.iter().map(of_fault).collect::<Vec<_>>()
    });
    let (mut table, mut total, mut wrong) = (String::new(), [0; 3], Vec::new());
    for (number, fault) in DotFault::ALL.iter().enumerate() {
        let mut ends = [0; 3];
        for (end, accused) in of_each.iter().filter_map(|of_subject| of_subject[number].as_ref()) {
            ends[*end as usize] += 1;
            wrong.extend(accused.clone());
        }
        (0..3).for_each(|end| total[end] += ends[end]);
        table += &format!("{:32} {:4} {:4} {:4}\n", fault.id(), ends[0], ends[1], ends[2]);
    }
    let summary = format!("{} subjects, {total:?}\n{table}", subjects.len());
    assert!(wrong.is_empty(), "{summary}\n{}", wrong.join("\n"));
    // The page docs/what/matrix-limits.md gives the same figures.
    assert_eq!(total, [1305, 1434, 89], "{summary}");
}

/// The number of vectors that the quick tier asks of a sweep of sums.
const QUICK: usize = 1 << 10;

/// The faults of the one rounding of a product and what it is added to, each with the least number of the quick tier's
/// vectors of the sweep `discarded` that show it in any sum.
const OF_ONE_ROUNDING: [(DotFault, u64); 6] = [
    (DotFault::ProductsRounded, 300),
    (DotFault::BitLost3, 1),
    (DotFault::BitLost8, 1),
    (DotFault::BitLost22, 1),
    (DotFault::BitLost40, 1),
    (DotFault::StickyLost106, 8),
];

/// Counts the mismatches that the contract sees in some vectors of one sweep, where a sum has a fault; `None` if the sum
/// has nothing that the fault is about.
fn mismatches(
    sweep: &DotSweep,
    rows: usize,
    (variant, target): (&MatrixVariant, Target),
    fault: DotFault,
) -> Option<u64> {
    let faulty = DotModel::with_fault(variant, target, fault)?;
    let (mut operands, mut results) = (columns_for(variant, rows), results_for(variant, rows));
    sweep.fill(variant, 0, 0, &mut operands);
    faulty.run(&operands, &mut results);
    let (mut truths, mut tally) = (Vec::new(), Tally::default());
    Sums::new(variant).expect(&operands, &mut truths);
    SumJudge::new(variant).judge(&truths, Batch::new(&operands, &results), &mut tally);
    Some(tally.mismatches)
}

/// The contract finds a sum of f64 whose products are rounded before they are added, or which loses one bit, by the
/// sweep `discarded` alone: its sums of one product are rounded once, in every order of adding.
#[test]
fn discarded_shows_what_is_not_rounded_once() {
    let sweep = DotSweep::named("discarded").expect("the sweep");
    let double = MatrixVariant::all().iter().filter(|variant| variant.dot().d.name == "f64");
    let (fused, open): (Vec<_>, Vec<_>) = double.partition(|variant| variant.words()[0] == "mma");
    assert!(fused.len() >= 16 && !open.is_empty(), "{} and {} variants", fused.len(), open.len());
    let target = "sm_90".parse().expect("a target");
    let count = |&variant: &&MatrixVariant| {
        OF_ONE_ROUNDING.map(|(fault, _)| mismatches(sweep, QUICK, (variant, target), fault))
    };
    for (variant, counts) in fused.iter().zip(each(&fused, count)) {
        for ((fault, least), count) in OF_ONE_ROUNDING.into_iter().zip(counts) {
            let enough = count.is_none_or(|count| count >= least);
            assert!(enough, "{} in {variant}: {count:?} of {QUICK}", fault.id());
        }
    }
    // What the manual does not promise to be fused may be unfused.
    for counts in each(&open[..1], count) {
        assert!(counts.iter().all(|count| count.is_none_or(|count| count == 0)), "{counts:?}");
    }
}
