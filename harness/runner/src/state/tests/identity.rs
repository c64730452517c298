//! Tests of which runs go on from a state, and which are told why not.

use formats::digests::triples;
use selection::Shard;

use super::*;

/// Reads a state whose identity has one field that differs from this run's.
fn of_another(identity: &RunIdentity, change: impl FnOnce(&mut serde_json::Value)) -> Result<Progress> {
    let progress = Progress::new(identity.tasks.len());
    let mut state: serde_json::Value =
        serde_json::from_slice(&to_json(identity, &progress).unwrap()).unwrap();
    change(&mut state["identity"]);
    let json = serde_json::to_vec(&state).unwrap();
    from_json(&json, Path::new("state.json"), identity)
}

/// A run does not go on from the state of another run, whatever was asked for, and is told what differs.
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
        // A value may be any word, also one that a sentence has.
        ("only", json!(["another"]), "its --only is `another`, this run's `mul.f16`"),
        ("skip", json!(["another"]), "its --skip is `another`, this run's ``"),
        ("target", json!("sm_90"), "its --target is `sm_90`, this run's `none`"),
        ("model", json!("sm_90a"), "its --model is `sm_90a`, this run's `none`"),
        ("shard", json!({"index": 2, "count": 3}), "its --shard is `2/3`, this run's `none`"),
        ("judging", json!("mpfr"), "its --judge is `mpfr`, this run's `screened`"),
        ("tasks", json!([]), "its instruction table or budget is another"),
    ] {
        let error = of_another(&identity, |identity| identity[field] = value).unwrap_err().to_string();
        assert!(error.contains("belongs to another run") && error.contains(sentence), "{error}");
        assert!(error.contains("without --resume"), "{error}");
    }
}

/// A state of another form is refused, whatever else it has: fields of another form are not this one's to read.
#[test]
fn the_state_of_another_form_says_who_wrote_it_and_what_to_do() {
    use serde_json::json;
    let (_, identity) = plan();
    for version in [VERSION - 1, VERSION + 1] {
        let error = of_another(&identity, |identity| {
            *identity = json!({"version": version, "suite": "9.9.9", "since": "then"});
        });
        let (ours, error) = (env!("CARGO_PKG_VERSION"), error.unwrap_err().to_string());
        assert_eq!(
            error,
            format!(
                "state.json was written by another version of the suite: by 9.9.9, in form {version}, and \
                 this one, {ours}, reads form {VERSION}; go on with the build that wrote it, or run \
                 without --resume"
            )
        );
    }
    // A state that lacks a field of this form is damaged, and not of another form.
    let error = of_another(&identity, |identity| *identity = json!({"version": VERSION, "suite": "1"}));
    assert!(error.unwrap_err().to_string().contains("is damaged"));
}

/// A run does not continue what another build of the suite did, though its version be the same.
#[test]
fn the_identity_is_of_this_program_and_of_this_device() {
    let (plan, identity) = plan();
    let file = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    assert_eq!(identity.program, format!("{:#018x}", xxhash_rust::xxh3::xxh3_64(&file)));
    let described = Description {
        name: "cuda:0".into(),
        version: "13.0".into(),
        device: Some("H100".into()),
        driver: Some("580".into()),
        details: [("temperature".to_owned(), "50".to_owned())].into(),
    };
    let on_device = RunIdentity::of(&plan, &described);
    assert_eq!(on_device.implementation, "cuda:0 13.0 H100 580");
    // The details of an implementation are of the moment, and do not count.
    assert_eq!(
        on_device,
        RunIdentity::of(&plan, &Description { details: Default::default(), ..described })
    );
    assert_ne!(on_device, identity);
}

/// An identity says what its plan has: what is made of the parts of a run is planned by their identities.
#[test]
fn an_identity_says_what_its_plan_has() {
    let (mut plan, identity) = plan();
    assert_eq!((identity.shard(), identity.vectors_max()), (None, None));
    assert_eq!(identity.tasks(), plan.tasks.len());
    assert!(plan.tasks.len() > 1);
    assert_eq!(identity.subjects(), ["mul.f16"].into());
    assert_eq!((identity.task(0), identity.task(plan.tasks.len())), (Some("mul.f16"), None));
    plan.request.shard = Some(Shard { index: 2, count: 3 });
    plan.vectors_max = Some(12);
    plan.tasks[1].vectors = triples::ALL;
    let other = RunIdentity::of(&plan, &Description::default());
    assert_eq!((other.shard(), other.vectors_max()), (plan.request.shard, Some(12)));
    let has = |identity: &RunIdentity| ["mul.f16", "mul.bf16"].map(|of| identity.has_triples(of));
    assert_eq!((has(&other), has(&identity)), ([true, false], [false, false]));
}

/// Parts are of one run whichever shards they are, if one build made them; another build may put them together.
#[test]
fn parts_are_of_one_run() {
    let (mut plan, _) = plan();
    let description = Description::default();
    let mut part = |index, count| {
        plan.request.shard = Some(Shard { index, count });
        RunIdentity::of(&plan, &description)
    };
    let (first, second, of_two) = (part(1, 3), part(2, 3), part(2, 2));
    let mut other = part(2, 3);
    other.program = "0x1".into();
    plan.request.shard = None;
    assert_eq!(first.difference_of_parts(&second), None);
    let sentence = first.difference_of_parts(&of_two).unwrap();
    assert_eq!(sentence, "one has 3 parts, the other 2");
    let whole = RunIdentity::of(&plan, &description);
    assert_eq!(whole.difference_of_parts(&whole), None);
    assert_eq!(whole.difference_of_parts(&first).unwrap(), "one has 1 parts, the other 3");
    let sentence = first.difference_of_parts(&other).unwrap();
    assert_eq!(sentence, format!("program is `{}` of one and `0x1` of the other", first.program));
    assert_eq!(
        (first.difference_from(&plan, &description), other.difference_from(&plan, &description)),
        (None, None)
    );
    let mut other_tasks = second.clone();
    other_tasks.tasks.pop();
    assert_eq!(
        first.difference_of_parts(&other_tasks).unwrap(),
        "the instruction table or budget of one is not that of the other"
    );
    let mut seven = super::plan().0;
    seven.request.seed = 7;
    let seed = RunIdentity::of(&seven, &description);
    assert_eq!(
        seed.difference_from(&plan, &description).unwrap(),
        "its --seed is `0x7`, this run's `0x0`"
    );
}
