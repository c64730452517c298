//! Lists promises about what is compiled: a line each, as plain data, from which rows of one type and rounding are
//! made.

mod compare;
mod contract;
mod convert;
mod divide;
mod flag;
mod half;
mod library;
mod meaning;
mod narrow;
mod operators;
mod own;
mod promise;
mod round;
mod sequence;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use isa::{Register, Variant};
use wildmatch::WildMatch;

use super::language::Language;
use super::setting::{Setting, Switch};
pub(crate) use meaning::MeaningOperand;
pub use meaning::{Expression, NAMES, Open, results};
pub use own::OWN_ROW;
pub use promise::Promise;

/// A line of a table, which makes a row for every filling of its holes.
pub struct PromiseLine {
    /// The name of the rows, with holes.
    pub name: &'static str,
    /// An expression of `a`, `b`, `c` in CUDA C++; empty where there is none.
    pub cuda: &'static str,
    /// The operations in LLVM's language, of `%a`, `%b`, `%c`, with `; ` between them; empty where there are none.
    /// `{contract}` is that flag where contraction is switched on and the language takes one.
    pub ir: &'static str,
    /// The types of the operands and, behind an arrow, of the result, as PTX has them.
    pub types: &'static str,
    /// The words that fill the holes, those of one entry together; rows are made of every combination of the entries.
    pub over: &'static [Hole],
    /// The promises; the first case that applies counts.
    pub cases: &'static [ConditionalPromise],
}

/// The names of holes that are filled together, and the lists of words that fill them, each with a word for each hole.
pub type Hole = (&'static [&'static str], &'static [&'static [&'static str]]);

/// A promise under a condition.
pub struct ConditionalPromise {
    /// The condition: switches, with `!` where they are off, and languages; empty where the promise has no condition.
    pub when: &'static str,
    /// The promise: the instruction that computes the same; or expressions of instructions with ` or ` between them,
    /// any of which may give a result; or `refused`. `{.z}` stands for `.ftz` where flushing is switched on, and `{?z}`
    /// for `.ftz` or nothing there, where no document says which. Behind a `;` stand flags of LLVM's that leave more
    /// open. Approximations among several instructions give what those of the function give: the nearest, the lowest or
    /// the highest results.
    pub means: &'static str,
    /// The place in a document where it is promised.
    pub source: &'static str,
}

/// A promise about one source, of one type and rounding.
#[derive(Clone, Debug)]
pub struct PromiseRow {
    /// The name of the row in reports.
    pub name: String,
    /// The expression in each language that has one.
    sources: [Option<String>; 3],
    /// The types of the operands.
    pub takes: Vec<String>,
    /// The type of the result.
    pub gives: String,
    cases: Vec<RowCase>,
}

#[derive(Clone, Debug)]
struct RowCase {
    when: Vec<Condition>,
    /// The condition as it is written in the table.
    condition: String,
    means: String,
    source: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    Turned(Switch, bool),
    In(Language),
}

/// The instructions whose vectors rows are preferably tried on: the first that has a row's types counts.
const SHAPES: &[&str] = &[
    "fma.rn.f32",
    "fma.rn.f64",
    "fma.rn.f16",
    "fma.rn.bf16",
    "div.rn.f32",
    "div.rn.f64",
    "mul.rn.f16",
    "mul.rn.bf16",
    "sqrt.rn.f32",
    "sqrt.rn.f64",
    "neg.f16",
    "neg.bf16",
];

/// Every row.
pub fn all() -> &'static [PromiseRow] {
    static ALL: OnceLock<Vec<PromiseRow>> = OnceLock::new();
    ALL.get_or_init(|| {
        let tables = [
            operators::LINES,
            compare::LINES,
            sequence::LINES,
            divide::LINES,
            round::LINES,
            convert::LINES,
            half::LINES,
            narrow::LINES,
            flag::LINES,
            library::LINES,
        ];
        tables.into_iter().flatten().flat_map(PromiseLine::rows).collect()
    })
}

/// Returns the rows whose names a pattern matches; all, where there is no pattern.
pub fn matching(only: &[String]) -> impl Iterator<Item = &'static PromiseRow> {
    let only: Vec<WildMatch> = only.iter().map(|pattern| WildMatch::new(pattern)).collect();
    let wanted = move |row: &&PromiseRow| only.is_empty() || only.iter().any(|of| of.matches(&row.name));
    all().iter().filter(wanted)
}

