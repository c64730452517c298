//! Tests of what holds for every sweep of every variant of the table.

use isa::Family;

use super::*;

/// Over the whole catalogue, every variant has the sweeps that apply to it.
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
            Family::SumsAndProducts => "midpoint",
            Family::QuotientsAndRoots => "inverse",
            Family::Convert => "grid",
            Family::Compare => "pairs",
            Family::Function => "seams",
        };
        assert!(directed.contains(&&family), "{variant}: {applying:?}");
        assert_eq!(applying.contains(&"lanes"), variant.lanes() > 1, "{variant}");
        assert_eq!(applying.contains(&"oob"), variant.meaning().out_of_bounds, "{variant}");
        let widths: Vec<u32> = variant.inputs().iter().map(|input| input.format.width()).collect();
        let of_triples = variant.mnemonic() == "fma" && widths == [16; 3];
        let few = variant.input_bits() <= 32 || of_triples;
        assert_eq!(applying.contains(&"exhaustive"), few, "{variant}");
    }
    let exhaustive = Sweep::named("exhaustive").unwrap();
    let length = |text: &str| exhaustive.length(&text.parse().unwrap());
    assert_eq!(length("mul.f16x2"), Length::Finite(1 << 32));
    assert_eq!(length("cvt.rz.satfinite.scaled::n1::ue8m0.e5m2x2.f16x2"), Length::Finite(1 << 24));
    assert_eq!(length("fma.rn.f16"), Length::Finite(1 << 48));
    assert_eq!(length("fma.rn.f32.f16"), Length::None);
}

/// Returns the first variant of every shape and arrangement of registers: generators know nothing else of a variant.
pub fn variants() -> impl Iterator<Item = &'static Variant> {
    let mut seen = HashSet::new();
    Variant::all().iter().filter(move |variant| {
        seen.insert(format!("{:?}", (Shape::of(variant), variant.lane_signature().slots())))
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
        // Sizes around a block of rows, which is 256.
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
            let used = ty.mask();
            let clean = (0..rows).all(|row| column.get(row) & !used == 0);
            assert!(clean, "{} {variant}: bits beside the lanes of {}", sweep.name, register.name);
        }
    }
}

/// Every lane of every input gets data of its own, or the data that all lanes share.
#[test]
fn every_lane_of_every_input_is_filled() {
    for (variant, sweep) in
        variants().flat_map(|variant| Sweep::all().iter().map(move |sweep| (variant, sweep)))
    {
        // A finite sweep is taken only whole: its first vectors have one value of the first operand.
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

/// The lengths of `boundary` are bounded, which a plan that takes finite sweeps whole must reckon with.
#[test]
fn boundary_sweeps_are_short_but_for_three_inputs() {
    let sweep = Sweep::named("boundary").unwrap();
    let mut total = 0;
    for variant in Variant::all() {
        let Length::Finite(length) = sweep.length(variant) else { panic!("finite") };
        let most = if variant.inputs().len() == 3 { 365_000 } else { 30_000 };
        assert!(length <= most, "{variant}: {length}");
        total += length;
    }
    println!("{total} vectors of {} variants", Variant::all().len());
    assert!(total < 100_000_000, "{total}");
}

/// Finite sweeps are complete whatever the registers: lanes in parts of bytes, spread lanes, inputs that lanes share.
#[test]
fn finite_sweeps_have_every_combination_once_in_each_lane() {
    for (sweep, text) in [
        ("exhaustive", "add.e4m3x4.e2m1p4x4"),
        ("exhaustive", "cvt.rn.scaled::n2::ue8m0.bf16x2.e3m2x2"),
        ("exhaustive", "cvt.rz.satfinite.scaled::n1::ue8m0.e2m1x2.bf16x2"),
        ("boundary", "mul.e5m2x4.e2m1x4.ue8m0x4"),
        ("boundary", "setp.lt.and.f16x2"),
        ("boundary", "cvt.rn.satfinite.scaled::n1::ue8m0.e2m3x2.f32"),
        ("boundary", "cvt.rs.satfinite.e2m1x4.f32"),
    ] {
        let variant: Variant = text.parse().unwrap();
        let sweep = Sweep::named(sweep).unwrap();
        let Length::Finite(length) = sweep.length(&variant) else { panic!("finite") };
        let lanes = variant.lanes();
        let mut seen = vec![HashSet::new(); lanes];
        let bits = variant.input_bits();
        // A table of bits where all combinations fit into memory, and a set elsewhere.
        let mut marked = vec![vec![false; if bits <= 24 { 1 << bits } else { 0 }]; lanes];
        for first in (0..length).step_by(1 << 14) {
            let rows = (length - first).min(1 << 14) as usize;
            let mut columns = columns_for(&variant, rows);
            sweep.fill(&variant, 0, first, &mut columns);
            let mut joined = vec![0u128; rows * lanes];
            for input in variant.inputs() {
                let mut elements = vec![0u64; rows * lanes];
                input.gather(variant.operands(), &columns, 0..rows, &mut elements);
                let with = joined.iter_mut().zip(elements);
                with.for_each(|(all, one)| *all = *all << input.format.width() | u128::from(one));
            }
            for (at, inputs) in joined.into_iter().enumerate() {
                let new = match marked[at % lanes].get_mut(inputs as usize) {
                    Some(mark) => !std::mem::replace(mark, true),
                    None => seen[at % lanes].insert(inputs),
                };
                assert!(new, "{} {text}: {inputs:x} twice in lane {}", sweep.name, at % lanes);
            }
        }
    }
}
