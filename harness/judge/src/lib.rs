#![doc = include_str!("../README.md")]
//!
//! ## Words
//!
//! A [`Truth`] is what the results of a batch should be, whoever made it: results, and what the contract
//! **accepts** beside them. Where it promises bits, those are [`Alternative`]s: an **open point** is a
//! choice that the manual leaves and that matters to one element, an [`Interpretation`] makes every such
//! choice, and an alternative is what one of them gives. Where it promises a bound, those are
//! [`Interval`]s. A [`Batch`] is what is judged: operands, and an implementation's results. A lane that
//! breaks the contract is a **violation**; a row with one is a [`Mismatch`], and its [`MismatchKind`] is
//! what is wrong with it. Mismatches of one kind in one variant form a **class**. A [`Tally`] is what
//! judging adds up to.
//!
//! ## Flow
//!
//! ```text
//! truth.rs           what should have come         interpretation.rs, interval.rs   its parts
//! batch.rs           what came
//! judge.rs           the judge of a variant, and when two results are the same
//! verdicts.rs        finds the rows that break the contract, and adds them to a tally
//!   exact.rs           contracts that promise bits
//!   bound.rs           contracts that are bounds      error.rs, units.rs   how far results are from exact values
//! nan.rs             which NaN a NaN is
//! kind.rs            what is wrong with a wrong result
//! mismatch.rs        a wrong result as a report keeps it      description.rs   made from a row
//! joint_answer.rs    results that several open points decide together
//! tally.rs           counts, answers to open points, errors, and the first mismatches of each kind
//! sum.rs             sums of products: their truth, and their judge
//! registers.rs       registers in files: written as a number, or as all digits
//! ```
//!
//! The judge accepts only what the truth accepts, with two exceptions: another NaN where the variant has
//! [`isa::Relaxation::AnyNan`] or [`isa::Relaxation::NanPayload`], and any low bits of tf32
//! ([`isa::Relaxation::Tf32Layout`]).

// Only `vectors` reads how a variant is spelled: harness/clippy.toml.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod batch;
mod bound;
mod bounds;
mod description;
mod error;
mod exact;
mod interpretation;
mod interval;
mod joint_answer;
mod judge;
mod kind;
mod mismatch;
mod nan;
mod profile;
mod registers;
mod sum;
mod tally;
mod truth;
mod units;
mod unpublished;
mod verdicts;

pub use batch::Batch;
pub use bounds::Bounds;
pub use error::{Errors, Worst, ulps};
pub use interpretation::{FIRST, Interpretation, OpenPoints};
pub use interval::{Interval, Point, from_ordinal, ordinal};
pub use joint_answer::{Agreement, JointAnswer};
pub use judge::Judge;
pub use kind::MismatchKind;
pub use mismatch::Mismatch;
pub use profile::Profile;
pub use sum::{SumJudge, SumTruth};
pub use tally::{EXAMPLES, Mismatches, Tally};
pub use truth::{Accepted, Alternative, Truth};
pub use unpublished::Unpublished;
