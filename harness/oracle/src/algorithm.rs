//! The ways in which an exact value comes about: one is chosen for each variant, by what the variant means.

use std::cmp::Ordering;

use formats::UE8M0;
use isa::{Conversion, Meaning, Op, RandomBits, Rounding, Scaling};
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

use super::operand::Operand;

/// The way in which the exact value of an element comes about, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The result of one MPFR function of the operands, rounded as IEEE 754 has it.
    Rounded,
    /// The result of one MPFR function, rounded as IEEE 754 has it, with one factor of a product first rounded to the
    /// destination. The number is that factor's place among the operands.
    ConvertedFactor(usize),
    /// The first operand, scaled by the power of two that the second one holds.
    Scaled(Scaling),
    /// The first operand, rounded to nearest, ties away: its discarded bits are added to one half.
    NearestAway,
    /// The first operand, rounded stochastically: its discarded bits are added to random bits of the second operand.
    Stochastic(RandomBits),
    /// The first operand, scaled or not, as a multiple of the destination's unit.
    Fixed(Option<Scaling>),
    /// The first operand, rounded to an integer of its own format.
    Integral,
}

impl Algorithm {
    /// Returns the algorithm of a variant with one result.
    pub fn of(meaning: &Meaning) -> Algorithm {
        match (meaning.op, meaning.converted) {
            (Op::Convert(Conversion::Fixed), _) => Algorithm::Fixed(meaning.scale),
            (Op::Convert(Conversion::Stochastic(random)), _) => Algorithm::Stochastic(random),
            (Op::Convert(Conversion::Integral), _) => Algorithm::Integral,
            (Op::Convert(Conversion::Rounded), _) => match (meaning.rounding, meaning.scale) {
                (Rounding::NearestAway, _) => Algorithm::NearestAway,
                (_, Some(scaling)) => Algorithm::Scaled(scaling),
                (_, None) => Algorithm::Rounded,
            },
            (_, Some(factor)) => Algorithm::ConvertedFactor(factor),
            (_, None) => Algorithm::Rounded,
        }
    }
}

/// Returns the exponent of the power of two that a scale's bits apply: the negative one where the scale divides.
pub fn power(scaling: Scaling, scale: u64) -> i32 {
    let power = scale as i32 - UE8M0.bias;
    match scaling {
        Scaling::Multiply => power,
        Scaling::Divide => -power,
    }
}

/// Computes an operation by one MPFR function, which rounds once, at the precision of `result`.
///
/// MPFR's exact zero sums are +0, and -0 when rounding down, as IEEE 754 (6.3) has them; a product
/// of zeros has the product of the signs, and enters the sum with it.
#[inline]
pub fn operate(op: Op, result: &mut Float, operands: &[Operand; 3], round: Round) -> Ordering {
    let [a, b, c] = operands;
    let (a, b) = (a.get(), b.get());
    match op {
        Op::Add => result.assign_round(&*a + &*b, round),
        Op::Sub => result.assign_round(&*a - &*b, round),
        Op::Mul => result.assign_round(&*a * &*b, round),
        Op::Fma => result.assign_round(a.mul_add_ref(&b, &c.get()), round),
        Op::Div => result.assign_round(&*a / &*b, round),
        // Here b is 1: of one precision with a and the result, which is where MPFR divides fastest.
        Op::Rcp => result.assign_round(&*b / &*a, round),
        Op::Sqrt => result.assign_round(a.sqrt_ref(), round),
        Op::Convert(_) => result.assign_round(&*a, round),
        op => unreachable!("{op:?} is not arithmetic"),
    }
}
