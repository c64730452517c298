//! Describes what a row promises under a setting.

use isa::{Target, Variant};

use super::{Expression, Open};
use crate::setting::Switch;

/// The promise of a row under a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Promise {
    /// The expressions that compute the same as the row. Of several single instructions, one has to give all the
    /// results: flushing is permitted there and not mandated. Otherwise each result has to be that of one of the
    /// expressions. If there is none, a compiler has to refuse the row.
    pub means: Vec<Expression>,
    /// The freedom that is left open beside the expressions.
    pub open: Open,
    /// The expression that is permitted as well, of operands that are flushed, with results that are not: no
    /// instruction does that, and LLVM permits it.
    pub of_flushed: Option<Expression>,
    /// The switches that the promise depends on.
    pub depends: Vec<Switch>,
    /// The place in a document where the promise stands.
    pub source: &'static str,
}

impl Promise {
    /// Whether the promise is that there is no such function.
    pub fn is_refusal(&self) -> bool {
        self.means.is_empty()
    }

    /// Whether the promise has several results for a vector, of which a compiler may choose.
    pub fn leaves_a_choice(&self) -> bool {
        self.means.len() > 1 || self.open != Open::default()
    }

    /// Returns the single instructions of which one has all the results, if that is promised.
    pub fn instructions(&self) -> Option<Vec<&'static Variant>> {
        let closed = self.open == Open::default();
        self.means.iter().map(Expression::plain).collect::<Option<_>>().filter(|_| closed)
    }

    /// Whether the promised results depend on approximations among several instructions.
    pub fn is_of_approximations(&self) -> bool {
        let mut all = self.means.iter().flat_map(Expression::instructions);
        self.instructions().is_none() && all.any(|variant| !variant.is_exact())
    }

    /// Whether these opcodes are the instructions of one of the expressions and no others; PTX has `.rn` where none is
    /// written.
    pub fn is_selected(&self, opcodes: &[String]) -> bool {
        let same = |(of, name): (&&Variant, &String)| {
            of.text() == name || of.text().replacen(".rn", "", 1) == *name
        };
        self.means
            .iter()
            .map(Expression::instructions)
            .any(|due| due.len() == opcodes.len() && due.iter().zip(opcodes).all(same))
    }

    /// Whether a compiler's target has an instruction that is promised alone; true, where nobody knows the target.
    pub fn is_on(&self, target: &str) -> bool {
        let target = target.replacen("compute_", "sm_", 1).parse::<Target>().ok();
        let all = self.instructions().unwrap_or_default();
        all.is_empty() || all.iter().any(|variant| variant.available(target, None))
    }

    /// Returns the promise as a text: the expressions and what is left open, or `refused`.
    pub fn text(&self) -> String {
        if self.is_refusal() {
            return "refused".into();
        }
        let all: Vec<String> = self.means.iter().map(Expression::to_string).collect();
        all.join(" or ") + &self.open.to_string()
    }
}
