//! Feedback for libFuzzer about an implementation that it cannot look into: the class of each result, and how near to
//! a tie its exact value lies. Values near a tie are those that implementations round the wrong way.

use std::cell::UnsafeCell;

use formats::{Class, Column, Format};
use isa::limits::{INPUTS_MAX, LANES_MAX};
use isa::{Family, LaneData, Op, Register, Variant};
use sweeps::fnv1a;

/// Number of counters, and so of kinds of results that are told apart.
const COUNTERS: usize = 1 << 14;

/// Counters in a section that libFuzzer finds by its name; it reads them after each input, and fills them with zeros
/// before the next.
#[repr(transparent)]
struct Counters(UnsafeCell<[u8; COUNTERS]>);

// SAFETY: only `note` writes to the counters, and a target has one thread; libFuzzer reads after an input was tried.
unsafe impl Sync for Counters {}

#[cfg_attr(target_os = "linux", unsafe(link_section = "__libfuzzer_extra_counters"))]
static NOTED: Counters = Counters(UnsafeCell::new([0; COUNTERS]));

/// Counter values that libFuzzer tells apart; within a counter, each stands for a distance to a tie.
const DISTANCES: [u8; 8] = [1, 2, 3, 4, 8, 16, 32, 128];

/// Notes the first row of a variant's results for libFuzzer: each lane's class and its nearness to a tie.
pub fn note(variant: &Variant, operands: &[Column], results: &[Column]) {
    let key = fnv1a(variant.text().as_bytes());
    for (number, output) in variant.outputs().iter().enumerate() {
        for lane in 0..variant.lanes() {
            let bits = datum(output, variant.results(), results, lane);
            let class = output.format.class(bits);
            let far = exact(variant, operands, lane).map_or(0, |value| from_a_tie(value, output.format));
            // A counter has eight values that count: the coarse part of the nearness chooses the counter.
            let kind = [number, class as usize, far / DISTANCES.len()]
                .iter()
                // The multiplication spreads each part over the upper half, of which the place is taken.
                .fold(key, |key, &part| (key ^ part as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let place = (kind >> 32) as usize % COUNTERS;
            // SAFETY: the only reference, and only for this line.
            let counter = unsafe { &mut (&mut *NOTED.0.get())[place] };
            // Lanes may share a counter: the one nearest to a tie counts.
            *counter = (*counter).max(DISTANCES[far % DISTANCES.len()]);
        }
    }
}

/// Returns the datum in a lane of the first row.
fn datum(data: &LaneData, registers: &[Register], columns: &[Column], lane: usize) -> u64 {
    let mut lanes = [0; LANES_MAX];
    data.gather(registers, columns, 0..1, &mut lanes);
    lanes[lane]
}

/// Returns the exact value of a lane, but for the 53rd bit, if the variant is one that rounds such a value.
fn exact(variant: &Variant, operands: &[Column], lane: usize) -> Option<f64> {
    let value = |data: &LaneData| number(data.format, datum(data, variant.operands(), operands, lane));
    let mut inputs = [0.0; INPUTS_MAX];
    let arity = variant.inputs().len();
    inputs.iter_mut().zip(variant.inputs()).for_each(|(number, data)| *number = value(data));
    let op = variant.meaning().op;
    Some(match (op, &inputs[..arity]) {
        (Op::Add, [a, b]) => a + b,
        (Op::Sub, [a, b]) => a - b,
        (Op::Mul, [a, b]) => a * b,
        (Op::Fma, [a, b, c]) => a.mul_add(*b, *c),
        (Op::Div, [a, b]) => a / b,
        (Op::Rcp, [a]) => 1.0 / a,
        (Op::Sqrt, [a]) => a.sqrt(),
        (_, [a, ..]) if op.family() == Family::Convert => *a,
        _ => return None,
    })
}

/// Returns the number that a datum stands for.
fn number(format: &Format, bits: u64) -> f64 {
    let magnitude = match (format.decode(bits), format.class(bits)) {
        (Some((significand, exponent)), _) => significand as f64 * 2f64.powi(exponent),
        (None, Class::Infinity) => f64::INFINITY,
        (None, _) => f64::NAN,
    };
    if format.is_negative(bits) { -magnitude } else { magnitude }
}

/// Returns how near a value lies to the middle between two neighbours of a format.
///
/// 0 is farthest, every step is half as far, and the last, 31, is a tie.
fn from_a_tie(value: f64, format: &Format) -> usize {
    const NEAREST: usize = 31;
    if !value.is_finite() || value == 0.0 {
        return 0;
    }
    let exponent = ((value.abs().to_bits() >> 52) as i32 - 1023).max(format.exponent_min());
    let unit = exponent + 1 - format.precision() as i32;
    // Scales in two steps, since the reciprocal of the unit may be too large for an `f64`.
    let units = value.abs() * 2f64.powi(-unit / 2) * 2f64.powi(-unit - -unit / 2);
    let far = (units.fract() - 0.5).abs();
    let steps = if far == 0.0 { NEAREST } else { (-far.log2()) as usize };
    steps.min(NEAREST)
}

#[cfg(test)]
mod tests {
    use formats::{BF16, F16, F32, column};
    use isa::columns_for;

    use super::*;

    #[test]
    fn ties_are_nearest() {
        let tie = 1.0 + 2f64.powi(-11);
        assert_eq!(from_a_tie(tie, &F16), 31);
        assert_eq!(from_a_tie(-tie - 2f64.powi(-20), &F16), 10);
        // Half-way between two ties.
        assert_eq!(from_a_tie(1.0, &F16), 1);
        assert_eq!(from_a_tie(2f64.powi(-25), &F16), 31, "below the smallest number");
        assert_eq!(from_a_tie(2f64.powi(-134), &BF16), 31);
        assert_eq!(from_a_tie(2f64.powi(-150), &F32), 31);
        assert_eq!(from_a_tie(f64::NAN, &F16), 0);
    }

    /// Checks exact values; the first, 1.5 × (1 + 3 × 2^-10), lies half-way between two numbers of f16.
    #[test]
    fn what_is_exact_is_known_of_what_is_rounded() {
        let of = |text: &str, bits: &[u64]| {
            let variant: Variant = text.parse().unwrap();
            let mut operands = columns_for(&variant, 1);
            column::set_row(&mut operands, 0, bits);
            exact(&variant, &operands, variant.lanes() - 1)
        };
        assert_eq!(of("mul.rn.f16", &[0x3e00, 0x3c03]), Some(1.5 * (1.0 + 3.0 / 1024.0)));
        assert_eq!(of("fma.rn.bf16x2", &[0x4000_0000, 0x4040_0000, 0xbf80_0000]), Some(5.0));
        assert_eq!(of("cvt.rn.f16.f32", &[0xc000_0000]), Some(-2.0));
        assert_eq!(of("ex2.approx.f16", &[0x3c00]), None);
    }
}
