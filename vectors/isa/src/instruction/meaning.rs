//! The meaning of a variant, decoded once from its row, its types and its modifiers.
//!
//! Code that computes a variant reads its [`Meaning`]. Modifiers themselves are read only here, and where variants are
//! spelled, listed and held against an assembler. A modifier's meaning differs between sections of the manual: the row
//! names the sentence that applies.

use formats::{Class, Format, FormatId};

use super::form::{Form, Ftz};
use super::modifier::{Modifier, Rounding};
use super::operation::Op;
use super::signature::LaneSignature;

/// The meaning of a variant: the operation of a lane, which inputs' bits it reads, and how its result is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The operation that each lane computes.
    pub op: Op,
    /// How the result is rounded; without a rounding modifier, to nearest even.
    pub rounding: Rounding,
    /// Which subnormal numbers count as the zero of their sign.
    pub flush: Flush,
    /// The interval that a floating-point result is clamped to.
    pub clamp: Clamp,
    /// `.satfinite`: whether a result beyond the largest finite number becomes that, with its sign.
    pub satfinite: bool,
    /// `.pzo`: whether a result of −0 becomes +0.
    pub positive_zero: bool,
    /// `.oob`: whether the result is +0 where a multiplicand is the out-of-bounds NaN.
    pub out_of_bounds: bool,
    /// The rule for a result that is not a number.
    pub nan: NanRule,
    /// How the power of two in the second input scales the first input; `None` without a scale.
    pub scale: Option<Scaling>,
    /// The input that is converted to the result's format before it is computed with: "Converts input operands, while
    /// performing multiplication, a and c to dtype" (9.7.5.4).
    pub converted: Option<usize>,
    /// `.acc::f32`, `.acc::f16`: the format of sums on the way to the result, where it is not the result's: "Changes
    /// precision to" (9.7.10.15).
    pub accumulator: Option<&'static Format>,
    /// Whether the lower halves of input and result are left out: the low 32 bits of the input are
    /// ignored, those of the result are zero (9.7.3.14, 9.7.3.17).
    pub upper_half: bool,
}

/// Which subnormal numbers become the zero of their sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flush {
    /// Whether each of a lane's inputs is flushed where it is subnormal; `false` for inputs that the lane lacks.
    pub inputs: [bool; 3],
    /// Whether a computed result is flushed where it is subnormal.
    pub result: bool,
    /// Whether the manual leaves this flushing open. It does for a conversion with `.ftz`
    /// ([`Relaxation::FtzIgnored`](crate::Relaxation::FtzIgnored)), and where a sentence about a word in memory does
    /// not speak of vectors ([`Relaxation::VectorFlush`](crate::Relaxation::VectorFlush)).
    pub open: bool,
}

/// The interval that results are clamped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamp {
    /// No clamping.
    None,
    /// `.sat`: "clamps the result to [0.0, 1.0]. NaN results are flushed to +0.0" (9.7.3.3).
    Unit,
    /// `.relu`: "clamps the result to 0 if negative. NaN result is converted to canonical NaN" (9.7.4.4).
    Positive,
}

/// The rule for a result that is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanRule {
    /// The canonical NaN of its format, or what [`Relaxation::AnyNan`](crate::Relaxation::AnyNan)
    /// accepts in its place.
    Canonical,
    /// The operand, with its sign changed like a number's: the first interpretation of an "unspecified NaN" (9.7.3.10:
    /// f64).
    Operand,
    /// The NaN operand as it is, sign included (9.7.3.9: f64).
    Unchanged,
    /// The given canonical NaN of f64, bit for bit, where an operand is NaN (9.7.3.14, 9.7.3.17).
    Canonical64(u64),
    /// The given bits, which stand for a number: the format has no NaN.
    Bits(u64),
}

/// How a conversion applies its scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// The operand is divided by the scale before it is rounded.
    Divide,
    /// The operand is multiplied by the scale before it is rounded.
    Multiply,
}

/// A set of classes of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassMask(u8);

