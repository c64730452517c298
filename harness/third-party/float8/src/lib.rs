//! The crate `float8`: e4m3 and e5m2. It converts as CUDA's headers do, by way of f64, and saturates;
//! its arithmetic goes by way of f32.

mod types;

use ptx_abi::{Compute, Library, binary, unary, words};

use types::Float8;

static LIBRARY: Library = Library { package: "float8", lock: include_str!("../Cargo.lock"), find };
ptx_abi::export!(LIBRARY);

fn find(variant: &str) -> Option<Compute> {
    find_in::<float8::F8E4M3>(variant).or_else(|| find_in::<float8::F8E5M2>(variant))
}

/// Returns what the crate has for a variant of one of its types, called `f8` here.
fn find_in<F: Float8>(variant: &str) -> Option<Compute> {
    Some(match words(&variant.replace(F::NAME, "f8"))[..] {
        ["cast", "rn", "satfinite", "f8", "f32"] => unary(|a| F::from_f32(a).bits()),
        ["cast", "f32", "f8"] => unary(|a| F::of(a).to_f32()),
        ["cast", "f16", "f8"] => unary(|a| F::of(a).to_f16().to_bits()),
        // The first operand goes to the upper lane.
        ["cvt", "rn", "satfinite", "f8x2", "f32"] => {
            binary(|a, b| [b, a].map(|number| F::from_f32(number).bits()))
        }
        ["cvt", "rn", "f16x2", "f8x2"] => {
            unary(|a: [u8; 2]| a.map(|bits| F::of(bits).to_f16().to_bits()))
        }
        ["add", "satfinite", "f8x4", "f8x4"] | ["add", "rn", "satfinite", "f8x4", "f8x4"] => {
            lanes(|a: F, b| a + b)
        }
        ["sub", "satfinite", "f8x4", "f8x4"] | ["sub", "rn", "satfinite", "f8x4", "f8x4"] => {
            lanes(|a: F, b| a - b)
        }
        ["mul", "satfinite", "f8x4", "f8x4", "f8x4"]
        | ["mul", "rn", "satfinite", "f8x4", "f8x4", "f8x4"] => lanes(|a: F, b| a * b),
        _ => return None,
    })
}

/// Makes a way to compute a variant that does the same in each of four lanes.
fn lanes<F: Float8>(function: fn(F, F) -> F) -> Compute {
    binary(move |a: [u8; 4], b: [u8; 4]| -> [u8; 4] {
        std::array::from_fn(|lane| function(F::of(a[lane]), F::of(b[lane])).bits())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_abi::testing::{counts, vector};

    #[test]
    fn it_has_the_variants_that_it_should() {
        let counts = counts(&LIBRARY);
        let each = |instruction: &str| counts.get(instruction).copied().unwrap_or(0);
        assert_eq!(["add", "sub", "mul", "cast", "cvt"].map(each), [4, 4, 4, 6, 4]);
        assert_eq!(counts.len(), 5, "{counts:?}");
    }

    #[test]
    fn values_worked_out_by_hand() {
        let expect = |variant, operands: &[u64], expected| {
            assert_eq!(vector(&LIBRARY, variant, operands), expected, "{variant}");
        };
        expect("cast.rn.satfinite.e4m3.f32", &[0x4480_0000], 0x7e); // 1024 becomes 448
        expect("cast.f32.e4m3", &[0xb8], 0xbf80_0000); // -1
        expect("cast.f16.e5m2", &[0x7c], 0x7c00); // infinity
        expect("cvt.rn.satfinite.e5m2x2.f32", &[0x3f80_0000, 0x4000_0000], 0x3c40); // 1 and 2
        expect("cvt.rn.f16x2.e4m3x2", &[0x3840], 0x3c00_4000); // 1 and 2
        expect("add.satfinite.e4m3x4.e4m3x4", &[0x3838_7e00, 0x38b8_7e00], 0x4000_7e00); // 2, 0, 448, 0
        expect("sub.rn.satfinite.e5m2x4.e5m2x4", &[0x3c, 0x40], 0xbc); // 1 - 2
        expect("mul.satfinite.e5m2x4.e5m2x4.e5m2x4", &[0x42, 0x42], 0x48); // 3 * 3 = 9, a tie with 8
    }
}