/// Returns every combination of what fills holes: in each, the names of the holes with their words.
pub fn fillings(over: &[Hole]) -> Vec<Vec<(&'static str, &'static str)>> {
    let mut fillings = vec![Vec::new()];
    for (names, words) in over {
        fillings = fillings
            .iter()
            .flat_map(|filling: &Vec<_>| {
                words.iter().map(|row| {
                    assert_eq!(names.len(), row.len(), "{names:?}: a word for each hole");
                    let own = names.iter().copied().zip(row.iter().copied());
                    filling.iter().copied().chain(own).collect()
                })
            })
            .collect();
    }
    fillings
}

/// Returns a text with its holes filled.
pub fn filled(text: &str, filling: &[(&str, &str)]) -> String {
    filling.iter().fold(text.to_owned(), |text, (name, word)| text.replace(&format!("{{{name}}}"), word))
}

impl PromiseLine {
    /// Makes the rows of the line, one for every combination of what fills its holes.
    fn rows(&self) -> Vec<PromiseRow> {
        fillings(self.over).iter().map(|filling| self.row(filling)).collect()
    }

    /// Makes the row of one filling.
    fn row(&self, filling: &[(&str, &str)]) -> PromiseRow {
        let filled = |text: &str| filled(text, filling);
        let source = |text: &str| (!text.is_empty()).then(|| filled(text));
        let types = filled(self.types);
        let (takes, gives) = types.split_once(" -> ").expect("types of operands and of a result");
        let cases = self.cases.iter().map(|case| RowCase {
            when: filled(case.when).split_whitespace().map(condition).collect(),
            condition: filled(case.when),
            means: filled(case.means),
            source: case.source,
        });
        PromiseRow {
            name: filled(self.name),
            // In the order of `Language`: both dialects of LLVM's language have one text.
            sources: [source(self.cuda), source(self.ir), source(self.ir)],
            takes: takes.split_whitespace().map(str::to_owned).collect(),
            gives: gives.to_owned(),
            cases: cases.collect(),
        }
    }
}

/// Reads a condition: a language, or a switch, with `!` where it is off.
fn condition(word: &str) -> Condition {
    if let Some(language) = Language::ALL.into_iter().find(|language| language.name() == word) {
        return Condition::In(language);
    }
    let (name, on) = word.strip_prefix('!').map_or((word, true), |name| (name, false));
    Condition::Turned(Switch::named(name).expect("a switch's or a language's name"), on)
}

impl PromiseRow {
    /// Whether the row promises something in a language.
    pub fn is_in(&self, language: Language) -> bool {
        let holds = |condition: &Condition| !matches!(condition, Condition::In(own) if *own != language);
        self.expression(language).is_some() && self.cases.iter().any(|case| case.when.iter().all(holds))
    }

    /// Returns the class of a finding about the row in reports, such as `computed/ROW`.
    pub fn class(&self, kind: &str) -> String {
        format!("{kind}/{}", self.name)
    }

    /// Returns the row's expression in a language, if it has one there.
    pub fn expression(&self, language: Language) -> Option<&str> {
        self.sources[language as usize].as_deref()
    }

    /// Returns the row's cases, as [`ConditionalPromise`] has them: under which condition, what it promises, and where
    /// that stands. The first that applies counts.
    pub fn cases(&self) -> impl Iterator<Item = [&str; 3]> {
        self.cases.iter().map(|case| [&*case.condition, &*case.means, case.source])
    }

