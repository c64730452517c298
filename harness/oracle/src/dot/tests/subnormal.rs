//! Tests of terms with a subnormal operand: they count, or they are missing.

use super::*;

const REDUCED: &str = "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3(a-regs)";

/// Checks that 2^-133 × 2^127 beside 1 counts or does not, and that nothing between is right.
#[test]
fn a_product_counts_or_it_does_not() {
    let one = 0x3f80_0000;
    let results = [one, one + 0x2_0000, one + 0x1_0000, one - 1, one + 0x4_0000];
    let right = accepted(BFLOAT, &[(0x0001, 0x7f00), (0x3f80, 0x3f80)], 0, results);
    assert_eq!(right, [true, true, false, false, false]);
}

/// Checks that nothing rounds an addend that stands alone, because products of zero are no operations.
#[test]
fn an_addend_alone_counts_or_it_does_not() {
    for (c, text) in [(0x0000_0003, BFLOAT), (0x8000_0003, BFLOAT), (0x0012_3456, HALF)] {
        let zeros = [(0, 0x3f80), (0x8000, 0x3f80)];
        let others = [c, 0, c / 2, c * 2, c ^ 0x8000_0000, c + 1, c - 1];
        let right = accepted(text, &zeros, c, others);
        assert_eq!(right, [true, true, false, false, false, false, false], "{c:x}");
    }
}

/// Checks that an addend in 12 bits may keep its highest bits, rounded in either direction, and keeps its sign.
#[test]
fn fewer_bits_of_an_addend_alone_are_on_its_side_of_zero() {
    let results = [0x0000_0fff, 0x0000_1000, 0, 0x0000_1001, 0x8000_0001];
    assert_eq!(accepted(REDUCED, &[], 0x0000_0fff, results), [true, true, true, false, false]);
    let results = [0x8002_1000, 0x8002_2000, 0x8002_0fff, 0x0002_1000, 0x8004_2000, 0];
    assert_eq!(accepted(REDUCED, &[], 0x8002_1001, results), [true, true, false, false, false, true]);
}

/// Checks that any of several terms may be missing: what remains is a sum of whole units.
#[test]
fn of_several_any_may_be_missing() {
    // 2^-24, −2^-23 and 2^-22 by f16's smallest numbers, and 2^-10 as a normal one.
    let products = [(0x0001, 0x3c00), (0x8002, 0x3c00), (0x0004, 0x3c00), (0x1400, 0x3c00)];
    let unit = f64::from(2f32.powi(-24));
    let bits = |units: f64| u64::from(((2f64.powi(-10) + units * unit) as f32).to_bits());
    let results = [-2.0, 0.0, 3.0, 5.0, -3.0, 6.0, 0.5].map(bits);
    assert_eq!(accepted(HALF, &products, 0, results), [true, true, true, true, false, false, false]);
}

/// Checks that terms of one sign do not give a sum of the other, whatever is rounded and whatever is missing.
#[test]
fn sums_stay_on_the_side_of_their_terms() {
    // Twice 2^-266, which is nothing or the smallest number.
    let tiny = [(0x0001, 0x0001), (0x0001, 0x0001)];
    assert_eq!(accepted(BFLOAT, &tiny, 0, [0, 1, 0x8000_0001]), [true, true, false]);
    let normal = [(0x0080, 0x0080), (0x0080, 0x8080)];
    assert_eq!(accepted(BFLOAT, &normal, 0, [0, 1, 0x8000_0001]), [true; 3]);
}

/// Checks that both neighbours are right for an addend of (2^23 + 1) units divided by two, which is a half more than
/// a whole number of units.
#[test]
fn an_addend_that_is_divided_has_two_neighbours() {
    let text = "tcgen05.mma.cta_group::1.kind::f16(a-desc,f32.f16.f16,k16)";
    let variant: MatrixVariant = text.parse().unwrap();
    let mut data = DotData::new(variant.dot());
    (data.c, data.controls.addend_scale) = (0x0080_0001, 1);
    let truth = Sums::new(&variant).truth(&data);
    let results = [0x0040_0000, 0x0040_0001, 0, 0x003f_ffff, 0x0040_0002, 0x0020_0000];
    let right = results.map(|result| truth.accepts(variant.dot().d, result));
    assert_eq!(right, [true, true, true, false, false, false]);
}
