//! A report small enough to keep for good.

use crate::compilers::{CompilerReport, Standing};
use crate::{Report, Status, sealed};

/// How the sentence begins that says in `reduced` that something was left out.
const SHORTENED: &str = "A shortened copy: ";

/// Whether a report says that it is a shortened copy.
pub(crate) fn is_shortened(reduced: &[String]) -> bool {
    reduced.iter().any(|said| said.starts_with(SHORTENED))
}

impl Report {
    /// Without the variants that the implementation lacks, and with one example of each class. What is
    /// left out is said in `reduced`, fields that this build does not know as well; `totals` stay those of the run.
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
        sealed(self)
    }
}

impl CompilerReport {
    /// A copy that is small enough to keep: with one example of each class, and the first place of each note;
    /// without fields that this build does not know, which `reduced` names.
    pub fn compact(mut self) -> CompilerReport {
        for finding in &mut self.findings {
            finding.classes.iter_mut().for_each(|class| class.examples.truncate(1));
            if finding.status == Standing::Note {
                let places = finding.sequences.iter_mut().map(|sequence| &mut sequence.places);
                places.for_each(|places| {
                    places.truncate(1);
                    places.iter_mut().for_each(|place| place.settings.truncate(1));
                });
            }
        }
        let said = format!(
            "{SHORTENED}with one example of each class, and of each note the first place alone."
        );
        if !self.reduced.contains(&said) {
            self.reduced.push(said);
        }
        self.reduced.extend(std::mem::take(&mut self.unknown).left_out());
        sealed(self)
    }
}
