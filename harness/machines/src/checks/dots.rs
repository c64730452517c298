//! Tests of the kernels of matrix instructions, interpreted: every dot of a batch has the sum that the emulator gives
//! it. Where a fragment's elements lie was written down twice, here and in the interpreter, from the manual.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use emulator::dot::DotKernel as Sums;
use formats::Column;
use isa::matrix::{MatrixVariant, columns_for, results_for};
use ptx::{DotKernel, Placement};
use sweeps::matrix::DotSweep;

use super::{memory, read_again};
use crate::interpreter::{
    Emulated, Execute, STEPS, Surroundings, Tested, Values, WARP, WarpPlace, result_at,
};

/// The address of the column of results.
const SUMS: u64 = 1 << 32;

/// A number of rows with every way of writing an instruction twice, and with a last group that is not full.
const ROWS: usize = 8 * 17 + 3;

/// Lists the matrix instructions that a single warp executes.
fn of_warps() -> impl Iterator<Item = &'static MatrixVariant> {
    MatrixVariant::all().iter().filter(|variant| matches!(variant.words()[0], "mma" | "wmma"))
}

/// Returns vectors of sums whose terms all count.
fn operands_of(variant: &MatrixVariant, rows: usize) -> Vec<Column> {
    filled("exact", variant, rows)
}

/// Returns the vectors that a sweep makes for an instruction.
fn filled(sweep: &str, variant: &MatrixVariant, rows: usize) -> Vec<Column> {
    let mut operands = columns_for(variant, rows);
    DotSweep::named(sweep).unwrap().fill(variant, 1, 0, &mut operands);
    operands
}

/// Returns vectors of whole tiles.
fn tiles_of(variant: &MatrixVariant, tiles: usize) -> Vec<Column> {
    filled("tile", variant, tiles * variant.tile().elements())
}

/// Runs all groups of a batch, and more threads than there are groups. Returns the memory after it, and the memory
/// before.
fn batch(
    variant: &MatrixVariant,
    placement: Placement,
    operands: &[Column],
    execute: &mut Execute,
) -> [BTreeMap<u64, u8>; 2] {
    let DotKernel { entry, group } = DotKernel::of(variant, placement).unwrap();
    let rows = operands[0].rows() as u64;
    let names = entry.parameters.iter().map(|parameter| parameter.name.clone());
    let mut parameters: HashMap<String, u64> = names.zip((1..).map(|number| number << 32)).collect();
    parameters.insert("rows".into(), rows);
    let columns = (2_u64..).map(|number| number << 32).zip(operands);
    let given = memory(columns);
    let mut found = given.clone();
    let program = read_again(&entry);
    assert_eq!(group.threads as usize, WARP);
    let threads = u64::from(group.block);
    let all = rows.div_ceil(group.dots.into()) * u64::from(group.threads) + threads;
    for first in (0..all).step_by(WARP) {
        let mut around = Surroundings {
            parameters: &parameters,
            place: WarpPlace { block: first / threads, threads, first: first % threads },
            memory: &mut found,
            execute,
            steps: STEPS,
        };
        program.run(&mut around).unwrap();
    }
    [found, given]
}

/// Checks that each dot of a batch has its sum, and that nothing else is touched.
fn run(variant: &MatrixVariant, placement: Placement, operands: &[Column]) {
    let mut results = results_for(variant, operands[0].rows());
    Sums::newest(variant).unwrap().1.run(operands, &mut results);
    let mut unit = Emulated::default();
    let mut execute = |tested: &Tested, sources: &[Values]| unit.execute(tested, sources);
    let [found, given] = batch(variant, placement, operands, &mut execute);
    let mut wanted: BTreeMap<u64, u8> = memory([(SUMS, &results[0])].into_iter());
    wanted.extend(given);
    let first = wanted.iter().find(|(address, byte)| found.get(address) != Some(byte));
    let row = first.map(|(address, _)| (address - SUMS) as usize / results[0].row_bytes());
    assert!(row.is_none(), "{variant}, {placement:?}: row {row:?}");
    assert_eq!(found.len(), wanted.len(), "{variant} writes where nothing is");
}

