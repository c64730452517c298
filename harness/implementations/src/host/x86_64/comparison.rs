//! Comparisons of f32, f64 and f16: those predicates of `vcmpss` and its kin that signal no quiet NaN (SDM volume
//! 2, CMPPD, table 3-1).

use super::Feature::{Avx, Avx512Fp16};
use super::batch::batch;
use crate::host::table::HostRow;

/// Makes the rows of one comparison, from its modifier, the predicate's name, and that of its complement.
///
/// A comparison leaves ones or zeros in the whole of an element, which is what `set` wants; `vmovmskps`
/// makes that one bit, which is what `setp` wants. For f16, the result is one bit to begin with.
macro_rules! comparison {
    ($ptx:literal, $is:literal, $is_not:literal) => {
        [
            HostRow::new(
                concat!("set.", $ptx, "{.ftz}.u32|s32.f32"),
                Avx,
                batch!(f32, f32 => b32: concat!("vcmp", $is, "ss xmm0, xmm0, xmm1")),
            ),
            HostRow::new(
                concat!("set.", $ptx, ".u32|s32.f64"),
                Avx,
                batch!(f64, f64 => b32: concat!("vcmp", $is, "sd xmm0, xmm0, xmm1")),
            ),
            HostRow::new(
                // The result goes to `xmm2`, since the complement is computed of the same operands.
                concat!("setp.", $ptx, "{.ftz}.f32"),
                Avx,
                batch!(f32, f32 => pred, pred:
                    concat!("vcmp", $is, "ss xmm2, xmm0, xmm1"), "vmovmskps eax, xmm2",
                    concat!("vcmp", $is_not, "ss xmm2, xmm0, xmm1"), "vmovmskps edx, xmm2"),
            ),
            HostRow::new(
                concat!("setp.", $ptx, ".f64"),
                Avx,
                batch!(f64, f64 => pred, pred:
                    concat!("vcmp", $is, "sd xmm2, xmm0, xmm1"), "vmovmskpd eax, xmm2",
                    concat!("vcmp", $is_not, "sd xmm2, xmm0, xmm1"), "vmovmskpd edx, xmm2"),
            ),
            HostRow::new(
                concat!("setp.", $ptx, ".f16"),
                Avx512Fp16,
                batch!(f16, f16 => pred: concat!("vcmp", $is, "sh k1, xmm0, xmm1"), "kmovw eax, k1"),
            ),
        ]
    };
}

/// Returns the rows of comparisons.
#[rustfmt::skip] // a table
pub fn rows() -> Vec<HostRow> {
    [
        comparison!("eq",  "eq_oq",  "neq_uq"),
        comparison!("ne",  "neq_oq", "eq_uq"),
        comparison!("lt",  "lt_oq",  "nlt_uq"),
        comparison!("le",  "le_oq",  "nle_uq"),
        comparison!("gt",  "gt_oq",  "ngt_uq"),
        comparison!("ge",  "ge_oq",  "nge_uq"),
        comparison!("equ", "eq_uq",  "neq_oq"),
        comparison!("neu", "neq_uq", "eq_oq"),
        // Less or unordered is not greater or equal, and so on below.
        comparison!("ltu", "nge_uq", "ge_oq"),
        comparison!("leu", "ngt_uq", "gt_oq"),
        comparison!("gtu", "nle_uq", "le_oq"),
        comparison!("geu", "nlt_uq", "lt_oq"),
        comparison!("num", "ord_q",  "unord_q"),
        comparison!("nan", "unord_q", "ord_q"),
    ]
    .concat()
}
