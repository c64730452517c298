//! Rows about programs under test that do not do what they should.

use anyhow::{Result, ensure};

use super::super::DefenceRow;
use super::super::client::ESCAPES;
use super::super::sandbox::Sandbox;
use super::{LANES, RowGroup, only_the_guilty};

const GROUP: RowGroup = RowGroup("Programs under test", &LANES);

/// The rows about clients.
pub const ROWS: [DefenceRow; 26] = [
    GROUP.row("a right program", "every vector agrees", |sandbox| agrees(sandbox, "none", 10)),
    GROUP.row("it aborts on one vector", "that vector alone is `crashed`", |sandbox| {
        accused(sandbox, "crash", 10, "crashed")
    }),
    GROUP.row(
        "it takes 1.4 s to start, and aborts on one vector; 2 s are allowed",
        "that vector alone is `crashed`: a start is not an answer, and every retry has the whole time",
        |sandbox| accused(sandbox, "slow-start", 2, "crashed"),
    ),
    GROUP.row(
        "it takes 1.4 s for its first answer, and aborts on one vector; 2 s are allowed",
        "that vector alone is `crashed`: every retry has the whole time",
        |sandbox| accused(sandbox, "slow-first", 2, "crashed"),
    ),
    GROUP.row("it hangs on one vector", "that vector alone is `timeout`", |sandbox| {
        accused(sandbox, "late", 1, "timeout")
    }),
    GROUP.row(
        "it hangs on one vector, and ignores SIGTERM",
        "that vector alone is `timeout`",
        |sandbox| {
            let script = "trap '' TERM HUP INT";
            let ended = sandbox
                .run(sandbox.command_after_script(script, &sandbox.conformance("stubborn", 1)))?;
            ended.code_among(&[1])?;
            only_the_guilty(sandbox, "timeout")
        },
    ),
    GROUP.row("it hangs on every vector", "the run ends soon, and reports `timeout`", |sandbox| {
        failing(sandbox, "hangs", "timeout")
    }),
    GROUP.row("it says nothing at all", "refused in one line", |sandbox| {
        sandbox.run(sandbox.command(&sandbox.conformance("mute", 1)))?.refused(&["no answer"])
    }),
    GROUP.row("it ends at once", "refused in one line", |sandbox| {
        sandbox.run(sandbox.command(&sandbox.conformance("ends", 10)))?.refused(&["exit"])
    }),
    GROUP.row("there is no such program", "refused in one line", |sandbox| {
        let arguments =
            ["conformance", "--impl", "exec:./no-such-program", "--out", &sandbox.path_of("out")];
        sandbox.run(sandbox.command(&arguments))?.refused(&["no-such-program"])
    }),
    GROUP.row("it answers a line that is no answer", "`nonsense`, with the line", |sandbox| {
        failing(sandbox, "garbage", "nonsense")
    }),
    GROUP.row("it answers more than it was asked", "`nonsense`", |sandbox| {
        failing(sandbox, "chatty", "nonsense")
    }),
    GROUP.row("it ends in the middle of an answer", "`crashed`", |sandbox| {
        failing(sandbox, "short", "crashed")
    }),
    GROUP.row(
        "it writes without end and without a line",
        "`nonsense` or `timeout`; memory does not grow",
        |sandbox| {
            let ended = sandbox.run(
                sandbox.command_after_script("ulimit -v 4000000", &sandbox.conformance("flood", 1)),
            )?;
            ended.code_among(&[1])?;
            kinds(sandbox, &["nonsense", "timeout"])
        },
    ),
    GROUP.row("it writes 8 MiB to standard error first", "every vector agrees", |sandbox| {
        agrees(sandbox, "noisy", 10)
    }),
    GROUP.row("its name and its errors have escape sequences", "they are quoted without", |sandbox| {
        let said = failing(sandbox, "escapes", "failed")?;
        let report = sandbox.report()?;
        ensure!(report.implementation.version.contains("evil"), "{}", report.implementation.version);
        ensure!(ESCAPES.contains('\u{1b}'), "nothing to clean");
        Ok(said)
    }),
    GROUP.row(
        "it starts children that outlive it",
        "every vector agrees, and the children are ended",
        |sandbox| agrees(sandbox, "children", 10),
    ),
    GROUP.row(
        "it answers a vector differently alone and in its batch",
        "the run says so, and fails",
        |sandbox| depends(sandbox, "batch", "batch-dependent"),
    ),
    GROUP.row(
        "it answers a vector differently the second time",
        "the run says so, and fails",
        |sandbox| depends(sandbox, "unstable", "unstable"),
    ),
    GROUP.row(
        "it answers a vector differently if it is the first of its process",
        "the run says so, and fails",
        |sandbox| depends(sandbox, "worn", "unstable"),
    ),
    GROUP.row("lines: it answers what is no number", "`nonsense`", |sandbox| {
        lines(sandbox, "while read -r line; do echo hello; done", "nonsense")
    }),
    GROUP.row("lines: it answers fewer lines than it was asked", "`nonsense`", |sandbox| {
        lines(sandbox, "sed 1d | cut -c 1-4", "nonsense")
    }),
    GROUP.row("lines: it aborts on one vector", "that vector alone is `crashed`", |sandbox| {
        in_lines(sandbox, "crash", 10)
    }),
    GROUP.row(
        "lines: it takes 1.4 s to start, and aborts on one vector; 2 s are allowed",
        "that vector alone is `crashed`",
        |sandbox| in_lines(sandbox, "slow-start", 2),
    ),
    GROUP.row("lines: it answers, and ends with an exit code other than 0", "`crashed`", |sandbox| {
        lines(sandbox, "while read -r line; do echo 0000; done; exit 3", "crashed")
    }),
    GROUP.row("its command has an open quotation mark", "refused in one line", |sandbox| {
        let arguments = ["conformance", "--impl", "exec:'", "--out", &sandbox.path_of("out")];
        sandbox.run(sandbox.command(&arguments))?.refused(&["quotation mark"])
    }),
];

