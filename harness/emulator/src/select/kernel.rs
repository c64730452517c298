//! The helpers that every selection of a kernel needs.

use formats::{Element, F32};
use isa::Variant;

use crate::backend::RunColumns;
use crate::elements::{ColumnKernel, Elements};

/// Returns the computation of a variant that needs no other kernel than this one and prepares no input.
pub fn single_kernel<E: Element>(
    kernel: Option<Box<dyn RunColumns<E>>>,
) -> Option<Box<dyn ColumnKernel>> {
    Some(Box::new(Elements { kernels: vec![kernel?], last: None }))
}

/// Whether some format of a variant is wider than f32.
pub fn is_wide(variant: &Variant) -> bool {
    let data = variant.inputs().iter().chain(variant.outputs());
    data.map(|data| data.format.width()).max() > Some(F32.width())
}
