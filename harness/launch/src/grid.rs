//! Kernels of which a row is a launch of many threads: its blocks and threads, and how many elements they have.

use machines::functions::Grid;

use crate::roles::ParameterRoles;
use crate::text::LaunchShape;

/// The part of a launch whose parameters the roles of a kernel tell of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleUnit {
    /// The roles are those of a single thread, because the threads exchange nothing.
    Thread,
    /// The roles are those of a whole block, whose threads exchange words.
    Block,
}

/// A launch of many threads, of which each row is one.
#[derive(Clone, Copy, Debug)]
pub struct GridLaunch {
    /// The blocks and threads.
    pub grid: Grid,
    /// The part of the launch that roles tell of.
    pub unit: RoleUnit,
    /// The number of such parts in a block: a thread may do the work of several.
    pub per_block: u64,
    /// The value of parameters that are the number of elements, if it is said.
    pub rows: Option<u64>,
}

/// The place of a vector among the elements of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// The number of elements of each operand and result that lies behind a pointer.
    pub count: usize,
    /// The number of them that one unit of roles has.
    pub of_unit: usize,
    /// The number of them that a full block has.
    pub of_block: usize,
}

impl GridLaunch {
    /// Returns the number of units of a launch.
    pub fn units(self) -> u64 {
        self.per_block.saturating_mul(self.grid.blocks.into())
    }

    /// Returns the elements of a launch for vectors with operands and results of these bytes.
    ///
    /// # Errors
    /// If they do not fit, or so many rows are no whole number of vectors.
    pub fn elements(
        self,
        roles: &ParameterRoles,
        wanted: &[Vec<usize>; 2],
    ) -> Option<Result<Elements, String>> {
        let of_unit = roles.elements(wanted)?;
        let value = roles.rows();
        let whole = self.units().saturating_mul(of_unit as u64);
        let count = match (self.rows, value) {
            (Some(rows), Some(value)) => {
                let all = rows.saturating_mul(of_unit as u64);
                if value == 0 || !all.is_multiple_of(value) {
                    return Some(Err(format!("rows={rows} are no whole number of vectors")));
                }
                all / value
            }
            _ => whole,
        };
        let count = match usize::try_from(count) {
            Ok(count) if (1..=ELEMENTS_MAX).contains(&count) => count,
            _ => return Some(Err(format!("a launch of {count} elements is not executed here"))),
        };
        let of_block = of_unit.saturating_mul(usize::try_from(self.per_block).unwrap_or(1));
        Some(Ok(Elements { count, of_unit, of_block }))
    }

    /// Returns the launch as `--launch` has it.
    pub fn shape(self) -> LaunchShape {
        let threads = u32::try_from(self.grid.threads_of_block()).ok();
        let blocks = Some(self.grid.blocks).filter(|blocks| *blocks > 1);
        LaunchShape { threads, blocks, rows: self.rows }
    }

    /// Returns the value of a parameter that is the number of elements, from the one that a unit has.
    pub fn rows_of(self, value: u64) -> u64 {
        self.rows.unwrap_or(value.saturating_mul(self.units()))
    }
}

/// The most elements of a launch.
pub const ELEMENTS_MAX: usize = 1 << 16;
