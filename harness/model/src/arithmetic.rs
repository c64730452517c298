//! Operations that round once: sums, products, quotients and roots.

use vectors::isa::{Modifier, Operation, Rounding};

use super::datum::Datum;
use super::finish::Random;
use super::number::Number;
use super::{Deviation, Model, subject};

impl Model {
    /// The result of arithmetic.
    pub(super) fn calculate(&self, inputs: &[u64]) -> u64 {
        self.with_payload(self.finish(self.exactly(inputs), Random::default()), inputs)
    }

    /// The exact result of arithmetic.
    pub(super) fn exactly(&self, inputs: &[u64]) -> Datum {
        let mut data = [Datum::INVALID; 3];
        for (index, (datum, &bits)) in data.iter_mut().zip(inputs).enumerate() {
            *datum = self.factor(index, self.decoded(self.input(index), bits));
        }
        self.operate(&data[..inputs.len()])
    }

    /// A result, or the NaN that it comes from where deviations keep that.
    pub(super) fn with_payload(&self, result: u64, inputs: &[u64]) -> u64 {
        let relu = self.deviates(Deviation::ReluKeepsPayload) && self.has(Modifier::Relu);
        let format = self.output();
        if !(relu || self.deviates(Deviation::NanKeepsPayload)) || !format.is_nan(result) {
            return result;
        }
        let nan = |(index, bits): &(usize, u64)| self.input(*index).is_nan(*bits);
        match inputs.iter().copied().enumerate().find(nan) {
            Some((_, bits)) if relu => bits,
            Some((index, bits)) if self.input(index) == format => bits | format.quiet_bit(),
            _ => result,
        }
    }

    /// An input, as it is computed with.
    fn factor(&self, index: usize, datum: Datum) -> Datum {
        let first = subject::converted_first(&self.variant, self.input(index));
        match datum {
            Datum::Finite(number) if first => self.round(number, Random::default()),
            datum => datum,
        }
    }

    /// The exact result.
    fn operate(&self, inputs: &[Datum]) -> Datum {
        match (self.variant.operation(), inputs) {
            (Operation::Add, &[a, b]) => self.sum(a, b),
            (Operation::Sub, &[a, b]) => self.sum(a, b.negated()),
            (Operation::Mul, &[a, b]) => self.product(a, b),
            (Operation::Fma | Operation::Mad, &[a, b, c]) => match self.product(a, b) {
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
            (Operation::Sqrt, &[a]) if self.deviates(Deviation::RootOfMagnitude) => {
                a.with_sign(a.is_negative() && matches!(a, Datum::Nan(_))).root()
            }
            (Operation::Sqrt, &[a]) => a.root(),
            (operation, _) => unreachable!("{operation:?} of {} operands", inputs.len()),
        }
    }

    fn sum(&self, a: Datum, b: Datum) -> Datum {
        let zero_is_negative = match self.variant.rounding() {
            Rounding::Down => !self.deviates(Deviation::ZeroSumPositive),
            _ => self.deviates(Deviation::ZeroSumNegative),
        };
        match (a, b) {
            (Datum::Infinity(_), Datum::Infinity(_)) if self.deviates(Deviation::InfiniteDifference) => {
                a
            }
            (Datum::Finite(x), Datum::Finite(y)) if self.deviates(Deviation::GuardLost) => {
                let (x, y) = self.aligned(x, y);
                Datum::Finite(x.plus(y, zero_is_negative))
            }
            _ => a.plus(b, zero_is_negative),
        }
    }

    /// Two terms, of which the smaller one has lost what is too far below the larger one's last place
    /// if they have different signs.
    fn aligned(&self, a: Number, b: Number) -> (Number, Number) {
        let cut = |number: Number, larger: Number| match larger.leading() {
            Some(leading) => number.jammed(leading - self.output().precision() as i32 - 1),
            None => number,
        };
        match (a.negative == b.negative, a.exceeds(b)) {
            (true, _) => (a, b),
            (false, true) => (a, cut(b, a)),
            (false, false) => (cut(a, b), b),
        }
    }

    fn product(&self, a: Datum, b: Datum) -> Datum {
        let product = a.times(b);
        let of_zero = a.is_zero() || b.is_zero();
        match product {
            Datum::Nan(_) if self.deviates(Deviation::ZeroTimesInfinity) && of_zero => {
                let nan = matches!(a, Datum::Nan(_)) || matches!(b, Datum::Nan(_));
                let zero = Number::zero(a.is_negative() != b.is_negative());
                if nan { product } else { Datum::Finite(zero) }
            }
            _ if self.deviates(Deviation::ZeroProductPositive) && product.is_zero() => {
                product.with_sign(false)
            }
            _ => product,
        }
    }

    fn quotient(&self, a: Datum, b: Datum) -> Datum {
        if a.is_zero() && b.is_zero() && self.deviates(Deviation::ZeroByZeroInfinite) {
            return Datum::Infinity(a.is_negative() != b.is_negative());
        }
        a.over(b)
    }
}
