//! Functions of real numbers, computed by MPFR: the truth about functions of libraries, which are no instructions.

use formats::Format;
use isa::Rounding;
use rug::float::{Constant, Special};
use rug::ops::{AssignRound, Pow};
use rug::{Assign, Float};

use crate::rounded::Rounder;

/// Bits of a value: more than any format and its middles have, so many that rounding the value is rounding the exact
/// one.
const PRECISION: u32 = 192;
/// Bits of a value whose computation adds up the errors of several steps.
const WIDE: u32 = PRECISION + 64;
/// Steps of Halley's method. Each has nearly thrice the right bits of the one before, from some 9 on. Near 1 four
/// steps leave fewer bits than are due.
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
    /// The complementary error function, times exp x².
    Erfcx,
    /// The inverse of the error function.
    ErfInv,
    /// The inverse of the complementary error function.
    ErfcInv,
    /// The distribution function of the normal distribution.
    NormCdf,
    /// The inverse of the distribution function of the normal distribution.
    NormCdfInv,
    LnGamma,
    Gamma,
    J0,
    J1,
    Y0,
    Y1,
    /// The modified Bessel functions of the first kind, Iₙ, of which this is I₀.
    I0,
    I1,
    Floor,
    Ceil,
    Trunc,
    Rint,
}

/// A function of real numbers, which is computed and rounded to the nearest number of a format.
pub struct Mathematics {
    real: Real,
    rounder: Rounder,
    inputs: [Float; 2],
    value: Float,
}

/// The value of a function for given inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctionValue {
    /// The correctly rounded result's bits.
    pub nearest: u64,
    /// The value of the function, to the precision of f64.
    pub value: f64,
}

impl Mathematics {
    /// Makes a function whose results have a format.
    pub fn new(real: Real, format: &'static Format) -> Mathematics {
        let rounder = Rounder::new(format, Rounding::NearestEven, format.canonical_nan());
        let inputs = [(); 2].map(|()| Float::new(53));
        Mathematics { real, rounder, inputs, value: Float::new(PRECISION) }
    }

    /// Computes the function of these numbers, of which it takes as many as it has inputs.
    pub fn of(&mut self, inputs: [f64; 2]) -> FunctionValue {
        for (own, given) in self.inputs.iter_mut().zip(inputs) {
            own.assign(given);
        }
        compute(self.real, &mut self.value, &self.inputs);
        let value = &self.value;
        let rounded = self.rounder.round(|result, round| result.assign_round(value, round));
        FunctionValue { nearest: rounded.bits, value: value.to_f64() }
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
        Real::Erfcx => value.assign(erfcx(a)),
        Real::ErfInv => erf_inv(value, a),
        Real::ErfcInv => erfc_inv(value, a),
        Real::NormCdf => {
            let half = wide() * -Float::with_val(PRECISION, 0.5).sqrt();
            value.assign(half.erfc() / 2u32);
        }
        Real::NormCdfInv => {
            erfc_inv(value, &(wide() * 2u32));
            *value *= -Float::with_val(PRECISION, 2).sqrt();
            if value.is_zero() {
                value.assign(0);
            }
        }
        Real::LnGamma => value.assign(wide().ln_abs_gamma().0),
        Real::Gamma => value.assign(a.gamma_ref()),
        Real::J0 => value.assign(a.j0_ref()),
        Real::J1 => value.assign(a.j1_ref()),
        Real::Y0 => value.assign(a.y0_ref()),
        Real::Y1 => value.assign(a.y1_ref()),
        Real::I0 => value.assign(modified_bessel(0, a)),
        Real::I1 => value.assign(modified_bessel(1, a)),
        Real::Floor => value.assign(a.floor_ref()),
        Real::Ceil => value.assign(a.ceil_ref()),
        Real::Trunc => value.assign(a.trunc_ref()),
        Real::Rint => value.assign(a.round_even_ref()),
    }
}

