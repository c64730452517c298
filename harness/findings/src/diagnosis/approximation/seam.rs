//! Finds whether wrong results lie at seams, where approximations are put together from pieces.

use crate::diagnosis::axis::short;
use std::collections::BTreeSet;
use std::f64::consts::PI;

use formats::Format;
use isa::Op;

/// The fewest numbers at which a pattern counts as one.
const FEW: usize = 4;
/// The most leading bits that choose an entry of a table.
const ENTRY_BITS: u32 = 8;
/// The farthest that a number near a seam lies from it, as a part of the distance from one seam to the next.
const NEAR: f64 = 0.02;
/// The largest share of right results that may follow the pattern of the wrong ones, as one in so many.
const ALSO_NEAR: usize = 4;

/// Describes what the operands of wrong results have in common that few others have; the words call the operands
/// `name`. Returns `None` if nothing is found.
pub fn common(op: Op, format: &Format, name: &str, wrong: &[u64], right: &[u64]) -> Option<String> {
    let distinct: BTreeSet<u64> = wrong.iter().copied().collect();
    if distinct.len() < FEW {
        return None;
    }
    segment(format, name, wrong, right).or_else(|| periodic(op, format, name, wrong, right))
}

/// Describes wrong results whose operands all lie in one entry of a table, which leading bits of the significand
/// choose, in more binades than one.
fn segment(format: &Format, name: &str, wrong: &[u64], right: &[u64]) -> Option<String> {
    let normal = |bits: &&u64| {
        let magnitude = **bits & format.magnitude_mask();
        // Subnormal numbers have no leading bit before the others, and NaN and infinity no significand.
        magnitude >= format.min_normal() && format.decode(**bits).is_some()
    };
    let binades: BTreeSet<u64> =
        wrong.iter().map(|bits| (bits & format.magnitude_mask()) >> format.trailing_bits).collect();
    if binades.len() < 2 || !wrong.iter().all(|bits| normal(&bits)) {
        return None;
    }
    // The narrowest entry that holds all wrong results.
    let count = (2..=ENTRY_BITS.min(format.trailing_bits)).rev().find(|count| {
        let entry = |bits: &u64| (bits & format.trailing_mask()) >> (format.trailing_bits - count);
        let entries: BTreeSet<u64> = wrong.iter().map(entry).collect();
        let also = right.iter().filter(normal).filter(|bits| entries.contains(&entry(bits))).count();
        entries.len() == 1 && also * ALSO_NEAR <= right.len()
    })?;
    let entry = (wrong[0] & format.trailing_mask()) >> (format.trailing_bits - count);
    let entries = 2f64.powi(count as i32);
    let [from, to] = [entry, entry + 1].map(|entry| 1.0 + entry as f64 / entries);
    Some(format!(
        "all in one of {entries} segments of their binades, with a significand of {name} from {from} to {to}"
    ))
}

/// A comb of numbers that are equally far apart: what they are called, how far each is from the next, and where the
/// first is.
type Comb = (&'static str, f64, f64);

/// The numbers that sines and cosines are put together at; the rarest come first.
const TURNS: &[Comb] = &[
    ("a multiple of 2π", 2.0 * PI, 0.0),
    ("an odd multiple of π", 2.0 * PI, PI),
    ("a multiple of π", PI, 0.0),
    ("an odd multiple of π/2", PI, PI / 2.0),
    ("a multiple of π/2", PI / 2.0, 0.0),
    ("an odd multiple of π/4", PI / 2.0, PI / 4.0),
    ("a multiple of π/4", PI / 4.0, 0.0),
];
/// The numbers that powers of two (`ex2`) are put together at; the rarest come first.
const INTEGERS: &[Comb] =
    &[("an integer", 1.0, 0.0), ("an integer and a half", 1.0, 0.5), ("a multiple of 1/2", 0.5, 0.0)];

/// Describes wrong results whose operands all lie near numbers that operands are reduced by, or near powers of two.
fn periodic(op: Op, format: &Format, name: &str, wrong: &[u64], right: &[u64]) -> Option<String> {
    let values = |of: &[u64]| of.iter().filter_map(|bits| format.value(*bits)).collect::<Vec<f64>>();
    let (wrong, right) = (values(wrong), values(right));
    let ends = wrong.iter().map(|value| value.abs());
    let (low, high) =
        ends.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), of| (low.min(of), high.max(of)));
    let beside: Vec<f64> =
        right.into_iter().filter(|value| (low..=high).contains(&value.abs())).collect();
    // The distance within which all wrong results are, if few right ones are as near.
    let reach = |distance: &dyn Fn(f64) -> f64| {
        let reach = wrong.iter().map(|value| distance(*value)).fold(0.0, f64::max);
        let also = beside.iter().filter(|value| distance(**value) <= reach).count();
        // Where all results in the range are wrong, the range says it.
        let few = beside.len() >= FEW && also * ALSO_NEAR <= beside.len();
        (reach <= NEAR && few).then_some(reach)
    };
    let combs = match op {
        Op::Sin | Op::Cos => TURNS,
        Op::Ex2 => INTEGERS,
        _ => &[],
    };
    let of_comb = combs.iter().find_map(|&(words, length, first)| {
        let distance = |value: f64| {
            let place = (value.abs() - first) / length;
            (place - place.round()).abs()
        };
        // Zero is a multiple that tells nothing, and so is what is too large to lie between two.
        let told = low >= length / 4.0 && high <= length * 1e6;
        let reach = told.then(|| reach(&distance)).flatten()?;
        Some(format!("all with {name} within {} of {words}", short(reach * length)))
    });
    of_comb.or_else(|| {
        let distance = |value: f64| (value.abs().log2() - value.abs().log2().round()).abs();
        // Zero has no logarithm.
        let reach = (low > 0.0).then(|| reach(&distance)).flatten()?;
        Some(format!("all with {name} within a part in {} of a power of two", part(reach)))
    })
}

/// Returns how small a part of a number a distance in octaves is: N for one part in N.
fn part(octaves: f64) -> String {
    short((1.0 / (2f64.powf(octaves) - 1.0).max(f64::EPSILON)).floor())
}
