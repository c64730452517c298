//! The types that instructions and registers are spelled with.

use std::fmt;

use isa::Type;

/// A fundamental type (PTX ISA 5.2.1), with its width in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scalar {
    /// `.pred`
    Predicate,
    /// `.b8` to `.b128`
    Bits(u32),
    /// `.u8` to `.u64`
    Unsigned(u32),
    /// `.s8` to `.s64`
    Signed(u32),
    /// A floating-point type by its name, with its width in bits; such types are only moved or declared
    Float(&'static str, u32),
}

/// The floating-point types that registers have (PTX ISA 5.2.1, 5.2.3 and 5.2.5.1), by name and width in bits.
const FLOATS: [(&str, u32); 7] =
    [("f16", 16), ("bf16", 16), ("f16x2", 32), ("bf16x2", 32), ("tf32", 32), ("f32", 32), ("f64", 64)];

/// `.pred`
pub const PRED: Scalar = Scalar::Predicate;
/// `.b16`
pub const B16: Scalar = Scalar::Bits(16);
/// `.b32`
pub const B32: Scalar = Scalar::Bits(32);
/// `.b64`
pub const B64: Scalar = Scalar::Bits(64);
/// `.u8`
pub const U8: Scalar = Scalar::Unsigned(8);
/// `.u16`
pub const U16: Scalar = Scalar::Unsigned(16);
/// `.u32`
pub const U32: Scalar = Scalar::Unsigned(32);
/// `.u64`
pub const U64: Scalar = Scalar::Unsigned(64);
/// `.f32`
pub const F32: Scalar = Scalar::Float("f32", 32);
/// `.s32`
pub const S32: Scalar = Scalar::Signed(32);
/// `.s64`
pub const S64: Scalar = Scalar::Signed(64);

impl Scalar {
    /// Returns the plain type to declare a register with that holds a type of the table, where no reader of the text
    /// wants a more specific one.
    ///
    /// One rule serves every instruction of the table: predicates in `.pred`, all else in untyped registers as wide
    /// as the data they hold. Typed registers would need exceptions, and so would wider ones.
    pub fn of(ty: &Type) -> Scalar {
        if ty.name == "pred" { Scalar::Predicate } else { Scalar::Bits(ty.width()) }
    }

    /// Returns the width in bits; a predicate's is 1.
    pub fn width(self) -> u32 {
        match self {
            Scalar::Predicate => 1,
            Scalar::Bits(width)
            | Scalar::Unsigned(width)
            | Scalar::Signed(width)
            | Scalar::Float(_, width) => width,
        }
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(self) -> usize {
        // A predicate has one bit, and takes a byte.
        self.width().div_ceil(8) as usize
    }

    /// Reads a type such as `b32`, without the dot; `None` if the text is no type, or a floating-point one.
    pub fn read(text: &str) -> Option<Scalar> {
        if text == "pred" {
            return Some(Scalar::Predicate);
        }
        let (kind, width) = text.split_at_checked(1)?;
        let width = match width {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            "128" if kind == "b" => 128,
            _ => return None,
        };
        match kind {
            "b" => Some(Scalar::Bits(width)),
            "u" => Some(Scalar::Unsigned(width)),
            "s" => Some(Scalar::Signed(width)),
            _ => None,
        }
    }

    /// Reads any type that a register may have, floating-point ones included, without the dot.
    pub fn read_any(text: &str) -> Option<Scalar> {
        let float = || FLOATS.iter().find(|(name, _)| *name == text);
        Scalar::read(text).or_else(|| float().map(|&(name, width)| Scalar::Float(name, width)))
    }

    /// Whether the type is one of integers or bits, of a width that registers have.
    pub fn is_integral(self) -> bool {
        self.is_legal() && !matches!(self, Scalar::Predicate | Scalar::Float(..))
    }

    /// Whether the type's width is one that registers have.
    pub fn is_legal(self) -> bool {
        matches!(self.width(), 8 | 16 | 32 | 64) || self == Scalar::Predicate
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Predicate => f.write_str(".pred"),
            Scalar::Bits(width) => write!(f, ".b{width}"),
            Scalar::Unsigned(width) => write!(f, ".u{width}"),
            Scalar::Signed(width) => write!(f, ".s{width}"),
            Scalar::Float(name, _) => write!(f, ".{name}"),
        }
    }
}
