//! Maps the elements of a matrix to the threads of a warp that hold them: the fragments of `mma` (PTX ISA 9.7.16.5.1 to
//! 9.7.16.5.11) and of `mma.sp` (9.7.16.6.2), and some for `wmma`, of which the manual says nothing.

use isa::matrix::{DotOperand, MatrixVariant, Role};
use ptx::syntax::{Matrix, Operand};

use super::{Values, WARP};

/// The place of an element in a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixCell {
    /// The number of the product, among those that a warp computes at once: only `m8n8k4` of f16 has more than one.
    pub product: usize,
    /// The row of the element in its matrix.
    pub row: usize,
    /// The column of the element in its matrix; in a sparse A it counts only the elements that are stored.
    pub column: usize,
}

/// The part of a warp's registers that holds one matrix.
#[derive(Debug)]
pub struct Fragment {
    /// Bits of an element.
    bits: u32,
    /// The place of each element in each thread: `cells[element][thread]`. Elements are in order, those in the lowest
    /// bits of the first register first.
    pub cells: Vec<[MatrixCell; WARP]>,
}

/// The fragments of a matrix instruction.
#[derive(Debug)]
pub struct Fragments {
    /// M and N, the rows and columns of D.
    pub sides: [usize; 2],
    /// The number of products that a warp computes at once.
    pub products: usize,
    /// The fragment of A.
    pub a: Fragment,
    /// The fragment of B.
    pub b: Fragment,
    /// The fragment of C.
    pub c: Fragment,
    /// The fragment of D.
    pub d: Fragment,
    /// Whether metadata follow C, and a selector of the threads that have them.
    pub sparse: bool,
    /// Whether scales follow, each with the selectors of a byte and a thread.
    pub scaled: bool,
}

impl Fragment {
    /// Makes a fragment of so many elements; `cell` gives the product, row and column of a lane's element.
    fn new(
        elements: usize,
        bits: u32,
        cell: impl Fn(usize, usize) -> (usize, usize, usize),
    ) -> Fragment {
        let of = |element: usize| {
            std::array::from_fn(|lane| {
                let (product, row, column) = cell(lane, element);
                MatrixCell { product, row, column }
            })
        };
        Fragment { bits, cells: (0..elements).map(of).collect() }
    }

    /// Returns the fragment of a matrix of `wmma`. Its order is that of no architecture: it shows where factors are
    /// loaded by rows and multiplied as if by columns. Some elements of f16 are held by several threads.
    pub fn of_wmma(matrix: Matrix, shape: [u32; 3], (ty, bits): (&str, u32), by_rows: bool) -> Fragment {
        let [rows, columns] = matrix.sides(shape).map(|side| side as usize);
        let elements = match (matrix.is_factor(), ty) {
            // Eight registers, whatever the shape (9.7.16.4.1).
            (true, "f16") => 16,
            _ => rows * columns / WARP,
        };
        Fragment::new(elements, bits, |lane, element| {
            // With more places than elements the count begins again, so several threads hold the same element.
            let number = (element * WARP + lane) % (rows * columns);
            match by_rows || !matrix.is_factor() {
                true => (0, number / columns, number % columns),
                false => (0, number % rows, number / rows),
            }
        })
    }

    /// Returns the number of elements in a register.
    fn each(&self) -> usize {
        (32 / self.bits).max(1) as usize
    }

    /// Returns the number of registers of the fragment: of 64 bits where elements have as many, and else of 32.
    pub fn registers(&self) -> usize {
        self.cells.len().div_ceil(self.each())
    }

    /// Returns the bytes that one thread holds of the fragment.
    pub fn bytes(&self) -> u64 {
        (self.cells.len() as u64 * u64::from(self.bits)).div_ceil(8)
    }

    /// Lists each element with its register, its lowest bit there, and its place in the matrix for each thread.
    fn places(&self) -> impl Iterator<Item = (usize, u32, &[MatrixCell; WARP])> {
        let each = self.each();
        self.cells
            .iter()
            .enumerate()
            .map(move |(element, cells)| (element / each, (element % each) as u32 * self.bits, cells))
    }

