//! aarch64: scalar and NEON instructions under the control register FPCR.
//!
//! The module has been run under QEMU, and on no such processor yet. "Arm ARM" is Arm's Architecture Reference
//! Manual for the A-profile.

mod arithmetic;
mod batch;
mod conversion;
#[cfg(test)]
pub mod tests;

use std::arch::is_aarch64_feature_detected;

use formats::FormatId;
use isa::{Modifier, Rounding, Variant};

use super::chain::Chain;
use super::table::HostRow;

/// Name of the architecture.
pub const NAME: &str = "aarch64";

/// An extension of the instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Arithmetic of f32 and f64; every processor with floating point has it.
    Fp,
    /// Arithmetic of f16.
    Fp16,
    /// Conversions to bf16.
    Bf16,
}

impl Feature {
    /// All features that the suite knows.
    pub const ALL: &[Feature] = &[Feature::Fp, Feature::Fp16, Feature::Bf16];

    /// Returns the feature's name in the manual.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Fp => "FEAT_FP",
            Feature::Fp16 => "FEAT_FP16",
            Feature::Bf16 => "FEAT_BF16",
        }
    }

    /// Whether this processor has the feature, and the system lets programs use it.
    pub fn is_here(self) -> bool {
        match self {
            Feature::Fp => is_aarch64_feature_detected!("fp"),
            Feature::Fp16 => is_aarch64_feature_detected!("fp16"),
            Feature::Bf16 => is_aarch64_feature_detected!("bf16"),
        }
    }
}

/// Returns the table of the architecture's instructions.
pub fn rows() -> Vec<HostRow> {
    [arithmetic::rows(), conversion::rows()].concat()
}

/// Returns no chains of dot products: `bfdot` and chains of `fmadd` are not connected.
pub fn chains() -> Vec<Chain> {
    Vec::new()
}

/// Bit of FPCR with which subnormal operands and results of f32 and f64 are zeros (Arm ARM, C5.2, FPCR.FZ).
const FLUSH: u64 = 1 << 24;
/// Bit of FPCR with which subnormal operands and results of f16 are zeros (Arm ARM, C5.2, FPCR.FZ16). Conversions
/// of f16 do not look at it.
const FLUSH_F16: u64 = 1 << 19;
/// Position of the rounding's bits in FPCR (Arm ARM, C5.2, FPCR.RMode).
const ROUNDING: u32 = 22;

/// Returns the value of FPCR under which the variant's instruction does what its modifiers ask. No exception
/// interrupts the program, and a NaN keeps its payload.
pub fn control(variant: &Variant) -> u64 {
    let rounding = match variant.meaning().rounding {
        Rounding::Up => 1,
        Rounding::Down => 2,
        Rounding::TowardZero => 3,
        // No row of the table has another rounding.
        Rounding::NearestEven | Rounding::NearestAway | Rounding::Stochastic => 0,
    };
    let flush = match variant.inputs()[0].format {
        _ if !variant.has(Modifier::Ftz) => 0,
        format if format.id == FormatId::F16 => FLUSH_F16,
        _ => FLUSH,
    };
    rounding << ROUNDING | flush
}

/// Returns the processor's implementer and part, as Linux has them from MIDR_EL1.
pub fn processor() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let field = |name| {
        let value = info.lines().find_map(|line| line.strip_prefix(name)?.split_once(':'))?.1;
        Some(value.trim().to_owned())
    };
    Some(format!("implementer {}, part {}", field("CPU implementer")?, field("CPU part")?))
}
