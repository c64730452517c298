//! Terms of a sum, and the sum of what is left of them after alignment.

use formats::{Class, Format};

/// The exponent of a zero, below all exponents that numbers have.
// A quarter of the range, so that sums and differences of such exponents do not overflow.
const NONE: i32 = i32::MIN / 4;

/// A product or an addend, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    Nan,
    Infinite {
        negative: bool,
    },
    /// A finite term, `±significand × 2^(exponent − fraction_bits)`. It is not normalised: `exponent` is what alignment
    /// goes by, and the significand may have any number of bits before its point, or none. A sum that cancelled has an
    /// exponent, and a zero has none.
    Finite {
        negative: bool,
        significand: u64,
        exponent: i32,
        fraction_bits: u32,
    },
}

impl Term {
    /// Returns a number of a format as a term.
    #[inline]
    pub fn number(format: &Format, bits: u64) -> Term {
        let negative = format.is_negative(bits);
        match (format.decode(bits), format.class(bits)) {
            (Some((significand, lowest)), _) => {
                let fraction_bits = format.trailing_bits;
                let exponent = if significand == 0 { NONE } else { lowest + fraction_bits as i32 };
                Term::Finite { negative, significand, exponent, fraction_bits }
            }
            (None, Class::Infinity) => Term::Infinite { negative },
            (None, _) => Term::Nan,
        }
    }

    /// Multiplies two terms, exactly.
    #[inline]
    pub fn times(self, other: Term) -> Term {
        match (self, other) {
            (Term::Nan, _) | (_, Term::Nan) => Term::Nan,
            (
                Term::Finite { negative, significand, exponent, fraction_bits },
                Term::Finite {
                    negative: sign,
                    significand: factor,
                    exponent: power,
                    fraction_bits: bits,
                },
            ) => Term::Finite {
                negative: negative ^ sign,
                significand: significand * factor,
                // A product with a zero stays a zero, whose exponent may not sink with every factor.
                exponent: (exponent + power).max(NONE),
                fraction_bits: fraction_bits + bits,
            },
            (zero, _) | (_, zero) if zero.is_zero() => Term::Nan,
            (one, other) => Term::Infinite { negative: one.is_negative() ^ other.is_negative() },
        }
    }

    /// Returns the exact sum of finite terms, with one exponent for all of them; a sum of zeros alone has no exponent.
    pub fn sum_at(terms: impl Iterator<Item = Term> + Clone, exponent: i32, fraction_bits: u32) -> Term {
        let all_zeros = terms.clone().all(Term::is_zero);
        let units = terms.map(|term| match term {
            Term::Finite { negative, significand, exponent, fraction_bits: bits } if significand > 0 => {
                let shift = exponent - bits as i32 + fraction_bits as i32;
                debug_assert!((0..32).contains(&shift), "the sum would not be exact");
                let magnitude = (significand << shift) as i64;
                if negative { -magnitude } else { magnitude }
            }
            _ => 0,
        });
        let units: i64 = units.sum();
        let exponent = if all_zeros { NONE } else { exponent };
        Term::Finite { negative: units < 0, significand: units.unsigned_abs(), exponent, fraction_bits }
    }

    fn is_zero(self) -> bool {
        matches!(self, Term::Finite { significand: 0, .. })
    }

    /// Whether the term is below zero, or −0.
    pub fn is_negative(self) -> bool {
        match self {
            Term::Nan => false,
            Term::Infinite { negative } | Term::Finite { negative, .. } => negative,
        }
    }
}

/// The sum of the terms of a dot product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    Nan,
    Infinite {
        negative: bool,
    },
    /// A finite sum, `units × 2^exponent`.
    Finite {
        units: i64,
        exponent: i32,
    },
}

impl Sum {
    /// Returns the sum of terms aligned to the largest exponent, that of a zero being `zero_exponent`, and cut off
    /// toward zero behind `fraction_bits` fraction bits.
    #[inline]
    pub fn of(terms: &[Term], fraction_bits: u32, zero_exponent: i32) -> Sum {
        let (mut largest, mut infinite) = (zero_exponent, [false; 2]);
        for term in terms {
            match *term {
                Term::Nan => return Sum::Nan,
                Term::Infinite { negative } => infinite[usize::from(negative)] = true,
                Term::Finite { exponent, .. } => largest = largest.max(exponent),
            }
        }
        match infinite {
            [true, true] => return Sum::Nan,
            [false, false] => {}
            [_, negative] => return Sum::Infinite { negative },
        }
        let lowest = largest - fraction_bits as i32;
        let units = terms.iter().map(|term| match *term {
            Term::Finite { negative, significand, exponent, fraction_bits } => {
                let shift = exponent - fraction_bits as i32 - lowest;
                let magnitude = match shift {
                    // A zero may lie anywhere.
                    _ if significand == 0 => 0,
                    0.. => significand << shift,
                    ..=-64 => 0,
                    _ => significand >> -shift,
                };
                // At most 2 bits before the point, 35 behind it, and a few of a carry.
                if negative { -(magnitude as i64) } else { magnitude as i64 }
            }
            Term::Nan | Term::Infinite { .. } => 0,
        });
        Sum::Finite { units: units.sum(), exponent: lowest }
    }
}
