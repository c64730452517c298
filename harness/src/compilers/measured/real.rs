//! Functions of real numbers to nearly the precision of f64, much faster than MPFR.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use oracle::Real;

/// Values are nearer to the exact ones than this part of them, or of what [`scale`] adds, by far: the tests of this
/// file measure how far.
pub const MARGIN: f64 = 1.0 / (1u64 << 40) as f64;

/// A function in f64.
pub fn in_double(real: Real, [a, b]: [f64; 2]) -> f64 {
    match real {
        Real::Div => a / b,
        Real::Rcp => 1.0 / a,
        Real::Sqrt => a.sqrt(),
        Real::Rsqrt if a == 0.0 => 1.0 / a,
        Real::Rsqrt => 1.0 / a.sqrt(),
        Real::Cbrt => libm::cbrt(a),
        Real::Rcbrt => 1.0 / libm::cbrt(a),
        Real::Exp => libm::exp(a),
        Real::Exp2 => libm::exp2(a),
        Real::Exp10 => libm::exp10(a),
        Real::ExpM1 => libm::expm1(a),
        Real::Ln => libm::log(a),
        Real::Log2 => libm::log2(a),
        Real::Log10 => libm::log10(a),
        Real::Ln1P => libm::log1p(a),
        Real::Sin => libm::sin(a),
        Real::Cos => libm::cos(a),
        Real::Tan => libm::tan(a),
        Real::SinPi => sin_pi(a),
        Real::CosPi => cos_pi(a),
        Real::Asin => libm::asin(a),
        Real::Acos => libm::acos(a),
        Real::Atan => libm::atan(a),
        Real::Sinh => libm::sinh(a),
        Real::Cosh => libm::cosh(a),
        Real::Tanh => libm::tanh(a),
        Real::Asinh => libm::asinh(a),
        Real::Acosh => libm::acosh(a),
        Real::Atanh => libm::atanh(a),
        Real::Erf => libm::erf(a),
        Real::Erfc => libm::erfc(a),
        Real::ErfInv => erf_inv(a),
        Real::NormCdf => libm::erfc(-a * FRAC_1_SQRT_2) / 2.0,
        Real::LnGamma => libm::lgamma(a),
        Real::Gamma => libm::tgamma(a),
        Real::J0 => libm::j0(a),
        Real::J1 => libm::j1(a),
        Real::Y0 => libm::y0(a),
        Real::Y1 => libm::y1(a),
        Real::Floor => a.floor(),
        Real::Ceil => a.ceil(),
        Real::Trunc => a.trunc(),
        Real::Rint => a.round_ties_even(),
    }
}

/// What a value's error is a part of beside the value: where a function comes down to zero from larger terms, those.
pub fn scale(real: Real, a: f64) -> f64 {
    match real {
        Real::LnGamma => a.abs().max(1.0),
        // Waves of this size.
        Real::J0 | Real::J1 | Real::Y0 | Real::Y1 => (1.0 / a.abs()).sqrt().min(1.0),
        _ => 0.0,
    }
}

/// sin(πa), of a reduced exactly to a quarter of the circle.
fn sin_pi(a: f64) -> f64 {
    let rest = a - 2.0 * (a / 2.0).round_ties_even();
    let size = rest.abs().min(1.0 - rest.abs());
    // The sign of zero is that of the number, as C has it.
    let sign = if size == 0.0 { a } else { rest };
    libm::sin(PI * size).copysign(sign)
}

fn cos_pi(a: f64) -> f64 {
    let rest = (a - 2.0 * (a / 2.0).round_ties_even()).abs();
    // Away from the zeros no precision is lost, and near them the difference is exact.
    libm::sin(PI * (0.5 - rest)) + 0.0
}

/// The inverse of the error function, by Halley's method.
fn erf_inv(a: f64) -> f64 {
    const SHAPE: f64 = 0.147;
    let size = a.abs();
    if size >= 1.0 || a == 0.0 || a.is_nan() {
        return if size == 1.0 {
            a * f64::INFINITY
        } else {
            a * if size > 1.0 { f64::NAN } else { 1.0 }
        };
    }
    if size < 1e-8 {
        return a * PI.sqrt() / 2.0;
    }
    let log = libm::log1p(-size * size);
    let middle = 2.0 / (PI * SHAPE) + log / 2.0;
    let mut x = ((middle * middle - log / SHAPE).sqrt() - middle).sqrt();
    if size < 1e-4 {
        x = size * PI.sqrt() / 2.0;
    }
    for _ in 0..3 {
        // Of numbers near 1 the complement is known exactly.
        let over = if size < 0.5 { libm::erf(x) - size } else { (1.0 - size) - libm::erfc(x) };
        let step = over * PI.sqrt() / 2.0 * libm::exp(x * x);
        x -= step / (1.0 + x * step);
    }
    x.copysign(a)
}
