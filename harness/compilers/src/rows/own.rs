//! Makes a row of a source line that is in no table.

use super::{PromiseRow, RowCase};
use crate::language::Language;

/// The name of every row of a user's own source.
pub const OWN_ROW: &str = "own/source";

impl PromiseRow {
    /// Makes a row of a user's own source, of which nothing is promised. Both dialects of LLVM's language have one text.
    pub fn own(language: Language, source: &str, takes: Vec<String>, gives: String) -> PromiseRow {
        let is_cuda = language == Language::Cuda;
        let own = |of: Language| ((of == Language::Cuda) == is_cuda).then(|| source.to_owned());
        let name = OWN_ROW.to_owned();
        PromiseRow { name, sources: Language::ALL.map(own), takes, gives, cases: Vec::new() }
    }

    /// Returns the row with one promise that holds under every setting: `means` is as in
    /// [`ConditionalPromise::means`](super::ConditionalPromise::means), of the row's operands and result. It has to be
    /// readable: [`PromiseRow::promise`] panics where it is not.
    pub fn promising(self, means: String, source: &'static str) -> PromiseRow {
        let case = RowCase { when: Vec::new(), condition: String::new(), means, source };
        PromiseRow { cases: vec![case], ..self }
    }
}
