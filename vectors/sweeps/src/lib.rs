#![doc = include_str!("../README.md")]
//!
//! ## Which sweep applies to what
//!
//! Each sweep is one idea, in a file of its own. `SWEEPS.md` has a table of which apply to which operations:
//! `boundary`, `exponents` and `uniform` to all; `midpoint` and its kin to sums and products, `grid` to
//! conversions, `inverse` to quotients and roots, `discarded` to all of these; `pairs` to comparisons, `seams` to
//! approximations; `exhaustive` wherever a lane has at most 32 input bits, or three inputs of 16.

mod aim;
mod boundary;
mod cancellation;
#[cfg(test)]
mod checks;
mod data;
mod discarded;
mod double_rounding;
mod exact;
mod exhaustive;
mod exponents;
mod fill;
mod grid;
mod inverse;
mod lanes;
pub mod matrix;
mod midpoint;
mod oob;
mod overflow;
mod pairs;
mod patterns;
mod proven;
mod quotients;
mod random;
mod saturation;
mod seams;
mod sequence;
mod shape;
mod sticky;
mod stochastic;
mod subnormal;
mod tables;
mod uniform;
mod zero;

use std::fmt;

use formats::Column;
use isa::limits::{INPUTS_MAX, LANES_MAX};
use isa::{LaneSlot, Variant, columns_for};

pub(crate) use exact::{ExactNumber, length as bit_length};
pub use exhaustive::{LaneFormula, Numbering, RegisterField, numbering};
use fill::FillJob;
pub use proven::{Proof, has_all_triples};
pub use random::CounterRng;
pub use sequence::Sequence;
use shape::Shape;

// Public for sister crates that draw numbers of their own.
#[doc(hidden)]
pub use random::{fnv1a, key as stream_key};

/// A numbered sequence of inputs for every variant it applies to.
pub struct Sweep {
    /// The sweep's name in plans and reports.
    pub name: &'static str,
    /// The faults that the sweep is for, in one sentence.
    pub targets: &'static str,
    length: fn(&Shape) -> Length,
    fill: fn(&FillJob, &mut [Column]),
}

/// The number of vectors that a sweep has for a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// No vectors: the sweep does not apply to the variant.
    None,
    /// A finite number of vectors, after which everything has been seen once.
    Finite(u64),
    /// As many vectors as there are 64-bit numbers.
    Endless,
}

impl Length {
    /// Returns the number of vectors, or `most` where there are more.
    pub fn at_most(self, most: u64) -> u64 {
        match self {
            Length::None => 0,
            Length::Finite(length) => length.min(most),
            Length::Endless => most,
        }
    }

    /// Whether a sweep of this length has `rows` vectors from number `first` on.
    pub(crate) fn has(self, first: u64, rows: usize) -> bool {
        match self {
            Length::None => false,
            Length::Finite(length) => first.checked_add(rows as u64).is_some_and(|end| end <= length),
            Length::Endless => true,
        }
    }
}

/// The table of all sweeps, in running order: the narrow ideas first, the long enumerations last.
const SWEEPS: [Sweep; 19] = [
    zero::SWEEP,
    saturation::SWEEP,
    oob::SWEEP,
    lanes::SWEEP,
    midpoint::SWEEP,
    double_rounding::SWEEP,
    sticky::SWEEP,
    discarded::SWEEP,
    cancellation::SWEEP,
    subnormal::SWEEP,
    overflow::SWEEP,
    grid::SWEEP,
    inverse::SWEEP,
    pairs::SWEEP,
    seams::SWEEP,
    exponents::SWEEP,
    uniform::SWEEP,
    boundary::SWEEP,
    exhaustive::SWEEP,
];

