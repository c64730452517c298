//! The narrow integer types that programs convert numbers to and back.

use super::Type;
use super::arithmetic::OperationEvaluator;
use crate::language::Language;

/// A type of integers, of 1, 8 or 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Integer {
    /// The width in bits.
    pub width: u32,
    /// Whether the integers have a sign.
    pub signed: bool,
}

impl Integer {
    /// Every type: of LLVM's language, in which the operation says whether there is a sign.
    pub const ALL: [Integer; 6] = [
        Integer { width: 1, signed: true },
        Integer { width: 1, signed: false },
        Integer { width: 8, signed: true },
        Integer { width: 8, signed: false },
        Integer { width: 16, signed: true },
        Integer { width: 16, signed: false },
    ];

    /// Returns the types that a language has: CUDA C++ has no integers of one bit with a sign.
    pub fn of(language: Language) -> Vec<Integer> {
        let has = |of: &Integer| language != Language::Cuda || of.width > 1 || !of.signed;
        Integer::ALL.into_iter().filter(has).collect()
    }

    /// Returns the type's name, such as `s8` or `u1`.
    pub const fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Returns the name of the conversion to the type and back, in the kinds of programs.
    pub const fn operation(self) -> &'static str {
        self.names()[1]
    }

    /// Returns the names of the type, and of the conversion to it and back.
    const fn names(self) -> [&'static str; 2] {
        match (self.width, self.signed) {
            (1, true) => ["s1", "as-s1"],
            (1, false) => ["u1", "as-u1"],
            (8, true) => ["s8", "as-s8"],
            (8, false) => ["u8", "as-u8"],
            (_, true) => ["s16", "as-s16"],
            (_, false) => ["u16", "as-u16"],
        }
    }

    /// Returns the type of this name, if there is one.
    pub fn named(name: &str) -> Option<Integer> {
        Integer::ALL.into_iter().find(|of| of.name() == name)
    }

    /// Returns the integer that a number becomes: the nearest one toward zero. `None` if that is none of the type's, and
    /// for infinities and NaN.
    pub fn of_value(self, value: Option<f64>) -> Option<f64> {
        let magnitude = f64::from(1_u32 << (self.width - u32::from(self.signed)));
        let range = (if self.signed { -magnitude } else { 0.0 })..=magnitude - 1.0;
        // A zero has no sign as an integer.
        value.map(|value| value.trunc() + 0.0).filter(|value| range.contains(value))
    }

    /// Converts bits of a type to the integer and back; `None` where the language does not say what comes of that. In
    /// CUDA C++, every number but zero, and NaN too, is the truth value 1.
    pub(super) fn there_and_back(
        self,
        arithmetic: &mut OperationEvaluator,
        ty: Type,
        bits: u64,
        is_truth: bool,
    ) -> Option<u64> {
        let value = ty.format().value(bits);
        let integer = match is_truth {
            true => f64::from(u8::from(value != Some(0.0))),
            false => self.of_value(value)?,
        };
        let double = integer.to_bits();
        // What was in the type as a number is so as an integer.
        Some(if ty == Type::F64 { double } else { arithmetic.cast(Type::F64, ty, &[double])[0] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_fit_are_cut_and_others_are_nothing() {
        for (name, value, due) in [
            ("s1", 0.0, Some(0.0)),
            ("s1", -0.5, Some(0.0)),
            ("s1", -1.5, Some(-1.0)),
            ("s1", 1.0, None),
            ("u1", 1.9, Some(1.0)),
            ("u1", -0.9, Some(0.0)),
            ("u1", -1.0, None),
            ("s8", -128.5, Some(-128.0)),
            ("s8", 128.0, None),
            ("u16", 65535.5, Some(65535.0)),
        ] {
            let found = Integer::named(name).expect("a type").of_value(Some(value));
            assert_eq!(found.map(f64::to_bits), due.map(f64::to_bits), "{name} {value}");
        }
        assert_eq!(Integer::ALL[0].of_value(None), None);
    }
}
