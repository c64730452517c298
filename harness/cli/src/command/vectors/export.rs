//! `conformance vectors export`: writes vectors of a sweep with the results that are expected, for other tools.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use base::terminal;
use clap::{Args, ValueEnum};
use formats::Column;
use isa::{Register, Variant, columns_for};
use judge::Truth;
use oracle::Oracle;
use reports::{counted, wrapped, write_atomically_with};
use serde::Serialize;
use sweeps::{Length, Sweep};

use super::{sweep_of, sweeps_of};
use crate::command::options::Seed;
use crate::command::own_formats::{self, FormatWord, OWN_FORMATS};
use crate::command::{AGREE, Ending, make_directory, print, print_line};

/// Write operands and expected results of an instruction to files.
///
/// Exit code: 0 on success; 2 if there is no such variant or sweep, or a file cannot be written.
#[derive(Args)]
pub struct Arguments {
    /// Variant of an instruction, such as `fma.rn.f16`.
    variant: String,
    /// Sweep that the vectors are taken from; --list prints those of the variant [default: boundary].
    #[arg(long, value_name = "NAME")]
    sweep: Option<String>,
    /// Print the sweeps of the variant, with their numbers of vectors and what each is for, and write nothing.
    #[arg(long)]
    list: bool,
    /// Number of the first vector; counting starts at 0 [default: 0].
    #[arg(long, value_name = "N")]
    first: Option<u64>,
    /// Take every Nth vector [default: 1; without --sweep and --first, the step that spreads the vectors over
    /// the whole sweep].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    step: Option<u64>,
    /// Number of vectors, at most 16,777,216; fewer if the sweep ends.
    #[arg(long, value_name = "N", default_value = "65536")]
    count: u64,
    #[command(flatten)]
    seed: Seed,
    /// Format of the files, `json`, `testfloat` or `raw` [default: json]; or a number format of your own, for casts,
    /// such as `mine=e5m10,bias=15`, or `@FILE` with several; --help explains the form. May be repeated.
    #[arg(long = "format", value_name = "FORMAT", value_parser = own_formats::word::<Format>)]
    #[arg(long_help = format!("{FILES}\n\n{OWN_FORMATS}"))]
    formats: Vec<FormatWord<Format>>,
    /// Directory of the files.
    #[arg(long, value_name = "DIR", default_value = "target/vectors")]
    out: PathBuf,
}

/// The long help of the formats of files.
const FILES: &str = "\
Format of the files, one of the following [default: json]; or a description of a number format of your own.

  json       one object: a header, and for each vector its operands and results in hexadecimal
  testfloat  a line for each vector, as in Berkeley TestFloat: operands, then results, in hexadecimal, without exception
             flags, because PTX does not have them
  raw        a little-endian binary file for each operand and result, and a JSON header";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// JSON, one object: a header, and for each vector its operands and results in hexadecimal.
    Json,
    /// A line for each vector, as in Berkeley TestFloat: operands, then results, in hexadecimal. Exception flags
    /// are left out, because PTX does not have them.
    Testfloat,
    /// A little-endian binary file for each operand and result, and a JSON header.
    Raw,
}

/// The header of an export: the variant, the sweep and which of its vectors, and the registers that they fill.
#[derive(Serialize)]
struct Header<'a> {
    variant: &'a str,
    sweep: &'a str,
    seed: String,
    first: u64,
    /// The distance from the number of one vector to that of the next, where it is more than 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u64>,
    count: usize,
    operands: Vec<Named<'a>>,
    results: Vec<Named<'a>>,
    /// The names of the choices that the manual leaves open for the variant. Rows of which more than one result, or
    /// any NaN, is accepted are exported all the same.
    open: Vec<&'static str>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    bytes: usize,
}

/// The largest number of vectors that are written at once: they are held in memory.
const COUNT_MAX: u64 = 1 << 24;

/// The sweep of an export that names none.
const DEFAULT: &str = "boundary";

/// The vectors of a sweep that are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chosen {
    /// The number of the first one.
    first: u64,
    /// The distance from one number to the next.
    step: u64,
    /// How many there are.
    count: u64,
}

impl Chosen {
    /// Returns the vectors that a command line asks for, of a sweep that has `length`.
    fn of(arguments: &Arguments, length: u64) -> Chosen {
        let first = arguments.first.unwrap_or(0);
        let is_free = arguments.sweep.is_none() && arguments.first.is_none();
        let step = match arguments.step {
            Some(step) => step,
            None if is_free => spread(length, arguments.count),
            None => 1,
        };
        let count = arguments.count.min(length.saturating_sub(first).div_ceil(step));
        Chosen { first, step, count }
    }

    /// Writes the vectors into the columns of a variant's operands.
    fn fill(self, sweep: &Sweep, variant: &Variant, seed: u64, operands: &mut [Column]) {
        if self.step == 1 {
            return sweep.fill(variant, seed, self.first, operands);
        }
        let mut one = columns_for(variant, 1);
        for row in 0..self.count {
            sweep.fill(variant, seed, self.first + row * self.step, &mut one);
            for (column, of_one) in operands.iter_mut().zip(&one) {
                column.row_bytes_of_mut(row as usize).copy_from_slice(of_one.bytes());
            }
        }
    }
}

