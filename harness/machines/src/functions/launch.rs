//! Launches of kernels: each row of a batch is one thread, in a grid of its own with memory of its own, or it is a whole
//! grid whose threads share memory.

use ptx::syntax::Special;

/// The shape of a launch of which a row is one thread: mostly the first thread of the first block. Special registers
/// tell of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The number of threads in a block, in its first dimension; the others have one.
    pub threads: u32,
    /// The index of the block in the grid, which it is the last block of.
    pub block: u32,
    /// The index of the thread in its block.
    pub thread: u32,
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
            Special::ThreadIndex => self.thread.into(),
            Special::BlockSizeY | Special::BlockSizeZ | Special::GridSizeY | Special::GridSizeZ => 1,
            Special::BlockIndexY
            | Special::BlockIndexZ
            | Special::ThreadIndexY
            | Special::ThreadIndexZ => 0,
            special => of_lane(special, self.thread as usize % WARP),
        }
    }
}

/// Returns the value of a special register that tells which thread of its warp a thread is; 0 if it is another one.
fn of_lane(special: Special, lane: usize) -> u64 {
    let own = 1 << lane;
    let before = own - 1;
    let all = 0xffff_ffff;
    match special {
        Special::Lane => lane as u64,
        Special::LaneMaskEqual => own,
        Special::LaneMaskLess => before,
        Special::LaneMaskLessOrEqual => before | own,
        Special::LaneMaskGreaterOrEqual => all & !before,
        Special::LaneMaskGreater => all & !(before | own),
        // Where PTX leaves the value open, `RowRegisters` chooses one.
        _ => 0,
    }
}

/// The number of threads in a warp.
pub const WARP: usize = 32;
/// The most threads in a block.
pub const MOST_THREADS: u32 = 1024;
/// The most blocks of a grid that one row is.
pub const MOST_BLOCKS: u32 = 1024;

/// The blocks and threads that one row launches. All are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of blocks, which lie in the first dimension of the grid.
    pub blocks: u32,
    /// The number of threads in a block, in each dimension.
    pub threads: [u32; 3],
}

impl Grid {
    /// Returns one block of so many threads in its first dimension.
    pub fn block(threads: u32) -> Grid {
        Grid { blocks: 1, threads: [threads, 1, 1] }
    }

    /// Whether a GPU could launch the grid, and it is small enough to be one row.
    pub fn is_possible(self) -> bool {
        let threads = self.threads.iter().try_fold(1u32, |all, &one| all.checked_mul(one));
        threads.is_some_and(|threads| (1..=MOST_THREADS).contains(&threads))
            && (1..=MOST_BLOCKS).contains(&self.blocks)
    }

    /// Returns the number of threads in a block.
    pub fn threads_of_block(self) -> usize {
        self.threads.iter().map(|&one| one as usize).product()
    }

    /// Returns the number of threads in the grid.
    pub fn all_threads(self) -> usize {
        self.blocks as usize * self.threads_of_block()
    }

    /// Returns the number of the block, and the thread's number in it, of a thread by its number in the grid.
    pub fn place(self, thread: usize) -> [usize; 2] {
        let block = self.threads_of_block().max(1);
        [thread / block, thread % block]
    }

    /// Returns the value of a special register in a thread, by the thread's number in the grid.
    pub fn value(self, special: Special, thread: usize) -> u64 {
        let [block, thread] = self.place(thread);
        let [x, y, _] = self.threads.map(|one| one.max(1) as usize);
        let value = match special {
            Special::BlockSize => return self.threads[0].into(),
            Special::BlockSizeY => return self.threads[1].into(),
            Special::BlockSizeZ => return self.threads[2].into(),
            Special::GridSize => return self.blocks.into(),
            Special::GridSizeY | Special::GridSizeZ => 1,
            Special::BlockIndex => block,
            Special::BlockIndexY | Special::BlockIndexZ => 0,
            Special::ThreadIndex => thread % x,
            Special::ThreadIndexY => thread / x % y,
            Special::ThreadIndexZ => thread / x / y,
            special => return of_lane(special, thread % WARP),
        };
        value as u64
    }

    /// Returns the number of a thread's warp in its block, and the number of warps.
    pub fn warp(self, thread: usize) -> [usize; 2] {
        [self.place(thread)[1] / WARP, self.threads_of_block().div_ceil(WARP)]
    }
}
