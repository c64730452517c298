//! Selection of the variants and matrix instructions that a command line asks for by name.

use anyhow::{Result, bail};
use base::invocation;
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

/// Returns the reason why a pattern matches nothing, as far as it is known, for the end of an error message.
fn hint(pattern: &str) -> String {
    // A pattern without wildcards is a name, and its parser knows what is wrong with it.
    let refusal = match pattern.contains(['*', '?']) {
        true => similar_names(pattern),
        false if is_matrix(pattern) => {
            pattern.parse::<MatrixVariant>().err().map(|error| error.to_string())
        }
        false => pattern.parse::<Variant>().err().map(|error| error.to_string()),
    };
    refusal.unwrap_or_else(|| format!("`{}` prints the variants", invocation::line("list")))
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
        let mut names = lane_names().chain(matrix_names()).filter(|name| name.starts_with(begin));
        let first = names.next()?;
        Some(format!("{} names begin with `{begin}`; the first is `{first}`", names.count() + 1))
    })
}

/// The patterns of a filter, each of which is to match something.
struct Filter<'a>(Vec<(&'a String, WildMatch)>);

impl<'a> Filter<'a> {
    /// Compiles the patterns of a filter.
    ///
    /// # Errors
    /// If a pattern is longer than any name.
    fn of(only: &'a [String]) -> Result<Filter<'a>> {
        let compiled = |pattern: &'a String| {
            short_enough(pattern)?;
            Ok((pattern, WildMatch::new(pattern)))
        };
        Ok(Filter(only.iter().map(compiled).collect::<Result<_>>()?))
    }

    /// Returns the patterns that match none of these names.
    fn idle(
        &self,
        names: impl Iterator<Item = &'static str> + Clone,
    ) -> impl Iterator<Item = &'a String> {
        let idle =
            self.0.iter().filter(move |(_, pattern)| !names.clone().any(|name| pattern.matches(name)));
        idle.map(|(text, _)| *text)
    }

    /// Whether a name matches a pattern of the filter. A filter without patterns selects every name.
    fn is_selected(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|(_, pattern)| pattern.matches(name))
    }

    /// Returns the variants, matrix instructions aside, that match the filter and exist on a target.
    fn lanes(&self, target: Option<Target>) -> Vec<&'static Variant> {
        let wanted =
            |variant: &&Variant| self.is_selected(variant.text()) && variant.available(target, None);
        Variant::all().iter().filter(wanted).collect()
    }
}

/// Returns the names of all variants that are no matrix instructions.
fn lane_names() -> impl Iterator<Item = &'static str> + Clone {
    Variant::all().iter().map(Variant::text)
}

/// Returns the names of all matrix instructions.
fn matrix_names() -> impl Iterator<Item = &'static str> + Clone {
    MatrixVariant::all().iter().map(MatrixVariant::text)
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
        if let Some(text) = filter.idle(lane_names().chain(matrix_names())).next() {
            bail!("--only `{text}` matches no variant: {}", hint(text));
        }
        let wanted = |variant: &&MatrixVariant| {
            filter.is_selected(variant.text()) && variant.form().available(target, None)
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
    if let Some(text) = skipped.idle(lane_names().chain(matrix_names())).next() {
        bail!("--skip `{text}` matches no variant: {}", hint(text));
    }
    // A filter without patterns selects everything, and would skip everything here.
    subjects.retain(|subject| skip.is_empty() || !skipped.is_selected(subject.id()));
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
    if let Some(text) = filter.idle(lane_names()).next() {
        let pattern = WildMatch::new(text);
        if matrix_names().any(|name| pattern.matches(name)) {
            bail!("--only `{text}` matches only matrix instructions, which this command does not take");
        }
        bail!("--only `{text}` matches no variant: {}", hint(text));
    }
    let variants = filter.lanes(target);
    on_target(target, variants.is_empty())?;
    Ok(variants)
}
