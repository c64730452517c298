//! Operations whose result is true or false for each lane: tests and comparisons.

use std::cmp::Ordering;

use isa::{Modifier, Operation};
use rustc_apfloat::Float;

use super::LaneProgram;

impl LaneProgram {
    pub(super) fn test(&self, bits: u64) -> bool {
        let numbers = self.inputs[0].numbers.as_ref().expect("a floating-point number");
        let (value, subnormal) = (numbers.value(bits), numbers.is_subnormal(bits));
        match self.variant.modifiers()[0] {
            Modifier::Finite => value.is_finite(),
            Modifier::Infinite => value.is_infinite(),
            Modifier::Number => !value.is_nan(),
            Modifier::Notanumber => value.is_nan(),
            Modifier::Normal => value.is_finite() && !subnormal,
            Modifier::Subnormal => subnormal,
            modifier => unreachable!("{modifier} is no class"),
        }
    }

    pub(super) fn compare(&self, bits: [u64; 3]) -> [u64; 2] {
        let [a, b] = [0, 1].map(|at| self.inputs[at].value(bits[at]));
        let comparison = self.variant.modifiers().iter().copied().find(|m| m.relation().is_some());
        let true_ = holds(comparison.expect("it compares"), a.partial_cmp(&b));
        let also = |truth: bool| {
            let other = bits[2] & 1 != 0;
            match () {
                () if self.variant.has(Modifier::And) => truth && other,
                () if self.variant.has(Modifier::Or) => truth || other,
                () if self.variant.has(Modifier::Xor) => truth != other,
                () => truth,
            }
        };
        let (positive, negative) = (also(true_), also(!true_));
        let encoded = match (self.operation, self.result.is_fixed()) {
            (Operation::Setp, _) => 1,
            (_, true) => self.result.mask(),
            _ => self.result.one(),
        };
        [if positive { encoded } else { 0 }, u64::from(negative)]
    }
}

/// Whether a comparison holds between numbers in this order; the order `None` means that one is a NaN.
fn holds(comparison: Modifier, order: Option<Ordering>) -> bool {
    use Ordering::{Equal, Greater, Less};
    match comparison {
        Modifier::Eq => order == Some(Equal),
        Modifier::Ne => matches!(order, Some(Less | Greater)),
        Modifier::Lt | Modifier::Lo => order == Some(Less),
        Modifier::Le | Modifier::Ls => matches!(order, Some(Less | Equal)),
        Modifier::Gt | Modifier::Hi => order == Some(Greater),
        Modifier::Ge | Modifier::Hs => matches!(order, Some(Greater | Equal)),
        Modifier::Equ => matches!(order, None | Some(Equal)),
        Modifier::Neu => order != Some(Equal),
        Modifier::Ltu => matches!(order, None | Some(Less)),
        Modifier::Leu => matches!(order, None | Some(Less | Equal)),
        Modifier::Gtu => matches!(order, None | Some(Greater)),
        Modifier::Geu => matches!(order, None | Some(Greater | Equal)),
        Modifier::Num => order.is_some(),
        Modifier::Unordered => order.is_none(),
        modifier => unreachable!("{modifier} compares nothing"),
    }
}
