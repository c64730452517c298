//! Replays the report of a compiler: compiles its sources again, and executes what comes of them.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::bail;
use base::terminal::say;
use compilers::Compiler;
use compilers::replay::replay_own;
use functions::device_name;
use implementations::cuda::Executor;
use reports::compilers::{CompilerReport, Finding, Standing};
use reports::printable;

use super::super::compilers::own_row::own_row_of_finding;
use super::super::{AGREE, Ending, FAILED, MISMATCH, print, print_line, processors};

/// Replays a class of a compiler's report, or all that fail if none is named, and returns the exit code. What is
/// compiled is executed by the GPU that `gpu` names, or else by the suite's interpreter.
///
/// # Errors
/// If no compiler is named, the report has no such class, or the compiler or the GPU cannot be asked.
pub fn run(
    report: &CompilerReport,
    class: Option<&str>,
    compiler: Option<&str>,
    gpu: Option<&str>,
) -> Ending {
    let Some(name) = compiler else {
        bail!(
            "the report is from `{}`, and a file alone may not start a compiler: name the one to test \
             with --compiler",
            printable(&report.compiler.name)
        )
    };
    let is_chosen = |finding: &&Finding| match class {
        Some(class) => finding.class == class,
        // Findings without a source were only counted, so that there is nothing to compile.
        None => {
            finding.status != Standing::Note && finding.sequences.iter().any(|of| of.source.is_some())
        }
    };
    let chosen: Vec<&Finding> = report.findings.iter().filter(is_chosen).collect();
    if let (true, Some(class)) = (chosen.is_empty(), class) {
        bail!(
            "the report has no class `{class}`: `report show` and the report's `findings` name those \
             that it has"
        );
    }
    let device = gpu.map(Executor::named).transpose()?;
    let compiler = Compiler::connect(name, processors())?;
    if let Some(device) = &device {
        say(&format!("executed by {}", device_name(device)));
    }
    let version = &compiler.introduction().version;
    if *version != report.compiler.version {
        say(&format!(
            "note: the report is from version {}, and this is version {version}",
            report.compiler.version
        ));
    }
    let (mut failing, mut untried, mut total) = (0, 0, 0);
    for finding in chosen {
        let mut text = String::new();
        // The rows of the tables live as long.
        let own = own_row_of_finding(report, finding)?.map(|row| &*Box::leak(Box::new(row)));
        for replayed in replay_own(&compiler, report, finding, device.as_ref(), own)? {
            total += 1;
            failing += usize::from(replayed.fails);
            untried += usize::from(replayed.untried);
            let verdict = match (replayed.fails, replayed.untried) {
                (true, _) => "FAILS",
                (_, true) => "untried",
                // The source was refused or not executed, and that is no failure.
                _ if replayed.words.is_some() => "noted",
                _ => "right",
            };
            let (target, setting) = (&replayed.target, &replayed.setting);
            let asked = format!("{} for {target} under {setting}", finding.class);
            writeln!(text, "{verdict:8}  {}", printable(&asked))?;
            if !replayed.instructions.is_empty() {
                writeln!(text, "  compiled  {}", printable(&replayed.instructions.join(" ")))?;
            }
            if let Some(words) = &replayed.words {
                writeln!(text, "  {}", printable(words))?;
            }
            for vector in &replayed.vectors {
                let verdict = if vector.is_wrong { "MISMATCH" } else { "agrees" };
                let all: Vec<&str> = match vector.is_wrong {
                    true => vec![&vector.result],
                    false => vector.all.iter().map(String::as_str).collect(),
                };
                writeln!(
                    text,
                    "  {verdict:8}  {} gives {}, permitted {}",
                    vector.operands,
                    all.join(" or "),
                    vector.permitted.join(" or ")
                )?;
            }
        }
        print(&text)?;
    }
    print_line(&format!("{failing} of {total} fail with {name} {version}."))?;
    if untried > 0 {
        print_line(&format!(
            "{untried} of them were not tried, because the compiled code could not be executed; see \
             above."
        ))?;
    }
    Ok(ExitCode::from(match failing {
        0 if total > 0 && untried == total => FAILED,
        0 => AGREE,
        _ => MISMATCH,
    }))
}
