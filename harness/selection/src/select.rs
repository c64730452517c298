//! Selection of the variants and matrix instructions that a command line asks for by name.

use anyhow::{Result, bail};
use base::invocation;
use formats::FormatId;
use isa::matrix::{MatrixVariant, is_matrix};
use isa::{Target, Variant};
use wildmatch::WildMatch;

use crate::subject::{Subject, short_enough};

/// Variants and matrix instructions that a filter selects, in the order of their tables.
pub struct Selection {
    /// Variants that compute lanes, or single numbers.
    pub variants: Vec<&'static Variant>,
    /// Matrix instructions.
    pub matrices: Vec<&'static MatrixVariant>,
}

/// Returns the reason why a pattern matches nothing, as far as it is known, and what to try, for the end of an
/// error message.
fn hint(pattern: &str) -> String {
    // A pattern without wildcards is a name, and its parser knows what is wrong with it.
    let refusal = match pattern.contains(['*', '?']) {
        true => similar_names(pattern),
        false if is_matrix(pattern) => {
            pattern.parse::<MatrixVariant>().err().map(|error| error.to_string())
        }
        false => pattern.parse::<Variant>().err().map(|error| error.to_string()),
    };
    match (wider_pattern(pattern), refusal) {
        (Some(wider), _) => wider,
        (None, Some(refusal)) => refusal,
        (None, None) => {
            let formats = formats::FLOATS.map(|format| format.name).join(", ");
            format!("`{}` prints the variants; the formats are {formats}", invocation::line("list"))
        }
    }
}

/// Fewest letters of a pattern, wildcards at its ends aside, for which a wider pattern is proposed.
const CORE: usize = 2;

/// Proposes the pattern that has any text before and after this one; `None` if that matches no name either.
fn wider_pattern(pattern: &str) -> Option<String> {
    let core = pattern.trim_matches('*');
    let wider = format!("*{core}*");
    if core.chars().count() < CORE || wider == pattern {
        return None;
    }
    let matching = WildMatch::new(&wider);
    match all_subjects().filter(|subject| matching.matches(subject.id())).count() {
        0 => None,
        count => Some(format!(
            "a pattern has to match the whole name of a variant; '{wider}' matches {count} names"
        )),
    }
}

/// Fewest letters that names must have in common with a pattern, at the beginning, to be called alike.
const LETTERS: usize = 3;

/// Describes the names that begin as a pattern does, as far as any does: how many there are, and the first.
/// `None` if no name shares as many as [`LETTERS`] letters.
fn similar_names(pattern: &str) -> Option<String> {
    let literal = pattern.split(['*', '?']).next()?;
    let ends = literal.char_indices().map(|(at, letter)| at + letter.len_utf8());
    // The longest beginning comes first: the more letters agree, the likelier it is what was meant.
    ends.rev().take_while(|&end| end >= LETTERS).find_map(|end| {
        let begin = &literal[..end];
        let mut names =
            all_subjects().map(|subject| subject.id()).filter(|name| name.starts_with(begin));
        let first = names.next()?;
        Some(format!("{} names begin with `{begin}`; the first is `{first}`", names.count() + 1))
    })
}

/// One pattern of a filter.
enum Pattern {
    /// The name of a format, which stands for everything that has the format among its operands or results.
    Format(FormatId),
    /// A name with wildcards, or a whole name.
    Name(WildMatch),
}

impl Pattern {
    /// Reads a pattern. No variant is called like a format.
    fn read(text: &str) -> Pattern {
        let format = FormatId::ALL.into_iter().find(|format| format.name() == text);
        format.map_or_else(|| Pattern::Name(WildMatch::new(text)), Pattern::Format)
    }

    /// Whether the pattern selects a subject.
    fn matches(&self, subject: &Subject) -> bool {
        match self {
            Pattern::Format(format) => subject.has_format(*format),
            Pattern::Name(pattern) => pattern.matches(subject.id()),
        }
    }
}

/// The patterns of a filter, each of which is to match something.
struct Filter<'a>(Vec<(&'a String, Pattern)>);

