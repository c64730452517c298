//! Reads and prints instructions of integers, bits and predicates, as the syntax tree holds them.

use std::fmt;

use super::access::Space;
use super::names::{Binary, Carried, Logic, Relation, Unary};
use super::scalar::{B32, Scalar, U64};

/// An instruction of integers (PTX ISA 9.4, 9.7.1, 9.7.7, 9.7.9 and 9.7.10), or one that moves bits of any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integer {
    /// `mov.b32 d, a;`, or `mov.b64` with registers in braces on one side, which are parts of equal size.
    Move(Scalar),
    /// `cvt.u64.u32 d, a;`: the type of the result and the type of the source
    Convert(Scalar, Scalar),
    /// `cvt.sat.u8.s32 d, a;`: like [`Integer::Convert`], but to the nearest value that the result's type has
    ConvertSaturated(Scalar, Scalar),
    /// `cvta.to.global.u64 d, a;`
    ConvertAddress(Space),
    /// `cvta.global.u64 d, a;`
    ConvertToGeneric(Space),
    /// `not.b32 d, a;`
    Unary(Unary, Scalar),
    /// `add.u32 d, a, b;`
    Binary(Binary, Scalar),
    /// `mad.lo.u32 d, a, b, c;`, with the multiplication that makes the product: low, high or wide.
    MultiplyAdd(Binary, Scalar),
    /// `sad.u32 d, a, b, c;`: |a − b| + c
    DifferenceAdd(Scalar),
    /// `setp.eq.u32 p, a, b;`
    Compare(Relation, Scalar),
    /// `setp.eq.and.u32 p|q, a, b, c;`
    CompareWith(Relation, Logic, Scalar),
    /// `set.eq.u32.s32 d, a, b;`: the type of the result and the type of what is compared
    Set(Relation, Scalar, Scalar),
    /// `selp.b32 d, a, b, p;`
    Select(Scalar),
    /// `slct.b32.s32 d, a, b, c;`: a or b, by the sign of c
    SelectBySign(Scalar),
    /// `prmt.b32 d, a, b, selector;`
    Permute,
    /// `shf.l.wrap.b32 d, a, b, count;`
    Funnel {
        /// Whether the shift is to the left.
        left: bool,
        /// Whether the count is taken modulo 32, instead of clamped to 32.
        wraps: bool,
    },
    /// `bfe.u32 d, a, position, length;`
    ExtractField(Scalar),
    /// `bfi.b32 d, a, b, position, length;`
    InsertField(Scalar),
    /// `lop3.b32 d, a, b, c, table;`
    Logic3,
}

/// An extended-precision instruction: `madc.lo.cc.u32 d, a, b, c;`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Carry {
    /// Arithmetic of the instruction.
    pub of: Carried,
    /// Whether the carry of the previous such instruction is added, or subtracted.
    pub takes: bool,
    /// Whether a carry is left for the next such instruction.
    pub gives: bool,
    /// Type of the operands.
    pub ty: Scalar,
}

/// The spellings of [`Integer::Funnel`].
const FUNNELS: [(&str, Integer); 4] = [
    ("shf.l.wrap.b32", Integer::Funnel { left: true, wraps: true }),
    ("shf.l.clamp.b32", Integer::Funnel { left: true, wraps: false }),
    ("shf.r.wrap.b32", Integer::Funnel { left: false, wraps: true }),
    ("shf.r.clamp.b32", Integer::Funnel { left: false, wraps: false }),
];

impl Integer {
    /// Reads a mnemonic with its modifiers and types; `None` if it is no instruction of integers.
    pub fn read(text: &str) -> Option<Integer> {
        match text {
            "prmt.b32" => return Some(Integer::Permute),
            "lop3.b32" => return Some(Integer::Logic3),
            "mov.pred" => return Some(Integer::Move(Scalar::Predicate)),
            "not.pred" => return Some(Integer::Unary(Unary::Not, Scalar::Predicate)),
            "and.pred" => return Some(Integer::Binary(Binary::And, Scalar::Predicate)),
            "or.pred" => return Some(Integer::Binary(Binary::Or, Scalar::Predicate)),
            "xor.pred" => return Some(Integer::Binary(Binary::Xor, Scalar::Predicate)),
            _ => {}
        }
        if let Some(&(_, funnel)) = FUNNELS.iter().find(|(name, _)| *name == text) {
            return Some(funnel);
        }
        let (front, name) = text.rsplit_once('.')?;
        let Some(ty) = Scalar::read(name).filter(|&ty| ty != Scalar::Predicate) else {
            // Other types, those of floating point among them, are only moved or selected.
            let ty = Scalar::read_any(name)?;
            return match front {
                "mov" => Some(Integer::Move(ty)),
                "selp" => Some(Integer::Select(ty)),
                _ => None,
            };
        };
        Integer::of_type(front, ty)
    }

