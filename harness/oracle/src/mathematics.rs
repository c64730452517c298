//! Functions of real numbers, as MPFR has them: the truth about functions of libraries, which are no instructions.

use rug::float::{Constant, Special};
use rug::ops::{AssignRound, Pow};
use rug::{Assign, Float};
use vectors::Format;
use vectors::isa::Rounding;

use crate::rounded::Rounder;

/// Bits of a value: those of no format and of its middles, and so many more that rounding it is rounding the exact one.
const PRECISION: u32 = 192;
/// Steps of Halley's method, of which each has nearly thrice the right bits of the last, from some 9 on. Near 1 four
/// leave fewer than are due.
const STEPS: usize = 5;

/// A function of one number, or of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "they have the names that mathematics has for them")]
pub enum Real {
    Div,
    Rcp,
    Sqrt,
    Rsqrt,
    Cbrt,
    Rcbrt,
    Exp,
    Exp2,
    Exp10,
    ExpM1,
    Ln,
    Log2,
    Log10,
    Ln1P,
    Sin,
    Cos,
    Tan,
    SinPi,
    CosPi,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Erfc,
    /// The inverse of the error function.
    ErfInv,
    /// The distribution function of the normal distribution.
    NormCdf,
    LnGamma,
    Gamma,
    J0,
    J1,
    Y0,
    Y1,
    Floor,
    Ceil,
    Trunc,
    Rint,
}

/// Computes one function, and rounds it to the nearest number of a format.
pub struct Mathematics {
    real: Real,
    rounder: Rounder,
    inputs: [Float; 2],
    value: Float,
}

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The correctly rounded result.
    pub nearest: u64,
    /// The value, to the precision of f64.
    pub value: f64,
}

impl Mathematics {
    /// A function with results of a format.
    pub fn new(real: Real, format: &'static Format) -> Mathematics {
        let rounder = Rounder::new(format, Rounding::NearestEven, format.canonical_nan());
        let inputs = [(); 2].map(|()| Float::new(53));
        Mathematics { real, rounder, inputs, value: Float::new(PRECISION) }
    }

    /// The function of these numbers, of which it takes as many as it has.
    pub fn of(&mut self, inputs: [f64; 2]) -> Known {
        for (own, given) in self.inputs.iter_mut().zip(inputs) {
            own.assign(given);
        }
        compute(self.real, &mut self.value, &self.inputs);
        let value = &self.value;
        let rounded = self.rounder.round(|result, round| result.assign_round(value, round));
        Known { nearest: rounded.bits, value: value.to_f64() }
    }
}

fn compute(real: Real, value: &mut Float, [a, b]: &[Float; 2]) {
    let wide = || Float::with_val(PRECISION, a);
    match real {
        Real::Div => value.assign(a / b),
        Real::Rcp => value.assign(a.recip_ref()),
        Real::Sqrt => value.assign(a.sqrt_ref()),
        // MPFR has +∞ for −0.
        Real::Rsqrt if a.is_zero() => value.assign(a.recip_ref()),
        Real::Rsqrt => value.assign(a.recip_sqrt_ref()),
        Real::Cbrt => value.assign(a.cbrt_ref()),
        Real::Rcbrt => value.assign(wide().cbrt().recip()),
        Real::Exp => value.assign(a.exp_ref()),
        Real::Exp2 => value.assign(a.exp2_ref()),
        Real::Exp10 => value.assign(a.exp10_ref()),
        Real::ExpM1 => value.assign(a.exp_m1_ref()),
        Real::Ln => value.assign(a.ln_ref()),
        Real::Log2 => value.assign(a.log2_ref()),
        Real::Log10 => value.assign(a.log10_ref()),
        Real::Ln1P => value.assign(a.ln_1p_ref()),
        Real::Sin => value.assign(a.sin_ref()),
        Real::Cos => value.assign(a.cos_ref()),
        Real::Tan => value.assign(a.tan_ref()),
        Real::SinPi => value.assign(a.sin_pi_ref()),
        Real::CosPi => value.assign(a.cos_pi_ref()),
        Real::Asin => value.assign(a.asin_ref()),
        Real::Acos => value.assign(a.acos_ref()),
        Real::Atan => value.assign(a.atan_ref()),
        Real::Sinh => value.assign(a.sinh_ref()),
        Real::Cosh => value.assign(a.cosh_ref()),
        Real::Tanh => value.assign(a.tanh_ref()),
        Real::Asinh => value.assign(a.asinh_ref()),
        Real::Acosh => value.assign(a.acosh_ref()),
        Real::Atanh => value.assign(a.atanh_ref()),
        Real::Erf => value.assign(a.erf_ref()),
        Real::Erfc => value.assign(a.erfc_ref()),
        Real::ErfInv => erf_inv(value, a),
        Real::NormCdf => {
            let half = wide() * -Float::with_val(PRECISION, 0.5).sqrt();
            value.assign(half.erfc() / 2u32);
        }
        Real::LnGamma => value.assign(wide().ln_abs_gamma().0),
        Real::Gamma => value.assign(a.gamma_ref()),
        Real::J0 => value.assign(a.j0_ref()),
        Real::J1 => value.assign(a.j1_ref()),
        Real::Y0 => value.assign(a.y0_ref()),
        Real::Y1 => value.assign(a.y1_ref()),
        Real::Floor => value.assign(a.floor_ref()),
        Real::Ceil => value.assign(a.ceil_ref()),
        Real::Trunc => value.assign(a.trunc_ref()),
        Real::Rint => value.assign(a.round_even_ref()),
    }
}

/// The inverse of the error function, by Halley's method from an approximation in f64.
fn erf_inv(value: &mut Float, a: &Float) {
    let size = a.to_f64().abs();
    if size == 1.0 {
        value.assign(a * Float::with_val(PRECISION, Special::Infinity));
    } else if a.is_zero() {
        value.assign(a);
    } else {
        // Of numbers near 1 the complement is known as exactly, and has a logarithm.
        let complement = 1 - Float::with_val(PRECISION, a.abs_ref());
        let mut x = Float::with_val(PRECISION, approximate_erf_inv(size));
        let root = Float::with_val(PRECISION, Constant::Pi).sqrt();
        for _ in 0..STEPS {
            // (erf x − a) / erf′ x
            let over = if size < 0.5 {
                x.clone().erf() - Float::with_val(PRECISION, a.abs_ref())
            } else {
                Float::with_val(PRECISION, &complement - x.clone().erfc())
            };
            let slope = 2 * (-x.clone().pow(2u32)).exp() / &root;
            let step = over / slope;
            // Newton's step, bent: the second derivative is −2x times the first.
            let bend = 1 + Float::with_val(PRECISION, &x * &step);
            x -= step / bend;
        }
        value.assign(if a.is_sign_negative() { -x } else { x });
    }
}

/// The same to some 9 bits, of numbers from 0 to 1; of others NaN. Of small ones nothing may be left of the difference,
/// and from 0 a step is as near.
fn approximate_erf_inv(size: f64) -> f64 {
    const SHAPE: f64 = 0.147;
    let log = (-size * size).ln_1p();
    let middle = 2.0 / (std::f64::consts::PI * SHAPE) + log / 2.0;
    ((middle * middle - log / SHAPE).sqrt() - middle).sqrt()
}

#[cfg(test)]
mod tests;
