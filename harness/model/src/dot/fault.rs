//! The table of faults that a unit for sums of products may have: for each its name, the judge that should see it, and
//! the sums that it concerns. `faulty` has the wrong models that carry the faults out. Tests judge these models, to
//! show that the suite detects each fault, and a diagnosis compares them with the wrong sums of an implementation, to
//! name its fault.

use formats::FormatId;
use isa::matrix::{Lowering, MatrixVariant, SumRelaxation};

use super::concerns::*;

/// The judge that should see a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultJudge {
    /// A judge that knows what a target computes, bit by bit. The fault keeps what the manual promises.
    Bits,
    /// Every judge, also one that goes by the manual alone: the fault breaks what the manual promises.
    Contract,
    /// No judge that goes by the manual, and one that goes by bits at most where the fault changes a bit: the manual's
    /// silence, or a relaxation, permits the fault.
    Permitted,
}

use FaultJudge::{Bits, Contract, Permitted};

/// Defines `DotFault` from a table. A line has a name, and the name in reports; the judge that should see the fault;
/// what is wrong, in words; and a test for the sums that have what the fault is about.
macro_rules! faults {
    ($($name:ident = $id:literal, $seen:ident, $words:literal, $concerns:expr;)*) => {
        /// A fault of one stage of a sum of products.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum DotFault {
            $(#[doc = $words] $name,)*
        }

        impl DotFault {
            /// Every fault, in the order of the stages.
            pub const ALL: &[DotFault] = &[$(DotFault::$name),*];

            /// Returns the fault's name, as in reports.
            pub const fn id(self) -> &'static str {
                match self { $(DotFault::$name => $id,)* }
            }

            /// Returns what is wrong, in words.
            pub const fn words(self) -> &'static str {
                match self { $(DotFault::$name => $words,)* }
            }

            /// Returns the judge that should see the fault in most sums.
            const fn usually_seen(self) -> FaultJudge {
                match self { $(DotFault::$name => $seen,)* }
            }

            /// Whether a variant's sum has what the fault is about. Even then the fault may change no result.
            pub fn concerns(self, variant: &MatrixVariant, lowering: Lowering) -> bool {
                let concerns: fn(Sum<'_>) -> bool = match self { $(DotFault::$name => $concerns,)* };
                concerns(Sum::new(variant, lowering))
            }
        }
    };
}

