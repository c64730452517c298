//! Reads a source line of a user's own, and makes a row of it.

mod expression;
mod operations;
mod used;

use std::fmt;

use anyhow::{Result, bail, ensure};
use base::invocation;
use clap::{Args, ValueEnum};
use compilers::Compiler;
use compilers::language::Language;
use compilers::promises;
use compilers::rows::{NAMES, PromiseRow};

use self::used::signature;
use super::own_row::{own_row, own_row_with_meaning};
use crate::command::judge::standard::Standard;

/// The most bytes of a source line.
const SOURCE_MAX: usize = 4096;

/// The long help of `--source`.
const SOURCE: &str = "\
Source line of your own, tried like a row. CUDA C++: an expression of a, b and c, such as `__fdividef(a, b)`. \
LLVM IR: an instruction of %a, %b and %c, such as `fdiv fast float %a, %b`; there may be several, with `; ` between \
them, such as `%m = fmul float %a, %b; fadd float %m, %c`.

With --as, each result has to be one that MEANING gives. Without it, the program prints what the line became under \
each setting, and which instructions give the same results. The exit code is then 2, because nothing was promised.";

/// The long help of `--as`.
const MEANING: &str = "\
Meaning of --source: an instruction, such as `div.full.f32`, or an expression of instructions, such as \
`add.rn.f32(mul.rn.f32(a, b), c)`. docs/use/your-meaning.md has the grammar. The same meaning holds under every setting. \
docs/use/compilers.md says how to write a meaning that flushes in settings that do.";

/// The long help of `--types`.
const TYPES: &str = "\
Types of the operands and of the result of --source, as PTX calls them, such as `f16 f16 -> f16`. Without --types, \
they are those of MEANING. With neither --types nor --as, they are the types in the line of LLVM IR, and f32 in CUDA C++.";

#[derive(Args)]
pub struct OwnSource {
    /// Source line of your own in place of rows: an expression of a, b and c in CUDA C++, or an instruction of %a, %b
    /// and %c in LLVM IR.
    #[arg(long, value_name = "SOURCE", conflicts_with = "only", long_help = SOURCE)]
    source: Option<String>,
    /// Meaning of --source, such as `div.full.f32` or `add.rn.f32(mul.rn.f32(a, b), c)` [default: none].
    #[arg(long = "as", value_name = "MEANING", requires = "source", long_help = MEANING)]
    meaning: Option<String>,
    /// Types of --source if there is no --as, such as `f16 f16 -> f16` [default: those in LLVM IR, else f32].
    #[arg(long, value_name = "TYPES", requires = "source", conflicts_with = "meaning", long_help = TYPES)]
    types: Option<String>,
    /// Language of --source [default: llvm if it has %a, %b or %c, else cuda].
    #[arg(long, value_enum, requires = "source")]
    language: Option<SourceLanguage>,
}

/// A language that a source line may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SourceLanguage {
    /// LLVM IR, for llvm and nvvm.
    Llvm,
    /// CUDA C++, for nvrtc.
    Cuda,
}

/// A row that was made of a source line.
pub struct OwnRow {
    /// The row. The rows of the tables live as long.
    pub row: &'static PromiseRow,
    /// Whether the user has said what the source should compute.
    pub is_promised: bool,
    /// The source as the user gave it.
    pub source: String,
    language: SourceLanguage,
}

impl fmt::Display for SourceLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SourceLanguage::Llvm => "LLVM IR",
            SourceLanguage::Cuda => "CUDA C++",
        })
    }
}

impl SourceLanguage {
    /// Returns the language of a text that nobody has named.
    fn of(text: &str) -> SourceLanguage {
        match operations::names(text).any(|name| NAMES.contains(&name)) {
            true => SourceLanguage::Llvm,
            false => SourceLanguage::Cuda,
        }
    }

    /// Returns the language as compilers name it. Both dialects of LLVM IR have one text.
    fn language(self) -> Language {
        match self {
            SourceLanguage::Llvm => Language::Llvm,
            SourceLanguage::Cuda => Language::Cuda,
        }
    }

    /// Returns the name of a compiler of the language that `setup` takes.
    fn usual(self) -> &'static str {
        match self {
            SourceLanguage::Llvm => "llvm",
            SourceLanguage::Cuda => "nvrtc",
        }
    }
}

