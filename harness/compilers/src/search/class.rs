//! The classes of findings, as the terminal, reports, `replay --class` and waivers have them.

use super::WrongProgram;
use crate::program::Program;
use crate::program_verdict::WrongResult;

/// The word in classes for a result that is right with the nearest results of approximations, and not with all that
/// their bounds allow.
const DEPENDENT: &str = "approximation-dependent";

impl WrongProgram {
    /// Returns the finding's class: what explains it and the type of the result, or where nothing does, what the
    /// program does.
    pub fn class(&self) -> String {
        class(&self.program, &self.wrong)
    }
}

/// Returns the class of a program that is wrong.
pub(super) fn class(program: &Program, wrong: &WrongResult) -> String {
    let ty = program.result().format().name;
    let name = match wrong.defects {
        _ if let Some(lack) = wrong.lacks => format!("{}.{ty}", lack.name()),
        _ if wrong.approximation.is_end() => format!("{DEPENDENT}/{}", kinds(program)),
        Some(defects) => format!("{}.{ty}", defects.names().replace(" and ", "+")),
        None => kinds(program),
    };
    format!("computed/program/{name}")
}

/// Returns the class of two functions of a program that differ; `pair` is the key of [`super::EquivalentPairs::open`].
pub fn pair_class(pair: &str) -> String {
    format!("indifferent/program/{}", pair.replacen(' ', ".", 1).replace(' ', "+"))
}

/// Returns the class of programs that a compiler dies of, refuses, or makes something of that is not executed; `kind`
/// says which.
pub fn class_of_kind(kind: &str) -> String {
    format!("{kind}/program")
}

/// Returns the operations of a program, joined by `+`.
fn kinds(program: &Program) -> String {
    program.kinds().replace(' ', "+")
}
