//! What was reported of approximations, and the like of it.

use std::f64::consts::TAU;

use formats::F32;

use super::wrong::single;

/// The logarithm of a number that is not scaled before.
pub fn logarithm_of_subnormal(a: &[u64], right: u64) -> u64 {
    if single(a[0]).is_subnormal() { f32::NEG_INFINITY.to_bits().into() } else { right }
}

/// An exponent made by adding to the bits of one.
pub fn power_flushed(_: &[u64], right: u64) -> u64 {
    if single(right).is_subnormal() { 0 } else { right }
}

/// Newton's iteration from an infinite estimate.
pub fn root_of_subnormal(a: &[u64], right: u64) -> u64 {
    let small = single(a[0]).is_subnormal() && single(a[0]) > 0.0;
    if small { f32::NEG_INFINITY.to_bits().into() } else { right }
}

/// A product with an infinite reciprocal, in which the dividend was flushed.
pub fn divided_by_subnormal(a: &[u64], right: u64) -> u64 {
    if single(a[1]).is_subnormal() { F32.canonical_nan() } else { right }
}

/// The reciprocal of what is left to a whole turn, where that is little.
pub fn sine_before_turn(a: &[u64], right: u64) -> u64 {
    let value = f64::from(single(a[0]));
    let left = (value / TAU).round() * TAU - value;
    let before = value > 1.0 && value < 600.0 && left > 0.0 && left < 1e-3;
    if before { ((1.0 / left) as f32).to_bits().into() } else { right }
}

/// A wrong entry of a table.
pub fn table_entry(a: &[u64], right: u64) -> u64 {
    let normal = single(a[0]).is_normal() && single(right).is_normal();
    if normal && a[0] >> 16 & 0x7f == 0x25 { right + 9 } else { right }
}

/// The wrong half of an octant next to where it ends.
pub fn octant_mistaken(a: &[u64], right: u64) -> u64 {
    let value = f64::from(single(a[0]));
    let octants = value.abs() / (TAU / 8.0);
    let odd = octants.round() % 2.0 == 1.0 && octants < 300.0;
    let off = (octants - octants.round()).abs() * TAU / 8.0;
    if odd && off < 1e-4 { (single(right) * 0.99).to_bits().into() } else { right }
}
