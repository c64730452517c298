//! What each interpretation of an open point means, as [`Relaxation`](super::Relaxation) and
//! [`SumRelaxation`](crate::matrix::SumRelaxation) name them. The page of interpretations has the same rows; a test of
//! `sweeps` compares them.

/// What one or several interpretations of a relaxation mean.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct InterpretationMeaning {
    /// The name of the relaxation, as in reports.
    pub relaxation: &'static str,
    /// The names of the interpretations that the words are about, in their order.
    pub interpretations: &'static [&'static str],
    /// What an implementation does that follows an interpretation. It may refer to the words of the one before.
    pub meaning: &'static str,
}

impl InterpretationMeaning {
    /// The meanings of the interpretations of all relaxations.
    #[rustfmt::skip] // a table
    pub const ALL: &[InterpretationMeaning] = &[
        row("any-nan", &["canonical"], "the canonical NaN of the format, such as 0x7fff or 0x7fffffff"),
        row("any-nan", &["other"], "any other NaN"),
        row("nan-payload", &["canonical"], "the variant's canonical NaN, or a NaN without a payload"),
        row("nan-payload", &["operand"], "the payload of an operand that is NaN; the bit that says whether it is quiet does not count"),
        row("nan-payload", &["other"], "any other payload"),
        row("nan-sign", &["unchanged"], "the sign of the operand"),
        row("nan-sign", &["cleared"], "a NaN with a positive sign"),
        row("truncated-nan", &["nan"], "a NaN"),
        row("truncated-nan", &["truncated"], "the operand without its low bits, which may be an infinity"),
        row("upper-half-nan", &["infinity"], "an operand whose payload lies in the ignored half is an infinity"),
        row("upper-half-nan", &["nan"], "such an operand is a NaN"),
        row("ftz-tininess", &["exact"], "a result is flushed if the exact value is below the smallest normal number"),
        row("ftz-tininess", &["unbounded"], "the value is rounded as if the exponent had no lower limit; the result is flushed if this rounded value is below the smallest normal number"),
        row("ftz-tininess", &["rounded"], "a result is flushed if the rounded result is subnormal"),
        row("ftz-result", &["flushed", "kept"], "a subnormal result of f16 becomes zero, or stays"),
        row("ftz-ignored", &["flushed", "kept"], "a subnormal input of f32 becomes zero, or stays"),
        row("flush-sign", &["-0", "+0"], "a negative subnormal input of a `cvt` that divides by its scale becomes −0, or +0"),
        row("gross-tininess", &["exact", "approximate"], "a gross reciprocal is flushed if its exact value is too small, or if the approximate one is"),
        row("zero-sign", &["+0"], "`.sat` and `.relu` make +0 of a result of −0"),
        row("zero-sign", &["-0"], "−0 stays"),
        row("zero-sign", &["clamped first"], "the exact value is clamped before it is rounded: a negative value becomes +0, and an exact −0 stays"),
        row("oob-pattern", &["7ff7"], "0x7ff7 with either sign is the out-of-bounds NaN"),
        row("oob-pattern", &["7ff7 and 7eff"], "0x7eff is an out-of-bounds NaN too, as in CUTLASS's software path for f16"),
        row("oob-addend", &["multiplicands"], "only a multiplicand may be out of bounds"),
        row("oob-addend", &["multiplicands and addend"], "the addend may also be out of bounds"),
        row("tf32-layout", &["zeros", "other bits"], "the 13 bits below a tf32 number are zeros, or anything"),
        row("random-layout", &["first reversed"], "two of four results share a field of 16 random bits, and the first of the two reads it in reverse"),
        row("random-layout", &["as they are"], "both results read the field as it is"),
        row("random-alignment", &["highest"], "the random bits are added to the highest of the bits that a subnormal result loses"),
        row("random-alignment", &["lowest"], "the random bits are added to the lowest of these bits"),
        row("random-alignment", &["as of normal results"], "the random bits are added to the bits that would be the highest ones if the result were normal"),
        row("factor-conversion", &["rounded", "exact"], "a factor is rounded to the format of the result before it is multiplied, or is multiplied as it is"),
        row("scale-saturation", &["product"], "a value that is beyond the largest number after scaling becomes the largest number"),
        row("scale-saturation", &["input"], "an infinite input becomes the largest number before it is scaled, and the product is not saturated"),
        row("unsigned-negative", &["magnitude"], "the sign is dropped before rounding"),
        row("unsigned-negative", &["zero"], "a negative number becomes zero"),
        row("unsigned-negative", &["rounded with its sign"], "the number is rounded as a negative one, and the sign is dropped then"),
        row("absent-number", &["number"], "a cast of zero gives the smallest number of ue8m0, 2^-127, and a cast of a negative number what `unsigned-negative` says"),
        row("absent-number", &["nan"], "a cast of zero or of a negative number to ue8m0 without saturation gives NaN"),
        row("cast-nan", &["largest", "+0", "-0"], "a cast of NaN to a format without NaN gives the largest number, as conversions of PTX do, or a zero"),
        row("fixed-minimum", &["symmetric", "lowest"], "saturated fixed point reaches the negative of its largest number, or the lowest number of two's complement"),
        row("overflow-boundary", &["after rounding"], "the rounded result decides: a value that is rounded to the largest number is no overflow"),
        row("overflow-boundary", &["before rounding"], "the exact value decides: anything beyond the largest number is too large"),
        row("overflow-boundary", &["rounded without limit"], "the value is rounded as if there were larger numbers, and then compared with the largest number"),
        row("overflow-result", &["special"], "a too large value becomes infinity, or NaN where the format has no infinity"),
        row("overflow-result", &["largest"], "it becomes the largest number"),
        row("infinity-result", &["special"], "an infinite value becomes infinity, or NaN where the format has no infinity"),
        row("infinity-result", &["largest"], "it becomes the largest number"),
        row("random-overflow", &["infinity"], "a value beyond the largest number of f16 becomes infinity"),
        row("random-overflow", &["by the carry"], "such a value becomes the largest number if the random bits give no carry"),
        row("unstated-accuracy", &["best effort"], "only the suite's minimum holds"),
        row("subnormal-accuracy", &["within the bound"], "a subnormal result of `ex2` in f16 meets the relative bound of 2^-9.9"),
        row("subnormal-accuracy", &["within a unit"], "such a result lies within a unit in the last place"),
        row("negative-subnormal", &["nan"], "the result for a negative subnormal operand is NaN, as for a negative normal one"),
        row("negative-subnormal", &["zero"], "the result for a negative subnormal operand is the result for −0"),
        row("bound-overflow", &["finite"], "a result near the largest number is a number"),
        row("bound-overflow", &["infinite"], "such a result is infinity"),
        row("zero-dividend", &["zero"], "0 / b is zero"),
        row("zero-dividend", &["nan"], "0 / b is NaN, because the quotient is computed as 0 × (1 / b), and 1 / b is infinite"),
        row("vector-flush", &["flushed", "kept"], "subnormal inputs and results of f32 become zero, or stay"),
        row("memory-nan", &["number", "nan"], "the smaller or larger of a number and a NaN is the number, or is NaN"),
        row("memory-zero", &["ordered"], "−0 is smaller than +0"),
        row("memory-zero", &["word", "operand"], "zeros are equal: the first value stays, or the second takes its place"),
        row("thread-order", &["b first", "c first"], "which thread's operand is added first"),
        row("device-order", &["c last", "b last", "a last"], "which device's word is added last"),
        row("intermediate-flush", &["flushed", "kept"], "if the first of two sums of f32 is subnormal, this sum is flushed, or stays"),
        row("accumulator-rounding", &["twice"], "the last sum is rounded to the precision of `.acc` and then to the result"),
        row("accumulator-rounding", &["once"], "the last sum is rounded to the result directly"),
        row("sum-nan", &["canonical"], "a sum that is NaN is the canonical NaN of its format"),
        row("sum-nan", &["other"], "the sum is any other NaN"),
        row("sum-zero-sign", &["positive", "negative"], "a sum that is zero, or is rounded to zero, is +0, or −0"),
        row("sum-overflow", &["number"], "a sum of which a part may overflow is a number"),
        row("sum-overflow", &["infinity", "nan"], "such a sum is infinity, or NaN"),
        row("sum-subnormal", &["kept"], "subnormal operands count, as far as the result shows"),
        row("sum-subnormal", &["flushed"], "the result is right only if subnormal operands are zero"),
        row("sum-subnormal", &["either"], "the result is right if subnormal operands are zero, and also if less precision is enough"),
        row("reduced-accumulation", &["single"], "the result is within the bound of single precision"),
        row("reduced-accumulation", &["reduced"], "the result is only within the bound of fewer bits: 14 for `mma`, 12 for `wgmma`"),
        row("reduced-accumulation", &["either"], "the result is right with fewer bits, and also if subnormal operands are zero"),
        row("half-accumulation", &["single"], "the result is within the bound of single precision"),
        row("half-accumulation", &["half"], "the result is only within the bound of half precision"),
        row("half-accumulation", &["either"], "the result is right in half precision, and also if subnormal operands are zero"),
        row("sparse-zero", &["skipped"], "a zero that a sparse A does not store is not multiplied"),
        row("sparse-zero", &["multiplied"], "such a zero is multiplied, and the sum is NaN if B has NaN or an infinity there"),
        row("unstated-precision", &["single"], "the result is within the bound of single precision"),
        row("sum-order", &["any"], "the fused operations of f64 take products in any order"),
    ];

