//! `cargo xtask compilers --functions`: measures how exact compiled functions of CUDA C++ are.

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

use super::conformance::take;
use super::{AGREE, Ending, print, stop_on_interrupt};

#[derive(Args)]
pub struct Functions {
    /// Measure how exact functions of CUDA C++ are, and not whether promises are kept; --only then selects functions.
    #[arg(long)]
    pub functions: bool,
    /// A GPU that executes the functions, as `cuda:0`: its driver compiles the PTX [default: the suite's interpreter].
    #[arg(long = "impl", value_name = "GPU", requires = "functions")]
    device: Option<String>,
    /// How many inputs of a function at most: of one of f32 a power of two, 65,536 at least; of one of half precision all,
    /// and of two whole rows.
    #[arg(long, value_name = "N", default_value_t = 1 << 24, requires = "functions")]
    inputs: u64,
    /// Go on with what was measured before.
    #[arg(long, requires = "functions")]
    resume: bool,
    /// Where parts and the record go.
    #[arg(long, value_name = "DIR", default_value = "target/functions", requires = "functions")]
    out: PathBuf,
}

/// Runs `cargo xtask compilers --functions`.
pub fn run(
    arguments: &Functions,
    names: &[String],
    [only, settings, targets]: [&[String]; 3],
    jobs: usize,
) -> Ending {
    stop_on_interrupt()?;
    let _held = take(&arguments.out)?;
    let name = names.first().map_or("nvrtc", String::as_str);
    let device = arguments.device.as_deref().map(Executor::named).transpose()?;
    let compiler = Compiler::connect(name, jobs)?;
    let targets = match targets {
        [] => vec!["compute_90".to_owned()],
        named => named.to_vec(),
    };
    let options = MeasurementSelection {
        only: only.to_vec(),
        targets,
        settings: settings.to_vec(),
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
        bail!("{} is of {kept}, and this is {this}: give another --out", path.display());
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
        let tallies =
            subject.measure(&arguments.out, arguments.resume, jobs, &|more| progress.advance(more))?;
        progress.finish();
        record.add(&subject, tallies);
        let json = serde_json::to_string_pretty(&record)? + "\n";
        let written = reports::write_atomically(&path, json.as_bytes());
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if measured == 0 {
        bail!("no function was measured, for the reasons above");
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
