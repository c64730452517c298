//! Options that several commands have, each with one meaning.
//!
//! A doc comment on one of these types would become the help of the commands that have them. In help texts
//! `{program}` stands for the words by which the program was called.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use base::terminal::say;
use clap::Args;
use selection::Shard;
use selection::budget::Tier;

use super::Format;
use crate::strict::Strictness;
use crate::waivers::Waivers;

#[derive(Args)]
pub struct Variants {
    /// Only variants whose name matches GLOB (`*` any text, `?` any character). If GLOB is the name of a format, such
    /// as bf16: only variants that have this format among their operands or results. May be repeated: a variant then
    /// has to match at least one GLOB.
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
}

#[derive(Args)]
pub struct Rows {
    /// Only rows whose name matches GLOB (`*` any text, `?` any character); a row is what a compiler promises
    /// for a source line. May be repeated: a name then has to match one of the patterns.
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
}

#[derive(Args)]
pub struct Depth {
    /// How many vectors to test.
    #[arg(long, value_enum, default_value = "quick")]
    pub tier: Tier,
}

#[derive(Args, Clone)]
pub struct Seed {
    /// Seed of the random vectors: decimal, hexadecimal with 0x, or `random`. With `random`, a seed is drawn and
    /// printed.
    #[arg(long, value_name = "N", value_parser = seed, default_value = "0")]
    seed: GivenSeed,
}

/// The seed that a command line asks for.
#[derive(Clone, Copy)]
enum GivenSeed {
    Number(u64),
    Random,
}

impl Seed {
    /// Whether the seed is drawn, and so another one in each process.
    pub fn is_random(&self) -> bool {
        matches!(self.seed, GivenSeed::Random)
    }

    /// Returns the seed. A drawn one is the same as long as the process lives, and is printed the first time.
    pub fn number(&self) -> u64 {
        static DRAWN: OnceLock<u64> = OnceLock::new();
        match self.seed {
            GivenSeed::Number(number) => number,
            GivenSeed::Random => *DRAWN.get_or_init(|| {
                // The standard library seeds its hashers with random numbers of the system.
                let drawn = RandomState::new().hash_one(SystemTime::now());
                say(&format!("The seed is {drawn:#x}; --seed {drawn:#x} makes the same vectors again."));
                drawn
            }),
        }
    }
}

#[derive(Args, Clone)]
pub struct Jobs {
    /// Number of threads, 1 to 1024 [default: one per processor; with a GPU, two per processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Jobs {
    /// Returns the number of threads that the command line asks for.
    pub fn given(&self) -> Option<usize> {
        self.jobs.map(usize::from)
    }

    /// Returns the number of threads that the command line asks for, or `default` if it asks for none.
    pub fn or(&self, default: usize) -> usize {
        self.jobs.map_or(default, usize::from)
    }
}

#[derive(Args)]
pub struct Part {
    /// Run only part I of N parts of about the same cost, counted from 1, such as 2/4.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
}

#[derive(Args, Clone)]
pub struct Resume {
    /// Continue an interrupted run from its state, a file in the output directory.
    #[arg(long)]
    pub resume: bool,
}

#[derive(Args, Clone)]
pub struct Waived {
    /// JSON file of waivers, which are known failures with their reasons; docs/use/waivers.md describes it.
    /// These failures do not fail the run. But the run fails if a waiver covers a failure that no longer occurs.
    #[arg(long, value_name = "FILE")]
    waivers: Option<PathBuf>,
}

impl Waived {
    /// Loads the waivers, if the command line names a file of them.
    pub fn load(&self) -> Result<Option<Waivers>> {
        self.waivers.as_deref().map(Waivers::load).transpose()
    }
}

#[derive(Args, Clone)]
pub struct Strict {
    /// Accept only one interpretation of the open point that is called RELAXATION: the first, or the one after `=`.
    /// A variant fails if one of its results follows a different interpretation. May be repeated; `{program} list
    /// --relaxations` prints all open points and interpretations.
    #[arg(long, value_name = "RELAXATION[=INTERPRETATION]")]
    pub strict: Vec<Strictness>,
}

