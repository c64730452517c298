//! The kernel of `redux.sync`, which is arithmetic on data of a warp's threads.
//!
//! A row's operands lie in three threads of a warp or more, and each thread has a row of its own to store. So a warp
//! goes through the rows of its threads in rounds. In round *n* the thread *n* has the first operand, the next thread
//! the second, and all others the third; thread *n* stores the result that it got. So in the course of a warp's rows
//! every thread is once the only one to have an operand, and once the one whose result is looked at.

use isa::{Register, Variant};

use crate::builder::Body;
use crate::instruction::instruction;
use crate::row::{address, moved, named};
use crate::syntax::{B32, Binary, MEMBERS, Operand, PRED, Relation, S32, Scalar, Space, U32, hex};

/// Number of threads of a warp. Only whole warps may be started where threads add up what they have found, or execute
/// an instruction together.
pub const WARP: u32 = 32;
/// The label where the next round begins.
const NEXT: &str = "NEXT";

/// Declares the registers of the kernel, but for those of rows.
pub fn declare(body: &mut Body) {
    declare_rounds(body, B32);
    body.declare(PRED, ["%is_second"]);
}

/// Declares the registers of [`rounds`], and `%own` of type `own` for a thread's own operand.
pub fn declare_rounds(body: &mut Body, own: Scalar) {
    ["%first", "%lane", "%round", "%apart"].iter().for_each(|name| body.declare(U32, [*name]));
    body.declare(own, ["%own"]);
    body.declare(PRED, ["%is_first"]);
}

/// Writes the code by which a warp goes through the rows of its threads; threads without a row go to the label
/// `done`.
pub fn reduce(body: &mut Body, variant: &Variant, done: &str) {
    let [a, b, c] = variant.operands() else { unreachable!("three threads' operands") };
    let [d] = variant.results() else { unreachable!("one result") };
    rounds(body, variant, done, |body| {
        body.setp(Relation::Equal, U32, "%is_second", "%apart", 1);
        body.selp(B32, "%own", named(b).as_str(), named(c).as_str(), "%is_second");
        body.selp(B32, "%own", named(a).as_str(), "%own", "%is_first");
        let mut names = [named(d), "%own".to_owned()].into_iter();
        let name = |_: &Register| Operand::Register(names.next().expect("a result and an operand"));
        body.push(instruction(variant.spelling(), variant.lane_signature(), name));
        address(body, d);
        body.st_where("%is_first", Space::Global, moved(&d.ty), "%at", &named(d));
    });
}

/// Repeats the code of `each` for each row of a warp's threads; `%row` must be each thread's own row. For each row
/// its operands are loaded, `%apart` says how many threads behind the row's own thread each thread is, and
/// `%is_first` marks the row's own. A block has whole warps, so that rows end for all threads of a warp at once.
pub fn rounds(body: &mut Body, variant: &Variant, done: &str, each: impl FnOnce(&mut Body)) {
    // A block has whole warps, so the warp's first row is this one without its five low bits.
    body.and(B32, "%first", "%row", hex(MEMBERS - u64::from(WARP - 1)));
    body.mov(U32, "%lane", "%laneid");
    body.mov(U32, "%round", 0);
    body.label(NEXT);
    body.add(S32, "%row", "%first", "%round");
    body.setp(Relation::GreaterOrEqual, U32, "%beyond", "%row", "%rows");
    body.bra_where("%beyond", done);
    for operand in variant.operands() {
        address(body, operand);
        body.ld(Space::Global, moved(&operand.ty), &named(operand), "%at", 0);
    }
    body.binary(Binary::Sub, U32, "%apart", "%lane", "%round");
    // Modulo 32: the thread behind the last one of the warp is the first.
    body.and(B32, "%apart", "%apart", hex(u64::from(WARP - 1)));
    body.setp(Relation::Equal, U32, "%is_first", "%apart", 0);
    each(body);
    body.add(S32, "%round", "%round", 1);
    body.setp(Relation::NotEqual, U32, "%beyond", "%round", u64::from(WARP));
    body.bra_where("%beyond", NEXT);
}

#[cfg(test)]
mod tests {
    use crate::kernel::kernel;

    #[test]
    fn a_warp_goes_through_the_rows_of_its_threads() {
        let text = kernel(&"redux.sync.min.abs.NaN.f32".parse().unwrap()).to_string();
        let parts = [
            "and.b32 %first, %row, 0xffffffe0;\n",
            "NEXT:\nadd.s32 %row, %first, %round;\nsetp.ge.u32 %beyond, %row, %rows;\n@%beyond bra DONE;\n",
            "ld.param.u64 %at, [column_c];\n",
            "selp.b32 %own, %b, %c, %is_second;\nselp.b32 %own, %a, %own, %is_first;\n",
            "redux.sync.min.abs.NaN.f32 %d, %own, 0xffffffff;\n",
            "@%is_first st.global.f32 [%at+0], %d;\n",
            "setp.ne.u32 %beyond, %round, 32;\n@%beyond bra NEXT;\nDONE:\nret;\n",
        ];
        let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in {text}"));
        assert!(parts.map(place).is_sorted(), "{text}");
    }
}
