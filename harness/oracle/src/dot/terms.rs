//! The terms of a sum, exactly, and their sums by MPFR.

use formats::{Class, Format};
use isa::matrix::{Dot, DotData};
use rug::float::Round;
use rug::ops::{AssignRound, NegAssign};
use rug::{Assign, Float};
use std::cmp::Ordering;

/// Bits of terms and of sums: enough for every product.
pub const PRECISION: u32 = 128;

/// The terms of one sum that are not zero, in numbers that are kept from one sum to the next.
pub struct Terms {
    values: Vec<Float>,
    /// The magnitude of each term, with subnormal factors, where it has any, taken for the smallest normal number.
    nominal: Vec<Float>,
    /// Whether each term has a subnormal factor.
    subnormal: Vec<bool>,
    /// The exponent of the lowest set bit of each term.
    lowest: Vec<i32>,
    count: usize,
    products: usize,
    sum: Float,
    magnitudes: [Float; 2],
}

/// An exact number, `±significand × 2^exponent`.
#[derive(Clone, Copy)]
struct Factor {
    negative: bool,
    significand: u128,
    exponent: i32,
    /// The format of the number, where it is subnormal in that.
    subnormal: Option<Format>,
}

impl Factor {
    /// Reads a number of a format; zero in place of an infinity.
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

    /// Returns the number, or the smallest normal number where it is subnormal.
    fn nominal(self) -> Factor {
        match self.subnormal {
            Some(format) => Factor { significand: 1, exponent: format.exponent_min(), ..self },
            None => self,
        }
    }

    /// Reads the addend, divided as the controls say, which may make it a subnormal number of its format.
    fn addend(format: &Format, data: &DotData) -> Factor {
        let whole = Factor::new(format, data.c);
        let exponent = whole.exponent - i32::from(data.controls.addend_scale);
        let subnormal = data.controls.makes_subnormal(format, data.c).then_some(*format);
        Factor { exponent, subnormal: whole.subnormal.or(subnormal), ..whole }
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
    /// Makes an empty list of terms.
    pub fn new() -> Terms {
        let zero = || Float::new(PRECISION);
        Terms {
            values: Vec::new(),
            nominal: Vec::new(),
            subnormal: Vec::new(),
            lowest: Vec::new(),
            count: 0,
            products: 0,
            sum: zero(),
            magnitudes: [zero(), zero()],
        }
    }

    /// Reads those terms of a sum that are numbers: a term with an infinity is left out. `open` tells whether the
    /// handling of subnormal operands is open.
    pub fn read(&mut self, dot: &Dot, data: &DotData, open: bool) {
        (self.count, self.products) = (0, 0);
        let turned = data.controls.negate_a != data.controls.negate_b;
        let block = |at: usize, scales: u32| at * scales as usize / data.a.len();
        for (at, &place) in data.places.iter().enumerate() {
            let factors = [Factor::new(dot.a, data.a[at]), Factor::new(dot.b, data.b[place])];
            let scales = dot.scales.map(|scales| {
                let block = block(at, scales.count);
                [0, 1].map(|side| Factor::new(scales.format, data.scales[side][block]))
            });
            let product = |of: fn(Factor) -> Factor| {
                let product = of(factors[0]).times(of(factors[1]));
                scales.map_or(product, |[x, y]| product.times(of(x).times(of(y))))
            };
            let mut exact = product(|factor| factor);
            let nominal = if exact.subnormal.is_some() { product(Factor::nominal) } else { exact };
            exact.negative ^= turned;
            self.push(exact, nominal, open);
        }
        self.products = self.count;
        if data.controls.accumulate {
            let addend = Factor::addend(dot.c, data);
            self.push(addend, addend.nominal(), open);
        }
        self.add();
    }

    fn push(&mut self, exact: Factor, nominal: Factor, open: bool) {
        if exact.significand == 0 {
            return;
        }
        if self.values.len() == self.count {
            self.values.push(Float::new(PRECISION));
            self.nominal.push(Float::new(PRECISION));
            self.subnormal.push(false);
            self.lowest.push(0);
        }
        let set = |float: &mut Float, factor: Factor| {
            float.assign(factor.significand);
            *float <<= factor.exponent;
        };
        let value = &mut self.values[self.count];
        set(value, exact);
        if exact.negative {
            value.neg_assign();
        }
        let subnormal = open && exact.subnormal.is_some();
        set(&mut self.nominal[self.count], if subnormal { nominal } else { exact });
        self.subnormal[self.count] = subnormal;
        self.lowest[self.count] = exact.exponent + exact.significand.trailing_zeros() as i32;
        self.count += 1;
    }

    /// Returns the number of terms that are not zero.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of terms that were read as products and are not zero, where no term has been forgotten.
    pub fn products(&self) -> usize {
        self.products
    }

    /// Returns the exponent of the lowest bit that is set in any term; `None` where all terms are zero.
    pub fn quantum(&self) -> Option<i32> {
        self.lowest[..self.count].iter().copied().min()
    }

    /// Returns the number of terms that are not zero and have a subnormal factor.
    pub fn subnormals(&self) -> usize {
        self.subnormal[..self.count].iter().filter(|subnormal| **subnormal).count()
    }

    /// Forgets the first term with a subnormal factor, if there is one.
    pub fn drop_subnormal(&mut self) {
        if let Some(at) = self.subnormal[..self.count].iter().position(|subnormal| *subnormal) {
            self.count -= 1;
            self.values.swap(at, self.count);
            self.nominal.swap(at, self.count);
            self.subnormal.swap(at, self.count);
            self.lowest.swap(at, self.count);
            self.add();
        }
    }

    fn add(&mut self) {
        let sum = Float::sum(self.values[..self.count].iter());
        let rest = self.sum.assign_round(sum, Round::Zero);
        // Limbs are full, so that the lowest bit of the significand is the last.
        let odd = self.sum.get_significand().is_some_and(|significand| significand.is_odd());
        if rest != Ordering::Equal && !odd {
            // By a unit away from zero.
            if self.sum.is_sign_negative() { self.sum.next_down() } else { self.sum.next_up() }
        }
        for (negative, magnitude) in [false, true].into_iter().zip(&mut self.magnitudes) {
            let all = self.values[..self.count].iter().zip(&self.nominal);
            let of_sign = all.filter(|(value, _)| value.is_sign_negative() == negative);
            magnitude.assign_round(Float::sum(of_sign.map(|(_, nominal)| nominal)), Round::Up);
        }
    }

    /// Returns the exact sum, rounded to odd, so that rounding it once more is rounding once.
    pub fn sum(&self) -> &Float {
        &self.sum
    }

    /// Returns the sums of the magnitudes of positive and of negative terms, rounded up. The two may lie too far
    /// apart for a difference to tell one of them.
    pub fn magnitudes(&self) -> &[Float; 2] {
        &self.magnitudes
    }

    /// Returns the sum of the magnitudes of those terms of a sign that have a subnormal factor, rounded up.
    pub fn subnormal(&self, negative: bool) -> Float {
        let all = self.values[..self.count].iter().zip(&self.subnormal);
        let some = all.filter(|(value, subnormal)| **subnormal && value.is_sign_negative() == negative);
        let sum = Float::sum(some.map(|(value, _)| value));
        let away = if negative { Round::Down } else { Round::Up };
        Float::with_val_round(PRECISION, sum, away).0.abs()
    }
}
