//! What goes to disk comes back, and what is another's or damaged is refused.

use super::*;

/// A plan, and its identity.
fn plan() -> (Plan, Identity) {
    let request = super::super::Request::of(crate::budget::Tier::Quick, vec!["mul.f16".into()]);
    let plan = Plan::new(request, &crate::implementation::Canary).unwrap();
    let identity = Identity::of(&plan, &Description::default());
    (plan, identity)
}

/// What the report says of errors and times after a resume is what it would have said without one.
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

/// Whichever digit it is.
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

/// A state may be edited, or half of it be another's; whatever it counts, the report can add up.
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
        tally.mismatch(judge::MismatchKind::Number, 0, || example);
        read(tally)
    };
    let (word, wide) = (RowBits::from(0xffff), RowBits::from_bytes(&[0; 16]));
    assert!(keeping(vec![word.clone(); 2], vec![word.clone()]).is_ok());
    assert!(keeping(vec![word.clone(); 2], Vec::new()).is_ok());
    for operands in [vec![word.clone()], vec![word.clone(), wide], vec![word, 0x1_0000.into()]] {
        let error = keeping(operands, Vec::new()).unwrap_err().to_string();
        assert!(error.contains("it has a vector that is none of its variant"), "{error}");
    }
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

/// A state that says of one field of its identity what this run's does not.
fn of_another(identity: &Identity, change: impl FnOnce(&mut serde_json::Value)) -> Result<Progress> {
    let progress = Progress::new(identity.tasks.len());
    let mut state: serde_json::Value =
        serde_json::from_slice(&to_json(identity, &progress).unwrap()).unwrap();
    change(&mut state["identity"]);
    let json = serde_json::to_vec(&state).unwrap();
    from_json(&json, Path::new("state.json"), identity)
}

/// Whatever a run was asked for, another one does not go on from it, and is told what differs.
#[test]
fn the_state_of_another_run_is_refused_by_what_differs() {
    use serde_json::json;
    let (_, identity) = plan();
    assert!(of_another(&identity, |_| ()).is_ok());
    for (field, value, sentence) in [
        ("suite", json!("9.9.9"), "its suite version is `9.9.9`"),
        ("program", json!("0x1"), "its program is `0x1`"),
        ("implementation", json!("libm 1"), "its --impl is `libm 1`, this run's `"),
        ("tier", json!("nightly"), "its --tier is `nightly`, this run's `quick`"),
        ("seed", json!(18), "its --seed is `0x12`, this run's `0x0`"),
        ("only", json!(["a", "b"]), "its --only is `a b`, this run's `mul.f16`"),
        ("target", json!("sm_90"), "its --target is `sm_90`, this run's `none`"),
        ("shard", json!({"index": 2, "count": 3}), "its --shard is `2/3`, this run's `none`"),
        ("judging", json!("mpfr"), "its --judge is `mpfr`, this run's `screened`"),
        ("version", json!(1), "its instruction table or budget is another"),
        ("tasks", json!([]), "its instruction table or budget is another"),
    ] {
        let error = of_another(&identity, |identity| identity[field] = value).unwrap_err().to_string();
        assert!(error.contains("belongs to another run") && error.contains(sentence), "{error}");
        assert!(error.contains("without --resume"), "{error}");
    }
}

/// What another build of the suite did is not to be continued, though its version be the same.
#[test]
fn the_identity_is_of_this_program_and_of_this_device() {
    let (plan, identity) = plan();
    let file = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    assert_eq!(identity.program, format!("{:#018x}", xxh3_64(&file)));
    let described = Description {
        name: "cuda:0".into(),
        version: "13.0".into(),
        device: Some("H100".into()),
        driver: Some("580".into()),
        details: [("temperature".to_owned(), "50".to_owned())].into(),
    };
    let on_device = Identity::of(&plan, &described);
    assert_eq!(on_device.implementation, "cuda:0 13.0 H100 580");
    // What is of the moment does not count.
    assert_eq!(
        on_device,
        Identity::of(&plan, &Description { details: Default::default(), ..described })
    );
    assert_ne!(on_device, identity);
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

/// A tally for each task, no more and no fewer.
#[test]
fn a_state_has_a_tally_for_each_task() {
    let (plan, identity) = plan();
    for tasks in [0, plan.tasks.len() - 1, plan.tasks.len() + 1] {
        let json = to_json(&identity, &Progress::new(tasks)).unwrap();
        let error = from_json(&json, Path::new("state.json"), &identity).unwrap_err().to_string();
        assert!(error.contains("another number of tasks"), "{error}");
    }
}

/// Whatever keeps a vector: an example, a first answer, a worst error.
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
        as_mismatch.mismatch(judge::MismatchKind::Number, 0, || example.clone());
        let mut as_first = Tally { vectors: 1, ..Tally::default() };
        as_first.first(vectors::isa::Relaxation::ZeroSign, 1, 0, || example.clone());
        let worst = judge::Worst { ulp: None, index: 0, operands: example.operands };
        let errors = judge::Errors { worst: Some(worst), ..judge::Errors::default() };
        let mut as_worst = Tally::default();
        as_worst.errors.insert("everywhere".into(), errors);
        [as_mismatch, as_first, as_worst].map(|tally| read(tally).is_ok())
    };
    assert_eq!(kept(example(&[1, 2], &[3], &[4])), [true; 3]);
    assert_eq!(kept(example(&[1, 2], &[3], &[])), [true; 3]);
    for operands in [&[1][..], &[], &[1, 2, 3], &[1, 0x1_0000]] {
        assert_eq!(kept(example(operands, &[3], &[4])), [false; 3], "{operands:x?}");
    }
    for wrong in [&[][..], &[3, 3], &[0x1_0000]] {
        assert_eq!(kept(example(&[1, 2], wrong, &[4])), [false, false, true], "{wrong:x?}");
    }
    for wrong in [&[3, 3][..], &[0x1_0000]] {
        assert_eq!(kept(example(&[1, 2], &[3], wrong)), [false, false, true], "{wrong:x?}");
    }
}

/// Each count by itself, up to what its vectors can add up to.
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
        class
            .classes
            .insert(judge::MismatchKind::Sign, judge::Mismatches { count, examples: Vec::new() });
        let mut answer = Tally::default();
        answer.answer("any-nan", "other", count);
        let counts = [
            Tally { mismatches: count, ..Tally::default() },
            Tally { confirmed: count, ..Tally::default() },
            Tally { on_device: count, ..Tally::default() },
            error,
            class,
            answer,
        ];
        for tally in counts {
            assert_eq!(is_read(tally.clone()), fits, "{tally:?}");
        }
    }
    assert!(is_read(Tally { vectors: vectors - 1, unanswered: 1, ..Tally::default() }));
    assert!(!is_read(Tally { vectors, unanswered: 1, ..Tally::default() }));
}
