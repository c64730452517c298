//! Tests of how often the sweeps of quotients and comparisons reach what they are for. Lanes are read back from the
//! registers, as whoever computes them reads them.

use formats::F64;

use super::value::StickyValue;
use super::*;

const ROWS: usize = 20_000;

/// Returns a variant and the inputs of every lane that a sweep has for it.
pub fn elements(text: &str, sweep: &str) -> (Variant, Vec<Lane>) {
    let variant: Variant = text.parse().unwrap();
    let lanes = inputs(&variant, sweep, ROWS);
    (variant, lanes)
}

/// Returns the inputs of every lane of a sweep's first vectors for a variant.
pub fn inputs(variant: &Variant, sweep: &str, rows: usize) -> Vec<Lane> {
    let mut columns = columns_for(variant, rows);
    Sweep::named(sweep).unwrap().fill(variant, 1, 0, &mut columns);
    let mut lanes = vec![Lane::default(); rows * variant.lanes()];
    for (number, input) in variant.inputs().iter().enumerate() {
        let mut elements = vec![0u64; lanes.len()];
        input.gather(variant.operands(), &columns, 0..rows, &mut elements);
        lanes.iter_mut().zip(elements).for_each(|(lane, element)| lane[number] = element);
    }
    lanes
}

/// A goal of a sweep: what it is; the least share, in hundredths, of lanes that reach it; and whether a lane does,
/// given the shape and the lane's number in its row.
pub type Goal<'a> = (&'a str, usize, &'a dyn Fn(&Shape, usize, &Lane) -> bool);

/// Checks that the share of the lanes that satisfy each condition is at least the goal's, in hundredths.
pub fn check(text: &str, sweep: &str, goals: &[Goal]) {
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

/// Returns the first bits of a significand's quotient or root, and whether any follow.
fn quotient(a: u64, b: u64) -> Option<(u128, bool)> {
    // Of 127 bits, so that the quotient has 63 at least.
    let dividend = u128::from(a) << (a.leading_zeros() + 63);
    (a != 0 && b != 0).then(|| (dividend / u128::from(b), !dividend.is_multiple_of(b.into())))
}

/// Whether the bits below the first `p` are within 2^-10 of one half if `to_half`, else of 0 or 1.
fn near(p: i32, (bits, _): (u128, bool), to_half: bool) -> bool {
    let below = 128 - bits.leading_zeros() as i32 - p;
    let (low, one) = (bits & ((1 << below) - 1), 1u128 << below);
    let distance = if to_half { low.abs_diff(one / 2) } else { low.min(one - low) };
    distance <= one >> 10
}

#[test]
fn quotients_and_roots_lie_near_midpoints() {
    for (text, format) in [("div.rn.f32", &F32), ("div.rz.f64", &F64)] {
        let p = format.precision() as i32;
        let finite = |bits| StickyValue::decode(format, bits);
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
            l[..2].iter().any(|&bits| format.class(bits) == formats::Class::Subnormal)
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
            let value = StickyValue::decode(format, l[0])?;
            if value.magnitude == 0 || value.negative {
                return None;
            }
            let shift = value.magnitude.leading_zeros() - 1;
            // An odd exponent would leave a factor of √2 beside the root of the significand.
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
            quotient(1, StickyValue::decode(format, l[0]).map_or(0, |value| value.magnitude as u64))
        };
        let midpoint = |_: &Shape, _: usize, l: &Lane| of(l).is_some_and(|q| near(p, q, true));
        let small = |_: &Shape, _: usize, l: &Lane| format.class(l[0]) == formats::Class::Subnormal;
        let low = |s: &Shape, _: usize, l: &Lane| {
            StickyValue::decode(format, l[0])
                .is_some_and(|value| -value.leading() <= s.destination.min())
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
fn compared_data_are_equal_opposite_or_neighbours() {
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
