//! Reads the reasons why `judge` does not notice mutants, from a file beside the list of functions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::score::{MutantName, Score};

/// The name of the file.
pub const FILE: &str = "survivors.toml";
/// The most bytes of the file.
const FILE_MAX: u64 = 1 << 20;

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReasonFile {
    #[serde(default)]
    reason: Vec<WrittenReason>,
}

/// A reason that some mutants of one function have in common.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenReason {
    /// The name of the function.
    function: String,
    /// The sentence that says why no result is wrong.
    why: Option<String>,
    /// The sentence that says what `judge` cannot see, by a limit that its page states.
    limit: Option<String>,
    /// The mutants: each is the instruction and what became of it, with an arrow between them.
    mutants: Vec<String>,
}

/// A reason why `judge` may miss a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No result of the mutant is wrong, because of this.
    Right(String),
    /// The mutant is wrong where `judge` does not look, because of this.
    Limit(String),
}

/// The reasons of all mutants that have one.
pub struct Reasons(BTreeMap<MutantName, Reason>);

impl Reasons {
    /// Reads a file of reasons; where there is no such file, no mutant has a reason.
    ///
    /// # Errors
    /// If the file is too long, is not TOML of this shape, has a table without a reason or with two, or names a mutant
    /// twice.
    pub fn read(path: &Path) -> Result<Reasons> {
        if !path.exists() {
            return Ok(Reasons(BTreeMap::new()));
        }
        let place = || path.display().to_string();
        if std::fs::metadata(path).with_context(place)?.len() > FILE_MAX {
            bail!("{} has more than {FILE_MAX} bytes", place());
        }
        let text = std::fs::read_to_string(path);
        Reasons::of(&text.with_context(place)?).with_context(place)
    }

    /// Reads the text of a file of reasons.
    ///
    /// # Errors
    /// As [`Reasons::read`].
    fn of(text: &str) -> Result<Reasons> {
        let file: ReasonFile = toml::from_str(text)?;
        let mut all = BTreeMap::new();
        for WrittenReason { function, why, limit, mutants } in file.reason {
            let reason = match (why, limit) {
                (Some(why), None) if !why.trim().is_empty() => Reason::Right(why),
                (None, Some(limit)) if !limit.trim().is_empty() => Reason::Limit(limit),
                _ => bail!(
                    "a reason of {function} needs either `why = \"…\"`, which says why no result is wrong, or \
                     `limit = \"…\"`, which says what judge cannot see"
                ),
            };
            for text in mutants {
                let name = MutantName { function: function.clone(), text };
                if all.contains_key(&name) {
                    bail!("{name} has two reasons: keep one");
                }
                all.insert(name, reason.clone());
            }
        }
        Ok(Reasons(all))
    }

    /// Returns the reason of a mutant.
    pub fn of_mutant(&self, name: &MutantName) -> Option<&Reason> {
        self.0.get(name)
    }

    /// Returns the mutants of the scored functions that have a reason and need none: they are noticed, or proven right,
    /// or do not exist.
    pub fn stale(&self, score: &Score) -> Vec<String> {
        let functions: BTreeSet<&str> = score.functions.iter().map(|function| &*function.name).collect();
        let needed: BTreeSet<&MutantName> =
            score.explained.iter().chain(&score.limits).map(|one| &one.name).collect();
        let asked = self.0.keys().filter(|name| functions.contains(&*name.function));
        asked.filter(|name| !needed.contains(name)).map(ToString::to_string).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_reasons_is_read_strictly() {
        let one = "[[reason]]\nfunction = 'f'\nwhy = 'nothing is above'\nmutants = ['a → b']\n";
        let name = MutantName { function: "f".into(), text: "a → b".into() };
        let right = Reason::Right("nothing is above".into());
        assert_eq!(Reasons::of(one).unwrap().of_mutant(&name), Some(&right));
        let limit = Reason::Limit("nothing is above".into());
        let other = one.replace("why", "limit");
        assert_eq!(Reasons::of(&other).unwrap().of_mutant(&name), Some(&limit));
        assert!(Reasons::of("").unwrap().of_mutant(&name).is_none());
        for (text, said) in [
            (one.repeat(2), "f: a → b has two reasons"),
            (one.replace("nothing is above", " "), "a reason of f needs either"),
            (one.replace("why", "limit = 'a'\nwhy"), "a reason of f needs either"),
            (one.replace("why", "because"), "unknown field `because`"),
        ] {
            let error = format!("{:#}", Reasons::of(&text).err().expect(&text));
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
