//! Tests of rows and random programs on a compiler whose faults are known.

use std::sync::atomic::AtomicBool;

use compilers::Compiler;
use compilers::language::Language;
use compilers::program::{DrawPlan, ProgramOperation, Spelling, Type};
use compilers::promises::{self, PromiseSelection, REASONS, Score, Survivor};
use compilers::report::{Started, add_texts, of_programs, of_rows};
use compilers::search::{Search, SearchOutcome, Verdict, search};
use compilers::setting::Setting;
use reports::compilers::{CompilerReport, Standing};

use super::suite;

pub fn tiny(faults: &str) -> Compiler {
    suite();
    let command = format!("exec,deadline=60:python3 harness/cli/tests/compilers/tiny.py {faults}");
    Compiler::connect(&command, 2).unwrap()
}

/// Returns the report of some rows.
pub fn rows(compiler: &Compiler, options: &[&str]) -> CompilerReport {
    rows_of(compiler, &["operator/???.f32", "operator/reciprocal.f32", "function/sqrt.f32"], options)
}

fn rows_of(compiler: &Compiler, only: &[&str], options: &[&str]) -> CompilerReport {
    let options = PromiseSelection {
        only: only.iter().map(|name| (*name).to_owned()).collect(),
        targets: vec!["sm_90".into()],
        settings: options.iter().map(|word| (*word).to_owned()).collect(),
    };
    let cells = promises::compile(compiler, &options).unwrap();
    let stop = AtomicBool::new(false);
    let computed = promises::compute(&cells, 256, 2, &stop).unwrap();
    let differences = promises::differences(&cells, &computed, 256, 2, &stop).unwrap();
    let found = (&computed, &differences[..]);
    let mut report = of_rows(compiler, &options, &cells, found, 256, Started::now()).unwrap();
    add_texts(compiler, &mut report).unwrap();
    report
}

fn summary(faults: &str, options: &[&str]) -> CompilerReport {
    rows(&tiny(faults), options)
}

pub fn text(report: &CompilerReport) -> String {
    reports::compiler_summary(report, &reports::Style::default())
}

/// Returns the findings that fail.
pub fn failing(report: &CompilerReport) -> Vec<&reports::compilers::Finding> {
    report.findings.iter().filter(|finding| finding.status == Standing::Fail).collect()
}

#[test]
fn a_right_compiler_keeps_all_promises() {
    let found = summary("", &["default"]);
    assert_eq!(found.verdict(), reports::Verdict::Agree, "{}", text(&found));
    // add, sub, mul, div, reciprocal (which is no `rcp` here) and sqrt.
    let totals = found.totals;
    assert_eq!([totals.cells, totals.right, totals.selected, totals.wrong], [6, 6, 5, 0]);
    let [note] = &found.findings[..] else { panic!("{}", text(&found)) };
    assert_eq!((&*note.class, note.status), ("selected/operator/reciprocal.f32", Standing::Note));
}

#[test]
fn what_flushes_unasked_is_told_and_where_it_is_permitted_not() {
    let found = summary("flushed", &["default"]);
    let [finding] = failing(&found)[..] else { panic!("{}", text(&found)) };
    assert_eq!(finding.class, "computed/operator/add.f32");
    assert_eq!(finding.sequences[0].instructions, ["add.rn.ftz.f32"]);
    assert_eq!(finding.promised.as_deref(), Some("add.rn.f32"));
    assert!(finding.mismatches > 0 && finding.mismatches < finding.vectors);
    assert!(finding.sequences[0].ptx.as_ref().is_some_and(|ptx| ptx.contains("add.rn.ftz.f32")));
    assert!(text(&found).contains("flushed"), "{}", text(&found));
    let permitted = summary("flushed", &["ftz"]);
    let right = permitted.verdict() == reports::Verdict::Agree;
    assert!(right && permitted.totals.cells > 6, "{}", text(&permitted));
}

