//! Extensions of the instruction set that a processor may lack.

use std::arch::is_x86_feature_detected;

/// An extension of the instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Arithmetic of f32 and f64; every x86-64 has it.
    Sse2,
    /// Rounding to an integral value.
    Sse41,
    /// Comparisons with all 32 predicates.
    Avx,
    /// Fused multiplication and addition.
    Fma,
    /// Conversions between f16 and f32.
    F16c,
    /// Conversions to and from unsigned integers.
    Avx512F,
    /// Conversions to bf16, on vectors of 128 bits, which takes AVX-512 VL, too.
    Avx512Bf16,
    /// Arithmetic of f16; arithmetic of two lanes takes AVX-512 VL, too.
    Avx512Fp16,
}

impl Feature {
    /// All features that the suite knows.
    pub const ALL: &[Feature] = &[
        Feature::Sse2,
        Feature::Sse41,
        Feature::Avx,
        Feature::Fma,
        Feature::F16c,
        Feature::Avx512F,
        Feature::Avx512Bf16,
        Feature::Avx512Fp16,
    ];

    /// Returns the feature's name in the manual.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Sse2 => "SSE2",
            Feature::Sse41 => "SSE4.1",
            Feature::Avx => "AVX",
            Feature::Fma => "FMA",
            Feature::F16c => "F16C",
            Feature::Avx512F => "AVX-512 F",
            Feature::Avx512Bf16 => "AVX-512 BF16",
            Feature::Avx512Fp16 => "AVX-512 FP16",
        }
    }

    /// Whether this processor has the feature, and the system lets programs use it.
    pub fn is_here(self) -> bool {
        match self {
            Feature::Sse2 => is_x86_feature_detected!("sse2"),
            Feature::Sse41 => is_x86_feature_detected!("sse4.1"),
            Feature::Avx => is_x86_feature_detected!("avx"),
            Feature::Fma => is_x86_feature_detected!("fma"),
            Feature::F16c => is_x86_feature_detected!("f16c"),
            Feature::Avx512F => is_x86_feature_detected!("avx512f"),
            Feature::Avx512Bf16 => {
                is_x86_feature_detected!("avx512bf16") && is_x86_feature_detected!("avx512vl")
            }
            Feature::Avx512Fp16 => {
                is_x86_feature_detected!("avx512fp16") && is_x86_feature_detected!("avx512vl")
            }
        }
    }
}
