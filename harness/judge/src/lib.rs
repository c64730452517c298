//! The judge: a variant's contract applied to what was expected and what came.
//!
//! # Words
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
//! # Flow
//!
//! ```text
//! truth.rs           what should have come         interpretation.rs, interval.rs   its parts
//! batch.rs           what came
//! lib.rs             the rows that break the contract, and a mismatch in words …
//!   exact.rs           … where it promises bits
//!   bound.rs           … where it is a bound      error.rs   how far results are from exact values
//! nan.rs             which NaN a NaN is
//! kind.rs            what is wrong with a wrong result
//! meeting.rs         answers to several open points at once
//! tally.rs           counts, answers to open points, errors, and the first mismatches of each kind
//! sum.rs             the same of sums of products: a truth, and a judge
//! registers.rs       registers in files: a number, or all digits
//! ```
//!
//! Nothing is right here that the truth does not accept, but a NaN where the variant has
//! [`Relaxation::AnyNan`] or [`Relaxation::NanPayload`], and the low bits of tf32
//! ([`Relaxation::Tf32Layout`]).

// Only `vectors` reads how a variant is spelled: harness/clippy.toml.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod batch;
mod bound;
mod bounds;
mod error;
mod exact;
mod interpretation;
mod interval;
mod kind;
mod meeting;
mod nan;
mod profile;
mod registers;
mod sum;
mod tally;
mod truth;
mod unpublished;

use std::collections::BTreeSet;

pub use batch::Batch;
pub use bounds::Bounds;
pub use error::{Errors, Worst, ulps};
use exact::of_element;
use formats::column;
pub use interpretation::{FIRST, Interpretation, OpenPoints};
pub use interval::{Interval, Point, from_ordinal, ordinal};
use isa::{LaneData, LaneSlot, Relaxation, Variant};
pub use kind::MismatchKind;
pub use meeting::{Agreement, Meeting};
pub use profile::Profile;
pub use sum::{SumJudge, SumTruth};
pub use tally::{EXAMPLES, Mismatch, Mismatches, Tally};
pub use truth::{Accepted, Alternative, Truth};
pub use unpublished::Unpublished;

/// Judges results of one variant. It holds nothing that judging changes, so threads may share it.
#[derive(Clone, Debug)]
pub struct Judge {
    variant: Variant,
    /// The relaxation by which more than one NaN is right.
    nan: Option<Relaxation>,
    /// Whether the bits beside the lanes are the implementation's.
    open_layout: bool,
    /// For each result register, the bits that hold a lane.
    masks: Vec<u64>,
}

/// The lane of a result that breaks the contract.
struct Violation {
    row: usize,
    kind: MismatchKind,
}

impl Judge {
    /// The judge of a variant.
    pub fn new(variant: &Variant) -> Judge {
        Judge {
            variant: variant.clone(),
            nan: nan::relaxation(variant),
            open_layout: variant.relaxations().any(|r| r == Relaxation::Tf32Layout),
            masks: variant.results().iter().map(|result| result.ty.mask()).collect(),
        }
    }

    /// Judges a batch, into `tally`.
    pub fn judge(&self, truth: &Truth, batch: Batch, tally: &mut Tally) {
        let rows = batch.results[0].rows() as u64;
        tally.vectors += rows;
        tally.confirmed += rows;
        let violations = self.violations(truth, batch, tally);
        for violation in &violations {
            let kind = self.kind(truth, batch, violation);
            tally.mismatch(kind, batch.number(violation.row), || {
                self.describe(truth, batch, violation.row)
            });
        }
    }

    /// The rows of a batch that break the contract, in order, and how.
    pub fn verdicts(&self, truth: &Truth, batch: Batch) -> Vec<(usize, MismatchKind)> {
        let violations = self.violations(truth, batch, &mut Tally::default());
        violations.iter().map(|violation| (violation.row, self.kind(truth, batch, violation))).collect()
    }

    /// The rows of a batch that break the contract, in order.
    pub fn wrong_rows(&self, truth: &Truth, batch: Batch) -> Vec<usize> {
        let violations = self.violations(truth, batch, &mut Tally::default());
        violations.into_iter().map(|violation| violation.row).collect()
    }

    /// A row of a batch as a mismatch, which it need not be.
    pub fn describe(&self, truth: &Truth, batch: Batch, row: usize) -> Mismatch {
        Mismatch {
            index: batch.number(row),
            operands: column::row_bits(batch.operands, row),
            expected: column::row_bits(&truth.results, row),
            accepted: self.other_results(truth, row),
            actual: column::row_bits(batch.results, row),
            words: None,
        }
    }

    /// Whether two results are the same, of whose NaNs only those differ that may be any.
    pub fn alike(&self, a: &[u64], b: &[u64]) -> bool {
        if a == b || self.nan.is_none() {
            return a == b;
        }
        let original = self.variant.lane_signature().original();
        let outputs = self.variant.outputs().iter().enumerate();
        let mut lanes = outputs
            .flat_map(|(number, output)| output.slots.iter().map(move |at| (number, output.format, at)));
        lanes.all(|(number, format, at)| {
            let [a, b] = [a, b].map(|registers| at.take(registers[at.register]));
            a == b || original != Some(number) && format.is_nan(a) && format.is_nan(b)
        })
    }

