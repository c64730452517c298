//! Tests that the report can add up and show whatever a state says.

use isa::limits::ELEMENTS_MAX;
use selection::Shard;

use super::*;

/// A state counts no more than its plan has. It may be edited, or half of it be another's; whatever it counts, the
/// report can add up.
#[test]
fn a_state_counts_no_more_than_its_plan_has() {
    let (plan, identity) = plan();
    let read = |tally: Tally| {
        let mut progress = Progress::new(plan.tasks.len());
        progress.tallies[0] = tally;
        from_json(&to_json(&identity, &progress).unwrap(), Path::new("state.json"), &identity)
    };
    let vectors = plan.tasks[0].vectors;
    assert!(read(Tally { vectors, mismatches: vectors, ..Tally::default() }).is_ok());
    let mut answered = Tally::default();
    answered.answer("any-nan", "canonical", vectors * ELEMENTS_MAX as u64 + 1);
    let impossible = [
        Tally { vectors: vectors + 1, ..Tally::default() },
        Tally { vectors: 1, unanswered: u64::MAX, ..Tally::default() },
        Tally { confirmed: u64::MAX, ..Tally::default() },
        answered,
    ];
    for tally in impossible {
        let error = read(tally).unwrap_err().to_string();
        assert!(error.contains("counts more vectors than its plan has"), "{error}");
    }
    let keeping = |operands: Vec<RowBits>, actual: Vec<RowBits>| {
        let mut tally = Tally { vectors: 1, ..Tally::default() };
        let (index, expected, accepted, words) = (0, vec![7.into()], Vec::new(), None);
        let example = Mismatch { index, operands, expected, accepted, actual, words };
        tally.mismatch(MismatchKind::Number, 0, || example);
        read(tally)
    };
    let (word, wide) = (RowBits::from(0xffff), RowBits::from_bytes(&[0; 16]));
    assert!(keeping(vec![word.clone(); 2], vec![word.clone()]).is_ok());
    assert!(keeping(vec![word.clone(); 2], Vec::new()).is_ok());
    for operands in [vec![word.clone()], vec![word.clone(), wide], vec![word, 0x1_0000.into()]] {
        let error = keeping(operands, Vec::new()).unwrap_err().to_string();
        assert!(error.contains("it has a vector that its variant does not have"), "{error}");
    }
}

/// A state has a tally for each task, no more and no fewer.
#[test]
fn a_state_has_a_tally_for_each_task() {
    let (plan, identity) = plan();
    for tasks in [0, plan.tasks.len() - 1, plan.tasks.len() + 1] {
        let json = to_json(&identity, &Progress::new(tasks)).unwrap();
        let error = from_json(&json, Path::new("state.json"), &identity).unwrap_err().to_string();
        assert!(error.contains("number of tasks differs"), "{error}");
    }
}

/// Blocks that are done are those of the plan, whatever places a state has. A run that went on from another state would
/// find no block to do, and never be complete.
#[test]
fn a_state_has_done_no_block_beyond_the_plan() {
    let (mut plan, _) = plan();
    for shard in [None, Some(Shard { index: 2, count: 2 })] {
        plan.request.shard = shard;
        let identity = RunIdentity::of(&plan, &Description::default());
        let blocks = plan.blocks().len();
        assert!(blocks > 3);
        let read = |before, beyond: &[usize]| {
            let mut progress = Progress::new(plan.tasks.len());
            (progress.before, progress.beyond) = (before, beyond.iter().copied().collect());
            let json = to_json(&identity, &progress).unwrap();
            from_json(&json, Path::new("state.json"), &identity).map_err(|error| error.to_string())
        };
        for (before, beyond) in [(0, vec![]), (blocks, vec![]), (0, vec![1, blocks - 1]), (1, vec![2])] {
            assert!(read(before, &beyond).is_ok(), "{before} {beyond:?}");
        }
        let impossible = [
            (blocks + 1, vec![]),
            (usize::MAX, vec![]),
            (usize::MAX, vec![usize::MAX]),
            (0, vec![blocks]),
            (0, vec![usize::MAX]),
            // The first block that is not done is `before` itself.
            (0, (0..blocks).collect()),
            (2, vec![1]),
        ];
        for (before, beyond) in impossible {
            let error = read(before, &beyond).unwrap_err();
            assert!(
                error.contains("is damaged: its list of finished blocks"),
                "{before} {beyond:?}: {error}"
            );
        }
    }
}

