//! The crate `libm`: musl's mathematics in Rust. It is built without the feature `arch`, so that what
//! computes is the crate, and not an instruction of the processor.

use ptx_abi::{Compute, Library, binary, ternary, unary};

static LIBRARY: Library = Library { package: "libm", lock: include_str!("../Cargo.lock"), find };
ptx_abi::export!(LIBRARY);

fn find(variant: &str) -> Option<Compute> {
    Some(match variant {
        "fma.rn.f32" => ternary(libm::fmaf),
        "fma.rn.f64" => ternary(libm::fma),
        "sqrt.rn.f32" | "sqrt.approx.f32" => unary(libm::sqrtf),
        "sqrt.rn.f64" => unary(libm::sqrt),
        "cvt.rni.f32.f32" => unary(libm::rintf),
        "cvt.rni.f64.f64" => unary(libm::rint),
        "cvt.rmi.f32.f32" => unary(libm::floorf),
        "cvt.rmi.f64.f64" => unary(libm::floor),
        "cvt.rpi.f32.f32" => unary(libm::ceilf),
        "cvt.rpi.f64.f64" => unary(libm::ceil),
        "cvt.rzi.f32.f32" => unary(libm::truncf),
        "cvt.rzi.f64.f64" => unary(libm::trunc),
        // IEEE 754-2019's minimumNumber, where a NaN loses and -0 is less than +0. `fminf` leaves open
        // which zero it gives, and PTX does not.
        "min.f32" => binary(libm::fminimum_numf),
        "min.f64" => binary(libm::fminimum_num),
        "max.f32" => binary(libm::fmaximum_numf),
        "max.f64" => binary(libm::fmaximum_num),
        // IEEE 754-2019's minimum, where a NaN wins.
        "min.NaN.f32" => binary(libm::fminimumf),
        "max.NaN.f32" => binary(libm::fmaximumf),
        "sin.approx.f32" => unary(libm::sinf),
        "cos.approx.f32" => unary(libm::cosf),
        "lg2.approx.f32" => unary(libm::log2f),
        "ex2.approx.f32" => unary(libm::exp2f),
        "tanh.approx.f32" => unary(libm::tanhf),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_abi::testing::{counts, vector};

    #[test]
    fn every_name_is_that_of_a_variant() {
        let counts = counts(&LIBRARY);
        let each = |instruction: &str| counts.get(instruction).copied().unwrap_or(0);
        assert_eq!(["fma", "sqrt", "cvt", "min", "max"].map(each), [2, 3, 8, 3, 3]);
        assert_eq!(["sin", "cos", "lg2", "ex2", "tanh"].map(each), [1; 5]);
        assert_eq!(counts.len(), 10, "{counts:?}");
    }

    #[test]
    fn values_worked_out_by_hand() {
        let expect = |variant, operands: &[u64], expected| {
            assert_eq!(vector(&LIBRARY, variant, operands), expected, "{variant}");
        };
        expect("fma.rn.f32", &[0x4040_0000, 0x4040_0000, 0xc110_0000], 0); // 3 * 3 - 9
        expect("sqrt.rn.f64", &[0x4022_0000_0000_0000], 0x4008_0000_0000_0000); // 9
        expect("cvt.rni.f32.f32", &[0x4020_0000], 0x4000_0000); // 2.5
        expect("cvt.rmi.f64.f64", &[0xbfe0_0000_0000_0000], 0xbff0_0000_0000_0000); // -0.5
        expect("min.f32", &[0, 0x8000_0000], 0x8000_0000); // zeros
        expect("max.f64", &[0x7ff8_0000_0000_0000, 1], 1); // a NaN loses
        expect("max.NaN.f32", &[0x7fc0_0000, 1], 0x7fc0_0000); // a NaN wins
        expect("ex2.approx.f32", &[0xc300_0000], 0x20_0000); // 2^-128, a subnormal number
        expect("lg2.approx.f32", &[1], 0xc315_0000); // 2^-149
        expect("cos.approx.f32", &[0x8000_0000], 0x3f80_0000); // 0
    }
}
