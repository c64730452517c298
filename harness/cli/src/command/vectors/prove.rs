//! `conformance dev vectors prove`: proves the emulator's fma of f16 and bf16 for all 2^48 triples of operands.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use base::invocation;
use clap::Args;
use formats::digests::triples::TRIPLES;
use isa::Variant;
use proof::{ProofOutcome, ProofSettings, Proven};
use prover::triples::{Fault, ProofSubject};
use selection::select;

use super::lines::{Digests, File, PROVEN};
use crate::command::options::{Jobs, Part, Resume, Variants};
use crate::command::{AGREE, Ending, FAILED, MISMATCH, print, processors, stop_on_interrupt};

/// Prove `fma` of f16 and bf16 for all 2^48 triples of operands.
///
/// A triple is the three operands of an `fma`. The emulator is compared with MPFR, in steps that together cover
/// every triple.
///
/// Exit code: 0 if everything is proven, and the digests of the results equal the committed ones; 1 if
/// something differs; 2 if the proof could not be finished.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    variants: Variants,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    part: Part,
    #[command(flatten)]
    resume: Resume,
    /// Do not prove anything; merge the proofs in these directories, which were written by runs with --shard.
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["shard", "resume", "plant", "only"])]
    merge: Vec<PathBuf>,
    /// Make the emulator wrong, to check that the proof finds the error: in the product of A and B, or, if C is
    /// given, in the sum of this product and C.
    #[arg(long, value_name = "A,B[,C]", conflicts_with_all = ["resume", "write"])]
    plant: Option<Fault>,
    /// Write the digests of the proven results into the file, instead of comparing.
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    digests: Digests,
    /// Directory of the state that --resume continues from.
    #[arg(long, value_name = "DIR", default_value = "target/proof")]
    out: PathBuf,
}

/// The last word of a line of triples that was proven by products: the emulator was run on every distinct product of
/// two operands with every addend, and MPFR at both ends of every step of the results.
const PRODUCTS: &str = "products";

/// Runs `conformance dev vectors prove`.
pub fn run(arguments: &Arguments) -> Ending {
    let file = File::read(arguments.digests.file(PROVEN))?;
    if !arguments.merge.is_empty() {
        return conclude(&proof::merge(&arguments.merge)?, file, arguments.write);
    }
    let chosen = select::select(&arguments.variants.only, None)?;
    let subjects: Vec<ProofSubject> = chosen.into_iter().filter_map(proof::subject).collect();
    if subjects.is_empty() {
        bail!(
            "none of the selected variants can be proven in this way: select scalar forms of fma.f16 \
             or fma.bf16, whose lanes are those of the packed forms, with --only"
        );
    }
    let subjects = match arguments.plant {
        Some(fault) => subjects.into_iter().map(|subject| fault.planted_in(subject)).collect(),
        None => subjects,
    };
    let Arguments { part, resume, out, .. } = arguments;
    let _held = crate::command::conformance::take(out)?;
    let settings = ProofSettings {
        jobs: arguments.jobs.or(processors()),
        shard: part.shard,
        directory: out.clone(),
        resume: resume.resume,
    };
    let stop = stop_on_interrupt()?;
    match proof::prove(subjects, &settings, stop)? {
        ProofOutcome::Proven(proven) => conclude(&proven, file, arguments.write),
        ProofOutcome::Part => {
            print(&format!(
                "This part is proven, and recorded in {}. Put all parts together with `{}`.\n",
                out.display(),
                invocation::line("dev vectors prove --merge DIR…")
            ))?;
            Ok(ExitCode::from(AGREE))
        }
        ProofOutcome::Interrupted => {
            print("Broken off before the end. Continue with --resume.\n")?;
            Ok(ExitCode::from(FAILED))
        }
        ProofOutcome::Refuted(refutation) => {
            print(&format!("Refuted: {refutation}.\n"))?;
            Ok(ExitCode::from(MISMATCH))
        }
    }
}

/// Puts the lines of what is proven into `file` if `write` is set, and otherwise holds them against the lines that it
/// has. The exit code is [`MISMATCH`] where a line differs or is missing.
fn conclude(proven: &[Proven], mut file: File, write: bool) -> Ending {
    let mut wrong = 0;
    for Proven { name, products, steps, digests } in proven {
        let key = format!("{name} {TRIPLES} {}", digests.vectors);
        let line = format!("{:#018x} {:#018x}", digests.inputs, digests.results);
        let verdict = match file.digests(&key) {
            _ if write => "written",
            Some(known) if known == line => "as its line says",
            Some(_) => {
                wrong += 1;
                "NOT AS ITS LINE SAYS"
            }
            None => {
                wrong += 1;
                "WITHOUT A LINE, which --write makes"
            }
        };
        print(&format!("{key} {line}: {products} products, {steps} steps: proven, {verdict}\n"))?;
        if write {
            file.put(&key, &line, Some(PRODUCTS));
            for twin in twins(name)? {
                file.put(
                    &format!("{twin} {TRIPLES} {}", digests.vectors),
                    &line,
                    Some(&format!("as {name}")),
                );
            }
        }
    }
    if write {
        file.write()?;
    }
    Ok(ExitCode::from(if wrong == 0 { AGREE } else { MISMATCH }))
}

/// Returns the packed variants of which every lane computes what the scalar variant of this name computes.
fn twins(name: &str) -> Result<Vec<&'static Variant>> {
    let one: Variant = name.parse()?;
    let all = Variant::all().iter();
    Ok(all.filter(|other| other.lanes() > 1 && oracle::lanes_compute_alike(&one, other)).collect())
}
