//! Berkeley SoftFloat, as the crate `softfloat-sys` builds it.

mod arithmetic;
mod conversion;
mod format;

use ptx_abi::{Compute, Library, words};

use arithmetic::{arithmetic, compare, compare_into};
use conversion::{between, from_integer, to_integer};
use format::{F16, F32, F64, Round};

static LIBRARY: Library =
    Library { package: "softfloat-sys", lock: include_str!("../Cargo.lock"), find };
ptx_abi::export!(LIBRARY);

fn find(variant: &str) -> Option<Compute> {
    match words(variant)[..] {
        // Where PTX lets the rounding be left out, it is to nearest.
        [operation @ ("add" | "sub" | "mul"), format] => in_format(operation, Round::NEAREST, format),
        ["setp", comparison, "f16"] => compare(&F16, comparison),
        ["setp", comparison, "f32(p)"] => compare(&F32, comparison),
        ["setp", comparison, "f64(p)"] => compare(&F64, comparison),
        ["set", comparison, "u32", "f16"] => compare_into(&F16, comparison),
        ["set", comparison, "u32", "f32"] => compare_into(&F32, comparison),
        ["set", comparison, "u32", "f64"] => compare_into(&F64, comparison),
        [operation, round, format] if operation != "cvt" => {
            in_format(operation, Round::named(round)?, format)
        }
        // To a larger format there is nothing to round.
        ["cvt", to, from] => between(Round::NEAREST, to, from),
        ["cvt", round, to, from] => match round.strip_suffix('i') {
            Some(round) if to == from => in_format("cvt", Round::named(round)?, to),
            Some(round) => to_integer(Round::named(round)?, to, from),
            None if from.starts_with(['s', 'u']) => from_integer(Round::named(round)?, to, from),
            None => between(Round::named(round)?, to, from),
        },
        _ => None,
    }
}

/// Returns an operation with operands and result of one format, where `cvt` goes to integers within the format.
fn in_format(operation: &str, round: Round, format: &str) -> Option<Compute> {
    match format {
        "f16" => arithmetic(&F16, operation, round),
        "f32" => arithmetic(&F32, operation, round),
        "f64" => arithmetic(&F64, operation, round),
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
        // f32 and f64 in four roundings, f16 in one, which sums and products may leave out.
        assert_eq!(["add", "sub", "mul"].map(each), [12; 3]);
        assert_eq!(["fma", "mad", "div", "sqrt"].map(each), [9, 8, 8, 8]);
        // Six comparisons.
        assert_eq!(["setp", "set"].map(each), [18, 18]);
        // In four roundings: to and from four integers from and to three formats, to an integer within
        // the format, and to three smaller formats and to bf16. Four conversions lose nothing.
        assert_eq!(each("cvt"), 4 * (12 + 12 + 3 + 4) + 4);
        assert_eq!(counts.len(), 10, "{counts:?}");
    }

    #[test]
    fn values_worked_out_by_hand() {
        let expect = |variant, operands: &[u64], expected| {
            assert_eq!(vector(&LIBRARY, variant, operands), expected, "{variant}");
        };
        expect("add.rm.f32", &[0x3f80_0000, 0xbf80_0000], 0x8000_0000); // 1 - 1
        expect("sub.f16", &[0x3c00, 0x4000], 0xbc00); // 1 - 2
        expect("mul.rp.f64", &[1, 1], 1); // 2^-1074 squared, up
        expect("div.rz.f32", &[0x3f80_0000, 0x4040_0000], 0x3eaa_aaaa); // 1 / 3
        expect("fma.rn.f32", &[0x4040_0000, 0x4040_0000, 0xc110_0000], 0); // 3 * 3 - 9
        expect("sqrt.rp.f32", &[0x4000_0000], 0x3fb5_04f4); // 1.41421356…, up
        expect("setp.neu.f16", &[0x7e00, 0x7e00], 1);
        expect("setp.gt.f32(p)", &[0x4000_0000, 0x3f80_0000], 1); // 2 > 1
        expect("set.gt.u32.f64", &[0x4000_0000_0000_0000, 1], 0xffff_ffff); // 2 > 2^-1074
        expect("cvt.rni.f16.f16", &[0x4100], 0x4000); // 2.5
        expect("cvt.rmi.s32.f32", &[0xc020_0000], -3_i32 as u32 as u64); // -2.5
        expect("cvt.rzi.u64.f64", &[0xbff0_0000_0000_0000], 0); // -1
        expect("cvt.rm.f16.s64", &[-2049_i64 as u64], 0xe801); // -2050
        expect("cvt.rz.f16.f64", &[0x3fff_ffff_ffff_ffff], 0x3fff); // 2, nearly
        expect("cvt.f64.f16", &[0x3c00], 0x3ff0_0000_0000_0000);
        expect("cvt.rp.bf16.f32", &[0x3f80_0001], 0x3f81); // 1 + 2^-23
    }
}
