//! Tells the program which machine it is built for.

fn main() {
    let host = std::env::var("TARGET").expect("Cargo sets TARGET for build scripts");
    println!("cargo::rustc-env=HOST={host}");
    println!("cargo::rerun-if-changed=build.rs");
}
