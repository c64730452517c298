//! Lowers operations of more than one thread to steps: on words in memory that others see, with matrices, and across a
//! warp.

use isa::Variant;
use ptx::syntax::{
    Instruction, MEMBERS, Matrix, Opcode, Operand, ShuffleMode, Space, TileAccess, VoteMode,
};

use super::operands::flat;
use super::step::{Action, BarrierDoes, Collective, Step};
use super::{Lowering, Machine};
use crate::integer::is_added_in_memory;
use crate::problem::Problem;

/// The number of threads in a warp.
const WARP: usize = 32;
/// The clamp of a `shfl.sync.bfly` that goes across the whole warp: the number of its last thread, and no segments.
const WHOLE_WARP: u64 = WARP as u64 - 1;

impl<M: Machine> Lowering<'_, '_, M> {
    /// Lowers an instruction around the one under test that more than one thread takes part in.
    pub fn collective(&mut self, of: &Instruction) -> Result<Step, Problem> {
        let unsupported = || Problem::Unsupported(of.to_string());
        let (action, into, from) = match (&of.opcode, of.operands.as_slice()) {
            (Opcode::ReduceAdd(_, ty), _) if !is_added_in_memory(*ty) => return Err(unsupported()),
            (Opcode::ReduceAdd(space, ty), [at @ Operand::Memory { .. }, from]) => {
                let at = self.words(*space, *ty, 1, at, of)?;
                let from = vec![self.source(from, of)?];
                (Collective::ReduceAdd(at, ty.bytes()), Vec::new(), from)
            }
            (Opcode::Shuffle(mode), [into, from, other, clamp, members]) if M::HAS_BLOCKS => {
                let into = match into {
                    Operand::Pair(word, is_there) => vec![
                        self.target(&word.as_str().into(), 32, false, of)?,
                        self.target(&is_there.as_str().into(), 1, false, of)?,
                    ],
                    word => vec![self.target(word, 32, false, of)?],
                };
                (Collective::Exchange(*mode), into, self.sources([from, other, clamp, members], of)?)
            }
            (Opcode::Vote(mode), [into, from, members]) if M::HAS_BLOCKS => {
                let bits = if *mode == VoteMode::Ballot { 32 } else { 1 };
                let into = vec![self.target(into, bits, false, of)?];
                (Collective::Vote(*mode), into, self.sources([from, members], of)?)
            }
            (Opcode::ActiveMask, [into]) if M::HAS_BLOCKS => {
                (Collective::ActiveMask, vec![self.target(into, 32, false, of)?], Vec::new())
            }
            (Opcode::Barrier | Opcode::BarrierSpelled(_), given)
                if M::HAS_BLOCKS && (1..=2).contains(&given.len()) =>
            {
                let aligned = match &of.opcode {
                    Opcode::BarrierSpelled(spelling) => {
                        spelling.starts_with("bar.") || spelling.ends_with(".aligned")
                    }
                    _ => true,
                };
                return self.barrier(aligned, BarrierDoes::Wait, given, of);
            }
            (Opcode::WarpBarrier, [members]) if M::HAS_BLOCKS => {
                (Collective::MembersBarrier, Vec::new(), self.sources([members], of)?)
            }
            (Opcode::Vote(_) | Opcode::ActiveMask | Opcode::BarrierSpelled(_), _) => {
                return Err(unsupported());
            }
            (
                Opcode::Shuffle(ShuffleMode::Butterfly),
                [into, from, Operand::Immediate(distance), clamp, members],
            ) => {
                let flipped = usize::try_from(distance.value).ok().filter(|&flipped| flipped < WARP);
                // Another clamp cuts the warp into segments, and other members leave threads out.
                let whole = is_constant(clamp, WHOLE_WARP) && is_constant(members, MEMBERS);
                let flipped = flipped.filter(|_| whole).ok_or_else(unsupported)?;
                let (into, from) = (self.target(into, 32, false, of)?, self.source(from, of)?);
                (Collective::Shuffle(flipped), vec![into], vec![from])
            }
            (Opcode::Shuffle(_), [_, _, _, _, _]) => return Err(unsupported()),
            (Opcode::Tile(tile), operands) => return self.tile(tile, operands, of),
            (opcode, operands) => {
                let (action, due) = match (opcode, operands) {
                    (Opcode::WarpBarrier, [given]) => (Collective::WarpBarrier, Some((given, MEMBERS))),
                    (Opcode::Barrier, [given]) => (Collective::Barrier, Some((given, 0))),
                    (Opcode::BulkWait, [given]) => (Collective::BulkWait, Some((given, 0))),
                    (Opcode::BulkCommit, []) => (Collective::BulkCommit, None),
                    (Opcode::ProxyFence, []) => (Collective::ProxyFence, None),
                    _ => return Err(Problem::Operands(of.to_string())),
                };
                match due {
                    Some((Operand::Immediate(given), due)) if given.value != due => {
                        return Err(unsupported());
                    }
                    None | Some((Operand::Immediate(_), _)) => (action, Vec::new(), Vec::new()),
                    Some(_) => return Err(Problem::Operands(of.to_string())),
                }
            }
        };
        Ok(Step::new(Action::Collective(action), into, from))
    }

