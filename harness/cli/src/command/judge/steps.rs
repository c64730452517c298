//! Shows what the code does on a vector that it gets wrong, instruction by instruction, and where it leaves what it is
//! held to.

use anyhow::{Context, Result};
use compilers::unit::Approximation;
use formats::{Column, RowBits};
use implementations::code::TracedInstruction;
use isa::{Type, columns_for};
use reports::{Class, Report};

use super::against::Against;
use super::executed::Executed;
use super::standard::Standard;

/// The most instructions that are shown.
const SHOWN: usize = 40;
/// The most instructions in which values are looked for.
const SEARCHED: usize = 4096;

/// Returns, in words, the instructions that the code executes on the simplest vector of the first class, with the
/// registers that they set, and which values of the meaning are among these; nothing if no result is wrong.
///
/// # Errors
/// If the report's operands cannot be read.
pub fn text(
    report: &Report,
    executed: &Executed,
    standard: &Standard,
    approximation: Approximation,
) -> Result<String> {
    let shape = standard.shape();
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
    let steps = executed.code().trace(shape, &operands, SEARCHED);
    let mut text = match executed {
        Executed::Interpreted(_) => format!("What the code does for {}:\n", named.join(", ")),
        Executed::OnDevice(_) => {
            format!("What the code does for {} in the suite's interpreter:\n", named.join(", "))
        }
    };
    let mut function = None;
    for step in steps.iter().take(SHOWN) {
        if function.is_some_and(|function| function != &step.function) {
            text += &format!("  in `{}`\n", step.function);
        }
        function = Some(&step.function);
        text += &format!("  {step}\n");
    }
    if steps.len() > SHOWN {
        text += &format!("  … (the first {SHOWN} instructions)\n");
    }
    text += &match standard {
        Standard::Expressions(meaning) => {
            values_of_meaning(meaning.clone().at(approximation).steps(&operands), &steps)
        }
        Standard::Function(against) => other_function(against, &operands, &steps),
        Standard::Instruction(_) | Standard::Mathematical(_) => String::new(),
    };
    Ok(text)
}

/// Says which values that an expression computes on its way the code has in a register, and where. Of several
/// expressions, it is the one of which the code has the most.
fn values_of_meaning(
    expressions: Vec<Vec<(String, &'static Type, u64)>>,
    steps: &[TracedInstruction],
) -> String {
    let line = |(name, ty, bits): &(String, &'static Type, u64)| {
        let mask = u64::MAX >> (64 - ty.width().clamp(1, 64));
        let holder = steps.iter().find_map(|step| {
            let register = step.set.iter().find(|(_, _, value)| value & mask == bits & mask)?;
            Some(format!("{} of instruction {}", register.0, step.instruction))
        });
        let is_there = holder.is_some();
        let holder = holder.unwrap_or_else(|| "no register has it".to_owned());
        (is_there, format!("  {name} = {}: {holder}\n", ty.hex(*bits)))
    };
    let of_one = |values: &Vec<(String, &'static Type, u64)>| {
        let lines: Vec<(bool, String)> = values.iter().map(line).collect();
        let there = lines.iter().filter(|(is_there, _)| *is_there).count();
        (there, lines)
    };
    // The value of the whole expression is in the report.
    let with_steps = expressions.iter().filter(|values| values.len() > 1);
    let Some((_, lines)) = with_steps.map(of_one).max_by_key(|(there, _)| *there) else {
        return String::new();
    };
    let has_all = lines.iter().all(|(is_there, _)| *is_there);
    let lines = lines.into_iter().map(|(_, line)| line);
    let end = if has_all { "The code has all of these values, and gives another one.\n" } else { "" };
    "The values of the meaning, and where the code has them:\n".to_owned()
        + &lines.collect::<String>()
        + end
}

/// Says which value of the code is the first that another function does not compute, and the reverse.
fn other_function(against: &Against, operands: &[Column], steps: &[TracedInstruction]) -> String {
    let others = against.other().trace(against.shape(), operands, SEARCHED);
    let first = |own: &[TracedInstruction], other: &[TracedInstruction]| {
        let has = |value: u64| other.iter().flat_map(|step| &step.set).any(|(_, _, one)| *one == value);
        own.iter().find(|step| step.set.iter().any(|(_, _, value)| !has(*value))).cloned()
    };
    let name = against.name();
    let mut text = String::new();
    if let Some(step) = first(steps, &others) {
        text += &format!("The first value that {name} does not compute:\n  {step}\n");
    }
    if let Some(step) = first(&others, steps) {
        text += &format!("The first value that only {name} computes:\n  {step}\n");
    }
    if text.is_empty() {
        text =
            format!("On this vector, {name} computes the same values, and gives another one of them.\n");
    }
    text
}
