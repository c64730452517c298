//! Rows about signals to the suite.

use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::super::DefenceRow;
use super::super::sandbox::{Running, Sandbox};
use super::{LANES, RowGroup, partial};

const GROUP: RowGroup = RowGroup("Signals to the suite", &LANES);

/// The rows about signals.
pub const ROWS: [DefenceRow; 10] = [
    GROUP.row(
        "SIGINT while a program hangs",
        "a report of what was done, a hint to resume, nothing left",
        |sandbox| stopped(sandbox, "INT"),
    ),
    GROUP.row("SIGTERM while a program hangs", "as SIGINT", |sandbox| stopped(sandbox, "TERM")),
    GROUP.row("SIGHUP while a program hangs", "as SIGINT", |sandbox| stopped(sandbox, "HUP")),
    GROUP.row("SIGINT twice while a program hangs", "it ends at once, and nothing is left", |sandbox| {
        let mut run = sandbox.start(sandbox.command(&sandbox.conformance("hangs", 30)))?;
        run.until_busy()?;
        run.signal("INT")?;
        // Signals that come closer together than this count as one signal that came twice.
        std::thread::sleep(Duration::from_millis(600));
        // The run may have ended by now, which is as well.
        let _ = run.signal("INT");
        run.end()?.code_among(&[1, 2])?;
        Ok("exit code 1 or 2, nothing left".into())
    }),
    GROUP.row("SIGQUIT while a program hangs", "nothing is left", |sandbox| ended_by(sandbox, "QUIT")),
    GROUP.row("SIGKILL while a program hangs", "nothing is left", |sandbox| ended_by(sandbox, "KILL")),
    GROUP.row("SIGKILL while a program has children", "nothing is left", |sandbox| {
        let mut arguments = sandbox.conformance("children", 30);
        // Such a run takes long enough to be killed.
        arguments.iter_mut().for_each(|word| *word = word.replace("vectors=1000", "vectors=10000000"));
        arguments.extend(["--tier".into(), "nightly".into()]);
        let mut run = sandbox.start(sandbox.command(&arguments))?;
        run.until_busy()?;
        run.signal("KILL")?;
        ensure!(run.end()?.status.code().is_none(), "it was not killed");
        Ok("killed, nothing left".into())
    }),
    GROUP.row(
        "SIGSTOP for 4 s, 1 s being allowed for an answer, then SIGCONT",
        "no program is called late",
        |sandbox| suspended(sandbox, |run, name| run.signal(name)),
    ),
    GROUP.row(
        "the same to the suite and the program, as by a laptop's lid",
        "no program is called late",
        |sandbox| {
            suspended(sandbox, |run, name| {
                run.signal_all(name);
                Ok(())
            })
        },
    ),
    GROUP.row(
        "SIGKILL at six moments, each followed by `--resume`",
        "the report of an undisturbed run, byte for byte but for times and checksum",
        killed_again_and_again,
    ),
];

/// Stops a run whose program hangs by a signal that can be caught.
fn stopped(sandbox: &Sandbox, signal: &str) -> Result<String> {
    let mut run = sandbox.start(sandbox.command(&sandbox.conformance("hangs", 5)))?;
    run.until_busy()?;
    run.signal(signal)?;
    let ended = run.end()?;
    let code = ended.code_among(&[1, 2])?;
    partial(sandbox)?;
    let said = format!("{}{}", ended.out, ended.err);
    ensure!(said.contains("resume"), "no hint to resume: {said}");
    Ok(format!("exit code {code}, a report that says that it is of a part, a hint to resume"))
}

/// Suspends a run whose program takes 0.6 s for each answer, and lets it go on.
fn suspended(sandbox: &Sandbox, signal: fn(&Running, &str) -> Result<()>) -> Result<String> {
    let mut run = sandbox.start(sandbox.command(&sandbox.conformance("slow", 1)))?;
    run.until_busy()?;
    for _ in 0..2 {
        signal(&run, "STOP")?;
        std::thread::sleep(Duration::from_secs(4));
        signal(&run, "CONT")?;
        // The second stop is to come at another place of the answer.
        std::thread::sleep(Duration::from_millis(500));
    }
    run.end()?.code_among(&[0])?;
    Ok(format!("exit code 0, {} vectors agree", sandbox.report()?.totals.vectors))
}

/// Ends a run by a signal that leaves it no time.
fn ended_by(sandbox: &Sandbox, signal: &str) -> Result<String> {
    let mut run = sandbox.start(sandbox.command(&sandbox.conformance("hangs", 30)))?;
    run.until_busy()?;
    run.signal(signal)?;
    run.end()?;
    Ok("ended, nothing left".into())
}

/// Kills a run of some seconds that finds mismatches, and resumes it, again and again until it has ended.
pub(super) fn killed_again_and_again(sandbox: &Sandbox) -> Result<String> {
    let run = |out: &str, resume: bool| {
        let mut words = vec!["conformance", sandbox.case.disagreeing, "--jobs", "1"];
        words.extend(sandbox.case.long);
        words.extend(resume.then_some("--resume"));
        let out = sandbox.path_of(out);
        words.extend(["--out", &out]);
        sandbox.command(&words)
    };
    sandbox.run(run("whole", false))?.code_among(&[1])?;
    let mut kills = 0;
    for moment in [700, 1300, 400, 900, 1700, 1100] {
        let mut killed = sandbox.start(run("out", kills > 0))?;
        let state = sandbox.path_of("out/state.json");
        killed.wait_until("there was a state", || std::path::Path::new(&state).exists())?;
        std::thread::sleep(Duration::from_millis(moment));
        if killed.signal("KILL").is_err() {
            break;
        }
        let ended = killed.end()?;
        if ended.status.code().is_some() {
            // The run was done before it could be killed.
            break;
        }
        kills += 1;
    }
    ensure!(kills > 0, "it was never killed");
    // A run that has come to its end has removed its state.
    if std::path::Path::new(&sandbox.path_of("out/state.json")).exists() {
        sandbox.run(run("out", true))?.code_among(&[1])?;
    }
    let (whole, resumed) = (sandbox.findings("whole")?, sandbox.findings("out")?);
    let first = whole.lines().zip(resumed.lines()).find(|(one, other)| one != other);
    let resumes = sandbox.report().context("the report")?.times.resumed;
    ensure!(first.is_none() && whole.len() == resumed.len(), "after {resumes} resumes, {first:?}");
    ensure!(resumes > 0, "it was never resumed");
    Ok("the same report".into())
}
