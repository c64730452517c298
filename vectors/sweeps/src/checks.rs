//! Tests of what the sweeps promise, verified by an exact computation of their own.

mod catalogue;
mod conversions;
mod discarded;
mod document;
mod families;
mod seams;
mod shares;
mod terms;
mod value;

use std::collections::HashSet;

use formats::{BF16, Column, E4M3, E5M2, F16, F32, Format};
use isa::Op::{self, Add, Fma, Mul};
use isa::limits::{INPUTS_MAX, LANES_MAX};
use isa::{Conversion, LaneSlot, Variant, columns_for};

use super::shape::{Extra, Lane, Shape};
use super::{Length, Sweep, tables};

fn columns(shape: &Shape, rows: usize) -> Vec<Column> {
    let row_bytes = |format: &&Format| (format.width() as usize * shape.lanes).div_ceil(8);
    shape.operands().iter().map(|format| Column::new(row_bytes(format), rows)).collect()
}

/// Returns the slots of lanes that lie side by side, in one register for each input.
fn side_by_side(shape: &Shape) -> [[LaneSlot; INPUTS_MAX]; LANES_MAX] {
    let mut slots = [[LaneSlot::NONE; INPUTS_MAX]; LANES_MAX];
    for (lane, slots) in slots.iter_mut().take(shape.lanes).enumerate() {
        for (register, format) in shape.operands().iter().enumerate() {
            let shift = lane as u32 * format.width();
            slots[register] = LaneSlot { register, lane, shift, mask: format.mask() };
        }
    }
    slots
}

/// Returns vectors of a sweep, each a row of words.
fn vectors(sweep: &Sweep, shape: &Shape, seed: u64, first: u64, rows: usize) -> Vec<Lane> {
    let mut columns = columns(shape, rows);
    sweep.fill_shape(*shape, side_by_side(shape), seed, first, &mut columns);
    let at = |row: usize| std::array::from_fn(|n| columns.get(n).map_or(0, |column| column.get(row)));
    (0..rows).map(at).collect()
}

/// Returns lane 0 and lane 1 of packed rows.
fn unpacked(shape: &Shape, rows: &[Lane]) -> [Vec<Lane>; 2] {
    [0, 1].map(|lane| {
        let part = |row: &Lane, n: usize| {
            let format = shape.formats[n];
            row[n].checked_shr(lane * format.width()).unwrap_or(0) & format.mask()
        };
        rows.iter().map(|row| std::array::from_fn(|n| part(row, n))).collect()
    })
}

/// Returns how many vectors a test may ask for from `first` on, at most `rows`.
fn available(length: Length, first: u64, rows: usize) -> usize {
    length.at_most(u64::MAX).saturating_sub(first).min(rows as u64) as usize
}

fn packed(op: Op, format: &'static Format) -> Shape {
    let formats = [format; 3];
    let arity = if op == Fma { 3 } else { 2 };
    Shape { lanes: 2, clamps: true, oob: true, ..Shape::new(op, &formats[..arity], format) }
}

#[test]
fn names_are_unique_and_found() {
    let names: HashSet<&str> = Sweep::all().iter().map(|sweep| sweep.name).collect();
    assert_eq!(names.len(), Sweep::all().len());
    assert!(Sweep::all().iter().all(|sweep| Sweep::named(sweep.name).unwrap().targets == sweep.targets));
    assert!(Sweep::named("nothing").is_none());
}

#[test]
#[should_panic(expected = "no vectors")]
fn a_range_beyond_the_end_is_refused() {
    let variant: Variant = "mul.f16".parse().unwrap();
    let sweep = Sweep::named("exhaustive").unwrap();
    sweep.fill(&variant, 0, (1 << 32) - 1, &mut columns_for(&variant, 2));
}

#[test]
#[should_panic(expected = "columns are not those")]
fn columns_of_another_variant_are_refused() {
    let variant: Variant = "mul.f16x2".parse().unwrap();
    let other: Variant = "mul.f16".parse().unwrap();
    Sweep::named("uniform").unwrap().fill(&variant, 0, 0, &mut columns_for(&other, 2));
}

