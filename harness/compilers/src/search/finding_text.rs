//! Findings in words, for reports and for programs that read JSON.

use super::{EquivalentPair, WrongProgram};
use crate::language::Language;
use crate::program::{Node, Program, Spelled, Spelling, Type};

/// The remark on a finding whose results are others where it is compiled once more.
const WAVERS: &str = "when it is compiled once more, it gives different results";

/// The remark on a finding that was made while a run came to its end.
const UNSEEN: &str = "it was not looked into: the run came to its end before that";

impl WrongProgram {
    /// Returns the source of the finding's program, or of one beside it, as a function `f`.
    pub(super) fn source_of(&self, program: &Program, language: Language) -> String {
        Spelled { program, spelling: self.spelling }.text(language, self.setting, "f")
    }

    /// Says at which end of their bounds approximations make the result wrong; `None` where it is wrong with the
    /// nearest.
    pub(super) fn of_approximation(&self) -> Option<String> {
        let of = |which| {
            format!(
                "right if each approximate instruction gives its nearest result, and wrong if each gives the \
                 {which} that its bound allows"
            )
        };
        let approximation = self.wrong.approximation;
        approximation.is_end().then(|| of(approximation.name()))
    }

    /// Returns what is to be known of the finding beside what explains it.
    pub fn remarks(&self) -> Option<String> {
        let wavers = self.wavers.then(|| WAVERS.to_owned());
        let unseen = self.blame.levels.is_empty().then(|| UNSEEN.to_owned());
        let all: Vec<String> = [self.of_approximation(), wavers, unseen].into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// Says what of the program the optimiser must not see for the result to be right: `its constant is a parameter`.
    pub fn right_as_soon_as(&self, language: Language) -> Vec<String> {
        let several = self.program.constants().len() > 1;
        let own = if language == Language::Cuda { "v" } else { "%v" };
        let told = |spelling| match (spelling, several) {
            (Spelling::Plain, false) => "its constant is a literal".into(),
            (Spelling::Plain, true) => "its constants are literals".into(),
            (Spelling::Parameters, false) => "its constant is a parameter".into(),
            (Spelling::Parameters, true) => "its constants are parameters".into(),
            (Spelling::Memory, false) => "its constant is read from memory".into(),
            (Spelling::Memory, true) => "its constants are read from memory".into(),
            (Spelling::Opaque(place), _) => format!("{own}{place} is hidden from the optimiser"),
        };
        self.blame.right_as().map(told).collect()
    }

    /// Returns the source of the program that is right beside the wrong one.
    pub fn neighbour_source(&self, language: Language) -> Option<String> {
        self.neighbour.as_ref().map(|program| self.source_of(program, language))
    }
}

/// Returns the constants that do not stand in the source, by their names there, with their bits.
pub(super) fn constants(program: &Program, spelling: Spelling) -> Vec<String> {
    let name = match spelling {
        Spelling::Parameters => "v",
        Spelling::Memory => "*m",
        Spelling::Plain | Spelling::Opaque(_) => return Vec::new(),
    };
    let all = program.values().iter().enumerate();
    let told = all.filter_map(|(place, (ty, node))| match node {
        Node::Constant(bits) => Some(format!("{name}{place} = {}", hex(*bits, *ty))),
        _ => None,
    });
    told.collect()
}

/// Names a program by its number, with the options of `fuzz programs` that make it again.
fn made_again(seed: u64, program: u64) -> String {
    format!("program {program}: --seed {seed:#x} --first {program} --count 1")
}

/// Writes the bits of a value in hexadecimal, in as many digits as its type has.
pub(super) fn hex(bits: u64, ty: Type) -> String {
    format!("0x{bits:0width$x}", width = ty.format().width() as usize / 4)
}

/// Describes the first vector on which two functions differ, its results, and what is known of them.
pub(super) fn of_pair(seed: u64, pair: &EquivalentPair) -> String {
    let EquivalentPair { program, results, index, count, .. } = pair;
    let verdict = if pair.proven { "a result is not permitted" } else { "which is wrong is not known" };
    let operands = pair.operands.iter().zip(program.parameters());
    let operands: Vec<String> = operands.map(|(bits, ty)| hex(*bits, ty)).collect();
    let each = results.iter().map(|(target, setting, bits)| {
        format!("{} for {target} under {setting}", hex(*bits, program.result()))
    });
    format!(
        "  {}: {}; {verdict}; {count} vectors; {}",
        operands.join(", "),
        each.collect::<Vec<_>>().join(", "),
        made_again(seed, *index)
    )
}