    /// Lowers an instruction of the table on memory or across a warp; returns `None` if each thread executes it for
    /// itself.
    pub fn table_collective(
        &mut self,
        variant: &'static Variant,
        of: &Instruction,
    ) -> Result<Option<Step>, Problem> {
        Ok(match () {
            () if variant.site() == isa::Site::Bulk => Some(self.bulk(variant, of)?),
            () if variant.is_in_memory() => Some(self.word(variant, of)?),
            () if variant.is_of_warp() => Some(self.reduction(variant, of)?),
            () => None,
        })
    }

    /// Lowers `redux.sync`.
    fn reduction(&mut self, variant: &'static Variant, of: &Instruction) -> Result<Step, Problem> {
        if M::HAS_BLOCKS {
            let [into, from, members] = of.operands.as_slice() else {
                return Err(Problem::Operands(of.to_string()));
            };
            let (into, from) = (self.target(into, 32, false, of)?, self.sources([from, members], of)?);
            return Ok(Step::new(Action::Collective(Collective::Reduce(variant)), vec![into], from));
        }
        let [into, from, Operand::Immediate(members)] = of.operands.as_slice() else {
            return Err(Problem::Operands(of.to_string()));
        };
        if members.value != MEMBERS {
            return Err(Problem::Unsupported(of.to_string()));
        }
        let (into, from) = (self.target(into, 32, false, of)?, self.source(from, of)?);
        Ok(Step::new(Action::Collective(Collective::Reduce(variant)), vec![into], vec![from]))
    }

    /// Lowers `atom` and `red`.
    fn word(&mut self, variant: &'static Variant, of: &Instruction) -> Result<Step, Problem> {
        let wrong = || Problem::Operands(of.to_string());
        let (into, at, from) = match of.operands.as_slice() {
            [at @ Operand::Memory { .. }, from] => (Vec::new(), at, from),
            [into, at @ Operand::Memory { .. }, from] => (self.whole_registers(into, of)?, at, from),
            _ => return Err(wrong()),
        };
        let from = self.sources(flat(std::slice::from_ref(from)), of)?;
        let words = variant.lane_signature().words();
        // `atom` returns the word as it was, and `red` returns nothing.
        let wanted = if variant.lane_signature().original().is_some() { words } else { 0 };
        if from.len() != words || into.len() != wanted {
            return Err(wrong());
        }
        // The spelling says which memory it is.
        let space = match variant.spelling().split('.').nth(1) {
            Some("shared") => Space::Shared,
            Some("global") => Space::Global,
            _ if M::HAS_BLOCKS => Space::Generic,
            _ => Space::Global,
        };
        let at = self.address(space, at, of)?;
        // A block has its words in shared memory, where numbers are rounded by other rules than in global memory.
        let variant = match space {
            Space::Generic => in_shared_memory(variant).unwrap_or(variant),
            _ => variant,
        };
        Ok(Step::new(Action::Collective(Collective::Word(variant, at)), into, from))
    }

