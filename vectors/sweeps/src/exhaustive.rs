//! The sweep `exhaustive`: every combination of a lane's operands, once.

use formats::Column;
use isa::limits::{INPUTS_MAX, LANES_MAX};
use isa::{LaneSlot, Op, Variant};

use super::fill::{FillJob, write};
use super::shape::Shape;
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "exhaustive",
    targets: "Anything at all: every combination of a lane's operands, once.",
    length,
    fill,
};

/// The largest number of operand bits of a lane that are worth enumerating: 2^32 vectors take minutes.
const OPERAND_BITS_MAX: u32 = 32;
/// Width of operands that are enumerated even where a lane has three of them: an implementation that makes its vectors
/// itself can try 2^48.
const OF_TRIPLES: u32 = 16;

/// Returns the number of combinations, where they are few enough to be worth enumerating.
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

/// Multiplier and increment of the bijection that gives a lane its own order: the digits of the golden ratio and of
/// √2. The multiplier is odd for every lane.
const STEP: u64 = 0x9e37_79b8;
const START: u64 = 0x6a09_e667;

/// Returns the multiplier and the addend that turn a vector's number into the number of the combination that `lane`
/// has in it, before reduction to the bits of its operands.
///
/// Two lanes each have their own order. Four lanes are a quarter of the space apart, so that together they have seen
/// all of it after a quarter of the vectors. In operations that compare, as the smaller or larger of two, each lane is
/// one further still, so that no two have the same last operand: both operands must be NaN for a result that is NaN.
/// Two lanes of triples have the same last operand, and neighbouring pairs of the other operands.
#[inline]
const fn order(op: Op, lane: u64, lanes: usize, bits: u32) -> (u64, u64) {
    if lanes > 2 {
        // A shape has `abs` in the place of all operations that compare.
        let apart = if matches!(op, Op::Abs) { lane } else { 0 };
        return (1, (lane << (bits - 2)) + apart);
    }
    if bits > OPERAND_BITS_MAX {
        return (1, lane << OF_TRIPLES);
    }
    (1 + lane * STEP, lane * START)
}

/// Returns the number of the combination that `lane` has in vector `index`.
#[inline]
const fn combination(index: u64, op: Op, lane: u64, lanes: usize, bits: u32) -> u64 {
    let (multiplier, addend) = order(op, lane, lanes, bits);
    index.wrapping_mul(multiplier).wrapping_add(addend)
}

/// The exhaustive sweep as a formula, for those who make its vectors elsewhere.
///
/// Lane *l* of vector *i* has the combination ((*i* >> `shared`)·multiplier + addend) << `shared`, and the low
/// `shared` bits of the combination are those of *i*. The lane's parts of the registers are bits of that combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// Number of bits of a combination that all lanes share.
    pub shared: u32,
    /// The lanes, in order.
    pub lanes: Vec<LaneFormula>,
}

/// The formula by which a lane's inputs follow from a vector's number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneFormula {
    /// The multiplier of the vector's number: see [`Numbering`].
    pub multiplier: u64,
    /// The addend of the lane: see [`Numbering`].
    pub addend: u64,
    /// The places where the bits of the combination go: a part for every input that the lane does not share with a
    /// lane before.
    pub parts: Vec<RegisterField>,
}

/// The part of a register that holds one input of a lane: (combination >> `from` & `mask`) << `shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterField {
    /// Place of the input's last bit in the combination.
    pub from: u32,
    /// The bits that the input has, as a mask.
    pub mask: u64,
    /// Number of the operand that holds the input.
    pub register: usize,
    /// Place of the input's last bit in that register.
    pub shift: u32,
}

/// Returns the formula of the exhaustive sweep for a variant; `None` where the sweep has no vectors.
pub fn numbering(variant: &Variant) -> Option<Numbering> {
    let (shape, slots) = (Shape::of(variant), variant.lane_signature().slots());
    if length(&shape) == Length::None {
        return None;
    }
    let (shared, bits) = (shape.shared_bits(), shape.operand_bits());
    let lane = |number: usize| {
        let (multiplier, addend) = order(shape.op, number as u64, shape.lanes, bits - shared);
        // The first input has the highest bits of a combination.
        let mut from = bits;
        let mut parts = Vec::new();
        for (format, slot) in shape.operands().iter().zip(slots[number]) {
            from -= format.width();
            // An input that all lanes share has a place in lane 0 alone.
            if slot.mask != 0 {
                let LaneSlot { register, shift, mask, .. } = slot;
                parts.push(RegisterField { from, mask, register, shift });
            }
        }
        LaneFormula { multiplier, addend, parts }
    };
    Some(Numbering { shared, lanes: (0..shape.lanes).map(lane).collect() })
}

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = &job.shape;
    // Columns are made one by one only where each has one input, which no lanes share, and 32 bits hold a combination.
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

/// Fills the columns lane by lane: where lanes share inputs, where an input is not in the register of its own number,
/// and for triples. The low bits of the vector's number are what all lanes share, and each lane has its own order of
/// the rest.
fn spread(job: &FillJob, columns: &mut [Column]) {
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
