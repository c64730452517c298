//! Rows about machines that give little, and about parents that leave odd things behind.

use anyhow::ensure;

use super::super::DefenceRow;
use super::{LANES, RowGroup};

const GROUP: RowGroup = RowGroup("Limits and surroundings", &LANES);

/// The rows about limits.
pub const ROWS: [DefenceRow; 10] = [
    GROUP.row("12 open files at most", "the run is made, or refused in words that say why", |sandbox| {
        let mut arguments = sandbox.conformance("none", 10);
        let jobs = arguments.iter().position(|word| word == "--jobs").unwrap_or(0) + 1;
        arguments[jobs] = "8".into();
        let ended = sandbox.run(sandbox.command_after_script("ulimit -n 12", &arguments))?;
        match ended.code_among(&[0, 2])? {
            0 => Ok("exit code 0".into()),
            _ => {
                ensure!(ended.err.contains("ulimit -n"), "{}", ended.err);
                Ok("exit code 2: “ulimit -n”".into())
            }
        }
    }),
    GROUP.row(
        "the parent ignores SIGCHLD, and the program is right",
        "every vector agrees",
        |sandbox| {
            sandbox
                .run(sandbox.command_after_script("trap '' CHLD", &sandbox.conformance("none", 10)))?
                .code_among(&[0])?;
            Ok(format!("exit code 0, {} vectors agree", sandbox.report()?.totals.vectors))
        },
    ),
    GROUP.row(
        "the parent ignores SIGCHLD, and the program aborts on one vector",
        "that vector alone is `crashed`",
        |sandbox| {
            sandbox
                .run(sandbox.command_after_script("trap '' CHLD", &sandbox.conformance("crash", 10)))?
                .code_among(&[1])?;
            super::only_the_guilty(sandbox, "crashed")
        },
    ),
    GROUP.row("the current folder was removed", "a run elsewhere is made", |sandbox| {
        let gone = sandbox.path_of("gone");
        std::fs::create_dir(&gone)?;
        let script = format!("cd '{gone}'; rmdir '{gone}'");
        sandbox
            .run(sandbox.command_after_script(&script, &sandbox.conformance("none", 10)))?
            .code_among(&[0])?;
        Ok("exit code 0".into())
    }),
    GROUP.row("an argument is no text", "refused in one line", |sandbox| {
        let ended = sandbox
            .run(sandbox.command_after_script("set -- list --only \"$(printf '\\377')\"", &[""; 0]))?;
        ended.refused(&["UTF-8"])
    }),
    GROUP.row("no environment at all", "the run is made", |sandbox| {
        let script = format!("exec env -i {}={} \"$0\" \"$@\"", "PATH", "/usr/bin:/bin");
        sandbox
            .run(sandbox.command_after_script(&script, &sandbox.conformance("none", 10)))?
            .code_among(&[0])?;
        Ok("exit code 0".into())
    }),
    GROUP.row("a stack of 64 KiB", "the run is made", |sandbox| {
        sandbox
            .run(sandbox.command_after_script("ulimit -s 64", &sandbox.conformance("none", 10)))?
            .code_among(&[0])?;
        Ok("exit code 0".into())
    }),
    GROUP.row("`RUST_MIN_STACK` asks for stacks of one byte", "the run is made", |sandbox| {
        let script = "RUST_MIN_STACK=1; export RUST_MIN_STACK";
        sandbox
            .run(sandbox.command_after_script(script, &sandbox.conformance("none", 10)))?
            .code_among(&[0])?;
        Ok("exit code 0".into())
    }),
    GROUP.row("44 MiB of memory to address", "refused in words", |sandbox| {
        let ended = sandbox
            .run(sandbox.command_after_script("ulimit -v 45056", &sandbox.conformance("none", 10)))?;
        ended.code_among(&[2])?;
        ensure!(ended.err.contains("ulimit"), "{}", ended.err);
        Ok("exit code 2: “ulimit”".into())
    }),
    GROUP.row("2 GB of memory to address", "the run is made, or refused in words", |sandbox| {
        let ended = sandbox
            .run(sandbox.command_after_script("ulimit -v 2000000", &sandbox.conformance("none", 10)))?;
        let code = ended.code_among(&[0, 2])?;
        Ok(format!("exit code {code}"))
    }),
];
