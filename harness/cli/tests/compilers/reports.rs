//! Tests of reports of compilers: what they say, that they can be read, waived and replayed, and what is refused.

use cli::waivers::Waivers;
use compilers::Compiler;
use compilers::language::Language;
use compilers::program::{Node, Program, ProgramOperation, Spelling, Type};
use compilers::program_verdict::{Lack, WrongResult};
use compilers::replay::replay;
use compilers::report::{Started, add_texts, of_programs};
use compilers::search::{Blame, EquivalentPair, Search, SearchOutcome, WrongProgram, json, search};
use compilers::setting::Setting;
use compilers::unit::Approximation;
use reports::compilers::{CompilerReport, Standing};
use reports::{AnyReport, Verdict, sealed};

use super::promises::{failing, rows, searched, text, tiny, usual, usual_of};

/// Writes a report, and returns it as it is read again.
fn again(report: &CompilerReport) -> CompilerReport {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    reports::save(report, &path).unwrap();
    let AnyReport::Compiler(read) = reports::load_any(&path).unwrap() else { panic!("of a compiler") };
    *read
}

/// Asserts that a report fits the published schema.
fn fits(report: &CompilerReport) {
    let schema = serde_json::from_str(reports::schema::COMPILERS_JSON).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let value = serde_json::to_value(report).unwrap();
    let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(report.contradictions(), Vec::<String>::new());
}

#[test]
fn reports_are_read_as_they_were_written() {
    let report = rows(&tiny("flushed refuses unknown"), &["default"]);
    assert_eq!(again(&report), sealed(report.clone()));
    fits(&report);
    fits(&report.clone().compact());
    assert!(report.changes(&report).is_empty());
    let other = rows(&tiny("refuses unknown"), &["default"]);
    let changes = report.changes(&other);
    let changed: Vec<_> = changes.iter().map(|of| (&*of.class, of.before, of.after)).collect();
    assert_eq!(changed, [("computed/operator/add.f32", 1, 0)]);
}

#[test]
fn what_a_lane_may_not_do_is_done_again() {
    for (faults, results) in [("endless", 0), ("unset", 3)] {
        let report = rows(&tiny(faults), &["default"]);
        fits(&report);
        let [finding] = failing(&report)[..] else { panic!("{}", text(&report)) };
        for (faults, fails) in [(faults, true), ("", false)] {
            let replayed = replay(&tiny(faults), &report, finding, None).unwrap();
            let vector = &replayed[0].vectors[0];
            assert_eq!((replayed[0].fails, vector.is_wrong), (fails, fails), "{replayed:?}");
            assert_eq!(vector.all.len(), if fails { results } else { 1 }, "{vector:?}");
            let ends = !vector.result.contains("the program does not come to an end");
            assert_eq!(ends, results > 0 || !fails, "{vector:?}");
        }
    }
}

/// Returns the findings of results that differ where they must not.
fn indifferent(report: &CompilerReport) -> Vec<&reports::compilers::Finding> {
    failing(report).into_iter().filter(|of| of.kind() == "indifferent").collect()
}

/// An option that must not matter, but does, is told: both results are right, since `.full` permits what `.rn`
/// gives, and the option is of another operation.
#[test]
fn an_option_that_must_not_matter_does() {
    let found = rows(&tiny("restless"), &["!prec-div"]);
    let [finding] = indifferent(&found)[..] else { panic!("{}", text(&found)) };
    assert_eq!(finding.class, "indifferent/operator/div.f32");
    let instructions = finding.sequences.iter().map(|of| &of.instructions[0][..]);
    assert_eq!(instructions.collect::<Vec<_>>(), ["div.full.f32", "div.rn.f32"]);
    for (faults, fails) in [("restless", true), ("", false)] {
        let replayed = replay(&tiny(faults), &found, finding, None).unwrap();
        assert!(replayed.len() == 2 && replayed.iter().all(|of| !of.vectors[0].is_wrong));
        assert_eq!(replayed[0].fails, fails, "{replayed:?}");
    }
    let found = rows(&tiny(""), &["!prec-div"]);
    assert_eq!(found.verdict(), Verdict::Agree, "{}", text(&found));
    // This is right whatever a register holds that nothing set, and compared as any other is.
    let found = rows(&tiny("undecided"), &["!prec-div"]);
    let [finding] = indifferent(&found)[..] else { panic!("{}", text(&found)) };
    assert_eq!(finding.class, "indifferent/operator/div.f32");
}

