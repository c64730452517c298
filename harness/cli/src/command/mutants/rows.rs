//! `cargo xtask mutants --rows`: changes what compilers write, and counts how many of the changes are caught by the
//! trials of `cargo xtask compilers`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Result, bail};
use base::terminal::say;
use clap::Args;
use compilers::Compiler;
use compilers::promises::{self, PromiseSelection, Score};
use implementations::bundled::compilers::Want;
use serde::Serialize;

use super::super::compilers::named;
use super::super::{AGREE, Ending, Format, MISMATCH, print, print_json, stop_on_interrupt};

#[derive(Args)]
pub struct Rows {
    /// Change what compilers write, and not the suite's models; --only then selects rows.
    #[arg(long, conflicts_with = "out")]
    pub rows: bool,
    /// A compiler, as `cargo xtask compilers` takes it [default: those that are set up].
    #[arg(long = "compiler", value_name = "NAME", requires = "rows")]
    compilers: Vec<String>,
    /// Only settings with these words: `ftz`, `default`.
    #[arg(long = "option", value_name = "WORD", requires = "rows")]
    options: Vec<String>,
    /// Targets, as the compiler spells them [default: three or four].
    #[arg(long = "target", value_name = "NAME", requires = "rows")]
    targets: Vec<String>,
    /// How many vectors of each sweep a function is tried on.
    #[arg(long, value_name = "N", default_value_t = 16384, value_parser = clap::value_parser!(u64).range(1..), requires = "rows")]
    vectors: u64,
}

/// The score of the trials of one compiler's functions, for programs.
#[derive(Serialize)]
struct Scored {
    version: String,
    /// The most vectors of each sweep that a function is tried on.
    vectors: u64,
    #[serde(flatten)]
    score: Score,
}

/// Runs `cargo xtask mutants --rows`.
pub fn run(arguments: &Rows, only: &[String], jobs: usize, format: Format) -> Ending {
    let mut scores = BTreeMap::new();
    let ended = score(arguments, only, jobs, format, &mut scores);
    // The scores of other compilers are printed even when one cannot be asked.
    if let (Format::Json, false) = (format, scores.is_empty()) {
        print_json(&(serde_json::to_string_pretty(&scores)? + "\n"))?;
    }
    ended?;
    let mut scores = scores.values().map(|scored| &scored.score);
    if scores.clone().all(|score| score.functions == 0) {
        bail!("no function was changed: none of those that were compiled is executed and right");
    }
    let survived = scores.any(|score| !score.survivors.is_empty());
    Ok(ExitCode::from(if survived { MISMATCH } else { AGREE }))
}

fn score(
    arguments: &Rows,
    only: &[String],
    jobs: usize,
    format: Format,
    scores: &mut BTreeMap<String, Scored>,
) -> Result<()> {
    let stop = stop_on_interrupt()?;
    let options = PromiseSelection {
        only: only.to_vec(),
        targets: arguments.targets.clone(),
        settings: arguments.options.clone(),
    };
    let vectors = arguments.vectors;
    for name in named(&arguments.compilers, &[Want::Ptx])? {
        let compiler = Compiler::connect(&name, jobs)?;
        let version = compiler.introduction().version.clone();
        say(&format!("{name} {version}: compiling"));
        let cells = promises::compile(&compiler, &options)?;
        let score = promises::prove(&cells, vectors, jobs, stop)?;
        if let Format::Text = format {
            print(&format!("{name}: mutants of {} functions\n{}", score.functions, score.text()))?;
        }
        scores.insert(name, Scored { version, vectors, score });
    }
    Ok(())
}
