//! Which thread of a warp holds which element of a matrix: the fragments of `mma` (PTX ISA 9.7.16.5.1 to
//! 9.7.16.5.11) and of `mma.sp` (9.7.16.6.2), and some for `wmma`, of which the manual says nothing.

use isa::matrix::{DotOperand, MatrixVariant, Role};
use ptx::syntax::{Matrix, Operand};

use super::{Values, WARP};

/// Where an element belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which of the products that a warp computes at once; but for `m8n8k4` of f16 there is one.
    pub product: usize,
    /// The row of its matrix …
    pub row: usize,
    /// … and the column; of a sparse A among the elements that are stored.
    pub column: usize,
}

/// What a warp's registers hold of a matrix.
#[derive(Debug)]
pub struct Fragment {
    /// Bits of an element.
    bits: u32,
    /// Where each element of a thread belongs, those in the lowest bits of the first register first, and
    /// that for each thread.
    pub cells: Vec<[Cell; WARP]>,
}

/// The fragments of a matrix instruction.
#[derive(Debug)]
pub struct Fragments {
    /// M and N.
    pub sides: [usize; 2],
    /// How many products there are.
    pub products: usize,
    /// Those of A, B, C and D.
    pub a: Fragment,
    /// Of B.
    pub b: Fragment,
    /// Of C.
    pub c: Fragment,
    /// Of D.
    pub d: Fragment,
    /// Whether metadata follow, and a selector of the threads that have them.
    pub sparse: bool,
    /// Whether scales follow, each with the selectors of a byte and a thread.
    pub scaled: bool,
}

impl Fragment {
    fn new(
        elements: usize,
        bits: u32,
        cell: impl Fn(usize, usize) -> (usize, usize, usize),
    ) -> Fragment {
        let of = |element: usize| {
            std::array::from_fn(|lane| {
                let (product, row, column) = cell(lane, element);
                Cell { product, row, column }
            })
        };
        Fragment { bits, cells: (0..elements).map(of).collect() }
    }

    /// A matrix of `wmma`: not in the order of any architecture, and in one that shows where factors are
    /// loaded by rows and multiplied as if by columns. Some of f16 are held by several threads.
    pub fn of_wmma(matrix: Matrix, shape: [u32; 3], (ty, bits): (&str, u32), by_rows: bool) -> Fragment {
        let [rows, columns] = matrix.sides(shape).map(|side| side as usize);
        let elements = match (matrix.is_factor(), ty) {
            // Eight registers, whatever the shape (9.7.16.4.1).
            (true, "f16") => 16,
            _ => rows * columns / WARP,
        };
        Fragment::new(elements, bits, |lane, element| {
            let number = (element * WARP + lane) % (rows * columns);
            match by_rows || !matrix.is_factor() {
                true => (0, number / columns, number % columns),
                false => (0, number % rows, number / rows),
            }
        })
    }

    /// Elements of a register.
    fn each(&self) -> usize {
        (32 / self.bits).max(1) as usize
    }

    /// How many registers it takes, of 64 bits where elements have as many, and else of 32.
    pub fn registers(&self) -> usize {
        self.cells.len().div_ceil(self.each())
    }

    /// Bytes that a thread has of it.
    pub fn bytes(&self) -> u64 {
        (self.cells.len() as u64 * u64::from(self.bits)).div_ceil(8)
    }

    /// Where each element lies: the register, and its lowest bit there.
    fn places(&self) -> impl Iterator<Item = (usize, u32, &[Cell; WARP])> {
        let each = self.each();
        self.cells
            .iter()
            .enumerate()
            .map(move |(element, cells)| (element / each, (element % each) as u32 * self.bits, cells))
    }

    /// Calls `put` with every element that the registers hold.
    pub fn gather(&self, registers: &[Values], mut put: impl FnMut(Cell, u64)) {
        let mask = u64::MAX >> (64 - self.bits);
        for (register, shift, cells) in self.places() {
            let Some(values) = registers.get(register) else { return };
            cells.iter().zip(values).for_each(|(&cell, word)| put(cell, word >> shift & mask));
        }
    }

