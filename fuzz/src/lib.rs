//! Fuzz targets as functions of bytes, so that tests can replay their inputs without libFuzzer.
//!
//! A target tries an input and hands over what it finds ([`findings`]); [`engine`] counts findings, keeps one input
//! of each class, and goes on. An input that stands for vectors is a [`FuzzCase`], and [`mutation`] changes it.

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

pub use ::findings::campaign::{FuzzCase, Ring};
pub use findings::{Findings, FuzzFinding};
pub use random::Random;
pub use target::FuzzTarget;
pub use targets::ALL;

/// Defines the functions that libFuzzer calls, which are the whole of a fuzz target's program.
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