impl ClassMask {
    /// Builds the set of the given classes.
    pub const fn of(classes: &[Class]) -> ClassMask {
        let (mut mask, mut at) = (0, 0);
        while at < classes.len() {
            mask |= 1 << classes[at] as u8;
            at += 1;
        }
        ClassMask(mask)
    }

    /// Whether the set contains a class.
    pub const fn contains(self, class: Class) -> bool {
        self.0 >> class as u8 & 1 == 1
    }
}

/// The selection of the smaller or the larger of numbers, where −0 is smaller than +0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extremum {
    /// Whether the larger number is selected, and not the smaller.
    pub largest: bool,
    /// `.NaN`: whether the result is NaN where one operand is; otherwise it is the other operand.
    pub propagates_nan: bool,
    /// `.abs`, `.xorsign.abs`: whether magnitudes are compared, and the result is one of the magnitudes.
    pub of_magnitudes: bool,
    /// `.xorsign.abs`: whether the selected magnitude gets the product of the operands' signs.
    pub with_product_of_signs: bool,
}

/// A relation between two numbers, combined with a predicate or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// The relation that is tested between the two numbers.
    pub relation: Relation,
    /// How the outcome is combined with the predicate that is the third operand; `None` without a predicate.
    pub combination: Option<Combination>,
}

/// A relation between two data: for each way that they can compare, whether it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    /// Whether the relation holds where the first datum is less.
    pub less: bool,
    /// Whether the relation holds where the data are equal; zeros of any sign are equal.
    pub equal: bool,
    /// Whether the relation holds where the first datum is greater.
    pub greater: bool,
    /// Whether the relation holds where at least one of the data is NaN.
    pub unordered: bool,
}

/// The logical operation that joins a comparison and a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combination {
    /// True where both the comparison and the predicate hold.
    And,
    /// True where the comparison or the predicate holds.
    Or,
    /// True where the comparison and the predicate differ.
    Xor,
}

/// How a conversion arrives at a number of its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Rounding to a floating-point number.
    Rounded,
    /// Rounding to an integer, kept in a floating-point format.
    Integral,
    /// Rounding to a floating-point number by random bits.
    Stochastic(RandomBits),
    /// Rounding to a multiple of the unit of an integer or other fixed-point format, clamped to that format's range.
    Fixed,
}

/// Where each lane finds its random bits in the register that all lanes share (9.7.10.24, figures).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RandomBits {
    /// The number of random bits that are added to the bits that rounding discards.
    pub count: u32,
    /// How the register is dealt to lanes.
    pub fields: RandomFields,
}

/// How the 32 random bits of a register are dealt to lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RandomFields {
    /// Two lanes: each gets the low bits of its own half of the register.
    Halves,
    /// Four lanes: each pair of lanes gets one half of the register, which one lane of the pair reads in reverse
    /// ([`Relaxation::RandomLayout`](crate::Relaxation::RandomLayout)).
    PairsOfHalves,
    /// Four lanes: each pair of lanes gets every other byte, which one lane of the pair reads in reverse.
    PairsOfBytes,
}

impl Meaning {
    /// Decodes the meaning of one choice of a row's types and modifiers.
    pub(super) fn of(form: &Form, signature: &LaneSignature, modifiers: &[Modifier]) -> Meaning {
        let has = |modifier| modifiers.contains(&modifier);
        let result = signature.outputs[0].format;
        let op = Op::of(form.operation, signature, modifiers);
        let (divides, multiplies) = (has(Modifier::ScaledDown), has(Modifier::ScaledUp));
        Meaning {
            op,
            rounding: modifiers.iter().find_map(|m| m.rounding()).unwrap_or(Rounding::NearestEven),
            flush: flush(form, signature, has(Modifier::Ftz), divides),
            clamp: match () {
                // Integers are clamped to their range with `.sat` and without it.
                () if has(Modifier::Sat) && !result.is_fixed() => Clamp::Unit,
                () if has(Modifier::Relu) => Clamp::Positive,
                () => Clamp::None,
            },
            satfinite: has(Modifier::Satfinite),
            positive_zero: has(Modifier::Pzo),
            out_of_bounds: has(Modifier::Oob),
            nan: match op {
                Op::Convert(_) if result.nan().is_none() => {
                    NanRule::Bits(nan_as_number(signature.inputs[0].format, result))
                }
                _ => form.nan,
            },
            scale: match () {
                // "scaled::n2" divides on the way to s2f6, and multiplies on the way back.
                () if divides || multiplies && result.is_fixed() => Some(Scaling::Divide),
                () if multiplies => Some(Scaling::Multiply),
                () => None,
            },
            converted: form.converted,
            accumulator: match () {
                () if has(Modifier::AccF32) => Some(&formats::F32),
                () if has(Modifier::AccF16) => Some(&formats::F16),
                () => None,
            },
            upper_half: form.upper_half,
        }
    }
}

