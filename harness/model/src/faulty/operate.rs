//! The stages with faults of exact operations.

use isa::{Op, Rounding};

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::number::{Cut, Number};
use crate::stages::{Operate, Round, StochasticBits, VariantFacts, in_turn};

impl Operate for Faulty<'_> {
    fn zero_sum_is_negative(&self) -> bool {
        match self.meaning().rounding {
            Rounding::Down => !self.has(Fault::ZeroSumPositive),
            _ => self.has(Fault::ZeroSumNegative),
        }
    }

    fn sum(&self, a: Datum, b: Datum) -> Datum {
        let (a, b) = match (a, b) {
            (Datum::Infinity(_), Datum::Infinity(_)) if self.has(Fault::InfiniteDifference) => return a,
            (Datum::Infinity(a), Datum::Infinity(b))
                if a != b && self.has(Fault::InfiniteDifferenceZero) =>
            {
                return Datum::ZERO;
            }
            (Datum::Finite(a), Datum::Finite(b)) if self.has(Fault::GuardLost) => self.aligned(a, b),
            (Datum::Finite(a), Datum::Finite(b)) if self.shift_modulus.is_some() => {
                self.misaligned(a, b)
            }
            (Datum::Finite(a), Datum::Finite(b)) if self.has(Fault::SmallTermLost) => {
                self.without_small_term(a, b)
            }
            (Datum::Finite(a), Datum::Finite(b)) => self.with_cut_term(a, b),
            terms => terms,
        };
        let zero_is_negative = match self.has(Fault::ZeroSumOfFirst) {
            true => a.is_negative(),
            false => self.zero_sum_is_negative(),
        };
        let sum = a.plus(b, zero_is_negative);
        if let (Datum::Finite(a), Datum::Finite(b), Some(bits)) = (a, b, self.sticky_added) {
            return self.with_sticky_added(a, b, bits);
        }
        if let (Datum::Finite(a), Datum::Finite(b), Datum::Finite(exact)) = (a, b, sum)
            && self.has(Fault::SumRoundedEarly)
            && let Some(leading) = a.leading().max(b.leading())
        {
            let last = leading + 1 - self.output().precision() as i32;
            return Datum::Finite(exact.round(u128::BITS, last, Cut::is_nearer_above));
        }
        if sum.is_zero() && !a.is_zero() {
            if self.has(Fault::CancelledToMagnitude) {
                return a.with_sign(false);
            }
            if self.has(Fault::CancelledToFirst) {
                return a;
            }
        }
        if b.is_zero() && self.has(Fault::AddendZeroSign) {
            return sum.with_sign(b.is_negative());
        }
        match (a, b) {
            (Datum::Finite(a), Datum::Finite(b)) if self.discarded[0].is_some() => {
                self.without_bit_of_sum(a, b, sum)
            }
            _ => sum,
        }
    }

    fn accumulated(&self, a: Datum, b: Datum, c: Datum) -> Datum {
        if !self.has(Fault::SumOnTheWayExact) {
            return in_turn(self, a, b, c);
        }
        // In the order from the largest to the smallest, what falls off as a sticky bit is too small to come back.
        let mut terms = [a, b, c];
        terms.sort_by(|a, b| match (a, b) {
            (Datum::Finite(a), Datum::Finite(b)) => b.exceeds(*a).cmp(&a.exceeds(*b)),
            (a, b) => matches!(a, Datum::Finite(_)).cmp(&matches!(b, Datum::Finite(_))),
        });
        let [a, b, c] = terms;
        self.sum(self.sum(a, b), c)
    }

    fn product(&self, a: Datum, b: Datum) -> Datum {
        let nan = matches!(a, Datum::Nan(_)) || matches!(b, Datum::Nan(_));
        let of_zero = a.is_zero() || b.is_zero();
        let product = match a.times(b) {
            Datum::Nan(_) if self.has(Fault::ZeroTimesInfinity) && of_zero && !nan => {
                Datum::ZERO.with_sign(a.is_negative() != b.is_negative())
            }
            product if self.has(Fault::ZeroProductPositive) && product.is_zero() => Datum::ZERO,
            product if self.has(Fault::ZeroProductNegative) && product.is_zero() => {
                Datum::ZERO.with_sign(true)
            }
            product => product,
        };
        match product {
            Datum::Finite(exact) if self.has(Fault::Unfused) && self.meaning().op == Op::Fma => {
                self.round(exact, StochasticBits::default())
            }
            Datum::Finite(exact) if self.has(Fault::UnfusedUnflushed) => {
                let rounded = self.rounded(exact, StochasticBits::default());
                match self.overflows(rounded) {
                    true => self.overflowed(rounded.negative),
                    false => Datum::Finite(rounded),
                }
            }
            product => product,
        }
    }

    fn quotient(&self, a: Datum, b: Datum) -> Datum {
        if let (Datum::Finite(divisor), true) = (b, self.has(Fault::ReciprocalProduct))
            && divisor.significand != 0
        {
            let exact = Number::ONE.divided_by(divisor);
            return a.times(self.plain.round(exact, StochasticBits::default()));
        }
        let infinite = matches!((a, b), (Datum::Infinity(_), Datum::Infinity(_)));
        let invalid = a.is_zero() && b.is_zero() && self.has(Fault::ZeroByZeroInfinite)
            || infinite && self.has(Fault::InfiniteQuotient);
        if invalid {
            return Datum::Infinity(a.is_negative() != b.is_negative());
        }
        match self.plain.quotient(a, b) {
            quotient if quotient.is_zero() && self.has(Fault::ZeroQuotientPositive) => Datum::ZERO,
            Datum::Infinity(_) if b.is_zero() && self.has(Fault::DivisionByZeroPositive) => {
                Datum::Infinity(false)
            }
            quotient => quotient,
        }
    }

    fn root(&self, a: Datum) -> Datum {
        match a {
            _ if a.is_zero() && self.has(Fault::RootOfZeroPositive) => Datum::ZERO,
            _ if a.is_zero() => self.plain.root(a),
            Datum::Finite(_) | Datum::Infinity(_) if self.has(Fault::RootOfMagnitude) => {
                self.plain.root(a.with_sign(false))
            }
            _ => self.plain.root(a),
        }
    }
}