#[derive(Args, Clone, Copy)]
pub struct Formatted {
    /// Format of standard output.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

#[derive(Args)]
pub struct Compilers {
    /// Compiler: nvrtc, nvvm, llvm, ptxas or tile, one of these with a version (`nvrtc@12.9.86`), or
    /// `exec:COMMAND`; may be repeated [default: those that are set up].
    #[arg(long = "compiler", value_name = "NAME")]
    pub names: Vec<String>,
}

/// The long help of `--option`.
const WORDS: &str = "\
Only settings of the compiler in which WORD holds. A setting is one combination of options; it has the same name for \
all compilers. May be repeated: all words then have to hold.

  ftz          subnormal numbers of f32 are flushed to zero
  prec-div     divisions of f32 are correctly rounded
  prec-sqrt    square roots of f32 are correctly rounded
  fma          a product and a sum may become one fma
  fast-math    all options that make f32 faster and less exact
  optimised    the optimiser is on
  default      the compiler's default: prec-div, prec-sqrt, fma and optimised
  ftz-results  subnormal results of f32 are flushed, operands are not (llvm)

A `!` before a word negates it, as in `!prec-div`.";

#[derive(Args)]
pub struct Settings {
    /// Only settings of the compiler in which WORD holds; --help lists the words. May be repeated: all words
    /// then have to hold.
    #[arg(long = "option", value_name = "WORD", long_help = WORDS)]
    pub settings: Vec<String>,
}

#[derive(Args)]
pub struct Targets {
    /// Compile for this GPU target, as the compiler spells it. May be repeated: each target is tried
    /// [default: for nvrtc and nvvm, compute_75, compute_90 and compute_100; for llvm, sm_75, sm_80, sm_90 and
    /// sm_100; for ptxas and tile, the targets that each row names].
    #[arg(long = "target", value_name = "TARGET")]
    pub targets: Vec<String>,
}

#[derive(Args)]
pub struct Sample {
    /// Try at most N vectors of each sweep.
    #[arg(long, value_name = "N", default_value_t = 16384, value_parser = clap::value_parser!(u64).range(1..))]
    pub vectors: u64,
}

#[derive(Args)]
pub struct Reported {
    /// File of the report of one compiler, in place of a directory.
    #[arg(long, value_name = "FILE", conflicts_with = "out", hide = true)]
    report: Option<PathBuf>,
    #[command(flatten)]
    pub waivers: Waived,
}

impl Reported {
    /// Returns the file of the report for each compiler: the one that the command line names, or one in `out`.
    ///
    /// # Errors
    /// If the command line names one file and there are several compilers, or if its folder cannot be made.
    pub fn paths(&self, out: &Path, compilers: &[String]) -> Result<Vec<PathBuf>> {
        if let Some(path) = &self.report {
            ensure!(
                compilers.len() == 1,
                "--report is for one compiler, and several are selected: name one with --compiler"
            );
            // The folder is made before hours are spent on what cannot be kept.
            std::fs::create_dir_all(reports::folder_of(path))
                .with_context(|| format!("the folder of {} cannot be created", path.display()))?;
            return Ok(vec![path.clone()]);
        }
        let path = |(at, name): (usize, &String)| {
            // A compiler that is named by a command, such as `exec:COMMAND`, gives no name for a file.
            let plain = name.chars().all(|char| char.is_ascii_alphanumeric() || "@.".contains(char));
            let name = if plain { name.clone() } else { format!("exec-{}", at + 1) };
            out.join(name + ".json")
        };
        Ok(compilers.iter().enumerate().map(path).collect())
    }
}

/// Reads a seed as the command line has it, in decimal or in hexadecimal with `0x`.
///
/// # Errors
/// If it is no whole number of 64 bits.
fn seed(text: &str) -> Result<GivenSeed, String> {
    if text == "random" {
        return Ok(GivenSeed::Random);
    }
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let number = parsed.map(GivenSeed::Number);
    number.map_err(|_| "write a whole number of at most 64 bits, like 7 or 0x1f, or `random`".into())
}
