//! Shortens a compiler's report so that it is small enough to keep for good.

use super::{CompilerReport, Standing};
use crate::compact::SHORTENED;
use crate::sealed;

impl CompilerReport {
    /// Returns a copy that is small enough to keep: with one example of each class, and with the first place alone of
    /// each note. The copy lacks fields that this build does not know, which its `reduced` names.
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
        // A copy of a copy says it once.
        if !self.reduced.contains(&said) {
            self.reduced.push(said);
        }
        self.reduced.extend(std::mem::take(&mut self.unknown).left_out());
        sealed(self)
    }
}
