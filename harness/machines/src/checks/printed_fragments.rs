//! Tests of the fragments that kernels are printed with, against the manual's formulas.

use isa::matrix::MatrixVariant;
use ptx::{FRAGMENT_SIDE as SIDE, Fragment, Fragments};

use super::fragments::{Cells, are_the_manuals};
use crate::interpreter::fragments::MatrixCell;

/// The formulas are those that the interpreter's fragments are held to.
#[test]
fn fragments_are_the_manuals() {
    for variant in MatrixVariant::all().iter().filter(|one| one.text().starts_with("mma")) {
        let fragments = Fragments::of(variant).unwrap();
        let [m, n, _] = variant.shape().unwrap();
        let several = [m, n] == [8, 8] && fragments.a.stride == 16;
        let cells = |fragment: &Fragment, cell: &dyn Fn([u32; 2]) -> [u32; 3]| -> Cells {
            let of = |lane: usize, element: usize| {
                let cell = cell(fragment.place(lane as u32, element)).map(|at| at as usize);
                MatrixCell { product: cell[0], row: cell[1], column: cell[2] }
            };
            let elements = 0..fragment.elements.len();
            elements.map(|element| std::array::from_fn(|lane| of(lane, element))).collect()
        };
        // A line is a row of A, or a column of B; those of one product follow those of another.
        let line = |line: u32| if several { (line / SIDE, line % SIDE) } else { (0, line) };
        let a = cells(&fragments.a, &|[at, term]| [line(at).0, line(at).1, term]);
        let b = cells(&fragments.b, &|[at, term]| [line(at).0, term, line(at).1]);
        let sums = |[row, column]: [u32; 2]| {
            assert_eq!(line(row).0, line(column).0, "{variant}");
            [line(row).0, line(row).1, line(column).1]
        };
        let [c, d] = [&fragments.c, &fragments.d].map(|fragment| cells(fragment, &sums));
        are_the_manuals(variant, [&a, &b, &c, &d]);
    }
}
