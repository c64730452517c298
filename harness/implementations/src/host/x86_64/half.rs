//! Arithmetic and conversions of f16, which processors with AVX-512 FP16 have. The suite has been run
//! on none of those yet: what is here assembles.
//!
//! None of the rows has `.ftz`: these instructions compute with subnormal f16 whatever FTZ and DAZ say.

use super::Feature::Avx512Fp16;
use super::batch::batch;
use crate::host::table::HostRow;

/// Returns the rows of f16. The last operand of `vrndscalesh` has the rounding in its two lowest bits, and keeps
/// no binary places.
#[rustfmt::skip] // a table
pub fn rows() -> Vec<HostRow> {
    let row = |syntax, batch| HostRow::new(syntax, Avx512Fp16, batch);
    vec![
        row("add{.rn}.f16",              batch!(f16, f16 => f16: "vaddsh xmm0, xmm0, xmm1")),
        row("sub{.rn}.f16",              batch!(f16, f16 => f16: "vsubsh xmm0, xmm0, xmm1")),
        row("mul{.rn}.f16",              batch!(f16, f16 => f16: "vmulsh xmm0, xmm0, xmm1")),
        row("fma.rn.f16",                batch!(f16, f16, f16 => f16: "vfmadd213sh xmm0, xmm1, xmm2")),
        row("min.f16",                   batch!(f16, f16 => f16: "vminsh xmm0, xmm0, xmm1")),
        row("max.f16",                   batch!(f16, f16 => f16: "vmaxsh xmm0, xmm0, xmm1")),
        row("add{.rn}.f16x2",            batch!(f16x2, f16x2 => f16x2: "vaddph xmm0, xmm0, xmm1")),
        row("sub{.rn}.f16x2",            batch!(f16x2, f16x2 => f16x2: "vsubph xmm0, xmm0, xmm1")),
        row("mul{.rn}.f16x2",            batch!(f16x2, f16x2 => f16x2: "vmulph xmm0, xmm0, xmm1")),
        row("fma.rn.f16x2",              batch!(f16x2, f16x2, f16x2 => f16x2: "vfmadd213ph xmm0, xmm1, xmm2")),
        row("min.f16x2",                 batch!(f16x2, f16x2 => f16x2: "vminph xmm0, xmm0, xmm1")),
        row("max.f16x2",                 batch!(f16x2, f16x2 => f16x2: "vmaxph xmm0, xmm0, xmm1")),

        row("cvt.f64.f16",               batch!(f16 => f64: "vcvtsh2sd xmm0, xmm0, xmm0")),
        row("cvt.rnd.f16.f64",           batch!(f64 => f16: "vcvtsd2sh xmm0, xmm0, xmm0")),
        row("cvt.rni.f16.f16",           batch!(f16 => f16: "vrndscalesh xmm0, xmm0, xmm0, 0")),
        row("cvt.rmi.f16.f16",           batch!(f16 => f16: "vrndscalesh xmm0, xmm0, xmm0, 1")),
        row("cvt.rpi.f16.f16",           batch!(f16 => f16: "vrndscalesh xmm0, xmm0, xmm0, 2")),
        row("cvt.rzi.f16.f16",           batch!(f16 => f16: "vrndscalesh xmm0, xmm0, xmm0, 3")),

        row("cvt.rni|rmi|rpi.s16.f16",   batch!(f16 => b16: "vcvtph2w xmm0, xmm0")),
        row("cvt.rni|rmi|rpi.s32.f16",   batch!(f16 => s32: "vcvtsh2si eax, xmm0")),
        row("cvt.rni|rmi|rpi.s64.f16",   batch!(f16 => s64: "vcvtsh2si rax, xmm0")),
        row("cvt.rni|rmi|rpi.u16.f16",   batch!(f16 => b16: "vcvtph2uw xmm0, xmm0")),
        row("cvt.rni|rmi|rpi.u32.f16",   batch!(f16 => u32: "vcvtsh2usi eax, xmm0")),
        row("cvt.rni|rmi|rpi.u64.f16",   batch!(f16 => u64: "vcvtsh2usi rax, xmm0")),
        row("cvt.rzi.s16.f16",           batch!(f16 => b16: "vcvttph2w xmm0, xmm0")),
        row("cvt.rzi.s32.f16",           batch!(f16 => s32: "vcvttsh2si eax, xmm0")),
        row("cvt.rzi.s64.f16",           batch!(f16 => s64: "vcvttsh2si rax, xmm0")),
        row("cvt.rzi.u16.f16",           batch!(f16 => b16: "vcvttph2uw xmm0, xmm0")),
        row("cvt.rzi.u32.f16",           batch!(f16 => u32: "vcvttsh2usi eax, xmm0")),
        row("cvt.rzi.u64.f16",           batch!(f16 => u64: "vcvttsh2usi rax, xmm0")),

        row("cvt.rnd.f16.s8",            batch!(s8 => f16: "vcvtsi2sh xmm0, xmm0, eax")),
        row("cvt.rnd.f16.u8",            batch!(u8 => f16: "vcvtsi2sh xmm0, xmm0, eax")),
        row("cvt.rnd.f16.s16",           batch!(s16 => f16: "vcvtsi2sh xmm0, xmm0, eax")),
        row("cvt.rnd.f16.u16",           batch!(u16 => f16: "vcvtsi2sh xmm0, xmm0, eax")),
        row("cvt.rnd.f16.s32",           batch!(s32 => f16: "vcvtsi2sh xmm0, xmm0, eax")),
        row("cvt.rnd.f16.s64",           batch!(s64 => f16: "vcvtsi2sh xmm0, xmm0, rax")),
        row("cvt.rnd.f16.u32",           batch!(u32 => f16: "vcvtusi2sh xmm0, xmm0, eax")),
        row("cvt.rnd.f16.u64",           batch!(u64 => f16: "vcvtusi2sh xmm0, xmm0, rax")),
    ]
}
