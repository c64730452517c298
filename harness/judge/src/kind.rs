//! What is wrong with a wrong result, as far as the result itself tells.

use serde::{Deserialize, Serialize};
use vectors::Format;
use vectors::format::{Class, FormatId};
use vectors::isa::{Modifier, Operation, Variant};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $diagnosis:literal;)*) => {
        /// A kind of wrongness. Mismatches of one kind in one variant form a class.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Kind {
            $($(#[$doc])* #[doc = $diagnosis] #[serde(rename = $id)] $name,)*
        }

        impl Kind {
            /// The name, as in a class's id.
            pub const fn id(self) -> &'static str {
                match self { $(Kind::$name => $id,)* }
            }

            /// The kind in words.
            pub const fn diagnosis(self) -> &'static str {
                match self { $(Kind::$name => $diagnosis,)* }
            }
        }
    };
}

kinds! {
    Unstable = "unstable", "another result than for the same vector before";
    Crashed = "crashed", "no result: the implementation ended";
    Timeout = "timeout", "no result in time";
    Nonsense = "nonsense", "an answer that is none";
    LanesSwapped = "lanes-swapped", "each lane has the result of the other";
    Padding = "padding", "bits set where the register holds nothing";
    OutOfBound = "out-of-bound", "a result further from the exact one than the bound allows";
    NanLost = "nan-lost", "a number where the result is NaN";
    NanAppeared = "nan-appeared", "NaN where the result is a number";
    NanBits = "nan-bits", "a NaN other than the canonical one";
    NotClamped = "not-clamped", "a result outside the range of the clamp";
    NotFlushed = "not-flushed", "a subnormal result where .ftz makes it zero";
    ZeroSign = "zero-sign", "a zero of the wrong sign";
    Sign = "sign", "the right magnitude with the wrong sign";
    NoOverflow = "no-overflow", "a finite number where the result overflows to infinity";
    Overflow = "overflow", "infinity where the result is finite";
    ZeroLost = "zero-lost", "a number other than zero where the result is zero";
    ZeroAppeared = "zero-appeared", "zero where the result is another number";
    Predicate = "predicate", "the other truth value";
    IntegerIndefinite = "integer-indefinite", "the lowest integer, or the highest of unsigned ones, as x86 has it for whatever does not fit";
    NextInteger = "next-integer", "an integer one above or below";
    UlpAbove = "ulp-above", "one unit in the last place too large in magnitude";
    UlpBelow = "ulp-below", "one unit in the last place too small in magnitude";
    Number = "number", "another number, more than one unit in the last place away";
}

impl Kind {
    /// The kind of a lane's wrong result.
    pub fn of(variant: &Variant, format: &Format, expected: u64, actual: u64) -> Kind {
        if format.is_fixed() {
            return Kind::of_fixed(variant, format, expected, actual);
        }
        let magnitude = |bits: u64| bits & format.magnitude_mask();
        let same_sign = (expected ^ actual) & format.sign_mask() == 0;
        match (format.class(expected), format.class(actual)) {
            (Class::Nan, Class::Nan) => Kind::NanBits,
            (Class::Nan, _) => Kind::NanLost,
            (_, Class::Nan) => Kind::NanAppeared,
            _ if out_of_range(variant, format, actual) => Kind::NotClamped,
            (Class::Zero, Class::Zero) => Kind::ZeroSign,
            _ if magnitude(expected) == magnitude(actual) => Kind::Sign,
            (Class::Zero, Class::Subnormal) if variant.has(Modifier::Ftz) => Kind::NotFlushed,
            (Class::Infinity, _) => Kind::NoOverflow,
            (_, Class::Infinity) => Kind::Overflow,
            (Class::Zero, _) => Kind::ZeroLost,
            (_, Class::Zero) => Kind::ZeroAppeared,
            _ if same_sign && magnitude(actual) == magnitude(expected) + 1 => Kind::UlpAbove,
            _ if same_sign && magnitude(actual) + 1 == magnitude(expected) => Kind::UlpBelow,
            _ => Kind::Number,
        }
    }
}

