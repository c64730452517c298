//! Tests of runs of inputs, of which MPFR is asked about the ends: each input has the truth that MPFR gives to it
//! alone.

use formats::{Column, Format};
use isa::Variant;
use judge::Truth;
use oracle::Oracle;

fn truth(oracle: &mut Oracle, variant: &Variant, operands: &[&[u64]]) -> Truth {
    let columns = operands.iter().zip(variant.operands()).map(|(operand, register)| {
        let mut column = Column::new(register.ty.row_bytes(), operand.len());
        operand.iter().enumerate().for_each(|(row, &bits)| column.set(row, bits));
        column
    });
    let mut truth = Truth::new(variant);
    oracle.expect(&columns.collect::<Vec<_>>(), &mut truth);
    truth
}

fn agree(text: &str, inputs: &[u64]) {
    agree_on(text, &[inputs]);
}

fn agree_on(text: &str, operands: &[&[u64]]) {
    let variant: Variant = text.parse().unwrap();
    let (mut runs, mut each) = (Oracle::by_runs(&variant), Oracle::new(&variant));
    let (by_runs, by_each) =
        (truth(&mut runs, &variant, operands), truth(&mut each, &variant, operands));
    let shown = || format!("{text} from {:#x}, {} inputs", operands[0][0], operands[0].len());
    assert_eq!(by_runs.results, by_each.results, "{}", shown());
    assert_eq!(by_runs.alternatives(), by_each.alternatives(), "{}", shown());
}

/// Checks runs of every length over each border of the format, for both signs, and where nothing happens.
#[test]
fn a_run_has_the_truth_of_each_of_its_inputs() {
    for text in [
        "cvt.rn.f16.f32",
        "cvt.rz.ftz.sat.f16.f32",
        "cvt.rm.ftz.sat.f16.f32",
        "cvt.rn.relu.bf16.f32",
        "cvt.rna.tf32.f32",
        "cvt.rni.s32.f32",
        "cvt.rpi.ftz.u16.f32",
        "cvt.rn.f32.f64",
        "cast.rz.e4m3.f32",
        "cast.rn.e5m2.f32",
    ] {
        let variant: Variant = text.parse().unwrap();
        let format: &Format = variant.inputs()[0].format;
        let borders = [0, format.min_normal(), format.one(), format.max_finite(), format.one() + 12_345];
        // Borders of the narrower format, in the encoding of f32.
        let narrower = [0x3880_0000, 0x477f_f000, 0x43e0_0000, 0x3300_0000].map(|bits: u64| bits);
        for border in borders.into_iter().chain(narrower) {
            for sign in [0, format.sign_mask()] {
                for length in [1, 2, 3, 17, 200] {
                    let start = sign | border.saturating_sub(length / 2);
                    let inputs: Vec<u64> = (start..start + length).collect();
                    agree(text, &inputs);
                }
            }
        }
    }
}

/// Checks NaNs that are cut off one by one: elsewhere all NaNs give one NaN, and here they give several.
#[test]
fn a_run_of_nans_is_cut_off_one_by_one() {
    let inputs: Vec<u64> = (0x7f80_1f00..0x7f80_2100).collect();
    agree("cvt.rna.tf32.f32", &inputs);
}

/// Checks that inputs which do not follow each other are asked one by one.
#[test]
fn inputs_that_are_no_run_are_asked_one_by_one() {
    let one = 0x3f80_0000;
    for inputs in [[one, one + 2, one + 3], [one + 1, one, one + 2], [one, one, one], [one, 7, one + 2]]
    {
        agree("cvt.rn.f16.f32", &inputs);
    }
    // The ends are as in a run, and what lies between is not.
    agree("cvt.rn.f16.f32", &[one, 0x4000_0000, one + 2]);
}

/// Checks one number against all, and then another, as the exhaustive sweep has them.
#[test]
fn one_number_compares_with_all_as_with_each() {
    for text in [
        "setp.lt.f16",
        "setp.neu.ftz.f16",
        "set.geu.ftz.u16.f16",
        "set.eq.u16.bf16",
        "min.ftz.f16",
        "max.NaN.xorsign.abs.bf16",
        "min.ftz.xorsign.abs.f16",
    ] {
        let format: &Format = text.parse::<Variant>().unwrap().inputs()[0].format;
        let all: Vec<u64> = (0..=format.mask()).collect();
        let firsts = [0, format.sign_mask() | 1, format.one(), 0x0077, format.max_finite(), 0x7fff];
        let of = |first: u64| vec![first; all.len()];
        let a: Vec<u64> = firsts.into_iter().flat_map(of).collect();
        agree_on(text, &[&a, &all.repeat(firsts.len())]);
    }
}
