//! Tests of how often each sweep reaches what it is for: measured shares of vectors, with the least accepted.

use isa::Op::Sub;

use super::value::{RoundingPlace, StickyValue, UNBOUNDED, terms};
use super::*;

const ROWS: usize = 20_000;

fn lanes(sweep: &str, shape: &Shape) -> Vec<Lane> {
    vectors(Sweep::named(sweep).unwrap(), shape, 1, 0, ROWS)
}

/// Returns the share of a sweep's vectors, in hundredths, whose exact result is finite and satisfies a condition.
pub fn share(sweep: &str, shape: &Shape, condition: impl Fn(&RoundingPlace) -> bool) -> usize {
    share_of_terms(sweep, shape, |lane| {
        RoundingPlace::of(shape, lane).is_some_and(|place| condition(&place))
    })
}

pub fn share_of_terms(sweep: &str, shape: &Shape, condition: impl Fn(&Lane) -> bool) -> usize {
    if (Sweep::named(sweep).unwrap().length)(shape) == Length::None {
        return 0;
    }
    lanes(sweep, shape).iter().filter(|lane| condition(lane)).count() * 100 / ROWS
}

/// Returns the share of a sweep's vectors, in hundredths, whose two terms of a sum satisfy a condition.
fn share_of_sums(
    sweep: &str,
    shape: &Shape,
    condition: impl Fn(StickyValue, StickyValue) -> bool,
) -> usize {
    let holds = |lane: &Lane| match terms(shape, lane) {
        Some((x, Some(y))) => condition(x, y),
        _ => false,
    };
    share_of_terms(sweep, shape, holds)
}

