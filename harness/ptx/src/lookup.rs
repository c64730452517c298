//! Instructions of a tree, looked up in the tables.

use std::collections::HashMap;
use std::sync::LazyLock;

use isa::Variant;
use isa::matrix::MatrixVariant;

use crate::device::has_kernel;
use crate::syntax::{Instruction, Opcode, Operand};

impl Instruction {
    /// How many registers it writes, and how many data it reads, those in braces one by one, if it
    /// writes its first operand and reads the others, as every instruction under test does.
    pub fn shape(&self) -> (usize, usize) {
        let mut sizes = self.operands.iter().map(Operand::size);
        (sizes.next().unwrap_or(0), sizes.sum())
    }

    /// The variant of the table that it is, if it is one.
    pub fn variant(&self) -> Option<&'static Variant> {
        match &self.opcode {
            Opcode::Tested(spelling) => {
                let in_memory = |one: &Operand| matches!(one, Operand::Memory { .. });
                if self.operands.iter().take(2).any(in_memory) {
                    return variant_in_memory(spelling);
                }
                let (results, sources) = self.shape();
                variant_of_registers(spelling, results, sources)
            }
            _ => None,
        }
    }

    /// The matrix instruction of a warp that it is, `mma`, `mma.sp` or `wmma.mma`, if it is one. Its
    /// operands are not looked at.
    pub fn matrix(&self) -> Option<&'static MatrixVariant> {
        static ALL: LazyLock<HashMap<&str, &MatrixVariant>> = LazyLock::new(|| {
            let of_warps = |variant: &&MatrixVariant| {
                variant.words().first().is_some_and(|word| matches!(*word, "mma" | "wmma"))
            };
            let all = MatrixVariant::all().iter().filter(of_warps);
            all.map(|variant| (variant.spelling(), variant)).collect()
        });
        match &self.opcode {
            Opcode::Tested(spelling) => ALL.get(&**spelling).copied(),
            _ => None,
        }
    }
}

/// The variant that an instruction on a word in memory is, by its spelling alone.
fn variant_in_memory(spelling: &str) -> Option<&'static Variant> {
    static ALL: LazyLock<HashMap<&str, &Variant>> = LazyLock::new(|| {
        let of_one =
            |variant: &&Variant| variant.is_in_memory() && !variant.is_of_warp() && has_kernel(variant);
        let all = Variant::all().iter().filter(of_one);
        all.map(|variant| (variant.spelling(), variant)).collect()
    });
    ALL.get(spelling).copied()
}

/// The variant that an instruction among registers is, by its spelling and its numbers of results and of sources:
/// of PTX, or a cast.
pub fn variant_of_registers(spelling: &str, results: usize, sources: usize) -> Option<&'static Variant> {
    static ALL: LazyLock<HashMap<(&str, usize, usize), &Variant>> = LazyLock::new(|| {
        let shape = |variant: &'static Variant| {
            // What threads have is one register, and which threads is a mask.
            let sources = if variant.is_of_warp() { 2 } else { variant.operands().len() };
            ((variant.spelling(), variant.results().len(), sources), variant)
        };
        Variant::all().iter().filter(|variant| !variant.is_of_memory()).map(shape).collect()
    });
    ALL.get(&(spelling, results, sources)).copied()
}
