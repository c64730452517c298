//! Tests of the seams of approximations: none is left out, and the sweep is mostly about them.

use super::families::{check, elements};
use super::*;

/// Returns the quick tier's vectors of the sweep `seams` for a function of one f32, in order.
fn seams_of(text: &str) -> Vec<f32> {
    let variant: Variant = text.parse().unwrap();
    let mut columns = columns_for(&variant, 1 << 14);
    Sweep::named("seams").unwrap().fill(&variant, 0, 0, &mut columns);
    let mut asked: Vec<f32> =
        (0..1 << 14).map(|row| f32::from_bits(columns[0].get(row) as u32)).collect();
    asked.retain(|x| !x.is_nan());
    asked.sort_by(f32::total_cmp);
    asked
}

/// Returns the seams that lack a vector on a side: within two encodings below them, or from them on. `asked` has the
/// ordered vectors; the seams are of either sign or of one.
fn one_sided(asked: &[f32], seams: impl Iterator<Item = f64>) -> Vec<f64> {
    let lacks = |seam: &f64| {
        let first = asked.partition_point(|&x| f64::from(x) < *seam);
        let near = |place: Option<usize>| {
            let beside = place.and_then(|place| asked.get(place)).map(|x| (x, f64::from(*x) - seam));
            beside.is_some_and(|(x, off)| {
                let unit = f64::from(x.abs().next_up()) - f64::from(x.abs());
                off.abs() <= 2.5 * unit
            })
        };
        !near(first.checked_sub(1)) || !near(Some(first))
    };
    seams.filter(lacks).collect()
}

/// No seam that lies among others at regular distances is left to chance.
#[test]
fn every_seam_has_vectors_on_both_sides() {
    use std::f64::consts::FRAC_PI_4;
    for text in ["sin.approx.f32", "cos.approx.ftz.f32"] {
        let asked = seams_of(text);
        // By the absolute value, since the sign is drawn.
        let mut magnitudes: Vec<f32> = asked.iter().map(|x| x.abs()).collect();
        magnitudes.sort_by(f32::total_cmp);
        let lacking = one_sided(&magnitudes, (1..=400).map(|k| f64::from(k) * FRAC_PI_4));
        assert!(lacking.is_empty(), "{text}: multiples of π/4 {lacking:?}");
        for exponent in 1..20 {
            let binade = 2f64.powi(exponent)..2f64.powi(exponent + 1);
            let odd = |x: &&f32| {
                let x = f64::from(**x);
                let near = (x.sin().abs() - x.cos().abs()).abs() < x * 5e-7;
                binade.contains(&x) && near
            };
            let count = magnitudes.iter().filter(odd).count();
            assert!(count >= 4, "{text}: {count} at odd multiples of π/4 in {binade:?}");
        }
    }
    let halves = (-300..=256).map(|halves| f64::from(halves) / 2.0).filter(|x| *x != 0.0);
    let lacking = one_sided(&seams_of("ex2.approx.f32"), halves);
    assert!(lacking.is_empty(), "ex2: halves {lacking:?}");
    let powers = || (-148..=127).map(|exponent| 2f64.powi(exponent));
    let lacking = one_sided(&seams_of("lg2.approx.f32"), powers());
    assert!(lacking.is_empty(), "lg2: powers of two {lacking:?}");
    for text in ["rcp.approx.f32", "sqrt.approx.f32", "rsqrt.approx.f32", "tanh.approx.f32"] {
        let last = if text.starts_with("tanh") { 2f64.powi(4) } else { 2f64.powi(127) };
        let asked = seams_of(text);
        let lacking = one_sided(&asked, powers().filter(|power| *power <= last));
        assert!(lacking.is_empty(), "{text}: powers of two {lacking:?}");
        // Of a negative number a root is no number, so that one of them is as good as another.
        if !text.contains("sqrt") {
            let mirrored: Vec<f32> = asked.iter().rev().map(|x| -x).collect();
            let lacking = one_sided(&mirrored, powers().filter(|power| *power <= last));
            assert!(lacking.is_empty(), "{text}: negative powers of two, {lacking:?}");
        }
    }
}

/// By any seed, some reciprocals of f64 are just normal and others are just flushed, at every distance that a gross
/// approximation may have, with either sign.
#[test]
fn reciprocals_lie_beside_the_smallest_normal_number() {
    let variant: Variant = "rcp.approx.ftz.f64".parse().unwrap();
    for seed in 0..4 {
        let mut columns = columns_for(&variant, 1 << 14);
        Sweep::named("seams").unwrap().fill(&variant, seed, 0, &mut columns);
        let asked: Vec<f64> = (0..1 << 14).map(|row| f64::from_bits(columns[0].get(row))).collect();
        let end = 2f64.powi(1022);
        for distance in 1..=20 {
            let beside = |below: bool, x: f64| {
                let off = x.abs() / end - 1.0;
                let near = 2f64.powi(-distance);
                (off < 0.0) == below && (near * 0.75..near * 1.5).contains(&off.abs())
            };
            for below in [false, true] {
                let count = asked.iter().filter(|x| beside(below, **x)).count();
                assert!(
                    count > 0,
                    "seed {seed}: 2^-{distance} {}",
                    if below { "below" } else { "above" }
                );
            }
        }
        let close = asked.iter().filter(|x| (x.abs() / end - 1.0).abs() < 0.06);
        assert!([false, true].iter().all(|&negative| close.clone().any(|x| (*x < 0.0) == negative)));
    }
}

#[test]
fn approximations_are_asked_at_quadrants_integers_and_one() {
    // Within four encodings of a multiple of π/2, by the host's sine and cosine.
    let quadrant = |_: &Shape, _: usize, l: &Lane| {
        let x = f64::from(f32::from_bits(l[0] as u32));
        let reach = x.abs() * 4e-7;
        x.is_finite() && x != 0.0 && (x.sin().abs() < reach || x.cos().abs() < reach)
    };
    let octant = |_: &Shape, _: usize, l: &Lane| {
        let x = f64::from(f32::from_bits(l[0] as u32));
        x.is_finite() && (x.sin().abs() - x.cos().abs()).abs() < x.abs() * 5e-7
    };
    for text in ["sin.approx.f32", "cos.approx.f32"] {
        check(text, "seams", &[("near a quadrant", 12, &quadrant), ("where it changes", 8, &octant)]);
    }
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
            ("near 1", 10, &|_, _, l| (0.4..2.1).contains(&value(l))),
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
