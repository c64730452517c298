//! The compilers whose clients come with the suite, and the versions of each that can be installed side by
//! side: `nvrtc` is the newest, `nvrtc@12.9.86` another.

use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;

use crate::bundled::{Environment, SOURCES};

/// Kind of output that a compiler is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Want {
    /// PTX.
    Ptx,
    /// Machine code, as text.
    Code,
}

/// A compiler whose client comes with the suite.
pub struct BundledCompiler {
    /// Name of the compiler; its client in Python has it too.
    pub name: &'static str,
    /// Description of the compiler, for people.
    pub what: &'static str,
    /// Kind of output that the compiler gives.
    pub gives: Want,
    /// Versions of the compiler that can be had, the newest first.
    pub versions: &'static [&'static str],
    /// Whether there are rows of what the compiler promises, so that it is asked where no compiler is named.
    pub has_rows: bool,
    /// Size of the download and of what is installed, in words; empty where both are small.
    pub size: &'static str,
}

/// Versions of NVIDIA's compilers: those that first knew a target, and the newest of 12.
const NVIDIA: &[&str] = &["13.5.37", "13.2.86", "12.9.86", "12.8.93"];

/// Versions of LLVM; packages of it have numbers of their own.
const LLVM: &[&str] = &["22.1.0", "20.1.8"];

/// Versions of Triton: the newest two, and an older one.
const TRITON: &[&str] = &["3.9.0", "3.8.0", "3.5.1"];

/// Sizes of Triton's versions, the oldest first, as seen on x86-64.
const TRITON_SIZE: &str = "170 to 290 MB are downloaded, and take 0.6 to 1.1 GB";

#[rustfmt::skip] // a table
/// All compilers whose clients come with the suite.
pub const KNOWN: &[BundledCompiler] = &[
    BundledCompiler { name: "nvrtc",  gives: Want::Ptx,  versions: NVIDIA,       has_rows: true,  size: "", what: "NVIDIA's compiler of CUDA C++" },
    BundledCompiler { name: "nvvm",   gives: Want::Ptx,  versions: NVIDIA,       has_rows: true,  size: "", what: "NVIDIA's compiler of LLVM's language" },
    BundledCompiler { name: "llvm",   gives: Want::Ptx,  versions: LLVM,         has_rows: true,  size: "", what: "LLVM's own compiler" },
    BundledCompiler { name: "ptxas",  gives: Want::Code, versions: NVIDIA,       has_rows: true,  size: "", what: "NVIDIA's assembler" },
    BundledCompiler { name: "tile",   gives: Want::Code, versions: &["13.5.37"], has_rows: true,  size: "", what: "NVIDIA's compiler of cuTile" },
    BundledCompiler { name: "triton", gives: Want::Ptx,  versions: TRITON,       has_rows: false, size: TRITON_SIZE, what: "Triton's compiler of kernels, for `judge`" },
];

/// A compiler in a version.
pub struct Installed {
    /// Environment of Python that the compiler is installed in.
    pub environment: Environment,
    /// Size of the download and of what is installed, in words; empty where both are small.
    pub size: &'static str,
    client: String,
}

/// Returns the compiler that a name like `nvrtc` or `nvrtc@12.9.86` means; `None` if the name is of no compiler.
///
/// # Errors
/// If the compiler cannot be had in that version.
pub fn find(name: &str) -> Result<Option<Installed>> {
    let (base, version) = name.split_once('@').unwrap_or((name, ""));
    let Some(known) = KNOWN.iter().find(|known| known.name == base) else { return Ok(None) };
    let environment = match known.versions.iter().position(|known| *known == version) {
        // Not a second copy of the newest.
        Some(0) => base,
        Some(_) => name,
        None if name == base => base,
        None => bail!(
            "{base} is not available in version `{version}`: choose one of {}",
            known.versions.join(", ")
        ),
    };
    let client = format!("{SOURCES}/python/{base}_compiler.py");
    Ok(Some(Installed { environment: Environment::of(environment), size: known.size, client }))
}

/// Returns the names of the compilers that are set up, in their newest versions, have rows, and give one of these outputs.
pub fn installed(gives: &[Want]) -> Vec<String> {
    let there = |name: &str| find(name).is_ok_and(|found| found.is_some_and(|of| of.command().is_ok()));
    let wanted = KNOWN.iter();
    let wanted = wanted.filter(|of| of.has_rows && gives.contains(&of.gives) && there(of.name));
    wanted.map(|known| known.name.to_owned()).collect()
}

/// Returns the names of other versions of a compiler that are set up.
pub fn other_versions(name: &str) -> Vec<String> {
    let (base, version) = name.split_once('@').unwrap_or((name, ""));
    let Some(known) = KNOWN.iter().find(|known| known.name == base) else { return Vec::new() };
    let own = if version.is_empty() { known.versions[0] } else { version };
    let others = known.versions.iter().filter(|other| **other != own);
    let there =
        |name: &String| find(name).is_ok_and(|found| found.is_some_and(|of| of.command().is_ok()));
    others.map(|other| format!("{base}@{other}")).filter(there).collect()
}

/// Returns the names of all compilers, for people.
pub fn names() -> String {
    KNOWN.iter().map(|known| known.name).collect::<Vec<&str>>().join(", ")
}

impl Installed {
    /// Returns the command that starts the compiler's client.
    ///
    /// # Errors
    /// If the compiler is not set up.
    pub fn command(&self) -> Result<Vec<String>> {
        let python = self.environment.python();
        if !python.exists() {
            bail!("{}", self.environment.missing());
        }
        let client = Path::new(&self.client);
        Ok([&python, client].map(|path| path.display().to_string()).to_vec())
    }
}
