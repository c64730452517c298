//! Which instruction a variant is, by what it means.

mod approximate;
mod arithmetic;
mod bits;
mod conversion;

use vectors::Variant;
use vectors::format::F32;
use vectors::isa::{Bound, Contract, Op};
use vectors::lanes::Element;

use super::elements::{Columns, Elements};
use super::machine::{Machine, Run};

pub use arithmetic::unmodified;

/// The programs of a variant, if it has any and this CPU has the machine.
pub fn select(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    use Op::*;
    match variant.meaning().op {
        Add | Sub | Mul | Fma => arithmetic::select(variant, machine),
        Div if gives_zeros(variant) => approximate::select(variant),
        Rcp if variant.meaning().upper_half => approximate::select(variant),
        Div | Rcp | Sqrt => arithmetic::select_division(variant, machine),
        Convert(conversion) => conversion::select(variant, conversion, machine),
        Abs | Neg | Copysign | Test(_) | Extremum(_) | Compare(_) | Select => {
            bits::select(variant, machine)
        }
        Rsqrt | Sin | Cos | Lg2 | Ex2 | Tanh => approximate::select(variant),
    }
}

/// Whether a zero is promised for a range of operands, whatever the exact result: `div.approx`.
fn gives_zeros(variant: &Variant) -> bool {
    let Contract::Within(accuracy) = variant.form().contract else { return false };
    accuracy.ranges.iter().any(|range| matches!(range.bound, Bound::Zero))
}

/// A program as all that a variant needs.
fn alone<E: Element>(program: Option<Box<dyn Run<E>>>) -> Option<Box<dyn Columns>> {
    Some(Box::new(Elements { programs: vec![program?], last: None }))
}

/// Whether some format of a variant is wider than f32.
fn is_wide(variant: &Variant) -> bool {
    let streams = variant.inputs().iter().chain(variant.outputs());
    streams.map(|stream| stream.format.width()).max() > Some(F32.width())
}
