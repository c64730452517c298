//! The unit that computes the instructions of the table, as a trait, and the emulator as one.

use std::collections::HashMap;

use emulator::{Backend, Kernel};
use formats::Column;
use isa::Variant;

/// A unit that computes instructions of the table, a batch at a time.
pub trait ExecutionUnit {
    /// Computes every row of the results. There is a column for each of [`Variant::operands`], and for
    /// each of [`Variant::results`], with rows of the width of their registers.
    ///
    /// # Errors
    /// If the unit cannot compute the instruction, says why.
    fn execute(
        &mut self,
        variant: &'static Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<(), String>;
}

/// The emulator as a unit: approximations are the nearest value.
#[derive(Debug, Default)]
pub struct Nearest(HashMap<&'static str, Kernel>);

impl ExecutionUnit for Nearest {
    fn execute(
        &mut self,
        variant: &'static Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<(), String> {
        let kernel = match self.0.get(variant.text()) {
            Some(kernel) => kernel,
            // Not by `or_insert_with`, because making a kernel may fail.
            None => {
                let kernel = Kernel::of(variant, Backend::Lanes)
                    .ok_or_else(|| format!("the emulator has no `{variant}`"))?;
                self.0.entry(variant.text()).or_insert(kernel)
            }
        };
        kernel.run(operands, results);
        Ok(())
    }
}
