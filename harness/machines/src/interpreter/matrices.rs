//! Executes matrix instructions: a warp's fragments become matrices, the emulator computes each element of the result
//! as a dot product, and the results become fragments again.

use emulator::dot::DotKernel;
use formats::Column;
use isa::Target;
use isa::matrix::{DotOperand, MatrixVariant, Role, columns_for, results_for};

use super::Values;
use super::fragments::{Fragment, Fragments, MatrixCell};

/// The emulator's kernel of one matrix instruction, with the fragments and columns that it needs.
pub struct MatrixUnit {
    variant: &'static MatrixVariant,
    kernel: DotKernel,
    fragments: Fragments,
    operands: Vec<Column>,
    results: Vec<Column>,
}

/// The registers of a warp that hold the operands of a matrix instruction, all but D.
struct Operands<'a> {
    a: &'a [Values],
    b: &'a [Values],
    c: &'a [Values],
    /// The metadata and the selector.
    metadata: Option<[&'a Values; 2]>,
    /// The scales of A and of B, each with the selectors of a byte and of a thread.
    scales: Option<[[&'a Values; 3]; 2]>,
}

/// The part of a matrix that an element of the result depends on.
enum MatrixPart {
    /// The row that the element of the result is in.
    Row,
    /// The column that the element of the result is in.
    Column,
    /// The element that has the same row and column.
    Element,
}

impl MatrixUnit {
    /// Returns the unit of an instruction, as a device of a compute capability, given times ten, computes it; as the
    /// newest target does where that is not known. `None` if a warp executes no such instruction.
    pub fn of(variant: &'static MatrixVariant, capability: Option<u16>) -> Option<MatrixUnit> {
        let fragments = Fragments::of(variant)?;
        // Several targets have one number, such as `sm_90` and `sm_90a`: the last that has the instruction counts.
        let of_device =
            Target::all().map(|(target, _)| target).filter(|target| Some(target.number) == capability);
        let kernel = of_device.filter_map(|target| DotKernel::of(variant, target)).last();
        let kernel = kernel.or_else(|| DotKernel::newest(variant).map(|(_, kernel)| kernel))?;
        let [m, n] = fragments.sides;
        let rows = fragments.products * m * n;
        let (operands, results) = (columns_for(variant, rows), results_for(variant, rows));
        Some(MatrixUnit { variant, kernel, fragments, operands, results })
    }

    /// Computes the registers of D.
    ///
    /// # Errors
    /// If the sources are not those of the instruction, or its selectors or metadata mean nothing.
    pub fn execute(&mut self, sources: &[Values]) -> Result<Vec<Values>, String> {
        let text = self.variant.text();
        let held =
            Operands::of(&self.fragments, sources).ok_or(format!("`{text}` has wrong sources"))?;
        let Fragments { sides: [m, n], products, .. } = self.fragments;
        let rows = products * m * n;
        let tile = &self.fragments;
        for (operand, column) in self.variant.operands().iter().zip(&mut self.operands) {
            let count = operand.elements as usize;
            // What rows of the column are made of: a row of A, a column of B, an element of C.
            let (part, lines) = match operand.role {
                Role::A => {
                    let place = |cell: MatrixCell| (cell.product * m + cell.row, cell.column);
                    (MatrixPart::Row, tile.a.lines(held.a, [products * m, count], place))
                }
                Role::B => {
                    let place = |cell: MatrixCell| (cell.product * n + cell.column, cell.row);
                    (MatrixPart::Column, tile.b.lines(held.b, [products * n, count], place))
                }
                Role::C => {
                    let place = |cell: MatrixCell| ((cell.product * m + cell.row) * n + cell.column, 0);
                    (MatrixPart::Element, tile.c.lines(held.c, [rows, count], place))
                }
                Role::ScalesA => (MatrixPart::Row, scales(held.scales.map(|[a, _]| a), count, m, true)?),
                Role::ScalesB => {
                    (MatrixPart::Column, scales(held.scales.map(|[_, b]| b), count, n, false)?)
                }
                Role::Metadata => {
                    let of = |row| metadata(self.variant, held.metadata, count, row);
                    (MatrixPart::Row, (0..m).map(of).collect::<Result<_, _>>()?)
                }
                Role::Controls | Role::D => {
                    return Err(format!("`{text}` is not an instruction of a warp"));
                }
            };
            let packed: Vec<Vec<u8>> = lines.iter().map(|line| packed(operand, line)).collect();
            for row in 0..rows {
                // Row number (p·M + i)·N + j of the columns is element (i, j) of product p.
                let line = match part {
                    MatrixPart::Row => row / n,
                    MatrixPart::Column => row / (m * n) * n + row % n,
                    MatrixPart::Element => row,
                };
                if let Some(line) = packed.get(line) {
                    column.row_bytes_of_mut(row).copy_from_slice(line);
                }
            }
        }
        self.kernel.run(&self.operands, &mut self.results);
        let d = self.results.first();
        Ok(self
            .fragments
            .d
            .scatter(|cell| d.map_or(0, |d| d.get((cell.product * m + cell.row) * n + cell.column))))
    }
}

impl<'a> Operands<'a> {
    /// Splits sources into the operands of an instruction; registers in braces are given one by one. `None` if they do
    /// not fit.
    fn of(fragments: &Fragments, sources: &'a [Values]) -> Option<Operands<'a>> {
        let (a, rest) = sources.split_at_checked(fragments.a.registers())?;
        let (b, rest) = rest.split_at_checked(fragments.b.registers())?;
        let (c, rest) = rest.split_at_checked(fragments.c.registers())?;
        let (metadata, rest) = match (fragments.sparse, rest) {
            (true, [word, selector, rest @ ..]) => (Some([word, selector]), rest),
            (true, _) => return None,
            (false, rest) => (None, rest),
        };
        let scales = match (fragments.scaled, rest) {
            (true, [a, byte_a, thread_a, b, byte_b, thread_b]) => {
                Some([[a, byte_a, thread_a], [b, byte_b, thread_b]])
            }
            (false, []) => None,
            _ => return None,
        };
        Some(Operands { a, b, c, metadata, scales })
    }
}

impl Fragment {
    /// Gathers the elements of the fragment into `lines` lines of `count` elements each; `place` gives the line of a
    /// cell, and the number in the line.
    fn lines(
        &self,
        registers: &[Values],
        [lines, count]: [usize; 2],
        place: impl Fn(MatrixCell) -> (usize, usize),
    ) -> Vec<Vec<u64>> {
        let mut all = vec![vec![0; count]; lines];
        self.gather(registers, |cell, bits| {
            let (line, at) = place(cell);
            if let Some(element) = all.get_mut(line).and_then(|line| line.get_mut(at)) {
                *element = bits;
            }
        });
        all
    }
}

/// Packs elements into the bytes of one row of an operand's column.
fn packed(operand: &DotOperand, elements: &[u64]) -> Vec<u8> {
    let mut row = vec![0; operand.row_bytes()];
    let each = elements.iter().enumerate();
    each.for_each(|(at, &bits)| operand.set_register(&mut row, at, bits));
    row
}

/// Returns the value of a selector, which is the same in all threads.
fn selector(values: &Values) -> usize {
    let [first, ..] = *values;
    usize::try_from(first).unwrap_or(usize::MAX)
}

/// Returns the word that the thread of a number has, or 0 if there is no such thread.
fn of_thread(values: &Values, thread: usize) -> u64 {
    values.get(thread).copied().unwrap_or(0)
}

/// Returns the scales of each row of A, or each column of B (9.7.16.3). Of a pair of threads the even one has the
/// scales of the upper eight rows, which only a figure shows.
fn scales(
    held: Option<[&Values; 3]>,
    count: usize,
    lines: usize,
    of_a: bool,
) -> Result<Vec<Vec<u64>>, String> {
    let [words, byte, thread] = held.ok_or("there are no scales")?;
    let (byte, thread) = (selector(byte), selector(thread));
    let threads = if of_a { 2 } else { 4 };
    // The scales of a line are `count` bytes, which lie in one word and begin at a multiple of their number.
    if byte > 3 || byte % count != 0 || byte + count > 4 || thread >= threads {
        let matrix = if of_a { "A" } else { "B" };
        return Err(format!("{{{byte}, {thread}}} selects no scales of {matrix}"));
    }
    let line = |line: usize| {
        let place = if of_a { 2 * thread + line / 8 } else { thread };
        let word = of_thread(words, line % 8 * 4 + place);
        (byte..byte + count).map(|byte| word >> (8 * byte) & 0xff).collect()
    };
    Ok((0..lines).map(line).collect())
}

/// Returns the metadata of a row of A, four bits for each chunk (9.7.16.6.1). Only figures show which thread has the
/// metadata of which row.
fn metadata(
    variant: &MatrixVariant,
    held: Option<[&Values; 2]>,
    chunks: usize,
    row: usize,
) -> Result<Vec<u64>, String> {
    let [words, selector_of] = held.ok_or("there are no metadata")?;
    let selector = selector(selector_of);
    let (group, lower) = (row % 8 * 4, row / 8);
    // One thread of four has all of two rows; two threads have a half of K each; four threads have a half of
    // K of one row each.
    let (selectors, each): (usize, usize) = match chunks {
        4 => (4, 4),
        8 => (2, 4),
        _ => (1, 8),
    };
    if selector >= selectors {
        return Err(format!("the selector {selector} means no threads of `{}`", variant.text()));
    }
    let word = |chunk: usize| match selectors {
        4 => of_thread(words, group + selector) >> (16 * lower),
        2 => of_thread(words, group + 2 * selector + chunk / each) >> (16 * lower),
        _ => of_thread(words, group + lower + 2 * (chunk / each)),
    };
    let all: Vec<u64> = (0..chunks).map(|chunk| word(chunk) >> (chunk % each * 4) & 15).collect();
    let (sparsity, ordered) = (variant.dot().sparsity, !variant.is_unordered());
    let means = |bits: u64| sparsity.is_some_and(|sparsity| sparsity.is_valid_metadata(bits, ordered));
    match all.iter().position(|&bits| !means(bits)) {
        None => Ok(all),
        Some(chunk) => {
            let bits = all.get(chunk).copied().unwrap_or(0);
            Err(format!("metadata 0b{bits:04b} of row {row} and chunk {chunk} are not valid"))
        }
    }
}
