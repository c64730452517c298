//! `conformance list`: prints the instructions that the suite knows, as text for people or as JSON for programs.

mod relaxations;

use std::fmt;
use std::process::ExitCode;

use anyhow::bail;
use base::terminal;
use clap::Args;
use isa::matrix::MatrixVariant;
use isa::{ParseError, PtxVersion, Since, Target, Variant};
use ptx::VersionHistory;
use selection::select::Selection;
use serde::Serialize;

use super::options::Variants;
use super::own_formats::{self, FormatWord, OWN_FORMATS};
use super::{AGREE, Ending, Format, print, print_json};

/// List the instructions that the suite knows.
///
/// Each line describes one variant: its name, its section of the PTX manual, the first PTX version that has it,
/// the GPU targets for which that version has it, and the open points of the manual that concern it. If a later
/// PTX version added targets, the line has this version and its targets, too. JSON also has the operands.
///
/// Exit code: 0 on success; 2 if nothing matches.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    variants: Variants,
    /// GPU target, such as `sm_100a`: only variants that this target has.
    #[arg(long)]
    target: Option<Target>,
    /// Version of PTX, such as `8.6`: only variants that this version has.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    ptx: Option<PtxVersion>,
    /// Format of standard output, `text` or `json` [default: text]; or a number format of your own, for casts, such as
    /// `mine=e5m10,bias=15`, or `@FILE` with several; --help explains the form. May be repeated.
    #[arg(long = "format", value_name = "FORMAT", value_parser = own_formats::word::<Format>)]
    #[arg(long_help = format!("Format of standard output, `text` or `json` [default: text]; or a description of a number format of your own.\n\n{OWN_FORMATS}"))]
    formats: Vec<FormatWord<Format>>,
    /// Instead of the variants, print the open points of the manual that concern them. For each open point, print
    /// what each interpretation means and what the manual says.
    #[arg(long)]
    relaxations: bool,
}

/// A variant, for programs.
#[derive(Serialize)]
struct Row<'a> {
    variant: &'a str,
    /// The PTX versions, each with the targets to which it brought the variant; a cast has none.
    since: Vec<Available>,
    section: &'a str,
    operands: Vec<Register>,
    results: Vec<String>,
    result_names: Vec<&'static str>,
    /// The number of products in an element of a matrix instruction's result; `None` for other instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    products: Option<u32>,
    relaxations: Vec<&'static str>,
}

/// A version of PTX, with the targets to which it brought a variant.
#[derive(Serialize)]
struct Available {
    ptx: String,
    targets: Vec<String>,
    /// Whether the variant may be older than this version: the table does not look further back.
    or_earlier: bool,
}

/// An operand of a variant, with its type.
#[derive(Serialize)]
struct Register {
    name: &'static str,
    #[serde(rename = "type")]
    ty: String,
}

impl fmt::Display for Available {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let earlier = if self.or_earlier { " or earlier" } else { "" };
        write!(f, "{} {}{earlier}", self.ptx, self.targets.join(","))
    }
}

/// Reads a version of PTX from the command line.
///
/// # Errors
/// If the table does not reach back to the version, or there is no such version.
fn version(text: &str) -> Result<PtxVersion, String> {
    let version: PtxVersion = text.parse().map_err(|error: ParseError| error.to_string())?;
    let oldest = PtxVersion::OLDEST;
    if version < oldest {
        return Err(format!("the table begins with PTX {oldest}: give that version or a later one"));
    }
    let history = VersionHistory::every_version();
    if history.versions().any(|known| known == version) {
        return Ok(version);
    }
    let after = history.versions().find(|&known| known > version);
    let nearest = history.version_before(version).into_iter().chain(after);
    let nearest: Vec<String> = nearest.map(|known| format!("`{known}`")).collect();
    Err(format!("unknown PTX version {text}; the nearest: {}", nearest.join(", ")))
}

