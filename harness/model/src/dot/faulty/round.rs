//! Faults of rounding.

use formats::{F16, F32};
use isa::Rounding;
use isa::matrix::{Unit, UnitRounding};

use super::FaultyDot;
use crate::datum::Datum;
use crate::dot::DotFault;
use crate::dot::stages::{Grid, Round, largest};
use crate::number::Number;

impl Round for FaultyDot {
    fn grid(&self, unit: &Unit) -> Grid {
        let grid = self.plain.grid(unit);
        let rounding = match (self.fault, unit.rounding) {
            (DotFault::Truncated, UnitRounding::NearestEven) => Rounding::TowardZero,
            (DotFault::RoundedToNearest, _) => Rounding::NearestEven,
            _ => grid.rounding,
        };
        Grid { rounding, ..grid }
    }

    fn overflowed(&self, negative: bool, grid: Grid) -> Datum {
        match self.has(DotFault::OverflowSaturates) {
            true => largest(grid, negative),
            false => self.plain.overflowed(negative, grid),
        }
    }

    fn finished(&self, rounded: Datum, grid: Grid) -> Datum {
        let Datum::Finite(number) = rounded else { return rounded };
        let subnormal = number.leading().is_some_and(|leading| leading < grid.format.exponent_min());
        match self.fault {
            DotFault::SubnormalResultsFlushed if subnormal => {
                Datum::Finite(Number::zero(number.negative))
            }
            DotFault::AccumulatedInHalf if grid.of_unit && *grid.format == F32 => self
                .plain
                .rounded(rounded, Grid { of_unit: true, ..Grid::ieee(&F16, Rounding::NearestEven) }),
            _ => rounded,
        }
    }
}
