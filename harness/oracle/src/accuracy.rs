//! Functions that the manual promises within a bound: the exact value by MPFR, and which data lie
//! near enough.

use judge::{Interval, ordinal};
use rug::Assign;
use rug::Float;
use rug::float::{Round, Special};
use rug::ops::AssignRound;
use vectors::format::Class;
use vectors::isa::{Accuracy, Bound, Meaning, Op, Rounding};
use vectors::{Format, Variant};

use super::arithmetic::flush;
use super::fixed::to_integer;
use super::formats;
use super::operand::Operand;
use super::rounded::Rounder;

/// Bits of an exact value that are kept: it is as good as exact beside bounds of some 24 bits.
const PRECISION: u32 = 96;

/// What the results of one variant take, made once.
pub struct Approximate {
    op: Op,
    formats: [&'static Format; 3],
    arity: usize,
    result: &'static Format,
    flushed: [bool; 3],
    flush: bool,
    upper_half: bool,
    accuracy: &'static Accuracy,
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
        let nan = result.canonical_nan();
        let &Meaning { op, flush, upper_half, .. } = variant.meaning();
        Approximate {
            op,
            formats: formats(variant),
            arity: variant.inputs().len(),
            result,
            flushed: flush.inputs,
            flush: flush.result,
            upper_half,
            accuracy,
            operands: [(); 2].map(|()| Operand::new(result.precision())),
            exact: Float::new(PRECISION),
            edge: Float::new(PRECISION),
            powers: accuracy.ranges.iter().map(|range| power(range.bound)).collect(),
            rounded: Float::new(result.precision()),
            size: Float::new(PRECISION),
            nearest: Rounder::new(result, Rounding::NearestEven, nan),
            down: Rounder::new(result, Rounding::Down, nan),
            up: Rounder::new(result, Rounding::Up, nan),
        }
    }

    /// Computes the results of some elements, and what else is right.
    pub fn expect(&mut self, inputs: [&[u64]; 3], output: &mut [u64], intervals: &mut Vec<Interval>) {
        for (at, output) in output.iter_mut().enumerate() {
            let (bits, interval) = self.lane([inputs[0][at], inputs[1][at]]);
            *output = bits;
            intervals.push(interval);
        }
    }

    /// The result of one element, and what else is right.
    pub fn lane(&mut self, mut bits: [u64; 2]) -> (u64, Interval) {
        for (at, bits) in bits.iter_mut().enumerate().take(self.arity) {
            if self.upper_half {
                *bits &= !0xffff_ffff;
            }
            if self.flushed[at] {
                *bits = flush(self.formats[at], *bits);
            }
            self.operands[at].set(self.formats[at], *bits);
        }
        compute(self.op, &mut self.exact, &self.operands);
        let found = self.range();
        let bound = found.map_or(Bound::Unstated, |at| self.accuracy.ranges[at].bound);
        let formats = self.formats;
        let class = |at: usize| formats[at].class(bits[at]);
        let special = |at| matches!(class(at), Class::Zero | Class::Infinity | Class::Nan);
        if bound == Bound::Zero && class(1) == Class::Normal {
            // "If a is infinity, div.approx.f32 returns NaN, otherwise a sign-preserving zero".
            match class(0) {
                Class::Infinity => self.exact.assign(Special::Nan),
                Class::Nan => {}
                _ => self.exact >>= 1 << 20,
            }
        }
        let exact = self.exact.to_f64();
        let nearest = self.encode(Edge::Nearest);
        let only = ordinal(self.result, nearest);
        let (low, high) = (only, only);
        let mut interval = Interval { low, high, range: None, unstated: false, beyond: false, exact };
        if (0..self.arity).any(special) || !self.exact.is_finite() {
            // The tables of special inputs have no row for negative subnormal numbers.
            let negative = self.formats[0].is_negative(bits[0]) && class(0) == Class::Subnormal;
            let rooted = matches!(self.op, Op::Sqrt | Op::Rsqrt | Op::Lg2);
            interval.unstated = negative && rooted;
            return (nearest, interval);
        }
        interval.range = found.map(|at| at as u8);
        let tiny = self.exact.get_exp().is_some_and(|e| e - 1 < self.result.exponent_min());
        match bound {
            Bound::Zero => {}
            // A relative bound says nothing of results that have lost bits to underflow.
            Bound::Relative(_) if tiny && !self.flush => interval.unstated = true,
            Bound::Unstated => interval.unstated = true,
            _ => {
                let at = found.expect("what has a bound lies in a range");
                let mut beyond = false;
                let [low, high] = [Edge::Low(at), Edge::High(at)].map(|edge| {
                    let bits = self.encode(edge);
                    beyond |= self.edge.get_exp().is_some_and(|e| e - 1 > self.result.exponent_max());
                    bits
                });
                interval.beyond = beyond && self.result.class(nearest) != Class::Infinity;
                // The correctly rounded result is right by any bound, infinities included.
                interval.low = ordinal(self.result, low).min(only);
                interval.high = ordinal(self.result, high).max(only);
            }
        }
        (nearest, interval)
    }

