//! The sequence of operations that a target makes of a matrix instruction.

use formats::{F16, F32, Format};
use isa::matrix::{Dot, Lowering};

use super::nearest::{add, convert};
use super::term::Term;
use super::{DotProduct, Scales};

/// The dot product of a matrix instruction as a target computes it.
#[derive(Clone, Copy, Debug)]
pub struct Lowered {
    dot: Dot,
    lowering: Lowering,
}

impl Lowered {
    /// Returns the dot product as `lowering` computes it; `None` for fused operations of f64, which are instructions of
    /// single numbers: [`DotKernel`] has them.
    ///
    /// [`DotKernel`]: super::DotKernel
    pub fn new(dot: Dot, lowering: Lowering) -> Option<Lowered> {
        (lowering != Lowering::Fused).then_some(Lowered { dot, lowering })
    }

    /// Computes as [`Self::compute_scaled`] does, with scales of 1 where there are any.
    pub fn compute(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let ones = self.dot.scales.map(|scales| vec![scales.format.one(); scales.count as usize]);
        let ones = ones.unwrap_or_default();
        self.compute_scaled([a, b], c, [&ones, &ones])
    }

    /// Computes the element of D, from as many elements of A and of B as are multiplied, the element of C, and the
    /// scales.
    ///
    /// # Panics
    /// If there are not as many elements of A as of B, or not as many scales as the instruction has.
    pub fn compute_scaled(&self, [a, b]: [&[u64]; 2], c: u64, [x, y]: [&[u64]; 2]) -> u64 {
        let Dot { d, a: of_a, b: of_b, c: of_c, .. } = self.dot;
        let scaled = |unit, groups| {
            let format = self.dot.scales.expect("a scaled instruction has scales").format;
            let unit = DotProduct::new(unit, of_a, of_b, d);
            unit.compute_scaled([a, b], c, Scales { format, a: x, b: y }, groups)
        };
        match self.lowering {
            Lowering::Unit(unit) => {
                let c = if of_c == d { c } else { convert(of_c, d, c) };
                DotProduct::new(unit, of_a, of_b, d).compute(a, b, c)
            }
            Lowering::ThroughHalf(unit) => {
                let unit = DotProduct::new(unit, &F16, &F16, d);
                let half = |format: &Format, all: &[u64], first: bool| -> Vec<u64> {
                    // The terms in places 0 and 1 modulo 4 are summed before the others: see `Lowering::ThroughHalf`.
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
            Lowering::Scaled(unit) => scaled(unit, false),
            Lowering::ScaledGroups(unit) => scaled(unit, true),
            Lowering::Fused => unreachable!("`new` makes none of it"),
        }
    }

    /// Computes a dot product of four terms of f16 by single operations of f32, each of which rounds.
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
