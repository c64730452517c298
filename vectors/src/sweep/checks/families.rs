//! How often the sweeps of conversions, quotients, comparisons and approximations reach what they are
//! for. Lanes are read back from the registers, as whoever computes them reads them.

use super::value::{Place, Value};
use super::*;
use crate::format::F64;
use crate::sweep::stochastic::{field, field_bits};

const ROWS: usize = 20_000;

/// The inputs of every lane.
fn elements(text: &str, sweep: &str) -> (Variant, Vec<Lane>) {
    let variant: Variant = text.parse().unwrap();
    let mut columns = columns_for(&variant, ROWS);
    Sweep::named(sweep).unwrap().fill(&variant, 1, 0, &mut columns);
    let mut lanes = vec![[0; 3]; ROWS * variant.lanes()];
    for (number, input) in variant.inputs().iter().enumerate() {
        let mut elements = vec![0u64; lanes.len()];
        input.gather(variant.operands(), &columns, 0..ROWS, &mut elements);
        lanes.iter_mut().zip(elements).for_each(|(lane, element)| lane[number] = element);
    }
    (variant, lanes)
}

/// What a sweep is for; the least share, in hundredths, of lanes that are; and whether one of this
/// number in its row is.
type Goal<'a> = (&'a str, usize, &'a dyn Fn(&Shape, usize, &Lane) -> bool);

/// Shares in hundredths of the lanes that satisfy conditions, each at least so large.
fn check(text: &str, sweep: &str, goals: &[Goal]) {
    let (variant, lanes) = elements(text, sweep);
    let (shape, per_row) = (Shape::of(&variant), variant.lanes());
    let mut short = Vec::new();
    for (goal, least, condition) in goals {
        let holds = |(at, lane): &(usize, &Lane)| condition(&shape, at % per_row, lane);
        let share = lanes.iter().enumerate().filter(holds).count() * 100 / lanes.len();
        println!("{sweep:10} {text:50} {goal:24} {share:3} % (least {least})");
        if share < *least {
            short.push((*goal, share, *least));
        }
    }
    assert!(short.is_empty(), "{sweep} {text}: {short:?}");
}

