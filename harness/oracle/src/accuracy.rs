//! Functions that the manual promises within a bound. Special inputs have the results of its table; of
//! others MPFR computes the exact value, and the bound of the range that they lie in tells which data
//! are near enough.

#[cfg(test)]
mod tests;

use judge::{Accepted, Interval, ordinal};
use rug::Assign;
use rug::Float;
use rug::float::{Round, Special as Value};
use rug::ops::AssignRound;
use vectors::format::Class;
use vectors::isa::{Accuracy, Bound, Meaning, Op, Range, Rounding};
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
    nearest: Rounder,
    down: Rounder,
    up: Rounder,
}

impl Approximate {
    /// For a variant whose contract is a bound.
    pub fn new(variant: &Variant, accuracy: &'static Accuracy) -> Approximate {
        let result = variant.outputs()[0].format;
        let &Meaning { op, flush, upper_half, .. } = variant.meaning();
        let rounder = |rounding| Rounder::new(result, rounding, result.canonical_nan());
        Approximate {
            op,
            formats: formats(variant),
            arity: variant.inputs().len(),
            result,
            flushed: flush.inputs,
            flush: flush.result,
            upper_half,
            ranges: accuracy.ranges,
            specials: Specials::read(accuracy.specials, result),
            operands: [(); 2].map(|()| Operand::new(result.precision())),
            exact: Float::new(PRECISION),
            edge: Float::new(PRECISION),
            powers: accuracy.ranges.iter().map(|range| power(range.bound)).collect(),
            rounded: Float::new(result.precision()),
            size: Float::new(PRECISION),
            nearest: rounder(Rounding::NearestEven),
            down: rounder(Rounding::Down),
            up: rounder(Rounding::Up),
        }
    }

    /// The result of one element, and what else is right: what the table says of a special input, and
    /// of any other what the bound of its range allows.
    pub fn lane(&mut self, bits: [u64; 2]) -> (u64, Interval) {
        let bits = self.inputs(bits);
        let [first, second] = [0, 1].map(|at| self.formats[at].class(bits[at]));
        if let Some(special) = self.specials.of(first, self.formats[0].is_negative(bits[0])) {
            return (special.bits, self.only(special.bits, special.value));
        }
        let range = self.compute(bits);
        let nearest = self.nearest();
        let mut interval = self.only(nearest, self.exact.to_f64());
        // Division has no table: of its special inputs the exact value is the only one.
        let special = |class| matches!(class, Class::Zero | Class::Infinity | Class::Nan);
        if self.arity == 2 && (special(first) || special(second)) {
            return (nearest, interval);
        }
        if !self.exact.is_finite() {
            // The tables say what negative normal numbers have no root or logarithm for, and have no
            // row for negative subnormal ones.
            interval.unbounded = self.exact.is_nan();
            return (nearest, interval);
        }
        interval.range = range.map(|at| at as u8);
        let tiny = exponent(&self.exact).is_some_and(|leading| leading < self.result.exponent_min());
        match range.map(|at| (at, self.ranges[at].bound)) {
            Some((_, Bound::Zero)) => {}
            // A relative bound says nothing of results that have lost bits to underflow.
            Some((_, Bound::Relative(_))) if tiny && !self.flush => interval.unbounded = true,
            Some((at, Bound::Ulp(_) | Bound::Absolute(_) | Bound::Relative(_))) => {
                self.widen(&mut interval, nearest, at);
            }
            Some((_, Bound::Unstated)) | None => interval.unbounded = true,
        }
        (nearest, interval)
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

    /// The interval of one result, which belongs to no range.
    fn only(&self, bits: u64, exact: f64) -> Interval {
        let only = ordinal(self.result, bits);
        Interval { low: only, high: only, range: None, unbounded: false, overflows: false, exact }
    }

    /// Widens the interval of the correctly rounded result to what the bound of a range allows.
    fn widen(&mut self, interval: &mut Interval, nearest: u64, range: usize) {
        let (low, below) = self.edge(range, Side::Low);
        let (high, above) = self.edge(range, Side::High);
        interval.overflows = (below || above) && self.result.class(nearest) != Class::Infinity;
        // The correctly rounded result is right by any bound, infinities included.
        interval.low = interval.low.min(ordinal(self.result, low));
        interval.high = interval.high.max(ordinal(self.result, high));
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
        let Approximate { exact, edge, rounded, size, result, powers, ranges, .. } = self;
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
                edge.assign_round(&*exact, Round::Nearest);
                match side {
                    Side::Low => *edge -= &*size,
                    Side::High => *edge += &*size,
                }
            }
            Bound::Zero | Bound::Unstated => unreachable!("no edge lies beside nothing"),
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

/// The size of a bound; of one in ulps, 1.
fn power(bound: Bound) -> Float {
    let log2 = match bound {
        Bound::Absolute(log2) | Bound::Relative(log2) => log2,
        Bound::Ulp(_) | Bound::Zero | Bound::Unstated => 0.0,
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
