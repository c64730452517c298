//! The crate `half`: f16 and bf16. It computes in f32, and so does the processor's own conversion of f16
//! where it has one.

mod arithmetic;
mod conversion;

use half::{bf16, f16};
use num_traits::Float;
use ptx_abi::{Compute, Library, words};

use arithmetic::{arithmetic, compare, integral};
use conversion::{between, from_number, to_number, with_number};

static LIBRARY: Library = Library { package: "half", lock: include_str!("../Cargo.lock"), find };
ptx_abi::export!(LIBRARY);

/// A type of the crate `half`.
trait Half: Float + 'static {
    fn of(bits: u16) -> Self;
    fn bits(self) -> u16;
}

impl Half for f16 {
    fn of(bits: u16) -> f16 {
        f16::from_bits(bits)
    }

    fn bits(self) -> u16 {
        self.to_bits()
    }
}

impl Half for bf16 {
    fn of(bits: u16) -> bf16 {
        bf16::from_bits(bits)
    }

    fn bits(self) -> u16 {
        self.to_bits()
    }
}

fn find(variant: &str) -> Option<Compute> {
    match words(variant)[..] {
        [operation, "f16"] | [operation, "rn" | "approx", "f16"] => arithmetic::<f16>(operation),
        [operation, "bf16"] | [operation, "rn" | "approx", "bf16"] => arithmetic::<bf16>(operation),
        ["setp", comparison, "f16"] => compare::<f16>(comparison),
        ["setp", comparison, "bf16"] => compare::<bf16>(comparison),
        ["cvt", rounding, "f16", "f16"] => integral::<f16>(rounding),
        ["cvt", rounding, "bf16", "bf16"] => integral::<bf16>(rounding),
        ["cvt", "rn", "f16", "bf16"] => Some(between::<bf16, f16>()),
        ["cvt", "rn", "bf16", "f16"] => Some(between::<f16, bf16>()),
        ["cvt", "rn", "f16", from] => with_number!(from, T => from_number::<T, f16>()),
        ["cvt", "rn", "bf16", from] => with_number!(from, T => from_number::<T, bf16>()),
        // To a larger format there is nothing to round; to an integer it truncates, as Rust's `as` does.
        ["cvt", to, "f16"] | ["cvt", "rzi", to, "f16"] => {
            with_number!(to, T => to_number::<f16, T>())
        }
        ["cvt", to, "bf16"] | ["cvt", "rzi", to, "bf16"] => {
            with_number!(to, T => to_number::<bf16, T>())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_abi::testing::{counts, vector};

    #[test]
    fn it_has_the_variants_that_it_should() {
        let counts = counts(&LIBRARY);
        let each = |instruction: &str| counts.get(instruction).copied().unwrap_or(0);
        // `.rn` may be left out of sums and products. Conversions: of each type 2 from and 2 to larger
        // formats, 8 each from and to integers, 3 to integers in its own format, and 1 to the other.
        assert_eq!(["add", "sub", "mul"].map(each), [4; 3]);
        assert_eq!(
            ["fma", "min", "max", "ex2", "tanh", "setp", "cvt"].map(each),
            [2, 2, 2, 1, 2, 16, 48]
        );
        assert_eq!(counts.len(), 10, "{counts:?}");
    }

    #[test]
    fn values_worked_out_by_hand() {
        let expect = |variant, operands: &[u64], expected| {
            assert_eq!(vector(&LIBRARY, variant, operands), expected, "{variant}");
        };
        expect("add.rn.f16", &[0x3c00, 0x4000], 0x4200); // 1 + 2
        expect("sub.bf16", &[0x3f80, 0x4000], 0xbf80); // 1 - 2
        expect("mul.f16", &[0x4200, 0x4500], 0x4b80); // 3 * 5
        expect("fma.rn.bf16", &[0x4000, 0x4040, 0x3f80], 0x40e0); // 2 * 3 + 1
        expect("min.f16", &[0x7e00, 0x3c00], 0x3c00); // a NaN loses
        expect("ex2.approx.f16", &[0x4200], 0x4800); // 2^3
        expect("tanh.approx.bf16", &[0x7f80], 0x3f80); // infinity
        expect("setp.gt.f16", &[0x3c00, 0xc000], 1); // 1 > -2
        expect("cvt.rn.f16.f32", &[0x3fc0_0000], 0x3e00); // 1.5
        expect("cvt.rn.bf16.f64", &[0xbff8_0000_0000_0000], 0xbfc0); // -1.5
        expect("cvt.f32.f16", &[1], 0x3380_0000); // 2^-24
        expect("cvt.rn.bf16.f16", &[0xc500], 0xc0a0); // -5
        expect("cvt.rn.f16.s8", &[0xff], 0xbc00); // -1
        expect("cvt.rzi.s16.bf16", &[0xc020], 0xfffe); // -2.5
        expect("cvt.rmi.f16.f16", &[0xc100], 0xc200); // -2.5
    }
}