    /// The rows that break the contract, each with its first lane that does.
    fn violations(&self, truth: &Truth, batch: Batch, tally: &mut Tally) -> Vec<Violation> {
        let rows = batch.results[0].rows();
        let mut violations = Vec::new();
        let original = self.variant.lane_signature().original();
        for (number, data) in self.variant.outputs().iter().enumerate() {
            match &truth.accepted {
                // Nothing is open about what is only moved, and its NaNs are those that were there.
                _ if original == Some(number) => {
                    let row = |columns, row| {
                        data.slots.iter().map(move |at: &LaneSlot| {
                            let columns: &[formats::Column] = columns;
                            at.take(columns[at.register].get(row))
                        })
                    };
                    let changed = |&at: &usize| !row(&truth.results, at).eq(row(batch.results, at));
                    let rows = (0..rows).filter(changed);
                    violations.extend(rows.map(|row| Violation { row, kind: MismatchKind::Original }));
                }
                Accepted::Within(intervals) => {
                    self.within(data, truth, intervals, batch, tally, &mut violations);
                }
                Accepted::Exact(alternatives) => {
                    let exact = match data.format.width() {
                        0..=8 => Judge::exact::<u8>,
                        9..=16 => Judge::exact::<u16>,
                        17..=32 => Judge::exact::<u32>,
                        _ => Judge::exact::<u64>,
                    };
                    exact(self, data, truth, alternatives, batch, tally, &mut violations);
                }
            }
        }
        for ((column, expected), &mask) in batch.results.iter().zip(&truth.results).zip(&self.masks) {
            let gaps = !mask & u64::MAX >> (64 - 8 * column.row_bytes());
            // In what is expected they are zero.
            let dirty = || (0..rows).filter(|&row| column.get(row) & gaps != 0);
            if self.open_layout {
                let dirty = dirty().count() as u64;
                tally.agreement(Relaxation::Tf32Layout, &[0, rows as u64 - dirty, dirty]);
            } else if gaps != 0 && column != expected {
                violations.extend(dirty().map(|row| Violation { row, kind: MismatchKind::Padding }));
            }
        }
        // A row is one vector, whatever is wrong with it: its first lane's violation names the class.
        violations.sort_by_key(|violation| violation.row);
        violations.dedup_by_key(|violation| violation.row);
        violations
    }

    /// What is wrong with a row.
    fn kind(&self, truth: &Truth, batch: Batch, violation: &Violation) -> MismatchKind {
        let [expected, actual] =
            [&truth.results, batch.results].map(|of| column::row(of, violation.row));
        match self.swapped(&expected, &actual) {
            true => MismatchKind::LanesSwapped,
            false => violation.kind,
        }
    }

    /// The lanes of the first output in a row.
    fn lanes_of(&self, registers: &[u64]) -> Vec<u64> {
        let places = self.variant.outputs()[0].slots.iter();
        places.map(|at| at.take(registers[at.register])).collect()
    }

    /// Whether the lanes of `actual` are those of `expected` in reverse.
    fn swapped(&self, expected: &[u64], actual: &[u64]) -> bool {
        let (expected, mut actual) = (self.lanes_of(expected), self.lanes_of(actual));
        let differ = expected != actual;
        actual.reverse();
        differ && expected == actual
    }

    /// What else would have been accepted for a row, in words.
    fn other_results(&self, truth: &Truth, row: usize) -> Vec<String> {
        let LaneData { format, slots } = &self.variant.outputs()[0];
        // Of a register with one lane the whole is shown, as the expected one is: of tf32 32 bits.
        let show = |slot: &LaneSlot, bits| {
            let ty = self.variant.results()[slot.register].ty;
            if ty.lanes == 1 { ty.hex(slot.put(bits)) } else { format.show(bits).hex() }
        };
        let lanes = self.lanes_of(&column::row(&truth.results, row));
        let mut others = Vec::new();
        for (lane, (&bits, slot)) in lanes.iter().zip(slots).enumerate() {
            let register = &self.variant.results()[slot.register];
            let whose = match (lanes.len(), self.variant.results().len(), register.ty.lanes) {
                (1, ..) => String::new(),
                (_, 1, _) => format!("lane {lane}: "),
                (.., 1) => format!("{}: ", register.name),
                _ => format!("{} lane {}: ", register.name, slot.lane),
            };
            let element = row * lanes.len() + lane;
            let interval = truth.intervals().get(element);
            let this = interval.is_some_and(|interval| interval.point == Point::ThisNan);
            if let Some(relaxation) = self.nan.filter(|_| format.is_nan(bits) && !this) {
                let half = match self.variant.meaning().upper_half {
                    true => format!(" {}", bound::UPPER_HALF),
                    false => String::new(),
                };
                others.push(format!("{whose}any NaN{half} ({})", relaxation.name()));
            }
            others.extend(
                interval.and_then(|i| self.beside(format, i)).map(|words| whose.clone() + &words),
            );
            let mut seen = BTreeSet::from([bits]);
            for alternative in of_element(truth.alternatives(), element) {
                if seen.insert(alternative.bits) {
                    let open = Relaxation::ALL.into_iter().filter(|&r| alternative.open.contains(r));
                    let names: Vec<&str> = open.map(Relaxation::name).collect();
                    let hex = show(slot, alternative.bits);
                    others.push(format!("{whose}{hex} ({})", names.join(", ")));
                }
            }
        }
        others
    }
}
