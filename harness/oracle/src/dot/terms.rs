//! The terms of a sum, exactly, and their sums by MPFR.

use rug::float::Round;
use rug::{Assign, Float};
use std::cmp::Ordering;
use vectors::Format;
use vectors::format::Class;
use vectors::matrix::{Dot, DotData};

/// Bits of terms, which hold every product, and of sums.
pub const PRECISION: u32 = 128;

/// The terms of one sum, in numbers that are kept from one sum to the next.
#[derive(Default)]
pub struct Terms {
    values: Vec<Float>,
    /// Magnitudes, subnormal factors taken for the smallest normal number: those of the terms that have any.
    nominal: Vec<Float>,
    /// Which terms have a subnormal factor.
    subnormal: Vec<bool>,
    /// The exponent of the lowest bit that is set in any of them.
    quantum: Option<i32>,
    count: usize,
}

/// `±significand × 2^exponent`
#[derive(Clone, Copy)]
struct Factor {
    negative: bool,
    significand: u128,
    exponent: i32,
    /// Where it is subnormal: its format.
    subnormal: Option<Format>,
}

impl Factor {
    /// A number of a format; of an infinity, nothing.
    fn new(format: &Format, bits: u64) -> Factor {
        let (significand, exponent) = format.decode(bits).unwrap_or((0, 0));
        let subnormal = (format.class(bits) == Class::Subnormal).then_some(*format);
        Factor {
            negative: format.is_negative(bits),
            significand: significand.into(),
            exponent,
            subnormal,
        }
    }

    /// It, or the smallest normal number where it is subnormal.
    fn nominal(self) -> Factor {
        match self.subnormal {
            Some(format) => Factor { significand: 1, exponent: format.exponent_min(), ..self },
            None => self,
        }
    }

    /// Divided by a power of two, which may make it a subnormal number of its format.
    fn divided(self, format: &Format, by: u8) -> Factor {
        let exponent = self.exponent - i32::from(by);
        let leading = exponent + 127 - self.significand.leading_zeros() as i32;
        let subnormal = by > 0 && leading < format.exponent_min();
        Factor { exponent, subnormal: self.subnormal.or(subnormal.then_some(*format)), ..self }
    }

    fn times(self, other: Factor) -> Factor {
        Factor {
            negative: self.negative != other.negative,
            significand: self.significand * other.significand,
            exponent: self.exponent + other.exponent,
            subnormal: self.subnormal.or(other.subnormal),
        }
    }
}

impl Terms {
    /// Takes the terms of a sum that are numbers; `open` tells whether subnormal operands are anything but numbers.
    pub fn read(&mut self, dot: &Dot, data: &DotData, open: bool) {
        (self.count, self.quantum) = (0, None);
        let turned = data.controls.negate_a != data.controls.negate_b;
        let block = |at: usize, scales: u32| at * scales as usize / data.a.len();
        for (at, &place) in data.places.iter().enumerate() {
            let factors = [Factor::new(dot.a, data.a[at]), Factor::new(dot.b, data.b[place])];
            let scales = dot.scales.map(|scales| {
                let block = block(at, scales.count);
                let [x, y] = [0, 1].map(|side| Factor::new(scales.format, data.scales[side][block]));
                x.times(y)
            });
            let scaled = |product: Factor| scales.map_or(product, |scale| product.times(scale));
            let nominal = scaled(factors[0].nominal().times(factors[1].nominal()));
            let mut exact = scaled(factors[0].times(factors[1]));
            exact.negative ^= turned;
            self.push(exact, nominal, open);
        }
        if data.controls.accumulate {
            let addend = Factor::new(dot.c, data.c).divided(dot.c, data.controls.addend_scale);
            self.push(addend, addend.nominal(), open);
        }
    }

    fn push(&mut self, exact: Factor, nominal: Factor, open: bool) {
        if exact.significand == 0 {
            return;
        }
        if self.values.len() == self.count {
            self.values.push(Float::new(PRECISION));
            self.nominal.push(Float::new(PRECISION));
            self.subnormal.push(false);
        }
        let set = |float: &mut Float, factor: Factor| {
            float.assign(factor.significand);
            *float <<= factor.exponent;
        };
        let value = &mut self.values[self.count];
        set(value, exact);
        if exact.negative {
            *value *= -1;
        }
        let subnormal = open && exact.subnormal.is_some();
        set(&mut self.nominal[self.count], if subnormal { nominal } else { exact });
        self.subnormal[self.count] = subnormal;
        let lowest = exact.exponent + exact.significand.trailing_zeros() as i32;
        self.quantum = Some(self.quantum.map_or(lowest, |quantum| quantum.min(lowest)));
        self.count += 1;
    }

    /// The exponent of the lowest bit that is set in any term; `None` of zeros alone.
    pub fn quantum(&self) -> Option<i32> {
        self.quantum
    }

    /// Whether a term that is not zero has a subnormal factor.
    pub fn has_subnormal(&self) -> bool {
        self.subnormal[..self.count].contains(&true)
    }

    /// The exact sum, rounded to odd: so that rounding it once more is rounding once.
    pub fn sum(&self) -> Float {
        let sum = Float::sum(self.values[..self.count].iter());
        let (mut sum, rest) = Float::with_val_round(PRECISION, sum, Round::Zero);
        // Limbs are full, so that the lowest bit of the significand is the last.
        let odd = sum.get_significand().is_some_and(|significand| significand.is_odd());
        if rest != Ordering::Equal && !odd {
            // By a unit away from zero.
            if sum.is_sign_negative() { sum.next_down() } else { sum.next_up() }
        }
        sum
    }

    /// The sums of the magnitudes of positive and of negative terms, rounded up. They may lie too far apart for
    /// a difference to tell one of them.
    pub fn magnitudes(&self) -> [Float; 2] {
        [false, true].map(|negative| {
            let all = self.values[..self.count].iter().zip(&self.nominal);
            let of_sign = all.filter(|(value, _)| value.is_sign_negative() == negative);
            let sum = Float::sum(of_sign.map(|(_, nominal)| nominal));
            Float::with_val_round(PRECISION, sum, Round::Up).0
        })
    }

    /// The sum of the magnitudes of those terms of a sign that have a subnormal factor, rounded up.
    pub fn subnormal(&self, negative: bool) -> Float {
        let all = self.values[..self.count].iter().zip(&self.subnormal);
        let some = all.filter(|(value, subnormal)| **subnormal && value.is_sign_negative() == negative);
        let sum = Float::sum(some.map(|(value, _)| value));
        let away = if negative { Round::Down } else { Round::Up };
        Float::with_val_round(PRECISION, sum, away).0.abs()
    }
}
