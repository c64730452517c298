//! Tests that the sweep `discarded` has its bit at every place, above and below midpoints and numbers.

use std::collections::BTreeSet;

use formats::F64;
use isa::Family;

use super::catalogue::variants;
use super::families::{elements, inputs};
use super::shares::{SHAPES, shape};
use super::value::{RoundingPlace, StickyValue, terms};
use super::*;
use crate::stochastic::{field, field_bits};

/// The number of vectors that the quick tier asks of a sweep without end.
const QUICK: usize = 1 << 14;

/// A bit beside a boundary: whether that is a midpoint, whether the bit is above it, and the bit's place.
type Deviation = (bool, bool, i32);

/// Checks that every place from the third one on is seen on both sides: beside midpoints up to `last[0]`, and beside
/// numbers up to `last[1]`. The second place is as far from a midpoint as from a number.
fn check_places(name: &str, seen: &BTreeSet<Deviation>, last: [i32; 2]) {
    for (midpoint, last) in [true, false].into_iter().zip(last) {
        for above in [true, false] {
            let missing: Vec<i32> =
                (3..=last).filter(|&place| !seen.contains(&(midpoint, above, place))).collect();
            assert!(missing.is_empty(), "{name}: midpoint {midpoint}, above {above}: {missing:?}");
        }
    }
}

/// The last places of each shape of [`SHAPES`], beside midpoints and beside numbers: for products the last bit, for
/// other terms three precisions, or the smallest number of the format.
const LAST: [[i32; 2]; 14] = [
    [3, 3],
    [29, 44],
    [4, 4],
    [14, 22],
    [11, 11],
    [29, 50],
    [8, 8],
    [28, 28],
    [24, 24],
    [76, 76],
    [24, 76],
    [24, 76],
    [24, 76],
    [24, 76],
];

#[test]
fn terms_have_one_bit_at_each_place() {
    // Less where a product is as short as the result's precision, so that it has no bits to discard.
    const LEAST: [usize; 14] = [65, 85, 85, 90, 90, 90, 90, 90, 90, 90, 80, 80, 80, 80];
    let sweep = Sweep::named("discarded").unwrap();
    for ((name, last), least) in SHAPES.into_iter().zip(LAST).zip(LEAST) {
        let shape = shape(name);
        let rows = vectors(sweep, &shape, 0, 0, QUICK);
        let place = |lane: &Lane| RoundingPlace::of(&shape, lane)?.one_bit_beside();
        let seen: Vec<Deviation> = rows.iter().filter_map(place).collect();
        let share = seen.len() * 100 / QUICK;
        println!("{name:14} {share:3} % (least {least})");
        assert!(share >= least, "{name}: {share} %");
        check_places(name, &seen.into_iter().collect(), last);
    }
}

/// How the leading bit of a sum lies beside those of its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Leading {
    Above,
    WithX,
    WithY,
    Below,
}

/// The last places that have every deviation in each arrangement, in the order of [`Leading`].
const ARRANGED: [(&str, [i32; 4]); 7] = [
    ("fma.f16", [11, 29, 11, 11]),
    ("fma.bf16", [8, 28, 8, 8]),
    ("fma.f32", [24, 60, 24, 24]),
    ("add.f32.f16", [10, 20, 11, 16]),
    ("fma.f32.f16", [11, 24, 11, 16]),
    ("add.e4m3", [3, 4, 5, 4]),
    // 1 − 129·2^-16 lies 2^-8 of the last place below the middle of 1 − 2^-8 and 1: no smaller term has more bits, so
    // that only a power of two has a difference with a bit at place 8.
    ("sub.bf16", [7, 8, 9, 8]),
];

