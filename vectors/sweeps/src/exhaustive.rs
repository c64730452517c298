//! Every combination of operands.

use formats::Column;
use isa::limits::{INPUTS_MAX, LANES_MAX};
use isa::{LaneSlot, Op, Variant};

use super::fill::{Job, write};
use super::shape::Shape;
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "exhaustive",
    targets: "Anything at all: every combination of a lane's operands, once.",
    length,
    fill,
};

/// Most operand bits of a lane that are worth enumerating: 2^32 vectors take minutes.
const OPERAND_BITS_MAX: u32 = 32;
/// Width of the operands of which three are enumerated, too: an implementation that makes its vectors
/// itself can try 2^48.
const OF_TRIPLES: u32 = 16;

fn length(shape: &Shape) -> Length {
    match shape.operand_bits() {
        bits @ 0..=OPERAND_BITS_MAX => Length::Finite(1 << bits),
        bits if is_of_triples(shape) => Length::Finite(1 << bits),
        _ => Length::None,
    }
}

fn is_of_triples(shape: &Shape) -> bool {
    shape.op == Op::Fma && shape.operands().iter().all(|of| of.width() == OF_TRIPLES)
}

/// Multiplier and increment of the bijection that gives a lane its own order: the digits of the
/// golden ratio and of √2, the multiplier odd for every lane.
const STEP: u64 = 0x9e37_79b8;
const START: u64 = 0x6a09_e667;

/// The multiplier and the addend that make a vector's number the number of the combination that
/// `lane` has in it, before reduction to the bits of its operands. Of two lanes each has its own
/// order; four are a quarter of the space apart, so that together they have seen all of it after a
/// quarter of the vectors, and of the smaller and larger one more, so that no two have the same last operand: both
/// must be NaN for a result that is. Two lanes of triples have the same last operand, and pairs next to each other
/// of the others.
#[inline]
const fn order(op: Op, lane: u64, lanes: usize, bits: u32) -> (u64, u64) {
    if lanes > 2 {
        // A shape has `abs` in the place of all that compares.
        let apart = if matches!(op, Op::Abs) { lane } else { 0 };
        return (1, (lane << (bits - 2)) + apart);
    }
    if bits > OPERAND_BITS_MAX {
        return (1, lane << OF_TRIPLES);
    }
    (1 + lane * STEP, lane * START)
}

/// The combination that `lane` has in vector `index`.
#[inline]
const fn combination(index: u64, op: Op, lane: u64, lanes: usize, bits: u32) -> u64 {
    let (multiplier, addend) = order(op, lane, lanes, bits);
    index.wrapping_mul(multiplier).wrapping_add(addend)
}

/// The sweep as a formula, for those who make its vectors elsewhere.
///
/// Lane *l* of vector *i* has the combination ((*i* >> `shared`)·multiplier + addend) << `shared`, and
/// in its low `shared` bits those of *i*; its parts of the registers are bits of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// How many bits of a combination all lanes share.
    pub shared: u32,
    /// The lanes, in order.
    pub lanes: Vec<Numbered>,
}

/// How a lane's inputs follow from a vector's number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// See [`Numbering`].
    pub multiplier: u64,
    /// See [`Numbering`].
    pub addend: u64,
    /// Where the bits of the combination go: every input that the lane does not share with one before.
    pub parts: Vec<Part>,
}

/// One input of a lane: (combination >> `from` & `mask`) << `shift` in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Place in the combination.
    pub from: u32,
    /// The bits that the input has.
    pub mask: u64,
    /// Which operand.
    pub register: usize,
    /// Place in that register.
    pub shift: u32,
}

/// The formula of this sweep for a variant; `None` where the sweep has no vectors.
pub fn numbering(variant: &Variant) -> Option<Numbering> {
    let (shape, slots) = (Shape::of(variant), variant.lane_signature().slots());
    if length(&shape) == Length::None {
        return None;
    }
    let (shared, bits) = (shape.shared_bits(), shape.operand_bits());
    let lane = |number: usize| {
        let (multiplier, addend) = order(shape.op, number as u64, shape.lanes, bits - shared);
        let mut from = bits;
        let mut parts = Vec::new();
        for (format, slot) in shape.operands().iter().zip(slots[number]) {
            from -= format.width();
            if slot.mask != 0 {
                let LaneSlot { register, shift, mask, .. } = slot;
                parts.push(Part { from, mask, register, shift });
            }
        }
        Numbered { multiplier, addend, parts }
    };
    Some(Numbering { shared, lanes: (0..shape.lanes).map(lane).collect() })
}

