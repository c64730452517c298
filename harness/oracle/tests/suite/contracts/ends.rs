//! Tests of bounds that reach beyond the numbers of a format: across zero, among subnormal results, to infinity.

use judge::MismatchKind;

use super::bounds::BEST_EFFORT;
use super::{INF, SIGN, accepted, refused};

/// Checks "Fast, gross approximation … Subnormal … results are flushed" (9.7.3.14). By which result flushing is
/// decided, the exact or the approximate one, is left open within 2^-8, and counted by itself.
#[test]
fn gross_reciprocals_beside_the_smallest_normal_number_are_counted() {
    const NORMAL: u64 = 0x0010_0000_0000_0000;
    let text = "rcp.approx.ftz.f64";
    let (exact, approximate) = (("gross-tininess", "exact"), ("gross-tininess", "approximate"));
    for sign in [0, 1 << 63] {
        // 2^-1022 (1 - 2^-8 + 2^-16), and (1 - 2^-19) of it, which 12 bits do not tell from it.
        for operand in [0x7fd0_1000_0000_0000, 0x7fd0_0002_0000_0000] {
            let below = [sign | operand];
            accepted(text, &below, sign, &[exact]);
            accepted(text, &below, sign | NORMAL, &[approximate]);
            accepted(text, &below, sign | NORMAL | 1 << 44, &[approximate]);
            refused(text, &below, sign | NORMAL | 1 << 44 | 1 << 32, MismatchKind::OutOfRange);
        }
        // 2^-1022, and (1 + 2^-9) of it.
        for operand in [0x7fd0_0000_0000_0000, 0x7fcf_f000_0000_0000] {
            accepted(text, &[sign | operand], sign | NORMAL, &[exact]);
            accepted(text, &[sign | operand], sign, &[approximate]);
            // It is not tiny, and what is larger is as inaccurate as anywhere.
            accepted(text, &[sign | operand], sign | NORMAL | 1 << 45, &[exact]);
            refused(text, &[sign | operand], sign ^ 1 << 63, MismatchKind::OutOfRange);
        }
        // What is farther away is left to one side.
        let (less, more) = ([sign | 0x7fd0_2000_0000_0000], [sign | 0x7fcf_e000_0000_0000]);
        accepted(text, &less, sign, BEST_EFFORT);
        refused(text, &less, sign | NORMAL, MismatchKind::OutOfRange);
        accepted(text, &more, sign | NORMAL, BEST_EFFORT);
        refused(text, &more, sign, MismatchKind::OutOfRange);
    }
}

/// Checks that units in the last place do not reach across zero. The function is of one sign there, "sign-preserving
/// zero" is what `.ftz` leaves of it, and zeros in the tables of special inputs have the sign of what is beside them.
#[test]
fn units_do_not_reach_to_the_other_side_of_zero() {
    let power = [0xc348_0000]; // 2^-200
    for answer in [0, 1, 2] {
        accepted("ex2.approx.f32", &power, answer, &[]);
    }
    for answer in [3, SIGN, SIGN | 1, SIGN | 2] {
        refused("ex2.approx.f32", &power, answer, MismatchKind::OutOfBound);
    }
    accepted("ex2.approx.ftz.f32", &power, 0, &[]);
    refused("ex2.approx.ftz.f32", &power, SIGN, MismatchKind::OutOfBound);
    let quotient = [0x8d80_0000, 0x5800_0000]; // −2^-149
    for sign in [0, SIGN] {
        let operands = [quotient[0] ^ sign, quotient[1]];
        let negative = SIGN ^ sign;
        for text in ["div.full.f32", "div.approx.f32"] {
            for magnitude in 0..4 {
                accepted(text, &operands, negative | magnitude, &[]);
            }
            for answer in [negative | 4, sign, sign | 1, sign | 2] {
                refused(text, &operands, answer, MismatchKind::OutOfBound);
            }
        }
        for text in ["div.full.ftz.f32", "div.approx.ftz.f32"] {
            accepted(text, &operands, negative, &[]);
            refused(text, &operands, sign, MismatchKind::OutOfBound);
        }
    }
    // An absolute bound says how far, and not to which side: sin π is −8.7 × 10^-8.
    for answer in [0, SIGN, 0x3300_0000, 0xb300_0000] {
        accepted("sin.approx.f32", &[0x4049_0fdb], answer, &[]);
    }
}

