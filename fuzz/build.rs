//! A library that a target loads into its own process finds libFuzzer's functions in the program by their names.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-bin=differential=-Wl,--export-dynamic-symbol=__sanitizer_cov_*");
    }
}