/// An implementation may lose a bit where the terms carry and nowhere else, as the solver Z3 5.1.0 did. So each place
/// comes up in every arrangement of the terms.
#[test]
fn sums_have_one_bit_at_each_place_in_every_arrangement() {
    for (name, last) in ARRANGED {
        let shape = shape(name);
        let rows = vectors(Sweep::named("discarded").unwrap(), &shape, 0, 0, QUICK);
        let mut seen = std::collections::BTreeMap::new();
        for lane in &rows {
            let (Some(place), Some((x, Some(y)))) =
                (RoundingPlace::of(&shape, lane), terms(&shape, lane))
            else {
                continue;
            };
            let Some((midpoint, above, at)) = place.one_bit_beside() else { continue };
            let (leading, x, y) = (place.value.leading(), x.leading(), y.leading());
            let arrangement = match leading {
                leading if leading > x.max(y) => Leading::Above,
                leading if leading < x.max(y) => Leading::Below,
                _ if x > y => Leading::WithX,
                _ => Leading::WithY,
            };
            *seen.entry((arrangement, midpoint, above, at)).or_insert(0) += 1;
        }
        for (arrangement, last) in
            [Leading::Above, Leading::WithX, Leading::WithY, Leading::Below].into_iter().zip(last)
        {
            for (midpoint, above) in [(true, true), (true, false), (false, true), (false, false)] {
                let count = |at| seen.get(&(arrangement, midpoint, above, at)).copied().unwrap_or(0);
                let rare: Vec<(i32, i32)> =
                    (3..=last).map(|at| (at, count(at))).filter(|&(_, count)| count < 2).collect();
                let what = format!("{name} {arrangement:?}: midpoint {midpoint}, above {above}");
                assert!(rare.is_empty(), "{what}: places and counts {rare:?}");
            }
        }
    }
}

/// Returns how the input of a conversion differs from a boundary in one bit, if it does and the result is in range.
/// With random bits, the boundary in the place of the midpoint is where the discarded bits just carry.
fn converted(shape: &Shape, number: usize, lane: &Lane) -> Option<Deviation> {
    let span = shape.destination;
    let mut value = StickyValue::decode(shape.formats[0], lane[0])?;
    if shape.extra == Extra::Divisor {
        value.exponent -= lane[1] as i32 - shape.formats[1].bias;
    }
    let last = (value.leading() - span.precision + 1).max(span.unit);
    let discarded = last - value.exponent;
    if value.leading() > span.max || !(1..=100).contains(&discarded) {
        return None;
    }
    let (random, bits) = match shape.extra {
        Extra::Random => (field(shape, lane[1], number), field_bits(shape)),
        _ => (1, 1),
    };
    let places = discarded.max(bits);
    let low = (value.magnitude & ((1 << discarded) - 1)) << (places - discarded);
    let one = 1u128 << places;
    let carry = one - (u128::from(random) << (places - bits));
    let candidates =
        [(true, low > carry, low.abs_diff(carry)), (false, true, low), (false, false, one - low)];
    let found = candidates.into_iter().find(|&(.., off)| off.is_power_of_two() && off < one)?;
    Some((found.0, found.1, places - found.2.ilog2() as i32))
}

/// Conversions have as many places as their source has bits more than their result. Halves are the midpoints of
/// integers, and the fraction has the bits.
#[test]
fn conversions_have_one_bit_at_each_place() {
    for (text, last) in [
        ("cvt.rn.f16.f32", 23),
        ("cvt.rn.bf16.f32", 16),
        ("cvt.rn.bf16.f16", 3),
        ("cvt.rn.f32.f64", 52),
        ("cvt.rp.f16.f64", 52),
        ("cvt.rn.f16.u32", 5),
        ("cvt.rz.f32.s64", 39),
        ("cvt.rni.s32.f32", 22),
        ("cvt.rzi.u64.f64", 50),
        ("cvt.rni.f32.f32", 22),
        ("cvt.rn.satfinite.e4m3x2.f32", 22),
        ("cvt.rn.satfinite.e2m1x2.f16x2", 9),
        ("cvt.rs.f16x2.f32", 22),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e2m3x2.f32", 22),
    ] {
        let (variant, lanes) = elements(text, "discarded");
        let (shape, per_row) = (Shape::of(&variant), variant.lanes());
        let place = |(at, lane)| converted(&shape, at % per_row, lane);
        check_places(text, &lanes.iter().enumerate().filter_map(place).collect(), [last; 2]);
    }
}

