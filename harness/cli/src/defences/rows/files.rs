//! Rows about files that are not what they should be, and about disks that are full.

use anyhow::{Context, Result, ensure};

use super::super::DefenceRow;
use super::super::client::ESCAPES;
use super::super::sandbox::Sandbox;
use super::{LANES, RowGroup};

const GROUP: RowGroup = RowGroup("Files", &LANES);

/// The rows about files.
pub const ROWS: [DefenceRow; 20] = [
    GROUP.row("the state is cut short", "`--resume` is refused", state_cut),
    GROUP.row("a digit of the state is changed", "`--resume` is refused", state_changed),
    GROUP.row("the state is another file", "`--resume` is refused", |sandbox| {
        resumed(sandbox, |state| *state = b"{}".to_vec())?.refused(&["damaged", "without --resume"])
    }),
    GROUP.row("a digit of a report is changed", "`replay` refuses it", report_changed),
    GROUP.row(
        "a report has no checksum, as older ones have none",
        "it is replayed, and that is said",
        |sandbox| {
            let report = sandbox.report_of_mismatches()?;
            let text = std::fs::read_to_string(&report)?;
            let mut value: serde_json::Value = serde_json::from_str(&text)?;
            value.as_object_mut().context("an object")?.remove("checksum");
            std::fs::write(&report, value.to_string())?;
            let ended = replay(sandbox, &report)?;
            ended.code_among(&[1])?;
            ensure!(ended.err.contains("has no checksum"), "{}", ended.err);
            Ok("exit code 1, as the mismatches occur; “has no checksum”".into())
        },
    ),
    GROUP.row("a report is cut short", "`replay` refuses it", report_cut),
    GROUP.row("a report is empty, a folder, or 100,000 open brackets", "`replay` refuses each", |sandbox| {
        let path = sandbox.path_of("report.json");
        std::fs::write(&path, "")?;
        replay(sandbox, &path)?.refused(&["cut short"])?;
        std::fs::write(&path, "[".repeat(100_000))?;
        replay(sandbox, &path)?.refused(&["is not JSON"])?;
        replay(sandbox, &sandbox.path_of(""))?.refused(&["cannot read"])
    }),
    GROUP.row(
        "a report has escape sequences in every text",
        "it is replayed and shortened without them",
        report_hostile,
    ),
    GROUP.row(
        "a report names a program as its implementation",
        "`replay` does not start it, and asks for --impl",
        |sandbox| {
            let report = sandbox.report_of_mismatches()?;
            let trace = sandbox.path_of("started");
            let mut value = reports::load(report.as_ref())?;
            value.implementation.name = format!("exec:touch {trace}");
            reports::save(&value, report.as_ref())?;
            let ended = sandbox.run(sandbox.command(&["replay", &report]))?;
            ensure!(!std::path::Path::new(&trace).exists(), "the program was started");
            ended.refused(&["--impl"])
        },
    ),
    GROUP.row("a report is /dev/zero", "refused", |sandbox| {
        replay(sandbox, "/dev/zero")?.refused(&["larger than the limit of 1024 MiB"])
    }),
    GROUP.row("waivers are /dev/zero", "refused", |sandbox| {
        waived(sandbox, "/dev/zero")?.refused(&["larger than the limit of 16 MiB"])
    }),
    GROUP.row("a waiver names no variant", "refused", |sandbox| {
        let path = sandbox.path_of("waivers.json");
        let entry = r#"{"waivers": [{"implementation": "canary", "variant": "mull.*", "class": "ulp-above", "reason": "known"}]}"#;
        std::fs::write(&path, entry)?;
        waived(sandbox, &path)?.refused(&["mull.*", "matches no variant"])
    }),
    GROUP.row("a file is where --out is to be", "refused before the run", |sandbox| {
        std::fs::write(sandbox.path_of("out"), "")?;
        sandbox.run(sandbox.command(&emulator(sandbox)))?.refused(&["--out"])
    }),
    GROUP.row("two runs in one folder, and a `--resume`", "the second and the third are refused", |sandbox| {
        let mut first = sandbox.start(sandbox.command(&sandbox.conformance("hangs", 30)))?;
        first.until_busy()?;
        let mut second = emulator(sandbox);
        sandbox.run(sandbox.command(&second))?.refused(&["another run is going on in"])?;
        second.push("--resume".into());
        let said = sandbox.run(sandbox.command(&second))?.refused(&["another run is going on in"])?;
        first.signal("KILL")?;
        first.end()?;
        // A run that was killed holds no lock any more.
        second.pop();
        sandbox.run(sandbox.command(&second))?.code_among(&[0])?;
        Ok(format!("{said}, twice; after the end of the first, exit code 0"))
    }),
    GROUP.row(
        "no room for the report, but for the state",
        "the summary is printed, and a resumed run writes it",
        |sandbox| {
            let arguments = disagreeing(sandbox, "out");
            // Without its signal, a write beyond the limit fails as on a full disk, and does not end the process.
            let limited = sandbox.run(sandbox.command_after_script("trap '' XFSZ; ulimit -f 24", &arguments))?;
            let said = limited.refused(&["report.json", "free space", "--resume"])?;
            ensure!(limited.out.contains("disagrees"), "no summary");
            let resumed = [arguments, vec!["--resume".into()]].concat();
            sandbox.run(sandbox.command(&resumed))?.code_among(&[1])?;
            same(sandbox)?;
            Ok(format!("{said}; then the report of an undisturbed run"))
        },
    ),
    GROUP.row("no room for anything", "refused before the run", |sandbox| {
        let limited = sandbox.command_after_script("trap '' XFSZ; ulimit -f 0", &disagreeing(sandbox, "out"));
        // The output must go somewhere: pipes have no size.
        let (shown, file) = (sandbox.path_of("said"), std::fs::File::create(sandbox.path_of("said")));
        drop(file);
        let mut piped = std::process::Command::new("sh");
        piped.args(["-c", "{ \"$0\" \"$@\" 2>&1; echo \"exit code $?\"; } | cat > \"$SAID\"; exit 0"]);
        piped.arg(limited.get_program()).args(limited.get_args()).env("SAID", &shown);
        sandbox.run(piped)?;
        let said = std::fs::read_to_string(&shown)?;
        ensure!(said.contains("exit code 2") && said.contains("free space"), "{said}");
        Ok("exit code 2: “free space”".into())
    }),
    GROUP.row(
        "a file may have 2,048 bytes, and a larger one is answered by a signal",
        "refused in one line; no partial file is left",
        |sandbox| {
            // The shell counts blocks of 512 bytes.
            let limited =
                sandbox.run(sandbox.command_after_script("ulimit -f 4", &disagreeing(sandbox, "out")))?;
            limited.code_among(&[1, 2])?;
            ensure!(limited.err.contains("free space"), "{}", limited.err);
            let left: Vec<String> = std::fs::read_dir(sandbox.path_of("out"))?
                .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                .collect::<std::io::Result<_>>()?;
            ensure!(!left.iter().any(|name| name.ends_with(".partial")), "{left:?}");
            Ok("“free space”, and no partial file".into())
        },
    ),
    GROUP.row("a named pipe is in the place of the report", "refused before the run", |sandbox| {
        std::fs::create_dir_all(sandbox.path_of("out"))?;
        let pipe = sandbox.path_of("out/report.json");
        ensure!(std::process::Command::new("mkfifo").arg(&pipe).status()?.success(), "no mkfifo");
        sandbox.run(sandbox.command(&emulator(sandbox)))?.refused(&["named pipe", "--out"])
    }),
    GROUP.row("standard output takes no byte", "exit code 2; the report is safe", |sandbox| {
        let ended = sandbox.run(sandbox.command_after_script("exec >/dev/full", &emulator(sandbox)))?;
        let said = ended.refused(&["standard output", "the report is in"])?;
        ensure!(sandbox.report()?.complete, "the report is of a part");
        Ok(said)
    }),
    GROUP.row("standard error takes no byte, or is closed", "the run is what it would have been", |sandbox| {
        for script in ["exec 2>/dev/full", "exec 2>&-"] {
            let mut arguments = emulator(sandbox);
            sandbox.run(sandbox.command_after_script(script, &arguments))?.code_among(&[0])?;
            // These arguments make the suite say something.
            arguments.extend(["--only".into(), "no-such-variant".into()]);
            arguments.extend(["--waivers".into(), "/no/such/file".into()]);
            sandbox.run(sandbox.command_after_script(script, &arguments))?.code_among(&[2])?;
        }
        Ok("exit codes 0, and 2 where there is something to say".into())
    }),
];

