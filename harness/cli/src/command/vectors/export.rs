//! `conformance vectors export`: writes vectors of a sweep with the results that are expected, for other tools.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use formats::Column;
use isa::{Register, Variant, columns_for};
use judge::Truth;
use oracle::Oracle;
use serde::Serialize;

use super::sweep_of;
use crate::command::options::Seed;
use crate::command::own_formats::{self, FormatWord, OWN_FORMATS};
use crate::command::{AGREE, Ending, make_directory, print_line};

/// Write operands and expected results of an instruction to files.
///
/// Exit code: 0 on success; 2 if there is no such variant or sweep, or a file cannot be written.
#[derive(Args)]
pub struct Arguments {
    /// Variant of an instruction, such as `fma.rn.f16`.
    variant: String,
    /// Sweep that the vectors are taken from. With a name that no sweep has, the command lists all sweeps.
    #[arg(long, value_name = "NAME", default_value = "boundary")]
    sweep: String,
    /// Number of the first vector; counting starts at 0.
    #[arg(long, value_name = "N", default_value = "0")]
    first: u64,
    /// Number of vectors, at most 16,777,216; fewer if the sweep ends.
    #[arg(long, value_name = "N", default_value = "65536")]
    count: u64,
    #[command(flatten)]
    seed: Seed,
    /// Format of the files, `json`, `testfloat` or `raw` [default: json]; or a format of numbers that casts get, such
    /// as `mine=e5m10,bias=15`, or `@FILE` with several; --help has the words. May be repeated.
    #[arg(long = "format", value_name = "FORMAT", value_parser = own_formats::word::<Format>)]
    #[arg(long_help = format!("{FILES}\n\n{OWN_FORMATS}"))]
    formats: Vec<FormatWord<Format>>,
    /// Directory of the files.
    #[arg(long, value_name = "DIR", default_value = "target/vectors")]
    out: PathBuf,
}

/// The long help of the formats of files.
const FILES: &str = "\
Format of the files [default: json]:

  json       one object: a header, and for each vector its operands and results in hexadecimal
  testfloat  a line for each vector, as in Berkeley TestFloat: operands, then results, in hexadecimal, without exception
             flags, because PTX does not have them
  raw        a little-endian binary file for each operand and result, and a JSON header

or:";

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

/// Runs `conformance vectors export`.
pub fn run(arguments: &Arguments) -> Ending {
    own_formats::define(&arguments.formats)?;
    let variant: Variant = arguments.variant.parse()?;
    let (sweep, length) = sweep_of(&variant, &arguments.sweep)?;
    let count = arguments.count.min(length.saturating_sub(arguments.first));
    if count == 0 || count > COUNT_MAX {
        bail!(
            "--count and --first select {count} vectors from number {} on, and 1 to {COUNT_MAX} can be \
             written",
            arguments.first
        );
    }
    let mut operands = columns_for(&variant, count as usize);
    sweep.fill(&variant, arguments.seed.seed, arguments.first, &mut operands);
    let mut truth = Truth::new(&variant);
    Oracle::new(&variant).expect(&operands, &mut truth);
    let path = write(arguments, &variant, &operands, &truth)?;
    print_line(&format!("{count} vectors of {variant}: {}", path.display()))?;
    Ok(ExitCode::from(AGREE))
}

/// Returns the names, types and widths of registers, in their order.
fn named(registers: &[Register]) -> Vec<Named<'_>> {
    let named = |register: &'_ Register| (register.name, register.ty.name, register.ty.row_bytes());
    registers.iter().map(named).map(|(name, ty, bytes)| Named { name, ty, bytes }).collect()
}

/// Writes the files of an export, and returns the path of the one that has the header, or all of it.
fn write(
    arguments: &Arguments,
    variant: &Variant,
    operands: &[Column],
    truth: &Truth,
) -> Result<PathBuf> {
    let out = &arguments.out;
    make_directory(out)?;
    let stem = out.join(format!("{variant}.{}", arguments.sweep));
    let header = Header {
        variant: variant.text(),
        sweep: &arguments.sweep,
        seed: format!("{:#x}", arguments.seed.seed),
        first: arguments.first,
        count: operands[0].rows(),
        operands: named(variant.operands()),
        results: named(variant.results()),
        open: variant.relaxations().map(|relaxation| relaxation.name()).collect(),
    };
    let with = |extension: &str| PathBuf::from(format!("{}.{extension}", stem.display()));
    match own_formats::output(&arguments.formats, Format::Json) {
        Format::Json => {
            let path = with("json");
            file(&path, |to| json(to, &header, operands, &truth.results))?;
            Ok(path)
        }
        Format::Testfloat => {
            let path = with("txt");
            file(&path, |to| {
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
                    file(&with(&format!("{}.bin", register.name)), |to| to.write_all(column.bytes()))
                })
            };
            of(operands, variant.operands())?;
            of(&truth.results, variant.results())?;
            let path = with("json");
            file(&path, |to| Ok(serde_json::to_writer_pretty(to, &header)?))?;
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

/// Creates a file, or replaces one, with what `fill` writes.
///
/// # Errors
/// If the file cannot be written.
fn file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let write = || {
        let mut to = BufWriter::new(std::fs::File::create(path)?);
        fill(&mut to)?;
        to.flush()
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}
