//! Conversions between formats, to integral values, and to and from integers.

use super::Feature::{Avx512Bf16, Avx512F, F16c, Sse2, Sse41};
use super::batch::batch;
use crate::host::table::HostRow;

/// Returns the rows of conversions. `cvttss2si` and its kin truncate whatever MXCSR says; `vcvtps2ph` and
/// `roundss` have their rounding in the instruction: 0 to nearest, 1 down, 2 up, 3 towards zero. Two f32 are
/// brought side by side, `a` above `b`, before they are converted together.
#[rustfmt::skip] // a table
pub fn rows() -> Vec<HostRow> {
    let row = HostRow::new;
    vec![
        row("cvt{.ftz}.f64.f32",                 Sse2,       batch!(f32 => f64: "cvtss2sd xmm0, xmm0")),
        row("cvt.rnd{.ftz}.f32.f64",             Sse2,       batch!(f64 => f32: "cvtsd2ss xmm0, xmm0")),
        row("cvt{.ftz}.f32.f16",                 F16c,       batch!(f16 => f32: "vcvtph2ps xmm0, xmm0")),
        row("cvt.rn{.ftz}.f16.f32",              F16c,       batch!(f32 => f16: "vcvtps2ph xmm0, xmm0, 0")),
        row("cvt.rm{.ftz}.f16.f32",              F16c,       batch!(f32 => f16: "vcvtps2ph xmm0, xmm0, 1")),
        row("cvt.rp{.ftz}.f16.f32",              F16c,       batch!(f32 => f16: "vcvtps2ph xmm0, xmm0, 2")),
        row("cvt.rz{.ftz}.f16.f32",              F16c,       batch!(f32 => f16: "vcvtps2ph xmm0, xmm0, 3")),
        row("cvt.rn.f16x2.f32",                  F16c,       batch!(f32, f32 => f16x2: "unpcklps xmm1, xmm0", "vcvtps2ph xmm0, xmm1, 0")),
        row("cvt.rz.f16x2.f32",                  F16c,       batch!(f32, f32 => f16x2: "unpcklps xmm1, xmm0", "vcvtps2ph xmm0, xmm1, 3")),
        row("cvt.rn{.ftz}.bf16.f32",             Avx512Bf16, batch!(f32 => b16: "vcvtneps2bf16 xmm0, xmm0")),
        row("cvt.rn.bf16x2.f32",                 Avx512Bf16, batch!(f32, f32 => b32: "unpcklps xmm1, xmm0", "vcvtneps2bf16 xmm0, xmm1")),

        row("cvt.rni{.ftz}.f32.f32",             Sse41,      batch!(f32 => f32: "roundss xmm0, xmm0, 0")),
        row("cvt.rmi{.ftz}.f32.f32",             Sse41,      batch!(f32 => f32: "roundss xmm0, xmm0, 1")),
        row("cvt.rpi{.ftz}.f32.f32",             Sse41,      batch!(f32 => f32: "roundss xmm0, xmm0, 2")),
        row("cvt.rzi{.ftz}.f32.f32",             Sse41,      batch!(f32 => f32: "roundss xmm0, xmm0, 3")),
        row("cvt.rni.f64.f64",                   Sse41,      batch!(f64 => f64: "roundsd xmm0, xmm0, 0")),
        row("cvt.rmi.f64.f64",                   Sse41,      batch!(f64 => f64: "roundsd xmm0, xmm0, 1")),
        row("cvt.rpi.f64.f64",                   Sse41,      batch!(f64 => f64: "roundsd xmm0, xmm0, 2")),
        row("cvt.rzi.f64.f64",                   Sse41,      batch!(f64 => f64: "roundsd xmm0, xmm0, 3")),

        row("cvt.rni|rmi|rpi{.ftz}.s32.f32",     Sse2,       batch!(f32 => s32: "cvtss2si eax, xmm0")),
        row("cvt.rni|rmi|rpi{.ftz}.s64.f32",     Sse2,       batch!(f32 => s64: "cvtss2si rax, xmm0")),
        row("cvt.rni|rmi|rpi{.ftz}.u32.f32",     Avx512F,    batch!(f32 => u32: "vcvtss2usi eax, xmm0")),
        row("cvt.rni|rmi|rpi{.ftz}.u64.f32",     Avx512F,    batch!(f32 => u64: "vcvtss2usi rax, xmm0")),
        row("cvt.rzi{.ftz}.s32.f32",             Sse2,       batch!(f32 => s32: "cvttss2si eax, xmm0")),
        row("cvt.rzi{.ftz}.s64.f32",             Sse2,       batch!(f32 => s64: "cvttss2si rax, xmm0")),
        row("cvt.rzi{.ftz}.u32.f32",             Avx512F,    batch!(f32 => u32: "vcvttss2usi eax, xmm0")),
        row("cvt.rzi{.ftz}.u64.f32",             Avx512F,    batch!(f32 => u64: "vcvttss2usi rax, xmm0")),
        row("cvt.rni|rmi|rpi.s32.f64",           Sse2,       batch!(f64 => s32: "cvtsd2si eax, xmm0")),
        row("cvt.rni|rmi|rpi.s64.f64",           Sse2,       batch!(f64 => s64: "cvtsd2si rax, xmm0")),
        row("cvt.rni|rmi|rpi.u32.f64",           Avx512F,    batch!(f64 => u32: "vcvtsd2usi eax, xmm0")),
        row("cvt.rni|rmi|rpi.u64.f64",           Avx512F,    batch!(f64 => u64: "vcvtsd2usi rax, xmm0")),
        row("cvt.rzi.s32.f64",                   Sse2,       batch!(f64 => s32: "cvttsd2si eax, xmm0")),
        row("cvt.rzi.s64.f64",                   Sse2,       batch!(f64 => s64: "cvttsd2si rax, xmm0")),
        row("cvt.rzi.u32.f64",                   Avx512F,    batch!(f64 => u32: "vcvttsd2usi eax, xmm0")),
        row("cvt.rzi.u64.f64",                   Avx512F,    batch!(f64 => u64: "vcvttsd2usi rax, xmm0")),

        row("cvt.rnd{.ftz}.f32.s8",              Sse2,       batch!(s8 => f32: "cvtsi2ss xmm0, eax")),
        row("cvt.rnd{.ftz}.f32.u8",              Sse2,       batch!(u8 => f32: "cvtsi2ss xmm0, eax")),
        row("cvt.rnd{.ftz}.f32.s16",             Sse2,       batch!(s16 => f32: "cvtsi2ss xmm0, eax")),
        row("cvt.rnd{.ftz}.f32.u16",             Sse2,       batch!(u16 => f32: "cvtsi2ss xmm0, eax")),
        row("cvt.rnd{.ftz}.f32.s32",             Sse2,       batch!(s32 => f32: "cvtsi2ss xmm0, eax")),
        row("cvt.rnd{.ftz}.f32.s64",             Sse2,       batch!(s64 => f32: "cvtsi2ss xmm0, rax")),
        row("cvt.rnd{.ftz}.f32.u32",             Avx512F,    batch!(u32 => f32: "vcvtusi2ss xmm0, xmm0, eax")),
        row("cvt.rnd{.ftz}.f32.u64",             Avx512F,    batch!(u64 => f32: "vcvtusi2ss xmm0, xmm0, rax")),
        row("cvt.rnd.f64.s8",                    Sse2,       batch!(s8 => f64: "cvtsi2sd xmm0, eax")),
        row("cvt.rnd.f64.u8",                    Sse2,       batch!(u8 => f64: "cvtsi2sd xmm0, eax")),
        row("cvt.rnd.f64.s16",                   Sse2,       batch!(s16 => f64: "cvtsi2sd xmm0, eax")),
        row("cvt.rnd.f64.u16",                   Sse2,       batch!(u16 => f64: "cvtsi2sd xmm0, eax")),
        row("cvt.rnd.f64.s32",                   Sse2,       batch!(s32 => f64: "cvtsi2sd xmm0, eax")),
        row("cvt.rnd.f64.s64",                   Sse2,       batch!(s64 => f64: "cvtsi2sd xmm0, rax")),
        row("cvt.rnd.f64.u32",                   Avx512F,    batch!(u32 => f64: "vcvtusi2sd xmm0, xmm0, eax")),
        row("cvt.rnd.f64.u64",                   Avx512F,    batch!(u64 => f64: "vcvtusi2sd xmm0, xmm0, rax")),
    ]
}
