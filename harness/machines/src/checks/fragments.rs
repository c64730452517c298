//! Tests of fragments against the manual's formulas, which are written here one by one as the manual has them.

use isa::matrix::MatrixVariant;

use crate::interpreter::WARP;
use crate::interpreter::fragments::{Fragment, Fragments, MatrixCell};

/// The shape that a formula of a fragment depends on: M, N and K, and the bits of an element.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub sides: [usize; 3],
    pub bits: u32,
}

/// Returns the row and column of A's element `i` (9.7.16.5.2 to 9.7.16.5.11), where A is dense.
pub fn of_a(shape: Shape, lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = (lane >> 2, lane % 4);
    let lower = |is_upper: bool| if is_upper { group } else { group + 8 };
    match (shape.sides, shape.bits) {
        ([8, 8, 4], 64) => (lane >> 2, lane % 4),
        ([16, 8, 4], 32 | 64) => (lower(i == 0), thread),
        ([16, 8, 8], 16) => (lower(i < 2), thread * 2 + (i & 1)),
        ([16, 8, 8], 32 | 64) => (lower(i == 0 || i == 2), if i < 2 { thread } else { thread + 4 }),
        ([16, 8, 16], 16) => {
            (lower(i < 2 || (4..6).contains(&i)), thread * 2 + (i & 1) + if i < 4 { 0 } else { 8 })
        }
        ([16, 8, 16], 64) => {
            let even = i & 1 == 0;
            (lower(even), if even { i * 2 + thread } else { i * 2 - 2 + thread })
        }
        ([16, 8, 16], 8) => (lower(i < 4), thread * 4 + (i & 3)),
        ([16, 8, 32], 8) => {
            (lower(i < 4 || (8..12).contains(&i)), thread * 4 + (i & 3) + if i < 8 { 0 } else { 16 })
        }
        ([16, 8, 64], 4) => {
            (lower(i < 8 || (16..24).contains(&i)), thread * 8 + (i & 7) + if i < 16 { 0 } else { 32 })
        }
        _ => panic!("{shape:?}"),
    }
}

/// Returns the row, and the first and last column, of a sparse A's element `i` (9.7.16.6.2).
pub fn of_sparse(shape: Shape, lane: usize, i: usize) -> (usize, [usize; 2]) {
    let (group, thread) = (lane >> 2, lane % 4);
    let lower = |is_upper: bool| if is_upper { group } else { group + 8 };
    let (row, first, more) = match (shape.sides, shape.bits) {
        ([16, 8, 16], 16) => (lower(i < 2), thread * 4, 3),
        ([16, 8, 32], 16) => {
            (lower(i < 2 || (4..6).contains(&i)), thread * 4 + if i < 4 { 0 } else { 16 }, 3)
        }
        ([16, 8, 16], 32) => (lower(i == 0 || i == 2), thread * 2 + if i < 2 { 0 } else { 8 }, 1),
        ([16, 8, 8], 32) => (lower(i == 0), thread * 2, 1),
        ([16, 8, 64], 8) => {
            (lower(i < 4 || (8..12).contains(&i)), thread * 8 + if i < 8 { 0 } else { 32 }, 7)
        }
        ([16, 8, 128], 4) => {
            (lower(i < 8 || (16..24).contains(&i)), thread * 16 + if i < 16 { 0 } else { 64 }, 15)
        }
        _ => panic!("{shape:?}"),
    };
    (row, [first, first + more])
}

/// Returns the row and column of B's element `i`. For four shapes of a sparse A the manual has only figures: one for
/// each register, "rows 0–15", "rows 16–31" and so on.
pub fn of_b(shape: Shape, lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = (lane >> 2, lane % 4);
    let [_, _, k] = shape.sides;
    let row = match (k, shape.bits) {
        (4, 32 | 64) => thread,
        (8, 16) => thread * 2 + i,
        (8, 32 | 64) => [thread, thread + 4][i],
        (16, 16) => thread * 2 + (i & 1) + if i < 2 { 0 } else { 8 },
        (16, 64) => thread + i * 4,
        (16, 8) => thread * 4 + i,
        (32, 8) => thread * 4 + (i & 3) + if i < 4 { 0 } else { 16 },
        (64, 4) => thread * 8 + (i & 7) + if i < 8 { 0 } else { 32 },
        (32, 16) => thread * 2 + (i & 1) + [0, 8, 16, 24][i / 2],
        (16, 32) => thread + [0, 4, 8, 12][i],
        (64, 8) => thread * 4 + (i & 3) + [0, 16, 32, 48][i / 4],
        (128, 4) => thread * 8 + (i & 7) + [0, 32, 64, 96][i / 8],
        _ => panic!("{shape:?}"),
    };
    (row, group)
}

/// Returns the row and column of element `i` of C or D.
pub fn of_c(lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = (lane >> 2, lane % 4);
    (if i < 2 { group } else { group + 8 }, thread * 2 + (i & 1))
}