impl Kind {
    /// The kind of a wrong integer, fixed-point number or predicate.
    fn of_fixed(variant: &Variant, format: &Format, expected: u64, actual: u64) -> Kind {
        // With their signs, so that the two ends of a range are far apart.
        let extended = |bits: u64| match format.is_negative(bits) {
            true => i128::from(bits) - (i128::from(format.mask()) + 1),
            false => i128::from(bits),
        };
        let indefinite = if format.signed { format.sign_mask() } else { format.mask() };
        // Of fixed point with binary places, no processor has that.
        let converts = variant.operation() == Operation::Cvt && format.bias == 0;
        match (expected, actual) {
            _ if format.id == FormatId::Pred => Kind::Predicate,
            _ if converts && actual == indefinite => Kind::IntegerIndefinite,
            _ if (extended(expected) - extended(actual)).abs() == 1 => Kind::NextInteger,
            (0, _) => Kind::ZeroLost,
            (_, 0) => Kind::ZeroAppeared,
            _ => Kind::Number,
        }
    }
}

/// Whether a number lies outside what the variant's clamp lets through.
fn out_of_range(variant: &Variant, format: &Format, bits: u64) -> bool {
    let negative = format.is_negative(bits) && format.class(bits) != Class::Zero;
    let above_one = !format.is_negative(bits) && bits > format.one();
    (variant.has(Modifier::Sat) && (negative || above_one)) || (variant.has(Modifier::Relu) && negative)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vectors::format::{F16, S2F6, S32, U32};

    #[test]
    fn kinds_of_wrong_results() {
        #[rustfmt::skip] // a table
        let cases = [
            ("mul.f16",      0x7fff, 0x3c00, Kind::NanLost),
            ("mul.f16",      0x3c00, 0x7e00, Kind::NanAppeared),
            ("fma.rn.relu.f16", 0x7fff, 0x7e00, Kind::NanBits),
            ("mul.sat.f16",  0x3c00, 0x3c01, Kind::NotClamped),
            ("fma.rn.relu.f16", 0, 0x8001, Kind::NotClamped),
            ("mul.ftz.f16",  0, 1, Kind::NotFlushed),
            ("mul.f16",      0, 1, Kind::ZeroLost),
            ("mul.f16",      1, 0, Kind::ZeroAppeared),
            ("mul.f16",      0, 0x8000, Kind::ZeroSign),
            ("mul.f16",      0x3c00, 0xbc00, Kind::Sign),
            ("mul.f16",      0x7c00, 0x7bff, Kind::NoOverflow),
            ("mul.f16",      0x7bff, 0x7c00, Kind::Overflow),
            ("mul.f16",      0x3c00, 0x3c01, Kind::UlpAbove),
            ("mul.f16",      0x3c00, 0x3bff, Kind::UlpBelow),
            ("mul.f16",      0x3c00, 0x3c02, Kind::Number),
            ("mul.f16",      0x0001, 0x8002, Kind::Number),
        ];
        for (text, expected, actual, kind) in cases {
            let variant = text.parse().unwrap();
            assert_eq!(Kind::of(&variant, &F16, expected, actual), kind, "{text} {actual:#x}");
        }
    }

    /// What x86 gives for an integer that is too large, and nothing else.
    #[test]
    fn the_integer_indefinite_is_a_kind_of_its_own() {
        let of = |text: &str, format, expected, actual| {
            Kind::of(&text.parse().unwrap(), format, expected, actual)
        };
        let (signed, unsigned) = ("cvt.rni.s32.f32", "cvt.rni.u32.f32");
        assert_eq!(of(signed, &S32, 0x7fff_ffff, 0x8000_0000), Kind::IntegerIndefinite);
        assert_eq!(of(signed, &S32, 0, 0x8000_0000), Kind::IntegerIndefinite);
        assert_eq!(of(signed, &S32, 0, 0xffff_ffff), Kind::NextInteger);
        assert_eq!(of(unsigned, &U32, 0, 0xffff_ffff), Kind::IntegerIndefinite);
        assert_eq!(of(unsigned, &U32, 5, 0x8000_0000), Kind::Number);
        assert_eq!(of("set.lt.u32.f32", &U32, 0, 0xffff_ffff), Kind::ZeroLost);
        assert_eq!(of("set.lt.u32.f32", &U32, 7, 6), Kind::NextInteger);
        assert_eq!(of("cvt.rn.satfinite.s2f6x2.f32", &S2F6, 0x7f, 0x80), Kind::Number);
    }
}
