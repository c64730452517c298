//! Functions that the manual promises within a bound. Special inputs have the results of its table; of
//! others MPFR computes the exact value, and the bound of the range that they lie in tells which data
//! are near enough.

#[cfg(test)]
mod tests;

use judge::{Accepted, Interval, Point, ordinal};
use rug::Assign;
use rug::Float;
use rug::float::{Round, Special as Value};
use rug::ops::AssignRound;
use vectors::format::Class;
use vectors::isa::{Accuracy, Bound, GROSS, Meaning, Minimum, NanRule, Op, Range, Relaxation, Rounding};
use vectors::limits::OUTPUTS_MAX;
use vectors::{Format, Variant};

use super::arithmetic::flush;
use super::engine::{Elements, intervals};
use super::fixed::to_integer;
use super::formats;
use super::operand::Operand;
use super::rounded::{Rounder, exponent};
use super::specials::Specials;

/// Bits of an exact value that are kept: it is as good as exact beside bounds of some 24 bits.
const PRECISION: u32 = 96;
/// The same of f64: beyond 2 × 53 bits a root's or reciprocal's distance from a number or middle shows.
const DOUBLE_PRECISION: u32 = 192;
/// The bits that count where lower halves are left out.
const UPPER_HALF: u64 = !0 << 32;

/// What the results of one variant take, made once.
pub struct Approximate {
    op: Op,
    formats: [&'static Format; 3],
    arity: usize,
    result: &'static Format,
    /// Which inputs are flushed, and whether the result is.
    flushed: [bool; 3],
    flush: bool,
    upper_half: bool,
    /// Whether the bound of subnormal results is at least a unit in the last place.
    subnormal: bool,
    /// The NaN that one of an operand becomes, bit for bit.
    nan: Option<u64>,
    ranges: &'static [Range],
    /// Of the first input; empty for those that have two.
    specials: Specials,
    operands: [Operand; 2],
    exact: Float,
    edge: Float,
    /// For each of the contract's ranges, 2 to the power that its bound has.
    powers: Vec<Float>,
    /// Scratch: the exact value at the result's precision, and the size of a bound.
    rounded: Float,
    size: Float,
    /// The smallest subnormal number.
    smallest: Float,
    nearest: Rounder,
    down: Rounder,
    up: Rounder,
}

impl Approximate {
    /// For a variant whose contract is a bound.
    pub fn new(variant: &Variant, accuracy: &'static Accuracy) -> Approximate {
        let result = variant.outputs()[0].format;
        let &Meaning { op, flush, upper_half, nan, .. } = variant.meaning();
        let nan = match nan {
            NanRule::Canonical64(bits) => Some(bits),
            _ => None,
        };
        let rounder = |rounding| Rounder::new(result, rounding, variant.nan());
        let precision = if result.width() == 64 { DOUBLE_PRECISION } else { PRECISION };
        Approximate {
            op,
            formats: formats(variant),
            arity: variant.inputs().len(),
            result,
            flushed: flush.inputs,
            flush: flush.result,
            upper_half,
            subnormal: accuracy.relaxations.contains(&Relaxation::SubnormalAccuracy),
            nan,
            ranges: accuracy.ranges,
            specials: Specials::read(accuracy.specials, variant.nan(), result),
            operands: [(); 2].map(|()| Operand::new(result.precision())),
            exact: Float::new(precision),
            edge: Float::new(precision),
            powers: accuracy.ranges.iter().map(|range| power(range.bound)).collect(),
            rounded: Float::new(result.precision()),
            size: Float::new(PRECISION),
            smallest: Float::with_val(PRECISION, 1) << result.exponent_of_lsb(),
            nearest: rounder(Rounding::NearestEven),
            down: rounder(Rounding::Down),
            up: rounder(Rounding::Up),
        }
    }

