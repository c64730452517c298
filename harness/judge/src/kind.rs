//! Kinds of wrong results, as far as a result itself tells what is wrong with it.

use formats::{Class, Format, FormatId};
use isa::{Clamp, Meaning, Variant};
use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $diagnosis:literal;)*) => {
        /// The kind of a mismatch: in what way a result is wrong. Mismatches of one kind in one variant form a class.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum MismatchKind {
            $($(#[$doc])* #[doc = $diagnosis] #[serde(rename = $id)] $name,)*
        }

        impl MismatchKind {
            /// Returns the kind's name, as in a class's id.
            pub const fn id(self) -> &'static str {
                match self { $(MismatchKind::$name => $id,)* }
            }

            /// Returns the kind in words.
            pub const fn diagnosis(self) -> &'static str {
                match self { $(MismatchKind::$name => $diagnosis,)* }
            }
        }
    };
}

kinds! {
    Unstable = "unstable", "the result differs from an earlier result for the same vector";
    BatchDependent = "batch-dependent", "the result differs between the vector alone and the vector in its batch";
    Crashed = "crashed", "no result: the implementation ended";
    Timeout = "timeout", "no result in time";
    Nonsense = "nonsense", "an answer that cannot be read";
    Failed = "failed", "no result: the implementation says that it failed";
    Unwritten = "unwritten", "no result: it ran, and left what was there before";
    LanesSwapped = "lanes-swapped", "the results of the lanes are in reverse order";
    Padding = "padding", "bits set where the register holds nothing";
    OutOfBound = "out-of-bound", "a result further from the exact one than the bound allows";
    Inexact = "inexact", "not the exact sum, which every order of adding gives there";
    OutOfRange = "out-of-range", "a result that the function does not have there, however inaccurate";
    Original = "original", "not the word that memory held before";
    NanLost = "nan-lost", "a number where the result is NaN";
    NanAppeared = "nan-appeared", "NaN where the result is a number";
    NanBits = "nan-bits", "a NaN other than the canonical one";
    NotClamped = "not-clamped", "a result outside the range of the clamp";
    NotFlushed = "not-flushed", "a subnormal result where flushing makes it zero";
    ZeroSign = "zero-sign", "a zero of the wrong sign";
    Sign = "sign", "the right magnitude with the wrong sign";
    NoOverflow = "no-overflow", "a finite number where the result overflows to infinity";
    Overflow = "overflow", "infinity where the result is finite";
    ZeroLost = "zero-lost", "a number other than zero where the result is zero";
    ZeroAppeared = "zero-appeared", "zero where the result is a number other than zero";
    Predicate = "predicate", "the opposite truth value";
    IntegerIndefinite = "integer-indefinite", "the lowest signed integer, or the highest unsigned one, where another is right";
    NextInteger = "next-integer", "an integer one above or below";
    UlpAbove = "ulp-above", "one unit in the last place too large in magnitude";
    UlpBelow = "ulp-below", "one unit in the last place too small in magnitude";
    Number = "number", "a different number, more than one unit in the last place away";
}

/// A lane of a result that breaks the contract.
pub(super) struct Violation {
    pub(super) row: usize,
    pub(super) kind: MismatchKind,
}

impl MismatchKind {
    /// Returns the kind of a lane's wrong result.
    pub fn of(variant: &Variant, format: &Format, expected: u64, actual: u64) -> MismatchKind {
        if format.is_fixed() {
            return MismatchKind::of_fixed(variant, format, expected, actual);
        }
        let nan = [expected, actual].iter().any(|&bits| format.is_nan(bits));
        match (format.class(expected), format.class(actual)) {
            // A clamp says nothing of NaN.
            _ if !nan && out_of_range(variant, format, actual) => MismatchKind::NotClamped,
            (Class::Zero, Class::Subnormal) if has_ftz(variant) => MismatchKind::NotFlushed,
            _ => MismatchKind::of_number(format, expected, actual),
        }
    }

    /// Returns the kind of a wrong number, where nothing is known but the expected result.
    pub(super) fn of_number(format: &Format, expected: u64, actual: u64) -> MismatchKind {
        let magnitude = |bits: u64| bits & format.magnitude_mask();
        let same_sign = (expected ^ actual) & format.sign_mask() == 0;
        match (format.class(expected), format.class(actual)) {
            (Class::Nan, Class::Nan) => MismatchKind::NanBits,
            (Class::Nan, _) => MismatchKind::NanLost,
            (_, Class::Nan) => MismatchKind::NanAppeared,
            (Class::Zero, Class::Zero) => MismatchKind::ZeroSign,
            // Zeros of two signs are a kind of their own, and were met above.
            _ if magnitude(expected) == magnitude(actual) => MismatchKind::Sign,
            (Class::Infinity, _) => MismatchKind::NoOverflow,
            (_, Class::Infinity) => MismatchKind::Overflow,
            (Class::Zero, _) => MismatchKind::ZeroLost,
            (_, Class::Zero) => MismatchKind::ZeroAppeared,
            _ if same_sign && magnitude(actual) == magnitude(expected) + 1 => MismatchKind::UlpAbove,
            _ if same_sign && magnitude(actual) + 1 == magnitude(expected) => MismatchKind::UlpBelow,
            _ => MismatchKind::Number,
        }
    }
}

