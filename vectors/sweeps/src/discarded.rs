//! The sweep `discarded`: exact results that differ from a rounding boundary in one bit, at every place in turn.

mod conversion;
mod inverse;
mod overlapping;
pub mod terms;

use formats::Column;
use isa::limits::LANES_MAX;
use isa::{Family, Op};

use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "discarded",
    targets: "Bits below the rounding position that are lost, counted twice or not seen as sticky: exact results \
            on a midpoint or a number, plus and minus one bit, at each place down to the last, whether the terms \
            carry, cancel or neither.",
    length: |shape| if applies(shape) { Length::Endless } else { Length::None },
    fill,
};

/// Whether an operation has results between numbers and the midpoints beside them that operands can be solved for.
fn applies(shape: &Shape) -> bool {
    match shape.family {
        Family::SumsAndProducts => terms::applies(shape),
        Family::QuotientsAndRoots => matches!(shape.op, Op::Div | Op::Sqrt),
        Family::Convert => conversion::applies(shape),
        Family::Compare | Family::Function => false,
    }
}

/// How the leading bit of a sum lies beside those of its terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrangement {
    /// The sum has one bit more than both terms.
    Carries,
    /// The sum is mostly as long as X, the larger term.
    LargerX,
    /// The sum is mostly as long as Y, the larger term.
    LargerY,
    /// Leading bits of the terms cancel.
    Cancels,
}

/// The difference between an exact result and a rounding boundary: a single bit.
#[derive(Clone, Copy)]
pub struct Deviation {
    /// Whether the boundary is the midpoint between two numbers; otherwise it is a number.
    pub midpoint: bool,
    /// Whether the bit is added to the magnitude of the boundary; otherwise it is subtracted.
    pub above: bool,
    /// How the terms of a sum lie beside each other.
    pub arrangement: Arrangement,
    /// The walk through the places: a counter, of which each way to make operands takes the places that it reaches.
    round: u64,
}

impl Deviation {
    /// Returns the deviation of vector `index` of a sum: side and arrangement count fastest, then the place.
    fn of_sum(index: u64) -> Deviation {
        let arrangements =
            [Arrangement::Carries, Arrangement::LargerX, Arrangement::LargerY, Arrangement::Cancels];
        let arrangement = arrangements[(index >> 2 & 3) as usize];
        Deviation { arrangement, round: index >> 4, ..Deviation::of(index) }
    }

    /// Returns the deviation of vector `index` of what has no terms to arrange: the side counts fastest.
    pub fn of(index: u64) -> Deviation {
        Deviation {
            midpoint: index & 1 == 0,
            above: index & 2 == 0,
            arrangement: Arrangement::LargerX,
            round: index >> 2,
        }
    }

    /// Returns the place of the bit in the walk through the places from 2 to `last`: place n is 2^-n of the result's
    /// last place. Place 1 is the midpoint's own.
    pub fn place(&self, last: i32) -> i32 {
        2 + (self.round % (last - 1).max(1) as u64) as i32
    }

    /// Returns the bits below the result's last place, `places` of them, for a deviation at place `at`: modulo
    /// 2^`places`, so that a bit below a number borrows from the result.
    pub fn pattern(&self, places: i32, at: i32) -> u128 {
        let half = if self.midpoint { 1u128 << (places - 1) } else { 0 };
        let bit = 1u128 << (places - at);
        let pattern = if self.above { half + bit } else { half.wrapping_sub(bit) };
        pattern & ((1 << places) - 1)
    }

    /// Returns by how much the exact product of a result and a divisor, or the square of a result, exceeds an operand,
    /// from the magnitude of that difference: the result lies above the boundary where the operand is larger.
    fn remainder(&self, magnitude: i64) -> i64 {
        if self.above { -magnitude } else { magnitude }
    }
}

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    match (shape.family, shape.op) {
        (Family::Convert, _) => job.rows(columns, |keys, index| {
            let mut row = [Lane::default(); LANES_MAX];
            for number in 0..shape.lanes {
                let shared = if number > 0 && shape.shared[1] { Some(row[0][1]) } else { None };
                let mut draws = CounterRng::new(keys[number], index);
                row[number] =
                    conversion::lane(&shape, &mut draws, &Deviation::of(index), number, shared);
            }
            row
        }),
        (_, Op::Div) => {
            job.lanes(columns, |draws, index| inverse::division(&shape, draws, &Deviation::of(index)));
        }
        (_, Op::Sqrt) => {
            job.lanes(columns, |draws, index| inverse::root(&shape, draws, &Deviation::of(index)));
        }
        _ => {
            let deviation = if shape.adds() { Deviation::of_sum } else { Deviation::of };
            job.lanes(columns, |draws, index| {
                terms::terms(&shape, draws, &deviation(index)).lane(&shape, draws)
            });
        }
    }
}
