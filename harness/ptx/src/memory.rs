//! Arithmetic on a word in memory, `atom` and `red`: how PTX writes it, and its kernels.
//!
//! A thread has a word of its own, so that no other changes it: of global memory its row in the column of
//! the first result, where it stays; of shared memory one of as many as a block has threads.

use vectors::Variant;
use vectors::isa::{LaneSignature, Register, Type};

use crate::builder::Body;
use crate::kernel::{
    address, declarations, declared as declared_as, generic_address, moved, named, parameter,
};
use crate::syntax::{B64, Binary, Instruction, Opcode, Operand, Scalar, Space, U32, U64, hex};

/// Threads of a block at most (PTX ISA, appendix of compute capabilities): each has a word of shared memory.
const THREADS_MAX: u32 = 1024;
/// The words that they have.
const WORDS: &str = "%words";
/// Where a thread's word lies.
const WORD: &str = "%word";

/// `atom.global.add.v2.f32 {d, d}, [a], {b, b};` with what `name` gives for each register in that order;
/// where the word lies is a register of 64 bits. Elements of a vector stand in braces.
///
/// # Panics
/// If `name` gives something else than a register for the address.
pub fn instruction(
    spelling: &str,
    signature: &LaneSignature,
    mut name: impl FnMut(&Register) -> Operand,
) -> Instruction {
    let mut group = |register: &Register| {
        let element = element(signature, register);
        let mut each: Vec<Operand> = (0..signature.words()).map(|_| name(&element)).collect();
        if each.len() > 1 { Operand::Vector(each) } else { each.remove(0) }
    };
    let mut operands: Vec<Operand> = signature.results[1..].iter().map(&mut group).collect();
    let sources: Vec<Operand> = signature.operands[1..].iter().map(&mut group).collect();
    let ty = Type::named("b64").expect("a type");
    let Operand::Register(base) = name(&Register { name: WORD, ty }) else {
        panic!("an address is a register")
    };
    operands.push(Operand::Memory { base, offset: None });
    operands.extend(sources);
    Instruction::new(Opcode::Tested(spelling.into()), operands)
}

/// A register of one of the elements that a register of the signature is in PTX.
pub fn element(signature: &LaneSignature, register: &Register) -> Register {
    let lanes = register.ty.lanes / signature.words().min(register.ty.lanes);
    Register { ty: Type { lanes, ..register.ty }, ..*register }
}

/// The state space of a variant's word, which its spelling names: where it names none, the address is
/// generic, and of global memory.
fn space(variant: &Variant) -> Space {
    match variant.spelling().split('.').nth(1) {
        Some("shared") => Space::Shared,
        _ => Space::Global,
    }
}

/// Names of the elements of a register: `%b`, or `%b0`, `%b1` …
fn names(variant: &Variant, register: &Register) -> Vec<String> {
    match variant.lane_signature().words() {
        1 => vec![named(register)],
        words => (0..words).map(|number| format!("{}{number}", named(register))).collect(),
    }
}

/// The registers of [`before`], [`executed`] and [`after`].
pub fn declared(variant: &Variant) -> Body {
    let mut body = declarations(variant);
    let signature = variant.lane_signature();
    if signature.words() > 1 {
        for register in signature.results[1..].iter().chain(&signature.operands[1..]) {
            let ty = declared_as(&element(signature, register).ty);
            names(variant, register).iter().for_each(|name| body.declare(ty, [name.as_str()]));
        }
    }
    body.declare(B64, [WORD]);
    if space(variant) == Space::Shared {
        let bytes = variant.results()[0].ty.row_bytes() as u32;
        body.shared(WORDS.into(), THREADS_MAX * bytes, bytes);
        ["%slot", "%base"].iter().for_each(|name| body.declare(U32, [*name]));
    }
    body
}

/// Puts the first operand where the thread's word lies. In global memory that is the row of the first
/// result, whose generic address `at` leaves in `%at`.
pub fn before(body: &mut Body, variant: &Variant, at: impl Fn(&mut Body)) {
    let (result, operand) = (&variant.results()[0], &variant.operands()[0]);
    match space(variant) {
        Space::Shared => {
            body.mov(U32, "%slot", "%tid.x");
            body.mov(U32, "%base", WORDS);
            let bytes = Operand::from(result.ty.row_bytes() as u64);
            body.mad(Binary::MulLow, U32, "%slot", ["%slot".into(), bytes], "%base");
            body.cvt(U64, U32, WORD, "%slot");
        }
        _ => {
            at(body);
            let generic = !variant.spelling().contains(".global.");
            if generic {
                body.mov(U64, WORD, "%at");
            }
            body.to_global("%at");
            if !generic {
                body.mov(U64, WORD, "%at");
            }
        }
    }
    let at = if space(variant) == Space::Shared { WORD } else { "%at" };
    body.st(space(variant), moved(&operand.ty), at, 0, &named(operand));
}

/// Loads the second operand from `%at`, an element after the other.
pub fn load(body: &mut Body, variant: &Variant, operand: &Register) {
    let ty = moved(&element(variant.lane_signature(), operand).ty);
    for (number, name) in names(variant, operand).iter().enumerate() {
        body.ld(Space::Global, ty, name, "%at", (number * ty.bytes()) as u64);
    }
}