impl MismatchKind {
    /// Returns the kind of a wrong integer, fixed-point number or predicate.
    fn of_fixed(variant: &Variant, format: &Format, expected: u64, actual: u64) -> MismatchKind {
        // Integers are compared with their signs, so that the two ends of a range are far apart.
        let extended = |bits: u64| match format.is_negative(bits) {
            true => i128::from(bits) - (i128::from(format.mask()) + 1),
            false => i128::from(bits),
        };
        let indefinite = if format.signed { format.sign_mask() } else { format.mask() };
        // Fixed point with binary places has no indefinite value: no processor gives one.
        let converts = variant.is_to_integer();
        match (expected, actual) {
            _ if format.id == FormatId::Pred => MismatchKind::Predicate,
            _ if converts && actual == indefinite => MismatchKind::IntegerIndefinite,
            _ if (extended(expected) - extended(actual)).abs() == 1 => MismatchKind::NextInteger,
            (0, _) => MismatchKind::ZeroLost,
            (_, 0) => MismatchKind::ZeroAppeared,
            _ => MismatchKind::Number,
        }
    }
}

/// Whether a number lies outside what the variant's clamp lets through.
fn out_of_range(variant: &Variant, format: &Format, bits: u64) -> bool {
    let negative = format.is_negative(bits) && format.class(bits) != Class::Zero;
    // The encodings of positive numbers are in the order of the numbers.
    let above_one = !format.is_negative(bits) && bits > format.one();
    match variant.meaning().clamp {
        Clamp::None => false,
        Clamp::Unit => negative || above_one,
        Clamp::Positive => negative,
    }
}

/// Whether a variant has to make subnormal numbers zero, by `.ftz` or because its memory is global.
///
/// A variant that divides by a scale flushes its input without either, and does not count. Nor do vectors in memory:
/// it is open whether any of them is flushed.
fn has_ftz(variant: &Variant) -> bool {
    let Meaning { flush, scale, .. } = variant.meaning();
    let open = variant.is_of_memory() && flush.open;
    !open && (flush.result || scale.is_none() && flush.inputs.contains(&true))
}

#[cfg(test)]
mod tests {
    use formats::{F16, F32, S2F6, S32, U32};

    use super::*;

    #[test]
    fn kinds_of_wrong_results() {
        #[rustfmt::skip] // a table
        let cases = [
            ("mul.f16",      0x7fff, 0x3c00, MismatchKind::NanLost),
            ("mul.f16",      0x3c00, 0x7e00, MismatchKind::NanAppeared),
            ("fma.rn.relu.f16", 0x7fff, 0x7e00, MismatchKind::NanBits),
            ("mul.sat.f16",  0x3c00, 0x3c01, MismatchKind::NotClamped),
            ("fma.rn.relu.f16", 0, 0x8001, MismatchKind::NotClamped),
            ("mul.ftz.f16",  0, 1, MismatchKind::NotFlushed),
            ("mul.f16",      0, 1, MismatchKind::ZeroLost),
            ("mul.f16",      1, 0, MismatchKind::ZeroAppeared),
            ("mul.f16",      0, 0x8000, MismatchKind::ZeroSign),
            ("mul.f16",      0x3c00, 0xbc00, MismatchKind::Sign),
            ("mul.f16",      0x7c00, 0x7bff, MismatchKind::NoOverflow),
            ("mul.f16",      0x7bff, 0x7c00, MismatchKind::Overflow),
            ("mul.f16",      0x3c00, 0x3c01, MismatchKind::UlpAbove),
            ("mul.f16",      0x3c00, 0x3bff, MismatchKind::UlpBelow),
            ("mul.f16",      0x3c00, 0x3c02, MismatchKind::Number),
            ("mul.f16",      0x0001, 0x8002, MismatchKind::Number),
        ];
        for (text, expected, actual, kind) in cases {
            let variant = text.parse().unwrap();
            assert_eq!(MismatchKind::of(&variant, &F16, expected, actual), kind, "{text} {actual:#x}");
        }
    }

    /// Where it is open whether a vector in memory is flushed, a subnormal result is not called unflushed.
    #[test]
    fn what_may_stay_is_not_called_unflushed() {
        let of = |text: &str| MismatchKind::of(&text.parse().unwrap(), &F32, 0, 1);
        assert_eq!(of("red.global.add.f32"), MismatchKind::NotFlushed);
        assert_eq!(of("red.global.add.v4.f32"), MismatchKind::ZeroLost);
        assert_eq!(of("red.shared.add.f32"), MismatchKind::ZeroLost);
    }

    /// The integer indefinite is the value that x86 gives for an integer that is too large, and no other value.
    #[test]
    fn the_integer_indefinite_is_a_kind_of_its_own() {
        let of = |text: &str, format, expected, actual| {
            MismatchKind::of(&text.parse().unwrap(), format, expected, actual)
        };
        let (signed, unsigned) = ("cvt.rni.s32.f32", "cvt.rni.u32.f32");
        assert_eq!(of(signed, &S32, 0x7fff_ffff, 0x8000_0000), MismatchKind::IntegerIndefinite);
        assert_eq!(of(signed, &S32, 0, 0x8000_0000), MismatchKind::IntegerIndefinite);
        assert_eq!(of(signed, &S32, 0, 0xffff_ffff), MismatchKind::NextInteger);
        assert_eq!(of(unsigned, &U32, 0, 0xffff_ffff), MismatchKind::IntegerIndefinite);
        assert_eq!(of(unsigned, &U32, 5, 0x8000_0000), MismatchKind::Number);
        assert_eq!(of("set.lt.u32.f32", &U32, 0, 0xffff_ffff), MismatchKind::ZeroLost);
        assert_eq!(of("set.lt.u32.f32", &U32, 7, 6), MismatchKind::NextInteger);
        assert_eq!(of("cvt.rn.satfinite.s2f6x2.f32", &S2F6, 0x7f, 0x80), MismatchKind::Number);
    }
}
