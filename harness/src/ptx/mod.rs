//! PTX text: instructions with their operands in registers of the right class, kernels of them, and
//! modules of kernels.

mod calendar;
#[cfg(test)]
mod checks;
mod constants;
mod device;
mod kernel;
mod module;
mod program;
mod screen;

use std::fmt;

use vectors::format::FormatId;
use vectors::isa::{Register, Type};

pub use calendar::Calendar;
pub use constants::{constants, is_fatal};
pub use device::{Device, Header, Lack};
pub use kernel::{Entry, kernel, name};
pub use module::{Module, bisect};
pub use program::program;
pub use screen::{ROWS_EACH, SCREENS_SINCE, SUMS, WARP, screen};

/// What a register is declared as.
///
/// One rule serves every instruction of the table: predicates in `.pred`, all else in untyped
/// registers of the width of what they hold. Typed registers need exceptions, and wider ones too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `.pred`
    Predicate,
    /// `.b8` to `.b64`
    Bits(u32),
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 5] =
        [Class::Predicate, Class::Bits(8), Class::Bits(16), Class::Bits(32), Class::Bits(64)];

    /// The class of registers that hold a type.
    pub fn of(ty: &Type) -> Class {
        match ty.format.id {
            FormatId::Pred => Class::Predicate,
            _ => Class::Bits(ty.width()),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Class::Predicate => f.write_str(".pred"),
            Class::Bits(width) => write!(f, ".b{width}"),
        }
    }
}

/// An instruction: `setp.eq.f32 p|q, a, b;`, with the names that `name` gives the registers.
///
/// `name` sees the results first and then the operands, each once. Four data that make one result
/// stand in braces: `d, {a, b, e, f}, rbits`.
pub fn instruction(
    spelling: &str,
    results: &[Register],
    operands: &[Register],
    mut name: impl FnMut(&Register) -> String,
) -> String {
    let results: Vec<String> = results.iter().map(&mut name).collect();
    // Only these are called `e` and `f`: `c` and `d` are an addend and the result everywhere.
    let vector = if operands.iter().any(|operand| operand.name == "f") { 4 } else { 0 };
    let operands: Vec<String> = operands.iter().map(name).collect();
    let (vector, rest) = operands.split_at(vector);
    let vector = (!vector.is_empty()).then(|| format!("{{{}}}", vector.join(", ")));
    let list = [results.join("|")].into_iter().chain(vector).chain(rest.iter().cloned());
    format!("{spelling} {};", list.collect::<Vec<_>>().join(", "))
}

/// Names for registers of which only the class matters: `p0`, `h1` …, counted by class.
#[derive(Default)]
pub struct Numbered([usize; Class::ALL.len()]);

impl Numbered {
    /// How many registers of a class there are.
    const EACH: usize = 8;
    /// The letters of the classes.
    const LETTERS: [&str; Class::ALL.len()] = ["p", "c", "h", "r", "q"];

    /// A name that was not given before.
    ///
    /// # Panics
    /// If no instruction has so many registers, or so wide ones.
    pub fn next(&mut self, register: &Register) -> String {
        let class = Class::of(&register.ty);
        let class = Class::ALL.iter().position(|&one| one == class).expect("a width of registers");
        let number = self.0[class];
        assert!(number < Numbered::EACH, "too many registers");
        self.0[class] += 1;
        format!("{}{number}", Numbered::LETTERS[class])
    }

    /// The declarations of all such names, a class a line.
    pub fn declarations() -> String {
        let classes = Class::ALL.iter().zip(Numbered::LETTERS);
        classes.map(|(class, letter)| format!(".reg {class} {letter}<{}>;\n", Numbered::EACH)).collect()
    }
}

#[cfg(test)]
mod tests {
    use vectors::isa::Variant;

    use super::*;

    fn text(variant: &str) -> String {
        let variant: Variant = variant.parse().unwrap();
        let name = |register: &Register| register.name.to_owned();
        instruction(variant.spelling(), variant.results(), variant.operands(), name)
    }

    #[test]
    fn operands_are_the_manuals() {
        assert_eq!(text("fma.rn.ftz.f32"), "fma.rn.ftz.f32 d, a, b, c;");
        assert_eq!(text("max.NaN.f32(a,b,c)"), "max.NaN.f32 d, a, b, c;");
        assert_eq!(text("setp.eq.and.f16x2"), "setp.eq.and.f16x2 p|q, a, b, c;");
        assert_eq!(
            text("cvt.rs.satfinite.e4m3x4.f32"),
            "cvt.rs.satfinite.e4m3x4.f32 d, {a, b, e, f}, rbits;"
        );
        assert_eq!(
            text("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32"),
            "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32 d, a, b, scale;"
        );
    }

    #[test]
    fn registers_are_untyped_and_as_wide_as_what_they_hold() {
        let numbered = |variant: &str| {
            let variant: Variant = variant.parse().unwrap();
            let mut names = Numbered::default();
            instruction("", variant.results(), variant.operands(), |register| names.next(register))
        };
        assert_eq!(numbered("setp.eq.and.f64"), " p0|p1, q0, q1, p2;");
        assert_eq!(numbered("fma.rn.f32.bf16"), " r0, h0, h1, r1;");
        assert_eq!(numbered("cvt.rn.satfinite.e2m1x2.f32"), " c0, r0, r1;");
        assert_eq!(numbered("set.eq.u32.f16x2"), " r0, r1, r2;");
        for variant in Variant::all() {
            numbered(variant.text());
        }
        assert!(Numbered::declarations().starts_with(".reg .pred p<8>;\n.reg .b8 c<8>;\n"));
    }
}