#[test]
fn what_failed_is_done_again() {
    let report = rows(&tiny("flushed dies"), &["default"]);
    let classes: Vec<&str> = failing(&report).iter().map(|of| &*of.class).collect();
    assert_eq!(classes, ["computed/operator/add.f32", "died/function/sqrt.f32"]);
    for (faults, fails) in [("flushed dies", [true, true]), ("", [false, false])] {
        let compiler = tiny(faults);
        for (finding, fails) in failing(&report).into_iter().zip(fails) {
            let replayed = replay(&compiler, &report, finding, None).unwrap();
            assert_eq!(replayed[0].fails, fails, "{faults}: {replayed:?}");
        }
    }
    let replayed = replay(&tiny(""), &report, failing(&report)[0], None).unwrap();
    assert_eq!(replayed[0].instructions, ["add.rn.f32"]);
    let vector = &replayed[0].vectors[0];
    assert_eq!(vector.permitted, std::slice::from_ref(&vector.result));
}

/// A report decides neither options nor rows: a file may not have a compiler do what the suite does not.
#[test]
fn a_report_decides_neither_options_nor_rows() {
    let compiler = tiny("flushed");
    let report = rows(&compiler, &["default"]);
    let refused = |change: &dyn Fn(&mut CompilerReport), words: &str| {
        let mut report = report.clone();
        change(&mut report);
        let error = replay(&compiler, &report, failing(&report)[0], None).unwrap_err().to_string();
        assert!(error.contains(words) && error.lines().count() == 1, "{error}");
    };
    let options = |report: &mut CompilerReport| {
        report.work.settings.get_mut("default").unwrap().push("-load=evil.so".into());
    };
    refused(&options, "options for `default` are not those");
    refused(&|report| report.findings[0].class = "computed/\u{1b}[2J".into(), "no row of the class");
    refused(&|report| report.findings[0].sequences.clear(), "no source");
    refused(&|report| report.findings[0].sequences[0].places.clear(), "names no target and setting");
    refused(&|report| report.compiler.language = "cuda".into(), "the report is about cuda");
    let place = |report: &mut CompilerReport| {
        report.findings[0].sequences[0].places[0].settings[0] = "evil".into();
    };
    refused(&place, "`evil` is not a setting");
    refused(
        &|report| report.findings[0].classes[0].simplest.as_mut().unwrap().operands.truncate(1),
        "takes 2 operands, not 1",
    );
}

/// Returns the report of a number of programs.
fn report_of(compiler: &Compiler, what: &Search, count: u64) -> CompilerReport {
    let found = searched(compiler, what, count);
    let mut report = of_programs(compiler, what, &found, 0, Started::now());
    add_texts(compiler, &mut report).unwrap();
    report
}

/// A program that kills a compiler is reported with its source, which is as small as any and kills the compiler
/// again.
#[test]
fn what_kills_a_compiler_is_reported_with_its_source() {
    let report = report_of(&tiny("dies"), &usual(), 64);
    fits(&report);
    let [finding] = failing(&report)[..] else { panic!("{}", text(&report)) };
    assert_eq!((&*finding.class, finding.words.as_deref()), ("died/program", Some("signal 4")));
    let source = finding.sequences[0].source.as_ref().expect("a source");
    assert_eq!(source.matches(" = ").count(), 1, "{source}");
    assert!(source.contains("@llvm.sqrt"), "{source}");
    for (faults, fails) in [("dies", true), ("", false)] {
        let replayed = replay(&tiny(faults), &report, finding, None).unwrap();
        assert_eq!(replayed[0].fails, fails, "{replayed:?}");
    }
}

/// A product and a sum without a rounding modifier, which an assembler may fuse, are told of under a setting where the
/// language does not permit that.
#[test]
fn what_an_assembler_may_fuse_is_told_where_nothing_may_be() {
    let of = |faults: &str, fma: &str| {
        let words = [fma, "optimised", "!nnan", "!arcp"];
        report_of(&tiny(faults), &usual_of(&[ProgramOperation::Add, ProgramOperation::Mul], &words), 256)
    };
    let report = of("unrounded", "!fma");
    fits(&report);
    let [finding] = failing(&report)[..] else { panic!("{}", text(&report)) };
    assert_eq!(finding.class, "computed/program/unrounded.f32");
    for (faults, fails) in [("unrounded", true), ("", false)] {
        let replayed = replay(&tiny(faults), &report, finding, None).unwrap();
        assert_eq!(replayed[0].fails, fails, "{replayed:?}");
    }
    assert_eq!(of("unrounded", "fma").verdict(), Verdict::Agree);
    assert_eq!(of("", "!fma").verdict(), Verdict::Agree);
}