impl Faulty<'_> {
    /// Returns two terms, of which the smaller one has lost what is too far below the larger one's last place
    /// if they have different signs.
    fn aligned(&self, a: Number, b: Number) -> (Datum, Datum) {
        let cut = |number: Number, larger: Number| match larger.leading() {
            Some(leading) => number.jammed(leading - self.output().precision() as i32 - 1),
            None => number,
        };
        let (a, b) = match (a.negative == b.negative, a.exceeds(b)) {
            (true, _) => (a, b),
            (false, true) => (a, cut(b, a)),
            (false, false) => (cut(a, b), b),
        };
        (Datum::Finite(a), Datum::Finite(b))
    }

    /// Returns a sum of which the smaller term has lost what lies more than `bits` bits below the last place of the larger
    /// one. A sticky bit for that is added to the magnitude of the sum, whatever the signs.
    fn with_sticky_added(&self, a: Number, b: Number, bits: u32) -> Datum {
        let exact = a.plus(b, self.zero_sum_is_negative());
        let Some(leading) = a.leading().max(b.leading()) else { return Datum::Finite(exact) };
        let (larger, smaller) = if a.exceeds(b) { (a, b) } else { (b, a) };
        let last = self.output().exponent_of_lsb().max(leading + 1 - self.output().precision() as i32);
        let cut = smaller.round(u128::BITS, last - bits as i32, |_| false);
        if cut.equals(smaller) {
            return Datum::Finite(exact);
        }
        let sum = larger.plus(cut, self.zero_sum_is_negative());
        // Half of the last bit that is kept is the sticky bit.
        let sticky = Number { negative: sum.negative, significand: 1, exponent: last - bits as i32 - 1 };
        Datum::Finite(sum.plus(sticky, false))
    }

    /// Returns two terms, of which the smaller one is zero if it is smaller than half the last place of the larger one.
    fn without_small_term(&self, a: Number, b: Number) -> (Datum, Datum) {
        let (leading, lsb) = (a.leading().max(b.leading()), self.output().exponent_of_lsb());
        let last =
            leading.map_or(lsb, |leading| lsb.max(leading + 1 - self.output().precision() as i32));
        let kept = |number: Number| match number.leading() < Some(last - 1) {
            true => Datum::Finite(Number::zero(number.negative)),
            false => Datum::Finite(number),
        };
        (kept(a), kept(b))
    }

    /// Returns two terms, of which the smaller one has lost all but some bits below the larger one's last place, if a
    /// fault cuts it.
    fn with_cut_term(&self, a: Number, b: Number) -> (Datum, Datum) {
        let larger = a.leading().max(b.leading());
        let (Some(bits), Some(leading)) = (self.term_cut, larger) else {
            return (Datum::Finite(a), Datum::Finite(b));
        };
        let last = self.output().exponent_of_lsb().max(leading + 1 - self.output().precision() as i32);
        let cut = |number: Number| number.round(u128::BITS, last - bits as i32, |_| false);
        match a.exceeds(b) {
            true => (Datum::Finite(a), Datum::Finite(cut(b))),
            false => (Datum::Finite(cut(a)), Datum::Finite(b)),
        }
    }
}