    /// The result of one element, and what else is right: what the table says of a special input, and
    /// of any other what the bound of its range allows.
    pub fn lane(&mut self, given: [u64; 2]) -> (u64, Interval) {
        let bits = self.inputs(given);
        let [first, second] = [0, 1].map(|at| self.formats[at].class(bits[at]));
        if let Some(special) = self.specials.of(first, self.formats[0].is_negative(bits[0])) {
            let point = match self.nan {
                Some(_) if first == Class::Nan => Point::ThisNan,
                // The root of −∞ is NaN, by either interpretation.
                Some(_) if self.formats[0].is_nan(given[0]) && !special.value.is_nan() => {
                    Point::UpperHalfNan
                }
                _ => Point::Bound,
            };
            let interval = Interval::only(self.result, special.bits, special.value);
            return (special.bits, Interval { point, ..interval });
        }
        let range = self.compute(bits);
        let nearest = self.nearest();
        let interval = Interval::only(self.result, nearest, self.exact.to_f64());
        // Division has no table: of its special inputs the exact value is the only one.
        let special = |class| matches!(class, Class::Zero | Class::Infinity | Class::Nan);
        if self.arity == 2 && (special(first) || special(second)) {
            return (nearest, interval);
        }
        if !self.exact.is_finite() {
            return (nearest, Interval { point: self.without_value(), ..interval });
        }
        let Some(range) = range else { unreachable!("the ranges hold all finite operands") };
        let mut interval =
            Interval { range: Some(range as u8), rest: self.rest(interval.exact), ..interval };
        match self.ranges[range].bound {
            Bound::Zero => {}
            Bound::Ulp(_) | Bound::Absolute(_) | Bound::Relative(_) => {
                self.widen(&mut interval, nearest, range);
            }
            Bound::Unstated(minimum) => {
                (interval.low, interval.high) = self.minimum(minimum);
                interval.point = Point::Minimum;
            }
        }
        (nearest, interval)
    }

    /// What is open of an operand that the function has no value of: the tables have a row for negative
    /// normal numbers, and one for −0, but none for negative subnormal ones.
    fn without_value(&self) -> Point {
        let zero = self.specials.of(Class::Zero, true).map(|special| special.value);
        match zero {
            Some(f64::NEG_INFINITY) => Point::NegativeInfinity,
            Some(0.0) => Point::NegativeZero,
            _ => Point::Bound,
        }
    }

    /// What f64 lacks of the exact value, in units of its last place there, to 2^-20 of them; of narrower
    /// results it is nothing that counts.
    fn rest(&mut self, exact: f64) -> f32 {
        if self.result.width() < 64 {
            return 0.0;
        }
        let leading = exponent(&self.exact).unwrap_or(0).max(self.result.exponent_min());
        self.edge.assign_round(&self.exact - exact, Round::Nearest);
        self.edge >>= leading - self.result.trailing_bits as i32;
        // Near 0 and a half, where bins of errors end, it stays on its side of them.
        const BESIDE: f32 = f32::from_bits((127 - 20) << 23);
        let (size, negative) = (self.edge.to_f32().abs(), self.edge.is_sign_negative());
        let size = match () {
            () if self.edge.is_zero() || *self.edge.as_abs() == 0.5 => size,
            () => size.clamp(BESIDE, 0.5 - BESIDE),
        };
        if negative { -size } else { size }
    }

    /// What results are where no bound is stated, of the exact value that was computed last.
    pub fn minimum(&self, minimum: Minimum) -> (i64, i64) {
        let (result, sign) = (self.result, self.exact.is_sign_negative());
        let infinity = result.infinity().unwrap_or(result.max_finite());
        let (least, most) = match minimum {
            Minimum::Signed => (0, infinity),
            Minimum::Regular => {
                let smallest = if self.flush { result.min_normal() } else { 1 };
                let size = self.exact.to_f64().abs();
                let normal = 2f64.powi(result.exponent_min());
                let gross = normal * 2f64.powi(GROSS);
                match self.flush {
                    true if size < normal - gross => (0, 0),
                    true if size < normal => (0, smallest),
                    true if size <= normal + gross => (0, result.max_finite()),
                    _ => (smallest, result.max_finite()),
                }
            }
            Minimum::Unit(log2) => {
                let most = unit(result, log2);
                return (ordinal(result, result.sign_mask() | most), ordinal(result, most));
            }
        };
        let [least, most] = [least, most]
            .map(|bits| ordinal(result, if sign { result.sign_mask() | bits } else { bits }));
        (least.min(most), least.max(most))
    }

