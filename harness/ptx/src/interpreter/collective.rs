//! What the threads of a warp do together, or leave to each other in memory.

use super::run::Warp;
use super::{Problem, Surroundings, Tested, Threads, WARP};
use crate::lowering::Collective;
use crate::syntax::Space;

/// That all threads of the warp are there.
fn whole(does: Threads) -> Result<(), Problem> {
    if does == [true; WARP] { Ok(()) } else { Err(Problem::Inactive) }
}

impl<'a> Warp<'a, '_> {
    /// Does it in the threads that do it.
    pub fn collective(
        &mut self,
        collective: &'a Collective,
        does: Threads,
        around: &mut Surroundings,
    ) -> Result<(), Problem> {
        match collective {
            Collective::ReduceAdd { at, bytes, from } => {
                let from = self.copied(*from, does)?;
                let (space, addresses) = self.addresses(*at, does)?;
                let memory = self.memory(space, around);
                for (addend, address) in from.into_iter().zip(addresses) {
                    if let Some(address) = address {
                        let sum = memory.load(address, *bytes).map_err(Problem::Memory)?;
                        let sum = sum.wrapping_add(addend);
                        memory.store(address, *bytes, sum).map_err(Problem::Memory)?;
                    }
                }
            }
            Collective::Shuffle { into, from, flipped } => {
                whole(does)?;
                let from = self.copied(*from, does)?;
                let other = |thread: usize| from.get(thread ^ flipped).copied().unwrap_or(0);
                self.registers.set(into, does, std::array::from_fn(other));
            }
            Collective::WarpBarrier => whole(does)?,
            Collective::Barrier if self.place.threads > WARP as u64 => return Err(Problem::Warps),
            Collective::Barrier => {}
            Collective::Tile(moved) => {
                whole(does)?;
                let (space, addresses) = self.addresses(moved.at, does)?;
                let stride = moved.stride.map(|stride| self.copied(stride, does)).transpose()?;
                let at = moved.at(addresses, stride)?;
                if moved.is_stored() {
                    let each = moved.registers.iter().filter_map(|target| target.register);
                    let each = each.map(|register| self.registers.get(register, does).copied());
                    let fragment: Vec<_> = each.collect::<Result<_, _>>()?;
                    let memory = self.memory(space, around);
                    return moved.store(at, &fragment, memory).map_err(Problem::Memory);
                }
                let loaded = moved.load(at, self.memory(space, around)).map_err(Problem::Memory)?;
                let each = moved.registers.iter().zip(loaded);
                each.for_each(|(target, values)| self.registers.set(target, does, values));
            }
            Collective::Matrix { matrix, into, sources } => {
                whole(does)?;
                let given = self.all(sources, does)?;
                let tested = Tested::matrix(matrix, into, sources);
                let results = tested.results(around.execute, &given, into.len())?;
                let each = into.iter().zip(results);
                each.for_each(|(into, values)| self.registers.set(into, does, values));
            }
            Collective::Reduce(reduction) => {
                whole(does)?;
                let from = self.copied(reduction.from, does)?;
                let result = reduction.run(from, around.execute)?;
                self.registers.set(&reduction.into, does, result);
            }
            Collective::Word(word) => {
                let parts = self.all(&word.from, does)?;
                let (space, addresses) = self.addresses(word.at, does)?;
                let memory = match space {
                    Space::Shared => &mut self.shared,
                    _ => &mut *around.memory,
                };
                let old = word.run(addresses, &parts, memory, around.execute)?;
                let each = word.into.iter().zip(old);
                each.for_each(|(into, values)| self.registers.set(into, does, values));
            }
            Collective::Bulk(bulk) => {
                let (_, at) = self.addresses(bulk.word.at, does)?;
                let (_, from) = self.addresses(bulk.from, does)?;
                self.pending.begin(bulk, at, from)?;
            }
            Collective::ProxyFence => self.pending.fenced(),
            Collective::BulkCommit => self.pending.commit(),
            Collective::BulkWait => {
                self.pending.wait(&mut self.shared, &mut *around.memory, around.execute)?;
            }
        }
        Ok(())
    }
}
