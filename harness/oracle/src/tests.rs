use isa::columns_for;
use sweeps::{Length, Sweep};

use super::*;

fn variant(text: &str) -> Variant {
    text.parse().unwrap()
}

/// Pairs of spellings that have one truth, so that MPFR proves one of the two.
const ALIKE: [[&str; 2]; 6] = [
    ["add.f32", "add.rn.f32"],
    ["fma.rn.relu.f16", "fma.rn.relu.f16"],
    ["cvt.rni.sat.s8.f32", "cvt.rni.s8.f32"],
    ["cvt.rni.sat.s32.f32", "cvt.rni.s32.f32"],
    ["set.lt.f32.u16", "set.lo.f32.u16"],
    ["set.lt.s16.f16", "set.lt.u16.f16"],
];

/// Pairs of variants that differ in one thing, and so have different truths.
const DIFFERENT: [[&str; 2]; 10] = [
    // They differ in meaning.
    ["add.f32", "sub.f32"],
    ["add.f32", "add.ftz.f32"],
    // They differ in the types of registers.
    ["add.f32", "add.f64"],
    ["add.f32", "add.f32x2"],
    // They are promised within a bound, at least one of each pair.
    ["rcp.rn.ftz.f32", "rcp.approx.ftz.f32"],
    ["sqrt.approx.ftz.f32", "sqrt.approx.ftz.f32"],
    // They differ in what a comparison states, and as what.
    ["set.lt.s16.f16", "set.le.s16.f16"],
    ["set.lt.s16.f16", "set.lt.s32.f16"],
    ["set.lt.f16.f16", "set.lt.bf16.f16"],
    // They differ only in how they are spelled, but variants that choose an operand are never called alike.
    ["slct.u32.f32", "slct.s32.f32"],
];

#[test]
fn variants_that_differ_only_in_spelling_compute_alike() {
    for [one, other] in ALIKE {
        let [one, other] = [one, other].map(variant);
        assert!(computes_alike(&one, &other) && computes_alike(&other, &one), "{one} {other}");
    }
    for [one, other] in DIFFERENT {
        let [one, other] = [one, other].map(variant);
        assert!(!computes_alike(&one, &other) && !computes_alike(&other, &one), "{one} {other}");
    }
}

#[test]
fn lanes_compute_alike_where_meaning_and_formats_are_the_same_and_something_is_rounded() {
    let alike = |[one, other]: [&str; 2]| {
        let [one, other] = [one, other].map(variant);
        let alike = lanes_compute_alike(&one, &other);
        assert_eq!(lanes_compute_alike(&other, &one), alike, "{one} {other}");
        alike
    };
    for pair in [["fma.rn.f16", "fma.rn.f16x2"], ["add.f32x2", "add.rn.f32"], ["mul.bf16x2", "mul.bf16"]]
    {
        assert!(alike(pair), "{pair:?}");
    }
    for pair in [
        // They differ in meaning, or in the formats.
        ["add.f16", "sub.f16x2"],
        ["fma.rn.f16", "fma.rn.bf16x2"],
        // They are promised within a bound, one of a pair or both.
        ["rcp.rn.ftz.f32", "rcp.approx.ftz.f32"],
        ["tanh.approx.f16", "tanh.approx.f16x2"],
        // The result is chosen, not computed.
        ["max.f16", "max.f16x2"],
    ] {
        assert!(!alike(pair), "{pair:?}");
    }
}

#[test]
fn what_computes_alike_has_one_truth() {
    for [one, other] in ALIKE {
        let [one, other] = [one, other].map(variant);
        for sweep in Sweep::all().iter().filter(|sweep| sweep.length(&one) != Length::None) {
            let mut operands = columns_for(&one, 8);
            sweep.fill(&one, 0x5eed, 0, &mut operands);
            let [first, second] = [&one, &other].map(|variant| {
                let mut truth = Truth::new(variant);
                Oracle::new(variant).expect(&operands, &mut truth);
                (truth.results.clone(), truth.alternatives().to_vec())
            });
            assert_eq!(first, second, "{one} {other} {}", sweep.name);
        }
    }
}

/// Checks that the variants with series are those of approximate functions of one f32 in a register of its own.
#[test]
fn fifteen_variants_have_series() {
    let with = Variant::all().iter().filter(|variant| variant.approximates_one_f32());
    assert_eq!(with.count(), 15);
    for text in ["rcp.approx.ftz.f32", "rsqrt.approx.f32", "cos.approx.ftz.f32", "tanh.approx.f32"] {
        assert!(variant(text).approximates_one_f32() && Oracle::by_series(&variant(text)).is_some());
    }
    for text in
        ["rcp.rn.ftz.f32", "div.approx.f32", "rsqrt.approx.f64", "tanh.approx.f16", "ex2.approx.f16x2"]
    {
        assert!(!variant(text).approximates_one_f32() && Oracle::by_series(&variant(text)).is_none());
    }
}
