//! Functions of real numbers to nearly the precision of f64, much faster than MPFR.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

use oracle::Real;

/// The relative margin of [`in_double`]: values are nearer to the exact ones than this part of them, or of what
/// [`scale`] adds, by far. The tests of this file measure how far.
pub const MARGIN: f64 = 1.0 / (1u64 << 40) as f64;

/// Computes a function in f64.
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
        // The library's function has numbers for negative operands.
        Real::Acosh => {
            if a < 1.0 {
                f64::NAN
            } else {
                libm::acosh(a)
            }
        }
        Real::Atanh => libm::atanh(a),
        Real::Erf => libm::erf(a),
        Real::Erfc => libm::erfc(a),
        Real::Erfcx => erfcx(a),
        Real::ErfInv => erf_inv(a),
        Real::ErfcInv => erfc_inv(a),
        Real::NormCdf => libm::erfc(-a * FRAC_1_SQRT_2) / 2.0,
        // Adding 0 makes +0 of −0.
        Real::NormCdfInv => -SQRT_2 * erfc_inv(2.0 * a) + 0.0,
        Real::LnGamma => libm::lgamma(a),
        Real::Gamma => libm::tgamma(a),
        Real::J0 => libm::j0(a),
        Real::J1 => libm::j1(a),
        Real::Y0 => libm::y0(a),
        Real::Y1 => libm::y1(a),
        Real::I0 => modified_bessel(0.0, a),
        Real::I1 => modified_bessel(1.0, a),
        Real::Floor => a.floor(),
        Real::Ceil => a.ceil(),
        Real::Trunc => a.trunc(),
        Real::Rint => a.round_ties_even(),
    }
}

/// Returns the size that [`MARGIN`] is a part of, beside the value: where a function comes down to zero from larger
/// terms, the size of those, else 0.
pub fn scale(real: Real, a: f64) -> f64 {
    match real {
        Real::LnGamma => a.abs().max(1.0),
        // These functions are waves of this size, and J₁ is no larger than its operand.
        Real::J1 => (1.0 / a.abs()).sqrt().min(a.abs()),
        Real::J0 | Real::Y0 | Real::Y1 => (1.0 / a.abs()).sqrt().min(1.0),
        _ => 0.0,
    }
}

/// Computes sin(πa), with `a` reduced exactly to a quarter of the circle.
fn sin_pi(a: f64) -> f64 {
    let rest = a - 2.0 * (a / 2.0).round_ties_even();
    let size = rest.abs().min(1.0 - rest.abs());
    // A zero has the sign of the operand, as in C.
    let sign = if size == 0.0 { a } else { rest };
    libm::sin(PI * size).copysign(sign)
}

/// Computes cos(πa), with `a` reduced exactly to half of the circle.
fn cos_pi(a: f64) -> f64 {
    let rest = (a - 2.0 * (a / 2.0).round_ties_even()).abs();
    // Away from the zeros no precision is lost, and near them the difference is exact.
    libm::sin(PI * (0.5 - rest)) + 0.0
}

/// Computes the inverse of the error function.
fn erf_inv(a: f64) -> f64 {
    let size = a.abs();
    if size >= 1.0 || a == 0.0 || a.is_nan() {
        return if size == 1.0 {
            a * f64::INFINITY
        } else {
            a * if size > 1.0 { f64::NAN } else { 1.0 }
        };
    }
    if size < 1e-8 {
        // erf x = 2x/√π × (1 − x²/3 …), where f64 has no room for the second term.
        return a * PI.sqrt() / 2.0;
    }
    // The complement of a number near 1 is known exactly.
    let x = match size < 0.5 {
        true => solved(size, libm::log1p(-size * size), false),
        false => erfc_inv_of_small(1.0 - size),
    };
    x.copysign(a)
}

/// Computes the inverse of the complementary error function.
fn erfc_inv(a: f64) -> f64 {
    match a {
        0.0 => f64::INFINITY,
        2.0 => f64::NEG_INFINITY,
        0.0..0.5 => erfc_inv_of_small(a),
        0.5..=1.5 => erf_inv(1.0 - a),
        1.5..2.0 => -erfc_inv_of_small(2.0 - a),
        _ => f64::NAN,
    }
}

/// Computes the inverse of the complementary error function of numbers above 0 and up to ½.
fn erfc_inv_of_small(a: f64) -> f64 {
    solved(a, libm::log(a) + libm::log(2.0 - a), true)
}

/// Solves erf x = `due`, or erfc x = `due` if `complement` is set, by Halley's method. The start is made of `log`, the
/// logarithm of (1 − erf x)(1 + erf x).
fn solved(due: f64, log: f64, complement: bool) -> f64 {
    // Winitzki's approximation of the inverse error function has this constant.
    const SHAPE: f64 = 0.147;
    let middle = 2.0 / (PI * SHAPE) + log / 2.0;
    let mut x = ((middle * middle - log / SHAPE).sqrt() - middle).sqrt();
    // Near zero the two terms above cancel; there erf x is nearly 2x/√π.
    if !complement && due < 1e-4 {
        x = due * PI.sqrt() / 2.0;
    }
    for _ in 0..3 {
        let over = if complement { due - libm::erfc(x) } else { libm::erf(x) - due };
        let step = over * PI.sqrt() / 2.0 * libm::exp(x * x);
        x -= step / (1.0 + x * step);
    }
    x
}

