//! The `files` target, which reads reports and states of runs that anyone may have written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use findings::diagnosis::Diagnoses;
use findings::report::variants;
use implementations::{Canary, Implementation};
use jsonschema::Validator;
use reports::terminal::{annotations, junit, markdown};
use reports::{
    AnyReport, Artifact, ArtifactStatus, Campaign, CompilerReport, FUZZ, Report, RootCause, Style,
    Totals, compiler_summary, html, store, summary,
};
use runner::{Block, BlockJudge, Plan, Progress, RunIdentity, RunRequest, state};
use selection::budget::Tier;

use super::{FuzzTarget, nothing};
use crate::{Findings, Random, tree};

/// The `files` target.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "files", unit: "files taken", begin: nothing, seeds, mutate, attempt };

/// The name that error messages give to the input.
const FILE: &str = "input.json";

/// The run that the states belong to, of a variant with a planted fault and one with a bound, and the reports' schemas.
struct Setting {
    plan: Plan,
    identity: RunIdentity,
    planned: Vec<u64>,
    validator: Validator,
    of_compilers: Validator,
}

/// Returns the setting, which is made once.
fn setting() -> &'static Setting {
    static SETTING: OnceLock<Setting> = OnceLock::new();
    SETTING.get_or_init(|| {
        let only = vec!["mul.rn.f16".into(), "tanh.approx.bf16".into()];
        let plan = Plan::new(RunRequest::of(Tier::Quick, only), &Canary).expect("both exist");
        let validator = |schema| {
            let schema = serde_json::from_str(schema).expect("the schema is JSON");
            jsonschema::validator_for(&schema).expect("the schema is one")
        };
        Setting {
            identity: RunIdentity::of(&plan, &Canary.describe()),
            planned: plan.vectors_per_task(),
            plan,
            validator: validator(reports::SCHEMA_JSON),
            of_compilers: validator(reports::schema::COMPILERS_JSON),
        }
    })
}

/// Reads the bytes as every kind of file, and holds what loads to what it has to keep.
fn attempt(bytes: &[u8], findings: &mut Findings) {
    let report = store::read(bytes, Path::new(FILE));
    if let Some(report) = taken(report.map_err(|error| error.to_string())) {
        let value = serde_json::to_value(&report).expect("what loads can be saved");
        assert!(setting().validator.is_valid(&value), "it loads, and breaks the schema");
        look_at(report.clone());
        look_at(report.compact());
        findings.tried += 1;
    }
    let report = store::read_as::<CompilerReport>(bytes, Path::new(FILE));
    if let Some(report) = taken(report.map_err(|error| error.to_string())) {
        let value = serde_json::to_value(&report).expect("what loads can be saved");
        assert!(setting().of_compilers.is_valid(&value), "it loads, and breaks the schema");
        look_at_compiler(report.clone());
        look_at_compiler(report.compact());
        findings.tried += 1;
    }
    // Reads the bytes as the progress of this run, without the part that says whose it is, and as a whole state file.
    let Setting { plan, identity, planned, .. } = setting();
    let whole = [whole_state(bytes), bytes.to_vec()];
    for json in whole {
        let state = state::from_json(&json, Path::new(FILE), identity);
        let Some(state) = taken(state.map_err(|error| format!("{error:#}"))) else { continue };
        let json = state::to_json(identity, &state).expect("what loads can be saved");
        let again = state::from_json(&json, Path::new(FILE), identity);
        assert_eq!(again.expect("what was saved loads"), state, "a state is not what it was");
        let variants = variants(plan, planned, &state, &Diagnoses::new());
        look_at(Report { totals: Totals::of(&variants), variants, ..sample().clone() });
        findings.tried += 1;
    }
}

/// Returns what was read, or `None`; the reason why it was not read must then be a line for a person.
///
/// # Panics
/// If the reason has a control character.
fn taken<T>(read: Result<T, String>) -> Option<T> {
    if let Err(why) = &read {
        assert!(!why.contains(char::is_control), "{why:?}");
    }
    read.ok()
}

/// Checks that a report that loads can be stored, loads again and can be shown.
fn look_at(report: Report) {
    let json = store::to_json(&report).expect("what loads can be saved");
    let again = store::read(&json, Path::new(FILE)).expect("what was saved loads");
    // Unknown fields are not saved.
    let known = Report { unknown: Default::default(), ..report.clone() };
    assert_eq!(again, reports::sealed(known), "a report is not what it was");
    let replay = Some(FILE.to_owned());
    let plain = summary(&report, &Style { replay: replay.clone(), ..Style::default() });
    let letter = plain.chars().find(|letter| letter.is_control() && *letter != '\n');
    assert_eq!(letter, None, "a terminal is told more than text");
    let implementation = Some("exec:\u{1b}".to_owned());
    let style = Style {
        color: true,
        replay,
        columns: Some(20),
        implementation,
        unsupported: true,
        program: None,
    };
    summary(&report, &style);
    let page = html::page(&report, &style, &|variant, _| Some(variant.to_owned()));
    let packed = page.matches("type=\"application/octet-stream\"").count();
    // Beside the packed parts the page has its own script, and no other one.
    assert_eq!(page.matches("<script").count(), packed + 1, "a script of the report's");
    look_at_pages(&AnyReport::Implementation(Box::new(report)), &style);
}

/// Checks that the pages for CI systems are text, and no longer than they may be.
fn look_at_pages(report: &AnyReport, style: &Style) {
    junit::page(report, style);
    assert!(markdown::page(report, style, markdown::LEAST).len() <= markdown::LEAST);
    let commands = annotations::commands(report, style);
    assert!(commands.lines().all(|line| line.starts_with("::")), "a command of the report's");
}

