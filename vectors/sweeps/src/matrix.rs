//! Sweeps of dot products: numbered sequences of vectors, as for lanes ([`crate`]). Vector *i* is a pure
//! function of what the variant multiplies and adds, the sweep, the seed and *i*. `MATRIX_SWEEPS.md` defines
//! them exactly.

mod alignment;
mod cancellation;
mod chain;
mod discarded;
mod exact;
mod groups;
mod largest;
mod maker;
mod overflow;
mod padding;
mod places;
mod random;
mod scales;
mod specials;
mod subnormal;
mod term;
#[cfg(test)]
mod tests;
mod ties;
mod tile;
mod uniform;
mod unselected;
mod zeros;

use std::fmt;

use formats::Column;
use isa::matrix::{Controls, DotData, MatrixVariant, Role};

use crate::{Length, stream_key};

use maker::Maker;

/// A numbered sequence of dot products for every variant that it applies to.
pub struct DotSweep {
    /// The sweep's name in plans and reports.
    pub name: &'static str,
    /// The faults that the sweep is for, in one sentence.
    pub targets: &'static str,
    length: fn(&MatrixVariant) -> Length,
    make: fn(&mut Maker),
}

/// The table of all sweeps of dot products, in running order: the narrow ideas first.
const SWEEPS: &[DotSweep] = &[
    cancellation::SWEEP,
    alignment::SWEEP,
    groups::SWEEP,
    largest::SWEEP,
    overflow::SWEEP,
    subnormal::SWEEP,
    zeros::SWEEP,
    specials::SWEEP,
    ties::SWEEP,
    discarded::SWEEP,
    exact::SWEEP,
    scales::SWEEP,
    places::SWEEP,
    tile::SWEEP,
    padding::SWEEP,
    unselected::SWEEP,
    random::SWEEP,
    chain::SWEEP,
    uniform::SWEEP,
];

impl DotSweep {
    /// Returns every sweep, in running order.
    pub fn all() -> &'static [DotSweep] {
        SWEEPS
    }

    /// Returns the sweep of that name, if there is one.
    pub fn named(name: &str) -> Option<&'static DotSweep> {
        DotSweep::all().iter().find(|sweep| sweep.name == name)
    }

    /// Returns how many vectors the sweep has for `variant`.
    pub fn length(&self, variant: &MatrixVariant) -> Length {
        (self.length)(variant)
    }

    /// Writes vectors `first..first + rows` into the operand columns, one for each of the variant's operands,
    /// all sized to the same number of rows.
    ///
    /// # Panics
    /// If the columns are not the variant's, or the range leaves the sweep.
    pub fn fill(&self, variant: &MatrixVariant, seed: u64, first: u64, columns: &mut [Column]) {
        let operands = variant.operands();
        let widths = operands.iter().map(|operand| operand.row_bytes());
        assert!(widths.eq(columns.iter().map(Column::row_bytes)), "columns are not those of {variant}");
        let rows = columns.first().map_or(0, Column::rows);
        let fits = self.length(variant).has(first, rows);
        assert!(fits, "no vectors {first}..+{rows} in sweep {} of {variant}", self.name);
        // Lane 0 is the vectors' own; rows, columns and tiles of the sweep `tile` have the others.
        let keys = [0, 1, 2, 3].map(|lane| stream_key(seed, self.name, lane));
        let mut maker = Maker::new(variant);
        for row in 0..rows {
            maker.begin(keys, first.wrapping_add(row as u64));
            (self.make)(&mut maker);
            maker.write(columns, row);
        }
    }
}

impl fmt::Debug for DotSweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
