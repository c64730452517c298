//! The findings of a search as JSON, for programs that read standard output.

use std::collections::BTreeMap;

use reports::compilers::{CompilerReport, Condition};
use serde::Serialize;
use serde_json::{Value, json};

use super::blame::conditions;
use super::class::{class_of_kind, pair_class};
use super::finding_text::{constants, hex, of_pair};
use super::{Search, SearchOutcome, WrongProgram};
use crate::Compiler;
use crate::setting::Setting;

/// A finding in the form of JSON.
#[derive(Serialize)]
struct FindingJson {
    /// The finding's class, as the report has it.
    class: String,
    /// The defects that explain the finding, or the end of their bounds that approximations have to be at, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// The program's source, as a function `f`.
    source: String,
    /// The values of the program's parameters.
    operands: Vec<String>,
    /// The program's constants that are parameters or in memory, by their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constants: Vec<String>,
    /// The program's result, which is wrong.
    result: String,
    /// All results that are permitted.
    permitted: Vec<String>,
    /// Whether the program gives other results where it is compiled once more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    wavers: bool,
    /// The target and setting where the program is wrong first.
    first: PlaceJson,
    /// All targets and settings, of those that were asked, where the program is wrong.
    everywhere: Vec<PlaceJson>,
    /// When the program is right: what of it the compiler must not be shown.
    right_as_soon_as: Vec<String>,
    /// Levels of optimisation, with the verdict at each.
    levels: Vec<Condition>,
    /// Versions of the compiler, with the verdict on each.
    versions: Vec<Condition>,
    /// The source of a program that is right, and as near to the wrong one as any that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    neighbour: Option<String>,
    /// The number of the random program that the finding was made of.
    program: u64,
    /// The seed of the search.
    seed: u64,
}

/// A target and a setting, with the name of what compiles for that target.
#[derive(Serialize)]
struct PlaceJson {
    target: String,
    setting: String,
    compiler: String,
}

impl FindingJson {
    /// Converts a finding of a search of a compiler.
    fn of(finding: &WrongProgram, search: &Search, compiler: &Compiler) -> FindingJson {
        let WrongProgram { program, wrong, spelling, .. } = finding;
        let place = |(target, setting): &(String, Setting)| PlaceJson {
            target: target.clone(),
            setting: setting.to_string(),
            compiler: compiler.compiles_for(target).unwrap_or_default().to_owned(),
        };
        let operands = wrong.operands.iter().zip(program.parameters());
        let language = search.plan.language;
        FindingJson {
            class: finding.class(),
            words: finding.of_approximation().or_else(|| wrong.defects.map(|defects| defects.words())),
            source: finding.source_of(program, language),
            operands: operands.map(|(bits, ty)| hex(*bits, ty)).collect(),
            constants: constants(program, *spelling),
            result: hex(wrong.result, program.result()),
            permitted: wrong.permitted.iter().map(|bits| hex(*bits, program.result())).collect(),
            wavers: finding.wavers,
            first: place(&(finding.target.clone(), finding.setting)),
            everywhere: finding.everywhere.iter().map(place).collect(),
            right_as_soon_as: finding.right_as_soon_as(language),
            levels: conditions(&finding.blame.levels),
            versions: conditions(&finding.blame.versions),
            neighbour: finding.neighbour_source(language),
            program: finding.index,
            seed: search.seed,
        }
    }
}

/// Returns what was found of a compiler as JSON, with the whole report; `title` is the compiler's name and version.
pub fn json(
    title: &str,
    compiler: &Compiler,
    search: &Search,
    found: &SearchOutcome,
    report: &CompilerReport,
) -> Value {
    let SearchOutcome { programs, right, wrong, vectors, undecided, pairs, .. } = found;
    let settings: Vec<String> = search.settings.iter().map(Setting::to_string).collect();
    let findings: Vec<FindingJson> =
        found.findings.iter().map(|finding| FindingJson::of(finding, search, compiler)).collect();
    let open: BTreeMap<String, String> =
        pairs.open.iter().map(|(key, pair)| (pair_class(key), of_pair(search.seed, pair))).collect();
    let fatal: Vec<Value> = (found.fatal.iter())
        .map(|of| {
            json!({
                "class": class_of_kind(of.kind), "kind": of.kind, "words": of.words,
                "source": of.source(search.plan.language), "target": of.target,
                "setting": of.setting.to_string(), "program": of.index,
            })
        })
        .collect();
    json!({
        "compiler": title, "targets": search.targets, "settings": settings, "seed": search.seed,
        "programs": programs, "right": right, "wrong": wrong, "vectors": vectors, "undecided": undecided,
        "refused": found.refused, "died": found.died, "illegal": found.illegal, "unexecuted": found.unexecuted,
        "fatal": fatal, "findings": findings,
        "twins": {
            "compared": pairs.compared, "differ": pairs.differ, "explained": pairs.explained, "open": open,
        },
        "report": report,
    })
}
