//! Reads the code that is judged, and has it compiled if it is not PTX.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base::invocation;
use base::terminal::say;
use compilers::language::Language;
use compilers::setting::{Setting, Switch};
use compilers::{CompileOutcome, CompileRequest, Compiler};
use implementations::bundled::compilers::Want;
use implementations::code::{Code, LaunchShape, LaunchText};

use super::Arguments;
use crate::command::make_directory;

/// The most bytes of a source.
const TEXT_MAX: u64 = 1 << 26;

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
        let Some(language) = self.language(file)? else {
            if file == "-" {
                let text = text(std::io::stdin().lock(), "standard input")?;
                return Code::of_text("-", &text, function, launch);
            }
            return Code::of_file(file, function, launch);
        };
        let ptx = self.compile(file, source(file)?, language)?;
        make_directory(&self.out)?;
        let path = self.out.join(name).with_extension("ptx");
        std::fs::write(&path, &ptx).with_context(|| format!("{} cannot be written", path.display()))?;
        Code::of_text(&path.display().to_string(), &ptx, function, launch)
    }

    /// Returns what the parameters are given, and the threads, as far as the command line says them.
    pub(super) fn launch(&self) -> Option<LaunchText> {
        let Some(threads) = self.threads else { return self.launch.clone() };
        let none = || LaunchText { words: Vec::new(), shape: LaunchShape::default() };
        let LaunchText { words, shape } = self.launch.clone().unwrap_or_else(none);
        let threads = shape.threads.or(Some(threads));
        Some(LaunchText { words, shape: LaunchShape { threads, ..shape } })
    }

    /// Returns the language of a file that has to be compiled; `None` for PTX.
    ///
    /// # Errors
    /// If the file is Python, or bitcode.
    pub(super) fn language(&self, file: &str) -> Result<Option<Language>> {
        Ok(match Path::new(file).extension().and_then(|extension| extension.to_str()) {
            Some("cu") => Some(Language::Cuda),
            Some("ll") if self.compiler.as_deref().is_some_and(|name| name.starts_with("nvvm")) => {
                Some(Language::Nvvm)
            }
            Some("ll") => Some(Language::Llvm),
            Some("bc") => bail!("{file} is LLVM bitcode: make text of it with `llvm-dis {file}`"),
            Some("py") => bail!(
                "{file} is Python, which is not compiled here: have its compiler write PTX, and give that file"
            ),
            _ => None,
        })
    }

    /// Has a compiler make PTX of a source.
    ///
    /// # Errors
    /// If the compiler is not set up, has no such target, or does not take the source.
    fn compile(&self, file: &str, source: String, language: Language) -> Result<String> {
        let compiler = self.connect(language)?;
        let (name, introduction) = (compiler.name(), compiler.introduction());
        let target = target(&compiler, self.targets.first().map_or("sm_90", String::as_str))?;
        let (setting, own) = self.setting()?;
        let mut options = setting.options(language);
        options.extend(own);
        say(&format!(
            "{name} {} compiles {file} for {target} with {}.",
            introduction.version,
            options.join(" ")
        ));
        let (language, want) = (language.name().to_owned(), Want::Ptx);
        let request = CompileRequest { language, source, options, target, want };
        match compiler.compile(&[request])?.pop() {
            Some(CompileOutcome::Ptx(ptx)) => Ok(ptx),
            Some(CompileOutcome::Refused(words)) => bail!("{name} does not take {file}: {words}"),
            Some(CompileOutcome::Died(words)) => bail!("{name} died of {file}: {words}"),
            Some(CompileOutcome::Code(_)) | None => bail!("{name} gave no PTX for {file}"),
        }
    }

    /// Connects the compiler of a language.
    ///
    /// # Errors
    /// If the compiler is not set up, or does not compile the language.
    pub(super) fn connect(&self, language: Language) -> Result<Compiler> {
        let usual = if language == Language::Cuda { "nvrtc" } else { "llvm" };
        let name = self.compiler.as_deref().unwrap_or(usual);
        let compiler = Compiler::connect(name, 1)?;
        if !compiler.introduction().languages.iter().any(|own| own == language.name()) {
            bail!("{name} does not compile {}: name another with --compiler", language.name());
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

/// Reads a source.
///
/// # Errors
/// As [`text`].
pub(super) fn source(file: &str) -> Result<String> {
    text(File::open(file).with_context(|| format!("{file} cannot be opened"))?, file)
}

/// Reads a text that is not too long.
///
/// # Errors
/// If it cannot be read, is too long, or is not text.
fn text(from: impl Read, name: &str) -> Result<String> {
    let mut text = String::new();
    let read = from.take(TEXT_MAX + 1).read_to_string(&mut text);
    read.with_context(|| format!("{name} cannot be read as text"))?;
    if text.len() as u64 > TEXT_MAX {
        bail!("{name} has more than {TEXT_MAX} bytes: cut the function out of it");
    }
    Ok(text)
}