/// Returns the distance at which `count` vectors are from all over a sweep of `length`.
///
/// A sweep that crosses tables of operands has the last operand as the last digit of a vector's number. A distance
/// without a common factor with the length meets every value of every operand equally often.
fn spread(length: u64, count: u64) -> u64 {
    let most = length / count.max(1);
    let is_coprime = |step: &u64| {
        let (mut a, mut b) = (length, *step);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    (1..=most).rev().find(is_coprime).unwrap_or(1)
}

/// Runs `conformance vectors export`.
pub fn run(arguments: &Arguments) -> Ending {
    own_formats::define(&arguments.formats)?;
    let variant: Variant = arguments.variant.parse()?;
    if arguments.list {
        print(&list(&variant))?;
        return Ok(ExitCode::from(AGREE));
    }
    let name = arguments.sweep.as_deref().unwrap_or(DEFAULT);
    let (sweep, length) = sweep_of(&variant, name)?;
    let chosen = Chosen::of(arguments, length);
    let count = chosen.count;
    if count == 0 || count > COUNT_MAX {
        bail!(
            "--count and --first select {count} vectors from number {} on, and 1 to {COUNT_MAX} can be \
             written",
            chosen.first
        );
    }
    let mut operands = columns_for(&variant, count as usize);
    chosen.fill(sweep, &variant, arguments.seed.number(), &mut operands);
    let mut truth = Truth::new(&variant);
    Oracle::new(&variant).expect(&operands, &mut truth);
    let path = write(arguments, (sweep, chosen), &variant, &operands, &truth)?;
    print_line(&format!("{count} vectors of {variant}: {}", path.display()))?;
    Ok(ExitCode::from(AGREE))
}

/// Lists the sweeps of a variant: a line with the name and the number of vectors, and below it what they are for.
fn list(variant: &Variant) -> String {
    let mut text = String::new();
    for sweep in sweeps_of(variant) {
        let vectors = match sweep.length(variant) {
            Length::Endless => "as many vectors as asked for".to_owned(),
            length => counted(length.at_most(u64::MAX), "vector"),
        };
        text += &format!("{}: {vectors}\n", sweep.name);
        text += &wrapped(sweep.targets, 2, terminal::columns());
    }
    text
}

/// Returns the names, types and widths of registers, in their order.
fn named(registers: &[Register]) -> Vec<Named<'_>> {
    let named = |register: &'_ Register| (register.name, register.ty.name, register.ty.row_bytes());
    registers.iter().map(named).map(|(name, ty, bytes)| Named { name, ty, bytes }).collect()
}

/// Writes the files of an export, and returns the path of the one that has the header, or all of it.
fn write(
    arguments: &Arguments,
    (sweep, chosen): (&Sweep, Chosen),
    variant: &Variant,
    operands: &[Column],
    truth: &Truth,
) -> Result<PathBuf> {
    let out = &arguments.out;
    make_directory(out)?;
    let stem = out.join(format!("{variant}.{}", sweep.name));
    let header = Header {
        variant: variant.text(),
        sweep: sweep.name,
        seed: format!("{:#x}", arguments.seed.number()),
        first: chosen.first,
        step: (chosen.step > 1).then_some(chosen.step),
        count: operands[0].rows(),
        operands: named(variant.operands()),
        results: named(variant.results()),
        open: variant.relaxations().map(|relaxation| relaxation.name()).collect(),
    };
    let with = |extension: &str| PathBuf::from(format!("{}.{extension}", stem.display()));
    match own_formats::output(&arguments.formats, Format::Json) {
        Format::Json => {
            let path = with("json");
            write_atomically_with(&path, |to| json(to, &header, operands, &truth.results))?;
            Ok(path)
        }
        Format::Testfloat => {
            let path = with("txt");
            write_atomically_with(&path, |to| {
                (0..operands[0].rows()).try_for_each(|row| {
                    let columns = operands.iter().chain(&truth.results);
                    writeln!(to, "{}", columns.map(|c| hex(c, row)).collect::<Vec<_>>().join(" "))
                })
            })?;
            Ok(path)
        }
        Format::Raw => {
            let of = |columns: &[Column], registers: &[Register]| {
                columns.iter().zip(registers).try_for_each(|(column, register)| {
                    write_atomically_with(&with(&format!("{}.bin", register.name)), |to| {
                        to.write_all(column.bytes())
                    })
                })
            };
            of(operands, variant.operands())?;
            of(&truth.results, variant.results())?;
            let path = with("json");
            write_atomically_with(&path, |to| Ok(serde_json::to_writer_pretty(to, &header)?))?;
            Ok(path)
        }
    }
}

/// Returns a row of a register in hexadecimal, at the register's full width and without `0x`.
fn hex(column: &Column, row: usize) -> String {
    let digits = 2 * column.row_bytes();
    format!("{:0digits$x}", column.get(row))
}

/// Writes the header and then each vector as one object of JSON, a vector a line.
fn json(
    to: &mut dyn Write,
    header: &Header,
    operands: &[Column],
    results: &[Column],
) -> std::io::Result<()> {
    let quoted = |columns: &[Column], row| {
        let each = columns.iter().map(|column| format!("\"0x{}\"", hex(column, row)));
        each.collect::<Vec<_>>().join(",")
    };
    write!(to, "{{\"header\":{},\n\"vectors\":[", serde_json::to_string(header)?)?;
    for row in 0..header.count {
        let comma = if row == 0 { "" } else { "," };
        write!(to, "{comma}\n[[{}],[{}]]", quoted(operands, row), quoted(results, row))?;
    }
    writeln!(to, "\n]}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_from_all_over_a_sweep_and_of_all_its_operands() {
        // Of 60³ vectors, 100 at a distance of 2,160 would have the last operand in common.
        assert_eq!(spread(216_000, 100), 2_159);
        assert_eq!([spread(100, 100), spread(100, 1_000), spread(0, 5)], [1, 1, 1]);
        // The largest such distance is near.
        assert!((1 << 48) - 100 < spread(u64::MAX, 1 << 16));
    }
}
