//! What is under test: the trait that connects an implementation, and those that come with the suite.

mod canary;
mod cuda;
mod emulator;

use anyhow::{Result, bail};
use vectors::{Column, Variant};

pub use canary::{Canary, PLANTED};
pub use cuda::Cuda;
pub use emulator::Emulator;

/// Who an implementation is, for the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The name that `--impl` takes.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// The device that it runs on, where that matters.
    pub device: Option<String>,
    /// The driver of that device.
    pub driver: Option<String>,
}

/// Whether an implementation has a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// It has.
    Yes,
    /// It has not, for this reason: the variant is reported as unsupported.
    No(String),
    /// It should have, and cannot so much as begin with it, for this reason: the variant fails.
    Fails(String),
}

/// An implementation of PTX instructions. Shared by all threads; each has a [`Worker`] of its own.
pub trait Implementation: Send + Sync {
    /// Who it is.
    fn describe(&self) -> Description;

    /// Whether it has a variant. Only supported ones are given to workers.
    fn support(&self, variant: &Variant) -> Support;

    /// A worker for one thread.
    fn worker(&self) -> Result<Box<dyn Worker + '_>>;
}

/// Turns batches of operands into results.
pub trait Worker {
    /// Computes one row of `results` for each row of `operands`, the variant's columns in order; the
    /// columns of results come with the right widths and as many rows. An error means that the
    /// implementation is broken as a whole, and ends the run.
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()>;
}

/// The implementations that `--impl` takes, each with a word on what it is.
pub const NAMES: &[(&str, &str)] = &[
    ("emulator", "the suite's own integer emulator, in SIMD lanes where the processor has them"),
    ("emulator:scalar", "the same kernels, one lane at a time"),
    ("cuda[:N][,opt=0..4]", "GPU number N through its driver; with opt, compiled at that level"),
    ("canary", "the emulator with known faults planted in some variants: a run must find each"),
];

/// The implementation of this name.
pub fn named(name: &str) -> Result<Box<dyn Implementation>> {
    Ok(match name {
        "emulator" => Box::new(Emulator::lanes()),
        "emulator:scalar" => Box::new(Emulator::scalar()),
        "canary" => Box::new(Canary),
        _ if name == "cuda" || name.starts_with("cuda:") || name.starts_with("cuda,") => {
            Box::new(Cuda::named(name)?)
        }
        _ => {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            bail!("there is no implementation `{name}`; --impl takes {}", names.join(", "))
        }
    })
}
