//! Tests of where the bound on a sum ends, and of where the exactness law ends.

use isa::matrix::Controls;

use super::*;

/// Checks that 2^24 − 1 and 1 are 2^24, which is not rounded in any order, and that the sum of 2^24 and 1 is rounded.
#[test]
fn a_sum_that_just_fills_a_significand_is_exact() {
    let one = (0x3c00, 0x3c00);
    let results = [0x4b80_0000, 0x4b7f_ffff, 0x4b80_0001];
    assert_eq!(accepted(HALF, &[one], 0x4b7f_ffff, results), [true, false, false]);
    assert_eq!(accepted(HALF, &[one], 0x4b80_0000, results), [true, true, true]);
}

/// Checks that 3 · 2^-133 · 2^127 is 3 · 2^-6, and aligned as 2. Below 2^18 all of it is kept, or nothing.
#[test]
fn a_subnormal_operand_is_aligned_like_the_smallest_normal_number() {
    let products = [(0x0003, 0x7f00)];
    // 2^18 − 2 − 2^-6, so that the terms are aligned as less than 2^18, and 2^18 − 2.
    let (fits, fills) = (0x487f_ff7f, 0x487f_ff80);
    let around = |c: u64| [c - 1, c, c + 1, c + 2, c + 3, c + 4];
    let right = accepted(BFLOAT, &products, fits, around(fits));
    assert_eq!(right, [false, true, false, false, true, false]);
    let right = accepted(BFLOAT, &products, fills, around(fills));
    assert_eq!(right, [true; 6]);
}

/// Checks that sums of whole multiples of 2^-149 are exact, and that sums of multiples of half of it are rounded.
#[test]
fn multiples_of_the_smallest_number_are_exact() {
    let results = [1, 2, 3];
    assert_eq!(accepted(BFLOAT, &[(0x1a00, 0x1a80); 2], 0, results), [false, true, false]);
    assert_eq!(accepted(BFLOAT, &[(0x1a00, 0x1a00); 3], 0, results), [true, true, true]);
}

/// Checks that operations whose results are subnormal are off by twice the smallest number for each term, and no
/// more.
#[test]
fn errors_of_subnormal_results_add_up() {
    // 2^-252 four times, which is nearly nothing.
    let results = [0, 8, 10, 0x8000_0001];
    assert_eq!(accepted(BFLOAT, &[(0x0080, 0x0080); 4], 0, results), [true, true, false, false]);
}

/// Checks that the sum of 2^127 and 1 does not overflow: it is far from 2^128.
#[test]
fn what_lies_well_below_the_largest_number_does_not_overflow() {
    for sign in [0, 0x8000] {
        let products = [(sign | 0x5f80, 0x5f00), (sign | 0x3f80, 0x3f80)];
        let results = [0x7f00_0000, 0x7f7f_ffff, 0x7f80_0000].map(|result| sign << 16 | result);
        assert_eq!(accepted(BFLOAT, &products, 0, results), [true, false, false]);
    }
}

/// Checks that a product which the controls negate has the other sign, whichever it had.
#[test]
fn products_that_are_negated_have_the_other_sign() {
    let text = "tcgen05.mma.cta_group::1.kind::f16(a-desc,f32.f16.f16,k16)";
    let variant: MatrixVariant = text.parse().unwrap();
    let (one, minus_one) = (0x3f80_0000, 0xbf80_0000);
    for (a, negate_a, negate_b, right) in [
        (0x3c00, false, false, one),
        (0x3c00, true, false, minus_one),
        (0x3c00, false, true, minus_one),
        (0x3c00, true, true, one),
        (0xbc00, false, false, minus_one),
        (0xbc00, true, false, one),
        (0xbc00, false, true, one),
        (0xbc00, true, true, minus_one),
    ] {
        let mut data = DotData::new(variant.dot());
        (data.a[0], data.b[0]) = (a, 0x3c00);
        data.controls = Controls { negate_a, negate_b, ..data.controls };
        let truth = Sums::new(&variant).truth(&data);
        let results = [one, minus_one].map(|result| truth.accepts(variant.dot().d, result));
        assert_eq!(results, [right == one, right == minus_one], "{a:x} {negate_a} {negate_b}");
    }
}