/// Fills the second operand with a constant.
pub fn fill(body: &mut Body, variant: &Variant, operand: &Register, bits: u64) {
    let ty = moved(&element(variant.lane_signature(), operand).ty);
    for (number, name) in names(variant, operand).iter().enumerate() {
        let element = bits >> (number as u32 * ty.width()) & u64::MAX >> (64 - ty.width());
        body.mov(Scalar::Bits(ty.width()), name.as_str(), hex(element));
    }
}

/// The variant itself.
pub fn executed(variant: &Variant) -> Instruction {
    let signature = variant.lane_signature();
    let registers = signature.results[1..].iter().chain(&signature.operands[1..]);
    let all: Vec<String> = registers.flat_map(|register| names(variant, register)).collect();
    let mut all = all.into_iter().chain([WORD.into()]);
    let name = |_: &Register| Operand::Register(all.next().expect("a name for each register"));
    instruction(variant.spelling(), signature, name)
}

/// Stores the results; `at` makes `%at` the address of the row of one.
pub fn after(body: &mut Body, variant: &Variant, at: impl Fn(&mut Body, &Register), offset: usize) {
    let (word, others) = variant.results().split_first().expect("a word in memory");
    if space(variant) == Space::Shared {
        let (ty, name) = (moved(&word.ty), named(word));
        body.ld(Space::Shared, ty, &name, WORD, 0);
        at(body, word);
        body.st_global(ty, "%at", offset as u64, &name);
    }
    for register in others {
        at(body, register);
        let ty = moved(&element(variant.lane_signature(), register).ty);
        for (number, name) in names(variant, register).iter().enumerate() {
            body.st_global(ty, "%at", (offset + number * ty.bytes()) as u64, name);
        }
    }
}

/// What a thread does with its row: loads the operands, executes the variant, stores the results.
pub fn row(body: &mut Body, variant: &Variant) {
    let [word, operand] = variant.operands() else { unreachable!("a word and an operand") };
    address(body, word);
    body.ld(Space::Global, moved(&word.ty), &named(word), "%at", 0);
    address(body, operand);
    load(body, variant, operand);
    before(body, variant, |body| generic_address(body, &variant.results()[0]));
    body.push(executed(variant));
    after(body, variant, address, 0);
}

/// What a kernel of constants does with one of its rows.
pub fn constants(body: &mut Body, variant: &Variant, row: usize, operands: &[u64]) {
    let ([word, operand], [before_bits, bits]) = (variant.operands(), operands) else {
        unreachable!("a word and an operand")
    };
    body.mov(Scalar::of(&word.ty), &named(word), hex(*before_bits));
    fill(body, variant, operand, *bits);
    let column = |body: &mut Body, result: &Register| {
        body.ld_param(U64, "%at", parameter(result));
        body.to_global("%at");
    };
    let bytes = word.ty.row_bytes();
    before(body, variant, |body| {
        body.ld_param(U64, "%at", parameter(&variant.results()[0]));
        body.add(U64, "%at", "%at", (row * bytes) as u64);
    });
    body.push(executed(variant));
    after(body, variant, column, row * bytes);
}

#[cfg(test)]
mod tests {
    use crate::kernel;

    fn holds(variant: &str, parts: &[&str]) {
        let text = kernel(&variant.parse().unwrap()).to_string();
        let places: Vec<usize> = parts
            .iter()
            .map(|part| text.find(part).unwrap_or_else(|| panic!("no {part} in {text}")))
            .collect();
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn a_word_of_global_memory_is_its_row_of_the_result() {
        holds(
            "atom.global.add.f32",
            &[
                "ld.param.u64 %at, [column_m];\n",
                "mov.u64 %word, %at;\nst.global.f32 [%at], %a;\natom.global.add.f32 %d, [%word], %b;\n",
                "st.global.f32 [%at], %d;\nDONE:\nret;\n",
            ],
        );
        holds(
            "atom.add.noftz.f16",
            &["mov.u64 %word, %at;\ncvta.to.global.u64 %at, %at;\nst.global.b16 [%at], %a;\n"],
        );
        holds(
            "red.global.add.f64",
            &["st.global.f64 [%at], %a;\nred.global.add.f64 [%word], %b;\nDONE:\nret;\n"],
        );
    }

    #[test]
    fn a_word_of_shared_memory_is_the_threads_own() {
        holds(
            "atom.shared.add.noftz.f16x2",
            &[
                ".shared .align 4 .b8 %words[4096];\n",
                "st.shared.b32 [%word], %a;\natom.shared.add.noftz.f16x2 %d, [%word], %b;\n",
                "ld.shared.b32 %m, [%word];\n",
                "st.global.b32 [%at], %m;\n",
                "st.global.b32 [%at], %d;\nDONE:\nret;\n",
            ],
        );
    }

    #[test]
    fn elements_of_vectors_are_registers() {
        holds(
            "atom.global.max.noftz.v2.bf16x2",
            &[
                "ld.global.b32 %b0, [%at];\nld.global.b32 %b1, [%at+4];\n",
                "st.global.b64 [%at], %a;\n",
                "atom.global.max.noftz.v2.bf16x2 {%d0, %d1}, [%word], {%b0, %b1};\n",
                "st.global.b32 [%at], %d0;\nst.global.b32 [%at+4], %d1;\n",
            ],
        );
        holds(
            "red.global.add.noftz.v4.f16",
            &["red.global.add.noftz.v4.f16 [%word], {%b0, %b1, %b2, %b3};\n"],
        );
    }
}
