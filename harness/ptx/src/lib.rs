//! PTX as a syntax tree: the kernels that the suite is made of, the one way to text and back, and two
//! ways to run what such text says: [`interpreter`] kernels, a warp at a time, and [`functions`] what
//! compilers write, a batch of rows at a time. Both have the same instructions of integers.

pub mod builder;
mod caller;
#[cfg(test)]
mod checks;
mod constants;
mod device;
mod dots;
mod function;
pub mod functions;
mod history;
pub mod interpreter;
mod kernel;
mod matrix;
mod memory;
mod module;
mod parser;
mod program;
mod screen;
pub mod syntax;
mod warp;

use std::collections::HashMap;
use std::sync::LazyLock;

use isa::{LaneSignature, Register, Site, Variant};
use syntax::{Declaration, Instruction, Opcode, Operand, Scalar};

pub use caller::caller;
pub use constants::{constants, has_constants, is_fatal};
pub use device::{Device, Header, Unavailable};
pub use dots::{DotKernel, Group, Placement};
pub use function::function;
pub use history::VersionHistory;
pub use kernel::{kernel, name};
pub use matrix::{DECLARATIONS as MATRIX_DECLARATIONS, matrix};
pub use module::{Listing, Printed, bisect};
pub use parser::ParseError;
pub use program::program;
pub use screen::{ROWS_EACH, SCREENS_SINCE, SUMS, TRIPLES_OF_WARP, WARP, screen};

/// An instruction of the table, `setp.eq.f32 p|q, a, b;`, with what `name` gives for each register.
///
/// `atom` and `red` have a word in memory, whose address is a register of 64 bits and named last; so is that of the
/// words that `multimem.ld_reduce` loads; that of tensor memory has 32 bits. Of `fabric` and of tensors all operands are
/// addresses, handles, sizes and coordinates, and `name` sees their registers instead. Of `redux` the threads of a warp have all
/// operands in one register, for which the first stands.
///
/// `name` sees the results first and then the operands, each once. Results must be registers. Data that
/// make one result stand in braces: `d, {a, b, e, f}, rbits`.
///
/// # Panics
/// If there are neither one nor two results, or two that are no registers.
pub fn instruction(
    spelling: &str,
    signature: &LaneSignature,
    mut name: impl FnMut(&Register) -> Operand,
) -> Instruction {
    if let Some(operands) = memory::elsewhere(spelling, &mut name) {
        return Instruction::new(Opcode::Tested(spelling.into()), operands);
    }
    match signature.site {
        Site::Registers => {}
        Site::Warp => return warp::instruction(spelling, signature, name),
        Site::Word | Site::Turns | Site::Bulk => return memory::instruction(spelling, signature, name),
        Site::Copies { .. } | Site::TensorMemory => return memory::reduction(spelling, signature, name),
    }
    let mut results: Vec<Operand> = signature.results.iter().map(&mut name).collect();
    let results = match (results.pop(), results.pop()) {
        (Some(one), None) => one,
        (Some(Operand::Register(second)), Some(Operand::Register(first))) => {
            Operand::Pair(first, second)
        }
        _ => panic!("{spelling} has one result or two predicates"),
    };
    let mut operands: Vec<Operand> = signature.operands.iter().map(name).collect();
    let vector: Vec<Operand> = operands.drain(signature.braces.clone()).collect();
    if !vector.is_empty() {
        operands.insert(signature.braces.start, Operand::Vector(vector));
    }
    let opcode = Opcode::Tested(spelling.into());
    Instruction::new(opcode, [results].into_iter().chain(operands))
}

/// Whether there is a kernel of a variant of PTX.
pub fn has_kernel(variant: &Variant) -> bool {
    Unavailable::kernel(variant).is_none()
}

/// The variant that an instruction on a word in memory is, by its spelling alone.
pub fn in_memory(spelling: &str) -> Option<&'static Variant> {
    static ALL: LazyLock<HashMap<&str, &Variant>> = LazyLock::new(|| {
        let of_one =
            |variant: &&Variant| variant.is_in_memory() && !variant.is_of_warp() && has_kernel(variant);
        let all = Variant::all().iter().filter(of_one);
        all.map(|variant| (variant.spelling(), variant)).collect()
    });
    ALL.get(spelling).copied()
}

/// The variant that an instruction among registers is, by its spelling and its numbers of results and of sources.
pub fn variant(spelling: &str, results: usize, sources: usize) -> Option<&'static Variant> {
    static ALL: LazyLock<HashMap<(&str, usize, usize), &Variant>> = LazyLock::new(|| {
        let shape = |variant: &'static Variant| {
            // What threads have is one register, and which threads is a mask.
            let sources = if variant.is_of_warp() { 2 } else { variant.operands().len() };
            ((variant.spelling(), variant.results().len(), sources), variant)
        };
        let among = |variant: &&Variant| variant.is_ptx() && !variant.is_of_memory();
        Variant::all().iter().filter(among).map(shape).collect()
    });
    ALL.get(&(spelling, results, sources)).copied()
}

/// The classes of registers, and what numbered names of them begin with.
const CLASSES: [(Scalar, &str); 5] = [
    (Scalar::Predicate, "p"),
    (Scalar::Bits(8), "c"),
    (Scalar::Bits(16), "h"),
    (Scalar::Bits(32), "r"),
    (Scalar::Bits(64), "q"),
];