/// A program that is wrong for one reason does not hide another that is wrong for another reason.
#[test]
fn sums_that_read_nothing_and_sums_that_are_products_are_two_findings() {
    let what = usual_of(&[ProgramOperation::Add], &["default"]);
    let mut found = searched(&tiny("unset"), &what, 64);
    let [unset] = &found.findings[..] else { panic!("{:?}", found.findings) };
    assert_eq!(unset.wrong.lacks, Some(Lack::Set));
    search(&tiny("mistaken"), &what, 64, 64, &mut found, &mut |_| true).unwrap();
    let lacks: Vec<_> = found.findings.iter().map(|finding| finding.wrong.lacks).collect();
    assert_eq!(lacks, [Some(Lack::Set), None]);
}

/// A function that has several faults counts as one cell.
#[test]
fn cells_are_as_many_as_functions() {
    let report = report_of(&tiny("unknown"), &usual(), 64);
    let totals = &report.totals;
    assert!(totals.unexecuted > 0, "{totals:?}");
    let right = report_of(&tiny(""), &usual(), 64);
    assert_eq!(totals.cells, right.totals.cells);
}

/// A difference that depends on an approximation is replayed with a wrong result: the nearest result is right, and
/// the one that is told is not.
#[test]
fn what_depends_on_an_approximation_is_done_again_with_what_is_wrong() {
    let compiler = tiny("approximate");
    let report = report_of(&compiler, &usual_of(&[ProgramOperation::Div], &["default"]), 32);
    let [finding] = failing(&report)[..] else { panic!("{}", text(&report)) };
    let replayed = replay(&compiler, &report, finding, None).unwrap();
    let [vector] = &replayed[0].vectors[..] else { panic!("{replayed:?}") };
    assert!(vector.is_wrong && !vector.permitted.contains(&vector.result), "{vector:?}");
}

#[test]
fn programs_are_reported_in_the_same_form() {
    let what = usual();
    let report = report_of(&tiny("reciprocal"), &what, 256);
    fits(&report);
    assert_eq!(again(&report), sealed(report.clone()));
    let [finding] = failing(&report)[..] else { panic!("{}", text(&report)) };
    assert_eq!(finding.class, "computed/program/reciprocal.f32");
    // Programs with constants are cells in more than one spelling.
    assert!(report.totals.cells > (what.settings.len() * 256) as u64, "{:?}", report.totals);
    assert_eq!(report.totals.right + report.totals.wrong, report.totals.cells);
    assert!(finding.sequences[0].instructions.contains(&"rcp.rn.f32".into()), "{finding:?}");
    assert!(text(&report).contains("right if a constant is a parameter"), "{}", text(&report));
    for (faults, fails) in [("reciprocal", true), ("", false)] {
        let replayed = replay(&tiny(faults), &report, finding, None).unwrap();
        assert_eq!(replayed[0].fails, fails, "{replayed:?}");
    }
}

/// A class of programs has one name: the one that the terminal shows and JSON has can be handed to `replay
/// --class`. JSON lacks nothing of the report.
#[test]
fn a_class_of_programs_has_one_name() {
    let (compiler, what) = (tiny("reciprocal approximate dies unknown"), usual());
    let found = searched(&compiler, &what, 96);
    let report = of_programs(&compiler, &what, &found, 0, Started::now());
    let classes: Vec<&str> = report.findings.iter().map(|finding| &*finding.class).collect();
    let printed = json("tiny 1", &compiler, &what, &found, &report);
    for (kind, most) in [("findings", 2), ("fatal", 1)] {
        let of_json = printed[kind].as_array().unwrap();
        assert!(of_json.len() >= most, "{printed}");
        for one in of_json {
            let class = one["class"].as_str().unwrap();
            assert!(classes.contains(&class), "{class}: {classes:?}");
            let command = format!("replay r.json --class {class}");
            let style = reports::Style { replay: Some("r.json".into()), ..Default::default() };
            let shown = reports::compiler_summary(&report, &style);
            assert!(shown.contains(&command), "{command}: {shown}");
        }
    }
    assert_eq!(printed["report"], serde_json::to_value(&report).unwrap());
    let one = &printed["findings"][0];
    for field in ["source", "operands", "result", "permitted", "first", "everywhere", "levels", "seed"] {
        assert!(!one[field].is_null(), "{field}: {one}");
    }
    let of = report.findings.iter().find_map(|finding| finding.circumstances.as_ref()).unwrap();
    assert!(of.levels.len() == 4 && of.neighbour.is_some() && !of.compiled_by.is_empty(), "{of:?}");
}

