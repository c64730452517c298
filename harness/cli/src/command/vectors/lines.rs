//! Reads and writes the files of digests. Each line has a variant, a sweep, the number of vectors, the digests of
//! inputs and of results, and how these were found where MPFR did not judge every vector.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;

/// The last word of a line whose space MPFR judged at both ends of every run of equal results.
pub const RUNS: &str = "runs";

/// The name of the file of the digests of whole spaces of more than a block, on which the suite itself relies.
pub const PROVEN: &str = "proven.txt";

/// The name of the file of the digests of everything but whole spaces of more than a block.
pub const QUICK: &str = "quick.txt";

#[derive(Args)]
pub struct Digests {
    /// Directory of the files of digests.
    #[arg(long, value_name = "DIR", default_value = "vectors/digests")]
    digests: PathBuf,
}

impl Digests {
    /// Returns the path of a file of digests. A path to a text file stands for the file itself.
    pub fn file(&self, name: &str) -> PathBuf {
        if self.is_file() { self.digests.clone() } else { self.digests.join(name) }
    }

    /// Checks that several files of digests can be written, each by itself.
    ///
    /// # Errors
    /// If the path stands for one file: the last of several would take the place of the others.
    pub fn writable(&self) -> Result<()> {
        let shown = self.digests.display();
        ensure!(
            !self.is_file(),
            "--digests {shown} is one file, and --write writes {PROVEN} and {QUICK}: name their directory"
        );
        Ok(())
    }

    /// Whether the path stands for one file, and not for a directory of files.
    fn is_file(&self) -> bool {
        self.digests.extension().is_some_and(|extension| extension == "txt") && !self.digests.is_dir()
    }
}

/// A file of digests.
pub struct File {
    path: PathBuf,
    /// The rest of each line, by its key: variant, sweep and number of vectors, with spaces between them.
    lines: BTreeMap<String, String>,
}

impl File {
    /// Reads a file of digests; one that does not exist has no lines.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is not one of digests.
    pub fn read(path: PathBuf) -> Result<File> {
        if !path.exists() {
            return Ok(File { path, lines: BTreeMap::new() });
        }
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let split = |line: &str| {
            // The key is three words: variant, sweep and number of vectors.
            let at = line.match_indices(' ').nth(2).map(|(at, _)| at);
            let (key, rest) =
                line.split_at(at.with_context(|| format!("not a line of digests: `{line}`"))?);
            Ok((key.to_owned(), rest.trim_start().to_owned()))
        };
        let lines = lines.map(split).collect::<Result<_>>()?;
        Ok(File { path, lines })
    }

    /// Returns the key of each line: variant, sweep and number of vectors, with spaces between them.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.lines.keys().map(String::as_str)
    }

    /// Returns the two digests, of inputs and of results, of the line with this key; `None` if there is no such line.
    pub fn digests(&self, key: &str) -> Option<&str> {
        self.lines.get(key).map(|rest| bare(rest))
    }

    /// Puts a line into the file, in the place of one with the same key. `how` says how the digests were found, where
    /// MPFR did not judge every vector.
    pub fn put(&mut self, key: &str, digests: &str, how: Option<&str>) {
        let rest = [Some(digests), how].into_iter().flatten().collect::<Vec<_>>().join(" ");
        self.lines.insert(key.to_owned(), rest);
    }

    /// Writes the lines to the file, and leaves its comments as they were.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self) -> Result<()> {
        let old = std::fs::read_to_string(&self.path).unwrap_or_default();
        let comments = old.lines().filter(|line| line.starts_with('#')).map(str::to_owned);
        let lines = self.lines.iter().map(|(key, rest)| format!("{key} {rest}"));
        let text: Vec<String> = comments.chain(lines).collect();
        write(&self.path, &text.join("\n"))
    }
}

/// Writes a file, whole or not at all, with an end of line after the text.
fn write(path: &Path, text: &str) -> Result<()> {
    reports::write_atomically(path, format!("{text}\n").as_bytes())
        .with_context(|| format!("{} cannot be written: run this in the repository", path.display()))
}

/// Returns the two digests of a line alone, without how they were found. `rest` is the line without its key.
fn bare(rest: &str) -> &str {
    let end = rest.match_indices(' ').nth(1).map_or(rest.len(), |(at, _)| at);
    &rest[..end]
}