/// Returns the versions that brought a variant, in the form of the JSON.
fn available(since: &[Since]) -> Vec<Available> {
    let one = |since: &Since| Available {
        ptx: since.ptx.to_string(),
        targets: since.targets.iter().map(Target::to_string).collect(),
        or_earlier: since.is_floor(),
    };
    since.iter().map(one).collect()
}

/// Returns the row of a variant that is no matrix instruction.
fn row(variant: &Variant) -> Row<'_> {
    let operands = variant.operands().iter();
    Row {
        variant: variant.text(),
        since: available(&variant.form().since),
        section: variant.form().section,
        operands: operands.map(|o| Register { name: o.name, ty: o.ty.to_string() }).collect(),
        results: variant.results().iter().map(|result| result.ty.to_string()).collect(),
        result_names: variant.results().iter().map(|result| result.name).collect(),
        products: None,
        relaxations: variant.relaxations().map(|relaxation| relaxation.name()).collect(),
    }
}

/// Returns the row of a matrix instruction.
fn matrix_row(variant: &MatrixVariant) -> Row<'_> {
    let operands = variant.operands().iter();
    Row {
        variant: variant.text(),
        since: available(&variant.form().since),
        section: variant.form().section,
        operands: operands.map(|of| Register { name: of.role.name(), ty: of.ty() }).collect(),
        results: vec![variant.result().ty()],
        result_names: vec![variant.result().role.name()],
        products: Some(variant.dot().k),
        relaxations: variant.relaxations().iter().map(|relaxation| relaxation.name()).collect(),
    }
}

/// Runs `conformance list`.
pub fn run(arguments: &Arguments) -> Ending {
    own_formats::define(&arguments.formats)?;
    let (target, ptx) = (arguments.target, arguments.ptx);
    let Selection { mut variants, mut matrices } = Selection::of(&arguments.variants.only, target)?;
    variants.retain(|variant| variant.available(target, ptx));
    matrices.retain(|variant| variant.form().available(target, ptx));
    if let (true, Some(ptx)) = (variants.is_empty() && matrices.is_empty(), ptx) {
        bail!(
            "PTX {ptx} has none of the selected variants: leave --ptx out to see since when they exist"
        );
    }
    if arguments.relaxations {
        let of_lanes = variants.iter().flat_map(|variant| variant.relaxations());
        let of_sums = matrices.iter().flat_map(|variant| variant.relaxations());
        let format = own_formats::output(&arguments.formats, Format::Text);
        return relaxations::print(&of_lanes.collect(), &of_sums.collect(), format);
    }
    let lanes = variants.iter().map(|variant| row(variant));
    let rows: Vec<Row> = lanes.chain(matrices.iter().map(|variant| matrix_row(variant))).collect();
    match own_formats::output(&arguments.formats, Format::Text) {
        Format::Json => print_json(&(serde_json::to_string_pretty(&rows)? + "\n"))?,
        Format::Text => {
            let columns = terminal::columns().unwrap_or(usize::MAX);
            let width = rows.iter().map(|row| row.variant.len()).max().unwrap_or(0);
            let line = |cells: [&str; 4]| {
                let [variant, section, since, open] = cells;
                let line = format!("{variant:width$}  {section:12} {since:28} {open}");
                let line = line.trim_end();
                if line.chars().count() <= columns {
                    return format!("{line}\n");
                }
                // A name stays whole, for whoever copies it.
                let rest = [section, since, open].join("; ");
                format!("{variant}\n{}", reports::wrapped(rest.trim_end_matches("; "), 2, Some(columns)))
            };
            let mut text = line(["variant", "section", "since", "left open by the manual"]);
            for row in &rows {
                let since = row.since.iter().map(Available::to_string).collect::<Vec<_>>().join("; ");
                let since = if since.is_empty() { "not PTX" } else { &since };
                text += &line([row.variant, row.section, since, &row.relaxations.join(", ")]);
            }
            text += &format!("{} variants\n", rows.len());
            if !matrices.is_empty() {
                text += &format!("{} of them matrix instructions\n", matrices.len());
            }
            print(&text)?;
        }
    }
    Ok(ExitCode::from(AGREE))
}
