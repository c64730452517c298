//! Kernels of matrix instructions: groups of threads that take the dot products of a batch together.
//!
//! A row of a column is one dot product, and an instruction computes a row of A with every column of B. So
//! either the dots of a batch stand on a diagonal, eight at a time, each in another place from group to group
//! until every place of the matrices was reached; or, where the rows of a batch are those of whole tiles, all
//! elements of D are dots of the batch.

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

/// Where the dots of a batch lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// Eight rows of a batch are eight rows of A and eight columns of B, of which the eight pairs count.
    Diagonal,
    /// M × N rows of a batch are the elements of a tile, row by row: `a` and what belongs to it is the same
    /// along a row, `b` along a column.
    Tile,
}

/// How a kernel is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// So many rows of a batch …
    pub dots: u32,
    /// … are computed by so many threads.
    pub threads: u32,
    /// Threads of a block.
    pub block: u32,
}

impl Group {
    /// Of kernels of lanes, where a thread takes a row.
    pub const ROWS: Group = Group { dots: 1, threads: 1, block: 256 };
}

/// A kernel and how it is run.
///
/// Parameters: the addresses of the column of sums, then of those of operands, and the number of rows, 32
/// bits, at least one. Of tiles, all must be there.
#[derive(Clone, Debug)]
pub struct DotKernel {
    /// The kernel.
    pub entry: Entry,
    /// How it is run.
    pub group: Group,
}

impl DotKernel {
    /// Whether this crate writes the kernel of a variant: all but those of `tcgen05`, which take tensor memory.
    pub fn is_written(variant: &MatrixVariant) -> bool {
        matches!(variant.words()[0], "mma" | "wmma" | "wgmma")
    }

    /// The kernel of a variant; `None` where this crate writes none.
    pub fn of(variant: &MatrixVariant, placement: Placement) -> Option<DotKernel> {
        match variant.words()[0] {
            "mma" => mma::kernel(variant, placement),
            "wmma" => wmma::kernel(variant, placement),
            "wgmma" => wgmma::kernel(variant, placement),
            _ => None,
        }
    }
}

/// The name of a kernel: the variant's text as an identifier (PTX ISA 4.4).
fn name(variant: &MatrixVariant, placement: Placement) -> String {
    let text = identifier(variant.text());
    match placement {
        Placement::Diagonal => text,
        Placement::Tile => format!("tile_{text}"),
    }
}
