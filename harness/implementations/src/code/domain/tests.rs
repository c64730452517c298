//! Tests of conditions on operands.

use formats::Column;
use isa::{Variant, columns_for};

use super::Domain;

fn variant(text: &str) -> &'static Variant {
    Variant::named(text).expect(text)
}

/// Returns the values of the first operand that fulfil a condition, beside a second operand, if the instruction has one.
fn within(text: &str, of: &str, values: &[u64], beside: u64) -> Vec<u64> {
    let (domain, variant): (Domain, _) = (text.parse().expect(text), variant(of));
    domain.check(variant).expect(text);
    let mut operands: Vec<Column> = columns_for(variant, values.len());
    for (row, &value) in values.iter().enumerate() {
        operands[0].set(row, value);
        if let Some(second) = operands.get_mut(1) {
            second.set(row, beside);
        }
    }
    domain.rows(variant, &operands).into_iter().map(|row| values[row]).collect()
}

const ONE: u64 = 0x3f80_0000;
const TWO: u64 = 0x4000_0000;
const NAN: u64 = 0x7fc0_0000;
const INFINITY: u64 = 0x7f80_0000;
const MINUS: u64 = 0x8000_0000;

#[test]
fn comparisons_are_of_values() {
    let all = [0, MINUS, 1, ONE, ONE | MINUS, TWO, TWO | MINUS, INFINITY, INFINITY | MINUS, NAN];
    let of = |text: &str| within(text, "abs.f32", &all, 0);
    assert_eq!(of("a <= 1"), [0, MINUS, 1, ONE, ONE | MINUS, TWO | MINUS, INFINITY | MINUS]);
    assert_eq!(of("|a| <= 1"), [0, MINUS, 1, ONE, ONE | MINUS]);
    assert_eq!(of("-1 <= a < 1"), [0, MINUS, 1, ONE | MINUS]);
    assert_eq!(of("a > 1.5"), [TWO, INFINITY]);
    assert_eq!(of("a = 0"), [0, MINUS]);
    assert_eq!(of("a == 0x80000000"), [MINUS]);
    assert_eq!(
        of("a != 0x7fc00000 and |a| > 0x3f800000"),
        [TWO, TWO | MINUS, INFINITY, INFINITY | MINUS]
    );
    assert_eq!(of("1e-44 > a > 0"), [1]);
    assert_eq!(of("a is nan or a == 2"), [TWO, NAN]);
    assert_eq!(of("a is not finite"), [INFINITY, INFINITY | MINUS, NAN]);
    assert_eq!(of("a is subnormal or a is zero and a is negative"), [MINUS, 1]);
    assert_eq!(of("a is integer and a is normal"), [ONE, ONE | MINUS, TWO, TWO | MINUS]);
    // A NaN is unlike every number, and fulfils no other comparison.
    assert_eq!(of("a != 1 and a is nan"), [NAN]);
    assert_eq!(of("a < 1 and a is nan or a >= 1 and a is nan"), [0; 0]);
}

#[test]
fn integers_of_64_bits_are_compared_exactly() {
    let all = [u64::MAX, u64::MAX - 1, 1 << 53, (1 << 53) + 1];
    assert_eq!(within("a > 18446744073709551614", "cvt.rn.f32.u64", &all, 0), [u64::MAX]);
    assert_eq!(within("a <= 9007199254740992", "cvt.rn.f32.u64", &all, 0), [1 << 53]);
    assert_eq!(within("a < 0", "cvt.rn.f32.s64", &all, 0), [u64::MAX, u64::MAX - 1]);
}

#[test]
fn operands_are_compared_with_each_other() {
    assert_eq!(within("|a| < b", "add.rn.f32", &[0, ONE, TWO | MINUS, TWO], TWO), [0, ONE]);
    assert_eq!(within("a < b", "add.rn.f32", &[0, NAN], NAN), [0; 0]);
}

#[test]
fn every_lane_has_to_fulfil_the_condition() {
    let all = [0x3c00_3c00, 0x3c00_4000, 0x4000_3c00, 0x4000_4000];
    assert_eq!(within("a <= 1", "abs.f16x2", &all, 0), [0x3c00_3c00]);
}

#[test]
fn bounds_are_in_the_format_of_the_operand() {
    let bounds = |text: &str, of: &str| text.parse::<Domain>().unwrap().bounds(variant(of), 0);
    assert_eq!(bounds("-1 <= a <= 65504 and a != 0x80", "cvt.f32.f16"), [0xbc00, 0x7bff, 0x80]);
    assert_eq!(bounds("a <= 0.1", "abs.f32"), [0x3dcc_cccc]);
    assert_eq!(bounds("a >= -3", "cvt.rn.f32.s32"), [0xffff_fffd]);
    assert_eq!(bounds("a <= 1e300", "cvt.f32.f16"), [0x7bff]);
}

#[test]
fn what_is_no_condition_says_where() {
    for (text, said) in [
        (
            "",
            "character 1: expected `a`, `b`, `c`, `|a|`, a number such as 448, or bits such as 0x7f, but the text ends",
        ),
        ("a", "character 2: expected a comparison such as `<=`, or `is`, but the text ends"),
        ("|a|", "character 4: expected a comparison such as `<=`, but the text ends"),
        ("|a <= 1", "character 4: expected `|`, found `<`"),
        (
            "1 < 2",
            "character 5: expected `a`, `b` or `c`, because one side has to be an operand, found `2`",
        ),
        ("a is big", "character 6: expected one of finite, infinite, integer, nan,"),
        ("a <= inf", "character 6: expected `a`, `b`, `c`, `|a|`, a number"),
        ("a <= 1 b", "character 8: expected `and`, `or`, a comparison or the end, found `b`"),
        ("a <= 1 &", "character 8: expected `and`, `or`, a comparison or the end, found `&`"),
        ("ä", "character 1: expected `a`, `b`, `c`"),
    ] {
        let error = text.parse::<Domain>().expect_err(text).to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
    let error = format!("a < {}", "1".repeat(2000)).parse::<Domain>().unwrap_err();
    assert!(error.to_string().contains("expected at most 1024 characters"), "{error}");
}

#[test]
fn operands_that_are_not_there_are_named() {
    let check = |text: &str, of: &str| text.parse::<Domain>().unwrap().check(variant(of));
    assert_eq!(check("a < b", "abs.f32"), Err("--where names `b`, and there is only 1 operand".into()));
    assert_eq!(
        check("a != 0x10000", "cvt.f32.f16"),
        Err("--where compares `a`, which has 16 bits, with 0x10000".into())
    );
}
