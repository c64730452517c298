//! Emulators that take the text of kernels, as `harness/protocol/emulators.md` has it: a program, or a shared
//! library in a process of its own. Which variants an emulator has is found by trying it, and remembered.

mod abi;
mod probing;
mod remembered;
mod serve;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Result, anyhow, bail};
use base::locks::lock;
use base::terminal::say;
use isa::Variant;
use isa::matrix::MatrixVariant;
use selection::subject::Subject;

use super::process::kernels::Head;
use super::process::{self, ChildProgram, Dialect, Limits, explained};
use super::{Description, Implementation, Support, Worker, library};
use remembered::Remembered;

pub use serve::{Backend, converse, serve};

/// Endings of a shared library's name.
const LIBRARIES: [&str; 3] = [".so", ".dylib", ".dll"];
/// Reference to the page that says the version of the protocol, and what follows its greeting.
const PAGE: &str = "harness/protocol/emulators.md says what is to be answered";

/// An emulator of PTX as an implementation.
pub struct PtxEmulator {
    name: String,
    version: String,
    program: ChildProgram,
    head: Head,
    /// Whether the emulator is asked about every variant.
    all: bool,
    /// Whether the emulator runs whole warps.
    warps: bool,
    /// Variants that the emulator has, as far as it was asked.
    known: Mutex<Remembered>,
}

/// Options of an emulator's name, limits among them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EmulatorOptions {
    head: Head,
    /// Whether nothing is remembered of an earlier run.
    ask: bool,
    /// Whether the emulator is asked about every variant.
    all: bool,
    limits: Limits,
}

impl EmulatorOptions {
    /// Reads the options that stand between `ptx` and the colon of a name.
    ///
    /// # Errors
    /// If something in the text is no option.
    pub fn read(options: &str, defaults: Limits) -> Result<EmulatorOptions> {
        let (mut head, mut ask, mut all, mut rest) = (Head::default(), false, false, Vec::new());
        for option in options.split(',').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                None if option == "ask" => ask = true,
                Some(("ask", "all")) => (ask, all) = (true, true),
                Some(("target", target)) => head.target = Some(target.parse()?),
                Some(("version", version)) => head.version = Some(version.parse()?),
                _ => rest.push(option),
            }
        }
        let limits = defaults.with_options(&rest.join(",")).map_err(|error| {
            anyhow!("{error:#}; emulators also take target=sm_35, version=4.2 and ask")
        })?;
        Ok(EmulatorOptions { head, ask, all, limits })
    }
}

impl PtxEmulator {
    /// Starts the emulator that `ptx:COMMAND`, `ptx:LIBRARY.so` or `ptx,vectors=1000:COMMAND` names.
    ///
    /// # Errors
    /// If the name is written otherwise, or the emulator does not start or does not introduce itself; if a
    /// library cannot be loaded, or lacks a function.
    pub fn named(name: &str) -> Result<PtxEmulator> {
        let (kind, command) = name.split_once(':').unwrap_or((name, ""));
        let (_, options) = kind.split_once(',').unwrap_or((kind, ""));
        if command.trim().is_empty() {
            bail!("`{name}` has no command or library: write ptx:COMMAND, or ptx:LIBRARY.so");
        }
        let options = EmulatorOptions::read(options, Limits::default())?;
        // With a blank it is a command, and the library an argument of it.
        if LIBRARIES.iter().any(|end| command.ends_with(end)) && !command.contains(' ') {
            return PtxEmulator::library(name, Path::new(command), options);
        }
        let words = process::words(command)?;
        let parts = files(&words);
        PtxEmulator::start(name, words, &parts, options)
    }

    /// Starts an emulator that is a shared library.
    ///
    /// # Errors
    /// If the library cannot be loaded, or lacks a function.
    pub fn library(name: &str, path: &Path, options: EmulatorOptions) -> Result<PtxEmulator> {
        let path = library::absolute(path)?;
        let words = library::served(&["--emulator", &path])?;
        PtxEmulator::start(name, words, &[path.into()], options)
    }

    /// Starts an emulator that this binary serves, and that runs kernels as a child. Nothing of it is remembered.
    ///
    /// # Errors
    /// If the emulator does not start.
    pub fn start_own(name: &str, arguments: &[&str], limits: Limits) -> Result<PtxEmulator> {
        let options = EmulatorOptions { head: Head::default(), ask: true, all: true, limits };
        let words = library::served(arguments)?;
        Ok(PtxEmulator { warps: true, ..PtxEmulator::start(name, words, &[], options)? })
    }

