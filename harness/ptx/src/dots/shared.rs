//! Writes the part of a kernel that carries matrices to shared memory, from where instructions take them: each thread
//! carries some pieces of the rows of a batch's columns, in the order that the instruction wants.

use isa::matrix::DotOperand;

use super::fragment::{ElementPlace, Fragment};
use super::writer::{FactorSide, Writer};
use crate::syntax::{B32, Scalar, Space, U32};

/// The way in which a matrix is cut into the pieces that a thread carries at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Words of at least 32 bits, along the matrix's rows.
    Words,
    /// Single elements, along the matrix's rows.
    Elements,
    /// Single elements, along the matrix's columns.
    Down,
}

impl Pieces {
    /// Returns the pieces of a matrix as the fragment of each of `threads` threads. `sides` are the number of rows
    /// and the elements of a row, powers of two.
    pub fn of(self, sides: [u32; 2], stride: u32, threads: u32) -> Fragment {
        let packed = if self == Pieces::Words { 32_u32.div_ceil(stride) } else { 1 };
        let [rows, inner] = [sides[0].ilog2(), (sides[1] / packed).ilog2()];
        // The place that each bit of a piece's number adds.
        let adds = |bit: u32| match self {
            Pieces::Down if bit < rows => [1 << bit, 0],
            Pieces::Down => [0, 1 << (bit - rows)],
            _ if bit < inner => [0, packed << bit],
            _ => [1 << (bit - inner), 0],
        };
        // Pieces are numbered. The low bits of a number are the thread, and the bits above them the piece within it.
        let (lanes, bits) = (threads.ilog2(), rows + inner);
        let mut elements: Vec<ElementPlace> = Vec::new();
        for number in 0..1_u32 << bits.saturating_sub(lanes) {
            let set = (lanes..bits).filter(|bit| number >> (bit - lanes) & 1 == 1);
            let [row, first] = set.map(adds).fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
            elements.extend((0..packed).map(|term| [row, first + term]));
        }
        Fragment { lanes: (0..lanes).map(adds).collect(), elements, packed, stride }
    }
}

impl Writer<'_> {
    /// Carries a matrix to shared memory at `base`. `address` returns where an element lies there, in bytes; it must
    /// be a sum over the bits of the element's place.
    pub fn stage(
        &mut self,
        operand: &DotOperand,
        pieces: &Fragment,
        side: FactorSide,
        unit: u32,
        base: &str,
        address: impl Fn(ElementPlace) -> u32,
    ) {
        let name = format!("%{}_piece", operand.role.name());
        self.load(&name, operand, pieces, side, unit);
        let at = self.shared_lane(pieces, base, &address);
        for (number, places) in pieces.each().enumerate() {
            let (ty, offset) = (Scalar::Bits(pieces.width()), address(places[0]).into());
            self.body.st(Space::Shared, ty, &at, offset, &format!("{name}{number}"));
        }
    }

    /// Returns a register with a lane's own part of the address in shared memory; the address of each of its pieces
    /// is added to that.
    pub fn shared_lane(
        &mut self,
        pieces: &Fragment,
        base: &str,
        address: impl Fn(ElementPlace) -> u32,
    ) -> String {
        let at = self.register(B32, "%piece_at");
        self.lane_part(&at, pieces.lanes.iter().map(|&place| address(place)));
        self.body.add(U32, &at, at.as_str(), base);
        at
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn pieces_are_a_matrix_in_the_order_of_memory() {
        for (pieces, stride) in
            [(Pieces::Words, 16), (Pieces::Elements, 16), (Pieces::Down, 16), (Pieces::Words, 64)]
        {
            let (rows, inner) = (16, 8);
            let fragment = pieces.of([rows, inner], stride, 32);
            let mut seen = HashSet::new();
            for lane in 0..32 {
                for element in 0..fragment.elements.len() {
                    let [row, term] = fragment.place(lane, element);
                    let (piece, term_in) =
                        (element as u32 / fragment.packed, element as u32 % fragment.packed);
                    let number = (piece * 32 + lane) * fragment.packed + term_in;
                    let expected = match pieces {
                        Pieces::Down => [number % rows, number / rows],
                        _ => [number / inner, number % inner],
                    };
                    assert_eq!([row, term], expected, "{pieces:?}");
                    seen.insert([row, term]);
                }
            }
            assert_eq!(seen.len(), 128);
        }
    }
}
