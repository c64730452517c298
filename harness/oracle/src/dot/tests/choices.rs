//! Tests of the zeros of a sparse A, and of addends that are divided.

use isa::matrix::Controls;

use super::*;

/// Checks that a sparse A's zero beside NaN or an infinity may make the sum NaN, and beside a number may not.
#[test]
fn zeros_that_are_not_stored_may_be_multiplied() {
    let text = "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    let variant: MatrixVariant = text.parse().unwrap();
    let d = variant.dot().d;
    let answers = |a: u64, unselected: u64, result: u64| {
        let mut data = DotData::new(variant.dot());
        (data.a[0], data.b[0], data.b[3]) = (a, 0x3c00, unselected);
        let mut given = Vec::new();
        let truth = Sums::new(&variant).truth(&data);
        let verdict = truth.verdict(d, result, None, |(_, answer)| given.push(answer));
        verdict.is_ok().then_some(given)
    };
    let (one, nan) = (0x3f80_0000, 0x7fff_ffff);
    for special in [0x7e00, 0x7c00, 0xfc00] {
        assert_eq!(answers(0x3c00, special, one), Some(vec!["skipped"]));
        assert_eq!(answers(0x3c00, special, nan), Some(vec!["multiplied"]));
        assert_eq!(answers(0x3c00, special, 0x7f80_0000), None);
        assert_eq!(answers(0x7c00, special, 0x7f80_0000), Some(vec!["skipped"]));
        assert_eq!(answers(0x7c00, special, nan), Some(vec!["multiplied"]));
        assert_eq!(answers(0x7c00, special, one), None);
    }
    assert_eq!(answers(0x3c00, 0x7bff, one), Some(vec![]));
    assert_eq!(answers(0x3c00, 0x7bff, nan), None);
    assert_eq!(answers(0x7c00, 0x7bff, nan), None);
}

/// Checks that 1 + 8 / 4 is 3, that an addend which division makes subnormal may be zero, and that an addend which is
/// not added is not divided.
#[test]
fn addends_are_divided_by_a_power_of_two() {
    let text = "tcgen05.mma.cta_group::1.kind::f16(a-desc,f32.f16.f16,k16)";
    let variant: MatrixVariant = text.parse().unwrap();
    let d = variant.dot().d;
    let accepted = |a: u64, c: u64, controls: u64, results: [u64; 3]| {
        let mut data = DotData::new(variant.dot());
        (data.a[0], data.b[0], data.c) = (a, 0x3c00, c);
        data.controls = Controls::from_bits(variant.dot(), controls);
        let truth = Sums::new(&variant).truth(&data);
        results.map(|result| truth.accepts(d, result))
    };
    let [three, nine, one] = [0x4040_0000, 0x4110_0000, 0x3f80_0000];
    let eight = 0x4100_0000;
    assert_eq!(accepted(0x3c00, eight, 0b1_0001, [three, nine, one]), [true, false, false]);
    assert_eq!(accepted(0x3c00, eight, 0b0_0001, [three, nine, one]), [false, true, false]);
    assert_eq!(accepted(0x3c00, eight, 0b1_0000, [three, nine, one]), [false, false, true]);
    // 2^-126 / 2 is subnormal; an infinity stays what it is.
    let normal = 0x0080_0000;
    assert_eq!(accepted(0, normal, 0b1001, [normal / 2, 0, normal * 2]), [true, true, false]);
    assert_eq!(accepted(0, 0xff80_0000, 0x79, [0xff80_0000, 0, 0x7fff_ffff]), [true, false, false]);
}
