//! `conformance cluster slurm`: writes the scripts of a job array for Slurm, and of the job that merges its parts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::{Parts, path_word, word, write};
use crate::command::{AGREE, Ending, make_directory, print};
use crate::waivers::Waivers;

/// The script that runs one part, the same for every run.
const PART: &str = include_str!("../../../../cluster/part.sbatch");
/// The script that merges all parts, the same for every run.
const MERGE: &str = include_str!("../../../../cluster/merge.sbatch");
/// The script that a person starts: it submits the other two.
const SUBMIT: &str = include_str!("../../../../cluster/submit.sh");

/// Write a job array for Slurm and the job that merges its parts.
///
/// Exit code: 0 on success; 2 if the files could not be written.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    parts: Parts,
    /// Directory of the scripts, the parts and the merged report; every node must see it.
    #[arg(long, value_name = "DIR", default_value = "target/cluster")]
    out: PathBuf,
    /// Resources for each part, as for `sbatch --gres`, such as `gpu:1`.
    #[arg(long, value_name = "LIST")]
    gres: Option<String>,
    /// Option of sbatch for all jobs, such as `--sbatch=--partition=gpu`; may be repeated.
    #[arg(long = "sbatch", alias = "option", value_name = "OPTION", allow_hyphen_values = true,
          value_parser = NonEmptyStringValueParser::new())]
    options: Vec<String>,
}

/// Runs `conformance cluster slurm`.
pub fn run(Arguments { parts, out, gres, options }: &Arguments) -> Ending {
    let run = parts.looked_at()?;
    if let Some(waivers) = run.waivers() {
        // A mistake in the waivers is told before any job is submitted.
        Waivers::load(Path::new(waivers))?;
    }
    // Parts of an earlier run answer what was asked then, which may be something else.
    if out.join("parts").exists() {
        bail!(
            "{} has parts of an earlier run: remove them, or give another folder with --out",
            out.display()
        );
    }
    make_directory(out)?;
    let suite = std::env::current_exe().context("the path of this program is not known")?;
    let mut all: Vec<String> = gres.iter().map(|gres| format!("--gres={gres}")).collect();
    all.extend(options.iter().cloned());
    let settings = format!(
        "# Of this run; the other files are the same for all.\nSUITE={}\nPARTS={}\nRUN=({})\nMERGE=({})\nOPTIONS=({})\n",
        word(&suite.display().to_string()),
        run.parts,
        words(run.command),
        words(&run.merge),
        words(&all),
    );
    let files = [
        ("settings.sh", &*settings),
        ("part.sbatch", PART),
        ("merge.sbatch", MERGE),
        ("submit.sh", SUBMIT),
    ];
    for (name, text) in files {
        write(&out.join(name), text)?;
    }
    let submit = path_word(&out.join("submit.sh"));
    print(&format!("{}Submit: bash {submit}\n", run.said()))?;
    Ok(ExitCode::from(AGREE))
}

/// Quotes texts as words of a shell, with spaces between them.
fn words(texts: &[String]) -> String {
    texts.iter().map(|text| word(text)).collect::<Vec<_>>().join(" ")
}
