//! Modifiers as one number, so that a kernel can take them at compile time.

use vectors::Variant;
use vectors::isa::{Modifier, Rounding};

/// A set of modifiers: the rounding in the low two bits, a bit for each of the others.
///
/// Kernels take it as a `const` parameter, so that a test of a modifier costs nothing in the loop.
pub type Modifiers = u32;

/// Round to nearest, ties to even.
pub const RN: Modifiers = 0;
/// Round towards zero.
pub const RZ: Modifiers = 1;
/// Round towards negative infinity.
pub const RM: Modifiers = 2;
/// Round towards positive infinity.
pub const RP: Modifiers = 3;
/// Flush subnormal inputs and results.
pub const FTZ: Modifiers = 1 << 2;
/// Clamp to [0, 1].
pub const SAT: Modifiers = 1 << 3;
/// Clamp negative results to zero.
pub const RELU: Modifiers = 1 << 4;
/// Zero where a multiplicand is out of bounds.
pub const OOB: Modifiers = 1 << 5;

/// The rounding of a set.
#[inline(always)]
pub const fn rounding(modifiers: Modifiers) -> Rounding {
    match modifiers & 3 {
        RN => Rounding::NearestEven,
        RZ => Rounding::TowardZero,
        RM => Rounding::Down,
        _ => Rounding::Up,
    }
}

/// Whether a set holds a modifier other than a rounding.
#[inline(always)]
pub const fn has(modifiers: Modifiers, modifier: Modifiers) -> bool {
    modifiers & modifier != 0
}

/// The set of a variant. An omitted rounding is `.rn`.
pub fn of(variant: &Variant) -> Modifiers {
    let bit = |modifier: &Modifier| match modifier {
        Modifier::Rn => RN,
        Modifier::Rz => RZ,
        Modifier::Rm => RM,
        Modifier::Rp => RP,
        Modifier::Ftz => FTZ,
        Modifier::Sat => SAT,
        Modifier::Relu => RELU,
        Modifier::Oob => OOB,
        modifier => unreachable!("{modifier}"),
    };
    variant.modifiers().iter().map(bit).fold(RN, |set, bit| set | bit)
}
