//! Matrix instructions with registers: their fragments are as large as the manual's, and all registers are untyped.

use formats::FormatId;

use crate::syntax::{Instruction, Opcode, Operand};
use crate::warp::WARP;

/// The declarations of registers of 32 and of 64 bits and a predicate, as many as the largest instruction takes.
pub const DECLARATIONS: &str = ".reg .b32 r<288>;\n.reg .b64 q<32>;\n.reg .pred p<1>;\n";

/// Number of threads that share a fragment of `wgmma` (9.7.17.5.1); a fragment of `mma` and `wmma` is shared by a
/// warp (9.7.16.4.1).
pub const WARPGROUP: u32 = 128;

/// The properties that decide how many registers an instruction takes, read off the words of a spelling, legal or
/// not.
#[derive(Debug, Default)]
struct SpellingWords<'a> {
    shape: [u32; 3],
    types: Vec<FormatId>,
    kind: &'a str,
    sparse: bool,
    scaled: bool,
    a_in_registers: bool,
    a_in_tensor_memory: bool,
}

/// A source of register names, each given once.
#[derive(Default)]
struct RegisterNames {
    words: u32,
    doubles: u32,
}

impl RegisterNames {
    /// Returns a new register of 32 bits.
    fn word(&mut self) -> Operand {
        self.words += 1;
        Operand::Register(format!("r{}", self.words - 1))
    }

    /// Returns a new register of 64 bits.
    fn double(&mut self) -> Operand {
        self.doubles += 1;
        Operand::Register(format!("q{}", self.doubles - 1))
    }

    /// Returns the tensor memory that a new register of 32 bits points to.
    fn tensor_memory(&mut self) -> Operand {
        self.words += 1;
        Operand::Memory { base: format!("r{}", self.words - 1), offset: None }
    }

    /// Returns a fragment of `elements` elements of `bits` bits each, in new registers.
    fn fragment(&mut self, elements: u32, bits: u32) -> Operand {
        // No register has less than 32 bits. A spelling that is not legal may come to no element, and gets one
        // register.
        let count = (elements * bits).div_ceil(bits.max(32)).max(1);
        Operand::Vector(
            (0..count).map(|_| if bits == 64 { self.double() } else { self.word() }).collect(),
        )
    }
}

