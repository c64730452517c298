//! `conformance compilers functions`: measures how exact compiled functions of CUDA C++ are.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use base::progress::Progress;
use base::terminal::say;
use clap::Args;
use compilers::Compiler;
use functions::{MeasurementSelection, Record, device_name, prepare};
use implementations::cuda::Executor;

use crate::command::conformance::take;
use crate::command::options::{Jobs, Resume, Settings};
use crate::command::{AGREE, Ending, print, processors, stop_on_interrupt};

/// The help of `--option`. Fewer settings are measured than promises are tested under.
const SETTINGS: &str = "Only settings of the compiler in which WORD holds. The settings are `default`, `ftz` (subnormal \
    numbers are flushed) and `fast-math` (all options that make f32 faster and less exact). May be repeated: all words \
    then have to hold";

/// Measure the largest errors of CUDA C++ math functions.
///
/// The functions are compiled and executed on many inputs. Their results are compared with those of MPFR, a
/// library for exactly rounded arithmetic. DIR/functions.json gathers the measurements of all runs.
///
/// Exit code: 0 on success, even if an error is larger than documented; 2 if nothing could be measured.
#[derive(Args)]
#[command(mut_arg("settings", |settings| settings.help(SETTINGS).long_help(SETTINGS)))]
pub struct Arguments {
    /// Compiler: nvrtc, nvrtc with a version (`nvrtc@12.9.86`), or `exec:COMMAND`.
    #[arg(long, value_name = "NAME", default_value = "nvrtc")]
    compiler: String,
    /// Only functions whose name matches GLOB (`*` any text, `?` any character). May be repeated: a name then
    /// has to match one of the patterns.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    #[command(flatten)]
    settings: Settings,
    /// Compile for this GPU target, as the compiler spells it. May be repeated: each target is tried.
    #[arg(long = "target", value_name = "TARGET", default_value = "compute_90")]
    targets: Vec<String>,
    /// GPU that runs the compiled functions, such as `cuda:0` [default: the suite's interpreter].
    #[arg(long = "impl", value_name = "NAME")]
    device: Option<String>,
    /// Try at most N inputs of a function. For a function of f32, N is rounded down to a power of two, and is at
    /// least 65,536. For a function of one operand of f16 or bf16, all inputs are tried. For a function of two
    /// such operands, N is rounded down to a multiple of 65,536: each chosen value of the second operand is
    /// tried with all 65,536 values of the first.
    #[arg(long, value_name = "N", default_value_t = 1 << 24)]
    inputs: u64,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    resume: Resume,
    /// Directory of the measurements and of the state that --resume continues from.
    #[arg(long, value_name = "DIR", default_value = "target/functions")]
    out: PathBuf,
}

/// Runs `conformance compilers functions`.
pub fn run(arguments: &Arguments) -> Ending {
    let jobs = arguments.jobs.or(processors());
    // The flag is one for the whole process, and `measure` looks at it by itself.
    stop_on_interrupt()?;
    let _held = take(&arguments.out)?;
    let device = arguments.device.as_deref().map(Executor::named).transpose()?;
    let compiler = Compiler::connect(&arguments.compiler, jobs)?;
    let options = MeasurementSelection {
        only: arguments.only.clone(),
        targets: arguments.targets.clone(),
        settings: arguments.settings.settings.clone(),
        inputs: arguments.inputs,
    };
    let path = arguments.out.join("functions.json");
    let title = format!("{} {}", compiler.introduction().name, compiler.introduction().version);
    let executed = device.as_ref().map(device_name);
    let mut record = read(&path)?.unwrap_or_else(|| Record::new(title.clone(), executed.clone()));
    let whose = |compiler: &str, device: Option<&str>| {
        format!("{compiler}, executed by {}", device.unwrap_or("the interpreter"))
    };
    let kept = whose(&record.compiler, record.device.as_deref());
    let this = whose(&title, executed.as_deref());
    if kept != this {
        let kept = reports::printable(&kept);
        bail!("{} is the record of {kept}, and this is {this}: give another --out", path.display());
    }
    let mut measured = 0;
    for subject in prepare(&compiler, &options, device.as_ref())? {
        for why in &subject.left_out {
            say(&format!("{} is not measured under {why}", subject.function.name));
        }
        if subject.measurements.is_empty() {
            continue;
        }
        measured += 1;
        let (name, count) = (subject.function.name, subject.inputs.count);
        say(&format!("{name}: {count} inputs, {} times", subject.measurements.len()));
        let progress = Progress::new("inputs", count);
        let tallies = subject
            .measure(&arguments.out, arguments.resume.resume, jobs, &|more| progress.advance(more))?;
        progress.finish();
        record.add(&subject, tallies);
        // The record is written after each function, so that a run that is broken off keeps the others.
        let json = serde_json::to_string_pretty(&record)? + "\n";
        let written = reports::write_atomically(&path, json.as_bytes());
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if measured == 0 {
        bail!("no function was measured; see the reasons above");
    }
    print(&record.table())?;
    match record.beyond_documented() {
        Some(beyond) => print(&format!("\nBeyond the documented maximum:\n\n{beyond}"))?,
        None => print("\nNothing is beyond its documented maximum.\n")?,
    }
    say(&format!("The record is {}.", path.display()));
    Ok(ExitCode::from(AGREE))
}

/// Reads the record of earlier measurements; `None` if there is no such file.
///
/// # Errors
/// If the file cannot be read, or is damaged or from another version: it is not replaced then.
fn read(path: &Path) -> anyhow::Result<Option<Record>> {
    let shown = path.display();
    let json = match reports::read_at_most(path, reports::store::LARGEST) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.with_context(|| format!("{shown} cannot be read"))?,
    };
    let record = serde_json::from_slice(&json);
    let record = record.map_err(|error| {
        let error = reports::printable(&error.to_string());
        anyhow!(
            "{shown} is damaged or from another version ({error}): move it away, or give another --out"
        )
    })?;
    Ok(Some(record))
}
