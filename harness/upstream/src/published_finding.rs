//! Texts about published findings.

use compilers::rows::Expression;
use findings::report::value;
use formats::RowBits;
use isa::{Register, Type};
use reports::published::{Head, OneOrMore, PublishedFinding, Shown, Status};
use reports::upstream::{Piece, Upstream};
use reports::{Datum, Example, counted, thousands};

use crate::{reference, rule, versions};

/// Returns the text about a published finding.
pub fn text(finding: &PublishedFinding) -> Upstream {
    let head = &finding.head;
    let first = head.shown.first();
    let examples: Vec<Example> = head.shown.iter().filter_map(example).collect();
    let vector = first.and_then(example);
    let mut extent = versions(head);
    extent.extend(head.mismatches.map(|count| Piece::Prose(counts(finding, count))));
    Upstream {
        title: finding.title.clone(),
        notice: notice(head),
        reproduction: reproduction(finding),
        steps: first.and_then(steps).filter(|_| vector.is_some()).unwrap_or_default(),
        vector,
        rule: rule(finding),
        cause: finding.cause.iter().map(|text| Piece::Markdown(text.clone())).collect(),
        extent,
        others: examples,
        reference: reference(
            env!("CARGO_PKG_VERSION"),
            &format!("finding `{}`, checked on {}", head.id, head.checked),
        ),
    }
}

/// Returns what has to be known first: that the documents are not contradicted, or where the defect is known.
fn notice(head: &Head) -> Vec<Piece> {
    let words = match head.status {
        Status::Defect | Status::Known | Status::Fixed => None,
        Status::Note => Some("This is a note, and not the report of a defect."),
        Status::OpenPoint => Some("The documents leave this open: it is not said to be a defect."),
        Status::Withdrawn => Some("This finding was withdrawn: there is nothing to correct."),
    };
    let known = match head.status {
        Status::Known => "This is known upstream",
        Status::Fixed => "This is corrected in a later version",
        _ => "Reports and changes",
    };
    let links = match &*head.upstream {
        [] => None,
        links => Some(Piece::Markdown(format!("{known}: {}", links.join(", ")))),
    };
    words.map(|words| Piece::Prose(words.into())).into_iter().chain(links).collect()
}

/// Returns a sentence on how many vectors have results of this kind.
fn counts(finding: &PublishedFinding, count: u64) -> String {
    let kind = match finding.head.status {
        Status::Defect | Status::Known | Status::Fixed => "wrong result",
        Status::OpenPoint | Status::Note | Status::Withdrawn => "result",
    };
    match finding.vectors {
        Some(vectors) => format!(
            "Of the {} that the suite tried for these operations, {} a {kind} of this kind.",
            counted(vectors, "input"),
            match count {
                1 => "1 gives".into(),
                count => format!("{} give", thousands(count)),
            }
        ),
        None => format!("The suite has {} of this kind.", counted(count, kind)),
    }
}

/// Returns how the wrong result is seen, in the words of the finding's page or else from what is known of a vector.
fn reproduction(finding: &PublishedFinding) -> Vec<Piece> {
    if let Some(text) = &finding.reproduction {
        return vec![Piece::Markdown(text.clone())];
    }
    let source = finding.head.shown.iter().find_map(|shown| Some((shown, shown.source.as_ref()?)));
    source.map(|(shown, source)| Piece::Prose(compiled(shown, source))).into_iter().collect()
}

/// Returns a sentence on how a source is compiled.
fn compiled(shown: &Shown, source: &str) -> String {
    let mut text = format!("Compile `{source}`");
    let parts =
        [(" with ", &shown.compiler), (" for ", &shown.target), (" and the options ", &shown.options)];
    for (word, part) in parts {
        if let Some(part) = part {
            text += &format!("{word}`{part}`");
        }
    }
    text + "."
}

/// Returns the expression that a vector is judged by.
fn meaning(shown: &Shown) -> Option<&str> {
    let means = shown.means.as_ref().and_then(|means| means.all().first());
    means.or(shown.variant.as_ref()).map(String::as_str)
}

/// Returns the steps to a vector's right result.
fn steps(shown: &Shown) -> Option<Vec<String>> {
    let steps = explain::steps(meaning(shown)?.split(';').next()?, &shown.operands)?;
    // Several steps of which none rounds explain nothing.
    let is_exact = |step: &String| step.contains("exact: only zeros are cut off");
    if steps.len() > 1 && steps.iter().all(is_exact) {
        return None;
    }
    Some(steps.into_iter().map(|step| conversion(&step).unwrap_or(step)).collect())
}

/// Returns the step of a cast, which is no instruction of PTX, in words: what others may do in it by PTX is left out.
/// `None` of any other step.
fn conversion(step: &str) -> Option<String> {
    let (first, rest) = step.split_once('\n')?;
    let (name, operand) = first.strip_prefix("cast.")?.split_once('(')?;
    let [rounding, to, from] = name.split('.').collect::<Vec<_>>().try_into().ok()?;
    let rounding = match rounding {
        "rn" => "to nearest, ties to even",
        "rz" => "toward zero",
        "rm" => "toward −∞",
        "rp" => "toward +∞",
        _ => return None,
    };
    let rest = rest.lines().filter(|line| !line.starts_with("  or  "));
    let rest: String = rest.map(|line| format!("{line}\n")).collect();
    let operand = operand.trim_end_matches(')');
    Some(format!("conversion of {from} {operand} to {to}, rounded {rounding}\n{rest}"))
}

/// Returns a vector of a finding with its values; `None` if it is not one of an instruction or an expression.
fn example(shown: &Shown) -> Option<Example> {
    let expression = Expression::read(meaning(shown)?.split(';').next()?).ok()?;
    let variant = expression.variant;
    let mut names: Vec<(usize, String)> = expression.parameters();
    names.sort();
    names.dedup_by_key(|(at, _)| *at);
    let operands = match expression.plain() {
        Some(variant) => registers(variant.operands(), &shown.operands),
        None => {
            let each = names.iter().map(|(at, ty)| {
                datum(compilers::rows::NAMES.get(*at)?, Type::named(ty)?, shown.operands.get(*at)?)
            });
            each.collect()
        }
    }?;
    let results = |bits: &Option<OneOrMore>| registers(variant.results(), bits.as_ref()?.all());
    let all = results(&shown.expected)?;
    Some(Example {
        sweep: String::new(),
        index: 0,
        operands,
        expected: all,
        accepted: Vec::new(),
        actual: results(&shown.actual)?,
        words: None,
    })
}

/// Returns the data of registers, from their bits in hexadecimal.
fn registers(registers: &[Register], bits: &[String]) -> Option<Vec<Datum>> {
    registers.iter().zip(bits).map(|(register, bits)| datum(register.name, register.ty, bits)).collect()
}

/// Returns a datum of a type, from its bits in hexadecimal.
fn datum(name: &str, ty: Type, bits: &str) -> Option<Datum> {
    let row = RowBits::from_hex(bits.strip_prefix("0x")?, ty.row_bytes()).ok()?;
    Some(value(name, &ty.to_string(), row.word()))
}
