//! What instructions do, as they are spelled: the ones around the instruction under test by their
//! parts, that itself by its text.

use std::fmt;

use super::names::{Binary, Relation, Unary};
use super::scalar::{B32, Scalar, U64};
use super::tile::Tile;

/// A mnemonic with its modifiers and types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    /// Of integers and predicates, from registers to one register.
    Integer(Integer),
    /// `ld.global.b32 d, [a];`, of the parameters `ld.param.u32 d, [name];`
    Load(Space, Scalar),
    /// `st.global.b32 [a], b;`
    Store(Space, Scalar),
    /// `red.global.add.u64 [a], b;`
    ReduceAdd(Space, Scalar),
    /// `wmma.load…` `{…}, [a], stride;` and `wmma.store…` `[a], {…}, stride;`, the stride in elements.
    Tile(Tile),
    /// `shfl.sync.bfly.b32 d, a, distance, clamp, members;`
    Shuffle,
    /// `bar.warp.sync 0xffffffff;`
    WarpBarrier,
    /// `bar.sync 0;`
    Barrier,
    /// `bra label;`
    Branch,
    /// `ret;`
    Return,
    /// Any other, such as the instruction under test: `fma.rn.f32`.
    Tested(Box<str>),
}

/// A state space (PTX ISA 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// `.param` of the entry
    Param,
    /// `.global`
    Global,
    /// `.shared` by the threads of a block
    Shared,
}

/// An instruction of integers (PTX ISA 9.7.1, 9.7.6, 9.7.8 and 9.7.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integer {
    /// `mov.b32 d, a;`; with two registers in braces on one side, which are the halves, `mov.b64`.
    Move(Scalar),
    /// `cvt.u64.u32 d, a;`: what it gives and what it takes
    Convert(Scalar, Scalar),
    /// `cvta.to.global.u64 d, a;`
    ConvertAddress(Space),
    /// `not.b32 d, a;`
    Unary(Unary, Scalar),
    /// `add.u32 d, a, b;`
    Binary(Binary, Scalar),
    /// `mad.lo.u32 d, a, b, c;`, by the product.
    MultiplyAdd(Binary, Scalar),
    /// `setp.eq.u32 p, a, b;`
    Compare(Relation, Scalar),
    /// `selp.b32 d, a, b, p;`
    Select(Scalar),
    /// `prmt.b32 d, a, b, selector;`
    Permute,
}

impl Opcode {
    /// Reads a mnemonic with all that follows it. What is none of the others may be under test.
    pub fn read(text: &str) -> Opcode {
        Opcode::known(text).unwrap_or_else(|| Opcode::Tested(text.into()))
    }

    fn known(text: &str) -> Option<Opcode> {
        match text {
            "bra" => return Some(Opcode::Branch),
            "ret" => return Some(Opcode::Return),
            "bar.warp.sync" => return Some(Opcode::WarpBarrier),
            "bar.sync" => return Some(Opcode::Barrier),
            "shfl.sync.bfly.b32" => return Some(Opcode::Shuffle),
            "cvta.to.global.u64" => return Some(Integer::ConvertAddress(Space::Global).into()),
            "prmt.b32" => return Some(Integer::Permute.into()),
            "mov.pred" => return Some(Integer::Move(Scalar::Predicate).into()),
            _ => {}
        }
        if let Some(tile) = Tile::read(text) {
            return Some(Opcode::Tile(tile));
        }
        let (front, ty) = text.rsplit_once('.')?;
        let ty = Scalar::read(ty).filter(|&ty| ty != Scalar::Predicate)?;
        Some(match front {
            "ld.param" => Opcode::Load(Space::Param, ty),
            "ld.global" => Opcode::Load(Space::Global, ty),
            "ld.shared" => Opcode::Load(Space::Shared, ty),
            "st.global" => Opcode::Store(Space::Global, ty),
            "st.shared" => Opcode::Store(Space::Shared, ty),
            "red.global.add" => Opcode::ReduceAdd(Space::Global, ty),
            _ => Integer::known(front, ty)?.into(),
        })
    }
}

impl Integer {
    /// The one that is spelled so before a type.
    fn known(front: &str, ty: Scalar) -> Option<Integer> {
        if let Some(to) = front.strip_prefix("cvt.") {
            let to = Scalar::read(to).filter(|&to| to != Scalar::Predicate)?;
            return Some(Integer::Convert(to, ty));
        }
        if let Some(relation) = front.strip_prefix("setp.") {
            return Some(Integer::Compare(Relation::read(relation)?, ty));
        }
        Some(match front {
            "mov" => Integer::Move(ty),
            "selp" => Integer::Select(ty),
            "mad.lo" => Integer::MultiplyAdd(Binary::MulLow, ty),
            "mad.wide" => Integer::MultiplyAdd(Binary::MulWide, ty),
            _ => match Unary::read(front) {
                Some(unary) => Integer::Unary(unary, ty),
                None => Integer::Binary(Binary::read(front)?, ty),
            },
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
            Opcode::Load(space, ty) => write!(f, "ld{space}{ty}"),
            Opcode::Store(space, ty) => write!(f, "st{space}{ty}"),
            Opcode::ReduceAdd(space, ty) => write!(f, "red{space}.add{ty}"),
            Opcode::Tile(tile) => tile.fmt(f),
            Opcode::WarpBarrier => f.write_str("bar.warp.sync"),
            Opcode::Barrier => f.write_str("bar.sync"),
            Opcode::Shuffle => write!(f, "shfl.sync.bfly{B32}"),
            Opcode::Branch => f.write_str("bra"),
            Opcode::Return => f.write_str("ret"),
            Opcode::Tested(spelling) => f.write_str(spelling),
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Param => ".param",
            Space::Global => ".global",
            Space::Shared => ".shared",
        })
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Move(ty) => write!(f, "mov{ty}"),
            Integer::Convert(to, from) => write!(f, "cvt{to}{from}"),
            Integer::ConvertAddress(space) => write!(f, "cvta.to{space}{U64}"),
            Integer::Unary(unary, ty) => write!(f, "{}{ty}", unary.text()),
            Integer::Binary(binary, ty) => write!(f, "{}{ty}", binary.text()),
            Integer::MultiplyAdd(Binary::MulWide, ty) => write!(f, "mad.wide{ty}"),
            Integer::MultiplyAdd(_, ty) => write!(f, "mad.lo{ty}"),
            Integer::Compare(relation, ty) => write!(f, "setp.{}{ty}", relation.text()),
            Integer::Select(ty) => write!(f, "selp{ty}"),
            Integer::Permute => write!(f, "prmt{B32}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use vectors::Variant;
    use vectors::matrix::MatrixVariant;

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
            "shr.s64",
        ] {
            let opcode = Opcode::read(text);
            assert!(!matches!(opcode, Opcode::Tested(_)), "{text}");
            assert_eq!(opcode.to_string(), text);
        }
        for text in ["mov..b32", "mov", "add.pred", "cvt.f32.u32", "ld.b32", "mul.b32.lo", "", "."] {
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
