//! What the sweeps promise, verified by an exact computation of their own.

mod document;
mod families;
mod shares;
mod terms;
mod value;

use std::collections::HashSet;

use super::layout::Layout;
use super::shape::{Extra, Family, Lane, Shape};
use super::{Length, Sweep, columns_for, tables};
use crate::column::Column;
use crate::format::{BF16, E4M3, E5M2, F16, F32, Format};
use crate::isa::Operation::{self, Add, Fma, Mul};
use crate::isa::{Modifier, Variant};

fn columns(shape: &Shape, rows: usize) -> Vec<Column> {
    let row_bytes = |format: &&Format| (format.width() as usize * shape.lanes).div_ceil(8);
    shape.operands().iter().map(|format| Column::new(row_bytes(format), rows)).collect()
}

/// Vectors of a sweep, a row of words each.
fn vectors(sweep: &Sweep, shape: &Shape, seed: u64, first: u64, rows: usize) -> Vec<Lane> {
    let mut columns = columns(shape, rows);
    sweep.fill_shape(*shape, Layout::packed(shape), seed, first, &mut columns);
    let at = |row: usize| std::array::from_fn(|n| columns.get(n).map_or(0, |column| column.get(row)));
    (0..rows).map(at).collect()
}

/// Lane 0 and lane 1 of packed rows.
fn unpacked(shape: &Shape, rows: &[Lane]) -> [Vec<Lane>; 2] {
    [0, 1].map(|lane| {
        let part = |row: &Lane, n: usize| {
            let format = shape.formats[n];
            row[n].checked_shr(lane * format.width()).unwrap_or(0) & format.mask()
        };
        rows.iter().map(|row| std::array::from_fn(|n| part(row, n))).collect()
    })
}

/// How many vectors a test may ask for from `first` on, at most `rows`.
fn available(length: Length, first: u64, rows: usize) -> usize {
    match length {
        Length::None => 0,
        Length::Finite(length) => length.saturating_sub(first).min(rows as u64) as usize,
        Length::Endless => rows,
    }
}

fn packed(operation: Operation, format: &'static Format) -> Shape {
    let formats = [format; 3];
    let arity = if operation == Fma { 3 } else { 2 };
    Shape { lanes: 2, clamps: true, oob: true, ..Shape::new(operation, &formats[..arity], format) }
}

#[test]
fn names_are_unique_and_found() {
    let names: HashSet<&str> = Sweep::all().iter().map(|sweep| sweep.name).collect();
    assert_eq!(names.len(), Sweep::all().len());
    assert!(Sweep::all().iter().all(|sweep| Sweep::named(sweep.name).unwrap().hunts == sweep.hunts));
    assert!(Sweep::named("nothing").is_none());
}

/// Which sweeps apply where, over the whole catalogue.
#[test]
fn every_variant_has_its_sweeps() {
    const FIXED: [&str; 2] = ["boundary", "exhaustive"];
    const RANDOM: [&str; 2] = ["exponents", "uniform"];
    for variant in Variant::all() {
        let applies = |sweep: &&Sweep| sweep.length(variant) != Length::None;
        let applying: Vec<&str> = Sweep::all().iter().filter(applies).map(|sweep| sweep.name).collect();
        assert!(applying.contains(&"boundary"), "{variant}: {applying:?}");
        assert!(RANDOM.iter().all(|random| applying.contains(random)), "{variant}: {applying:?}");
        let is_directed = |name: &&&str| !FIXED.contains(name) && !RANDOM.contains(name);
        let directed: Vec<&&str> = applying.iter().filter(is_directed).collect();
        let family = match Shape::of(variant).family {
            Family::Terms => "midpoint",
            Family::Inverse => "inverse",
            Family::Convert => "grid",
            Family::Compare => "pairs",
            Family::Function => "seams",
        };
        assert!(directed.contains(&&family), "{variant}: {applying:?}");
        assert_eq!(applying.contains(&"lanes"), variant.lanes() > 1, "{variant}");
        assert_eq!(applying.contains(&"oob"), variant.has(Modifier::Oob), "{variant}");
        assert_eq!(applying.contains(&"exhaustive"), variant.input_bits() <= 32, "{variant}");
    }
    let exhaustive = Sweep::named("exhaustive").unwrap();
    let length = |text: &str| exhaustive.length(&text.parse().unwrap());
    assert_eq!(length("mul.f16x2"), Length::Finite(1 << 32));
    assert_eq!(length("cvt.rz.satfinite.scaled::n1::ue8m0.e5m2x2.f16x2"), Length::Finite(1 << 24));
    assert_eq!(length("fma.rn.f16"), Length::None);
}

/// Some variants of every shape: one for each operation, types and registers.
fn variants() -> impl Iterator<Item = &'static Variant> {
    let mut seen = HashSet::new();
    Variant::all().iter().filter(move |variant| {
        let registers = variant.operands().iter().map(|register| register.name).collect::<String>();
        seen.insert((variant.operation(), variant.type_suffix(), registers))
    })
}

/// Any piece of a sweep equals the same piece of the whole, and no bit lies beside a lane.
#[test]
fn pieces_equal_the_whole() {
    const FIRST: u64 = 3210;
    for (variant, sweep) in
        variants().flat_map(|variant| Sweep::all().iter().map(move |sweep| (variant, sweep)))
    {
        let rows = available(sweep.length(variant), FIRST, 700);
        if rows == 0 {
            continue;
        }
        let mut whole = columns_for(variant, rows);
        sweep.fill(variant, 9, FIRST, &mut whole);
        let mut start = 0;
        for size in [1, 7, 255, 2, 257, 64, 1000] {
            let size = size.min(rows - start);
            let mut piece = columns_for(variant, size);
            sweep.fill(variant, 9, FIRST + start as u64, &mut piece);
            for (piece, whole) in piece.iter().zip(&whole) {
                let bytes = whole.row_bytes();
                let range = start * bytes..(start + size) * bytes;
                assert_eq!(piece.bytes(), &whole.bytes()[range], "{} {variant}", sweep.name);
            }
            start += size;
        }
        assert_eq!(start, rows);
        for (column, register) in whole.iter().zip(variant.operands()) {
            let ty = register.ty;
            let used = (0..ty.lanes).fold(0, |used, lane| used | ty.place(ty.format.mask(), lane));
            let clean = (0..rows).all(|row| column.get(row) & !used == 0);
            assert!(clean, "{} {variant}: bits beside the lanes of {}", sweep.name, register.name);
        }
    }
}

/// Every lane of every input gets data of its own, or what all share.
#[test]
fn every_lane_of_every_input_is_filled() {
    for (variant, sweep) in
        variants().flat_map(|variant| Sweep::all().iter().map(move |sweep| (variant, sweep)))
    {
        // A finite sweep only whole: its first vectors have one value of the first operand.
        let rows = match sweep.length(variant) {
            Length::Finite(length @ 100..10_000) => length as usize,
            Length::Endless => 2000,
            _ => continue,
        };
        let mut columns = columns_for(variant, rows);
        sweep.fill(variant, 1, 0, &mut columns);
        for input in variant.inputs() {
            let mut elements = vec![0u64; rows * variant.lanes()];
            input.gather(variant.operands(), &columns, 0..rows, &mut elements);
            for lane in 0..variant.lanes() {
                let lane = elements.iter().skip(lane).step_by(variant.lanes());
                let values: HashSet<u64> = lane.copied().collect();
                assert!(values.len() >= 2, "{} {variant}: {input:?} {values:x?}", sweep.name);
            }
        }
    }
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
    let unary = Shape::new(Operation::Cvt, &[&E5M2], &F16);
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
