//! What a sum of products may be, whatever the order in which a matrix instruction adds.
//!
//! The manual promises of an accumulation its precision, and leaves its order and rounding open: "Element-wise
//! multiplication of matrix A and B is performed with at least single precision … accumulation of the
//! intermediate values is performed with at least single precision", "The accumulation order, rounding and
//! handling of subnormal inputs are unspecified" (9.7.16.5.14). That is a bound.
//!
//! Let the terms be `t[1] … t[n]`: the K products, exactly, and the addend. Each operation of at least `p` bits
//! in any rounding has a relative error of at most `u = 2^(1-p)`, and where its result is subnormal an absolute
//! one of at most the smallest subnormal number, `s`. In any order of adding, a term passes at most `n`
//! operations, one product and n − 1 sums. So the last sum before it is rounded to D differs from the exact sum
//! by at most `((1 + u)^n − 1) · Σ|t| + 2n · s`, where the factor 2 is for what errors of sums grow by
//! themselves, since `(1 + u)^n < 2`. Rounded to D in any direction, it lies between the numbers of D around
//! that interval.
//!
//! Where all terms are multiples of a quantum `q` and `Σ|t| ≤ 2^p · q`, every partial sum in every order is a
//! number of `p` bits, so that nothing is ever rounded, or cut off by an alignment that keeps `p` bits: the
//! result is the exact sum. This is the **exactness law**. It presumes that no operand is subnormal, since
//! their handling is unspecified, and that nothing overflows.

#[cfg(test)]
mod tests;

use rug::Float;
use rug::float::Round;
use rug::ops::{AddAssignRound, Pow};
use vectors::Format;
use vectors::format::{Class, FormatId};
use vectors::matrix::Dot;

/// Bits that sums of magnitudes and bounds are computed with, outwards.
const PRECISION: u32 = 128;

/// What an element of a result may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumTruth {
    /// Some NaN: an operand is, or an infinity is multiplied by zero, or two of unlike signs are added.
    Nan,
    /// The infinity of this sign.
    Infinite {
        /// Whether it is −∞.
        negative: bool,
    },
    /// A number from `low` to `high`, as bits of D's format, zeros of either sign alike.
    Within {
        /// The lowest.
        low: u64,
        /// The highest.
        high: u64,
        /// The only one that is right by the exactness law.
        exact: Option<u64>,
        /// Whether the positive terms alone, and the negative ones, may overflow: a partial sum may be
        /// infinite then, and where both may, NaN.
        may_overflow: [bool; 2],
    },
}

/// The truth about elements of one instruction without scales, of a dense A.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    dot: Dot,
    /// The least precise accumulation that is permitted: `p` is its precision.
    accumulated: &'static Format,
}

/// A term, exactly: `±significand × 2^exponent`.
#[derive(Clone, Copy, Debug)]
struct Term {
    negative: bool,
    significand: u128,
    exponent: i32,
}

impl Sums {
    /// As the manual promises: "at least half precision" where C and D are f16, of f64 that of its fused
    /// operations, else at least single precision. `None` of scales and of a sparse A.
    pub fn of(dot: &Dot) -> Option<Sums> {
        if dot.scales.is_some() || dot.sparsity.is_some() {
            return None;
        }
        let accumulated = match (dot.c.id, dot.d.id) {
            (FormatId::F16, FormatId::F16) => dot.d,
            _ if dot.d.id == FormatId::F64 => dot.d,
            _ => &vectors::format::F32,
        };
        Some(Sums { dot: *dot, accumulated })
    }

    /// The truth about one element: operands are data of their formats, of tf32 19 bits.
    pub fn truth(&self, a: &[u64], b: &[u64], c: u64) -> SumTruth {
        let Dot { a: of_a, b: of_b, c: of_c, d, .. } = self.dot;
        let pairs = || a.iter().copied().zip(b.iter().copied());
        let is_nan = |format: &Format, bits: u64| format.class(bits) == Class::Nan;
        let infinite = |format: &Format, bits: u64| format.class(bits) == Class::Infinity;
        let zero = |format: &Format, bits: u64| format.class(bits) == Class::Zero;
        let mut signs = [false; 2];
        for (x, y) in pairs() {
            let infinity = infinite(of_a, x) || infinite(of_b, y);
            if is_nan(of_a, x) || is_nan(of_b, y) || infinity && (zero(of_a, x) || zero(of_b, y)) {
                return SumTruth::Nan;
            }
            if infinity {
                signs[usize::from(of_a.is_negative(x) != of_b.is_negative(y))] = true;
            }
        }
        if is_nan(of_c, c) {
            return SumTruth::Nan;
        }
        if infinite(of_c, c) {
            signs[usize::from(of_c.is_negative(c))] = true;
        }
        match signs {
            [true, true] => return SumTruth::Nan,
            [false, false] => {}
            [_, negative] => return SumTruth::Infinite { negative },
        }
        let products = pairs().map(|(x, y)| Term::number(of_a, x).times(Term::number(of_b, y)));
        let terms: Vec<Term> = products.chain([Term::number(of_c, c)]).collect();
        let subnormal = pairs()
            .any(|(x, y)| of_a.class(x) == Class::Subnormal || of_b.class(y) == Class::Subnormal)
            || of_c.class(c) == Class::Subnormal;
        self.within(&terms, d, subnormal)
    }