/// Returns the arguments of a run of the emulator that takes a moment.
fn emulator(sandbox: &Sandbox) -> Vec<String> {
    let words = ["conformance", "--only", "mul.f16", "--out", &sandbox.path_of("out")];
    words.map(str::to_owned).to_vec()
}

/// Returns the arguments of a run that finds mismatches.
fn disagreeing(sandbox: &Sandbox, out: &str) -> Vec<String> {
    let out = sandbox.path_of(out);
    let words = ["conformance", sandbox.case.disagreeing, "--out", &out];
    words.iter().chain(sandbox.case.short).map(|word| word.to_string()).collect()
}

/// Compares the report of a run that was disturbed with that of one that was not.
fn same(sandbox: &Sandbox) -> Result<()> {
    sandbox.run(sandbox.command(&disagreeing(sandbox, "whole")))?.code_among(&[1])?;
    ensure!(sandbox.findings("out")? == sandbox.findings("whole")?, "the report is another one");
    Ok(())
}

/// Replays a report on the implementation that disagrees.
fn replay(sandbox: &Sandbox, report: &str) -> Result<super::super::sandbox::Ended> {
    sandbox.run(sandbox.command(&["replay", sandbox.case.disagreeing, report]))
}

/// Checks that `--resume` is refused where only half of the state is left.
pub(super) fn state_cut(sandbox: &Sandbox) -> Result<String> {
    resumed(sandbox, |state| state.truncate(state.len() / 2))?.refused(&["damaged", "without --resume"])
}

