//! Truths about runs of consecutive inputs of an approximate f32 function, from a polynomial for each run. Results,
//! and what else is right, are bit for bit those that MPFR alone gives: the polynomial's error is bounded, and MPFR
//! decides every element that the polynomial does not decide.

mod agreement;
mod decide;
mod lanes;
mod rotation;
mod taylor;
#[cfg(test)]
mod tests;

use formats::Column;
use isa::{Accuracy, Bound, Op, Variant};
use judge::{Interval, Point, Truth};

use super::accuracy::Approximate;
use super::engine::{Engine, intervals};
pub use agreement::departure;
use decide::{DecisionRule, NOTHING, RunElements, VALUE};
use rotation::Rotation;
use taylor::Taylor;

/// The number of consecutive inputs that share a polynomial: all of one sign and, where normal, one exponent.
const RUN: usize = 4096;

/// The size from which on arguments of sine and cosine are too far apart for a polynomial.
const FAR: f64 = 256.0;

/// The encodings of the smallest normal f32, and of infinity.
const MIN_NORMAL: u32 = 0x80_0000;
const INFINITY: u32 = 0x7f80_0000;

/// The engine of one variant that encloses the values of runs of inputs.
pub struct Series {
    op: Op,
    flush: bool,
    accuracy: &'static Accuracy,
    /// The approximation by MPFR, which decides what the enclosures leave open.
    mpfr: Approximate,
    taylor: Taylor,
    rotation: Rotation,
    elements: RunElements,
    /// The number of times that MPFR was asked about an element.
    asked: u64,
}

impl Series {
    /// Makes the engine of an approximate function of one f32.
    pub fn new(variant: &Variant, accuracy: &'static Accuracy) -> Series {
        let op = variant.meaning().op;
        Series {
            op,
            flush: variant.meaning().flush.result,
            accuracy,
            mpfr: Approximate::new(variant, accuracy),
            taylor: Taylor::new(op),
            rotation: Rotation::new(op),
            elements: RunElements::new(),
            asked: 0,
        }
    }

    /// Computes the results and intervals that `operand` should give.
    fn column(&mut self, operand: &Column, result: &mut Column, intervals: &mut Vec<Interval>) {
        result.resize(operand.rows());
        let inputs: &[u32] = operand.elements();
        let outputs: &mut [u32] = result.elements_mut();
        let nothing =
            Interval { low: 0, high: 0, range: None, point: Point::Bound, exact: 0.0, rest: 0.0 };
        intervals.resize(inputs.len(), nothing);
        let runs = inputs.chunks(RUN).zip(outputs.chunks_mut(RUN));
        for ((inputs, outputs), intervals) in runs.zip(intervals.chunks_mut(RUN)) {
            let first = inputs[0];
            let follows = |(at, &input): (usize, &u32)| input == first.wrapping_add(at as u32);
            // No short circuit: the check is to be quick where all inputs follow each other.
            let run = inputs.iter().enumerate().fold(true, |all, each| all & follows(each));
            if run && inputs.len() == RUN && first.is_multiple_of(RUN as u32) {
                self.run(first, outputs, intervals);
            } else {
                for (at, &input) in inputs.iter().enumerate() {
                    (outputs[at], intervals[at]) = self.ask(input);
                }
            }
        }
    }

    /// Asks MPFR for the result and the interval of an input.
    fn ask(&mut self, input: u32) -> (u32, Interval) {
        self.asked += 1;
        let (bits, interval) = self.mpfr.lane([input.into(), 0]);
        (bits as u32, interval)
    }

    fn run(&mut self, first: u32, outputs: &mut [u32], intervals: &mut [Interval]) {
        if let Some(range) = self.enclose(first) {
            let RunElements { values, results, low, high, point, .. } = &self.elements;
            outputs.copy_from_slice(&results[..]);
            for (at, interval) in intervals.iter_mut().enumerate() {
                *interval = Interval {
                    low: low[at].into(),
                    high: high[at].into(),
                    range: Some(range),
                    // What is near the largest number is left to MPFR.
                    point: *point,
                    exact: values[at],
                    rest: 0.0,
                };
            }
        } else {
            self.elements.open.fill(VALUE);
        }
        // Stretches of elements of which the same is open.
        let mut start = 0;
        while start < RUN {
            let open = self.elements.open[start];
            let differs = |other: &u32| *other != open;
            let end = self.elements.open[start..].iter().position(differs).map_or(RUN, |at| start + at);
            if open != NOTHING {
                self.settle(first, (start, end - 1), open, outputs, intervals);
            }
            start = end;
        }
    }