/// Computes the inverse of the error function.
fn erf_inv(value: &mut Float, a: &Float) {
    let size = a.to_f64().abs();
    if size == 1.0 {
        value.assign(a * Float::with_val(PRECISION, Special::Infinity));
    } else if a.is_zero() {
        value.assign(a);
    } else {
        let wide = Float::with_val(PRECISION, a.abs_ref());
        let x = match size < 0.5 {
            // From 0, a step is as near as an approximation.
            true => solved(&wide, 0.0, false),
            // For numbers near 1 the complement is known as exactly, and has a logarithm.
            false => erfc_inv_of_small(&(1 - wide)),
        };
        value.assign(if a.is_sign_negative() { -x } else { x });
    }
}

/// Computes the inverse of the complementary error function, of numbers from 0 to 2.
fn erfc_inv(value: &mut Float, a: &Float) {
    let wide = Float::with_val(PRECISION, a);
    if a.is_zero() || *a == 2 {
        value.assign(if a.is_zero() { Special::Infinity } else { Special::NegInfinity });
    } else if *a < 0.5 {
        value.assign(erfc_inv_of_small(&wide));
    } else {
        erf_inv(value, &(1 - wide));
    }
}

/// Computes the inverse of the complementary error function, of numbers up to ½; NaN for negative ones.
fn erfc_inv_of_small(a: &Float) -> Float {
    let size = a.to_f64();
    solved(a, size.ln() + (2.0 - size).ln(), true)
}

/// Returns the number at which the error function, or its complement, is `due`. Halley's method finds it from an
/// approximation, which takes `log`, the logarithm of the product of both functions.
fn solved(due: &Float, log: f64, complement: bool) -> Float {
    let mut x = Float::with_val(PRECISION, approximate_erf_inv(log));
    let root = Float::with_val(PRECISION, Constant::Pi).sqrt();
    for _ in 0..STEPS {
        // (erf x − due) / erf′ x
        let over = match complement {
            true => Float::with_val(PRECISION, due - x.clone().erfc()),
            false => x.clone().erf() - due,
        };
        let slope = 2 * (-x.clone().pow(2u32)).exp() / &root;
        let step = over / slope;
        // Newton's step, bent: the second derivative is −2x times the first.
        let bend = 1 + Float::with_val(PRECISION, &x * &step);
        x -= step / bend;
    }
    x
}

/// Approximates the inverse of the error function to some 9 bits, from the logarithm of (1 − erf x)(1 + erf x); NaN
/// where there is none.
fn approximate_erf_inv(log: f64) -> f64 {
    const SHAPE: f64 = 0.147;
    let middle = 2.0 / (std::f64::consts::PI * SHAPE) + log / 2.0;
    ((middle * middle - log / SHAPE).sqrt() - middle).sqrt()
}

/// Computes exp x² erfc x. Where the factors are beyond MPFR's numbers, it takes the asymptotic series, whose terms
/// there become small enough long before they grow.
fn erfcx(a: &Float) -> Float {
    let x = Float::with_val(WIDE, a);
    let square = Float::with_val(WIDE, x.square_ref());
    if x < 4096 || x.is_nan() {
        return square.exp() * x.erfc();
    }
    let divisor = square * -2;
    let mut term = Float::with_val(WIDE, 1);
    let mut sum = term.clone();
    for odd in (1u32..).step_by(2) {
        term *= odd;
        term /= &divisor;
        sum += &term;
        if term.get_exp().is_none_or(|exponent| exponent < -(PRECISION as i32)) {
            break;
        }
    }
    sum / (x * Float::with_val(WIDE, Constant::Pi).sqrt())
}

/// Computes Iₙ x by its series, of which all terms have one sign. Where no format has room for the value, it returns
/// something as large.
fn modified_bessel(order: u32, a: &Float) -> Float {
    let x = Float::with_val(WIDE, a);
    if !(-1024..=1024).contains(&x) {
        let size = x.clone().abs().exp();
        return if order == 1 && x.is_sign_negative() { -size } else { size };
    }
    let half = x / 2u32;
    let square = Float::with_val(WIDE, half.square_ref());
    let mut term = if order == 0 { Float::with_val(WIDE, 1) } else { half };
    let mut sum = term.clone();
    for number in 1u32.. {
        term *= &square;
        term /= number * (number + order);
        sum += &term;
        // What is left is less than this term, or the terms still grow.
        let least = sum.get_exp().map_or(0, |exponent| exponent - PRECISION as i32 - 8);
        if term.get_exp().is_none_or(|exponent| exponent < least) {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests;
