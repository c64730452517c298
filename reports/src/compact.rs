//! Shortens the report of an implementation so that it is small enough to keep for good.

use crate::{Report, Status, sealed};

/// The beginning of the sentence in `reduced` that says that something was left out.
pub(crate) const SHORTENED: &str = "A shortened copy: ";

/// Whether `reduced`, a report's sentences about what it lacks, says that the report is a shortened copy.
pub(crate) fn is_shortened(reduced: &[String]) -> bool {
    reduced.iter().any(|said| said.starts_with(SHORTENED))
}

impl Report {
    /// Returns a copy without the variants that the implementation lacks, and with one example of each class.
    ///
    /// The copy's `reduced` says what is left out, including fields that this build does not know; `totals` stay those
    /// of the run.
    pub fn compact(mut self) -> Report {
        let lacking = self.variants.iter().filter(|v| v.status == Status::Unsupported).count();
        self.variants.retain(|variant| variant.status != Status::Unsupported);
        for class in self.variants.iter_mut().flat_map(|variant| &mut variant.classes) {
            class.examples.truncate(1);
        }
        self.reduced.push(format!(
            "{SHORTENED}without the {lacking} variants that the implementation lacks, and with one \
             example of each class."
        ));
        self.reduced.extend(std::mem::take(&mut self.unknown).left_out());
        // The checksum is of the copy, which is another content.
        sealed(self)
    }
}
