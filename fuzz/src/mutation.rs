//! Mutation of cases by their fields: the sign, exponent and significand of a lane, the modifiers of the variant, and
//! the sweeps that were made for it.

use std::collections::HashMap;
use std::sync::OnceLock;

use corner_operands::{boundary, edge_exponents};
use formats::{Format, column};
use isa::{Variant, columns_for};
use sweeps::{Length, Sweep};

use crate::{FuzzCase, Random};

/// Returns a changed case, mostly of the same variant, and mostly with fields of single lanes changed.
pub fn mutate(case: &FuzzCase, random: &mut Random) -> FuzzCase {
    match random.below(16) {
        0 => sibling(case, random),
        1 => swept(case.variant, random),
        _ => neighbour(case, random),
    }
}

/// Returns the case with one to three fields of its operands changed.
pub fn neighbour(case: &FuzzCase, random: &mut Random) -> FuzzCase {
    let mut case = case.clone();
    for _ in 0..1 + random.below(3) {
        change_field(&mut case, random);
    }
    case
}

/// Returns a vector from anywhere in one of the variant's sweeps.
pub fn swept(variant: &'static Variant, random: &mut Random) -> FuzzCase {
    let applies = |sweep: &&Sweep| sweep.length(variant) != Length::None;
    let sweeps: Vec<&Sweep> = Sweep::all().iter().filter(applies).collect();
    let sweep = sweeps[random.below(sweeps.len())];
    let number = match sweep.length(variant) {
        Length::Finite(length) => random.bits() % length,
        // Leaves out the last vectors of an endless sweep: the number after theirs would not fit into 64 bits.
        _ => random.bits() >> 1,
    };
    let mut columns = columns_for(variant, 1);
    sweep.fill(variant, 0, number, &mut columns);
    FuzzCase::new(variant, &column::row_bits(&columns, 0))
}

/// Returns the case's operands for a variant that has registers of the same types, or sometimes for any variant.
fn sibling(case: &FuzzCase, random: &mut Random) -> FuzzCase {
    type Groups = HashMap<Vec<&'static str>, Vec<&'static Variant>>;
    static GROUPS: OnceLock<Groups> = OnceLock::new();
    let types = |variant: &Variant| variant.operands().iter().map(|operand| operand.ty.name).collect();
    let groups = GROUPS.get_or_init(|| {
        let mut groups = Groups::new();
        Variant::all().iter().for_each(|v| groups.entry(types(v)).or_default().push(v));
        groups
    });
    let variant = match random.below(4) {
        0 => &Variant::all()[random.below(Variant::all().len())],
        _ => *random.pick(&groups[&types(case.variant)]).expect("the variant is one of its group"),
    };
    FuzzCase::new(variant, &case.operands)
}

/// Changes one field of one lane of one input.
fn change_field(case: &mut FuzzCase, random: &mut Random) {
    let inputs = case.variant.inputs();
    let lane = |case: &FuzzCase, random: &mut Random| {
        let input = &inputs[random.below(inputs.len())];
        let at = input.slots[random.below(input.slots.len())];
        (at, input.format, at.take(case.operands[at.register].word()))
    };
    let (at, format, bits) = lane(case, random);
    let (_, of, other) = lane(case, random);
    let changed = field(format, bits, (of, other), random);
    // The register's other lanes stay.
    let rest = case.operands[at.register].word() & !at.put(u64::MAX);
    case.operands[at.register] = (rest | at.put(changed)).into();
}

