//! The one rounding: MPFR rounds the exact result once, to as many bits as the format has there.

use std::cmp::Ordering;

use rug::Float;
use rug::float::Round;
use vectors::Format;
use vectors::format::Scale;
use vectors::isa::Rounding;

/// MPFR's name for a rounding that it has.
fn mpfr_round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::Nearest,
        Rounding::Down => Round::Down,
        Rounding::Up => Round::Up,
        Rounding::TowardZero | Rounding::NearestAway | Rounding::Stochastic => Round::Zero,
    }
}

/// A correctly rounded result, and what later stages have to know about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounded {
    /// The result as IEEE 754 has it: gradual underflow, overflow by rounding, canonical NaN.
    pub bits: u64,
    /// Whether it is below zero, or −0.
    pub negative: bool,
    /// It is NaN, and not because it is too large for a format without infinity.
    pub nan: bool,
    /// It is infinite, or was rounded to something beyond the largest finite number.
    pub beyond: bool,
    /// The exact result is not zero, and below the smallest normal number in magnitude.
    pub tiny_exact: bool,
    /// The same of the result rounded at full precision as if the exponent had no lower limit.
    pub tiny_unbounded: bool,
    /// In fixed point: it lies below the symmetric range.
    pub below_minimum: bool,
}

impl Rounded {
    /// A result that needs no further stage's attention.
    #[inline]
    pub fn exact(bits: u64) -> Rounded {
        Rounded { bits, ..Rounded::default() }
    }

    /// What is not a number, and these bits in its place.
    #[inline]
    pub fn nan(bits: u64) -> Rounded {
        Rounded { bits, nan: true, ..Rounded::default() }
    }

    /// What lies beyond the largest finite number: infinity; without one, NaN; without either, the
    /// largest number.
    #[inline]
    pub fn beyond(format: &Format, negative: bool) -> Rounded {
        let sign = if negative { format.sign_mask() } else { 0 };
        let bits = match (format.infinity(), format.nan()) {
            (Some(infinity), _) => sign | infinity,
            (None, Some(nan)) => nan,
            (None, None) => sign | format.max_finite(),
        };
        Rounded { bits, negative, beyond: true, ..Rounded::default() }
    }
}

/// Rounds results into a format, in one direction; owns a number of every precision it may need.
pub struct Rounder {
    format: &'static Format,
    rounding: Rounding,
    round: Round,
    /// What a result is that is not a number.
    nan: u64,
    /// `numbers[n - 1]` has a precision of `n` bits.
    numbers: Vec<Float>,
}

impl Rounder {
    /// A rounder into `format`, where what is not a number becomes `nan`.
    pub fn new(format: &'static Format, rounding: Rounding, nan: u64) -> Rounder {
        let numbers = (1..=format.precision()).map(Float::new).collect();
        Rounder { format, rounding, round: mpfr_round(rounding), nan, numbers }
    }

    /// Rounds what `operate` computes. `operate` stores its exact result in the number given,
    /// rounded as told, and returns how the stored compares with the exact: one call of an MPFR
    /// function. It is asked again where the result turns out to have fewer bits.
    #[inline]
    pub fn round(&mut self, operate: impl Fn(&mut Float, Round) -> Ordering) -> Rounded {
        let format = self.format;
        let value = self.numbers.last_mut().expect("precisions start at 1");
        let ordering = operate(value, self.round);
        let negative = value.is_sign_negative();
        let sign = if negative { format.sign_mask() } else { 0 };
        let Some(exponent) = exponent(value) else {
            return if value.is_nan() {
                Rounded::nan(self.nan)
            } else if value.is_zero() {
                Rounded { negative, ..Rounded::exact(sign) }
            } else {
                Rounded::beyond(format, negative)
            };
        };
        if exponent > format.exponent_max() {
            return self.overflowed(negative);
        }
        let top = significand(value);
        // Where rounding reached a power of two from below, the exact result is in the binade under.
        let grew = if negative { Ordering::Less } else { Ordering::Greater };
        let exact_exponent = exponent - i32::from(top == 1 << 63 && ordering == grew);
        if exact_exponent < format.exponent_min() {
            let half = top == 1 << 63 && ordering == Ordering::Equal;
            let bits = sign | self.subnormal(operate, exact_exponent, negative, half);
            let tiny_unbounded = exponent < format.exponent_min();
            return Rounded { bits, negative, tiny_exact: true, tiny_unbounded, ..Rounded::default() };
        }
        let field = (exponent + format.bias) as u64;
        let trailing = (top & !(1 << 63)) >> (63 - format.trailing_bits);
        let magnitude = field << format.trailing_bits | trailing;
        // A format may end before its last binade does, as E4M3 does.
        if magnitude > format.max_finite() {
            return self.overflowed(negative);
        }
        Rounded { bits: sign | magnitude, negative, ..Rounded::default() }
    }

    /// The magnitude of a result whose exact value is below the smallest normal number: a multiple
    /// of the smallest subnormal, so the lower its exponent, the fewer bits it is rounded to.
    ///
    /// `power_of_two` tells whether the exact value is `±2^exponent`.
    fn subnormal(
        &mut self,
        operate: impl Fn(&mut Float, Round) -> Ordering,
        exponent: i32,
        negative: bool,
        power_of_two: bool,
    ) -> u64 {
        if self.format.scale == Scale::Power {
            // There is nothing below the smallest power.
            return 0;
        }
        let unit = self.format.unit();
        let bits = exponent - unit + 1;
        if bits < 1 {
            // Below the smallest subnormal: zero or that one, by direction or by half.
            let above_half = bits == 0 && !power_of_two;
            let nearest = self.rounding == Rounding::NearestEven;
            return u64::from(above_half && nearest || self.outwards(negative) && !nearest);
        }
        let value = &mut self.numbers[bits as usize - 1];
        operate(value, self.round);
        let rounded = self::exponent(value).expect("rounding at any precision leaves a non-zero result");
        significand(value) >> (63 - (rounded - unit))
    }