/// Returns how a conversion with the given modifiers arrives at a number of its destination.
pub(super) fn conversion(signature: &LaneSignature, modifiers: &[Modifier]) -> Conversion {
    let result = signature.outputs[0].format;
    if result.is_fixed() {
        return Conversion::Fixed;
    }
    if modifiers.contains(&Modifier::Rs) {
        // All that f32 has below the result's last place, but no more than a field holds.
        let count = (formats::F32.trailing_bits - result.trailing_bits).min(16);
        let fields = match (signature.lanes(), result.id == FormatId::E2m1) {
            (2, _) => RandomFields::Halves,
            (_, false) => RandomFields::PairsOfHalves,
            (_, true) => RandomFields::PairsOfBytes,
        };
        return Conversion::Stochastic(RandomBits { count, fields });
    }
    match modifiers.iter().any(|modifier| modifier.is_integral()) {
        true => Conversion::Integral,
        false => Conversion::Rounded,
    }
}

/// Returns which inputs and results are flushed, by the row's sentence about `.ftz`. A conversion that divides by its
/// scale flushes without `.ftz`: "Subnormal values for inputs a and b are flushed to zero before conversion"
/// (9.7.10.24).
fn flush(form: &Form, signature: &LaneSignature, ftz: bool, divides: bool) -> Flush {
    let (inputs, result) = (&signature.inputs, signature.outputs[0].format);
    let unasked = matches!(form.ftz, Ftz::GlobalMemory | Ftz::GlobalVector);
    let ftz = ftz || unasked;
    let flushed = |number: usize, format: &Format| match form.ftz {
        Ftz::InputsAndResult | Ftz::Inputs | Ftz::GlobalMemory | Ftz::GlobalVector => true,
        Ftz::Input(only) => number == only,
        Ftz::SinglePrecision => format.id == FormatId::F32,
        Ftz::Open => number == 0,
    };
    let input = |number: usize| {
        let format = inputs.get(number)?.format;
        // What is divided is flushed whatever `.ftz` says.
        Some(divides && number == 0 || ftz && flushed(number, format) && format.has_subnormals())
    };
    Flush {
        inputs: std::array::from_fn(|number| input(number).unwrap_or(false)),
        result: ftz
            && match form.ftz {
                Ftz::InputsAndResult | Ftz::GlobalMemory | Ftz::GlobalVector => result.has_subnormals(),
                Ftz::SinglePrecision => result.id == FormatId::F32,
                Ftz::Inputs | Ftz::Input(_) | Ftz::Open => false,
            },
        open: ftz && matches!(form.ftz, Ftz::Open | Ftz::GlobalVector),
    }
}

/// Returns the bits that NaN is converted to in a format that has only numbers. For integers that is "zero if source is
/// not .f64 and destination is not .s64, .u64; otherwise 1 << (BitWidth(dst) - 1)", for other formats "positive
/// MAX_NORM" (9.7.10.24).
fn nan_as_number(source: &Format, result: &Format) -> u64 {
    let of_64_bits = source.id == FormatId::F64 || matches!(result.id, FormatId::S64 | FormatId::U64);
    match (result.is_integer(), of_64_bits) {
        (false, _) => result.max_finite(),
        (true, true) => 1 << (result.width() - 1),
        (true, false) => 0,
    }
}
