//! Operations that choose among their operands or say something about them. MPFR compares.

use std::cmp::Ordering;

use vectors::format::Class;
use vectors::isa::{Modifier, Operation};
use vectors::{Format, Variant};

use super::arithmetic::{flush, flushes};
use super::formats;
use super::operand::Operand;

/// What the results of one variant take, made once.
pub struct Compare {
    variant: Variant,
    formats: [&'static Format; 3],
    flushed: [bool; 3],
    comparison: Option<Modifier>,
    combination: Option<Modifier>,
    operands: [Operand; 2],
}

impl Compare {
    /// For a variant that compares, chooses or tests.
    pub fn new(variant: &Variant) -> Compare {
        let formats = formats(variant);
        let selects = variant.operation() == Operation::Slct;
        let modifiers = variant.modifiers().iter().copied();
        let combines = |m: &Modifier| matches!(m, Modifier::And | Modifier::Or | Modifier::Xor);
        Compare {
            variant: variant.clone(),
            formats,
            // `slct.ftz` flushes what it decides by, and moves the others untouched (9.7.7.3).
            flushed: std::array::from_fn(|at| flushes(variant, formats[at]) && (!selects || at == 2)),
            comparison: modifiers.clone().find(|modifier| modifier.is_comparison()),
            combination: modifiers.clone().find(combines),
            operands: [(); 2].map(|()| Operand::new(64)),
        }
    }

    /// Computes the results of some elements.
    pub fn expect(&mut self, inputs: [&[u64]; 3], outputs: [&mut [u64]; 2]) {
        let [first, second] = outputs;
        for at in 0..first.len() {
            let bits: [u64; 3] = std::array::from_fn(|input| match self.flushed[input] {
                true => flush(self.formats[input], inputs[input][at]),
                false => inputs[input][at],
            });
            (first[at], second[at]) = self.lane(bits);
        }
    }

    /// The results of a lane: the second is the other predicate of `setp`.
    fn lane(&mut self, [a, b, c]: [u64; 3]) -> (u64, u64) {
        let format = self.formats[0];
        let (sign, magnitude) = (format.sign_mask(), format.magnitude_mask());
        let one = match self.variant.operation() {
            // f64 has its NaN's payload pass; the others' NaN results are unspecified (9.7.3.9).
            Operation::Abs | Operation::Neg if format.width() != 64 && format.is_nan(a) => {
                format.canonical_nan()
            }
            Operation::Abs => a & magnitude,
            Operation::Neg => a ^ sign,
            Operation::Copysign => b & magnitude | a & sign,
            Operation::Testp => u64::from(self.is(format.class(a))),
            Operation::Min | Operation::Max => self.extreme([a, b, c]),
            Operation::Slct => {
                let selector = self.formats[2];
                match self.order(selector, c, 0) {
                    Some(Ordering::Greater | Ordering::Equal) => a,
                    _ => b,
                }
            }
            _ => {
                let truth = self.compared(a, b);
                let [yes, no] = [truth, !truth].map(|truth| self.combined(truth, c != 0));
                let result = self.variant.outputs()[0].format;
                let all = if result.is_fixed() { result.mask() } else { result.one() };
                return (if yes { all } else { 0 }, u64::from(no));
            }
        };
        (one, 0)
    }

    /// How two data compare; `None` if one is NaN.
    fn order(&mut self, format: &Format, a: u64, b: u64) -> Option<Ordering> {
        let [x, y] = &mut self.operands;
        x.set(format, a);
        y.set(format, b);
        x.get().partial_cmp(&*y.get())
    }

    /// The truth of the comparison: those without `u` are false, the others true, if one is NaN
    /// (9.3.1.2).
    fn compared(&mut self, a: u64, b: u64) -> bool {
        use Modifier::{Eq, Equ, Ge, Geu, Gt, Gtu, IsNan, Le, Leu, Lt, Ltu, Ne, Neu, Num};
        let comparison = self.comparison.expect("a comparison has one");
        let Some(order) = self.order(self.formats[0], a, b) else {
            return matches!(comparison, Equ | Neu | Ltu | Leu | Gtu | Geu | IsNan);
        };
        match comparison {
            Eq | Equ => order.is_eq(),
            Ne | Neu => order.is_ne(),
            Lt | Ltu => order.is_lt(),
            Le | Leu => order.is_le(),
            Gt | Gtu => order.is_gt(),
            Ge | Geu => order.is_ge(),
            Num => true,
            _ => false,
        }
    }

    fn combined(&self, truth: bool, predicate: bool) -> bool {
        match self.combination {
            Some(Modifier::And) => truth && predicate,
            Some(Modifier::Or) => truth || predicate,
            Some(_) => truth != predicate,
            None => truth,
        }
    }

    /// Whether a datum of a class is what `testp` asks for.
    fn is(&self, class: Class) -> bool {
        let asks = |modifier| self.variant.has(modifier);
        match class {
            Class::Zero | Class::Normal => {
                asks(Modifier::Finite) || asks(Modifier::Number) || asks(Modifier::Normal)
            }
            Class::Subnormal => {
                asks(Modifier::Finite) || asks(Modifier::Number) || asks(Modifier::Subnormal)
            }
            Class::Infinity => asks(Modifier::Infinite) || asks(Modifier::Number),
            Class::Nan => asks(Modifier::Notanumber),
        }
    }

    /// The smaller or larger of two or three: three are taken two by two (9.7.3.11, 9.7.3.12).
    fn extreme(&mut self, mut bits: [u64; 3]) -> u64 {
        let (sign, magnitude) = (self.formats[0].sign_mask(), self.formats[0].magnitude_mask());
        let signs = (bits[0] ^ bits[1]) & sign;
        let xorsign = self.variant.has(Modifier::XorsignAbs);
        if xorsign || self.variant.has(Modifier::Abs) {
            bits = bits.map(|bits| bits & magnitude);
        }
        let [a, b, c] = bits;
        let mut result = self.of_two(a, b);
        if self.variant.inputs().len() == 3 {
            result = self.of_two(result, c);
        }
        if xorsign && !self.formats[0].is_nan(result) { result | signs } else { result }
    }

    fn of_two(&mut self, a: u64, b: u64) -> u64 {
        let format = self.formats[0];
        let smallest = self.variant.operation() == Operation::Min;
        let Some(order) = self.order(format, a, b) else {
            let propagates = self.variant.has(Modifier::Nan);
            return match (format.is_nan(a), format.is_nan(b)) {
                (true, false) if !propagates => b,
                (false, true) if !propagates => a,
                _ => format.canonical_nan(),
            };
        };
        let first = match order {
            Ordering::Less => smallest,
            Ordering::Greater => !smallest,
            // "+0.0 > -0.0".
            Ordering::Equal => format.is_negative(a) == smallest,
        };
        if first { a } else { b }
    }
}
