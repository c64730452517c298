//! The maker: one vector of dot products while a sweep writes it.

use formats::Class;
use isa::matrix::{Dot, Sparsity, Tile};

use super::{Column, Controls, DotData, MatrixVariant, Role};
use crate::{CounterRng, ExactNumber, bit_length};

/// The vector that a sweep writes: its terms, of which a sparse A has as many as are stored. Where the other elements
/// of B lie, and what they are, is not the sweep's business.
pub struct Maker {
    /// The dot product: what is multiplied and added.
    pub dot: Dot,
    /// Number of the vector.
    pub index: u64,
    /// The draws of the vector.
    pub draws: CounterRng,
    /// The multiplicands of A, one for each term.
    pub a: Vec<u64>,
    /// The multiplicands of B, one for each term.
    pub b: Vec<u64>,
    /// The addend.
    pub c: u64,
    /// The scales of A's and of B's blocks, 1 unless a sweep says otherwise.
    pub scales: [Vec<u64>; 2],
    /// The controls of the addend and of signs, drawn before the terms.
    pub controls: Controls,
    /// Random bits for padding, where padding is not to be zero: each register of A and B has some of them.
    pub junk: Option<u64>,
    /// The metadata of each chunk, drawn before the terms.
    pub metadata: Vec<u64>,
    /// All elements of B, where a sweep has made them, whichever of them are multiplied.
    pub column: Option<Vec<u64>>,
    /// Whether NaN, infinities and the largest number stand where a sparse A has zeros.
    pub unselected: bool,
    /// Whether a scaled addend is made larger, so that the sum stays what the sweep has made.
    pub compensated: bool,
    /// The number of powers of two that the addend is divided by, where a sweep has said so.
    pub addend_scale: Option<u8>,
    keys: [u64; 4],
    variant: MatrixVariant,
    data: DotData,
}

/// Pairs of indices in ascending order, as metadata has them (9.7.16.6.1).
const ORDERED: [u64; 6] = [0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110];
/// Pairs of indices that metadata has for one element of two (9.7.16.6.1): for the first, for the second.
const ONE_OF_TWO: [u64; 2] = [0b0100, 0b1110];

impl Maker {
    /// Creates the maker of a variant's vectors; `begin` begins each of them.
    pub(super) fn new(variant: &MatrixVariant) -> Maker {
        let dot = *variant.dot();
        let data = DotData::new(&dot);
        Maker {
            dot,
            index: 0,
            draws: CounterRng::new(0, 0),
            a: data.a.clone(),
            b: data.a.clone(),
            c: 0,
            scales: data.scales.clone(),
            controls: Controls::PLAIN,
            junk: None,
            metadata: vec![0; dot.sparsity.map_or(0, |sparsity| dot.k / sparsity.chunk()) as usize],
            column: None,
            unselected: false,
            compensated: true,
            addend_scale: None,
            keys: [0; 4],
            variant: variant.clone(),
            data,
        }
    }

    /// Returns the number of terms.
    pub fn terms(&self) -> usize {
        self.a.len()
    }

    /// Returns the draws of another vector of the same sweep.
    pub fn draws_of(&self, index: u64) -> CounterRng {
        self.draws_in(0, index)
    }

    /// Returns the draws with number `index` of another of the four lanes of the same sweep.
    pub fn draws_in(&self, lane: usize, index: u64) -> CounterRng {
        CounterRng::new(self.keys[lane], index)
    }

    /// Returns the rows and columns of the variant's tiles.
    pub fn tile(&self) -> Tile {
        self.variant.tile()
    }

    /// Begins a vector: everything is as before any sweep has touched it, with metadata and controls drawn.
    pub(super) fn begin(&mut self, keys: [u64; 4], index: u64) {
        (self.keys, self.index) = (keys, index);
        self.draws = CounterRng::new(keys[0], index);
        (self.column, self.addend_scale) = (None, None);
        (self.unselected, self.compensated) = (false, true);
        self.a.fill(0);
        self.b.fill(0);
        self.c = 0;
        self.junk = None;
        let one = self.dot.scales.map_or(0, |scales| scales.format.one());
        self.scales.iter_mut().for_each(|scales| scales.fill(one));
        // The order is fixed: metadata, controls, then the sweep (`MATRIX_SWEEPS.md`).
        self.draw_metadata();
        self.draw_controls();
    }

