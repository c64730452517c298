//! The stages of an operation: unpack, combine exactly, round once, pack.
//!
//! Between unpacking and rounding a significand is a fixed-point number: bit [`unit`] is the unit,
//! the bits below are the fraction. Above it there is room for the carry of a sum and for its sign,
//! and below the last place of every result there are six more bits at least for what rounding needs
//! to know. Bits that are shifted out at the lower end leave a trace in bit 0, the sticky bit. Which
//! of the stages a kernel needs, by its formats, is its [`plan`].
//!
//! Words of 32 bits suffice for significands of 24 bits and products of 22, words of 64 bits for
//! products of f32, words of 128 bits for those of f64.

mod exact;
mod integral;
mod operand;
mod plan;
mod quotient;
mod round;
mod sum;

pub use exact::{Exact, base, denormalise, fixed, scale};
pub use integral::{from_integer, integral, to_integer};
pub use operand::{Unpacked, unpack};
pub use plan::SumPlan;
pub use quotient::{quotient, root};
pub use round::{Rounded, finish, round, round_with};
pub use sum::{operand, product, product_fits, product_shift, sum};

use super::word::Word;

/// Returns the position of the unit in a fixed-point significand.
const fn unit<W: Word>() -> u32 {
    unit_of(W::BITS)
}

/// Returns the position of the unit in a fixed-point significand, in words of `bits` bits.
pub const fn unit_of(bits: u32) -> u32 {
    bits - 3
}
