//! Tests and look-ups that say which variants have what a fault is about.

use formats::{Class, Format, Scale, Specials};
use isa::{
    Clamp, Conversion, Extremum, NanRule, Op, RandomBits, RandomFields, Relation, Rounding, Variant,
};

/// Returns the format of a lane's result.
pub fn to(variant: &Variant) -> &'static Format {
    variant.outputs()[0].format
}

/// Whether a variant decodes its inputs to numbers that it computes with.
pub fn decodes(variant: &Variant) -> bool {
    variant.is_arithmetic() || variant.converts()
}

/// Whether a variant gives a word of memory as it was before.
pub fn gives_original(variant: &Variant) -> bool {
    variant.lane_signature().original().is_some()
}

/// Whether a word in memory that changes has several elements.
pub fn word(variant: &Variant) -> bool {
    variant.is_in_memory() && variant.lanes() > 1
}

/// Whether half of a word in memory that changes has several elements.
pub fn wide_word(variant: &Variant) -> bool {
    variant.is_in_memory() && variant.lanes() > 2
}

/// Whether the result that a variant makes of words in memory has several elements.
pub fn elements(variant: &Variant) -> bool {
    variant.is_of_memory() && variant.lanes() > 1
}

/// Whether some input is flushed.
pub fn input_flushed(variant: &Variant) -> bool {
    variant.meaning().flush.inputs.contains(&true)
}

/// Whether some input may be subnormal and is not flushed, where its value matters.
pub fn input_kept(variant: &Variant) -> bool {
    // An operation that only moves bits has no stage that decodes them.
    let first = match variant.meaning().op {
        Op::Copysign | Op::Test(_) => return false,
        Op::Select => 2,
        _ => 0,
    };
    let inputs = variant.inputs().iter().zip(variant.meaning().flush.inputs).skip(first);
    inputs.into_iter().any(|(input, flushed)| input.format.has_subnormals() && !flushed)
}

/// Whether some input is narrower than the result.
pub fn narrow(variant: &Variant) -> bool {
    let narrow = |format: &Format| format.has_subnormals() && format.width() < to(variant).width();
    variant.inputs().iter().any(|input| narrow(input.format))
}

/// Whether a format without infinity has numbers with the highest exponent.
pub fn top_exponent_is_finite(format: &Format) -> bool {
    format.has_subnormals() && format.specials != Specials::Ieee
}

/// Whether a variant decodes an input of a format without infinity that has a NaN, whose encoding stands where a number
/// could. A scale is no such input.
pub fn nan_of_numbers(variant: &Variant) -> bool {
    let inputs = variant.inputs();
    let decoded = if variant.meaning().scale.is_some() { &inputs[..1] } else { inputs };
    let nan = |format: &Format| format.specials != Specials::Ieee && format.nan().is_some();
    decodes(variant) && decoded.iter().any(|input| nan(input.format))
}

/// Whether a variant converts from an IEEE format, and the binade above the largest numbers of that format lies within
/// the result's.
pub fn specials_widen(variant: &Variant) -> bool {
    let (from, to) = (variant.inputs()[0].format, to(variant));
    let above = match to.is_fixed() {
        true => from.exponent_max() + 1 < to.width() as i32 - i32::from(to.signed),
        false => from.exponent_max() < to.exponent_max(),
    };
    variant.converts() && from.specials == Specials::Ieee && !from.is_fixed() && above
}

/// Whether a variant converts from unsigned integers of more than `bits` bits to floats, the largest ones without
/// overflow.
pub fn unsigned_beyond(variant: &Variant, bits: u32) -> bool {
    let (from, to) = (variant.inputs()[0].format, to(variant));
    let floats = !to.is_fixed() && from.width() as i32 - 1 <= to.exponent_max() && !saturated(variant);
    variant.is_from_integer() && !from.signed && floats && from.width() > bits
}

