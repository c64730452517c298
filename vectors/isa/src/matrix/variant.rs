//! Matrix variants: the names that the matrix table's rows expand to.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::dot::Dot;
use super::form::MatrixForm;
use super::operands::{DotOperand, Role, accumulator, operands};
use super::refusal::Refusal;

/// A legal spelling of a matrix instruction, together with what its operands decide.
///
/// A variant's text is its name: `Display` prints it and `FromStr` reads it.
#[derive(Clone, Debug)]
pub struct MatrixVariant {
    text: Box<str>,
    form: &'static MatrixForm,
    dot: Dot,
    operands: Box<[DotOperand]>,
}

impl MatrixVariant {
    /// Returns every variant of every row, in the table's order.
    pub fn all() -> &'static [MatrixVariant] {
        static ALL: OnceLock<Vec<MatrixVariant>> = OnceLock::new();
        ALL.get_or_init(|| {
            let of = |form: &'static MatrixForm| {
                form.texts().into_iter().map(move |text| MatrixVariant::new(text, form))
            };
            super::forms().iter().flat_map(of).collect()
        })
    }

    /// Builds the variant of a name and its row; all else is read from the words of the name.
    fn new(text: String, form: &'static MatrixForm) -> MatrixVariant {
        let words = words(&text);
        let dot = Dot::decode(words.iter().copied());
        let four_bits = words.iter().any(|word| word.starts_with("kind::mxf4"));
        let controls = matches!(words[0], "wgmma" | "tcgen05");
        let operands = operands(&dot, four_bits, controls).into();
        MatrixVariant { text: text.into(), form, dot, operands }
    }

    /// Returns the name.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the spelling as PTX has it before the operands.
    pub fn spelling(&self) -> &str {
        self.text.split('(').next().unwrap_or_default()
    }

    /// Returns the table row that the variant belongs to.
    pub fn form(&self) -> &'static MatrixForm {
        self.form
    }

    /// Returns what one element of the variant's result is computed from.
    pub fn dot(&self) -> &Dot {
        &self.dot
    }

    /// Returns the columns of the variant's dot products.
    pub fn operands(&self) -> &[DotOperand] {
        &self.operands
    }

    /// Returns the column of the variant's sums.
    pub fn result(&self) -> DotOperand {
        accumulator(Role::D, self.dot.d)
    }

    /// Whether the two indices of a chunk may stand in either order. They may in `mma.sp` without `::ordered_metadata`,
    /// where equal indices alone are "invalid values"; but of eight bits those in order are "the meaningful values"
    /// (9.7.16.6.1). They may in `wgmma`, where only equal indices are invalid (9.7.17.6.1).
    pub fn is_unordered(&self) -> bool {
        self.text.starts_with("mma.sp.") && self.dot.a.width() > 8 || self.text.starts_with("wgmma")
    }

    /// Returns the numbers of rows, of columns and of terms that each element sums; `None` where a descriptor holds
    /// them.
    pub fn shape(&self) -> Option<[u32; 3]> {
        self.words().into_iter().find_map(shape)
    }

    /// Returns the words of the name, the mnemonic first.
    pub fn words(&self) -> Vec<&str> {
        words(&self.text)
    }
}

/// Returns the numbers of rows, columns and terms in a word such as `m16n8k8`; `None` where the word is no shape.
pub fn shape(word: &str) -> Option<[u32; 3]> {
    let number = |text: &str| text.parse::<u32>().ok();
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([number(m)?, number(n)?, number(k)?])
}

/// Returns the words of a text, without what stands between them.
pub(super) fn words(text: &str) -> Vec<&str> {
    text.split(['.', '(', ',', ')']).filter(|word| !word.is_empty()).collect()
}

impl fmt::Display for MatrixVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for MatrixVariant {
    fn eq(&self, other: &MatrixVariant) -> bool {
        self.text == other.text
    }
}

impl Eq for MatrixVariant {}

impl FromStr for MatrixVariant {
    type Err = Box<Refusal>;

    fn from_str(text: &str) -> Result<MatrixVariant, Box<Refusal>> {
        static BY_TEXT: OnceLock<HashMap<&str, &MatrixVariant>> = OnceLock::new();
        let by_text =
            BY_TEXT.get_or_init(|| MatrixVariant::all().iter().map(|v| (v.text(), v)).collect());
        match by_text.get(text) {
            Some(&variant) => Ok(variant.clone()),
            None => Err(Box::new(Refusal::of(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn display_and_from_str_are_inverse_over_every_variant() {
        let texts: HashSet<&str> = MatrixVariant::all().iter().map(MatrixVariant::text).collect();
        assert_eq!(texts.len(), MatrixVariant::all().len(), "a name twice");
        for variant in MatrixVariant::all() {
            assert_eq!(variant.to_string().parse::<MatrixVariant>().as_ref(), Ok(variant));
        }
    }

    /// Checks that every documented floating-point spelling is there, counted from the manual's syntax. Where a
    /// descriptor holds the types, they do not belong to the spelling.
    #[test]
    fn every_documented_spelling_is_there() {
        let instructions: HashSet<&str> = MatrixVariant::all()
            .iter()
            .map(|variant| variant.text().split(',').next().unwrap_or_default())
            .collect();
        let count = |begins: &str, scaled: bool| {
            let counted = |text: &&&str| {
                let mnemonic = text.strip_prefix(begins).is_some_and(|rest| rest.starts_with('.'));
                mnemonic && text.contains(".block_scale") == scaled
            };
            instructions.iter().filter(counted).count()
        };
        assert_eq!((count("mma.sync", false), count("mma.sync", true)), (106, 55));
        assert_eq!((count("mma.sp.sync", false), count("mma.sp.sync", true)), (12, 0));
        let ordered = "mma.sp::ordered_metadata.sync";
        assert_eq!((count(ordered, false), count(ordered, true)), (62, 55));
        assert_eq!(count("wmma.mma", false), 84);
        assert_eq!(
            (count("wgmma.mma_async.sync", false), count("wgmma.mma_async.sp", false)),
            (768, 768)
        );
        let fifth = |rest: &str| {
            [false, true]
                .map(|scaled| count(&format!("tcgen05.mma.{rest}"), scaled))
                .iter()
                .sum::<usize>()
        };
        let dense = fifth("cta_group::1") + fifth("cta_group::2");
        assert_eq!((dense, fifth("sp")), (52, 52));
        assert_eq!((fifth("ws.cta_group::1"), fifth("ws.sp")), (6, 6));
        assert_eq!(instructions.len(), 2026);
    }
}
