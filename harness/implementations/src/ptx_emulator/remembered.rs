//! Memory of which variants an emulator has, by its version, in a file under `target`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use base::digest::digest_of;
use base::store::{self, StoreContent, StoreRefusal};
use base::terminal::say;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use crate::Support;
use crate::process::kernels::KernelModule;

/// Folder of the files that remember emulators' answers.
const FOLDER: &str = "target/emulators";
/// Form of a file that remembers an emulator's answers.
const FORM: u32 = 1;

/// Answers of one emulator, by the variants that it was asked about.
#[derive(Debug)]
pub struct Remembered {
    path: PathBuf,
    answers: BTreeMap<String, RememberedOutcome>,
    /// Answers that hold for this run alone: why the emulator was given up.
    passing: BTreeMap<String, Support>,
}

/// Outcome of one kernel.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct RememberedOutcome {
    /// XXH3-64 of the kernel's text.
    kernel: String,
    /// Reason why the emulator does not have the kernel's variant, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    no: Option<String>,
}

/// Content of a file that remembers an emulator's answers.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    form: u32,
    emulator: String,
    answers: BTreeMap<String, RememberedOutcome>,
}

impl StoreContent for Stored {
    const FORM: u32 = FORM;
    const LARGEST: u64 = 64;
}

impl Remembered {
    /// Returns what is known of the emulator that introduces itself as `version` and is made of the files
    /// `parts`; nothing, where `ask` says so.
    ///
    /// # Errors
    /// If one of the files cannot be read.
    pub fn of(version: &str, parts: &[PathBuf], ask: bool) -> Result<Remembered> {
        let mut digest = Xxh3Default::new();
        digest.update(version.as_bytes());
        for part in parts {
            let of_part =
                digest_of(part).with_context(|| format!("{} cannot be read", part.display()))?;
            digest.update(&of_part.to_le_bytes());
        }
        // The file's name depends on the emulator's files, so that another build is asked anew.
        let path = PathBuf::from(FOLDER).join(format!("{:016x}.json", digest.digest()));
        let mut remembered = Remembered { path, answers: BTreeMap::new(), passing: BTreeMap::new() };
        if !ask {
            remembered.load();
        }
        Ok(remembered)
    }

    /// Reads the file of answers, if there is one; a file that is not as it was written is left out.
    fn load(&mut self) {
        let shown = self.path.display();
        match store::load::<Stored>(&self.path) {
            Ok(stored) => {
                let (count, had) = (stored.answers.len(), stored.answers.values());
                let had = had.filter(|answer| answer.no.is_none()).count();
                say(&format!(
                    "Using the emulator's earlier answers in {shown}: it has {had} of {count} \
                     variants; ask again with `ptx,ask:…`."
                ));
                self.answers = stored.answers;
            }
            Err(StoreRefusal::Missing) => {}
            Err(why) => say(&format!(
                "warning: {shown} is not used, because it {why}; asking the emulator again"
            )),
        }
    }

    /// Returns what is known of a variant with this kernel.
    pub fn answer(&self, variant: &str, kernel: &KernelModule) -> Option<Support> {
        if let Some(passing) = self.passing.get(variant) {
            return Some(passing.clone());
        }
        // An answer about another text of the kernel says nothing of this one.
        let answer = self.answers.get(variant).filter(|answer| answer.kernel == digest(kernel))?;
        Some(answer.no.clone().map_or(Support::Yes, Support::No))
    }

    /// Notes an answer. An answer that says nothing of the emulator is for this run alone.
    pub fn learn(&mut self, variant: &str, kernel: &KernelModule, answer: Support) {
        let no = match answer {
            Support::Yes => None,
            Support::No(reason) => Some(reason),
            fails @ Support::Fails(_) => {
                self.passing.insert(variant.to_owned(), fails);
                return;
            }
        };
        self.answers.insert(variant.to_owned(), RememberedOutcome { kernel: digest(kernel), no });
    }

    /// Writes the file of answers, whole or not at all.
    ///
    /// # Errors
    /// If writing is not possible.
    pub fn save(&self) -> Result<()> {
        let emulator = self.path.display().to_string();
        let stored = Stored { form: FORM, emulator, answers: self.answers.clone() };
        store::save(&self.path, &stored)
    }
}

/// Returns the XXH3-64 of a kernel's text in hexadecimal.
fn digest(kernel: &KernelModule) -> String {
    format!("{:016x}", xxh3_64(kernel.text.as_bytes()))
}
