//! Tests of tiles: the result of another place is wrong.

use isa::matrix::Tile;

use super::*;

/// Checks that nearly all results of another row, another column and the transposed place are refused in the first
/// tiles, and that most sums there are exact in every order.
#[test]
fn results_of_other_places_are_refused() {
    const TILES: usize = 6;
    let tile = DotSweep::named("tile").unwrap();
    let small = |variant: &MatrixVariant| variant.tile().elements() <= 512;
    for (variant, target) in forms().into_iter().filter(|(variant, _)| small(variant)) {
        let Tile { rows: height, columns: width } = variant.tile();
        let rows = TILES * height * width;
        let (mut operands, mut results) = (columns_for(variant, rows), results_for(variant, rows));
        tile.fill(variant, 1, 0, &mut operands);
        DotKernel::of(variant, target).unwrap().run(&operands, &mut results);
        let mut truths = Vec::new();
        Sums::new(variant).expect(&operands, &mut truths);
        let exact = truths.iter().filter(|truth| is_exact(truth)).count();
        assert!(exact * 2 > rows, "{variant}: {exact} of {rows} are exact");
        let mut accepted = [0; 3];
        for (row, truth) in truths.iter().enumerate() {
            let (first, i, j) = (row - row % (height * width), row / width % height, row % width);
            let at = |i: usize, j: usize| results[0].get(first + i % height * width + j % width);
            let d = variant.dot().d;
            assert!(truth.accepts(d, at(i, j)), "{variant} on {target}: row {row}");
            let others = [at(i + 1, j), at(i, j + 1), at(j, i)];
            for (count, result) in accepted.iter_mut().zip(others).take(if i == j { 2 } else { 3 }) {
                *count += usize::from(truth.accepts(d, result));
            }
        }
        let few = accepted.iter().all(|&count| count * 10 <= rows);
        assert!(few, "{variant} on {target}: {accepted:?} of {rows} are accepted elsewhere");
    }
}
