//! Texts about what an implementation, or somebody's own function, computes.

use std::path::Path;

use implementations::Implementation;
use implementations::code::{Code, DIGEST};
use implementations::cuda::own_code;
use reports::published::PublishedFinding;
use reports::upstream::{Piece, Upstream};
use reports::{Class, Datum, Example, Report, VariantReport, counted, thousands};
use selection::subject::Subject;

use crate::{reference, rule, versions};

/// The largest file of PTX in bytes that is shown as a whole.
const FILE: u64 = 1_400;

/// Lists the classes of a report, each with its variant.
pub fn classes(report: &Report) -> impl Iterator<Item = (&VariantReport, &Class)> {
    report.variants.iter().flat_map(|variant| variant.classes.iter().map(move |class| (variant, class)))
}

/// Returns the text about a class of a variant.
pub fn text(
    report: &Report,
    variant: &VariantReport,
    class: &Class,
    published: Option<&PublishedFinding>,
    file: &str,
) -> Upstream {
    let vector = class.simplest.as_ref().or(class.examples.first());
    let mut extent = vec![Piece::Prose(format!(
        "Wrong in this way: {} of {} of `{}`.",
        thousands(class.count),
        counted(variant.vectors, "tried input"),
        variant.variant
    ))];
    extent.extend(published.map(|of| versions(&of.head)).unwrap_or_default());
    Upstream {
        title: title(report, variant, class, vector),
        reproduction: reproduction(report, variant, class, vector, published),
        vector: vector.cloned(),
        steps: vector.map(|vector| steps(variant, vector)).unwrap_or_default(),
        rule: documents(report, variant, published),
        extent,
        notice: Vec::new(),
        cause: Vec::new(),
        others: class.simplest.iter().chain(&class.examples).cloned().collect(),
        reference: reference(&report.suite.version, &format!("report `{file}`, class `{}`", class.id)),
    }
}

/// Returns the name of what was tested, with its version.
fn tested(report: &Report) -> String {
    let own = &report.implementation;
    let name = match own.name.strip_prefix("code:") {
        Some(code) => format!("`{code}`"),
        None if own.introduced().is_some() => own.version.clone(),
        None => format!("{} {}", own.name, own.version),
    };
    let device = own.device.as_ref().map(|device| format!(" ({device})"));
    name.trim().to_owned() + &device.unwrap_or_default()
}

/// Returns a sentence on what is wrong.
fn title(report: &Report, variant: &VariantReport, class: &Class, vector: Option<&Example>) -> String {
    let name = &variant.variant;
    let tested = match report.implementation.name.starts_with("code:") {
        true => format!("Function {}", tested(report)),
        false => tested(report),
    };
    let bits = |data: &[Datum]| data.first().map(|datum| datum.bits.clone());
    match vector.map(|vector| (bits(&vector.actual), bits(&vector.expected))) {
        Some((Some(actual), Some(expected))) => {
            format!("{tested}: `{name}` gives `{actual}` where `{expected}` is right")
        }
        _ => format!("{tested}: `{name}`: {}", class.diagnosis),
    }
}

/// Returns how the wrong result is seen.
fn reproduction(
    report: &Report,
    variant: &VariantReport,
    class: &Class,
    vector: Option<&Example>,
    published: Option<&PublishedFinding>,
) -> Vec<Piece> {
    let mut pieces = match (published.and_then(|of| of.reproduction.as_ref()), function(report)) {
        (Some(own), _) => {
            let operands = vector.iter().flat_map(|vector| &vector.operands);
            let other = operands.into_iter().any(|datum| !own.contains(&datum.bits)).then(|| {
                Piece::Prose("The operands below show the same defect by another case.".into())
            });
            [Piece::Markdown(own.clone())].into_iter().chain(other).collect()
        }
        (None, Some(pieces)) => pieces,
        (None, None) => vec![Piece::Prose(format!(
            "Compute `{}` of the operands below with {}.",
            variant.variant,
            tested(report)
        ))],
    };
    let fault = class.explanation.as_ref().map(|explanation| &explanation.words);
    pieces.push(Piece::Prose(match fault {
        Some(fault) => {
            format!("How it differs: {}. A fault that gives the same results: {fault}.", class.diagnosis)
        }
        None => format!("How it differs: {}.", class.diagnosis),
    }));
    pieces
}

/// Returns the function that was judged: its text if its file is small and is still what was judged, and its name
/// otherwise. `None` if the report is not about somebody's own function.
fn function(report: &Report) -> Option<Vec<Piece>> {
    let name = &report.implementation.name;
    let (name, gpu) = own_code::divide(name).unwrap_or((name, ""));
    let code = name.strip_prefix("code:")?;
    let (path, function) = code.rsplit_once('#').unwrap_or((code, ""));
    let by = if gpu.is_empty() { "" } else { ", executed by the GPU above" };
    let words = format!("The function `{function}` of the file `{path}`{by}");
    Some(match source(report, name, Path::new(path)) {
        Some(text) => vec![Piece::Prose(words + ":"), Piece::Code("text", text)],
        None => vec![Piece::Prose(words + ", called with the operands below.")],
    })
}

/// Returns the text of a small file of PTX that still has the digest that the report names.
fn source(report: &Report, name: &str, path: &Path) -> Option<String> {
    // A report must not decide which file is shown, and a pipe would be waited for: only a regular file that is what was
    // judged is read.
    let digest = report.implementation.details.get(DIGEST)?;
    let data = std::fs::metadata(path).ok().filter(|data| data.is_file() && data.len() <= FILE)?;
    let same = Code::named(name).ok()?.describe().details.get(DIGEST)? == digest;
    let text = std::fs::read_to_string(path).ok()?;
    (same && text.len() as u64 == data.len()).then_some(text)
}

/// Returns the steps to the right result.
fn steps(variant: &VariantReport, vector: &Example) -> Vec<String> {
    let operands: Vec<String> = vector.operands.iter().map(|datum| datum.bits.clone()).collect();
    let expression = variant.variant.split(';').next().unwrap_or_default();
    explain::steps(expression, &operands).unwrap_or_default()
}

/// Returns which document promises what.
fn documents(
    report: &Report,
    variant: &VariantReport,
    published: Option<&PublishedFinding>,
) -> Vec<Piece> {
    let of_finding = published.map(rule).unwrap_or_default();
    if !of_finding.is_empty() {
        return of_finding;
    }
    let section = match Subject::named(&variant.variant) {
        Ok(Subject::Variant(of)) => Some(of.form().section),
        Ok(Subject::Matrix(of)) => Some(of.form().section),
        Err(_) => None,
    };
    let held = match report.implementation.name.starts_with("code:") {
        true => format!("The function is held to `{}`.", variant.variant),
        false => format!("The operation is `{}` of PTX.", variant.variant),
    };
    let manual = section.map(|section| format!(" PTX ISA manual, version 9.4, section {section}."));
    let oracle = &report.oracle;
    let judge = match &*oracle.mpfr {
        "" => format!(" The expected result was computed by {}.", oracle.name),
        version => format!(" The expected result was computed with MPFR {version}."),
    };
    vec![Piece::Prose(held + &manual.unwrap_or_default() + &judge)]
}
