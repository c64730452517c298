//! Reads what a user's own source line should compute, and makes a row of both, which is tried like those of the tables.

use anyhow::{Context, Result, bail};
use compilers::language::Language;
use compilers::module::type_name;
use compilers::promises::OwnMeaning;
use compilers::rows::{Expression, OWN_ROW, PromiseRow};
use reports::compilers::{CompilerReport, Finding};

/// The words before the meaning of a user's own row, where other rows name the document that promises it.
const STATED: &str = "--as ";

/// The most places of a meaning that depend on flushing: each may double the number of expressions.
const HOLES_MAX: usize = 6;

/// Makes a row of a source of which nothing is promised, with these types of its operands and its result, as PTX calls
/// them.
///
/// # Errors
/// If the language has no such type.
pub fn own_row(
    language: Language,
    source: &str,
    takes: Vec<String>,
    gives: String,
) -> Result<PromiseRow> {
    if let Some(ty) = takes.iter().chain([&gives]).find(|ty| type_name(language, ty).is_none()) {
        bail!("no function in {} takes or gives {ty} here", language.name());
    }
    Ok(PromiseRow::own(language, source, takes, gives))
}

/// Makes a row of a source that should compute what `meaning` says, under every setting. The meaning is one that
/// [`OwnMeaning::read`] takes, of instructions and expressions of them. In it `{.ftz}` and `{.ftz?}` stand for what they
/// do in the lists of rows.
///
/// # Errors
/// As [`OwnMeaning::read`] and [`own_row`]; and if too much depends on flushing.
pub fn own_row_with_meaning(language: Language, source: &str, meaning: &str) -> Result<PromiseRow> {
    let spelled = meaning.replace("{.ftz}", "{.z}").replace("{.ftz?}", "{?z}");
    let (means, open) = spelled.split_once(';').unwrap_or((&spelled, ""));
    // Rows have expressions and nothing else, and their other readers rely on it.
    for expression in means.replace("{.z}", "").replace("{?z}", "").split(" or ") {
        let read = Expression::read(expression);
        read.with_context(|| {
            format!("--as `{meaning}`: a source line is held to instructions and expressions of them")
        })?;
    }
    let settled = |flushing: &str| spelled.replace("{.z}", flushing).replace("{?z}", flushing);
    let (kept, flushed) = (OwnMeaning::read(&settled(""))?, OwnMeaning::read(&settled(".ftz"))?);
    if kept.shape() != flushed.shape() {
        bail!("--as `{meaning}`: with and without flushing it has other operands");
    }
    if spelled.matches("z}").count() > HOLES_MAX {
        bail!("--as `{meaning}`: at most {HOLES_MAX} instructions may depend on flushing");
    }
    let shape = kept.shape();
    let takes: Vec<String> = shape.operands().iter().map(|own| own.ty.to_string()).collect();
    let result = shape.results().first().context("--as has no result")?;
    let row = own_row(language, source, takes, result.ty.to_string())?;
    // The form that the tables have: one blank behind the semicolon.
    let open = open.split_whitespace().collect::<Vec<_>>().join(" ");
    let means = if open.is_empty() { means.to_owned() } else { format!("{means}; {open}") };
    // The rows of the tables live as long, and a command makes few rows.
    Ok(row.promising(means, Box::leak(format!("{STATED}{meaning}").into_boxed_str())))
}

/// Makes a user's own row again from a finding of a report; `None` if the finding is about another row.
///
/// # Errors
/// As [`own_row_with_meaning`], and if the report does not say what the source should compute.
pub fn own_row_of_finding(report: &CompilerReport, finding: &Finding) -> Result<Option<PromiseRow>> {
    if finding.class.split_once('/').is_none_or(|(_, row)| row != OWN_ROW) {
        return Ok(None);
    }
    let language = Language::ALL.into_iter().find(|own| own.name() == report.compiler.language);
    let language = language.context("the report is about a language that this suite does not know")?;
    let meaning = finding.document.as_deref().and_then(|document| document.strip_prefix(STATED));
    let meaning = meaning.context("the report does not say what the source should compute")?;
    own_row_with_meaning(language, finding.expression.as_deref().unwrap_or_default(), meaning).map(Some)
}
