//! Tests of when progress is displayed, and of what is displayed.

use super::*;

#[test]
fn a_log_has_a_line_now_and_then() {
    let progress = Progress::on_medium(Medium::Log, "vectors", 40);
    let at = |seconds| progress.started + Duration::from_secs(seconds);
    assert_eq!(progress.text_if_due(at(1), |counts| counts.done += 4), None);
    let line = progress.text_if_due(at(10), |counts| counts.done += 6);
    assert_eq!(line.as_deref(), Some(" 25%  10 of 40 vectors, 30 seconds left"));
    assert_eq!(progress.text_if_due(at(19), |counts| counts.done += 9), None);
    let line = progress.text_if_due(at(20), |counts| counts.done += 1);
    assert_eq!(line.as_deref(), Some(" 50%  20 of 40 vectors, 20 seconds left"));
}

#[test]
fn a_bar_is_there_from_the_beginning() {
    let progress = Progress::on_medium(Medium::terminal(), "vectors", 40);
    let at = |milliseconds| progress.started + Duration::from_millis(milliseconds);
    let bar = progress.text_if_due(at(0), |counts| counts.done += 4).expect("a bar");
    assert!(bar.contains(" 10%"), "{bar}");
    assert_eq!(progress.text_if_due(at(50), |_| ()), None);
    assert!(progress.text_if_due(at(100), |_| ()).is_some());
}

/// Tests that whoever comes late with a lower count takes nothing back, and that what was done before is no
/// pace.
#[test]
fn counts_only_rise() {
    let progress = Progress::on_medium(Medium::Log, "vectors", None);
    progress.set_total(100);
    progress.take_up(40);
    let wrong = |count| Some(WrongCount { count, words: format!("{count} mismatches") });
    progress.reach(60, wrong(1));
    progress.reach(50, wrong(2));
    let line = progress.text_if_due(progress.started + Duration::from_secs(20), |_| ());
    assert_eq!(line.as_deref(), Some(" 60%  60 of 100 vectors, 2 mismatches, 40 seconds left"));
}

#[test]
fn what_is_hidden_says_nothing() {
    let progress = Progress::hidden();
    let late = progress.started + Duration::from_secs(100);
    assert_eq!(progress.text_if_due(late, |counts| counts.done += 1), None);
}
