//! `conformance dev selfcheck`: compares the oracle with implementations and tables that know nothing of it.

use std::process::ExitCode;

use base::progress::Progress;
use clap::Args;
use selfcheck::{Depth, SelfcheckRequest};

use super::options::{Formatted, Jobs, Variants};
use super::{AGREE, Ending, Format, MISMATCH, print, print_json, processors};

/// Compare the expected results with independent implementations.
///
/// The expected results are those of MPFR. The independent implementations include rustc_apfloat.
///
/// Exit code: 0 if they agree everywhere; 1 if they differ somewhere; 2 if they could not be compared.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    variants: Variants,
    /// For variants whose operands have at most 8 bits each, try every combination of operands; takes half an hour.
    #[arg(long)]
    exhaustive: bool,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    formatted: Formatted,
}

/// Runs `conformance dev selfcheck`.
pub fn run(arguments: &Arguments) -> Ending {
    let jobs = arguments.jobs.or(processors());
    let depth = Depth { exhaustive: arguments.exhaustive, ..Depth::DEFAULT };
    let request = SelfcheckRequest { only: arguments.variants.only.clone(), depth, jobs };
    let progress = Progress::new("vectors", None);
    let (total, advance) = (|total| progress.set_total(total), |vectors| progress.advance(vectors));
    let report = selfcheck::run(&request, &selfcheck::references(), &total, &advance)?;
    progress.finish();
    match arguments.formatted.format {
        Format::Text => print(&report.text())?,
        Format::Json => print_json(&(serde_json::to_string_pretty(&report)? + "\n"))?,
    }
    Ok(ExitCode::from(if report.differs() { MISMATCH } else { AGREE }))
}