/// A compiler that approximates unasked is told of, and one that may approximate is not. Nobody knows what an
/// approximation gives: that of the emulator is the nearest number, and right by chance.
#[test]
fn what_approximates_unasked_is_told_and_where_it_is_permitted_not() {
    let found = summary("approximate", &["default"]);
    let classes: Vec<_> = failing(&found).iter().map(|finding| finding.class.as_str()).collect();
    assert_eq!(classes, ["computed/operator/div.f32", "computed/operator/reciprocal.f32"]);
    let found = summary("approximate", &["!prec-div"]);
    assert!(!failing(&found).iter().any(|finding| finding.class.contains("div")), "{}", text(&found));
}

/// Returns the names of the flaws that explain each class of the findings that fail.
fn causes(report: &CompilerReport) -> Vec<Vec<String>> {
    let classes = failing(report).into_iter().flat_map(|finding| &finding.classes);
    let flaws =
        |class: &reports::Class| class.explanation.clone().map(|of| of.flaws).unwrap_or_default();
    classes.map(flaws).collect()
}

/// What the compiled instructions show of a wrong row is its cause in the report, and nothing is unexplained.
#[test]
fn a_cause_that_the_instructions_show_is_told() {
    for (faults, row, option, cause) in [
        ("contracted", "sequence/mul-add.f32", "!fma", "contracted"),
        ("flushed", "sequence/mul-add.f32", "default", "flushed"),
        ("approximate", "operator/div.f32", "default", "approximation"),
    ] {
        let report = rows_of(&tiny(faults), &[row], &[option]);
        let told = text(&report);
        let causes = causes(&report);
        assert!(!causes.is_empty(), "{told}");
        assert!(causes.iter().flatten().all(|flaw| flaw == cause), "{causes:?}: {told}");
        assert!(causes.iter().all(|flaws| flaws.len() == 1), "{causes:?}: {told}");
        let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("a model with this fault gives"), "{told}");
        assert!(!words.contains("unexplained"), "{told}");
    }
}

/// What is wrong of programs for a known cause has that cause in its class and in the report.
#[test]
fn a_cause_of_wrong_programs_is_told() {
    let operations = [ProgramOperation::Mul, ProgramOperation::Add];
    for (faults, operations, class) in [
        ("contracted", &operations[..], "computed/program/contracted.f32"),
        ("flushed", &operations[1..], "computed/program/flushed.f32"),
        ("unrounded", &operations[..], "computed/program/unrounded.f32"),
        ("approximate", &[ProgramOperation::Div], "computed/program/approximation-dependent/div.f32"),
    ] {
        let option = if faults == "approximate" || faults == "flushed" { "default" } else { "!fma" };
        let found = found_of(faults, operations, &[option], 64);
        let report = of_programs(&tiny(faults), &usual(), &found, 0, Started::now());
        let told = text(&report);
        assert_eq!(failing(&report).iter().map(|of| &*of.class).collect::<Vec<_>>(), [class], "{told}");
        let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("a model with this fault gives"), "{told}");
        assert!(!words.contains("unexplained"), "{told}");
    }
}

fn score(options: &[&str], vectors: u64) -> Score {
    score_of("", options, vectors)
}

fn score_of(faults: &str, options: &[&str], vectors: u64) -> Score {
    let compiler = tiny(faults);
    let options = PromiseSelection {
        only: ["operator/???.f32", "operator/reciprocal.f32", "function/*.f32"].map(Into::into).into(),
        targets: vec!["sm_90".into()],
        settings: options.iter().map(|word| (*word).to_owned()).collect(),
    };
    let cells = promises::compile(&compiler, &options).unwrap();
    promises::prove(&cells, vectors, 2, &AtomicBool::new(false)).unwrap()
}

#[test]
fn mutants_of_what_is_right_are_caught() {
    let score = score(&["default"], 256);
    // add, sub, mul, div, reciprocal, sqrt, fma, neg, abs, copysign, min and max.
    assert_eq!(score.functions, 12, "{}", score.text());
    assert!(score.survivors.is_empty() && score.permitted.is_empty(), "{score:#?}");
    let count = |edit: &str| [score.edits[edit]["mutants"], score.edits[edit]["caught"]];
    // The mutants are: `.ftz` of all but `copysign`, three roundings of seven, `.full` and `.approx` of two
    // quotients and one root, a constant, a fused multiply-add, three that can be exchanged.
    assert_eq!(count("flushing"), [11, 11]);
    assert_eq!(count("rounding"), [21, 21]);
    assert_eq!(count("precision"), [5, 5]);
    assert_eq!([count("constant"), count("taken apart")], [[1, 1], [1, 1]]);
    assert_eq!(count("exchanged"), [3, 3]);
    assert!(score.text().contains("precision"), "{}", score.text());
}

