//! Tests of how often the sweeps of conversions reach what they are for.

use super::families::{Goal, check};
use super::value::{RoundingPlace, StickyValue};
use super::*;
use crate::stochastic::{field, field_bits};

/// Returns where the value to be converted lies among the numbers of the destination, its scale applied.
fn converted(shape: &Shape, lane: &Lane) -> Option<RoundingPlace> {
    let value = StickyValue::decode(shape.formats[0], lane[0])?;
    let scale = lane[1] as i32 - 127;
    let exponent = match shape.extra {
        Extra::Divisor => value.exponent - scale,
        Extra::Factor => value.exponent + scale,
        _ => value.exponent,
    };
    Some(RoundingPlace::among(shape.result, StickyValue { exponent, ..value }))
}

fn tie(shape: &Shape, _: usize, lane: &Lane) -> bool {
    converted(shape, lane).is_some_and(|place| place.tie())
}

fn odd_tie(shape: &Shape, _: usize, lane: &Lane) -> bool {
    converted(shape, lane).is_some_and(|place| place.odd_tie())
}

fn exact(shape: &Shape, _: usize, lane: &Lane) -> bool {
    converted(shape, lane).is_some_and(|place| place.exact() && place.value.magnitude != 0)
}

/// Whether a converted value lies between half the smallest subnormal and the smallest normal number.
fn subnormal(shape: &Shape, _: usize, lane: &Lane) -> bool {
    let reaches = |place: &RoundingPlace| place.value.leading() >= shape.destination.unit - 1;
    converted(shape, lane).is_some_and(|place| place.subnormal() && reaches(&place))
}

fn at_overflow(shape: &Shape, _: usize, lane: &Lane) -> bool {
    converted(shape, lane).is_some_and(|place| place.at_overflow())
}

#[test]
fn converted_numbers_lie_at_ties_ends_and_subnormals() {
    for text in ["cvt.rn.f16.f32", "cvt.rn.bf16.f32", "cvt.rn.f32.f64", "cvt.rp.f16.f64"] {
        check(
            text,
            "grid",
            &[
                ("ties", 18, &tie),
                ("ties away from zero", 8, &odd_tie),
                ("numbers", 6, &exact),
                ("subnormal results", 18, &subnormal),
                ("subnormal ties", 5, &|s, n, l| tie(s, n, l) && subnormal(s, n, l)),
                ("near the largest", 8, &at_overflow),
            ],
        );
    }
    for text in ["cvt.rn.satfinite.e4m3x2.f32", "cvt.rn.satfinite.e2m1x2.f16x2", "cvt.rn.ue5m3x2.bf16x2"]
    {
        check(text, "grid", &[("ties", 18, &tie), ("near the largest", 12, &at_overflow)]);
    }
    for text in ["cvt.rni.s32.f32", "cvt.rzi.u64.f64", "cvt.rmi.s8.f16", "cvt.rni.f64.f64"] {
        // Half-integers, and values just beside them or beside integers.
        let half = |s: &Shape, _: usize, lane: &Lane| {
            let value = StickyValue::decode(s.formats[0], lane[0]);
            value.is_some_and(|value| {
                value.magnitude != 0 && value.exponent + value.magnitude.trailing_zeros() as i32 == -1
            })
        };
        let fraction = |s: &Shape, _: usize, lane: &Lane| {
            let value = StickyValue::decode(s.formats[0], lane[0]);
            value.is_some_and(|value| {
                value.magnitude != 0 && value.exponent + (value.magnitude.trailing_zeros() as i32) < 0
            })
        };
        let small =
            |s: &Shape, _: usize, lane: &Lane| s.formats[0].class(lane[0]) == formats::Class::Subnormal;
        check(
            text,
            "grid",
            &[("half-integers", 9, &half), ("fractions", 20, &fraction), ("subnormal", 4, &small)],
        );
    }
    for text in ["cvt.rzi.s32.f32", "cvt.rzi.u16.f64", "cvt.rni.s64.f64"] {
        check(text, "grid", &[("near the largest", 3, &at_overflow)]);
    }
    for text in ["cvt.rn.f16.u32", "cvt.rz.f32.s64", "cvt.rn.bf16.u16"] {
        check(text, "grid", &[("ties", 12, &tie), ("ties away from zero", 5, &odd_tie)]);
    }
}

