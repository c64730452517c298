//! The crate `rustc_apfloat`, LLVM's software floating point in Rust.

mod arithmetic;
mod conversion;
mod format;

use ptx_abi::{Compute, Library, words};
use rustc_apfloat::Round;

use arithmetic::{arithmetic, compare, compare_into, extremum, integral, test};
use conversion::{convert, from_integer, to_signed, to_unsigned};
use format::{with_format, with_integer};

static LIBRARY: Library =
    Library { package: "rustc_apfloat", lock: include_str!("../Cargo.lock"), find };
ptx_abi::export!(LIBRARY);

fn find(variant: &str) -> Option<Compute> {
    match words(variant)[..] {
        // Where PTX lets the rounding be left out it is to nearest, as it is in the library.
        [operation @ ("add" | "sub" | "mul"), format] => {
            with_format!(format, F => arithmetic::<F>(operation, Round::NearestTiesToEven)?)
        }
        [operation @ ("add" | "sub" | "mul" | "div" | "fma" | "mad"), round, format] => {
            let round = rounding(round)?;
            with_format!(format, F => arithmetic::<F>(operation, round)?)
        }
        [operation @ ("min" | "max"), format] => {
            with_format!(format, F => extremum::<F>(operation, false)?)
        }
        [operation @ ("min" | "max"), "NaN", format] => {
            with_format!(format, F => extremum::<F>(operation, true)?)
        }
        ["testp", property, format] => with_format!(format, F => test::<F>(property)?),
        ["setp", comparison, format @ ("f16" | "bf16" | "f32(p)" | "f64(p)")] => {
            with_format!(format.trim_end_matches("(p)"), F => compare::<F>(comparison)?)
        }
        ["set", comparison, "u32", format] => {
            with_format!(format, F => compare_into::<F>(comparison)?)
        }
        // Without a rounding there is nothing to round: the format is a larger one.
        ["cvt" | "cast", to, from] if to != from => {
            with_format!(from, S => with_format!(to, T => convert::<S, T>(Round::NearestTiesToEven))?)
        }
        ["cvt" | "cast", round, to, from] => conversion(round, to, from),
        _ => None,
    }
}

/// Returns a conversion with a rounding, which is written otherwise, with an `i` at its end, where the result is an
/// integer.
fn conversion(round: &str, to: &str, from: &str) -> Option<Compute> {
    if let Some(round) = round.strip_suffix('i').and_then(rounding) {
        return if to == from {
            with_format!(from, S => integral::<S>(round))
        } else if to.starts_with('s') {
            with_format!(from, S => with_integer!(to, I => to_signed::<S, I>(round))?)
        } else {
            with_format!(from, S => with_integer!(to, I => to_unsigned::<S, I>(round))?)
        };
    }
    let round = rounding(round)?;
    if from.starts_with(['s', 'u']) {
        return with_format!(to, T => with_integer!(from, I => from_integer::<I, T>(round))?);
    }
    with_format!(from, S => with_format!(to, T => convert::<S, T>(round))?)
}

/// Returns a rounding by its name in PTX.
fn rounding(word: &str) -> Option<Round> {
    Some(match word {
        "rn" => Round::NearestTiesToEven,
        "rna" => Round::NearestTiesToAway,
        "rz" => Round::TowardZero,
        "rm" => Round::TowardNegative,
        "rp" => Round::TowardPositive,
        _ => return None,
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
        // f32 and f64 in four roundings, f16 and bf16 in one, which sums and products may leave out.
        assert_eq!(["add", "sub", "mul"].map(each), [14; 3]);
        assert_eq!(["div", "fma", "mad"].map(each), [8, 10, 8]);
        // f64 has no `.NaN`.
        assert_eq!(["min", "max", "testp"].map(each), [7, 7, 8]);
        // Eight comparisons.
        assert_eq!(["setp", "set"].map(each), [32, 32]);
        // In four roundings: to and from eight integers from and to four formats, to an integer within
        // the format, and between formats where something may be lost. Five conversions lose nothing.
        assert_eq!(each("cvt"), 4 * (32 + 32 + 4 + 7) + 5);
        // Two formats, from three, in four roundings, and back.
        assert_eq!(each("cast"), 24 + 6);
        assert_eq!(counts.len(), 13, "{counts:?}");
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
        expect("fma.rn.bf16", &[0x4000, 0x4040, 0x3f80], 0x40e0); // 2 * 3 + 1
        expect("max.f16", &[0x7e00, 0x3c00], 0x3c00); // a NaN loses
        expect("max.NaN.f16", &[0x3c00, 0x7e00], 0x7e00); // a NaN wins
        expect("testp.subnormal.f64", &[1], 1);
        expect("setp.neu.bf16", &[0x7fc0, 0x7fc0], 1);
        expect("setp.lt.f64(p)", &[1, 2], 1);
        expect("set.gt.u32.f32", &[0x4000_0000, 0x3f80_0000], 0xffff_ffff); // 2 > 1
        expect("cvt.rni.f16.f16", &[0x4100], 0x4000); // 2.5
        expect("cvt.rpi.s8.f32", &[0xc020_0000], 0xfe); // -2.5
        expect("cvt.rzi.u16.f64", &[0x40ff_ffff_ffff_ffff], 0xffff); // 2^17, nearly
        expect("cvt.rm.f16.s64", &[-2049_i64 as u64], 0xe801); // -2050
        expect("cvt.rn.bf16.u8", &[255], 0x437f);
        expect("cvt.f64.f16", &[0x3c00], 0x3ff0_0000_0000_0000);
        expect("cast.rna.e4m3.f16", &[0x3c40], 0x39); // 1 + 1/16 lies between 1 and 1 + 1/8
        expect("cast.bf16.e5m2", &[0xc0], 0xc000); // -2
    }
}
