//! The conditions under which choices arise in a variant.

use formats::{Class, Format, FormatId, Scale};

use crate::{
    Bound, Clamp, Contract, Conversion, Extremum, LaneData, Modifier, Op, Operation, RandomFields,
    Rounding, Scaling, Site, Variant,
};

/// Returns the identity of the result's format.
pub fn to(variant: &Variant) -> FormatId {
    format(variant).id
}

/// Returns the result's format.
pub fn format(variant: &Variant) -> &'static Format {
    variant.outputs()[0].format
}

/// Whether the result is a number of a floating-point format, scales included.
pub fn is_float(variant: &Variant) -> bool {
    !format(variant).is_fixed()
}

/// Whether the result's format has nothing but powers of two.
pub fn is_of_powers(variant: &Variant) -> bool {
    format(variant).scale == Scale::Power
}

/// Whether the variant is a cast: no version of PTX has it.
pub fn is_cast(variant: &Variant) -> bool {
    variant.form().since.is_empty()
}

/// Whether a result may be NaN, and might be another NaN as well.
pub fn some_nan(variant: &Variant) -> bool {
    let nans = format(variant).nan().is_some() && variant.meaning().clamp != Clamp::Unit;
    nans && computes(variant) && !canonical(variant)
}

/// Returns the extremum of a variant that gives the smaller or larger of words in memory, where the manual does not
/// say that it is the one of `min` and `max`, which it says for `atom` and `red`; `None` elsewhere.
pub fn extremum_in_memory(variant: &Variant) -> Option<Extremum> {
    let unsaid = matches!(variant.site(), Site::Bulk | Site::Copies { .. } | Site::TensorMemory)
        || variant.is_elsewhere();
    match variant.meaning().op {
        Op::Extremum(extremum) if unsaid => Some(extremum),
        _ => None,
    }
}

/// Whether the variant's words are in memory elsewhere or in a tensor, and its section says neither how sums are
/// rounded nor what is flushed. The section of bulk reductions on several devices says both.
pub fn is_unsaid(variant: &Variant) -> bool {
    let said = variant.operation() == Operation::Multimem && variant.site() == Site::Bulk;
    (variant.is_elsewhere() || variant.is_of_tensor_map()) && !said
}

/// Whether a NaN result is "canonical", and the manual prints a NaN of the result's type anywhere.
pub fn canonical(variant: &Variant) -> bool {
    let propagates = matches!(variant.meaning().op, Op::Extremum(e) if e.propagates_nan);
    // A format with one NaN has no other that could be open.
    let printed = format(variant).has_one_nan()
        || matches!(to(variant), FormatId::F16 | FormatId::Bf16 | FormatId::F32 | FormatId::F64);
    // "the result will be canonical NaN when all inputs are NaNs" (9.7.15.13), whatever the modifiers.
    variant.site() == Site::Warp || propagates || variant.meaning().clamp == Clamp::Positive && printed
}

/// Whether the variant makes a NaN of its own, and does not only move or test the NaN that it is given.
pub fn computes(variant: &Variant) -> bool {
    let meaning = variant.meaning();
    let moves = matches!(meaning.op, Op::Copysign | Op::Select | Op::Test(_) | Op::Compare(_));
    // "NaN input is passed through unchanged" is said of `abs.f64` (9.7.3.9).
    let unchanged = meaning.op == Op::Abs && to(variant) == FormatId::F64;
    let from_integer = variant.is_from_integer() && !overflows_to_nan(variant);
    // A reciprocal is NaN only where its operand is, and 9.7.3.14 prints that NaN. A root may be NaN of a number.
    let one_nan = meaning.upper_half && meaning.op == Op::Rcp;
    !(moves || unchanged || from_integer || one_nan)
}

/// Whether a NaN may lose the payload that makes it one: with `.rna` to tf32, and without `.satfinite`.
pub fn truncates_nan(variant: &Variant) -> bool {
    let away = variant.meaning().rounding == Rounding::NearestAway;
    away && to(variant) == FormatId::Tf32 && !variant.meaning().satfinite
}

/// Whether the result may be −0: its format has a sign, and the operand is no fixed-point number, which has one zero.
pub fn has_zero_sign(variant: &Variant) -> bool {
    format(variant).signed && !variant.inputs()[0].format.is_fixed()
}

/// Whether a result below the smallest normal number can be rounded up to it, and `.ftz` makes that matter. A sum below
/// that number is exact, and a reciprocal there is never so near to it that `.rn` carries it up.
pub fn tininess(variant: &Variant) -> bool {
    use Rounding::{Down, TowardZero, Up};
    let meaning = variant.meaning();
    let f16_as_f32 = mixed_ftz(variant);
    let carried = match meaning.op {
        op if op.multiplies() => true,
        Op::Div => true,
        Op::Rcp => matches!(meaning.rounding, Down | Up),
        Op::Convert(Conversion::Rounded) => variant.inputs()[0].format.id == FormatId::F64,
        _ => false,
    };
    let rounds = meaning.flush.result && meaning.rounding != TowardZero;
    variant.is_exact() && rounds && carried && !f16_as_f32
}

/// Whether `.ftz` is said of an instruction that takes f32 and gives f16.
pub fn mixed_ftz(variant: &Variant) -> bool {
    let from_single = variant.inputs()[0].format.id == FormatId::F32;
    variant.meaning().flush.result && to(variant) == FormatId::F16 && from_single
}

/// Whether a subnormal input is flushed before it is divided by a scale.
pub fn scaled_down(variant: &Variant) -> bool {
    let divides = variant.meaning().scale == Some(Scaling::Divide);
    divides && variant.meaning().flush.inputs[0]
}