/// Every vector that is kept has the registers of its variant, whatever keeps it: an example, a first answer, a worst
/// error.
#[test]
fn every_vector_that_is_kept_has_the_registers_of_its_variant() {
    let (plan, identity) = plan();
    let read = |tally: Tally| {
        let mut progress = Progress::new(plan.tasks.len());
        progress.tallies[0] = tally;
        let json = to_json(&identity, &progress).unwrap();
        from_json(&json, Path::new("state.json"), &identity)
    };
    let example = |operands: &[u64], expected: &[u64], actual: &[u64]| {
        let [operands, expected, actual] =
            [operands, expected, actual].map(|bits| bits.iter().map(|&bits| bits.into()).collect());
        Mismatch { index: 0, operands, expected, accepted: Vec::new(), actual, words: None }
    };
    let kept = |example: Mismatch| {
        let mut as_mismatch = Tally { vectors: 1, ..Tally::default() };
        as_mismatch.mismatch(MismatchKind::Number, 0, || example.clone());
        let mut as_first = Tally { vectors: 1, ..Tally::default() };
        as_first.first(isa::Relaxation::ZeroSign, 1, 0, || example.clone());
        let mut as_joint = Tally { vectors: 1, ..Tally::default() };
        as_joint.joint_answer("any".into(), 1, 0, || example.clone());
        let worst = judge::Worst { ulp: None, index: 0, operands: example.operands };
        let errors = judge::Errors { worst: Some(worst), ..judge::Errors::default() };
        let mut as_worst = Tally::default();
        as_worst.errors.insert("everywhere".into(), errors);
        [as_mismatch, as_first, as_joint, as_worst].map(|tally| read(tally).is_ok())
    };
    assert_eq!(kept(example(&[1, 2], &[3], &[4])), [true; 4]);
    assert_eq!(kept(example(&[1, 2], &[3], &[])), [true; 4]);
    for operands in [&[1][..], &[], &[1, 2, 3], &[1, 0x1_0000]] {
        assert_eq!(kept(example(operands, &[3], &[4])), [false; 4], "{operands:x?}");
    }
    // The worst error has operands alone.
    for wrong in [&[][..], &[3, 3], &[0x1_0000]] {
        assert_eq!(kept(example(&[1, 2], wrong, &[4])), [false, false, false, true], "{wrong:x?}");
    }
    for wrong in [&[3, 3][..], &[0x1_0000]] {
        assert_eq!(kept(example(&[1, 2], &[3], wrong)), [false, false, false, true], "{wrong:x?}");
    }
}

