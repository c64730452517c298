//! Which instruction a variant is.

mod approximate;
mod arithmetic;
mod bits;
mod conversion;

use vectors::Variant;
use vectors::format::F32;
use vectors::isa::{Modifier, Operation};

use super::elements::{Columns, Elements};
use super::machine::{Machine, Run};
use super::rules::{Clamp, Modifiers};

pub use arithmetic::unmodified;

/// The programs of a variant, if it has any and this CPU has the machine.
pub fn select(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    use Operation::*;
    match variant.operation() {
        Add | Sub | Mul | Fma | Mad => arithmetic::select(variant, machine),
        Div if variant.has(Modifier::Approx) => approximate::select(variant),
        Rcp if variant.has(Modifier::Approx) && is_wide(variant) => approximate::select(variant),
        Div | Rcp | Sqrt => arithmetic::select_division(variant, machine),
        Cvt | Cast => conversion::select(variant, machine),
        Abs | Neg | Copysign | Testp | Min | Max | Set | Setp | Slct => bits::select(variant, machine),
        Rsqrt | Sin | Cos | Lg2 | Ex2 | Tanh => approximate::select(variant),
    }
}

/// A program as all that a variant needs.
fn alone<E: vectors::lanes::Element>(program: Option<Box<dyn Run<E>>>) -> Option<Box<dyn Columns>> {
    Some(Box::new(Elements { programs: vec![program?], last: None }))
}

/// The modifiers of a variant.
fn modifiers(variant: &Variant) -> Modifiers {
    let has = |modifier| variant.has(modifier);
    let clamp = match (has(Modifier::Sat), has(Modifier::Satfinite), has(Modifier::Relu)) {
        (true, ..) => Clamp::Unit,
        (_, true, true) => Clamp::PositiveFinite,
        (_, true, _) => Clamp::Finite,
        (.., true) => Clamp::Positive,
        _ => Clamp::None,
    };
    Modifiers {
        rounding: variant.rounding(),
        flush_operands: has(Modifier::Ftz),
        flush_results: has(Modifier::Ftz),
        clamp,
        positive_zero: has(Modifier::Pzo),
    }
}

/// Whether some format of a variant is wider than f32.
fn is_wide(variant: &Variant) -> bool {
    let streams = variant.inputs().iter().chain(variant.outputs());
    streams.map(|stream| stream.format.width()).max() > Some(F32.width())
}
