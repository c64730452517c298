//! Tests of the sweep `tile`: what its vectors share, and that no element can be taken for another.

use std::collections::HashSet;

use isa::matrix::Tile;

use super::*;

/// The roles of the columns that elements of one row of A share.
const OF_ROWS: [Role; 3] = [Role::A, Role::ScalesA, Role::Metadata];
/// The roles of the columns that elements of one column of B share.
const OF_COLUMNS: [Role; 2] = [Role::B, Role::ScalesB];

fn sweep() -> &'static DotSweep {
    DotSweep::named("tile").unwrap()
}

/// Returns what columns of some roles hold in a row.
fn held(variant: &MatrixVariant, columns: &[Column], roles: &[Role], row: usize) -> Vec<u8> {
    let all = variant.operands().iter().zip(columns);
    let some = all.filter(|(operand, _)| roles.contains(&operand.role));
    some.flat_map(|(_, column)| column.row_bytes_of(row).to_vec()).collect()
}

/// Returns one variant of each shape and kind: small tiles, and one of `wgmma` with many columns.
fn subjects() -> Vec<&'static MatrixVariant> {
    let mut subjects = representatives();
    subjects.retain(|variant| variant.tile().elements() <= 1024);
    let large = "wgmma.mma_async.sp.sync.aligned.m64n256k32.f32.f16.f16(a-regs)";
    subjects.extend(MatrixVariant::all().iter().find(|variant| variant.text() == large));
    subjects
}

#[test]
fn rows_and_columns_are_shared_and_no_two_are_alike() {
    for variant in subjects() {
        let Tile { rows, columns: width } = variant.tile();
        // The second tile, and the third's first row.
        let (first, vectors) = (rows * width, rows * width + width);
        let columns = filled(sweep(), variant, first as u64, vectors);
        let (mut of_rows, mut of_columns) = (HashSet::new(), HashSet::new());
        for i in 0..rows {
            let row = held(variant, &columns, &OF_ROWS, i * width);
            let same = |j: usize| held(variant, &columns, &OF_ROWS, i * width + j) == row;
            assert!((0..width).all(same), "{variant}: row {i}");
            of_rows.insert(held(variant, &columns, &[Role::A], i * width));
        }
        for j in 0..width {
            let column = held(variant, &columns, &OF_COLUMNS, j);
            let same = |i: usize| held(variant, &columns, &OF_COLUMNS, i * width + j) == column;
            assert!((0..rows).all(same), "{variant}: column {j}");
            of_columns.insert(held(variant, &columns, &[Role::B], j));
        }
        assert_eq!((of_rows.len(), of_columns.len()), (rows, width), "{variant}");
        let controls = |row: usize| held(variant, &columns, &[Role::Controls], row);
        assert!((0..first).all(|row| controls(row) == controls(0)), "{variant}");
        // Another tile has other elements of A.
        assert!(!of_rows.contains(&held(variant, &columns, &[Role::A], first)), "{variant}");
        let metadata = |i: usize| held(variant, &columns, &[Role::Metadata], i * width);
        let sparse = variant.dot().sparsity.is_some();
        assert_eq!((1..rows).any(|i| metadata(i) != metadata(0)), sparse, "{variant}");
    }
}

/// Returns the sum in quanta of 2^-20, where it is exact in half precision, and the addend in the same quanta.
fn sum(variant: &MatrixVariant, data: &DotData) -> Option<[i64; 2]> {
    let terms = terms(variant.dot(), data)?;
    let lowest = terms.iter().map(|term| term.odd().exponent).min()?;
    let highest = terms.iter().map(|term| term.leading()).max()?;
    if lowest < -4 || highest > 16 {
        return None;
    }
    let quanta = |term: &Number| {
        let Number { negative, magnitude, exponent } = term.odd();
        let magnitude = magnitude.checked_shl((exponent + 20).max(0) as u32).unwrap_or(0) as i64;
        if negative { -magnitude } else { magnitude }
    };
    // The addend is taken also where it is not added.
    let addend = number(variant.dot().c, data.c)?;
    let exponent = addend.exponent - i32::from(data.controls.addend_scale);
    Some([terms.iter().map(quanta).sum(), quanta(&Number { exponent, ..addend })])
}

/// In three of four tiles no sum is zero or equals the addend, and hardly any equals the sum of another place near it.
#[test]
fn elements_of_a_tile_differ() {
    let (mut integers, mut tiles) = (0, 0);
    for variant in subjects() {
        let Tile { rows, columns: width } = variant.tile();
        for tile in 0..4 {
            tiles += 1;
            let columns = filled(sweep(), variant, (tile * rows * width) as u64, rows * width);
            let sums = (0..rows * width).map(|row| sum(variant, &data(variant, &columns, row)));
            let Some(sums) = sums.collect::<Option<Vec<_>>>() else { continue };
            integers += 1;
            let differ = sums.iter().all(|[sum, addend]| *sum != 0 && sum != addend);
            assert!(differ, "{variant}: a sum is zero or the addend");
            let at = |i: usize, j: usize| sums[i % rows * width + j % width][0];
            let mut alike = [0; 3];
            for (i, j) in (0..rows).flat_map(|i| (0..width).map(move |j| (i, j))) {
                alike[0] += usize::from(at(i, j) == at(i + 1, j));
                alike[1] += usize::from(at(i, j) == at(i, j + 1));
                alike[2] += usize::from(i < width && j < rows && i != j && at(i, j) == at(j, i));
            }
            let few = alike.iter().all(|&alike| alike * 20 <= rows * width);
            assert!(few, "{variant}: {alike:?} of {} are as their neighbours", rows * width);
        }
    }
    assert!((60..90).contains(&(integers * 100 / tiles)), "{integers} of {tiles} are of integers");
}