    /// Returns the meanings of a relaxation's interpretations.
    pub fn of(relaxation: &str) -> impl Iterator<Item = &'static InterpretationMeaning> {
        InterpretationMeaning::ALL.iter().filter(move |row| row.relaxation == relaxation)
    }
}

const fn row(
    relaxation: &'static str,
    interpretations: &'static [&'static str],
    meaning: &'static str,
) -> InterpretationMeaning {
    InterpretationMeaning { relaxation, interpretations, meaning }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Relaxation;
    use crate::matrix::SumRelaxation;

    #[test]
    fn every_interpretation_has_a_meaning() {
        let scalar = Relaxation::ALL.into_iter().map(|one| (one.name(), one.interpretations()));
        let sums = SumRelaxation::ALL.iter().map(|one| (one.name(), one.answers()));
        let mut count = 0;
        for (name, interpretations) in scalar.chain(sums) {
            let rows = InterpretationMeaning::of(name);
            let meant: Vec<&str> = rows.flat_map(|row| row.interpretations.iter().copied()).collect();
            assert_eq!(meant, interpretations, "{name}");
            count += meant.len();
        }
        let all: usize = InterpretationMeaning::ALL.iter().map(|row| row.interpretations.len()).sum();
        assert_eq!(count, all, "a meaning is of no relaxation");
    }
}
