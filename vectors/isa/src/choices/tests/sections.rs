//! The choices that each section of the manual leaves open, stated a second time: by the words in variants' names, and
//! not by their meaning.
//!
//! Each line of the table has sections, and for each relaxation the conditions that the name of a variant with it
//! fulfils. All conditions of a relaxation have to hold: `f32|f32x2` holds where one of these words is in the name,
//! `!sat|relu` where none of them is. Among the printed types, `d:f16` is the first, `a:f32` the second, and so on.
//! `(a,b,c)` is a word, and a group of the table's syntax stands for its members. A relaxation that a line has twice
//! has the variants of either entry.

use std::collections::{BTreeMap, BTreeSet};

use crate::Relaxation::{self, *};
use crate::Variant;
use crate::instruction::group;

#[rustfmt::skip] // a section, a line
const SECTIONS: &[(&str, &[(Relaxation, &str)])] = &[
    // Questions, signs, comparisons and selections compute no NaN; for `redux` the manual says which NaN a result is.
    ("9.7.3.1, 9.7.3.2, 9.7.7.1, 9.7.7.2, 9.7.7.4, 9.7.8.1, 9.7.8.2, 9.7.15.13", &[]),
    // Floating point.
    ("9.7.3.3, 9.7.3.4",   &[(AnyNan, "!f64 !sat"), (NanPayload, "f64"), (ZeroSign, "sat")]),
    ("9.7.3.5",            &[(AnyNan, "!f64 !sat"), (NanPayload, "f64"), (ZeroSign, "sat"), (FtzTininess, "ftz !rz")]),
    ("9.7.3.6, 9.7.3.7",   &[(AnyNan, "!f64 !sat"), (NanPayload, "f64"), (ZeroSign, "sat"), (FtzTininess, "ftz rn|rm|rp")]),
    ("9.7.3.8",            &[(AnyNan, "f32"), (NanPayload, "f64"), (FtzTininess, "ftz rn|rm|rp"), (BoundOverflow, "approx|full"),
                             (UnstatedAccuracy, "approx"), (ZeroDividend, "approx !ftz")]),
    ("9.7.3.9",            &[(AnyNan, "f32"), (NanSign, "f64")]),
    ("9.7.3.10",           &[(AnyNan, "f32"), (NanPayload, "f64")]),
    ("9.7.3.11, 9.7.3.12", &[(AnyNan, "f32 !NaN"), (NanPayload, "f64")]),
    ("9.7.3.13",           &[(AnyNan, "f32"), (NanPayload, "f64"), (FtzTininess, "ftz rm|rp"), (BoundOverflow, "approx !ftz")]),
    ("9.7.3.14",           &[(UnstatedAccuracy, ""), (UpperHalfNan, ""), (GrossTininess, "")]),
    ("9.7.3.15",           &[(AnyNan, "f32"), (NanPayload, "f64"), (NegativeSubnormal, "approx !ftz")]),
    ("9.7.3.16",           &[(AnyNan, "f32"), (NanPayload, "f64"), (NegativeSubnormal, "!ftz"), (UnstatedAccuracy, "f64")]),
    ("9.7.3.17",           &[(NanPayload, ""), (UnstatedAccuracy, ""), (UpperHalfNan, "")]),
    ("9.7.3.18, 9.7.3.19", &[(AnyNan, ""), (UnstatedAccuracy, "")]),
    ("9.7.3.20",           &[(AnyNan, ""), (NegativeSubnormal, "!ftz")]),
    ("9.7.3.21",           &[(AnyNan, ""), (BoundOverflow, "")]),
    ("9.7.3.22",           &[(AnyNan, "")]),
    // Half precision.
    ("9.7.4.1, 9.7.4.2",   &[(AnyNan, "!sat"), (ZeroSign, "sat")]),
    ("9.7.4.3",            &[(AnyNan, "!sat"), (ZeroSign, "sat"), (FtzTininess, "ftz")]),
    ("9.7.4.4",            &[(AnyNan, "!sat|relu"), (ZeroSign, "sat|relu"), (FtzTininess, "ftz"),
                             (OobPattern, "oob f16|f16x2"), (OobAddend, "oob")]),
    ("9.7.4.5, 9.7.4.6, 9.7.4.9", &[(AnyNan, "")]),
    ("9.7.4.7, 9.7.4.8",   &[(AnyNan, "!NaN")]),
    ("9.7.4.10",           &[(AnyNan, ""), (SubnormalAccuracy, "f16|f16x2"), (BoundOverflow, "")]),
    // Mixed precision.
    ("9.7.5.1, 9.7.5.2",   &[(AnyNan, "!sat"), (ZeroSign, "sat"), (FtzResult, "ftz"), (FtzIgnored, "ftz")]),
    ("9.7.5.3",            &[(AnyNan, "!sat"), (ZeroSign, "sat")]),
    ("9.7.5.4",            &[(AnyNan, ""), (FtzResult, "ftz"), (FtzIgnored, "ftz"), (FactorConversion, "!f32x2")]),
    // Arithmetic in 8 bits. Among products, each pair of factors has its own reach; ue8m0 is a factor of any size.
    ("9.7.6.1, 9.7.6.2, 9.7.6.4", &[(AnyNan, ""), (OverflowBoundary, "!satfinite"), (OverflowResult, "d:e5m2x4 !satfinite")]),
    ("9.7.6.3",            &[(AnyNan, ""),
                             (OverflowBoundary, "d:e5m2x4 a:e4m3x4 b:e4m3x4 !satfinite"),
                             (OverflowBoundary, "d:e4m3x4 a:e4m3x4 b:e4m3x4|e2m3x4 !satfinite"),
                             (OverflowBoundary, "d:e4m3x4 a:e2m3x4 b:e4m3x4 !satfinite"),
                             (OverflowResult, "d:e5m2x4 a:e5m2x4|ue8m0x4 !satfinite"),
                             (OverflowResult, "d:e5m2x4 b:e5m2x4|ue8m0x4 !satfinite"),
                             (OverflowResult, "d:e5m2x4 a:e4m3x4 b:e4m3x4 !satfinite")]),
    // Conversions. For 8 bits and tf32 no NaN is printed, so `.relu` does not say which NaN a result is.
    ("9.7.10.24",          &[(AnyNan, "d:f16|bf16|f32|f16x2|bf16x2|ue8m0x2|ue5m3x2 !a:int !sat|relu"),
                             (AnyNan, "d:tf32|e4m3x2|e5m2x2|e4m3x4|e5m2x4"),
                             (NanPayload, "d:f64 !a:int !sat"),
                             (ZeroSign, "sat|relu !d:int !d:s2f6x2 !a:int !a:s2f6x2"),
                             (FtzTininess, "d:f32 a:f64 ftz !rz"),
                             (FtzIgnored, "d:f16 a:f32 ftz"),
                             (TruncatedNan, "rna !satfinite"),
                             (Tf32Layout, "d:tf32"),
                             (RandomLayout, "rs !f16x2|bf16x2"),
                             (RandomAlignment, "rs"),
                             (RandomOverflow, "rs d:f16x2 !satfinite"),
                             (UnsignedNegative, "d:ue8m0x2|ue5m3x2"),
                             (FlushSign, "scaled::n1::ue8m0 d:narrow !relu|pzo"),
                             (ScaleSaturation, "scaled::n2::ue8m0 d:bf16x2 satfinite !a:s2f6x2"),
                             (ScaleSaturation, "scaled::n2::ue8m0 d:bf16x2 satfinite a:s2f6x2 !relu"),
                             (FixedMinimum, "d:s2f6x2 !relu"),
                             (OverflowBoundary, "d:ue5m3x2 a:f32|bf16x2 !satfinite"),
                             (OverflowBoundary, "d:ue5m3x2 scaled::n1::ue8m0 !satfinite"),
                             (OverflowResult, "d:ue5m3x2 a:f32|bf16x2 !satfinite"),
                             (OverflowResult, "d:ue5m3x2 scaled::n1::ue8m0 !satfinite"),
                             (InfinityResult, "d:ue5m3x2 !satfinite")]),
    // Memory. The manual says nothing of `min` and `max`, except for `atom` and `red`, and nothing of flushing vectors.
    ("9.7.15.5",           &[(AnyNan, "!f64"), (NanPayload, "f64"), (VectorFlush, "f32 v2|v4 !noftz")]),
    ("9.7.15.6",           &[(AnyNan, "!f64"), (NanPayload, "f64"), (VectorFlush, "f32 v2|v4 !noftz"), (ThreadOrder, "(b,c)")]),
    ("9.7.10.28.4.2, 9.7.10.28.4.5", &[(AnyNan, "!f64"), (NanPayload, "f64"), (MemoryNan, "min|max"), (MemoryZero, "min|max")]),
    ("9.7.10.28.5.4",      &[(AnyNan, ""), (VectorFlush, "(f32)"), (MemoryNan, "min|max"), (MemoryZero, "min|max")]),
    ("9.7.10.15",          &[(AnyNan, "!f64"), (NanPayload, "f64"), (VectorFlush, "f32"),
                             (OverflowBoundary, "add e4m3|e4m3x2|e4m3x4|e5m2|e5m2x2|e5m2x4"),
                             (OverflowResult, "add e4m3|e4m3x2|e4m3x4|e5m2|e5m2x2|e5m2x4"),
                             (InfinityResult, "add acc::f16 e5m2|e5m2x2|e5m2x4"),
                             (MemoryNan, "min|max"), (MemoryZero, "min|max"),
                             (DeviceOrder, "(a,b,c)"), (IntermediateFlush, "(a,b,c) f32"),
                             (AccumulatorRounding, "(a,b,c) acc::f32|acc::f16")]),
    ("9.7.11.5.3, 9.7.11.5.10", &[(AnyNan, "!f64"), (NanPayload, "f64"), (VectorFlush, "f32"), (MemoryNan, "min|max"), (MemoryZero, "min|max")]),
    ("9.7.11.5.4",         &[(AnyNan, ""), (VectorFlush, "f32"), (OverflowBoundary, "add e4m3|e5m2"), (OverflowResult, "add e4m3|e5m2"),
                             (InfinityResult, "add acc::f16 e5m2"), (MemoryNan, "min|max"), (MemoryZero, "min|max")]),
    ("9.7.11.5.9",         &[(AnyNan, "!(f64)"), (NanPayload, "(f64)"), (VectorFlush, "(f32)"), (MemoryNan, "min|max"), (MemoryZero, "min|max")]),
    ("9.7.18.8.3",         &[(AnyNan, "!NaN"), (MemoryNan, "!NaN"), (MemoryZero, "!abs")]),
    // Casts. An integer is too large where its type reaches beyond the largest number, and may be rounded to that.
    ("OCP OFP8",           &[(AnyNan, "!d:f64 !a:int"), (AnyNan, "d:e4m3 a:s32|s64 !satfinite"), (NanPayload, "d:f64"),
                             (OverflowBoundary, "rn|rna|rz|rp !satfinite !a:int"), (OverflowBoundary, "a:s32|s64 !satfinite")]),
    ("ML libraries",       &[(AnyNan, "!d:f64 !a:int"), (AnyNan, "a:s32|s64 !satfinite"), (AnyNan, "d:e4m3fnuz a:u8"),
                             (NanPayload, "d:f64"), (OverflowBoundary, "rn|rna|rz|rp !satfinite !a:int"),
                             (OverflowBoundary, "a:s32|s64 !satfinite"), (OverflowBoundary, "d:e4m3fnuz a:u8")]),
    ("ml_dtypes",          &[(AnyNan, "!d:f64 !a:int"), (AnyNan, "d:e4m3b11fnuz a:int"), (NanPayload, "d:f64"),
                             (OverflowBoundary, "rn !satfinite !a:int"), (OverflowBoundary, "d:e4m3ieee a:u8|s32|s64")]),
    ("OCP MX",             &[(AnyNan, "d:f32|f16|bf16"), (NanPayload, "d:f64"), (CastNan, "satfinite !a:int")]),
    ("OCP MX E8M0",        &[(AnyNan, "!d:f64"), (NanPayload, "d:f64"), (UnsignedNegative, "d:ue8m0"),
                             (AbsentNumber, "d:ue8m0 !satfinite")]),
];