faults! {
    // Reading.
    SubnormalOperandsFlushed = "subnormal-operands-flushed", Permitted, "subnormal elements of A and B are taken as zero", |s| s.has_subnormal_elements();
    SubnormalAddendFlushed = "subnormal-addend-flushed", Permitted, "a subnormal addend is taken as zero", |s| s.dot.c.has_subnormals();
    SubnormalElementsHalved = "subnormal-elements-halved", Contract, "subnormal elements of A and B have the exponent below that of the smallest normal number", |s| s.has_subnormal_elements();
    SubnormalAddendHalved = "subnormal-addend-halved", Contract, "a subnormal addend has the exponent below that of the smallest normal number", |s| s.dot.c.has_subnormals();
    NanIgnored = "nan-ignored", Contract, "a NaN is read as a number beyond the largest", |_| true;
    SignOfBIgnored = "sign-of-b-ignored", Contract, "B's elements are taken without their signs", |s| s.dot.b.signed;
    NegationIgnored = "negation-ignored", Contract, "A and B are never negated, whatever the operands say", |s| s.has_controls();
    AccumulateIgnored = "accumulate-ignored", Contract, "the addend is added where operands say that it is not", |s| s.has_controls();
    AddendIgnored = "addend-ignored", Contract, "the addend is never added", |_| true;
    AddendScaleIgnored = "addend-scale-ignored", Contract, "the addend is added as it is, where operands divide it by a power of two", |s| s.dot.scaled_addend;
    LastTermDropped = "last-term-dropped", Contract, "the last term is left out", |_| true;
    Tf32Rounded = "tf32-rounded", Contract, "the low 13 bits of a register of tf32 round its element to nearest, instead of being cut off", |s| s.cuts_registers();
    MetadataPairSwapped = "metadata-pair-swapped", Contract, "the two indices of a chunk of metadata are exchanged", |s| s.has_pairs();
    MetadataIgnored = "metadata-ignored", Contract, "stored elements are taken for the first of their chunks", |s| s.dot.sparsity.is_some();
    // The manual does not say whether these products are made: `SumRelaxation::SparseZero`.
    UnselectedMultiplied = "unselected-multiplied", Permitted, "elements of B that the zeros of a sparse A meet are multiplied by zero", |s| s.meets_zeros();
    // Products and scales.
    InfinityTimesZeroIsZero = "infinity-times-zero-is-zero", Contract, "infinity times zero is zero", |s| s.multiplies_infinities();
    ProductsNormalised = "products-normalised", Bits, "products are aligned by the exponents of their leading bits", |s| s.is_aligned_by_products();
    ScaleIgnored = "scale-ignored", Contract, "scales are taken as 1", |s| s.blocks() > 0;
    ScaleOfOtherSide = "scale-of-other-side", Contract, "B's elements are scaled as A's are", |s| s.blocks() > 0;
    ScaleOfWrongBlock = "scale-of-wrong-block", Contract, "terms have the scales of the block behind their own", |s| s.blocks() > 1;
    ScaleBytesSwapped = "scale-bytes-swapped", Contract, "the scales of a row are read in reverse order", |s| s.blocks() > 1;
    ScaleAppliedToTheSum = "scale-applied-to-the-sum", Contract, "the scales of the first block are those of the whole sum", |s| s.blocks() > 1;
    ProductsRounded = "products-rounded", Contract, "each product is rounded to the accumulator's format before it is added", |s| s.rounds_products();
    // The order of terms.
    // No result changes: a unit's sum does not depend on the order of a group's terms.
    TermsPermutedWithinGroup = "terms-permuted-within-group", Permitted, "the terms of a group are added in reverse order", |s| s.unit().is_some();
    TermsReversed = "terms-reversed", Bits, "terms are added from the last to the first", |s| s.steps() > 1;
    // A group of one term cannot be halved, and half a group that holds all terms of a chain is no other sum.
    GroupHalved = "group-halved", Bits, "half as many terms are added at once", |s| s.unit().is_some() && s.group().min(s.chain()) > 1 && s.group() / 2 < s.chain();
    GroupDoubled = "group-doubled", Bits, "twice as many terms are added at once", |s| s.unit().is_some() && s.group() < s.chain();
    AddendFirst = "addend-first", Bits, "the addend is added to the first term alone, and the sum rounded, before the others join", |s| s.joins_addend() && s.chain() > 1;
    AddendLast = "addend-last", Bits, "the addend is added to the rounded sum of all terms", |s| s.joins_addend();
    // Alignment.
    FractionBitsLess = "fraction-bits-less", Bits, "sums keep one fraction bit less", |s| s.unit().is_some();
    FractionBitsMore = "fraction-bits-more", Bits, "sums keep one fraction bit more", |s| s.unit().is_some();
    FloorInsteadOfTruncation = "floor-instead-of-truncation", Bits, "terms are cut off downwards, as two's complement is, instead of toward zero", |s| s.unit().is_some();
    StickyBit = "sticky-bit", Bits, "what is cut off a term sets its last bit", |s| s.unit().is_some();
    // The exponent of a zero counts where all products are so small that it decides which bits are cut off.
    ZeroExponentUp = "zero-exponent-up", Bits, "a zero has an exponent larger by one", |s| s.ends_at(1);
    ZeroExponentDown = "zero-exponent-down", Bits, "a zero has an exponent smaller by one", |s| s.ends_at(0);
    // Rounding.
    // Only where the unit keeps all 23 fraction bits of f32 would 13 of them be a fault.
    ShortAccumulator = "short-accumulator", Contract, "sums keep 13 fraction bits, passed off as f32", |s| s.is_single();
    AccumulatedInHalf = "accumulated-in-half", Contract, "sums of f32 are rounded to f16 behind each group", |s| s.keeps_single();
    RoundedToNearest = "rounded-to-nearest-at-the-end", Bits, "sums are rounded to nearest even instead of toward zero", |s| s.accumulates_single();
    Truncated = "truncated-at-the-end", Bits, "sums of f16 are rounded toward zero instead of to nearest even", |s| s.accumulates_half();
    SubnormalResultsFlushed = "subnormal-results-flushed", Contract, "subnormal sums become zero, those between groups, too", |s| s.may_be_subnormal();
    OverflowSaturates = "overflow-saturates", Contract, "what is too large becomes the largest number", |s| s.overflows();
    NegativeZeroSum = "negative-zero-sum", Permitted, "a sum of negative zeros is −0", |s| s.joins_addend();
    // Places are counted below the last place of the result; place 1 is half of that.
    BitLost3 = "bit-lost-3", Contract, "a product and a number other than zero have a sum that loses the bit 3 places below the last place of the result", |s| s.shows_lost_bits();
    BitLost8 = "bit-lost-8", Contract, "a product and a number other than zero have a sum that loses the bit 8 places below the last place of the result", |s| s.shows_lost_bits();
    BitLost22 = "bit-lost-22", Contract, "a product and a number other than zero have a sum that loses the bit 22 places below the last place of the result", |s| s.shows_lost_bits();
    BitLost40 = "bit-lost-40", Contract, "a product and a number other than zero have a sum that loses the bit 40 places below the last place of the result", |s| s.shows_lost_bits();
    StickyLost106 = "sticky-lost-106", Contract, "bits more than 106 places below the leading one of a sum do not reach the sticky bit", |s| s.shows_lost_bits();
    // Other sequences.
    WideSumRoundedOnce = "wide-sum-rounded-once", Bits, "the exact sum is rounded once, to nearest even where no other rounding is asked for", |_| true;
    // On such a target the unit of f16 takes 8-bit elements, converted, in two halves.
    EightBitsAtOnce = "eight-bits-at-once", Bits, "32 terms of 8 bits are added by one unit, addend included, where a target takes the way through f16", |s| matches!(s.lowering, Lowering::ThroughHalf(_));
    FusedChain = "fused-chain", Bits, "terms are added to the addend one after the other, each rounded to nearest even in f32", |s| !s.is_fused();
    // The result.
    AlwaysZero = "always-zero", Contract, "every sum is zero", |_| true;
    RowOffByOne = "d-depends-on-row", Contract, "the last bit of a sum is wrong in every eighth row", |_| true;
}

