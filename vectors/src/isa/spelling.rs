//! Reading a variant's PTX text, and saying what is wrong with one that is not legal.

use std::collections::{HashMap, HashSet};
use std::str::FromStr;
use std::sync::OnceLock;

use super::form::parts;
use super::modifier::Modifier;
use super::operation::Operation;
use super::variant::Variant;

/// Text that is no legal spelling of an instruction in the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not legal: {problem}; the nearest legal spelling is `{nearest}`")]
pub struct SpellingError {
    /// The text as given.
    pub text: String,
    /// The part of it that offends, where there is one (`sat`, `div`): nothing is wrong with any part
    /// of a spelling that only lacks something.
    pub offending: Option<String>,
    /// What is wrong, in words.
    pub problem: String,
    /// The legal spelling that shares most with the text.
    pub nearest: &'static Variant,
}

impl FromStr for Variant {
    type Err = Box<SpellingError>;

    fn from_str(text: &str) -> Result<Variant, Box<SpellingError>> {
        static BY_TEXT: OnceLock<HashMap<&str, &Variant>> = OnceLock::new();
        let by_text = BY_TEXT.get_or_init(|| Variant::all().iter().map(|v| (v.text(), v)).collect());
        match by_text.get(text) {
            Some(&variant) => Ok(variant.clone()),
            None => Err(Box::new(explain(text))),
        }
    }
}

/// Parts of `these` that `those` lacks, repeats counted.
fn missing<'a>(these: &[&'a str], those: &[&str]) -> Vec<&'a str> {
    let mut those = those.to_vec();
    let mut rest = Vec::new();
    for &part in these {
        match those.iter().position(|&other| other == part) {
            Some(found) => drop(those.swap_remove(found)),
            None => rest.push(part),
        }
    }
    rest
}

/// How far a spelling is from a legal one: types weigh more than modifiers, the operation most.
fn distance(given: &[&str], legal: &[&str]) -> usize {
    static MODIFIERS: OnceLock<HashSet<&str>> = OnceLock::new();
    let modifiers = MODIFIERS.get_or_init(|| Modifier::ALL.iter().map(|m| m.text()).collect());
    let weight = |part: &str| if modifiers.contains(part) { 1 } else { 3 };
    let mut distance = if given[0] == legal[0] { 0 } else { 10 };
    let (given, legal) = (&given[1..], &legal[1..]);
    // Which of the legal parts, of which there are few, a given one has been found to be.
    let mut found = 0u64;
    for part in given {
        let is = |at: &usize| found >> at & 1 == 0 && legal[*at] == *part;
        match (0..legal.len()).find(is) {
            Some(at) => found |= 1 << at,
            None => distance += weight(part),
        }
    }
    let lacking = legal.iter().enumerate().filter(|(at, _)| found >> at & 1 == 0);
    distance + lacking.map(|(_, part)| weight(part)).sum::<usize>()
}

fn explain(text: &str) -> SpellingError {
    static PARTS: OnceLock<Vec<(Vec<&str>, &Variant)>> = OnceLock::new();
    let all = PARTS.get_or_init(|| Variant::all().iter().map(|v| (parts(v.text()), v)).collect());
    let given = parts(text);
    // `min_by_key` keeps the first of equals: of two repairs, the one that the table has first.
    let nearest = all.iter().min_by_key(|(legal, _)| distance(&given, legal));
    let &(ref legal, nearest) = nearest.expect("the table has rows");
    let surplus = missing(&given, legal);
    let lacking = missing(legal, &given);
    let (offending, problem) = problem(&given, nearest, &surplus, &lacking);
    SpellingError { text: text.into(), offending: offending.map(str::to_owned), problem, nearest }
}

