//! Dot products: `vdpbf16ps`, which adds two products of bf16 to an f32 (SDM volume 2, VDPBF16PS), and fused
//! operations of f64.
//!
//! AMX has `tdpbf16ps` and `tdpfp16ps` for whole tiles. Rust's names of them are unstable, a program has to ask
//! the system for tiles first, and there was no processor to try it on: they are not connected.

use formats::FormatId;
use isa::Rounding;

use super::Feature::{Avx512Bf16, Fma};
use super::{MASKED, rounding_bits};
use crate::host::chain::Chain;

/// Makes a loop that has the sum in `xmm0` and a step of A and of B in `xmm1` and `xmm2`:
/// `chain!(4, "movd": "vdpbf16ps xmm0, xmm1, xmm2" => 4, "movss")` has steps of four bytes, moved by `movd`,
/// and sums of four, moved by `movss`; both moves leave zeros above.
///
/// `rsi` and `rdi` go through A and B, `r8` and `r9` through addends and sums, `r10` counts the rows and `rcx`
/// the steps of one.
macro_rules! chain {
    ($step:literal, $load:literal: $text:literal => $sum:literal, $move:literal) => {{
        unsafe fn rows(
            control: u64,
            [a, b, c]: [*const u8; 3],
            d: *mut u8,
            rows: usize,
            steps: usize,
        ) {
            // The control register as it is wanted, and as it was.
            let mut words = [control as u32, 0];
            // SAFETY: loads and stores stay within the rows that the caller promises, the processor has
            // the instruction as it promises, too, and MXCSR ends as it began.
            unsafe {
                std::arch::asm!(
                    "stmxcsr dword ptr [{words} + 4]",
                    "ldmxcsr dword ptr [{words}]",
                    "2:",
                    concat!($move, " xmm0, [r8]"),
                    "mov rcx, {steps}",
                    "3:",
                    concat!($load, " xmm1, [rsi]"),
                    concat!($load, " xmm2, [rdi]"),
                    $text,
                    concat!("add rsi, ", $step),
                    concat!("add rdi, ", $step),
                    "dec rcx",
                    "jne 3b",
                    concat!($move, " [r9], xmm0"),
                    concat!("add r8, ", $sum),
                    concat!("add r9, ", $sum),
                    "dec r10",
                    "jne 2b",
                    "ldmxcsr dword ptr [{words} + 4]",
                    words = in(reg) words.as_mut_ptr(),
                    steps = in(reg) steps,
                    inout("rsi") a => _, inout("rdi") b => _, inout("r8") c => _, inout("r9") d => _,
                    inout("r10") rows => _, out("rcx") _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _,
                    options(nostack),
                );
            }
        }
        rows
    }};
}

/// Returns the chains. `vdpbf16ps` rounds to nearest, takes subnormal numbers for zeros and flushes sums,
/// whatever MXCSR says, so it runs under MXCSR as a program finds it.
pub fn chains() -> Vec<Chain> {
    vec![
        Chain {
            multiplicands: FormatId::Bf16,
            sum: FormatId::F32,
            step: 2,
            feature: Avx512Bf16,
            control: |_| MASKED,
            rows: chain!(4, "vmovd": "vdpbf16ps xmm0, xmm1, xmm2" => 4, "vmovss"),
        },
        Chain {
            multiplicands: FormatId::F64,
            sum: FormatId::F64,
            step: 1,
            feature: Fma,
            control: |rounding| MASKED | rounding_bits(rounding.unwrap_or(Rounding::NearestEven)),
            rows: chain!(8, "vmovsd": "vfmadd231sd xmm0, xmm1, xmm2" => 8, "vmovsd"),
        },
    ]
}

#[cfg(test)]
mod tests;
