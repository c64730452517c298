#![doc = include_str!("../README.md")]

mod approximate;
mod changes;
mod exact;
mod matrix;
mod numbers;
mod reason;
mod roundings;
mod stages;
mod steps;

use std::fmt::{Display, Write};

use anyhow::{Result, anyhow, bail};
use faults::Mutation;
use formats::{Column, RowBits, RowError, column};
use isa::{Register, Variant, columns_for, results_for};
use judge::{Batch, Judge, Truth};
use model::Model;
use oracle::Oracle;
use reports::excerpt;
use selection::subject::Subject;

pub use steps::steps;

/// Returns the page about one vector: the operands as numbers, the exact result, how the result is rounded, flushed and
/// clamped, and the results that common mistakes would give. The second result is notes on operands that were rounded.
///
/// # Errors
/// If there is no variant of that name, or an operand cannot be read.
pub fn page(variant: &str, operands: &[String]) -> Result<(String, Vec<String>)> {
    let variant = match Subject::named(variant)? {
        Subject::Variant(variant) => variant,
        Subject::Matrix(variant) => return Ok((matrix::page(variant, operands)?, Vec::new())),
    };
    let (bits, notes) = numbers::as_bits(variant, operands)?;
    let page = Page::new(variant, &self::operands(variant, &bits)?);
    Ok((page.asked()? + &page.mutants()?, notes))
}

/// Returns what PTX asks of the operands of a vector, step by step, without what wrong models give. Returns `None`
/// if there is no such variant, or an operand cannot be read.
pub fn asked(variant: &str, bits: &[String]) -> Option<String> {
    let variant = match Subject::named(variant).ok()? {
        Subject::Variant(variant) => variant,
        Subject::Matrix(variant) => return matrix::page(variant, bits).ok(),
    };
    Page::new(variant, &operands(variant, bits).ok()?).asked().ok()
}

/// Reads the operands of a variant from the command line: their bits in hexadecimal, in the manual's order.
fn operands(variant: &Variant, bits: &[String]) -> Result<Vec<RowBits>> {
    let registers = variant.operands().iter();
    let registers: Vec<_> = registers.map(|r| (r.name, r.ty.to_string(), r.ty.row_bytes())).collect();
    in_order(variant, &registers, bits)
}

/// Reads operands from the command line, in the order of `registers`: the name, type and number of bytes of each.
///
/// # Errors
/// If there are more or fewer texts than registers, or one is no hexadecimal number or too wide for its register.
fn in_order(
    variant: impl Display,
    registers: &[(&str, String, usize)],
    texts: &[String],
) -> Result<Vec<RowBits>> {
    if texts.len() != registers.len() {
        let wanted: Vec<String> =
            registers.iter().map(|(name, ty, _)| format!("{name} ({ty})")).collect();
        bail!(
            "{variant} takes {} operands, not {}: {}",
            registers.len(),
            texts.len(),
            wanted.join(", ")
        );
    }
    let operand = |((name, ty, row_bytes), text): (&(&str, String, usize), &String)| {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let text = excerpt(text);
        RowBits::from_hex(digits, *row_bytes).map_err(|error| match error {
            RowError::NoNumber => {
                anyhow!("`{text}` is not hexadecimal: write the bits of {name}, like 0x3c00")
            }
            RowError::TooWide(bits) => {
                anyhow!("`{text}` does not fit into the {bits} bits of {name} ({ty})")
            }
            error => anyhow!("`{text}` is no operand for {name} ({ty}): {error}"),
        })
    };
    registers.iter().zip(texts).map(operand).collect()
}

/// The explanation of one vector.
struct Page<'a> {
    variant: &'a Variant,
    operands: Vec<Column>,
    truth: Truth,
}

