//! The truth about sums of products, whatever the order in which a matrix instruction adds.
//!
//! The manual promises of an accumulation its precision, and leaves its order and rounding open: "Element-wise
//! multiplication of matrix A and B is performed with at least single precision … accumulation of the
//! intermediate values is performed with at least single precision", "The accumulation order, rounding and
//! handling of subnormal inputs are unspecified" (9.7.16.5.14). That is a bound.
//!
//! Let the terms be `t[1] … t[n]`: of the K products, exactly, and the addend those that are not zero, since adding
//! zero to a number rounds nothing. Each operation of at least `p` bits in any rounding has a relative error of at
//! most `u = 2^(1-p)`, and where its result is subnormal an absolute one of at most the smallest subnormal number,
//! `s`. In any order of adding, a term passes at most `n` operations, one product and n − 1 sums. So the last sum
//! before it is rounded to D differs from the exact sum by at most `((1 + u)^n − 1) · Σ|t| + 2n · s`, where the
//! factor 2 is for what errors of sums grow by themselves, since `(1 + u)^n < 2`. Rounded to D in any direction,
//! it lies between the numbers of D around that interval. A term that stands alone is one of its neighbours of `p`
//! bits, and terms of one sign have no sum of the other, because rounding is monotonic.
//!
//! Where all terms are multiples of a quantum `q` and `Σ|t| ≤ 2^p · q`, every partial sum in every order is a
//! number of `p` bits, so that nothing is ever rounded, or cut off by an alignment that keeps `p` bits: the
//! result is the exact sum. This is the **exactness law**. It presumes that nothing overflows.
//!
//! Two choices are the suite's own. For bf16, tf32 and formats of fewer bits the manual says that elements are
//! multiplied "with specified precision", which it does not specify: single precision is asked for, as for f16. For
//! scales it has a formula, `(A * scale_A) * (B * scale_B)`, and no precision: they are applied exactly.
//!
//! In f64 each operation is rounded as the instruction says, the last one too: the ends are rounded like that. To
//! nearest, `u` and `s` are half as large; upwards nothing is lost below the exact sum, downwards nothing above it,
//! and toward zero nothing away from it where all terms have one sign. For `mma` the "precision of the element-wise
//! multiplication and addition operation is identical to that of .f64 precision fused multiply-add" (9.7.16.5.14), so
//! that one product and the addend are rounded once. That presumes that the addend comes before the products, whatever
//! their order: `D = A*B + C` has K products for an element, and K fused operations take one summand more than products.
//! An addend that came last would need an operation of its own, before which the first product were rounded by itself:
//! what "identical to … fused multiply-add" rules out, if it rules out anything. For `wmma` the manual says nothing of
//! the kind.
//!
//! Where the terms of one sign alone are beyond the largest number, some order of adding overflows: to infinity,
//! or in a rounding toward zero to the largest number, from which it goes on. Both are accepted, and NaN where
//! infinities of both signs can meet.
//!
//! A zero of A that a sparse one does not store is no term. Where it meets NaN or an infinity of B, NaN is accepted
//! as well: that it is not multiplied is nowhere said.
//!
//! An addend that operands divide by a power of two is a term like a product: one operation more, and none that
//! rounds unless the quotient is subnormal. The manual says nothing of a subnormal quotient, so that it counts as an
//! operand that is subnormal: it may be rounded, and it may be zero.
//!
//! A subnormal operand may count or not, since "handling of subnormal inputs" is unspecified, so that each term with
//! one may be missing. A single one leaves two sums, with it and without it. Several leave all sums between the
//! lowest and the highest, and under the exactness law the multiples of `q` there. Where a subnormal operand counts,
//! hardware aligns its product as if it were normal, so that `Σ|t|` takes the smallest normal number in its place,
//! and the law wants `Σ|t| < 2^p · q`. Fused operations of f64 leave nothing open there.

mod bounds;
mod terms;
#[cfg(test)]
mod tests;

use formats::{Class, Column, F32, FormatId};
use isa::matrix::{Dot, DotData, DotOperand, MatrixVariant, SumRelaxation};
use judge::SumTruth;

use bounds::Accumulation;
use terms::Terms;

/// The source of the truth about the sums of one matrix instruction. Threads do not share one, because it owns its
/// scratch numbers.
pub struct Sums {
    dot: Dot,
    operands: Box<[DotOperand]>,
    data: DotData,
    terms: Terms,
    promised: Accumulation,
    /// The lower precision that is enough by a relaxation.
    relaxed: Option<Accumulation>,
}

/// Bits of an accumulator that is "higher than half precision but lower than single precision", as the manual's note
/// on `wgmma` has it (9.7.17.5.2).
const ABOVE_HALF: u32 = 12;
/// Bits of an accumulator of 13 fraction bits, which were measured of `mma` on sm_89: it is "higher than half
/// precision but lower than single precision", too.
const MEASURED: u32 = 14;

