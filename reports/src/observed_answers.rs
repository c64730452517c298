//! Tells what devices were seen to do where the manual leaves a choice, by the names that relaxations have in reports.
//!
//! The file `published/devices/seen.json` says it; for a device that is measured next, an entry is added there. The
//! record of a measurement is a folder of `published`; a test holds what an entry says to what its records counted.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The answers that a device, or several devices that are alike, were seen to give.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ObservedAnswers {
    /// The device, as reports and pages name it.
    pub device: String,
    /// The folders of `published` with the records that the answers rest on, each with how many choices it counted;
    /// none where others published the answers.
    pub records: BTreeMap<String, usize>,
    /// The interpretations that were followed, for each relaxation by its name.
    pub answers: BTreeMap<String, String>,
}

static SEEN: LazyLock<Vec<ObservedAnswers>> = LazyLock::new(|| {
    let text = include_str!("../published/devices/seen.json");
    serde_json::from_str(text).expect("published/devices/seen.json is well formed, as a test says")
});

/// Returns every device that was looked at, in the order in which reports name them.
pub fn observed_answers() -> &'static [ObservedAnswers] {
    &SEEN
}

/// Returns the reason of a relaxation, followed by what devices were seen to do.
pub fn with_observed_answers(relaxation: &str, reason: &str) -> String {
    let told =
        observed_answers().iter().filter_map(|seen| Some((&seen.device, seen.answers.get(relaxation)?)));
    told.fold(reason.to_owned(), |text, (device, answer)| format!("{text}; seen on {device}: {answer}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_ends_with_what_was_seen() {
        assert_eq!(with_observed_answers("random-overflow", "nothing is said"), "nothing is said");
        assert_eq!(
            with_observed_answers("oob-pattern", "\"OOB NaN\""),
            "\"OOB NaN\"; seen on sm_100a: 7ff7; seen on sm_120: 7ff7; seen on NVIDIA H100 and H200: 7ff7"
        );
    }

    #[test]
    fn each_device_is_there_once_and_answers_something() {
        let devices: std::collections::BTreeSet<&String> =
            observed_answers().iter().map(|seen| &seen.device).collect();
        assert_eq!(devices.len(), observed_answers().len());
        assert!(observed_answers().iter().all(|seen| !seen.answers.is_empty()));
    }
}