impl DotFault {
    /// Returns the judge that should see the fault in sums of a variant with a lowering, if a vector shows it at all.
    /// It is the judge in the table, unless the manual promises more, or less, of these sums than of most.
    pub fn judge_that_sees(self, variant: &MatrixVariant, lowering: Lowering) -> FaultJudge {
        let sum = Sum::new(variant, lowering);
        match self {
            // `Fused` computes f64, whose subnormal numbers no relaxation lets a target flush.
            DotFault::SubnormalOperandsFlushed | DotFault::SubnormalAddendFlushed
                if lowering == Lowering::Fused =>
            {
                Contract
            }
            // The manual promises one rounding of a product and the addend for `mma` of f64 alone.
            _ if self.is_of_one_rounding() && !promises_fused(variant) => Bits,
            // A unit with no bit more than its accumulator needs them all.
            DotFault::FractionBitsLess if sum.has_no_spare_bits() => Contract,
            // The relaxation permits an accumulator of 13 fraction bits.
            DotFault::ShortAccumulator if variant.relaxations().contains(&SumRelaxation::Reduced) => {
                Bits
            }
            // Two roundings to f16 are an accumulation in half precision.
            DotFault::GroupHalved | DotFault::AddendFirst | DotFault::AddendLast
                if promises_single(variant) =>
            {
                Contract
            }
            _ => self.usually_seen(),
        }
    }

    /// Whether the fault is one of a product and an addend that are to be rounded once.
    fn is_of_one_rounding(self) -> bool {
        self.lost_place().is_some()
            || matches!(self, DotFault::ProductsRounded | DotFault::StickyLost106)
    }

    /// Returns how far below the last place of the result a fused sum loses a bit, if the fault is of that kind.
    pub(super) fn lost_place(self) -> Option<i32> {
        match self {
            DotFault::BitLost3 => Some(3),
            DotFault::BitLost8 => Some(8),
            DotFault::BitLost22 => Some(22),
            DotFault::BitLost40 => Some(40),
            _ => None,
        }
    }
}

/// Whether the manual promises that a product and what it is added to are rounded once (9.7.16.5.14).
fn promises_fused(variant: &MatrixVariant) -> bool {
    variant.dot().d.id == FormatId::F64 && variant.mnemonic() == "mma"
}

/// Whether the manual promises single precision within sums whose addend and result are f16: it names neither half
/// precision for them, nor does [`SumRelaxation::Half`] permit it.
fn promises_single(variant: &MatrixVariant) -> bool {
    let halves = [variant.dot().c.id, variant.dot().d.id] == [FormatId::F16; 2];
    let relaxed = variant.relaxations().contains(&SumRelaxation::Half);
    halves && !relaxed && !variant.is_promised_half_precision()
}
