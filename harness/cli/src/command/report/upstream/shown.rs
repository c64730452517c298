//! Texts about published findings.

use compilers::rows::Expression;
use findings::report::value;
use formats::RowBits;
use isa::{Register, Type};
use reports::published::{OneOrMore, PublishedFinding, Shown};
use reports::upstream::{Piece, Upstream};
use reports::{Datum, Example, counted};

use super::{reference, rule, versions};

/// Returns the text about a published finding.
pub fn text(finding: &PublishedFinding) -> Upstream {
    let head = &finding.head;
    let first = head.shown.first();
    let examples: Vec<Example> = head.shown.iter().filter_map(example).collect();
    let vector = first.and_then(example);
    let mut extent = versions(head);
    extent.extend(head.mismatches.map(|count| {
        Piece::Prose(format!(
            "The published reports have {} of this kind.",
            counted(count, "wrong result")
        ))
    }));
    if !head.upstream.is_empty() {
        extent.push(Piece::Markdown(format!("Reports and changes: {}", head.upstream.join(", "))));
    }
    Upstream {
        title: finding.title.clone(),
        reproduction: reproduction(finding),
        steps: first.and_then(steps).filter(|_| vector.is_some()).unwrap_or_default(),
        vector,
        rule: rule(finding),
        extent,
        others: examples,
        reference: reference(
            env!("CARGO_PKG_VERSION"),
            &format!("finding `{}`, checked on {}", head.id, head.checked),
        ),
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
    explain::steps(meaning(shown)?.split(';').next()?, &shown.operands)
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
