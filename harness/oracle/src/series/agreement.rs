//! The check of what truths by series promise beside MPFR's own truths.

use judge::{Interval, Truth};

use super::decide::{HALVES, RELATIVE};

/// Returns the first element, if any, whose truth by series differs from MPFR's own where it must not.
/// [`Oracle::by_series`](crate::Oracle::by_series) promises where.
pub fn departure(series: &Truth, mpfr: &Truth) -> Option<usize> {
    let results = |truth: &Truth, at| truth.results[0].get(at);
    let agrees = |at: usize| {
        results(series, at) == results(mpfr, at) && agree(&series.intervals()[at], &mpfr.intervals()[at])
    };
    (0..mpfr.intervals().len()).find(|&at| !agrees(at))
}

fn agree(series: &Interval, mpfr: &Interval) -> bool {
    let fields = |interval: &Interval| Interval { exact: 0.0, ..*interval };
    let (value, exact) = (series.exact, mpfr.exact);
    let same = value.to_bits() == exact.to_bits() || value.is_nan() && exact.is_nan();
    let near = (value - exact).abs() <= RELATIVE * exact.abs();
    // On the same side of the numbers of f32, and of the middles between.
    let step = |value: f64| value.to_bits() >> HALVES;
    let between = |value: f64| value.to_bits() & ((1 << HALVES) - 1) != 0;
    let beside = step(value) == step(exact) && between(value) && between(exact);
    fields(series) == fields(mpfr) && (same || near && beside)
}
