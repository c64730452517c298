//! Kernels of arithmetic on a word in memory, where each thread has a word of its own.
//!
//! No other thread changes a thread's word. In global memory the word is the thread's row in the column of the first
//! result, where it stays; in shared memory it is one of as many words as a block has threads. A word of 128 bits is
//! a row of 16 bytes of one column, though two registers stand for it. Where the other operand is a word of shared
//! memory, each thread has one of those as well, and waits until its operation is complete.

use isa::{Register, Site, Variant};

use crate::builder::Body;
use crate::instruction::instruction;
use crate::instruction::memory::{OTHER, WORD, element};
use crate::row::{
    address_of_word, declarations, declared as declared_as, generic_address, moved, named, parameter,
    word_bytes, word_name,
};
use crate::syntax::{B64, Binary, Instruction, Opcode, Operand, Scalar, Space, U32, U64, hex};

/// The most threads of a block (PTX ISA, appendix of compute capabilities): each has a word of shared memory.
const THREADS_MAX: u32 = 1024;
/// The name of the variable with the words of a block's threads in shared memory.
const WORDS: &str = "%words";

/// Returns the state space of a variant's word, which its spelling names. Where it names none, the address is
/// generic, and of global memory.
pub(super) fn space(variant: &Variant) -> Space {
    match variant.spelling().split('.').nth(1) {
        Some("shared") => Space::Shared,
        // `cp.reduce.async.bulk` has another word in this place, and its word lies in global memory.
        _ => Space::Global,
    }
}

/// Returns a variant's registers of results or operands in groups that hold one word together.
fn words<'a>(variant: &Variant, registers: &'a [Register]) -> std::slice::Chunks<'a, Register> {
    registers.chunks(variant.lane_signature().parts)
}

/// Returns the names of the elements of an operand or result: `%b`, or `%b0`, `%b1` …
fn names(variant: &Variant, parts: &[Register]) -> Vec<String> {
    match (variant.lane_signature().words(), parts) {
        (1, [one]) => vec![named(one)],
        (elements, _) => {
            let name = word_name(&parts[0]);
            (0..elements).map(|number| format!("%{name}{number}")).collect()
        }
    }
}

