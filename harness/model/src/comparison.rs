//! Comparisons, and the smaller and the larger of numbers.

use std::cmp::Ordering;

use vectors::isa::{Modifier, Operation};

use super::{Deviation, Model};

impl Model {
    /// `min` and `max` of two numbers or three.
    pub(super) fn extremum(&self, inputs: &[u64]) -> u64 {
        let format = self.output();
        let xorsign = self.has(Modifier::XorsignAbs);
        let magnitudes =
            xorsign || self.has(Modifier::Abs) && !self.deviates(Deviation::MagnitudesIgnored);
        let prepared = |&bits: &u64| {
            let bits = self.flushed(format, bits);
            if magnitudes { bits & format.magnitude_mask() } else { bits }
        };
        let considered = if self.deviates(Deviation::ThirdIgnored) { 2 } else { inputs.len() };
        let best = inputs[..considered].iter().map(prepared).reduce(|a, b| self.better(a, b));
        let best = best.expect("inputs");
        if format.is_nan(best) {
            if self.deviates(Deviation::NanKeepsPayload) {
                return best | format.quiet_bit();
            }
            return format.canonical_nan();
        }
        if !xorsign || self.deviates(Deviation::XorsignIgnored) {
            return best;
        }
        let counts = |bits: &&u64| !(self.deviates(Deviation::XorsignSkipsNan) && format.is_nan(**bits));
        let signs = if self.deviates(Deviation::XorsignOfFirst) { 1 } else { inputs.len() };
        best | inputs[..signs]
            .iter()
            .filter(counts)
            .fold(0, |sign, bits| sign ^ bits & format.sign_mask())
    }

    fn better(&self, a: u64, b: u64) -> u64 {
        let format = self.output();
        let nan_wins = if self.has(Modifier::Nan) {
            !self.deviates(Deviation::NanLoses)
        } else {
            self.deviates(Deviation::NanWins)
        };
        match (format.is_nan(a), format.is_nan(b)) {
            (true, _) | (_, true) if self.deviates(Deviation::NanGivesSecond) => return b,
            (true, true) => return a,
            (true, false) => return if nan_wins { a } else { b },
            (false, true) => return if nan_wins { b } else { a },
            (false, false) => {}
        }
        // −0 comes before +0, and so before every positive number, as bits below the sign do if those
        // of negative numbers are complemented.
        let key = |bits: u64| {
            let magnitude = (bits & format.magnitude_mask()) as i64;
            let negative =
                format.is_negative(bits) && !(magnitude == 0 && self.deviates(Deviation::ZerosEqual));
            match negative {
                true if self.deviates(Deviation::IntegerOrder) => i64::MIN + magnitude,
                true => !magnitude,
                false => magnitude,
            }
        };
        let first = match self.variant.operation() {
            Operation::Min => key(a) < key(b),
            _ => key(a) > key(b),
        };
        if first { a } else { b }
    }

    /// `set`: the comparison as a number.
    pub(super) fn truth(&self, inputs: &[u64]) -> u64 {
        let format = self.output();
        let one = !format.is_fixed() || self.deviates(Deviation::TrueIsOne);
        let yes = if one { format.one() } else { format.mask() };
        if self.combined(self.compare(inputs), inputs) { yes } else { 0 }
    }

    /// `setp`: the comparison and its complement.
    pub(super) fn predicates(&self, inputs: &[u64]) -> [u64; 2] {
        let holds = self.compare(inputs);
        let complement = holds == self.deviates(Deviation::ComplementMissing);
        [holds, complement].map(|holds| self.combined(holds, inputs).into())
    }

    /// A comparison combined with the predicate that a variant may have as its third input.
    fn combined(&self, holds: bool, inputs: &[u64]) -> bool {
        let predicate = inputs.get(2).is_some_and(|&bits| bits != 0);
        match () {
            () if self.deviates(Deviation::PredicateIgnored) => holds,
            () if self.has(Modifier::And) => holds & predicate,
            () if self.has(Modifier::Or) => holds | predicate,
            () if self.has(Modifier::Xor) => holds ^ predicate,
            () => holds,
        }
    }

    /// Whether the comparison holds of the first two inputs.
    fn compare(&self, inputs: &[u64]) -> bool {
        let format = self.input(0);
        let [a, b] = [inputs[0], inputs[1]].map(|bits| self.flushed(format, bits));
        let key = |bits: u64| {
            let magnitude = (bits & format.magnitude_mask()) as i64;
            match format.is_negative(bits) {
                true if self.deviates(Deviation::ZerosDiffer) => !magnitude,
                true if magnitude != 0 && self.deviates(Deviation::IntegerOrder) => i64::MIN + magnitude,
                true => -magnitude,
                false => magnitude,
            }
        };
        let order: Ordering = key(a).cmp(&key(b));
        let comparison = self.variant.modifiers().iter().find(|modifier| modifier.is_comparison());
        // Whether it holds of numbers, and whether it does where there is a NaN.
        let (ordered, unordered) = match comparison.expect("a comparison") {
            Modifier::Eq => (order.is_eq(), false),
            Modifier::Ne => (order.is_ne(), self.deviates(Deviation::NeUnordered)),
            Modifier::Lt => (order.is_lt(), false),
            Modifier::Le => (order.is_le(), false),
            Modifier::Gt => (order.is_gt(), false),
            Modifier::Ge => (order.is_ge(), false),
            Modifier::Equ => (order.is_eq(), true),
            Modifier::Neu => (order.is_ne(), true),
            Modifier::Ltu => (order.is_lt(), true),
            Modifier::Leu => (order.is_le(), true),
            Modifier::Gtu => (order.is_gt(), true),
            Modifier::Geu => (order.is_ge(), true),
            Modifier::Num => (true, false),
            Modifier::IsNan => (false, true),
            other => unreachable!("{other}"),
        };
        let by_order = comparison.is_some_and(|comparison| {
            matches!(comparison, Modifier::Lt | Modifier::Le | Modifier::Gt | Modifier::Ge)
        });
        let second = format.is_nan(b) && !self.deviates(Deviation::SecondNanMissed);
        match format.is_nan(a) || second {
            true if self.deviates(Deviation::OrderedTrue) && by_order => true,
            true => unordered && !self.deviates(Deviation::UnorderedFalse),
            false => ordered,
        }
    }
}
