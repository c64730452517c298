//! Contracts that are bounds: every result of an interval is right.

use vectors::format::{Class, F32, FormatId};
use vectors::isa::{Contract, LaneData, Meaning, Relaxation};
use vectors::lanes::Element;
use vectors::{Format, column};

use super::error::{Errors, Unit, tiny};
use super::kind::MismatchKind;
use super::{Batch, Interval, Judge, Tally, Truth, Violation, from_ordinal, ordinal};

impl Judge {
    /// Compares the elements of the output, where the contract is a bound.
    pub(super) fn within(
        &self,
        stream: &LaneData,
        truth: &Truth,
        intervals: &[Interval],
        batch: Batch,
        tally: &mut Tally,
        violations: &mut Vec<Violation>,
    ) {
        let Contract::Within(accuracy) = self.variant.form().contract else { return };
        let (format, lanes) = (stream.format, stream.slots.len());
        let rows = batch.results[0].rows();
        let registers = self.variant.results();
        let mut errors = vec![Errors::default(); accuracy.ranges.len()];
        let lists = (&mut errors[..], &mut *violations);
        let views = (stream.view(registers, &truth.results), stream.view(registers, batch.results));
        let Choices { nans, unbounded, overflows } = match (views, format.id == FormatId::F32) {
            // The format is a constant here, which makes the loop several times as fast.
            ((Some(expected), Some(actual)), true) => {
                self.lie_within::<u32>(&F32, (expected, actual), lanes, intervals, batch, lists)
            }
            _ => {
                let mut expected = vec![0u64; rows * lanes];
                let mut actual = expected.clone();
                stream.gather(registers, &truth.results, 0..rows, &mut expected);
                stream.gather(registers, batch.results, 0..rows, &mut actual);
                self.lie_within(format, (&expected, &actual), lanes, intervals, batch, lists)
            }
        };
        for (chosen, count) in Relaxation::AnyNan.interpretations().iter().zip(nans) {
            tally.answer(Relaxation::AnyNan.name(), chosen, count);
        }
        let unstated_accuracy = Relaxation::UnstatedAccuracy;
        tally.answer(unstated_accuracy.name(), unstated_accuracy.interpretations()[0], unbounded);
        for (chosen, count) in Relaxation::BoundOverflow.interpretations().iter().zip(overflows) {
            tally.answer(Relaxation::BoundOverflow.name(), chosen, count);
        }
        for (range, errors) in accuracy.ranges.iter().zip(errors) {
            tally.errors.entry(range.name.into()).or_default().merge(errors);
        }
    }

    /// The loop of [`Judge::within`] over the elements.
    #[inline(always)]
    fn lie_within<T: Element>(
        &self,
        format: &Format,
        (expected, actual): (&[T], &[T]),
        lanes: usize,
        intervals: &[Interval],
        batch: Batch,
        (errors, violations): (&mut [Errors], &mut Vec<Violation>),
    ) -> Choices {
        let mut choices = Choices::default();
        let &Meaning { flush, upper_half, .. } = self.variant.meaning();
        let ftz = flush.result;
        // Of f64, these instructions have the upper half only (PTX ISA 9.7.3.14 and 9.7.3.17), and "zero
        // the least significant 32 mantissa bits".
        let unit = Unit { format, cut: if upper_half { 32 } else { 0 } };
        let nothing = (1u64 << unit.cut) - 1;
        for (element, interval) in intervals.iter().enumerate() {
            let (expected, actual) = (expected[element].bits(), actual[element].bits());
            let row = element / lanes;
            if format.is_nan(expected) && format.is_nan(actual) {
                choices.nans[usize::from(expected != actual)] += 1;
            } else if interval.overflows && is_beyond(format, interval, actual) {
                choices.overflows[1] += 1;
            } else if ftz && format.class(actual) == Class::Subnormal {
                violations.push(Violation { row, kind: MismatchKind::NotFlushed });
            } else if actual & nothing != 0 && !format.is_nan(actual) {
                violations.push(Violation { row, kind: MismatchKind::Padding });
            } else if !lies_in(format, interval, actual) {
                let kind = match interval.range {
                    Some(_) if !format.is_nan(actual) => MismatchKind::OutOfBound,
                    _ => MismatchKind::of(&self.variant, format, expected, actual),
                };
                violations.push(Violation { row, kind });
            }
            choices.unbounded += u64::from(interval.unbounded);
            choices.overflows[0] += u64::from(interval.overflows && lies_in(format, interval, actual));
            if let Some(range) = interval.range {
                // A flushed result is not in error.
                let flushed =
                    ftz && actual & format.magnitude_mask() == 0 && tiny(format, interval.exact);
                let exact = if flushed { 0.0 } else { interval.exact };
                let vector = || (batch.number(row), column::row_bits(batch.operands, row));
                errors[range as usize].add(unit, exact, actual, vector);
            }
        }
        choices
    }
}

/// How often the contract left a choice.
#[derive(Default)]
struct Choices {
    /// NaN where it should be, canonical and other.
    nans: [u64; 2],
    /// Results of which nothing is promised.
    unbounded: u64,
    /// Results whose bound reaches beyond the largest number, finite and infinite.
    overflows: [u64; 2],
}

/// Whether a result is the infinity on the side of the exact value.
fn is_beyond(format: &Format, interval: &Interval, actual: u64) -> bool {
    format.class(actual) == Class::Infinity && format.is_negative(actual) == (interval.exact < 0.0)
}

/// Whether a result is near enough, by what is known of it.
#[inline(always)]
fn lies_in(format: &Format, interval: &Interval, actual: u64) -> bool {
    let place = ordinal(format, actual);
    interval.unbounded || interval.low <= place && place <= interval.high
}

/// An interval in words.
pub(super) fn between(format: &Format, interval: &Interval) -> String {
    if interval.unbounded {
        return "anything (unstated-accuracy)".into();
    }
    let show = |place| format.show(from_ordinal(format, place)).hex();
    let beyond = if interval.overflows { ", or infinity (bound-overflow)" } else { "" };
    format!("{} to {}{beyond}", show(interval.low), show(interval.high))
}
