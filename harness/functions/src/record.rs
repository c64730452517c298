//! The record that is published of measurements: JSON for programs, [tables](super::tables) for people.

use formats::Format;
use serde::{Deserialize, Serialize};

use super::run::MeasuredFunction;
use super::table::SOURCES;
use super::tally::{Example, Tally};

/// The version of a record's fields. It changes when the meaning of a field does.
const VERSION: u32 = 1;

/// The record of all that was measured of a compiler's functions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of this record's fields.
    pub version: u32,
    /// The version of the suite.
    pub suite: String,
    /// The compiler, with its version.
    pub compiler: String,
    /// The device that executed the functions, and its driver; absent where the interpreter did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The documents that state maxima: of f32, and of half precision.
    pub sources: Vec<String>,
    /// The functions that were measured; each is listed as often as documents, flushing, bodies or ways tell it apart.
    pub functions: Vec<FunctionRecord>,
}

/// A function, compiled to one body, with all its approximations in one way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionRecord {
    /// The function's name.
    pub name: String,
    /// The settings and targets that compile to this body.
    pub under: Vec<String>,
    /// The approximate instructions in the body.
    pub approximations: Vec<String>,
    /// The way of approximating: `nearest`, `lowest` or `highest`, the one of the results that PTX permits that all
    /// approximations have; absent where there are none. It is `device` in all functions where a device executed them.
    pub way: Option<String>,
    /// The documented maximum, in words.
    pub documented: String,
    /// The choice of inputs, in words.
    pub inputs: String,
    /// Whether the inputs are all that the function has.
    pub exhaustive: bool,
    /// Whether subnormal numbers may be flushed.
    pub flush: bool,
    /// The counts of the results.
    pub counted: Tally,
    /// The examples in `counted`, written out: the worst, the first beyond the documented maximum in numbers, and the
    /// first in units where that is another.
    pub shown: Vec<String>,
}

impl Record {
    /// Returns a record without functions.
    pub fn new(compiler: String, device: Option<String>) -> Record {
        let sources = SOURCES.map(str::to_owned).to_vec();
        let suite = env!("CARGO_PKG_VERSION").into();
        Record { version: VERSION, suite, compiler, device, sources, functions: Vec::new() }
    }

    /// Adds a function's measurements, which replace earlier ones of that function.
    pub fn add(&mut self, subject: &MeasuredFunction, tallies: Vec<Tally>) {
        let name = subject.function.name;
        self.functions.retain(|entry| entry.name != name);
        for (one, counted) in subject.measurements.iter().zip(tallies) {
            let format = subject.function.format;
            // Mostly both readings have the same first example.
            let in_units = counted.in_units.as_ref().and_then(|beyond| beyond.first.as_ref());
            let in_units = in_units.filter(|&first| counted.first.as_ref() != Some(first));
            let examples = [&counted.worst, &counted.first].into_iter().flatten();
            let shown = examples
                .chain(in_units)
                .map(|example| show(format, subject.function.arity, example))
                .collect();
            self.functions.push(FunctionRecord {
                name: name.into(),
                under: one.under.iter().map(|(setting, target)| format!("{setting} {target}")).collect(),
                approximations: one.approximations.clone(),
                way: one.way().map(Into::into),
                documented: one.documented.says.into(),
                inputs: subject.inputs.chosen(),
                exhaustive: subject.inputs.is_all(),
                flush: one.flush,
                counted,
                shown,
            });
        }
    }
}

/// Writes out an example for people: its operands, its result, the correctly rounded result, and the error.
fn show(format: &Format, arity: u32, example: &Example) -> String {
    let shown = |bits: u64| {
        let shown = format.show(bits);
        format!("{} ({})", shown.hex(), shown.decimal())
    };
    let operands: Vec<String> =
        example.operands.iter().take(arity as usize).map(|&bits| shown(bits)).collect();
    format!(
        "{} → {}, correctly rounded {}: {} numbers apart, {:.4} ulp from the exact value",
        operands.join(", "),
        shown(example.result),
        shown(example.nearest),
        example.distance,
        example.error
    )
}
