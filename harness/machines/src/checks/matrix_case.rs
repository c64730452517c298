//! A matrix instruction with drawn matrices, and the product that it should compute from them.

use formats::{Format, FormatId};
use isa::matrix::{MatrixVariant, Sparsity};

use super::fragments::{Shape, of_a, of_b, of_c, of_quarters, of_sparse, sides};
use super::warp::{Draws, Warp, bits_of, number_of};
use crate::interpreter::{Values, WARP};

/// The word of threads that no selector means: read as metadata or scales, it is an error or a NaN.
const UNSELECTED: u64 = 0xffff_ffff;
/// Puts elements into registers: `element` gives the bits of an element of a thread.
fn registers(count: usize, bits: u32, element: impl Fn(usize, usize) -> u64) -> Vec<Values> {
    let each = (32 / bits).max(1) as usize;
    let word = |lane: usize, register: usize| {
        (0..each).map(|at| element(lane, register * each + at) << (at as u32 * bits % 64)).sum()
    };
    (0..count).map(|register| std::array::from_fn(|lane| word(lane, register))).collect()
}

/// The matrices of one instruction, and the words that say which elements of A are stored, and how A and B are scaled.
pub(super) struct Matrices {
    /// The elements of A, M × stored for each product.
    pub(super) a: Vec<f64>,
    /// The elements of B, K × N for each product.
    pub(super) b: Vec<f64>,
    /// The elements of C, M × N for each product.
    pub(super) c: Vec<f64>,
    /// The metadata, four bits of each row and chunk.
    metadata: Vec<u64>,
    /// The scales, of each row and block of A, and of each column and block of B: powers of two.
    scales: [Vec<i32>; 2],
}

/// An instruction with the selectors that it is executed with.
pub(super) struct MatrixCase {
    variant: MatrixVariant,
    /// M, N, K and the number of elements of a row of A that are stored.
    pub(super) sides: [usize; 4],
    products: usize,
    /// The selector of the metadata.
    selector: usize,
    /// The selectors of a byte and a thread, of the scales of A and of B.
    scaled: [[usize; 2]; 2],
    warp: Warp,
}

impl MatrixCase {
    /// Makes a case of the instruction of this name, with the selectors of its metadata and of its scales.
    pub(super) fn new(text: &str, selector: usize, scaled: [[usize; 2]; 2]) -> MatrixCase {
        let variant: MatrixVariant = text.parse().unwrap();
        let ([m, n, k], dot) = (sides(&variant), *variant.dot());
        let products = if text.contains("m8n8k4") && dot.a.id == FormatId::F16 { 4 } else { 1 };
        let stored = dot.stored() as usize;
        let held = |elements: usize, bits: u32| {
            (elements * products / WARP * bits as usize).div_ceil(bits.max(32) as usize)
        };
        let stride = |operand: usize| variant.operands()[operand].stride;
        let [a, b, c, d] = [stride(0), stride(1), stride(2), variant.result().stride];
        let mut behind = String::new();
        if dot.sparsity.is_some() {
            behind += &format!("?; {selector}; ");
        }
        if dot.scales.is_some() {
            scaled.iter().for_each(|[byte, thread]| behind += &format!("?; {{{byte}, {thread}}}; "));
        }
        let sizes =
            [(held(m * n, d), d), (held(m * stored, a), a), (held(k * n, b), b), (held(m * n, c), c)];
        let warp = Warp::new(variant.spelling(), sizes, &behind);
        MatrixCase { variant, sides: [m, n, k, stored], products, selector, scaled, warp }
    }

