//! Explains the stages of the staged model in one lane, as text.

use std::fmt::Write;

use anyhow::Result;
use isa::{Rounding, Scaling, Variant};
use model::{Cutting, Drawn, ExactValue, ExplainedStages, Model};

use super::changes::change;
use super::exact::{exact_result, exact_value};
use super::reason::reason;
use super::roundings::words;

/// Appends what the staged model does with one lane, step by step, and returns the lane's first result.
pub fn lane(text: &mut String, variant: &Variant, lane: usize, inputs: &[u64]) -> Result<u64> {
    let explained = Model::new(variant, None).explain(lane, inputs);
    flushed_inputs(text, variant, inputs, &explained.flushed)?;
    if explained.out_of_bounds {
        writeln!(text, "  forced    an input is the out-of-bounds NaN: the result is +0")?;
    }
    if let Some((index, becomes)) = explained.converted {
        let format = variant.outputs()[0].format;
        let (number, becomes) = (index + 1, exact_value(becomes));
        writeln!(text, "  converted input {number} is rounded to {format:?} before: {becomes}")?;
    }
    let format = variant.meaning().accumulator.unwrap_or(variant.outputs()[0].format);
    for (sum, terms) in explained.sums.iter().zip(["a + b", "that + c"]) {
        writeln!(text, "  sum       {terms}, rounded to {format:?}: {}", exact_value(*sum))?;
    }
    if let Some(exact) = explained.exact {
        scaling(text, variant, inputs)?;
        writeln!(text, "  exact     {}", exact_result(exact, explained.is_whole))?;
        if explained.unsigned {
            writeln!(text, "  magnitude the result has no sign: that of the number is left out")?;
        }
    }
    rounding(text, variant, &explained)?;
    for step in &explained.changes {
        let (label, words) = change(variant, step);
        writeln!(text, "  {label:9} {words}")?;
    }
    if let Some(reason) =
        reason(variant, inputs, &explained.flushed).filter(|_| !explained.out_of_bounds)
    {
        writeln!(text, "  reason    {reason}")?;
    }
    for (&bits, data) in explained.results.iter().zip(variant.outputs()) {
        let shown = data.format.show(bits);
        writeln!(text, "  result    {}  {}  {}", shown.hex(), shown.decimal(), shown.fields())?;
    }
    Ok(explained.results[0])
}

/// Appends a line for each input of a lane that is flushed.
pub fn flushed_inputs(
    text: &mut String,
    variant: &Variant,
    inputs: &[u64],
    flushed: &[bool],
) -> Result<()> {
    for (index, _) in flushed.iter().enumerate().filter(|(_, flushed)| **flushed) {
        let shown = variant.inputs()[index].format.show(inputs[index]);
        let number = index + 1;
        writeln!(text, "  flushed   input {number} is subnormal: {} becomes zero", shown.hex())?;
    }
    Ok(())
}

/// The line about a result that is flushed.
pub const RESULT_FLUSHED: &str =
    "  flushed   the exact result is subnormal: it becomes zero of its sign\n";

/// Appends how a power of two in the second input scales the first, if the variant has such an input.
fn scaling(text: &mut String, variant: &Variant, inputs: &[u64]) -> Result<()> {
    let Some(scaling) = variant.meaning().scale else { return Ok(()) };
    let shown = variant.inputs()[1].format.show(inputs[1]).decimal();
    let way = match scaling {
        Scaling::Multiply => "multiplied with",
        Scaling::Divide => "divided by",
    };
    writeln!(text, "  scaled    input 1 is {way} input 2, {shown}")?;
    Ok(())
}

/// Appends how a lane is rounded, or that nothing is.
fn rounding(text: &mut String, variant: &Variant, explained: &ExplainedStages) -> Result<()> {
    match explained.cutting {
        _ if explained.result_flushed => text.push_str(RESULT_FLUSHED),
        Some(cutting) => match cutting.drawn {
            Some(drawn) => by_random_bits(text, cutting, drawn)?,
            None => by_rule(text, variant.meaning().rounding, cutting)?,
        },
        None if matches!(explained.exact, Some(ExactValue::Finite { .. })) => {
            writeln!(text, "  round     nothing to round")?;
        }
        None => {}
    }
    Ok(())
}

/// Returns the `count` bits of `rest` that stand behind others, in binary; of more than 64 only how many they are.
fn behind(rest: u128, count: u32) -> String {
    match count {
        0 => String::new(),
        1..=64 => format!(" {rest:0width$b}", width = count as usize),
        _ => format!(" … ({count} bits)"),
    }
}

/// Appends how a number is rounded by its kept bits and the bits that are cut off.
fn by_rule(text: &mut String, rounding: Rounding, cutting: Cutting) -> Result<()> {
    let Cutting { kept, unit, guard, sticky, rest: (rest, count), up, .. } = cutting;
    let digit = u8::from(guard);
    writeln!(text, "  cut       {kept:b} | {digit}{} × 2^{unit}", behind(rest, count))?;
    let nearest = matches!(rounding, Rounding::NearestEven | Rounding::NearestAway);
    let size = match (guard, sticky) {
        (false, false) => "exact",
        _ if !nearest => "inexact",
        (false, true) => "less than half",
        (true, false) => "a tie",
        (true, true) => "more than half",
    };
    let way = match up {
        true => "the magnitude goes up",
        false if !guard && !sticky => "only zeros are cut off",
        false => "the bits are cut off",
    };
    let (words, sticky) = (words(rounding), u8::from(sticky));
    writeln!(text, "  round     {words}: guard {digit}, sticky {sticky}, {size}: {way}")?;
    Ok(())
}

/// Appends how a number is rounded by random bits, which are shown under the bits that are cut off.
fn by_random_bits(text: &mut String, cutting: Cutting, drawn: Drawn) -> Result<()> {
    let Cutting { kept, unit, guard, rest: (rest, behind_guard), .. } = cutting;
    let Drawn { bits, count, first } = drawn;
    let (width, cut) = (count as usize, behind_guard + 1);
    // Where fewer bits are cut off than there are random bits, zeros follow those that are cut off.
    let others = match cut.checked_sub(count) {
        Some(0) | None => String::new(),
        Some(others @ 1..=64) => {
            let all = u128::from(guard).checked_shl(behind_guard).unwrap_or(0) | rest;
            behind(all & ((1 << others) - 1), others)
        }
        Some(others) => behind(0, others),
    };
    let kept = format!("{kept:b}");
    let before = " ".repeat(kept.len());
    writeln!(text, "  cut       {kept} | {first:0width$b}{others} × 2^{unit}")?;
    writeln!(text, "  random    {before}   {bits:0width$b} the {count} random bits of this lane")?;
    let (carry, low) = (drawn.sum() >> count, drawn.sum() & ((1 << count) - 1));
    let carries = if carry == 0 { "no carry" } else { "a carry" };
    writeln!(text, "  sum       {before} {carry} {low:0width$b} {carries} into the bits that are kept")?;
    let way = if carry == 0 { "the bits are cut off" } else { "the magnitude goes up" };
    writeln!(text, "  round     by random bits: {carries}: {way}")?;
    Ok(())
}
