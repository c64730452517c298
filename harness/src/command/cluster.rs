//! `cargo xtask cluster`: runs that outgrow a machine.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use harness::implementation::Emulator;
use harness::run::{Plan, Shard};

use super::{AGREE, Ending, conformance, make_directory, print};

const PART: &str = include_str!("../../cluster/part.sbatch");
const MERGE: &str = include_str!("../../cluster/merge.sbatch");
const SUBMIT: &str = include_str!("../../cluster/submit.sh");

/// Cut a run into parts for many machines, and have their reports merged.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand)]
enum Kind {
    /// Write the scripts of a job array for Slurm, and of the job that merges its parts.
    Slurm(Slurm),
}

#[derive(Args)]
struct Slurm {
    /// Into how many parts.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    shards: u64,
    /// Folder of the scripts, the parts and the merged report; every node must see it.
    #[arg(long, value_name = "DIR", default_value = "target/cluster")]
    out: PathBuf,
    /// What each part needs, as `sbatch --gres` has it, like `gpu:1`.
    #[arg(long, value_name = "LIST")]
    gres: Option<String>,
    /// Another option of sbatch, for all jobs, like `--option=--partition=gpu`; may be repeated.
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    options: Vec<String>,
    /// Merge without asking the implementation again about mismatches, as on a node that has no GPU.
    #[arg(long)]
    merge_elsewhere: bool,
    /// The run: `conformance` and its options, but for --shard, --resume and --out.
    #[arg(last = true, required = true, value_name = "conformance …")]
    run: Vec<String>,
}

/// A command line that is only looked at.
#[derive(Parser)]
#[command(name = "conformance", no_binary_name = true)]
struct Looked {
    #[command(flatten)]
    arguments: conformance::Arguments,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let Kind::Slurm(slurm) = &arguments.kind;
    let Some((command, run)) = slurm.run.split_first().filter(|(command, _)| *command == "conformance")
    else {
        bail!("what is cut into parts is a run of `conformance`: write -- conformance, and its options")
    };
    let looked = Looked::try_parse_from(run)
        .map_err(|error| anyhow::anyhow!("{}", error.to_string().lines().next().unwrap_or_default()))?;
    let fixed = ["--shard", "--resume", "--out"];
    let is_fixed = |word: &&String| fixed.iter().any(|name| word.split('=').next() == Some(name));
    if let Some(word) = run.iter().find(is_fixed) {
        bail!("{} is different for each part, and added there: leave it out", reports::printable(word));
    }
    let request = looked.arguments.request();
    let cost = spread(&Plan::new(request, &Emulator::lanes())?, slurm.shards);
    make_directory(&slurm.out)?;
    let merge = merge_options(run, slurm.merge_elsewhere);
    let run: Vec<String> = [command.clone()].into_iter().chain(run.iter().cloned()).collect();
    let suite = std::env::current_exe().context("this program is not found")?;
    let mut options: Vec<String> = slurm.gres.iter().map(|gres| format!("--gres={gres}")).collect();
    options.extend(slurm.options.iter().cloned());
    let settings = format!(
        "# Of this run; {}\nSUITE={}\nPARTS={}\nRUN=({})\nMERGE=({})\nOPTIONS=({})\n",
        "the other files are the same for all.",
        word(&suite.display().to_string()),
        slurm.shards,
        words(&run),
        words(&merge),
        words(&options),
    );
    let files = [
        ("settings.sh", &*settings),
        ("part.sbatch", PART),
        ("merge.sbatch", MERGE),
        ("submit.sh", SUBMIT),
    ];
    for (name, text) in files {
        write(&slurm.out.join(name), text)?;
    }
    let submit = slurm.out.join("submit.sh");
    print(&format!(
        "{} parts, of which the dearest costs {cost:.2} times the mean.\nSubmit: bash {}\n",
        slurm.shards,
        word(&submit.display().to_string())
    ))?;
    Ok(ExitCode::from(AGREE))
}

fn write(path: &Path, text: &str) -> Result<()> {
    reports::write_atomically(path, text.as_bytes())
        .with_context(|| format!("{} cannot be written: make room there", path.display()))
}

/// What the merge takes from the run: who is asked again, and what is known.
fn merge_options(run: &[String], elsewhere: bool) -> Vec<String> {
    let mut options = Vec::new();
    let mut words = run.iter();
    while let Some(text) = words.next() {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (&**text, None),
        };
        let is_wanted = name == "--waivers" || name == "--jobs" || (name == "--impl" && !elsewhere);
        if is_wanted && let Some(value) = value.or_else(|| words.next().cloned()) {
            options.extend([name.to_owned(), value]);
        }
    }
    let is_default = !elsewhere && !options.iter().any(|option| option == "--impl");
    options.extend(is_default.then(|| ["--impl", "emulator"].map(String::from)).into_iter().flatten());
    options
}

/// How many times the mean of all parts the dearest one costs, by the vectors that it has and who judges them.
fn spread(plan: &Plan, count: u64) -> f64 {
    let cost = |index: u64| -> f64 {
        let mut plan = plan.clone();
        plan.request.shard = Some(Shard { index, count });
        let vectors = plan.vectors_per_task();
        vectors
            .iter()
            .zip(&plan.tasks)
            .map(|(vectors, task)| *vectors as f64 * task.judged_by.cost())
            .sum()
    };
    // Of very many, some tell as much.
    let step = count.div_ceil(64) as usize;
    let costs: Vec<f64> = (1..=count).step_by(step).map(cost).collect();
    let mean = costs.iter().sum::<f64>() / costs.len() as f64;
    if mean > 0.0 { costs.into_iter().fold(0.0, f64::max) / mean } else { 1.0 }
}

/// A text as one word of a shell.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn words(texts: &[String]) -> String {
    texts.iter().map(|text| word(text)).collect::<Vec<_>>().join(" ")
}
