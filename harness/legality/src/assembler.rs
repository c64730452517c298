//! NVIDIA's assembler, ptxas, asked about many instructions or kernels at once.

mod phases;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use base::command::{FailureKind, Output, Streams, output_within};
use base::invocation;
use implementations::bundled::compilers as known;
use isa::{Features, PtxVersion, Target};
use ptx::{Header, Listing, Printed};

use super::message::Message;

/// The last instruction of every module. No version of PTX has it, so an assembler that does not
/// complain of it has not read the module to its end, and its silence about the rest means nothing.
const GUARD: &str = "add.f33 r0, r1, r2;";

/// The assembler's name: that of its program, and that under which it is set up.
const NAME: &str = "ptxas";

/// A `ptxas` to ask.
pub struct Assembler {
    program: PathBuf,
    deadline: Duration,
    release: String,
}

/// The assembler's verdicts on a module.
pub enum Verdicts {
    /// A refusal of the version and target themselves, with this message.
    NoSuchModule(String),
    /// The message that refuses each instruction, or `None` where the assembler takes it.
    Each(Vec<Option<String>>),
}

impl Assembler {
    /// Finds the assembler: the one at `given`, or of the version that `given` names, as `ptxas@12.9.86`; else that of
    /// the environment variable `PTXAS`; else the newest that is set up; else the one on the path. A run of the
    /// assembler may take as long as `deadline`.
    ///
    /// # Errors
    /// If there is no assembler, or if it does not start and introduce itself.
    pub fn find(given: Option<&Path>, deadline: Duration) -> Result<Assembler> {
        let named = match given.and_then(Path::to_str).filter(|name| name.starts_with(NAME)) {
            Some(name) => known::find(name)?,
            None => None,
        };
        let set_up = || known::find(NAME).ok()??.environment.nvidia(NAME);
        let program = match (named, given) {
            (Some(version), _) => {
                let environment = version.environment;
                environment.nvidia(NAME).with_context(|| environment.missing())?
            }
            (None, Some(path)) => path.to_owned(),
            (None, None) => match std::env::var_os("PTXAS").filter(|path| !path.is_empty()) {
                Some(path) => path.into(),
                None => set_up().or_else(on_path).with_context(|| {
                    format!(
                        "ptxas was not found: run `{}` in the suite's folder, or give its path with \
                         --ptxas PATH",
                        invocation::line("setup ptxas")
                    )
                })?,
            },
        };
        let mut assembler = Assembler { program, deadline, release: String::new() };
        let (_, text) = assembler.run(&["--version".as_ref()])?;
        // `ptxas --version` prints a line that ends like `release 12.9, V12.9.86`.
        let release = text.lines().find_map(|line| line.split_once(", V").map(|(_, release)| release));
        match release {
            Some(release) if text.contains("ptxas") => assembler.release = release.trim().to_owned(),
            _ => bail!(
                "{} is not ptxas by its own account: give the path of NVIDIA's assembler with --ptxas",
                assembler.program.display()
            ),
        }
        Ok(assembler)
    }

    /// Returns the assembler's version, such as `13.5.37`.
    pub fn release(&self) -> &str {
        &self.release
    }

    /// Asks about each of `instructions` in a module for `target` in version `ptx`. The module is written to `file`.
    ///
    /// # Errors
    /// If the assembler does not start, does not end in time, dies, or prints something unknown.
    pub(crate) fn judge(
        &self,
        file: &Path,
        (target, ptx): (Target, PtxVersion),
        instructions: &[&str],
    ) -> Result<Verdicts> {
        let head = head(target, ptx, &ptx::RegisterNumbers::declarations());
        let first = head.lines().count() + 1;
        let mut module = head;
        for instruction in instructions.iter().chain(&[GUARD]) {
            module = module + instruction + "\n";
        }
        module += "ret;\n}\n";
        self.parse(file, Header { ptx, target }, &module, instructions, |line| line.checked_sub(first))
    }

    /// Asks about each of `entries` in a module with this header.
    ///
    /// # Errors
    /// The same errors as those of [`Assembler::judge`].
    pub(crate) fn judge_entries(
        &self,
        file: &Path,
        header: Header,
        entries: &[&Printed],
    ) -> Result<Verdicts> {
        let registers = ptx::RegisterNumbers::declarations();
        let text = format!(".visible .entry guard()\n{{\n{registers}{GUARD}\nret;\n}}\n");
        let guard = Printed { name: "guard".into(), text };
        let module = Listing::new(header, entries.iter().copied().chain([&guard]));
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        self.parse(file, header, module.text(), &names, |line| module.entry_at(line))
    }

    /// Has a module parsed. `place` says what a line is about: which of `subjects`, or the guard behind them, or the
    /// head.
    fn parse(
        &self,
        file: &Path,
        Header { ptx, target }: Header,
        module: &str,
        subjects: &[&str],
        place: impl Fn(usize) -> Option<usize>,
    ) -> Result<Verdicts> {
        let (status, text) = self.run_on(file, module, &["-arch", &self.reader(target)])?;
        let mut refusals = vec![None; subjects.len()];
        let mut guarded = false;
        let mut last = None;
        for line in text.lines() {
            match Message::read(line).ok_or_else(|| self.unknown(line))? {
                Message::At { line, text } | Message::StoppedAt { line, text }
                    if place(line).is_none() =>
                {
                    return Ok(Verdicts::NoSuchModule(text.to_owned()));
                }
                Message::At { line, text } => match place(line).and_then(|at| refusals.get_mut(at)) {
                    Some(refusal) => drop(refusal.get_or_insert_with(|| text.to_owned())),
                    // A line behind all subjects is that of the guard.
                    None => guarded = true,
                },
                Message::StoppedAt { .. } => return Err(self.unknown(line)),
                Message::GivesUp(text) => last = Some(text),
                Message::Remark => {}
            }
        }
        if guarded {
            return Ok(Verdicts::Each(refusals));
        }
        match last {
            Some(text) => bail!("{} gives up for {target}: {text}", self.program.display()),
            None => Err(anyhow!(
                "{} ended ({status}) within the module for {target} in PTX {ptx}, at or after `{}`: \
                 use another version, or select less with --only",
                self.program.display(),
                refusals.iter().rposition(Option::is_some).map_or(GUARD, |at| subjects[at]),
            )),
        }
    }

