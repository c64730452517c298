//! The points where the manual leaves a choice. `reports/published/devices/seen.json` has what devices were seen to do.

#[cfg(test)]
mod tests;

use formats::FormatId;

use super::arising::*;
use crate::{Clamp, Op, RandomFields, Variant};

macro_rules! relaxations {
    ($(
        $(#[$doc:meta])+
        $relaxation:ident = $name:literal, $interpretations:expr, $arises:expr, $reason:literal;
    )+) => {
        /// A choice that the manual leaves to the implementation. A report counts how often it arose and what the
        /// implementation chose.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Relaxation { $($(#[$doc])+ $relaxation,)+ }

        impl Relaxation {
            /// Every relaxation.
            pub const ALL: [Relaxation; [$(Relaxation::$relaxation),+].len()] =
                [$(Relaxation::$relaxation),+];

            /// Returns the name in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Relaxation::$relaxation => $name,)+ }
            }

            /// Returns the interpretations that an implementation may follow. The first is the one that the suite's own
            /// emulator follows: the manual's words where they say something, and otherwise the one that hardware was
            /// first seen to follow, where anyone had looked.
            pub const fn interpretations(self) -> &'static [&'static str] {
                match self { $(Relaxation::$relaxation => &$interpretations,)+ }
            }

            /// Whether a result of a variant depends on this choice; [`Variant::relaxations`] lists the choices where
            /// it does.
            pub(super) fn arises(self, variant: &Variant) -> bool {
                let arises: fn(&Variant) -> bool = match self { $(Relaxation::$relaxation => $arises,)+ };
                arises(variant)
            }

            /// Returns what the manual says about the choice, and what it does not.
            pub const fn reason(self) -> &'static str {
                match self { $(Relaxation::$relaxation => $reason,)+ }
            }
        }
    };
}