/// Whether a result of −0 differs from +0: the format has both, and neither a clamp nor `.pzo` takes the sign away.
pub fn shows_sign(variant: &Variant) -> bool {
    let meaning = variant.meaning();
    format(variant).class(format(variant).sign_mask()) == Class::Zero
        && format(variant).signed
        && meaning.clamp == Clamp::None
        && !meaning.positive_zero
}

/// Whether a number that may be negative is converted to a floating-point format without a sign: a floating-point one, or
/// an integer by a cast.
pub fn unsigned(variant: &Variant) -> bool {
    let (to, source) = (format(variant), variant.inputs()[0].format);
    let signed = !source.is_fixed() || is_cast(variant) && source.signed;
    variant.converts() && !to.signed && to.scale != Scale::Fixed && signed
}

/// Whether a result can be too large for an 8-bit format, and nothing says that it becomes the largest number.
pub fn overflows(variant: &Variant) -> bool {
    // In smaller formats of the table all encodings are numbers, and what is too large is the largest.
    let narrow = format(variant).width() == 8 || matches!(to(variant), FormatId::Own(_));
    let narrow = narrow && is_float(variant);
    narrow && !variant.meaning().satfinite && is_rounded(variant) && reaches(variant)
}

/// Whether a number that is too large becomes NaN, because the format has no infinity.
pub fn overflows_to_nan(variant: &Variant) -> bool {
    overflows(variant) && format(variant).infinity().is_none()
}

/// Whether the result is converted to a narrower format, or computed.
pub fn is_rounded(variant: &Variant) -> bool {
    let source = variant.inputs()[0].format;
    !variant.converts() || source.width() > 8 || source.is_integer()
}

/// Whether a NaN is cast to a format in which all encodings are numbers.
pub fn nan_is_cast(variant: &Variant) -> bool {
    let source = variant.inputs()[0].format;
    is_cast(variant) && is_float(variant) && format(variant).nan().is_none() && source.nan().is_some()
}

/// Whether a cast to a format without zero and sign does not saturate.
pub fn is_cast_to_powers(variant: &Variant) -> bool {
    is_cast(variant) && is_of_powers(variant) && !variant.meaning().satfinite
}

/// Whether a number or an infinity can be too large for the result's format.
pub fn reaches(variant: &Variant) -> bool {
    variant.can_overflow() || format(variant).infinity().is_none() && may_be_infinite(variant)
}

/// Whether nothing says which result stands for a number that is too large for an 8-bit format.
pub fn overflows_unsaid(variant: &Variant) -> bool {
    let unsaid = matches!(to(variant), FormatId::E5m2 | FormatId::Ue5m3) || variant.is_elsewhere();
    !is_cast(variant) && overflows(variant) && unsaid && variant.can_overflow()
}

/// Whether nothing says which result stands for infinity in an 8-bit format.
pub fn infinity_unsaid(variant: &Variant) -> bool {
    let unsaid = to(variant) == FormatId::Ue5m3 || variant.has(Modifier::AccF16);
    unsaid && overflows(variant) && may_be_infinite(variant)
}

/// Whether the variant multiplies by a scale, and saturates a product that is too large.
pub fn scaled_beyond(variant: &Variant) -> bool {
    let meaning = variant.meaning();
    // From s2f6 only a negative number can be too large.
    let positive = variant.inputs()[0].format.is_fixed() && meaning.clamp == Clamp::Positive;
    meaning.scale == Some(Scaling::Multiply) && meaning.satfinite && !positive
}

/// Whether an operand may be infinite.
pub fn may_be_infinite(variant: &Variant) -> bool {
    let infinite = |input: &LaneData| input.format.infinity().is_some();
    variant.inputs().iter().any(infinite)
}

/// Whether an exact value may be infinite when correctly rounded, and yet lie within its bound of a number.
pub fn overflows_by_bound(variant: &Variant) -> bool {
    let meaning = variant.meaning();
    let may = match meaning.op {
        Op::Div | Op::Ex2 => true,
        // 2^-128 is subnormal.
        Op::Rcp => to(variant) == FormatId::F32 && !meaning.flush.inputs[0],
        _ => false,
    };
    !variant.is_exact() && may
}

/// Whether the variant approximates a function of positive numbers, and takes negative subnormal operands.
pub fn takes_negative_subnormals(variant: &Variant) -> bool {
    let meaning = variant.meaning();
    let of_positive = matches!(meaning.op, Op::Sqrt | Op::Rsqrt | Op::Lg2);
    !variant.is_exact() && of_positive && !meaning.flush.inputs[0]
}

/// Whether the variant divides by multiplying with a reciprocal, so that ranges of its divisor differ in their bounds.
pub fn divides_by_reciprocal(variant: &Variant) -> bool {
    let Contract::Within(accuracy) = variant.form().contract else { return false };
    variant.meaning().op == Op::Div && accuracy.ranges.len() > 1
}

/// Returns how random bits are dealt to lanes, or `None` where the variant has none.
pub fn random(variant: &Variant) -> Option<RandomFields> {
    match variant.meaning().op {
        Op::Convert(Conversion::Stochastic(random)) => Some(random.fields),
        _ => None,
    }
}

/// Whether the manual states no bound for a range of the variant's operands.
pub fn unstated(variant: &Variant) -> bool {
    let Contract::Within(accuracy) = variant.form().contract else { return false };
    accuracy.ranges.iter().any(|range| matches!(range.bound, Bound::Unstated(_)))
}

/// Whether a bound of the variant is stated in units in the last place.
pub fn in_units(variant: &Variant) -> bool {
    let Contract::Within(accuracy) = variant.form().contract else { return false };
    accuracy.ranges.iter().any(|range| matches!(range.bound, Bound::Ulp(_)))
}
