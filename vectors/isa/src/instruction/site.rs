//! The place where an instruction has its data, and who executes it; the operand list alone decides both.

/// The place where an instruction finds its operands and leaves its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// `d, a, b`: the registers of the thread that executes the instruction.
    Registers,
    /// `d, <a, b, c>`: one register in each thread of a warp, which execute it together; all threads have the result.
    Warp,
    /// `[m], [a], b` or `[m]|d, [a], b`: the first operand is a word in memory, and the first result is that word
    /// afterwards. A second result is the word as it was, bit for bit.
    Word,
    /// `[m], [a], <b, c>`: a word in memory that two threads of a warp change, one after the other.
    Turns,
    /// `[m], [a], [b]`: a word in global memory, and a word in shared memory that changes it.
    Bulk,
    /// `d, (a, b)`: the words that one address or handle stands for, in the memory of this many devices.
    Copies {
        /// The number of devices: two or three.
        devices: usize,
    },
    /// `d, [a, b]`: columns of a lane of tensor memory.
    TensorMemory,
}

impl Site {
    /// Whether the first operand and the first result are a word in memory.
    pub(crate) const fn changes_a_word(self) -> bool {
        matches!(self, Site::Word | Site::Turns | Site::Bulk)
    }

    /// Whether one address or handle stands for all operands, and the result is a register.
    pub const fn is_one_address(self) -> bool {
        matches!(self, Site::Copies { .. } | Site::TensorMemory)
    }

    /// Whether the operands are the values of one register in threads of a warp.
    pub const fn is_of_warp(self) -> bool {
        matches!(self, Site::Warp | Site::Turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    #[test]
    fn an_operand_list_says_where_data_are() {
        for (text, site) in [
            ("fma.rn.f32", Site::Registers),
            ("redux.sync.min.f32", Site::Warp),
            ("atom.global.add.f32", Site::Word),
            ("red.global.add.f32", Site::Word),
            ("red.global.add.f32(b,c)", Site::Turns),
            ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32", Site::Bulk),
            ("multimem.ld_reduce.global.add.f32", Site::Copies { devices: 2 }),
            ("multimem.ld_reduce.global.add.v4.f32", Site::Copies { devices: 2 }),
            ("multimem.ld_reduce.global.add.f32(a,b,c)", Site::Copies { devices: 3 }),
            ("multimem.red.global.add.f32", Site::Word),
            ("tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32", Site::TensorMemory),
        ] {
            assert_eq!(text.parse::<Variant>().unwrap().site(), site, "{text}");
        }
    }

    /// Checks that each predicate of a variant is one of the site alone, so that no variant is at no site or at two.
    #[test]
    fn every_variant_is_at_one_site() {
        for variant in Variant::all() {
            let at = [
                variant.is_of_registers(),
                variant.site() == Site::Warp,
                variant.is_in_memory(),
                variant.site().is_one_address(),
            ];
            assert_eq!(at.iter().filter(|is| **is).count(), 1, "{variant}");
            assert_eq!(variant.is_of_memory(), at[2] || at[3], "{variant}");
        }
    }
}