/// Returns the product, row and column of element `i` of `m8n8k4` of f16 (9.7.16.5.1): of A or B by rows or columns, of
/// C or D by their bits.
pub fn of_quarters(matrix: char, by_rows: bool, bits: u32, lane: usize, i: usize) -> MatrixCell {
    let product = [0, 1, 2, 3].into_iter().find(|product| {
        let low = product * 4..product * 4 + 4;
        low.contains(&lane) || (low.start + 16..low.end + 16).contains(&lane)
    });
    let high = if lane < 16 { 0 } else { 4 };
    let (row, column) = match (matrix, by_rows, bits) {
        ('a', true, _) => (lane % 4 + high, i),
        ('a', false, _) => (i % 4 + high, lane % 4),
        ('b', true, _) => (lane % 4, i + high),
        ('b', false, _) => (i, lane % 4 + high),
        (_, _, 16) => (lane % 4 + high, i),
        _ => ((lane & 0b1) + (i & 0b10) + high, (i & 0b100) + (lane & 0b10) + (i & 0b1)),
    };
    MatrixCell { product: product.unwrap(), row, column }
}

/// Returns M, N and K as the name of an instruction has them.
pub fn sides(variant: &MatrixVariant) -> [usize; 3] {
    let words = variant.words();
    let shape = words.iter().skip(1).find(|word| word.starts_with('m') && word.contains('k')).unwrap();
    let numbers = shape.split(|letter: char| !letter.is_ascii_digit()).skip(1);
    Vec::from_iter(numbers.map(|number| number.parse().unwrap())).try_into().unwrap()
}

/// The place of each element of a thread, for each thread.
pub type Cells = Vec<[MatrixCell; WARP]>;

/// Holds the fragments of A, B, C and D of `mma` or `mma.sp` to the manual's formulas.
pub fn are_the_manuals(variant: &MatrixVariant, [a, b, c, d]: [&Cells; 4]) {
    let stride = |operand: usize| variant.operands()[operand].stride;
    let shape = |operand| Shape { sides: sides(variant), bits: stride(operand) };
    let each = |cells: &Cells, with: &dyn Fn(usize, usize, MatrixCell)| {
        for (i, cells) in cells.iter().enumerate() {
            cells.iter().enumerate().for_each(|(lane, &cell)| with(lane, i, cell));
        }
    };
    if sides(variant) == [8, 8, 4] && stride(0) == 16 {
        let layouts = |place: usize| variant.words().iter().rev().nth(4 + place) == Some(&"row");
        let quarters = |matrix, by_rows, bits, cells: &Cells| {
            each(cells, &|lane, i, cell| {
                assert_eq!(cell, of_quarters(matrix, by_rows, bits, lane, i), "{variant} {matrix}");
            });
        };
        quarters('a', layouts(1), 16, a);
        quarters('b', layouts(0), 16, b);
        quarters('c', true, stride(2), c);
        quarters('d', true, variant.result().stride, d);
        return;
    }
    let place = |cell: MatrixCell| (cell.row, cell.column);
    each(a, &|lane, i, cell| {
        let due = match variant.dot().sparsity {
            None => of_a(shape(0), lane, i),
            // Half of a range of columns is stored, and the elements that a thread has of it follow each other.
            Some(_) => {
                let (row, [first, last]) = of_sparse(shape(0), lane, i);
                let same = |&other: &usize| of_sparse(shape(0), lane, other) == (row, [first, last]);
                (row, first / 2 + (0..i).filter(same).count())
            }
        };
        assert_eq!(place(cell), due, "{variant} a");
    });
    each(b, &|lane, i, cell| assert_eq!(place(cell), of_b(shape(1), lane, i), "{variant} b"));
    for sums in [c, d] {
        each(sums, &|lane, i, cell| assert_eq!(place(cell), of_c(lane, i), "{variant} c and d"));
    }
}

#[test]
fn fragments_are_the_manuals() {
    let of_mma = |variant: &&MatrixVariant| variant.words()[0] == "mma";
    for variant in MatrixVariant::all().iter().filter(of_mma) {
        let Fragments { a, b, c, d, .. } = Fragments::of(variant).unwrap();
        are_the_manuals(variant, [&a.cells, &b.cells, &c.cells, &d.cells]);
    }
}

/// Every element is held somewhere, and none twice but for f16 of `wmma`.
#[test]
fn fragments_hold_all_of_their_matrices() {
    let of_warps =
        MatrixVariant::all().iter().filter_map(|variant| Some((variant, Fragments::of(variant)?)));
    let mut count = 0;
    for (variant, fragments) in of_warps {
        let ([m, n, k], dot) = (sides(variant), variant.dot());
        let stored = dot.stored() as usize;
        assert_eq!(k, dot.k as usize);
        for (fragment, rows, columns) in
            [(&fragments.a, m, stored), (&fragments.b, k, n), (&fragments.c, m, n), (&fragments.d, m, n)]
        {
            let mut held = vec![0; fragments.products * rows * columns];
            each_of(fragment, |cell| {
                held[(cell.product * rows + cell.row) * columns + cell.column] += 1;
            });
            let many = variant.words()[0] == "wmma" && fragment.cells.len() == 16;
            assert!(held.iter().all(|&times| times == 1 || many && times > 1), "{variant} {held:?}");
        }
        count += 1;
    }
    // These are the counts that the table's own test has, of `mma`, of `mma.sp` in both forms, and of `wmma`.
    assert_eq!(count, 106 + 55 + 12 + 62 + 55 + 84);
}

/// Calls `with` for the place of each element in each thread.
fn each_of(fragment: &Fragment, mut with: impl FnMut(MatrixCell)) {
    fragment.cells.iter().flatten().for_each(|&cell| with(cell));
}