/// Whether a result that is rounded up may have a higher exponent than before, and a significand of zeros.
pub fn carries(variant: &Variant) -> bool {
    let floating = to(variant).scale == Scale::Floating && !variant.is_integral();
    rounded(variant) && floating && variant.meaning().rounding != Rounding::TowardZero
}

/// Whether results are rounded to nearest, and overflow where they are too large.
pub fn overflows_to_nearest(variant: &Variant) -> bool {
    nearest(variant) && overflows(variant) && !variant.meaning().satfinite
}

/// Whether a variant computes floats of either sign, and gives them as they are.
pub fn shows_sign(variant: &Variant) -> bool {
    let natural = variant.is_from_integer() && !variant.inputs()[0].format.signed;
    let floats = to(variant).scale == Scale::Floating && to(variant).signed;
    decodes(variant) && floats && !natural && variant.meaning().clamp == Clamp::None
}

/// Whether it matters which of the first two operands is the first.
pub fn ordered(variant: &Variant) -> bool {
    let inputs = variant.inputs();
    let alike = inputs.len() > 1 && inputs[0].format == inputs[1].format;
    let order = match variant.meaning().op {
        Op::Sub | Op::Div | Op::Copysign | Op::Select => true,
        _ => by_order(variant),
    };
    alike && order && variant.is_exact()
}

/// Whether results are floats with a sign of zero that shows, and some of them may be −0. Roots and integral numbers are
/// left out: they are zero only where an operand is, or where a number is rounded to an integral one.
pub fn shows_zero_sign(variant: &Variant) -> bool {
    let signed = to(variant).signed && to(variant).specials != Specials::NanNegativeZero;
    let floats = to(variant).scale == Scale::Floating && !variant.inputs()[0].format.is_fixed();
    let from = variant.inputs()[0].format;
    let never = !from.signed || from.specials == Specials::NanNegativeZero && widens(variant);
    let other = variant.is_integral() || variant.meaning().op == Op::Sqrt || variant.converts() && never;
    let clamped = variant.meaning().clamp != Clamp::None || variant.meaning().positive_zero;
    decodes(variant) && signed && floats && !other && !clamped
}

/// Whether an exact variant adds.
pub fn sums(variant: &Variant) -> bool {
    variant.is_exact() && variant.meaning().op.adds()
}

/// Whether an exact variant multiplies.
pub fn products(variant: &Variant) -> bool {
    variant.is_exact() && variant.meaning().op.multiplies()
}

/// Whether an exact variant multiplies and adds in one operation.
pub fn fused(variant: &Variant) -> bool {
    variant.is_exact() && variant.meaning().op == Op::Fma
}

/// Whether all inputs have the format of the result.
pub fn of_one_format(variant: &Variant) -> bool {
    variant.inputs().iter().all(|input| input.format == to(variant))
}

/// Whether an exact variant divides.
pub fn quotients(variant: &Variant) -> bool {
    variant.is_exact() && matches!(variant.meaning().op, Op::Div | Op::Rcp)
}

/// Whether an exact variant adds two numbers of one format, whose exponents may differ by `width` or more.
pub fn adds_far_apart(variant: &Variant, width: u32) -> bool {
    let format = to(variant);
    let two = sums_alike(variant) && matches!(variant.meaning().op, Op::Add | Op::Sub);
    two && format.exponent_max() - format.exponent_min() >= width as i32
}

/// Whether a variant is an exact square root.
pub fn root(variant: &Variant) -> bool {
    variant.is_exact() && variant.meaning().op == Op::Sqrt
}

/// Whether a result may have to be rounded.
pub fn rounded(variant: &Variant) -> bool {
    variant.is_arithmetic() || variant.converts() && !widens(variant)
}

/// Whether results of a conversion or of arithmetic are rounded to fractions, some of which are subnormal.
pub fn fractional(variant: &Variant) -> bool {
    to(variant).has_subnormals() && !variant.is_integral()
}

