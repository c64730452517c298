//! Opcodes of instructions: those around the instruction under test are taken apart, the one under test is kept as
//! text.

use std::fmt;

use super::access::{Access, Space};
use super::integer::{Carry, Integer};
use super::names::{ShuffleMode, VoteMode};
use super::scalar::{B32, Scalar};
use super::tile::TileAccess;
use super::together::Together;

/// The spellings of a barrier of a block besides `bar.sync` (PTX ISA, `bar`).
const BARRIERS: [&str; 5] = [
    "bar.cta.sync",
    "barrier.sync",
    "barrier.sync.aligned",
    "barrier.cta.sync",
    "barrier.cta.sync.aligned",
];

/// A mnemonic with its modifiers and types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Opcode {
    /// An instruction of integers and predicates, from registers to one register.
    Integer(Integer),
    /// An instruction of integers with a carry.
    Carry(Carry),
    /// `ld.global.b32 d, [a];`, and for parameters `ld.param.u32 d, [name];`
    Load(Space, Scalar),
    /// `st.global.b32 [a], b;`
    Store(Space, Scalar),
    /// Any other load or store.
    Access(Access),
    /// `red.global.add.u64 [a], b;`
    ReduceAdd(Space, Scalar),
    /// `wmma.load…` `{…}, [a], stride;` and `wmma.store…` `[a], {…}, stride;`, with the stride in elements.
    Tile(TileAccess),
    /// `shfl.sync.bfly.b32 d, a, distance, clamp, members;`
    Shuffle(ShuffleMode),
    /// `vote.sync.any.pred p, q, members;`, or `vote.sync.ballot.b32 d, q, members;`
    Vote(VoteMode),
    /// `activemask.b32 d;`
    ActiveMask,
    /// `bar.warp.sync 0xffffffff;`
    WarpBarrier,
    /// `bar.sync 0;`
    Barrier,
    /// Another spelling of a barrier of a block: `barrier.sync 0;`
    BarrierSpelled(&'static str),
    /// An instruction of threads that work together and that has no variant of its own here: `bar.arrive 1, 64;`
    Together(Together),
    /// `fence.proxy.async;`
    ProxyFence,
    /// `cp.async.bulk.commit_group;`
    BulkCommit,
    /// `cp.async.bulk.wait_group 0;`
    BulkWait,
    /// `bra label;`
    Branch,
    /// `bra.uni label;`
    BranchUniform,
    /// `brx.idx index, table;`
    BranchIndexed,
    /// `call (retval0), name, (param0);`
    Call,
    /// `call.uni (retval0), name, (param0);`
    CallUniform,
    /// `ret;`
    Return,
    /// `exit;`
    Exit,
    /// `trap;`
    Trap,
    /// Any other instruction, such as the one under test: `fma.rn.f32`.
    Tested(Box<str>),
}

impl Opcode {
    /// Reads a mnemonic with its modifiers and types. Any text that is none of the other opcodes becomes
    /// [`Opcode::Tested`].
    pub fn read(text: &str) -> Opcode {
        Opcode::known(text).unwrap_or_else(|| Opcode::Tested(text.into()))
    }

    fn known(text: &str) -> Option<Opcode> {
        match text {
            "bra" => return Some(Opcode::Branch),
            "bra.uni" => return Some(Opcode::BranchUniform),
            "brx.idx" => return Some(Opcode::BranchIndexed),
            "call" => return Some(Opcode::Call),
            "call.uni" => return Some(Opcode::CallUniform),
            "ret" => return Some(Opcode::Return),
            "exit" => return Some(Opcode::Exit),
            "trap" => return Some(Opcode::Trap),
            "bar.warp.sync" => return Some(Opcode::WarpBarrier),
            "bar.sync" => return Some(Opcode::Barrier),
            "fence.proxy.async" => return Some(Opcode::ProxyFence),
            "cp.async.bulk.commit_group" => return Some(Opcode::BulkCommit),
            "cp.async.bulk.wait_group" => return Some(Opcode::BulkWait),
            "activemask.b32" => return Some(Opcode::ActiveMask),
            "vote.sync.ballot.b32" => return Some(Opcode::Vote(VoteMode::Ballot)),
            _ => {}
        }
        if let Some(barrier) = BARRIERS.iter().find(|spelling| **spelling == text) {
            return Some(Opcode::BarrierSpelled(barrier));
        }
        if let Some(mode) = text.strip_prefix("shfl.sync.").and_then(|rest| rest.strip_suffix(".b32")) {
            return ShuffleMode::read(mode).map(Opcode::Shuffle);
        }
        if let Some(mode) = text.strip_prefix("vote.sync.").and_then(|rest| rest.strip_suffix(".pred")) {
            return VoteMode::read(mode).filter(|mode| *mode != VoteMode::Ballot).map(Opcode::Vote);
        }
        if let Some(integer) = Integer::read(text) {
            return Some(integer.into());
        }
        if let Some(carry) = Carry::read(text) {
            return Some(Opcode::Carry(carry));
        }
        if let Some(tile) = TileAccess::read(text) {
            return Some(Opcode::Tile(tile));
        }
        if let Some(reduces) = text.strip_prefix("red.global.add.").and_then(Scalar::read)
            && reduces.is_integral()
        {
            return Some(Opcode::ReduceAdd(Space::Global, reduces));
        }
        if let Some(together) = Together::read(text) {
            return Some(Opcode::Together(together));
        }
        let (front, ty) = text.rsplit_once('.')?;
        let ty = Scalar::read_any(ty).filter(|&ty| ty != Scalar::Predicate)?;
        Some(match front {
            "ld.param" => Opcode::Load(Space::Param, ty),
            "ld.global" => Opcode::Load(Space::Global, ty),
            "ld.shared" => Opcode::Load(Space::Shared, ty),
            "st.param" => Opcode::Store(Space::Param, ty),
            "st.global" => Opcode::Store(Space::Global, ty),
            "st.shared" => Opcode::Store(Space::Shared, ty),
            // All other loads and stores keep their modifiers as text, which is printed again.
            _ => Opcode::Access(Access::read(text)?),
        })
    }
}