impl<'a> Filter<'a> {
    /// Compiles the patterns of a filter.
    ///
    /// # Errors
    /// If a pattern is longer than any name.
    fn of(only: &'a [String]) -> Result<Filter<'a>> {
        let compiled = |pattern: &'a String| {
            short_enough(pattern)?;
            Ok((pattern, Pattern::read(pattern)))
        };
        Ok(Filter(only.iter().map(compiled).collect::<Result<_>>()?))
    }

    /// Returns the first pattern that matches none of these subjects.
    fn idle(&self, subjects: impl Iterator<Item = Subject> + Clone) -> Option<&'a String> {
        let idle =
            |(_, pattern): &&(_, Pattern)| !subjects.clone().any(|subject| pattern.matches(&subject));
        self.0.iter().find(idle).map(|(text, _)| *text)
    }

    /// Whether a subject matches a pattern of the filter. A filter without patterns selects every subject.
    fn is_selected(&self, subject: &Subject) -> bool {
        self.0.is_empty() || self.0.iter().any(|(_, pattern)| pattern.matches(subject))
    }

    /// Returns the variants, matrix instructions aside, that match the filter and exist on a target.
    fn lanes(&self, target: Option<Target>) -> Vec<&'static Variant> {
        let wanted = |variant: &&'static Variant| {
            self.is_selected(&Subject::Variant(variant)) && variant.available(target, None)
        };
        Variant::all().iter().filter(wanted).collect()
    }
}

/// Returns all variants that are no matrix instructions.
fn lane_subjects() -> impl Iterator<Item = Subject> + Clone {
    Variant::all().iter().map(Subject::Variant)
}

/// Returns all matrix instructions.
fn matrix_subjects() -> impl Iterator<Item = Subject> + Clone {
    MatrixVariant::all().iter().map(Subject::Matrix)
}

/// Returns all variants, and then all matrix instructions.
fn all_subjects() -> impl Iterator<Item = Subject> + Clone {
    lane_subjects().chain(matrix_subjects())
}

/// Refuses an empty selection, where a target was asked for.
///
/// # Errors
/// If nothing is left of a filter on the target.
fn on_target(target: Option<Target>, is_empty: bool) -> Result<()> {
    match target {
        Some(target) if is_empty => bail!(
            "{target} has none of the selected variants: `{} --target {target}` prints those it has",
            invocation::line("list")
        ),
        _ => Ok(()),
    }
}

impl Selection {
    /// Selects the variants and matrix instructions that match a filter and exist on a target.
    ///
    /// # Errors
    /// If a pattern matches nothing or is too long, or no match exists on the target.
    pub fn of(only: &[String], target: Option<Target>) -> Result<Selection> {
        let filter = Filter::of(only)?;
        if let Some(text) = filter.idle(all_subjects()) {
            bail!("--only `{text}` matches no variant: {}", hint(text));
        }
        let wanted = |variant: &&'static MatrixVariant| {
            filter.is_selected(&Subject::Matrix(variant)) && variant.form().available(target, None)
        };
        let matrices: Vec<_> = MatrixVariant::all().iter().filter(wanted).collect();
        let variants = filter.lanes(target);
        on_target(target, variants.is_empty() && matrices.is_empty())?;
        Ok(Selection { variants, matrices })
    }
}

/// Selects what a run judges: the variants and matrix instructions that match the patterns of `only`, less
/// those that match a pattern of `skip`. Where `only` is empty, variants alone are selected, since most
/// implementations have no matrix instructions.
///
/// # Errors
/// The errors of [`Selection::of`]; also if a pattern of `skip` matches nothing there is, or nothing is left.
pub fn judged(only: &[String], skip: &[String], target: Option<Target>) -> Result<Vec<Subject>> {
    let mut subjects: Vec<Subject> = match only.is_empty() {
        true => select(only, target)?.into_iter().map(Subject::Variant).collect(),
        false => {
            let Selection { variants, matrices } = Selection::of(only, target)?;
            let variants = variants.into_iter().map(Subject::Variant);
            variants.chain(matrices.into_iter().map(Subject::Matrix)).collect()
        }
    };
    let skipped = Filter::of(skip)?;
    if let Some(text) = skipped.idle(all_subjects()) {
        bail!("--skip `{text}` matches no variant: {}", hint(text));
    }
    // A filter without patterns selects everything, and would skip everything here.
    subjects.retain(|subject| skip.is_empty() || !skipped.is_selected(subject));
    if subjects.is_empty() {
        bail!(
            "--skip leaves out every selected variant: `{}` prints all variants",
            invocation::line("list")
        );
    }
    Ok(subjects)
}