/// Checks that `--resume` is refused where a digit of the state was changed.
pub(super) fn state_changed(sandbox: &Sandbox) -> Result<String> {
    let change = |state: &mut Vec<u8>| {
        let at = state.iter().rposition(u8::is_ascii_digit).unwrap_or(0);
        // The last digit is one of the checksum, which is shorter than 60 bytes. The change is to be before it.
        let digit = state[..at - 60].iter().rposition(u8::is_ascii_digit).unwrap_or(0);
        state[digit] = if state[digit] == b'7' { b'8' } else { b'7' };
    };
    resumed(sandbox, change)?.refused(&["damaged", "changed after it was written"])
}

/// Checks that `replay` refuses a report in which a digit of a value's bits was changed.
pub(super) fn report_changed(sandbox: &Sandbox) -> Result<String> {
    let report = sandbox.report_of_mismatches()?;
    let text = std::fs::read_to_string(&report)?;
    let (before, after) = text.split_once("\"bits\": \"0x").context("bits")?;
    let digit = if after.starts_with('1') { '2' } else { '1' };
    std::fs::write(&report, format!("{before}\"bits\": \"0x{digit}{}", &after[1..]))?;
    replay(sandbox, &report)?.refused(&["changed after it was written", "checksum"])
}

/// Checks that `replay` refuses a report of which only half is left.
pub(super) fn report_cut(sandbox: &Sandbox) -> Result<String> {
    let report = sandbox.report_of_mismatches()?;
    let bytes = std::fs::read(&report)?;
    std::fs::write(&report, &bytes[..bytes.len() / 2])?;
    replay(sandbox, &report)?.refused(&["cut short"])
}

/// Puts texts into a report that a terminal would obey, and checks the commands that read it.
pub(super) fn report_hostile(sandbox: &Sandbox) -> Result<String> {
    let report = sandbox.report_of_mismatches()?;
    hostile(&report)?;
    replay(sandbox, &report)?.code_among(&[1])?;
    let compact = sandbox.run(sandbox.command(&["report", "compact", &report]))?;
    compact.code_among(&[0])?;
    ensure!(compact.out.contains("\\u001b") && compact.out.contains("\\u202e"), "no escapes in JSON");
    Ok("exit codes 1, as the mismatches occur, and 0; the copy has \\u001b and \\u202e".into())
}

/// Runs the emulator with a file of waivers.
fn waived(sandbox: &Sandbox, waivers: &str) -> Result<super::super::sandbox::Ended> {
    let arguments = [emulator(sandbox), vec!["--waivers".into(), waivers.into()]].concat();
    sandbox.run(sandbox.command(&arguments))
}

/// Resumes a run after a change to its state.
fn resumed(sandbox: &Sandbox, change: impl Fn(&mut Vec<u8>)) -> Result<super::super::sandbox::Ended> {
    // A whole run whose report cannot be written leaves its state behind.
    std::fs::create_dir_all(sandbox.path_of("out/report.json"))?;
    let arguments = disagreeing(sandbox, "out");
    sandbox.run(sandbox.command(&arguments))?.code_among(&[2])?;
    std::fs::remove_dir(sandbox.path_of("out/report.json"))?;
    let path = sandbox.path_of("out/state.json");
    let mut state = std::fs::read(&path)?;
    change(&mut state);
    std::fs::write(&path, state)?;
    sandbox.run(sandbox.command(&[arguments, vec!["--resume".into()]].concat()))
}

/// Puts control characters that a terminal would obey into every free text of a report.
fn hostile(path: &str) -> Result<()> {
    let mut report = reports::load(path.as_ref())?;
    let text = || ESCAPES.to_owned();
    report.implementation.version = text();
    report.implementation.device = Some(text());
    report.environment.cpu = text();
    report.reduced.push(text());
    for class in report.variants.iter_mut().flat_map(|variant| &mut variant.classes) {
        class.diagnosis = text();
        class.id += ESCAPES;
        for example in &mut class.examples {
            example.words = Some(text());
            example.operands.iter_mut().for_each(|operand| operand.name = text());
        }
    }
    Ok(reports::save(&report, path.as_ref())?)
}

impl Sandbox {
    /// Makes a run that finds mismatches, and returns the path of its report.
    fn report_of_mismatches(&self) -> Result<String> {
        self.run(self.command(&disagreeing(self, "out")))?.code_among(&[1])?;
        Ok(self.path_of("out/report.json"))
    }
}