#[test]
fn what_is_wrong_is_not_changed() {
    // The sums of this compiler flush.
    let score = score_of("flushed", &["default"], 256);
    assert_eq!(score.functions, 11, "{}", score.text());
}

#[test]
fn where_flushing_is_permitted_its_mutants_are() {
    let score = score(&["ftz"], 64);
    let flushing = &score.edits["flushing"];
    assert!(flushing["left-open"] > 4, "{}", score.text());
    let named = |one: &Survivor| REASONS.iter().any(|reason| reason.id == one.why);
    assert!(score.permitted.iter().all(named), "{:?}", score.permitted);
}

/// Mutants that too few vectors miss survive: one vector shows little, and a mutant that only more vectors would show
/// is none that a reason permits.
#[test]
fn what_few_vectors_miss_survives() {
    let score = score(&["default"], 1);
    assert!(score.survivors.iter().any(|one| one.why.starts_with("wrong at ")), "{}", score.text());
    assert!(score.text().contains("SURVIVED"), "{}", score.text());
}

#[test]
fn refusals_deaths_and_what_is_not_executed_are_counted() {
    let found = summary("refuses unknown", &["default"]);
    let totals = found.totals;
    assert_eq!([totals.cells, totals.right, totals.refused, totals.unexecuted], [6, 3, 2, 1]);
    assert_eq!(found.verdict(), reports::Verdict::Agree, "{}", text(&found));
    let words = |class: &str| {
        let finding = found.findings.iter().find(|finding| finding.class == class);
        finding.and_then(|finding| finding.words.as_deref())
    };
    assert_eq!(words("unexecuted/function/sqrt.f32"), Some("frobnicate.f32"));
    assert_eq!(words("refused/operator/div.f32"), Some("no division"));
    let found = summary("dies", &["default"]);
    assert_eq!([found.totals.cells, found.totals.right, found.totals.died], [6, 5, 1]);
    let [finding] = failing(&found)[..] else { panic!("{}", text(&found)) };
    assert_eq!(finding.class, "died/function/sqrt.f32");
    assert_eq!(finding.words.as_deref(), Some("signal 4"));
}

#[test]
fn what_is_not_there_is_an_error_that_says_what_is() {
    let compiler = tiny("");
    let error = |only: &str, setting: &str| {
        let options = PromiseSelection {
            only: vec![only.into()],
            targets: Vec::new(),
            settings: vec![setting.into()],
        };
        promises::compile(&compiler, &options).unwrap_err().to_string()
    };
    assert!(error("nothing*", "ftz").contains("compilers list"), "{}", error("nothing*", "ftz"));
    let settings = error("operator/add.f32", "fast");
    assert!(settings.contains("`ftz !fma`"), "{settings}");
}

/// A cell of which some was not tried is wrong or not known: a failure counts whatever was not tried, and nothing
/// is right before all was.
#[test]
fn a_cell_of_which_some_was_not_tried_is_wrong_or_not_known() {
    let compiler = tiny("approximate");
    let options = PromiseSelection {
        only: vec!["operator/div.f32".into()],
        targets: vec!["sm_90".into()],
        settings: vec!["!prec-div".into()],
    };
    let cells = promises::compile(&compiler, &options).unwrap();
    let cell = &cells[..1];
    let stop = AtomicBool::new(false);
    let whole = promises::compute(cell, 256, 2, &stop).unwrap();
    let mismatches =
        |computed: &promises::Computed| cell[0].computed(computed).map(|report| report.mismatches);
    // The row is tried with the nearest, the lowest and the highest results of approximations.
    assert_eq!((whole.len(), mismatches(&whole)), (3, Some(0)));
    let mut partial = whole.clone();
    partial.pop_first();
    assert_eq!(mismatches(&partial), None);
    partial.values_mut().next().unwrap().mismatches = 5;
    assert_eq!(mismatches(&partial), Some(5));
}

