//! Contracts that are bounds: every result of an interval is right.

use formats::{Class, Element, F32, Format, FormatId, column};
use isa::{Bound, Contract, LaneData, Meaning, Relaxation};

use super::batch::Batch;
use super::error::{Errors, SplitExact, relative_error};
use super::interval::{Interval, Point};
use super::judge::Judge;
use super::kind::{MismatchKind, Violation};
use super::nan::NanAnswers;
use super::profile::Profiles;
use super::tally::Tally;
use super::truth::Truth;
use super::units::{ErrorUnit, power, tiny};

impl Judge {
    /// Compares the elements of the output, where the contract is a bound.
    pub(super) fn compare_with_bounds(
        &self,
        data: &LaneData,
        truth: &Truth,
        intervals: &[Interval],
        batch: Batch,
        tally: &mut Tally,
        violations: &mut Vec<Violation>,
    ) {
        let Contract::Within(accuracy) = self.variant.form().contract else { return };
        let (format, lanes) = (data.format, data.slots.len());
        let rows = batch.results[0].rows();
        let registers = self.variant.results();
        let mut errors = vec![Errors::default(); accuracy.ranges.len()];
        let mut profiles = Profiles::new(&self.variant, batch, accuracy.ranges.len());
        let lists = (&mut errors[..], &mut profiles, &mut *violations);
        let views = (data.view(registers, &truth.results), data.view(registers, batch.results));
        let Choices { nans, points, firsts } = match (views, format.id == FormatId::F32) {
            // The format is a constant here, which makes the loop several times as fast.
            ((Some(expected), Some(actual)), true) => {
                self.lie_within::<u32>(&F32, (expected, actual), lanes, intervals, batch, lists)
            }
            _ => {
                let mut expected = vec![0u64; rows * lanes];
                let mut actual = expected.clone();
                data.gather(registers, &truth.results, 0..rows, &mut expected);
                data.gather(registers, batch.results, 0..rows, &mut actual);
                self.lie_within(format, (&expected, &actual), lanes, intervals, batch, lists)
            }
        };
        nans.count(self.nan, tally);
        for (relaxation, [first, second]) in Relaxation::ALL.into_iter().zip(points) {
            // The index is a set of interpretations: 1 has the first one alone, and 2 the second one.
            tally.agreement(relaxation, &[0, first, second]);
            let rows = firsts[relaxation as usize].into_iter().enumerate();
            for (interpretation, row) in rows.filter(|_| relaxation.is_of_sentence()) {
                if let Some(row) = row {
                    let describe = || self.describe(truth, batch, row);
                    tally.first(relaxation, 1 << interpretation, batch.number(row), describe);
                }
            }
        }
        for (errors, profile) in errors.iter_mut().zip(profiles.finish()) {
            errors.profile = profile;
        }
        for (range, errors) in accuracy.ranges.iter().zip(errors) {
            tally.errors.entry(range.name.into()).or_default().merge(errors);
        }
    }

