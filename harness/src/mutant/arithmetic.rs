//! Operations that round once: sums, products, quotients and roots.

use vectors::format::{BF16, F16};
use vectors::isa::{Modifier, Operation, Rounding};

use super::datum::Datum;
use super::finish::Random;
use super::number::Number;
use super::{Deviation, Model};

impl Model {
    /// The result of arithmetic.
    pub(super) fn calculate(&self, inputs: &[u64]) -> u64 {
        let mut data = [Datum::INVALID; 3];
        for (index, (datum, &bits)) in data.iter_mut().zip(inputs).enumerate() {
            *datum = self.factor(index, self.decoded(self.input(index), bits));
        }
        let result = self.finish(self.operate(&data[..inputs.len()]), Random::default());
        let nan = |(index, bits): &(usize, u64)| self.input(*index).is_nan(*bits);
        if self.deviates(Deviation::ReluKeepsPayload)
            && self.has(Modifier::Relu)
            && self.output().is_nan(result)
        {
            return inputs.iter().copied().enumerate().find(nan).map_or(result, |(_, bits)| bits);
        }
        result
    }

    /// An input of `mul.f16x2.f16x2.bf16x2` and its like: converted to the result's type if it is of
    /// the other one.
    fn factor(&self, index: usize, datum: Datum) -> Datum {
        let (from, to) = (*self.input(index), *self.output());
        let other = [(F16, BF16), (BF16, F16)].contains(&(from, to));
        match datum {
            Datum::Finite(number) if other => self.round(number, Random::default()),
            datum => datum,
        }
    }

    /// The exact result.
    fn operate(&self, inputs: &[Datum]) -> Datum {
        match (self.variant.operation(), inputs) {
            (Operation::Add, &[a, b]) => self.sum(a, b),
            (Operation::Sub, &[a, b]) => self.sum(a, b.negated()),
            (Operation::Mul, &[a, b]) => a.times(b),
            (Operation::Fma | Operation::Mad, &[a, b, c]) => match a.times(b) {
                Datum::Finite(product) if self.deviates(Deviation::Unfused) => {
                    self.sum(self.round(product, Random::default()), c)
                }
                product => self.sum(product, c),
            },
            (Operation::Div, &[a, b]) => self.quotient(a, b),
            (Operation::Rcp, &[a]) => self.quotient(Datum::Finite(Number::ONE), a),
            (Operation::Sqrt, &[a]) if a.is_zero() => {
                a.with_sign(a.is_negative() && !self.deviates(Deviation::RootOfZeroPositive))
            }
            (Operation::Sqrt, &[a]) => a.root(),
            (operation, _) => unreachable!("{operation:?} of {} operands", inputs.len()),
        }
    }

    fn sum(&self, a: Datum, b: Datum) -> Datum {
        let down = self.variant.rounding() == Rounding::Down;
        a.plus(b, down && !self.deviates(Deviation::ZeroSumPositive))
    }

    fn quotient(&self, a: Datum, b: Datum) -> Datum {
        if a.is_zero() && b.is_zero() && self.deviates(Deviation::ZeroByZeroInfinite) {
            return Datum::Infinity(a.is_negative() != b.is_negative());
        }
        a.over(b)
    }
}
