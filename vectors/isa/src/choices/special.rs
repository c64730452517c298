//! Choices about NaN, zeros, subnormal numbers, and words in memory.

use formats::FormatId;

use super::arising::*;
use super::{Choice, row};

pub const ROWS: &[Choice] = &[
    row(
        "which NaN is the canonical NaN of f16, bf16 and f32",
        |v| {
            !is_cast(v)
                && canonical(v)
                && matches!(to(v), FormatId::F16 | FormatId::Bf16 | FormatId::F32)
        },
        "CUDA C++ Programming Guide, Floating-Point Standard: 0x7fffffff, 0x7fff; measured on sm_100a and an NVIDIA H200",
    ),
    row(
        "which NaN an operand's NaN becomes in the upper half of f64",
        |v| v.meaning().upper_half,
        "9.7.3.14, 9.7.3.17: \"a canonical NaN with encoding 0x7fffffff00000000\"",
    ),
    row(
        "what NaN becomes in a format without NaN",
        |v| v.converts() && format(v).nan().is_none() && !format(v).is_integer() && !is_cast(v),
        "9.7.10.24: \"NaN results are converted to positive MAX_NORM\"",
    ),
    row(
        "how many bits of a significand tf32 has",
        |v| to(v) == FormatId::Tf32,
        "measured on an NVIDIA H200, reports/published: ten bits behind the point, in every result of the six \
         of these variants that it has; 5.2.3 says \"reduced precision (>=10 bits)\"",
    ),
    row(
        "whether words of several devices, words behind a handle and elements of tensors are flushed in \
         formats other than f32, or their sums in f32 are",
        |v| is_unsaid(v) && to(v) != FormatId::F32,
        "9.7.15.5, 9.7.15.6, 9.7.10.28.4.2: in `atom`, `red` and bulk reductions, f16 and bf16 require \
         `.noftz`, which \"preserves input and result subnormals\"; about the instructions of this row \
         nothing is said, and none of them has a modifier that flushes",
    ),
    row(
        "what the smaller or larger of two magnitudes in tensor memory is",
        |v| extremum_in_memory(v).is_some_and(|extremum| extremum.of_magnitudes),
        "9.7.18.8.3: \"the absolute values of the loaded data are considered for the reduction operation\"; \
         so the result is one of these absolute values, as in `redux`",
    ),
    row(
        "which precision the sum of the first two of three devices' words has",
        |v| v.is_of_three_devices(),
        "9.7.10.15: \"the default precision of the intermediate accumulation is same as the specified type\"; \
         `.acc::f32` and `.acc::f16` change it to f32 and f16",
    ),
];