    /// Draws matrices, whose elements of C are all different.
    pub(super) fn draw(&self, draws: &mut Draws) -> Matrices {
        let [m, n, k, stored] = self.sides;
        let dot = self.variant.dot();
        let mut drawn = |count: usize| (0..self.products * count).map(|_| draws.number()).collect();
        let [a, b] = [m * stored, k * n].map(&mut drawn);
        let c = (0..self.products * m * n).map(|at| at as f64).collect();
        let chunks = dot.sparsity.map_or(0, |sparsity| k / sparsity.chunk() as usize);
        let legal: &[u64] = match dot.sparsity {
            Some(Sparsity::OneOfTwo) => &[0b0100, 0b1110],
            _ => &[0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110],
        };
        let metadata = (0..m * chunks).map(|_| legal[draws.below(legal.len())]).collect();
        let blocks = dot.scales.map_or(0, |scales| scales.count as usize);
        let scales =
            [m, n].map(|lines| (0..lines * blocks).map(|_| draws.below(4) as i32 - 1).collect());
        Matrices { a, b, c, metadata, scales }
    }

    /// Returns the rows of B that the stored elements of a row of A are multiplied by.
    fn places(&self, of: &Matrices, row: usize) -> Vec<usize> {
        let [_, _, k, _] = self.sides;
        let Some(sparsity) = self.variant.dot().sparsity else { return (0..k).collect() };
        let chunk = sparsity.chunk() as usize;
        let in_chunk = |at: usize| {
            let bits = of.metadata[row * (k / chunk) + at];
            let (low, high) = (bits as usize & 3, bits as usize >> 2);
            let within = match sparsity {
                Sparsity::OneOfTwo => vec![low / 2],
                Sparsity::TwoOfFour => vec![low, high],
                Sparsity::PairsOfEight => vec![2 * low, 2 * low + 1, 2 * high, 2 * high + 1],
            };
            within.into_iter().map(move |place| at * chunk + place)
        };
        (0..k / chunk).flat_map(in_chunk).collect()
    }

    /// Computes D, as numbers.
    pub(super) fn expected(&self, of: &Matrices) -> Vec<f64> {
        let [m, n, k, stored] = self.sides;
        let blocks = self.variant.dot().scales.map_or(1, |scales| scales.count as usize);
        let mut d = of.c.clone();
        for product in 0..self.products {
            for i in 0..m {
                let places = self.places(of, i);
                for j in 0..n {
                    for (at, &place) in places.iter().enumerate() {
                        let [x, y] = [0, 1].map(|side| {
                            let line = [i, j][side] * blocks + at * blocks / stored;
                            of.scales[side].get(line).map_or(1.0, |&power| 2f64.powi(power))
                        });
                        let a = of.a[(product * m + i) * stored + at];
                        d[(product * m + i) * n + j] += x * y * a * of.b[(product * k + place) * n + j];
                    }
                }
            }
        }
        d
    }

