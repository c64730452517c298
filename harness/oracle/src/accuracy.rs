//! Approximate functions, which the manual promises within a bound. Special inputs have the results of the manual's
//! table. For other inputs MPFR computes the exact value, and the bound of the range that they lie in tells which
//! data are near enough.

mod bounds;
mod element_description;
mod functions;
mod minimum;
#[cfg(test)]
mod tests;

use formats::{Class, Format};
use isa::limits::OUTPUTS_MAX;
use isa::{Accuracy, Bound, Meaning, NanRule, Op, Range, Relaxation, Rounding, Variant};
use judge::{Accepted, Interval, Point};
use rug::Assign;
use rug::Float;
use rug::float::{Round, Special as Value};
use rug::ops::AssignRound;

use super::engine::{Elements, intervals};
use super::operand::{Operand, flush, formats};
use super::rounded::{Rounder, exponent};
use super::specials::Specials;
pub use element_description::{ElementDescription, Promise, describe_element};
pub use functions::precision;
use functions::{PRECISION, compute, power};
use minimum::magnitudes;

/// Mask of the bits that count where lower halves of f64 are left out.
const UPPER_HALF: u64 = !0 << 32;
/// The least distance, 2^-20 units, at which [`Approximate::rest`] keeps a value from 0 and from a half.
const EDGE_DISTANCE: f32 = 1.0 / 1048576.0;

