//! The operands that a source line uses, their types, and whether they are those of a meaning.

use anyhow::{Context, Result, bail, ensure};
use compilers::language::Language;
use compilers::module::type_name;
use compilers::rows::{NAMES, PromiseRow};
use reports::printable;

/// The operands that a source uses, and the types that it says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// The type of each operand as the source calls it: `None` for an operand that is not used. In a language that
    /// says no types, it is empty.
    pub operands: [Option<String>; NAMES.len()],
    /// The type of the result as the source calls it; empty where it says none.
    pub result: String,
}

impl Used {
    /// Returns the types of the operands and of the result, as PTX calls them. Where the source says none, they are
    /// f32.
    ///
    /// # Errors
    /// If an operand is left out, or has a type that no row has.
    pub fn signature(&self) -> Result<(Vec<String>, String)> {
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
    pub fn fit(&self, row: &PromiseRow, language: Language, of: &str) -> Result<()> {
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
pub fn signature(text: &str) -> Result<(Vec<String>, String)> {
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
