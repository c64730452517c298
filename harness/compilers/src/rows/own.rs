//! Makes a row of a user's own source line, which is tried like the rows of the tables.

use anyhow::{Context, Result, bail};

use super::{Expression, PromiseRow, RowCase};
use crate::language::Language;
use crate::module::type_name;
use crate::promises::OwnMeaning;

/// The name of every row that a user has made.
pub const OWN_ROW: &str = "own/source";

/// The words before the meaning of a user's own row, where other rows name the document that promises it.
const STATED: &str = "--as ";

/// The most places of a meaning that depend on flushing: each may double the number of expressions.
const HOLES_MAX: usize = 6;

impl PromiseRow {
    /// Makes a row of a source that should compute what `meaning` says, under every setting. The meaning is one that
    /// [`OwnMeaning::read`] takes. In it `{.ftz}` and `{.ftz?}` stand for what they do in the lists of rows.
    ///
    /// # Errors
    /// As [`OwnMeaning::read`]; if too much depends on flushing; and if the language has no type for an operand or
    /// for the result.
    pub fn own(language: Language, source: &str, meaning: &str) -> Result<PromiseRow> {
        let spelled = meaning.replace("{.ftz}", "{.z}").replace("{.ftz?}", "{?z}");
        let settled = |flushing: &str| {
            OwnMeaning::read(&spelled.replace("{.z}", flushing).replace("{?z}", flushing))
        };
        let (kept, flushed) = (settled("")?, settled(".ftz")?);
        // Rows have expressions and nothing else, and their other readers rely on it.
        let (means, open) = spelled.split_once(';').unwrap_or((&spelled, ""));
        for expression in means.replace("{.z}", "").replace("{?z}", "").split(" or ") {
            let read = Expression::read(expression);
            read.with_context(|| {
                format!(
                    "--as `{meaning}`: a source line is held to instructions and expressions of them"
                )
            })?;
        }
        if kept.shape() != flushed.shape() {
            bail!("--as `{meaning}`: with and without flushing it has other operands");
        }
        if spelled.matches("z}").count() > HOLES_MAX {
            bail!("--as `{meaning}`: at most {HOLES_MAX} instructions may depend on flushing");
        }
        let shape = kept.shape();
        let takes: Vec<String> = shape.operands().iter().map(|own| own.ty.to_string()).collect();
        let result = shape.results().first().context("--as has no result")?;
        let mut row = PromiseRow::unpromised(language, source, takes, result.ty.to_string())?;
        // The form that the tables have: one blank behind the semicolon.
        let open = open.split_whitespace().collect::<Vec<_>>().join(" ");
        let means = if open.is_empty() { means.to_owned() } else { format!("{means}; {open}") };
        row.cases = vec![RowCase {
            when: Vec::new(),
            condition: String::new(),
            means,
            // The rows of the tables live as long, and a command makes one row.
            source: Box::leak(format!("{STATED}{meaning}").into_boxed_str()),
        }];
        Ok(row)
    }

    /// Makes a row of a source of which nothing is promised, with these types of its operands and its result, as PTX
    /// calls them.
    ///
    /// # Errors
    /// If the language has no such type.
    pub fn unpromised(
        language: Language,
        source: &str,
        takes: Vec<String>,
        gives: String,
    ) -> Result<PromiseRow> {
        if let Some(ty) = takes.iter().chain([&gives]).find(|ty| type_name(language, ty).is_none()) {
            bail!("no function in {} takes or gives {ty} here", language.name());
        }
        let own = |of: Language| (of == language).then(|| source.to_owned());
        let sources = match language {
            Language::Cuda => Language::ALL.map(own),
            // Both dialects of LLVM's language have one text.
            Language::Nvvm | Language::Llvm => {
                Language::ALL.map(|of| (of != Language::Cuda).then(|| source.to_owned()))
            }
        };
        Ok(PromiseRow { name: OWN_ROW.to_owned(), sources, takes, gives, cases: Vec::new() })
    }

    /// Makes a user's own row again from what a report has of it: the expression, and the place of its promise.
    ///
    /// # Errors
    /// As [`PromiseRow::own`], and if the place is not that of a user's own promise.
    pub(crate) fn own_of_report(
        language: Language,
        expression: Option<&str>,
        document: Option<&str>,
    ) -> Result<PromiseRow> {
        let meaning = document.and_then(|document| document.strip_prefix(STATED));
        let meaning = meaning.context("the report does not say what the source should compute")?;
        PromiseRow::own(language, expression.unwrap_or_default(), meaning)
    }
}