/// A lane that does what it may not do is wrong and ends nothing: that of an instruction's row and that of an
/// expression's fail, and the others are tried all the same.
#[test]
fn what_a_lane_may_not_do_is_wrong_and_ends_nothing() {
    for faults in ["unset", "endless", "endless mistaken"] {
        let only = ["operator/add.f32", "operator/mul.f32", "sequence/mul-add.f32"];
        let report = rows_of(&tiny(faults), &only, &["default"]);
        let totals = &report.totals;
        assert_eq!([totals.cells, totals.right, totals.wrong], [3, 1, 2], "{}", text(&report));
        let classes: Vec<&str> = failing(&report).iter().map(|of| &*of.class).collect();
        assert_eq!(classes, ["computed/operator/add.f32", "computed/sequence/mul-add.f32"]);
        let words = "bra: the program does not come to an end";
        assert_eq!(text(&report).contains(words), faults != "unset", "{}", text(&report));
        // Where a sum is not zero, it is judged.
        let most = report.findings.iter().map(|of| of.mismatches).max();
        assert_eq!(most > Some(20), faults != "endless", "{}", text(&report));
    }
}

/// Functions are wrong where they may not end, or take something else than they are given: it is not known what a
/// register holds, what a function is given, or both.
#[test]
fn what_may_not_end_and_what_takes_something_else_are_wrong() {
    for (faults, wrong, words) in [
        ("stuck", 1, "bra: the program does not come to an end"),
        ("wide", 2, "the arguments of the call do not match the function's parameters"),
    ] {
        let report = rows_of(&tiny(faults), &["operator/add.f32", "operator/mul.f32"], &["default"]);
        let totals = &report.totals;
        assert_eq!([totals.right, totals.wrong], [2 - wrong, wrong], "{}", text(&report));
        assert!(text(&report).contains(words), "{}", text(&report));
        let found = found_of(faults, &[ProgramOperation::Add], &["default"], 16);
        assert_eq!((found.wrong, found.with_illegal), (0, 0), "{faults}");
        assert_eq!(found.unexecuted.keys().collect::<Vec<_>>(), [words], "{faults}");
    }
}

/// Operands may be flushed and results kept: in LLVM's language results need not be flushed, but no instruction
/// does that; and where nothing may be flushed, it is wrong.
#[test]
fn operands_may_be_flushed_and_results_kept() {
    let of = |option| rows_of(&tiny("keeps"), &["operator/mul.f32", "operator/add.f32"], &[option]);
    let report = of("ftz");
    assert_eq!(report.verdict(), reports::Verdict::Agree, "{}", text(&report));
    let totals = &report.totals;
    assert_eq!((totals.selected, totals.right), (0, totals.cells));
    assert_eq!(of("default").totals.selected, 2);
}

/// Returns what is searched in the tiny compiler by default.
pub fn usual() -> Search {
    let usual = Search::usual(Language::Llvm, 0, 2);
    // The tiny compiler has these operations.
    let mut operations = usual.plan.operations.clone();
    operations.retain(|operation| !matches!(operation, ProgramOperation::Rem | ProgramOperation::Round));
    let plan = DrawPlan { types: vec![Type::F32], operations, integers: Vec::new(), ..usual.plan };
    Search { plan, targets: vec!["sm_90".into()], ..usual }
}

/// Returns what a number of programs find.
pub fn searched(compiler: &Compiler, what: &Search, count: u64) -> SearchOutcome {
    let mut found = SearchOutcome::default();
    search(compiler, what, 0, count, &mut found, &mut |_| true).unwrap();
    found
}

fn found(faults: &str, count: u64) -> SearchOutcome {
    searched(&tiny(faults), &usual(), count)
}

/// Returns the search of [`usual`] for these operations alone, under settings with these words.
pub fn usual_of(operations: &[ProgramOperation], words: &[&str]) -> Search {
    let usual = usual();
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let settings = Setting::matching(usual.settings, &words).unwrap();
    let plan = DrawPlan { operations: operations.to_vec(), ..usual.plan };
    Search { plan, settings, ..usual }
}

fn found_of(faults: &str, operations: &[ProgramOperation], words: &[&str], count: u64) -> SearchOutcome {
    searched(&tiny(faults), &usual_of(operations, words), count)
}

