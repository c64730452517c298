//! `cargo xtask list`: prints the instruction table.

use std::fmt;
use std::process::ExitCode;

use anyhow::bail;
use base::terminal;
use clap::Args;
use compilers::language::Language;
use compilers::setting::Setting;
use compilers::{machine, rows};
use isa::matrix::MatrixVariant;
use isa::{ParseError, PtxVersion, Since, Target, Variant};
use ptx::VersionHistory;
use selection::select::Selection;
use serde::Serialize;

use super::options::Variants;
use super::{AGREE, Ending, Format, print, print_json};

/// List the variants: their spelling, what they need, and where the manual has them.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    variants: Variants,
    /// Only variants that this target has, such as `sm_100a`.
    #[arg(long)]
    target: Option<Target>,
    /// Only variants that this version of PTX has, such as 8.6.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    ptx: Option<PtxVersion>,
    /// The rows of what compilers promise, in place of variants.
    #[arg(long, conflicts_with_all = ["target", "ptx"])]
    rows: bool,
    /// For people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A row of what compilers promise, for programs.
#[derive(Serialize)]
struct Promised<'a> {
    row: &'a str,
    /// The languages that have the row, each with the row's expression in it.
    sources: Vec<(&'static str, &'a str)>,
    /// The computation that the row promises under the default setting of compilers, or what has to stand in machine
    /// code.
    means: Vec<String>,
    /// The place where `means` is promised.
    source: &'static str,
    /// The promises, each under its condition; the first that applies counts.
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Case<'a> {
    /// The condition: options, with `!` where they are off, and languages; empty where there is no condition.
    when: &'a str,
    /// The promise. In it `{.ftz}` stands for `.ftz` where flushing is on, in LLVM's language if the compiler chooses
    /// it, and `{.ftz?}` for `.ftz` where any compiler may choose.
    means: String,
    source: &'a str,
}

fn promised(row: &'static rows::PromiseRow) -> Promised<'static> {
    let languages = || Language::ALL.into_iter();
    let sources = languages()
        .filter(|language| row.is_in(*language))
        .filter_map(|language| Some((language.name(), row.expression(language)?)))
        .collect::<Vec<_>>();
    let promise = languages()
        .filter(|language| row.is_in(*language))
        .find_map(|language| row.promise(language, Setting::default()));
    let means = promise.iter().map(rows::Promise::text).collect();
    let source = promise.map_or("", |promise| promise.source);
    let case = |[when, means, source]: [&'static str; 3]| {
        let means = means.replace("{.z}", "{.ftz}").replace("{?z}", "{.ftz?}");
        Case { when, means, source }
    };
    Promised { row: &row.name, sources, means, source, cases: row.cases().map(case).collect() }
}

fn stands(row: &'static machine::rows::MachineRow) -> Promised<'static> {
    let sources = vec![(row.language.name(), &*row.text)];
    let cases = vec![Case { when: "", means: row.due_text.clone(), source: row.source }];
    Promised { row: &row.name, sources, means: vec![row.due_text.clone()], source: row.source, cases }
}

/// Lists the rows of what compilers promise, which `--rows` asks for.
fn list_rows(arguments: &Arguments) -> Ending {
    let only = &arguments.variants.only;
    let machine = machine::rows::matching(only).map(stands);
    let all: Vec<Promised> = rows::matching(only).map(promised).chain(machine).collect();
    if all.is_empty() {
        bail!("--only selects no row: `cargo xtask list --rows` prints all");
    }
    match arguments.format {
        Format::Json => print_json(&(serde_json::to_string_pretty(&all)? + "\n"))?,
        Format::Text => {
            let width = all.iter().map(|row| row.row.len()).max().unwrap_or(0);
            let mut text = String::new();
            for row in &all {
                // A condition may name a language; where it names nothing else, later cases are of other languages.
                let mut left = row.sources.clone();
                for Case { when, means, .. } in &row.cases {
                    let is_meant = |of: &&(&str, &str)| when.split(' ').any(|word| word == of.0);
                    let named = left.iter().find(is_meant).or(left.first());
                    let (_, source) = named.copied().unwrap_or_default();
                    left.retain(|of| of.0 != *when);
                    let when = if when.is_empty() { String::new() } else { format!("{when}: ") };
                    text += &format!("{:width$}  {:40}  {source}\n", row.row, when + means);
                }
            }
            text += &format!("{} rows\n", all.len());
            print(&text)?;
        }
    }
    Ok(ExitCode::from(AGREE))
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

#[derive(Serialize)]
struct Available {
    ptx: String,
    targets: Vec<String>,
    /// Whether the variant may be older than this version: the table does not look further back.
    or_earlier: bool,
}

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
        return Err(format!("the table does not look further back than PTX {oldest}"));
    }
    let history = VersionHistory::every_version();
    if history.versions().any(|known| known == version) {
        return Ok(version);
    }
    let after = history.versions().find(|&known| known > version);
    let nearest = history.version_before(version).into_iter().chain(after);
    let nearest: Vec<String> = nearest.map(|known| format!("`{known}`")).collect();
    Err(format!("no PTX {text} is known; the nearest: {}", nearest.join(", ")))
}

fn available(since: &[Since]) -> Vec<Available> {
    let one = |since: &Since| Available {
        ptx: since.ptx.to_string(),
        targets: since.targets.iter().map(Target::to_string).collect(),
        or_earlier: since.is_floor(),
    };
    since.iter().map(one).collect()
}

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

/// Runs `cargo xtask list`.
pub fn run(arguments: &Arguments) -> Ending {
    if arguments.rows {
        return list_rows(arguments);
    }
    let (target, ptx) = (arguments.target, arguments.ptx);
    let Selection { mut variants, mut matrices } = Selection::of(&arguments.variants.only, target)?;
    variants.retain(|variant| variant.available(target, ptx));
    matrices.retain(|variant| variant.form().available(target, ptx));
    if let (true, Some(ptx)) = (variants.is_empty() && matrices.is_empty(), ptx) {
        bail!(
            "PTX {ptx} has none of the variants asked for: ask without --ptx to see since when they exist"
        );
    }
    let lanes = variants.iter().map(|variant| row(variant));
    let rows: Vec<Row> = lanes.chain(matrices.iter().map(|variant| matrix_row(variant))).collect();
    match arguments.format {
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
