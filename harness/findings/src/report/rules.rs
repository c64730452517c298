//! Tells which of PTX's rules a whole implementation follows, family by family: a matrix made of what was found in
//! the variants.

use std::collections::HashMap;

use isa::{Clamp, Family, NanRule, Op, Rounding, Variant};
use reports::{Class, RuleCell, RuleReport, VariantReport};

/// A rule, and how a class shows that it is not followed: by the names of flaws that explain the class, or, where
/// nothing explains it, by its kind.
struct ClassRule {
    name: &'static str,
    concerns: fn(&Variant) -> bool,
    flaws: fn(&str) -> bool,
    kinds: &'static [&'static str],
}

/// Whether a flaw is one of some names, or begins with one that ends in `*`.
fn is(flaw: &str, names: &[&str]) -> bool {
    names.iter().any(|name| match name.strip_suffix('*') {
        Some(beginning) => flaw.starts_with(beginning),
        None => flaw == *name,
    })
}

/// Whether a variant computes or converts with one rounding that the manual fixes.
fn rounds(variant: &Variant) -> bool {
    variant.is_exact() && (variant.is_arithmetic() || variant.converts())
}

/// The rules, in the order of the model's stages.
#[rustfmt::skip] // a table
const RULES: &[ClassRule] = &[
    ClassRule { name: "computes the operation", concerns: |_| true,
        flaws: |f| is(f, &["always-zero", "computed-as-integers", "another-variant", "integer-order"]),
        kinds: &[] },
    ClassRule { name: "computes all lanes", concerns: |v| v.lanes() > 1,
        flaws: |f| is(f, &["lowest-lane-only", "lanes-swapped", "first-lane-everywhere", "lane-nan-spreads", "oob-all-lanes"]),
        kinds: &["lanes-swapped"] },
    ClassRule { name: "flushes inputs", concerns: |v| v.meaning().flush.inputs.contains(&true),
        flaws: |f| is(f, &["ftz-ignored", "input-not-flushed", "input-flush-loses-sign"]),
        kinds: &[] },
    ClassRule { name: "flushes results", concerns: Variant::flushes_result,
        flaws: |f| is(f, &["ftz-ignored", "result-not-flushed", "flush-loses-sign", "flushed-after-rounding",
            "flushed-as-encoded", "min-normal-flushed", "unfused-unflushed"]),
        kinds: &["not-flushed"] },
    ClassRule { name: "keeps subnormals", concerns: |v| v.outputs()[0].format.has_subnormals() && !v.flushes_result()
            && !v.meaning().flush.inputs.contains(&true),
        flaws: |f| is(f, &["flushed-anyway", "narrow-subnormal-lost", "subnormal-misscaled", "subnormal-as-normal",
            "zero-as-normal", "subnormal-carry-ored", "result-flushed-anyway", "flushed-after-rounding-anyway",
            "flushed-as-encoded-anyway", "tiny-is-zero"]),
        kinds: &["flushed"] },
    ClassRule { name: "fuses", concerns: |v| family(v) == "fma mad",
        flaws: |f| is(f, &["unfused*"]),
        kinds: &[] },
    ClassRule { name: "honours the direction", concerns: |v| rounds(v) && v.meaning().rounding != Rounding::NearestEven,
        flaws: |f| is(f, &["nearest-instead", "down-ignored", "rz-ignored", "rm-ignored", "rp-ignored", "rna-ignored",
            "rs-ignored", "rzi-ignored", "rmi-ignored", "rpi-ignored", "toward-zero-down", "down-toward-zero",
            "up-toward-zero", "direction-of-magnitude", "away-ties-even", "random-*"]),
        kinds: &[] },
    ClassRule { name: "rounds to nearest, once", concerns: |v| rounds(v) && v.meaning().rounding == Rounding::NearestEven,
        flaws: |f| is(f, &["ties-*", "truncated*", "sticky-lost*", "through-*", "guard-lost", "half-added",
            "one-half-up", "subnormal-rounded-twice", "subnormal-through-double", "subnormal-truncated",
            "subnormal-ties-away", "subnormal-sticky-lost", "rni-ignored"]),
        kinds: &["ulp-above", "ulp-below"] },
    ClassRule { name: "overflows as it should", concerns: |v| rounds(v) && v.outputs()[0].format.infinity().is_some(),
        flaws: |f| is(f, &["overflow-*"]),
        kinds: &["overflow", "no-overflow"] },
    ClassRule { name: "saturates", concerns: |v| v.meaning().clamp == Clamp::Unit || v.meaning().satfinite,
        flaws: |f| is(f, &["sat-*", "satfinite-*"]),
        kinds: &[] },
    ClassRule { name: "clamps by .relu", concerns: |v| v.meaning().clamp == Clamp::Positive,
        flaws: |f| is(f, &["relu-*"]),
        kinds: &[] },
    ClassRule { name: "has integers' limits", concerns: |v| v.is_to_integer(),
        flaws: |f| is(f, &["wraps*", "indefinite", "limit-is-float", "negative-*", "clamps-short*"]),
        kinds: &["integer-indefinite"] },
    ClassRule { name: "has the right NaN", concerns: |v| v.outputs()[0].format.nan().is_some()
            || matches!(v.meaning().nan, NanRule::Bits(_)),
        flaws: |f| f.contains("nan"),
        kinds: &["nan-lost", "nan-appeared", "nan-bits"] },
    ClassRule { name: "has the sign of zero", concerns: |v| v.outputs()[0].format.signed && !v.outputs()[0].format.is_fixed(),
        flaws: |f| is(f, &["zero-sum-*", "zero-product-positive", "root-of-zero-positive", "zeros-equal",
            "underflow-loses-sign", "integral-zero-positive", "abs-keeps-negative-zero", "neg-spares-zero",
            "negative-zero-kept", "pzo-ignored"]),
        kinds: &["zero-sign"] },
];

