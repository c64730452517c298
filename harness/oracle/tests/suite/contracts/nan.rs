//! Tests of which NaN a NaN result is.

use judge::MismatchKind;

use super::{SIGN, accepted, refused};

const SIGN_64: u64 = 1 << 63;
const ONE_64: u64 = 0x3ff0_0000_0000_0000;
const QUIET: u64 = 0x7ff8_0000_0000_0000;

/// Checks the NaN of a magnitude: "For abs.f64, NaN input is passed through unchanged. Future implementations may
/// comply with the IEEE 754 standard by preserving payload and modifying only the sign bit" (9.7.3.9).
#[test]
fn the_magnitude_of_a_nan_is_that_nan() {
    let negative = SIGN_64 | QUIET | 1;
    accepted("abs.f64", &[negative], negative, &[("nan-sign", "unchanged")]);
    accepted("abs.f64", &[negative], QUIET | 1, &[("nan-sign", "cleared")]);
    let signalling = SIGN_64 | 0x7ff0_0000_0000_0001;
    accepted("abs.f64", &[signalling], signalling, &[("nan-sign", "unchanged")]);
    for other in [QUIET, 0x7fff_ffff_ffff_ffff, SIGN_64 | QUIET] {
        refused("abs.f64", &[negative], other, MismatchKind::NanBits);
    }
    refused("abs.f64", &[QUIET | 1], negative, MismatchKind::NanBits);
    accepted("abs.f64", &[SIGN_64 | ONE_64], ONE_64, &[]);
}

/// Checks that the negative of a NaN is any NaN: "NaN inputs yield an unspecified NaN" (9.7.3.10).
#[test]
fn the_negative_of_a_nan_is_any_nan() {
    let operand = QUIET | 1;
    for (answer, payload) in [
        (SIGN_64 | operand, "operand"),
        (operand, "operand"),
        (QUIET, "canonical"),
        (SIGN_64 | QUIET, "canonical"),
        (QUIET | 2, "other"),
    ] {
        accepted("neg.f64", &[operand], answer, &[("nan-payload", payload)]);
    }
    refused("neg.f64", &[operand], SIGN_64 | ONE_64, MismatchKind::NanLost);
}

/// Checks that the report says whose payload a NaN of f64 has: "NaN payloads are supported for double-precision
/// instructions" (9.7.3).
#[test]
fn of_double_precision_the_report_says_whose_payload_a_nan_has() {
    let signalling = 0x7ff0_0000_0000_0001;
    for (answer, payload) in [
        (signalling | QUIET, "operand"),
        (signalling, "operand"),
        (SIGN_64 | signalling, "operand"),
        (QUIET, "canonical"),
        (0x7fff_ffff_ffff_ffff, "other"),
    ] {
        accepted("add.f64", &[ONE_64, signalling], answer, &[("nan-payload", payload)]);
        accepted("fma.rn.f64", &[ONE_64, signalling, ONE_64], answer, &[("nan-payload", payload)]);
        accepted("min.f64", &[signalling, signalling], answer, &[("nan-payload", payload)]);
    }
    // An operand whose payload is the canonical one's.
    accepted("mul.f64", &[QUIET, ONE_64], QUIET, &[("nan-payload", "canonical or operand")]);
    // A wider payload has the narrower one in front.
    let widened = 0x7ff8_0000_2000_0000;
    accepted("cvt.f64.f32", &[0x7fc0_0001], widened, &[("nan-payload", "operand")]);
    accepted("cvt.f64.f32", &[0x7fc0_0001], widened + 1, &[("nan-payload", "other")]);
    refused("add.f64", &[ONE_64, signalling], ONE_64, MismatchKind::NanLost);
}

/// Checks the one NaN of approximations of the upper half: "Input NaNs map to a canonical NaN with encoding
/// 0x7fffffff00000000" (9.7.3.14, 9.7.3.17).
#[test]
fn approximations_of_the_upper_half_have_one_nan() {
    const NAN: u64 = 0x7fff_ffff_0000_0000;
    for text in ["rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"] {
        for operand in [QUIET, SIGN_64 | QUIET | 5, 0x7ff0_0001_0000_0000] {
            accepted(text, &[operand], NAN, &[]);
            refused(text, &[operand], QUIET, MismatchKind::NanBits);
            refused(text, &[operand], SIGN_64 | NAN, MismatchKind::NanBits);
            refused(text, &[operand], NAN | 1, MismatchKind::Padding);
            refused(text, &[operand], 0, MismatchKind::NanLost);
        }
        // Without its lower half, this NaN is an infinity.
        let lower = 0x7ff0_0000_0000_0001;
        accepted(text, &[lower], 0, &[("upper-half-nan", "infinity")]);
        accepted(text, &[lower], NAN, &[("upper-half-nan", "nan")]);
        refused(text, &[lower], QUIET, MismatchKind::NanAppeared);
        refused(text, &[lower], SIGN_64, MismatchKind::ZeroSign);
    }
    accepted(
        "rcp.approx.ftz.f64",
        &[SIGN_64 | 0x7ff0_0000_0000_0001],
        SIGN_64,
        &[("upper-half-nan", "infinity")],
    );
    // The root of −∞ is NaN by either interpretation.
    let lower = SIGN_64 | 0x7ff0_0000_0000_0001;
    accepted("rsqrt.approx.ftz.f64", &[lower], NAN, &[("nan-payload", "canonical")]);
    // A NaN that does not come from a NaN may be any that has no lower half.
    let text = "rsqrt.approx.ftz.f64";
    accepted(text, &[SIGN_64 | ONE_64], NAN, &[("nan-payload", "canonical")]);
    accepted(text, &[SIGN_64 | ONE_64], QUIET, &[("nan-payload", "canonical")]);
    accepted(text, &[SIGN_64 | ONE_64], QUIET | 1 << 32, &[("nan-payload", "other")]);
    refused(text, &[SIGN_64 | ONE_64], QUIET | 1, MismatchKind::Padding);
}

/// Checks that `.relu` gives any NaN of 8-bit formats: "NaN results are converted to canonical NaN" (9.7.10.24),
/// which is printed for no 8-bit format.
#[test]
fn relu_gives_any_nan_of_formats_without_a_printed_one() {
    let nan = [0x7fc0_0000, 0x3f80_0000];
    let text = "cvt.rn.satfinite.relu.e5m2x2.f32";
    accepted(text, &nan, 0x7f3c, &[("any-nan", "canonical")]);
    accepted(text, &nan, 0x7e3c, &[("any-nan", "other")]);
    refused(text, &nan, 0x7c3c, MismatchKind::NanLost);
    accepted("cvt.rn.satfinite.relu.e4m3x2.f32", &nan, 0xff38, &[("any-nan", "other")]);
    refused("cvt.rn.relu.f16.f32", &nan[..1], 0x7e00, MismatchKind::NanBits);
    refused("cvt.rn.relu.f16.f32", &[SIGN | nan[0]], 0xffff, MismatchKind::NanBits);
}
