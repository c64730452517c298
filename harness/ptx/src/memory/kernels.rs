//! The kernels of arithmetic on a word in memory.
//!
//! A thread has a word of its own, so that no other changes it: of global memory its row in the column of
//! the first result, where it stays; of shared memory one of as many as a block has threads. A word of 128 bits
//! is a row of 16 bytes of one column, though two registers stand for it.

use vectors::Variant;
use vectors::isa::Register;

use super::{WORD, element, instruction};
use crate::builder::Body;
use crate::kernel::{
    address_of_word, declarations, declared as declared_as, generic_address, moved, named, parameter,
    word_bytes, word_name,
};
use crate::syntax::{B64, Binary, Instruction, Operand, Scalar, Space, U32, U64, hex};

/// Threads of a block at most (PTX ISA, appendix of compute capabilities): each has a word of shared memory.
const THREADS_MAX: u32 = 1024;
/// The words that they have.
const WORDS: &str = "%words";

/// The state space of a variant's word, which its spelling names: where it names none, the address is
/// generic, and of global memory.
fn space(variant: &Variant) -> Space {
    match variant.spelling().split('.').nth(1) {
        Some("shared") => Space::Shared,
        _ => Space::Global,
    }
}

/// The registers of a variant's results, or of its operands, those that hold one word together.
fn words<'a>(variant: &Variant, registers: &'a [Register]) -> std::slice::Chunks<'a, Register> {
    registers.chunks(variant.lane_signature().parts)
}

/// Names of the elements of an operand or result: `%b`, or `%b0`, `%b1` …
fn names(variant: &Variant, parts: &[Register]) -> Vec<String> {
    match (variant.lane_signature().words(), parts) {
        (1, [one]) => vec![named(one)],
        (elements, _) => {
            let name = word_name(&parts[0]);
            (0..elements).map(|number| format!("%{name}{number}")).collect()
        }
    }
}

/// The registers of [`before`], [`executed`] and [`after`].
pub fn declared(variant: &Variant) -> Body {
    let signature = variant.lane_signature();
    let mut body = match signature.parts {
        1 => declarations(variant),
        // Elements have these names, and the word alone is moved whole.
        _ => {
            let mut body = Body::default();
            for register in &variant.operands()[..signature.parts] {
                body.declare(declared_as(&register.ty), [named(register)]);
            }
            body.declare(B64, ["%at"]);
            body
        }
    };
    if signature.words() > 1 {
        let results = words(variant, variant.results()).skip(1);
        for parts in results.chain(words(variant, variant.operands()).skip(1)) {
            let ty = declared_as(&element(signature, &parts[0]).ty);
            names(variant, parts).iter().for_each(|name| body.declare(ty, [name.as_str()]));
        }
    }
    body.declare(B64, [WORD]);
    if space(variant) == Space::Shared {
        let bytes = word_bytes(&variant.results()[..signature.parts]) as u32;
        body.shared(WORDS.into(), THREADS_MAX * bytes, bytes);
        ["%slot", "%base"].iter().for_each(|name| body.declare(U32, [*name]));
    }
    body
}

