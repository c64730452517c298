//! A description of one element of an approximation, for people: the exact value, what is flushed, and what is
//! promised.

use std::fmt;

use isa::{Bound, Contract, Range, Variant};

use super::Approximate;
use super::bounds::IntervalEnd;
use crate::operand::flush;

/// A description of one lane of an approximation and of its inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementDescription {
    /// Whether each input is flushed.
    pub flushed: Vec<bool>,
    /// Whether bits of an input are left out, because its lower half does not count.
    pub cut: bool,
    /// The value of the function, to the precision of f64.
    pub exact: f64,
    /// Whether `exact` is from the manual's table of special inputs.
    pub by_table: bool,
    /// Whether `exact` is subnormal and the result becomes zero.
    pub result_flushed: bool,
    /// The promise that holds there, if anything beside the exact value is right.
    pub promise: Option<Promise>,
}

/// A promise of the manual about the results of a range of operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Promise {
    /// The contract's range that the operands lie in.
    pub range: &'static Range,
    /// The ends of what is within a stated bound; `None` where no bound is stated, or a zero is demanded.
    pub ends: Option<[f64; 2]>,
    /// Whether the ends are a unit of subnormal numbers away, because the bound is less.
    pub least: bool,
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.range.bound {
            Bound::Ulp(count) => write!(f, "{count} ulp from the correctly rounded result"),
            Bound::Absolute(log2) => write!(f, "2^{log2} from the exact value"),
            Bound::Relative(log2) => write!(f, "2^{log2} times the exact value, from that"),
            Bound::Zero => {
                write!(
                    f,
                    "{}: a zero of the exact value's sign, NaN where that is infinite",
                    self.range.name
                )
            }
            Bound::Unstated(minimum) => write!(f, "none is stated, and what is left is {minimum}"),
        }?;
        if self.least {
            f.write_str(", or a unit of subnormal numbers, which is more")?;
        }
        let Some([low, high]) = self.ends else { return Ok(()) };
        write!(f, ": {low:e} to {high:e}")
    }
}

/// Describes one lane of an approximation with these inputs; `None` if the variant's contract is no bound.
pub fn describe_element(variant: &Variant, inputs: &[u64]) -> Option<ElementDescription> {
    let Contract::Within(accuracy) = variant.form().contract else { return None };
    let given = [inputs[0], inputs.get(1).copied().unwrap_or(0)];
    Some(Approximate::new(variant, accuracy).tell(given))
}

impl Approximate {
    fn tell(&mut self, given: [u64; 2]) -> ElementDescription {
        let bits = self.inputs(given);
        let at = 0..self.arity;
        let flushes = |&at: &usize| self.flushed[at] && flush(self.formats[at], given[at]) != given[at];
        let flushed: Vec<bool> = at.clone().map(|at| flushes(&at)).collect();
        let cut = at.clone().any(|at| bits[at] != given[at] && !flushed[at]);
        let first = self.formats[0];
        let special = self.specials.of(first.class(bits[0]), first.is_negative(bits[0]));
        let special = special.map(|special| special.value);
        let range = self.evaluate(bits);
        let exact = special.unwrap_or_else(|| self.exact.to_f64());
        let (_, interval) = self.lane(given);
        self.evaluate(bits);
        let is_number = self.exact.is_finite() && !self.exact.is_zero();
        let bound = range.map(|range| self.ranges[range].bound);
        let demanded = bound == Some(Bound::Zero) && (is_number || self.exact.is_infinite());
        let promised = special.is_none() && (interval.range.is_some() || demanded);
        let promise = range.filter(|_| promised).map(|range| self.promise(range));
        let result_flushed = special.is_none() && self.flush && is_number && !demanded && self.is_tiny();
        ElementDescription { flushed, cut, exact, by_table: special.is_some(), result_flushed, promise }
    }

    fn promise(&mut self, range: usize) -> Promise {
        let bound = self.ranges[range].bound;
        let stated = matches!(bound, Bound::Ulp(_) | Bound::Absolute(_) | Bound::Relative(_));
        let mut least = false;
        let mut end = |side| {
            least = self.set_edge(range, side);
            let other_sign = self.edge.is_sign_negative() != self.exact.is_sign_negative();
            let clipped = self.keeps_sign(range) && other_sign && !self.edge.is_zero();
            if clipped { 0.0 } else { self.edge.to_f64() }
        };
        let ends = stated.then(|| [IntervalEnd::Low, IntervalEnd::High].map(&mut end));
        Promise { range: &self.ranges[range], ends, least }
    }
}
