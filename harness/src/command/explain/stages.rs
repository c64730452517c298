//! The stages of one lane, as text.

use std::fmt::Write;

use anyhow::Result;
use model::{Cutting, ExactValue, Explained, Model};
use vectors::Variant;
use vectors::isa::{Op, Rounding};

use super::exact::exact_value;

/// What it does with one lane; gives the first result.
pub fn lane(text: &mut String, variant: &Variant, lane: usize, inputs: &[u64]) -> Result<u64> {
    let explained = Model::new(variant, None).explain(lane, inputs);
    for (index, _) in explained.flushed.iter().enumerate().filter(|(_, flushed)| **flushed) {
        let shown = variant.inputs()[index].format.show(inputs[index]);
        let number = index + 1;
        writeln!(text, "  flushed   input {number} is subnormal: {} becomes zero", shown.hex())?;
    }
    if explained.out_of_bounds {
        writeln!(text, "  forced    an input is the out-of-bounds NaN: the result is +0")?;
    }
    if let Some(exact) = explained.exact {
        let sticky = matches!(variant.meaning().op, Op::Div | Op::Rcp | Op::Sqrt);
        let note = if sticky { " (62 bits and a sticky one)" } else { "" };
        writeln!(text, "  exact     {}{note}", exact_value(exact))?;
    }
    rounding(text, variant, &explained)?;
    for (&bits, data) in explained.results.iter().zip(variant.outputs()) {
        let shown = data.format.show(bits);
        writeln!(text, "  result    {}  {}  {}", shown.hex(), shown.decimal(), shown.fields())?;
    }
    Ok(explained.results[0])
}

fn rounding(text: &mut String, variant: &Variant, explained: &Explained) -> Result<()> {
    match explained.cutting {
        _ if explained.result_flushed => {
            writeln!(text, "  flushed   the exact result is subnormal: it becomes zero of its sign")?;
        }
        Some(cutting) => {
            let Cutting { kept, unit, guard, sticky, rest: (rest, count), up } = cutting;
            let rest = match count {
                0 => String::new(),
                1..=64 => format!(" {rest:0width$b}", width = count as usize),
                _ => format!(" … ({count} bits)"),
            };
            writeln!(text, "  cut       {kept:b} | {}{rest} × 2^{unit}", u8::from(guard))?;
            let half = match (guard, sticky) {
                (false, false) => "exact",
                (false, true) => "less than half",
                (true, false) => "a tie",
                (true, true) => "more than half",
            };
            let way = if up { "the magnitude goes up" } else { "the bits are cut off" };
            writeln!(
                text,
                "  round     {}: guard {}, sticky {}, {half}: {way}",
                words(variant.meaning().rounding),
                u8::from(guard),
                u8::from(sticky)
            )?;
        }
        None if matches!(explained.exact, Some(ExactValue::Finite { .. })) => {
            writeln!(text, "  round     nothing to round")?;
        }
        None => {}
    }
    Ok(())
}

fn words(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "to nearest, ties to even",
        Rounding::NearestAway => "to nearest, ties away from zero",
        Rounding::TowardZero => "towards zero",
        Rounding::Down => "down",
        Rounding::Up => "up",
        Rounding::Stochastic => "by random bits",
    }
}
