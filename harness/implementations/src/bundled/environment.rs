//! Environments of Python with packages of their own, in which clients and compilers run.

use std::path::{Path, PathBuf};
use std::process::Command;

use base::invocation;

use super::{MADE, SOURCES};

/// An environment of Python, by the name of the implementation or compiler that it is for, with a version where
/// there are several.
pub struct Environment(String);

impl Environment {
    /// Makes the environment of this name, without setting it up.
    pub fn of(name: &str) -> Environment {
        Environment(name.to_owned())
    }

    /// Returns the folder of the environment.
    fn directory(&self) -> PathBuf {
        Path::new(MADE).join(&self.0).join("venv")
    }

    /// Returns the path of the environment's interpreter.
    pub fn python(&self) -> PathBuf {
        self.directory().join("bin/python")
    }

    /// Returns the path of a program of one of NVIDIA's packages, if it is there.
    pub fn nvidia(&self, program: &str) -> Option<PathBuf> {
        let inside = |folder: PathBuf| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            entries.map(|entry| entry.path())
        };
        // Neither the version of Python nor the folders of NVIDIA's packages are known here.
        let pythons = inside(self.directory().join("lib"));
        let packages = pythons.flat_map(|python| inside(python.join("site-packages/nvidia")));
        packages.map(|package| package.join("bin").join(program)).find(|file| file.is_file())
    }

    /// Returns the path of the list of the environment's packages, in `harness/third-party`.
    pub fn requirements(&self) -> String {
        format!("python/requirements/{}.txt", self.0)
    }

    /// Returns what to do where the environment is not there.
    pub fn missing(&self) -> String {
        let Environment(name) = self;
        format!("{name} is not set up: run `{} {name}` in the suite's folder", invocation::line("setup"))
    }

    /// Returns the commands that make the environment: with the packages of the list, the very files that the
    /// list has the hashes of, and nothing that was there before. No package is built, which would fetch what it
    /// takes to build it.
    pub fn setup(&self) -> [Command; 2] {
        let mut make = Command::new("python3");
        make.args(["-m", "venv", "--clear"]).arg(self.directory());
        let mut install = Command::new(self.python());
        install.args(["-m", "pip", "install", "--disable-pip-version-check"]);
        install.args(["--require-hashes", "--only-binary", ":all:", "--requirement"]);
        install.arg(Path::new(SOURCES).join(self.requirements()));
        [make, install]
    }
}
