//! Makes the suite's own emulator an implementation that can be tested as any other: a run tests it unless told
//! otherwise.

use ::emulator::dot::DotKernel;
use ::emulator::{Backend, Kernel};
use anyhow::{Context, Result, anyhow};
use formats::Column;
use isa::matrix::MatrixVariant;
use isa::{Target, Variant};

use super::{Description, Implementation, Support, Worker};

/// The emulator, on one of its backends.
#[derive(Clone, Copy, Debug)]
pub struct Emulator {
    /// The way of computing: in SIMD lanes, or one lane at a time.
    backend: Backend,
    /// Target whose matrix instructions are computed; otherwise each is computed as by the newest target that has
    /// it.
    target: Option<Target>,
}

impl Emulator {
    /// Makes the emulator that computes in SIMD lanes, at the best level that this processor has.
    pub fn lanes() -> Emulator {
        Emulator { backend: Backend::Lanes, target: None }
    }

    /// Makes the emulator that computes one lane at a time.
    pub fn scalar() -> Emulator {
        Emulator { backend: Backend::Scalar, target: None }
    }

    /// Makes the emulator with the matrix instructions of a target.
    pub fn of(target: Target) -> Emulator {
        Emulator { target: Some(target), ..Emulator::lanes() }
    }

    /// Returns the kernel of a matrix instruction; `None` if the target, or any target, does not have it.
    fn kernel(&self, variant: &MatrixVariant) -> Option<DotKernel> {
        match self.target {
            Some(target) => DotKernel::of(variant, target),
            None => DotKernel::newest(variant).map(|(_, kernel)| kernel),
        }
    }
}

/// Makes the emulator of a name: `emulator`, `emulator:scalar`, or `emulator:` and a target.
///
/// # Errors
/// If something else stands behind `emulator` in the name.
pub fn named(name: &str) -> Result<Box<dyn Implementation>> {
    Ok(Box::new(match name {
        "emulator" => Emulator::lanes(),
        "emulator:scalar" => Emulator::scalar(),
        _ => {
            // A name such as `emulator,x` has no target, and the error says what to write.
            let target = name.strip_prefix("emulator:").unwrap_or_default();
            Emulator::of(target.parse().map_err(|error| {
                anyhow!(
                    "`{name}` does not name an emulator: {error}; write `emulator:scalar` or \
                     `emulator:sm_90a`"
                )
            })?)
        }
    }))
}

impl Implementation for Emulator {
    fn describe(&self) -> Description {
        Description {
            name: match (self.backend, self.target) {
                (_, Some(target)) => format!("emulator:{target}"),
                (Backend::Scalar, None) => "emulator:scalar".into(),
                _ => "emulator".into(),
            },
            version: env!("CARGO_PKG_VERSION").into(),
            ..Description::default()
        }
    }

    fn support(&self, variant: &Variant) -> Support {
        match Kernel::of(variant, self.backend) {
            Some(_) => Support::Yes,
            None => Support::No("the emulator has no kernel for it".into()),
        }
    }

    fn support_matrix(&self, variant: &MatrixVariant) -> Support {
        match (self.kernel(variant), self.target) {
            (Some(_), _) => Support::Yes,
            (None, Some(target)) => Support::No(format!("{target} does not have it")),
            (None, None) => Support::No("no target has it".into()),
        }
    }

    fn worker(&self) -> Result<Box<dyn Worker>> {
        Ok(Box::new(*self))
    }
}

impl Worker for Emulator {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let kernel = Kernel::of(variant, self.backend).context("only supported variants are run")?;
        kernel.run(operands, results);
        Ok(())
    }

    fn run_dots(
        &mut self,
        variant: &MatrixVariant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let mut kernel = self.kernel(variant).context("only supported variants are run")?;
        kernel.run(operands, results);
        Ok(())
    }
}