/// Returns a datum with one of its fields changed; `other` is a datum of the same vector.
fn field(format: &Format, bits: u64, other: (&Format, u64), random: &mut Random) -> u64 {
    let trailing = format.trailing_bits.max(1) as usize;
    // The power is 0 for the bit beyond the last of a 64-bit word.
    let power = |bit: usize| 1u64.checked_shl(bit as u32).unwrap_or(0);
    let bit = power(random.below(trailing));
    let run = power(random.below(trailing + 1)).wrapping_sub(1);
    let unit = power(format.trailing_bits as usize);
    // In turn: the sign, the exponent (by one, near another's, at an end), one bit of the trailing field. Then runs of
    // bits there, one bit alone, a near encoding, a boundary, random bits.
    match random.below(12) {
        0 => bits ^ format.sign_mask(),
        1 => bits.wrapping_add(if bit & 1 == 0 { unit } else { unit.wrapping_neg() }),
        2 => with_meeting_exponent(format, bits, other, random).unwrap_or(other.1),
        3 => {
            bits & !format.exponent_mask()
                | *random.pick(&edge_exponents(format)).expect("there are some")
        }
        4 | 5 => bits ^ bit,
        6 => bits & !format.trailing_mask() | run & format.trailing_mask(),
        7 => bits & !format.trailing_mask() | !run & format.trailing_mask(),
        8 => bits & !format.trailing_mask() | bit & format.trailing_mask(),
        9 => bits.wrapping_add(random.below(5) as u64).wrapping_sub(2),
        10 => boundary(random.counter(), format) & format.magnitude_mask() | bits & format.sign_mask(),
        _ => bits & !format.trailing_mask() | random.bits() & format.trailing_mask(),
    }
}

/// Returns the datum with its exponent so near to another's that the significands meet, or just do not.
fn with_meeting_exponent(
    format: &Format,
    bits: u64,
    (of, other): (&Format, u64),
    random: &mut Random,
) -> Option<u64> {
    if format.is_fixed() {
        return None;
    }
    let (significand, exponent) = of.decode(other)?;
    let leading = exponent + significand.checked_ilog2()? as i32;
    // Two beyond the precision, where the smaller significand is only a sticky bit.
    let distance = format.precision() as i32 + 2;
    let leading = leading + random.below(2 * distance as usize + 1) as i32 - distance;
    let largest = (format.exponent_mask() >> format.trailing_bits) as i32;
    let field = (leading + format.bias).clamp(0, largest) as u64;
    Some(bits & !format.exponent_mask() | field << format.trailing_bits)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use formats::{F16, F32};

    use super::*;

    /// Checks that every change leaves a valid case, and that the same seed makes the same change.
    #[test]
    fn changes_are_cases_and_repeat() {
        for (seed, variant) in Variant::all().iter().enumerate() {
            let case = swept(variant, &mut Random::new(seed as u64));
            let [one, same] = [(); 2].map(|()| mutate(&case, &mut Random::new(seed as u64)));
            assert_eq!(one, same);
            assert_eq!(FuzzCase::new(one.variant, &one.operands), one, "bits beside the lanes");
        }
    }

    /// Checks that changes of two ordinary numbers reach every field of both, and each special value.
    #[test]
    fn changes_reach_every_field() {
        let variant: &Variant = Variant::all().iter().find(|v| v.text() == "add.f16").unwrap();
        let case = FuzzCase::new(variant, &[0x3c00, 0x4455]);
        let mut random = Random::new(0);
        let seen: Vec<FuzzCase> = (0..4000).map(|_| neighbour(&case, &mut random)).collect();
        for at in 0..2 {
            let of = |mask: u64| -> HashSet<u64> {
                seen.iter().map(|case| case.operands[at].word() & mask).collect()
            };
            assert_eq!(of(F16.sign_mask()).len(), 2);
            assert!(of(F16.exponent_mask()).len() > 20 && of(F16.trailing_mask()).len() > 200);
            let specials = [0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x7fff, 0x7c01, 0x7e00, 0x7ff7];
            assert!(specials.iter().all(|bits| of(F16.magnitude_mask()).contains(bits)));
        }
    }

    #[test]
    fn exponents_meet_across_formats() {
        let (mut random, mut fields) = (Random::new(0), HashSet::new());
        for _ in 0..1000 {
            // 2^-3 in f16.
            let bits = with_meeting_exponent(&F32, 0x8000_0001, (&F16, 0x3000), &mut random).unwrap();
            assert_eq!(bits & !F32.exponent_mask(), 0x8000_0001);
            fields.insert((bits & F32.exponent_mask()) >> 23);
        }
        assert_eq!(fields, (124 - 26..=124 + 26).collect());
    }
}
