//! Tells which instructions this machine's processor has. The backends ask when they run, and the build script when it
//! decides which backends to compile.

/// Whether the processor has all instructions that loops compiled for AVX2 use.
pub fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Whether the processor has all instructions that loops compiled for AVX-512 use: its parts F, BW, CD, DQ and VL.
pub fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512cd")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("avx512vl");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
