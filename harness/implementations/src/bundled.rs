//! Implementations that others wrote and that are connected in `harness/third-party`: each is a library or a
//! process of its own, made by `cargo xtask setup NAME`.

mod clone;
pub mod compilers;
mod environment;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::process::{self, Limits, Process};
use super::{Implementation, PtxEmulator, library, ptx_emulator};
use compilers as known;
pub use environment::Environment;

/// An implementation that others wrote and that comes with the suite.
pub struct Bundled {
    /// Name that `--impl` and `setup` take.
    pub name: &'static str,
    /// Description of the implementation, for people.
    pub what: &'static str,
    made: BuildMethod,
}

/// Way in which a bundled implementation is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BuildMethod {
    /// A crate that exports one of the C interfaces.
    Crate(Takes),
    /// C++ that exports the C interface for variants, around the headers of a package.
    Headers,
    /// A client in Python, with packages of its own.
    Python,
    /// A slow client in Python, of some thousand vectors a second: of each sweep, this number of vectors is run,
    /// unless told otherwise.
    Slow(u64),
    /// A client in Python for MMA-Sim, of which whoever wants it has a copy.
    Clone,
}

/// Input that a library takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// Variants by name, through the interface of `ptx_conformance.h`.
    Variants,
    /// Texts of kernels, through the interface of `ptx_emulator.h`.
    Kernels,
}

#[rustfmt::skip] // a table
/// All bundled implementations.
pub const BUNDLED: &[Bundled] = &[
    Bundled { name: "apfloat",      made: BuildMethod::Crate(Takes::Variants), what: "the crate rustc_apfloat, LLVM's arithmetic" },
    Bundled { name: "float8",       made: BuildMethod::Crate(Takes::Variants), what: "the crate float8" },
    Bundled { name: "half",         made: BuildMethod::Crate(Takes::Variants), what: "the crate half" },
    Bundled { name: "libm",         made: BuildMethod::Crate(Takes::Variants), what: "the crate libm" },
    Bundled { name: "softfloat",    made: BuildMethod::Crate(Takes::Variants), what: "Berkeley SoftFloat" },
    Bundled { name: "cuda_headers", made: BuildMethod::Headers,                what: "what the headers of CUDA compute on the host" },
    Bundled { name: "ptoxide",      made: BuildMethod::Crate(Takes::Kernels),  what: "the crate ptoxide, an emulator of PTX" },
    Bundled { name: "gfloat",       made: BuildMethod::Python,                 what: "the package gfloat" },
    Bundled { name: "ml_dtypes",    made: BuildMethod::Python,                 what: "NumPy and the package ml_dtypes" },
    Bundled { name: "torch",        made: BuildMethod::Python,                 what: "PyTorch on the CPU" },
    Bundled { name: "mma_sim",      made: BuildMethod::Clone,                  what: "MMA-Sim's models of tensor cores, of a copy of yours" },
    Bundled { name: "llvm",         made: BuildMethod::Slow(500),              what: "what LLVM computes of operands that it knows" },
    Bundled { name: "nvvm",         made: BuildMethod::Slow(500),              what: "what CUDA's compiler computes of operands that it knows" },
    Bundled { name: "ptxas",        made: BuildMethod::Slow(500),              what: "what CUDA's assembler computes of operands that it knows" },
];

/// Folder of the sources of bundled implementations, in the suite's folder.
pub(crate) const SOURCES: &str = "harness/third-party";
/// Folder that keeps what is made of the sources of bundled implementations.
const MADE: &str = "target/third-party";
/// Time that a client in Python may take for a batch.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the bundled implementation that a name like `half` or `gfloat,vectors=500` means.
pub fn find(name: &str) -> Option<&'static Bundled> {
    let name = name.split(',').next()?;
    BUNDLED.iter().find(|bundled| bundled.name == name)
}

impl Bundled {
    /// Connects the implementation; `name` is as it was given, with its options.
    ///
    /// # Errors
    /// If the implementation was not set up, or does not start.
    pub fn connect(&self, name: &str) -> Result<Box<dyn Implementation>> {
        let (_, options) = name.split_once(',').unwrap_or((name, ""));
        if self.made == BuildMethod::Crate(Takes::Kernels) {
            let options = ptx_emulator::EmulatorOptions::read(options, Limits::default())?;
            self.is_there()?;
            return Ok(Box::new(PtxEmulator::library(name, &self.made(), options)?));
        }
        Ok(Box::new(self.process(name, options)?))
    }