/// Puts the first operand where the thread's word lies. In global memory that is the row of the first
/// result, whose generic address `at` leaves in `%at`.
fn before(body: &mut Body, variant: &Variant, at: impl Fn(&mut Body)) {
    let parts = variant.lane_signature().parts;
    match space(variant) {
        Space::Shared => {
            body.mov(U32, "%slot", "%tid.x");
            body.mov(U32, "%base", WORDS);
            let bytes = Operand::from(word_bytes(&variant.results()[..parts]) as u64);
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
    for (number, part) in variant.operands()[..parts].iter().enumerate() {
        let offset = (number * part.ty.row_bytes()) as u64;
        body.st(space(variant), moved(&part.ty), at, offset, &named(part));
    }
}

/// Loads the second operand from `%at`, an element after the other.
fn load(body: &mut Body, variant: &Variant, operand: &[Register]) {
    let ty = moved(&element(variant.lane_signature(), &operand[0]).ty);
    for (number, name) in names(variant, operand).iter().enumerate() {
        body.ld(Space::Global, ty, name, "%at", (number * ty.bytes()) as u64);
    }
}

/// Fills the second operand with constants, one for each of its registers.
fn fill(body: &mut Body, variant: &Variant, operand: &[Register], bits: &[u64]) {
    let ty = moved(&element(variant.lane_signature(), &operand[0]).ty);
    let names = names(variant, operand);
    let of_each = names.len() / operand.len();
    for (number, name) in names.iter().enumerate() {
        let shift = (number % of_each) as u32 * ty.width();
        let element = bits[number / of_each] >> shift & u64::MAX >> (64 - ty.width());
        body.mov(Scalar::Bits(ty.width()), name.as_str(), hex(element));
    }
}

/// The variant itself.
fn executed(variant: &Variant) -> Instruction {
    let results = words(variant, variant.results()).skip(1);
    let all = results.chain(words(variant, variant.operands()).skip(1));
    let all: Vec<String> = all.flat_map(|parts| names(variant, parts)).collect();
    let mut all = all.into_iter().chain([WORD.into()]);
    let name = |_: &Register| Operand::Register(all.next().expect("a name for each register"));
    instruction(variant.spelling(), variant.lane_signature(), name)
}

/// Stores the results; `at` makes `%at` the address of the row of one.
fn after(body: &mut Body, variant: &Variant, at: impl Fn(&mut Body, &[Register]), row: usize) {
    let mut results = words(variant, variant.results());
    let word = results.next().expect("a word in memory");
    if let (Space::Shared, [word]) = (space(variant), word) {
        let (ty, name) = (moved(&word.ty), named(word));
        body.ld(Space::Shared, ty, &name, WORD, 0);
        at(body, std::slice::from_ref(word));
        body.st_global(ty, "%at", (row * word.ty.row_bytes()) as u64, &name);
    }
    for parts in results {
        at(body, parts);
        let ty = moved(&element(variant.lane_signature(), &parts[0]).ty);
        let offset = row * word_bytes(parts);
        for (number, name) in names(variant, parts).iter().enumerate() {
            body.st_global(ty, "%at", (offset + number * ty.bytes()) as u64, name);
        }
    }
}

/// What a thread does with its row: loads the operands, executes the variant, stores the results.
pub fn row(body: &mut Body, variant: &Variant) {
    let parts = variant.lane_signature().parts;
    let (word, operand) = variant.operands().split_at(parts);
    address_of_word(body, word);
    for (number, part) in word.iter().enumerate() {
        let offset = (number * part.ty.row_bytes()) as u64;
        body.ld(Space::Global, moved(&part.ty), &named(part), "%at", offset);
    }
    address_of_word(body, operand);
    load(body, variant, operand);
    before(body, variant, |body| generic_address(body, &variant.results()[..parts]));
    body.push(executed(variant));
    after(body, variant, address_of_word, 0);
}

/// What a kernel of constants does with one of its rows.
pub fn constants(body: &mut Body, variant: &Variant, row: usize, operands: &[u64]) {
    let parts = variant.lane_signature().parts;
    let (word, operand) = variant.operands().split_at(parts);
    for (part, &bits) in word.iter().zip(operands) {
        body.mov(Scalar::of(&part.ty), &named(part), hex(bits));
    }
    fill(body, variant, operand, &operands[parts..]);
    let column = |body: &mut Body, result: &[Register]| {
        body.ld_param(U64, "%at", parameter(&result[0]));
        body.to_global("%at");
    };
    before(body, variant, |body| {
        let word = &variant.results()[..parts];
        body.ld_param(U64, "%at", parameter(&word[0]));
        body.add(U64, "%at", "%at", (row * word_bytes(word)) as u64);
    });
    body.push(executed(variant));
    after(body, variant, column, row);
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
    fn a_word_of_128_bits_is_a_row_of_16_bytes() {
        holds(
            "atom.global.add.noftz.v8.bf16",
            &[
                ".param .u64 column_m,\n.param .u64 column_d,\n.param .u64 column_a,\n.param .u64 column_b,\n",
                "mul.wide.u32 %offset, %row, 16;\n",
                "ld.global.b64 %a0, [%at];\nld.global.b64 %a1, [%at+8];\n",
                "ld.global.b16 %b6, [%at+12];\nld.global.b16 %b7, [%at+14];\n",
                "st.global.b64 [%at], %a0;\nst.global.b64 [%at+8], %a1;\n",
                "atom.global.add.noftz.v8.bf16 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, [%word], {%b0, %b1, ",
                "st.global.b16 [%at], %d0;\nst.global.b16 [%at+2], %d1;\n",
            ],
        );
        holds(
            "red.add.v4.f32",
            &["ld.global.b32 %b3, [%at+12];\n", "red.add.v4.f32 [%word], {%b0, %b1, %b2, %b3};\n"],
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
