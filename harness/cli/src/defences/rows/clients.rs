//! Rows about programs under test that do not do what they should.

use anyhow::{Result, ensure};

use super::super::DefenceRow;
use super::super::client::ESCAPES;
use super::super::ground::Ground;
use super::{LANES, RowGroup, only_the_guilty};

const GROUP: RowGroup = RowGroup("Programs under test", &LANES);

/// The rows about clients.
pub const ROWS: [DefenceRow; 26] = [
    GROUP.row("a right program", "every vector agrees", |ground| agrees(ground, "none", 10)),
    GROUP.row("it aborts on one vector", "that vector alone is `crashed`", |ground| {
        accused(ground, "crash", 10, "crashed")
    }),
    GROUP.row(
        "it takes 1.4 s to start, and aborts on one vector; 2 s are allowed",
        "that vector alone is `crashed`: a start is not an answer, and every retry has the whole time",
        |ground| accused(ground, "slow-start", 2, "crashed"),
    ),
    GROUP.row(
        "it takes 1.4 s for its first answer, and aborts on one vector; 2 s are allowed",
        "that vector alone is `crashed`: every retry has the whole time",
        |ground| accused(ground, "slow-first", 2, "crashed"),
    ),
    GROUP.row("it hangs on one vector", "that vector alone is `timeout`", |ground| {
        accused(ground, "late", 1, "timeout")
    }),
    GROUP.row(
        "it hangs on one vector, and ignores SIGTERM",
        "that vector alone is `timeout`",
        |ground| {
            let script = "trap '' TERM HUP INT";
            let ended = ground.run(ground.after(script, &ground.conformance("stubborn", 1)))?;
            ended.code_among(&[1])?;
            only_the_guilty(ground, "timeout")
        },
    ),
    GROUP.row("it hangs on every vector", "the run ends soon, and reports `timeout`", |ground| {
        failing(ground, "hangs", "timeout")
    }),
    GROUP.row("it says nothing at all", "refused in one line", |ground| {
        ground.run(ground.command(&ground.conformance("mute", 1)))?.refused(&["no answer"])
    }),
    GROUP.row("it ends at once", "refused in one line", |ground| {
        ground.run(ground.command(&ground.conformance("ends", 10)))?.refused(&["exit"])
    }),
    GROUP.row("there is no such program", "refused in one line", |ground| {
        let arguments = ["conformance", "--impl", "exec:./no-such-program", "--out", &ground.at("out")];
        ground.run(ground.command(&arguments))?.refused(&["no-such-program"])
    }),
    GROUP.row("it answers a line that is no answer", "`nonsense`, with the line", |ground| {
        failing(ground, "garbage", "nonsense")
    }),
    GROUP.row("it answers more than it was asked", "`nonsense`", |ground| {
        failing(ground, "chatty", "nonsense")
    }),
    GROUP.row("it ends in the middle of an answer", "`crashed`", |ground| {
        failing(ground, "short", "crashed")
    }),
    GROUP.row(
        "it writes without end and without a line",
        "`nonsense` or `timeout`; memory does not grow",
        |ground| {
            let ended =
                ground.run(ground.after("ulimit -v 4000000", &ground.conformance("flood", 1)))?;
            ended.code_among(&[1])?;
            kinds(ground, &["nonsense", "timeout"])
        },
    ),
    GROUP.row("it writes 8 MiB to standard error first", "every vector agrees", |ground| {
        agrees(ground, "noisy", 10)
    }),
    GROUP.row("its name and its errors have escape sequences", "they are quoted without", |ground| {
        let said = failing(ground, "escapes", "failed")?;
        let report = ground.report()?;
        ensure!(report.implementation.version.contains("evil"), "{}", report.implementation.version);
        ensure!(ESCAPES.contains('\u{1b}'), "nothing to clean");
        Ok(said)
    }),
    GROUP.row(
        "it starts children that outlive it",
        "every vector agrees, and the children are ended",
        |ground| agrees(ground, "children", 10),
    ),
    GROUP.row(
        "it answers a vector otherwise alone than in its batch",
        "the run says so, and fails",
        |ground| depends(ground, "batch", "batch-dependent"),
    ),
    GROUP.row("it answers a vector otherwise the second time", "the run says so, and fails", |ground| {
        depends(ground, "unstable", "unstable")
    }),
    GROUP.row(
        "it answers a vector otherwise as the first of its process",
        "the run says so, and fails",
        |ground| depends(ground, "worn", "unstable"),
    ),
    GROUP.row("lines: it answers what is no number", "`nonsense`", |ground| {
        lines(ground, "while read -r line; do echo hello; done", "nonsense")
    }),
    GROUP.row("lines: it answers fewer lines than it was asked", "`nonsense`", |ground| {
        lines(ground, "sed 1d | cut -c 1-4", "nonsense")
    }),
    GROUP.row("lines: it aborts on one vector", "that vector alone is `crashed`", |ground| {
        in_lines(ground, "crash", 10)
    }),
    GROUP.row(
        "lines: it takes 1.4 s to start, and aborts on one vector; 2 s are allowed",
        "that vector alone is `crashed`",
        |ground| in_lines(ground, "slow-start", 2),
    ),
    GROUP.row("lines: it answers, and ends with an exit code other than 0", "`crashed`", |ground| {
        lines(ground, "while read -r line; do echo 0000; done; exit 3", "crashed")
    }),
    GROUP.row("its command has an open quotation mark", "refused in one line", |ground| {
        let arguments = ["conformance", "--impl", "exec:'", "--out", &ground.at("out")];
        ground.run(ground.command(&arguments))?.refused(&["quotation mark"])
    }),
];

