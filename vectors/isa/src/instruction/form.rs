//! Defines [`Form`], a row of the instruction table: one line of the manual's syntax, read from its notation.

use super::contract::Contract;
use super::meaning::NanRule;
use super::modifier::{self, Modifier};
use super::operands::OperandList;
use super::operation::Operation;
use super::signature::LaneSignature;
use super::target::Since;
use super::types::{self, Type};

/// A place in the mnemonic that one of several modifiers may fill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Slot {
    /// The modifiers that may stand in this place.
    pub choices: Vec<Modifier>,
    /// Whether the place may be empty.
    pub optional: bool,
}

/// A row of the instruction table: one line of the manual's syntax, and what holds for it.
#[derive(Clone, Debug)]
pub struct Form {
    /// The operation that the form computes.
    pub operation: Operation,
    /// The spelling in the manual's notation: `fma.rnd{.ftz}{.sat}.f32`. Braces hold what may be left out, bars
    /// separate alternatives, and a group such as `.rnd` stands for its members.
    pub syntax: &'static str,
    /// The modifiers of the syntax, place by place.
    pub slots: Vec<Slot>,
    /// The operand list.
    pub operands: OperandList,
    /// The operand list without the operands that modifiers bring with them.
    pub plain_operands: OperandList,
    /// Every choice of types, with the registers that follow.
    pub signatures: Vec<LaneSignature>,
    /// The promise that the manual makes about results.
    pub contract: Contract,
    /// The PTX versions that brought the form, each with the targets that it brought it to.
    pub since: Vec<Since>,
    /// The section of the PTX ISA manual, numbered as in version 9.4.
    pub section: &'static str,
    /// The part of the name that alone tells the form from another: operands, as `(a,b,c)` of `min.f32(a,b,c)`, or the
    /// type that the map of a tensor has; empty for most forms.
    pub(crate) told_by: &'static str,
    /// The inputs and results that `.ftz` flushes.
    pub(crate) ftz: Ftz,
    /// The rule for a result that is not a number.
    pub(crate) nan: NanRule,
    /// The input that is converted to the result's format before anything is computed, if there is one.
    pub(crate) converted: Option<usize>,
    /// Whether only the upper halves of inputs and results count.
    pub(crate) upper_half: bool,
}

/// The inputs and results that `.ftz` flushes where they are subnormal, to the zero of their sign, by the manual's
/// sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ftz {
    /// "flushes subnormal inputs and results to sign-preserving zero" (9.7.3.3, 9.7.4.1 and most others).
    InputsAndResult,
    /// "flushes subnormal inputs to sign-preserving zero" (9.7.7.1 and others), of instructions that round nothing.
    /// Where 9.7.3.9 to 9.7.3.12 speak of results as well, flushed results follow from flushed inputs.
    Inputs,
    /// "flushes subnormal values of operand c to sign-preserving zero" (9.7.7.4), and moves the others.
    Input(usize),
    /// `.ftz` applies "to single precision (.f32) inputs and results" (9.7.10.24).
    SinglePrecision,
    /// `.ftz` applies "to single precision (.f32) inputs and results" (9.7.10.24), of a conversion that NVIDIA's
    /// assembler compiles as if `.ftz` were absent.
    Open,
    /// Flushed without `.ftz`: "The atom.add.f32 operation without .noftz, flushes subnormal inputs
    /// and results to sign-preserving zero on global memory" (9.7.15.5).
    GlobalMemory,
    /// Flushed without `.ftz`, as `atom.add.f32` on global memory is (9.7.15.5), but of vectors, of memory of several
    /// devices or behind a handle, and of tensors: the manual's sentence does not speak of these.
    GlobalVector,
}

/// Returns the modifier with a dot in it, such as `xorsign.abs`, that a text begins with; `None` where there is none.
/// The modifier must be followed by a dot, a brace or nothing.
fn dotted(text: &str) -> Option<&'static str> {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['.', '{']);
    let dotted = Modifier::ALL.iter().map(|m| m.text()).filter(|name| name.contains('.'));
    // A modifier's text may begin with another's, so the longest counts.
    dotted.filter(|name| text.strip_prefix(name).is_some_and(ends)).max_by_key(|name| name.len())
}

/// A part of a syntax, such as `.rnd` or `{.ftz}`, as text: its alternatives, and whether it stands in braces.
#[derive(Debug, PartialEq, Eq)]
struct SyntaxPart<'a> {
    choices: Vec<&'a str>,
    optional: bool,
}