/// Whether a variant computes results that are rounded to fractions, some of which are subnormal and not flushed.
pub fn unflushed_fraction(variant: &Variant) -> bool {
    unflushed(variant) && !variant.is_integral()
}

/// Whether floats are rounded to integral numbers.
pub fn to_integral(variant: &Variant) -> bool {
    variant.is_integral() && !variant.inputs()[0].format.is_fixed()
}

/// Whether floats are rounded to the nearest integral numbers, ties to even.
pub fn halves(variant: &Variant) -> bool {
    nearest(variant) && to_integral(variant)
}

/// Whether a conversion from a float may shift a significand by `width` places or more: to the place of a subnormal
/// result, or of an integer.
pub fn shifts_beyond(variant: &Variant, width: u32) -> bool {
    let (from, to) = (variant.inputs()[0].format, to(variant));
    let places = match variant.is_integral() || to.is_fixed() {
        true => to.exponent_of_lsb().max(0) - from.exponent_of_lsb(),
        false => to.exponent_min() - from.exponent_min(),
    };
    let floats = variant.converts() && !from.is_fixed() && from.scale == Scale::Floating;
    let aligned = to.is_integer() || to.has_subnormals();
    floats && aligned && !scaled(variant) && places >= width as i32
}

/// Whether a conversion from a float may shift a significand by `width` places or more, to the last place of a subnormal
/// result.
pub fn shifts_to_subnormal(variant: &Variant, width: u32) -> bool {
    let (from, to) = (variant.inputs()[0].format, to(variant));
    let fraction = variant.converts() && unflushed_fraction(variant) && !scaled(variant);
    let floats = !from.is_fixed() && from.scale == Scale::Floating;
    fraction && floats && to.exponent_of_lsb() - from.exponent_of_lsb() >= width as i32
}

/// Whether subnormal results may have more bits than a normal one, which decide how they are rounded: those of products,
/// of quotients, and of conversions from longer floats.
pub fn cut_to_subnormal(variant: &Variant) -> bool {
    let decides =
        matches!(variant.meaning().rounding, Rounding::NearestEven | Rounding::Up | Rounding::Down);
    let longer = match variant.meaning().op {
        Op::Mul | Op::Fma | Op::Div | Op::Rcp => variant.is_exact() && of_one_format(variant),
        _ => aligns(variant),
    };
    rounded(variant) && unflushed_fraction(variant) && decides && longer
}

/// Whether a variant converts from a longer float, and gives some results as subnormal numbers, neither flushed nor
/// clamped.
pub fn packs(variant: &Variant) -> bool {
    let float = variant.inputs()[0].format.scale == Scale::Floating;
    float && aligns(variant) && unflushed(variant) && variant.meaning().clamp == Clamp::None
}

/// Whether floats are rounded to integral ones that may have more bits than a word of `width` bits, in which their bits
/// are cleared.
pub fn has_integral_bits_modulo(variant: &Variant, width: u32) -> bool {
    let format = to(variant);
    let word = format.width().max(32) == width && format.exponent_max() >= width as i32;
    to_integral(variant) && !format.is_fixed() && !saturated(variant) && word
}

/// Returns the random bits that a conversion adds; `None` where it adds none.
pub fn random_bits(variant: &Variant) -> Option<RandomBits> {
    match variant.meaning().op {
        Op::Convert(Conversion::Stochastic(bits)) => Some(bits),
        _ => None,
    }
}

/// Whether a conversion cuts off more bits of a normal number than it has random ones.
pub fn adds_random_bits_above_the_lowest(variant: &Variant) -> bool {
    let cut = variant.inputs()[0].format.trailing_bits.saturating_sub(to(variant).trailing_bits);
    random_bits(variant).is_some_and(|random| cut > random.count)
}

/// Whether two lanes of a conversion have one field of random bits.
pub fn shares_random_fields(variant: &Variant) -> bool {
    random_bits(variant).is_some_and(|random| random.fields != RandomFields::Halves)
}

