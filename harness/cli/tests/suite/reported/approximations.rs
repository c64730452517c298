//! Reported faults of approximations, and similar ones that nobody has reported.

use std::f64::consts::TAU;

use formats::F32;

use super::wrong::single;

/// Computes the logarithm without scaling a subnormal number before.
pub fn logarithm_of_subnormal(a: &[u64], right: u64) -> u64 {
    if single(a[0]).is_subnormal() { f32::NEG_INFINITY.to_bits().into() } else { right }
}

/// Computes a power whose exponent is made by adding to the bits of one, so that subnormal results are zero.
pub fn power_flushed(_: &[u64], right: u64) -> u64 {
    if single(right).is_subnormal() { 0 } else { right }
}

/// Computes a root by Newton's iteration, from an estimate that is infinite for subnormal numbers.
pub fn root_of_subnormal(a: &[u64], right: u64) -> u64 {
    let small = single(a[0]).is_subnormal() && single(a[0]) > 0.0;
    if small { f32::NEG_INFINITY.to_bits().into() } else { right }
}

/// Divides by multiplying with the reciprocal, which is infinite for a subnormal divisor, after flushing the
/// dividend.
pub fn divided_by_subnormal(a: &[u64], right: u64) -> u64 {
    if single(a[1]).is_subnormal() { F32.canonical_nan() } else { right }
}

/// Computes a sine that is, closely before a whole turn, the reciprocal of what is left to the turn.
pub fn sine_before_turn(a: &[u64], right: u64) -> u64 {
    let value = f64::from(single(a[0]));
    let left = (value / TAU).round() * TAU - value;
    let before = value > 1.0 && value < 600.0 && left > 0.0 && left < 1e-3;
    if before { ((1.0 / left) as f32).to_bits().into() } else { right }
}

/// Computes results with one wrong entry in a table.
pub fn table_entry(a: &[u64], right: u64) -> u64 {
    let normal = single(a[0]).is_normal() && single(right).is_normal();
    if normal && a[0] >> 16 & 0x7f == 0x25 { right + 9 } else { right }
}

/// Computes results that belong to the wrong half of an octant next to where the octant ends.
pub fn octant_mistaken(a: &[u64], right: u64) -> u64 {
    let value = f64::from(single(a[0]));
    let octants = value.abs() / (TAU / 8.0);
    let odd = octants.round() % 2.0 == 1.0 && octants < 300.0;
    let off = (octants - octants.round()).abs() * TAU / 8.0;
    if odd && off < 1e-4 { (single(right) * 0.99).to_bits().into() } else { right }
}
