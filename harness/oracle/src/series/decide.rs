//! The step from enclosed values to results and intervals, wherever the enclosure decides them.
//!
//! All loops are over slices and without branches, so that the compiler makes lanes of them.

use formats::{F32, numbers_within};
use isa::Bound;
use judge::Point;

use super::RUN;
use super::taylor::{Polynomial, ROUNDING};

/// The mark of an element of which nothing is open any more.
pub const NOTHING: u32 = 0;
/// The mark of an element whose result, or what else is right, is open, while its value is near enough to the exact
/// one.
pub const FIELDS: u32 = 1;
/// The mark of an element whose value is open, too.
pub const VALUE: u32 = 2;

/// The part of itself to which a decided element's value is enclosed at least; mostly it is enclosed to 2^-50 of it.
pub const RELATIVE: f64 = 1.0 / (1u64 << 38) as f64;
/// The bits of an f64's significand that an f32 lacks, less one. Halfway between two numbers of f32 the lower ones
/// are zero, as they are in every f32.
pub const HALVES: u32 = 28;

/// A part of a number: a value that differs from the number by less lies beside it.
const NEARBY: f64 = 1.0 / (1u64 << 40) as f64;

const MIN_NORMAL: f64 = f32::MIN_POSITIVE as f64;

/// The elements of a run.
pub struct RunElements {
    /// The place of each input in a polynomial, from −1 to 1.
    places: Box<[f64; RUN]>,
    /// The values of the function, within an error of the exact ones.
    pub values: Box<[f64; RUN]>,
    /// Marks, 1 where the value is the f64 next to the exact one, and both lie beside a number of f32.
    settled: Box<[u32; RUN]>,
    /// The correctly rounded results, and the lowest and highest places accepted, as [`super::place`] has them;
    /// meaningless where `open`.
    pub results: Box<[u32; RUN]>,
    pub low: Box<[i32; RUN]>,
    pub high: Box<[i32; RUN]>,
    /// The point that the intervals of all elements have.
    pub point: Point,
    /// For each element what is still open: [`NOTHING`], [`FIELDS`] or [`VALUE`].
    pub open: Box<[u32; RUN]>,
}

/// The rule by which values are decided.
#[derive(Clone, Copy)]
pub struct DecisionRule {
    pub flush: bool,
    pub bound: Bound,
    /// 2 to the power that the bound has, to the precision of f64.
    pub size: f64,
    /// The lowest place and the highest, where no bound is stated.
    pub minimum: (i64, i64),
}

impl RunElements {
    pub fn new() -> RunElements {
        let half = (RUN / 2) as f64;
        RunElements {
            places: Box::new(std::array::from_fn(|at| (at as f64 - half) / half)),
            values: Box::new([0.0; RUN]),
            settled: Box::new([0; RUN]),
            results: Box::new([0; RUN]),
            low: Box::new([0; RUN]),
            high: Box::new([0; RUN]),
            point: Point::Bound,
            open: Box::new([VALUE; RUN]),
        }
    }

    /// Returns the values, to be set otherwise than by a polynomial.
    pub fn unset(&mut self) -> &mut [f64; RUN] {
        self.settled.fill(0);
        &mut self.values
    }

    /// Sets the values to those of a polynomial. Returns how far they are from the exact ones at most.
    #[inline(always)]
    pub fn evaluate(&mut self, polynomial: &Polynomial) -> f64 {
        let &Polynomial { middle, half, coefficients, offset, error, largest } = polynomial;
        let horner = |s: f64| coefficients.iter().rev().fold(0.0, |sum, term| sum * s + term);
        if !offset {
            for (value, &s) in self.values.iter_mut().zip(self.places.iter()) {
                *value = horner(s);
            }
            self.settled.fill(0);
            return error;
        }
        for ((value, settled), &s) in
            self.values.iter_mut().zip(self.settled.iter_mut()).zip(self.places.iter())
        {
            // Exact: an f32.
            let argument = middle + half * s;
            let difference = horner(s);
            *value = argument + difference;
            // Rounding is monotonic: what both ends give, everything between gives, MPFR's 96 bits
            // included.
            let (low, high) = (difference - 1.5 * error, difference + 1.5 * error);
            let same = argument + low == argument + high;
            // Beside an f32, not beside the middle of two.
            let beside = difference.abs() < argument.abs() * NEARBY;
            *settled = u32::from(same & beside);
        }
        error + ROUNDING * largest
    }

    /// Decides results and intervals where that is possible, of values that are at most `largest` and within `error`
    /// of the exact ones.
    #[inline(always)]
    pub fn decide(&mut self, rule: DecisionRule, error: f64, largest: f64) {
        // As integers, which are compared side by side.
        let magnitudes = self.values.iter().map(|value| (value.to_bits() & i64::MAX as u64) as i64);
        let smallest = f64::from_bits(magnitudes.fold(i64::MAX, i64::min) as u64);
        self.nearest(error, smallest);
        self.point = match rule.bound {
            Bound::Unstated(_) => Point::Minimum,
            _ => Point::Bound,
        };
        match rule.bound {
            Bound::Ulp(count) => self.ulps(count),
            Bound::Absolute(_) => {
                let size = rule.size;
                // Rounding `size`, and the difference.
                let error = error + 2.0 * ROUNDING * (largest + 2.0 * size);
                self.edges(|value| value - size, |value| value + size, error);
            }
            Bound::Relative(_) => {
                // All of one sign: none is near zero, or it would be open.
                let size = if self.values[0] < 0.0 { -rule.size } else { rule.size };
                let (below, above) = (1.0 - size, 1.0 + size);
                let one_sign =
                    self.values.iter().fold(true, |all, value| all & ((*value < 0.0) == (size < 0.0)));
                let error = if one_sign { 2.0 * error + 8.0 * ROUNDING * largest } else { f64::MAX };
                self.edges(|value| value * below, |value| value * above, error);
            }
            Bound::Unstated(_) => {
                let (low, high) = rule.minimum;
                self.low.fill(low as i32);
                self.high.fill(high as i32);
            }
            Bound::Zero => unreachable!("of quotients, which have no series"),
        }
        if smallest < 2.0 * MIN_NORMAL {
            self.tiny(rule);
        }
    }

