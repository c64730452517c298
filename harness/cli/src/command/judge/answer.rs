//! Adds to the report of judged code, and to what is printed, its approximate instructions and the parts that no vector
//! reached.

use compilers::unit::Approximation;
use implementations::code::{Code, Unreached, UnreachedWay};
use isa::Variant;
use reports::Report;

use super::executed::Executed;
use super::standard::Standard;

/// The most parts of a function that no vector reached which are printed.
const UNREACHED_MAX: usize = 8;

/// Returns the approximate instructions of some code, each once.
pub fn approximate_instructions(code: &Code) -> Vec<&'static str> {
    let mut all: Vec<&str> =
        code.variants().filter(|variant| !variant.is_exact()).map(Variant::text).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Adds what a report of an implementation does not have: what was judged by what, and which parts were reached.
pub fn add_details(
    report: &mut Report,
    standard: &Standard,
    executed: &Executed,
    approximation: Approximation,
) {
    let details = &mut report.implementation.details;
    if let Some(meaning) = standard.meaning(approximation) {
        details.insert("meaning".into(), meaning.text());
    }
    if let Standard::Function(against) = standard {
        (report.oracle.name, report.oracle.mpfr) = (against.name(), String::new());
    }
    if approximation.is_end() {
        details.insert("approximate instructions".into(), approximation.name().into());
    }
    if let Executed::Interpreted(code) = executed {
        let read = code.read_unset().map(|words| ("read and never set".into(), words.to_owned()));
        details.extend(read);
    }
    // One instruction was asked for, so its run is whole.
    report.reduced.retain(|reason| !reason.starts_with("Only variants that match"));
}

/// Adds to a report what no vector of any trial reached.
pub fn add_unreached(report: &mut Report, unreached: &[Unreached]) {
    let all: Vec<String> = unreached.iter().map(ToString::to_string).collect();
    if !all.is_empty() {
        report.implementation.details.insert("not reached".into(), all.join("; "));
    }
}

/// Returns what neither the trials before, if there were any, nor the vectors of another trial have reached.
pub fn unreached_by_all(before: Option<Vec<Unreached>>, last: Vec<Unreached>) -> Vec<Unreached> {
    let Some(before) = before else { return last };
    let of_both = |one: Unreached| {
        let other = last
            .iter()
            .find(|other| other.function == one.function && other.instruction == one.instruction)?;
        match (one.way, other.way) {
            (UnreachedWay::Whole, way) | (way, UnreachedWay::Whole) => Some(Unreached { way, ..one }),
            (own, way) => (own == way).then_some(one),
        }
    };
    before.into_iter().filter_map(of_both).collect()
}

/// Returns what no vector reached in some code, in words.
pub fn coverage(code: &Code, unreached: &[Unreached]) -> String {
    let unset = code.read_unset().map(|words| {
        format!("Never set, or left open by PTX, though no result was seen to depend on it: {words}\n")
    });
    let unset = unset.unwrap_or_default();
    if unreached.is_empty() {
        return format!(
            "{unset}All {} instructions were executed, with every choice both ways.\n",
            code.instructions()
        );
    }
    let mut text = unset + "Not reached, so nothing is known about:\n";
    for one in unreached.iter().take(UNREACHED_MAX) {
        text += &format!("  {one}\n");
    }
    if let Some(more) = unreached.len().checked_sub(UNREACHED_MAX).filter(|more| *more > 0) {
        text += &format!("  and {more} more\n");
    }
    text
}
