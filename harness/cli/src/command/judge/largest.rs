//! The largest error that was seen where a meaning has a bound, with the operands and the trial that gave it.

use compilers::unit::Approximation;
use reports::{RangeReport, Report};

use super::trials::Trial;

/// The name of the detail in which a report has the largest error.
const DETAIL: &str = "largest error";

/// The largest error of the trials so far.
#[derive(Clone, Debug)]
pub struct LargestError {
    /// The error in ulp; infinite if a result is not a number where it should be, or the reverse.
    ulp: f64,
    /// The operands that gave the error.
    operands: String,
    /// The bound that the meaning has, in words.
    bound: String,
    /// The place of approximate instructions in their bounds, in the trial that gave the error.
    approximation: Approximation,
}

impl LargestError {
    /// Returns the largest error of a trial's report and of the trials before it; `None` if the meaning has no bound.
    pub fn after(before: Option<LargestError>, report: &Report, trial: Trial) -> Option<LargestError> {
        let ranges = report.variants.iter().flat_map(|variant| &variant.accuracy);
        let found = ranges.filter_map(|range| LargestError::of(range, trial.approximation));
        // Of equal errors, the first one is kept.
        before
            .into_iter()
            .chain(found)
            .reduce(|one, other| if other.ulp > one.ulp { other } else { one })
    }

    fn of(range: &RangeReport, approximation: Approximation) -> Option<LargestError> {
        let worst = range.worst.as_ref()?;
        let each = worst.operands.iter().map(|datum| format!("{} = {}", datum.name, datum.bits));
        Some(LargestError {
            ulp: worst.ulp.unwrap_or(f64::INFINITY),
            operands: each.collect::<Vec<_>>().join(", "),
            bound: range.bound.clone(),
            approximation,
        })
    }

    /// Returns the error in words. `trials` are all that were planned.
    fn in_words(&self, trials: &[Trial]) -> String {
        let LargestError { ulp, operands, bound, approximation } = self;
        let error = match ulp {
            ulp if ulp.is_infinite() => "infinite".to_owned(),
            ulp if *ulp >= 1e6 => format!("{ulp:.3e} ulp"),
            ulp => format!("{} ulp", (ulp * 1e4).round() / 1e4),
        };
        let with = match trials.iter().any(|trial| trial.approximation.is_end()) {
            true => {
                format!(", with the {} results of the approximate instructions", approximation.name())
            }
            false => String::new(),
        };
        format!("{error} for {operands}{with}; permitted: {bound}")
    }

    /// Adds the error to the details of a report.
    pub fn add_to(&self, report: &mut Report, trials: &[Trial]) {
        report.implementation.details.insert(DETAIL.into(), self.in_words(trials));
    }

    /// Returns the line that is printed.
    pub fn line(&self, trials: &[Trial]) -> String {
        format!("Largest error: {}.\n", self.in_words(trials))
    }
}
