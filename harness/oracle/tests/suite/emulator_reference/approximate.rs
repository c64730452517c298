//! Tests of the emulator's functions against MPFR, and of the bound that `Approximation` states.

use emulator::approximate::{Approximation, Real, cos, ex2, lg2, rcp, rsqrt, sin, tanh};
use rug::float::{Constant, Round};
use rug::{Float, Integer};

/// Bits of MPFR's results, which are correctly rounded, and of differences from them.
const PRECISION: u32 = 128;

/// Bits of multiples of π: as many as the emulator has of 2/π, and more.
const LONG: u32 = 400;

/// The encodings of three numbers of f32.
const ONE: u32 = 0x3f80_0000;
const MIN_NORMAL: u32 = 0x0080_0000;
const INFINITY: u32 = 0x7f80_0000;

/// Returns every 4093rd of the positive finite numbers of f32.
fn spread() -> impl Iterator<Item = u32> {
    (1..INFINITY).step_by(4093)
}

/// Returns all positive finite numbers of f32 whose encodings are within `reach` of `centre`.
fn around(centre: u32, reach: u32) -> impl Iterator<Item = u32> {
    centre.saturating_sub(reach).max(1)..=(centre + reach).min(INFINITY - 1)
}

/// Returns both signs of each number.
fn signed(positive: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    positive.flat_map(|bits| [bits, bits | 1 << 31])
}

fn decode(bits: u32) -> Real {
    let (exponent, trailing) = (bits >> 23 & 0xff, bits & (MIN_NORMAL - 1));
    let significand = if exponent == 0 { trailing } else { trailing | MIN_NORMAL };
    Real::new(bits >> 31 != 0, significand as u64, exponent.max(1) as i32 - 150)
}

fn float(x: Real) -> Float {
    let magnitude = Float::with_val(PRECISION, x.significand) << (x.exponent - 63);
    if x.negative { -magnitude } else { magnitude }
}

/// Asserts what `Approximation` promises, and returns the relative error.
fn check(x: Real, got: Approximation, truth: &Float) -> f64 {
    let value = float(got.value);
    assert_eq!(got.value.significand >> 63, (!truth.is_zero()) as u64, "{x:x?}: {got:x?}");
    // The converse is tested where results are exact: some inexact ones are this close.
    assert!(got.inexact || value == *truth, "{x:x?}: {got:x?}, truly {truth}");
    if truth.is_zero() {
        return 0.0;
    }
    let error = Float::with_val(PRECISION, truth - &value) / truth;
    assert!(error >= 0 && error < Float::with_val(53, -59).exp2(), "{x:x?}: {got:x?}, truly {truth}");
    error.to_f64()
}

/// Checks a function on a sequence of f32.
fn walk(
    arguments: impl Iterator<Item = u32>,
    function: fn(Real) -> Approximation,
    truth: fn(Float) -> Float,
) {
    let mut worst = 0f64;
    for bits in arguments {
        let x = decode(bits);
        worst = worst.max(check(x, function(x), &truth(float(x))));
    }
    #[expect(clippy::disallowed_macros, reason = "for whoever runs the test with --nocapture")]
    let () = println!("largest relative error 2^{:.2}", worst.log2());
}

#[test]
fn decoding() {
    let positive = |significand, exponent| Real { negative: false, significand, exponent };
    assert_eq!(decode(ONE), positive(1 << 63, 0));
    assert_eq!(decode(1), positive(1 << 63, -149));
    assert_eq!(decode(INFINITY - 1), positive(0xffff_ff00_0000_0000, 127));
    assert!(decode(ONE | 1 << 31).negative);
}

#[test]
fn powers_of_two() {
    // Up to where f32 overflows and all its results are zero; around 0; integers; the clamp.
    let centres = [0x42fe_0000, 0x4300_0000, 0x4315_0000, 0x4316_0000, 0x3300_0000, ONE, 0x4a00_0000];
    let near = centres.into_iter().flat_map(|centre| around(centre, 2000));
    let finite = spread().filter(|&bits| bits < 0x4a00_0000);
    walk(signed(finite.chain(near.filter(|&bits| bits < 0x4a00_0000))), ex2, Float::exp2);

    for integer in -200..=200i32 {
        let x = Real::new(integer < 0, integer.unsigned_abs() as u64, 0);
        let power = Real { negative: false, significand: 1 << 63, exponent: integer };
        assert_eq!(ex2(x), Approximation { value: power, inexact: false });
    }
    for (bits, exponent) in [(0x4a80_0000, 1 << 21), (0xff7f_ffff, -1 << 21)] {
        assert_eq!(ex2(decode(bits)).value.exponent, exponent);
    }
}

