//! Results of approximations of f32 from their values in f64, where these tell the result.

use compilers::unit::Approximation;
use formats::{F32, numbers_within};
use oracle::Real;

use super::{LARGEST, NAN, SMALLEST};
use crate::real::{MARGIN, in_double};

/// An approximate instruction of f32 whose value can be computed in f64.
#[derive(Clone)]
pub struct Fast {
    pub real: Real,
    pub flush: bool,
    /// The ranges of the bounds: the index of the operand that counts, its least and greatest size, and the bound.
    pub ranges: Vec<(usize, f64, f64, Size)>,
    /// Special operands with their results, in bits: 1, whose logarithm has no margin in f64, zeros, infinities, NaN.
    pub specials: [(u32, u32); 6],
    /// The bits of the results outside two numbers: from the first number upwards, and from the second downwards.
    pub beyond: Option<[(f32, u32); 2]>,
}

#[derive(Clone, Copy)]
pub enum Size {
    Ulp(i32),
    Relative(f64),
    Absolute(f64),
    Unstated,
    Zero,
}

impl Fast {
    /// Returns the result of one operand, or of two; `None` if f64 does not tell.
    #[inline]
    pub fn of(&self, to: Approximation, a: u32, b: u32) -> Option<u32> {
        let [x, y] = [a, b].map(f32::from_bits);
        if self.real == Real::Div {
            let [x, y] =
                [x, y].map(|x| if self.flush && x.is_subnormal() { 0f32.copysign(x) } else { x });
            let is_special = |x: f32| x == 0.0 || !x.is_finite();
            if is_special(x) || is_special(y) {
                let quotient = x / y;
                return Some(if quotient.is_nan() { NAN } else { quotient.to_bits() });
            }
            return self.rounded(to, [x.into(), y.into()]);
        }
        if !x.is_normal() || x == 1.0 {
            let x = if self.flush && x.is_subnormal() { 0f32.copysign(x) } else { x };
            let is = |special: &&(u32, u32)| special.0 == x.to_bits() || x.is_nan() && special.0 == NAN;
            // A subnormal operand that is not flushed is none of these, and is left to MPFR.
            return self.specials.iter().find(is).map(|special| special.1);
        }
        if let Some([(high, above), (low, below)]) = self.beyond {
            if x >= high {
                return Some(above);
            } else if x <= low {
                return Some(below);
            }
        }
        self.rounded(to, [x.into(), 0.0])
    }

    /// Returns the result for operands that are neither special nor beyond; `None` if f64 does not tell.
    #[inline]
    fn rounded(&self, to: Approximation, operands: [f64; 2]) -> Option<u32> {
        let value = in_double(self.real, operands);
        if value.is_nan() {
            // Roots and logarithms of negative numbers give the NaN that the instruction gives of NaN.
            return self.specials.last().map(|special| special.1);
        }
        let size = value.abs();
        if !(SMALLEST..LARGEST).contains(&size) {
            return None;
        }
        let margin = size * MARGIN;
        let nearest = (value - margin) as f32;
        if nearest != (value + margin) as f32 {
            return None;
        }
        let within = |(operand, from, to, _): &&(usize, f64, f64, Size)| {
            let size = operands[*operand].abs();
            *from <= size && size <= *to
        };
        let bound = match self.ranges.iter().find(within)?.3 {
            Size::Zero => return None,
            _ if to == Approximation::Nearest => return Some(nearest.to_bits()),
            Size::Unstated => return Some(nearest.to_bits()),
            Size::Ulp(count) => {
                let magnitude = nearest.abs().to_bits();
                let [below, above] = numbers_within(magnitude as i32, F32.trailing_bits, count);
                // The lowest negative number has the largest magnitude.
                let outwards = (to == Approximation::Lowest) == nearest.is_sign_negative();
                let magnitude = magnitude.wrapping_add_signed(if outwards { above } else { -below });
                return Some(magnitude | nearest.to_bits() & F32.sign_mask() as u32);
            }
            Size::Relative(part) => size * part,
            Size::Absolute(bound) => bound,
        };
        // The edge is rounded inwards, to the last number within the bound, and not beyond the nearest.
        let edge = if to == Approximation::Lowest { value - bound } else { value + bound };
        let margin = (size + bound) * MARGIN;
        let [one, other] = [edge - margin, edge + margin].map(|edge| inwards(to, edge));
        if one.to_bits() != other.to_bits() || f64::from(one).abs() < SMALLEST {
            return None;
        }
        let found = if to == Approximation::Lowest { one.min(nearest) } else { one.max(nearest) };
        Some(found.to_bits())
    }
}

/// Returns the first number of f32 from an edge on towards the value.
#[inline]
fn inwards(to: Approximation, edge: f64) -> f32 {
    let near = edge as f32;
    match to {
        Approximation::Lowest if f64::from(near) < edge => near.next_up(),
        Approximation::Highest if f64::from(near) > edge => near.next_down(),
        _ => near,
    }
}
