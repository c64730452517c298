//! PTX ISA 9.7.6, Alternate Floating-Point Instructions.

use crate::Contract::Exact;
use crate::Form;

/// Returns the rows of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("add{.rn}{.satfinite}.e5m2x4|e4m3x4.alt",     "d:dtype, a:atype, c:dtype",          Exact, "9.4 sm_100a,sm_103a", "9.7.6.1"),
        row("sub{.rn}{.satfinite}.e5m2x4|e4m3x4.alt",     "d:dtype, a:atype, c:dtype",          Exact, "9.4 sm_100a,sm_103a", "9.7.6.2"),
        row("mul{.rn}{.satfinite}.e5m2x4|e4m3x4.alt.alt", "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_100a,sm_103a", "9.7.6.3"),
        row("fma{.rn}{.satfinite}.e5m2x4|e4m3x4.alt.alt", "d:dtype, a:atype, b:btype, c:dtype", Exact, "9.4 sm_100a,sm_103a", "9.7.6.4"),
    ]
}