    /// Judges the elements in a loop for [`Judge::compare_with_bounds`]: adds their errors and violations, and returns
    /// the choices that results made.
    #[inline(always)]
    fn lie_within<T: Element>(
        &self,
        format: &Format,
        (expected, actual): (&[T], &[T]),
        lanes: usize,
        intervals: &[Interval],
        batch: Batch,
        (errors, profiles, violations): (&mut [Errors], &mut Profiles, &mut Vec<Violation>),
    ) -> Choices {
        let mut choices = Choices::default();
        let &Meaning { flush, upper_half, .. } = self.variant.meaning();
        let ftz = flush.result;
        let unit = ErrorUnit::of(format, upper_half);
        // The bits that an instruction leaves zero: the lower half of an f64, or none.
        let nothing = (1u64 << unit.cut) - 1;
        for (element, interval) in intervals.iter().enumerate() {
            let (expected, actual) = (expected[element].bits(), actual[element].bits());
            let row = element / lanes;
            let mut violation = |kind| violations.push(Violation { row, kind });
            let is_nan = format.is_nan(actual);
            if actual & nothing != 0 {
                violation(MismatchKind::Padding);
            } else if is_nan && format.is_nan(expected) {
                if interval.point == Point::ThisNan {
                    if actual != expected {
                        violation(MismatchKind::NanBits);
                    }
                } else {
                    let answer = self.nan_answer(format, batch, element, (expected, actual));
                    choices.nans.0[answer] += 1;
                    // NaN is expected by the first interpretation, as every expected result is.
                    choices.of(interval.point, 0, row);
                }
            } else if interval.point != Point::Bound && self.is_other(format, interval, actual) {
                choices.of(interval.point, 1, row);
            } else if ftz && format.class(actual) == Class::Subnormal {
                violation(MismatchKind::NotFlushed);
            } else if !interval.has(format, actual) {
                violation(match interval.range {
                    Some(_) if !is_nan && is_minimum(interval.point) => MismatchKind::OutOfRange,
                    Some(_) if !is_nan => MismatchKind::OutOfBound,
                    // Special inputs lie in no range, and NaN is at no distance.
                    _ => MismatchKind::of(&self.variant, format, expected, actual),
                });
            } else if interval.point != Point::Bound {
                let second = match interval.point {
                    Point::Subnormal => self.is_beyond(interval, actual),
                    Point::Gross => is_other_side(format, interval, actual),
                    _ => false,
                };
                choices.of(interval.point, second.into(), row);
            }
            if let Some(range) = interval.range {
                // A flushed result is not in error.
                let flushed =
                    ftz && actual & format.magnitude_mask() == 0 && tiny(format, interval.exact);
                let exact = match flushed {
                    true => SplitExact { value: 0.0, rest: 0.0 },
                    false => SplitExact::of(interval),
                };
                let vector = || (batch.number(row), column::row_bits(batch.operands, row));
                let ulp = errors[range as usize].add(unit, exact, actual, vector);
                profiles.add(element, range, interval, (ulp, unit));
            }
        }
        choices
    }

    /// Whether a result is right by the second interpretation of the interval's point.
    #[inline(never)]
    fn is_other(&self, format: &Format, interval: &Interval, actual: u64) -> bool {
        let any_nan = interval.point == Point::ZeroDividend && format.is_nan(actual);
        any_nan || interval.other(format, self.variant.nan()) == Some(actual)
    }

    /// Whether a subnormal result is farther from the exact value than the relative bound says.
    #[inline(never)]
    fn is_beyond(&self, interval: &Interval, actual: u64) -> bool {
        let Contract::Within(accuracy) = self.variant.form().contract else { return false };
        let range = interval.range.map(|range| accuracy.ranges[range as usize].bound);
        let Some(Bound::Relative(log2)) = range else { return false };
        relative_error(self.variant.outputs()[0].format, interval.exact, actual) > log2.exp2()
    }
}

/// Counts of how often the contract left a choice, and which one was made.
struct Choices {
    nans: NanAnswers,
    /// Counts by relaxation: of the first interpretation, and of the second.
    points: [[u64; 2]; Relaxation::ALL.len()],
    /// First row by relaxation and interpretation.
    firsts: [[Option<usize>; 2]; Relaxation::ALL.len()],
}

impl Default for Choices {
    fn default() -> Choices {
        const POINTS: usize = Relaxation::ALL.len();
        Choices { nans: NanAnswers::default(), points: [[0; 2]; POINTS], firsts: [[None; 2]; POINTS] }
    }
}

impl Choices {
    #[inline]
    fn of(&mut self, point: Point, interpretation: usize, row: usize) {
        if let Some(relaxation) = point.relaxation() {
            self.points[relaxation as usize][interpretation] += 1;
            self.firsts[relaxation as usize][interpretation].get_or_insert(row);
        }
    }
}

/// Whether all that is promised at a point is a minimum.
fn is_minimum(point: Point) -> bool {
    matches!(point, Point::Minimum | Point::Gross)
}

/// Whether a result is flushed though the exact value is normal, or the reverse.
#[inline(never)]
fn is_other_side(format: &Format, interval: &Interval, actual: u64) -> bool {
    let tiny = interval.exact.abs() < power(format.exponent_min());
    tiny != (actual & format.magnitude_mask() == 0)
}