    /// Lowers `cp.reduce.async.bulk` of one block of 16 bytes.
    fn bulk(&mut self, variant: &'static Variant, of: &Instruction) -> Result<Step, Problem> {
        let [at @ Operand::Memory { .. }, from @ Operand::Memory { .. }, Operand::Immediate(bytes)] =
            of.operands.as_slice()
        else {
            return Err(Problem::Operands(of.to_string()));
        };
        let due: usize = variant.results().iter().map(|part| part.ty.row_bytes()).sum();
        // PTX allows any multiple of 16 bytes, and kernels of this suite move one block.
        if bytes.value != due as u64 {
            return Err(Problem::Unsupported(of.to_string()));
        }
        let (at, from) = (self.address(Space::Global, at, of)?, self.address(Space::Shared, from, of)?);
        let bulk = Collective::Bulk(variant, at, from);
        Ok(Step::new(Action::Collective(bulk), Vec::new(), Vec::new()))
    }

    /// Lowers `wmma.load` and `wmma.store`.
    fn tile(
        &mut self,
        tile: &TileAccess,
        operands: &[Operand],
        of: &Instruction,
    ) -> Result<Step, Problem> {
        // Of the four matrices `wmma` stores D and loads the others, so D tells the two instructions apart.
        let stored = tile.matrix == Matrix::D;
        let (fragment, at, stride) = match operands {
            [at @ Operand::Memory { .. }, fragment, stride @ ..] if stored => (fragment, at, stride),
            [fragment, at @ Operand::Memory { .. }, stride @ ..] if !stored => (fragment, at, stride),
            _ => return Err(Problem::Operands(of.to_string())),
        };
        // The stride may be left out.
        if stride.len() > 1 {
            return Err(Problem::Operands(of.to_string()));
        }
        let at = self.address(tile.space, at, of)?;
        let (mut into, mut from) = (Vec::new(), Vec::new());
        match stored {
            true => from = self.sources(flat(std::slice::from_ref(fragment)), of)?,
            false => into = self.whole_registers(fragment, of)?,
        }
        from.extend(self.sources(stride, of)?);
        Ok(Step::new(Action::Collective(Collective::Tile(*tile, at)), into, from))
    }
}

/// Returns the problem of a barrier's number, or of the number of threads that it counts, if there is one (PTX ISA,
/// `barrier`).
pub fn barrier_problem(barrier: u64, count: Option<u64>) -> Option<String> {
    let number = |word: u64| word as u32 as i32;
    if barrier as u32 > 15 {
        return Some(format!("there is no barrier {}: a block has barriers 0 to 15", number(barrier)));
    }
    match count.map(|count| count as u32) {
        None => None,
        Some(0) => Some("a barrier for 0 threads is not interpreted".to_owned()),
        Some(count) if !(count as usize).is_multiple_of(WARP) => Some(format!(
            "a barrier counts whole warps, and {} threads are no multiple of {WARP}",
            number(count.into())
        )),
        Some(count) if count > 1024 => {
            Some(format!("a barrier for {count} threads is never passed: a block has at most 1,024"))
        }
        Some(_) => None,
    }
}

/// Returns the variant that does in shared memory what another one does in global memory.
fn in_shared_memory(variant: &Variant) -> Option<&'static Variant> {
    let (name, rest) = variant.spelling().split_once('.')?;
    let spelling = format!("{name}.shared.{rest}");
    Variant::all().iter().find(|variant| variant.spelling() == spelling && !variant.is_of_warp())
}

/// Whether an operand is this number, written in the text.
fn is_constant(operand: &Operand, number: u64) -> bool {
    matches!(operand, Operand::Immediate(given) if given.value == number)
}
