//! Promises about what is compiled: a line each, as plain data, from which rows of one type and rounding are made.

mod convert;
mod divide;
mod half;
mod operators;
mod round;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use vectors::Variant;
use wildmatch::WildMatch;

use super::program::Language;
use super::setting::{Setting, Switch};
use crate::select;

/// A line of a table.
pub struct Line {
    /// What rows are called, with holes.
    pub name: &'static str,
    /// An expression of `a`, `b`, `c` in CUDA C++; empty where there is none …
    pub cuda: &'static str,
    /// … and the last operation in LLVM's language, of `%a`, `%b`, `%c`.
    pub ir: &'static str,
    /// The types of the operands and, behind an arrow, of the result, as PTX has them.
    pub types: &'static str,
    /// What holes are filled with, all of a hole's words at once.
    pub over: &'static [Hole],
    /// What is promised, the first case first that applies.
    pub cases: &'static [Case],
}

/// Names of holes, and in each row what fills them.
pub type Hole = (&'static [&'static str], &'static [&'static [&'static str]]);

/// A promise under a condition.
pub struct Case {
    /// Switches, with `!` where they are off, and languages; nothing where the promise has no condition.
    pub when: &'static str,
    /// The instruction that computes the same, `{.z}` being `.ftz` where that is switched on, and `{?z}` being it or
    /// not, where no document says which.
    pub means: &'static str,
    /// Where it is promised.
    pub source: &'static str,
}

/// A promise about one source, of one type and rounding.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name in reports.
    pub name: String,
    /// The expression in each language that has one.
    sources: [Option<String>; 3],
    /// The types of its operands.
    pub takes: Vec<String>,
    /// The type of its result.
    pub gives: String,
    cases: Vec<RowCase>,
}

#[derive(Clone, Debug)]
struct RowCase {
    when: Vec<Condition>,
    means: String,
    source: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    Turned(Switch, bool),
    In(Language),
}

/// What a row promises under a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Promise {
    /// The instructions of which one has all the results: several where flushing is permitted and not mandated.
    pub means: Vec<&'static Variant>,
    /// The switches that the promise depends on.
    pub depends: Vec<Switch>,
    /// Where it stands.
    pub source: &'static str,
}

/// Every row.
pub fn all() -> &'static [Row] {
    static ALL: OnceLock<Vec<Row>> = OnceLock::new();
    ALL.get_or_init(|| {
        let tables = [operators::LINES, divide::LINES, round::LINES, convert::LINES, half::LINES];
        tables.into_iter().flatten().flat_map(Line::rows).collect()
    })
}

/// The rows that a pattern matches by their names; all, where there is no pattern.
pub fn matching(only: &[String]) -> impl Iterator<Item = &'static Row> {
    let only: Vec<WildMatch> = only.iter().map(|pattern| WildMatch::new(pattern)).collect();
    let wanted = move |row: &&Row| only.is_empty() || only.iter().any(|of| of.matches(&row.name));
    all().iter().filter(wanted)
}

impl Line {
    /// Its rows: every combination of what fills its holes.
    fn rows(&self) -> Vec<Row> {
        let mut fillings: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
        for (names, words) in self.over {
            fillings = fillings
                .iter()
                .flat_map(|filling| {
                    words.iter().map(|row| {
                        assert_eq!(names.len(), row.len(), "{}: a word for each hole", self.name);
                        let own = names.iter().copied().zip(row.iter().copied());
                        filling.iter().copied().chain(own).collect()
                    })
                })
                .collect();
        }
        fillings.iter().map(|filling| self.row(filling)).collect()
    }

    fn row(&self, filling: &[(&str, &str)]) -> Row {
        let filled = |text: &str| {
            filling
                .iter()
                .fold(text.to_owned(), |text, (name, word)| text.replace(&format!("{{{name}}}"), word))
        };
        let source = |text: &str| (!text.is_empty()).then(|| filled(text));
        let types = filled(self.types);
        let (takes, gives) = types.split_once(" -> ").expect("types of operands and of a result");
        let cases = self.cases.iter().map(|case| RowCase {
            when: case.when.split_whitespace().map(condition).collect(),
            means: filled(case.means),
            source: case.source,
        });
        Row {
            name: filled(self.name),
            sources: [source(self.cuda), source(self.ir), source(self.ir)],
            takes: takes.split_whitespace().map(str::to_owned).collect(),
            gives: gives.to_owned(),
            cases: cases.collect(),
        }
    }
}

fn condition(word: &str) -> Condition {
    if let Some(language) = Language::ALL.into_iter().find(|language| language.name() == word) {
        return Condition::In(language);
    }
    let (name, on) = word.strip_prefix('!').map_or((word, true), |name| (name, false));
    Condition::Turned(Switch::named(name).expect("a switch's or a language's name"), on)
}

impl Row {
    /// Its expression in a language.
    pub fn expression(&self, language: Language) -> Option<&str> {
        self.sources[language as usize].as_deref()
    }

    /// What it promises under a setting in a language, if anything.
    pub fn promise(&self, language: Language, setting: Setting) -> Option<Promise> {
        let holds = |condition: &Condition| match *condition {
            Condition::Turned(switch, on) => setting.has(switch) == on,
            Condition::In(own) => own == language,
        };
        let place = self.cases.iter().position(|case| case.when.iter().all(holds))?;
        let case = &self.cases[place];
        let flushes = case.means.contains("z}");
        let conditions = self.cases[..=place].iter().flat_map(|case| &case.when);
        let mut depends: Vec<Switch> = conditions
            .filter_map(|condition| match condition {
                Condition::Turned(switch, _) => Some(*switch),
                Condition::In(_) => None,
            })
            .collect();
        depends.extend(flushes.then_some(Switch::Ftz));
        depends.sort_unstable();
        depends.dedup();
        let with = |ftz: &str| variant(&case.means.replace("{.z}", ftz).replace("{?z}", ftz));
        let means = match flushes && setting.has(Switch::Ftz) {
            false => vec![with("")],
            // LLVM permits flushing and does not mandate it.
            true if language == Language::Llvm || case.means.contains('?') => {
                vec![with(".ftz"), with("")]
            }
            true => vec![with(".ftz")],
        };
        Some(Promise { means, depends, source: case.source })
    }
}

fn variant(text: &str) -> &'static Variant {
    select::named(text).unwrap_or_else(|| panic!("{text} is no variant"))
}