impl OwnSource {
    /// Whether results of a source line are shown, and none are judged, because nobody has said which are right.
    pub fn is_unpromised(&self) -> bool {
        self.source.is_some() && self.meaning.is_none()
    }

    /// Makes a row of the source line; `None` if the command line has none.
    ///
    /// # Errors
    /// If the source is not one line, or not an expression or instruction of `a`, `b` and `c`; if the meaning or the
    /// types cannot be read; and if both do not fit together.
    pub fn row(&self) -> Result<Option<OwnRow>> {
        let Some(given) = &self.source else { return Ok(None) };
        let text = one_line(given)?;
        let chosen = self.language.unwrap_or_else(|| SourceLanguage::of(text));
        let language = chosen.language();
        // The operands that the text uses, and its types where the language says them.
        let (text, used) = match chosen {
            SourceLanguage::Llvm => operations::read(text)?,
            SourceLanguage::Cuda => (text.to_owned(), expression::read(text)?),
        };
        let row = match (&self.meaning, &self.types) {
            (Some(meaning), _) => {
                // The error of a name that is none says which are like it.
                Standard::read(&meaning.replace("{.ftz}", "").replace("{.ftz?}", ""))?;
                own_row_with_meaning(language, &text, meaning)?
            }
            (None, Some(types)) => {
                let (takes, gives) = signature(types)?;
                own_row(language, &text, takes, gives)?
            }
            (None, None) => {
                let (takes, gives) = used.signature()?;
                own_row(language, &text, takes, gives)?
            }
        };
        let of = if self.meaning.is_some() { "--as" } else { "--types" };
        used.fit(&row, language, of)?;
        let (source, is_promised) = (given.clone(), self.meaning.is_some());
        let row = &*Box::leak(Box::new(row));
        Ok(Some(OwnRow { row, is_promised, source, language: chosen }))
    }
}

impl OwnRow {
    /// Returns the dialect in which a compiler takes the source; `None` if it is one of those that were not named, and
    /// does not take the source's language.
    ///
    /// # Errors
    /// If the compiler was named, and does not take the language.
    pub fn language(&self, compiler: &Compiler, is_named: bool) -> Result<Option<Language>> {
        let own = promises::language(compiler).ok().filter(|own| self.row.expression(*own).is_some());
        ensure!(
            own.is_some() || !is_named,
            "--source is {}, but {} compiles {}: name another compiler, or say the language with --language",
            self.language,
            compiler.name(),
            compiler.introduction().languages.join(" and ")
        );
        Ok(own)
    }

    /// Returns the error that no compiler takes the language of the source.
    pub fn without_compiler(&self) -> anyhow::Error {
        anyhow::anyhow!(
            "no compiler of {} is set up: `{}` sets one up; or name one with --compiler",
            self.language,
            invocation::line(&format!("setup {}", self.language.usual()))
        )
    }

    /// Returns the sentence of a report that says what was tried in place of the rows.
    pub fn reduction(&self) -> String {
        format!("Only the source line `{}`.", self.source)
    }
}

/// Returns a text without the blanks around it, if it is one line that cannot end the function around it.
///
/// # Errors
/// If it is empty, too long, or has a character that no line of a row has.
fn one_line(text: &str) -> Result<&str> {
    let trimmed = text.trim();
    ensure!(!trimmed.is_empty(), "--source is empty: write an expression such as `a / b`");
    ensure!(
        text.len() <= SOURCE_MAX,
        "--source has more than {SOURCE_MAX} bytes: write a function, and give its file to `{}`",
        invocation::line("judge")
    );
    if let Some(strange) = trimmed.chars().find(|char| char.is_control()) {
        let name = if strange == '\n' { "more than one line".into() } else { format!("{strange:?}") };
        bail!("--source has {name}: it is one expression or instruction. {}", whole_function());
    }
    // The place where contraction is permitted in settings that permit it, as in the rows.
    if trimmed.replace("{contract}", "").contains(['{', '}']) {
        bail!("--source has a brace: it is one expression or instruction. {}", whole_function());
    }
    Ok(trimmed)
}

/// Returns the sentence that says what to do with more than a line.
fn whole_function() -> String {
    format!("Give a whole function as a file to `{}`", invocation::line("judge"))
}