#[test]
fn saturation_of_conversions() {
    for text in ["cvt.rn.sat.f16.f32", "cvt.rz.sat.f32.f64", "cvt.rn.satfinite.relu.e4m3x2.f32"] {
        let one = |s: &Shape, _: usize, lane: &Lane| {
            let minus_one = StickyValue { negative: true, magnitude: 1, exponent: 0 };
            let reach = 2 - s.result.precision() as i32;
            converted(s, lane).is_some_and(|place| place.value.plus(minus_one).leading() <= reach)
        };
        let negative = |s: &Shape, _: usize, lane: &Lane| s.formats[0].is_negative(lane[0]);
        let zero = |s: &Shape, _: usize, lane: &Lane| lane[0] & s.formats[0].magnitude_mask() == 0;
        let special = |s: &Shape, _: usize, lane: &Lane| s.formats[0].decode(lane[0]).is_none();
        let goals: [Goal; 4] = [
            ("within four units of 1", 35, &one),
            ("negative", 20, &negative),
            ("zero", 8, &zero),
            ("infinite or NaN", 8, &special),
        ];
        check(text, "saturation", &goals);
    }
}

#[test]
fn grid_with_scales() {
    let in_range = |s: &Shape, lane: &Lane, low: i32, high: i32| {
        converted(s, lane).is_some_and(|place| (low..=high).contains(&place.value.leading()))
    };
    for text in [
        "cvt.rz.satfinite.scaled::n1::ue8m0.e4m3x2.f32",
        "cvt.rn.satfinite.scaled::n1::ue8m0.e2m1x2.f16x2",
        "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.bf16x2",
    ] {
        let inside = |s: &Shape, _: usize, lane: &Lane| {
            in_range(s, lane, s.destination.unit - 2, s.destination.max + 1)
        };
        let goals: [Goal; 3] =
            [("in range", 60, &inside), ("ties", 12, &tie), ("near the largest", 7, &at_overflow)];
        check(text, "grid", &goals);
    }
    // The smallest scale leaves s2f6 no bit below the smallest bf16.
    for (text, least) in [("e4m3x2", 4), ("e5m2x2", 4), ("s2f6x2", 0)] {
        let text = &format!("cvt.rn.scaled::n2::ue8m0.bf16x2.{text}");
        let top = |s: &Shape, _: usize, lane: &Lane| in_range(s, lane, 127, 129);
        let goals: [Goal; 3] =
            [("subnormal results", 15, &subnormal), ("ties", least, &tie), ("at the top", 6, &top)];
        check(text, "grid", &goals);
    }
}

#[test]
fn random_bits_just_carry() {
    for text in [
        "cvt.rs.f16x2.f32",
        "cvt.rs.bf16x2.f32",
        "cvt.rs.satfinite.e4m3x4.f32",
        "cvt.rs.satfinite.e2m1x4.f32",
    ] {
        // The sum of discarded bits and random bits, less what carries.
        let excess = |s: &Shape, number: usize, lane: &Lane| {
            let value = StickyValue::decode(s.formats[0], lane[0])?;
            let k = field_bits(s);
            let last = (value.leading() - s.destination.precision + 1).max(s.destination.unit);
            let shift = last - k - value.exponent;
            let kept =
                if shift >= 0 { value.magnitude >> shift.min(127) } else { value.magnitude << -shift };
            let discarded = (kept & ((1 << k) - 1)) as i64;
            Some(discarded + field(s, lane[1], number) as i64 - (1 << k))
        };
        let carries = |s: &Shape, number: usize, lane: &Lane| excess(s, number, lane) == Some(0);
        let misses = |s: &Shape, number: usize, lane: &Lane| excess(s, number, lane) == Some(-1);
        check(text, "grid", &[("just carry", 14, &carries), ("just do not", 14, &misses)]);
    }
}
