//! Reports of a self-check: data for programs, and a table for people.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};

use formats::{Column, Format};
use isa::{Register, Variant};
use reports::thousands;
use serde::Serialize;

/// The most differences that a summary keeps whole, one for each variant.
const EXAMPLES_MAX: usize = 20;

/// The findings of a self-check.
#[derive(Debug, Serialize)]
pub struct SelfcheckReport {
    /// Summaries, one for each reference.
    pub references: Vec<Summary>,
    /// Duration of the self-check in seconds.
    pub seconds: f64,
}

/// The findings of the comparison with one reference.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Name and version of the reference.
    pub reference: &'static str,
    /// Number of variants compared; of formats, where the reference is a table.
    pub variants: u64,
    /// Number of vectors compared; of encodings, where the reference is a table.
    pub vectors: u64,
    /// Number of vectors on which the reference and the oracle differ.
    pub differences: u64,
    /// Number of variants that were left out, by reason.
    pub excluded: BTreeMap<&'static str, u64>,
    /// The first difference in each of some variants.
    pub examples: Vec<Difference>,
}

/// A vector on which the oracle and a reference differ.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// Name of the variant, or of the format.
    pub variant: String,
    /// Name of the sweep, and the vector's number in it.
    pub vector: String,
    /// Operands of the vector, lane by lane.
    pub operands: Vec<String>,
    /// Results of the oracle.
    pub oracle: Vec<String>,
    /// Results of the reference.
    pub reference: Vec<String>,
}

impl Summary {
    /// Creates a summary in which nothing has been compared yet.
    pub fn new(reference: &'static str) -> Summary {
        let (excluded, examples) = (BTreeMap::new(), Vec::new());
        Summary { reference, variants: 0, vectors: 0, differences: 0, excluded, examples }
    }

    /// Adds `count` differences, and the first of them as an example if there is room.
    pub fn differs(&mut self, count: u64, first: Option<Difference>) {
        self.differences += count;
        let room = EXAMPLES_MAX - self.examples.len();
        self.examples.extend(first.into_iter().take(room));
    }
}

/// Returns each lane of the registers in a row as text for a person.
fn shown(registers: &[Register], columns: &[Column], row: usize) -> Vec<String> {
    let each = registers.iter().zip(columns).map(|(register, column)| {
        let ty = register.ty;
        let lane = |lane| {
            let datum = ty.format.show(ty.lane(column.get(row), lane));
            format!("{} {} {}", datum.hex(), datum.decimal(), datum.fields())
        };
        let lanes: Vec<String> = (0..ty.lanes).map(lane).collect();
        format!("{} .{ty} {}", register.name, lanes.join(" | "))
    });
    each.collect()
}

impl Difference {
    /// Describes a difference in a row of a batch.
    pub fn of_row(
        variant: &Variant,
        vector: String,
        row: usize,
        operands: &[Column],
        [oracle, reference]: [&[Column]; 2],
    ) -> Difference {
        Difference {
            variant: variant.to_string(),
            vector,
            operands: shown(variant.operands(), operands, row),
            oracle: shown(variant.results(), oracle, row),
            reference: shown(variant.results(), reference, row),
        }
    }

    /// Describes a difference in the value of an encoding.
    pub fn of_encoding(format: &Format, bits: u64, theirs: &dyn Debug, ours: &dyn Debug) -> Difference {
        Difference {
            variant: format.name.into(),
            vector: "decode".into(),
            operands: vec![format.show(bits).hex()],
            oracle: vec![format!("{ours:?}")],
            reference: vec![format!("{theirs:?}")],
        }
    }
}

impl SelfcheckReport {
    /// Whether any reference differs anywhere from the oracle.
    pub fn differs(&self) -> bool {
        self.references.iter().any(|summary| summary.differences > 0)
    }

    /// Returns the number of vectors of all references together.
    pub fn vectors(&self) -> u64 {
        self.references.iter().map(|summary| summary.vectors).sum()
    }

    /// Returns the report as text for a person.
    pub fn text(&self) -> String {
        let mut text =
            format!("{:<30} {:>8} {:>15} {:>12}\n", "reference", "variants", "vectors", "differences");
        for summary in &self.references {
            let Summary { reference, variants, vectors, differences, .. } = summary;
            let (vectors, differences) = (thousands(*vectors), thousands(*differences));
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{reference:<30} {variants:>8} {vectors:>15} {differences:>12}");
            for (reason, count) in &summary.excluded {
                let _ = writeln!(text, "  without {count}: {reason}");
            }
        }
        for summary in &self.references {
            for example in &summary.examples {
                let Difference { variant, vector, .. } = example;
                let _ = writeln!(text, "\n{variant} differs from {}: {vector}", summary.reference);
                let of = |name: &str, registers: &[String]| -> String {
                    registers.iter().map(|register| format!("  {name:<10} {register}\n")).collect()
                };
                text += &of("operand", &example.operands);
                text += &of("oracle", &example.oracle);
                text += &of("reference", &example.reference);
            }
        }
        let verdict = match self.references.iter().map(|summary| summary.differences).sum() {
            0 => "no differences".to_owned(),
            1 => "1 difference".to_owned(),
            count => format!("{} differences", thousands(count)),
        };
        let (vectors, seconds) = (thousands(self.vectors()), self.seconds);
        text + &format!("\n{vectors} vectors in {seconds:.0} s: {verdict}.\n")
    }
}
