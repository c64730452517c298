//! Options that several commands have. (A doc comment on one of these types would become the help of
//! the commands that have them.)

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use cli::waivers::Waivers;

#[derive(Args)]
pub struct Variants {
    /// Only variants that match one of these patterns (`*` any text, `?` any character).
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
}

#[derive(Args)]
pub struct Seed {
    /// Seed of the random sweeps, decimal or 0x-hexadecimal.
    #[arg(long, value_parser = seed, default_value = "0")]
    pub seed: u64,
}

#[derive(Args)]
pub struct Jobs {
    /// Number of threads, at most 1024 [default: one per processor, two for a GPU].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Jobs {
    /// Returns the number of threads that the command line asks for, or `default` if it asks for none.
    pub fn or(&self, default: usize) -> usize {
        self.jobs.map_or(default, usize::from)
    }
}

#[derive(Args)]
pub struct Reported {
    /// File of the report, of one compiler [default: one for each, named after it, under `target`].
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// File of known failures, which do not fail the run. One that is over fails it.
    #[arg(long, value_name = "FILE")]
    waivers: Option<PathBuf>,
}

impl Reported {
    /// Loads the waivers, if the command line names a file of them.
    pub fn waivers(&self) -> Result<Option<Waivers>> {
        self.waivers.as_deref().map(Waivers::load).transpose()
    }

    /// Returns the file of the report for each compiler: the one that the command line names, or one in `folder`.
    ///
    /// # Errors
    /// If the command line names one file and there are several compilers, or if its folder cannot be made.
    pub fn paths(&self, folder: &str, compilers: &[String]) -> Result<Vec<PathBuf>> {
        if let Some(path) = &self.report {
            ensure!(
                compilers.len() == 1,
                "--report is the file of one compiler: name one with --compiler"
            );
            // The folder is made before hours are spent on what cannot be kept.
            std::fs::create_dir_all(reports::folder_of(path))
                .with_context(|| format!("{}: its folder cannot be made", path.display()))?;
            return Ok(vec![path.clone()]);
        }
        let path = |(at, name): (usize, &String)| {
            // A compiler that is named by a command, such as `exec:COMMAND`, gives no name for a file.
            let plain = name.chars().all(|char| char.is_ascii_alphanumeric() || "@.".contains(char));
            let name = if plain { name.clone() } else { format!("exec-{}", at + 1) };
            Path::new(folder).join(name + ".json")
        };
        Ok(compilers.iter().enumerate().map(path).collect())
    }
}

/// Reads a seed as the command line has it, in decimal or in hexadecimal with `0x`.
///
/// # Errors
/// If it is no whole number of 64 bits.
fn seed(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "a seed is a whole number of 64 bits, like 7 or 0x1f".into())
}
