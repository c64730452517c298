//! The operations of single numbers that instructions do between units: each result is rounded to nearest even.

use formats::Format;
use isa::matrix::UnitRounding;

use super::round::round;
use super::term::{Sum, Term};

/// The number of bits of an exact sum. They are more than two numbers of f32 and a rounding ask for: what lies below
/// only makes a number sticky.
const BITS: i32 = 58;

/// Adds two terms and rounds the sum to a format.
pub fn add(format: &Format, terms: [Term; 2]) -> u64 {
    // Specials first: exponents of no matter.
    let sum = Sum::of(&terms, 0, i32::MIN / 2);
    let (units, exponent) = match sum {
        Sum::Nan => return format.canonical_nan(),
        Sum::Infinite { negative } => {
            let sign = if negative { format.sign_mask() } else { 0 };
            return sign | format.infinity().expect("f32 and f16 have it");
        }
        Sum::Finite { .. } => exact(terms),
    };
    match units {
        // x − x is +0, and −0 only the sum of two.
        0 if terms.iter().all(|term| term.is_negative()) => format.sign_mask(),
        _ => round(units, exponent, UnitRounding::NearestEven, format),
    }
}

/// Returns the sum of two numbers as `units × 2^exponent`, with a last bit that is set where something was lost.
fn exact(terms: [Term; 2]) -> (i64, i32) {
    let parts = terms.map(|term| match term {
        Term::Finite { negative, significand, exponent, fraction_bits } => {
            (negative, significand, exponent - fraction_bits as i32)
        }
        Term::Nan | Term::Infinite { .. } => (false, 0, 0),
    });
    let top = |&(_, significand, lowest): &(bool, u64, i32)| {
        (significand > 0).then(|| lowest + 64 - significand.leading_zeros() as i32)
    };
    let Some(highest) = parts.iter().filter_map(top).max() else { return (0, 0) };
    let bottom = highest - BITS;
    let units = parts.iter().map(|&(negative, significand, lowest)| {
        let shift = lowest - bottom;
        let magnitude = match shift {
            _ if significand == 0 => 0,
            0.. => significand << shift,
            ..=-64 => 1,
            _ => significand >> -shift | u64::from(significand & ((1 << -shift) - 1) > 0),
        };
        if negative { -(magnitude as i64) } else { magnitude as i64 }
    });
    (units.sum(), bottom)
}

/// Returns a number divided by `2^by`, or the nearest number that its format has.
pub fn divided(format: &Format, bits: u64, by: u8) -> u64 {
    let number = Term::number(format, bits);
    // A zero of the number's own sign, since −0 plus +0 would be +0.
    let zero =
        Term::Finite { negative: number.is_negative(), significand: 0, exponent: 0, fraction_bits: 0 };
    let number = match number {
        Term::Finite { negative, significand, exponent, fraction_bits } if significand > 0 => {
            let exponent = exponent - i32::from(by);
            Term::Finite { negative, significand, exponent, fraction_bits }
        }
        other => other,
    };
    add(format, [number, zero])
}

/// Returns a number of one format in another that has it, or the nearest number that the other format has.
pub fn convert(from: &Format, to: &Format, bits: u64) -> u64 {
    let number = Term::number(from, bits);
    // A zero of the number's own sign, since −0 plus +0 would be +0.
    let zero =
        Term::Finite { negative: number.is_negative(), significand: 0, exponent: 0, fraction_bits: 0 };
    add(to, [number, zero])
}

#[cfg(test)]
mod tests {
    use formats::{F16, F32};

    use super::*;

    #[test]
    fn what_division_makes_subnormal_is_rounded_to_nearest() {
        let halved = |bits| divided(&F16, bits, 1);
        assert_eq!([0x4000, 0x8400, 0x0003, 0x8001, 0x0005].map(halved), [0x3c00, 0x8200, 2, 0x8000, 2]);
        assert_eq!([0, 0x8000, 0x7c00, 0xfc00, 0x7e01].map(halved), [0, 0x8000, 0x7c00, 0xfc00, 0x7fff]);
        assert_eq!(divided(&F32, 0x4100_0001, 15), 0x4100_0001 - (15 << 23));
        assert_eq!(divided(&F32, 0x0080_0001, 15), 1 << 8);
    }
}
