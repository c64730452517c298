//! Layouts of matrix fragments: which elements of a matrix the registers of a thread hold (PTX ISA 9.7.16.5.1 to
//! 9.7.16.6.2, and 9.7.17.5.1.1). Every layout is a sum: what each bit of the lane adds, and what the element's
//! number adds.

use formats::FormatId;
use isa::matrix::MatrixVariant;

/// The place of an element: row and column in D, row and number of the term in A, column and number of the term in B.
pub type ElementPlace = [u32; 2];

/// A matrix in the registers of a warp, or of the four warps of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// Place that each bit of the lane adds, from the lowest bit.
    pub lanes: Vec<ElementPlace>,
    /// Place that each element of a thread adds, in the order of its registers.
    pub elements: Vec<ElementPlace>,
    /// Number of elements in a register.
    pub packed: u32,
    /// Distance from one element to the next, in bits.
    pub stride: u32,
}

impl Fragment {
    /// Returns the place of a lane's element in the matrix.
    pub fn place(&self, lane: u32, element: usize) -> ElementPlace {
        let set = self.lanes.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 == 1);
        let sum = |[a, b]: ElementPlace, [c, d]: ElementPlace| [a + c, b + d];
        set.map(|(_, &adds)| adds).fold(self.elements[element], sum)
    }

    /// Returns the number of registers of a thread.
    pub fn registers(&self) -> usize {
        self.elements.len() / self.packed as usize
    }

    /// Returns the width of a register in bits.
    pub fn width(&self) -> u32 {
        self.packed * self.stride
    }

    /// Returns the places of the elements of each register.
    pub fn each(&self) -> impl Iterator<Item = &[ElementPlace]> {
        self.elements.chunks(self.packed as usize)
    }
}

/// The fragments of a matrix instruction.
#[derive(Clone, Debug)]
pub struct Fragments {
    /// Fragment of A; of a sparse A, only the elements that are stored.
    pub a: Fragment,
    /// Fragment of B.
    pub b: Fragment,
    /// Fragment of C, the addends.
    pub c: Fragment,
    /// Fragment of D, the sums.
    pub d: Fragment,
}

/// Number that the rows and the columns of all shapes are multiples of.
pub const SIDE: u32 = 8;

impl Fragments {
    /// Returns the fragments of an `mma` or `mma.sp`; `None` for other instructions.
    pub fn of(variant: &MatrixVariant) -> Option<Fragments> {
        let words = variant.words();
        let [m, n, _] = variant.shape().filter(|_| words[0] == "mma")?;
        let [a, b, c] = [0, 1, 2].map(|at| variant.operands()[at]);
        let d = variant.result();
        // Only `m8n8k4` has this shape and factors of f16. It computes four products at once, in layouts of its own.
        if [m, n] == [8, 8] && a.format.is_some_and(|format| format.id == FormatId::F16) {
            let layouts: Vec<&str> =
                words.iter().filter(|word| matches!(**word, "row" | "col")).copied().collect();
            return Some(Fragments {
                a: four_multiplicands(layouts.first() == Some(&"row")),
                b: four_multiplicands(layouts.get(1) == Some(&"col")),
                c: four_accumulators(c.stride),
                d: four_accumulators(d.stride),
            });
        }
        Some(Fragments {
            a: multiplicand(m, a.elements, a.stride),
            // N is 8 in every other shape of `mma`.
            b: multiplicand(SIDE, b.elements, b.stride),
            c: accumulator(m, n, c.stride),
            d: accumulator(m, n, d.stride),
        })
    }
}

/// Returns the fragment of a factor with `rows` rows in a warp. A quad of threads holds a row: each of its threads
/// has a register of consecutive terms, and the next four registers follow.
pub fn multiplicand(rows: u32, terms: u32, stride: u32) -> Fragment {
    let packed = 32_u32.div_ceil(stride);
    let mut elements = Vec::new();
    for first in (0..terms).step_by(4 * packed as usize) {
        for row in (0..rows).step_by(SIDE as usize) {
            elements.extend((0..packed).map(|term| [row, first + term]));
        }
    }
    // The lane's two low bits choose a thread of the quad and so its terms; the three above them choose the row.
    let lanes = vec![[0, packed], [0, 2 * packed], [1, 0], [2, 0], [4, 0]];
    Fragment { lanes, elements, packed, stride }
}

/// Returns the fragment of addends or sums. A quad of threads holds eight columns of a row: each of its threads has
/// two beside each other.
pub fn accumulator(rows: u32, columns: u32, stride: u32) -> Fragment {
    let mut elements = Vec::new();
    for first in (0..columns).step_by(SIDE as usize) {
        for row in (0..rows).step_by(SIDE as usize) {
            elements.extend([[row, first], [row, first + 1]]);
        }
    }
    // The lane's two low bits choose a thread of the quad and so two columns; the three above them choose the row.
    let lanes = vec![[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]];
    Fragment { lanes, elements, packed: 32_u32.div_ceil(stride), stride }
}

/// Returns the fragment of a factor of `m8n8k4` of f16, which is four products at once. Bits 2 and 3 of the lane say
/// which product; here the four stand on a diagonal of 32 rows and columns.
fn four_multiplicands(one_row_each: bool) -> Fragment {
    let (lanes, elements) = match one_row_each {
        true => (vec![[1, 0], [2, 0], [8, 0], [16, 0], [4, 0]], (0..4).map(|term| [0, term]).collect()),
        false => (vec![[0, 1], [0, 2], [8, 0], [16, 0], [4, 0]], (0..4).map(|row| [row, 0]).collect()),
    };
    Fragment { lanes, elements, packed: 2, stride: 16 }
}

/// Returns the fragment of addends or sums of `m8n8k4` of f16, whose four products stand on a diagonal. Elements of 16
/// and of 32 bits have different layouts.
fn four_accumulators(stride: u32) -> Fragment {
    let (lanes, elements) = match stride {
        16 => {
            (vec![[1, 0], [2, 0], [8, 8], [16, 16], [4, 0]], (0..8).map(|column| [0, column]).collect())
        }
        _ => (
            vec![[1, 0], [0, 2], [8, 8], [16, 16], [4, 0]],
            // Bit 1 of an element's number is its row within the thread; bits 0 and 2 are its column.
            (0..8).map(|number| [number & 2, number & 4 | number & 1]).collect(),
        ),
    };
    Fragment { lanes, elements, packed: 32 / stride, stride }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_element_is_held_once_and_registers_are_as_many_as_operands() {
        for variant in MatrixVariant::all().iter().filter(|one| one.text().starts_with("mma")) {
            let fragments = Fragments::of(variant).unwrap();
            let instruction = crate::matrix::matrix(variant.spelling(), &variant.words());
            let Fragments { a, b, c, d } = &fragments;
            for (fragment, operand) in [d, a, b, c].into_iter().zip(&instruction.operands) {
                assert_eq!(fragment.registers(), operand.size(), "{variant}");
                let places = (0..32).flat_map(|lane| {
                    (0..fragment.elements.len()).map(move |element| fragment.place(lane, element))
                });
                let count = 32 * fragment.elements.len();
                assert_eq!(places.collect::<HashSet<_>>().len(), count, "{variant}");
            }
        }
    }
}