/// Where the sweep applies, most vectors are what it is for. Products of short factors do not end in every pattern.
#[test]
fn most_vectors_lie_one_bit_beside_a_boundary() {
    let sweep = Sweep::named("discarded").unwrap();
    for variant in variants().filter(|variant| sweep.length(variant) != Length::None) {
        let (shape, per_row) = (Shape::of(variant), variant.lanes());
        let lanes = inputs(variant, "discarded", 2000);
        let deviates = |(at, lane): &(usize, &Lane)| match shape.family {
            Family::Convert => converted(&shape, at % per_row, lane).is_some(),
            Family::SumsAndProducts => {
                RoundingPlace::of(&shape, lane).is_some_and(|place| place.one_bit_beside().is_some())
            }
            // Quotients and roots have a test of their own.
            _ => true,
        };
        let share = lanes.iter().enumerate().filter(deviates).count() * 100 / lanes.len();
        let least = if shape.factors[0].precision + shape.factors[1].precision <= 6 { 40 } else { 60 };
        assert!(share >= least, "{variant}: {share} %");
    }
}

/// Returns how a quotient or a root lies beside the nearest boundary of `p` bits: the place of its first bit there. It
/// is given as its leading bits, of which some more than twice `p` are known.
fn first_bit(p: i32, bits: u128) -> Option<Deviation> {
    let places = 128 - bits.leading_zeros() as i32 - p;
    let (low, half) = (bits & ((1 << places) - 1), 1u128 << (places - 1));
    let quarter = half / 2;
    let (midpoint, above, off) = match low {
        low if low < quarter => (false, true, low),
        low if low >= 3 * quarter => (false, false, 2 * half - low),
        low => (true, low > half, low.abs_diff(half)),
    };
    Some((midpoint, above, places - off.checked_ilog2()? as i32))
}

/// Quotients and roots never lie one bit beside a boundary, but the first bit beside it has every place.
#[test]
fn quotients_and_roots_have_their_first_bit_at_each_place() {
    for (text, format) in [("div.rn.f32", &F32), ("div.rz.f64", &F64)] {
        let (_, lanes) = elements(text, "discarded");
        let p = format.precision() as i32;
        let quotient = |lane: &Lane| {
            let [a, b] = [lane[0], lane[1]].map(|bits| StickyValue::decode(format, bits));
            let (a, b) = (a?.magnitude, b?.magnitude);
            first_bit(p, (a != 0 && b != 0).then(|| (a << a.leading_zeros()) / b)?)
        };
        // The dividend has 128 bits and the divisor `p`, so that the quotient has 128 - p.
        let last = p.min(128 - 2 * p - 2);
        check_places(text, &lanes.iter().filter_map(quotient).collect(), [last, last - 1]);
    }
    // Squares of numbers differ from operands by 7 at least where they are smaller.
    for (text, format, last) in [("sqrt.rn.f32", &F32, [23, 21]), ("sqrt.rp.f64", &F64, [9, 9])] {
        let (_, lanes) = elements(text, "discarded");
        let root = |lane: &Lane| {
            let value = StickyValue::decode(format, lane[0])?;
            // An even exponent, and 128 bits or one less.
            let zeros = value.magnitude.leading_zeros() as i32;
            let up = zeros - (value.exponent - zeros).rem_euclid(2);
            first_bit(format.precision() as i32, (value.magnitude << up).isqrt())
        };
        check_places(text, &lanes.iter().filter_map(root).collect(), last);
    }
}