#[test]
fn a_right_compiler_has_no_wrong_programs() {
    let found = found("", 256);
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    // There are ten settings; programs with constants come in three spellings.
    let with_constants =
        (0..256).filter(|&index| !usual().plan.program(0, index).constants().is_empty());
    let functions = 10 * (256 + 2 * with_constants.count() as u64);
    assert_eq!((found.programs, found.right), (256, functions));
    assert!(found.unexecuted.is_empty() && found.refused.is_empty() && found.died.is_empty());
    assert!(found.pairs.open.is_empty(), "{:?}", found.pairs);
}

#[test]
fn a_planted_defect_is_found_named_and_made_simple() {
    let found = found("reciprocal", 256);
    let [finding] = &found.findings[..] else { panic!("{:?}", found.findings) };
    let defects = finding.wrong.defects.expect("it is known");
    assert_eq!(defects.names(), "reciprocal");
    assert_eq!(finding.program.kinds(), "div.f32");
    let right: Vec<Spelling> = finding.blame.right_as().collect();
    assert_eq!(right, [Spelling::Parameters, Spelling::Memory, Spelling::Opaque(1)]);
    // Without `prec-div` the result is within the bound, and `arcp` permits it.
    assert_eq!(finding.everywhere.len(), 7, "{:?}", finding.everywhere);
    assert!(finding.blame.levels.iter().all(|(_, verdict)| *verdict == Verdict::Wrong));
    let neighbour = finding.neighbour.as_ref().expect("a quotient by one, or a product");
    assert_eq!(neighbour.operations(), 1);
    assert!(!finding.wrong.permitted.contains(&finding.wrong.result));
}

#[test]
fn what_kills_a_compiler_is_counted_and_made_simple() {
    let found = found("dies unknown", 64);
    assert!(found.died.get("signal 4").is_some_and(|count| *count > 0), "{:?}", found.died);
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let [fatal] = &found.fatal[..] else { panic!("{:?}", found.fatal) };
    assert_eq!((fatal.kind, &*fatal.words), ("died", "signal 4"));
    assert_eq!(fatal.program.operations(), 1, "{}", fatal.source(Language::Llvm));
}

#[test]
fn what_is_wrong_of_constants_in_memory_alone_is_found() {
    let found = found("forgetful", 64);
    let [finding, ..] = &found.findings[..] else { panic!("nothing is found") };
    assert_eq!(finding.spelling, Spelling::Memory);
    let right: Vec<Spelling> = finding.blame.right_as().collect();
    assert_eq!(right[..2], [Spelling::Plain, Spelling::Parameters]);
    let told = told(&found, &tiny("forgetful"));
    assert!(told.contains("right if its constant is a literal, or if its constant is a"), "{told}");
    assert!(told.contains("[c0]"), "{told}");
}

/// A compiler that wavers is told of: a function that is compiled for the first time is wrong, and the same
/// function is right from then on.
#[test]
fn a_compiler_that_wavers_is_told() {
    let what = Search { jobs: 1, ..usual_of(&[ProgramOperation::Add], &["default"]) };
    let compiler = tiny("flushed wavers");
    let found = searched(&compiler, &what, 64);
    let [finding, ..] = &found.findings[..] else { panic!("nothing is found") };
    assert!(finding.wavers && finding.everywhere.is_empty(), "{finding:?}");
    let told = told(&found, &compiler);
    assert!(told.contains("when it is compiled once more, it gives different results"), "{told}");
    let steady = found_of("flushed", &[ProgramOperation::Add], &["default"], 64);
    assert!(steady.findings.iter().all(|finding| !finding.wavers), "{:?}", steady.findings);
}

