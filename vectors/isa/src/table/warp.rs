//! PTX ISA 9.7.15.13, `redux.sync`: arithmetic on the values that the threads of a warp have.
//!
//! The operands are the values of one source register in the threads, three of them here: more threads have the same
//! three again, which changes neither the smallest nor the largest. Every thread has the result.
//!
//! The manual states what `min` and `max` leave open: "+0.0 > -0.0", and that a NaN result is "canonical". It says
//! nothing of subnormal numbers, and there is no `.ftz`: no sentence lets any be flushed. The integer types are no
//! floating-point arithmetic.

use crate::Contract::Exact;
use crate::instruction::{Form, Ftz};

/// Returns the row of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("redux.sync.min|max{.abs}{.NaN}.f32", "d, <a, b, c>", Exact, "8.6 sm_100a; 8.8 sm_100f", "9.7.15.13").ftz(Ftz::Inputs),
    ]
}
