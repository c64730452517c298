//! `conformance cluster`: cuts a run that outgrows one machine into parts for many, and has their reports merged.

mod kubernetes;
mod slurm;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use implementations::Emulator;
use indicatif::HumanDuration;
use runner::Plan;
use selection::Shard;

use super::{Ending, conformance};

/// Split a run over many machines and merge their reports.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand)]
enum Kind {
    Slurm(slurm::Arguments),
    Kubernetes(kubernetes::Arguments),
}

/// The options of a run that is split.
#[derive(Args)]
struct Parts {
    /// Number of parts of the run, at most 1,000,000 for Slurm and 100,000 for Kubernetes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    shards: u64,
    /// Merge the parts without running their mismatches again; the node that merges then needs no GPU.
    #[arg(long)]
    merge_elsewhere: bool,
    /// Run to split: the command `conformance` with its options, except --shard, --resume and --out.
    #[arg(last = true, required = true, value_name = "conformance …")]
    run: Vec<String>,
}

/// A run cut into parts, of which it was checked that it can be made.
struct Run<'a> {
    parts: u64,
    /// The command line of the run: `conformance` and its options.
    command: &'a [String],
    /// The options of the merge, which puts the reports of the parts together.
    merge: Vec<String>,
    /// The seconds of one processor that all parts take together, about, if the suite's own emulator is tested.
    seconds: f64,
    /// The cost of the dearest part, as a multiple of the mean cost of a part.
    spread: f64,
}

#[derive(Parser)]
#[command(name = "conformance", no_binary_name = true, disable_help_flag = true)]
struct Looked {
    #[command(flatten)]
    arguments: conformance::Arguments,
}

/// Runs `conformance cluster`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.kind {
        Kind::Slurm(arguments) => slurm::run(arguments),
        Kind::Kubernetes(arguments) => kubernetes::run(arguments),
    }
}

impl Parts {
    /// Reads the run's command line, checks the run, and estimates what its parts cost.
    ///
    /// # Errors
    /// If the run could not be made, or has options that each part has of its own.
    fn looked_at(&self) -> Result<Run<'_>> {
        let options = match self.run.split_first() {
            Some((command, options)) if command == "conformance" => options,
            _ => bail!(
                "only a run of `conformance` can be split into parts: write `-- conformance` and its \
                 options"
            ),
        };
        let looked = Looked::try_parse_from(options).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            anyhow::anyhow!("{}", first.strip_prefix("error: ").unwrap_or(first))
        })?;
        if options.iter().any(|word| word == "--") {
            bail!("`--` among the options ends them, and each part needs further options: leave it out");
        }
        // The implementation may exist on the nodes alone, so it is not started here.
        implementations::check(&looked.arguments.implementation)?;
        let fixed = ["--shard", "--resume", "--out"];
        let is_fixed = |word: &&String| fixed.iter().any(|name| word.split('=').next() == Some(name));
        if let Some(word) = options.iter().find(is_fixed) {
            bail!(
                "{} is different for each part, and is added to it by this command: leave it out",
                reports::printable(word)
            );
        }
        if looked.arguments.has_random_seed() {
            bail!("--seed random draws another seed for each part: give a number");
        }
        let plan = Plan::new(looked.arguments.request(), &Emulator::lanes())?;
        Ok(Run {
            parts: self.shards,
            command: &self.run,
            merge: merge_options(options, self.merge_elsewhere),
            seconds: plan
                .tasks
                .iter()
                .map(|task| task.vectors as f64 * task.judged_by.cost())
                .sum::<f64>()
                // The cost of a vector is in nanoseconds.
                / 1e9,
            spread: spread(&plan, self.shards),
        })
    }
}

impl Run<'_> {
    /// Returns the path of the file of known mismatches, if the run has one.
    fn waivers(&self) -> Option<&str> {
        let at = self.merge.iter().position(|option| option == "--waivers")?;
        self.merge.get(at + 1).map(String::as_str)
    }

    /// Returns the line that tells a person how many parts there are, how long each takes, and what the dearest costs.
    fn said(&self) -> String {
        let parts = reports::counted(self.parts, "part");
        let each = Duration::from_secs((self.seconds / self.parts as f64).ceil() as u64);
        format!(
            "{parts}, each about {} on one processor for the suite's own emulator; the longest takes \
             {:.2} times the mean.\n",
            HumanDuration(each),
            self.spread
        )
    }
}

/// Quotes a text as one word of a shell.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Quotes a path as one word of a command line that a person copies. A path that starts with `-` gets `./` before it,
/// so that nothing takes it for an option.
fn path_word(path: &Path) -> String {
    let text = path.display().to_string();
    word(&if text.starts_with('-') { format!("./{text}") } else { text })
}

/// Writes a file of the job, whole or not at all.
fn write(path: &Path, text: &str) -> Result<()> {
    reports::write_atomically(path, text.as_bytes())
        .with_context(|| format!("{} cannot be written: make room there", path.display()))
}

/// Returns the options that the merge takes from the run: which implementation is asked again about mismatches, which
/// mismatches are known, which interpretations are refused, and the number of threads. With `elsewhere`, no implementation is asked again.
fn merge_options(run: &[String], elsewhere: bool) -> Vec<String> {
    let mut options = Vec::new();
    let mut words = run.iter();
    while let Some(text) = words.next() {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (&**text, None),
        };
        let is_wanted =
            ["--waivers", "--strict", "--jobs"].contains(&name) || (name == "--impl" && !elsewhere);
        if is_wanted && let Some(value) = value.or_else(|| words.next().cloned()) {
            options.extend([name.to_owned(), value]);
        }
    }
    let is_default = !elsewhere && !options.iter().any(|option| option == "--impl");
    options.extend(is_default.then(|| ["--impl", "emulator"].map(String::from)).into_iter().flatten());
    options
}

/// Returns the cost of the dearest of `count` parts as a multiple of the mean, by the vectors that each part has and
/// who judges them.
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
    // Of more than 64 parts, evenly chosen ones tell as much as all.
    let step = count.div_ceil(64) as usize;
    let costs: Vec<f64> = (1..=count).step_by(step).map(cost).collect();
    let mean = costs.iter().sum::<f64>() / costs.len() as f64;
    if mean > 0.0 { costs.into_iter().fold(0.0, f64::max) / mean } else { 1.0 }
}
