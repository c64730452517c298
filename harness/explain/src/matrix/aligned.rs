//! Shows the terms of a sum as a unit of a tensor core aligns them.

use formats::Format;
use isa::matrix::{Dot, without_tf32_padding};

/// The most bits that are shown of those that fall off.
const DROPPED: u32 = 16;

/// A number that is neither NaN nor infinite: `±significand × 2^lowest`, aligned by `exponent`.
pub struct Term {
    negative: bool,
    /// The significand; that of a product has twice the bits.
    pub significand: u64,
    lowest: i32,
    /// The exponent by which terms are aligned.
    pub exponent: i32,
}

impl Term {
    /// Decodes a number of a format; `None` for NaN and infinity.
    pub fn number(format: &Format, bits: u64) -> Option<Term> {
        let (significand, lowest) = format.decode(bits)?;
        let exponent = lowest + format.trailing_bits as i32;
        Some(Term { negative: format.is_negative(bits), significand, lowest, exponent })
    }

    /// Multiplies two registers, of A and of B; `None` if one of them is NaN or infinity.
    pub fn product(dot: &Dot, a: u64, b: u64) -> Option<Term> {
        let a = Term::number(dot.a, without_tf32_padding(dot.a, a))?;
        let b = Term::number(dot.b, without_tf32_padding(dot.b, b))?;
        Some(Term {
            negative: a.negative != b.negative,
            significand: a.significand * b.significand,
            lowest: a.lowest + b.lowest,
            exponent: a.exponent + b.exponent,
        })
    }

    /// Returns the bits that are kept beside a term whose exponent is `largest`, `fraction_bits` of them behind the
    /// point, and behind a bar those that fall off.
    pub fn line(&self, largest: i32, fraction_bits: u32) -> String {
        let shift = self.lowest - (largest - fraction_bits as i32);
        let (kept, dropped) = match shift {
            0.. => (self.significand << shift, String::new()),
            _ => {
                let below = shift.unsigned_abs();
                let kept = self.significand.checked_shr(below).unwrap_or(0);
                let rest =
                    if below < 64 { self.significand & ((1 << below) - 1) } else { self.significand };
                let width = below as usize;
                let digits = format!("{rest:0width$b}");
                let shown: String = digits.chars().take(DROPPED as usize).collect();
                let fits = digits.trim_end_matches('0').len() <= shown.len();
                let shown = if fits { shown.trim_end_matches('0').to_owned() } else { shown + "…" };
                (kept, shown)
            }
        };
        // A product of two significands below 2 has up to two digits before the point.
        let width = fraction_bits as usize + 2;
        let digits = format!("{kept:0width$b}");
        let (whole, fraction) = digits.split_at(digits.len() - fraction_bits as usize);
        let sign = if self.negative { '-' } else { '+' };
        format!("{sign}{whole}.{fraction}|{dropped}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_falls_off_stands_behind_the_bar() {
        let line = |bits, largest| Term::number(&formats::F16, bits).unwrap().line(largest, 4);
        assert_eq!(line(0x3c00, 0), "+01.0000|");
        assert_eq!(line(0xbe00, 2), "-00.0110|");
        assert_eq!(line(0x3e01, 4), "+00.0001|1000000001");
        assert_eq!(line(0x0001, 0), "+00.0000|0000000000000000…");
    }
}