/// Runs the client with a fault that its results do not show, and checks that every vector agrees.
pub(super) fn agrees(sandbox: &Sandbox, fault: &str, deadline: u32) -> Result<String> {
    let ended = sandbox.run(sandbox.command(&sandbox.conformance(fault, deadline)))?;
    ended.code_among(&[0])?;
    let report = sandbox.report()?;
    ensure!(report.complete && report.totals.mismatches == 0, "{:?}", report.totals);
    Ok(format!("exit code 0, {} vectors agree", report.totals.vectors))
}

/// Runs the client with a fault on one vector, and checks that this vector alone is a mismatch of the given kind.
pub(super) fn accused(sandbox: &Sandbox, fault: &str, deadline: u32, kind: &str) -> Result<String> {
    let ended = sandbox.run(sandbox.command(&sandbox.conformance(fault, deadline)))?;
    ended.code_among(&[1])?;
    Ok(format!("exit code 1, {}", only_the_guilty(sandbox, kind)?))
}

/// Runs the client with a fault on every vector, and checks that mismatches are of the given kind.
pub(super) fn failing(sandbox: &Sandbox, fault: &str, kind: &str) -> Result<String> {
    let ended = sandbox.run(sandbox.command(&sandbox.conformance(fault, 1)))?;
    ended.code_among(&[1, 2])?;
    kinds(sandbox, &[kind])
}

/// Returns the kinds of mismatches in the report, and checks that they are among the given ones.
pub(super) fn kinds(sandbox: &Sandbox, among: &[&str]) -> Result<String> {
    let report = sandbox.report()?;
    let ids = report.variants.iter().flat_map(|variant| &variant.classes).map(|class| &class.id);
    let kinds: Vec<&str> = ids.filter_map(|id| id.rsplit('/').next()).collect();
    ensure!(!kinds.is_empty(), "no mismatch");
    for kind in &kinds {
        ensure!(among.contains(kind), "`{kind}`");
    }
    Ok(format!("every mismatch is `{}`", kinds.join("`, `")))
}

/// Runs the client with a wrong result that does not come every time, and checks that `word` is printed.
pub(super) fn depends(sandbox: &Sandbox, fault: &str, word: &str) -> Result<String> {
    let ended = sandbox.run(sandbox.command(&sandbox.conformance(fault, 10)))?;
    ended.code_among(&[1])?;
    // The program's own name may contain the word.
    let out = ended.out.replace(&format!("hostile-client {fault}"), "");
    ensure!(out.contains(word), "no word of it: {out}");
    Ok(format!("exit code 1, “{word}” in what is printed"))
}

/// Runs the client with a fault on one vector, speaking to it in lines, and checks that this vector alone is `crashed`.
pub(super) fn in_lines(sandbox: &Sandbox, fault: &str, deadline: u32) -> Result<String> {
    let mut arguments = sandbox.conformance(fault, deadline);
    arguments.iter_mut().for_each(|word| *word = word.replace("exec,", "text,"));
    sandbox.run(sandbox.command(&arguments))?.code_among(&[1])?;
    Ok(format!("exit code 1, {}", only_the_guilty(sandbox, "crashed")?))
}

/// Runs a shell's script as a client that the suite speaks to in lines.
fn lines(sandbox: &Sandbox, script: &str, kind: &str) -> Result<String> {
    let script =
        format!("if [ \"$1\" = variants ]; then echo {}; exit; fi\n{script}\n", sandbox.case.variant);
    sandbox.scripted("text,deadline=5,vectors=100", &script)?.code_among(&[1])?;
    kinds(sandbox, &[kind])
}