    /// Draws the metadata of each chunk, where A is sparse.
    pub(super) fn draw_metadata(&mut self) {
        let Some(sparsity) = self.dot.sparsity else { return };
        let unordered = self.variant.is_unordered();
        for bits in &mut self.metadata {
            *bits = match sparsity {
                Sparsity::OneOfTwo => ONE_OF_TWO[self.draws.below(2) as usize],
                _ => {
                    let pair = ORDERED[self.draws.below(6) as usize];
                    let swap = unordered && self.draws.flag();
                    if swap { pair >> 2 | (pair & 3) << 2 } else { pair }
                }
            };
        }
    }

    /// Draws the controls of the sum; at least three of four sums are plain.
    pub(super) fn draw_controls(&mut self) {
        self.controls = Controls::PLAIN;
        let has = self.variant.operands().iter().any(|operand| operand.role == Role::Controls);
        if has && self.draws.below(4) == 0 {
            self.controls = Controls::from_bits(&self.dot, self.draws.bits(3));
        }
    }

    /// Writes the vector into a row of the variant's columns.
    pub(super) fn write(&mut self, columns: &mut [Column], row: usize) {
        // Elements of B that A's zeros are multiplied by: small numbers, which tell a wrong place and overflow
        // nowhere.
        self.spread();
        // Scaling draws behind spreading: the two last steps of `MATRIX_SWEEPS.md`.
        self.scale_addend();
        // Padding is drawn from a stream of its own (`MATRIX_SWEEPS.md`).
        let mut junk = self.junk.map(|key| CounterRng::new(key, self.index));
        for (operand, column) in self.variant.operands().iter().zip(columns) {
            let bytes = column.row_bytes_of_mut(row);
            bytes.fill(0);
            let mut all = |elements: &[u64]| {
                let multiplied = matches!(operand.role, Role::A | Role::B);
                let padding = if multiplied { operand.ignored() } else { 0 };
                for (at, &bits) in elements.iter().enumerate() {
                    operand.set(bytes, at, bits);
                    if let Some(junk) = junk.as_mut().filter(|_| padding > 0) {
                        operand.set_register(bytes, at, junk.next() & padding);
                    }
                }
            };
            match operand.role {
                Role::A => all(&self.a),
                Role::B => all(&self.data.b),
                Role::C | Role::D => all(&[self.c]),
                Role::ScalesA => all(&self.scales[0]),
                Role::ScalesB => all(&self.scales[1]),
                Role::Metadata => all(&self.metadata),
                Role::Controls => all(&[self.controls.bits()]),
            }
        }
    }

    /// Puts B's elements in their places.
    fn spread(&mut self) {
        if let Some(column) = &self.column {
            self.data.b.copy_from_slice(column);
            return;
        }
        let Some(sparsity) = self.dot.sparsity else {
            self.data.b.copy_from_slice(&self.b);
            return;
        };
        let format = self.dot.b;
        for bits in &mut self.data.b {
            *bits = self.draws.next() & format.sign_mask();
            *bits |= match self.unselected.then(|| self.draws.below(4)) {
                Some(0) => format.nan().unwrap_or(format.max_finite()),
                Some(1) => format.infinity().unwrap_or(format.max_finite()),
                Some(2) => format.max_finite(),
                _ => format.one(),
            };
        }
        let metadata = &self.metadata;
        self.data.place(sparsity, |chunk| metadata[chunk]);
        // The terms come last: they replace what was drawn for all elements.
        for (at, &place) in self.data.places.iter().enumerate() {
            self.data.b[place] = self.b[at];
        }
    }

    /// Scales the addend, where the variant may do so: a quarter of such addends are scaled.
    fn scale_addend(&mut self) {
        if !self.dot.scaled_addend {
            return;
        }
        let scale = match self.addend_scale {
            Some(scale) => scale,
            None => self.draw_addend_scale(),
        };
        self.controls.addend_scale = scale;
        let format = self.dot.c;
        if !self.compensated || format.class(self.c) == Class::Zero {
            return;
        }
        if let Some((significand, exponent)) = format.decode(self.c) {
            let leading = exponent + bit_length(significand.into()) - 1;
            // The addend grows by what the instruction takes from it, as far as its exponent goes.
            let room = format.exponent_max() - leading;
            let exponent = exponent + i32::from(scale).min(room);
            self.controls.addend_scale = i32::from(scale).min(room) as u8;
            let negative = format.is_negative(self.c);
            self.c = ExactNumber::new(negative, significand.into(), exponent).truncate(format);
        }
    }

    /// Draws by how many powers of two an addend is divided.
    pub(super) fn draw_addend_scale(&mut self) -> u8 {
        if self.draws.below(4) == 0 { self.draws.bits(4) as u8 } else { 0 }
    }
}
