//! Lowers the instructions with which the threads of a block work together.

use ptx::syntax::{
    Atomic, BarrierReduction, Instruction, Operand, Scalar, Space, TogetherDoes, U64, WordOperation,
};

use super::collective::barrier_problem;
use super::names::NamedPlace;
use super::step::{Action, Address, BarrierDoes, Collective, CopiedBytes, Source, Step};
use super::{Lowering, Machine};
use crate::problem::Problem;

impl<M: Machine> Lowering<'_, '_, M> {
    /// Lowers an instruction of threads that work together.
    pub fn together(
        &mut self,
        does: TogetherDoes,
        operands: &[Operand],
        of: &Instruction,
    ) -> Result<Step, Problem> {
        let wrong = || Problem::Operands(of.to_string());
        let (action, into, from) = match (does, operands) {
            (TogetherDoes::Barrier { aligned, reduces }, operands) => {
                let does = reduces.map_or(BarrierDoes::Arrive, BarrierDoes::Reduce);
                return self.barrier(aligned, does, operands, of);
            }
            (TogetherDoes::Reduce(operation, ty), [into, from, members]) => {
                let into = vec![self.target(into, 32, false, of)?];
                let from = self.sources([from, members], of)?;
                (Collective::ReduceMembers(operation, ty), into, from)
            }
            (TogetherDoes::Match { all, ty }, [into, from, members]) => {
                let into = match into {
                    Operand::Pair(..) if !all => return Err(wrong()),
                    into => self.pair(into, of)?,
                };
                (Collective::Match { all, ty }, into, self.sources([from, members], of)?)
            }
            (TogetherDoes::Elect, [into @ Operand::Pair(..), members]) => {
                (Collective::Elect, self.pair(into, of)?, self.sources([members], of)?)
            }
            (TogetherDoes::Atomic(atomic), operands) => return self.atomic(atomic, operands, of),
            (TogetherDoes::CopyAsync { only_16 }, operands) => return self.copy(only_16, operands, of),
            (TogetherDoes::CopyCommit, []) => (Collective::CopyCommit, Vec::new(), Vec::new()),
            (TogetherDoes::CopyWaitAll, []) => (Collective::CopyWait(None), Vec::new(), Vec::new()),
            (TogetherDoes::CopyWaitGroup, [Operand::Immediate(groups)]) => {
                (Collective::CopyWait(Some(groups.value)), Vec::new(), Vec::new())
            }
            (TogetherDoes::IsInSpace(space), [into, from]) => {
                let into = vec![self.target(into, 1, false, of)?];
                let from = self.named_address(U64, from).map_or_else(|| self.source(from, of), Ok)?;
                return Ok(Step::new(Action::IsInSpace(space), into, vec![from]));
            }
            (TogetherDoes::Nothing { operands }, given) if given.len() == operands => {
                // What it is given has to be there, and is not used.
                for operand in given {
                    match operand {
                        Operand::Memory { .. } | Operand::Parameter(_) => {
                            self.address(Space::Generic, operand, of)?;
                        }
                        operand => {
                            self.source(operand, of)?;
                        }
                    }
                }
                return Ok(Step::new(Action::Nothing, Vec::new(), Vec::new()));
            }
            _ => return Err(wrong()),
        };
        Ok(Step::new(Action::Collective(action), into, from))
    }

