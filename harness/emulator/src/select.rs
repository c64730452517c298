//! Selects the kernels of a variant by what the variant means.

mod approximate;
mod arithmetic;
mod bits;
mod conversion;
mod kernel;

use isa::{Family, Meaning, Op, Variant};

use super::backend::Backend;
use super::elements::{ColumnKernel, InMemory, InTurn};

pub use arithmetic::{Monomorphised, monomorphised, unmodified};

/// Returns the kernels of a variant, if it has any and this CPU has the backend.
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

/// Returns the kernel of the first output, or of a comparison and its complement.
fn of_meaning(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    let &Meaning { op, upper_half, .. } = variant.meaning();
    if let Op::Convert(conversion) = op {
        return conversion::select(variant, conversion, backend);
    }
    match op.family() {
        Family::SumsAndProducts => arithmetic::select(variant, backend),
        // `select_division` has neither the reciprocal root nor the upper halves of f64.
        Family::QuotientsAndRoots if op == Op::Rsqrt || upper_half => {
            approximate::select(variant, backend)
        }
        Family::QuotientsAndRoots => arithmetic::select_division(variant, backend),
        Family::Function => approximate::select(variant, backend),
        Family::Compare | Family::Convert => bits::select(variant, backend),
    }
}
