//! The registers of an instruction, and how its lanes lie in them.

use std::ops::Range;

use formats::Format;

use super::operands::OperandList;
use super::site::Site;
use super::types::Type;
use crate::limits::{INPUTS_MAX, LANES_MAX};

/// A register as the manual's syntax line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// The name in the syntax line: `d`, `a`, `b` and so on.
    pub name: &'static str,
    /// The type of the register's data.
    pub ty: Type,
}

/// The place where a lane finds an input, or leaves a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneSlot {
    /// The number of the register among the operands, or among the results.
    pub register: usize,
    /// The number of the lane within that register.
    pub lane: usize,
    /// The distance of the lane's lowest bit from the register's lowest bit.
    pub shift: u32,
    /// The mask of the bits that count, before they are shifted.
    pub mask: u64,
}

impl LaneSlot {
    /// The place of an absent datum: no bit counts.
    pub const NONE: LaneSlot = LaneSlot { register: 0, lane: 0, shift: 0, mask: 0 };

    /// Returns the place of a lane of the register of the given number.
    pub(super) fn of(register: usize, ty: &Type, lane: usize) -> LaneSlot {
        LaneSlot { register, lane, shift: ty.shift(lane), mask: ty.format.mask() }
    }

    /// Returns the bits that lie in this place of a register.
    #[inline]
    pub const fn take(&self, register: u64) -> u64 {
        register >> self.shift & self.mask
    }

    /// Returns a register with the given bits in this place, and zeros elsewhere.
    #[inline]
    pub const fn put(&self, bits: u64) -> u64 {
        (bits & self.mask) << self.shift
    }
}

/// The data of one operand, or of one result: the bits of the registers that each lane has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneData {
    /// The encoding of each datum.
    pub format: &'static Format,
    /// The place of each lane's datum. If all lanes have it in one place, they share it.
    pub slots: Vec<LaneSlot>,
}

impl LaneData {
    /// Whether several lanes read the same datum.
    pub fn is_shared(&self) -> bool {
        self.slots.len() > 1 && self.slots.iter().all(|slot| *slot == self.slots[0])
    }
}

/// The types of an instruction: those printed in the mnemonic, and those of the registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneSignature {
    /// The types in the mnemonic, in its order.
    pub printed: Vec<Type>,
    /// The destination registers.
    pub results: Vec<Register>,
    /// The source registers.
    pub operands: Vec<Register>,
    /// The inputs that each lane computes from.
    pub inputs: Vec<LaneData>,
    /// The outputs that each lane gives.
    pub outputs: Vec<LaneData>,
    /// The range of operands that PTX prints in braces.
    pub braces: Range<usize>,
    /// The place of operands and results, if not all are in registers.
    pub site: Site,
    /// The number of registers that hold one word: two of 64 bits where a word has 128. For a kernel they are one
    /// column.
    pub parts: usize,
}

impl LaneSignature {
    /// Builds the signature of an operand list with the given printed types, as [`OperandList::read`] takes the list.
    ///
    /// # Panics
    /// On a type that does not exist.
    pub fn read(printed: &[Type], operands: &'static str) -> LaneSignature {
        OperandList::read(operands).signature(printed)
    }

    /// Returns the number of independent lanes.
    pub fn lanes(&self) -> usize {
        self.outputs[0].slots.len()
    }

    /// Returns, for each lane, the place of each of its inputs. Inputs that a lane lacks, or has in common with lane 0,
    /// are [nowhere](LaneSlot::NONE).
    pub fn slots(&self) -> [[LaneSlot; INPUTS_MAX]; LANES_MAX] {
        let mut slots = [[LaneSlot::NONE; INPUTS_MAX]; LANES_MAX];
        for (number, input) in self.inputs.iter().enumerate() {
            // Registers are filled by joining the lanes' bits, so only one lane may write what all share.
            let own = if input.is_shared() { 1 } else { input.slots.len() };
            for (lane, slot) in input.slots[..own].iter().enumerate() {
                slots[lane][number] = *slot;
            }
        }
        slots
    }

    /// Returns which of the outputs is a word of memory as it was before, or `None`.
    pub fn original(&self) -> Option<usize> {
        (self.site.changes_a_word() && self.outputs.len() > 1).then_some(1)
    }

    /// Returns the result registers that have a word of memory as it was before: only `atom` has any.
    pub fn originals(&self) -> Range<usize> {
        if self.site.changes_a_word() { self.parts..self.results.len() } else { 0..0 }
    }

    /// Returns how many words, side by side in braces, PTX has for each register of a memory form: four for `.v4.f16`,
    /// and one where there is no vector, or the operand is memory as well.
    pub fn words(&self) -> usize {
        let printed = self.printed.last().map_or(1, |ty| ty.lanes);
        match self.site {
            Site::Registers | Site::Warp | Site::Bulk => 1,
            Site::Word | Site::Turns | Site::Copies { .. } | Site::TensorMemory => {
                (self.lanes() / printed).max(1)
            }
        }
    }

