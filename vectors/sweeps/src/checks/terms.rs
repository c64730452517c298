//! Tests of the shares of `shares.rs` for sums and products of the other formats: f64, factors narrower than the
//! destination, operands wider than it, powers of two.

use super::shares::share;
use super::value::RoundingPlace;
use super::*;

#[rustfmt::skip] // a table: least shares in hundredths of ties, subnormal results, and the largest
const LEAST: [(&str, usize, usize, usize); 14] = [
    ("mul.rn.f64",                         40, 75, 95),
    ("add.rn.f64",                         35, 80, 70),
    ("fma.rn.f64",                         35, 80, 70),
    ("mad.rn.f32",                         35, 80, 70),
    ("add.rz.ftz.f16x2.f32x2.f32x2",          35, 85, 90),
    ("mul.rz.bf16x2.f32x2.f32x2",          40, 70, 95),
    ("mul.bf16x2.bf16x2.f16x2",            40, 70, 95),
    ("fma.rn.f32x2.f16x2.f32x2.f32x2",     35, 80, 70),
    ("mul.e4m3x4.e4m3x4.e5m2x4",           40, 75, 90),
    ("fma.e4m3x4.e4m3x4.e2m3x4",           30, 65, 80),
    ("fma.e5m2x4.e3m2x4.ue8m0x4",          30, 75, 80),
    ("fma.e5m2x4.e2m1p4x4.e2m1x4",         40, 20, 70),
    ("add.e4m3x4.ue8m0x4",                 40, 80, 50),
    ("sub.e5m2x4.e2m3x4",                  35, 20, 70),
];

#[test]
fn packed_narrow_formats_have_their_share_of_ties_and_ends() {
    let mut short = Vec::new();
    for (text, ties, subnormal, top) in LEAST {
        let shape = Shape { lanes: 1, ..Shape::of(&text.parse().unwrap()) };
        let goals = [
            ("ties", ties, share("midpoint", &shape, RoundingPlace::tie)),
            ("subnormal", subnormal, share("subnormal", &shape, RoundingPlace::subnormal)),
            ("near the largest", top, share("overflow", &shape, RoundingPlace::at_overflow)),
        ];
        for (goal, least, share) in goals {
            println!("{text:40} {goal:20} {share:3} % (least {least})");
            if share < least {
                short.push((text, goal, share, least));
            }
        }
    }
    assert!(short.is_empty(), "{short:?}");
}