    /// What counts of some inputs.
    fn inputs(&self, mut bits: [u64; 2]) -> [u64; 2] {
        for (at, bits) in bits.iter_mut().enumerate().take(self.arity) {
            if self.upper_half {
                *bits &= UPPER_HALF;
            }
            if self.flushed[at] {
                *bits = flush(self.formats[at], *bits);
            }
        }
        bits
    }

    /// Sets `exact` to the value that results of these inputs are held against; returns which of the
    /// contract's ranges they lie in.
    fn compute(&mut self, bits: [u64; 2]) -> Option<usize> {
        let inputs = self.formats.into_iter().zip(bits).take(self.arity);
        for (operand, (format, bits)) in self.operands.iter_mut().zip(inputs) {
            operand.set(format, bits);
        }
        compute(self.op, &mut self.exact, &self.operands);
        let range = self.range(|at| self.operands[at].get().to_f64().abs());
        if range.is_some_and(|at| self.ranges[at].bound == Bound::Zero) && !self.exact.is_nan() {
            // "If a is infinity, div.approx.f32 returns NaN, otherwise a sign-preserving zero".
            self.exact.assign(match (self.exact.is_infinite(), self.exact.is_sign_negative()) {
                (true, _) => Value::Nan,
                (false, true) => Value::NegZero,
                (false, false) => Value::Zero,
            });
        }
        range
    }

    /// The first of the contract's ranges that operands of these sizes lie in.
    pub fn range(&self, size: impl Fn(usize) -> f64) -> Option<usize> {
        self.ranges.iter().position(|range| {
            let size = size(range.operand);
            range.from <= size && size <= range.to
        })
    }

    /// The size of a range's bound, to the precision of f64.
    pub fn power(&self, range: usize) -> f64 {
        self.powers[range].to_f64()
    }

    /// Widens the interval of the correctly rounded result to what the bound of a range allows.
    fn widen(&mut self, interval: &mut Interval, nearest: u64, range: usize) {
        let (low, below) = self.edge(range, Side::Low);
        let (high, above) = self.edge(range, Side::High);
        if (below || above) && self.result.class(nearest) != Class::Infinity {
            interval.point = Point::Overflow;
        }
        if self.subnormal && self.is_tiny() {
            interval.point = Point::Subnormal;
        }
        // The correctly rounded result is right by any bound, infinities included.
        interval.low = interval.low.min(ordinal(self.result, low));
        interval.high = interval.high.max(ordinal(self.result, high));
        if interval.point == Point::Subnormal {
            // A unit may reach to the other side of zero, and the function does not.
            match self.exact.is_sign_negative() {
                true => interval.high = interval.high.min(-1),
                false => interval.low = interval.low.max(0),
            }
        }
    }

    /// Whether the exact value is below the smallest normal number.
    fn is_tiny(&self) -> bool {
        exponent(&self.exact).is_some_and(|leading| leading < self.result.exponent_min())
    }

    /// The exact value, correctly rounded.
    fn nearest(&mut self) -> u64 {
        let exact = &self.exact;
        let rounded = self.nearest.round(|result, round| result.assign_round(exact, round));
        let flushed = self.flush && rounded.tiny_exact;
        self.output(if flushed { rounded.bits & self.result.sign_mask() } else { rounded.bits })
    }

    /// The lowest or highest datum within the bound of a range, and whether that reaches beyond the
    /// largest number.
    fn edge(&mut self, range: usize, side: Side) -> (u64, bool) {
        self.set_edge(range, side);
        let edge = &self.edge;
        let inwards = match side {
            Side::Low => &mut self.up,
            Side::High => &mut self.down,
        };
        let bits = inwards.round(|result, round| result.assign_round(edge, round)).bits;
        let beyond = exponent(edge).is_some_and(|leading| leading > self.result.exponent_max());
        (self.output(if self.flush { flush(self.result, bits) } else { bits }), beyond)
    }