/// Declares the registers that [`place_first_operand`], [`executed`] and [`store_results`] use.
pub fn declared(variant: &Variant) -> Body {
    let signature = variant.lane_signature();
    let mut body = match signature.parts {
        1 => declarations(variant),
        // Elements have the names of registers, so that only those of a word that is moved whole are declared here.
        _ => {
            let mut body = Body::default();
            let whole = if signature.site == Site::Bulk {
                variant.operands()
            } else {
                &variant.operands()[..signature.parts]
            };
            for register in whole {
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
    if signature.site == Site::Bulk {
        body.declare(B64, [OTHER]);
    }
    if space(variant) == Space::Shared || signature.site == Site::Bulk {
        let bytes = word_bytes(&variant.results()[..signature.parts]) as u32;
        body.shared(WORDS.into(), THREADS_MAX * bytes, bytes);
        ["%slot", "%base"].iter().for_each(|name| body.declare(U32, [*name]));
    }
    body
}

/// Puts the first operand where the thread's word lies. In global memory that is the row of the first result; `at`
/// writes code that leaves its generic address in `%at`.
fn place_first_operand(body: &mut Body, variant: &Variant, at: impl Fn(&mut Body)) {
    let parts = variant.lane_signature().parts;
    match space(variant) {
        Space::Shared => own_slot(body, variant, WORD),
        _ => in_global(body, variant, at),
    }
    let at = if space(variant) == Space::Shared { WORD } else { "%at" };
    store(body, space(variant), &variant.operands()[..parts], at);
}

/// Sets `%word` to the address of a word of global memory, generic or not as the variant takes it, and `%at` to the
/// address for a store. `at` writes code that leaves the generic address in `%at`.
pub(super) fn in_global(body: &mut Body, variant: &Variant, at: impl Fn(&mut Body)) {
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

/// Sets `into` to the address of the thread's own word of shared memory.
fn own_slot(body: &mut Body, variant: &Variant, into: &str) {
    body.mov(U32, "%slot", "%tid.x");
    slot(body, variant, into);
}

/// Sets `into` to the address of the word of shared memory whose number is in `%slot`.
pub(super) fn slot(body: &mut Body, variant: &Variant, into: &str) {
    let word = &variant.results()[..variant.lane_signature().parts];
    body.mov(U32, "%base", WORDS);
    body.mad(
        Binary::MulLow,
        U32,
        "%slot",
        ["%slot".into(), Operand::from(word_bytes(word) as u64)],
        "%base",
    );
    // Addresses of shared memory are computed in 32 bits, and a register for an address has 64.
    body.cvt(U64, U32, into, "%slot");
}

/// Stores a word, one register after the other.
fn store(body: &mut Body, space: Space, word: &[Register], at: &str) {
    for (number, part) in word.iter().enumerate() {
        body.st(space, moved(&part.ty), at, (number * part.ty.row_bytes()) as u64, &named(part));
    }
}

/// Loads a word from `%at` in global memory, one register after the other.
fn load_whole(body: &mut Body, word: &[Register]) {
    for (number, part) in word.iter().enumerate() {
        let offset = (number * part.ty.row_bytes()) as u64;
        body.ld(Space::Global, moved(&part.ty), &named(part), "%at", offset);
    }
}

/// Executes the variant, and waits for it where it does not wait by itself.
fn execute(body: &mut Body, variant: &Variant) {
    let signature = variant.lane_signature();
    if signature.site != Site::Bulk {
        return body.push(executed(variant));
    }
    own_slot(body, variant, OTHER);
    store(body, Space::Shared, &variant.operands()[signature.parts..], OTHER);
    // The asynchronous proxy, which is no thread, is to see what was stored.
    body.op(Opcode::ProxyFence, []);
    body.push(executed(variant));
    body.op(Opcode::BulkCommit, []);
    // 0 is the number of groups that may still be under way.
    body.op(Opcode::BulkWait, [0.into()]);
}

/// Loads the second operand from `%at`, one element after the other.
fn load(body: &mut Body, variant: &Variant, operand: &[Register]) {
    if variant.site() == Site::Bulk {
        return load_whole(body, operand);
    }
    let ty = moved(&element(variant.lane_signature(), &operand[0]).ty);
    for (number, name) in names(variant, operand).iter().enumerate() {
        body.ld(Space::Global, ty, name, "%at", (number * ty.bytes()) as u64);
    }
}

/// Fills the second operand with constants, one for each of its registers.
fn fill(body: &mut Body, variant: &Variant, operand: &[Register], bits: &[u64]) {
    if variant.site() == Site::Bulk {
        return fill_whole(body, operand, bits);
    }
    let ty = moved(&element(variant.lane_signature(), &operand[0]).ty);
    let names = names(variant, operand);
    let of_each = names.len() / operand.len();
    for (number, name) in names.iter().enumerate() {
        // A register of the signature holds several elements, the first in its lowest bits.
        let shift = (number % of_each) as u32 * ty.width();
        let element = bits[number / of_each] >> shift & u64::MAX >> (64 - ty.width());
        body.mov(Scalar::Bits(ty.width()), name.as_str(), hex(element));
    }
}

/// Fills the registers of a word with constants.
fn fill_whole(body: &mut Body, word: &[Register], bits: &[u64]) {
    for (part, &bits) in word.iter().zip(bits) {
        body.mov(Scalar::of(&part.ty), &named(part), hex(bits));
    }
}

/// Returns the instruction of the variant itself, with the names of its elements.
fn executed(variant: &Variant) -> Instruction {
    // The first word is in memory, and no register of the instruction.
    let results = words(variant, variant.results()).skip(1);
    let all = results.chain(words(variant, variant.operands()).skip(1));
    let all: Vec<String> = all.flat_map(|parts| names(variant, parts)).collect();
    let mut all = all.into_iter();
    let name = |register: &Register| match register.name {
        WORD | OTHER => Operand::Register(register.name.into()),
        _ => Operand::Register(all.next().expect("a name for each register")),
    };
    instruction(variant.spelling(), variant.lane_signature(), name)
}

/// Stores the results; `at` writes code that sets `%at` to the address of a result's row.
fn store_results(body: &mut Body, variant: &Variant, at: impl Fn(&mut Body, &[Register]), row: usize) {
    let mut results = words(variant, variant.results());
    let word = results.next().expect("a word in memory");
    // In global memory the word is in its result's row already. Words in two registers lie nowhere else.
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

/// Writes the code for a thread's row: loads the operands, executes the variant, stores the results.
pub fn row(body: &mut Body, variant: &Variant) {
    let parts = variant.lane_signature().parts;
    let (word, operand) = variant.operands().split_at(parts);
    address_of_word(body, word);
    load_whole(body, word);
    address_of_word(body, operand);
    load(body, variant, operand);
    place_first_operand(body, variant, |body| generic_address(body, &variant.results()[..parts]));
    execute(body, variant);
    store_results(body, variant, address_of_word, 0);
}

/// Writes the code for one row of a kernel of constants: fills the operands, executes the variant, stores the
/// results.
pub fn constants(body: &mut Body, variant: &Variant, row: usize, operands: &[u64]) {
    let parts = variant.lane_signature().parts;
    let (word, operand) = variant.operands().split_at(parts);
    fill_whole(body, word, operands);
    fill(body, variant, operand, &operands[parts..]);
    let column = |body: &mut Body, result: &[Register]| {
        body.ld_param(U64, "%at", parameter(&result[0]));
        body.to_global("%at");
    };
    place_first_operand(body, variant, |body| {
        let word = &variant.results()[..parts];
        body.ld_param(U64, "%at", parameter(&word[0]));
        body.add(U64, "%at", "%at", (row * word_bytes(word)) as u64);
    });
    execute(body, variant);
    store_results(body, variant, column, row);
}