/// Returns what the terminal shows of programs, without breaks of lines.
fn told(found: &SearchOutcome, compiler: &Compiler) -> String {
    let report = of_programs(compiler, &usual(), found, 0, Started::now());
    text(&report).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A finding is blamed on the first level at which it is wrong, on a version, and on the operation where the product
/// is seen.
#[test]
fn a_finding_is_blamed_on_a_level_a_version_and_an_operation() {
    let right = "exec:python3 harness/cli/tests/compilers/tiny.py".to_owned();
    let wrong = format!("{right} signless");
    let operations = vec![ProgramOperation::Mul, ProgramOperation::Neg];
    let usual = usual();
    let plan = DrawPlan { operations, ..usual.plan };
    let what = Search { plan, versions: vec![right, wrong], ..usual };
    let compiler = tiny("signless late");
    let found = searched(&compiler, &what, 128);
    let [finding] = &found.findings[..] else { panic!("{:?}", found.findings) };
    assert_eq!(finding.program.kinds(), "mul.f32 neg.f32");
    let verdicts =
        |all: &[(String, Verdict)]| -> Vec<Verdict> { all.iter().map(|(_, of)| *of).collect() };
    use Verdict::{Right, Wrong};
    assert_eq!(verdicts(&finding.blame.levels), [Right, Right, Wrong, Wrong]);
    assert_eq!(verdicts(&finding.blame.versions), [Right, Wrong]);
    let product = finding.program.values().len() - 2;
    assert!(finding.blame.right_as().any(|spelling| spelling == Spelling::Opaque(product)));
    let told = told(&found, &compiler);
    let hidden = format!("right if %v{product} is hidden from the optimiser");
    assert!(told.contains(&hidden), "{told}");
    assert!(told.contains("level -O0 right, -O1 right, -O2 wrong, -O3 wrong"), "{told}");
    assert!(told.contains("version 1 right, 1 wrong"), "{told}");
    assert!(told.contains("for comparison, this is right:"), "{told}");
    // The report has the same, in fields of their own, and the text names the class as the report does.
    let report = of_programs(&compiler, &what, &found, 0, Started::now());
    let [finding] = failing(&report)[..] else { panic!("{told}") };
    assert!(told.contains(&finding.class), "{told}");
    let of = finding.circumstances.as_ref().expect("it was looked into");
    let outcomes = |all: &[reports::compilers::Condition]| -> Vec<Verdict> {
        all.iter().map(|condition| condition.verdict).collect()
    };
    assert_eq!(outcomes(&of.levels), [Right, Right, Wrong, Wrong]);
    assert_eq!(outcomes(&of.versions), [Right, Wrong]);
    assert!(
        of.neighbour.as_ref().is_some_and(|source| source.starts_with("define float @f(")),
        "{of:?}"
    );
}

/// A difference that depends on an approximation is a class of its own: the nearest results are right, and not all
/// that the bound allows are.
#[test]
fn what_depends_on_an_approximation_is_a_class_of_its_own() {
    let found = found_of("approximate", &[ProgramOperation::Div], &["default"], 32);
    let [finding] = &found.findings[..] else { panic!("{:?}", found.findings) };
    assert!(finding.wrong.approximation.is_end() && finding.program.kinds() == "div.f32");
    let told = told(&found, &tiny("approximate"));
    assert!(told.contains("computed/program/approximation-dependent/div.f32"), "{told}");
    assert!(
        told.contains("right if each approximate instruction gives its nearest result, and wrong if"),
        "{told}"
    );
    // Where options permit the approximation, it is right with all of them.
    let permitted = found_of("approximate", &ProgramOperation::ALL[..6], &["!prec-div"], 64);
    assert!(permitted.findings.is_empty(), "{:?}", permitted.findings);
    assert!(permitted.right > 64 && permitted.vectors > 1000);
}

/// Twins tell what no set of results does: too much is permitted of a difference of approximate quotients, and none
/// of it is NaN.
#[test]
fn twins_tell_what_no_set_of_results_does() {
    let operations = [ProgramOperation::Sub, ProgramOperation::Div];
    let right = found_of("", &operations, &["!prec-div"], 128);
    assert!(right.pairs.compared > 0 && right.pairs.open.is_empty(), "{:?}", right.pairs);
    assert!(right.findings.is_empty(), "{:?}", right.findings);
}

#[test]
fn the_same_is_found_by_any_number_of_threads() {
    let found = |jobs| {
        let what = Search { jobs, ..usual() };
        let found = searched(&tiny("reciprocal approximate"), &what, 96);
        format!("{found:?}")
    };
    assert_eq!(found(1), found(3));
}
