//! Tests of the functions of real numbers, by numbers that are known of them.

use formats::F64;

use super::*;

/// Values as mpmath has them, to 24 digits, for each function that is not exact.
const VALUES: [(Real, [f64; 2], &str); 52] = [
    (Real::Div, [1.0, 3.0], "0.333333333333333333333333"),
    (Real::Rcp, [3.0, 0.0], "0.333333333333333333333333"),
    (Real::Sqrt, [2.0, 0.0], "1.41421356237309504880169"),
    (Real::Rsqrt, [2.0, 0.0], "0.707106781186547524400844"),
    (Real::Cbrt, [3.0, 0.0], "1.44224957030740838232164"),
    (Real::Rcbrt, [3.0, 0.0], "0.693361274350634704843352"),
    (Real::Exp, [1.0, 0.0], "2.71828182845904523536029"),
    (Real::Exp2, [0.5, 0.0], "1.41421356237309504880169"),
    (Real::Exp10, [0.5, 0.0], "3.16227766016837933199889"),
    (Real::ExpM1, [1.0, 0.0], "1.71828182845904523536029"),
    (Real::Ln, [3.0, 0.0], "1.09861228866810969139525"),
    (Real::Log2, [3.0, 0.0], "1.58496250072115618145374"),
    (Real::Log10, [3.0, 0.0], "0.477121254719662437295028"),
    (Real::Ln1P, [1.0, 0.0], "0.693147180559945309417232"),
    (Real::Sin, [1.0, 0.0], "0.841470984807896506652502"),
    (Real::Cos, [1.0, 0.0], "0.540302305868139717400937"),
    (Real::Tan, [1.0, 0.0], "1.55740772465490223050697"),
    (Real::SinPi, [0.25, 0.0], "0.707106781186547524400844"),
    (Real::CosPi, [0.75, 0.0], "-0.707106781186547524400844"),
    (Real::Asin, [1.0, 0.0], "1.57079632679489661923132"),
    (Real::Acos, [-1.0, 0.0], "3.14159265358979323846264"),
    (Real::Atan, [1.0, 0.0], "0.785398163397448309615661"),
    (Real::Sinh, [1.0, 0.0], "1.17520119364380145688238"),
    (Real::Cosh, [1.0, 0.0], "1.54308063481524377847791"),
    (Real::Tanh, [1.0, 0.0], "0.761594155955764888119458"),
    (Real::Asinh, [1.0, 0.0], "0.881373587019543025232609"),
    (Real::Acosh, [2.0, 0.0], "1.31695789692481670862505"),
    (Real::Atanh, [0.5, 0.0], "0.549306144334054845697623"),
    (Real::Erf, [1.0, 0.0], "0.842700792949714869341221"),
    (Real::Erfc, [1.0, 0.0], "0.157299207050285130658779"),
    (Real::Erfcx, [1.0, 0.0], "0.42758357615580700441075"),
    (Real::Erfcx, [-1.0, 0.0], "5.00898008076228346630982"),
    (Real::Erfcx, [5000.0, 0.0], "0.000112837914452793058604077"),
    (Real::ErfcInv, [0.25, 0.0], "0.813419847597618541690289"),
    (Real::ErfcInv, [1.75, 0.0], "-0.813419847597618541690289"),
    (Real::ErfInv, [0.5, 0.0], "0.476936276204469873381418"),
    (Real::ErfInv, [-0.875, 0.0], "-1.08478704006928314130699"),
    (Real::NormCdf, [1.0, 0.0], "0.841344746068542948585233"),
    (Real::NormCdf, [-2.0, 0.0], "0.0227501319481792072002826"),
    (Real::NormCdfInv, [0.25, 0.0], "-0.674489750196081743202227"),
    (Real::NormCdfInv, [0.875, 0.0], "1.15034938037600817829677"),
    (Real::LnGamma, [0.5, 0.0], "0.572364942924700087071714"),
    (Real::LnGamma, [-0.5, 0.0], "1.26551212348464539648895"),
    (Real::Gamma, [0.5, 0.0], "1.77245385090551602729817"),
    (Real::Gamma, [-0.5, 0.0], "-3.54490770181103205459633"),
    (Real::J0, [1.0, 0.0], "0.765197686557966551449718"),
    (Real::J1, [1.0, 0.0], "0.440050585744933515959682"),
    (Real::Y0, [1.0, 0.0], "0.0882569642156769579829268"),
    (Real::Y1, [1.0, 0.0], "-0.78121282130028871654715"),
    (Real::I0, [1.0, 0.0], "1.26606587775200833559824"),
    (Real::I1, [1.0, 0.0], "0.565159103992485027207696"),
    (Real::I1, [-2.0, 0.0], "-1.59063685463732906338225"),
];