/// Whether a variant may have an infinite result on the side where its direction of rounding stops, though no result is
/// too large there.
pub fn has_infinite_results(variant: &Variant) -> bool {
    let infinite = variant.inputs().iter().any(|input| input.format.infinity().is_some());
    // Roots are never negative, but for −0.
    let root = variant.meaning().op == Op::Sqrt && variant.meaning().rounding == Rounding::Up;
    infinite && to(variant).infinity().is_some() && !root
}

/// Whether a variant converts from a float with more bits, and may have to align them with those of a subnormal result.
pub fn aligns(variant: &Variant) -> bool {
    let (from, to) = (variant.inputs()[0].format, to(variant));
    let longer = !from.is_fixed() && from.precision() > to.precision();
    variant.converts()
        && fractional(variant)
        && variant.meaning().scale.is_none()
        && longer
        && from.exponent_min() < to.exponent_min()
}

/// Whether a variant computes a result that may be subnormal and is not flushed.
pub fn unflushed(variant: &Variant) -> bool {
    decodes(variant) && !variant.flushes_result() && to(variant).has_subnormals()
}

/// Whether a variant converts between floats with infinity, to one that has fewer bits for a NaN.
pub fn narrows_nan(variant: &Variant) -> bool {
    let (from, to) = (variant.inputs()[0].format, to(variant));
    let both = from.infinity().is_some() && to.infinity().is_some();
    variant.converts() && both && from.trailing_bits > to.trailing_bits
}

/// Whether exponents are encoded alike before and after a conversion.
pub fn same_exponents(variant: &Variant) -> bool {
    let (from, to) = (variant.inputs()[0].format, to(variant));
    from.exponent_min() == to.exponent_min() && from.exponent_max() == to.exponent_max()
}

/// Whether every number of the input's format is a number of the result's format too.
pub fn widens(variant: &Variant) -> bool {
    let (from, to) = (variant.inputs()[0].format, to(variant));
    let floats = !from.is_fixed() && !to.is_fixed();
    let wider = floats
        && to.precision() >= from.precision()
        && to.exponent_of_lsb() <= from.exponent_of_lsb()
        && to.exponent_max() >= from.exponent_max();
    wider && !variant.is_integral() && variant.meaning().scale.is_none()
}

/// Whether results may have to be rounded, and in the way `rounding`.
pub fn rounds(variant: &Variant, rounding: Rounding) -> bool {
    rounded(variant) && variant.meaning().rounding == rounding
}

/// Whether results may have to be rounded to nearest, ties to even.
pub fn nearest(variant: &Variant) -> bool {
    rounds(variant, Rounding::NearestEven)
}

/// Whether a rounding has a direction: toward zero, down or up.
pub fn is_directed(rounding: Rounding) -> bool {
    matches!(rounding, Rounding::TowardZero | Rounding::Down | Rounding::Up)
}

/// Whether an exact result may have bits below so many places that count for its rounding.
pub fn sticky_beyond(variant: &Variant, places: u32) -> bool {
    // The model's quotients and roots have 62 bits and a sticky one.
    let kept = places <= 60 || !matches!(variant.meaning().op, Op::Div | Op::Rcp | Op::Sqrt);
    rounded(variant) && kept && (to(variant).is_fixed() || to(variant).precision() < places)
}

/// Whether exact results may have a bit so many places below the last place of the result, and the bit can decide how
/// they are rounded. As many places count as the result has bits: sums and products have these in every format.
pub fn may_have_bit(variant: &Variant, place: u32) -> bool {
    let op = variant.meaning().op;
    // Quotients and roots that have to be rounded have bits at infinitely many places.
    let ends = op.adds() || op.multiplies() || variant.converts();
    let decides =
        matches!(variant.meaning().rounding, Rounding::NearestEven | Rounding::Up | Rounding::Down);
    let (from, to) = (variant.inputs()[0].format, to(variant));
    // Of a power of two, one bit is kept, and all others of an input decide how it is rounded.
    let all = to.is_fixed() || to.scale == Scale::Power;
    let places = if all { from.precision() - 1 } else { to.precision() };
    rounded(variant) && variant.is_exact() && ends && decides && place <= places
}