/// Runs the client with a fault that its results do not show, and checks that every vector agrees.
pub(super) fn agrees(ground: &Ground, fault: &str, deadline: u32) -> Result<String> {
    let ended = ground.run(ground.command(&ground.conformance(fault, deadline)))?;
    ended.code_among(&[0])?;
    let report = ground.report()?;
    ensure!(report.complete && report.totals.mismatches == 0, "{:?}", report.totals);
    Ok(format!("exit code 0, {} vectors agree", report.totals.vectors))
}

/// Runs the client with a fault on one vector, and checks that this vector alone is a mismatch of the given kind.
pub(super) fn accused(ground: &Ground, fault: &str, deadline: u32, kind: &str) -> Result<String> {
    let ended = ground.run(ground.command(&ground.conformance(fault, deadline)))?;
    ended.code_among(&[1])?;
    Ok(format!("exit code 1, {}", only_the_guilty(ground, kind)?))
}

/// Runs the client with a fault on every vector, and checks that mismatches are of the given kind.
pub(super) fn failing(ground: &Ground, fault: &str, kind: &str) -> Result<String> {
    let ended = ground.run(ground.command(&ground.conformance(fault, 1)))?;
    ended.code_among(&[1, 2])?;
    kinds(ground, &[kind])
}

/// Returns the kinds of mismatches in the report, and checks that they are among the given ones.
pub(super) fn kinds(ground: &Ground, among: &[&str]) -> Result<String> {
    let report = ground.report()?;
    let ids = report.variants.iter().flat_map(|variant| &variant.classes).map(|class| &class.id);
    let kinds: Vec<&str> = ids.filter_map(|id| id.rsplit('/').next()).collect();
    ensure!(!kinds.is_empty(), "no mismatch");
    for kind in &kinds {
        ensure!(among.contains(kind), "`{kind}`");
    }
    Ok(format!("every mismatch is `{}`", kinds.join("`, `")))
}

/// Runs the client with a wrong result that does not come every time, and checks that `word` is printed.
pub(super) fn depends(ground: &Ground, fault: &str, word: &str) -> Result<String> {
    let ended = ground.run(ground.command(&ground.conformance(fault, 10)))?;
    ended.code_among(&[1])?;
    // The program's own name may contain the word.
    let out = ended.out.replace(&format!("hostile-client {fault}"), "");
    ensure!(out.contains(word), "no word of it: {out}");
    Ok(format!("exit code 1, “{word}” in what is printed"))
}

/// Runs the client with a fault on one vector, speaking to it in lines, and checks that this vector alone is `crashed`.
pub(super) fn in_lines(ground: &Ground, fault: &str, deadline: u32) -> Result<String> {
    let mut arguments = ground.conformance(fault, deadline);
    arguments.iter_mut().for_each(|word| *word = word.replace("exec,", "text,"));
    ground.run(ground.command(&arguments))?.code_among(&[1])?;
    Ok(format!("exit code 1, {}", only_the_guilty(ground, "crashed")?))
}

/// Runs a shell's script as a client that the suite speaks to in lines.
fn lines(ground: &Ground, script: &str, kind: &str) -> Result<String> {
    let script =
        format!("if [ \"$1\" = variants ]; then echo {}; exit; fi\n{script}\n", ground.case.variant);
    ground.scripted("text,deadline=5,vectors=100", &script)?.code_among(&[1])?;
    kinds(ground, &[kind])
}