/// The approximation of one variant: everything that computing its results takes, made once.
pub struct Approximate {
    op: Op,
    formats: [&'static Format; 3],
    arity: usize,
    result: &'static Format,
    /// Whether each input is flushed, and whether the result is.
    flushed: [bool; 3],
    flush: bool,
    upper_half: bool,
    /// Whether the bound of subnormal results is at least a unit in the last place.
    subnormal: bool,
    /// Whether a quotient may be a product with a reciprocal.
    multiplies: bool,
    /// The 64-bit NaN that the result must be, bit for bit, where an operand is NaN.
    nan: Option<u64>,
    ranges: &'static [Range],
    /// The table of special values of the first input; empty for functions of two inputs.
    specials: Specials,
    operands: [Operand; 2],
    exact: Float,
    edge: Float,
    /// For each of the contract's ranges, 2 to the power that its bound has.
    powers: Vec<Float>,
    /// For each of the contract's ranges, the least and the largest magnitude of its results; `None` where a bound is
    /// stated.
    minima: Vec<Option<(u64, u64)>>,
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
    /// Makes the approximation of a variant whose contract is a bound.
    pub fn new(variant: &Variant, accuracy: &'static Accuracy) -> Approximate {
        let result = variant.outputs()[0].format;
        let &Meaning { op, flush, upper_half, nan, .. } = variant.meaning();
        let nan = match nan {
            NanRule::Canonical64(bits) => Some(bits),
            _ => None,
        };
        let rounder = |rounding| Rounder::new(result, rounding, variant.nan());
        let precision = precision(result);
        Approximate {
            op,
            formats: formats(variant),
            arity: variant.inputs().len(),
            result,
            flushed: flush.inputs,
            flush: flush.result,
            upper_half,
            subnormal: variant.relaxations().any(|of| of == Relaxation::SubnormalAccuracy),
            multiplies: variant.relaxations().any(|of| of == Relaxation::ZeroDividend),
            nan,
            ranges: accuracy.ranges,
            specials: Specials::read(accuracy.specials, variant.nan(), result),
            operands: [(); 2].map(|()| Operand::new(result.precision())),
            exact: Float::new(precision),
            edge: Float::new(precision),
            powers: accuracy.ranges.iter().map(|range| power(range.bound)).collect(),
            minima: accuracy
                .ranges
                .iter()
                .map(|range| magnitudes(range.bound, result, flush.result))
                .collect(),
            rounded: Float::new(result.precision()),
            size: Float::new(PRECISION),
            smallest: Float::with_val(PRECISION, 1) << result.exponent_of_lsb(),
            nearest: rounder(Rounding::NearestEven),
            down: rounder(Rounding::Down),
            up: rounder(Rounding::Up),
        }
    }

    /// Computes the result of one element, and the interval of what else is right. For a special input it is what the
    /// table says, and for any other what the bound of its range allows.
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
            let interval = Interval::single_result(self.result, special.bits, special.value);
            return (special.bits, Interval { point, ..interval });
        }
        let range = self.compute(bits);
        let nearest = self.nearest();
        let interval = Interval::single_result(self.result, nearest, self.exact.to_f64());
        // Division has no table: for its special inputs the exact value alone is right.
        let special = |class| matches!(class, Class::Zero | Class::Infinity | Class::Nan);
        if self.arity == 2 && (special(first) || special(second)) {
            let by_reciprocal = self.multiplies && first == Class::Zero && second == Class::Subnormal;
            let point = match by_reciprocal && self.has_infinite_reciprocal() {
                true => Point::ZeroDividend,
                false => Point::Bound,
            };
            return (nearest, Interval { point, ..interval });
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
            Bound::Unstated(_) => {
                (interval.low, interval.high) = self.minimum(range);
                interval.point = match self.is_gross(range) {
                    true => Point::Gross,
                    false => Point::Minimum,
                };
            }
        }
        (nearest, interval)
    }

    /// Whether the reciprocal of the second operand is too large.
    fn has_infinite_reciprocal(&mut self) -> bool {
        let divisor = self.operands[1].get();
        self.nearest.round(|result, round| result.assign_round(divisor.recip_ref(), round)).overflowed
    }

    /// Returns the open point of an operand for which the function has no value. The tables have a row for negative
    /// normal numbers, and one for −0, but none for negative subnormal ones.
    fn without_value(&self) -> Point {
        let zero = self.specials.of(Class::Zero, true).map(|special| special.value);
        match zero {
            Some(f64::NEG_INFINITY) => Point::NegativeInfinity,
            Some(0.0) => Point::NegativeZero,
            _ => Point::Bound,
        }
    }

    /// Returns what f64 lacks of the exact value, in units of its last place there, to 2^-20 of them. For results
    /// narrower than f64 that is nothing that counts: zero.
    fn rest(&mut self, exact: f64) -> f32 {
        if self.result.width() < 64 {
            return 0.0;
        }
        let leading = exponent(&self.exact).unwrap_or(0).max(self.result.exponent_min());
        self.edge.assign_round(&self.exact - exact, Round::Nearest);
        self.edge >>= leading - self.result.trailing_bits as i32;
        if self.edge.is_zero() {
            return 0.0;
        }
        // Near 0 and a half, where bins of errors end, the rest stays on its side of them. Roots and reciprocals
        // never have a rest of a half.
        let size = self.edge.to_f32().abs().clamp(EDGE_DISTANCE, 0.5 - EDGE_DISTANCE);
        if self.edge.is_sign_negative() { -size } else { size }
    }

    /// Returns the inputs as they count: without their lower halves where the variant leaves these out, and flushed
    /// where it flushes inputs.
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

    /// Sets `exact` to the value of the function, and returns which of the contract's ranges the inputs lie in.
    fn evaluate(&mut self, bits: [u64; 2]) -> Option<usize> {
        let inputs = self.formats.into_iter().zip(bits).take(self.arity);
        for (operand, (format, bits)) in self.operands.iter_mut().zip(inputs) {
            operand.set(format, bits);
        }
        compute(self.op, &mut self.exact, &self.operands);
        self.range(|at| self.operands[at].get().to_f64().abs())
    }

    /// Sets `exact` to the value that results of these inputs are held against, which the manual may demand. Returns
    /// which of the contract's ranges the inputs lie in.
    fn compute(&mut self, bits: [u64; 2]) -> Option<usize> {
        let range = self.evaluate(bits);
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

    /// Returns the first of the contract's ranges that operands of these sizes lie in.
    pub fn range(&self, size: impl Fn(usize) -> f64) -> Option<usize> {
        self.ranges.iter().position(|range| {
            let size = size(range.operand);
            range.from <= size && size <= range.to
        })
    }

    /// Returns the size of a range's bound, to the precision of f64; 1 where the bound is in ulps, zero or not stated.
    pub fn power(&self, range: usize) -> f64 {
        self.powers[range].to_f64()
    }

    /// Returns the exact value, correctly rounded, and flushed where the variant flushes results.
    fn nearest(&mut self) -> u64 {
        let exact = &self.exact;
        let rounded = self.nearest.round(|result, round| result.assign_round(exact, round));
        let flushed = self.flush && rounded.tiny_exact;
        self.output(if flushed { rounded.bits & self.result.sign_mask() } else { rounded.bits })
    }

    /// Returns the bits of a result that go to its register.
    fn output(&self, bits: u64) -> u64 {
        if self.upper_half { bits & UPPER_HALF } else { bits }
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
