//! The layout of a dot product's data in the rows of its columns.

use formats::{Column, Format, FormatId};

use super::controls::Controls;
use super::dot::{Dot, Sparsity};

/// A column of a dot product: elements side by side in each row, the first in the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DotOperand {
    /// The part of the dot product that the column holds.
    pub role: Role,
    /// The format of the elements; `None` for metadata and controls, which are bits.
    pub format: Option<&'static Format>,
    /// The number of elements in a row.
    pub elements: u32,
    /// The distance from one element to the next, in bits.
    pub stride: u32,
    /// The number of a register's bits that lie below an element's own: 2 for e2m1 in a byte, 13 for tf32.
    pub below: u32,
}

/// The part of a dot product that a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A row of A; for a sparse A, the elements that are stored.
    A,
    /// A column of B.
    B,
    /// The addend.
    C,
    /// The scales of A's row, in the order of its blocks.
    ScalesA,
    /// The scales of B's column.
    ScalesB,
    /// Four bits for each chunk of a sparse A: two indices, the first in the lower bits (9.7.16.6.1).
    Metadata,
    /// The controls that operands set for a sum as a whole: see [`Controls`].
    Controls,
    /// The sum.
    D,
}

impl Role {
    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Role::A => "a",
            Role::B => "b",
            Role::C => "c",
            Role::ScalesA => "scale-a",
            Role::ScalesB => "scale-b",
            Role::Metadata => "metadata",
            Role::Controls => "controls",
            Role::D => "d",
        }
    }
}

impl DotOperand {
    /// Returns what a row holds, in words: `16 x f16`, or `f32` for one element.
    pub fn ty(&self) -> String {
        let of = self.format.map_or("bits", |format| format.name);
        match self.elements {
            1 => of.into(),
            count => format!("{count} x {of}"),
        }
    }

    /// Returns the number of bytes of a row.
    pub const fn row_bytes(&self) -> usize {
        (self.elements * self.stride).div_ceil(8) as usize
    }

    /// Returns the mask of an element's register: every bit from the element to the next.
    const fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.stride)
    }

    /// Returns an element with all bits up to the next element.
    pub fn register(&self, row: &[u8], element: usize) -> u64 {
        let bit = element * self.stride as usize;
        // Strides are four bits or whole bytes, so eight bytes hold an element wherever it begins.
        let mut word = [0; 8];
        let bytes = &row[bit / 8..row.len().min(bit / 8 + 8)];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word) >> (bit % 8) & self.mask()
    }

    /// Returns an element's own bits.
    pub fn get(&self, row: &[u8], element: usize) -> u64 {
        let bits = self.register(row, element) >> self.below;
        self.format.map_or(bits, |format| bits & format.mask())
    }

    /// Sets an element with all bits up to the next element, in a row that holds zeros there.
    pub fn set_register(&self, row: &mut [u8], element: usize, bits: u64) {
        let bit = element * self.stride as usize;
        let word = (bits & self.mask()) << (bit % 8);
        let end = row.len().min(bit / 8 + 8);
        row[bit / 8..end].iter_mut().zip(word.to_le_bytes()).for_each(|(byte, bits)| *byte |= bits);
    }

    /// Sets an element's own bits, in a row that holds zeros there.
    pub fn set(&self, row: &mut [u8], element: usize, bits: u64) {
        self.set_register(row, element, bits << self.below);
    }

    /// Returns which bits of an element's register hold nothing.
    pub fn padding(&self) -> u64 {
        self.format.map_or(0, |format| self.mask() & !(format.mask() << self.below))
    }

    /// Returns which of the padding bits may be anything: those beside four bits in a byte (9.7.16.5.14), and those
    /// below tf32. Beside elements of six bits and scales of seven bits the manual has zeros (5.2.3).
    pub fn ignored(&self) -> u64 {
        match self.format.map(|format| format.id) {
            Some(FormatId::E2m1 | FormatId::Tf32) => self.padding(),
            _ => 0,
        }
    }
}