    /// Has a module assembled to machine code; if that fails, returns what the assembler says.
    ///
    /// # Errors
    /// If the assembler does not start, or does not end in time.
    pub fn assemble(&self, file: &Path, header: Header, module: &str) -> Result<Option<String>> {
        let architecture = self.generator(header.target);
        let (status, text) = self.run_on(file, module, &["-arch", &architecture, "-O1"])?;
        let object = std::fs::metadata(file.with_extension("out")).map_or(0, |object| object.len());
        if status.success() && object > 0 {
            return Ok(None);
        }
        let said = text.lines().find(|line| !matches!(Message::read(line), Some(Message::Remark)));
        Ok(Some(said.map_or_else(|| format!("ptxas ended with {status}"), str::to_owned)))
    }

    /// Writes a module to `file` and runs the assembler on it.
    fn run_on(&self, file: &Path, module: &str, options: &[&str]) -> Result<(ExitStatus, String)> {
        std::fs::write(file, module)
            .with_context(|| format!("{} cannot be written: make room there", file.display()))?;
        let out = file.with_extension("out");
        // A file left there is the previous module's output, not this one's.
        let _ = std::fs::remove_file(&out);
        let options = options.iter().map(OsStr::new);
        let rest: [&OsStr; 3] = [file.as_ref(), "-o".as_ref(), out.as_ref()];
        self.run(&options.chain(rest).collect::<Vec<_>>())
    }

    /// Returns the virtual architecture that reads a target's modules, and generates no code. Each target has its own,
    /// but the oldest have none any more, and `sm_101` was renamed in ptxas 13.
    fn reader(&self, target: Target) -> String {
        self.generator(target).replace("sm_", "compute_")
    }

    /// Returns the architecture for which the assembler generates code of a target's modules.
    fn generator(&self, target: Target) -> String {
        match (target.number, target.features) {
            (..75, _) => "sm_75".into(),
            (101, Features::Baseline) if !self.release.starts_with("12.") => "sm_110".into(),
            (101, _) if !self.release.starts_with("12.") => "sm_110a".into(),
            _ => target.to_string(),
        }
    }

    /// Returns the error for a line that this crate does not know.
    fn unknown(&self, line: &str) -> anyhow::Error {
        let line: String = line.chars().take(200).collect();
        anyhow!(
            "{} printed a line that ptxas 13.5 does not: `{line}`; use that version, or extend \
             harness/legality/src/message.rs",
            self.program.display()
        )
    }

    /// Runs the assembler to its end and returns what it prints, on whichever stream.
    fn run(&self, arguments: &[&OsStr]) -> Result<(ExitStatus, String)> {
        let mut command = Command::new(&self.program);
        match output_within(command.args(arguments), Streams::Both, self.deadline) {
            Ok(Output { status, text }) => Ok((status, text)),
            Err(failure) => Err(match failure.kind {
                FailureKind::NotStarted(_) => {
                    anyhow!("{failure}: give the path of NVIDIA's assembler with --ptxas")
                }
                FailureKind::Late(_) => anyhow!("{failure}: allow it more with --deadline"),
                FailureKind::TooMuch | FailureKind::System(_) => failure.into(),
            }),
        }
    }
}

/// Returns the `ptxas` on the path.
fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX)))
        .find(|file| file.is_file())
}

/// Returns the text of a module up to its first instruction.
fn head(target: Target, ptx: PtxVersion, declarations: &str) -> String {
    // Without the directive a module is one of 32 bits, which late targets lack; the directive is of PTX 2.3.
    let size = if ptx >= (PtxVersion { major: 2, minor: 3 }) { ".address_size 64\n" } else { "" };
    format!(".version {ptx}\n.target {target}\n{size}.entry k() {{\n{declarations}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_an_architecture_that_reads_it() {
        let of = |release: &str, target: &str| {
            let (program, deadline) = (PathBuf::new(), Duration::ZERO);
            let assembler = Assembler { program, deadline, release: release.into() };
            assembler.reader(target.parse().unwrap())
        };
        assert_eq!(["sm_20", "sm_72", "sm_75"].map(|target| of("13.5.37", target)), ["compute_75"; 3]);
        assert_eq!(of("13.5.37", "sm_121f"), "compute_121f");
        assert_eq!(
            ["sm_101", "sm_101f"].map(|target| of("13.5.37", target)),
            ["compute_110", "compute_110a"]
        );
        assert_eq!(of("12.9.86", "sm_101f"), "compute_101f");
    }

    #[test]
    fn the_head_ends_before_the_first_instruction() {
        let of = |target: &str, ptx: &str| {
            let (target, ptx) = (target.parse().unwrap(), ptx.parse().unwrap());
            head(target, ptx, &ptx::RegisterNumbers::declarations())
        };
        assert!(of("sm_20", "2.0").starts_with(".version 2.0\n.target sm_20\n.entry"));
        let late = of("sm_100a", "9.5");
        assert!(late.contains("\n.address_size 64\n") && late.ends_with("q<130>;\n"), "{late}");
    }
}