/// Computes exp x² erfc x, far out by the asymptotic series.
fn erfcx(a: f64) -> f64 {
    if a < 6.0 || a.is_nan() {
        return libm::exp(a * a) * libm::erfc(a);
    }
    let (mut term, mut sum) = (1.0, 1.0);
    // The terms shrink up to the one with the number a², which is 36 at least.
    for number in 1..=36 {
        term *= f64::from(1 - 2 * number) / (2.0 * a * a);
        sum += term;
    }
    sum / (a * PI.sqrt())
}

/// Computes Iₙ x, by its series; infinite where f64 has no such number.
fn modified_bessel(order: f64, a: f64) -> f64 {
    if a.abs() > 720.0 {
        return if order == 0.0 { f64::INFINITY } else { f64::INFINITY.copysign(a) };
    }
    let half = a / 2.0;
    let mut term = if order == 0.0 { 1.0 } else { half };
    let mut sum = term;
    let mut number = 1.0;
    while term.abs() > sum.abs() * f64::EPSILON / 8.0 {
        term *= half * half / (number * (number + order));
        sum += term;
        number += 1.0;
    }
    if a.is_nan() { a } else { sum }
}

#[cfg(test)]
mod tests {
    use formats::F32;
    use oracle::Mathematics;
    use sweeps::CounterRng;

    use super::super::table::FUNCTIONS;
    use super::super::truth::{Truths, nearest};
    use super::*;

    /// Returns zeros, ones, infinities, integers and middles between them, ends of ranges, and neighbours of all these.
    fn special() -> impl Iterator<Item = f32> {
        let small = (0..40).map(|half| half as f32 / 2.0);
        let large =
            [85.5, 126.0, 127.5, 149.0, 150.5, 1e4, 8_388_607.5, 1e10, 3e38, f32::MAX, f32::INFINITY];
        let tiny = [f32::from_bits(1), f32::MIN_POSITIVE, 1e-20, 1e-6];
        let all = small.chain(large).chain(tiny).flat_map(|x| [x, x.next_up(), x.next_down()]);
        all.flat_map(|x| [x, -x]).chain([f32::NAN])
    }

    /// Returns numbers of random bits, in each binade alike.
    fn random(count: u64) -> impl Iterator<Item = f32> {
        (0..count).map(|at| f32::from_bits(CounterRng::new(7, at).next() as u32))
    }

    fn reals() -> Vec<Real> {
        let mut reals: Vec<Real> = FUNCTIONS.iter().map(|function| function.real).collect();
        reals.sort_by_key(|real| format!("{real:?}"));
        reals.dedup();
        reals
    }

    /// Checks that the filter is wrong by much less than its margin: a sixteenth of the margin would do.
    #[test]
    fn the_filter_is_much_nearer_to_mpfr_than_its_margin() {
        let mut seen = 0;
        for real in reals() {
            let mut mathematics = Mathematics::new(real, &F32);
            for x in special().chain(random(1500)) {
                let given = [f64::from(x), 3.0];
                let (found, exact) = (in_double(real, given), mathematics.of(given).value);
                // Nothing depends on values that f32 has no room for.
                if !(1e-50..1e50).contains(&exact.abs()) {
                    continue;
                }
                let margin = (exact.abs() + scale(real, given[0])) * MARGIN;
                assert!((found - exact).abs() <= margin / 16.0, "{real:?} {x:e}: {found:e} {exact:e}");
                seen += 1;
            }
        }
        assert!(seen > 10_000, "{seen}");
    }

    /// Checks that results are correctly rounded, whether MPFR is asked or not, zeros, infinities and NaN included.
    #[test]
    fn truths_are_those_of_mpfr() {
        for real in reals() {
            let (mut truths, mut mathematics) = (Truths::new(real, &F32), Mathematics::new(real, &F32));
            for x in special().chain(random(1500)) {
                let given = [f64::from(x), 3.0];
                let [found, exact] = [truths.of(given).nearest, mathematics.of(given).nearest];
                assert_eq!(found, exact, "{real:?} {x:e}: {:e}", mathematics.of(given).value);
            }
            assert!(truths.asked < 100, "{real:?}: MPFR is asked {} times", truths.asked);
        }
    }

    #[test]
    fn values_are_rounded_to_narrow_formats_as_numbers_are() {
        use formats::{BF16, F16};
        for format in [&F16, &BF16] {
            let mut mathematics = Mathematics::new(Real::Div, format);
            for at in 0..20_000 {
                let bits = CounterRng::new(9, at).next();
                let divisor = f64::from(f32::from_bits(bits as u32));
                let dividend = f64::from(f32::from_bits((bits >> 32) as u32));
                let quotient = dividend / divisor;
                let exact = mathematics.of([quotient, 1.0]).nearest;
                assert_eq!(nearest(format, quotient), exact, "{format:?} {quotient:e}");
            }
            let middle = 1.0 + 0.5 * 2f64.powi(-(format.trailing_bits as i32));
            assert_eq!(nearest(format, middle), format.one());
            assert_eq!(nearest(format, 1e300), format.infinity().unwrap());
        }
    }
}
