//! `cargo xtask setup`: builds what connects the implementations of others, and installs compilers.

use std::process::ExitCode;

use base::terminal::say;
use clap::Args;
use implementations::bundled::compilers::{BundledCompiler, KNOWN};
use implementations::bundled::{BUNDLED, set_up};

use super::{AGREE, Ending, print};

/// Set up implementations that others wrote, for --impl, or compilers; without a name, print those there
/// are. NAME@VERSION is a compiler in another version than the newest, beside it.
///
/// Their sources and packages are fetched, in the versions that harness/third-party pins, and built in
/// target/third-party.
#[derive(Args)]
pub struct Arguments {
    /// Their names.
    names: Vec<String>,
    /// Build libraries of Rust once more, for `fuzz differential --in-process`: so that libFuzzer sees which
    /// branches they take.
    #[arg(long, requires = "names")]
    coverage: bool,
}

/// Runs `cargo xtask setup`.
pub fn run(arguments: &Arguments) -> Ending {
    if arguments.names.is_empty() {
        let line = |name: &str, what: &str| format!("{name:14}{what}\n");
        let implementations = BUNDLED.iter().map(|each| line(each.name, each.what)).collect::<String>();
        let compilers = KNOWN.iter().map(|each| line(each.name, &versions(each))).collect::<String>();
        print(&format!("implementations\n{implementations}\ncompilers\n{compilers}"))?;
    }
    set_up(&arguments.names, arguments.coverage, say)?;
    Ok(ExitCode::from(AGREE))
}

/// Returns what a compiler is, followed by the names of its other versions.
fn versions(compiler: &BundledCompiler) -> String {
    let others = compiler.versions.iter().skip(1).map(|version| format!("{}@{version}", compiler.name));
    let others: Vec<String> = others.collect();
    match others.is_empty() {
        true => compiler.what.to_owned(),
        false => format!("{}; {}", compiler.what, others.join(", ")),
    }
}
