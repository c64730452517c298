//! Exports the symbols of `src/coverage.rs` from the binary, so that a library that was compiled for a fuzzer finds
//! the functions that it reports to in the program that loads it.

// Cargo reads what a build script prints.
#![allow(clippy::disallowed_macros)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=coverage.list");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        let list = concat!(env!("CARGO_MANIFEST_DIR"), "/coverage.list");
        println!("cargo::rustc-link-arg-bin=conformance=-Wl,--dynamic-list={list}");
    }
}
