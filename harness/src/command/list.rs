//! `cargo xtask list`: the instruction table.

use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use harness::run::select;
use serde::Serialize;
use vectors::isa::{PtxVersion, Target, Variant};

use super::{AGREE, Ending, print};

/// List the variants: their spelling, what they need, and where the manual has them.
#[derive(Args)]
pub struct Arguments {
    /// Only variants that match one of these patterns (`*` any text, `?` any character).
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Only variants that this target has, such as `sm_100a`.
    #[arg(long)]
    target: Option<Target>,
    /// Only variants that this version of PTX has, such as 8.6.
    #[arg(long, value_name = "VERSION")]
    ptx: Option<PtxVersion>,
    /// For people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// A variant, for programs.
#[derive(Serialize)]
struct Row<'a> {
    variant: &'a str,
    ptx: String,
    target: String,
    section: &'a str,
    operands: Vec<Register>,
    results: Vec<String>,
    relaxations: Vec<&'static str>,
}

#[derive(Serialize)]
struct Register {
    name: &'static str,
    #[serde(rename = "type")]
    ty: String,
}

fn row(variant: &Variant) -> Row<'_> {
    let since = &variant.form().since[0];
    let operands = variant.operands().iter();
    Row {
        variant: variant.text(),
        ptx: since.ptx.to_string(),
        target: since.targets[0].to_string(),
        section: variant.form().section,
        operands: operands.map(|o| Register { name: o.name, ty: o.ty.to_string() }).collect(),
        results: variant.results().iter().map(|result| result.ty.to_string()).collect(),
        relaxations: variant.relaxations().map(|relaxation| relaxation.name()).collect(),
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let mut variants = select(&arguments.only, arguments.target)?;
    variants.retain(|variant| variant.available(arguments.target, arguments.ptx));
    if let (true, Some(ptx)) = (variants.is_empty(), arguments.ptx) {
        bail!(
            "PTX {ptx} has none of the variants asked for: ask without --ptx to see since when they exist"
        );
    }
    let rows: Vec<Row> = variants.iter().map(|variant| row(variant)).collect();
    match arguments.format {
        Format::Json => print(&(serde_json::to_string_pretty(&rows)? + "\n"))?,
        Format::Text => {
            let mut text = format!(
                "{:24} {:>4}  {:8} {:9} {}\n",
                "variant", "PTX", "target", "section", "left open by the manual"
            );
            for row in &rows {
                let relaxations = row.relaxations.join(", ");
                let line = format!(
                    "{:24} {:>4}  {:8} {:9} {relaxations}",
                    row.variant, row.ptx, row.target, row.section
                );
                text += line.trim_end();
                text.push('\n');
            }
            text += &format!("{} variants\n", rows.len());
            print(&text)?;
        }
    }
    Ok(ExitCode::from(AGREE))
}
