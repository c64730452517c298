//! Explains one lane of an approximation, as text.

use std::fmt::Write;

use anyhow::Result;
use isa::{Bound, Variant};

use super::stages::{RESULT_FLUSHED, flushed_inputs};

/// Appends the exact value of one lane, what is flushed, and what is promised. Appends nothing if the variant's
/// contract is no bound.
pub fn lane(text: &mut String, variant: &Variant, inputs: &[u64]) -> Result<()> {
    let Some(told) = oracle::describe_element(variant, inputs) else { return Ok(()) };
    flushed_inputs(text, variant, inputs, &told.flushed)?;
    if told.cut {
        writeln!(text, "  cut       the lower 32 bits of the input do not count")?;
    }
    let bits = oracle::precision(variant.outputs()[0].format);
    let source = match told.by_table {
        true => "the manual's table of special inputs".into(),
        false => format!("MPFR, {bits} bits, shown as f64"),
    };
    writeln!(text, "  exact     {:e} ({source})", told.exact)?;
    if let Some(promise) = &told.promise {
        let label = if promise.range.bound == Bound::Zero { "demanded" } else { "bound" };
        writeln!(text, "  {label:9} {promise}")?;
    }
    if told.result_flushed {
        text.push_str(RESULT_FLUSHED);
    }
    Ok(())
}