    /// Lowers a barrier of the block.
    pub fn barrier(
        &mut self,
        aligned: bool,
        does: BarrierDoes,
        operands: &[Operand],
        of: &Instruction,
    ) -> Result<Step, Problem> {
        let wrong = || Problem::Operands(of.to_string());
        let (into, predicate, given) = match (does, operands) {
            (BarrierDoes::Reduce(reduces), [into, given @ .., predicate]) => {
                let bits = if reduces == BarrierReduction::Count { 32 } else { 1 };
                let into = vec![self.target(into, bits, false, of)?];
                (into, self.source(predicate, of)?, given)
            }
            (BarrierDoes::Reduce(_), _) => return Err(wrong()),
            (_, given) => (Vec::new(), Source::Constant(1), given),
        };
        let mut from = match given {
            [barrier] if does != BarrierDoes::Arrive => vec![self.source(barrier, of)?],
            [barrier, count] => self.sources([barrier, count], of)?,
            _ => return Err(wrong()),
        };
        from.insert(1, predicate);
        let constant = |number: usize| match from.get(number) {
            Some(Source::Constant(word)) => Some(*word),
            _ => None,
        };
        if let Some(words) = barrier_problem(constant(0).unwrap_or(0), constant(2)) {
            return Err(Problem::Refused(words));
        }
        Ok(Step::new(Action::Collective(Collective::BlockBarrier { aligned, does }), into, from))
    }

    /// Returns the targets of a word, and of a predicate if there is one: `d|p`.
    fn pair(&mut self, into: &Operand, of: &Instruction) -> Result<Vec<super::ResultRegister>, Problem> {
        Ok(match into {
            Operand::Pair(word, predicate) => vec![
                self.target(&word.as_str().into(), 32, false, of)?,
                self.target(&predicate.as_str().into(), 1, false, of)?,
            ],
            word => vec![self.target(word, 32, false, of)?],
        })
    }

    /// Lowers an atomic operation of integers.
    fn atomic(
        &mut self,
        atomic: Atomic,
        operands: &[Operand],
        of: &Instruction,
    ) -> Result<Step, Problem> {
        let wrong = || Problem::Operands(of.to_string());
        let (into, at, from) = match operands {
            [into, at @ Operand::Memory { .. }, from @ ..] if atomic.returns => {
                (vec![self.target(into, atomic.ty.width(), is_signed(atomic.ty), of)?], at, from)
            }
            [at @ Operand::Memory { .. }, from @ ..] if !atomic.returns => (Vec::new(), at, from),
            _ => return Err(wrong()),
        };
        if from.len() != if atomic.operation == WordOperation::CompareAndSwap { 2 } else { 1 } {
            return Err(wrong());
        }
        let from = self.sources(from, of)?;
        let at = self.address(atomic.space, at, of)?;
        // A variable of the thread's own is no word that atomic operations reach.
        if matches!(at, Address::Own(..)) {
            return Err(wrong());
        }
        Ok(Step::new(Action::Collective(Collective::Atomic(atomic, at)), into, from))
    }

    /// Lowers `cp.async`.
    fn copy(&mut self, only_16: bool, operands: &[Operand], of: &Instruction) -> Result<Step, Problem> {
        let wrong = || Problem::Operands(of.to_string());
        let [
            into @ Operand::Memory { .. },
            from @ (Operand::Memory { .. } | Operand::Parameter(_)),
            Operand::Immediate(bytes),
            last @ ..,
        ] = operands
        else {
            return Err(wrong());
        };
        let bytes = match bytes.value {
            16 => 16,
            4 | 8 if !only_16 => bytes.value as usize,
            _ => return Err(wrong()),
        };
        let (copied, last) = match last {
            [] => (CopiedBytes::All, Vec::new()),
            [last] => {
                let is_predicate = match last {
                    Operand::Negated(_) => true,
                    Operand::Register(name) => {
                        matches!(self.names.named(name), Some(NamedPlace::Register { width: 1, .. }))
                    }
                    _ => false,
                };
                let copied = if is_predicate { CopiedBytes::NoneIf } else { CopiedBytes::Source };
                (copied, vec![self.source(last, of)?])
            }
            // A policy of the cache.
            _ => return Err(Problem::Unsupported(of.to_string())),
        };
        let (into, from) =
            (self.address(Space::Shared, into, of)?, self.address(Space::Global, from, of)?);
        let copy = Collective::CopyAsync { into, from, bytes, copied };
        Ok(Step::new(Action::Collective(copy), Vec::new(), last))
    }
}

/// Whether a type has a sign.
fn is_signed(ty: Scalar) -> bool {
    matches!(ty, Scalar::Signed(_))
}