pub fn shape(text: &str) -> Shape {
    let (operation, types) = text.split_once('.').unwrap();
    let formats: Vec<&'static Format> = types
        .split('.')
        .map(|name| *[&E5M2, &E4M3, &F16, &BF16, &F32].iter().find(|f| f.name == name).unwrap())
        .collect();
    let [wide, narrow] = [formats[0], *formats.last().unwrap()];
    let (op, operands): (_, &[&'static Format]) = match operation {
        "mul" => (Mul, &[narrow, narrow]),
        "add" => (Add, &[narrow, wide]),
        "sub" => (Sub, &[narrow, wide]),
        "fma" => (Fma, &[narrow, narrow, wide]),
        _ => unreachable!("{text}"),
    };
    Shape { clamps: true, ..Shape::new(op, operands, wide) }
}

pub const SHAPES: [&str; 14] = [
    "mul.e5m2",
    "fma.e5m2",
    "mul.e4m3",
    "fma.e4m3",
    "mul.f16",
    "fma.f16",
    "mul.bf16",
    "fma.bf16",
    "mul.f32",
    "fma.f32",
    "add.f32.f16",
    "sub.f32.bf16",
    "fma.f32.f16",
    "fma.f32.bf16",
];

/// Measures a share over all shapes, prints it, and compares it with the least share accepted for each.
fn check(goal: &str, least: [usize; 14], measure: impl Fn(&Shape) -> usize) {
    let shares = SHAPES.map(|name| measure(&shape(name)));
    for ((name, share), least) in SHAPES.iter().zip(shares).zip(least) {
        println!("{goal:40} {name:14} {share:3} % (least {least})");
    }
    let enough = shares.iter().zip(least).all(|(&share, least)| share >= least);
    assert!(enough, "{goal}: measured {shares:?}, least accepted {least:?}");
}

#[test]
fn midpoint() {
    let ties = [45, 30, 35, 30, 40, 30, 40, 30, 40, 30, 40, 40, 30, 30];
    check("midpoint: exact ties", ties, |s| share("midpoint", s, RoundingPlace::tie));
    let odd = [20, 12, 10, 12, 20, 15, 20, 15, 20, 15, 15, 15, 12, 12];
    check("midpoint: ties away from zero", odd, |s| share("midpoint", s, RoundingPlace::odd_tie));
    let even = [20, 12, 20, 12, 20, 15, 20, 15, 20, 15, 15, 15, 12, 12];
    check("midpoint: ties towards zero", even, |s| share("midpoint", s, |v| v.tie() && !v.odd_tie()));
    let close = [90, 75, 75, 75, 80, 75, 80, 75, 80, 75, 45, 45, 45, 45];
    check("midpoint: on a boundary or one unit beside", close, |s| {
        share("midpoint", s, RoundingPlace::close)
    });
}

/// The sweep's share is 0 where no operands of the shape can do it: products of two f16 have 22 bits.
#[test]
fn double_rounding() {
    let through = |precision: i32| {
        move |s: &Shape| {
            share("double-rounding", s, |v| v.rounds_differently_through(precision, UNBOUNDED))
        }
    };
    let f32 = [0, 8, 0, 0, 0, 10, 0, 10, 12, 5, 0, 0, 0, 0];
    check("double-rounding: through f32", f32, through(24));
    let f64 = [0, 0, 0, 0, 0, 0, 0, 4, 0, 5, 0, 0, 0, 0];
    check("double-rounding: through f64", f64, through(53));
    // For mixed precision, exact results of more than f32 holds end within 48 bits, a part of f64.
    for (bits, least) in [(4, 10), (8, 6), (16, 4), (22, 1)] {
        let least = std::array::from_fn(|n| if n >= 10 { least } else { 0 });
        check(&format!("double-rounding: through p + {bits} bits"), least, |s| {
            through(s.result.precision() as i32 + bits)(s)
        });
    }
    let denormal = [15, 4, 12, 4, 12, 5, 12, 5, 12, 5, 0, 0, 0, 0];
    check("double-rounding: before denormalising", denormal, |s| {
        through(s.result.precision() as i32)(s)
    });
    let hidden = [0, 0, 0, 0, 0, 0, 0, 3, 0, 3, 12, 12, 8, 8];
    check("double-rounding: hidden by f64", hidden, |s| {
        share("double-rounding", s, |v| v.hidden_by(53))
    });
}

#[test]
fn sticky() {
    let far = [0, 80, 0, 60, 0, 65, 0, 90, 0, 90, 70, 80, 70, 80];
    check("sticky: beyond the rounding point", far, |s| {
        let reach = s.result.precision() + 2;
        share_of_sums("sticky", s, |x, y| x.leading().abs_diff(y.leading()) > reach)
    });
    let borrow = [0, 12, 0, 12, 0, 12, 0, 12, 0, 12, 12, 12, 12, 12];
    check("sticky: borrow across the binade", borrow, |s| {
        share_of_sums("sticky", s, |x, y| {
            let larger = if x.leading() > y.leading() { x } else { y };
            x.plus(y).leading() < larger.leading()
        })
    });
}

#[test]
fn cancellation() {
    // A product in f32 of narrower factors is exact: unfused arithmetic is right there.
    let unfused = [0, 30, 0, 30, 0, 40, 0, 40, 0, 40, 0, 0, 0, 0];
    check("cancellation: unfused differs", unfused, |s| {
        let span = s.destination;
        share_of_sums("cancellation", s, |x, y| {
            let round = |value: StickyValue| value.nearest(span.precision, span.unit);
            !round(round(x).plus(y)).equals(round(x.plus(y)))
        })
    });
    let lost = [0, 60, 0, 70, 0, 80, 0, 80, 0, 80, 80, 80, 80, 80];
    check("cancellation: leading bits lost", lost, |s| {
        share_of_sums("cancellation", s, |x, y| x.plus(y).leading() < x.leading().max(y.leading()) - 1)
    });
}

/// The sweep `subnormal` has no ties of sums of f32 and a narrower operand: these are multiples of the smallest
/// subnormal.
#[test]
fn subnormal() {
    let subnormal = [60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 30, 50, 30, 60];
    check("subnormal: subnormal results", subnormal, |s| {
        share("subnormal", s, RoundingPlace::subnormal)
    });
    let ties = [15, 12, 15, 12, 15, 12, 15, 12, 15, 12, 0, 0, 0, 12];
    check("subnormal: ties among them", ties, |s| share("subnormal", s, |v| v.subnormal() && v.tie()));
    let carried = [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0, 0, 0, 3];
    check("subnormal: rounding to normal", carried, |s| {
        let span = s.destination;
        share("subnormal", s, |v| {
            v.subnormal() && v.value.nearest(span.precision, span.unit).leading() == span.min()
        })
    });
    let inputs = [8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8];
    check("subnormal: subnormal operands", inputs, |s| {
        share_of_terms("subnormal", s, |lane| {
            let mut operands = s.operands().iter().zip(lane);
            operands.any(|(f, &bits)| f.class(bits) == formats::Class::Subnormal)
        })
    });
}

/// Products of f16 are too small to reach the upper end of f32 by more than a sticky bit.
#[test]
fn overflow() {
    let near = [90, 70, 90, 70, 90, 60, 90, 60, 90, 60, 60, 40, 60, 40];
    check("overflow: near the largest number", near, |s| {
        share("overflow", s, RoundingPlace::at_overflow)
    });
    let ties = [25, 12, 5, 6, 10, 6, 8, 6, 8, 5, 0, 6, 0, 3];
    check("overflow: half a unit above", ties, |s| share("overflow", s, |v| v.at_overflow() && v.tie()));
}

#[test]
fn zero() {
    let zeros = [20, 50, 20, 50, 20, 50, 20, 50, 20, 50, 50, 50, 50, 50];
    check("zero: exactly zero", zeros, |s| share("zero", s, |v| v.value.magnitude == 0));
    let underflow = [10, 5, 10, 5, 10, 5, 10, 5, 10, 5, 0, 0, 0, 5];
    check("zero: rounding to zero", underflow, |s| {
        let span = s.destination;
        share("zero", s, |v| {
            v.value.magnitude != 0 && v.value.nearest(span.precision, span.unit).magnitude == 0
        })
    });
}

#[test]
fn saturation() {
    let one = [30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 25, 25, 20, 20];
    check("saturation: within four units of 1", one, |s| {
        let minus_one = StickyValue { negative: true, magnitude: 1, exponent: 0 };
        let reach = 2 - s.result.precision() as i32;
        share("saturation", s, |v| v.value.plus(minus_one).leading() <= reach)
    });
    let both = [10; 14];
    check("saturation: above 1", both, |s| {
        let minus_one = StickyValue { negative: true, magnitude: 1, exponent: 0 };
        share("saturation", s, |v| {
            let rest = v.value.plus(minus_one);
            !v.value.negative && !rest.negative && rest.magnitude != 0
        })
    });
    check("saturation: negative", both, |s| {
        share("saturation", s, |v| v.value.negative && v.value.magnitude != 0)
    });
    check("saturation: zero", [5; 14], |s| share("saturation", s, |v| v.value.magnitude == 0));
}

/// Vectors must reach the operation: few operands of these sweeps are infinite or NaN.
#[test]
fn nan_and_infinity_are_rare() {
    let about_them = ["saturation", "oob", "lanes", "uniform", "boundary", "exhaustive"];
    for sweep in Sweep::all().iter().filter(|sweep| !about_them.contains(&sweep.name)) {
        for name in SHAPES {
            let s = shape(name);
            if (sweep.length)(&s) == Length::None {
                continue;
            }
            let special = share_of_terms(sweep.name, &s, |lane| terms(&s, lane).is_none());
            // This sweep draws an infinity or NaN in one of 64 data.
            let most = if sweep.name == "exponents" { 10 } else { 0 };
            assert!(special <= most, "{} {name}: {special} %", sweep.name);
        }
    }
}
