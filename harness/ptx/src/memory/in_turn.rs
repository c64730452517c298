//! The kernel of what two threads leave in one word.
//!
//! A warp goes through the rows of its threads in rounds, as that of `redux.sync` does. In round *n* the thread *n*
//! puts the word where it lies, in global memory the row of the result; then it and the next one execute the one
//! instruction, each with its own operand. So whichever of a warp's threads two neighbours are, they meet.

use vectors::Variant;
use vectors::isa::Register;

use super::kernels::{WORDS, space};
use super::{WORD, instruction};
use crate::builder::Body;
use crate::kernel::{address, declared, generic_address, moved, named};
use crate::screen::WARP;
use crate::syntax::{B32, Binary, Opcode, Operand, PRED, Relation, S32, Scalar, Space, U32, U64, hex};
use crate::warp::MEMBERS;

/// Where the next round begins.
const NEXT: &str = "NEXT";

/// The registers of [`rounds`], but for those of rows and of the word.
pub fn declare(body: &mut Body, variant: &Variant) {
    ["%first", "%lane", "%round", "%apart"].iter().for_each(|name| body.declare(U32, [*name]));
    body.declare(declared(&variant.operands()[1].ty), ["%own"]);
    ["%is_first", "%is_one"].iter().for_each(|name| body.declare(PRED, [*name]));
}

/// What a warp does with the rows of its threads, if `%row` is each thread's. A block has whole warps, so
/// that rows end for all threads of a warp at once.
pub fn rounds(body: &mut Body, variant: &Variant, done: &str) {
    let [a, b, c] = variant.operands() else { unreachable!("a word and two threads' operands") };
    let [m] = variant.results() else { unreachable!("the word afterwards") };
    let rest = hex(MEMBERS - u64::from(WARP - 1));
    body.and(B32, "%first", "%row", rest);
    body.mov(U32, "%lane", "%laneid");
    if space(variant) == Space::Shared {
        // A warp has one word at a time, that of its first thread.
        let bytes = Operand::from(m.ty.row_bytes() as u64);
        body.and(B32, "%slot", "%thread", rest);
        body.mov(U32, "%base", WORDS);
        body.mad(Binary::MulLow, U32, "%slot", ["%slot".into(), bytes], "%base");
        body.cvt(U64, U32, WORD, "%slot");
    }
    body.mov(U32, "%round", 0);
    body.label(NEXT);
    body.add(S32, "%row", "%first", "%round");
    body.setp(Relation::GreaterOrEqual, U32, "%beyond", "%row", "%rows");
    body.bra_where("%beyond", done);
    for operand in [a, b, c] {
        address(body, operand);
        body.ld(Space::Global, moved(&operand.ty), &named(operand), "%at", 0);
    }
    body.binary(Binary::Sub, U32, "%apart", "%lane", "%round");
    body.and(B32, "%apart", "%apart", hex(u64::from(WARP - 1)));
    body.setp(Relation::Equal, U32, "%is_first", "%apart", 0);
    body.setp(Relation::LessOrEqual, U32, "%is_one", "%apart", 1);
    let bits = Scalar::Bits(b.ty.width());
    body.selp(bits, "%own", named(b).as_str(), named(c).as_str(), "%is_first");
    let at = before(body, variant, m);
    body.st_where("%is_first", space(variant), moved(&a.ty), at, &named(a));
    together(body);
    let mut names = ["%own", WORD].into_iter();
    let name = |_: &Register| Operand::from(names.next().expect("an operand and an address"));
    body.push_where("%is_one", instruction(variant.spelling(), variant.lane_signature(), name));
    together(body);
    if space(variant) == Space::Shared {
        body.ld(Space::Shared, moved(&m.ty), &named(m), WORD, 0);
        address(body, m);
        body.st_where("%is_first", Space::Global, moved(&m.ty), "%at", &named(m));
        // The next round's word comes when this one has been read.
        together(body);
    }
    body.add(S32, "%round", "%round", 1);
    body.setp(Relation::NotEqual, U32, "%beyond", "%round", u64::from(WARP));
    body.bra_where("%beyond", NEXT);
}

/// Where the word lies, for a store: `%word` has its address, which may be generic.
fn before(body: &mut Body, variant: &Variant, m: &Register) -> &'static str {
    if space(variant) == Space::Shared {
        return WORD;
    }
    generic_address(body, std::slice::from_ref(m));
    if !variant.spelling().contains(".global.") {
        body.mov(U64, WORD, "%at");
        body.to_global("%at");
        return "%at";
    }
    body.to_global("%at");
    body.mov(U64, WORD, "%at");
    "%at"
}

/// What one thread of the warp has written, the others see.
fn together(body: &mut Body) {
    body.op(Opcode::WarpBarrier, [hex(MEMBERS).into()]);
}

#[cfg(test)]
mod tests {
    use crate::kernel;

    fn holds(variant: &str, parts: &[&str]) {
        let text = kernel(&variant.parse().unwrap()).to_string();
        let place = |part: &&str| text.find(*part).unwrap_or_else(|| panic!("no {part} in {text}"));
        assert!(parts.iter().map(place).is_sorted(), "{text}");
    }

    #[test]
    fn two_threads_of_a_warp_meet_at_one_word() {
        holds(
            "red.global.add.f32(b,c)",
            &[
                "and.b32 %first, %row, 0xffffffe0;\n",
                "NEXT:\nadd.s32 %row, %first, %round;\n",
                "setp.le.u32 %is_one, %apart, 1;\nselp.b32 %own, %b, %c, %is_first;\n",
                "@%is_first st.global.f32 [%at+0], %a;\nbar.warp.sync 0xffffffff;\n",
                "@%is_one red.global.add.f32 [%word], %own;\nbar.warp.sync 0xffffffff;\nadd.s32 %round",
                "setp.ne.u32 %beyond, %round, 32;\n@%beyond bra NEXT;\nDONE:\nret;\n",
            ],
        );
    }

    #[test]
    fn in_shared_memory_a_warp_has_one_word_at_a_time() {
        holds(
            "red.shared.add.noftz.bf16x2(b,c)",
            &[
                ".shared .align 4 .b8 %words[4096];\n",
                "and.b32 %slot, %thread, 0xffffffe0;\n",
                "@%is_first st.shared.b32 [%word+0], %a;\n",
                "@%is_one red.shared.add.noftz.bf16x2 [%word], %own;\nbar.warp.sync 0xffffffff;\n",
                "ld.shared.b32 %m, [%word];\n",
                "@%is_first st.global.b32 [%at+0], %m;\nbar.warp.sync 0xffffffff;\nadd.s32 %round",
            ],
        );
    }
}