/// The name of the last row, for classes that no rule is about.
const ELSE: &str = "has all else right";

/// The families of instructions, in the order of the matrix.
const FAMILIES: [&str; 9] = [
    "add sub",
    "mul",
    "fma mad",
    "div rcp sqrt",
    "approximations",
    "min max",
    "compare",
    "signs",
    "convert",
];

/// Returns the family of a variant, one of [`FAMILIES`].
fn family(variant: &Variant) -> &'static str {
    let op = variant.meaning().op;
    match op.family() {
        _ if !variant.is_exact() => "approximations",
        Family::Function => "approximations",
        Family::SumsAndProducts => match (op.multiplies(), op.adds()) {
            (true, true) => "fma mad",
            (true, false) => "mul",
            (false, _) => "add sub",
        },
        Family::QuotientsAndRoots => "div rcp sqrt",
        Family::Convert => "convert",
        Family::Compare => match op {
            Op::Extremum(_) => "min max",
            Op::Compare(_) => "compare",
            _ => "signs",
        },
    }
}

/// Whether a class shows that a rule is not followed.
fn breaks(class: &Class, rule: &ClassRule) -> bool {
    match &class.explanation {
        Some(explanation) => explanation.flaws.iter().any(|flaw| (rule.flaws)(flaw)),
        None => {
            let kind = class.id.rsplit_once('/').map_or("", |(_, kind)| kind);
            rule.kinds.contains(&kind)
        }
    }
}

/// Builds the matrix of rules of an implementation, a row for each rule. Waived classes count as what they are.
pub fn of_run(variants: &[VariantReport]) -> Vec<RuleReport> {
    let found: HashMap<&str, &VariantReport> =
        variants.iter().map(|report| (&*report.variant, report)).collect();
    let table: Vec<(&Variant, Option<&VariantReport>)> = Variant::all()
        .iter()
        // Casts are no instructions of PTX, so they follow none of its rules.
        .filter(|variant| variant.is_ptx())
        // A variant of which no vector was judged neither follows a rule nor breaks it.
        .map(|variant| (variant, found.get(variant.text()).copied().filter(|report| report.vectors > 0)))
        .collect();
    let row = |name: &str, concerns: &dyn Fn(&Variant) -> bool, broken: &dyn Fn(&Class) -> bool| {
        let cell = |family_of: &&str| {
            let concerned: Vec<Option<&VariantReport>> = table
                .iter()
                .filter(|(variant, _)| family(variant) == *family_of && concerns(variant))
                .map(|(_, report)| *report)
                .collect();
            let run: Vec<&VariantReport> = concerned.iter().flatten().copied().collect();
            let following = run.iter().filter(|report| !report.classes.iter().any(broken));
            (!concerned.is_empty()).then(|| RuleCell {
                family: family_of.to_string(),
                variants: run.len() as u64,
                following: following.count() as u64,
            })
        };
        RuleReport { rule: name.into(), families: FAMILIES.iter().filter_map(cell).collect() }
    };
    let mut rows: Vec<RuleReport> =
        RULES.iter().map(|rule| row(rule.name, &rule.concerns, &|class| breaks(class, rule))).collect();
    let other = |class: &Class| !RULES.iter().any(|rule| breaks(class, rule));
    rows.push(row(ELSE, &|_| true, &other));
    rows
}
