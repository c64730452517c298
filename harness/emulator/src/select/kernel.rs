//! The helpers that every selection of a kernel needs.

use formats::{Element, F32, FormatId};
use isa::Variant;

use crate::backend::RunColumns;
use crate::elements::{ColumnKernel, Elements};

/// Returns the computation of a variant that needs no other kernel than this one and prepares no input.
pub fn single_kernel<E: Element>(
    kernel: Option<Box<dyn RunColumns<E>>>,
) -> Option<Box<dyn ColumnKernel>> {
    Some(Box::new(Elements { kernels: vec![kernel?], last: None }))
}

/// Whether words of 32 bits are too narrow for a variant: some format is wider than f32, or was defined by a user, who may
/// have given it larger exponents.
pub fn is_wide(variant: &Variant) -> bool {
    let mut formats = variant.inputs().iter().chain(variant.outputs()).map(|data| data.format);
    formats.any(|format| format.width() > F32.width() || matches!(format.id, FormatId::Own(_)))
}