#[test]
fn exhaustive_sweeps_have_every_combination_once() {
    const PIECE: u64 = 1 << 14;
    let unary = Shape::new(Op::Convert(Conversion::Rounded), &[&E5M2], &F16);
    let binary = Shape::new(Mul, &[&E4M3, &E5M2], &F16);
    let ternary = Shape::new(Fma, &[&E5M2, &E5M2, &E5M2], &E5M2);
    let mixed = Shape::new(Add, &[&E5M2, &F16], &F16);
    for shape in [unary, binary, ternary, mixed] {
        let sweep = Sweep::named("exhaustive").unwrap();
        let total = 1 << shape.operand_bits();
        assert_eq!((sweep.length)(&shape), Length::Finite(total));
        for lanes in [1, 2] {
            let shape = Shape { lanes, ..shape };
            // As many vectors as combinations: complete if none comes twice.
            let mut seen = vec![vec![false; total as usize]; lanes];
            for first in (0..total).step_by(PIECE as usize) {
                let rows = vectors(sweep, &shape, 0, first, PIECE.min(total) as usize);
                for (seen, lane) in seen.iter_mut().zip(unpacked(&shape, &rows)) {
                    for operands in lane {
                        let joined = shape.operands().iter().zip(operands);
                        let index =
                            joined.fold(0, |index, (format, bits)| index << format.width() | bits);
                        assert!(!std::mem::replace(&mut seen[index as usize], true), "{shape:?} twice");
                    }
                }
            }
        }
    }
}

#[test]
fn boundary_has_every_combination_once_in_each_lane() {
    let sweep = Sweep::named("boundary").unwrap();
    for shape in [packed(Mul, &F16), packed(Fma, &E5M2), packed(Mul, &BF16)] {
        let Length::Finite(length) = (sweep.length)(&shape) else { panic!("finite") };
        for lane in unpacked(&shape, &vectors(sweep, &shape, 0, 0, length as usize)) {
            let distinct: HashSet<Lane> = lane.iter().copied().collect();
            assert_eq!(distinct.len() as u64, length);
        }
    }
    for variant in Variant::all() {
        let Length::Finite(length) = sweep.length(variant) else { panic!("finite") };
        assert!((16..365_000).contains(&length), "{variant}: {length}");
    }
    for (format, size) in [(&F16, 35), (&BF16, 35), (&F32, 31)] {
        let table = tables::magnitudes(format, None);
        assert_eq!(table.len(), size, "{format:?} {table:x?}");
        assert!(table.iter().all(|&magnitude| magnitude <= format.magnitude_mask()));
    }
}

#[test]
fn seeds_and_lanes_give_different_vectors() {
    let fixed = ["exhaustive", "boundary"];
    for sweep in Sweep::all() {
        for shape in [packed(Mul, &F16), packed(Fma, &BF16)] {
            if (sweep.length)(&shape) == Length::None {
                continue;
            }
            let rows = vectors(sweep, &shape, 1, 1000, 1000);
            let [low, high] = unpacked(&shape, &rows);
            let same = low.iter().zip(&high).filter(|(low, high)| low == high).count();
            let most = if sweep.name == "lanes" { 300 } else { 100 };
            assert!(same <= most, "{}: lanes are equal in {same} of 1000", sweep.name);
            let other = vectors(sweep, &shape, 2, 1000, 1000);
            let same = rows.iter().zip(&other).filter(|(one, other)| one == other).count();
            let expected = if fixed.contains(&sweep.name) { 1000..1001 } else { 0..100 };
            assert!(expected.contains(&same), "{}: seeds agree in {same} of 1000", sweep.name);
        }
    }
}

#[test]
fn lanes_are_exchanged_in_the_next_vector() {
    let shape = packed(Fma, &F16);
    let rows = vectors(Sweep::named("lanes").unwrap(), &shape, 1, 0, 1000);
    let [low, high] = unpacked(&shape, &rows);
    assert!((0..1000).all(|at| low[at] == high[at ^ 1]));
    let special = |lane: &Lane| lane.iter().any(|&bits| F16.decode(bits).is_none());
    let differ = low.iter().zip(&high).filter(|(low, high)| special(low) != special(high)).count();
    assert!(differ > 250, "{differ} of 1000 have one special lane");
}

#[test]
fn oob_patterns_come_in_every_set_of_operands() {
    let shape = packed(Fma, &F16);
    let rows = vectors(Sweep::named("oob").unwrap(), &shape, 1, 0, 8000);
    let [low, _] = unpacked(&shape, &rows);
    let mut sets = [0; 8];
    for lane in &low {
        let is_pattern = |n: usize| usize::from(lane[n] & 0x7fff == 0x7ff7) << n;
        sets[is_pattern(0) | is_pattern(1) | is_pattern(2)] += 1;
    }
    assert!(sets.iter().all(|&count| count >= 200), "{sets:?}");
    for pattern in [0x7ff7, 0xfff7, 0x7ff6, 0x7ff5, 0x7ff3, 0x7fff, 0x7fe7, 0x7eff] {
        assert!(low.iter().any(|lane| lane.contains(&pattern)), "{pattern:#x}");
    }
}