    /// Reads a spelling whose last word, the type `ty` of integers or bits, has been split off from `front`.
    fn of_type(front: &str, ty: Scalar) -> Option<Integer> {
        let words: Vec<&str> = front.split('.').collect();
        let integral = |word: &str| Scalar::read(word).filter(|&to| to != Scalar::Predicate);
        match words.as_slice() {
            ["cvt", to] => return Some(Integer::Convert(integral(to)?, ty)),
            ["cvt", "sat", to] => return Some(Integer::ConvertSaturated(integral(to)?, ty)),
            ["cvta", "to", space] if ty == U64 => {
                return Some(Integer::ConvertAddress(Space::read_qualified(space)?));
            }
            ["cvta", space] if ty == U64 => {
                return Some(Integer::ConvertToGeneric(Space::read_qualified(space)?));
            }
            ["setp", relation] => return Some(Integer::Compare(Relation::read(relation)?, ty)),
            ["setp", relation, logic] => {
                let logic = Logic::read(logic)?;
                return Some(Integer::CompareWith(Relation::read(relation)?, logic, ty));
            }
            ["set", relation, to] => {
                let to = integral(to).filter(|to| to.width() == 32)?;
                return Some(Integer::Set(Relation::read(relation)?, to, ty));
            }
            ["slct", of] if ty == Scalar::Signed(32) => {
                return Some(Integer::SelectBySign(Scalar::read_any(of)?));
            }
            _ => {}
        }
        Some(match front {
            "mov" => Integer::Move(ty),
            "selp" => Integer::Select(ty),
            "mad.lo" => Integer::MultiplyAdd(Binary::MulLow, ty),
            "mad.hi" => Integer::MultiplyAdd(Binary::MulHigh, ty),
            "mad.wide" => Integer::MultiplyAdd(Binary::MulWide, ty),
            "sad" => Integer::DifferenceAdd(ty),
            "bfe" => Integer::ExtractField(ty),
            "bfi" => Integer::InsertField(ty),
            _ => match Unary::read(front) {
                Some(unary) => Integer::Unary(unary, ty),
                None => Integer::Binary(Binary::read(front)?, ty),
            },
        })
    }
}

impl Carry {
    /// Reads a mnemonic with its modifiers and type; `None` if it neither takes nor leaves a carry.
    pub fn read(text: &str) -> Option<Carry> {
        let (front, ty) = text.rsplit_once('.')?;
        let ty = Scalar::read(ty).filter(|ty| matches!(ty.width(), 32 | 64))?;
        let (front, gives) = match front.strip_suffix(".cc") {
            Some(front) => (front, true),
            None => (front, false),
        };
        let (mnemonic, half) = front.split_once('.').map_or((front, ""), |(one, half)| (one, half));
        let (mnemonic, takes) = match mnemonic.strip_suffix('c') {
            Some(mnemonic) => (mnemonic, true),
            None => (mnemonic, false),
        };
        let of = match half {
            "" => Carried::read(mnemonic)?,
            half => Carried::read(&format!("{mnemonic}.{half}"))?,
        };
        // Without either carry the text is the plain instruction.
        (takes || gives).then_some(Carry { of, takes, gives, ty })
    }
}

impl fmt::Display for Carry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.of.text();
        // Each of these mnemonics has three letters: `add`, `sub` and `mad`.
        let (mnemonic, half) = text.split_at(3);
        write!(f, "{mnemonic}{}{half}", if self.takes { "c" } else { "" })?;
        write!(f, "{}{}", if self.gives { ".cc" } else { "" }, self.ty)
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Move(ty) => write!(f, "mov{ty}"),
            Integer::Convert(to, from) => write!(f, "cvt{to}{from}"),
            Integer::ConvertSaturated(to, from) => write!(f, "cvt.sat{to}{from}"),
            Integer::ConvertAddress(space) => write!(f, "cvta.to{space}{U64}"),
            Integer::ConvertToGeneric(space) => write!(f, "cvta{space}{U64}"),
            Integer::Unary(unary, ty) => write!(f, "{}{ty}", unary.text()),
            Integer::Binary(binary, ty) => write!(f, "{}{ty}", binary.text()),
            Integer::MultiplyAdd(Binary::MulWide, ty) => write!(f, "mad.wide{ty}"),
            Integer::MultiplyAdd(Binary::MulHigh, ty) => write!(f, "mad.hi{ty}"),
            Integer::MultiplyAdd(_, ty) => write!(f, "mad.lo{ty}"),
            Integer::DifferenceAdd(ty) => write!(f, "sad{ty}"),
            Integer::Compare(relation, ty) => write!(f, "setp.{}{ty}", relation.text()),
            Integer::CompareWith(relation, logic, ty) => {
                write!(f, "setp.{}.{}{ty}", relation.text(), logic.text())
            }
            Integer::Set(relation, to, from) => write!(f, "set.{}{to}{from}", relation.text()),
            Integer::Select(ty) => write!(f, "selp{ty}"),
            Integer::SelectBySign(ty) => write!(f, "slct{ty}{}", Scalar::Signed(32)),
            Integer::Permute => write!(f, "prmt{B32}"),
            Integer::Funnel { .. } => {
                let text = FUNNELS.iter().find(|(_, funnel)| funnel == self).map_or("", |one| one.0);
                f.write_str(text)
            }
            Integer::ExtractField(ty) => write!(f, "bfe{ty}"),
            Integer::InsertField(ty) => write!(f, "bfi{ty}"),
            Integer::Logic3 => write!(f, "lop3{B32}"),
        }
    }
}
