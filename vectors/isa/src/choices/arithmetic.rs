//! Choices about sums, products and quotients, what is compared, and which operands count.

use formats::FormatId;

use super::arising::*;
use super::{Choice, row};
use crate::{Modifier, Op, Scaling, Site};

pub const ROWS: &[Choice] = &[
    row(
        "how sums of words of several devices, or behind a handle, are rounded",
        |v| is_unsaid(v) && !v.is_of_tensor_map() && v.meaning().op == Op::Add,
        "9.7.15.5, 9.7.15.6: about `atom` and `red`, \"The .add operation rounds to nearest even\"; about \
         `multimem` and `fabric` nothing is said",
    ),
    row(
        "how a sum in f16 is rounded to 8 bits",
        |v| v.has(Modifier::AccF16),
        "9.7.10.15: `.acc::f16` \"[c]hanges precision to .f16\", and nothing is said about the rounding; \
         `cvt` from f16x2 to these formats has only `.rn` (9.7.10.24)",
    ),
    row(
        "whether a sum of several words begins with zero",
        |v| matches!(v.site(), Site::Copies { .. }) && v.meaning().op == Op::Add,
        "9.7.10.15: \"reduction operation specified by .op on the multiple data loaded\"; so nothing else is \
         added, and the sum of -0 and -0 is -0",
    ),
    row(
        "how sums of elements of tensors are rounded",
        |v| v.is_of_tensor_map() && v.meaning().op == Op::Add,
        "5.5.1: about the types of elements, \".f16, .bf16, .tf32, .f32, .f64 (rounded to nearest even)\"",
    ),
    row(
        "how products without a rounding modifier are rounded",
        |v| v.meaning().converted.is_some(),
        "9.7.4.3: about products in half precision, \"The default value of rounding modifier is .rn\"; \
         9.7.5.4 names only `.rz`, which the products of this row do not have",
    ),
    row(
        "whether a quotient by a scale is rounded before it is converted",
        |v| v.meaning().scale == Some(Scaling::Divide),
        "9.7.10.24: \"convert(a / scale-factor[7:0])\", where only the conversion rounds",
    ),
    row(
        "how many bits of a packed factor of f32 count",
        |v| {
            matches!(v.meaning().op, Op::Fma)
                && v.inputs()[0].format != v.inputs()[1].format
                && v.lanes() == 2
        },
        "9.7.5.3: \".btype = .ctype = .dtype = { .f32x2 }\" makes the factor 64 bits wide, though the formula \
         below it reads only 16 bits",
    ),
    row(
        "what a comparison of bf16 gives as an integer",
        |v| {
            matches!(v.meaning().op, Op::Compare(_))
                && v.outputs()[0].format.is_integer()
                && v.inputs()[0].format.id == FormatId::Bf16
        },
        "9.7.8.1: \"0xffffffff is written for destination types .u32/.s32\", though the formula below it \
         gives 1.0 if the source is bf16",
    ),
    row(
        "the sign of a packed maximum of magnitudes where an operand is NaN",
        |v| {
            matches!(v.meaning().op, Op::Extremum(e) if e.with_product_of_signs && e.largest)
                && v.lanes() == 2
        },
        "9.7.4.8: \"the sign bit of destination d is equal to the XOR of the sign bits of both the inputs\", \
         though in the formula below it the sign depends on whether the first input is NaN",
    ),
    row(
        "what NaN divided by a large number is",
        divides_by_reciprocal,
        "9.7.3.8: \"computed as d = a * (1/b)\"; the sentence that the result is zero if the dividend is not \
         infinite is about numbers, not about NaN",
    ),
    row(
        "which elements of four operands are computed together",
        |v| !v.converts() && !v.is_of_memory() && v.lanes() == 4,
        "9.7.6.4: \"d[i] = iA[i] * iB[i] + iC[i]\", and each i is the same place of every operand",
    ),
    row(
        "which patterns are the out-of-bounds NaN of bf16",
        |v| v.meaning().out_of_bounds && to(v) == FormatId::Bf16,
        "measured on an NVIDIA H200, reports/published: 0x7ff7 with either sign, as in f16; others saw the \
         same on sm_100a and sm_120",
    ),
    row(
        "what a scale of NaN gives",
        |v| v.meaning().scale.is_some(),
        "OCP Microscaling Formats 1.0, E8M0: 0xff is NaN, and what is multiplied or divided by NaN is NaN; seen \
         on sm_100a",
    ),
];
