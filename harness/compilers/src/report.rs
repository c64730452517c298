//! Reports of compilers, made from what was found.

mod machine;
mod programs;
mod rows;

use std::time::{Instant, SystemTime};

use anyhow::Result;
use findings::report::timestamp;
use implementations::bundled::compilers::Want;
use reports::compilers::{
    self, CompilerReport, CompilerTotals, CompilerWork, Sequence, Sources, TargetSettings,
};
use reports::{Suite, Times};

use super::language::Language;
use super::promises::Body;
use super::setting::Setting;
use super::{CompileOutcome, CompileRequest, Compiler};

pub use machine::of_machine;
pub use programs::of_programs;
pub use rows::of_rows;

/// The time when a run began, by both clocks.
#[derive(Clone, Copy, Debug)]
pub struct Started(SystemTime, Instant);

impl Started {
    /// Returns the time that it is now.
    pub fn now() -> Started {
        Started(SystemTime::now(), Instant::now())
    }
}

/// Makes a report of a run of which the findings are still to come.
fn blank(compiler: &Compiler, language: &str, work: CompilerWork, started: Started) -> CompilerReport {
    CompilerReport {
        schema: compilers::SCHEMA.into(),
        suite: Suite { version: env!("CARGO_PKG_VERSION").into(), revision: None },
        compiler: compilers::Compiler {
            name: compiler.name().to_owned(),
            version: compiler.introduction().version.clone(),
            language: language.into(),
        },
        work,
        complete: true,
        reduced: Vec::new(),
        times: Times {
            started: timestamp(started.0),
            seconds: started.1.elapsed().as_secs_f64(),
            resumed: 0,
        },
        totals: CompilerTotals::default(),
        findings: Vec::new(),
        stale: Vec::new(),
        checksum: None,
        unknown: Default::default(),
    }
}

/// Describes the work of a run: its sources, targets and settings. Counts and seed are still to come.
fn work<'a>(
    sources: Sources,
    language: Language,
    targets: &[String],
    settings: impl IntoIterator<Item = &'a Setting>,
) -> CompilerWork {
    let named = |setting: &Setting| (setting.to_string(), setting.options(language));
    CompilerWork {
        sources,
        count: 0,
        targets: targets.to_vec(),
        settings: settings.into_iter().map(named).collect(),
        vectors: 0,
        seed: None,
        first: 0,
    }
}

/// Adds a target and a setting to the places of a sequence.
fn add(sequence: &mut Sequence, target: &str, setting: impl ToString) {
    let setting = setting.to_string();
    match sequence.places.iter_mut().find(|place| place.target == target) {
        Some(place) if place.settings.contains(&setting) => {}
        Some(place) => place.settings.push(setting),
        None => sequence.places.push(TargetSettings { target: target.into(), settings: vec![setting] }),
    }
}

/// Puts the findings of a report in order: what fails comes before all else.
fn finished(mut report: CompilerReport) -> CompilerReport {
    report.findings.sort_by(|a, b| (a.status, &a.class).cmp(&(b.status, &b.class)));
    report
}

/// Compiles the source of each finding alone, and adds to a report what the compiler makes of it.
///
/// # Errors
/// As [`Compiler::compile`]; the report is then as it was.
pub fn add_texts(compiler: &Compiler, report: &mut CompilerReport) -> Result<()> {
    let (work, language) = (&report.work, &report.compiler.language);
    let requested = |sequence: &Sequence| {
        let place = sequence.places.first()?;
        Some(CompileRequest {
            language: language.clone(),
            source: sequence.source.clone()?,
            options: work.settings.get(place.settings.first()?)?.clone(),
            target: place.target.clone(),
            want: Want::Ptx,
        })
    };
    let mut asked = Vec::new();
    // Of a source that killed the compiler once, the words are known.
    for (number, finding) in report.findings.iter().enumerate().filter(|(_, of)| of.kind() != "died") {
        for (at, sequence) in finding.sequences.iter().enumerate() {
            asked.extend(requested(sequence).map(|request| (request, (number, at))));
        }
    }
    let (requests, places): (Vec<CompileRequest>, Vec<_>) = asked.into_iter().unzip();
    for (outcome, (number, at)) in compiler.compile(&requests)?.into_iter().zip(places) {
        let finding = &mut report.findings[number];
        let sequence = &mut finding.sequences[at];
        match outcome {
            // These words take the place of those about a module of many functions.
            CompileOutcome::Refused(words) => finding.words = Some(words),
            CompileOutcome::Ptx(text) => {
                let body = text.parse().ok().and_then(|module| Body::of(&module, "f"));
                if let (true, Some(body)) = (sequence.instructions.is_empty(), body) {
                    sequence.instructions = body.opcodes;
                }
                sequence.ptx = Some(text);
            }
            CompileOutcome::Died(_) | CompileOutcome::Code(_) => {}
        }
    }
    Ok(())
}