/// Returns the correctly rounded value of a function in f64.
fn nearest(real: Real, inputs: [f64; 2]) -> f64 {
    f64::from_bits(Mathematics::new(real, &F64).of(inputs).nearest)
}

#[test]
fn every_function_has_its_values() {
    for (real, inputs, digits) in VALUES {
        let due: f64 = digits.parse().unwrap();
        assert_eq!(nearest(real, inputs), due, "{real:?} {inputs:?}");
        assert_eq!(Mathematics::new(real, &F64).of(inputs).value, due, "{real:?} {inputs:?}");
    }
}

#[test]
fn numbers_become_integers_in_four_ways() {
    let of =
        |x: f64| [Real::Floor, Real::Ceil, Real::Trunc, Real::Rint].map(|real| nearest(real, [x, 0.0]));
    assert_eq!(of(1.5), [1.0, 2.0, 1.0, 2.0]);
    assert_eq!(of(-1.5), [-2.0, -1.0, -1.0, -2.0]);
    assert_eq!(of(2.5), [2.0, 3.0, 2.0, 2.0]);
}

/// Checks that the reciprocal root of −0 is −∞, as IEEE 754 has it (9.2.1).
#[test]
fn a_root_of_zero_keeps_its_sign() {
    assert_eq!(nearest(Real::Rsqrt, [0.0, 0.0]), f64::INFINITY);
    assert_eq!(nearest(Real::Rsqrt, [-0.0, 0.0]), f64::NEG_INFINITY);
    assert!(nearest(Real::Rsqrt, [-1.0, 0.0]).is_nan());
}

#[test]
fn the_inverse_of_the_error_function_ends_at_one() {
    let of = |x: f64| nearest(Real::ErfInv, [x, 0.0]);
    assert_eq!([1.0, -1.0].map(of), [f64::INFINITY, f64::NEG_INFINITY]);
    assert_eq!([0.0, -0.0].map(|x| of(x).to_bits()), [0, 1 << 63]);
    assert!([f64::NAN, 1.0 + f64::EPSILON, -1.5, f64::INFINITY].into_iter().all(|x| of(x).is_nan()));
}

/// Whether the error function, or its complement, is `due` at `found`, to the last bits of `found`.
fn is_where(found: Float, function: fn(Float) -> Float, due: f64) -> bool {
    // With more bits, nothing is lost on the way back.
    let wide = Float::with_val(4 * PRECISION, &found);
    let root = Float::with_val(4 * PRECISION, Constant::Pi).sqrt();
    let slope = 2 * (-wide.clone().square()).exp() / root;
    let error: Float = (function(wide) - due) / slope / &found;
    error.abs() < 2f64.powi(8 - PRECISION as i32)
}

/// Checks that the inverse has enough bits: rounding it is rounding the exact number, whether that is small or where
/// the function is steepest.
#[test]
fn the_inverse_of_the_error_function_is_exact_to_its_last_bits() {
    let powers = [1, 2, 3, 5, 9, 13, 14, 20, 26, 27, 28, 60, 149, 1022].map(|power| 2f64.powi(-power));
    let near_one = [2, 5, 12, 24, 40, 53].map(|power| 1.0 - 2f64.powi(-power));
    for size in powers.into_iter().chain(near_one).chain([0.3, 0.5f64.next_down(), 0.7]) {
        for x in [size, -size] {
            let mut found = Float::new(PRECISION);
            erf_inv(&mut found, &Float::with_val(53, x));
            assert!(is_where(found, Float::erf, x), "{x:e}");
        }
    }
}

/// Checks that the function is 1 / (x √π) where its factors are too large and too small, and that it is the same on
/// both sides of where that begins.
#[test]
fn the_scaled_complement_goes_on_where_its_factors_end() {
    let of = |x: f64| nearest(Real::Erfcx, [x, 0.0]);
    let (below, from) = (4096.0 - 2f64.powi(-20), 4096.0);
    let slope = |x: f64| -1.0 / (x * x * std::f64::consts::PI.sqrt());
    let between = (of(from) - of(below)) / (from - below);
    assert!((between / slope(from) - 1.0).abs() < 1e-5, "{between:e}");
    assert!((of(1e200) * 1e200 * std::f64::consts::PI.sqrt() - 1.0).abs() < 1e-15);
    assert_eq!([f64::INFINITY, -30.0, f64::NEG_INFINITY].map(of), [0.0, f64::INFINITY, f64::INFINITY]);
    assert!(of(f64::NAN).is_nan());
}

/// Whether a number is what another computation gives with four times the bits, to the last one that is due.
fn is_exact(found: &Float, due: &Float) -> bool {
    let error: Float = Float::with_val(4 * PRECISION, found / due) - 1;
    error.abs() < 2f64.powi(-(PRECISION as i32))
}