/// The number of dots of a batch, and of those that have another sum than their own.
pub struct Mismatches {
    pub rows: usize,
    pub wrong: usize,
}

/// Counts the wrong sums of a device that executes instructions as `execute` does, for some vectors of a placement.
pub fn mismatches(variant: &MatrixVariant, placement: Placement, execute: &mut Execute) -> Mismatches {
    let operands = match placement {
        Placement::Diagonal => operands_of(variant, ROWS),
        Placement::Tile => tiles_of(variant, 8),
    };
    let rows = operands[0].rows();
    let mut results = results_for(variant, rows);
    Sums::newest(variant).unwrap().1.run(&operands, &mut results);
    let [found, _] = batch(variant, placement, &operands, execute);
    let (wanted, bytes) = (&results[0], results[0].row_bytes() as u64);
    let right = |row: usize| {
        let at = SUMS + row as u64 * bytes;
        wanted.row_bytes_of(row).iter().zip(at..).all(|(byte, at)| found.get(&at) == Some(byte))
    };
    Mismatches { rows, wrong: (0..rows).filter(|&row| !right(row)).count() }
}

#[test]
fn dots_on_a_diagonal_have_their_sums() {
    for variant in of_warps() {
        run(variant, Placement::Diagonal, &operands_of(variant, ROWS));
    }
}

#[test]
fn whole_tiles_have_their_sums() {
    for variant in of_warps() {
        // A warp has four tiles of m8n8k4 of f16 at once, so five end in the middle of such a four.
        run(variant, Placement::Tile, &tiles_of(variant, 5));
    }
}

/// The batch has as many groups as there are ways, turns and eighths of either side: every element of D is the sum of
/// some dot.
#[test]
fn every_place_of_the_matrices_is_reached() {
    for text in [
        "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32",
        "wmma.mma.sync.aligned.col.row.m32n8k16.f32.bf16.bf16.f32",
        "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
    ] {
        let variant: MatrixVariant = text.parse().unwrap();
        let [m, n, _] = variant.shape().unwrap();
        let group = DotKernel::of(&variant, Placement::Diagonal).unwrap().group;
        let groups = 8 * 8 * (m / 8) * (n / 8);
        let operands = operands_of(&variant, (groups * group.dots) as usize);
        run(&variant, Placement::Diagonal, &operands);
        // The same batch, on a device that gives the number of its place in D instead of each sum.
        let mut places = Vec::new();
        for row in 0..m {
            for column in 0..n {
                let (register, lane, bit) = result_at(&variant, row as usize, column as usize).unwrap();
                assert_eq!(bit, 0);
                places.push((register, lane, u64::from(row * n + column)));
            }
        }
        let registers = places.iter().map(|&(register, ..)| register + 1).max().unwrap();
        let mut numbered = |_: &Tested, _: &[Values]| {
            let mut results = vec![[0; WARP]; registers];
            places.iter().for_each(|&(register, lane, number)| results[register][lane] = number);
            Ok(results)
        };
        let [found, _] = batch(&variant, Placement::Diagonal, &operands, &mut numbered);
        let sum = |row: usize| {
            let byte = |at: u64| u64::from(found[&(SUMS + 4 * row as u64 + at)]) << (8 * at);
            (0..4).map(byte).sum::<u64>()
        };
        let reached: BTreeSet<u64> = (0..operands[0].rows()).map(sum).collect();
        assert!(reached.into_iter().eq(0..u64::from(m * n)), "{text}");
    }
}

/// No interpreter here runs these kernels, so they are at least printed, each register of one type.
#[test]
fn kernels_of_warpgroups_have_the_instruction() {
    for variant in MatrixVariant::all().iter().filter(|variant| variant.words()[0] == "wgmma") {
        for placement in [Placement::Diagonal, Placement::Tile] {
            let entry = DotKernel::of(variant, placement).unwrap().entry;
            let instruction = format!("{} {{d0, d1", variant.spelling());
            assert_eq!(entry.to_string().matches(&instruction).count(), 4, "{variant}");
        }
    }
}
