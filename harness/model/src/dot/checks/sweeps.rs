//! What faults do to the sweeps: each changes a result somewhere, but one that can change nothing.

use vectors::isa::Target;
use vectors::matrix::MatrixVariant;
use vectors::matrix::sweep::{DotSweep, columns_for, results_for};
use vectors::sweep::Length;

use super::subjects;
use crate::{DotFault, DotModel};

/// Vectors looked at of each sweep of a sum.
const ROWS: usize = 256;

/// Sums looked at of those that have what a fault is about.
const SUMS: usize = 24;

/// The number of the first vector that shows a fault.
fn first(
    fault: DotFault,
    (variant, target): (&MatrixVariant, Target),
    sweep: &DotSweep,
) -> Option<usize> {
    let mut operands = columns_for(variant, ROWS);
    sweep.fill(variant, 1, 0, &mut operands);
    let [mut right, mut wrong] = [(); 2].map(|()| results_for(variant, ROWS));
    DotModel::of(variant, target)?.run(&operands, &mut right);
    DotModel::with(variant, target, fault)?.run(&operands, &mut wrong);
    (0..ROWS).find(|&row| right[0].get(row) != wrong[0].get(row))
}

/// The first sweep, in running order, that shows a fault in one of some sums, and after how many vectors.
fn shown(fault: DotFault) -> Option<(&'static str, usize)> {
    let mut concerned = subjects();
    concerned.retain(|&(variant, target)| DotModel::with(variant, target, fault).is_some());
    let step = concerned.len().div_ceil(SUMS);
    DotSweep::all().iter().find_map(|sweep| {
        let chosen = concerned.iter().step_by(step);
        let applies = chosen.filter(|(variant, _)| sweep.length(variant) != Length::None);
        let rows = applies.filter_map(|&subject| first(fault, subject, sweep));
        rows.min().map(|row| (sweep.name, row + 1))
    })
}

/// Faults that another sweep than the first shows first.
const LATER: &[(DotFault, &str)] = &[
    (DotFault::NanIgnored, "specials"),
    (DotFault::InfinityTimesZeroIsZero, "specials"),
    (DotFault::Tf32Rounded, "padding"),
    (DotFault::ZeroExponentUp, "subnormal"),
    (DotFault::ZeroExponentDown, "subnormal"),
    (DotFault::OverflowSaturates, "alignment"),
];

/// Those that none shows: the first has no effect, and the second one only where every term is −0, of which
/// there is one vector in 2^(n + 1) at best, of n terms.
const HIDDEN: &[DotFault] = &[DotFault::TermsPermutedWithinGroup, DotFault::NegativeZeroSum];

#[test]
fn every_fault_is_shown_by_some_sweep() {
    for &fault in DotFault::ALL {
        let later = LATER.iter().find(|(later, _)| *later == fault);
        let expected = later.map_or("cancellation", |(_, name)| name);
        let shown = shown(fault);
        let hidden = HIDDEN.contains(&fault);
        assert_eq!(shown.map(|(name, _)| name), (!hidden).then_some(expected), "{}", fault.id());
        // A few dozen vectors are enough of the sweep that is for it.
        assert!(shown.is_none_or(|(_, vectors)| vectors <= 64), "{}: {shown:?}", fault.id());
    }
}