    /// Returns an instruction of the same operands and result, whose vectors the row is tried on.
    ///
    /// # Panics
    /// If there is no such instruction.
    pub fn shape(&self) -> &'static Variant {
        shape_of(&self.takes, &self.gives)
            .unwrap_or_else(|| panic!("{}: no instruction of its types", self.name))
    }

    /// Returns what the row promises under a setting in a language, if anything.
    pub fn promise(&self, language: Language, setting: Setting) -> Option<Promise> {
        let holds = |condition: &Condition| match *condition {
            Condition::Turned(switch, on) => setting.has(switch) == on,
            Condition::In(own) => own == language,
        };
        let place = self.cases.iter().position(|case| case.when.iter().all(holds))?;
        let case = &self.cases[place];
        let flushes = case.means.contains("z}");
        // The promise depends on the earlier cases as well, because it counts only where none of them holds.
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
        if flushes && setting.has(Switch::FtzResults) {
            // Where no expression says this, the row promises nothing under the setting.
            let means = results_flushed(&case.means, &self.gives)?;
            let open = Open { tiny: true, ..Open::default() };
            // A user's own promise stays the user's.
            let source = if self.name == OWN_ROW { case.source } else { RESULTS };
            return Some(Promise { means, open, of_flushed: None, depends, source });
        }
        let (means, open) = case.means.split_once("; ").unwrap_or((&case.means, ""));
        // LLVM permits flushing and does not mandate it.
        let mandated = language != Language::Llvm;
        let flushing = setting.has(Switch::Ftz).then_some(mandated);
        let mut all: Vec<Expression> = Vec::new();
        for text in means.split(" or ").filter(|text| *text != "refused") {
            let each = flushed(text, flushing).into_iter().map(|text| Expression::parse(&text));
            all.extend(each);
        }
        let of_flushed = (flushing == Some(false)).then(|| of_flushed(means)).flatten();
        Some(Promise { means: all, open: Open::of(open), of_flushed, depends, source: case.source })
    }
}

/// Returns an instruction with operands of these types and a result of that type, for its vectors.
pub fn shape_of(takes: &[String], gives: &str) -> Option<&'static Variant> {
    let types =
        |registers: &[Register]| registers.iter().map(|of| of.ty.to_string()).collect::<Vec<_>>();
    let same = |variant: &&Variant| {
        types(variant.operands()) == takes && types(variant.results()) == [gives.to_owned()]
    };
    let preferred = SHAPES.iter().filter_map(|name| Variant::named(name));
    preferred.chain(Variant::all()).find(same)
}

const RESULTS: &str = "LLVM Language Reference, denormal-fp-math: of \"preserve-sign,ieee\" the first is the mode of results, \
                       the second that of operands, which keep subnormal numbers";

/// Reads a text that is a single instruction that may flush, and returns it without flushing; `None` where the text has
/// more, or the instruction is an approximation.
fn read_unflushed(text: &str) -> Option<Expression> {
    if text.contains(['(', ';', ' ']) || !text.contains("z}") {
        return None;
    }
    let kept = Expression::parse(&text.replace("{.z}", "").replace("{?z}", ""));
    kept.variant.is_exact().then_some(kept)
}

/// Makes the expression of a single instruction whose operands are flushed and whose result is not.
fn of_flushed(text: &str) -> Option<Expression> {
    let kept = read_unflushed(text)?;
    let each = kept.variant.operands().iter().zip(NAMES);
    let operands = each.map(|(register, name)| match &*register.ty.to_string() {
        // A product with 1 is a number itself, flushed.
        "f32" => format!("mul.rn.ftz.f32({name}, 1.0)"),
        _ => name.to_owned(),
    });
    Some(Expression::parse(&format!("{kept}({})", operands.collect::<Vec<_>>().join(", "))))
}

/// Makes the expressions of a single instruction whose result may be flushed and whose operands may not; `None` where
/// no expression says that.
fn results_flushed(text: &str, gives: &str) -> Option<Vec<Expression>> {
    let kept = read_unflushed(text).filter(|_| gives == "f32")?;
    // A product with 1 is a number itself, flushed.
    let names = NAMES[..kept.variant.operands().len()].join(", ");
    let flushed = Expression::parse(&format!("mul.rn.ftz.f32({kept}({names}), 1.0)"));
    Some(vec![kept, flushed])
}

/// Returns what a text with `{.z}` and `{?z}` may stand for. `flushing` is `None` where nothing is flushed, true where
/// flushing is mandated, and false where it is permitted.
fn flushed(text: &str, flushing: Option<bool>) -> Vec<String> {
    let Some(at) = text.find("{.z}").into_iter().chain(text.find("{?z}")).min() else {
        return vec![text.to_owned()];
    };
    let (before, rest) = text.split_at(at);
    let choices: &[&str] = match flushing {
        None => &[""],
        Some(true) if rest.starts_with("{.z}") => &[".ftz"],
        Some(_) => &[".ftz", ""],
    };
    // Both holes are of one length.
    let behind = flushed(&rest["{.z}".len()..], flushing);
    let of = |choice: &&str| behind.iter().map(|rest| format!("{before}{choice}{rest}")).collect();
    choices.iter().flat_map(|choice: &&str| -> Vec<String> { of(choice) }).collect()
}