/// Returns the members of a group of modifiers or of types that the manual names: `rn|rz|rm|rp` for `rnd`.
pub(crate) fn group(name: &str) -> Option<&'static str> {
    let mut groups = modifier::GROUPS.iter().chain(types::GROUPS);
    groups.find(|(known, _)| *known == name).map(|(_, choices)| *choices)
}

/// Splits what follows the mnemonic in a syntax into its parts; names of groups become the members.
fn syntax_parts(syntax: &str) -> Vec<SyntaxPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = syntax;
    while !rest.is_empty() {
        let optional = rest.starts_with('{');
        let (body, behind) = if optional {
            rest[1..].split_once('}').unwrap_or_else(|| panic!("open brace in `{syntax}`"))
        } else {
            let end = rest[1..].find(['{', '.']).map_or(rest.len(), |at| at + 1);
            // A modifier with a dot in it goes on behind that dot.
            rest.split_at(dotted(&rest[1..]).map_or(end, |text| 1 + text.len()))
        };
        let body = body.strip_prefix('.').unwrap_or_else(|| panic!("no dot in `{body}` of `{syntax}`"));
        let choices = group(body).unwrap_or(body).split('|').collect();
        parts.push(SyntaxPart { choices, optional });
        rest = behind;
    }
    parts
}

/// Reads the versions and targets of a row, separated by semicolons. A row without any is no PTX: a cast has none.
fn read(since: &str) -> Vec<Since> {
    let each = since.split(';').map(str::trim).filter(|one| !one.is_empty());
    each.map(|one| one.parse().unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Returns every way to take one element of each list.
fn product<T: Copy>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |heads, list| {
        let with = |head: &Vec<T>, &last| head.iter().copied().chain([last]).collect();
        heads.iter().flat_map(|head| list.iter().map(move |last| with(head, last))).collect()
    })
}

impl Form {
    // Public for the tests of `model`, which try rows that the table does not have.
    /// Builds a row from its texts: the syntax; the operands as [`OperandList::read`] takes them; and the versions and
    /// targets as [`Since`] reads them, separated by semicolons.
    ///
    /// # Panics
    /// On a text that is malformed: the table's own tests build every row.
    #[doc(hidden)]
    pub fn new(
        syntax: &'static str,
        operands: &'static str,
        contract: Contract,
        since: &'static str,
        section: &'static str,
    ) -> Form {
        // What stands in parentheses belongs to the name, and is no part of the syntax.
        let (spelling, told_by) = syntax.split_at(syntax.find('(').unwrap_or(syntax.len()));
        let (mnemonic, behind) =
            spelling.split_at(spelling.find(['.', '{']).expect("parts behind a mnemonic"));
        let operation =
            Operation::named(mnemonic).unwrap_or_else(|| panic!("`{mnemonic}` in `{syntax}`"));
        let (mut slots, mut types) = (Vec::new(), Vec::new());
        for SyntaxPart { choices, optional } in syntax_parts(behind) {
            // A place is for types if all of its alternatives are, and types end the spelling.
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
        let operands = OperandList::read(operands);
        let signatures = product(&types).iter().map(|printed| operands.signature(printed)).collect();
        Form {
            operation,
            syntax,
            slots,
            plain_operands: operands.without_modifiers(),
            operands,
            signatures,
            contract,
            since: read(since),
            section,
            told_by,
            ftz: Ftz::InputsAndResult,
            nan: NanRule::Canonical,
            converted: None,
            upper_half: false,
        }
    }

    /// Sets the sentence about `.ftz` that the row follows, where it is not the usual one.
    pub(crate) fn ftz(self, ftz: Ftz) -> Form {
        Form { ftz, ..self }
    }

    /// Sets the rule for a result that is not a number, where that is not the canonical NaN.
    pub(crate) fn nan(self, nan: NanRule) -> Form {
        Form { nan, ..self }
    }

    /// Sets the input that is converted to the result's format before anything is computed.
    pub(crate) fn converts(self, input: usize) -> Form {
        Form { converted: Some(input), ..self }
    }

    /// Marks the row as one where only the upper halves of inputs and results count.
    pub(crate) fn upper_half(self) -> Form {
        Form { upper_half: true, ..self }
    }

    /// Returns every legal choice of modifiers, in the order of the syntax.
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
        let read = syntax_parts(".rnd{.ftz}{.xorsign.abs}.scaled::n1::ue8m0.f16|bf16.f32");
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
}