impl Page<'_> {
    /// Makes the page of a vector, with what the oracle expects of it.
    fn new<'a>(variant: &'a Variant, operands: &[RowBits]) -> Page<'a> {
        let mut columns = columns_for(variant, 1);
        column::set_row_bits(&mut columns, 0, operands);
        Page::of_columns(variant, columns)
    }

    /// Makes the page of a vector whose operands are the only rows of `columns`.
    fn of_columns(variant: &Variant, columns: Vec<Column>) -> Page<'_> {
        let mut truth = Truth::new(variant);
        Oracle::new(variant).expect(&columns, &mut truth);
        Page { variant, operands: columns, truth }
    }

    /// Returns what PTX asks of the vector: its operands, the steps or bounds, and every result that is right.
    fn asked(&self) -> Result<String> {
        let mut text = format!("{}\n", self.variant);
        registers(&mut text, self.variant.operands(), &self.operands)?;
        if Model::covers(self.variant) {
            self.stages(&mut text)?;
        } else {
            self.bounds(&mut text)?;
        }
        registers(&mut text, self.variant.results(), &self.truth.results)?;
        self.accepted(&mut text)?;
        Ok(text)
    }

    /// Returns the inputs of each lane, as bits.
    fn lanes(&self) -> Vec<Vec<u64>> {
        let lanes = self.variant.lanes();
        let mut inputs = vec![Vec::new(); lanes];
        for data in self.variant.inputs() {
            let mut elements = vec![0u64; lanes];
            data.gather(self.variant.operands(), &self.operands, 0..1, &mut elements);
            inputs.iter_mut().zip(elements).for_each(|(of_lane, bits)| of_lane.push(bits));
        }
        inputs
    }

    /// Appends what the staged model does with each lane, step by step.
    fn stages(&self, text: &mut String) -> Result<()> {
        let lanes = self.lanes();
        for (lane, inputs) in lanes.iter().enumerate() {
            if lanes.len() > 1 {
                writeln!(text, "lane {lane}")?;
            }
            let threads = self.variant.in_turn().filter(|_| self.variant.is_of_two_threads());
            let (Some(one), &[word, first, second]) = (threads, &inputs[..]) else {
                stages::lane(text, self.variant, lane, inputs)?;
                continue;
            };
            writeln!(text, "  thread    the one with b: {one}")?;
            let word = stages::lane(text, one, lane, &[word, first])?;
            writeln!(text, "  thread    then the one with c")?;
            stages::lane(text, one, lane, &[word, second])?;
        }
        Ok(())
    }

    /// Appends what is promised of an approximation, lane by lane.
    fn bounds(&self, text: &mut String) -> Result<()> {
        let lanes = self.lanes();
        for (lane, inputs) in lanes.iter().enumerate() {
            if lanes.len() > 1 {
                writeln!(text, "lane {lane}")?;
            }
            approximate::lane(text, self.variant, inputs)?;
        }
        Ok(())
    }

    /// Whether the judge accepts `results` for the operands of this page.
    fn accepts(&self, results: &[Column]) -> bool {
        Judge::new(self.variant).wrong_rows(&self.truth, Batch::new(&self.operands, results)).is_empty()
    }

    /// Appends every other result that is right, one line each.
    fn accepted(&self, text: &mut String) -> Result<()> {
        let batch = Batch::new(&self.operands, &self.truth.results);
        for other in Judge::new(self.variant).describe(&self.truth, batch, 0).accepted {
            writeln!(text, "  or        {other}")?;
        }
        Ok(())
    }

    /// Returns the results of the wrong models, one line for each that gives another result than the expected one.
    fn mutants(&self) -> Result<String> {
        let mut others = Vec::new();
        for mutation in Mutation::of(self.variant) {
            let mut results = results_for(self.variant, 1);
            match mutation {
                Mutation::Stage(fault) => {
                    Model::new(self.variant, fault).run(&self.operands, &mut results);
                }
                Mutation::Localized(fault) => {
                    fault.inject(self.variant, &self.operands, &self.truth, &mut results);
                }
            }
            if results != self.truth.results {
                let registers = self.variant.results().iter().zip(&results);
                let bits: Vec<String> = registers.map(|(r, column)| r.ty.hex(column.get(0))).collect();
                let right = if self.accepts(&results) { " (accepted)" } else { "" };
                others.push((bits.join(" "), mutation.id(), mutation.words(), right));
            }
        }
        if others.is_empty() {
            return Ok("No wrong model that the suite knows gives another result.\n".into());
        }
        let mut text = "Results of wrong models:\n".to_owned();
        let width = others.iter().map(|(_, id, ..)| id.len()).max().unwrap_or(0);
        for (bits, id, words, right) in others {
            writeln!(text, "  {bits}  {id:width$}  {words}{right}")?;
        }
        Ok(text)
    }
}

/// Appends registers, each in hexadecimal and decoded lane by lane.
fn registers(text: &mut String, registers: &[Register], columns: &[Column]) -> Result<()> {
    for (register, column) in registers.iter().zip(columns) {
        let (bits, ty) = (column.get(0), &register.ty);
        write!(text, "  {:8}  {:7} {}", register.name, ty.to_string(), ty.hex(bits))?;
        for lane in 0..ty.lanes {
            let shown = ty.format.show(ty.lane(bits, lane));
            let indent = if ty.lanes > 1 {
                format!("\n{:14}lane {lane}: {}", "", shown.hex())
            } else {
                String::new()
            };
            write!(text, "{indent}  {}  {}", shown.decimal(), shown.fields())?;
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    Ok(())
}
