//! PTX ISA 9.7.16.5 and 9.7.16.6: `mma`, and `mma.sp` with a sparse A. A name has the types of D, A, B and C, then the
//! type of the scales.

use super::form::MatrixForm;

/// Returns the rows of these sections.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<MatrixForm> {
    let row = MatrixForm::new;
    vec![
        row("mma.sync.aligned.m8n8k4.layout.layout.f16|f32.f16.f16.f16",                                                    "6.4 sm_70",          "9.7.16.5.14"),
        row("mma.sync.aligned.m8n8k4.layout.layout.f32.f16.f16.f32",                                                        "6.4 sm_70",          "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k8.row.col.acc.f16.f16.acc",                                                             "6.5 sm_75",          "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k16.row.col.acc.f16.f16.acc",                                                            "7.0 sm_80",          "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k8|m16n8k16.row.col.f32.bf16.bf16.f32",                                                  "7.0 sm_80",          "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k4|m16n8k8.row.col.f32.tf32.tf32.f32",                                                   "7.0 sm_80",          "9.7.16.5.14"),
        row("mma.sync.aligned.m8n8k4.row.col{.rnd}.f64.f64.f64.f64",                                                        "7.0 sm_80",          "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k4|m16n8k8|m16n8k16.row.col{.rnd}.f64.f64.f64.f64",                                      "7.8 sm_90",          "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k32.row.col.f32.f8.f8.f32",                                                              "8.4 sm_89",          "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k32.row.col.f16.f8.f8.f16",                                                              "8.7 sm_89",          "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k16.row.col.acc.f8.f8.acc",                                                              "8.7 sm_89",          "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.acc.f8f6f4.f8f6f4.acc",                                         "8.7 sm_120f",        "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.f8f6f4.f8f6f4.f32.ue8m0",     "8.7 sm_120f",        "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0",             "8.7 sm_120f",        "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",           "8.7 sm_120f",        "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",           "8.7 sm_120f",        "9.7.16.5.14"),
        row("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0",           "9.1 sm_120f",        "9.7.16.5.14"),
        row("mma.sp.sync.aligned.m16n8k16|m16n8k32.row.col.acc.f16.f16.acc",                                                "7.1 sm_80",          "9.7.16.6.3"),
        row("mma.sp.sync.aligned.m16n8k16|m16n8k32.row.col.f32.bf16.bf16.f32",                                              "7.1 sm_80",          "9.7.16.6.3"),
        row("mma.sp.sync.aligned.m16n8k8|m16n8k16.row.col.f32.tf32.tf32.f32",                                               "7.1 sm_80",          "9.7.16.6.3"),
        row("mma.sp.sync.aligned.m16n8k64.row.col.f32.f8.f8.f32",                                                           "8.4 sm_89",          "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k16|m16n8k32.row.col.acc.f16.f16.acc",                              "8.5 sm_80",          "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k16|m16n8k32.row.col.f32.bf16.bf16.f32",                            "8.5 sm_80",          "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k8|m16n8k16.row.col.f32.tf32.tf32.f32",                             "8.5 sm_80",          "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.f8.f8.f32",                                         "8.5 sm_89",          "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.acc.f8f6f4.f8f6f4.acc",                    "8.7 sm_120f",        "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.f8f6f4.f8f6f4.f32.ue8m0", "8.7 sm_120f", "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0",        "8.7 sm_120a,sm_121a", "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",      "8.7 sm_120a,sm_121a", "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",      "8.7 sm_120a,sm_121a", "9.7.16.6.3"),
        row("mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0",      "9.1 sm_120a,sm_121a", "9.7.16.6.3"),
    ]
}
