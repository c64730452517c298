//! Kernels of matrix instructions: groups of threads that take the dot products of a batch together.
//!
//! A row of a batch is one dot product, but an instruction multiplies each row of A with every column of B. So either
//! the dots of a batch stand on a diagonal, eight at a time, each in another place from group to group until every
//! place of the matrices was reached; or, where the rows of a batch are those of whole tiles, all elements of D are
//! dots of the batch.

mod carry;
mod fragment;
mod mma;
mod selectors;
mod shared;
mod ways;
mod wgmma;
mod wmma;
mod writer;

use isa::matrix::MatrixVariant;

use crate::kernel::identifier;
use crate::syntax::Entry;

pub use fragment::{Fragment, Fragments, SIDE};

/// The places of a batch's dot products in the matrices of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// Eight rows of a batch are eight rows of A and eight columns of B; only the eight sums that pair them count.
    Diagonal,
    /// M × N rows of a batch are the elements of a tile, row by row: `a` and the operands that belong to it are the
    /// same along a row, `b` along a column.
    Tile,
}

/// The launch shape of a kernel: how many threads compute how many rows of a batch together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaunchShape {
    /// Rows of a batch that a group of threads computes together.
    pub dots: u32,
    /// Threads of a group.
    pub threads: u32,
    /// Threads of a block.
    pub block: u32,
}

impl LaunchShape {
    /// The launch shape of kernels that compute lanes, where each thread takes one row.
    pub const ROWS: LaunchShape = LaunchShape { dots: 1, threads: 1, block: 256 };
}

/// A kernel of dot products, and how it is launched.
///
/// Parameters: the addresses of the column of sums, then of the columns of operands, and the number of rows, 32 bits,
/// at least one. With [`Placement::Tile`], every tile must have all its rows.
#[derive(Clone, Debug)]
pub struct DotKernel {
    /// Kernel as a syntax tree.
    pub entry: Entry,
    /// Launch shape of the kernel.
    pub group: LaunchShape,
}

impl DotKernel {
    /// Whether this crate writes the kernel of a variant: all but those of `tcgen05`, which take tensor memory.
    pub fn is_written(variant: &MatrixVariant) -> bool {
        matches!(variant.words()[0], "mma" | "wmma" | "wgmma")
    }

    /// Returns the kernel of a variant; `None` where this crate writes none.
    pub fn of(variant: &MatrixVariant, placement: Placement) -> Option<DotKernel> {
        match variant.words()[0] {
            "mma" => mma::kernel(variant, placement),
            "wmma" => wmma::kernel(variant, placement),
            "wgmma" => wgmma::kernel(variant, placement),
            _ => None,
        }
    }
}

/// Returns the name of a kernel: the variant's text as an identifier (PTX ISA 4.4), behind `tile_` for tiles.
fn name(variant: &MatrixVariant, placement: Placement) -> String {
    let text = identifier(variant.text());
    match placement {
        Placement::Diagonal => text,
        Placement::Tile => format!("tile_{text}"),
    }
}