    /// Checks that the implementation was set up.
    fn is_there(&self) -> Result<()> {
        if !self.made().exists() {
            bail!("{}", self.environment().missing());
        }
        Ok(())
    }

    /// Starts the process that the implementation is.
    fn process(&self, name: &str, options: &str) -> Result<Process> {
        let (architecture, options) = match self.made {
            BuildMethod::Clone => clone::architecture(options)?,
            _ => ("", options.to_owned()),
        };
        let limits = match self.made {
            BuildMethod::Crate(_) | BuildMethod::Headers => Limits::default(),
            BuildMethod::Python | BuildMethod::Clone => {
                Limits { deadline: PATIENCE, ..Limits::default() }
            }
            BuildMethod::Slow(vectors) => {
                Limits { deadline: PATIENCE, vectors: Some(vectors), ..Limits::default() }
            }
        };
        let limits = limits.with_options(&options)?;
        self.is_there()?;
        let made = self.made();
        let client = Path::new(SOURCES).join(self.client());
        let words = |paths: &[&Path]| paths.iter().map(|path| path.display().to_string()).collect();
        match self.made {
            BuildMethod::Crate(_) | BuildMethod::Headers => library::start_named(name, &made, limits),
            BuildMethod::Python | BuildMethod::Slow(_) => {
                Process::start_named(name, words(&[&made, &client]), limits)
            }
            BuildMethod::Clone => {
                let copy = clone::found(std::env::var_os(clone::VARIABLE).as_deref())?;
                let mut words: Vec<String> = words(&[&made, &client, &copy]);
                words.extend(["--arch".into(), architecture.into()]);
                Process::start_named(name, words, limits)
            }
        }
    }

    /// Returns the folder of everything that is made of the implementation.
    fn directory(&self) -> PathBuf {
        Path::new(MADE).join(self.name)
    }

    /// Returns the file that is there once the implementation is set up.
    fn made(&self) -> PathBuf {
        let library = libloading::library_filename(format!("ptx_{}", self.name));
        match self.made {
            BuildMethod::Crate(_) => self.directory().join("release").join(library),
            BuildMethod::Headers => self.directory().join(library),
            BuildMethod::Python | BuildMethod::Slow(_) | BuildMethod::Clone => {
                self.environment().python()
            }
        }
    }

    /// Returns the environment of Python that the implementation's client runs in, or the script that builds it.
    fn environment(&self) -> Environment {
        Environment::of(self.name)
    }

    /// Returns the path of the crate's manifest, in `harness/third-party`.
    fn manifest(&self) -> String {
        format!("{}/Cargo.toml", self.name)
    }

    /// Returns the path of the client in Python, in `harness/third-party`.
    fn client(&self) -> String {
        format!("python/{}_client.py", self.name)
    }

    /// Returns the path of the script that builds the headers' library, in `harness/third-party`.
    fn build(&self) -> String {
        format!("{}/build.py", self.name)
    }

    /// Returns the files that the implementation is made of, in `harness/third-party`.
    pub fn sources(&self) -> Vec<String> {
        match self.made {
            BuildMethod::Crate(_) => vec![self.manifest(), format!("{}/Cargo.lock", self.name)],
            BuildMethod::Headers => vec![self.build(), self.environment().requirements()],
            BuildMethod::Python | BuildMethod::Slow(_) | BuildMethod::Clone => {
                vec![self.client(), self.environment().requirements()]
            }
        }
    }

    /// Whether the implementation is a library of Rust that computes variants.
    const fn is_library(&self) -> bool {
        matches!(self.made, BuildMethod::Crate(Takes::Variants))
    }

