//! x86-64: SSE, AVX and AVX-512, under the control register MXCSR.
//!
//! "SDM" is Intel's Software Developer's Manual; volume 2 describes the instructions one by one.

mod arithmetic;
mod batch;
mod chain;
mod comparison;
mod conversion;
mod feature;
mod half;
#[cfg(test)]
pub mod tests;

use std::arch::x86_64::__cpuid;

use isa::{Modifier, Rounding, Variant};

use super::table::HostRow;
pub use chain::chains;
pub use feature::Feature;

/// Name of the architecture.
pub const NAME: &str = "x86-64";

/// Returns the table of the architecture's instructions.
pub fn rows() -> Vec<HostRow> {
    [arithmetic::rows(), comparison::rows(), conversion::rows(), half::rows()].concat()
}

/// Bits of MXCSR that mask every exception, so that none interrupts the program (SDM volume 1, 10.2.3).
const MASKED: u64 = 0x1f80;
/// Bit 6 of MXCSR, with which subnormal operands are zeros (SDM volume 1, 10.2.3.4).
const DENORMALS_ARE_ZEROS: u64 = 1 << 6;
/// Bit 15 of MXCSR, with which subnormal results become zeros (SDM volume 1, 10.2.3.3).
const FLUSH_TO_ZERO: u64 = 1 << 15;
/// Position of the rounding in MXCSR, bits 13 and 14 (SDM volume 1, 10.2.3.1 and 4.8.4).
const ROUNDING: u32 = 13;

/// Returns the value of MXCSR under which the variant's instruction does what its modifiers ask.
pub fn control(variant: &Variant) -> u64 {
    let flush = if variant.has(Modifier::Ftz) { DENORMALS_ARE_ZEROS | FLUSH_TO_ZERO } else { 0 };
    MASKED | rounding_bits(variant.meaning().rounding) | flush
}

/// Returns the bits of MXCSR for a rounding.
fn rounding_bits(rounding: Rounding) -> u64 {
    let bits = match rounding {
        Rounding::Down => 1,
        Rounding::Up => 2,
        Rounding::TowardZero => 3,
        // No row of the tables has another rounding.
        Rounding::NearestEven | Rounding::NearestAway | Rounding::Stochastic => 0,
    };
    bits << ROUNDING
}

/// Returns the processor's name, as it tells it itself (SDM volume 2, CPUID, leaves 0x80000002 to 0x80000004).
pub fn processor() -> Option<String> {
    let leaves = 0x8000_0002..=0x8000_0004;
    if __cpuid(0x8000_0000).eax < *leaves.end() {
        return None;
    }
    let bytes = leaves.map(__cpuid).flat_map(|leaf| [leaf.eax, leaf.ebx, leaf.ecx, leaf.edx]);
    let bytes: Vec<u8> = bytes.flat_map(u32::to_le_bytes).take_while(|&byte| byte != 0).collect();
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}