impl Sweep {
    /// Returns every sweep, in running order.
    pub fn all() -> &'static [Sweep] {
        static ALL: &[Sweep] = &SWEEPS;
        ALL
    }

    /// Returns the sweep of that name, if there is one.
    pub fn named(name: &str) -> Option<&'static Sweep> {
        Sweep::all().iter().find(|sweep| sweep.name == name)
    }

    /// Returns the exhaustive sweep, which has every combination of operands.
    pub fn exhaustive() -> &'static Sweep {
        &exhaustive::SWEEP
    }

    /// Returns how many vectors the sweep has for `variant`.
    pub fn length(&self, variant: &Variant) -> Length {
        match self.in_turn(variant) {
            Some(one) => self.length(one),
            None => (self.length)(&Shape::of(variant)),
        }
    }

    /// Writes vectors `first..first + rows` into the operand columns, one for each of the variant's
    /// operands, all sized to the same number of rows.
    ///
    /// # Panics
    /// If the columns are not the variant's, or the range leaves the sweep.
    pub fn fill(&self, variant: &Variant, seed: u64, first: u64, columns: &mut [Column]) {
        let widths = variant.operands().iter().map(|operand| operand.ty.row_bytes());
        assert!(widths.eq(columns.iter().map(Column::row_bytes)), "columns are not those of {variant}");
        if let Some(one) = self.in_turn(variant) {
            return self.fill_in_turn(one, seed, first, columns);
        }
        let slots = variant.lane_signature().slots();
        self.fill_shape(Shape::of(variant), slots, seed, first, columns);
    }

    /// Returns the variant that `variant` executes twice, if the sweep follows the vectors of that one.
    /// The exhaustive sweep does not: all pairs of operands are not all three.
    fn in_turn(&self, variant: &Variant) -> Option<&'static Variant> {
        variant.in_turn().filter(|_| self.name != Sweep::exhaustive().name)
    }

    /// Writes the vectors of a variant for which two threads execute `one`, each with an operand of its own.
    /// The first thread has the operands of `one` in the same vector, and the second the operand of the next vector.
    /// After the sweep's last vector that is the operand of the first one.
    fn fill_in_turn(&self, one: &Variant, seed: u64, first: u64, columns: &mut [Column]) {
        let rows = columns.first().map_or(0, Column::rows);
        let [a, b, c] = columns else { unreachable!("a word and two operands") };
        if rows == 0 {
            return;
        }
        let ends = self.length(one) == Length::Finite(first.wrapping_add(rows as u64));
        // One row more than asked: the last row's second thread has the operand of the vector behind it.
        let mut operands = columns_for(one, if ends { rows } else { rows + 1 });
        self.fill(one, seed, first, &mut operands);
        for (column, of_one) in [a, b].into_iter().zip(&operands) {
            let bytes = column.bytes_mut();
            bytes.copy_from_slice(&of_one.bytes()[..bytes.len()]);
        }
        let (next, last) = c.bytes_mut().split_at_mut((rows - 1) * operands[1].row_bytes());
        let behind = &operands[1].bytes()[operands[1].row_bytes()..];
        next.copy_from_slice(&behind[..next.len()]);
        if ends {
            let mut operands = columns_for(one, 1);
            self.fill(one, seed, 0, &mut operands);
            last.copy_from_slice(operands[1].bytes());
        } else {
            last.copy_from_slice(&behind[next.len()..]);
        }
    }

    /// Writes the vectors of a shape whose lanes lie in `slots`, after checking that the sweep has them.
    fn fill_shape(
        &self,
        shape: Shape,
        slots: [[LaneSlot; INPUTS_MAX]; LANES_MAX],
        seed: u64,
        first: u64,
        columns: &mut [Column],
    ) {
        let rows = columns.first().map_or(0, Column::rows);
        assert!(columns.iter().all(|column| column.rows() == rows), "columns of different lengths");
        let fits = (self.length)(&shape).has(first, rows);
        assert!(fits, "no vectors {first}..+{rows} in sweep {} of {shape:?}", self.name);
        (self.fill)(&FillJob::new(shape, slots, (self.name, seed), first), columns);
    }
}

impl fmt::Debug for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
