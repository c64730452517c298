//! Exact sums, products, quotients and roots.

use isa::limits::INPUTS_MAX;
use isa::{Op, Rounding};

use super::{Decode, Finish, StochasticBits};
use crate::datum::Datum;
use crate::number::{Cut, Number};

pub trait Operate: Decode + Finish {
    /// Computes the exact result of arithmetic.
    fn exact(&self, inputs: &[u64]) -> Datum {
        let mut data = [Datum::INVALID; INPUTS_MAX];
        for (index, (datum, &bits)) in data.iter_mut().zip(inputs).enumerate() {
            *datum = self.converted_first(index, self.decoded(index, bits));
        }
        match (self.meaning().op, &data[..inputs.len()]) {
            (Op::Add, &[a, b]) => self.sum(a, b),
            (Op::Add, &[a, b, c]) => self.accumulated(a, b, c),
            (Op::Sub, &[a, b]) => self.sum(a, b.negated()),
            (Op::Mul, &[a, b]) => self.product(a, b),
            (Op::Fma, &[a, b, c]) => self.sum(self.product(a, b), c),
            (Op::Div, &[a, b]) => self.quotient(a, b),
            (Op::Rcp, &[a]) => self.quotient(Datum::Finite(Number::ONE), a),
            (Op::Sqrt, &[a]) => self.root(a),
            (op, _) => unreachable!("{op:?} of {} operands", inputs.len()),
        }
    }

    /// Returns an input as it is computed with: one of the inputs may be converted to the result's format first.
    fn converted_first(&self, index: usize, datum: Datum) -> Datum {
        match datum {
            Datum::Finite(number) if self.meaning().converted == Some(index) => {
                self.round(number, StochasticBits::default())
            }
            datum => datum,
        }
    }

    /// Computes the sum of two data; see [`Datum::plus`].
    fn sum(&self, a: Datum, b: Datum) -> Datum {
        a.plus(b, self.zero_sum_is_negative())
    }

    /// Computes the sum of three devices' words.
    fn accumulated(&self, a: Datum, b: Datum, c: Datum) -> Datum {
        in_turn(self, a, b, c)
    }

    /// Rounds a sum of some of the devices' words to the format that sums are made in.
    fn on_the_way(&self, sum: Datum) -> Datum {
        let (Some(format), Datum::Finite(exact)) = (self.meaning().accumulator, sum) else {
            // Without a format of its own a sum on the way is finished as a result is; so are NaN and infinities.
            return self.read(self.output(), self.finish(sum, StochasticBits::default()));
        };
        let nearest =
            |cut: &Cut| self.rounds_away(Rounding::NearestEven, cut, StochasticBits::default());
        let rounded = exact.round(format.precision(), format.exponent_of_lsb(), nearest);
        match Datum::decode(format, format.max_finite()) {
            Datum::Finite(largest) if rounded.exceeds(largest) => Datum::Infinity(rounded.negative),
            _ => Datum::Finite(rounded),
        }
    }

    /// Whether an exact zero from terms of opposite signs is negative.
    fn zero_sum_is_negative(&self) -> bool {
        self.meaning().rounding == Rounding::Down
    }

    /// Computes the product of two data; see [`Datum::times`].
    fn product(&self, a: Datum, b: Datum) -> Datum {
        a.times(b)
    }

    /// Computes the quotient of two data; see [`Datum::divided_by`].
    fn quotient(&self, a: Datum, b: Datum) -> Datum {
        a.divided_by(b)
    }

    /// Computes the square root of a datum; see [`Datum::root`].
    fn root(&self, a: Datum) -> Datum {
        a.root()
    }
}

/// Adds two data, and then the third to their sum. Where sums are made in another format than the result's, the last
/// sum is rounded to that format as well.
pub fn in_turn(stages: &(impl Operate + ?Sized), a: Datum, b: Datum, c: Datum) -> Datum {
    let sum = stages.sum(stages.on_the_way(stages.sum(a, b)), c);
    match stages.meaning().accumulator {
        Some(_) => stages.on_the_way(sum),
        None => sum,
    }
}
