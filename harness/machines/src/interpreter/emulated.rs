//! Runs the emulator in the place of the unit under test.

use std::collections::HashMap;

use emulator::{Backend, Kernel};
use formats::Column;
use isa::{Variant, columns_for, results_for};

use super::matrices::MatrixUnit;
use super::{Tested, Values, WARP};

/// An emulator that executes every variant, a warp at a time, and every matrix instruction of a warp.
#[derive(Default)]
pub struct Emulated {
    /// The compute capability, times ten, of the device whose sums are computed; `None` stands for the newest target.
    capability: Option<u16>,
    units: HashMap<&'static str, EmulatedKernel>,
    matrices: HashMap<&'static str, MatrixUnit>,
}

/// The kernel of one variant, with columns for its operands and results.
struct EmulatedKernel {
    kernel: Kernel,
    operands: Vec<Column>,
    results: Vec<Column>,
}

impl Emulated {
    /// Returns an emulator that computes matrices as a device of this compute capability does, times ten: 90.
    pub fn for_capability(capability: u16) -> Emulated {
        Emulated { capability: Some(capability), ..Emulated::default() }
    }

    /// Computes the results of an instruction from the values of its sources.
    ///
    /// # Errors
    /// If the instruction is no variant, or cannot be executed, with the reason in words.
    pub fn execute(&mut self, tested: &Tested, sources: &[Values]) -> Result<Vec<Values>, String> {
        let none = || format!("`{}` is not a variant", tested.spelling);
        if let Some(matrix) = tested.matrix {
            let unit = match self.matrices.get_mut(matrix.text()) {
                Some(unit) => unit,
                // Not by `or_insert_with`, because making a kernel may fail.
                None => {
                    let unit = MatrixUnit::of(matrix, self.capability).ok_or_else(none)?;
                    self.matrices.entry(matrix.text()).or_insert(unit)
                }
            };
            return unit.execute(sources);
        }
        let variant = tested.variant.ok_or_else(none)?;
        let unit = match self.units.get_mut(variant.text()) {
            Some(unit) => unit,
            None => {
                let unit = EmulatedKernel::of(variant).ok_or_else(none)?;
                self.units.entry(variant.text()).or_insert(unit)
            }
        };
        Ok(unit.execute(sources))
    }
}

impl EmulatedKernel {
    /// Makes the kernel of a variant, with columns for one warp.
    fn of(variant: &Variant) -> Option<EmulatedKernel> {
        let kernel = Kernel::of(variant, Backend::Scalar)?;
        Some(EmulatedKernel {
            kernel,
            operands: columns_for(variant, WARP),
            results: results_for(variant, WARP),
        })
    }

    /// Computes the results of a warp from the values of its sources.
    fn execute(&mut self, sources: &[Values]) -> Vec<Values> {
        for (column, values) in self.operands.iter_mut().zip(sources) {
            values.iter().enumerate().for_each(|(thread, &value)| column.set(thread, value));
        }
        self.kernel.run(&self.operands, &mut self.results);
        let values = |column: &Column| std::array::from_fn(|thread| column.get(thread));
        self.results.iter().map(values).collect()
    }
}