/// Every count by itself is no larger than what the plan's vectors can add up to.
#[test]
fn no_count_is_larger_than_the_plan() {
    let (plan, identity) = plan();
    let is_read = |tally: Tally| {
        let mut progress = Progress::new(plan.tasks.len());
        progress.tallies[0] = tally;
        let json = to_json(&identity, &progress).unwrap();
        from_json(&json, Path::new("state.json"), &identity).is_ok()
    };
    let vectors = plan.tasks[0].vectors;
    let most = vectors * ELEMENTS_MAX as u64;
    for (count, fits) in [(most, true), (most + 1, false)] {
        let mut error = Tally::default();
        error.errors.insert("everywhere".into(), judge::Errors::default());
        error.errors.get_mut("everywhere").unwrap().histogram[5] = count;
        let mut class = Tally::default();
        class.classes.insert(MismatchKind::Sign, judge::Mismatches { count, examples: Vec::new() });
        let mut answer = Tally::default();
        answer.answer("any-nan", "other", count);
        let mut joint = Tally::default();
        let example = Mismatch {
            index: 0,
            operands: vec![1.into(), 2.into()],
            expected: vec![3.into()],
            accepted: Vec::new(),
            actual: Vec::new(),
            words: None,
        };
        joint.joint_answer("any".into(), count, 0, || example);
        let counts = [
            Tally { mismatches: count, ..Tally::default() },
            Tally { confirmed: count, ..Tally::default() },
            Tally { on_device: count, ..Tally::default() },
            error,
            class,
            answer,
            joint,
        ];
        for tally in counts {
            assert_eq!(is_read(tally.clone()), fits, "{tally:?}");
        }
    }
    assert!(is_read(Tally { vectors: vectors - 1, unanswered: 1, ..Tally::default() }));
    assert!(!is_read(Tally { vectors, unanswered: 1, ..Tally::default() }));
}

/// Every vector that is kept has a number that its sweep has: vectors are asked again by it, with others around them.
#[test]
fn no_vector_that_is_kept_is_beyond_the_plan() {
    let (plan, identity) = plan();
    let vectors = plan.tasks[0].vectors;
    let read = |progress: Progress| {
        let json = to_json(&identity, &progress).unwrap();
        from_json(&json, Path::new("state.json"), &identity).map_err(|error| error.to_string())
    };
    for (index, fits) in [(vectors - 1, true), (vectors, false), (u64::MAX, false)] {
        let example = Mismatch {
            index,
            operands: vec![1.into(), 2.into()],
            expected: vec![3.into()],
            accepted: Vec::new(),
            actual: Vec::new(),
            words: None,
        };
        let [mut class, mut first, mut joint, mut worst] = std::array::from_fn(|_| Tally::default());
        class.mismatch(MismatchKind::Number, index, || example.clone());
        first.first(isa::Relaxation::ZeroSign, 1, index, || example.clone());
        joint.joint_answer("any".into(), 1, index, || example.clone());
        let error = judge::Worst { ulp: None, index, operands: example.operands.clone() };
        let errors = judge::Errors { worst: Some(error), ..judge::Errors::default() };
        worst.errors.insert("everywhere".into(), errors);
        let mut all: Vec<Progress> = [class, first, joint, worst]
            .map(|tally| {
                let mut progress = Progress::new(plan.tasks.len());
                progress.tallies[0] = tally;
                progress
            })
            .into();
        let mut departed = Progress::new(plan.tasks.len());
        departed.departures =
            vec![Departure { task: 0, kind: MismatchKind::Unstable, mismatch: example }];
        all.push(departed);
        for progress in all {
            let read = read(progress);
            assert_eq!(read.is_ok(), fits, "{index}: {read:?}");
            if let Err(error) = read {
                assert!(error.contains("it has a vector that its plan does not have"), "{error}");
            }
        }
    }
}

/// A part of a run is one that the run has, whatever numbers the file gives: blocks are dealt to parts by them.
#[test]
fn a_state_is_of_a_part_that_there_is() {
    let (mut plan, _) = plan();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("state.json");
    let progress = Progress::new(plan.tasks.len());
    let mut opened = |index, count| {
        plan.request.shard = Some(Shard { index, count });
        save(&path, &RunIdentity::of(&plan, &Description::default()), &progress).unwrap();
        open(&path).map_err(|error| error.to_string())
    };
    for (index, count) in [(1, 1), (2, 3), (u64::MAX, u64::MAX)] {
        assert!(opened(index, count).is_ok(), "{index}/{count}");
    }
    for (index, count) in [(0, 0), (0, 3), (4, 3), (1, 0), (u64::MAX, 2)] {
        let error = opened(index, count).unwrap_err();
        assert!(error.contains("is damaged: it is of a part that its run does not have"), "{error}");
    }
}
