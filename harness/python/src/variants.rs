//! The instruction table for Python.

use anyhow::bail;
use formats::Format;
use isa::{Contract, LaneData, Target, Variant};
use pyo3::prelude::*;
use selection::select::Selection;
use selection::subject::Subject;
use serde_json::{Value, json};

use crate::errors::caught;
use crate::layout::Layout;

/// Returns the variant of a name.
///
/// # Errors
/// If there is none, with names that are similar; or if it is a matrix instruction, which has no lanes.
pub fn named(name: &str) -> anyhow::Result<&'static Variant> {
    match Subject::named(name)? {
        Subject::Variant(variant) => Ok(variant),
        Subject::Matrix(_) => {
            bail!("`{name}` is a matrix instruction: `ptx_conformance.mma` computes its sums")
        }
    }
}

/// Returns the names of the variants that match one of some patterns and exist on a target.
#[pyfunction]
pub fn names(only: Vec<String>, target: Option<&str>) -> PyResult<Vec<String>> {
    caught(|| {
        let target: Option<Target> = target.map(str::parse).transpose()?;
        let Selection { mut variants, .. } = Selection::of(&only, target)?;
        variants.retain(|variant| variant.available(target, None));
        Ok(variants.iter().map(|variant| variant.text().to_owned()).collect())
    })
}

/// Returns a description of a variant as JSON.
#[pyfunction]
pub fn describe(name: &str) -> PyResult<String> {
    caught(|| Ok(description(named(name)?).to_string()))
}

/// Returns what Python has to know of a variant.
fn description(variant: &'static Variant) -> Value {
    let layout = Layout::of(variant);
    let datum = |data: &LaneData, names: Vec<&str>| {
        json!({
            "names": names,
            "format": data.format.name,
            "kind": kind(data.format),
            "bits": data.format.width(),
            "shared": data.is_shared(),
        })
    };
    let inputs = variant.inputs().iter().map(|data| {
        let mut names: Vec<&str> =
            data.slots.iter().map(|slot| variant.operands()[slot.register].name).collect();
        names.dedup();
        datum(data, names)
    });
    let outputs = variant.outputs().iter().map(|data| {
        let mut names: Vec<&str> =
            data.slots.iter().map(|slot| variant.results()[slot.register].name).collect();
        names.dedup();
        datum(data, names)
    });
    let contract = match variant.form().contract {
        Contract::Exact => "exact",
        Contract::Within(_) => "within a bound",
    };
    let since = variant.form().since.iter().map(|since| {
        let targets: Vec<String> = since.targets.iter().map(Target::to_string).collect();
        json!({ "ptx": since.ptx.to_string(), "targets": targets })
    });
    json!({
        "name": variant.text(),
        "syntax": variant.form().syntax,
        "section": variant.form().section,
        "contract": contract,
        "lanes": layout.lanes,
        "inputs": inputs.collect::<Vec<_>>(),
        "outputs": outputs.collect::<Vec<_>>(),
        "since": since.collect::<Vec<_>>(),
        "open_points": variant.relaxations().map(|of| of.name()).collect::<Vec<_>>(),
    })
}

/// Returns the kind of a format's elements.
fn kind(format: &Format) -> &'static str {
    match (format.is_integer(), format.signed) {
        _ if format.width() == 1 => "predicate",
        (true, true) => "signed integer",
        (true, false) => "unsigned integer",
        (false, _) => "number",
    }
}
