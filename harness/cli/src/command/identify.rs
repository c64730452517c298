//! `cargo xtask identify`: finds out from an implementation's answers which tensor core its matrix instructions are.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::progress::Progress;
use clap::Args;
use identify::VECTORS;

use super::options::{Jobs, Variants};
use super::{AGREE, Ending, Format, MISMATCH, print, print_json, processors, stop_on_interrupt};

/// Find out which tensor core an implementation's matrix instructions are, from its answers.
///
/// Vectors that decide one thing each tell the order of a sum and its widths; the known model that has all
/// answers is tried on every sweep. Exit code: 0 if every variant is a known model and proven to be, 1 if
/// some is not, 2 if it could not be found out.
#[derive(Args)]
pub struct Arguments {
    /// What to identify.
    #[arg(long = "impl", value_name = "NAME")]
    implementation: String,
    #[command(flatten)]
    variants: Variants,
    /// How many vectors of each sweep a model is tried on.
    #[arg(long, value_name = "N", default_value_t = VECTORS,
          value_parser = clap::value_parser!(u64).range(1..))]
    vectors: u64,
    #[command(flatten)]
    jobs: Jobs,
    /// For people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs `cargo xtask identify`.
pub fn run(arguments: &Arguments) -> Ending {
    let implementation = implementations::named(&arguments.implementation)?;
    stop_on_interrupt()?;
    let progress = Progress::new("groups of variants", None);
    let done = AtomicUsize::new(0);
    let advance = |groups: usize| {
        if done.fetch_add(1, Ordering::Relaxed) == 0 {
            progress.set_total(groups as u64);
        }
        progress.advance(1);
    };
    let only = &arguments.variants.only;
    let jobs = arguments.jobs.or(implementation.workers(processors()));
    let identity = identify::run(implementation.as_ref(), only, arguments.vectors, jobs, &advance)?;
    progress.finish();
    match arguments.format {
        Format::Text => print(&identity.text())?,
        Format::Json => print_json(&(serde_json::to_string_pretty(&identity)? + "\n"))?,
    }
    Ok(ExitCode::from(if identity.is_proven() { AGREE } else { MISMATCH }))
}
