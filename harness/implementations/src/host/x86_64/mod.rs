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

use super::table::Row;
pub use chain::chains;
pub use feature::Feature;

/// The architecture's name.
pub const NAME: &str = "x86-64";

/// Its instructions.
pub fn rows() -> Vec<Row> {
    [arithmetic::rows(), comparison::rows(), conversion::rows(), half::rows()].concat()
}

/// Every exception masked, so that none interrupts the program (SDM volume 1, 10.2.3).
const MASKED: u64 = 0x1f80;
/// Subnormal operands are zeros, bit 6 (10.2.3.4).
const DENORMALS_ARE_ZEROS: u64 = 1 << 6;
/// Subnormal results become zeros, bit 15 (10.2.3.3).
const FLUSH_TO_ZERO: u64 = 1 << 15;
/// Where the rounding stands, bits 13 and 14 (10.2.3.1 and 4.8.4).
const ROUNDING: u32 = 13;

/// The value of MXCSR under which the variant's instruction does what its modifiers ask.
pub fn control(variant: &Variant) -> u64 {
    let flush = if variant.has(Modifier::Ftz) { DENORMALS_ARE_ZEROS | FLUSH_TO_ZERO } else { 0 };
    MASKED | rounding_bits(variant.meaning().rounding) | flush
}

/// A rounding as MXCSR has it.
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

/// The processor's name, as it tells it itself (SDM volume 2, CPUID, leaves 0x80000002 to 0x80000004).
pub fn processor() -> Option<String> {
    let leaves = 0x8000_0002..=0x8000_0004;
    if __cpuid(0x8000_0000).eax < *leaves.end() {
        return None;
    }
    let bytes = leaves.map(__cpuid).flat_map(|leaf| [leaf.eax, leaf.ebx, leaf.ecx, leaf.edx]);
    let bytes: Vec<u8> = bytes.flat_map(u32::to_le_bytes).take_while(|&byte| byte != 0).collect();
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}
