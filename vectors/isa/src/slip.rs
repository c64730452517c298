//! Recognition of misspelt parts of a spelling: which legal part a person meant.

use std::sync::OnceLock;

use crate::{Modifier, Type};

/// The cost of upper case in the place of lower case, or the reverse.
pub(super) const CASE: u32 = 1;
/// The cost of a rounding in the place of the same rounding to an integer (`rz` for `rzi`), or the reverse.
const SAME_ROUNDING: u32 = 2;
/// The cost of the words of a part in another order, or with other signs between them.
const DOTS: u32 = 3;
/// The cost of the first letters of a part in the place of the whole.
const PREFIX: u32 = 7;
/// The cost of a type in the place of another, to which the difference of their names is added.
const OTHER_TYPE: u32 = 40;

/// Returns the cost of taking one part for another; `None` where it can be no slip of the pen. A slip is a few letters
/// changed, upper case, or the first letters alone.
pub(crate) fn slip_cost(given: &str, legal: &str) -> Option<u32> {
    if given == legal {
        return Some(0);
    }
    if given.eq_ignore_ascii_case(legal) {
        return Some(CASE);
    }
    if has_other_dots(given, legal) {
        return Some(DOTS);
    }
    let (short, long) = (given.len().min(legal.len()), given.len().max(legal.len()));
    // One letter may be wrong, two from six letters on, and none where there is only one.
    let allowed = if short < 2 { 0 } else { 1 + usize::from(short >= 6) };
    let given = given.to_ascii_lowercase();
    if long - short <= allowed {
        let edits = strsim::osa_distance(&given, &legal.to_ascii_lowercase());
        if edits <= allowed {
            // A wrong letter costs more than its case.
            return Some(2 + edits as u32);
        }
    }
    (given.len() >= 3 && legal.starts_with(&given)).then_some(PREFIX)
}

/// Whether `given` is a modifier of several words in another order (`abs.xorsign`), or with a dot for two colons
/// (`scaled.n2.ue8m0`).
fn has_other_dots(given: &str, legal: &str) -> bool {
    let words = |text: &str| {
        let mut words: Vec<String> = text.split('.').map(str::to_ascii_lowercase).collect();
        words.sort_unstable();
        words
    };
    given.contains('.') && words(given) == words(&legal.replace("::", "."))
}

/// Returns the types that spellings print, each once.
pub(super) fn types() -> &'static [Type] {
    static TYPES: OnceLock<Vec<Type>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let mut types = Vec::new();
        for ty in super::forms().iter().flat_map(|form| &form.signatures).flat_map(|s| &s.printed) {
            if !types.contains(ty) {
                types.push(*ty);
            }
        }
        types
    })
}

/// Whether a type of the given name stands in some spelling.
pub(super) fn is_type(name: &str) -> bool {
    types().iter().any(|ty| ty.name == name)
}

/// Whether the part is a modifier or a type.
pub(super) fn is_known(part: &str) -> bool {
    Modifier::named(part).is_some() || is_type(part)
}

/// A part of a text, compared with all that could stand in its place.
pub(super) struct TextPart<'a> {
    pub(super) text: &'a str,
    /// The cost of taking the part for each modifier or each type, by its number; `None` where it is not alike.
    pub(super) alike: Vec<Option<u32>>,
    /// The cost of putting each type in the part's place, by number; empty where the part stands for no type.
    pub(super) replaced: Vec<u32>,
}

