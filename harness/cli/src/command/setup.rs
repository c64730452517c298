//! `conformance setup`: builds what connects the implementations of others, and installs compilers.

use std::process::ExitCode;

use base::terminal::say;
use clap::Args;
use implementations::bundled::compilers::{BundledCompiler, KNOWN};
use implementations::bundled::{BUNDLED, set_up};

use super::{AGREE, Ending, print};

/// Install libraries, emulators and compilers to test.
///
/// Without a name, all names are listed. Sources and packages are downloaded in the versions that
/// harness/third-party pins, and built in target/third-party. harness/third-party/README.md has the licence
/// of each. Run this command in the suite's folder.
///
/// Exit code: 0 on success; 2 if something could not be installed.
#[derive(Args)]
pub struct Arguments {
    /// Names to install, such as `half` or `llvm`; `NAME@VERSION` is an older version of a compiler.
    names: Vec<String>,
    /// Build Rust libraries with coverage, in place of the usual build. `cargo xtask fuzz differential
    /// --in-process` then sees which of their branches are taken.
    #[arg(long, requires = "names")]
    coverage: bool,
}

/// Runs `conformance setup`.
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

/// Returns what a compiler is, followed by its size and the names of its other versions.
fn versions(compiler: &BundledCompiler) -> String {
    let others = compiler.versions.iter().skip(1).map(|version| format!("{}@{version}", compiler.name));
    let size = (!compiler.size.is_empty()).then(|| format!(" ({})", compiler.size));
    let what = format!("{}{}", compiler.what, size.unwrap_or_default());
    let others: Vec<String> = others.collect();
    match others.is_empty() {
        true => what,
        false => format!("{what}; {}", others.join(", ")),
    }
}
