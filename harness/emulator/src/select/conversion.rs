//! Conversions and casts.

use vectors::format::{self, F16, F32, F64, Format, S64, U64};
use vectors::isa::{Modifier, Rounding};
use vectors::{Variant, lanes::Element};

use super::{alone, is_wide, modifiers};
use crate::elements::{Columns, Elements, Preparation};
use crate::instruction::{Convert, Fixed, FromInteger, Scaled, Stochastic, ToInteger, ToIntegral};
use crate::layout::Layout;
use crate::machine::{Machine, program};
use crate::rules::{Clamp, Modifiers, Rules};
use crate::unsigned::Unsigned;

/// `cvt`, and casts that PTX does not have.
pub fn select(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let rules = Rules::new(result, effective(variant));
    match (source.is_fixed(), result.is_fixed()) {
        (true, true) => None,
        (true, false) => from_integer(variant, rules, machine),
        (false, true) => to_integer(variant, rules, machine),
        (false, false) => float(variant, rules, machine),
    }
}

/// The modifiers, as conversions read them: `.ftz` is for f32 alone, and to f16 only the assembler
/// takes it: the machine does not flush there.
fn effective(variant: &Variant) -> Modifiers {
    let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let given = modifiers(variant);
    let ftz = given.flush_operands;
    // A scale that divides comes with a flush of its own.
    let flush_operands = (ftz && *source == F32 && *result != F16) || variant.has(Modifier::ScaledDown);
    Modifiers { flush_operands, flush_results: ftz && *result == F32, ..given }
}

/// Whether the variant divides by its scale; otherwise it multiplies.
fn divides(variant: &Variant) -> bool {
    variant.has(Modifier::ScaledDown) || variant.outputs()[0].format.is_fixed()
}

fn is_scaled(variant: &Variant) -> bool {
    variant.has(Modifier::ScaledDown) || variant.has(Modifier::ScaledUp)
}

/// From one floating-point format to another.
fn float(variant: &Variant, rules: Rules, machine: Machine) -> Option<Box<dyn Columns>> {
    let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let convert = Convert { source: Layout::new(source), result: Layout::new(result), rules };
    if variant.rounding() == Rounding::Stochastic {
        return stochastic(variant, convert, machine);
    }
    if is_scaled(variant) {
        let scaled = Scaled { convert, divide: divides(variant) };
        return alone::<u32>(program::<u32, _, _, _>(machine, scaled));
    }
    fn of<U: Unsigned, E: Element>(
        variant: &Variant,
        convert: Convert,
        machine: Machine,
    ) -> Option<Box<dyn Columns>> {
        alone::<E>(if variant.modifiers().iter().any(|modifier| modifier.is_integral()) {
            program::<U, _, _, _>(machine, ToIntegral(convert))
        } else {
            program::<U, _, _, _>(machine, convert)
        })
    }
    if is_wide(variant) {
        of::<u64, u64>(variant, convert, machine)
    } else {
        of::<u32, u32>(variant, convert, machine)
    }
}

/// `.rs`, whose last input is a word of random bits for all lanes.
fn stochastic(variant: &Variant, convert: Convert, machine: Machine) -> Option<Box<dyn Columns>> {
    type Share = fn(usize, u64) -> u64;
    let (share, random_bits): (Share, u32) = match (variant.lanes(), variant.outputs()[0].format.name) {
        (2, "f16") => (|lane, word| word >> (16 * lane) & 0x1fff, 13),
        (2, _) => (|lane, word| word >> (16 * lane) & 0xffff, 16),
        (_, "e2m1") => (random_bytes, 16),
        _ => (random_half, 16),
    };
    let program = program::<u32, _, u32, _>(machine, Stochastic { convert, random_bits })?;
    Some(Box::new(Elements { programs: vec![program], last: Some(Preparation::Share(share)) }))
}

/// The random bits of one of four lanes: two share a half, of which the higher lane reads the bits in
/// reverse. The manual does not say so; it was measured.
fn random_half(lane: usize, word: u64) -> u64 {
    reversed_if_odd(lane, (word >> (16 * (lane / 2))) as u16)
}

/// The same for e2m1: the pairs share alternate bytes.
fn random_bytes(lane: usize, word: u64) -> u64 {
    let byte = |number: usize| (word >> (8 * number)) as u8;
    let pair = lane / 2;
    reversed_if_odd(lane, u16::from_le_bytes([byte(pair), byte(pair + 2)]))
}

fn reversed_if_odd(lane: usize, half: u16) -> u64 {
    u64::from(if lane % 2 == 1 { half.reverse_bits() } else { half })
}

/// To an integer, or another fixed-point format.
fn to_integer(variant: &Variant, rules: Rules, machine: Machine) -> Option<Box<dyn Columns>> {
    let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let clamp = modifiers(variant).clamp;
    let positive = matches!(clamp, Clamp::Positive | Clamp::PositiveFinite);
    let largest = result.max_finite();
    let saturating = *result == format::S2F6;
    let to = ToInteger {
        source: Layout::new(source),
        result: Fixed::new(result),
        rules,
        largest,
        lowest: match () {
            () if positive || !result.signed => 0,
            // `.satfinite` keeps to magnitudes that have both signs.
            () if saturating => largest,
            () => largest + 1,
        },
        nan: if saturating { largest } else { nan_as_integer(source, result) },
    };
    if is_wide(variant) {
        alone::<u64>(program::<u64, _, _, 1>(machine, to))
    } else if is_scaled(variant) {
        alone::<u32>(program::<u32, _, _, 2>(machine, to))
    } else {
        alone::<u32>(program::<u32, _, _, 1>(machine, to))
    }
}

/// What NaN is converted to: 0, or the highest bit alone where f64 or 64-bit integers are involved.
fn nan_as_integer(source: &Format, result: &Format) -> u64 {
    let narrow = *source != F64 && *result != S64 && *result != U64;
    if narrow { 0 } else { 1 << (result.width() - 1) }
}

/// From an integer, or another fixed-point format.
fn from_integer(variant: &Variant, rules: Rules, machine: Machine) -> Option<Box<dyn Columns>> {
    let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let from = FromInteger { source: Fixed::new(source), result: Layout::new(result), rules };
    if is_wide(variant) {
        alone::<u64>(program::<u64, _, _, 1>(machine, from))
    } else if is_scaled(variant) {
        alone::<u32>(program::<u32, _, _, 2>(machine, from))
    } else {
        alone::<u32>(program::<u32, _, _, 1>(machine, from))
    }
}