    /// Calls `put` with every element that the registers hold.
    pub fn gather(&self, registers: &[Values], mut put: impl FnMut(MatrixCell, u64)) {
        let mask = u64::MAX >> (64 - self.bits);
        for (register, shift, cells) in self.places() {
            let Some(values) = registers.get(register) else { return };
            cells.iter().zip(values).for_each(|(&cell, word)| put(cell, word >> shift & mask));
        }
    }

    /// Returns the registers of the fragment, with each element as `get` gives it.
    pub fn scatter(&self, mut get: impl FnMut(MatrixCell) -> u64) -> Vec<Values> {
        let mut registers = vec![[0; WARP]; self.registers()];
        for (register, shift, cells) in self.places() {
            let Some(values) = registers.get_mut(register) else { continue };
            values.iter_mut().zip(cells).for_each(|(word, &cell)| *word |= get(cell) << shift);
        }
        registers
    }

    /// Finds an element of the first product: returns its register, its thread, and its lowest bit in the register.
    pub fn find(&self, row: usize, column: usize) -> Option<(usize, usize, u32)> {
        let wanted = MatrixCell { product: 0, row, column };
        self.places().find_map(|(register, shift, cells)| {
            let lane = cells.iter().position(|&cell| cell == wanted)?;
            Some((register, lane, shift))
        })
    }
}

impl Fragments {
    /// Returns the fragments of a matrix instruction; `None` if a warp executes no such instruction.
    pub fn of(variant: &MatrixVariant) -> Option<Fragments> {
        let words = variant.words();
        let shape @ [m, n, k] = variant.shape()?;
        let stored = if variant.dot().sparsity.is_some() { k / 2 } else { k };
        let mut layouts = words.iter().filter(|word| matches!(**word, "row" | "col"));
        let by_rows = [(); 2].map(|()| layouts.next() == Some(&"row"));
        let bits = |role: Role| {
            let operand = variant.operands().iter().find(|operand| operand.role == role);
            operand.map_or(0, |operand: &DotOperand| operand.stride)
        };
        let [a, b, c] = [Role::A, Role::B, Role::C].map(bits);
        let d = variant.result().stride;
        let (products, [a, b, c, d]) = match (*words.first()?, shape, a) {
            ("wmma", ..) => (1, {
                let dot = variant.dot();
                let of =
                    |matrix, ty, bits, by_rows| Fragment::of_wmma(matrix, shape, (ty, bits), by_rows);
                [
                    of(Matrix::A, dot.a.name, a, by_rows[0]),
                    of(Matrix::B, dot.b.name, b, by_rows[1]),
                    of(Matrix::C, dot.c.name, c, true),
                    of(Matrix::D, dot.d.name, d, true),
                ]
            }),
            ("mma", [8, 8, 4], 16) => (4, [left(by_rows[0]), right(by_rows[1]), added(c), added(d)]),
            ("mma", ..) => (1, {
                let elements = |rows: u32, columns: u32| (rows * columns) as usize / WARP;
                // A and B have elements of one stride in every `mma`, so B is grouped as A is.
                let group = (32 / a).max(1) as usize;
                let (blocks, sums) = (m as usize / 8, elements(m, n));
                [
                    Fragment::new(elements(m, stored), a, |lane, i| first(lane, i, group, blocks)),
                    Fragment::new(elements(k, n), b, |lane, i| second(lane, i, group)),
                    Fragment::new(sums, c, sum),
                    Fragment::new(sums, d, sum),
                ]
            }),
            _ => return None,
        };
        let sides = [m, n].map(|side| side as usize);
        let (sparse, scaled) = (variant.dot().sparsity.is_some(), variant.dot().scales.is_some());
        Some(Fragments { sides, products, a, b, c, d, sparse, scaled })
    }

