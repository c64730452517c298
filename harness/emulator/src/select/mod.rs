//! Which instruction a variant is, by what it means.

mod approximate;
mod arithmetic;
mod bits;
mod conversion;

use formats::{Element, F32};
use isa::{Bound, Contract, Family, Meaning, Op, Variant};

use super::backend::{Backend, Run};
use super::elements::{ColumnKernel, Elements, InMemory, InTurn};

pub use arithmetic::{stages, stages_of_e5m2, unmodified};

/// The kernels of a variant, if it has any and this CPU has the backend.
pub fn select(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    if let Some(one) = variant.in_turn() {
        if let Some(accumulator) = variant.meaning().accumulator {
            return arithmetic::select_accumulated(variant, accumulator, backend);
        }
        let kernel = select(one, backend)?;
        return Some(Box::new(InTurn { kernel, signature: one.lane_signature() }));
    }
    let computed = of_meaning(variant, backend)?;
    Some(if variant.is_in_memory() { Box::new(InMemory(computed)) } else { computed })
}

/// The kernel of the first output, or of a comparison and its complement.
fn of_meaning(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    let &Meaning { op, upper_half, .. } = variant.meaning();
    if let Op::Convert(conversion) = op {
        return conversion::select(variant, conversion, backend);
    }
    match op.family() {
        Family::SumsAndProducts => arithmetic::select(variant, backend),
        Family::QuotientsAndRoots if op == Op::Rsqrt || upper_half => {
            approximate::select(variant, backend)
        }
        Family::QuotientsAndRoots => arithmetic::select_division(variant, backend),
        Family::Function => approximate::select(variant, backend),
        Family::Compare | Family::Convert => bits::select(variant, backend),
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
    let data = variant.inputs().iter().chain(variant.outputs());
    data.map(|data| data.format.width()).max() > Some(F32.width())
}
