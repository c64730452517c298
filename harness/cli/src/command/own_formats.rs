//! The option `--format` of commands that take formats of users: what standard output is written as, or formats that
//! casts get.

use std::fs::File;
use std::io::Read;

use anyhow::{Result, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use formats::{DEFINITION_HELP, Definition};

/// Number of bytes of the largest file of definitions.
const FILE_MAX: u64 = 1 << 16;

/// A value of `--format`.
#[derive(Clone, Debug)]
pub enum FormatWord<F> {
    /// The format of what the command writes.
    Output(F),
    /// Formats of numbers, which casts get.
    Own(Vec<Definition>),
}

/// The formats of the output of a command that has one.
#[derive(Clone, Copy, Debug)]
pub enum Nothing {}

impl ValueEnum for Nothing {
    fn value_variants<'a>() -> &'a [Nothing] {
        &[]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match *self {}
    }
}

/// The long help of definitions as values of `--format`. A sentence that names the values stands before it.
pub const OWN_FORMATS: &str = "\
A description adds a number format that the suite does not have; the suite then has casts to this format and from it. \
May be repeated, for up to 16 formats; @FILE reads descriptions from a file, one in each line.

  NAME=eXmY           a sign, X exponent and Y significand bits; names of variants
                      contain NAME, such as cast.rn.NAME.f32 [default name: eXmY,
                      with a suffix for each thing that differs from IEEE 754]
  NAME=ueXmY          the same without a sign; ueXm0 has only powers of two
  ,bias=N             the bias of the exponent [default: 2^(X-1) - 1]
  ,nan=ieee           infinities and NaNs where all exponent bits are ones [default]
  ,nan=all-ones       NaN where all bits but the sign are ones, and no infinity
  ,nan=negative-zero  NaN instead of -0, and no infinity
  ,nan=none           all encodings are numbers
  ,infinity=no        states that the format has no infinity; refused if the nan= rule
                      gives it infinities
  ,negative-zero=no   states that the format has no -0; refused if the nan= rule gives it
                      a -0; if nan= is not written, selects nan=negative-zero

With =yes in place of =no, the last two words state the opposite. \
A format has 2 to 16 bits, 2 to 10 of them exponent bits; with a sign, it also has at least one significand bit. \
The number 1 must be one of its normal numbers. Example: \
--format 'mine=e4m3,bias=11,nan=negative-zero'. \
Casts to the format are from f64, f32, f16, bf16, u8, s8, s32 and s64, in the usual roundings, with .satfinite and \
without. Casts from the format give f64, f32, f16 and bf16.";

/// Reads a value of `--format`.
///
/// # Errors
/// If the text is neither a format of the output nor a definition, or a file cannot be read.
pub fn word<F: ValueEnum>(text: &str) -> Result<FormatWord<F>, String> {
    if let Ok(output) = F::from_str(text, false) {
        return Ok(FormatWord::Output(output));
    }
    if let Some(path) = text.strip_prefix('@') {
        return from_file(path).map(FormatWord::Own);
    }
    let outputs = F::value_variants().iter().filter_map(F::to_possible_value);
    let outputs: Vec<String> = outputs.map(|value| format!("`{}`", value.get_name())).collect();
    match text.parse::<Definition>() {
        Ok(definition) => Ok(FormatWord::Own(vec![definition])),
        // What has no digit may be a slip in the word of an output.
        Err(_) if !outputs.is_empty() && !text.contains(|letter: char| letter.is_ascii_digit()) => Err(
            format!("write {}, @FILE, or a format of numbers: {DEFINITION_HELP}", outputs.join(", ")),
        ),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads definitions from a file: one a line, without empty lines and those that begin with `#`.
fn from_file(path: &str) -> Result<Vec<Definition>, String> {
    let mut text = String::new();
    let file = File::open(path).map_err(|error| format!("{path} cannot be opened: {error}"))?;
    let read = file.take(FILE_MAX + 1).read_to_string(&mut text);
    read.map_err(|error| format!("{path} cannot be read as text: {error}"))?;
    if text.len() as u64 > FILE_MAX {
        return Err(format!("{path} has more than {FILE_MAX} bytes: write one definition a line"));
    }
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(number, line): (usize, &str)| {
        line.parse::<Definition>().map_err(|error| format!("{path}, line {number}: {error}"))
    };
    lines.map(read).collect()
}

/// Returns the format of the output that was named last, or `default`.
pub fn output<F: Copy>(words: &[FormatWord<F>], default: F) -> F {
    let named = words.iter().rev().find_map(|word| match word {
        FormatWord::Output(output) => Some(*output),
        FormatWord::Own(_) => None,
    });
    named.unwrap_or(default)
}

/// Defines the formats of the command line. It has to be called before anything is asked of the table.
///
/// # Errors
/// If a name is taken, or there are too many.
pub fn define<F>(words: &[FormatWord<F>]) -> Result<()> {
    Ok(isa::define_formats(&definitions(words))?)
}

/// Defines the formats of a report, or those of the command line if it has any.
///
/// # Errors
/// If the report has others than the command line, or as [`define`].
pub fn define_as_in<F>(words: &[FormatWord<F>], report: &[String]) -> Result<()> {
    let given = definitions(words);
    let known = report.iter().map(|text| text.parse()).collect::<Result<Vec<Definition>, _>>();
    let known = known.map_err(|error| anyhow::anyhow!("the report's formats: {error}"))?;
    if !given.is_empty() && !known.is_empty() && given != known {
        bail!("the report has formats of its own, which are not those of --format: leave --format out");
    }
    let all = if known.is_empty() { given } else { known };
    Ok(isa::define_formats(&all)?)
}

fn definitions<F>(words: &[FormatWord<F>]) -> Vec<Definition> {
    let own = words.iter().filter_map(|word| match word {
        FormatWord::Output(_) => None,
        FormatWord::Own(definitions) => Some(definitions),
    });
    own.flatten().cloned().collect()
}