    /// What of a result goes to its register.
    fn output(&self, bits: u64) -> u64 {
        if self.upper_half { bits & UPPER_HALF } else { bits }
    }

    /// Sets `edge` to the exact value less (or plus) what the bound of a range allows.
    fn set_edge(&mut self, range: usize, side: Side) {
        let least = self.subnormal && self.is_tiny();
        let Approximate { exact, edge, rounded, size, smallest, result, powers, ranges, .. } = self;
        let bound = ranges[range].bound;
        match bound {
            Bound::Ulp(count) => {
                // Units of the correctly rounded result, as if the exponent had no upper limit.
                rounded.assign_round(&*exact, Round::Nearest);
                let leading = exponent(rounded).unwrap_or(i32::MIN).max(result.exponent_min());
                let unit = leading - result.trailing_bits as i32;
                // In the subnormal range it is a multiple of the smallest.
                edge.assign_round(&*exact >> unit, Round::Nearest);
                to_integer(edge, Rounding::NearestEven);
                match side {
                    Side::Low => *edge -= count,
                    Side::High => *edge += count,
                }
                *edge <<= unit;
            }
            Bound::Absolute(_) | Bound::Relative(_) => {
                size.assign(&powers[range]);
                if matches!(bound, Bound::Relative(_)) {
                    *size *= &*exact;
                    size.abs_mut();
                }
                if least && *size < *smallest {
                    size.assign(&*smallest);
                }
                edge.assign_round(&*exact, Round::Nearest);
                match side {
                    Side::Low => *edge -= &*size,
                    Side::High => *edge += &*size,
                }
            }
            Bound::Zero | Bound::Unstated(_) => unreachable!("no edge lies beside nothing"),
        }
    }
}

impl Elements for Approximate {
    fn expect(
        &mut self,
        inputs: [&[u64]; 3],
        [output, _]: [&mut [u64]; OUTPUTS_MAX],
        _: usize,
        accepted: &mut Accepted,
    ) {
        let intervals = intervals(accepted);
        for (at, output) in output.iter_mut().enumerate() {
            let (bits, interval) = self.lane([inputs[0][at], inputs[1][at]]);
            *output = bits;
            intervals.push(interval);
        }
    }
}

/// An end of an interval.
#[derive(Clone, Copy)]
enum Side {
    Low,
    High,
}

/// The largest datum up to 1 and 2 to a power.
fn unit(format: &'static Format, log2: f64) -> u64 {
    let mut down = Rounder::new(format, Rounding::Down, format.canonical_nan());
    let beside = 1 + power(Bound::Absolute(log2));
    down.round(|result, round| result.assign_round(&beside, round)).bits
}

/// The size of a bound; of one in ulps, 1.
fn power(bound: Bound) -> Float {
    let log2 = match bound {
        Bound::Absolute(log2) | Bound::Relative(log2) => log2,
        Bound::Ulp(_) | Bound::Zero | Bound::Unstated(_) => 0.0,
    };
    let mut power = Float::with_val(PRECISION, log2);
    power.exp2_mut();
    power
}

/// The mathematics, to [`PRECISION`] bits.
fn compute(op: Op, exact: &mut Float, [a, b]: &[Operand; 2]) {
    let (a, round) = (a.get(), Round::Nearest);
    match op {
        Op::Div => exact.assign_round(&*a / &*b.get(), round),
        Op::Rcp => exact.assign_round(a.recip_ref(), round),
        Op::Sqrt => exact.assign_round(a.sqrt_ref(), round),
        Op::Rsqrt => exact.assign_round(a.recip_sqrt_ref(), round),
        Op::Sin => exact.assign_round(a.sin_ref(), round),
        Op::Cos => exact.assign_round(a.cos_ref(), round),
        Op::Lg2 => exact.assign_round(a.log2_ref(), round),
        Op::Ex2 => exact.assign_round(a.exp2_ref(), round),
        Op::Tanh => exact.assign_round(a.tanh_ref(), round),
        op => unreachable!("{op:?} is not approximate"),
    };
}
