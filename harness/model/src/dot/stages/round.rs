//! The rounding of a sum of products, by a unit or by an operation on single numbers.

use std::cmp::Ordering;

use formats::{F16, F32, Format};
use isa::Rounding;
use isa::matrix::{Unit, UnitRounding};

use super::DotFacts;
use crate::datum::Datum;
use crate::number::{Cut, Number};

/// The format and the precision that a sum is rounded to, and the rounding.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    pub format: &'static Format,
    /// The number of significand bits that are kept: those of the format, or fewer.
    pub precision: u32,
    pub rounding: Rounding,
    /// Whether a unit rounds: overflow is infinity in every rounding then.
    pub of_unit: bool,
}

impl Grid {
    /// Returns the grid of a unit's accumulator.
    pub fn of(unit: &Unit) -> Grid {
        // The precisions count the leading bit beside 23, 13 and 10 fraction bits.
        let (format, precision, rounding) = match unit.rounding {
            UnitRounding::TowardZero => (&F32, 24, Rounding::TowardZero),
            UnitRounding::TowardZero13 => (&F32, 14, Rounding::TowardZero),
            UnitRounding::NearestEven => (&F16, 11, Rounding::NearestEven),
        };
        Grid { format, precision, rounding, of_unit: true }
    }

    /// Returns the grid of operations on single numbers.
    pub fn ieee(format: &'static Format, rounding: Rounding) -> Grid {
        Grid { format, precision: format.precision(), rounding, of_unit: false }
    }

    /// Returns the exponent of the last bit that a number may have.
    pub fn unit(&self) -> i32 {
        self.format.exponent_min() + 1 - self.precision as i32
    }
}

pub trait Round: DotFacts {
    /// Returns the grid that a unit rounds to.
    fn grid(&self, unit: &Unit) -> Grid {
        Grid::of(unit)
    }

    /// Rounds a datum to a grid.
    fn rounded(&self, exact: Datum, grid: Grid) -> Datum {
        let exact = match exact {
            Datum::Finite(number) if number.significand != 0 => number,
            other => return other,
        };
        let rounded = exact.round(grid.precision, grid.unit(), |cut| rounds_away(grid.rounding, cut));
        let datum = match rounded.leading() {
            None => Datum::Finite(Number::zero(rounded.negative)),
            Some(leading) if leading > grid.format.exponent_max() => {
                self.overflowed(rounded.negative, grid)
            }
            Some(_) => Datum::Finite(rounded),
        };
        self.finished(datum, grid)
    }

    /// Returns the datum that a rounded one becomes at the end; a right model leaves it as it is.
    fn finished(&self, rounded: Datum, _grid: Grid) -> Datum {
        rounded
    }

    /// Returns the datum that a number too large for the format becomes.
    fn overflowed(&self, negative: bool, grid: Grid) -> Datum {
        let stops = match grid.rounding {
            _ if grid.of_unit => false,
            Rounding::TowardZero => true,
            Rounding::Down => !negative,
            Rounding::Up => negative,
            _ => false,
        };
        if stops { largest(grid, negative) } else { Datum::Infinity(negative) }
    }
}

/// Returns the largest number of a sign.
pub fn largest(grid: Grid, negative: bool) -> Datum {
    Datum::decode(grid.format, grid.format.max_finite()).with_sign(negative)
}

/// Whether what is cut off makes the magnitude one unit larger.
fn rounds_away(rounding: Rounding, cut: &Cut) -> bool {
    match rounding {
        Rounding::TowardZero => false,
        Rounding::Down => cut.negative && !cut.is_exact(),
        Rounding::Up => !cut.negative && !cut.is_exact(),
        _ => match cut.against_half() {
            Ordering::Less => false,
            Ordering::Equal => cut.odd,
            Ordering::Greater => true,
        },
    }
}
