//! Choices about NaN, zeros, subnormal numbers, and words in memory.

use formats::FormatId;

use super::Settled::{By, Open};
use super::arising::*;
use super::{Choice, row};
use crate::{Clamp, Op, Relaxation};

pub const ROWS: &[Choice] = &[
    row(
        "which NaN a NaN result is",
        |v| some_nan(v) && to(v) != FormatId::F64,
        Open(Relaxation::AnyNan),
    ),
    row(
        "which NaN, in double precision",
        |v| some_nan(v) && to(v) == FormatId::F64,
        Open(Relaxation::NanPayload),
    ),
    row(
        "which NaN is canonical, of f16, bf16 and f32",
        |v| {
            !is_cast(v)
                && canonical(v)
                && matches!(to(v), FormatId::F16 | FormatId::Bf16 | FormatId::F32)
        },
        By(
            "CUDA C++ Programming Guide, Floating-Point Standard: 0x7fffffff, 0x7fff; measured on sm_100a and an NVIDIA H200",
        ),
    ),
    row(
        "which NaN an operand's becomes in the upper half of f64",
        |v| v.meaning().upper_half,
        By("9.7.3.14, 9.7.3.17: \"a canonical NaN with encoding 0x7fffffff00000000\""),
    ),
    row(
        "whether a payload in the lower half counts",
        |v| v.meaning().upper_half,
        Open(Relaxation::UpperHalfNan),
    ),
    row(
        "the sign of a NaN's magnitude",
        |v| v.meaning().op == Op::Abs && to(v) == FormatId::F64,
        Open(Relaxation::NanSign),
    ),
    row("a NaN whose payload does not fit", truncates_nan, Open(Relaxation::TruncatedNan)),
    row(
        "what NaN is in a format without one",
        |v| is_conversion(v) && format(v).nan().is_none() && !format(v).is_integer(),
        By("9.7.10.24: \"NaN results are converted to positive MAX_NORM\""),
    ),
    row(
        "how many bits of a significand tf32 has",
        |v| to(v) == FormatId::Tf32,
        By(
            "measured on an NVIDIA H200, reports/published: ten behind the point, in every result of the six that it has; 5.2.3 has \"reduced \
             precision (>=10 bits)\"",
        ),
    ),
    row("the low bits of tf32", |v| to(v) == FormatId::Tf32, Open(Relaxation::Tf32Layout)),
    row(
        "whether -0 passes a clamp",
        |v| v.meaning().clamp != Clamp::None && is_float(v) && has_zero_sign(v),
        Open(Relaxation::ZeroSign),
    ),
    row("by which result `.ftz` finds it subnormal", tininess, Open(Relaxation::FtzTininess)),
    row("whether `.ftz` flushes f16 beside f32", mixed_ftz, Open(Relaxation::FtzResult)),
    row(
        "whether `.ftz` flushes f32 beside f16",
        |v| v.meaning().flush.open && is_conversion(v) || mixed_ftz(v),
        Open(Relaxation::FtzIgnored),
    ),
    row(
        "whether f32 in global memory is flushed where no sentence says so",
        |v| v.meaning().flush.open && v.is_of_memory(),
        Open(Relaxation::VectorFlush),
    ),
    row(
        "whether other formats than f32 are flushed on several devices, behind a handle or in tensors, or their sums in f32",
        |v| is_unsaid(v) && to(v) != FormatId::F32,
        By(
            "9.7.15.5, 9.7.15.6, 9.7.10.28.4.2: f16 and bf16 require `.noftz`, which \"preserves input and result \
             subnormals\", said of `atom`, `red` and bulk reductions; of these nothing is said, and none has a modifier \
             that flushes",
        ),
    ),
    row(
        "what the smaller or larger of a number and a NaN is, reduced in bulk, on several devices, behind a handle or in tensor memory",
        |v| extremum_in_memory(v).is_some_and(|extremum| !extremum.propagates_nan),
        Open(Relaxation::MemoryNan),
    ),
    row(
        "whether -0 is smaller than +0 there",
        |v| extremum_in_memory(v).is_some_and(|extremum| !extremum.of_magnitudes),
        Open(Relaxation::MemoryZero),
    ),
    row(
        "what the smaller or larger of magnitudes in tensor memory is",
        |v| extremum_in_memory(v).is_some_and(|extremum| extremum.of_magnitudes),
        By(
            "9.7.18.8.3: \"the absolute values of the loaded data are considered for the reduction operation\", and one of \
             these is the result, as of `redux`",
        ),
    ),
    row(
        "which of two threads changes a word in memory first",
        |v| v.is_of_two_threads(),
        Open(Relaxation::ThreadOrder),
    ),
    row(
        "in which order the words of three devices are added",
        |v| v.is_of_three_devices(),
        Open(Relaxation::DeviceOrder),
    ),
    row(
        "whether the sum of the first two of them is flushed where f32 is",
        |v| v.is_of_three_devices() && v.meaning().flush.open,
        Open(Relaxation::IntermediateFlush),
    ),
    row(
        "which precision the sum of the first two of three devices' words has",
        |v| v.is_of_three_devices(),
        By(
            "9.7.10.15: \"the default precision of the intermediate accumulation is same as the specified type\", and what \
             `.acc::f32` and `.acc::f16` change it to",
        ),
    ),
    row(
        "whether the last sum is rounded to the precision of `.acc` as well",
        |v| v.is_of_three_devices() && v.meaning().accumulator.is_some(),
        Open(Relaxation::AccumulatorRounding),
    ),
];
