//! Tests rows as data: whatever they name exists and has their shape.

use std::collections::HashSet;

use isa::Register;

use super::*;

fn types(registers: &[Register]) -> Vec<String> {
    registers.iter().map(|register| register.ty.to_string().trim_start_matches('.').to_owned()).collect()
}

#[test]
fn every_row_is_complete() {
    let (mut names, mut read) = (HashSet::new(), HashSet::new());
    for row in all() {
        assert!(names.insert(&row.name), "{} is there twice", row.name);
        let texts = [Some(&row.name), row.sources[0].as_ref(), row.sources[1].as_ref()];
        let mut texts = texts.into_iter().flatten().map(|text| text.replace("{contract}", ""));
        assert!(texts.all(|text| !text.contains(['{', '}'])), "{row:?}");
        assert!(row.sources.iter().any(Option::is_some), "{} is in no language", row.name);
        let mut promises = 0;
        for language in Language::ALL {
            for setting in Setting::all(language) {
                if !row.is_in(language) {
                    continue;
                }
                let Some(promise) = row.promise(language, setting) else { continue };
                promises += 1;
                let shape = row.shape();
                let signature = [types(shape.operands()), types(shape.results())];
                assert_eq!(signature, [row.takes.clone(), vec![row.gives.clone()]], "{}", row.name);
                for expression in &promise.means {
                    let shown = expression.to_string();
                    if read.insert(shown.clone()) {
                        assert_eq!(Expression::parse(&shown).to_string(), shown, "{}", row.name);
                    }
                    // Approximations among several instructions are where a document has them.
                    let derived = ["tanf", "powf"];
                    let derived = row.gives == "f32"
                        && derived.iter().any(|end| row.name.ends_with(end))
                        || row.name == "operator/reciprocal.f32" && setting.has(Switch::FastMath);
                    assert_eq!(promise.is_of_approximations(), derived, "{} {shown}", row.name);
                    let gives = types(expression.variant.results());
                    assert_eq!(gives, std::slice::from_ref(&row.gives), "{} {shown}", row.name);
                    if let Some(variant) = expression.plain() {
                        assert_eq!(types(variant.operands()), row.takes, "{} {shown}", row.name);
                    }
                }
            }
        }
        assert!(promises > 0, "{} promises nothing", row.name);
    }
    assert!(names.len() > 500, "{}", names.len());
}

/// Under fast mathematics, `powf` and `tanf` are promised as several instructions with approximations among them: only
/// one chip's approximations say more than such a promise does. `sinf` is a single approximation, and a quotient of
/// halves is several exact instructions.
#[test]
fn approximations_among_several_instructions_are_known() {
    let fast = Setting::default().with_switch(Switch::FastMath, true);
    for (name, among) in [
        ("fast-math/powf", true),
        ("fast-math/tanf", true),
        ("fast-math/sinf", false),
        ("operator/div.f16", false),
    ] {
        let row = all().iter().find(|row| row.name == name).expect("a row");
        let promise = row.promise(Language::Cuda, fast).expect("a promise");
        assert_eq!(promise.is_of_approximations(), among, "{name}");
    }
}

#[test]
fn options_choose_the_promise() {
    let row = all().iter().find(|row| row.name == "operator/div.f32").expect("a row");
    let usual = Setting::default();
    let means = |language, setting| {
        let promise = row.promise(language, setting).expect("a promise");
        promise.means.iter().map(|of| of.to_string()).collect::<Vec<_>>()
    };
    let flushed = usual.with_switch(Switch::Ftz, true);
    assert_eq!(means(Language::Cuda, usual), ["div.rn.f32"]);
    assert_eq!(means(Language::Cuda, flushed), ["div.rn.ftz.f32"]);
    assert_eq!(means(Language::Llvm, flushed), ["div.rn.ftz.f32", "div.rn.f32"]);
    assert_eq!(means(Language::Nvvm, usual.with_switch(Switch::PrecDiv, false)), ["div.full.f32"]);
    assert_eq!(means(Language::Cuda, usual.with_switch(Switch::FastMath, true)), ["div.approx.ftz.f32"]);
    let depends = row.promise(Language::Cuda, usual).expect("a promise").depends;
    assert_eq!(depends, [Switch::Ftz, Switch::PrecDiv, Switch::FastMath]);
}

/// Where only results are flushed, subnormal operands count, and a result that is all but normal may be zero.
#[test]
fn flushing_of_results_alone_is_two_expressions() {
    let promise = |name: &str| {
        let row = all().iter().find(|row| row.name == name).expect("a row");
        let setting = Setting::default().with_switch(Switch::FtzResults, true);
        row.promise(Language::Llvm, setting).map(|promise| promise.text())
    };
    let product = "mul.rn.f32 or mul.rn.ftz.f32(mul.rn.f32(a, b), 0x3f800000); tiny";
    assert_eq!(promise("operator/mul.f32").as_deref(), Some(product));
    assert_eq!(promise("operator/mul.f64").as_deref(), Some("mul.rn.f64"));
    // For bounds and for sequences nothing is said.
    assert_eq!(promise("sequence/mul-add.f32"), None);
}

#[test]
fn each_place_of_a_sequence_flushes_by_itself_where_it_may() {
    assert_eq!(flushed("add{.z}(mul{?z})", None), ["add(mul)"]);
    assert_eq!(flushed("add{.z}(mul{?z})", Some(true)), ["add.ftz(mul.ftz)", "add.ftz(mul)"]);
    let all = ["add.ftz(mul.ftz)", "add.ftz(mul)", "add(mul.ftz)", "add(mul)"];
    assert_eq!(flushed("add{.z}(mul{.z})", Some(false)), all);
}