    /// Whether operands are as many as the instruction must have, with immediates as selectors.
    pub fn takes(&self, operands: &[Operand]) -> bool {
        let [d, a, b, c, more @ ..] = operands else { return false };
        let held = [(d, &self.d), (a, &self.a), (b, &self.b), (c, &self.c)];
        // Metadata are two operands: a register and its selector.
        let (metadata, scales) = more.split_at(if self.sparse { more.len().min(2) } else { 0 });
        held.into_iter().all(|(operand, fragment)| fragment.takes(operand))
            && match metadata {
                [Operand::Register(_), Operand::Immediate(_)] => self.sparse,
                _ => !self.sparse && metadata.is_empty(),
            }
            && match (self.scaled, scales) {
                (true, [Operand::Register(_), of_a, Operand::Register(_), of_b]) => {
                    [of_a, of_b].into_iter().all(is_selector)
                }
                (false, []) => true,
                _ => false,
            }
    }
}

impl Fragment {
    /// Whether an operand is as many registers as the fragment takes.
    pub fn takes(&self, operand: &Operand) -> bool {
        let is_register = |operand: &Operand| matches!(operand, Operand::Register(_));
        operand.size() == self.registers()
            && match operand {
                Operand::Vector(each) => each.iter().all(is_register),
                one => is_register(one),
            }
    }
}

/// Finds an element of D of a matrix instruction's first product: returns the register, the thread, and the lowest bit
/// there. `None` if a warp executes no such instruction, or D has no such row or column.
pub fn result_at(variant: &MatrixVariant, row: usize, column: usize) -> Option<(usize, usize, u32)> {
    Fragments::of(variant)?.d.find(row, column)
}

/// Whether an operand is a pair of immediates, `{byte-id, thread-id}`.
fn is_selector(operand: &Operand) -> bool {
    matches!(operand, Operand::Vector(each) if matches!(&each[..], [Operand::Immediate(_), Operand::Immediate(_)]))
}

/// Returns the numbers of a lane that the manual calls `groupID` and `threadID_in_group`.
fn group(lane: usize) -> (usize, usize) {
    (lane >> 2, lane % 4)
}

/// Returns the product, row and column in A of an element of a lane. Registers go down eight rows, where there are as
/// many again, and then to the right; the threads of a group have `each` elements side by side.
fn first(lane: usize, element: usize, each: usize, blocks: usize) -> (usize, usize, usize) {
    let ((group, thread), register) = (group(lane), element / each);
    let row = group + 8 * (register % blocks);
    // The four threads of a group have 4 · each columns side by side, so the next registers begin behind these.
    (0, row, thread * each + element % each + register / blocks * 4 * each)
}

/// Returns the product, row and column in B of an element of a lane. Registers go down.
fn second(lane: usize, element: usize, each: usize) -> (usize, usize, usize) {
    let ((group, thread), register) = (group(lane), element / each);
    (0, thread * each + element % each + register * 4 * each, group)
}

/// Returns the product, row and column in C or D of an element of a lane.
fn sum(lane: usize, element: usize) -> (usize, usize, usize) {
    let (group, thread) = group(lane);
    (0, group + element / 2 * 8, thread * 2 + (element & 1))
}

/// Returns three numbers of a thread of `m8n8k4` (9.7.16.5.1): the product that it takes part in, its number there, and
/// the offset that threads of the high group add to a row of A, or to a column of B.
fn quarter(lane: usize) -> (usize, usize, usize) {
    (lane % 16 / 4, lane % 4, if lane < 16 { 0 } else { 4 })
}

/// Returns the fragment of A of `m8n8k4`.
fn left(by_rows: bool) -> Fragment {
    Fragment::new(4, 16, |lane, i| {
        let (product, thread, high) = quarter(lane);
        if by_rows { (product, thread + high, i) } else { (product, i + high, thread) }
    })
}

/// Returns the fragment of B of `m8n8k4`.
fn right(by_rows: bool) -> Fragment {
    Fragment::new(4, 16, |lane, i| {
        let (product, thread, high) = quarter(lane);
        if by_rows { (product, thread, i + high) } else { (product, i, thread + high) }
    })
}

/// Returns the fragment of C or D of `m8n8k4`, of f16 or of f32.
fn added(bits: u32) -> Fragment {
    Fragment::new(8, bits, |lane, i| {
        let (product, thread, high) = quarter(lane);
        match bits {
            16 => (product, thread + high, i),
            _ => (product, (lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)),
        }
    })
}
