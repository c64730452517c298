//! The row type of the instruction table.

use super::contract::Contract;
use super::modifier::{GROUPS, Modifier, Operation};
use super::signature::Signature;
use super::target::Since;
use super::types::Type;

/// A place in the mnemonic that one of several modifiers may fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What may stand there.
    pub choices: Vec<Modifier>,
    /// Whether it may be empty.
    pub optional: bool,
}

/// A row of the instruction table: one line of the manual's syntax, and what holds for it.
#[derive(Clone, Debug)]
pub struct Form {
    /// What it computes.
    pub operation: Operation,
    /// The spelling in the manual's notation: `fma.rnd{.ftz}{.sat}.f32`. Braces hold what may be
    /// left out, bars separate alternatives, and `.rnd` and its like stand for theirs.
    pub syntax: &'static str,
    /// The modifiers of it, place by place.
    pub slots: Vec<Slot>,
    /// The operand list, as [`Signature::read`] takes it.
    pub registers: &'static str,
    /// Every choice of types, with the registers that follow.
    pub signatures: Vec<Signature>,
    /// What it promises.
    pub contract: Contract,
    /// Each PTX version with the targets that it brought the form to.
    pub since: Vec<Since>,
    /// Section of the PTX ISA manual, numbered as in version 9.4.
    pub section: &'static str,
}

/// The parts of a spelling between dots; those modifiers that have dots themselves stay whole.
pub(super) fn parts(spelling: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = spelling;
    loop {
        let dotted = Modifier::ALL.iter().map(|m| m.text()).find(|text| {
            text.contains('.')
                && rest.strip_prefix(text).is_some_and(|r| r.is_empty() || r.starts_with('.'))
        });
        let end = dotted.map_or_else(|| rest.find('.').unwrap_or(rest.len()), str::len);
        parts.push(&rest[..end]);
        match rest[end..].strip_prefix('.') {
            Some(behind) => rest = behind,
            None => return parts,
        }
    }
}

/// A place of a syntax, still as text.
#[derive(Debug, PartialEq, Eq)]
struct Place<'a> {
    choices: Vec<&'a str>,
    optional: bool,
}

/// The places of a syntax behind its mnemonic.
fn places(syntax: &str) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    let mut rest = syntax;
    while !rest.is_empty() {
        let optional = rest.starts_with('{');
        let (body, behind) = if optional {
            rest[1..].split_once('}').unwrap_or_else(|| panic!("open brace in `{syntax}`"))
        } else {
            let dotted = rest.starts_with(".xorsign.abs");
            let end = rest[1..].find(['{', '.']).map_or(rest.len(), |at| at + 1);
            rest.split_at(if dotted { ".xorsign.abs".len() } else { end })
        };
        let body = body.strip_prefix('.').unwrap_or_else(|| panic!("no dot in `{body}` of `{syntax}`"));
        let group = GROUPS.iter().find(|(name, _)| *name == body);
        let choices = group.map_or(body, |(_, choices)| choices).split('|').collect();
        places.push(Place { choices, optional });
        rest = behind;
    }
    places
}

/// Reads the versions and targets of a row; a row without any is not PTX.
fn read(since: &str) -> Vec<Since> {
    let each = since.split(';').map(str::trim).filter(|one| !one.is_empty());
    each.map(|one| one.parse().unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Every way to take one of each list.
fn product<T: Copy>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |heads, list| {
        let with = |head: &Vec<T>, &last| head.iter().copied().chain([last]).collect();
        heads.iter().flat_map(|head| list.iter().map(move |last| with(head, last))).collect()
    })
}

impl Form {
    /// A row, from its texts: the syntax; the registers as [`Signature::read`] takes them; and the
    /// versions and targets as [`Since`] reads them, semicolons between.
    ///
    /// # Panics
    /// On a text that is malformed: the table's own tests build every row.
    pub fn new(
        syntax: &'static str,
        registers: &'static str,
        contract: Contract,
        since: &'static str,
        section: &'static str,
    ) -> Form {
        let (mnemonic, behind) =
            syntax.split_at(syntax.find(['.', '{']).expect("parts behind a mnemonic"));
        let operation =
            Operation::named(mnemonic).unwrap_or_else(|| panic!("`{mnemonic}` in `{syntax}`"));
        let (mut slots, mut types) = (Vec::new(), Vec::new());
        for Place { choices, optional } in places(behind) {
            let as_types: Option<Vec<Type>> = choices.iter().map(|name| Type::named(name)).collect();
            if let Some(choices) = as_types {
                assert!(!optional, "an optional type in `{syntax}`");
                types.push(choices);
                continue;
            }
            let modifier =
                |text: &&str| Modifier::named(text).unwrap_or_else(|| panic!("`.{text}` in `{syntax}`"));
            assert!(types.is_empty(), "a modifier behind a type in `{syntax}`");
            slots.push(Slot { choices: choices.iter().map(modifier).collect(), optional });
        }
        let signatures = product(&types);
        let signatures = signatures.iter().map(|printed| Signature::read(operation, printed, registers));
        Form {
            operation,
            syntax,
            slots,
            registers,
            signatures: signatures.collect(),
            contract,
            since: read(since),
            section,
        }
    }

    /// Every legal choice of modifiers, in the order of the syntax.
    pub fn modifier_sets(&self) -> Vec<Vec<Modifier>> {
        let choices = |slot: &Slot| {
            let without = slot.optional.then_some(None);
            without.into_iter().chain(slot.choices.iter().copied().map(Some)).collect()
        };
        let sets = product(&self.slots.iter().map(choices).collect::<Vec<Vec<_>>>());
        sets.into_iter().map(|set| set.into_iter().flatten().collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_is_the_manuals_notation() {
        let read = places(".rnd{.ftz}{.xorsign.abs}.scaled::n1::ue8m0.f16|bf16.f32");
        let place =
            |choices: &str, optional| (choices.split('|').collect::<Vec<_>>().join("|"), optional);
        let read: Vec<_> = read.iter().map(|p| (p.choices.join("|"), p.optional)).collect();
        let expected = [
            place("rn|rz|rm|rp", false),
            place("ftz", true),
            place("xorsign.abs", true),
            place("scaled::n1::ue8m0", false),
            place("f16|bf16", false),
            place("f32", false),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn parts_keep_dotted_modifiers_whole() {
        assert_eq!(parts("min.ftz.xorsign.abs.f16x2"), ["min", "ftz", "xorsign.abs", "f16x2"]);
        assert_eq!(parts("min.xorsign.f16"), ["min", "xorsign", "f16"]);
        assert_eq!(parts(""), [""]);
    }
}
