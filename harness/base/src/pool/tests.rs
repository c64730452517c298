//! Tests of the pool: errors, panics, stops and refused threads at every item.

use std::sync::atomic::AtomicU64;

use super::*;

const ITEMS: [usize; 7] = [0, 1, 2, 3, 4, 5, 6];

#[test]
fn results_come_in_the_order_of_the_items() {
    for jobs in [0, 1, 2, 3, 20] {
        let done = Pool::new(jobs).map(&ITEMS, |item| {
            // The first items take longest.
            std::thread::sleep(Duration::from_millis(7 - *item as u64));
            Ok(item * 2)
        });
        assert_eq!(done.all().unwrap(), [0, 2, 4, 6, 8, 10, 12], "{jobs} threads");
    }
    let none: Vec<usize> = Vec::new();
    assert!(Pool::new(2).map(&none, |item| Ok(*item)).all().unwrap().is_empty());
}

/// Tests that the same error is told whichever thread was faster, and that results that came before are kept.
#[test]
fn the_error_of_the_first_item_is_told_and_ends_the_others() {
    for wrong in ITEMS {
        for jobs in [1, 3] {
            let done = Pool::new(jobs).map(&ITEMS, |item| match *item >= wrong {
                true => Err(anyhow!("item {item} is wrong")),
                false => Ok(*item),
            });
            assert_eq!(done.error.as_ref().unwrap().to_string(), format!("item {wrong} is wrong"));
            let kept: Vec<usize> = done.results.iter().flatten().copied().collect();
            assert_eq!(kept, ITEMS[..wrong], "{jobs} threads");
            assert!(done.all().is_err());
        }
    }
}

#[test]
fn a_panic_is_an_error_with_its_place_and_the_other_threads_end() {
    bug::tests::watch_and_print();
    for wrong in ITEMS {
        let done = Pool::new(2).map(&ITEMS, |item| {
            assert!(*item != wrong, "rows of item {item}");
            Ok(*item)
        });
        let text = done.error.unwrap().to_string();
        assert!(text.contains("pool/tests.rs:") && text.contains(&format!("item {wrong};")), "{text}");
    }
}

#[test]
fn nothing_is_begun_once_the_work_is_stopped() {
    for last in ITEMS {
        let stop = AtomicBool::new(false);
        let done = Pool::new(1).stopped_by(&stop).map(&ITEMS, |item| {
            stop.store(*item == last, Ordering::Relaxed);
            Ok(*item)
        });
        let kept: Vec<usize> = done.results.iter().flatten().copied().collect();
        assert_eq!(kept, ITEMS[..=last]);
        assert!(done.error.is_none());
        let all = done.all();
        assert_eq!(
            all.as_ref().err().map(crate::interrupt::is_interruption),
            (last < 6).then_some(true)
        );
    }
}

/// Tests that `start` is called once for each thread that has something to do, and that its error is that of an
/// item.
#[test]
fn each_thread_has_something_of_its_own() {
    let started = AtomicU64::new(0);
    let start = || Ok(started.fetch_add(1, Ordering::Relaxed));
    Pool::new(3).run_on_each(&ITEMS, start, |_, _| Ok(())).all().unwrap();
    assert!((1..=3).contains(&started.load(Ordering::Relaxed)));
    let failing = || -> Result<()> { Err(anyhow!("no client")) };
    let done = Pool::new(3).run_on_each(&ITEMS, failing, |(), _| Ok(()));
    assert_eq!(done.error.unwrap().to_string(), "no client");
}

#[test]
fn a_thread_that_cannot_be_had_is_a_sentence_unless_fewer_will_do() {
    let none = Pool { stack: Some(usize::MAX / 2), ..Pool::new(2) };
    let done = none.map(&ITEMS, |item| Ok(*item));
    let text = done.error.unwrap().to_string();
    assert!(text.contains("use fewer --jobs"), "{text}");
    assert!(done.results.iter().all(Option::is_none));
    let done = Pool { takes_fewer: true, ..none }.map(&ITEMS, |item| Ok(*item));
    assert_eq!(done.all().unwrap(), ITEMS);
}

#[test]
fn the_caller_watches_while_threads_work() {
    let mut seen = 0;
    let slow = |_: &Halt| {
        std::thread::sleep(Duration::from_millis(50));
        Ok(())
    };
    Pool::new(2).watched(2, slow, Duration::from_millis(1), || seen += 1).unwrap();
    assert!(seen > 0);
}