impl TextPart<'_> {
    /// Compares a part with what the table has. The second value is whether the part stands for a type.
    pub(super) fn read(text: &str) -> (TextPart<'_>, bool) {
        // A part that the table knows is taken for nothing else, except for upper case (`.nan`, `.NaN`) and for the
        // same rounding.
        let most = if is_known(text) { CASE } else { u32::MAX };
        let alike = |legal| slip_cost(text, legal).filter(|&cost| cost <= most);
        let rounding = Modifier::named(text).and_then(Modifier::rounding);
        let same = |m: &Modifier| rounding.filter(|_| m.rounding() == rounding).map(|_| SAME_ROUNDING);
        let modifiers: Vec<_> =
            Modifier::ALL.iter().map(|m| alike(m.text()).or_else(|| same(m))).collect();
        let types: Vec<_> = types().iter().map(|ty| alike(ty.name)).collect();
        let best = |of: &[Option<u32>]| of.iter().flatten().min().copied();
        // What is like neither counts as a type if it has a digit, as nearly all types do.
        let is_type = match (best(&modifiers), best(&types)) {
            (Some(modifier), Some(ty)) => ty < modifier,
            (None, None) => text.contains(|c: char| c.is_ascii_digit()),
            (modifier, _) => modifier.is_none(),
        };
        let (alike, replaced) = if is_type { (types, replaced(text)) } else { (modifiers, Vec::new()) };
        (TextPart { text, alike, replaced }, is_type)
    }
}

/// Returns, for each type, the cost of putting it in the place of a part that is another.
fn replaced(text: &str) -> Vec<u32> {
    let edits = |ty: &Type| match ty.name.starts_with(text) {
        // The elements are the same, and there are more of them.
        true => 1,
        false => strsim::osa_distance(text, ty.name).min(9) as u32,
    };
    types().iter().map(|ty| OTHER_TYPE + 2 * edits(ty)).collect()
}

/// The largest number of dots in a modifier: `.ld.red.spcompress.sync.aligned`.
const DOTS_MAX: usize = 4;

/// Splits a text at its dots; a modifier that has a dot itself stays whole, misspelt or not.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    loop {
        let ends = rest.match_indices('.').map(|(at, _)| at).chain([rest.len()]);
        let ends: Vec<usize> = ends.take(DOTS_MAX + 1).collect();
        let is_dotted = |dots: usize| {
            // Dots may stand for the modifier's pairs of colons, and are then as many as these.
            let like =
                |text: &str| [text.matches('.').count(), text.matches("::").count()].contains(&dots);
            let mut dotted = Modifier::ALL.iter().map(|m| m.text()).filter(|text| like(text));
            dotted.any(|text| slip_cost(&rest[..ends[dots]], text).is_some())
        };
        // The longest modifier counts, since others may begin like it.
        let dots = (1..ends.len()).rev().find(|&dots| is_dotted(dots)).unwrap_or(0);
        let end = ends[dots];
        parts.push(&rest[..end]);
        match rest[end..].strip_prefix('.') {
            Some(behind) => rest = behind,
            None => return parts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_dotted_modifiers_whole() {
        assert_eq!(split("min.ftz.xorsign.abs.f16x2"), ["min", "ftz", "xorsign.abs", "f16x2"]);
        assert_eq!(split("min.Xorsing.abs.f16"), ["min", "Xorsing.abs", "f16"]);
        assert_eq!(split("min.xorsign.f16"), ["min", "xorsign", "f16"]);
        assert_eq!(split("cp.reduce.async.bulk.add"), ["cp", "reduce.async.bulk", "add"]);
        assert_eq!(split("tcgen05.ld.red.sync.aligned.x2"), ["tcgen05", "ld.red.sync.aligned", "x2"]);
        assert!(Modifier::ALL.iter().all(|m| m.text().matches('.').count() <= DOTS_MAX));
        assert_eq!((split(""), split("a..b")), (vec![""], vec!["a", "", "b"]));
    }

    #[test]
    fn slips_of_the_pen_are_few_letters() {
        let all = [("ftc", "ftz"), ("satfini3e", "satfinite"), ("bf61", "bf16"), ("RN", "rn")];
        assert!(all.iter().all(|(given, legal)| slip_cost(given, legal).is_some()));
        assert_eq!(slip_cost("xorsign", "xorsign.abs"), Some(PREFIX));
        for (given, legal) in [("f64x9", "f32x2"), ("lop", "mul"), ("", "rn"), ("r", "rn"), ("xx", "rn")]
        {
            assert_eq!(slip_cost(given, legal), None, "{given} {legal}");
        }
    }
}
