//! Which instruction a variant is, by what it means.

mod approximate;
mod arithmetic;
mod bits;
mod conversion;

use vectors::Variant;
use vectors::format::F32;
use vectors::isa::{Bound, Contract, Op};
use vectors::lanes::Element;

use super::backend::{Backend, Run};
use super::elements::{ColumnKernel, Elements};

pub use arithmetic::unmodified;

/// The kernels of a variant, if it has any and this CPU has the backend.
pub fn select(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    use Op::*;
    match variant.meaning().op {
        Add | Sub | Mul | Fma => arithmetic::select(variant, backend),
        Div if gives_zeros(variant) => approximate::select(variant),
        Rcp if variant.meaning().upper_half => approximate::select(variant),
        Div | Rcp | Sqrt => arithmetic::select_division(variant, backend),
        Convert(conversion) => conversion::select(variant, conversion, backend),
        Abs | Neg | Copysign | Test(_) | Extremum(_) | Compare(_) | Select => {
            bits::select(variant, backend)
        }
        Rsqrt | Sin | Cos | Lg2 | Ex2 | Tanh => approximate::select(variant),
    }
}

/// Whether a zero is promised for a range of operands, whatever the exact result: `div.approx`.
fn gives_zeros(variant: &Variant) -> bool {
    let Contract::Within(accuracy) = variant.form().contract else { return false };
    accuracy.ranges.iter().any(|range| matches!(range.bound, Bound::Zero))
}

/// A kernel as all that a variant needs.
fn alone<E: Element>(kernel: Option<Box<dyn Run<E>>>) -> Option<Box<dyn ColumnKernel>> {
    Some(Box::new(Elements { kernels: vec![kernel?], last: None }))
}

/// Whether some format of a variant is wider than f32.
fn is_wide(variant: &Variant) -> bool {
    let streams = variant.inputs().iter().chain(variant.outputs());
    streams.map(|stream| stream.format.width()).max() > Some(F32.width())
}