    /// Runs the kernel on matrices and returns D, as numbers.
    pub(super) fn found(&mut self, of: &Matrices) -> Result<Vec<f64>, String> {
        let [m, n, k, stored] = self.sides;
        let (dot, operands) = (*self.variant.dot(), self.variant.operands().to_vec());
        let quarters = self.products == 4;
        let words = self.variant.words();
        let by_rows = [5, 4].map(|place| words.iter().rev().nth(place) == Some(&"row"));
        let shape = |operand: usize| Shape { sides: [m, n, k], bits: operands[operand].stride };
        let element = |operand: usize, format, all: &[f64], at: usize| {
            let below = operands[operand].below;
            bits_of(format, all[at]) << below
        };
        let sparse = dot.sparsity.is_some();
        let mut sources = Vec::new();
        let held = |elements: usize, bits: u32| {
            (elements * self.products / WARP * bits as usize).div_ceil(bits.max(32) as usize)
        };
        sources.extend(registers(held(m * stored, shape(0).bits), shape(0).bits, |lane, i| {
            let (product, row, column) = if quarters {
                let cell = of_quarters('a', by_rows[0], 16, lane, i);
                (cell.product, cell.row, cell.column)
            } else if sparse {
                // The elements of a thread in one range of columns follow each other.
                let (row, [first, _]) = of_sparse(shape(0), lane, i);
                let before = (0..i).filter(|&other| {
                    of_sparse(shape(0), lane, other) == (row, [first, first + width(shape(0), lane, i)])
                });
                (0, row, first / 2 + before.count())
            } else {
                let (row, column) = of_a(shape(0), lane, i);
                (0, row, column)
            };
            element(0, dot.a, &of.a, (product * m + row) * stored + column)
        }));
        sources.extend(registers(held(k * n, shape(1).bits), shape(1).bits, |lane, i| {
            let (product, (row, column)) = if quarters {
                let cell = of_quarters('b', by_rows[1], 16, lane, i);
                (cell.product, (cell.row, cell.column))
            } else {
                (0, of_b(shape(1), lane, i))
            };
            element(1, dot.b, &of.b, (product * k + row) * n + column)
        }));
        let sums = |bits: u32, lane: usize, i: usize| {
            let (product, (row, column)) = if quarters {
                let cell = of_quarters('c', true, bits, lane, i);
                (cell.product, (cell.row, cell.column))
            } else {
                (0, of_c(lane, i))
            };
            (product * m + row) * n + column
        };
        let bits = shape(2).bits;
        sources.extend(registers(held(m * n, bits), bits, |lane, i| {
            element(2, dot.c, &of.c, sums(bits, lane, i))
        }));
        if sparse {
            sources.push(metadata(of, m, self.selector));
        }
        if let Some(scales) = dot.scales {
            let count = scales.count as usize;
            for side in [0, 1] {
                let byte_of = |power: i32| bits_of_scale(scales.format, power);
                sources.push(scale_words(
                    &of.scales[side],
                    count,
                    self.scaled[side],
                    side == 0,
                    &byte_of,
                ));
            }
        }
        let d = self.warp.execute(&sources)?;
        let bits = self.variant.result().stride;
        let each = (32 / bits).max(1) as usize;
        let mut found = vec![f64::NAN; self.products * m * n];
        for (register, values) in d.iter().enumerate() {
            for (lane, &word) in values.iter().enumerate() {
                for at in 0..each {
                    let number = number_of(dot.d, word >> (at as u32 * bits) & u64::MAX >> (64 - bits));
                    found[sums(bits, lane, register * each + at)] = number;
                }
            }
        }
        Ok(found)
    }
}

/// Returns how far the columns of a sparse A's element reach.
fn width(shape: Shape, lane: usize, i: usize) -> usize {
    let (_, [first, last]) = of_sparse(shape, lane, i);
    last - first
}

/// Returns the bits of a scale, which is this power of two.
fn bits_of_scale(format: &Format, power: i32) -> u64 {
    bits_of(format, 2f64.powi(power))
}

/// Returns the register with metadata, of rows of so many chunks each: the lowest bits are of the first columns.
fn metadata(of: &Matrices, rows: usize, selector: usize) -> Values {
    let chunks = of.metadata.len() / rows;
    let bits = |row: usize, chunk: usize, count: usize| -> u64 {
        (0..count).map(|at| of.metadata[row * chunks + chunk + at] << (4 * at)).sum()
    };
    std::array::from_fn(|lane| {
        let (group, thread) = (lane / 4, lane % 4);
        match chunks {
            4 if thread == selector => bits(group, 0, 4) | bits(group + 8, 0, 4) << 16,
            8 if thread / 2 == selector => {
                let half = 4 * (thread % 2);
                bits(group, half, 4) | bits(group + 8, half, 4) << 16
            }
            16 => bits(group + 8 * (thread % 2), 8 * (thread / 2), 8),
            _ => UNSELECTED,
        }
    })
}

/// Returns the register with scales, all bytes that no selector means set.
fn scale_words(
    powers: &[i32],
    count: usize,
    [byte, thread]: [usize; 2],
    of_a: bool,
    byte_of: &dyn Fn(i32) -> u64,
) -> Values {
    std::array::from_fn(|lane| {
        let (group, of_group) = (lane / 4, lane % 4);
        let line = match of_a {
            true if of_group / 2 == thread => group + 8 * (of_group % 2),
            false if of_group == thread => group,
            _ => return UNSELECTED,
        };
        let mut bytes = (UNSELECTED as u32).to_le_bytes();
        for at in 0..count {
            bytes[byte + at] = byte_of(powers[line * count + at]) as u8;
        }
        u32::from_le_bytes(bytes).into()
    })
}
