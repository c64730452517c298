//! The parts of PTX that warps do not execute.

use ptx::syntax::{Instruction, Matrix, Opcode, Space, Special, Statement};

use super::fragments::Fragments;
use super::tile::fragment;
use crate::lowering::{Action, Callee, Collective, Machine};
use crate::problem::Problem;

/// The special registers that a warp has: its grid has one dimension.
const KNOWN: [Special; 4] =
    [Special::BlockIndex, Special::BlockSize, Special::ThreadIndex, Special::Lane];

/// A warp as a machine for the lowering: it knows kernels and no functions, and guards only what its callers guard.
pub struct Warps;

impl Machine for Warps {
    const MOST_REGISTERS: u64 = 1 << 17;

    fn declares(&self, statement: &Statement) -> bool {
        !matches!(statement, Statement::Variable(_) | Statement::Targets { .. })
    }

    fn has(&self, opcode: &Opcode) -> bool {
        match opcode {
            Opcode::Carry(_)
            | Opcode::Access(_)
            | Opcode::BranchIndexed
            | Opcode::Call
            | Opcode::CallUniform
            | Opcode::Exit
            | Opcode::Trap
            | Opcode::Together(_) => false,
            Opcode::Load(space, _) => matches!(space, Space::Param | Space::Global | Space::Shared),
            Opcode::Store(space, _) => matches!(space, Space::Global | Space::Shared),
            _ => true,
        }
    }

    fn takes(&self, of: &Instruction, action: &Action) -> Result<(), Problem> {
        if of.operands.iter().any(|operand| operand.has_special(|special| !KNOWN.contains(&special))) {
            return Err(Problem::Unsupported(of.to_string()));
        }
        let guarded = match action {
            // A branch is lowered as a return until its label is known, so this accepts its guard, too.
            Action::Return | Action::Store(..) => true,
            Action::Collective(does) => {
                matches!(does, Collective::ReduceAdd(..) | Collective::Word(..) | Collective::Bulk(..))
            }
            _ => false,
        };
        if of.guard.is_some() && !guarded {
            return Err(Problem::Guarded);
        }
        let fits = match action {
            Action::Collective(Collective::Matrix(matrix)) => {
                Fragments::of(matrix).is_some_and(|fragments| fragments.takes(&of.operands))
            }
            Action::Collective(Collective::Tile(tile, _)) => {
                let held = of.operands.get(usize::from(tile.matrix == Matrix::D));
                held.is_some_and(|held| fragment(tile).takes(held))
            }
            _ => true,
        };
        if fits { Ok(()) } else { Err(Problem::Operands(of.to_string())) }
    }

    fn address(&self, _: &str) -> Option<u64> {
        None
    }

    fn function(&mut self, _: &str) -> Option<Callee> {
        None
    }
}
