//! Shows what the code does on a vector that it gets wrong, instruction by instruction.

use anyhow::{Context, Result};
use formats::RowBits;
use implementations::code::Code;
use isa::{Variant, columns_for};
use reports::{Class, Report};

/// The most instructions that are shown.
const SHOWN: usize = 40;

/// Returns, in words, the instructions that the code executes on the simplest vector of the first class, with the
/// registers that they set; nothing if no result is wrong.
///
/// # Errors
/// If the report's operands cannot be read.
pub fn text(report: &Report, code: &Code, shape: &'static Variant) -> Result<String> {
    let mut classes = report.variants.iter().flat_map(|variant| &variant.classes);
    let shown = |class: &Class| class.simplest.clone().or(class.examples.first().cloned());
    let Some(example) = classes.find_map(shown) else { return Ok(String::new()) };
    let mut operands = columns_for(shape, 1);
    let mut named = Vec::new();
    for (column, datum) in operands.iter_mut().zip(&example.operands) {
        let digits = datum.bits.strip_prefix("0x").unwrap_or(&datum.bits);
        let bits =
            u64::from_str_radix(digits, 16).context("the report has an operand that is no number")?;
        column.set_row_bits(0, &RowBits::from(bits));
        named.push(format!("{} = {}", datum.name, datum.bits));
    }
    let steps = code.trace(shape, &operands, SHOWN);
    let mut text = format!("What the code does for {}:\n", named.join(", "));
    let mut function = None;
    for step in &steps {
        if function.is_some_and(|function| function != &step.function) {
            text += &format!("  in `{}`\n", step.function);
        }
        function = Some(&step.function);
        text += &format!("  {step}\n");
    }
    if steps.len() == SHOWN {
        text += &format!("  … (the first {SHOWN} instructions)\n");
    }
    Ok(text)
}