fn fill(job: &Job, columns: &mut [Column]) {
    let shape = &job.shape;
    if !job.is_direct || shape.shared_bits() > 0 || shape.operand_bits() > OPERAND_BITS_MAX {
        return spread(job, columns);
    }
    let bits = shape.operand_bits();
    // The low bits of a combination are all that there is of one: words of 32 bits hold it.
    let lanes: [(u32, u32); LANES_MAX] = std::array::from_fn(|lane| {
        let lane = lane as u64;
        let first = combination(job.first, shape.op, lane, shape.lanes, bits);
        (order(shape.op, lane, shape.lanes, bits).0 as u32, first as u32)
    });
    let mut from = bits;
    for (number, (column, format)) in columns.iter_mut().zip(shape.operands()).enumerate() {
        from -= format.width();
        let (rows, mask) = (column.rows(), format.mask() as u32);
        let shifts = job.slots.map(|slots| slots[number].shift);
        let part = |row: usize, lane: usize| {
            let (step, first) = lanes[lane];
            let part = (row as u32).wrapping_mul(step).wrapping_add(first) >> from & mask;
            u64::from(part) << shifts[lane]
        };
        let pair = |row, lane| part(row, lane) | part(row, lane + 1);
        match shape.lanes {
            1 => write(column, 0, rows, |row| part(row, 0)),
            2 => write(column, 0, rows, |row| pair(row, 0)),
            4 => write(column, 0, rows, |row| pair(row, 0) | pair(row, 2)),
            lanes => {
                let all = |row| (0..lanes).fold(0, |word, lane| word | part(row, lane));
                write(column, 0, rows, all);
            }
        }
    }
}

/// The same lane by lane. What all lanes share is the low bits of the number, and each has its own
/// order of the rest.
fn spread(job: &Job, columns: &mut [Column]) {
    let (operands, shared) = (job.shape.operands(), job.shape.shared_bits());
    let own_bits = job.shape.operand_bits() - shared;
    job.numbered_lanes(columns, |number, index| {
        let own = combination(index >> shared, job.shape.op, number as u64, job.shape.lanes, own_bits);
        let mut bits = own << shared | index & ((1 << shared) - 1);
        let mut lane = [0; INPUTS_MAX];
        for (operand, format) in lane.iter_mut().zip(operands).rev() {
            *operand = bits & format.mask();
            bits >>= format.width();
        }
        lane
    });
}

#[cfg(test)]
mod tests {
    use isa::columns_for;

    use super::*;

    impl Numbering {
        fn registers(&self, index: u64, registers: usize) -> Vec<u64> {
            let mut row = vec![0; registers];
            let low = (1 << self.shared) - 1;
            for lane in &self.lanes {
                let own = (index >> self.shared).wrapping_mul(lane.multiplier).wrapping_add(lane.addend);
                let bits = own << self.shared | index & low;
                for part in &lane.parts {
                    row[part.register] |= (bits >> part.from & part.mask) << part.shift;
                }
            }
            row
        }
    }

    #[test]
    fn the_formula_gives_the_sweeps_vectors() {
        let mut enumerated = 0;
        for variant in Variant::all() {
            let Length::Finite(all) = SWEEP.length(variant) else {
                assert_eq!(numbering(variant), None);
                continue;
            };
            enumerated += 1;
            let numbering = numbering(variant).unwrap();
            let rows = all.min(16);
            for first in [0, (all - rows) / 3, all - rows] {
                let mut columns = columns_for(variant, rows as usize);
                SWEEP.fill(variant, 0, first, &mut columns);
                for row in 0..rows as usize {
                    let wanted = formats::column::row(&columns, row);
                    let given = numbering.registers(first + row as u64, columns.len());
                    assert_eq!(given, wanted, "{variant} {first}+{row}");
                }
            }
        }
        assert!(enumerated > 1000, "{enumerated}");
    }
}
