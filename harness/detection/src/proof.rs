//! Proofs of why some mutants cannot be killed: their results are the right ones, or may be.
//!
//! A proof is a claim about some faults in every variant of some shape. Each proof is tried all the same on the
//! first vectors of each variant that it is about, and a proof that is wrong is an error. Any proof that holds is
//! reason enough; the first of the tables is named.

mod bits;
mod clamped;
mod compared;
mod directed;
mod exact;
mod quotient;
mod special;
#[cfg(test)]
mod tests;
mod tiny;

use faults::Mutation;
use formats::Format;
use isa::{Clamp, Meaning, Op, Rounding, Variant};
use model::Fault;

use exact::ExactBits;

/// A proof that some mutants cannot be killed, and so are no mutants.
#[derive(Debug)]
pub struct EquivalenceProof {
    faults: Faults,
    holds: fn(&ProofCase) -> bool,
    /// The name of the proof.
    pub id: &'static str,
    /// The reason, in words.
    pub prose: &'static str,
}

/// The faults that a proof is about.
#[derive(Debug)]
enum Faults {
    These(&'static [Fault]),
    All(fn(Fault) -> bool),
}

/// Makes a row of a table for some faults: a name, the faults, what holds of the variants, the reason.
const fn for_faults(
    id: &'static str,
    faults: &'static [Fault],
    holds: fn(&ProofCase) -> bool,
    prose: &'static str,
) -> EquivalenceProof {
    EquivalenceProof { faults: Faults::These(faults), holds, id, prose }
}

/// Makes a row of a table for all faults of a kind: a name, the kind, what holds of the variants, the reason.
const fn all(
    id: &'static str,
    faults: fn(Fault) -> bool,
    holds: fn(&ProofCase) -> bool,
    prose: &'static str,
) -> EquivalenceProof {
    EquivalenceProof { faults: Faults::All(faults), holds, id, prose }
}

const TABLES: [&[EquivalenceProof]; 7] = [
    clamped::PROOFS,
    directed::PROOFS,
    compared::PROOFS,
    tiny::PROOFS,
    quotient::PROOFS,
    special::PROOFS,
    bits::PROOFS,
];

/// The proof for variants of which every input of a lane has been tried.
pub const EXHAUSTED: &EquivalenceProof =
    &for_faults("exhausted", &[], |_| false, "every input of a lane was tried");

/// The proof for conversions of integers of which all small ones have been tried.
pub const SMALL_INTEGERS: &EquivalenceProof = &for_faults(
    "small-integers",
    &[],
    |_| false,
    "every integer up to four times the largest number was tried, and a larger one is too large in any case",
);

/// Returns the proof that a mutant of a variant cannot be killed, if one is known beforehand.
pub fn of(mutation: Mutation, variant: &Variant) -> Option<&'static EquivalenceProof> {
    match mutation {
        Mutation::Stage(fault) => {
            // A fault that changes no sum of two terms changes none of three that are numbers of one format.
            let alike = variant.in_turn().filter(|_| variant.meaning().accumulator.is_none());
            let case = ProofCase::new(fault, alike.unwrap_or(variant));
            TABLES.iter().copied().flatten().find(|proof| proof.concerns(fault) && (proof.holds)(&case))
        }
        // Even where no bound is stated, something is promised.
        Mutation::Localized(_) => None,
    }
}

impl EquivalenceProof {
    /// Whether the proof is about a fault.
    fn concerns(&self, fault: Fault) -> bool {
        match self.faults {
            Faults::These(faults) => faults.contains(&fault),
            Faults::All(faults) => faults(fault),
        }
    }
}

/// A fault in a variant, with the properties that proofs ask about.
struct ProofCase<'a> {
    fault: Fault,
    variant: &'a Variant,
    meaning: &'a Meaning,
    /// The format of the first input.
    from: &'static Format,
    /// The format of the result.
    to: &'static Format,
    /// The bits that an exact result may have, where the variant adds, multiplies or converts.
    exact: Option<ExactBits>,
}

impl ProofCase<'_> {
    fn new(fault: Fault, variant: &Variant) -> ProofCase<'_> {
        ProofCase {
            fault,
            variant,
            meaning: variant.meaning(),
            from: variant.inputs()[0].format,
            to: variant.outputs()[0].format,
            exact: ExactBits::of(variant),
        }
    }

    fn op(&self) -> Op {
        self.meaning.op
    }

    /// Whether the result is clamped to [0, 1].
    fn saturated(&self) -> bool {
        self.meaning.clamp == Clamp::Unit
    }

    /// Whether negative results become zero, by `.relu`.
    fn relu(&self) -> bool {
        self.meaning.clamp == Clamp::Positive
    }

    /// Whether the result is clamped so that it is never negative.
    fn positive(&self) -> bool {
        self.saturated() || self.relu()
    }

    /// Whether no number is negative where it is rounded, or none is where the result is read.
    fn never_negative(&self) -> bool {
        let natural = self.variant.is_from_integer() && !self.from.signed;
        self.positive() || !self.to.signed || natural || self.op() == Op::Sqrt
    }

    /// Returns the rounding as results show it.
    fn visible_rounding(&self) -> Rounding {
        match self.meaning.rounding {
            Rounding::Down if self.never_negative() => Rounding::TowardZero,
            rounding => rounding,
        }
    }

    /// Whether results show rounding toward zero.
    fn truncates(&self) -> bool {
        self.visible_rounding() == Rounding::TowardZero
    }

    /// Returns how many bits of an exact result the fault leaves to the rounding.
    fn places_kept(&self) -> Option<u32> {
        self.fault.sticky_places().or(self.fault.intermediate_format().map(Format::precision))
    }
}