/// Returns the words of a variant's name, with its types a second time by their places.
fn words(variant: &Variant) -> BTreeSet<String> {
    let operands = &variant.text()[variant.spelling().len()..];
    let words = variant.spelling().split('.').chain([operands]).map(str::to_owned);
    let types = variant.printed().iter().zip('a'..).map(|(ty, place)| match place {
        'a' => format!("d:{ty}"),
        place => format!("{}:{ty}", (place as u8 - 1) as char),
    });
    words.chain(types).collect()
}

/// Whether all conditions hold for a name with these words.
fn holds(conditions: &str, words: &BTreeSet<String>) -> bool {
    conditions.split_whitespace().all(|condition| {
        let positive = condition.trim_start_matches('!');
        let (place, choices) = match positive.split_once(':') {
            Some((place @ ("d" | "a" | "b" | "c"), choices)) => (format!("{place}:"), choices),
            _ => (String::new(), positive),
        };
        let choices = group(choices).unwrap_or(choices);
        choices.split('|').any(|word| words.contains(&format!("{place}{word}")))
            == (positive == condition)
    })
}

/// Checks that [`Relaxation`], which goes by the meaning of a variant, and this table, which goes by its name, agree.
#[test]
fn sections_leave_open_what_their_variants_do() {
    let mut lines = BTreeMap::new();
    for (sections, open) in SECTIONS {
        for section in sections.split(", ") {
            assert!(lines.insert(section, open).is_none(), "{section} is there twice");
        }
    }
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for variant in Variant::all() {
        let section = variant.form().section;
        let Some(open) = lines.get(section) else { panic!("no line has {section}") };
        let words = words(variant);
        let holding = open.iter().filter(|(_, conditions)| holds(conditions, &words));
        let listed: BTreeSet<Relaxation> = holding.clone().map(|(relaxation, _)| *relaxation).collect();
        used.extend(holding.map(|line| (section, *line)));
        let decided: BTreeSet<Relaxation> = variant.relaxations().collect();
        if listed != decided {
            wrong.push(format!("{variant}: {decided:?}, and in its section's line {listed:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} variants:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    for (section, open) in lines {
        for line in *open {
            assert!(used.contains(&(section, *line)), "{section}: no variant has {line:?}");
        }
    }
}

#[test]
fn conditions_are_of_words_and_of_places() {
    let variant: Variant = "cvt.rn.satfinite.relu.e4m3x2.f16x2".parse().unwrap();
    let words = words(&variant);
    for yes in ["", "relu", "d:narrow", "a:f16x2", "rn|rz !pzo", "!d:int", "satfinite d:e4m3x2|e5m2x2"] {
        assert!(holds(yes, &words), "{yes}");
    }
    for no in ["pzo", "d:f16x2", "!relu|pzo", "a:narrow", "rn rz"] {
        assert!(!holds(no, &words), "{no}");
    }
}