    /// The registers that hold what `get` has of every element.
    pub fn scatter(&self, mut get: impl FnMut(Cell) -> u64) -> Vec<Values> {
        let mut registers = vec![[0; WARP]; self.registers()];
        for (register, shift, cells) in self.places() {
            let Some(values) = registers.get_mut(register) else { continue };
            values.iter_mut().zip(cells).for_each(|(word, &cell)| *word |= get(cell) << shift);
        }
        registers
    }

    /// The register, the thread and the lowest bit of an element of the first product.
    pub fn find(&self, row: usize, column: usize) -> Option<(usize, usize, u32)> {
        let wanted = Cell { product: 0, row, column };
        self.places().find_map(|(register, shift, cells)| {
            let lane = cells.iter().position(|&cell| cell == wanted)?;
            Some((register, lane, shift))
        })
    }
}

impl Fragments {
    /// Those of a matrix instruction; `None` if it is none of a warp's.
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

    /// Whether operands are as many as there must be, with immediates as selectors.
    pub fn takes(&self, operands: &[Operand]) -> bool {
        let [d, a, b, c, more @ ..] = operands else { return false };
        let held = [(d, &self.d), (a, &self.a), (b, &self.b), (c, &self.c)];
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
    /// Whether an operand is as many registers as it takes.
    pub fn takes(&self, operand: &Operand) -> bool {
        let is_register = |operand: &Operand| matches!(operand, Operand::Register(_));
        operand.size() == self.registers()
            && match operand {
                Operand::Vector(each) => each.iter().all(is_register),
                one => is_register(one),
            }
    }
}

/// Where an element of a matrix instruction's first product lies: the register of D, the thread, and the
/// lowest bit there. `None` of what is no instruction of a warp, or has no such row or column.
pub fn result_at(variant: &MatrixVariant, row: usize, column: usize) -> Option<(usize, usize, u32)> {
    Fragments::of(variant)?.d.find(row, column)
}

/// `{byte-id, thread-id}`
fn is_selector(operand: &Operand) -> bool {
    matches!(operand, Operand::Vector(each) if matches!(&each[..], [Operand::Immediate(_), Operand::Immediate(_)]))
}

/// What the manual calls `groupID` and `threadID_in_group`.
fn group(lane: usize) -> (usize, usize) {
    (lane >> 2, lane % 4)
}

/// Of A: registers go down eight rows, where there are as many again, and then to the right; the threads of
/// a group have `each` elements side by side.
fn first(lane: usize, element: usize, each: usize, blocks: usize) -> (usize, usize, usize) {
    let ((group, thread), register) = (group(lane), element / each);
    let row = group + 8 * (register % blocks);
    (0, row, thread * each + element % each + register / blocks * 4 * each)
}

/// Of B: registers go down.
fn second(lane: usize, element: usize, each: usize) -> (usize, usize, usize) {
    let ((group, thread), register) = (group(lane), element / each);
    (0, thread * each + element % each + register * 4 * each, group)
}

/// Of C and D.
fn sum(lane: usize, element: usize) -> (usize, usize, usize) {
    let (group, thread) = group(lane);
    (0, group + element / 2 * 8, thread * 2 + (element & 1))
}

/// The product that a thread of `m8n8k4` takes part in (9.7.16.5.1), its number there, and what the threads
/// of the high group add to a row of A, to a column of B.
fn quarter(lane: usize) -> (usize, usize, usize) {
    (lane % 16 / 4, lane % 4, if lane < 16 { 0 } else { 4 })
}

/// A of `m8n8k4`.
fn left(by_rows: bool) -> Fragment {
    Fragment::new(4, 16, |lane, i| {
        let (product, thread, high) = quarter(lane);
        if by_rows { (product, thread + high, i) } else { (product, i + high, thread) }
    })
}

/// B of `m8n8k4`.
fn right(by_rows: bool) -> Fragment {
    Fragment::new(4, 16, |lane, i| {
        let (product, thread, high) = quarter(lane);
        if by_rows { (product, thread, i + high) } else { (product, i, thread + high) }
    })
}

/// C or D of `m8n8k4`, of f16 or of f32.
fn added(bits: u32) -> Fragment {
    Fragment::new(8, bits, |lane, i| {
        let (product, thread, high) = quarter(lane);
        match bits {
            16 => (product, thread + high, i),
            _ => (product, (lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)),
        }
    })
}