/// Names for registers of which only the class matters: `p0`, `h1` …, counted by class.
#[derive(Default)]
pub struct Numbered([usize; CLASSES.len()]);

impl Numbered {
    /// How many registers of a class there are: 128 columns of tensor memory, what they come to, and the address.
    const EACH: usize = 130;

    /// A register whose name was not given before.
    ///
    /// # Panics
    /// If no instruction has so many registers, or so wide ones.
    pub fn next(&mut self, register: &Register) -> Operand {
        let class = Scalar::of(&register.ty);
        let class = CLASSES.iter().position(|&(one, _)| one == class).expect("a width of registers");
        let number = self.0[class];
        assert!(number < Numbered::EACH, "too many registers");
        self.0[class] += 1;
        Operand::Register(format!("{}{number}", CLASSES[class].1))
    }

    /// The declarations of all such names, a class a line.
    pub fn declarations() -> String {
        let declared = |(ty, letter)| Declaration { ty, names: vec![(letter, Numbered::EACH).into()] };
        CLASSES.map(|class| format!("{}\n", declared(class))).concat()
    }
}

#[cfg(test)]
mod tests {
    use isa::Variant;

    use super::*;

    fn text(variant: &str) -> String {
        let variant: Variant = variant.parse().unwrap();
        let name = |register: &Register| Operand::from(register.name);
        instruction(variant.spelling(), variant.lane_signature(), name).to_string()
    }

    #[test]
    fn operands_are_the_manuals() {
        assert_eq!(text("fma.rn.ftz.f32"), "fma.rn.ftz.f32 d, a, b, c;");
        assert_eq!(text("max.NaN.f32(a,b,c)"), "max.NaN.f32 d, a, b, c;");
        assert_eq!(text("redux.sync.max.abs.f32"), "redux.sync.max.abs.f32 d, a, 0xffffffff;");
        assert_eq!(
            text("tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.f32"),
            "tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.f32 {a, a}, d, [%word], 16;"
        );
        assert_eq!(
            text("tcgen05.ld.red.spcompress.sync.aligned.32x32b.x4.min.sp::2:4.f32.b2"),
            "tcgen05.ld.red.spcompress.sync.aligned.32x32b.x4.min.sp::2:4.f32.b2 {a}, {a, a}, d, [%word];"
        );
        assert_eq!(text("setp.eq.and.f16x2"), "setp.eq.and.f16x2 p|q, a, b, c;");
        assert_eq!(
            text("cvt.rs.satfinite.e4m3x4.f32"),
            "cvt.rs.satfinite.e4m3x4.f32 d, {a, b, e, f}, rbits;"
        );
        assert_eq!(
            text("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32"),
            "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32 d, a, b, scale;"
        );
    }

    #[test]
    fn of_what_lies_elsewhere_operands_say_where() {
        let mut seen = Vec::new();
        for variant in Variant::all() {
            let mut names = Numbered::default();
            let name = |register: &Register| names.next(register);
            let text = instruction(variant.spelling(), variant.lane_signature(), name).to_string();
            let (spelling, operands) = text.split_once(' ').unwrap();
            let start = spelling.split(".shared").next().unwrap();
            let known = (start.to_owned(), operands.to_owned());
            let elsewhere = start.starts_with("fabric") || start.contains("bulk.tensor");
            if elsewhere && !seen.contains(&known) {
                seen.push(known);
            }
        }
        let seen: Vec<(&str, &str)> = seen.iter().map(|(one, other)| (&**one, &**other)).collect();
        assert_eq!(
            seen,
            [
                ("cp.reduce.async.bulk.tensor.1d.global", "[q0, {r0}], [q1];"),
                ("fabric.try_red.async", "[r0, q0], [q1], 16, [q2];"),
                ("fabric.try_red.async.multimem", "[r0, q0], [q1], 16, [q2];"),
                ("fabric.try_pullred.async.multimem", "[q0], [r0, q1], 16, [q2], 0xffffffff;"),
                ("fabric.try_red.async.tensor.1d", "[q0, r0, q1, {r1}], [q2], 16, [q3];"),
                ("fabric.try_red.async.tensor.multimem.1d", "[q0, r0, q1, {r1}], [q2], 16, [q3];"),
                ("fabric.try_atom.async", "[r0, q0], [q1], [q2], [q3];"),
            ]
        );
    }

    #[test]
    fn registers_are_untyped_and_as_wide_as_what_they_hold() {
        let numbered = |variant: &str| {
            let variant: Variant = variant.parse().unwrap();
            let mut names = Numbered::default();
            instruction("", variant.lane_signature(), |register| names.next(register)).to_string()
        };
        assert_eq!(numbered("setp.eq.and.f64"), " p0|p1, q0, q1, p2;");
        assert_eq!(numbered("fma.rn.f32.bf16"), " r0, h0, h1, r1;");
        assert_eq!(numbered("cvt.rn.satfinite.e2m1x2.f32"), " c0, r0, r1;");
        assert_eq!(numbered("set.eq.u32.f16x2"), " r0, r1, r2;");
        for variant in Variant::all() {
            numbered(variant.text());
        }
        assert!(Numbered::declarations().starts_with(".reg .pred p<130>;\n.reg .b8 c<130>;\n"));
    }
}
