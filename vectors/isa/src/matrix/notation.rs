//! The notation of the matrix table's rows, and the expansion of a row into names.

/// The groups that a row may name, as in the manual's syntax: the name, then its members.
const GROUPS: &[(&str, &str)] = &[
    ("layout", "row|col"),
    ("rnd", "rn|rz|rm|rp"),
    ("f8", "e4m3|e5m2"),
    ("f8f6f4", "e4m3|e5m2|e3m2|e2m3|e2m1"),
    ("cta_group", "cta_group::1|cta_group::2"),
];

/// The group that stands for one choice wherever its name stands in a row: "`.dtype` must be the same as `.ctype`"
/// (9.7.16.5.14).
const TIED: (&str, &str) = ("acc", "f16|f32");

/// The largest N of `wgmma`: "multiples of 8" up to this number (9.7.17.2).
const N_MAX: u32 = 256;

/// The signs that stand between words.
const SEPARATORS: &[char] = &['.', '(', ',', ')'];

/// Expands a row into every text that it stands for, in the row's order. Words are separated as in PTX, and bars
/// separate alternatives. Braces hold a word that may be left out, with its dot. A group's name stands for its
/// alternatives, and `N` in a shape for a multiple of 8.
///
/// # Panics
/// On an open brace: the table's own tests expand every row.
pub fn expand(syntax: &str) -> Vec<String> {
    let tied = syntax.split(SEPARATORS).any(|word| word == TIED.0);
    // The tied group is chosen before all others, so that its places agree.
    let choices: Vec<&str> = if tied { TIED.1.split('|').collect() } else { vec![""] };
    choices.into_iter().flat_map(|choice| expand_with(syntax, choice)).collect()
}

/// Expands a row with one choice for the tied group.
fn expand_with(syntax: &str, tied: &str) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut rest = syntax;
    while !rest.is_empty() {
        let (endings, behind) = if let Some(inner) = rest.strip_prefix('{') {
            let (inner, behind) =
                inner.split_once('}').unwrap_or_else(|| panic!("an open brace in `{syntax}`"));
            let dotted = alternatives(&inner[1..], tied).into_iter().map(|word| format!(".{word}"));
            (std::iter::once(String::new()).chain(dotted).collect(), behind)
        } else if rest.starts_with(SEPARATORS) {
            (vec![rest[..1].to_owned()], &rest[1..])
        } else {
            let ends = |c: char| c == '{' || SEPARATORS.contains(&c);
            let (word, behind) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
            (alternatives(word, tied), behind)
        };
        let longer = |text: &String| endings.iter().map(|ending| format!("{text}{ending}")).collect();
        texts = texts.iter().flat_map(|text| -> Vec<String> { longer(text) }).collect();
        rest = behind;
    }
    texts
}

/// Returns the alternatives for a word of a row.
fn alternatives(word: &str, tied: &str) -> Vec<String> {
    let each = |one: &str| -> Vec<String> {
        if one == TIED.0 {
            return vec![tied.to_owned()];
        }
        if let Some((before, behind)) = one.split_once('N') {
            return (8..=N_MAX).step_by(8).map(|n| format!("{before}{n}{behind}")).collect();
        }
        let group = GROUPS.iter().find(|(name, _)| *name == one);
        group.map_or(one, |(_, choices)| choices).split('|').map(str::to_owned).collect()
    };
    word.split('|').flat_map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_manuals_notation() {
        assert_eq!(expand("mma.m8n8k4.f16"), ["mma.m8n8k4.f16"]);
        assert_eq!(
            expand("x{.rn|rz}.acc.acc"),
            ["x.f16.f16", "x.rn.f16.f16", "x.rz.f16.f16", "x.f32.f32", "x.rn.f32.f32", "x.rz.f32.f32"]
        );
        assert_eq!(expand("x.f8.f8").len(), 4);
        let wide = expand("x.m64nNk16(a-desc|a-tmem,f32.k16)");
        assert_eq!((wide.len(), &*wide[0]), (64, "x.m64n8k16(a-desc,f32.k16)"));
        assert_eq!(wide[63], "x.m64n256k16(a-tmem,f32.k16)");
    }
}