/// Returns the columns of a dot product, in order. `controls` tells whether operands control what is added, so that
/// there is a column of them.
pub(super) fn operands(dot: &Dot, four_bits: bool, controls: bool) -> Vec<DotOperand> {
    let multiplicand = |role, format: &'static Format, elements| {
        let (stride, below) = match format.id {
            FormatId::Tf32 => (32, 13),
            // Kinds of four bits pack two elements in a byte; others have one in the middle of a byte.
            FormatId::E2m1 if four_bits => (4, 0),
            FormatId::E2m1 => (8, 2),
            _ => (format.width().next_multiple_of(8), 0),
        };
        DotOperand { role, format: Some(format), elements, stride, below }
    };
    let mut operands = vec![
        multiplicand(Role::A, dot.a, dot.stored()),
        multiplicand(Role::B, dot.b, dot.k),
        accumulator(Role::C, dot.c),
    ];
    if let Some(scales) = dot.scales {
        operands.extend([Role::ScalesA, Role::ScalesB].map(|role| DotOperand {
            role,
            format: Some(scales.format),
            elements: scales.count,
            stride: 8,
            below: 0,
        }));
    }
    let bits = |role, elements, stride| DotOperand { role, format: None, elements, stride, below: 0 };
    if let Some(sparsity) = dot.sparsity {
        operands.push(bits(Role::Metadata, dot.k / sparsity.chunk(), 4));
    }
    if controls {
        operands.push(bits(Role::Controls, 1, 8));
    }
    operands
}

/// Returns the column of an addend or of a result.
pub(super) fn accumulator(role: Role, format: &'static Format) -> DotOperand {
    DotOperand { role, format: Some(format), elements: 1, stride: format.width(), below: 0 }
}

/// The data of one dot product, each in the low bits of a word: the contents of its [`DotOperand`]s, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DotData {
    /// The elements of A; for a sparse A, those that are stored.
    pub a: Vec<u64>,
    /// The elements of B, all of them.
    pub b: Vec<u64>,
    /// The addend.
    pub c: u64,
    /// The scales of A, and the scales of B; empty where there are none.
    pub scales: [Vec<u64>; 2],
    /// The index of the element of B that each element of A is multiplied by.
    pub places: Vec<usize>,
    /// The controls of the addend and of signs.
    pub controls: Controls,
}

impl DotData {
    /// Returns data of zeros, for a dense A or for a sparse A that stores the first elements of each chunk.
    pub fn new(dot: &Dot) -> DotData {
        let mut data = DotData {
            a: vec![0; dot.stored() as usize],
            b: vec![0; dot.k as usize],
            c: 0,
            scales: [(); 2].map(|()| vec![0; dot.scales.map_or(0, |scales| scales.count as usize)]),
            places: (0..dot.k as usize).collect(),
            controls: Controls::PLAIN,
        };
        if let Some(sparsity) = dot.sparsity {
            data.place(sparsity, |_| 0b0100);
        }
        data
    }

    /// Reads one row of the columns of `operands`, into data of the same dot product.
    pub fn read(&mut self, dot: &Dot, operands: &[DotOperand], columns: &[Column], row: usize) {
        for (operand, column) in operands.iter().zip(columns) {
            let bytes = column.row_bytes_of(row);
            let all = |into: &mut Vec<u64>| {
                into.iter_mut().enumerate().for_each(|(at, bits)| *bits = operand.get(bytes, at));
            };
            match operand.role {
                Role::A => all(&mut self.a),
                Role::B => all(&mut self.b),
                Role::C | Role::D => self.c = operand.get(bytes, 0),
                Role::ScalesA => all(&mut self.scales[0]),
                Role::ScalesB => all(&mut self.scales[1]),
                Role::Controls => self.controls = Controls::from_bits(dot, operand.get(bytes, 0)),
                Role::Metadata => {
                    let sparsity = dot.sparsity.expect("a sparse A has metadata");
                    self.place(sparsity, |chunk| operand.get(bytes, chunk));
                }
            }
        }
    }

