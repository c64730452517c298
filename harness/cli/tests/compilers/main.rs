//! Tests of compilers as clients: those that do as the protocol says, those that do not, and the real ones where
//! they are installed.

mod broken;
mod endings;
mod machine;
mod measured;
mod own_source;
mod promises;
mod real;
mod reports;
mod statements;
mod together;

use std::path::Path;

use compilers::{CompileRequest, Compiler};
use implementations::bundled::compilers::Want;
use implementations::process::supervise_by;

/// Makes everything as in the suite's binary, and in its folder.
fn suite() {
    std::env::set_current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    supervise_by(env!("CARGO_BIN_EXE_conformance").into());
}

/// Connects to the fake client, which does as `manner` says.
fn fake(manner: &str, jobs: usize) -> anyhow::Result<Compiler> {
    suite();
    Compiler::connect(
        &format!("exec,deadline=10,start=10:python3 harness/cli/tests/compilers/fake.py {manner}"),
        jobs,
    )
}

/// Returns a request for PTX.
fn request(language: &str, source: &str, options: &[&str], target: &str) -> CompileRequest {
    CompileRequest {
        language: language.into(),
        source: source.into(),
        options: options.iter().map(|option| (*option).to_owned()).collect(),
        target: target.into(),
        want: Want::Ptx,
    }
}
