//! The bound over every order of adding, and the exactness law.

use judge::Bounds;
use rug::Float;
use rug::float::Round;
use rug::ops::{AddAssignRound, Pow, SubAssignRound};
use vectors::Format;
use vectors::format::Class;
use vectors::isa::Rounding;
use vectors::matrix::Dot;

use super::terms::{PRECISION, Terms};

/// A precision that sums are promised, for a number of terms.
pub struct Accumulation {
    d: &'static Format,
    precision: u32,
    /// How each operation is rounded, where that is said.
    rounding: Option<Rounding>,
    /// `(1 + u)^n − 1`, rounded up.
    growth: Float,
    /// `2n · s`, rounded up.
    floor: Float,
    /// The largest number of a partial sum.
    largest: Float,
}

impl Accumulation {
    /// So many bits with the exponents of a format, for `n` terms, the addend among them, and a result of `dot`.
    pub fn new(exponents: &Format, precision: u32, n: u32, dot: &Dot) -> Accumulation {
        let unit = Float::with_val(PRECISION, Float::i_exp(1, 1 - precision as i32));
        let power = Float::with_val_round(PRECISION, (unit + 1u32).pow(n), Round::Up).0;
        let smallest = exponents.exponent_min() - (precision as i32 - 1);
        let (significand, exponent) = exponents.decode(exponents.max_finite()).expect("it is finite");
        Accumulation {
            d: dot.d,
            precision,
            rounding: dot.rounding,
            growth: power - 1u32,
            floor: Float::with_val(PRECISION, Float::i_exp(2 * n as i32, smallest)),
            largest: Float::with_val(PRECISION, significand) << exponent,
        }
    }

    /// What a sum may be, given the exact one and the magnitudes of each sign; `flushed` tells whether subnormal
    /// operands may be zero.
    pub fn bounds(&self, terms: &Terms, sum: &Float, of_signs: &[Float; 2], flushed: bool) -> Bounds {
        let d = self.d;
        let magnitudes = Float::with_val_round(PRECISION, &of_signs[0] + &of_signs[1], Round::Up).0;
        let mut bound = Float::with_val_round(PRECISION, &magnitudes * &self.growth, Round::Up).0;
        bound.add_assign_round(&self.floor, Round::Up);
        // What MPFR rounded on the way here.
        bound *= Float::with_val(PRECISION, 1) + Float::with_val(PRECISION, Float::i_exp(1, -100));
        // A partial sum of the terms of a sign is at most so large.
        let part = |part: &Float| {
            let mut grown = Float::with_val_round(PRECISION, part * &self.growth, Round::Up).0;
            grown.add_assign_round(&self.floor, Round::Up);
            grown.add_assign_round(part, Round::Up);
            grown
        };
        let parts = of_signs.each_ref().map(part);
        let beyond = parts.each_ref().map(|part| *part > self.largest);
        // Where it is not rounded that way, a sum that overflows is the largest number.
        let infinite = [Rounding::Up, Rounding::Down].map(|away| {
            self.rounding.is_none_or(|rounding| [away, Rounding::NearestEven].contains(&rounding))
        });
        let may_overflow = [0, 1].map(|sign| beyond[sign] && infinite[sign]);
        let exact = self.is_exact(terms, sum, &magnitudes, beyond).then(|| self.rounded(sum));
        let (mut low, mut high) = (sum.clone(), sum.clone());
        low.sub_assign_round(&bound, Round::Down);
        high.add_assign_round(&bound, Round::Up);
        if flushed && terms.has_subnormal() {
            low.sub_assign_round(terms.subnormal(false), Round::Down);
            high.add_assign_round(terms.subnormal(true), Round::Up);
        }
        // From the largest number it goes on, each operation with an error of its own.
        let clamps = [Rounding::Down, Rounding::Up].map(|toward| {
            self.rounding.is_none_or(|rounding| [toward, Rounding::TowardZero].contains(&rounding))
        });
        let error = Float::with_val_round(PRECISION, &self.largest * &self.growth, Round::Up).0;
        let lowest = Float::with_val_round(PRECISION, &self.largest - error, Round::Down).0;
        if clamps[0] && beyond[0] {
            low.min_mut(&Float::with_val_round(PRECISION, &lowest - &parts[1], Round::Down).0);
        }
        if clamps[1] && beyond[1] {
            high.max_mut(&Float::with_val_round(PRECISION, &parts[0] - &lowest, Round::Up).0);
        }
        // The last operation rounds what lies between, and rounding is monotonic.
        let (down, up) = match self.rounding {
            None => (Round::Down, Round::Up),
            Some(_) => (self.last(), self.last()),
        };
        Bounds { low: number(d, &low, down), high: number(d, &high, up), exact, may_overflow }
    }

    /// How the last operation rounds; to nearest where nothing is said.
    fn last(&self) -> Round {
        match self.rounding {
            Some(Rounding::TowardZero) => Round::Zero,
            Some(Rounding::Down) => Round::Down,
            Some(Rounding::Up) => Round::Up,
            _ => Round::Nearest,
        }
    }

    /// The exact sum, rounded once.
    pub fn rounded(&self, sum: &Float) -> u64 {
        number(self.d, sum, self.last())
    }

    /// Whether the exactness law holds: see the module above.
    fn is_exact(&self, terms: &Terms, sum: &Float, magnitudes: &Float, beyond: [bool; 2]) -> bool {
        let Some(quantum) = terms.quantum() else { return true };
        // A sum of fewer bits than the format's smallest number is none of its numbers.
        if quantum < self.d.exponent_of_lsb() || terms.has_subnormal() || beyond != [false; 2] {
            return false;
        }
        // Nor is one beyond its largest, however exact a wider accumulator has it.
        if self.d.class(number(self.d, sum, Round::Nearest)) == Class::Infinity {
            return false;
        }
        let bits = self.precision.min(self.d.precision()) as i32;
        *magnitudes <= Float::with_val(PRECISION, Float::i_exp(1, quantum + bits))
    }
}

/// A number in a format, rounded in one direction; beyond the largest one, infinity or that.
fn number(format: &Format, value: &Float, round: Round) -> u64 {
    if value.is_zero() {
        return 0;
    }
    let sign = if value.is_sign_negative() { format.sign_mask() } else { 0 };
    let exponent = value.get_exp().expect("a regular number") - 1;
    let binade = exponent.max(format.exponent_min());
    let scaled = Float::with_val(PRECISION, value >> (binade - format.trailing_bits as i32));
    let (units, _) = scaled.to_integer_round(round).expect("a regular number");
    let field = (binade - format.exponent_min()) as u64;
    let infinity = format.infinity().expect("accumulators have it");
    let away = match round {
        Round::Up => sign == 0,
        Round::Down => sign > 0,
        Round::Zero => false,
        _ => true,
    };
    let units = units.abs().to_u64().expect("at most a bit more than the significand");
    let bits = (u128::from(field) << format.trailing_bits) + u128::from(units);
    sign | match (bits >= u128::from(infinity), away) {
        (false, _) => bits as u64,
        (true, true) => infinity,
        (true, false) => format.max_finite(),
    }
}
