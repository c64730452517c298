//! Reads a source line of a user's own, and makes a row of it.

mod expression;
mod operations;

use std::fmt;

use anyhow::{Context, Result, bail, ensure};
use base::invocation;
use clap::{Args, ValueEnum};
use compilers::Compiler;
use compilers::language::Language;
use compilers::module::type_name;
use compilers::promises;
use compilers::rows::{NAMES, PromiseRow};
use reports::printable;

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
`add.rn.f32(mul.rn.f32(a, b), c)`. docs/use/your-function.md has the grammar. It holds under every setting. \
`{.ftz}` stands for `.ftz` in settings that flush, as in `div.full{.ftz}.f32`.";

/// The long help of `--types`.
const TYPES: &str = "\
Types of the operands and of the result of --source, as PTX calls them, such as `f16 f16 -> f16`. Without --types, \
they are those of MEANING. Without --as too, they are those that LLVM IR names, and f32 in CUDA C++.";

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
            (Some(meaning), _) => PromiseRow::own(language, &text, meaning)?,
            (None, Some(types)) => {
                let (takes, gives) = signature(types)?;
                PromiseRow::unpromised(language, &text, takes, gives)?
            }
            (None, None) => {
                let (takes, gives) = used.signature()?;
                PromiseRow::unpromised(language, &text, takes, gives)?
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

/// The operands that a source uses, and the types that it says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Used {
    /// The type of each operand as the source calls it: `None` for an operand that is not used. In a language that
    /// says no types, it is empty.
    operands: [Option<String>; NAMES.len()],
    /// The type of the result as the source calls it; empty where it says none.
    result: String,
}

impl Used {
    /// Returns the types of the operands and of the result, as PTX calls them. Where the source says none, they are
    /// f32.
    ///
    /// # Errors
    /// If an operand is left out, or has a type that no row has.
    fn signature(&self) -> Result<(Vec<String>, String)> {
        let count = self.operands.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        ensure!(count > 0, "--source uses none of the operands a, b and c (in LLVM IR %a, %b and %c)");
        let takes = self.operands.iter().take(count).zip(NAMES).map(|(operand, name)| {
            let operand = operand.as_ref().with_context(|| {
                format!("--source does not use `{name}`: call its operands a, b and c, in this order")
            })?;
            ptx_type(operand)
        });
        Ok((takes.collect::<Result<_>>()?, ptx_type(&self.result)?))
    }

    /// Checks that the source uses no other operands and types than a row has. `of` is the option that says these.
    ///
    /// # Errors
    /// If it does, says where.
    fn fit(&self, row: &PromiseRow, language: Language, of: &str) -> Result<()> {
        let types = row.takes.iter().map(Some).chain(std::iter::repeat(None));
        for ((used, name), due) in self.operands.iter().zip(NAMES).zip(types) {
            let Some(used) = used else { continue };
            let Some(due) = due else {
                bail!("--source uses `{name}`, but {of} has {} operands", row.takes.len());
            };
            let named = type_name(language, due).unwrap_or_default();
            ensure!(
                used.is_empty() || used == named,
                "--source takes `{name}` as {used}, but in {of} it is {due}, which is {named} in LLVM IR"
            );
        }
        let named = type_name(language, &row.gives).unwrap_or_default();
        ensure!(
            self.result.is_empty() || self.result == named,
            "--source gives {}, but {of} gives {}, which is {named} in LLVM IR",
            self.result,
            row.gives
        );
        Ok(())
    }
}

/// Returns the name of a type of LLVM IR in PTX. A type that nobody has named is f32.
///
/// # Errors
/// If no row has the type.
fn ptx_type(name: &str) -> Result<String> {
    const KNOWN: [&str; 10] =
        ["f16", "bf16", "f32", "f64", "f16x2", "bf16x2", "s8", "s16", "s32", "s64"];
    if name.is_empty() {
        return Ok("f32".to_owned());
    }
    let known = KNOWN.iter().find(|own| type_name(Language::Llvm, own) == Some(name));
    match known {
        Some(known) => Ok((*known).to_owned()),
        None if name == "i1" => bail!(
            "--source gives i1: make a number of it, as in `%k = fcmp olt float %a, %b; sext i1 %k to i32`"
        ),
        None => bail!(
            "--source has the type {}, which no row has: say the types with --types",
            printable(name)
        ),
    }
}

/// Reads types such as `f16 f16 -> f16`.
///
/// # Errors
/// If there are no such types.
fn signature(text: &str) -> Result<(Vec<String>, String)> {
    let read = text.split_once("->").map(|(takes, gives)| {
        let takes: Vec<String> = takes.split_whitespace().map(str::to_owned).collect();
        (takes, gives.trim().to_owned())
    });
    let fits = |(takes, gives): &(Vec<String>, String)| {
        let known = |ty: &String| type_name(Language::Cuda, ty).is_some();
        (1..=NAMES.len()).contains(&takes.len()) && takes.iter().all(known) && known(gives)
    };
    read.filter(fits).with_context(|| {
        format!(
            "--types `{text}` is not one to three types of operands and one of a result, such as `f16 f16 -> f16`; \
             types are f16, bf16, f32, f64, f16x2, bf16x2, s8 to s64, u8 to u64, and narrow ones such as e4m3"
        )
    })
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
