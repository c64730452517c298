//! The suite's own emulator as an implementation: what a run tests unless told otherwise.

use ::emulator::dot::DotKernel;
use ::emulator::{Backend, Kernel};
use anyhow::{Context, Result};
use vectors::matrix::MatrixVariant;
use vectors::{Column, Variant};

use super::{Description, Implementation, Support, Worker};

/// The emulator, on one of its backends.
#[derive(Clone, Copy, Debug)]
pub struct Emulator {
    backend: Backend,
}

impl Emulator {
    /// In SIMD lanes, at the best level that this processor has.
    pub fn lanes() -> Emulator {
        Emulator { backend: Backend::Lanes }
    }

    /// One lane at a time.
    pub fn scalar() -> Emulator {
        Emulator { backend: Backend::Scalar }
    }
}

impl Implementation for Emulator {
    fn describe(&self) -> Description {
        Description {
            name: match self.backend {
                Backend::Scalar => "emulator:scalar".into(),
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

    /// As the newest target computes it that has it.
    fn support_matrix(&self, variant: &MatrixVariant) -> Support {
        match DotKernel::newest(variant) {
            Some(_) => Support::Yes,
            None => Support::No("no target has it".into()),
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
        let (_, mut kernel) = DotKernel::newest(variant).context("only supported variants are run")?;
        kernel.run(operands, results);
        Ok(())
    }
}
