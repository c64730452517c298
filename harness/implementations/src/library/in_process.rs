//! A library loaded in this very process, so that a fuzzer in it sees which branches the library takes. Whoever
//! asks for that accepts that the library may end the process.

use std::collections::HashMap;
use std::ffi::CString;
use std::path::Path;

use anyhow::{Context, Result};
use formats::Column;
use isa::Variant;

use super::abi::LoadedLibrary;
use crate::{Description, FailureKind, Implementation, RowFailure, Support, Worker};

/// A library that is called from one thread.
pub struct InProcess {
    name: String,
    version: String,
    loaded: LoadedLibrary,
}

impl InProcess {
    /// Loads a library, which `name` stands for.
    ///
    /// # Errors
    /// If the library cannot be loaded, lacks a function, or was made for another version of the interface.
    pub fn load(name: &str, path: &Path) -> Result<InProcess> {
        let loaded = LoadedLibrary::load(path)?;
        let version = loaded.name().context("ptx_conformance_name returned nothing")?;
        Ok(InProcess { name: name.to_owned(), version, loaded })
    }
}

impl Implementation for InProcess {
    fn describe(&self) -> Description {
        let (name, version) = (self.name.clone(), self.version.clone());
        Description { name, version, ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        let Ok(text) = CString::new(variant.text()) else { return Support::No("no text of C".into()) };
        self.loaded.lacks(&text).map_or(Support::Yes, Support::No)
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        let (texts, faults) = (HashMap::new(), Vec::new());
        Ok(Box::new(Caller { loaded: &self.loaded, texts, faults }))
    }
}

/// Worker that calls the library.
struct Caller<'a> {
    loaded: &'a LoadedLibrary,
    /// Variants as strings of C.
    texts: HashMap<String, CString>,
    faults: Vec<RowFailure>,
}

impl Worker for Caller<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        if !self.texts.contains_key(variant.text()) {
            self.texts.insert(variant.text().to_owned(), CString::new(variant.text())?);
        }
        let failed = self.loaded.run(&self.texts[variant.text()], operands, results);
        self.faults.clear();
        if let Some(words) = failed {
            let rows = 0..operands.first().map_or(0, Column::rows);
            let fault = |row| RowFailure { row, kind: FailureKind::Failed, words: words.clone() };
            self.faults.extend(rows.map(fault));
        }
        Ok(())
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        std::mem::take(&mut self.faults)
    }
}