    /// A finite result beyond the largest number (IEEE 754, 7.4).
    fn overflowed(&self, negative: bool) -> Rounded {
        if self.outwards(negative) {
            return Rounded::beyond(self.format, negative);
        }
        let sign = if negative { self.format.sign_mask() } else { 0 };
        Rounded { negative, ..Rounded::exact(sign | self.format.max_finite()) }
    }

    /// Whether what has no upper neighbour goes there all the same.
    fn outwards(&self, negative: bool) -> bool {
        match self.rounding {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::TowardZero | Rounding::Stochastic => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        }
    }
}

/// The exponent of a regular number's leading bit (MPFR counts from one above).
#[inline]
pub fn exponent(value: &Float) -> Option<i32> {
    value.get_exp().map(|exponent| exponent - 1)
}

/// The significand of a regular number, its leading bit in the top bit.
#[inline]
pub fn significand(value: &Float) -> u64 {
    value.get_significand().expect("a regular number").to_u64_wrapping()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operand::Operand;
    use rug::Rational;
    use rug::ops::AssignRound;
    use vectors::format::{E4M3, E5M2};

    /// Finite data as fractions, in ascending order, each with the bits of its magnitude.
    fn magnitudes(format: &Format) -> Vec<Rational> {
        let value = |bits| {
            let (significand, exponent) = format.decode(bits).unwrap();
            Rational::from(significand) << exponent
        };
        (0..=format.max_finite()).map(value).collect()
    }

    /// Rounds by looking among all numbers of the format: the definition, and nothing else.
    fn by_definition(
        format: &Format,
        numbers: &[Rational],
        rounding: Rounding,
        exact: &Rational,
    ) -> u64 {
        let magnitude = Rational::from(exact.abs_ref());
        let negative = *exact < 0;
        let below = numbers.partition_point(|number| *number <= magnitude) - 1;
        let max = numbers.len() - 1;
        // Beyond the largest number stands the one that an unbounded exponent would have next.
        let next = match numbers.get(below + 1) {
            Some(next) => next.clone(),
            None => Rational::from(&numbers[max] * 2u32) - &numbers[max - 1],
        };
        let to_next = next - &magnitude;
        let to_below = magnitude - &numbers[below];
        let up = to_below != 0
            && match rounding {
                Rounding::NearestEven => to_next < to_below || to_next == to_below && below & 1 == 1,
                Rounding::TowardZero => false,
                Rounding::Down => negative,
                Rounding::Up => !negative,
                rounding => unreachable!("{rounding:?}"),
            };
        let inwards = matches!(
            (rounding, negative),
            (Rounding::TowardZero, _) | (Rounding::Down, false) | (Rounding::Up, true)
        );
        let sign = if negative { format.sign_mask() } else { 0 };
        let far_beyond = below == max && to_next <= 0;
        sign | match below + usize::from(up) {
            _ if far_beyond && inwards => format.max_finite(),
            place if far_beyond || place > max => return Rounded::beyond(format, negative).bits,
            place => place as u64,
        }
    }

    fn rational(format: &Format, bits: u64) -> Option<Rational> {
        let (significand, exponent) = format.decode(bits)?;
        let magnitude = Rational::from(significand) << exponent;
        Some(if format.is_negative(bits) { -magnitude } else { magnitude })
    }

    /// All products, and all sums of products with a spread of addends, of 8-bit data.
    #[test]
    fn every_finite_product_and_sum_of_8_bit_data_is_rounded_by_the_definition() {
        let mut checked = 0;
        for (format, rounding) in
            [&E5M2, &E4M3].into_iter().flat_map(|f| Rounding::IEEE.into_iter().map(move |r| (f, r)))
        {
            let numbers = magnitudes(format);
            let precision = format.precision();
            let mut rounder = Rounder::new(format, rounding, format.canonical_nan());
            let [mut a, mut b, mut c] = [(); 3].map(|()| Operand::new(precision));
            for (x, y) in (0..256).flat_map(|x| (0..256).map(move |y| (x, y))) {
                let (Some(exact_x), Some(exact_y)) = (rational(format, x), rational(format, y)) else {
                    continue;
                };
                a.set(format, x);
                b.set(format, y);
                let product = exact_x * exact_y;
                for z in [0, 1 + (x * 7 + y * 13) % 0x7b, 0x80 + (x + y) % 0x7b, x ^ 0x83] {
                    let Some(exact_z) = rational(format, z) else { continue };
                    c.set(format, z);
                    let exact = Rational::from(&product + &exact_z);
                    let rounded = rounder.round(|result, round| {
                        result.assign_round(a.get().mul_add_ref(&b.get(), &c.get()), round)
                    });
                    let tiny = exact != 0
                        && Rational::from(exact.abs_ref()) < numbers[format.min_normal() as usize];
                    assert_eq!(rounded.tiny_exact, tiny, "{format:?} {rounding:?} {x:#x} {y:#x} {z:#x}");
                    if exact != 0 {
                        let expected = by_definition(format, &numbers, rounding, &exact);
                        assert_eq!(
                            rounded.bits, expected,
                            "{format:?} {rounding:?} {x:#x} {y:#x} {z:#x}"
                        );
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 1_500_000, "only {checked} checked");
    }
}