    /// Encloses the values of a run and decides what can be decided. Returns the number of the contract's range that
    /// the run lies in; `None` if nothing is decided.
    fn enclose(&mut self, first: u32) -> Option<u8> {
        let magnitude = first & !(1 << 31);
        let negative = first != magnitude;
        let rooted = matches!(self.op, Op::Sqrt | Op::Rsqrt | Op::Lg2);
        let flushed = self.flush && magnitude < MIN_NORMAL;
        if magnitude == 0 || magnitude >= INFINITY || flushed || negative && rooted {
            return None;
        }
        let value = |at: usize| f64::from(f32::from_bits(first + at as u32));
        let range = |at: usize| self.mpfr.range(|_| value(at).abs());
        let range = range(0).filter(|_| range(0) == range(RUN - 1))?;
        let bound = self.accuracy.ranges[range].bound;
        let minimum = match bound {
            Bound::Unstated(_) => self.mpfr.minimum(range),
            _ => (0, 0),
        };
        let rule = DecisionRule { flush: self.flush, bound, size: self.mpfr.power(range), minimum };
        let spacing = value(1) - value(0);
        let far = matches!(self.op, Op::Sin | Op::Cos) && value(0).abs() >= FAR;
        if far {
            self.rotation.fill(value(0), spacing, self.elements.unset());
            lanes::decide(&mut self.elements, rule, rotation::ERROR, 1.0 + rotation::ERROR);
        } else {
            let half = spacing * (RUN / 2) as f64;
            let polynomial = self.taylor.polynomial(value(RUN / 2), half)?;
            lanes::enclose(&mut self.elements, rule, &polynomial);
        }
        Some(range as u8)
    }

    /// Has MPFR decide elements `start` to `end` of a run, of which the same is open. Along the magnitudes of one
    /// sign, results and edges ascend or descend, and so do the exact values, each rounded correctly. NaN and
    /// whatever else is special to inputs begins or ends somewhere. So what two elements have in common, those
    /// between them have.
    fn settle(
        &mut self,
        first: u32,
        (start, end): (usize, usize),
        open: u32,
        outputs: &mut [u32],
        intervals: &mut [Interval],
    ) {
        for at in [start, end] {
            (outputs[at], intervals[at]) = self.ask(first + at as u32);
        }
        let monotonic = self.monotonic(first);
        let valued = open & VALUE == 0;
        let mut stretches = vec![(start, end)];
        while let Some((start, end)) = stretches.pop() {
            if end - start < 2 {
                continue;
            }
            let (one, other) = (intervals[start], intervals[end]);
            let same = Interval { exact: 0.0, ..one } == Interval { exact: 0.0, ..other }
                && (valued || one.exact.to_bits() == other.exact.to_bits());
            if monotonic && same && outputs[start] == outputs[end] {
                for at in start + 1..end {
                    let exact = if valued { self.elements.values[at] } else { one.exact };
                    (outputs[at], intervals[at]) = (outputs[start], Interval { exact, ..one });
                }
                continue;
            }
            let middle = start.midpoint(end);
            (outputs[middle], intervals[middle]) = self.ask(first + middle as u32);
            stretches.extend([(start, middle), (middle, end)]);
        }
    }

    /// Whether the function ascends or descends all through a run.
    fn monotonic(&self, first: u32) -> bool {
        let last = f32::from_bits((first + (RUN as u32 - 1)) & !(1 << 31));
        let periodic = matches!(self.op, Op::Sin | Op::Cos);
        !periodic || last < 1.5 || first & !(1 << 31) >= INFINITY
    }
}

impl Engine for Series {
    fn expect(&mut self, operands: &[Column], truth: &mut Truth) {
        let Truth { results, accepted } = truth;
        self.column(&operands[0], &mut results[0], intervals(accepted));
    }
}

/// Returns the place of an f32 among all, as [`judge::ordinal`] has it of those that are not NaN.
#[inline(always)]
fn place(bits: u32) -> i32 {
    let bits = bits as i32;
    bits ^ (bits >> 31 & i32::MAX)
}
