//! Launches of kernels of which each row of a batch is one thread, in a grid of its own with memory of its own: mostly the
//! first thread of the first block.

use ptx::syntax::Special;

/// The shape of a launch, which special registers tell of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The number of threads in a block, in its first dimension; the others have one.
    pub threads: u32,
    /// The index of the block in the grid, which it is the last block of.
    pub block: u32,
    /// The index of the thread in its block.
    pub thread: u32,
}

/// A grid of threads of which each is a row of a batch, the threads of the first block first. All of them have the same
/// memory behind the addresses that the kernel is given, and none waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of blocks, in the first dimension; the others have one.
    pub blocks: u32,
    /// The number of threads in a block, in its first dimension; the others have one.
    pub threads: u32,
}

/// The number of threads in a warp.
const WARP: u64 = 32;

impl Grid {
    /// Returns the number of threads of all blocks.
    pub fn all(self) -> usize {
        self.blocks as usize * self.threads as usize
    }

    /// Returns the value of a special register in the thread of a row.
    pub fn value(self, special: Special, row: usize) -> u64 {
        let threads = u64::from(self.threads).max(1);
        let (block, thread) = (row as u64 / threads, row as u64 % threads);
        match special {
            Special::GridSize => self.blocks.into(),
            Special::Lane => thread % WARP,
            _ => Launch { threads: self.threads, block: block as u32, thread: thread as u32 }
                .value(special),
        }
    }
}

/// The threads that rows of a kernel are.
#[derive(Clone, Copy, Debug)]
pub enum KernelRows {
    /// Each row is this thread of a launch of its own.
    Alone(Launch),
    /// The rows are the threads of one grid, which each run is told.
    OfGrid,
}

impl Default for Launch {
    fn default() -> Launch {
        Launch { threads: 1, block: 0, thread: 0 }
    }
}

impl Launch {
    /// Returns the index of the thread among those of all blocks.
    pub fn index(self) -> u64 {
        u64::from(self.block) * u64::from(self.threads) + u64::from(self.thread)
    }

    /// Returns the value of a special register in the thread.
    pub fn value(self, special: Special) -> u64 {
        match special {
            Special::BlockSize => self.threads.into(),
            Special::GridSize => u64::from(self.block) + 1,
            Special::BlockIndex => self.block.into(),
            Special::ThreadIndex | Special::Lane => self.thread.into(),
            Special::BlockSizeY | Special::BlockSizeZ | Special::GridSizeY | Special::GridSizeZ => 1,
            Special::BlockIndexY
            | Special::BlockIndexZ
            | Special::ThreadIndexY
            | Special::ThreadIndexZ => 0,
        }
    }
}
