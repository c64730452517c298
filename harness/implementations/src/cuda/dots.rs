//! The kernels of matrix instructions on a device, and where the dots of a batch lie in their matrices.

use std::collections::HashMap;
use std::sync::OnceLock;

use anyhow::{Error, Result, anyhow};
use formats::Column;
use isa::matrix::{MatrixVariant, Role};
use ptx::{Device, DotKernel, Listing, Placement, Printed};

use super::gpu::{Gpu, Interface, LoadedKernel};

/// Outcome of compiling a variant: its kernel for each placement, or what the compiler said; or why the device
/// could not go on.
type CompiledPlacements = Result<Result<[LoadedKernel; 2], String>, Error>;

/// Table of every kernel of a matrix instruction that a device can have, each compiled when it is asked for.
pub struct DotKernels {
    device: Device,
    /// Level of optimisation; the driver's own if there is none.
    level: Option<u8>,
    compiled: HashMap<&'static str, OnceLock<CompiledPlacements>>,
}

impl DotKernels {
    /// Makes the kernels of matrix instructions of a device, to be compiled at a level of optimisation.
    pub fn new(device: Device, level: Option<u8>) -> DotKernels {
        let texts = MatrixVariant::all().iter().map(|variant| (variant.text(), OnceLock::new()));
        DotKernels { device, level, compiled: texts.collect() }
    }

    /// Returns why the device does not run a variant, if it does not.
    pub fn lack(&self, variant: &MatrixVariant) -> Option<String> {
        match self.device.header_of_matrix(variant) {
            Err(lack) => Some(lack.to_string()),
            Ok(_) if !DotKernel::is_written(variant) => Some("its kernel is not written".into()),
            Ok(_) => None,
        }
    }

    /// Returns the kernel of a variant for a placement; the inner error is what the compiler said of it.
    ///
    /// # Errors
    /// If the device does not have the variant, or could not go on.
    pub fn get(
        &self,
        gpu: &Gpu,
        variant: &MatrixVariant,
        placement: Placement,
    ) -> Result<Result<LoadedKernel, String>> {
        let place = self.compiled.get(variant.text());
        let place = place.ok_or_else(|| anyhow!("{variant} is not in the table"))?;
        match place.get_or_init(|| self.compile(gpu, variant)) {
            Ok(Ok([diagonal, tile])) => Ok(Ok(match placement {
                Placement::Diagonal => *diagonal,
                Placement::Tile => *tile,
            })),
            Ok(Err(said)) => Ok(Err(said.clone())),
            // The error is kept for whoever asks later, and cannot be cloned.
            Err(broken) => Err(anyhow!("{broken:#}")),
        }
    }

    fn compile(&self, gpu: &Gpu, variant: &MatrixVariant) -> CompiledPlacements {
        let none = || anyhow!("only supported variants are run, and {variant} is not");
        let header = self.device.header_of_matrix(variant).map_err(|_| none())?;
        let mut entries = Vec::new();
        let mut interfaces = Vec::new();
        for placement in [Placement::Diagonal, Placement::Tile] {
            let DotKernel { entry, group } = DotKernel::of(variant, placement).ok_or_else(none)?;
            let entry = Printed::from(&entry);
            interfaces.push(Interface {
                name: entry.name.clone(),
                results: vec![variant.result().row_bytes()],
                operands: variant.operands().iter().map(|operand| operand.row_bytes()).collect(),
                group,
            });
            entries.push(entry);
        }
        let made = gpu.load(Listing::new(header, &entries).text(), &interfaces, self.level)?;
        Ok(match made {
            Ok(functions) => Ok(functions.try_into().map_err(|_| none())?),
            Err(said) => Err(said),
        })
    }
}

/// Returns where the rows of a batch can lie in their matrices: in whole tiles, if the rows are all elements of
/// such tiles, row by row of each; otherwise on the diagonal.
pub fn placement(variant: &MatrixVariant, operands: &[Column]) -> Placement {
    let rows = operands.first().map_or(0, Column::rows);
    let (tile, n) = (variant.tile().elements(), variant.tile().columns);
    let whole = rows > 0 && rows.is_multiple_of(tile);
    let same = |row: usize| {
        let (first_of_tile, column) = (row - row % tile, row % n);
        operands.iter().zip(variant.operands()).all(|(values, operand)| {
            let first = match operand.role {
                // Each element has its own addend.
                Role::C | Role::D => return true,
                // A row of A, with its metadata and scales, belongs to a row of the tile, whose first element has it
                // too.
                Role::A | Role::Metadata | Role::ScalesA => row - column,
                // A column of B belongs to a column of the tile, whose element in the first row has it too.
                Role::B | Role::ScalesB => first_of_tile + column,
                // Controls are operands of the instruction, so a tile has one value of them.
                Role::Controls => first_of_tile,
            };
            values.row_bytes_of(row) == values.row_bytes_of(first)
        })
    };
    if whole && (0..rows).all(same) { Placement::Tile } else { Placement::Diagonal }
}

#[cfg(test)]
mod tests {
    use isa::matrix::columns_for;
    use sweeps::matrix::DotSweep;

    use super::*;

    #[test]
    fn tiles_are_known_by_their_rows() {
        let variant: MatrixVariant =
            "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32".parse().unwrap();
        let mut operands = columns_for(&variant, 256);
        let zeros = placement(&variant, &operands);
        assert_eq!(zeros, Placement::Tile, "all rows are the same");
        let random = DotSweep::all().last().expect("there are sweeps");
        random.fill(&variant, 0, 0, &mut operands);
        assert_eq!(placement(&variant, &operands), Placement::Diagonal);
        let tiles = DotSweep::named("tile").expect("the sweep of whole tiles");
        tiles.fill(&variant, 0, 0, &mut operands);
        assert_eq!(placement(&variant, &operands), Placement::Tile);
        let bytes = operands[0].row_bytes();
        operands[0].bytes_mut()[9 * bytes] ^= 1;
        assert_eq!(placement(&variant, &operands), Placement::Diagonal);
    }
}
