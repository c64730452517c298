//! The instruction table as plain data: a file for each of the manual's sections, a row for each line of its syntax.
//!
//! To add an instruction, add a row to the file of its section (or a file, to [`forms`]).

mod accuracy;
mod alternate;
mod bulk;
mod casts;
mod comparison;
mod conversion;
mod fabric;
mod floating_point;
mod half_precision;
mod memory;
mod mixed_precision;
mod multimem;
mod tensor_memory;
mod warp;

use std::sync::OnceLock;

use crate::Form;

/// Returns every row, in the manual's order.
pub fn forms() -> &'static [Form] {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    FORMS.get_or_init(|| {
        [
            floating_point::rows(),
            half_precision::rows(),
            mixed_precision::rows(),
            alternate::rows(),
            comparison::rows(),
            conversion::rows(),
            bulk::rows(),
            fabric::rows(),
            memory::rows(),
            multimem::rows(),
            warp::rows(),
            tensor_memory::rows(),
            casts::rows(),
            casts::own_rows(),
        ]
        .concat()
    })
}
