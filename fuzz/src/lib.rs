//! Keep looking: what the fuzz targets do, as functions of bytes, so that tests can replay their inputs
//! without libFuzzer.
//!
//! A target tries an input and hands over what it finds ([`findings`]); [`engine`] counts, keeps one
//! input of each class, and goes on. Where an input stands for vectors it is a [`Case`], and its
//! changes are those of [`mutation`].

pub mod coverage;
pub mod engine;
pub mod feedback;
pub mod findings;
pub mod mutation;
pub mod random;
pub mod target;
pub mod targets;
pub mod tree;
pub mod words;

pub use ::findings::campaign::{Case, Ring};
pub use findings::{Finding, Findings};
pub use random::Random;
pub use target::Target;
pub use targets::ALL;

/// The whole of a fuzz target's program: what libFuzzer calls.
#[macro_export]
macro_rules! fuzz {
    ($target:expr) => {
        libfuzzer_sys::fuzz_target!(init: $crate::engine::start(&$target), |bytes: &[u8]| {
            $crate::engine::execute(bytes);
        });

        libfuzzer_sys::fuzz_mutator!(
            |data: &mut [u8], size: usize, max_size: usize, seed: u32| {
                let bytes = libfuzzer_sys::fuzzer_mutate;
                $crate::engine::mutate(&$target, data, size, max_size, seed, bytes)
            }
        );
    };
}
