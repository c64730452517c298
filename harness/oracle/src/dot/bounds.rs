//! The bound on a sum over every order of adding, and the exactness law.

use formats::{Class, Format};
use isa::Rounding;
use isa::matrix::Dot;
use judge::Bounds;
use rug::Float;
use rug::float::Round;
use rug::ops::{AddAssignRound, Pow, SubAssignRound};

use super::terms::{PRECISION, Terms};

/// An accumulation precision that sums are promised, for a number of terms.
pub struct Accumulation {
    d: &'static Format,
    precision: u32,
    /// The exponent of the smallest subnormal number of the accumulator, `s`.
    smallest: i32,
    /// The exponent of the most that an operation loses where its result is subnormal.
    floor: i32,
    /// The rounding of each operation, where the instruction says it.
    rounding: Option<Rounding>,
    /// Whether a product and what it is added to are rounded once.
    fused: bool,
    /// `(1 + u)^n − 1`, rounded up, for each number of terms.
    growth: Box<[Float]>,
    /// The largest finite number that a partial sum can be.
    largest: Float,
}

impl Accumulation {
    /// Makes an accumulation of `precision` bits with the exponents of a format, for the terms of `dot` and its
    /// result.
    pub fn new(exponents: &Format, precision: u32, dot: &Dot) -> Accumulation {
        // To nearest, half a unit is lost, and half of the smallest number.
        let halved = i32::from(dot.rounding == Some(Rounding::NearestEven));
        let unit = Float::with_val(PRECISION, Float::i_exp(1, 1 - halved - precision as i32));
        let growth = |n| {
            Float::with_val_round(PRECISION, Float::with_val(PRECISION, &unit + 1u32).pow(n), Round::Up)
                .0
                - 1u32
        };
        let (significand, exponent) = exponents.decode(exponents.max_finite()).expect("it is finite");
        Accumulation {
            d: dot.d,
            precision,
            smallest: exponents.exponent_min() - (precision as i32 - 1),
            floor: exponents.exponent_min() - (precision as i32 - 1) - halved,
            rounding: dot.rounding,
            fused: false,
            growth: (0..=dot.stored() + 1).map(growth).collect(),
            largest: Float::with_val(PRECISION, significand) << exponent,
        }
    }

    /// Returns this accumulation with fused operations: a product and what it is added to are rounded once.
    pub fn fused(self) -> Accumulation {
        Accumulation { fused: true, ..self }
    }

