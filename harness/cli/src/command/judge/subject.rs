//! Reads the code that is judged, and has it compiled if it is not PTX.

use anyhow::{Context, Result, bail};
use base::invocation;
use base::terminal::say;
use compilers::setting::{Setting, Switch};
use compilers::{CompileOutcome, CompileRequest, Compiler};
use implementations::bundled::compilers::Want;
use implementations::code::{Code, LaunchShape, LaunchText};

use super::source::{SourceKind, text};
use super::{Arguments, folder, triton};
use crate::command::make_directory;

impl Arguments {
    /// Reads the code that is judged.
    ///
    /// # Errors
    /// As [`Arguments::read`].
    pub(super) fn code(&self) -> Result<Code> {
        self.read(self.file.as_deref().unwrap_or_default(), self.function.as_deref(), "compiled")
    }

    /// Reads a function of a file. What a compiler makes of it is written to a file of this name.
    ///
    /// # Errors
    /// If the file cannot be read or compiled, or as [`Code::of_text`].
    pub(super) fn read(&self, file: &str, function: Option<&str>, name: &str) -> Result<Code> {
        let launch = self.launch();
        let launch = launch.as_ref();
        let Some(kind) = self.kind(file)? else {
            if file == "-" {
                let text = text(std::io::stdin().lock(), "standard input")?;
                return Code::of_text("-", &text, function, launch);
            }
            return Code::of_file(file, function, launch);
        };
        let ptx = self.compile(file, kind, function)?;
        let (kernel, words) = match kind {
            SourceKind::Triton => triton::launch_of(&ptx, launch),
            SourceKind::Text(_) | SourceKind::Bitcode(_) => (None, launch.cloned()),
        };
        let (function, launch) = (kernel.as_deref().or(function), words.as_ref());
        let folder = match &self.out {
            Some(out) => out.clone(),
            None => folder::default_for(file, Some(&Code::chosen_function(file, &ptx, function)?)),
        };
        make_directory(&folder)?;
        let path = folder.join(name).with_extension("ptx");
        std::fs::write(&path, &ptx).with_context(|| format!("{} cannot be written", path.display()))?;
        let code = Code::of_text(&path.display().to_string(), &ptx, function, launch)?;
        if kind == SourceKind::Triton {
            triton::check_elements(&ptx, &code)?;
        }
        Ok(code)
    }

    /// Returns what the parameters are given, and the threads, as far as the command line says them.
    pub(super) fn launch(&self) -> Option<LaunchText> {
        let Some(threads) = self.threads else { return self.launch.clone() };
        let none = || LaunchText { words: Vec::new(), shape: LaunchShape::default() };
        let LaunchText { words, shape } = self.launch.clone().unwrap_or_else(none);
        let threads = shape.threads.or(Some(threads));
        Some(LaunchText { words, shape: LaunchShape { threads, ..shape } })
    }

    /// Returns the kind of a file that has to be compiled; `None` for PTX.
    ///
    /// # Errors
    /// If an option is given that files of this kind do not have.
    pub(super) fn kind(&self, file: &str) -> Result<Option<SourceKind>> {
        let kind = SourceKind::of(file, self.compiler.as_deref());
        self.check_triton(kind)?;
        Ok(kind)
    }

    /// Has a compiler make PTX of a file.
    ///
    /// # Errors
    /// If the file cannot be read, if the compiler is not set up, has no such target, or does not take the source.
    fn compile(&self, file: &str, kind: SourceKind, function: Option<&str>) -> Result<String> {
        let source = kind.read(file)?;
        let options = match kind {
            SourceKind::Triton => self.triton_options(file, function)?,
            SourceKind::Text(language) | SourceKind::Bitcode(language) => {
                let (setting, own) = self.setting()?;
                setting.options(language).into_iter().chain(own).collect()
            }
        };
        let compiler = self.connect(kind)?;
        let (name, version) = (compiler.name(), &compiler.introduction().version);
        let target = target(&compiler, self.targets.first().map_or("sm_90", String::as_str))?;
        if kind != SourceKind::Triton {
            say(&format!("{name} {version} compiles {file} for {target} with {}.", options.join(" ")));
        }
        let (language, want) = (kind.language().to_owned(), Want::Ptx);
        let request = CompileRequest { language, source, options, target: target.clone(), want };
        let ptx = match compiler.compile(&[request])?.pop() {
            Some(CompileOutcome::Ptx(ptx)) => ptx,
            Some(CompileOutcome::Refused(words)) => bail!("{name} does not take {file}: {words}"),
            Some(CompileOutcome::Died(words)) => bail!("{name} died of {file}: {words}"),
            Some(CompileOutcome::Code(_)) | None => bail!("{name} gave no PTX for {file}"),
        };
        if kind == SourceKind::Triton {
            say(&format!("{name} {version} compiles {file} for {target}: {}.", triton::words(&ptx)));
        }
        Ok(ptx)
    }

    /// Connects the compiler of sources of a kind.
    ///
    /// # Errors
    /// If the compiler is not set up, or does not compile such sources.
    pub(super) fn connect(&self, kind: SourceKind) -> Result<Compiler> {
        let name = self.compiler.as_deref().unwrap_or(kind.usual_compiler());
        let compiler = Compiler::connect(name, 1)?;
        if !compiler.introduction().languages.iter().any(|own| own == kind.language()) {
            bail!("{name} does not compile {}: name another with --compiler", kind.language());
        }
        Ok(compiler)
    }

    /// Returns the setting that the words of `--option` make, and the options that are the compiler's own.
    ///
    /// # Errors
    /// If a word is neither.
    pub(super) fn setting(&self) -> Result<(Setting, Vec<String>)> {
        let (mut setting, mut own) = (Setting::default(), Vec::new());
        for word in &self.options {
            let (on, name) = word.strip_prefix('!').map_or((true, word.as_str()), |name| (false, name));
            match Switch::named(name) {
                Some(switch) => setting = setting.with_switch(switch, on),
                None if word.starts_with('-') => own.push(word.clone()),
                None => {
                    let names: Vec<&str> = Switch::ALL.into_iter().map(Switch::name).collect();
                    bail!(
                        "--option `{word}` is neither one of {} nor an option that begins with `-` (see `{}`)",
                        names.join(", "),
                        invocation::line("compilers list")
                    );
                }
            }
        }
        Ok((setting, own))
    }
}

/// Returns a compiler's name of the target that is asked for: the one that ends with the same digits.
///
/// # Errors
/// If the compiler has no such target.
pub(super) fn target(compiler: &Compiler, asked: &str) -> Result<String> {
    let number = |name: &str| name.rsplit_once('_').map_or(name.to_owned(), |(_, end)| end.to_owned());
    let targets = &compiler.introduction().targets;
    let found =
        targets.iter().find(|target| target.name == asked || number(&target.name) == number(asked));
    found.map(|target| target.name.clone()).with_context(|| {
        let names: Vec<&str> = targets.iter().map(|target| &*target.name).collect();
        format!("{} has no target {asked}: it has {}", compiler.name(), names.join(", "))
    })
}
