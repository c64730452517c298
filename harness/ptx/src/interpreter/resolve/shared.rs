//! Instructions whose operands are more than one thread's registers: words in memory, what the threads of a warp
//! have, and tiles.

use super::Resolver;
use crate::interpreter::bulk::Bulk;
use crate::interpreter::reduction::Reduction;
use crate::interpreter::tile::Moved;
use crate::interpreter::word::Word;
use crate::interpreter::{Problem, Tested};
use crate::syntax::{Instruction, MEMBERS, Matrix, Operand, Space, Tile};

impl Resolver {
    /// What is made of the operands of all threads.
    pub(super) fn reduction(
        &self,
        spelling: &str,
        operands: &[Operand],
        of: &Instruction,
    ) -> Result<Reduction, Problem> {
        let [into, from, Operand::Immediate(members)] = operands else {
            return Err(Problem::Operands(of.to_string()));
        };
        if members.value != MEMBERS {
            return Err(Problem::Unsupported(of.to_string()));
        }
        let tested =
            Tested { spelling: spelling.into(), variant: of.variant(), matrix: None, in_place: false };
        Ok(Reduction { tested, into: self.target(into, of)?, from: self.source(from, of)? })
    }

    /// What is done to a word in memory.
    pub(super) fn word(
        &self,
        spelling: &str,
        operands: &[Operand],
        of: &Instruction,
    ) -> Result<Word, Problem> {
        let wrong = || Problem::Operands(of.to_string());
        let variant = of.variant().ok_or_else(wrong)?;
        let (into, base, offset, from) = match operands {
            [Operand::Memory { base, offset }, from] => (Vec::new(), base, offset, from),
            [into, Operand::Memory { base, offset }, from] => {
                (self.targets(into, of)?, base, offset, from)
            }
            _ => return Err(wrong()),
        };
        let from = match from {
            Operand::Vector(each) => self.sources(each, of)?,
            one => vec![self.source(one, of)?],
        };
        let words = variant.lane_signature().words();
        let wanted = if variant.lane_signature().original().is_some() { words } else { 0 };
        if from.len() != words || into.len() != wanted {
            return Err(wrong());
        }
        // The spelling says which memory it is.
        let shared = spelling.split('.').nth(1) == Some("shared");
        let space = if shared { Space::Shared } else { Space::Global };
        let at = self.address(space, base, *offset)?;
        let tested =
            Tested { spelling: spelling.into(), variant: Some(variant), matrix: None, in_place: false };
        Ok(Word { tested, variant, into, at, from })
    }

    /// The same by a word of shared memory, of 16 bytes.
    pub(super) fn bulk(
        &self,
        spelling: &str,
        operands: &[Operand],
        of: &Instruction,
    ) -> Result<Bulk, Problem> {
        let [
            Operand::Memory { base, offset },
            Operand::Memory { base: from, offset: beyond },
            Operand::Immediate(bytes),
        ] = operands
        else {
            return Err(Problem::Operands(of.to_string()));
        };
        let variant = of.variant().ok_or_else(|| Problem::Operands(of.to_string()))?;
        let due: usize = variant.results().iter().map(|part| part.ty.row_bytes()).sum();
        // Any multiple is legal.
        if bytes.value != due as u64 {
            return Err(Problem::Unsupported(of.to_string()));
        }
        let tested =
            Tested { spelling: spelling.into(), variant: Some(variant), matrix: None, in_place: false };
        let at = self.address(Space::Global, base, *offset)?;
        let word = Word { tested, variant, into: Vec::new(), at, from: Vec::new() };
        Ok(Bulk { word, from: self.address(Space::Shared, from, *beyond)? })
    }

    pub(super) fn tile(
        &self,
        tile: &Tile,
        operands: &[Operand],
        of: &Instruction,
    ) -> Result<Moved, Problem> {
        let stored = tile.matrix == Matrix::D;
        let (fragment, base, offset, stride) = match operands {
            [Operand::Memory { base, offset }, fragment, stride @ ..] if stored => {
                (fragment, base, offset, stride)
            }
            [fragment, Operand::Memory { base, offset }, stride @ ..] if !stored => {
                (fragment, base, offset, stride)
            }
            _ => return Err(Problem::Operands(of.to_string())),
        };
        let stride = match stride {
            [] => None,
            [stride] => Some(self.source(stride, of)?),
            _ => return Err(Problem::Operands(of.to_string())),
        };
        let at = self.address(tile.space, base, *offset)?;
        let moved = Moved::new(*tile, at, self.targets(fragment, of)?, stride);
        moved.ok_or_else(|| Problem::Operands(of.to_string()))
    }
}
