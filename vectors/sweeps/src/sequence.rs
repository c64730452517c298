//! The key of a sweep's vectors: all that they depend on beside the seed and their numbers.

use isa::limits::{INPUTS_MAX, LANES_MAX};
use isa::{LaneSlot, Variant};

use super::Sweep;
use super::shape::Shape;

/// A sweep, applied to one shape of lanes that lie in one way in registers. Variants with equal sequences have the
/// same vectors, because the generators know nothing else of a variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    sweep: &'static str,
    shape: Shape,
    slots: [[LaneSlot; INPUTS_MAX]; LANES_MAX],
    /// Bytes in a row of each operand.
    row_bytes: Vec<usize>,
    /// Whether two threads take turns, each with an operand of its own.
    in_turn: bool,
}

impl Sequence {
    /// Returns the sequence of a sweep for a variant.
    pub fn of(sweep: &Sweep, variant: &Variant) -> Sequence {
        let one = sweep.in_turn(variant);
        let asked = one.unwrap_or(variant);
        Sequence {
            sweep: sweep.name,
            shape: Shape::of(asked),
            slots: asked.lane_signature().slots(),
            row_bytes: variant.operands().iter().map(|operand| operand.ty.row_bytes()).collect(),
            in_turn: one.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use isa::columns_for;

    use super::*;

    /// Equal sequences have equal vectors. Every seventh variant is asked; most have the sequence of another one.
    #[test]
    fn an_equal_sequence_has_equal_vectors() {
        const ROWS: u64 = 99;
        let mut known: Vec<(Sequence, Vec<Vec<u8>>)> = Vec::new();
        let mut asked = 0;
        for sweep in Sweep::all() {
            known.clear();
            for variant in Variant::all().iter().step_by(7) {
                let rows = sweep.length(variant).at_most(ROWS) as usize;
                if rows == 0 {
                    continue;
                }
                let mut columns = columns_for(variant, rows);
                sweep.fill(variant, 3, 0, &mut columns);
                let vectors: Vec<Vec<u8>> =
                    columns.iter().map(|column| column.bytes().to_vec()).collect();
                let sequence = Sequence::of(sweep, variant);
                match known.iter().find(|(known, _)| *known == sequence) {
                    Some((_, same)) => assert_eq!(*same, vectors, "{} of {variant}", sweep.name),
                    None => known.push((sequence, vectors)),
                }
                asked += 1;
            }
        }
        assert!(asked > 5000, "{asked}");
        let add: [Variant; 2] = ["add.rn.f32", "sub.rn.f32"].map(|text| text.parse().unwrap());
        let [add, sub] = add.map(|variant| Sequence::of(Sweep::named("zero").unwrap(), &variant));
        assert_ne!(add, sub);
    }
}
