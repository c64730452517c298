//! Looks up the instructions of a syntax tree in the tables of variants.

use std::collections::HashMap;
use std::sync::LazyLock;

use isa::Variant;
use isa::matrix::MatrixVariant;

use crate::device::has_kernel;
use crate::syntax::{Instruction, Opcode, Operand, plain_atomic};

impl Instruction {
    /// Returns the number of registers that the instruction writes and of data that it reads; operands in braces
    /// count one by one. It takes the first operand as written and the others as read, as in every instruction under
    /// test.
    pub fn shape(&self) -> (usize, usize) {
        let mut sizes = self.operands.iter().map(Operand::size);
        (sizes.next().unwrap_or(0), sizes.sum())
    }

    /// Returns the variant of the table that the instruction is, if it is one.
    pub fn variant(&self) -> Option<&'static Variant> {
        match &self.opcode {
            Opcode::Tested(spelling) => {
                // The word's address is the first operand of `red` and the second of `atom`; no instruction among
                // registers has one.
                let in_memory = |one: &Operand| matches!(one, Operand::Memory { .. });
                if self.operands.iter().take(2).any(in_memory) {
                    let plain = || variant_in_memory(&plain_atomic(spelling)?);
                    return variant_in_memory(spelling).or_else(plain);
                }
                let (results, sources) = self.shape();
                variant_of_registers(spelling, results, sources)
            }
            _ => None,
        }
    }

    /// Returns the matrix instruction of a warp that the instruction is, `mma`, `mma.sp` or `wmma.mma`, if it is one.
    /// The operands are not looked at.
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

/// Returns the variant that an instruction on a word in memory is, by its spelling alone.
fn variant_in_memory(spelling: &str) -> Option<&'static Variant> {
    static ALL: LazyLock<HashMap<&str, &Variant>> = LazyLock::new(|| {
        // Variants that two threads execute have the spellings of those that one thread executes, which stand for both.
        let of_one =
            |variant: &&Variant| variant.is_in_memory() && !variant.is_of_warp() && has_kernel(variant);
        let all = Variant::all().iter().filter(of_one);
        all.map(|variant| (variant.spelling(), variant)).collect()
    });
    ALL.get(spelling).copied()
}

/// Returns the variant that an instruction among registers is, by its spelling and its numbers of results and of
/// sources. It is one of PTX, or a cast.
pub fn variant_of_registers(spelling: &str, results: usize, sources: usize) -> Option<&'static Variant> {
    static ALL: LazyLock<HashMap<(&str, usize, usize), &Variant>> = LazyLock::new(|| {
        let shape = |variant: &'static Variant| {
            // An instruction of a warp has one register for all threads' operands, and a mask of the threads.
            let sources = if variant.is_of_warp() { 2 } else { variant.operands().len() };
            ((variant.spelling(), variant.results().len(), sources), variant)
        };
        Variant::all().iter().filter(|variant| !variant.is_of_memory()).map(shape).collect()
    });
    ALL.get(&(spelling, results, sources)).copied()
}
