//! Conversions to and from formats of 8 bits and fewer as machine-learning libraries have them, saturating or not. PTX
//! has neither these instructions nor the FNUZ formats; a cast is spelled like a `cvt`, so that whatever tests
//! conversions tests casts. A rounding other than `.rn` is there where a library has it.

use formats::Format;

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
        // Of f64 and of integers. Integers of 32 bits are converted with saturation too, as ONNX's `Cast` does by default.
        row("cast.rn{.satfinite}.e4m3|e5m2.f64",                            "d:dtype, a:atype", Exact, "", "OCP OFP8"),
        row("cast.rn{.satfinite}.e4m3fnuz|e5m2fnuz.f64",                    "d:dtype, a:atype", Exact, "", "ML libraries"),
        row("cast.f64.e4m3|e5m2",                                           "d:dtype, a:atype", Exact, "", "OCP OFP8"),
        row("cast.f64.e4m3fnuz|e5m2fnuz",                                   "d:dtype, a:atype", Exact, "", "ML libraries"),
        row("cast.rn.e4m3|e5m2.u8|s8|s32|s64",                              "d:dtype, a:atype", Exact, "", "OCP OFP8"),
        row("cast.rn.e4m3fnuz|e5m2fnuz.u8|s8|s32|s64",                      "d:dtype, a:atype", Exact, "", "ML libraries"),
        row("cast.rn.satfinite.e4m3|e5m2.s32",                              "d:dtype, a:atype", Exact, "", "OCP OFP8"),
        row("cast.rn.satfinite.e4m3fnuz|e5m2fnuz.s32",                      "d:dtype, a:atype", Exact, "", "ML libraries"),
        // Formats that ml_dtypes defines in its README: float8_e4m3, float8_e3m4 and float8_e4m3b11fnuz.
        row("cast.rn{.satfinite}.e4m3ieee|e3m4|e4m3b11fnuz.f32|f16|bf16|f64", "d:dtype, a:atype", Exact, "", "ml_dtypes"),
        row("cast.f32|f16|bf16|f64.e4m3ieee|e3m4|e4m3b11fnuz",              "d:dtype, a:atype", Exact, "", "ml_dtypes"),
        row("cast.rn.e4m3ieee|e3m4|e4m3b11fnuz.u8|s8|s32|s64",              "d:dtype, a:atype", Exact, "", "ml_dtypes"),
        // Formats in which all encodings are numbers, so that each conversion to them saturates.
        row("cast.rn.satfinite.e2m1|e2m3|e3m2.f32|f16|bf16|f64",            "d:dtype, a:atype", Exact, "", "OCP MX"),
        row("cast.rn.satfinite.e2m1|e2m3|e3m2.s32",                         "d:dtype, a:atype", Exact, "", "OCP MX"),
        row("cast.f32|f16|bf16|f64.e2m1|e2m3|e3m2",                         "d:dtype, a:atype", Exact, "", "OCP MX"),
        // OCP MX 1.0 defines the numbers of E8M0 and no conversion to it. ml_dtypes and PyTorch round to nearest, and
        // recipes for the scales of blocks round down or up. Not back to f16, in which most of its numbers are infinite
        // or zero.
        row("cast.rn{.satfinite}.ue8m0.f32|f16|bf16|f64",                   "d:dtype, a:atype", Exact, "", "OCP MX E8M0"),
        row("cast.rz|rp{.satfinite}.ue8m0.f32|bf16",                        "d:dtype, a:atype", Exact, "", "OCP MX E8M0"),
        row("cast.f32|bf16|f64.ue8m0",                                      "d:dtype, a:atype", Exact, "", "OCP MX E8M0"),
    ]
}

/// Returns the rows of the casts to and from the formats that a user defined.
pub fn own_rows() -> Vec<Form> {
    formats::own().iter().flat_map(|format| rows_of(format)).collect()
}

/// Returns the rows of the casts to and from one format, in all roundings that casts have.
fn rows_of(format: &Format) -> Vec<Form> {
    // Rows live as long as the process, as those of the table do.
    let row = |syntax: String| {
        Form::new(
            Box::leak(syntax.into_boxed_str()),
            "d:dtype, a:atype",
            Exact,
            "",
            "defined by --format",
        )
    };
    let name = format.name;
    // What is too large is the largest number anyway, where all encodings are numbers.
    let saturation = if format.nan().is_some() { "{.satfinite}" } else { ".satfinite" };
    let to = [
        format!("cast.rn|rna|rz|rp{saturation}.{name}.f32|f16|bf16|f64"),
        format!("cast.rn{saturation}.{name}.u8|s8|s32|s64"),
    ];
    let back = [&formats::F32, &formats::F16, &formats::BF16, &formats::F64].map(|wide| {
        let rounding = if wide.holds(format) { "" } else { ".rn" };
        format!("cast{rounding}.{wide:?}.{name}")
    });
    to.into_iter().chain(back).map(row).collect()
}
