//! `cargo xtask cluster slurm`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::{Parts, write};
use crate::command::{AGREE, Ending, make_directory, print};

const PART: &str = include_str!("../../../cluster/part.sbatch");
const MERGE: &str = include_str!("../../../cluster/merge.sbatch");
const SUBMIT: &str = include_str!("../../../cluster/submit.sh");

/// Write the scripts of a job array for Slurm, and of the job that merges its parts.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    parts: Parts,
    /// Folder of the scripts, the parts and the merged report; every node must see it.
    #[arg(long, value_name = "DIR", default_value = "target/cluster")]
    out: PathBuf,
    /// What each part needs, as `sbatch --gres` has it, like `gpu:1`.
    #[arg(long, value_name = "LIST")]
    gres: Option<String>,
    /// Another option of sbatch, for all jobs, like `--option=--partition=gpu`; may be repeated.
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    options: Vec<String>,
}

/// Runs the command.
pub fn run(Arguments { parts, out, gres, options }: &Arguments) -> Ending {
    let run = parts.looked_at()?;
    make_directory(out)?;
    let suite = std::env::current_exe().context("this program is not found")?;
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
    let submit = word(&out.join("submit.sh").display().to_string());
    print(&format!("{}Submit: bash {submit}\n", run.said()))?;
    Ok(ExitCode::from(AGREE))
}

/// A text as one word of a shell.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn words(texts: &[String]) -> String {
    texts.iter().map(|text| word(text)).collect::<Vec<_>>().join(" ")
}