    /// Returns the bounds of the sum of some terms; `flushed` tells whether terms with subnormal operands may be
    /// missing.
    pub fn bounds(&self, terms: &Terms, flushed: bool) -> Bounds {
        let (sum, of_signs) = (terms.sum(), terms.magnitudes());
        let magnitudes = Float::with_val_round(PRECISION, &of_signs[0] + &of_signs[1], Round::Up).0;
        let growth = &self.growth[terms.count()];
        let floor = Float::with_val(PRECISION, Float::i_exp(2 * terms.count() as i32, self.floor));
        // A partial sum of the terms of a sign is at most so large.
        let part = |part: &Float| {
            let mut grown = Float::with_val_round(PRECISION, part * growth, Round::Up).0;
            grown.add_assign_round(&floor, Round::Up);
            grown.add_assign_round(part, Round::Up);
            grown
        };
        let parts = of_signs.each_ref().map(part);
        let beyond = parts.each_ref().map(|part| *part > self.largest);
        // A sum that overflows is the largest number, if the stated rounding is neither to nearest nor away from zero.
        let infinite = [Rounding::Up, Rounding::Down].map(|away| {
            self.rounding.is_none_or(|rounding| [away, Rounding::NearestEven].contains(&rounding))
        });
        let may_overflow = [0, 1].map(|sign| beyond[sign] && infinite[sign]);
        let exact = self.exact(terms, &magnitudes, beyond);
        // One operation is rounded once, where it is said how.
        let one = terms.count() == 1 || self.fused && terms.products() <= 1;
        let once = exact.is_some() || self.rounding.is_some() && one;
        let [mut low, mut high] = match terms.count() {
            _ if once => [sum.clone(), sum.clone()],
            1 => [Round::Down, Round::Up].map(|round| self.neighbour(sum, round)),
            _ => {
                // All that MPFR rounds here is rounded outwards, but the sum, by less than what any order
                // leaves of the bound.
                let mut bound = Float::with_val_round(PRECISION, &magnitudes * growth, Round::Up).0;
                bound.add_assign_round(&floor, Round::Up);
                let low = Float::with_val_round(PRECISION, sum - &bound, Round::Down).0;
                let high = Float::with_val_round(PRECISION, sum + &bound, Round::Up).0;
                [low, high]
            }
        };
        // Rounding down or up errs in one direction, whatever the order; toward zero does for terms of one sign.
        let of_one_sign = |sign: usize| of_signs[1 - sign].is_zero();
        match self.rounding {
            Some(Rounding::Down) => high.min_mut(sum),
            Some(Rounding::TowardZero) if of_one_sign(0) => high.min_mut(sum),
            Some(Rounding::Up) => low.max_mut(sum),
            Some(Rounding::TowardZero) if of_one_sign(1) => low.max_mut(sum),
            _ => {}
        }
        if flushed {
            low.sub_assign_round(terms.subnormal(false), Round::Down);
            high.add_assign_round(terms.subnormal(true), Round::Up);
        }
        // No order takes terms of one sign to the other side of zero.
        let zero = Float::new(PRECISION);
        if of_one_sign(0) {
            low.max_mut(&zero);
        }
        if of_one_sign(1) {
            high.min_mut(&zero);
        }
        // A clamped sum goes on from the largest number, each operation with an error of its own.
        let clamps = [Rounding::Down, Rounding::Up].map(|toward| {
            self.rounding.is_none_or(|rounding| [toward, Rounding::TowardZero].contains(&rounding))
        });
        let error = Float::with_val_round(PRECISION, &self.largest * growth, Round::Up).0;
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
        let (low, high) = (number(self.d, &low, down), number(self.d, &high, up));
        Bounds { low, high, exact, may_overflow }
    }

    /// Returns the accumulator's number next to a value in the direction of `round`, or the value if it is such a
    /// number.
    fn neighbour(&self, value: &Float, round: Round) -> Float {
        let Some(end) = value.get_exp() else { return value.clone() };
        let lowest = self.smallest.max(end - self.precision as i32);
        let units = Float::with_val(PRECISION, value >> lowest);
        let (units, _) = units.to_integer_round(round).expect("a regular number");
        Float::with_val(PRECISION, units) << lowest
    }

    /// Returns how the last operation rounds; to nearest where nothing is said.
    fn last(&self) -> Round {
        match self.rounding {
            Some(Rounding::TowardZero) => Round::Zero,
            Some(Rounding::Down) => Round::Down,
            Some(Rounding::Up) => Round::Up,
            _ => Round::Nearest,
        }
    }

    /// Returns the exact sum, rounded once.
    pub fn rounded(&self, sum: &Float) -> u64 {
        number(self.d, sum, self.last())
    }

    /// Returns the exponent of the quantum where the exactness law holds, and `None` where it does not; the
    /// documentation of the module `dot` states the law.
    fn exact(&self, terms: &Terms, magnitudes: &Float, beyond: [bool; 2]) -> Option<i32> {
        let lowest = self.d.exponent_of_lsb().max(self.smallest);
        let quantum = terms.quantum().unwrap_or(lowest);
        // A sum of fewer bits than the smallest number is no number of the format, or of the accumulator.
        if quantum < lowest || beyond != [false; 2] {
            return None;
        }
        // Nor is one beyond its largest, however exact a wider accumulator has it.
        if self.d.class(number(self.d, terms.sum(), Round::Nearest)) == Class::Infinity {
            return None;
        }
        let bits = self.precision.min(self.d.precision()) as i32;
        let limit = Float::with_val(PRECISION, Float::i_exp(1, quantum + bits));
        // What stands for a subnormal number is a place to align, from which so many bits are kept.
        let fits = if terms.subnormals() > 0 { *magnitudes < limit } else { *magnitudes <= limit };
        fits.then_some(quantum)
    }
}

/// Returns a number in a format, rounded in one direction. Beyond the largest number that is infinity, or the largest
/// number, as the direction has it.
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