/// Programs are replayed however their constants stand in the source, and where two functions differ.
#[test]
fn programs_are_done_again_in_every_spelling() {
    let what = Search::usual(Language::Llvm, 0, 1);
    // The program is a sum of two subnormal numbers, which is flushed.
    let apply = Node::Apply(ProgramOperation::Add, vec![0, 1]);
    let nodes = [Node::Parameter, Node::Constant(2), apply];
    let program = Program::new(nodes.into_iter().map(|node| (Type::F32, node)).collect());
    let (operands, due) = (vec![1], 3);
    let wrong = WrongResult {
        operands: operands.clone(),
        result: 0,
        permitted: vec![due],
        mismatches: 1,
        lacks: None,
        approximation: Approximation::Nearest,
        approximates: false,
        results: vec![0],
        defects: None,
    };
    let (target, setting) = ("sm_90".to_owned(), Setting::default());
    for (spelling, names) in [
        (Spelling::Plain, &["a"][..]),
        (Spelling::Parameters, &["a", "c0"]),
        (Spelling::Memory, &["a", "[c0]"]),
    ] {
        let finding = WrongProgram {
            index: 7,
            program: program.clone(),
            spelling,
            target: target.clone(),
            setting,
            wrong: wrong.clone(),
            wavers: false,
            everywhere: Vec::new(),
            blame: Blame::default(),
            neighbour: None,
        };
        let results = [due, 0].map(|bits| (target.clone(), setting, bits));
        let (program, operands) = (program.clone(), operands.clone());
        let pair =
            EquivalentPair { count: 1, proven: true, index: 8, program, spelling, operands, results };
        let mut found = SearchOutcome { wrong: 1, findings: vec![finding], ..SearchOutcome::default() };
        found.pairs.open.insert("twin/levels add.f32".into(), pair);
        let report = of_programs(&tiny(""), &what, &found, 0, Started::now());
        fits(&report);
        assert_eq!(report.verdict(), Verdict::Mismatches);
        let [computed, differing] = failing(&report)[..] else { panic!("{}", text(&report)) };
        assert_eq!(differing.class, "indifferent/program/twin/levels.add.f32");
        for finding in [computed, differing] {
            let example = finding.classes[0].simplest.as_ref().unwrap();
            assert_eq!(example.operands.iter().map(|datum| &*datum.name).collect::<Vec<_>>(), names);
        }
        for (faults, fails) in [("flushed", true), ("", false)] {
            let replayed = replay(&tiny(faults), &report, computed, None).unwrap();
            assert_eq!(replayed[0].fails, fails, "{spelling}: {replayed:?}");
        }
        // With this compiler the two functions are one.
        assert!(!replay(&tiny(""), &report, differing, None).unwrap()[0].fails);
    }
}

fn waivers(entries: &[[&str; 3]]) -> anyhow::Result<Waivers> {
    let entries: Vec<_> = entries
        .iter()
        .map(|[compiler, class, reason]| {
            serde_json::json!({ "compiler": compiler, "class": class, "reason": reason })
        })
        .collect();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("waivers.json");
    std::fs::write(&path, serde_json::json!({ "waivers": entries }).to_string())?;
    Waivers::load(&path)
}

#[test]
fn what_is_known_does_not_fail_and_what_is_over_does() {
    let apply = |faults: &str, entries: &[[&str; 3]]| {
        let mut report = rows(&tiny(faults), &["default"]);
        let only = ["operator/*.f32".into()];
        let tried: Vec<&str> = compilers::rows::matching(&only).map(|row| &*row.name).collect();
        waivers(entries).unwrap().apply_to_compiler(&mut report, &tried);
        report
    };
    let known = ["exec*", "computed/operator/add.*", "it flushes"];
    let report = apply("flushed", &[known]);
    assert_eq!(report.verdict(), Verdict::Agree, "{}", text(&report));
    assert!(report.findings.iter().any(|of| of.status == Standing::Waived && of.waiver.is_some()));
    // These waivers are for another compiler, or for another class.
    for other in
        [["nvrtc", "computed/operator/add.*", "known"], ["exec*", "died/operator/add.f32", "known"]]
    {
        let report = apply("flushed", &[other]);
        assert_eq!(report.verdict(), Verdict::Mismatches);
    }
    let report = apply("", &[known]);
    assert_eq!(report.verdict(), Verdict::Mismatches, "{}", text(&report));
    let stale = "the waiver of computed/operator/add.* for exec* covers nothing any more: remove it";
    assert_eq!(report.stale, [stale]);
    // A waiver of something that was not tried is not over.
    let report = apply("", &[["exec*", "computed/cast/s32.f32", "known"]]);
    assert_eq!(report.verdict(), Verdict::Agree);
    let refused = |entry: [&str; 3], words: &str| {
        let error = format!("{:#}", waivers(&[entry]).unwrap_err());
        assert!(error.contains(words), "{error}");
    };
    refused(["exec*", "computed/operator/ad.f32", "known"], "matches no row");
    refused(["exec*", "computed/operator/add.f32", " "], "has no reason");
}
