//! Launches of kernels of which each row of a batch is one thread: the first thread of the first block, in a grid of its
//! own with memory of its own.

use ptx::syntax::Special;

/// The shape of a launch, which special registers tell of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The number of threads in the block, in its first dimension; the others have one.
    pub threads: u32,
}

impl Default for Launch {
    fn default() -> Launch {
        Launch { threads: 1 }
    }
}

impl Launch {
    /// Returns the value of a special register in the first thread.
    pub fn value(self, special: Special) -> u64 {
        match special {
            Special::BlockSize => self.threads.into(),
            Special::BlockSizeY
            | Special::BlockSizeZ
            | Special::GridSize
            | Special::GridSizeY
            | Special::GridSizeZ => 1,
            Special::BlockIndex
            | Special::BlockIndexY
            | Special::BlockIndexZ
            | Special::ThreadIndex
            | Special::ThreadIndexY
            | Special::ThreadIndexZ
            | Special::Lane => 0,
        }
    }
}
