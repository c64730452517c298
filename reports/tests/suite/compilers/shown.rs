//! Tests of what a summary tells of a compiler's report, and what it leaves out.

use reports::compilers::{Circumstances, Condition, ConditionOutcome, Origin};

use super::*;

/// Returns a summary without breaks of lines.
fn text(report: &CompilerReport) -> String {
    let style = Style { replay: Some("r.json".into()), ..Style::default() };
    compiler_summary(report, &style).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the summary of the sample with its first finding changed.
fn with(change: impl FnOnce(&mut Finding)) -> String {
    let mut report = sample();
    change(&mut report.findings[0]);
    text(&report)
}

fn has(text: &str, part: &str) {
    assert!(text.contains(part), "{part}: {text}");
}

fn lacks(text: &str, part: &str) {
    assert!(!text.contains(part), "{part}: {text}");
}

#[test]
fn the_heading_counts_what_was_asked() {
    let rows = text(&sample());
    has(&rows, "llvm 22: 2 rows under 2 settings for 1 target, 1.0 s");
    has(&rows, "4 cells: 2 right (0 by the promised instruction alone), 2 wrong, 0 refused, 0 died");
    let mut report = sample();
    (report.work.sources, report.work.count) = (Sources::Programs, 1_000);
    (report.totals.vectors, report.totals.undecided) = (16_000, 3);
    has(&text(&report), "1,000 programs under");
    has(
        &text(&report),
        "2 right on 16,000 vectors (3 undecided: too many results are permitted), 2 wrong",
    );
}

#[test]
fn the_last_line_says_what_came_of_it() {
    let ends = |report: &CompilerReport, line: &str| assert!(text(report).ends_with(line), "{line}");
    let mut report = sample();
    report.findings.push(report.findings[0].clone());
    ends(&report, "llvm: 1 class of failures.");
    report.findings[2].class = "computed/operator/mul.f32".into();
    ends(&report, "llvm: 2 classes of failures.");
    report.findings.retain(|finding| finding.status == Standing::Note);
    ends(&report, "llvm: 2 cells right, and nothing fails.");
    report.complete = false;
    ends(&report, "llvm: not run to the end; 2 cells right so far, and nothing fails.");
    has(&text(&report), "NOT RUN TO THE END.");
    report.complete = true;
    lacks(&text(&report), "NOT RUN TO THE END.");
    report.totals = CompilerTotals { cells: 4, refused: 3, unexecuted: 1, ..CompilerTotals::default() };
    ends(&report, "llvm: none of 4 cells was executed: 3 refused, 1 not executed.");
    (report.reduced, report.stale) = (vec!["one row".into()], vec!["old".into()]);
    has(&text(&report), "REDUCED: one row old");
}

#[test]
fn long_sequences_and_sources_are_cut() {
    let of = |count: usize| {
        with(|finding| {
            finding.sequences[0].instructions = (1..=count).map(|n| format!("i{n}")).collect();
        })
    };
    has(&of(12), "i12 for");
    has(&of(13), "i12 and 1 more for");
    lacks(&of(0), "compiled");
    let of = |count: usize| {
        with(|finding| {
            finding.expression = None;
            let lines: Vec<String> = (1..=count).map(|n| format!("line{n}.")).collect();
            finding.sequences[0].source = Some(lines.join("\n"));
        })
    };
    has(&of(24), "line24.");
    lacks(&of(25), "line25.");
    // An expression says as much as its source, which is left out.
    lacks(&with(|_| ()), "line two");
}

#[test]
fn places_have_what_their_settings_have_in_common() {
    let of = |settings: &[&str]| {
        let mut report = sample();
        let all = ["-O3 fast", "-O3 ftz", "-O0 ftz"];
        report.work.settings = all.iter().map(|name| (name.to_string(), Vec::new())).collect();
        let settings = settings.iter().map(|name| name.to_string()).collect();
        report.findings[0].sequences[0].places[0].settings = settings;
        text(&report)
    };
    has(&of(&["-O0 ftz"]), "for sm_90 -O0 ftz wrong");
    has(&of(&["-O3 fast", "-O3 ftz"]), "for sm_90 -O3 (2 settings) wrong");
    has(&of(&["-O3 fast", "-O0 ftz"]), "for sm_90 (2 settings) wrong");
    has(&of(&["-O3 fast", "-O3 ftz", "-O0 ftz"]), "for sm_90 under every setting wrong");
    lacks(&with(|finding| finding.sequences[0].places.clear()), " for sm_90");
}

#[test]
fn a_failure_tells_what_there_is_of_it() {
    let plain = with(|_| ());
    has(&plain, "promised div.rn.f32: a manual");
    has(&plain, "wrong 3 of 10 vectors");
    lacks(&plain, "made of");
    lacks(&with(|finding| finding.vectors = 0), "3 of");
    has(&with(|finding| finding.words = Some("x = 0".into())), "where x = 0");
    let died =
        with(|finding| (finding.class, finding.words) = ("died/a".into(), Some("signal 6".into())));
    has(&died, "words signal 6");
    let of = |by_constants| with(|finding| finding.program = Some(Origin { index: 7, by_constants }));
    has(&of(false), "made of program 7 replay:");
    has(&of(true), "made of program 7; right if a constant is a parameter replay:");
    has(&plain, "replay: cargo xtask replay");
    lacks(&with(|finding| finding.sequences[0].source = None), "replay:");
    lacks(&compiler_summary(&sample(), &Style::default()), "replay:");
}

/// A summary tells what only programs have: how they are made again, where else they are right, and what was
/// compared.
#[test]
fn a_program_tells_under_which_conditions_it_is_right() {
    let mut report = sample();
    report.work.sources = Sources::Programs;
    let condition = |name: &str, verdict| Condition { name: name.into(), verdict };
    let finding = &mut report.findings[0];
    (finding.class, finding.expression) = ("computed/program/div.f32".into(), None);
    finding.program = Some(Origin { index: 7, by_constants: false });
    finding.circumstances = Some(Circumstances {
        compiled_by: BTreeMap::from([("sm_75".into(), "old".into()), ("sm_90".into(), "new".into())]),
        right_as_soon_as: vec!["it is a parameter".into(), "it is hidden".into()],
        levels: vec![
            condition("-O0", ConditionOutcome::Right),
            condition("-O3", ConditionOutcome::Wrong),
        ],
        versions: vec![condition("21", ConditionOutcome::Unknown)],
        neighbour: Some("line one\nline 2".into()),
    });
    let shown = text(&report);
    has(&shown, "made of program 7: --seed 0x7 --first 7 --count 1");
    has(&shown, "by old for sm_75, new for sm_90");
    has(&shown, "right if it is a parameter, or if it is hidden");
    has(&shown, "level -O0 right, -O3 wrong");
    has(&shown, "version 21 not compiled or not executed");
    // The lines that a right program has in common with the wrong one are not told again.
    has(&shown, "line one line two for comparison, this is right: line 2 replay:");
    lacks(&shown, "compared");
    (report.totals.compared, report.totals.differing, report.totals.explained) = (9, 4, 3);
    has(
        &text(&report),
        "9 undecided vectors were compared between two functions of one program: 4 differ, and for 3 of",
    );
    // Two results of which nobody knows which is wrong are shown, though they fail nothing.
    let note = &mut report.findings[1];
    note.class = "indifferent/program/twin/levels.add.f32".into();
    note.words = Some("which of them is wrong is not known".into());
    has(&text(&report), "words which of them is wrong is not known");
    report.work.sources = Sources::Rows;
    lacks(&text(&report), "words which of them is wrong is not known");
}

/// Notes are told by kind, with each row once: some rows are named, and the rest are counted.
#[test]
fn notes_name_some_and_count_the_rest() {
    let of = |rows: &[&str]| {
        let note = |row: &&str| finding(&format!("selected/{row}"), Standing::Note, None);
        text(&CompilerReport { findings: rows.iter().map(note).collect(), ..sample() })
    };
    let said = "selected: another sequence with right results in";
    has(&of(&["a", "b", "a"]), &format!("{said} 6 cells: a, b llvm:"));
    has(&of(&["a", "b", "c", "d", "e", "f"]), &format!("{said} 12 cells: a, b, c, d, e, f llvm:"));
    has(&of(&["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e, f, and 1 more llvm:");
    let waived = with(|finding| finding.status = Standing::Waived);
    has(&waived, "waived: known in 2 cells: computed/operator/div.f32 llvm:");
    lacks(&text(&sample()), "computed: found");
    for (kind, said) in [
        ("taken", "what a document permits, done"),
        ("left", "what a document permits, not done"),
        ("indifferent", "right results that differ, which is permitted"),
        ("refused", "not taken by the compiler"),
        ("unexecuted", "not executed"),
    ] {
        let note = finding(&format!("{kind}/a"), Standing::Note, None);
        let report = CompilerReport { findings: vec![note], ..sample() };
        has(&text(&report), &format!("{kind}: {said} in 2 cells: a llvm:"));
    }
}