/// Checks the function by its factors, for which MPFR has room beyond where the series takes over.
#[test]
fn the_scaled_complement_is_exact_to_its_last_bits() {
    for x in [-5.0, -0.5, 2f64.powi(-30), 0.7, 3.0, 27.0, 4095.9, 4096.0, 4097.5, 2e4] {
        let wide = Float::with_val(4 * PRECISION, x);
        let due = wide.clone().square().exp() * wide.erfc();
        assert!(is_exact(&erfcx(&Float::with_val(53, x)), &due), "{x:e}");
    }
}

/// Checks the functions by more terms of the series than are ever taken, largest powers last.
#[test]
fn modified_bessel_functions_are_exact_to_their_last_bits() {
    for (order, x) in [0, 1].into_iter().flat_map(|order| {
        [2f64.powi(-600), 2f64.powi(-40), 0.1, -0.7, 1.0, 13.5, -88.0, 713.0, 1024.0, -1024.0]
            .map(|x| (order, x))
    }) {
        let half = Float::with_val(8 * PRECISION, x) / 2u32;
        let mut term = if order == 0 { Float::with_val(8 * PRECISION, 1) } else { half.clone() };
        let mut due = term.clone();
        for number in 1..4000u32 {
            term *= &half;
            term *= &half;
            term /= number;
            term /= number + order;
            due += &term;
        }
        assert!(is_exact(&modified_bessel(order, &Float::with_val(53, x)), &due), "{order} {x:e}");
    }
    // Beyond 1024 no format has room for the value, and its sign is the one that the order says.
    for x in [1024.5, -1024.5, 1e300, -1e300] {
        let of = |order| modified_bessel(order, &Float::with_val(53, x)).to_f64();
        assert_eq!((of(0), of(1)), (f64::INFINITY, f64::INFINITY.copysign(x)), "{x:e}");
    }
}

/// Checks the inverse by the function itself, with more bits, on all sides of where the way to it changes.
#[test]
fn the_inverse_of_the_complement_is_exact_to_its_last_bits() {
    let small = [1, 2, 13, 53, 149, 1022].map(|power| 2f64.powi(-power));
    let others = [
        f64::from_bits(1),
        0.3,
        0.5f64.next_down(),
        0.5,
        0.7,
        1.25,
        1.5,
        1.5f64.next_up(),
        2f64.next_down(),
    ];
    for a in small.into_iter().chain(others) {
        let mut found = Float::new(PRECISION);
        erfc_inv(&mut found, &Float::with_val(53, a));
        assert!(is_where(found, Float::erfc, a), "{a:e}");
    }
    let of = |a: f64| nearest(Real::ErfcInv, [a, 0.0]);
    assert_eq!([0.0, -0.0, 1.0, 2.0].map(of), [f64::INFINITY, f64::INFINITY, 0.0, f64::NEG_INFINITY]);
    assert!([-1.0, 2f64.next_up(), f64::INFINITY, f64::NAN].into_iter().all(|a| of(a).is_nan()));
    let normal = |a: f64| nearest(Real::NormCdfInv, [a, 0.0]);
    assert_eq!([0.0, 1.0].map(normal), [f64::NEG_INFINITY, f64::INFINITY]);
    assert_eq!(normal(0.5).to_bits(), 0);
    assert!([-0.25, 1f64.next_up(), f64::NAN].into_iter().all(|a| normal(a).is_nan()));
}

/// Checks that I₀′ = I₁, and that a value for which no format has room is infinite.
#[test]
fn modified_functions_are_each_others_slope() {
    for x in [0.25, 3.0, 90.0, 700.0] {
        let step = 2f64.powi(-40);
        let [above, below] = [x + step, x - step].map(|at| {
            let mut value = Float::new(PRECISION);
            compute(Real::I0, &mut value, &[at, 0.0].map(|of| Float::with_val(53, of)));
            value
        });
        let slope = (above - below).to_f64() / (2.0 * step);
        let due = nearest(Real::I1, [x, 0.0]);
        assert!((slope / due - 1.0).abs() < 1e-15, "{x}");
    }
    let of = |real, x: f64| nearest(real, [x, 0.0]);
    assert_eq!([of(Real::I0, 0.0), of(Real::I0, -1e9)], [1.0, f64::INFINITY]);
    assert_eq!([-0.0, 0.0].map(|x| of(Real::I1, x).to_bits()), [1 << 63, 0]);
    assert_eq!([-1e9, 1e9].map(|x| of(Real::I1, x)), [f64::NEG_INFINITY, f64::INFINITY]);
    assert!(of(Real::I0, f64::NAN).is_nan() && of(Real::I1, f64::NAN).is_nan());
}
