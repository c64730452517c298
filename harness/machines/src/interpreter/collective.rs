//! Operations that more than one thread of a warp takes part in, or sees the result of in memory.

use ptx::syntax::{Matrix, Space};

use super::reduction::reduce;
use super::run::Warp;
use super::tile::Moved;
use super::word::Word;
use super::{Problem, Surroundings, Tested, ThreadMask, WARP};
use crate::lowering::{Collective, Step};

/// Refuses an operation of whole warps where threads are missing.
fn require_whole_warp(does: ThreadMask) -> Result<(), Problem> {
    if does == [true; WARP] { Ok(()) } else { Err(Problem::Inactive) }
}

impl Warp<'_, '_> {
    /// Executes a collective operation in the threads of `does`.
    ///
    /// # Errors
    /// If threads are missing that the operation needs, if memory is not there, or if the unit under test gives no such
    /// results.
    pub fn collective(
        &mut self,
        collective: Collective,
        step: &Step,
        does: ThreadMask,
        around: &mut Surroundings,
    ) -> Result<(), Problem> {
        let from = self.all(&step.from, does)?;
        let one = || from.first().copied().unwrap_or([0; WARP]);
        match collective {
            Collective::ReduceAdd(at, bytes) => {
                let (space, addresses) = self.addresses(at, does)?;
                let memory = self.memory(space, around);
                for (addend, address) in one().into_iter().zip(addresses) {
                    if let Some(address) = address {
                        let sum = memory.load(address, bytes).map_err(Problem::Memory)?;
                        let sum = sum.wrapping_add(addend);
                        memory.store(address, bytes, sum).map_err(Problem::Memory)?;
                    }
                }
            }
            Collective::Shuffle(flipped) => {
                require_whole_warp(does)?;
                let from = one();
                let other = |thread: usize| from.get(thread ^ flipped).copied().unwrap_or(0);
                self.set(step, does, [std::array::from_fn(other)]);
            }
            Collective::WarpBarrier => require_whole_warp(does)?,
            Collective::Barrier if self.place.threads > WARP as u64 => return Err(Problem::Warps),
            Collective::Barrier => {}
            Collective::Tile(tile, at) => {
                require_whole_warp(does)?;
                let moved = Moved::new(tile);
                let (space, addresses) = self.addresses(at, does)?;
                // The stride is the source behind the registers that are stored; a load stores none.
                let stored = if tile.matrix == Matrix::D { moved.registers() } else { 0 };
                let at = moved.corner_at(addresses, from.get(stored).copied())?;
                let memory = self.memory(space, around);
                if stored > 0 {
                    return moved.store(at, &from, memory).map_err(Problem::Memory);
                }
                let loaded = moved.load(at, memory).map_err(Problem::Memory)?;
                self.set(step, does, loaded);
            }
            Collective::Matrix(matrix) => {
                require_whole_warp(does)?;
                let tested = Tested::matrix(matrix, step);
                self.set(step, does, tested.results(around.execute, &from, step.into.len())?);
            }
            Collective::Reduce(variant) => {
                require_whole_warp(does)?;
                self.set(step, does, [reduce(variant, one(), around.execute)?]);
            }
            Collective::Word(variant, at) => {
                let (space, addresses) = self.addresses(at, does)?;
                // `Warp::memory` would borrow all of `around`, of which `execute` is needed beside the memory.
                let memory = match space {
                    Space::Shared => &mut self.shared,
                    _ => &mut *around.memory,
                };
                let old = Word(variant).run(addresses, &from, memory, around.execute)?;
                self.set(step, does, old);
            }
            Collective::Bulk(variant, at, other) => {
                let [(_, at), (_, from)] = [self.addresses(at, does)?, self.addresses(other, does)?];
                self.pending.begin(Word(variant), at, from)?;
            }
            // The lowering makes these for the machine of blocks alone.
            Collective::Exchange(_)
            | Collective::Vote(_)
            | Collective::ActiveMask
            | Collective::BlockBarrier { .. }
            | Collective::MembersBarrier
            | Collective::ReduceMembers(..)
            | Collective::Match { .. }
            | Collective::Elect
            | Collective::Atomic(..)
            | Collective::CopyAsync { .. }
            | Collective::CopyCommit
            | Collective::CopyWait(_) => return Err(Problem::Inactive),
            Collective::ProxyFence => self.pending.fenced(),
            Collective::BulkCommit => self.pending.commit(),
            Collective::BulkWait => {
                self.pending.wait(&mut self.shared, &mut *around.memory, around.execute)?;
            }
        }
        Ok(())
    }
}
