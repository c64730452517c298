//! `conformance identify`: finds out from an implementation's answers which tensor core its matrix instructions are.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::progress::Progress;
use clap::Args;
use identify::VECTORS;

use super::options::{Formatted, Jobs, Variants};
use super::{AGREE, Ending, Format, MISMATCH, print, print_json, processors, stop_on_interrupt};

/// Find the GPU whose tensor cores an implementation matches.
///
/// A few chosen vectors show in which order and with how many bits an implementation adds the products of a
/// matrix instruction. If a known model of a tensor core gives the same results for these vectors, the model is
/// then compared with the implementation on every sweep.
///
/// Exit code: 0 if every variant computes the same as a known model; 1 if a variant does not; 2 if this
/// could not be found out.
#[derive(Args)]
pub struct Arguments {
    /// Implementation to identify.
    #[arg(long = "impl", value_name = "NAME")]
    implementation: String,
    #[command(flatten)]
    variants: Variants,
    /// Try at most N vectors of each sweep.
    #[arg(long, value_name = "N", default_value_t = VECTORS,
          value_parser = clap::value_parser!(u64).range(1..))]
    vectors: u64,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    formatted: Formatted,
}

/// Runs `conformance identify`.
pub fn run(arguments: &Arguments) -> Ending {
    let implementation = implementations::named(&arguments.implementation)?;
    // The flag is one for the whole process, and `identify::run` looks at it by itself.
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
    match arguments.formatted.format {
        Format::Text => print(&identity.text())?,
        Format::Json => print_json(&(serde_json::to_string_pretty(&identity)? + "\n"))?,
    }
    Ok(ExitCode::from(if identity.is_proven() { AGREE } else { MISMATCH }))
}