    /// Returns the command that builds a library of Rust so that libFuzzer sees which branches it takes, and what
    /// C in it compares; and where the library is then.
    ///
    /// # Errors
    /// If the implementation is no library of Rust.
    fn covered(&self) -> Result<(Command, String)> {
        if !self.is_library() {
            let libraries = BUNDLED.iter().filter(|each| each.is_library()).map(|each| each.name);
            let libraries: Vec<&str> = libraries.collect();
            bail!("{} is not a Rust library: --coverage takes {}", self.name, libraries.join(", "));
        }
        let directory = self.directory().join("coverage");
        let mut build = self.cargo(&directory);
        // With `--target`, Cargo does not give these flags to build scripts and macros, which run while it builds.
        build.args(["--target", "host-tuple"]);
        // Cargo takes flags that this sign separates, the unit separator of ASCII.
        build.env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.trim_end().replace('\n', "\u{1f}"));
        let flags = std::env::var("CFLAGS").unwrap_or_default();
        build.env("CFLAGS", format!("{flags} {COVERAGE_OF_C}"));
        let library = libloading::library_filename(format!("ptx_{}", self.name));
        // The folder that Cargo names after the target is a pattern here: people are shown `ls` of the path.
        let path = directory.join("*").join("release").join(library);
        Ok((build, path.display().to_string()))
    }

    /// Returns the command that builds a crate.
    fn cargo(&self, directory: &Path) -> Command {
        // Cargo sets this variable for what it starts, so that another toolchain's Cargo is not taken.
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        build.args(["build", "--release", "--locked", "--manifest-path"]);
        build.arg(Path::new(SOURCES).join(self.manifest())).arg("--target-dir").arg(directory);
        build
    }

    /// Returns the commands that set the implementation up, in order.
    fn setup(&self) -> Vec<Command> {
        let sources = Path::new(SOURCES);
        match self.made {
            BuildMethod::Crate(_) => vec![self.cargo(&self.directory())],
            BuildMethod::Headers => {
                let mut build = Command::new(self.environment().python());
                build.arg(sources.join(self.build())).arg(self.made());
                self.environment().setup().into_iter().chain([build]).collect()
            }
            // The environment of `llvm`, `nvvm` or `ptxas` serves the compiler of that name, too.
            BuildMethod::Python | BuildMethod::Slow(_) | BuildMethod::Clone => {
                self.environment().setup().into()
            }
        }
    }
}

/// Flags of the Rust compiler that make libFuzzer see which branches a library takes, one a line.
const COVERAGE: &str = include_str!("../../../fuzz/coverage.flags");

/// Flag of compilers of C that makes libFuzzer see comparisons, for what a library of Rust has of C.
const COVERAGE_OF_C: &str = "-fsanitize-coverage=trace-cmp";

/// Steps that set up an implementation or a compiler.
struct Setup<'a> {
    name: &'a str,
    /// Size of what is downloaded and installed, in words; empty where both are small.
    size: &'static str,
    commands: Vec<Command>,
    /// Message that is shown at last.
    ready: String,
}

/// Returns what it takes to set up an implementation, or a compiler in some version.
fn setup(name: &str, coverage: bool) -> Result<Setup<'_>> {
    if let (Some(bundled), true) = (find(name), coverage) {
        let (build, library) = bundled.covered()?;
        let ready = format!(
            "{name} is set up: cargo xtask fuzz differential --in-process --impl lib:$(ls {library})"
        );
        return Ok(Setup { name, size: "", commands: vec![build], ready });
    }
    if let Some(bundled) = find(name) {
        let compiler = match known::find(name)? {
            Some(_) => format!(", and --compiler {name}"),
            None => String::new(),
        };
        let ready = format!("{name} is set up: --impl {name}{compiler}");
        return Ok(Setup { name, size: "", commands: bundled.setup(), ready });
    }
    if let Some(compiler) = known::find(name)? {
        let ready = format!("{name} is set up: --compiler {name}");
        let commands = compiler.environment.setup().into();
        return Ok(Setup { name, size: compiler.size, commands, ready });
    }
    let mut names: Vec<&str> = BUNDLED.iter().map(|bundled| bundled.name).collect();
    names.extend(known::KNOWN.iter().map(|known| known.name).filter(|name| find(name).is_none()));
    bail!("unknown name `{name}`; what can be set up: {}", names.join(", "))
}

/// Sets up implementations or compilers by their names, saying what is done.
///
/// # Errors
/// If there is none of a name, if this is not the suite's folder, or if a command fails.
pub fn set_up(names: &[String], coverage: bool, say: impl Fn(&str)) -> Result<()> {
    if !Path::new(SOURCES).is_dir() {
        bail!("the folder {SOURCES} is not here: run this command in the suite's folder");
    }
    // All names are looked up first, so that a wrong one fails before anything is set up.
    for setup in names.iter().map(|name| setup(name, coverage)).collect::<Result<Vec<Setup>>>()? {
        if !setup.size.is_empty() {
            say(&format!("{}: {}", setup.name, setup.size));
        }
        for command in setup.commands {
            say(&format!("{command:?}"));
            let program = command.get_program().display().to_string();
            let status =
                process::run(command).with_context(|| format!("`{program}` could not be started"))?;
            if !status.success() {
                bail!("{} could not be set up; see the messages of {program} above", setup.name);
            }
        }
        say(&setup.ready);
    }
    Ok(())
}
