//! PTX ISA 9.7.7 and 9.7.8, Comparison and Selection Instructions, with a floating-point operand or
//! result.

use crate::Contract::Exact;
use crate::instruction::{Form, Ftz};

/// Returns the rows of the sections.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = |syntax, registers, contract, since, section| {
        Form::new(syntax, registers, contract, since, section).ftz(Ftz::Inputs)
    };
    vec![
        row("set.cmp{.ftz}.u32|s32|f32.f32",                              "d:dtype, a:atype, b:atype",          Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.cmp.u32|s32|f32.f64",                                    "d:dtype, a:atype, b:atype",          Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.cmp{.ftz}.f16.f16|f32",                                  "d:dtype, a:atype, b:atype",          Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.cmp.f16.f64",                                            "d:dtype, a:atype, b:atype",          Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.cmp.bf16.f16|f32|f64",                                   "d:dtype, a:atype, b:atype",          Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.cmp{.ftz}.u16|s16|u32|s32.f16",                          "d:dtype, a:atype, b:atype",          Exact, "6.5 sm_53", "9.7.8.1"),
        row("set.cmp.u16|s16|u32|s32.bf16",                               "d:dtype, a:atype, b:atype",          Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.cmp{.ftz}.f16x2.f16x2",                                  "d:dtype, a:atype, b:atype",          Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.cmp{.ftz}.u32.f16x2",                                    "d:u16x2, a:atype, b:atype",          Exact, "6.5 sm_53", "9.7.8.1"),
        row("set.cmp{.ftz}.s32.f16x2",                                    "d:s16x2, a:atype, b:atype",          Exact, "6.5 sm_53", "9.7.8.1"),
        row("set.cmp.bf16x2.bf16x2",                                      "d:dtype, a:atype, b:atype",          Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.cmp.u32.bf16x2",                                         "d:u16x2, a:atype, b:atype",          Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.cmp.s32.bf16x2",                                         "d:s16x2, a:atype, b:atype",          Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.order.f32.s16|s32|s64",                                       "d:dtype, a:atype, b:atype",          Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.order.f32.u16|u32|u64",                                       "d:dtype, a:atype, b:atype",          Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.lo|ls|hi|hs.f32.u16|u32|u64",                                 "d:dtype, a:atype, b:atype",          Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.eq|ne.f32.b16|b32|b64",                                       "d:dtype, a:atype, b:atype",          Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.order.f16.s16|s32|s64|u16|u32|u64",                           "d:dtype, a:atype, b:atype",          Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.eq|ne.f16.b16|b32|b64",                                       "d:dtype, a:atype, b:atype",          Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.order.bf16.s16|s32|s64|u16|u32|u64",                          "d:dtype, a:atype, b:atype",          Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.eq|ne.bf16.b16|b32|b64",                                      "d:dtype, a:atype, b:atype",          Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.cmp.bool{.ftz}.u32|s32|f32.f32",                         "d:dtype, a:atype, b:atype, c:pred",  Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.cmp.bool.u32|s32|f32.f64",                               "d:dtype, a:atype, b:atype, c:pred",  Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.cmp.bool{.ftz}.f16.f16|f32",                             "d:dtype, a:atype, b:atype, c:pred",  Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.cmp.bool.f16.f64",                                       "d:dtype, a:atype, b:atype, c:pred",  Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.cmp.bool.bf16.f16|f32|f64",                              "d:dtype, a:atype, b:atype, c:pred",  Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.cmp.bool{.ftz}.u16|s16|u32|s32.f16",                     "d:dtype, a:atype, b:atype, c:pred",  Exact, "6.5 sm_53", "9.7.8.1"),
        row("set.cmp.bool.u16|s16|u32|s32.bf16",                          "d:dtype, a:atype, b:atype, c:pred",  Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.cmp.bool{.ftz}.f16x2.f16x2",                             "d:dtype, a:atype, b:atype, c:pred",  Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.cmp.bool{.ftz}.u32.f16x2",                               "d:u16x2, a:atype, b:atype, c:pred",  Exact, "6.5 sm_53", "9.7.8.1"),
        row("set.cmp.bool{.ftz}.s32.f16x2",                               "d:s16x2, a:atype, b:atype, c:pred",  Exact, "6.5 sm_53", "9.7.8.1"),
        row("set.cmp.bool.bf16x2.bf16x2",                                 "d:dtype, a:atype, b:atype, c:pred",  Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.cmp.bool.u32.bf16x2",                                    "d:u16x2, a:atype, b:atype, c:pred",  Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.cmp.bool.s32.bf16x2",                                    "d:s16x2, a:atype, b:atype, c:pred",  Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.order.bool.f32.s16|s32|s64",                                  "d:dtype, a:atype, b:atype, c:pred",  Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.order.bool.f32.u16|u32|u64",                                  "d:dtype, a:atype, b:atype, c:pred",  Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.lo|ls|hi|hs.bool.f32.u16|u32|u64",                            "d:dtype, a:atype, b:atype, c:pred",  Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.eq|ne.bool.f32.b16|b32|b64",                                  "d:dtype, a:atype, b:atype, c:pred",  Exact, "2.0 sm_20", "9.7.7.1"),
        row("set.order.bool.f16.s16|s32|s64|u16|u32|u64",                      "d:dtype, a:atype, b:atype, c:pred",  Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.eq|ne.bool.f16.b16|b32|b64",                                  "d:dtype, a:atype, b:atype, c:pred",  Exact, "4.2 sm_53", "9.7.8.1"),
        row("set.order.bool.bf16.s16|s32|s64|u16|u32|u64",                     "d:dtype, a:atype, b:atype, c:pred",  Exact, "7.8 sm_90", "9.7.8.1"),
        row("set.eq|ne.bool.bf16.b16|b32|b64",                                 "d:dtype, a:atype, b:atype, c:pred",  Exact, "7.8 sm_90", "9.7.8.1"),
        row("setp.cmp{.ftz}.f32",                                         "p|!q:pred, a, b",                    Exact, "2.0 sm_20", "9.7.7.2"),
        row("setp.cmp{.ftz}.f32(p)",                                      "p:pred, a, b",                       Exact, "2.0 sm_20", "9.7.7.2"),
        row("setp.cmp.f64",                                               "p|!q:pred, a, b",                    Exact, "2.0 sm_20", "9.7.7.2"),
        row("setp.cmp.f64(p)",                                            "p:pred, a, b",                       Exact, "2.0 sm_20", "9.7.7.2"),
        row("setp.cmp{.ftz}.f16",                                         "p:pred, a, b",                       Exact, "4.2 sm_53", "9.7.8.2"),
        row("setp.cmp{.ftz}.f16x2",                                       "p|q:pred, a, b",                     Exact, "4.2 sm_53", "9.7.8.2"),
        row("setp.cmp.bf16",                                              "p:pred, a, b",                       Exact, "7.8 sm_90", "9.7.8.2"),
        row("setp.cmp.bf16x2",                                            "p|q:pred, a, b",                     Exact, "7.8 sm_90", "9.7.8.2"),
        row("setp.cmp.bool{.ftz}.f32",                                    "p|!q:pred, a, b, c:pred",            Exact, "2.0 sm_20", "9.7.7.2"),
        row("setp.cmp.bool{.ftz}.f32(p)",                                 "p:pred, a, b, c:pred",               Exact, "2.0 sm_20", "9.7.7.2"),
        row("setp.cmp.bool.f64",                                          "p|!q:pred, a, b, c:pred",            Exact, "2.0 sm_20", "9.7.7.2"),
        row("setp.cmp.bool.f64(p)",                                       "p:pred, a, b, c:pred",               Exact, "2.0 sm_20", "9.7.7.2"),
        row("setp.cmp.bool{.ftz}.f16",                                    "p:pred, a, b, c:pred",               Exact, "4.2 sm_53", "9.7.8.2"),
        row("setp.cmp.bool{.ftz}.f16x2",                                  "p|q:pred, a, b, c:pred",             Exact, "4.2 sm_53", "9.7.8.2"),
        row("setp.cmp.bool.bf16",                                         "p:pred, a, b, c:pred",               Exact, "7.8 sm_90", "9.7.8.2"),
        row("setp.cmp.bool.bf16x2",                                       "p|q:pred, a, b, c:pred",             Exact, "7.8 sm_90", "9.7.8.2"),
        row("slct{.ftz}.b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64.f32", "d:dtype, a:dtype, b:dtype, c:atype", Exact, "2.0 sm_20", "9.7.7.4").ftz(Ftz::Input(2)),
    ]
}
