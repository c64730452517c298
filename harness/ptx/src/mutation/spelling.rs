//! Makes edits of an instruction's name; the table says whether there is an instruction of the new name.

use crate::syntax::{Instruction, Opcode, Statement};

use super::Edit;

/// Groups of words that can stand for one another: the kind of edit, the names of the instructions (all instructions
/// where no name is given), and the words.
const EXCHANGED: &[(Edit, &[&str], &[&str])] = &[
    (Edit::Rounding, &[], &["rn", "rz", "rm", "rp"]),
    (Edit::Rounding, &[], &["rni", "rzi", "rmi", "rpi"]),
    (Edit::Precision, &["div", "rcp", "sqrt"], &["rn", "full", "approx"]),
];

/// The instructions that round to nearest where no word says how.
const NEAREST: [&str; 3] = ["add", "sub", "mul"];

/// Returns all edits of an instruction's name.
pub fn edits(instruction: &Instruction) -> Vec<(Edit, Statement)> {
    let Opcode::Tested(spelling) = &instruction.opcode else { return Vec::new() };
    if instruction.variant().is_none() {
        return Vec::new();
    }
    let words: Vec<&str> = spelling.split('.').collect();
    let mut all = Vec::new();
    for &(edit, names, group) in EXCHANGED {
        if !names.is_empty() && !names.contains(&words[0]) {
            continue;
        }
        let place = words.iter().position(|word| group.contains(word));
        for &other in group {
            match place {
                Some(at) if words[at] != other => all.push((edit, replaced(&words, at, Some(other)))),
                None if NEAREST.contains(&words[0]) && group[0] == "rn" && other != "rn" => {
                    all.push((edit, inserted(&words, 1, other)));
                }
                _ => {}
            }
        }
    }
    for (at, &word) in words.iter().enumerate() {
        match word {
            "ftz" => all.push((Edit::Flushing, replaced(&words, at, None))),
            "sat" | "relu" | "NaN" => all.push((Edit::Clamp, replaced(&words, at, None))),
            _ => {}
        }
    }
    if !words.contains(&"ftz") {
        // `ftz` is tried in every place: the table knows where it stands.
        all.extend((1..words.len()).map(|at| (Edit::Flushing, inserted(&words, at, "ftz"))));
    }
    let respelled = |(edit, spelling): (Edit, String)| {
        let new = Instruction { opcode: Opcode::read(&spelling), ..instruction.clone() };
        new.variant().is_some().then_some((edit, Statement::Instruction(new)))
    };
    all.into_iter().filter_map(respelled).collect()
}

/// Returns a name with one of its words replaced, or dropped where there is no other.
fn replaced(words: &[&str], at: usize, by: Option<&str>) -> String {
    [&words[..at], by.as_slice(), &words[at + 1..]].concat().join(".")
}

/// Returns a name with a word inserted before the word at `at`.
fn inserted(words: &[&str], at: usize, word: &str) -> String {
    [&words[..at], &[word], &words[at..]].concat().join(".")
}
