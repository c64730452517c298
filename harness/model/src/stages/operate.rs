//! Exact sums, products, quotients and roots.

use vectors::isa::{Op, Rounding};
use vectors::limits::INPUTS_MAX;

use super::{Decode, Random, Round};
use crate::datum::Datum;
use crate::number::Number;

pub trait Operate: Decode + Round {
    /// The exact result of arithmetic.
    fn exact(&self, inputs: &[u64]) -> Datum {
        let mut data = [Datum::INVALID; INPUTS_MAX];
        for (index, (datum, &bits)) in data.iter_mut().zip(inputs).enumerate() {
            *datum = self.converted_first(index, self.decoded(index, bits));
        }
        match (self.meaning().op, &data[..inputs.len()]) {
            (Op::Add, &[a, b]) => self.sum(a, b),
            (Op::Sub, &[a, b]) => self.sum(a, b.negated()),
            (Op::Mul, &[a, b]) => self.product(a, b),
            (Op::Fma, &[a, b, c]) => self.sum(self.product(a, b), c),
            (Op::Div, &[a, b]) => self.quotient(a, b),
            (Op::Rcp, &[a]) => self.quotient(Datum::Finite(Number::ONE), a),
            (Op::Sqrt, &[a]) => self.root(a),
            (op, _) => unreachable!("{op:?} of {} operands", inputs.len()),
        }
    }

    /// An input as it is computed with: one of them may be converted to the result's format first.
    fn converted_first(&self, index: usize, datum: Datum) -> Datum {
        match datum {
            Datum::Finite(number) if self.meaning().converted == Some(index) => {
                self.round(number, Random::default())
            }
            datum => datum,
        }
    }

    fn sum(&self, a: Datum, b: Datum) -> Datum {
        a.plus(b, self.zero_sum_is_negative())
    }

    /// The sign of an exact zero from terms of opposite signs.
    fn zero_sum_is_negative(&self) -> bool {
        self.meaning().rounding == Rounding::Down
    }

    fn product(&self, a: Datum, b: Datum) -> Datum {
        a.times(b)
    }

    fn quotient(&self, a: Datum, b: Datum) -> Datum {
        a.over(b)
    }

    fn root(&self, a: Datum) -> Datum {
        a.root()
    }
}