/// Selects the variants that match a filter, exist on a target, and are no matrix instructions.
///
/// # Errors
/// If a pattern matches nothing, or matrix instructions alone, or is too long; or if no match exists on the
/// target.
pub fn select(only: &[String], target: Option<Target>) -> Result<Vec<&'static Variant>> {
    let filter = Filter::of(only)?;
    if let Some(text) = filter.idle(lane_subjects()) {
        let pattern = Pattern::read(text);
        if matrix_subjects().any(|subject| pattern.matches(&subject)) {
            bail!("--only `{text}` matches only matrix instructions, which this command does not take");
        }
        bail!("--only `{text}` matches no variant: {}", hint(text));
    }
    let variants = filter.lanes(target);
    on_target(target, variants.is_empty())?;
    Ok(variants)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names that one pattern selects.
    fn names(pattern: &str) -> Vec<&'static str> {
        let subjects = judged(&[pattern.to_owned()], &[], None).unwrap();
        subjects.iter().map(Subject::id).collect()
    }

    /// Returns the message about a pattern that matches nothing.
    fn refusal(pattern: &str) -> String {
        judged(&[pattern.to_owned()], &[], None).unwrap_err().to_string()
    }

    #[test]
    fn a_format_selects_what_has_it_among_its_operands_or_results() {
        let bf16 = names("bf16");
        for name in ["fma.rn.bf16", "fma.rn.bf16x2", "cvt.rn.bf16.f32", "cvt.f32.bf16"] {
            assert!(bf16.contains(&name), "{name}");
        }
        assert!(bf16.iter().any(|name| is_matrix(name)), "no matrix instruction");
        for name in ["fma.rn.f16", "cvt.rn.f16.f32"] {
            assert!(!bf16.contains(&name), "{name}");
        }
        // The letters of `f16` are in the names of `bf16` as well, which a pattern cannot tell apart.
        let f16 = names("f16");
        assert!(f16.contains(&"fma.rn.f16x2") && !f16.contains(&"fma.rn.bf16"));
        assert!(names("*f16*").contains(&"fma.rn.bf16"));
    }

    #[test]
    fn registers_of_bits_are_of_no_format() {
        // `b32` has the encoding of `u32`, and PTX does not call it that.
        let with_bits = |name: &&str| name.contains(".b32") && !name.contains("u32");
        assert_eq!(names("u32").into_iter().find(with_bits), None);
    }

    #[test]
    fn every_format_selects_something_and_can_be_skipped() {
        for format in FormatId::ALL {
            let selected = names(format.name());
            assert!(!selected.is_empty(), "{}", format.name());
        }
        let [only, skip] = ["bf16", "f32"].map(|name| [name.to_owned()]);
        let left = judged(&only, &skip, None).unwrap();
        assert!(left.iter().any(|subject| subject.id() == "fma.rn.bf16"));
        assert!(!left.iter().any(|subject| subject.id() == "cvt.f32.bf16"));
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_told_what_to_try() {
        assert!(refusal("f16x2").contains("'*f16x2*' matches "), "{}", refusal("f16x2"));
        assert!(refusal("bf16*").contains("'*bf16*' matches "), "{}", refusal("bf16*"));
        assert!(refusal("zzz*").contains("the formats are f16, bf16, "), "{}", refusal("zzz*"));
        assert!(refusal("fmaa.rn.f16").contains("fma"), "{}", refusal("fmaa.rn.f16"));
    }
}
