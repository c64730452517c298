//! Which variants are asked for.

use anyhow::{Result, bail};
use vectors::Variant;
use vectors::isa::Target;
use vectors::matrix::MatrixVariant;
use wildmatch::WildMatch;

/// What a filter selects of the two tables, each in its order.
pub struct Selection {
    /// Variants that compute lanes, or single numbers.
    pub variants: Vec<&'static Variant>,
    /// Matrix instructions.
    pub matrices: Vec<&'static MatrixVariant>,
}

/// The mnemonics of matrix instructions.
const MATRICES: &[&str] = &["mma", "wmma", "wgmma", "tcgen05"];

/// Whether a text begins like a matrix instruction.
pub fn is_matrix(text: &str) -> bool {
    MATRICES.contains(&text.split('.').next().unwrap_or_default())
}

/// Why a pattern matches nothing, as far as that can be said.
fn hint(pattern: &str) -> String {
    let refusal = match pattern.contains(['*', '?']) {
        true => None,
        false if is_matrix(pattern) => {
            pattern.parse::<MatrixVariant>().err().map(|error| error.to_string())
        }
        false => pattern.parse::<Variant>().err().map(|error| error.to_string()),
    };
    refusal.unwrap_or_else(|| "`cargo xtask list` prints the variants".into())
}

impl Selection {
    /// What matches a filter and exists on a target.
    ///
    /// # Errors
    /// If a pattern matches nothing, or no match exists on the target.
    pub fn of(only: &[String], target: Option<Target>) -> Result<Selection> {
        let patterns: Vec<WildMatch> = only.iter().map(|pattern| WildMatch::new(pattern)).collect();
        let (lanes, matrices) = (Variant::all(), MatrixVariant::all());
        for (text, pattern) in only.iter().zip(&patterns) {
            let mut names =
                lanes.iter().map(Variant::text).chain(matrices.iter().map(MatrixVariant::text));
            if !names.any(|name| pattern.matches(name)) {
                bail!("--only `{text}` matches no variant: {}", hint(text));
            }
        }
        let wanted = |name: &str| patterns.is_empty() || patterns.iter().any(|p| p.matches(name));
        let selection = Selection {
            variants: lanes
                .iter()
                .filter(|variant| wanted(variant.text()) && variant.available(target, None))
                .collect(),
            matrices: matrices
                .iter()
                .filter(|variant| wanted(variant.text()) && variant.form().available(target, None))
                .collect(),
        };
        match target {
            Some(target) if selection.variants.is_empty() && selection.matrices.is_empty() => bail!(
                "{target} has none of the variants asked for: `cargo xtask list --target {target}` prints those it has"
            ),
            _ => Ok(selection),
        }
    }
}

/// The variants that match a filter, exist on a target, and are no matrix instructions.
///
/// # Errors
/// If a pattern matches nothing else, or no match exists on the target.
pub fn select(only: &[String], target: Option<Target>) -> Result<Vec<&'static Variant>> {
    for text in only {
        let pattern = WildMatch::new(text);
        let judged = Variant::all().iter().any(|variant| pattern.matches(variant.text()));
        if !judged && MatrixVariant::all().iter().any(|variant| pattern.matches(variant.text())) {
            bail!(
                "--only `{text}` matches matrix instructions alone: they are listed and held against ptxas \
                 (`list`, `legality`), and not judged yet"
            );
        }
    }
    let selection = Selection::of(only, target)?;
    match target {
        Some(target) if selection.variants.is_empty() => bail!(
            "{target} has none of the variants asked for: `cargo xtask list --target {target}` prints those it has"
        ),
        _ => Ok(selection.variants),
    }
}
