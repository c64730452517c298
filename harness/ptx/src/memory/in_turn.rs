//! The kernel that shows what the operations of two threads leave in one word of memory.
//!
//! A warp goes through the rows of its threads in rounds, as in the kernel of `redux.sync`. In round *n* the thread
//! *n* puts the word where it lies, in global memory the row of the result; then it and the next thread execute the
//! one instruction, each with its own operand. So every two neighbours among a warp's threads meet.

use isa::{Register, Variant};

use super::kernels::{in_global, slot, space};
use crate::builder::Body;
use crate::instruction::instruction;
use crate::instruction::memory::WORD;
use crate::row::{address, declared, generic_address, moved, named};
use crate::syntax::{B32, MEMBERS, Operand, PRED, Relation, Scalar, Space, U32, hex};
use crate::warp::{WARP, declare_rounds, rounds};

/// Declares the registers of the kernel, but for those of rows and of the word.
pub fn declare(body: &mut Body, variant: &Variant) {
    declare_rounds(body, declared(&variant.operands()[1].ty));
    body.declare(PRED, ["%is_one"]);
}

/// Writes the code by which a warp goes through the rows of its threads; threads without a row go to the label
/// `done`.
pub fn in_turn(body: &mut Body, variant: &Variant, done: &str) {
    let [a, b, c] = variant.operands() else { unreachable!("a word and two threads' operands") };
    let [m] = variant.results() else { unreachable!("the word afterwards") };
    let shared = space(variant) == Space::Shared;
    if shared {
        // A warp uses one word at a time, which is the word of its first thread.
        body.and(B32, "%slot", "%thread", hex(MEMBERS - u64::from(WARP - 1)));
        slot(body, variant, WORD);
    }
    rounds(body, variant, done, |body| {
        // The row's own thread and the next one execute the instruction.
        body.setp(Relation::LessOrEqual, U32, "%is_one", "%apart", 1);
        let bits = Scalar::Bits(b.ty.width());
        body.selp(bits, "%own", named(b).as_str(), named(c).as_str(), "%is_first");
        if !shared {
            in_global(body, variant, |body| generic_address(body, std::slice::from_ref(m)));
        }
        let at = if shared { WORD } else { "%at" };
        body.st_where("%is_first", space(variant), moved(&a.ty), at, &named(a));
        // The other thread has to find the word that was put there.
        body.warp_barrier();
        let mut names = ["%own", WORD].into_iter();
        let name = |_: &Register| Operand::from(names.next().expect("an operand and an address"));
        body.push_where("%is_one", instruction(variant.spelling(), variant.lane_signature(), name));
        // Both operations are over before the word is read.
        body.warp_barrier();
        // In global memory the word lies in the row of its result already.
        if shared {
            body.ld(Space::Shared, moved(&m.ty), &named(m), WORD, 0);
            address(body, m);
            body.st_where("%is_first", Space::Global, moved(&m.ty), "%at", &named(m));
            // The next round's word is stored only when this one has been read.
            body.warp_barrier();
        }
    });
}
