//! Tests of how binades are reported.

use super::*;

/// The key of a binade is what stands above the significand: the sign, and the exponent with its bias.
#[test]
fn a_binade_has_the_sign_and_the_exponent_of_its_numbers() {
    let of = |name: &str, key: u16, share: f64| {
        let variant = Variant::named(name).expect("a variant");
        let BinadeReport { negative, exponent, share } = binade(variant, (&key, &share));
        (negative, exponent, share)
    };
    assert_eq!(of("sin.approx.f32", 127, 0.5), (false, 0, 0.5));
    assert_eq!(of("sin.approx.f32", 0x100 | 129, 0.5), (true, 2, 0.5));
    assert_eq!(of("sin.approx.f32", 1, 0.5), (false, -126, 0.5));
    assert_eq!(of("tanh.approx.f16", 0x20 | 15, 0.5), (true, 0, 0.5));
    // A share has four digits behind the point, as a drawing has room for no more.
    assert_eq!(of("sin.approx.f32", 127, 0.123_449).2, 0.1234);
    assert_eq!(of("sin.approx.f32", 127, 2_000_000.000_01).2, 2_000_000.000_01);
}
