//! Exports libFuzzer's functions from `differential`: a library that it loads into its own process finds them by name.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-bin=differential=-Wl,--export-dynamic-symbol=__sanitizer_cov_*");
    }
}
