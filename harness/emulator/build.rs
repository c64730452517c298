//! Chooses the processors that the loops over lanes are compiled for, by `cfg(lanes = "…")`. Compiling them for a
//! processor is a third of what this crate costs, so that only the best one of the machine that builds is chosen.
//! `PTX_CONFORMANCE_PROCESSORS=all` chooses all, for a program that is carried to other machines, and for tests. A
//! program on a processor that it was not compiled for computes one element at a time, and the same bits.

#![allow(clippy::disallowed_macros, reason = "Cargo reads what a build script prints")]

#[path = "src/backend/processor.rs"]
mod processor;

use std::env;

/// The variable that names the processors whose loops are compiled: `all`, or by default the one that builds.
const PROCESSORS: &str = "PTX_CONFORMANCE_PROCESSORS";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/backend/processor.rs");
    println!("cargo::rerun-if-env-changed={PROCESSORS}");
    println!("cargo::rustc-check-cfg=cfg(lanes, values(\"avx2\", \"avx512\"))");
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") {
        return;
    }
    let asked = env::var(PROCESSORS).unwrap_or_default();
    assert!(
        ["", "all", "native"].contains(&asked.as_str()),
        "{PROCESSORS} is `{asked}`: set it to `all`, or to `native`, the default, for this machine's \
         processors only"
    );
    // Whoever compiles for another machine does not know its processor.
    let all = asked == "all" || env::var("HOST") != env::var("TARGET");
    let avx512 = all || processor::has_avx512();
    let avx2 = all || processor::has_avx2() && !avx512;
    for (compiled, name) in [(avx2, "avx2"), (avx512, "avx512")] {
        if compiled {
            println!("cargo::rustc-cfg=lanes=\"{name}\"");
        }
    }
}
