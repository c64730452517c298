//! Findings as they are told, to people and to programs.

use std::fmt;

use reports::printable;
use serde::Serialize;

use super::{Blame, Finding, Search, Verdict};
use crate::Compiler;
use crate::language::Language;
use crate::program::{Node, Program, Spelled, Spelling, Type};
use crate::setting::Setting;

/// What is right with the nearest results of approximations, and not with all that their bounds allow.
pub const DEPENDENT: &str = "approximation-dependent";

/// What is said of a finding that is another one where it is compiled once more.
pub const WAVERS: &str = "compiled once more it gives other results";

/// A finding in words.
#[derive(Clone, Debug, Serialize)]
pub struct Told {
    /// Its class: what explains it, or that nothing does.
    pub class: String,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The source, a function `f`.
    pub source: String,
    /// The values of the parameters.
    pub operands: Vec<String>,
    /// The constants that are parameters or in memory, by their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<String>,
    /// The result.
    pub result: String,
    /// What is permitted.
    pub permitted: Vec<String>,
    /// Whether it gives other results where it is compiled once more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub wavers: bool,
    /// Where it is wrong first.
    pub first: Place,
    /// Where it is wrong of all that was asked.
    pub everywhere: Vec<Place>,
    /// When it is right: what of it the compiler must not be shown.
    pub right_as_soon_as: Vec<String>,
    /// Levels of optimisation.
    pub levels: Vec<Condition>,
    /// Versions of the compiler.
    pub versions: Vec<Condition>,
    /// The source of a program that is right, and as near to it as any that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbour: Option<String>,
    /// The number of the program that it was made of.
    pub program: u64,
    /// The seed.
    pub seed: u64,
}

/// A target and a setting, with what compiles for that target.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    target: String,
    setting: String,
    compiler: String,
}

/// A condition, and what becomes of the program under it.
#[derive(Clone, Debug, Serialize)]
pub struct Condition {
    name: String,
    verdict: Verdict,
}

impl Told {
    /// A finding of a search of a compiler.
    pub fn of(finding: &Finding, search: &Search, compiler: &Compiler) -> Told {
        let Finding { program, wrong, spelling, .. } = finding;
        let place = |(target, setting): &(String, Setting)| {
            let targets = &compiler.introduction().targets;
            let inner = targets.iter().find(|of| of.name == *target);
            let compiler = inner.map_or_else(String::new, |of| of.compiler.clone());
            Place { target: target.clone(), setting: setting.to_string(), compiler }
        };
        let source = |program: &Program| {
            let spelled = Spelled { program, spelling: *spelling };
            spelled.text(search.plan.language, finding.setting, "f")
        };
        let operands = wrong.operands.iter().zip(program.parameters());
        let Blame { levels, versions, .. } = &finding.blame;
        Told {
            class: class(finding),
            words: words(finding),
            source: source(program),
            operands: operands.map(|(bits, ty)| hex(*bits, ty)).collect(),
            constants: constants(program, *spelling),
            result: hex(wrong.result, program.result()),
            permitted: wrong.permitted.iter().map(|bits| hex(*bits, program.result())).collect(),
            wavers: finding.wavers,
            first: place(&(finding.target.clone(), finding.setting)),
            everywhere: finding.everywhere.iter().map(place).collect(),
            right_as_soon_as: right_as_soon_as(finding, search.plan.language),
            levels: conditions(levels),
            versions: conditions(versions),
            neighbour: finding.neighbour.as_ref().map(source),
            program: finding.index,
            seed: search.seed,
        }
    }
}

/// The constants that do not stand in the source.
fn constants(program: &Program, spelling: Spelling) -> Vec<String> {
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

fn conditions(all: &[(String, Verdict)]) -> Vec<Condition> {
    all.iter().map(|(name, verdict)| Condition { name: name.clone(), verdict: *verdict }).collect()
}

/// A program by its number, and the options that make it again.
pub fn made_again(seed: u64, program: u64) -> String {
    format!("program {program}: --seed {seed:#x} --first {program} --count 1")
}

/// Bits of a type.
pub fn hex(bits: u64, ty: Type) -> String {
    format!("0x{bits:0width$x}", width = ty.format().width() as usize / 4)
}

fn class(finding: &Finding) -> String {
    let kinds = finding.program.kinds();
    match finding.wrong.defects {
        _ if let Some(lack) = finding.wrong.lacks => lack.words().into(),
        _ if finding.wrong.extreme.is_some() => format!("{DEPENDENT} ({kinds})"),
        Some(defects) => defects.names(),
        None => format!("unexplained ({kinds})"),
    }
}

fn words(finding: &Finding) -> Option<String> {
    let extreme = finding.wrong.extreme.map(|extreme| {
        let which = format!("{extreme:?}").to_lowercase();
        format!(
            "right with the nearest results of approximations, and not with the {which} that their bounds allow"
        )
    });
    extreme.or_else(|| finding.wrong.defects.map(|defects| defects.words()))
}

fn right_as_soon_as(finding: &Finding, language: Language) -> Vec<String> {
    let several = finding.program.constants().len() > 1;
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
    finding.blame.right_as().map(told).collect()
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{}", self.class)?;
        if let Some(words) = &self.words {
            writeln!(f, "  {words}")?;
        }
        self.source.lines().try_for_each(|line| writeln!(f, "    {line}"))?;
        let operands = [&self.operands[..], &self.constants].concat().join(", ");
        let operands = if operands.is_empty() { "without parameters" } else { &operands };
        writeln!(f, "  {operands}: {}, permitted {}", self.result, self.permitted.join(" or "))?;
        let everywhere: Vec<String> = self
            .everywhere
            .iter()
            .map(|Place { target, setting, .. }| format!("{target} {setting}"))
            .collect();
        let Place { target, setting, compiler } = &self.first;
        writeln!(
            f,
            "  for {target} ({}) under {setting}; wrong for {}",
            printable(compiler),
            everywhere.join(", ")
        )?;
        if self.levels.is_empty() {
            writeln!(f, "  it was not looked into: the run came to its end before that")?;
        }
        if self.wavers {
            writeln!(f, "  {WAVERS}")?;
        }
        if !self.right_as_soon_as.is_empty() {
            writeln!(f, "  right as soon as {}", self.right_as_soon_as.join(", or "))?;
        }
        for (what, all) in [("level", &self.levels), ("version", &self.versions)] {
            let told: Vec<String> = all
                .iter()
                .map(|Condition { name, verdict }| {
                    let verdict = match verdict {
                        Verdict::Right => "right",
                        Verdict::Wrong => "wrong",
                        Verdict::Unknown => "not compiled or not executed",
                    };
                    format!("{} {verdict}", printable(name))
                })
                .collect();
            if !told.is_empty() {
                writeln!(f, "  by {what}: {}", told.join(", "))?;
            }
        }
        if let Some(neighbour) = &self.neighbour {
            writeln!(f, "  beside it this is right:")?;
            // What differs is enough.
            let own: Vec<&str> = self.source.lines().collect();
            let mut others = neighbour.lines().filter(|line| !own.contains(line));
            others.try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        let Told { program, seed, .. } = self;
        writeln!(f, "  made of {}", made_again(*seed, *program))
    }
}
