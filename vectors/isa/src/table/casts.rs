//! Conversions to and from 8-bit formats as machine-learning libraries have them, in all their
//! roundings, saturating or not. PTX has neither these instructions nor the FNUZ formats; a cast is
//! spelled like a `cvt`, so that whatever tests conversions tests casts.

use crate::Contract::Exact;
use crate::Form;

/// Returns the rows of the casts; their section is that of the formats' definition, since PTX has none.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("cast.rn|rna|rz|rp{.satfinite}.e4m3|e5m2.f32|f16|bf16",         "d:dtype, a:atype", Exact, "", "OCP OFP8"),
        row("cast.rn|rna|rz|rp{.satfinite}.e4m3fnuz|e5m2fnuz.f32|f16|bf16", "d:dtype, a:atype", Exact, "", "ML libraries"),
        row("cast.f32|f16|bf16.e4m3|e5m2",                                  "d:dtype, a:atype", Exact, "", "OCP OFP8"),
        row("cast.f32|f16|bf16.e4m3fnuz|e5m2fnuz",                          "d:dtype, a:atype", Exact, "", "ML libraries"),
    ]
}
