//! Choices about sums, products and quotients, what is compared, and which operands count.

use formats::FormatId;

use super::arising::*;
use super::{Choice, row};
use crate::{Modifier, Op, Scaling, Site};

pub const ROWS: &[Choice] = &[
    row(
        "how sums of words of several devices, or behind a handle, are rounded",
        |v| is_unsaid(v) && !v.is_of_tensor_map() && v.meaning().op == Op::Add,
        "9.7.15.5, 9.7.15.6: \"The .add operation rounds to nearest even\", said of `atom` and `red`; of `multimem` \
         and `fabric` nothing is said",
    ),
    row(
        "how a sum in f16 is rounded to 8 bits",
        |v| v.has(Modifier::AccF16),
        "9.7.10.15: `.acc::f16` \"[c]hanges precision to .f16\", and no more; `cvt` from f16x2 to these formats has `.rn` \
         alone (9.7.10.24)",
    ),
    row(
        "whether a sum of several words begins with zero",
        |v| matches!(v.site(), Site::Copies { .. }) && v.meaning().op == Op::Add,
        "9.7.10.15: \"reduction operation specified by .op on the multiple data loaded\", and of nothing beside them: \
         the sum of -0 and -0 is -0",
    ),
    row(
        "how sums of elements of tensors are rounded",
        |v| v.is_of_tensor_map() && v.meaning().op == Op::Add,
        "5.5.1: \".f16, .bf16, .tf32, .f32, .f64 (rounded to nearest even)\", said of the types of elements",
    ),
    row(
        "how products are rounded that take no modifier",
        |v| v.meaning().converted.is_some(),
        "9.7.4.3: \"The default value of rounding modifier is .rn\", said of products in half precision; 9.7.5.4 \
         names `.rz` alone, which these do not take",
    ),
    row(
        "whether what is divided by a scale is rounded before it is converted",
        |v| v.meaning().scale == Some(Scaling::Divide),
        "9.7.10.24: \"convert(a / scale-factor[7:0])\", in which one conversion rounds",
    ),
    row(
        "which bits of a packed factor of f32 count",
        |v| {
            matches!(v.meaning().op, Op::Fma)
                && v.inputs()[0].format != v.inputs()[1].format
                && v.lanes() == 2
        },
        "9.7.5.3: \".btype = .ctype = .dtype = { .f32x2 }\" makes it 64 bits wide, though the formula beneath reads \
         16 of them",
    ),
    row(
        "what a comparison of bf16 gives as an integer",
        |v| {
            matches!(v.meaning().op, Op::Compare(_))
                && v.outputs()[0].format.is_integer()
                && v.inputs()[0].format.id == FormatId::Bf16
        },
        "9.7.8.1: \"0xffffffff is written for destination types .u32/.s32\", though the formula beneath gives 1.0 \
         where the source is bf16",
    ),
    row(
        "the sign of a packed maximum of magnitudes where an operand is NaN",
        |v| {
            matches!(v.meaning().op, Op::Extremum(e) if e.with_product_of_signs && e.largest)
                && v.lanes() == 2
        },
        "9.7.4.8: \"the sign bit of destination d is equal to the XOR of the sign bits of both the inputs\", though the \
         formula beneath asks whether the first is NaN",
    ),
    row(
        "what NaN divided by a large number is",
        divides_by_reciprocal,
        "9.7.3.8: \"computed as d = a * (1/b)\"; that it returns a zero where the dividend is not infinite is said of \
         numbers",
    ),
    row(
        "which elements of four operands meet",
        |v| !v.converts() && !v.is_of_memory() && v.lanes() == 4,
        "9.7.6.4: \"d[i] = iA[i] * iB[i] + iC[i]\", and each i is the same place of every operand",
    ),
    row(
        "which patterns are the out-of-bounds NaN, of bf16",
        |v| v.meaning().out_of_bounds && to(v) == FormatId::Bf16,
        "measured on an NVIDIA H200, reports/published: 0x7ff7 with either sign, as of f16; others saw sm_100a and \
         sm_120 do so",
    ),
    row(
        "what a scale of NaN gives",
        |v| v.meaning().scale.is_some(),
        "OCP Microscaling Formats 1.0, E8M0: 0xff is NaN, and what is multiplied or divided by NaN is NaN; seen \
         on sm_100a",
    ),
];
