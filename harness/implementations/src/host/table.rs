//! Table of an architecture: which instruction computes which variant.

use std::collections::HashMap;

use isa::{Contract, Form, Variant};

use super::architecture::Feature;
use super::batch::HostBatch;

/// A row of an architecture's table: an instruction, and the variants that it computes.
#[derive(Clone, Debug)]
pub struct HostRow {
    /// Variants of the row, written as in the suite's own table: `add{.rnd}{.ftz}.f32`. What their modifiers ask
    /// for is the control register's to do.
    pub syntax: &'static str,
    /// Feature that the processor must have.
    pub feature: Feature,
    /// Instruction of the row, in a loop over a batch.
    pub batch: HostBatch,
}

impl HostRow {
    /// Makes a row.
    #[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), expect(dead_code))]
    pub fn new(syntax: &'static str, feature: Feature, batch: HostBatch) -> HostRow {
        HostRow { syntax, feature, batch }
    }

    /// Returns the text of each variant of the row.
    pub fn variants(&self) -> Vec<String> {
        // Registers have no part in a spelling.
        let form = Form::new(self.syntax, "d, a", Contract::Exact, "", "");
        let mnemonic = form.operation.mnemonic();
        let sets: Vec<String> = form
            .modifier_sets()
            .iter()
            .map(|set| set.iter().map(|modifier| modifier.to_string()).collect())
            .collect();
        let of_types = |suffix: String| sets.iter().map(move |set| format!("{mnemonic}{set}{suffix}"));
        form.signatures.iter().flat_map(|signature| of_types(signature.suffix())).collect()
    }
}

/// Table of an architecture's instructions by the variants that they compute.
pub struct Table {
    rows: Vec<HostRow>,
    places: HashMap<String, usize>,
}

impl Table {
    /// Makes the table of these rows.
    pub fn new(rows: Vec<HostRow>) -> Table {
        let of_row =
            |(place, row): (usize, &HostRow)| row.variants().into_iter().map(move |text| (text, place));
        let places = rows.iter().enumerate().flat_map(of_row).collect();
        Table { rows, places }
    }

    /// Returns every row.
    pub fn rows(&self) -> &[HostRow] {
        &self.rows
    }

    /// Returns the row that computes a variant.
    pub fn row(&self, variant: &Variant) -> Option<&HostRow> {
        self.places.get(variant.text()).map(|&place| &self.rows[place])
    }
}