/// The value to be converted, scale applied, among the numbers of the destination.
fn converted(shape: &Shape, lane: &Lane) -> Option<Place> {
    let value = Value::decode(shape.formats[0], lane[0])?;
    let scale = lane[1] as i32 - 127;
    let exponent = match shape.extra {
        Extra::Divisor => value.exponent - scale,
        Extra::Factor => value.exponent + scale,
        _ => value.exponent,
    };
    Some(Place::among(shape.result, Value { exponent, ..value }))
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

/// Between half the smallest subnormal and the smallest normal number.
fn subnormal(shape: &Shape, _: usize, lane: &Lane) -> bool {
    let reaches = |place: &Place| place.value.leading() >= shape.destination.unit - 1;
    converted(shape, lane).is_some_and(|place| place.subnormal() && reaches(&place))
}

fn at_overflow(shape: &Shape, _: usize, lane: &Lane) -> bool {
    converted(shape, lane).is_some_and(|place| place.at_overflow())
}

#[test]
fn grid() {
    for text in ["cvt.rn.f16.f32", "cvt.rn.bf16.f32", "cvt.rn.f32.f64", "cvt.rp.f16.f64"] {
        check(
            text,
            "grid",
            &[
                ("ties", 18, &tie),
                ("ties away from zero", 8, &odd_tie),
                ("numbers", 8, &exact),
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
        // Half-integers; what is just beside them or beside integers.
        let half = |s: &Shape, _: usize, lane: &Lane| {
            let value = Value::decode(s.formats[0], lane[0]);
            value.is_some_and(|value| {
                value.magnitude != 0 && value.exponent + value.magnitude.trailing_zeros() as i32 == -1
            })
        };
        let fraction = |s: &Shape, _: usize, lane: &Lane| {
            let value = Value::decode(s.formats[0], lane[0]);
            value.is_some_and(|value| {
                value.magnitude != 0 && value.exponent + (value.magnitude.trailing_zeros() as i32) < 0
            })
        };
        let small = |s: &Shape, _: usize, lane: &Lane| {
            s.formats[0].class(lane[0]) == crate::format::Class::Subnormal
        };
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
        // Discarded bits plus random bits, less what carries.
        let excess = |s: &Shape, number: usize, lane: &Lane| {
            let value = Value::decode(s.formats[0], lane[0])?;
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

/// The first bits of a significand's quotient or root, and whether any follow.
fn quotient(a: u64, b: u64) -> Option<(u128, bool)> {
    let dividend = u128::from(a) << (a.leading_zeros() + 63);
    (a != 0 && b != 0).then(|| (dividend / u128::from(b), !dividend.is_multiple_of(b.into())))
}

/// Whether what lies below the first `p` bits is within 2^-10 of one half, or of 0 or 1.
fn near(p: i32, (bits, _): (u128, bool), to_half: bool) -> bool {
    let below = 128 - bits.leading_zeros() as i32 - p;
    let (low, one) = (bits & ((1 << below) - 1), 1u128 << below);
    let distance = if to_half { low.abs_diff(one / 2) } else { low.min(one - low) };
    distance <= one >> 10
}

#[test]
fn inverse() {
    for (text, format) in [("div.rn.f32", &F32), ("div.rz.f64", &F64)] {
        let p = format.precision() as i32;
        let finite = |bits| Value::decode(format, bits);
        let of = |l: &Lane| quotient(finite(l[0])?.magnitude as u64, finite(l[1])?.magnitude as u64);
        // The leading bit of the quotient, or one above it.
        let leading = |l: &Lane| Some(finite(l[0])?.leading() - finite(l[1])?.leading());
        let midpoint = |_: &Shape, _: usize, l: &Lane| of(l).is_some_and(|q| near(p, q, true));
        let number = |_: &Shape, _: usize, l: &Lane| of(l).is_some_and(|q| near(p, q, false));
        let exact = |_: &Shape, _: usize, l: &Lane| of(l).is_some_and(|(_, rest)| !rest);
        let low = |s: &Shape, _: usize, l: &Lane| {
            leading(l).is_some_and(|e| (s.destination.unit - 1..s.destination.min()).contains(&e))
        };
        let high = |s: &Shape, _: usize, l: &Lane| {
            leading(l).is_some_and(|e| (s.destination.max..s.destination.max + 2).contains(&e))
        };
        let small = |_: &Shape, _: usize, l: &Lane| {
            l[..2].iter().any(|&bits| format.class(bits) == crate::format::Class::Subnormal)
        };
        check(
            text,
            "inverse",
            &[
                ("near a midpoint", 30, &midpoint),
                ("near a number", 20, &number),
                ("exact", 10, &exact),
                ("subnormal results", 10, &low),
                ("near the largest", 10, &high),
                ("subnormal operands", 9, &small),
            ],
        );
    }
    for (text, format) in [("sqrt.rn.f32", &F32), ("sqrt.rp.f64", &F64)] {
        let p = format.precision() as i32;
        let root = |l: &Lane| {
            let value = Value::decode(format, l[0])?;
            if value.magnitude == 0 || value.negative {
                return None;
            }
            let shift = value.magnitude.leading_zeros() - 1;
            let shift = shift - ((shift as i32 + value.exponent) & 1) as u32;
            let square = value.magnitude << shift;
            Some((square.isqrt(), square.isqrt().pow(2) != square))
        };
        let midpoint = |_: &Shape, _: usize, l: &Lane| root(l).is_some_and(|r| near(p, r, true));
        let number = |_: &Shape, _: usize, l: &Lane| root(l).is_some_and(|r| near(p, r, false));
        let exact = |_: &Shape, _: usize, l: &Lane| root(l).is_some_and(|(_, rest)| !rest);
        check(
            text,
            "inverse",
            &[("near a midpoint", 35, &midpoint), ("near a number", 20, &number), ("exact", 12, &exact)],
        );
    }
    for (text, format) in [("rcp.rn.f32", &F32), ("rcp.rm.f64", &F64)] {
        let p = format.precision() as i32;
        let of = |l: &Lane| {
            quotient(1, Value::decode(format, l[0]).map_or(0, |value| value.magnitude as u64))
        };
        let midpoint = |_: &Shape, _: usize, l: &Lane| of(l).is_some_and(|q| near(p, q, true));
        let small =
            |_: &Shape, _: usize, l: &Lane| format.class(l[0]) == crate::format::Class::Subnormal;
        let low = |s: &Shape, _: usize, l: &Lane| {
            Value::decode(format, l[0]).is_some_and(|value| -value.leading() <= s.destination.min())
        };
        check(
            text,
            "inverse",
            &[
                ("near a midpoint", 5, &midpoint),
                ("subnormal", 15, &small),
                ("subnormal results", 10, &low),
            ],
        );
    }
}

#[test]
fn pairs() {
    for text in ["setp.lt.f32", "setp.lt.and.f16x2", "min.f64", "max.NaN.bf16x2", "set.eq.u32.f16"] {
        let magnitude = |s: &Shape, bits: u64| bits & s.formats[0].magnitude_mask();
        let nan = |s: &Shape, bits: u64| s.formats[0].is_nan(bits);
        let equal = |_: &Shape, _: usize, l: &Lane| l[0] == l[1];
        let opposite = |s: &Shape, _: usize, l: &Lane| l[0] == l[1] ^ s.formats[0].sign_mask();
        let next = |s: &Shape, _: usize, l: &Lane| magnitude(s, l[0]).abs_diff(magnitude(s, l[1])) == 1;
        let zeros = |s: &Shape, _: usize, l: &Lane| magnitude(s, l[0]) + magnitude(s, l[1]) == 0;
        let small = |s: &Shape, _: usize, l: &Lane| {
            let small = |bits| magnitude(s, bits) < s.formats[0].min_normal();
            small(l[0]) && small(l[1])
        };
        let signalling = |s: &Shape, _: usize, l: &Lane| {
            let quiet = 1 << (s.formats[0].trailing_bits - 1);
            l[..2].iter().any(|&bits| nan(s, bits) && bits & quiet == 0)
        };
        check(
            text,
            "pairs",
            &[
                ("equal", 20, &equal),
                ("opposite", 8, &opposite),
                ("neighbours", 20, &next),
                ("zeros", 4, &zeros),
                ("both below normal", 12, &small),
                ("first NaN", 8, &|s, _, l| nan(s, l[0])),
                ("second NaN", 8, &|s, _, l| nan(s, l[1])),
                ("one NaN", 4, &|s, _, l| nan(s, l[0]) != nan(s, l[1])),
                ("signalling", 4, &signalling),
            ],
        );
    }
    check(
        "max.abs.f32(a,b,c)",
        "pairs",
        &[
            ("all equal", 6, &|_, _, l| l[0] == l[1] && l[1] == l[2]),
            ("third NaN", 8, &|s, _, l| s.formats[2].is_nan(l[2])),
        ],
    );
    check(
        "slct.f32.f32",
        "pairs",
        &[
            ("zero", 10, &|s, _, l| l[2] & s.formats[2].magnitude_mask() == 0),
            ("NaN", 10, &|s, _, l| s.formats[2].is_nan(l[2])),
            ("negative", 40, &|s, _, l| s.formats[2].is_negative(l[2])),
        ],
    );
}

#[test]
fn seams() {
    // Within four encodings of a multiple of π/2, by the host's sine and cosine.
    let quadrant = |_: &Shape, _: usize, l: &Lane| {
        let x = f64::from(f32::from_bits(l[0] as u32));
        let reach = x.abs() * 4e-7;
        x.is_finite() && x != 0.0 && (x.sin().abs() < reach || x.cos().abs() < reach)
    };
    check("sin.approx.f32", "seams", &[("near a quadrant", 20, &quadrant)]);
    let value = |l: &Lane| f32::from_bits(l[0] as u32);
    check(
        "ex2.approx.f32",
        "seams",
        &[
            ("near an integer", 12, &|_, _, l| {
                (value(l) - value(l).round()).abs() < 1e-4 && value(l).abs() > 0.5
            }),
            ("result subnormal or none", 3, &|_, _, l| (-152.0..-125.0).contains(&value(l))),
            ("result at the top", 1, &|_, _, l| (126.0..130.0).contains(&value(l))),
        ],
    );
    check(
        "lg2.approx.f32",
        "seams",
        &[
            ("near 1", 12, &|_, _, l| (0.4..2.1).contains(&value(l))),
            ("negative", 3, &|_, _, l| value(l) < 0.0),
        ],
    );
    check(
        "div.approx.f32",
        "seams",
        &[("divisor near 2^±126", 5, &|_, _, l| {
            let exponent = l[1] >> 23 & 0xff;
            exponent <= 3 || exponent >= 252
        })],
    );
    for text in ["sin.approx.f32", "tanh.approx.f16", "rcp.approx.ftz.f64", "rsqrt.approx.f32"] {
        let (variant, lanes) = elements(text, "seams");
        let format = Shape::of(&variant).formats[0];
        let entries =
            lanes.iter().map(|lane| (lane[0] & format.trailing_mask()) >> (format.trailing_bits - 8));
        let entries: HashSet<u64> = entries.collect();
        assert_eq!(entries.len(), 256, "{text}: table entries");
    }
}
