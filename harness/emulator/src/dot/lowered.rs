//! The sequence that a target makes of an instruction.

use vectors::Format;
use vectors::format::{F16, F32};
use vectors::matrix::{Dot, Lowering};

use super::nearest::{add, convert};
use super::term::Term;
use super::{DotProduct, Scales};

/// An instruction's dot product as a target computes it.
#[derive(Clone, Copy, Debug)]
pub struct Lowered {
    dot: Dot,
    lowering: Lowering,
}

impl Lowered {
    /// `None` of a lowering that is not emulated yet: fused operations of f64.
    pub fn new(dot: Dot, lowering: Lowering) -> Option<Lowered> {
        (lowering != Lowering::Fused).then_some(Lowered { dot, lowering })
    }

    /// The same with scales; without them it is [`Self::compute`].
    ///
    /// # Panics
    /// If there are not as many elements as the instruction has terms, or not as many scales.
    pub fn compute_scaled(&self, [a, b]: [&[u64]; 2], c: u64, [x, y]: [&[u64]; 2]) -> u64 {
        let (unit, groups) = match self.lowering {
            Lowering::Scaled(unit) => (unit, false),
            Lowering::ScaledGroups(unit) => (unit, true),
            _ => return self.compute(a, b, c),
        };
        let format = self.dot.scales.expect("a scaled instruction has scales").format;
        let unit = DotProduct::new(unit, self.dot.a, self.dot.b, self.dot.d);
        unit.compute_scaled([a, b], c, Scales { format, a: x, b: y }, groups)
    }

    /// The element of D, from as many elements of A and of B as the instruction has terms, and that of C; scales
    /// are 1.
    pub fn compute(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let Dot { d, a: of_a, b: of_b, c: of_c, .. } = self.dot;
        match self.lowering {
            Lowering::Unit(unit) => {
                let c = if of_c == d { c } else { convert(of_c, d, c) };
                DotProduct::new(unit, of_a, of_b, d).compute(a, b, c)
            }
            Lowering::ThroughHalf(unit) => {
                let unit = DotProduct::new(unit, &F16, &F16, d);
                let half = |format: &Format, all: &[u64], first: bool| -> Vec<u64> {
                    let places = (0..all.len()).filter(|place| (place % 4 < 2) == first);
                    places.map(|place| convert(format, &F16, all[place])).collect()
                };
                let sum = [true, false].into_iter().fold(0, |sum, first| {
                    unit.compute(&half(of_a, a, first), &half(of_b, b, first), sum)
                });
                add(d, [Term::number(d, sum), Term::number(d, c)])
            }
            Lowering::Narrowed(unit) => {
                let c = convert(of_c, &F32, c);
                convert(&F32, d, DotProduct::new(unit, of_a, of_b, &F32).compute(a, b, c))
            }
            Lowering::SingleSoftware | Lowering::HalfSoftware => self.software(a, b, c),
            Lowering::Scaled(_) | Lowering::ScaledGroups(_) => {
                let ones = vec![self.one(); self.dot.scales.map_or(1, |scales| scales.count as usize)];
                self.compute_scaled([a, b], c, [&ones, &ones])
            }
            Lowering::Fused => unreachable!("`new` makes none of it"),
        }
    }

    /// A scale of 1.
    fn one(&self) -> u64 {
        self.dot.scales.map_or(0, |scales| scales.format.one())
    }

    fn software(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let product = |k: usize| Term::number(&F16, a[k]).times(Term::number(&F16, b[k]));
        let single = |bits: u64| Term::number(&F32, bits);
        let c = convert(self.dot.c, &F32, c);
        // Products of f16 are numbers of f32, so that the first of a chain is rounded by nothing.
        let first = add(&F32, [product(0), product(1)]);
        let sum = match self.lowering {
            Lowering::HalfSoftware => {
                let low = add(&F32, [single(c), single(first)]);
                add(&F32, [single(low), single(add(&F32, [product(2), product(3)]))])
            }
            _ => {
                let products =
                    [2, 3].into_iter().fold(first, |sum, k| add(&F32, [product(k), single(sum)]));
                add(&F32, [single(c), single(products)])
            }
        };
        convert(&F32, self.dot.d, sum)
    }
}