    /// Returns the types as printed: `.f32.bf16`.
    pub fn suffix(&self) -> String {
        self.printed.iter().map(|ty| format!(".{ty}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(printed: &[&str], registers: &'static str) -> LaneSignature {
        let printed: Vec<Type> = printed.iter().map(|name| Type::named(name).unwrap()).collect();
        LaneSignature::read(&printed, registers)
    }

    fn slots(data: &LaneData) -> Vec<(usize, usize)> {
        data.slots.iter().map(|slot| (slot.register, slot.lane)).collect()
    }

    #[test]
    fn registers_are_the_manuals_operand_list() {
        let mixed = read(&["f32", "bf16"], "d:dtype, a, b, c:dtype");
        let types: Vec<&str> = mixed.operands.iter().map(|register| register.ty.name).collect();
        assert_eq!(
            (types, mixed.results[0].ty.name, mixed.lanes()),
            (vec!["bf16", "bf16", "f32"], "f32", 1)
        );
        let compared = read(&["f32"], "p|!q:pred, a, b, c:pred");
        assert_eq!((compared.results.len(), compared.outputs.len(), compared.lanes()), (2, 2, 1));
    }

    #[test]
    fn a_word_in_memory_is_operand_and_result() {
        let atom = read(&["f16"], "[m]|d:f16x4, [a]:f16x4, b:f16x4");
        assert_eq!((atom.lanes(), atom.outputs.len(), atom.inputs.len()), (4, 2, 2));
        assert_eq!((atom.original(), atom.words()), (Some(1), 4));
        assert_eq!(slots(&atom.outputs[1]), [(1, 0), (1, 1), (1, 2), (1, 3)]);
        let red = read(&["bf16x2"], "[m], [a], b");
        assert_eq!((red.lanes(), red.original(), red.words()), (2, None, 1));
        assert_eq!(
            [atom.site, red.site, read(&["f32"], "d, a, b").site],
            [Site::Word, Site::Word, Site::Registers]
        );
    }

    #[test]
    fn a_word_of_128_bits_is_in_two_registers() {
        let atom = read(&["f32"], "[m0+m1]|d0+d1:f32x2, [a0+a1]:f32x2, b0+b1:f32x2");
        assert_eq!((atom.lanes(), atom.outputs.len(), atom.inputs.len(), atom.parts), (4, 2, 2, 2));
        assert_eq!((atom.original(), atom.originals(), atom.words()), (Some(1), 2..4, 4));
        assert_eq!(slots(&atom.outputs[1]), [(2, 0), (2, 1), (3, 0), (3, 1)]);
        assert_eq!(slots(&atom.inputs[1]), [(2, 0), (2, 1), (3, 0), (3, 1)]);
        let red = read(&["bf16x2"], "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4");
        assert_eq!((red.lanes(), red.original(), red.originals(), red.words()), (8, None, 2..2, 4));
    }

    #[test]
    fn what_threads_hold_is_an_operand_each() {
        let redux = read(&["f32"], "d, <a, b, c>");
        assert_eq!((redux.lanes(), redux.inputs.len(), redux.operands.len()), (1, 3, 3));
        assert_eq!([redux.site, read(&["f32"], "d, a, b, c").site], [Site::Warp, Site::Registers]);
    }

    #[test]
    fn lanes_are_gathered_from_registers() {
        let two = read(&["f16x2", "f32"], "d:dtype, a/b, rbits:b32");
        assert_eq!((two.lanes(), two.inputs.len()), (2, 2));
        assert_eq!(slots(&two.inputs[0]), [(1, 0), (0, 0)], "a is the upper half");
        assert!(two.inputs[1].is_shared() && !two.inputs[0].is_shared());
        let four = read(&["e4m3x4", "f32"], "d:dtype, {a, b, e, f}, rbits:b32");
        assert_eq!(slots(&four.inputs[0]), [(3, 0), (2, 0), (1, 0), (0, 0)]);
        assert_eq!((four.braces.clone(), two.braces.is_empty()), (0..4, true));
        let packed = read(&["f16x2"], "p|q:pred, a, b");
        assert_eq!((packed.lanes(), packed.outputs.len()), (2, 1));
        assert_eq!(slots(&packed.outputs[0]), [(0, 0), (1, 0)]);
        let bits = |slot: &LaneSlot| (slot.register, slot.shift, slot.mask);
        let shared = two.slots();
        assert_eq!(bits(&shared[1][0]), (0, 0, 0xffff_ffff));
        assert_eq!([shared[0][1].register, shared[1][1].mask as usize], [2, 0], "only lane 0 has it");
        let padded = read(&["f16x2", "e2m3x2"], "d:dtype, a");
        assert_eq!(bits(&padded.slots()[1][0]), (0, 8, 0x3f));
        assert_eq!((padded.slots()[1][0].take(0x2a15), padded.slots()[1][0].put(0xff)), (0x2a, 0x3f00));
        let up = read(&["bf16x2", "e4m3x2"], "d:dtype, a, scale:ue8m0x2");
        assert_eq!(slots(&up.inputs[1]), [(1, 0), (1, 1)]);
    }
}