    /// Sets the correctly rounded results. Values stay open that are so near to a number of f32, or to the middle
    /// between two, that the exact one may be on the other side. So do values too near zero.
    #[inline(always)]
    fn nearest(&mut self, error: f64, smallest: f64) {
        let floor = error / RELATIVE;
        // The last place of the smallest value that is not open: the error is at most so many.
        let last = (smallest.max(floor) * ROUNDING).max(f64::from_bits(1));
        let spread = (error / last) as u64 + 1;
        let (mask, most) = ((1u64 << HALVES) - 1, 2 * spread);
        let hopeless = most > mask / 16;
        for at in 0..RUN {
            let value = self.values[at];
            let near = ((value.to_bits() + spread) & mask) <= most;
            let open = (near & (self.settled[at] == 0)) | (value.abs() < floor) | hopeless;
            self.results[at] = (value as f32).to_bits();
            self.open[at] = if open { VALUE } else { NOTHING };
        }
    }

    /// Sets the lowest and highest places within a bound whose edges are known within `error`.
    #[inline(always)]
    fn edges(&mut self, low: impl Fn(f64) -> f64, high: impl Fn(f64) -> f64, error: f64) {
        for at in 0..RUN {
            let value = self.values[at];
            let nearest = super::place(self.results[at]);
            let (low, high) = (low(value), high(value));
            let (rounded_low, rounded_high) = (low as f32, high as f32);
            // Exact, by Sterbenz's lemma.
            let above = low - f64::from(rounded_low);
            let below = high - f64::from(rounded_high);
            // Both are at most half a step, so an edge is within a step of where it was rounded to.
            let open = (above.abs() <= error) | (below.abs() <= error);
            let low = super::place(rounded_low.to_bits()) + i32::from(above > 0.0);
            let high = super::place(rounded_high.to_bits()) - i32::from(below < 0.0);
            self.low[at] = low.min(nearest);
            self.high[at] = high.max(nearest);
            self.open[at] |= if open { FIELDS } else { NOTHING };
        }
    }

    /// Sets the lowest and highest places within `count` units in the last place of the results.
    #[inline(always)]
    fn ulps(&mut self, count: u32) {
        let count = count as i32;
        for at in 0..RUN {
            let bits = self.results[at];
            let place = super::place(bits);
            let magnitude = (bits & 0x7fff_ffff) as i32;
            let [inwards, outwards] = numbers_within(magnitude, F32.trailing_bits, count);
            let negative = bits >> 31 == 1;
            self.low[at] = place - if negative { outwards } else { inwards };
            self.high[at] = place + if negative { inwards } else { outwards };
            // Near overflow; underflow is `tiny`'s.
            let open = magnitude >= 0x7f80_0000 - 4;
            self.open[at] |= if open { FIELDS } else { NOTHING };
        }
    }

    /// Corrects results and places of values around and below the smallest normal number.
    #[inline(never)]
    fn tiny(&mut self, rule: DecisionRule) {
        for at in 0..RUN {
            let value = self.values[at];
            if value.abs() >= 2.0 * MIN_NORMAL {
                continue;
            }
            let bits = self.results[at];
            let (sign, magnitude) = (bits & 1 << 31, (bits & !(1 << 31)) as i32);
            let tiny = value.abs() < MIN_NORMAL;
            if (value.abs() - MIN_NORMAL).abs() < MIN_NORMAL * RELATIVE {
                self.open[at] |= FIELDS;
                continue;
            }
            match rule.bound {
                Bound::Ulp(count) => {
                    let count = count as i32;
                    let place = super::place(bits);
                    let (mut low, mut high) = (place - count, place + count);
                    if magnitude <= count || magnitude >= 0x100_0000 - count {
                        // Zeros have two places, and the second binade other units.
                        self.open[at] |= FIELDS;
                    }
                    if rule.flush {
                        [low, high] = [low, high].map(flushed);
                        if tiny {
                            self.results[at] = sign;
                        }
                        let only = super::place(self.results[at]);
                        (low, high) = (low.min(only), high.max(only));
                    }
                    (self.low[at], self.high[at]) = (low, high);
                }
                // No function with such a bound has tiny results of operands that are not flushed.
                _ if tiny && rule.flush => self.open[at] |= FIELDS,
                _ => {}
            }
        }
    }
}

/// Returns the place of what `.ftz` makes of the datum at a place.
fn flushed(place: i32) -> i32 {
    match place {
        0..0x80_0000 => 0,
        -0x80_0000..0 => -1,
        normal => normal,
    }
}