/// Checks that a relative bound that no subnormal number may meet reaches a unit in the last place.
#[test]
fn subnormal_powers_of_two_lie_within_a_unit() {
    let (within, beside) =
        (("subnormal-accuracy", "within the bound"), ("subnormal-accuracy", "within a unit"));
    let exact = [0xcd00]; // 2^-20 is 16 units
    accepted("ex2.approx.f16", &exact, 16, &[within]);
    accepted("ex2.approx.f16", &exact, 15, &[beside]);
    accepted("ex2.approx.f16", &exact, 17, &[beside]);
    for answer in [14, 18, 0, 0x3c00, 0xfc00, 0x8010] {
        refused("ex2.approx.f16", &exact, answer, MismatchKind::OutOfBound);
    }
    refused("ex2.approx.f16", &exact, 0x7fff, MismatchKind::NanAppeared);
    let below = [0xcf80]; // 2^-30
    accepted("ex2.approx.f16", &below, 0, &[beside]);
    accepted("ex2.approx.f16", &below, 1, &[beside]);
    for answer in [2, 0x8000, 0x8001] {
        refused("ex2.approx.f16", &below, answer, MismatchKind::OutOfBound);
    }
    refused("ex2.approx.f16x2", &[0xcd00_cd00], 0x0010_000e, MismatchKind::OutOfBound);
}

/// Checks that infinity is accepted for a quotient that lies within two units of 2^128.
#[test]
fn a_bound_that_reaches_beyond_the_largest_number_may_reach_infinity() {
    const MAX: u64 = 0x7f7f_ffff;
    let (finite, infinite) = (("bound-overflow", "finite"), ("bound-overflow", "infinite"));
    for text in ["div.full.f32", "div.approx.ftz.f32"] {
        for operands in [[0xe07f_fffe, 0xa07f_ffff], [MAX - 1, 0x3f80_0000]] {
            accepted(text, &operands, INF, &[infinite]);
            accepted(text, &operands, MAX, &[finite]);
            accepted(text, &operands, MAX - 2, &[finite]);
            refused(text, &operands, INF | SIGN, MismatchKind::OutOfBound);
            refused(text, &operands, MAX - 5, MismatchKind::OutOfBound);
            let negative = [operands[0] ^ SIGN, operands[1]];
            accepted(text, &negative, INF | SIGN, &[infinite]);
            refused(text, &negative, INF, MismatchKind::OutOfBound);
        }
        // Three units away, and beyond.
        refused(text, &[MAX - 2, 0x3f80_0000], INF, MismatchKind::OutOfBound);
        accepted(text, &[MAX, 0x3f7f_ffff], INF, &[infinite]);
        accepted(text, &[MAX, 0x3f7f_ffff], MAX, &[finite]);
        accepted(text, &[MAX, 0x3f00_0000], INF, &[]);
        refused(text, &[MAX, 0x3f00_0000], MAX, MismatchKind::OutOfBound);
    }
}

/// Checks that numbers within the bound are accepted where infinity is the correctly rounded result.
#[test]
fn a_bound_may_reach_back_from_infinity() {
    let (finite, infinite) = (("bound-overflow", "finite"), ("bound-overflow", "infinite"));
    // The operand, infinity, and the lowest number within the bound of the power of two beyond.
    let cases = [
        ("rcp.approx.f32", 0x0020_0000, INF, 0x7f7f_fffe),
        ("ex2.approx.f32", 0x4300_0000, INF, 0x7f7f_fffc),
        ("ex2.approx.ftz.f32", 0x4300_0000, INF, 0x7f7f_fffc),
        ("ex2.approx.f16", 0x4c00, 0x7c00, 0x7bfe),
        ("ex2.approx.ftz.bf16", 0x4300, 0x7f80, 0x7f7e),
    ];
    for (text, operand, infinity, lowest) in cases {
        accepted(text, &[operand], infinity, &[infinite]);
        for answer in lowest..infinity {
            accepted(text, &[operand], answer, &[finite]);
        }
        refused(text, &[operand], lowest - 1, MismatchKind::OutOfBound);
    }
    accepted("rcp.approx.f32", &[SIGN | 0x0020_0000], SIGN | INF, &[infinite]);
    accepted("rcp.approx.f32", &[SIGN | 0x0020_0000], SIGN | 0x7f7f_ffff, &[finite]);
    // Farther away there is infinity alone.
    accepted("rcp.approx.f32", &[0x0010_0000], INF, &[]);
    refused("rcp.approx.f32", &[0x0010_0000], 0x7f7f_ffff, MismatchKind::OutOfBound);
    accepted("rcp.approx.ftz.f32", &[0x0020_0000], INF, &[]);
}