impl From<Integer> for Opcode {
    fn from(integer: Integer) -> Opcode {
        Opcode::Integer(integer)
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opcode::Integer(integer) => integer.fmt(f),
            Opcode::Carry(carry) => carry.fmt(f),
            Opcode::Access(access) => access.fmt(f),
            Opcode::Load(space, ty) => write!(f, "ld{space}{ty}"),
            Opcode::Store(space, ty) => write!(f, "st{space}{ty}"),
            Opcode::ReduceAdd(space, ty) => write!(f, "red{space}.add{ty}"),
            Opcode::Tile(tile) => tile.fmt(f),
            Opcode::Together(together) => together.fmt(f),
            Opcode::WarpBarrier => f.write_str("bar.warp.sync"),
            Opcode::Barrier => f.write_str("bar.sync"),
            Opcode::ProxyFence => f.write_str("fence.proxy.async"),
            Opcode::BulkCommit => f.write_str("cp.async.bulk.commit_group"),
            Opcode::BulkWait => f.write_str("cp.async.bulk.wait_group"),
            Opcode::BarrierSpelled(spelling) => f.write_str(spelling),
            Opcode::Shuffle(mode) => write!(f, "shfl.sync.{}{B32}", mode.text()),
            Opcode::Vote(VoteMode::Ballot) => write!(f, "vote.sync.ballot{B32}"),
            Opcode::Vote(mode) => write!(f, "vote.sync.{}.pred", mode.text()),
            Opcode::ActiveMask => write!(f, "activemask{B32}"),
            Opcode::Branch => f.write_str("bra"),
            Opcode::BranchUniform => f.write_str("bra.uni"),
            Opcode::BranchIndexed => f.write_str("brx.idx"),
            Opcode::Call => f.write_str("call"),
            Opcode::CallUniform => f.write_str("call.uni"),
            Opcode::Return => f.write_str("ret"),
            Opcode::Exit => f.write_str("exit"),
            Opcode::Trap => f.write_str("trap"),
            Opcode::Tested(spelling) => f.write_str(spelling),
        }
    }
}

#[cfg(test)]
mod tests {
    use isa::Variant;
    use isa::matrix::MatrixVariant;

    use super::*;

    #[test]
    fn an_opcode_is_read_from_what_it_prints() {
        for text in [
            "ret",
            "bra",
            "mov.pred",
            "mov.b16",
            "cvt.u8.u16",
            "cvta.to.global.u64",
            "ld.param.u32",
            "ld.global.b8",
            "st.global.u8",
            "ld.shared.b64",
            "st.shared.b16",
            "bar.sync",
            "bar.warp.sync",
            "fence.proxy.async",
            "cp.async.bulk.commit_group",
            "cp.async.bulk.wait_group",
            "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
            "red.global.add.u64",
            "clz.b64",
            "abs.s32",
            "mul.wide.u32",
            "mad.lo.u32",
            "mad.wide.u32",
            "setp.ge.u32",
            "selp.u16",
            "prmt.b32",
            "shfl.sync.bfly.b32",
            "shfl.sync.idx.b32",
            "vote.sync.uni.pred",
            "vote.sync.ballot.b32",
            "activemask.b32",
            "barrier.sync",
            "barrier.cta.sync.aligned",
            "shr.s64",
            "neg.s16",
            "bfind.shiftamt.u64",
            "mad.hi.s32",
            "add.sat.s32",
            "setp.lo.xor.u16",
            "set.lt.u32.s32",
            "slct.f64.s32",
            "cvt.sat.s8.u64",
            "cvta.local.u64",
            "shf.r.clamp.b32",
            "bfi.b64",
            "lop3.b32",
            "xor.pred",
            "mov.f64",
            "selp.bf16",
            "subc.cc.s64",
            "madc.hi.u32",
            "mad.lo.cc.u32",
            "ld.local.v2.f32",
            "st.param.f64",
            "ld.b32",
            "call.uni",
            "brx.idx",
            "trap",
            "bar.arrive",
            "atom.shared.add.u32",
            "cp.async.wait_all",
        ] {
            let opcode = Opcode::read(text);
            assert!(!matches!(opcode, Opcode::Tested(_)), "{text}");
            assert_eq!(opcode.to_string(), text);
        }
        for text in ["mov..b32", "mov", "add.pred", "cvt.f32.u32", "mul.b32.lo", "add.cc.u16", "", "."] {
            assert_eq!(Opcode::read(text), Opcode::Tested(text.into()));
        }
    }

    #[test]
    fn no_variant_is_taken_for_an_instruction_of_integers() {
        for variant in Variant::all() {
            assert_eq!(Opcode::read(variant.spelling()), Opcode::Tested(variant.spelling().into()));
        }
        for variant in MatrixVariant::all() {
            assert_eq!(Opcode::read(variant.spelling()), Opcode::Tested(variant.spelling().into()));
        }
    }
}
