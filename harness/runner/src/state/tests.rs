//! Tests of state files: what goes to disk comes back, and a state that is another run's or damaged is refused.

mod dots;
mod identity;
mod possible;

use formats::RowBits;
use implementations::Description;
use selection::budget::Tier;

use super::*;
use crate::plan::Plan;
use crate::request::RunRequest;

/// Returns a plan, and its identity.
fn plan() -> (Plan, RunIdentity) {
    let request = RunRequest::of(Tier::Quick, vec!["mul.f16".into()]);
    let plan = Plan::new(request, &implementations::Canary).unwrap();
    let identity = RunIdentity::of(&plan, &Description::default());
    (plan, identity)
}

/// Errors and times in the report after a resume are what they would have been without one.
#[test]
fn no_number_changes_on_its_way_through_the_file() {
    let (plan, identity) = plan();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("state.json");
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..200 {
        let mut progress = Progress::new(plan.tasks.len());
        for _ in 0..20 {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            // From 2^-64 to 2^63.
            let ulp = f64::from_bits((random >> 12) | ((959 + random % 128) << 52));
            progress.seconds = ulp;
            let operands = vec![RowBits::from(0x3c00); 2];
            let worst = judge::Worst { ulp: Some(ulp), index: 0, operands };
            let errors = judge::Errors { worst: Some(worst), ..judge::Errors::default() };
            progress.tallies[0].errors.insert(format!("{random:x}"), errors);
        }
        save(&path, &identity, &progress).unwrap();
        assert_eq!(load(&path, &identity).unwrap(), progress);
    }
}

/// A changed digit is noticed, whichever digit it is.
#[test]
fn a_changed_digit_is_noticed() {
    let (plan, identity) = plan();
    let mut progress = Progress::new(plan.tasks.len());
    progress.tallies[0] = Tally { vectors: 12, ..Tally::default() };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("state.json");
    save(&path, &identity, &progress).unwrap();
    let file = std::fs::read(&path).unwrap();
    serde_json::from_slice::<serde_json::Value>(&file).unwrap();
    let digits = (0..file.len()).filter(|&at| file[at].is_ascii_digit());
    for at in digits.step_by(7) {
        let mut changed = file.clone();
        changed[at] = if changed[at] == b'9' { b'0' } else { changed[at] + 1 };
        std::fs::write(&path, changed).unwrap();
        let error = load(&path, &identity).unwrap_err().to_string();
        assert!(error.contains("is damaged") && error.contains("without --resume"), "{error}");
    }
    std::fs::write(&path, &file).unwrap();
    assert_eq!(load(&path, &identity).unwrap(), progress);
}

#[test]
fn blocks_done_out_of_order_are_remembered_and_not_done_again() {
    let mut progress = Progress::new(2);
    let tally = |vectors| Tally { vectors, ..Tally::default() };
    for (place, before) in [(1, 0), (3, 0), (0, 2), (2, 4), (5, 4)] {
        assert!(!progress.has(place));
        progress.finish(place, place % 2, tally(10));
        assert!(progress.has(place));
        assert_eq!(progress.before, before);
    }
    assert_eq!((0..7).filter(|&place| progress.has(place)).collect::<Vec<_>>(), [0, 1, 2, 3, 5]);
    assert_eq!([progress.tallies[0].vectors, progress.tallies[1].vectors], [20, 30]);
}

#[test]
fn progress_counts_what_was_asked_and_what_was_wrong() {
    let mut progress = Progress::new(2);
    assert_eq!((progress.asked(), progress.mismatches()), (0, 0));
    progress.finish(0, 0, Tally { vectors: 5, unanswered: 2, mismatches: 1, ..Tally::default() });
    progress.finish(7, 1, Tally { vectors: 30, mismatches: 10, ..Tally::default() });
    assert_eq!((progress.asked(), progress.mismatches()), (37, 11));
}

#[test]
fn a_state_that_is_not_there_or_not_to_be_read_says_what_to_do() {
    let (_, identity) = plan();
    let folder = tempfile::tempdir().unwrap();
    let missing = load(&folder.path().join("state.json"), &identity).unwrap_err().to_string();
    assert!(missing.contains("there is nothing to resume") && missing.contains("does not exist"));
    let unreadable = format!("{:#}", load(folder.path(), &identity).unwrap_err());
    assert!(unreadable.contains("could not be read"), "{unreadable}");
}