#[test]
fn logarithms() {
    let powers = (1..255).map(|exponent| exponent << 23).chain((0..23).map(|place| 1 << place));
    let near = around(ONE, 100_000).chain(powers.flat_map(|power| around(power, 20)));
    walk(spread().chain(near), lg2, Float::log2);

    for exponent in -1100..=1100i32 {
        let x = Real { negative: false, significand: 1 << 63, exponent };
        let integer = Real::new(exponent < 0, exponent.unsigned_abs() as u64, 0);
        assert_eq!(lg2(x), Approximation { value: integer, inexact: false });
    }
    // At the ends of the table's intervals.
    let edges = (0..256).flat_map(|edge| [0, 1].map(|below| (1 << 63 | edge << 55) - below));
    let at_edges = edges.map(|significand| Real::new(false, significand, -63));
    for x in at_edges.chain(long_significands()) {
        check(x, lg2(x), &float(x).log2());
    }
}

/// Returns the numbers of f32 next to multiples of π/2: they leave the least after range reduction.
fn next_to_quadrants() -> impl Iterator<Item = u32> {
    let half_pi = Float::with_val(LONG, Constant::Pi) / 2u32;
    let powers = (1..128u32).flat_map(|power| [1, 3, 5, 7].map(|odd| Integer::from(odd) << power));
    // The nearest of all to an odd and to an even multiple, by a full search: 2^-30 and 2^-29 away.
    let nearest = [0x6f79_be45, 0x6ff9_be45, 0x50a3_e87f, 0x5123_e87f];
    let multiples = (1..5000).map(Integer::from).chain(powers);
    let rounded = multiples.map(move |n| Float::with_val(LONG, &half_pi * n).to_f32().to_bits());
    rounded.chain(nearest)
}

#[test]
fn sines() {
    walk(signed(spread().chain(next_to_quadrants().flat_map(|bits| around(bits, 2)))), sin, Float::sin);
}

#[test]
fn cosines() {
    walk(signed(spread().chain(next_to_quadrants().flat_map(|bits| around(bits, 2)))), cos, Float::cos);
}

#[test]
fn hyperbolic_tangents() {
    // Where one way to compute it takes over from another, and where it becomes 1 in f32.
    let near = [ONE, 0x4200_0000, 0x4110_0000].into_iter().flat_map(|centre| around(centre, 10_000));
    walk(signed(spread().chain(near).chain(1..1000)), tanh, Float::tanh);
}

/// Returns numbers of 64 bits: next to powers of two, and a multiplicative sequence.
fn long_significands() -> impl Iterator<Item = Real> {
    let edges = (0..63).flat_map(|place| [1 << 63 | 1 << place, 0u64.wrapping_sub(1 << place)]);
    let mut state = 1u64;
    let any = std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state | 1 << 63
    });
    let significands = edges.chain(any.take(100_000));
    significands
        .flat_map(|significand| [-1, 0].map(|exponent| Real { negative: false, significand, exponent }))
}

#[test]
fn reciprocal_square_roots() {
    for half in -600..=600 {
        let x = Real { negative: false, significand: 1 << 63, exponent: 2 * half };
        assert_eq!(rsqrt(x), Approximation { value: Real { exponent: -half, ..x }, inexact: false });
        assert!(rsqrt(Real { exponent: 2 * half + 1, ..x }).inexact);
    }
    walk(spread().chain(around(ONE, 10_000)).chain(1..1000), rsqrt, Float::recip_sqrt);
    for x in long_significands() {
        let got = rsqrt(x);
        let truth = float(x).recip_sqrt();
        check(x, got, &truth);
        assert_eq!(got.value.significand, cut_off(&truth), "{x:x?}");
    }
}

#[test]
fn reciprocals() {
    for exponent in -1100..=1100 {
        let x = Real { negative: true, significand: 1 << 63, exponent };
        assert_eq!(rcp(x), Approximation { value: Real { exponent: -exponent, ..x }, inexact: false });
    }
    walk(signed(spread().chain(around(ONE, 10_000)).chain(1..1000)), rcp, Float::recip);
    for x in long_significands() {
        assert_eq!(rcp(x).value.significand, cut_off(&float(x).recip()), "{x:x?}");
    }
}

/// Returns the first 64 bits of a positive number.
fn cut_off(x: &Float) -> u64 {
    let (cut, _) = Float::with_val_round(64, x, Round::Down);
    let places = 64 - cut.get_exp().unwrap();
    (cut << places).to_integer().unwrap().to_u64().unwrap()
}
