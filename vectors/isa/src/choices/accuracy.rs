//! Choices about bounds of approximate functions.

use formats::FormatId;

use super::arising::*;
use super::{Choice, row};
use crate::Op;

pub const ROWS: &[Choice] = &[
    row(
        "the sign of what units in the last place reach across zero",
        |v| !v.is_exact() && matches!(v.meaning().op, Op::Div | Op::Rcp | Op::Ex2),
        "9.7.3.8, 9.7.3.13, 9.7.3.21: results that `.ftz` finds too small are a \"sign-preserving zero\"; without it the \
         functions do not have the other sign either, and that no bound reaches it is the suite's decision",
    ),
    row(
        "which result units in the last place are counted from",
        in_units,
        "9.7.3.21: \"2 ulp from correctly rounded result\"; 9.7.3.8 and 9.7.3.13 say \"maximum ulp error\", and \
         are read like it, the wider of two readings, in units of that result's last place",
    ),
    row(
        "whether a subnormal operand of tanh is its own result",
        |v| !v.is_exact() && v.meaning().op == Op::Tanh && to(v) == FormatId::F32,
        "9.7.3.22: \"The maximum relative error over the entire floating point range is 2^-11\"; older manuals add that \
         such inputs are passed through, which is one of the results that this accepts",
    ),
];
