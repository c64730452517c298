//! Makes edits that people make where they write instructions themselves.

use crate::syntax::{Instruction, Opcode, Statement};

use super::Edit;

/// Groups of words of a comparison of which each becomes the next, and the last becomes the first.
const RELATIONS: &[&[&str]] = &[
    &["lt", "le"],
    &["gt", "ge"],
    &["eq", "ne"],
    &["lo", "ls"],
    &["hi", "hs"],
    &["ltu", "leu"],
    &["gtu", "geu"],
    &["equ", "neu"],
    &["nan", "num"],
];

/// Groups of names of instructions that have the same operands, used like [`RELATIONS`].
const NAMES: &[&[&str]] =
    &[&["add", "sub"], &["and", "or"], &["xor", "and"], &["shl", "shr"], &["min", "max"]];

/// Groups of types of which one has a sign, used like [`RELATIONS`].
const SIGNS: &[&[&str]] = &[&["u8", "s8"], &["u16", "s16"], &["u32", "s32"], &["u64", "s64"]];

/// The beginnings of names of instructions that compute otherwise where operands have a sign.
const SIGNED: [&str; 15] = [
    "setp.l", "setp.g", "min", "max", "shr", "bfe", "div", "rem", "cvt", "mul.hi", "mul.wide", "mad.hi",
    "mad.wide", "abs", "sad",
];

/// Returns all edits of an instruction that people may make and compilers do not.
pub fn edits(instruction: &Instruction) -> Vec<(Edit, Statement)> {
    let mut all = Vec::new();
    let text = instruction.opcode.to_string();
    let words: Vec<&str> = text.split('.').collect();
    let (name, last) = (0, words.len() - 1);
    let of_groups = [
        (Edit::Relation, if words[name] == "setp" { 1 } else { name }, RELATIONS),
        (Edit::Operation, name, NAMES),
        (Edit::Operation, last, SIGNS),
    ];
    for (edit, place, groups) in of_groups {
        let has_sign = SIGNED.iter().any(|name| text.starts_with(name));
        if place == last && !has_sign {
            continue;
        }
        let Some(next) = words.get(place).and_then(|word| next(word, groups)) else { continue };
        let mut words = words.clone();
        words[place] = next;
        let mut text = words.join(".");
        if next == "shl" {
            // A shift to the left has no sign.
            text = text.replace(".u", ".b").replace(".s", ".b");
        }
        all.extend(respelled(instruction, &text).map(|new| (edit, new)));
    }
    all.extend(selected(instruction).map(|new| (Edit::Exchanged, new)));
    all.extend(unguarded(instruction).map(|new| (Edit::Guard, new)));
    all.into_iter().map(|(edit, new)| (edit, Statement::Instruction(new))).collect()
}

/// Returns the word that a word becomes, if it is in one of the groups.
fn next<'a>(word: &str, groups: &[&[&'a str]]) -> Option<&'a str> {
    let group = groups.iter().find(|group| group.contains(&word))?;
    let place = group.iter().position(|own| *own == word)?;
    group.get((place + 1) % group.len()).copied()
}

/// Returns an instruction with another name, if there is an instruction of that name.
fn respelled(instruction: &Instruction, text: &str) -> Option<Instruction> {
    let new = Instruction { opcode: Opcode::read(text), ..instruction.clone() };
    let is_known = match new.opcode {
        Opcode::Integer(_) => true,
        Opcode::Tested(_) => new.variant().is_some(),
        _ => false,
    };
    is_known.then_some(new)
}

/// Returns a selection with its first two sources exchanged.
fn selected(instruction: &Instruction) -> Option<Instruction> {
    let is_selection = instruction.opcode.to_string().starts_with("selp.");
    (is_selection && instruction.operands.len() == 4).then(|| {
        let mut new = instruction.clone();
        new.operands.swap(1, 2);
        new
    })
}

/// Returns an instruction that is executed where its predicate does not hold, if it has a guard.
fn unguarded(instruction: &Instruction) -> Option<Instruction> {
    let mut new = instruction.clone();
    let guard = new.guard.as_mut()?;
    guard.negated = !guard.negated;
    Some(new)
}
