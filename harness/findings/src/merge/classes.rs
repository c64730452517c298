//! Keeps what the parts of a run found out about their mismatches, for a merge where the implementation is not there
//! to be asked again.

use std::collections::BTreeMap;

use reports::{Class, Explanation, Report};

use super::part::RunPart;

/// The classes of all parts by name, each with the index of the part that it is from; `None` where the implementation
/// can be asked again.
pub struct Classes(Option<BTreeMap<String, (u64, Class)>>);

impl Classes {
    /// Makes an empty collection. Where the implementation is present, it stays empty, since diagnoses are made anew.
    pub fn new(is_present: bool) -> Classes {
        Classes((!is_present).then(BTreeMap::new))
    }

    /// Whether the implementation can be asked again, so that nothing is collected.
    pub fn is_present(&self) -> bool {
        self.0.is_none()
    }

    /// Adds the classes of the part with this index.
    pub fn add(&mut self, index: u64, part: &RunPart) {
        let Some(classes) = &mut self.0 else { return };
        for class in part.report.variants.iter().flat_map(|variant| &variant.classes) {
            match classes.get_mut(&class.id) {
                None => _ = classes.insert(class.id.clone(), (index, class.clone())),
                Some((before, known)) => {
                    let explanation =
                        common_explanation(known.explanation.as_ref(), class.explanation.as_ref());
                    // In whatever order parts come, what cannot be added up is taken from the part with the lowest
                    // index.
                    if index < *before {
                        (*before, *known) = (index, class.clone());
                    }
                    known.explanation = explanation;
                }
            }
        }
    }

    /// Gives the classes of the whole run's report what the parts found out about them.
    pub fn explain(&self, report: &mut Report) {
        let Some(classes) = &self.0 else { return };
        if classes.is_empty() {
            return;
        }
        for class in report.variants.iter_mut().flat_map(|variant| &mut variant.classes) {
            let Some((_, known)) = classes.get(&class.id) else { continue };
            class.diagnosis.clone_from(&known.diagnosis);
            class.simplest.clone_from(&known.simplest);
            class.explanation.clone_from(&known.explanation);
        }
        report.reduced.push(
            "Merged without the implementation: mismatches are explained only as far as each part \
             explained them."
                .into(),
        );
    }
}

/// Returns what two explanations say of the mismatches of both together; `None` if either is missing, or if they are
/// of two causes.
pub fn common_explanation(
    one: Option<&Explanation>,
    other: Option<&Explanation>,
) -> Option<Explanation> {
    let (one, other) = (one?, other?);
    (one.flaws == other.flaws).then(|| Explanation {
        mismatches: one.mismatches.saturating_add(other.mismatches),
        agreeing: one.agreeing.saturating_add(other.agreeing),
        others: one.others.iter().filter(|of| other.others.contains(of)).cloned().collect(),
        ..one.clone()
    })
}
