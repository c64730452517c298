//! Conversions between formats, to integral values, and to and from integers.

use super::Feature::{Bf16, Fp, Fp16};
use super::batch::batch;
use crate::host::table::HostRow;

/// Makes the rows of one rounding to an integral value, from its modifier and its letter in `fcvtns` and its kin.
/// These instructions saturate, so that `.sat` asks for nothing else.
#[rustfmt::skip] // a table
macro_rules! integral {
    ($modifier:literal, $letter:literal) => {
        [
            HostRow::new(concat!("cvt.", $modifier, "{.ftz}.f32.f32"), Fp, batch!(f32 => f32: concat!("frint", $letter, " s0, s0"))),
            HostRow::new(concat!("cvt.", $modifier, ".f64.f64"), Fp, batch!(f64 => f64: concat!("frint", $letter, " d0, d0"))),
            HostRow::new(concat!("cvt.", $modifier, ".f16.f16"), Fp16, batch!(f16 => f16: concat!("frint", $letter, " h0, h0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.ftz}{.sat}.s32.f32"), Fp, batch!(f32 => s32: concat!("fcvt", $letter, "s w8, s0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.ftz}{.sat}.s64.f32"), Fp, batch!(f32 => s64: concat!("fcvt", $letter, "s x8, s0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.ftz}{.sat}.u32.f32"), Fp, batch!(f32 => u32: concat!("fcvt", $letter, "u w8, s0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.ftz}{.sat}.u64.f32"), Fp, batch!(f32 => u64: concat!("fcvt", $letter, "u x8, s0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.sat}.s32.f64"), Fp, batch!(f64 => s32: concat!("fcvt", $letter, "s w8, d0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.sat}.s64.f64"), Fp, batch!(f64 => s64: concat!("fcvt", $letter, "s x8, d0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.sat}.u32.f64"), Fp, batch!(f64 => u32: concat!("fcvt", $letter, "u w8, d0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.sat}.u64.f64"), Fp, batch!(f64 => u64: concat!("fcvt", $letter, "u x8, d0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.sat}.s32.f16"), Fp16, batch!(f16 => s32: concat!("fcvt", $letter, "s w8, h0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.sat}.s64.f16"), Fp16, batch!(f16 => s64: concat!("fcvt", $letter, "s x8, h0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.sat}.u32.f16"), Fp16, batch!(f16 => u32: concat!("fcvt", $letter, "u w8, h0"))),
            HostRow::new(concat!("cvt.", $modifier, "{.sat}.u64.f16"), Fp16, batch!(f16 => u64: concat!("fcvt", $letter, "u x8, h0"))),
        ]
    };
}

/// Makes the rows of conversions from one integer type, from its name, the letter in `scvtf` or `ucvtf`, and the
/// register that holds it.
#[rustfmt::skip] // a table
macro_rules! from_integer {
    ($type:ident, $letter:literal, $register:literal) => {
        [
            HostRow::new(concat!("cvt.rnd{.ftz}.f32.", stringify!($type)), Fp, batch!($type => f32: concat!($letter, "cvtf s0, ", $register))),
            HostRow::new(concat!("cvt.rnd.f64.", stringify!($type)), Fp, batch!($type => f64: concat!($letter, "cvtf d0, ", $register))),
            HostRow::new(concat!("cvt.rnd.f16.", stringify!($type)), Fp16, batch!($type => f16: concat!($letter, "cvtf h0, ", $register))),
        ]
    };
}

/// Returns the rows of conversions.
#[rustfmt::skip] // a table
pub fn rows() -> Vec<HostRow> {
    let row = HostRow::new;
    let formats = vec![
        row("cvt{.ftz}.f64.f32",       Fp,   batch!(f32 => f64: "fcvt d0, s0")),
        row("cvt{.ftz}.f32.f16",       Fp,   batch!(f16 => f32: "fcvt s0, h0")),
        row("cvt.f64.f16",             Fp,   batch!(f16 => f64: "fcvt d0, h0")),
        row("cvt.rnd{.ftz}.f32.f64",   Fp,   batch!(f64 => f32: "fcvt s0, d0")),
        row("cvt.rnd{.ftz}.f16.f32",   Fp,   batch!(f32 => f16: "fcvt h0, s0")),
        row("cvt.rnd.f16.f64",         Fp,   batch!(f64 => f16: "fcvt h0, d0")),
        row("cvt.rnd{.ftz}.bf16.f32",  Bf16, batch!(f32 => bf16: "bfcvt h0, s0")),
    ];
    let integral = [
        integral!("rni", "n"),
        integral!("rzi", "z"),
        integral!("rmi", "m"),
        integral!("rpi", "p"),
    ];
    let from_integers = [
        from_integer!(s8,  "s", "w8"),
        from_integer!(s16, "s", "w8"),
        from_integer!(s32, "s", "w8"),
        from_integer!(s64, "s", "x8"),
        from_integer!(u8,  "u", "w8"),
        from_integer!(u16, "u", "w8"),
        from_integer!(u32, "u", "w8"),
        from_integer!(u64, "u", "x8"),
    ];
    [formats, integral.concat(), from_integers.concat()].concat()
}
