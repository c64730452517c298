//! Which variants are asked for.

use anyhow::{Result, bail};
use vectors::Variant;
use vectors::isa::Target;
use wildmatch::WildMatch;

/// The variants that match a filter and exist on a target.
///
/// # Errors
/// If a pattern matches no variant, or no match exists on the target.
pub fn select(only: &[String], target: Option<Target>) -> Result<Vec<&'static Variant>> {
    let patterns: Vec<WildMatch> = only.iter().map(|pattern| WildMatch::new(pattern)).collect();
    for (text, pattern) in only.iter().zip(&patterns) {
        if !Variant::all().iter().any(|variant| pattern.matches(variant.text())) {
            let hint = match text.parse::<Variant>() {
                Err(error) if !text.contains(['*', '?']) => error.to_string(),
                _ => "`cargo xtask list` prints the variants".into(),
            };
            bail!("--only `{text}` matches no variant: {hint}");
        }
    }
    let selected: Vec<&Variant> = Variant::all()
        .iter()
        .filter(|variant| patterns.is_empty() || patterns.iter().any(|p| p.matches(variant.text())))
        .filter(|variant| variant.available(target, None))
        .collect();
    match target {
        Some(target) if selected.is_empty() => {
            bail!(
                "{target} has none of the variants asked for: `cargo xtask list --target {target}` prints those it has"
            )
        }
        _ => Ok(selected),
    }
}