    fn within(&self, terms: &[Term], d: &'static Format, subnormal: bool) -> SumTruth {
        let sum = |round: Round, part: fn(&Term) -> Option<Float>| {
            // MPFR rounds the exact sum once, however far its terms lie apart.
            let values: Vec<Float> = terms.iter().filter_map(part).collect();
            Float::with_val_round(PRECISION, Float::sum(values.iter()), round).0
        };
        let magnitudes = sum(Round::Up, |term| Some(term.value().abs()));
        let n = terms.len() as u32;
        let accumulated = self.accumulated;
        let precision = accumulated.precision() as i32;
        let mut bound = Float::with_val(PRECISION, Float::i_exp(1, 1 - precision)) + 1u32;
        bound = Float::with_val_round(PRECISION, bound.pow(n), Round::Up).0 - 1u32;
        bound *= &magnitudes;
        let smallest = Float::with_val(PRECISION, Float::i_exp(1, accumulated.exponent_of_lsb()));
        bound.add_assign_round(smallest * (2 * n), Round::Up);
        // One more for what MPFR rounded here.
        bound *= Float::with_val(PRECISION, 1) + Float::with_val(PRECISION, Float::i_exp(1, -100));
        let mut low = sum(Round::Down, |term| Some(term.value()));
        low.add_assign_round(-bound.clone(), Round::Down);
        let mut high = sum(Round::Up, |term| Some(term.value()));
        high.add_assign_round(&bound, Round::Up);
        let positive =
            sum(Round::Up, |term| Some(term.value()).filter(|value| !value.is_sign_negative()));
        let negative =
            sum(Round::Up, |term| Some(-term.value()).filter(|value| !value.is_sign_negative()));
        let largest = |format: &Format| {
            let (significand, exponent) = format.decode(format.max_finite()).expect("it is finite");
            Float::with_val(PRECISION, significand) << exponent
        };
        let limit = largest(accumulated).min(&largest(d));
        let may_overflow = [positive, negative].map(|part| part + &bound > limit);
        let excluded = subnormal || may_overflow != [false; 2];
        let exact = self.is_exact(terms, &magnitudes, excluded).then(|| {
            let value = sum(Round::Nearest, |term| Some(term.value()));
            number(d, &value, Round::Nearest)
        });
        let (low, high) = (number(d, &low, Round::Down), number(d, &high, Round::Up));
        SumTruth::Within { low, high, exact, may_overflow }
    }

    /// Whether the exactness law holds: see the [module](self).
    fn is_exact(&self, terms: &[Term], magnitudes: &Float, excluded: bool) -> bool {
        let quantum = terms
            .iter()
            .filter(|term| term.significand > 0)
            .map(|term| term.exponent + term.significand.trailing_zeros() as i32)
            .min();
        // A sum of fewer bits than the format's smallest number is none of its numbers.
        let Some(quantum) = quantum.filter(|&quantum| quantum >= self.dot.d.exponent_of_lsb()) else {
            return !excluded && terms.iter().all(|term| term.significand == 0);
        };
        let bits = self.accumulated.precision().min(self.dot.d.precision()) as i32;
        !excluded && *magnitudes <= Float::with_val(PRECISION, Float::i_exp(1, quantum + bits))
    }
}

impl SumTruth {
    /// Whether a result of D's format is right.
    pub fn accepts(&self, d: &Format, result: u64) -> bool {
        let class = d.class(result);
        match *self {
            SumTruth::Nan => class == Class::Nan,
            SumTruth::Infinite { negative } => {
                class == Class::Infinity && d.is_negative(result) == negative
            }
            SumTruth::Within { may_overflow, .. } if class == Class::Nan => may_overflow == [true; 2],
            SumTruth::Within { low, high, exact, may_overflow } => {
                // Zeros of either sign are one number, so a sign of zero is no matter of the bound.
                let place = |bits: u64| {
                    let magnitude = (bits & d.magnitude_mask()) as i64;
                    if d.is_negative(bits) { -magnitude } else { magnitude }
                };
                let right = match exact {
                    Some(exact) => place(exact) == place(result),
                    None => (place(low)..=place(high)).contains(&place(result)),
                };
                right || class == Class::Infinity && may_overflow[usize::from(d.is_negative(result))]
            }
        }
    }
}

impl Term {
    fn number(format: &Format, bits: u64) -> Term {
        let (significand, exponent) = format.decode(bits).expect("special data are dealt with before");
        Term { negative: format.is_negative(bits), significand: significand.into(), exponent }
    }

    fn times(self, other: Term) -> Term {
        Term {
            negative: self.negative != other.negative,
            significand: self.significand * other.significand,
            exponent: self.exponent + other.exponent,
        }
    }

    /// It as a number of 128 bits, which hold every product.
    fn value(&self) -> Float {
        let magnitude = Float::with_val(PRECISION, self.significand) << self.exponent;
        if self.negative { -magnitude } else { magnitude }
    }
}

/// A number in a format, rounded in one direction; beyond the largest one, infinity or that.
fn number(format: &Format, value: &Float, round: Round) -> u64 {
    let sign = if value.is_sign_negative() && !value.is_zero() { format.sign_mask() } else { 0 };
    if value.is_zero() {
        return 0;
    }
    let exponent = value.get_exp().expect("a regular number") - 1;
    let unit = exponent.max(format.exponent_min()) - format.trailing_bits as i32;
    let scaled = Float::with_val(PRECISION, value >> unit);
    let (units, _) = scaled.to_integer_round(round).expect("a regular number");
    let units = units.abs().to_u64().expect("at most a bit more than the significand");
    let field = (exponent.max(format.exponent_min()) - format.exponent_min()) as u64;
    let bits = (field << format.trailing_bits) + units;
    let away = matches!((round, sign), (Round::Nearest, _) | (Round::Up, 0))
        || round == Round::Down && sign > 0;
    let infinity = format.infinity().expect("accumulators have it");
    let beyond = bits >= infinity;
    sign | match (beyond, away) {
        (false, _) => bits,
        (true, true) => infinity,
        (true, false) => format.max_finite(),
    }
}
