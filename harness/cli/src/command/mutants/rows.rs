//! `conformance dev mutants rows`: changes what compilers write, and counts how many of the changes are caught by the
//! trials of `conformance compilers`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Result, bail};
use base::terminal::say;
use clap::Args;
use compilers::Compiler;
use compilers::promises::{self, PromiseSelection, Score};
use implementations::bundled::compilers::Want;
use serde::Serialize;

use crate::command::compilers::named;
use crate::command::options::{Compilers, Formatted, Jobs, Rows, Sample, Settings, Targets};
use crate::command::{
    AGREE, Ending, Format, MISMATCH, print, print_json, processors, stop_on_interrupt,
};

/// Count the edits of compiled code that `{program} compilers` detects.
///
/// An edit changes one instruction of a compiled function. An edit is detected if the function then fails.
///
/// Exit code: 0 if every edit is detected; 1 if some are not; 2 if a compiler could not be run.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    compilers: Compilers,
    #[command(flatten)]
    rows: Rows,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    sample: Sample,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    formatted: Formatted,
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

/// Runs `conformance dev mutants rows`.
pub fn run(arguments: &Arguments) -> Ending {
    let format = arguments.formatted.format;
    let mut scores = BTreeMap::new();
    let ended = score(arguments, &mut scores);
    // The scores of other compilers are printed even when one cannot be asked.
    if let (Format::Json, false) = (format, scores.is_empty()) {
        print_json(&(serde_json::to_string_pretty(&scores)? + "\n"))?;
    }
    ended?;
    let mut scores = scores.values().map(|scored| &scored.score);
    if scores.clone().all(|score| score.functions == 0) {
        bail!("no mutant was made: no compiled function could be executed with right results");
    }
    let survived = scores.any(|score| !score.survivors.is_empty());
    Ok(ExitCode::from(if survived { MISMATCH } else { AGREE }))
}

/// Scores the trials of each compiler into `scores`, which keeps those before an error.
fn score(arguments: &Arguments, scores: &mut BTreeMap<String, Scored>) -> Result<()> {
    let stop = stop_on_interrupt()?;
    let jobs = arguments.jobs.or(processors());
    let options = PromiseSelection {
        only: arguments.rows.only.clone(),
        targets: arguments.targets.targets.clone(),
        settings: arguments.settings.settings.clone(),
    };
    let vectors = arguments.sample.vectors;
    for name in named(&arguments.compilers.names, &[Want::Ptx])? {
        let compiler = Compiler::connect(&name, jobs)?;
        let version = compiler.introduction().version.clone();
        say(&format!("{name} {version}: compiling"));
        let cells = promises::compile(&compiler, &options)?;
        let score = promises::prove(&cells, vectors, jobs, stop)?;
        if let Format::Text = arguments.formatted.format {
            print(&format!("{name}: mutants of {} functions\n{}", score.functions, score.text()))?;
        }
        scores.insert(name, Scored { version, vectors, score });
    }
    Ok(())
}
