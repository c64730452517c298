//! What the threads of a warp do together, or leave to each other in memory: words, tiles, and what one thread has for
//! another.

use vectors::Variant;

use super::operands::flat;
use super::step::{Action, Bulk, Collective, Moved, Reduction, Word};
use super::{Lowering, Machine};
use crate::problem::Problem;
use crate::syntax::{Instruction, MEMBERS, Matrix, Opcode, Operand, Space, Tile};

/// Threads of a warp.
const WARP: usize = 32;

impl<M: Machine> Lowering<'_, '_, M> {
    /// What an instruction does that is none of a thread for itself.
    pub fn collective(&mut self, of: &Instruction) -> Result<Action, Problem> {
        let unsupported = || Problem::Unsupported(of.to_string());
        let only = |action, operand: &Operand, value: u64| match operand {
            Operand::Immediate(immediate) if immediate.value == value => Ok(action),
            _ => Err(unsupported()),
        };
        let action = match (&of.opcode, of.operands.as_slice()) {
            (Opcode::ReduceAdd(space, ty), [at @ Operand::Memory { .. }, from]) => {
                let at = self.words(*space, *ty, 1, at, of)?;
                Collective::ReduceAdd { at, bytes: ty.bytes(), from: self.source(from, of)? }
            }
            (Opcode::Shuffle, [into, from, Operand::Immediate(distance), _, _]) => {
                let flipped = usize::try_from(distance.value).ok().filter(|&flipped| flipped < WARP);
                Collective::Shuffle {
                    into: self.target(into, 32, false, of)?,
                    from: self.source(from, of)?,
                    flipped: flipped.ok_or_else(unsupported)?,
                }
            }
            (Opcode::Tile(tile), operands) => Collective::Tile(self.tile(tile, operands, of)?),
            (Opcode::WarpBarrier, [members @ Operand::Immediate(_)]) => {
                only(Collective::WarpBarrier, members, MEMBERS)?
            }
            (Opcode::Barrier, [number @ Operand::Immediate(_)]) => only(Collective::Barrier, number, 0)?,
            (Opcode::BulkWait, [groups @ Operand::Immediate(_)]) => {
                only(Collective::BulkWait, groups, 0)?
            }
            (Opcode::BulkCommit, []) => Collective::BulkCommit,
            (Opcode::ProxyFence, []) => Collective::ProxyFence,
            _ => return Err(Problem::Operands(of.to_string())),
        };
        Ok(Action::Collective(action))
    }

    /// An instruction of the table that is none of a thread for itself.
    pub fn table_collective(
        &mut self,
        variant: &'static Variant,
        of: &Instruction,
    ) -> Result<Option<Collective>, Problem> {
        Ok(match () {
            () if variant.lane_signature().bulk => Some(Collective::Bulk(self.bulk(variant, of)?)),
            () if variant.is_in_memory() => Some(Collective::Word(self.word(variant, of)?)),
            () if variant.is_of_warp() => Some(Collective::Reduce(self.reduction(variant, of)?)),
            () => None,
        })
    }

    /// What is made of the operands of all threads.
    fn reduction(&mut self, variant: &'static Variant, of: &Instruction) -> Result<Reduction, Problem> {
        let [into, from, Operand::Immediate(members)] = of.operands.as_slice() else {
            return Err(Problem::Operands(of.to_string()));
        };
        if members.value != MEMBERS {
            return Err(Problem::Unsupported(of.to_string()));
        }
        Ok(Reduction { variant, into: self.target(into, 32, false, of)?, from: self.source(from, of)? })
    }

    /// What is done to a word in memory.
    fn word(&mut self, variant: &'static Variant, of: &Instruction) -> Result<Word, Problem> {
        let wrong = || Problem::Operands(of.to_string());
        let (into, at, from) = match of.operands.as_slice() {
            [at @ Operand::Memory { .. }, from] => (Vec::new(), at, from),
            [into, at @ Operand::Memory { .. }, from] => (self.whole(into, of)?, at, from),
            _ => return Err(wrong()),
        };
        let from = self.sources(flat(std::slice::from_ref(from)), of)?;
        let words = variant.lane_signature().words();
        let wanted = if variant.lane_signature().original().is_some() { words } else { 0 };
        if from.len() != words || into.len() != wanted {
            return Err(wrong());
        }
        // The spelling says which memory it is.
        let shared = variant.spelling().split('.').nth(1) == Some("shared");
        let space = if shared { Space::Shared } else { Space::Global };
        Ok(Word { variant, into, at: self.address(space, at, of)?, from })
    }

    /// The same by a word of shared memory, of 16 bytes.
    fn bulk(&mut self, variant: &'static Variant, of: &Instruction) -> Result<Bulk, Problem> {
        let [at @ Operand::Memory { .. }, from @ Operand::Memory { .. }, Operand::Immediate(bytes)] =
            of.operands.as_slice()
        else {
            return Err(Problem::Operands(of.to_string()));
        };
        let due: usize = variant.results().iter().map(|part| part.ty.row_bytes()).sum();
        // Any multiple is legal.
        if bytes.value != due as u64 {
            return Err(Problem::Unsupported(of.to_string()));
        }
        let at = self.address(Space::Global, at, of)?;
        let word = Word { variant, into: Vec::new(), at, from: Vec::new() };
        Ok(Bulk { word, from: self.address(Space::Shared, from, of)? })
    }

    fn tile(&mut self, tile: &Tile, operands: &[Operand], of: &Instruction) -> Result<Moved, Problem> {
        let stored = tile.matrix == Matrix::D;
        let (fragment, at, stride) = match operands {
            [at @ Operand::Memory { .. }, fragment, stride @ ..] if stored => (fragment, at, stride),
            [fragment, at @ Operand::Memory { .. }, stride @ ..] if !stored => (fragment, at, stride),
            _ => return Err(Problem::Operands(of.to_string())),
        };
        let stride = match stride {
            [] => None,
            [stride] => Some(self.source(stride, of)?),
            _ => return Err(Problem::Operands(of.to_string())),
        };
        let at = self.address(tile.space, at, of)?;
        Ok(Moved { tile: *tile, at, registers: self.whole(fragment, of)?, stride })
    }
}
