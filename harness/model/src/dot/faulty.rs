//! Wrong models of sums: what each [`DotFault`] does to a stage. A fault that only takes a unit or a sequence for
//! another is carried out before any stage. The others override stages, and ask the plain stage for all that they
//! do not change.

mod add;
mod lower;
mod multiply;
mod read;
mod round;

use isa::matrix::{Dot, Lowering, Unit, UnitRounding};

use super::DotFault;
use super::stages::{DotFacts, Plain};

/// The stages with a fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultyDot {
    plain: Plain,
    fault: DotFault,
}

impl FaultyDot {
    /// Returns the stages with a fault, which may be that of another unit or sequence.
    pub fn new(mut plain: Plain, fault: DotFault) -> FaultyDot {
        if let (Lowering::ThroughHalf(unit), DotFault::EightBitsAtOnce) = (plain.lowering, fault) {
            plain.lowering = Lowering::Unit(Unit { group: 32, ..unit });
        }
        if let Some(unit) = plain.lowering.unit_mut() {
            another(unit, fault);
        }
        FaultyDot { plain, fault }
    }

    /// Whether the stages have this fault.
    fn has(&self, fault: DotFault) -> bool {
        self.fault == fault
    }
}

/// Changes a unit to the one that a fault takes it for.
fn another(unit: &mut Unit, fault: DotFault) {
    match fault {
        DotFault::FractionBitsLess => unit.fraction_bits -= 1,
        DotFault::FractionBitsMore => unit.fraction_bits += 1,
        DotFault::GroupHalved => unit.group /= 2,
        DotFault::GroupDoubled => unit.group *= 2,
        DotFault::ZeroExponentUp => unit.zero_exponent += 1,
        DotFault::ZeroExponentDown => unit.zero_exponent -= 1,
        DotFault::ShortAccumulator => {
            (unit.fraction_bits, unit.rounding) = (13, UnitRounding::TowardZero13);
        }
        _ => {}
    }
}

impl DotFacts for FaultyDot {
    fn dot(&self) -> &Dot {
        self.plain.dot()
    }

    fn lowering(&self) -> Lowering {
        self.plain.lowering()
    }
}