// Each row has the name, the interpretations, the variants where the choice arises, and the manual's words.
relaxations! {
    /// Which NaN a NaN result is, for formats other than f64.
    AnyNan = "any-nan", ["canonical", "other"],
        |v| some_nan(v) && to(v) != FormatId::F64,
        "a NaN result is \"an unspecified NaN\" (PTX ISA 9.7.3, 9.7.4), or \"canonical\" where no \
         bits are printed for the type (9.7.10.24: 8-bit formats with several NaNs, tf32)";
    /// Which NaN a NaN result of double precision is.
    NanPayload = "nan-payload", ["canonical", "operand", "other"],
        |v| some_nan(v) && to(v) == FormatId::F64,
        "\"NaN payloads are supported for double-precision instructions\" (PTX ISA 9.7.3), which does \
         not say which operand's payload a result has, whether a signalling NaN is quieted, nor what \
         an invalid operation gives";
    /// Whether `abs` clears the sign of a NaN.
    NanSign = "nan-sign", ["unchanged", "cleared"],
        |v| v.meaning().op == Op::Abs && to(v) == FormatId::F64,
        "\"For abs.f64, NaN input is passed through unchanged. Future implementations may comply with \
         the IEEE 754 standard by preserving payload and modifying only the sign bit\" (PTX ISA \
         9.7.3.9)";
    /// Whether `.ftz` looks at the exact result or at a rounded one.
    FtzTininess = "ftz-tininess", ["exact", "unbounded", "rounded"],
        tininess,
        "`.ftz` \"flushes subnormal inputs and results to sign-preserving zero\": whether \
         a result just below the smallest normal number, which rounding carries up to it, \
         is subnormal is not said. Read by the exact result, by the result rounded as if the \
         exponent were unbounded, or by the rounded result";
    /// Whether `.ftz` flushes a result that is not of single precision.
    FtzResult = "ftz-result", ["flushed", "kept"],
        mixed_ftz,
        "`.ftz` of an instruction that takes f32 and gives f16 (PTX ISA 9.7.5): which of the two types \
         its subnormal numbers are of is not said";
    /// Whether a result of −0 passes `.sat` or `.relu` unchanged.
    ZeroSign = "zero-sign", ["+0", "-0", "clamped first"],
        |v| v.meaning().clamp != Clamp::None && is_float(v) && has_zero_sign(v),
        "`.sat` \"clamps the result to [0.0, 1.0]\", `.relu` \"clamps the result to 0 if \
         negative\": neither says whether -0 stays, nor whether the result is the rounded one: where it \
         is the exact one, what is negative and would be rounded to -0 is 0, and -0 itself may stay";
    /// Which NaN patterns are the out-of-bounds NaN.
    OobPattern = "oob-pattern", ["7ff7", "7ff7 and 7eff"],
        |v| v.meaning().out_of_bounds && to(v) == FormatId::F16,
        "\"OOB NaN (defined under Tensors)\", where no pattern is printed; CUTLASS's software path for f16 \
         uses 0x7eff";
    /// Whether the addend counts as an operand that may be out of bounds.
    OobAddend = "oob-addend", ["multiplicands", "multiplicands and addend"],
        |v| v.meaning().out_of_bounds,
        "\"clamps the result to 0 if either of the operands is OOB NaN\": of three \
         operands";
    /// Whether `.ftz` flushes inputs of f32 where the result is f16.
    FtzIgnored = "ftz-ignored", ["flushed", "kept"],
        |v| v.meaning().flush.open && v.converts() || mixed_ftz(v),
        "`.ftz` of `cvt` applies \"to single precision (.f32) inputs and results\"; NVIDIA's assembler emits the same \
         machine code for `cvt.f16.f32` with and without it, which flushes nothing. Of arithmetic that takes f32 and gives \
         f16 (9.7.5) the manual says \"by default, subnormal numbers are supported\", and nothing of `.ftz`";
    /// Whether a NaN stays a NaN where its payload does not fit the result.
    TruncatedNan = "truncated-nan", ["nan", "truncated"],
        truncates_nan,
        "\"If the input value is NaN, then the result is NaN\" is said of `.satfinite`; \
         NVIDIA's assembler expands `.rna` into integer code that cuts the low bits off, \
         payload included, which may leave an infinity";
    /// Which bits stand in the low bits of tf32.
    Tf32Layout = "tf32-layout", ["zeros", "other bits"],
        |v| to(v) == FormatId::Tf32,
        "\"The internal layout of tf32 format is implementation defined\" (PTX ISA 5.2.3): the sign, \
         the exponent and ten bits of the significand are held to be those of f32, and the thirteen \
         bits below them are the implementation's";
    /// How random bits are dealt to four results.
    RandomLayout = "random-layout", ["first reversed", "as they are"],
        |v| random(v).is_some_and(|fields| fields != RandomFields::Halves),
        "the manual gives two results one field of 16 random bits, and the layout within it \
         in figures only";
    /// Which of the bits that a subnormal result discards the random bits are aligned with.
    RandomAlignment = "random-alignment", ["highest", "lowest", "as of normal results"],
        |v| random(v).is_some(),
        "\"the carry out of the integer addition of the supplied random bits (rbits) to the truncated \
         off (discarded) bits of mantissa\" does not say how the two are aligned where more bits are \
         discarded than random ones are supplied, as of subnormal results: the highest, the lowest, or those \
         bits of the operand that a normal result discards first";
    /// Whether a factor of another format is rounded before it is multiplied.
    FactorConversion = "factor-conversion", ["rounded", "exact"],
        |v| v.meaning().converted.is_some(),
        "\"Converts input operands, while performing multiplication, a and c to dtype\" (PTX ISA 9.7.5.4) does not \
         say whether that rounds, where the conversion is not exact";
    /// Whether `.satfinite` applies to the product of input and scale, or to the input alone.
    ScaleSaturation = "scale-saturation", ["product", "input"],
        scaled_beyond,
        "`.satfinite` is said of the \"absolute value of input\" (PTX ISA 9.7.10.24), and \"inputs are converted to \
         destination type and then multiplied by scale-factor\": whether a product beyond the largest number becomes that, \
         or infinity, and whether an infinite input becomes the largest number before it is multiplied, is not said";
    /// Which number a negative number becomes in a format without a sign.
    UnsignedNegative = "unsigned-negative", ["magnitude", "zero", "rounded with its sign"],
        unsigned,
        "\"a positive MAX_NORM in .ue8m0x2 and .ue5m3x2 for which the destination sign is \
         not supported\" is said of magnitudes beyond MAX_NORM, and of other negative inputs nothing: \
         not whether the sign goes before or after rounding up either. Of casts no document says anything";
    /// Whether zero and negative numbers are cast to NaN in a format that has neither.
    AbsentNumber = "absent-number", ["number", "nan"],
        is_cast_to_powers,
        "OCP MX defines the numbers of E8M0, which has neither zero nor a sign, and no conversion to it: without \
         saturation PyTorch gives zero the smallest number and drops signs, and ml_dtypes gives NaN for both";
    /// Which number NaN is cast to in a format in which all encodings are numbers.
    CastNan = "cast-nan", ["largest", "+0", "-0"],
        nan_is_cast,
        "OCP MX says of the formats of 6 and 4 bits that they have no NaN, and not what becomes of one: PTX has the \
         largest number in conversions (9.7.10.24), and ml_dtypes, whose \"NaN representation is undefined\", a zero";
    /// Whether a negative subnormal input that is flushed without `.ftz` keeps its sign.
    FlushSign = "flush-sign", ["-0", "+0"],
        |v| scaled_down(v) && shows_sign(v),
        "\"Subnormal values for inputs a and b are flushed to zero before conversion\" (PTX ISA \
         9.7.10.24, `.scaled::n1`) does not say that the zero has their sign, as it does of `.ftz`";
    /// Whether saturated fixed point reaches its lowest number.
    FixedMinimum = "fixed-minimum", ["symmetric", "lowest"],
        |v| to(v) == FormatId::S2f6 && v.meaning().clamp != Clamp::Positive,
        "\"sign-preserved MAX_NORM\" of a two's complement format may be its lowest number, the \"Negative max \
         representation\" of PTX ISA 5.2.4, or the negative of its largest";
    /// Whether a result beyond the largest number overflows where it is rounded to the largest number.
    OverflowBoundary = "overflow-boundary", ["after rounding", "before rounding", "rounded without limit"],
        |v| overflows(v) && !is_of_powers(v) && v.can_round_to_largest(),
        "the manual does not say of results without `.satfinite` whether overflow is decided by the \
         rounded result, or by the exact one being \"greater than MAX_NORM\", as with `.satfinite`: what \
         is rounded to the largest number from beyond it is that, or what stands for overflow. As IEEE \
         754 has it, rounding towards zero never leaves the largest number; as OCP OFP8 has it, a number \
         is rounded as if there were larger ones, and compared with the largest then";
    /// Which value stands for a number that is too large, where PTX has no words about it.
    OverflowResult = "overflow-result", ["special", "largest"],
        overflows_unsaid,
        "the manual says what a result beyond MAX_NORM is with `.satfinite`, and for e5m2, for ue5m3 and \
         for 8-bit words of several devices not what it is without: infinity, or NaN where there is none, as \
         OCP OFP8 has it for e4m3 and e5m2, or the largest number";
    /// Which value stands for infinity where infinity may be taken for a number that is too large, and PTX has no words
    /// about it.
    InfinityResult = "infinity-result", ["special", "largest"],
        infinity_unsaid,
        "with `.satfinite` infinity is MAX_NORM, like any number beyond it; what it is without is not said of ue5m3, \
         which has NaN and no infinity, nor of e5m2 where \".acc::f16\" \"[c]hanges precision to .f16\" (PTX ISA \
         9.7.10.15), in which most sums that are too large are infinite, too: it need not be what a number is that is \
         too large";
    /// Which result a number beyond f16's largest has where random bits say to round toward zero.
    RandomOverflow = "random-overflow", ["infinity", "by the carry"],
        |v| random(v).is_some() && to(v) == FormatId::F16 && !v.meaning().satfinite,
        "\".rs\" rounds \"in the direction toward zero or away from zero based on the carry out\" (PTX ISA \
         9.7.10.24), and nothing is said of numbers that are too large: they are infinity, or where nothing \
         carries, as IEEE 754 has it toward zero, the largest number";
    /// How near an approximate function comes outside the ranges that have a bound.
    UnstatedAccuracy = "unstated-accuracy", ["best effort"],
        unstated,
        "the manual's error bounds hold in stated ranges; elsewhere results may be inaccurate; that they \
         are not NaN, of the wrong sign, or beyond what the function's values are, is the suite's minimum";
    /// Whether a relative bound holds for results that cannot be so near, because they are subnormal.
    SubnormalAccuracy = "subnormal-accuracy", ["within the bound", "within a unit"],
        |v| !v.is_exact() && v.meaning().op == Op::Ex2 && to(v) == FormatId::F16,
        "\"The maximum relative error for .f16 type is 2^-9.9\" cannot be met by rounding to a \
         subnormal number: what lies within a unit in the last place is taken for as near";
    /// Which result a negative subnormal input gives where the function has no value for negative numbers.
    NegativeSubnormal = "negative-subnormal", ["nan", "zero"],
        takes_negative_subnormals,
        "the table of special inputs has NaN for \"-normal\" and another result for \"-0.0\", and no \
         row for negative subnormal inputs, which \"are supported\"";
    /// Whether a NaN whose payload lies in the lower half counts as a NaN to an instruction that ignores that half.
    UpperHalfNan = "upper-half-nan", ["infinity", "nan"],
        |v| v.meaning().upper_half,
        "\"ignore the least-significant 32 bits of a\" (PTX ISA 9.7.3.14) leaves an infinity of a NaN \
         with a payload in these bits alone, and \"Input NaNs map to a canonical NaN\"";
    /// Whether a bound that reaches beyond the largest number allows infinity, and a bound around infinity allows
    /// numbers.
    BoundOverflow = "bound-overflow", ["finite", "infinite"],
        overflows_by_bound,
        "\"the maximum ulp error is 2\" (PTX ISA 9.7.3.8), \"2 ulp from correctly rounded result\" \
         (9.7.3.21) and their like do not say how far infinity is from a number: whether it is 2^128 where \
         the exact value is that near to it, and whether the largest numbers are right where infinity is \
         the correctly rounded result";
    /// Which result zero gives when it is divided by a number whose reciprocal is infinite.
    ZeroDividend = "zero-dividend", ["zero", "nan"],
        |v| divides_by_reciprocal(v) && !v.meaning().flush.inputs[1],
        "`div.approx.f32` is \"computed as d = a * (1/b)\" (PTX ISA 9.7.3.8): by that, 0 / b is 0 * inf where b is at most \
         2^-128, and of such divisors the manual states no error";
    /// Whether `.ftz` flushes an approximate result by its exact value or by its approximate one.
    GrossTininess = "gross-tininess", ["exact", "approximate"],
        |v| !v.is_exact() && v.meaning().op == Op::Rcp && to(v) == FormatId::F64,
        "\"a fast, gross approximation to reciprocal\" and \"subnormal … results are flushed\" (PTX ISA \
         9.7.3.14) do not say how near 2^-1022 an exact value is whose approximation lies on the other \
         side; the suite takes a relative 2^-8, \"one part in 256\", which the coarsest estimate among \
         processors' instructions has (fres of PowerPC)";
    /// Whether subnormal data are flushed as in a word in global memory, where they form a vector there or lie
    /// elsewhere: in a word of several devices or behind a handle, or in an element of a tensor.
    VectorFlush = "vector-flush", ["flushed", "kept"],
        |v| v.meaning().flush.open && v.is_of_memory(),
        "\"The atom.add.f32 [red.add.f32] operation without .noftz, flushes subnormal inputs and results to sign-preserving zero \
         on global memory\" (PTX ISA 9.7.15.5, 9.7.15.6) is said of a word, not plainly of vectors of f32, and of \
         `multimem`, of `fabric` and of tensors no sentence is (9.7.10.15, 9.7.11.5, 9.7.10.28.5.4), but that a tensor's map tells \
         `.f32` and `.f32.ftz` apart (9.7.10.29)";
    /// Which of a number and a NaN is the smaller or larger, among words that are reduced in bulk, on several devices,
    /// behind a handle or in tensor memory.
    MemoryNan = "memory-nan", ["number", "nan"],
        |v| extremum_in_memory(v).is_some_and(|extremum| !extremum.propagates_nan),
        "of `.min` and `.max` of bulk reductions, of `multimem.ld_reduce`, of `fabric` and of `tcgen05.ld.red` the manual \
         says for which types they are (PTX ISA 9.7.10.28, 9.7.10.15, 9.7.11.5, 9.7.18.8.3), and nothing of NaN without \
         `.NaN`: that the number is the result, as with `min`, `max`, `atom` and `red`, or NaN, as with `min.NaN` and \
         `max.NaN`, are two interpretations";
    /// Whether −0 is smaller than +0 in memory.
    MemoryZero = "memory-zero", ["ordered", "word", "operand"],
        |v| extremum_in_memory(v).is_some_and(|extremum| !extremum.of_magnitudes),
        "that −0 is smaller than +0 is said of `min` and `max` (PTX ISA 9.7.4.7, 9.7.4.8), and not of bulk reductions, \
         `multimem.ld_reduce`, `fabric` and `tcgen05.ld.red` (9.7.10.28, 9.7.10.15, 9.7.11.5, 9.7.18.8.3): zeros of both signs may be equal, \
         and then the first of the two stay, or the second take its place";
    /// Which of two threads that change one word comes first.
    ThreadOrder = "thread-order", ["b first", "c first"],
        Variant::is_of_two_threads,
        "two threads' operations on one word are \"performed atomically with respect to each other\" (PTX ISA \
         9.7.15.6), and in which order is not said: sums that are rounded may differ by it";
    /// Which of three devices' words is added last.
    DeviceOrder = "device-order", ["c last", "b last", "a last"],
        Variant::is_of_three_devices,
        "`multimem.ld_reduce` reduces \"the values loaded from all the memory locations\" (PTX ISA 9.7.10.15), and in which \
         order is not said: sums that are rounded may differ by it";
    /// Whether an intermediate sum is flushed where inputs and results are.
    IntermediateFlush = "intermediate-flush", ["flushed", "kept"],
        |v| v.is_of_three_devices() && v.meaning().flush.open,
        "\"flushes subnormal inputs and results\" is said of the sum of two (PTX ISA 9.7.15.5, 9.7.15.6); of three words that \
         several devices have (9.7.10.15) the sum of the first two is neither, or it is a result like any other";
    /// Whether the last sum is rounded to the accumulator's format before it is rounded to the result's.
    AccumulatorRounding = "accumulator-rounding", ["twice", "once"],
        |v| v.is_of_three_devices() && v.meaning().accumulator.is_some(),
        "`.acc::f32` and `.acc::f16` \"change the precision of intermediate accumulation\" (PTX ISA 9.7.10.15): whether the \
         last sum is such an intermediate one, and rounded to that precision before it is rounded to the result's, is not \
         said";
}

impl Relaxation {
    /// Whether the choice is how to read a sentence, so that an implementation reads it one way throughout. Other
    /// choices may differ from one result to the next, such as which NaN a result is, how near it comes, and what
    /// stands in unused bits.
    pub const fn is_of_sentence(self) -> bool {
        !matches!(
            self,
            Relaxation::AnyNan
                | Relaxation::NanPayload
                | Relaxation::CastNan
                | Relaxation::Tf32Layout
                | Relaxation::UnstatedAccuracy
                | Relaxation::SubnormalAccuracy
                | Relaxation::BoundOverflow
                | Relaxation::GrossTininess
                | Relaxation::ThreadOrder
                | Relaxation::DeviceOrder
        )
    }

    /// Returns the set of interpretations that an answer in a report agrees with, such as `exact or unbounded`: bit 0
    /// stands for the first of [`Self::interpretations`].
    pub fn interpretations_of(self, answer: &str) -> u8 {
        let number = |name: &str| self.interpretations().iter().position(|known| *known == name);
        answer.split(" or ").filter_map(number).fold(0, |set, number| set | 1 << number)
    }
}