    /// Starts an emulator, and reads what is remembered of it. `parts` are the files that it is made of.
    fn start(
        name: &str,
        words: Vec<String>,
        parts: &[PathBuf],
        options: EmulatorOptions,
    ) -> Result<PtxEmulator> {
        let EmulatorOptions { head, ask, all, limits } = options;
        let program = ChildProgram::new(words, Dialect::Kernels(head), limits);
        let mut child = program.start()?;
        let version = match program.introduce(&mut child) {
            Ok(version) => version,
            Err(failure) => {
                let failure = explained(&mut child, failure);
                bail!("`{name}` cannot be used: {failure} ({PAGE})")
            }
        };
        let known = Remembered::of(&version, parts, ask)?;
        let known = Mutex::new(known);
        Ok(PtxEmulator { name: name.into(), version, program, head, all, warps: false, known })
    }

    /// Asks the emulator about those of some variants that nothing is known of.
    fn ask(&self, variants: &[&'static Variant]) {
        // Held until all answers are there: another thread that asks finds them afterwards.
        let mut known = lock(&self.known);
        let open: Vec<_> = variants.iter().filter_map(|&variant| self.open(&known, variant)).collect();
        if open.is_empty() {
            return;
        }
        let asked = probing::ask(&self.program, &open, self.all);
        for ((variant, kernel), answer) in asked {
            known.learn(variant.text(), kernel, answer);
        }
        if let Err(error) = known.save() {
            say(&format!(
                "warning: which variants the emulator has could not be stored, and is asked again next \
                 time: {error:#}"
            ));
        }
    }

    /// Whether a variant takes a warp, and the emulator may run threads one by one.
    fn lacks_warps(&self, variant: &Variant) -> bool {
        variant.is_of_warp() && !self.warps
    }

    /// Returns a variant with its kernel, if there is one and nothing is known of it.
    fn open(&self, known: &Remembered, variant: &'static Variant) -> Option<probing::KernelQuestion> {
        if self.lacks_warps(variant) {
            return None;
        }
        let kernel = self.head.kernel(variant).ok()?;
        known.answer(variant.text(), &kernel).is_none().then_some((variant, kernel))
    }
}

/// Returns the files that the words of a command name: the program, and whatever it is given.
fn files(words: &[String]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        words.iter().map(PathBuf::from).filter(|path| path.is_file()).collect();
    // A name without a folder is looked for on the path, as it is when the program is started.
    if let Some(program) = words.first().filter(|program| !program.contains(std::path::MAIN_SEPARATOR)) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        files.extend(
            std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file()),
        );
    }
    files
}

impl Implementation for PtxEmulator {
    fn describe(&self) -> Description {
        Description { name: self.name.clone(), version: self.version.clone(), ..Description::default() }
    }

    fn prepare(&self, subjects: &[Subject]) {
        let variant = |subject: &Subject| match *subject {
            Subject::Variant(variant) => Some(variant),
            Subject::Matrix(_) => None,
        };
        self.ask(&subjects.iter().filter_map(variant).collect::<Vec<_>>());
    }

    fn support(&self, variant: &Variant) -> Support {
        if self.lacks_warps(variant) {
            return Support::No(
                "a whole warp executes it, and an emulator may run threads one by one".into(),
            );
        }
        let kernel = match self.head.kernel(variant) {
            Ok(kernel) => kernel,
            Err(lack) => return Support::No(lack.to_string()),
        };
        let answer = |known: &Mutex<Remembered>| lock(known).answer(variant.text(), &kernel);
        if let Some(answer) = answer(&self.known) {
            return answer;
        }
        // Whoever did not prepare asks one by one.
        if let Ok(Subject::Variant(variant)) = Subject::named(variant.text()) {
            self.ask(&[variant]);
        }
        answer(&self.known)
            .unwrap_or_else(|| Support::Fails("not asked: the run was ended before".into()))
    }

    fn support_matrix(&self, _: &MatrixVariant) -> Support {
        Support::No("the suite does not ask emulators for matrix instructions".into())
    }

    fn vectors_max(&self) -> Option<u64> {
        self.program.limits.vectors
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(process::ProcessWorker::new(&self.program)))
    }
}
