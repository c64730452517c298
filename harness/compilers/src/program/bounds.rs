//! The results of approximate instructions: all that the manual's bounds allow.

use std::collections::HashMap;

use formats::column;
use isa::{Variant, columns_for};
use judge::{Point, Truth, from_ordinal};
use oracle::Oracle;

use super::permitted::Permitted;
use super::{ProgramOperation, Type};

/// The precision of quotients or square roots in single precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Correctly rounded, as IEEE 754 has them.
    #[default]
    Exact,
    /// Within the bounds of those instructions that have a bound for every operand.
    Bounded,
    /// Within the bounds of the fastest instructions as well, which say nothing of some operands.
    Fast,
}

/// The largest number of results within a bound that are told apart: beyond that the manual says too little.
const MOST: i64 = 16;

/// An evaluator of what approximate instructions may give by their contracts.
#[derive(Default)]
pub struct Bounds(HashMap<&'static str, (&'static Variant, Oracle, Truth)>);

impl Precision {
    /// Returns the names of the approximate instructions that an operation may be compiled to; none where it is
    /// exact.
    const fn instructions(self, operation: ProgramOperation) -> &'static [&'static str] {
        match (self, operation) {
            (Precision::Bounded, ProgramOperation::Div) => &["div.full.f32"],
            (Precision::Fast, ProgramOperation::Div) => &["div.full.f32", "div.approx.ftz.f32"],
            (Precision::Bounded | Precision::Fast, ProgramOperation::Sqrt) => &["sqrt.approx.f32"],
            _ => &[],
        }
    }
}

impl Bounds {
    /// Returns, for each row of operands, what an operation in single precision may give beside its exact results.
    pub fn results(
        &mut self,
        precision: Precision,
        operation: ProgramOperation,
        rows: &[Vec<u64>],
    ) -> Vec<Permitted> {
        let mut all: Vec<Permitted> = vec![Some(Vec::new()); rows.len()];
        for name in precision.instructions(operation) {
            for (all, own) in all.iter_mut().zip(self.of(name, rows)) {
                // Where one instruction leaves too much open, no set can be stated for the operation.
                *all = all.take().zip(own).map(|(all, own)| [all, own].concat());
            }
        }
        all
    }

    /// Returns, for each row of operands, what an instruction may give; `None` where its contract leaves too much
    /// open.
    fn of(&mut self, name: &'static str, rows: &[Vec<u64>]) -> Vec<Permitted> {
        let (variant, oracle, truth) = self.0.entry(name).or_insert_with(|| {
            let variant = Variant::named(name).expect("a variant of the table");
            (variant, Oracle::new(variant), Truth::new(variant))
        });
        let mut operands = columns_for(variant, rows.len());
        for (row, values) in rows.iter().enumerate() {
            column::set_row(&mut operands, row, values);
        }
        oracle.expect(&operands, truth);
        let format = Type::F32.format();
        let each = truth.intervals().iter().enumerate().map(|(row, interval)| {
            let nearest = truth.results[0].get(row);
            // At these points the manual states no bound.
            let open = matches!(interval.point, Point::Minimum | Point::Gross);
            // NaN has no place among numbers.
            let places = match interval.low {
                i64::MAX => 0..0,
                low => low..interval.high.saturating_add(1),
            };
            if open || places.end.saturating_sub(places.start) > MOST {
                return None;
            }
            let within = places.map(|place| from_ordinal(format, place));
            Some(within.chain([nearest]).chain(interval.other(format, nearest)).collect())
        });
        each.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(precision: Precision, operation: ProgramOperation, operands: &[u64]) -> Permitted {
        Bounds::default().results(precision, operation, &[operands.to_vec()]).remove(0)
    }

    #[test]
    fn a_bound_allows_its_neighbours_and_no_more() {
        // 10 / 3 within two units in the last place.
        let of = |precision| {
            let mut all =
                results(precision, ProgramOperation::Div, &[0x4120_0000, 0x4040_0000]).unwrap();
            all.sort_unstable();
            all.dedup();
            all
        };
        assert!(of(Precision::Exact).is_empty());
        let bounded = of(Precision::Bounded);
        assert!(bounded.contains(&0x4055_5555) && bounded.contains(&0x4055_5556), "{bounded:x?}");
        assert!(!bounded.contains(&0x4055_5552) && !bounded.contains(&0x4055_5558), "{bounded:x?}");
        // The root of −1.
        assert_eq!(
            results(Precision::Bounded, ProgramOperation::Sqrt, &[0xbf80_0000]),
            Some(vec![0x7fff_ffff])
        );
    }

    #[test]
    fn what_no_bound_says_is_open() {
        // A divisor of 2^127: "if x is finite, 0", by one instruction, and near one by the other.
        let large =
            results(Precision::Fast, ProgramOperation::Div, &[0x7f00_0000, 0x7f00_0000]).unwrap();
        assert!(large.contains(&0) && large.contains(&0x3f80_0000), "{large:x?}");
        let bounded =
            results(Precision::Bounded, ProgramOperation::Div, &[0x7f00_0000, 0x7f00_0000]).unwrap();
        assert!(!bounded.contains(&0), "{bounded:x?}");
    }
}
