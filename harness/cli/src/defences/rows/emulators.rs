//! Rows about emulators that take kernels and do not do what they should, each a shell's script.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::super::DefenceRow;
use super::super::sandbox::{Ended, Sandbox};
use super::clients::kinds;
use super::{LANES, RowGroup};

const GROUP: RowGroup = RowGroup("Emulators", &LANES);

/// The branch of a script with which an emulator introduces itself.
const GREETS: &str = "ptx-emulator) echo ptx-emulator 1 sh;;";
/// The branch of a script with which an emulator loads a kernel.
const LOADS: &str = "load) head -c $b >/dev/null; echo loaded;;";
/// The branch of a script with which an emulator runs a kernel: it hands columns back as they came, as the results.
const RUNS: &str = "run) take; echo results; head -c $((a * ${b%%,*})) batch;;";

/// The rows about emulators.
pub const ROWS: [DefenceRow; 8] = [
    GROUP.row("emulator: it says nothing at all", "refused in one line", |sandbox| {
        run(sandbox, &["ptx-emulator) ;;"])?.refused(&["no answer", "emulators.md"])
    }),
    GROUP.row("emulator: it speaks another version", "refused in one line", |sandbox| {
        run(sandbox, &["ptx-emulator) echo ptx-emulator 7 sh;;"])?
            .refused(&["ptx-emulator 7", "ptx-emulator 1"])
    }),
    GROUP.row(
        "emulator: it ends at every kernel",
        "it has none, in one line with how it ended",
        |sandbox| run(sandbox, &[GREETS, "load) exit 3;;"])?.refused(&["has none", "exit status: 3"]),
    ),
    GROUP.row("emulator: it hangs at every kernel", "the same, and soon", |sandbox| {
        let start = Instant::now();
        let said = run(sandbox, &[GREETS, "load) ;;"])?.refused(&["has none", "no answer in 1 s"])?;
        ensure!(start.elapsed() < Duration::from_secs(30), "it took {:?}", start.elapsed());
        Ok(said)
    }),
    GROUP.row("emulator: it answers a line that is no answer", "the same, with the line", |sandbox| {
        let answers = "load) head -c $b >/dev/null; echo perhaps;;";
        run(sandbox, &[GREETS, answers])?.refused(&["has none", "`perhaps`"])
    }),
    GROUP.row("emulator: it leaves every result as it was", "`unwritten`", |sandbox| {
        fails(sandbox, RUNS, "unwritten")
    }),
    GROUP.row(
        "emulator: it has a kernel when asked, and ends whenever it is to run it",
        "`crashed`",
        |sandbox| fails(sandbox, &RUNS.replace("take;", "take; mkdir asked || exit 4;"), "crashed"),
    ),
    GROUP.row("emulator: the same, but it says that it fails", "`failed`", |sandbox| {
        let says = "take; mkdir asked || { echo failed for want of memory; continue; };";
        fails(sandbox, &RUNS.replace("take;", says), "failed")
    }),
];

/// Runs the suite on an emulator that is a script with these branches, one for each request.
fn run(sandbox: &Sandbox, branches: &[&str]) -> Result<Ended> {
    // By the protocol, `run` names rows and the widths of all columns; `take` reads that many bytes.
    let take = "take() { head -c $((a * ($(echo $b | tr , +)))) >batch; }";
    let branches = branches.join("\n");
    let script = format!("{take}\nwhile read -r verb a b c; do case $verb in\n{branches}\nesac; done\n");
    sandbox.scripted("ptx,deadline=1,start=1,ask,vectors=100", &script)
}

/// Runs an emulator that loads kernels and goes wrong where it runs them, and checks the kind of mismatches.
fn fails(sandbox: &Sandbox, runs: &str, kind: &str) -> Result<String> {
    run(sandbox, &[GREETS, LOADS, runs])?.code_among(&[1])?;
    kinds(sandbox, &[kind])
}