impl<'a> SpellingWords<'a> {
    /// Reads the properties off the words of a spelling; words that decide nothing are skipped.
    fn read(words: &[&'a str]) -> SpellingWords<'a> {
        let mut read = SpellingWords::default();
        for &word in words {
            let shape = isa::matrix::shape(word);
            match word {
                "sp" | "sp::ordered_metadata" => read.sparse = true,
                "block_scale" => read.scaled = true,
                "a-regs" => read.a_in_registers = true,
                "a-tmem" => read.a_in_tensor_memory = true,
                _ if shape.is_some() => read.shape = shape.unwrap_or_default(),
                _ => match (
                    word.strip_prefix("kind::"),
                    FormatId::ALL.iter().find(|id| id.name() == word),
                ) {
                    (Some(kind), _) => read.kind = kind,
                    (None, Some(&ty)) => read.types.push(ty),
                    (None, None) => {}
                },
            }
        }
        read
    }

    /// Returns the bits that an element of A or B takes in a register. Types of less than eight bits stand in a byte,
    /// unless `.kind` is of four bits (9.7.16.5.14).
    fn container(&self, ty: FormatId) -> u32 {
        match ty {
            FormatId::F64 => 64,
            FormatId::F32 | FormatId::Tf32 => 32,
            FormatId::F16 | FormatId::Bf16 => 16,
            _ if self.kind.starts_with("mxf4") => 4,
            _ => 8,
        }
    }

    /// Returns the types of D, A, B and C; a type of scales may follow them in the spelling. A name that is not legal
    /// gets the commonest types.
    fn matrices(&self) -> [FormatId; 4] {
        let types = &self.types[..self.types.len().min(4)];
        let common = [FormatId::F32, FormatId::F16, FormatId::F16, FormatId::F32];
        isa::matrix::matrices(types, FormatId::F16).unwrap_or(common)
    }
}

/// Returns the bits that an element of C or D takes in a register.
fn accumulator(ty: FormatId) -> u32 {
    match ty {
        FormatId::F64 => 64,
        FormatId::F16 | FormatId::Bf16 => 16,
        FormatId::E4m3 | FormatId::E5m2 => 8,
        _ => 32,
    }
}

/// Returns the instruction with this spelling, legal or not, and these words. Where it is not legal, its operands are
/// those that the same words ask for elsewhere.
pub fn matrix(spelling: &str, words: &[&str]) -> Instruction {
    let (read, mut registers) = (SpellingWords::read(words), RegisterNames::default());
    let operands = match words[0] {
        "tcgen05" => read.fifth_generation(&mut registers),
        "wgmma" => read.warpgroup(&mut registers),
        mnemonic => read.warp(mnemonic == "wmma", &mut registers),
    };
    Instruction::new(Opcode::Tested(spelling.into()), operands)
}

impl SpellingWords<'_> {
    /// Returns the operands of `mma`, `mma.sp` and `wmma.mma`: fragments, then metadata and selector, then scales
    /// with their selectors.
    fn warp(&self, wmma: bool, registers: &mut RegisterNames) -> Vec<Operand> {
        let [m, n, k] = self.shape;
        let [d, a, b, c] = self.matrices();
        // m8n8k4 of 16 bits computes four products.
        let four = if !wmma && self.shape == [8, 8, 4] && self.container(a) == 16 { 4 } else { 1 };
        let stored = if self.sparse { k / 2 } else { k };
        let each = |elements: u32| elements * four / WARP;
        // A fragment of f16 has eight registers in `wmma`, whatever the shape.
        let multiplicand = |elements: u32| if wmma && a == FormatId::F16 { 16 } else { each(elements) };
        let mut operands = vec![
            registers.fragment(each(m * n), accumulator(d)),
            registers.fragment(multiplicand(m * stored), self.container(a)),
            registers.fragment(multiplicand(n * k), self.container(b)),
            registers.fragment(each(m * n), accumulator(c)),
        ];
        if self.sparse {
            operands.extend([registers.word(), 0.into()]);
        }
        if self.scaled {
            for _ in ["A", "B"] {
                operands.extend([registers.word(), Operand::Vector(vec![0.into(), 0.into()])]);
            }
        }
        operands
    }

    /// Returns the operands of `wgmma.mma_async`: descriptors, or A in registers; whether C is added; signs; and
    /// transpositions, which types of 16 bits have for matrices in shared memory.
    fn warpgroup(&self, registers: &mut RegisterNames) -> Vec<Operand> {
        let [m, n, k] = self.shape;
        let [d, a, ..] = self.matrices();
        let stored = if self.sparse { k / 2 } else { k };
        let mut operands = vec![registers.fragment(m * n / WARPGROUP, accumulator(d))];
        operands.push(match self.a_in_registers {
            true => registers.fragment(m * stored / WARPGROUP, self.container(a)),
            false => registers.double(),
        });
        operands.push(registers.double());
        if self.sparse {
            operands.extend([registers.word(), 0.into()]);
        }
        operands.extend(["p0".into(), 1.into(), 1.into()]);
        if self.container(a) == 16 {
            let transposed = if self.a_in_registers { 1 } else { 2 };
            operands.extend((0..transposed).map(|_| Operand::from(0)));
        }
        operands
    }

    /// Returns the operands of `tcgen05.mma`: D in tensor memory, A there or by its descriptor, B by its descriptor,
    /// metadata, the instruction descriptor, scales, and whether D is added.
    fn fifth_generation(&self, registers: &mut RegisterNames) -> Vec<Operand> {
        let mut operands = vec![registers.tensor_memory()];
        operands.push(match self.a_in_tensor_memory {
            true => registers.tensor_memory(),
            false => registers.double(),
        });
        operands.push(registers.double());
        if self.sparse {
            operands.push(registers.tensor_memory());
        }
        operands.push(registers.word());
        if self.scaled {
            operands.extend([registers.tensor_memory(), registers.tensor_memory()]);
        }
        operands.push("p0".into());
        operands
    }
}

#[cfg(test)]
mod tests {
    use isa::matrix::MatrixVariant;

    use super::*;

    #[test]
    fn fragments_are_as_large_as_the_manuals() {
        let sizes = |text: &str| {
            let variant: MatrixVariant = text.parse().unwrap();
            let instruction = matrix(variant.spelling(), &variant.words());
            instruction.operands.iter().map(Operand::size).collect::<Vec<_>>()
        };
        // The manual's examples (9.7.16.4.5, 9.7.16.5.14, 9.7.16.6.3).
        for (text, expected) in [
            ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", &[8, 2, 2, 4][..]),
            ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", &[2, 4, 2, 2]),
            ("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", &[4, 2, 1, 4]),
            ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", &[2, 1, 1, 2]),
            ("mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", &[2, 2, 2, 2, 1, 1]),
            ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", &[8, 8, 8, 4]),
            ("wmma.mma.sync.aligned.row.col.m8n32k16.f32.bf16.bf16.f32", &[8, 2, 8, 8]),
            ("wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32", &[8, 8, 8, 8]),
            ("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16(a-regs)", &[2, 4, 1, 1, 1, 1, 1]),
            ("tcgen05.mma.sp.cta_group::1.kind::tf32(a-tmem,f32.tf32.tf32,k16)", &[1; 6]),
        ] {
            assert_eq!(sizes(text), expected, "{text}");
        }
    }

    #[test]
    fn no_instruction_takes_more_registers_than_are_declared() {
        for variant in MatrixVariant::all() {
            let text = matrix(variant.spelling(), &variant.words()).to_string();
            let most = |letter: char| {
                let names = text.split(|c: char| !c.is_ascii_alphanumeric());
                names.filter_map(|name| name.strip_prefix(letter)?.parse::<u32>().ok()).max()
            };
            assert!(most('r') < Some(288) && most('q') < Some(32), "{text}");
        }
    }
}
