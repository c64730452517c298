//! A row in words: its operands and results, and what would have been accepted for it.

use std::collections::BTreeSet;

use formats::{Format, column};
use isa::{LaneData, LaneSlot, Meaning, Relaxation};

use super::batch::Batch;
use super::interval::{Interval, Point, from_ordinal, ordinal};
use super::judge::Judge;
use super::mismatch::Mismatch;
use super::truth::{Truth, of_element};

/// Words that describe results of f64 whose lower half has to be zero.
const UPPER_HALF: &str = "with a lower half of zeros";

impl Judge {
    /// Describes a row of a batch as a mismatch, which it need not be.
    pub fn describe(&self, truth: &Truth, batch: Batch, row: usize) -> Mismatch {
        Mismatch {
            index: batch.number(row),
            operands: column::row_bits(batch.operands, row),
            expected: column::row_bits(&truth.results, row),
            accepted: self.other_results(truth, row),
            actual: column::row_bits(batch.results, row),
            words: None,
        }
    }

    /// Lists in words the other results that would have been accepted for a row.
    fn other_results(&self, truth: &Truth, row: usize) -> Vec<String> {
        let LaneData { format, slots } = &self.variant.outputs()[0];
        // A register with one lane is shown whole, as the expected one is: all 32 bits of tf32.
        let show = |slot: &LaneSlot, bits| {
            let ty = self.variant.results()[slot.register].ty;
            if ty.lanes == 1 { ty.hex(slot.put(bits)) } else { format.show(bits).hex() }
        };
        let lanes = self.lanes_of(&column::row(&truth.results, row));
        let mut others = Vec::new();
        for (lane, (&bits, slot)) in lanes.iter().zip(slots).enumerate() {
            let register = &self.variant.results()[slot.register];
            let whose = match (lanes.len(), self.variant.results().len(), register.ty.lanes) {
                (1, ..) => String::new(),
                (_, 1, _) => format!("lane {lane}: "),
                (.., 1) => format!("{}: ", register.name),
                _ => format!("{} lane {}: ", register.name, slot.lane),
            };
            let element = row * lanes.len() + lane;
            let interval = truth.intervals().get(element);
            let this = interval.is_some_and(|interval| interval.point == Point::ThisNan);
            if let Some(relaxation) = self.nan.filter(|_| format.is_nan(bits) && !this) {
                let half = match self.variant.meaning().upper_half {
                    true => format!(" {UPPER_HALF}"),
                    false => String::new(),
                };
                others.push(format!("{whose}any NaN{half} ({})", relaxation.name()));
            }
            others.extend(
                interval
                    .and_then(|i| self.other_right_results(format, i))
                    .map(|words| whose.clone() + &words),
            );
            let mut seen = BTreeSet::from([bits]);
            for alternative in of_element(truth.alternatives(), element) {
                if seen.insert(alternative.bits) {
                    let open = Relaxation::ALL.into_iter().filter(|&r| alternative.open.contains(r));
                    let names: Vec<&str> = open.map(Relaxation::name).collect();
                    let hex = show(slot, alternative.bits);
                    others.push(format!("{whose}{hex} ({})", names.join(", ")));
                }
            }
        }
        others
    }

    /// Says in words which results are right beside the expected one of an element; `None` if only that one is.
    fn other_right_results(&self, format: &Format, interval: &Interval) -> Option<String> {
        let show = |place| format.show(from_ordinal(format, place)).hex();
        let named = |words: String| match interval.point.relaxation() {
            Some(relaxation) => format!("{words} ({})", relaxation.name()),
            None => words,
        };
        let mut between = format!("{} to {}", show(interval.low), show(interval.high));
        // The ends of an interval are flushed and have no lower half where none is due, but between them are data that
        // are refused all the same.
        let Meaning { flush, upper_half, .. } = self.variant.meaning();
        let smallest = [1, format.sign_mask() | 1].map(|bits| ordinal(format, bits));
        if flush.result && smallest.iter().any(|place| (interval.low..interval.high).contains(place)) {
            between += " but for subnormal numbers";
        }
        if *upper_half {
            between += &format!(", {UPPER_HALF}");
        }
        // The other result may be infinity, and the interval may hold it as its end.
        let other = interval.other(format, self.variant.nan());
        match other.filter(|&other| !interval.has(format, other)) {
            Some(other) if interval.low < interval.high => {
                let other = format.show(other).hex();
                Some(format!("{between}, or {}", named(other)))
            }
            Some(_) if interval.point == Point::ZeroDividend => Some(named("any NaN".into())),
            Some(other) => Some(named(format.show(other).hex())),
            None if interval.low < interval.high => Some(named(between)),
            None => None,
        }
    }
}
