//! Tests that each fault changes a result of some sweep, except one fault that can change nothing.

use isa::Target;
use isa::matrix::{Lowering, MatrixVariant, columns_for, results_for};
use sweeps::Length;
use sweeps::matrix::DotSweep;

use crate::{DotFault, DotModel};

/// The number of vectors that are looked at of each sweep of a sum.
const ROWS: usize = 640;

/// The number of vectors that the quick tier asks of a sweep.
const QUICK: usize = 1 << 10;

/// The number of sums that are looked at of those that have what a fault is about.
const SUMS: usize = 24;

/// The number of sums with the fewest terms that are looked at, where much can happen to all terms.
const FEW: usize = 12;

/// Whether some vector of a sweep shows a fault.
fn shows(
    sweep: &DotSweep,
    rows: usize,
    fault: DotFault,
    (variant, target): (&MatrixVariant, Target),
) -> bool {
    let mut operands = columns_for(variant, rows);
    sweep.fill(variant, 1, 0, &mut operands);
    let results =
        [DotModel::of(variant, target), DotModel::with_fault(variant, target, fault)].map(|model| {
            let mut results = results_for(variant, rows);
            model.expect("a model of what it concerns").run(&operands, &mut results);
            results
        });
    let [right, wrong] = results.each_ref().map(|results| results[0].bytes());
    right != wrong
}

/// Returns the first sweep, in running order, that shows a fault in one of some sums, of few terms and of many.
fn shown(fault: DotFault) -> Option<&'static str> {
    let mut concerned = Lowering::every();
    concerned.retain(|&(variant, target)| DotModel::with_fault(variant, target, fault).is_some());
    concerned.sort_by_key(|(variant, _)| variant.dot().stored());
    let step = concerned.len().div_ceil(SUMS);
    let shows = |sweep: &&DotSweep| {
        let chosen = concerned.iter().enumerate().filter(|(at, _)| *at < FEW || at % step == 0);
        let mut applies = chosen.filter(|(_, (variant, _))| sweep.length(variant) != Length::None);
        applies.any(|(_, &subject)| shows(sweep, ROWS, fault, subject))
    };
    DotSweep::all().iter().find(shows).map(|sweep| sweep.name)
}

/// The faults that another sweep than the first shows first, each with the name of that sweep.
const LATER: &[(DotFault, &str)] = &[
    (DotFault::NanIgnored, "specials"),
    (DotFault::InfinityTimesZeroIsZero, "specials"),
    (DotFault::Tf32Rounded, "padding"),
    (DotFault::ZeroExponentUp, "alignment"),
    (DotFault::ZeroExponentDown, "subnormal"),
    (DotFault::OverflowSaturates, "alignment"),
    (DotFault::NegativeZeroSum, "zeros"),
    (DotFault::UnselectedMultiplied, "unselected"),
    (DotFault::BitLost40, "alignment"),
];

#[test]
fn every_fault_is_shown_by_some_sweep() {
    let is_shown = |fault: DotFault| {
        let later = LATER.iter().find(|(later, _)| *later == fault);
        let expected = later.map_or("cancellation", |(_, name)| name);
        let effective = fault != DotFault::TermsPermutedWithinGroup;
        assert_eq!(shown(fault), effective.then_some(expected), "{}", fault.id());
    };
    std::thread::scope(|scope| {
        for &fault in DotFault::ALL {
            scope.spawn(move || is_shown(fault));
        }
    });
}

/// The faults of one place, and of products that are rounded, are shown by the sweep `discarded` in every sum that has
/// what they are about.
#[test]
fn discarded_shows_lost_bits_and_rounded_products_in_every_sum() {
    let sweep = DotSweep::named("discarded").expect("the sweep");
    for fault in [
        DotFault::ProductsRounded,
        DotFault::BitLost3,
        DotFault::BitLost8,
        DotFault::BitLost22,
        DotFault::BitLost40,
        DotFault::StickyLost106,
    ] {
        let mut concerned = Lowering::every();
        concerned.retain(|&(variant, target)| DotModel::with_fault(variant, target, fault).is_some());
        assert!(concerned.len() > 8, "{}: {} sums", fault.id(), concerned.len());
        for subject in concerned {
            let (variant, target) = subject;
            assert!(shows(sweep, QUICK, fault, subject), "{} in {variant} on {target}", fault.id());
        }
    }
}