    /// The first of the contract's ranges that the operands lie in.
    fn range(&self) -> Option<usize> {
        let size = |at: usize| self.operands[at].get().to_f64().abs();
        self.accuracy.ranges.iter().position(|range| {
            let size = size(range.operand);
            range.from <= size && size <= range.to
        })
    }

    /// The first of the contract's ranges that an only operand of this size lies in.
    pub fn range_of(&self, size: f64) -> Option<usize> {
        self.accuracy.ranges.iter().position(|range| range.from <= size && size <= range.to)
    }

    /// The size of a range's bound, to the precision of f64.
    pub fn power(&self, range: usize) -> f64 {
        self.powers[range].to_f64()
    }

    /// The correctly rounded value, or the lowest or highest datum within a bound of it.
    fn encode(&mut self, edge: Edge) -> u64 {
        let bits = match edge {
            Edge::Nearest => {
                let exact = &self.exact;
                let rounded = self.nearest.round(|result, round| result.assign_round(exact, round));
                let tiny = self.flush && rounded.tiny_exact;
                if tiny { rounded.bits & self.result.sign_mask() } else { rounded.bits }
            }
            Edge::Low(range) => {
                self.set_edge(range, true);
                let edge = &self.edge;
                let bits = self.up.round(|result, round| result.assign_round(edge, round)).bits;
                self.flushed_edge(bits)
            }
            Edge::High(range) => {
                self.set_edge(range, false);
                let edge = &self.edge;
                let bits = self.down.round(|result, round| result.assign_round(edge, round)).bits;
                self.flushed_edge(bits)
            }
        };
        if self.upper_half { bits & !0xffff_ffff } else { bits }
    }

    /// An edge that `.ftz` would flush is the zero of its sign.
    fn flushed_edge(&self, bits: u64) -> u64 {
        if self.flush { flush(self.result, bits) } else { bits }
    }

    /// Sets `edge` to the exact value less (or plus) what the bound of a range allows.
    fn set_edge(&mut self, range: usize, below: bool) {
        let Approximate { exact, edge, rounded, size, result, powers, accuracy, .. } = self;
        let bound = accuracy.ranges[range].bound;
        let leading = exact.get_exp().map_or(result.exponent_min(), |e| e - 1);
        match bound {
            Bound::Ulp(count) => {
                // Units of the correctly rounded result, as if the exponent had no upper limit.
                rounded.assign_round(&*exact, Round::Nearest);
                let leading = rounded.get_exp().map_or(leading, |e| e - 1).max(result.exponent_min());
                let unit = leading - result.trailing_bits as i32;
                // In the subnormal range it is a multiple of the smallest.
                edge.assign_round(&*exact >> unit, Round::Nearest);
                to_integer(edge, Rounding::NearestEven);
                *edge += if below { -f64::from(count) } else { f64::from(count) };
                *edge <<= unit;
            }
            Bound::Absolute(_) | Bound::Relative(_) => {
                size.assign(&powers[range]);
                if matches!(bound, Bound::Relative(_)) {
                    *size *= &*exact;
                    size.abs_mut();
                }
                edge.assign_round(&*exact, Round::Nearest);
                if below { *edge -= &*size } else { *edge += &*size }
            }
            Bound::Zero | Bound::Unstated => unreachable!("no edge lies beside nothing"),
        }
    }
}

/// What [`Approximate::encode`] is asked for.
#[derive(Clone, Copy)]
enum Edge {
    Nearest,
    /// By the bound of this range.
    Low(usize),
    High(usize),
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
        // MPFR has +∞ for 1/√−0, and the table of special inputs −∞.
        Op::Rsqrt if a.is_zero() => exact.assign_round(a.recip_ref(), round),
        Op::Rsqrt => exact.assign_round(a.recip_sqrt_ref(), round),
        Op::Sin => exact.assign_round(a.sin_ref(), round),
        Op::Cos => exact.assign_round(a.cos_ref(), round),
        Op::Lg2 => exact.assign_round(a.log2_ref(), round),
        Op::Ex2 => exact.assign_round(a.exp2_ref(), round),
        Op::Tanh => exact.assign_round(a.tanh_ref(), round),
        op => unreachable!("{op:?} is not approximate"),
    };
}
