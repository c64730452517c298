//! A report small enough to keep for good.

use crate::{Report, Status, sealed};

impl Report {
    /// Without the variants that the implementation lacks, and with one example of each class. What is
    /// left out is said in `reduced`; `totals` stay those of the run.
    pub fn compact(mut self) -> Report {
        let lacking = self.variants.iter().filter(|v| v.status == Status::Unsupported).count();
        self.variants.retain(|variant| variant.status != Status::Unsupported);
        for class in self.variants.iter_mut().flat_map(|variant| &mut variant.classes) {
            class.examples.truncate(1);
        }
        self.reduced.push(format!(
            "A shortened copy: without the {lacking} variants that the implementation lacks, and with one \
             example of each class."
        ));
        sealed(self)
    }
}
