//! Every published finding of a compiler or a library has a text for its makers.

use reports::published::{Kind, PublishedFinding, Status, findings};

use super::{published_reports, text};

/// The findings that nobody can reproduce by a few lines and public tools alone, each with the reason.
const NOT_REPRODUCED: [(&str, &str); 2] = [
    (
        "div-approx-constants-not-flushed",
        "the compiler is part of a GPU's driver, which does not print what it compiles",
    ),
    ("log10f-intrinsic-beyond-maximum", "the error is one of a GPU's instruction"),
];

/// The findings whose page has no rule, each with the reason.
const NO_RULE: [(&str, &str); 2] = [
    (
        "numpy-f16-products-in-f32",
        "a note: no document of NumPy says in which format partial sums are kept",
    ),
    ("numpy-narrow-products-are-f32", "a note: no document of NumPy says which type the result has"),
];

/// Whether a list of exceptions has a finding.
fn is_among(exceptions: &[(&str, &str)], finding: &PublishedFinding) -> bool {
    exceptions.iter().any(|(id, _)| *id == finding.head.id)
}

/// Returns what is wrong with the text about a finding.
fn wrong(finding: &PublishedFinding, text: &str) -> Vec<String> {
    let head = &finding.head;
    let mut wrong = Vec::new();
    let mut claim = |holds: bool, words: &str| {
        wrong.extend((!holds).then(|| format!("{}: {words}", head.id)));
    };
    let has = |heading: &str| text.contains(&format!("\n## {heading}\n"));
    let versions = head.found_in.iter().flat_map(|of| of.bad.iter().chain(&of.good));
    claim(versions.into_iter().all(|version| text.contains(version)), "a version is missing");
    claim(has("Rule") != is_among(&NO_RULE, finding), "it has no rule, or is listed as if it had none");
    claim(
        finding.reproduction.is_some() != is_among(&NOT_REPRODUCED, finding),
        "it has no section `Reproduce without the suite`, or is listed as if it had none",
    );
    let is_reproduced = finding.reproduction.as_ref().is_none_or(|own| text.contains(own.trim()));
    claim(is_reproduced, "the section `Reproduce without the suite` is left out");
    claim(!text.contains("cargo xtask"), "it has a command of the suite");
    // A vector that the suite cannot judge has no results to show.
    let vector = head.shown.first().filter(|shown| shown.expected.is_some());
    for results in vector.iter().flat_map(|shown| [&shown.expected, &shown.actual]).flatten() {
        claim(results.all().iter().all(|bits| text.contains(bits)), "a result is missing");
    }
    // Operands of matrices are shown element by element.
    let operands = vector.filter(|shown| shown.variant.as_ref().is_none_or(|of| !of.starts_with("mma")));
    let all = operands.iter().flat_map(|shown| &shown.operands);
    claim(all.into_iter().all(|bits| text.contains(bits)), "an operand is missing");
    wrong
}

#[test]
fn every_finding_of_a_compiler_or_a_library_has_a_text() {
    let own = findings().unwrap();
    let own: Vec<_> =
        own.iter().filter(|of| matches!(of.head.kind, Kind::Compiler | Kind::Library)).collect();
    assert!(own.len() > 45, "{}", own.len());
    let texts = crate::common::each(&own, |finding| {
        wrong(finding, &text(&published_reports(), &[&finding.head.id]))
    });
    let all = texts.concat();
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn the_exceptions_are_findings() {
    let all = findings().unwrap();
    for (id, reason) in NOT_REPRODUCED.into_iter().chain(NO_RULE) {
        assert!(all.iter().any(|finding| finding.head.id == id), "{id} is no finding");
        assert!(!reason.is_empty());
    }
}

/// Findings of other kinds have a text, too, of what their pages have.
#[test]
fn every_other_finding_has_a_text() {
    let all = findings().unwrap();
    let others: Vec<_> =
        all.iter().filter(|of| !matches!(of.head.kind, Kind::Compiler | Kind::Library)).collect();
    assert!(others.iter().any(|finding| finding.head.status == Status::Withdrawn));
    crate::common::each(&others, |finding| {
        let text = text(&published_reports(), &[&finding.head.id]);
        assert!(text.contains("\n## Versions and extent\n"), "{text}");
    });
}