    /// Sets the places of A's elements from the metadata of each chunk.
    pub fn place(&mut self, sparsity: Sparsity, metadata: impl Fn(usize) -> u64) {
        let chunk = sparsity.chunk() as usize;
        self.places.clear();
        for number in 0..self.b.len() / chunk {
            let bits = metadata(number) as usize;
            let (low, high, first) = (bits & 3, bits >> 2 & 3, number * chunk);
            match sparsity {
                // The indices are those of halves of elements, as if the elements were of 16 bits.
                Sparsity::OneOfTwo => self.places.push(first + low / 2),
                Sparsity::TwoOfFour => self.places.extend([low, high].map(|index| first + index)),
                Sparsity::PairsOfEight => {
                    let pairs = [low, high].map(|index| first + 2 * index);
                    self.places.extend(pairs.iter().flat_map(|&pair| [pair, pair + 1]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::MatrixVariant;

    fn variant(text: &str) -> MatrixVariant {
        text.parse().unwrap()
    }

    #[test]
    fn rows_hold_what_registers_do() {
        let widths = |text: &str| {
            let variant = variant(text);
            let each = variant.operands().iter();
            each.map(|operand| (operand.role.name(), operand.row_bytes())).collect::<Vec<_>>()
        };
        assert_eq!(
            widths("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
            [("a", 32), ("b", 32), ("c", 4)]
        );
        assert_eq!(
            widths("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0"),
            [("a", 32), ("b", 32), ("c", 4), ("scale-a", 2), ("scale-b", 2)]
        );
        assert_eq!(
            widths("wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32(a-regs)"),
            [("a", 32), ("b", 64), ("c", 4), ("metadata", 4), ("controls", 1)]
        );
    }

    #[test]
    fn elements_are_read_where_they_are_written() {
        for variant in MatrixVariant::all() {
            for operand in variant.operands() {
                let mut row = vec![0; operand.row_bytes()];
                let width = operand.format.map_or(operand.stride, Format::width);
                let bits = |at: usize| 0x9e37_79b9_7f4a_7c15_u64.rotate_left(at as u32) >> (64 - width);
                for at in 0..operand.elements as usize {
                    operand.set(&mut row, at, bits(at));
                }
                for at in 0..operand.elements as usize {
                    assert_eq!(operand.get(&row, at), bits(at), "{variant} {}", operand.role.name());
                    assert_eq!(operand.register(&row, at) & operand.padding(), 0);
                }
            }
        }
    }

    /// Checks places against the manual's figures of sparse storage (9.7.16.6.1).
    #[test]
    fn metadata_say_where_elements_belong() {
        let places = |text: &str, metadata: u64| {
            let variant = variant(text);
            let mut data = DotData::new(variant.dot());
            let sparsity = variant.dot().sparsity.unwrap();
            data.place(sparsity, |_| metadata);
            let chunk = sparsity.chunk() as usize;
            assert_eq!(data.places.len(), data.a.len(), "{text}");
            data.places.into_iter().take_while(|&place| place < chunk).collect::<Vec<_>>()
        };
        let ordered = "mma.sp::ordered_metadata.sync.aligned";
        let of = |rest: &str, metadata| places(&format!("{ordered}.{rest}"), metadata);
        let (one, two) = ("m16n8k16.row.col.f32.tf32.tf32.f32", "m16n8k16.row.col.f16.f16.f16.f16");
        let pairs = "m16n8k128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";
        assert_eq!([of(one, 0b0100), of(one, 0b1110)], [[0], [1]]);
        assert_eq!([of(two, 0b0100), of(two, 0b1101), of(two, 0b1110)], [[0, 1], [1, 3], [2, 3]]);
        assert_eq!([of(pairs, 0b0100), of(pairs, 0b1001)], [[0, 1, 2, 3], [2, 3, 4, 5]]);
    }
}