/// Whether exact results have bits at infinitely many places, unless they are short: quotients and roots that are
/// rounded to nearest, up or down.
pub fn is_endless(variant: &Variant) -> bool {
    let decides =
        matches!(variant.meaning().rounding, Rounding::NearestEven | Rounding::Up | Rounding::Down);
    variant.is_exact() && matches!(variant.meaning().op, Op::Div | Op::Rcp | Op::Sqrt) && decides
}

/// Whether an exact variant adds numbers of the result's format, or products of such numbers. So many bits below the
/// last place of a result can then be the smaller term's, but for one or two, wherever the terms lie.
pub fn sums_alike(variant: &Variant) -> bool {
    sums(variant) && of_one_format(variant)
}

/// Whether a result might be rounded to another float on its way, of a higher precision.
pub fn may_round_through(variant: &Variant, first: &Format) -> bool {
    // Nothing is rounded to the format that it comes from.
    let from = variant.converts() && variant.inputs()[0].format == first;
    let lower = to(variant).is_integer() || to(variant).precision() < first.precision();
    rounded(variant) && !from && lower
}

/// Whether a result may be too large for its format.
pub fn overflows(variant: &Variant) -> bool {
    !to(variant).is_fixed() && !saturated(variant)
}

/// Whether results are clamped to [0, 1].
pub fn saturated(variant: &Variant) -> bool {
    variant.meaning().clamp == Clamp::Unit
}

/// Whether negative results are replaced, by `.relu`.
pub fn relu(variant: &Variant) -> bool {
    variant.meaning().clamp == Clamp::Positive
}

/// Whether a variant is a conversion with a scale.
pub fn scaled(variant: &Variant) -> bool {
    variant.meaning().scale.is_some()
}

/// Whether a NaN result could be the NaN of an operand, but is another one.
pub fn keeps_payload(variant: &Variant) -> bool {
    let format = to(variant);
    let moves = matches!(variant.meaning().op, Op::Copysign | Op::Select | Op::Compare(_));
    let nan = format.nan().is_some() && variant.inputs().iter().any(|input| input.format == format);
    nan && !moves && !matches!(variant.meaning().nan, NanRule::Operand | NanRule::Unchanged)
}

/// Whether a variant is a `testp` that is true of data of `class`.
pub fn tests(variant: &Variant, class: Class) -> bool {
    matches!(variant.meaning().op, Op::Test(classes) if classes.contains(class))
}

/// Whether a variant selects one of two operands by a float.
pub fn selects_by_float(variant: &Variant) -> bool {
    variant.meaning().op == Op::Select && !variant.inputs()[2].format.is_fixed()
}

/// Returns how a variant chooses the smaller or the larger of its operands; `None` where it does not.
pub fn extremum(variant: &Variant) -> Option<Extremum> {
    match variant.meaning().op {
        Op::Extremum(extremum) => Some(extremum),
        _ => None,
    }
}

/// Returns the relation that a comparison asks about; `None` for every other operation.
pub fn relation(variant: &Variant) -> Option<Relation> {
    match variant.meaning().op {
        Op::Compare(comparison) => Some(comparison.relation),
        _ => None,
    }
}

/// Returns the relation that a comparison of floats asks about. Integers have `None`: they are always ordered, and have
/// one zero.
pub fn of_numbers(variant: &Variant) -> Option<Relation> {
    relation(variant).filter(|_| !variant.inputs()[0].format.is_fixed())
}

/// Whether a comparison asks which of two numbers is the larger.
pub fn by_order(variant: &Variant) -> bool {
    relation(variant).is_some_and(|relation| relation.less != relation.greater)
}