/// The part that offends, and what is wrong.
fn problem<'a>(
    given: &[&'a str],
    nearest: &Variant,
    surplus: &[&'a str],
    lacking: &[&str],
) -> (Option<&'a str>, String) {
    let mnemonic = given[0];
    if Operation::ALL.iter().all(|operation| operation.mnemonic() != mnemonic) {
        let known: Vec<&str> = Operation::ALL.iter().map(|operation| operation.mnemonic()).collect();
        let known = known.join(", ");
        return (Some(mnemonic), format!("`{mnemonic}` is none of the table's instructions ({known})"));
    }
    if let Some(&unknown) = surplus.iter().find(|part| !is_known(part)) {
        return (Some(unknown), format!("`.{unknown}` is neither a modifier nor a type"));
    }
    if let Some(&modifier) = surplus.iter().find(|part| Modifier::named(part).is_some()) {
        return (Some(modifier), unwelcome(modifier, given, nearest));
    }
    if let Some(&ty) = surplus.first() {
        return (Some(ty), format!("`{mnemonic}` does not take the type `.{ty}` here"));
    }
    if let Some(&part) = lacking.first() {
        return (None, format!("{} is missing", alternatives(part, nearest)));
    }
    (None, "its parts stand in another order than the manual's".into())
}

fn is_known(part: &str) -> bool {
    let is_type = |variant: &Variant| variant.printed().iter().any(|ty| ty.name == part);
    !part.is_empty() && (Modifier::named(part).is_some() || Variant::all().iter().any(is_type))
}

/// Why a modifier that exists may not stand where it does.
fn unwelcome(modifier: &str, given: &[&str], nearest: &Variant) -> String {
    let base = format!("{}{}", nearest.operation().mnemonic(), nearest.type_suffix());
    let kin = Variant::all().iter().filter(|variant| {
        variant.operation() == nearest.operation() && variant.printed() == nearest.printed()
    });
    let with: Vec<Vec<&str>> =
        kin.map(|v| parts(v.text())).filter(|parts| parts.contains(&modifier)).collect();
    if with.is_empty() {
        return format!("`{base}` does not take `.{modifier}`");
    }
    if given.iter().filter(|&&part| part == modifier).count() > 1 {
        return format!("`.{modifier}` stands there twice");
    }
    let clash = given.iter().find(|&&other| {
        other != modifier
            && Modifier::named(other).is_some()
            && !with.iter().any(|parts| parts.contains(&other))
    });
    match clash {
        Some(other) => format!("`{base}` does not take `.{modifier}` together with `.{other}`"),
        None => format!("`{base}` does not take `.{modifier}` together with the rest"),
    }
}

/// The parts that could fill the place of a missing one.
fn alternatives(part: &str, nearest: &Variant) -> String {
    let fits = |modifier: Modifier| {
        let mut slots = nearest.form().slots.iter();
        slots.find(|slot| slot.choices.contains(&modifier)).map(|slot| &slot.choices)
    };
    match Modifier::named(part).and_then(fits) {
        Some(choices) if choices.len() > 1 => {
            let list: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
            format!("one of {}", list.join(", "))
        }
        Some(_) => format!("`.{part}`"),
        None => format!("the type `.{part}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_and_from_str_are_inverse_over_every_variant() {
        for variant in Variant::all() {
            assert_eq!(variant.to_string().parse::<Variant>().as_ref(), Ok(variant));
        }
    }

    /// Every spelling one edit away from a legal one is either legal itself or explained, and the
    /// explanation's suggestion is never further than that edit.
    #[test]
    fn neighbours_of_legal_spellings_are_legal_or_explained() {
        let modifiers: Vec<&str> = Modifier::ALL.iter().map(|m| m.text()).collect();
        for variant in Variant::all().iter().step_by(101) {
            let legal = parts(variant.text());
            let dropped = (1..legal.len()).map(|at| [&legal[..at], &legal[at + 1..]].concat());
            let added = modifiers.iter().map(|part| [&legal[..1], &[*part], &legal[1..]].concat());
            for given in dropped.chain(added) {
                let text = given.join(".");
                match text.parse::<Variant>() {
                    Ok(read) => assert_eq!(read.text(), text),
                    Err(error) => {
                        let near = distance(&given, &parts(error.nearest.text()));
                        assert!(near <= distance(&given, &legal), "{error}");
                    }
                }
            }
        }
    }

    #[test]
    fn errors_name_the_offender_and_the_nearest_legal_spelling() {
        #[rustfmt::skip] // a table
        let cases = [
            ("mul.sat.bf16", Some("sat"), "mul.bf16", "`mul.bf16` does not take `.sat`"),
            ("mul.rn.ftz.bf16x2", Some("ftz"), "mul.rn.bf16x2", "does not take `.ftz`"),
            ("fma.f32.f16", None, "fma.rn.f32.f16", "one of `.rn`, `.rz`, `.rm`, `.rp` is missing"),
            ("fma.rn.sat.relu.f16", Some("relu"), "fma.rn.sat.f16", "`.relu` together with `.sat`"),
            ("fma.rn.oob.ftz.f16", Some("oob"), "fma.rn.ftz.f16", "`.oob` together with `.ftz`"),
            ("fma.f16", None, "fma.rn.f16", "`.rn` is missing"),
            ("fma.rz.f16", Some("rz"), "fma.rn.f16", "`fma.f16` does not take `.rz`"),
            ("add.ftz.f32.f16", Some("ftz"), "add.f32.f16", "does not take `.ftz`"),
            ("add.f32.bf16.sat", None, "add.sat.f32.bf16", "another order"),
            ("fma.rz.sat.f32.f16.sat", Some("sat"), "fma.rz.sat.f32.f16", "twice"),
            ("mul.f64x9", Some("f64x9"), "mul.f32", "neither a modifier nor a type"),
            ("lop.rn.f16", Some("lop"), "add.rn.f16", "none of the table's instructions"),
            ("", Some(""), "copysign.f32", "none of the table's instructions"),
            ("MUL.f16", Some("MUL"), "add.f16", "none of the table's instructions"),
        ];
        for (text, offending, nearest, words) in cases {
            let error = text.parse::<Variant>().unwrap_err();
            assert_eq!(error.offending.as_deref(), offending, "{error}");
            assert_eq!(error.nearest.text(), nearest, "{error}");
            assert!(error.problem.contains(words), "{error}");
        }
    }
}