impl Sums {
    /// Makes the sums of a variant. For f64 the manual promises the precision of its fused operations; for other
    /// results half precision, or single.
    pub fn new(variant: &MatrixVariant) -> Sums {
        let dot = *variant.dot();
        let wgmma = variant.mnemonic() == "wgmma";
        let as_result = || Accumulation::new(dot.d, dot.d.precision(), &dot);
        let promised = match dot.d.id {
            FormatId::F64 if variant.mnemonic() == "mma" => as_result().fused(),
            FormatId::F64 => as_result(),
            _ if variant.is_promised_half_precision() => as_result(),
            _ => Accumulation::new(&F32, F32.precision(), &dot),
        };
        let relaxed = variant.relaxations().iter().find_map(|relaxation| match relaxation {
            SumRelaxation::Reduced => {
                Some(Accumulation::new(&F32, if wgmma { ABOVE_HALF } else { MEASURED }, &dot))
            }
            SumRelaxation::Half => Some(as_result()),
            _ => None,
        });
        Sums {
            dot,
            operands: variant.operands().into(),
            data: DotData::new(&dot),
            terms: Terms::new(),
            promised,
            relaxed,
        }
    }

    /// Computes what the rows of `operands`, the variant's columns, should give: one truth for each row.
    pub fn expect(&mut self, operands: &[Column], truths: &mut Vec<SumTruth>) {
        truths.clear();
        let mut data = self.data.clone();
        for row in 0..operands[0].rows() {
            data.read(&self.dot, &self.operands, operands, row);
            truths.push(self.truth(&data));
        }
    }

    /// Returns the truth about one element.
    pub fn truth(&mut self, data: &DotData) -> SumTruth {
        let sparse = self.meets_specials(data);
        let special = self.special(data);
        if special == Some(SumTruth::Nan) {
            return SumTruth::Nan;
        }
        let open = self.dot.d.id != FormatId::F64;
        self.terms.read(&self.dot, data, open);
        let (terms, relaxed) = (&mut self.terms, self.relaxed.as_ref());
        if let Some(SumTruth::Infinite { negative, or_nan, .. }) = special {
            let bounds = relaxed.unwrap_or(&self.promised).bounds(terms, false);
            let overflow = bounds.may_overflow[usize::from(!negative)];
            let or_nan = overflow.then_some(SumRelaxation::Overflow).or(or_nan);
            return SumTruth::Infinite { negative, or_nan, sparse };
        }
        let nearest = self.promised.rounded(terms.sum());
        let bounds = |terms: &Terms, flushed| {
            (self.promised.bounds(terms, flushed), relaxed.map(|of| of.bounds(terms, flushed)))
        };
        let (promised, relaxed) = bounds(terms, false);
        let (flushed, both) = match terms.subnormals() {
            0 => (None, None),
            subnormals => {
                // The sum is right with a single subnormal term or without it, and nothing between is.
                if subnormals == 1 {
                    terms.drop_subnormal();
                }
                let (flushed, both) = bounds(terms, true);
                (Some(flushed), both)
            }
        };
        SumTruth::Finite { nearest, promised, relaxed, flushed, both, sparse }
    }

    /// Whether an element that a sparse A does not store stands where B has NaN or an infinity.
    fn meets_specials(&self, data: &DotData) -> bool {
        let special = |bits: u64| matches!(self.dot.b.class(bits), Class::Nan | Class::Infinity);
        let mut all = data.b.iter().enumerate();
        self.dot.sparsity.is_some()
            && all.any(|(place, &bits)| special(bits) && !data.places.contains(&place))
    }

    /// Returns the truth where operands that are not numbers decide it: NaN or an infinity; `None` where none decide.
    fn special(&self, data: &DotData) -> Option<SumTruth> {
        let Dot { a: of_a, b: of_b, c: of_c, .. } = self.dot;
        let scale = self.dot.scales.map(|scales| scales.format);
        let mut scales = data.scales.iter().flatten();
        if scale.is_some_and(|format| scales.any(|&bits| format.is_nan(bits))) {
            return Some(SumTruth::Nan);
        }
        let turned = data.controls.negate_a != data.controls.negate_b;
        // Whether an infinity is multiplied by what may count as zero.
        let mut vanishing = false;
        let mut signs = [false; 2];
        for (&x, y) in data.a.iter().zip(data.places.iter().map(|&place| data.b[place])) {
            let classes = [of_a.class(x), of_b.class(y)];
            let infinite = classes.contains(&Class::Infinity);
            if classes.contains(&Class::Nan) || infinite && classes.contains(&Class::Zero) {
                return Some(SumTruth::Nan);
            }
            if infinite {
                vanishing |= self.dot.d.id != FormatId::F64 && classes.contains(&Class::Subnormal);
                signs[usize::from((of_a.is_negative(x) != of_b.is_negative(y)) != turned)] = true;
            }
        }
        if data.controls.accumulate {
            match of_c.class(data.c) {
                Class::Nan => return Some(SumTruth::Nan),
                Class::Infinity => signs[usize::from(of_c.is_negative(data.c))] = true,
                _ => {}
            }
        }
        match signs {
            [true, true] => Some(SumTruth::Nan),
            [false, false] => None,
            [_, negative] => {
                let or_nan = vanishing.then_some(SumRelaxation::Subnormal);
                Some(SumTruth::Infinite { negative, or_nan, sparse: false })
            }
        }
    }
}