/// Checks that a compiler's report that loads can be stored, loads again and can be shown.
fn look_at_compiler(report: CompilerReport) {
    let json = store::to_json(&report).expect("what loads can be saved");
    let again: CompilerReport = store::read_as(&json, Path::new(FILE)).expect("what was saved loads");
    let known = CompilerReport { unknown: Default::default(), ..report.clone() };
    assert_eq!(again, reports::sealed(known), "a report is not what it was");
    let replay = Some(FILE.to_owned());
    let plain = compiler_summary(&report, &Style { replay: replay.clone(), ..Style::default() });
    let letter = plain.chars().find(|letter| letter.is_control() && *letter != '\n');
    assert_eq!(letter, None, "a terminal is told more than text");
    let style = Style { color: true, replay, columns: Some(20), ..Style::default() };
    compiler_summary(&report, &style);
    report.changes(&again);
    look_at_pages(&AnyReport::Compiler(Box::new(report)), &style);
}

/// Returns a state file of this run that has the bytes as its progress.
fn whole_state(progress: &[u8]) -> Vec<u8> {
    static HEAD: OnceLock<Vec<u8>> = OnceLock::new();
    let head = HEAD.get_or_init(|| {
        let identity = serde_json::to_string(&setting().identity).expect("it is JSON");
        format!("{{\"identity\":{identity},\"progress\":").into_bytes()
    });
    [head, progress, b"}"].concat()
}

/// Returns every published report of a compiler, shortened to one finding of each status and kind.
fn of_compilers() -> Vec<CompilerReport> {
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/published");
    let folders = ["compilers", "programs"].map(|name| published.join(name));
    let files = folders.iter().flat_map(std::fs::read_dir).flatten().flatten();
    let read = |path: &Path| match reports::load_any(path) {
        Ok(AnyReport::Compiler(report)) => Some(*report),
        _ => None,
    };
    let mut reports: Vec<CompilerReport> = files.filter_map(|file| read(&file.path())).collect();
    for report in &mut reports {
        let mut kinds = BTreeSet::new();
        // A checksum of the whole report would refuse the shortened one, and every change.
        report.checksum = None;
        report.findings.retain(|finding| kinds.insert((finding.status, finding.kind().to_owned())));
    }
    reports
}

/// Returns small reports of one variant each: from every published report, one for each status and judge.
fn published() -> Vec<Report> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/published");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let reports = files.filter_map(|file| reports::load(&file.path()).ok());
    let mut small = Vec::new();
    for report in reports {
        let mut kinds = BTreeMap::new();
        for variant in &report.variants {
            kinds.entry((variant.status, variant.judge as u8)).or_insert(variant);
        }
        for variant in kinds.into_values() {
            let mut variant = variant.clone();
            variant.classes.truncate(2);
            variant.sweeps.truncate(2);
            let variants = vec![variant];
            let totals = Totals::of(&variants);
            // The checksum is of all variants; a checksum of the small report would refuse every change.
            small.push(Report { totals, variants, checksum: None, ..report.clone() });
        }
    }
    small
}

/// Returns a report of a fuzz campaign that has an artifact of each status.
fn of_campaign() -> Report {
    let artifact = |status: ArtifactStatus| Artifact {
        file: format!("differential/{}", status.name()),
        status,
        variant: (status != ArtifactStatus::Unread).then(|| "mul.rn.f16".into()),
        class: (status == ArtifactStatus::Fails).then(|| "mul.rn.f16/ulp-above".into()),
        reason: matches!(status, ArtifactStatus::Untested | ArtifactStatus::Unread)
            .then(|| "why".into()),
    };
    let mut report = sample().clone();
    report.plan.tier = FUZZ.into();
    let artifacts = ArtifactStatus::ALL.map(artifact).into();
    report.campaign = Some(Campaign { artifacts, causes: RootCause::all(&report.variants) });
    report
}

fn sample() -> &'static Report {
    static SAMPLE: OnceLock<Report> = OnceLock::new();
    SAMPLE.get_or_init(|| published().swap_remove(0))
}

/// Returns the inputs of a new corpus: small published reports, and the state of a run that has just begun.
fn seeds() -> Vec<Vec<u8>> {
    let Setting { plan, identity, .. } = setting();
    let mut progress = Progress::new(plan.tasks.len());
    let mut worker = Canary.worker().expect("the canary starts");
    for (number, task) in plan.tasks.iter().enumerate() {
        let block = Block { task: number, number: 1, first: 0, rows: 99 };
        let tally = BlockJudge::new(task.subject(), plan.request.judging);
        let tally = { tally }.run_block(task, block, 0, worker.as_mut()).expect("the canary works");
        progress.finish(2 * number, number, tally);
    }
    let states = [serde_json::to_vec(&progress).ok(), state::to_json(identity, &progress).ok()];
    let reports = published().into_iter().chain([of_campaign()]);
    let reports = reports.filter_map(|report| serde_json::to_vec(&report).ok());
    let of_compilers = of_compilers().into_iter().filter_map(|report| serde_json::to_vec(&report).ok());
    reports.chain(of_compilers).chain(states.into_iter().flatten()).collect()
}

/// Returns a changed file; one in two comes from a seed, since little can be read of most other inputs.
fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    static SEEDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let seed = random.pick(SEEDS.get_or_init(seeds)).filter(|_| random.below(2) == 0);
    tree::mutate(seed.map_or(bytes, Vec::as_slice), random)
}
