//! Tests of waivers: which files are refused, and what a waiver does to a report.

mod compilers;

use super::*;

#[test]
fn files_are_checked() {
    let refused = |text: &str, why: &str| {
        let error = format!("{:#}", Waivers::read(text).unwrap_err());
        assert!(error.contains(why), "{error}");
    };
    let entry = |class: &str, reason: &str| {
        format!(
            r#"{{"waivers": [{{"implementation": "libm", "variant": "fma.*", "class": "{class}", "reason": "{reason}"}}]}}"#
        )
    };
    assert_eq!(Waivers::read(&entry("ulp-below", "known")).unwrap().waivers.len(), 1);
    let matrix = entry("ulp-below", "known").replace("fma.*", "wmma.mma.*");
    assert_eq!(Waivers::read(&matrix).unwrap().waivers.len(), 1, "of matrix instructions, too");
    refused(&entry("ulp-below", " "), "has no reason");
    refused(&entry("fma.rn.f32/ulp-below", "known"), "after the slash");
    let misspelt = entry("ulp-below", "known").replace("fma.*", "fmma.*");
    refused(&misspelt, "the waiver of fmma.*/ulp-below for libm matches no variant");
    refused(r#"{"waivers": [{"variant": "fma.*"}]}"#, "missing field");
    refused("7", "invalid type");
    let both = entry("ulp-below", "known").replace("implementation\": \"libm\"", "compiler\": \"llvm\"");
    refused(&both, "either `implementation` and `variant`, or `compiler`");
    #[cfg(unix)]
    {
        let error = format!("{:#}", Waivers::load(Path::new("/dev/zero")).unwrap_err());
        assert!(error.contains("larger than the limit of 16 MiB"), "{error}");
    }
}

fn class(id: &str) -> reports::Class {
    reports::Class {
        id: id.into(),
        diagnosis: "known".into(),
        count: 1,
        explanation: None,
        pattern: None,
        simplest: None,
        waiver: None,
        examples: Vec::new(),
    }
}

fn variant(name: &str, status: Status, kinds: &[&str]) -> VariantReport {
    VariantReport {
        variant: name.into(),
        status,
        reason: None,
        judge: reports::Judge::Mpfr,
        vectors: 10,
        unanswered: 0,
        mismatches: kinds.len() as u64,
        sweeps: Vec::new(),
        relaxations: Vec::new(),
        max_ulp: None,
        accuracy: Vec::new(),
        classes: kinds.iter().map(|kind| class(&format!("{name}/{kind}"))).collect(),
    }
}

/// Returns the report of a whole run of the quick tier by `libm`.
fn report(variants: Vec<VariantReport>) -> Report {
    use reports::{Environment, Implementation, Oracle, Plan, Suite, Times};
    let empty = String::new;
    Report {
        schema: reports::SCHEMA.into(),
        suite: Suite { version: empty(), revision: None },
        implementation: Implementation {
            name: "libm".into(),
            version: empty(),
            device: None,
            driver: None,
            details: Default::default(),
        },
        oracle: Oracle { name: empty(), mpfr: empty(), gmp: empty() },
        environment: Environment { os: empty(), arch: empty(), cpu: empty(), threads: 1 },
        plan: Plan {
            tier: "quick".into(),
            seed: "0x0".into(),
            only: Vec::new(),
            skip: Vec::new(),
            target: None,
            model: None,
            shard: None,
            vectors: 10,
            floor: 10,
            formats: Vec::new(),
        },
        complete: true,
        reduced: Vec::new(),
        times: Times { started: empty(), seconds: 0.0, resumed: 0 },
        totals: Totals::of(&variants),
        variants,
        inconsistencies: Vec::new(),
        rules: Vec::new(),
        campaign: None,
        checksum: None,
        unknown: Default::default(),
    }
}

/// Returns waivers from entries of implementation, variant, class and reason.
fn waivers(entries: &[[&str; 4]]) -> Waivers {
    let entry = |[implementation, variant, class, reason]: &[&str; 4]| {
        serde_json::json!({
            "implementation": implementation, "variant": variant, "class": class, "reason": reason
        })
    };
    let entries: Vec<_> = entries.iter().map(entry).collect();
    Waivers::read(&serde_json::json!({ "waivers": entries }).to_string()).unwrap()
}

const STALE: &str = "the waiver of fma.rn.f32/ulp-below covers no mismatch any more: remove it";

#[test]
fn a_file_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waivers.json");
    let entry = r#"{"implementation": "libm", "variant": "fma.*", "class": "sign", "reason": "known"}"#;
    std::fs::write(&path, format!(r#"{{"waivers": [{entry}, {entry}]}}"#)).unwrap();
    assert_eq!(Waivers::load(&path).unwrap().waivers.len(), 2);
}

/// A variant is waived when all of its classes are; the totals follow.
#[test]
fn what_is_known_does_not_fail() {
    let failing = |name: &str, kinds: &[&str]| variant(name, Status::Fail, kinds);
    let mut report = report(vec![
        failing("fma.rn.f32", &["ulp-below", "sign"]),
        failing("fma.rz.f32", &["ulp-below", "sign", "overflow"]),
        failing("mul.rn.f32", &["ulp-below"]),
        variant("add.rn.f32", Status::Pass, &[]),
    ]);
    let known = [["libm", "fma.*", "ulp-below", "it rounds twice"], ["lib?", "fma.*", "sign", "open"]];
    waivers(&known).apply(&mut report, Tier::Quick);
    let status = |report: &Report| report.variants.iter().map(|v| v.status).collect::<Vec<_>>();
    assert_eq!(status(&report), [Status::Waived, Status::Fail, Status::Fail, Status::Pass]);
    assert_eq!(report.variants[0].reason.as_deref(), Some("it rounds twice; open"));
    let waived = |variant: usize| {
        let classes = report.variants[variant].classes.iter();
        classes.map(|class| class.waiver.as_ref().map(|of| of.reason.clone())).collect::<Vec<_>>()
    };
    let reasons = [Some("it rounds twice".to_owned()), Some("open".to_owned())];
    assert_eq!(waived(0), reasons);
    assert_eq!(waived(1), [&reasons[..], &[None]].concat());
    assert_eq!(waived(2), [None]);
    assert_eq!((report.totals.waived, report.totals.failed, report.totals.passed), (1, 2, 1));
}

/// The name that a program gives itself is as good as the command that it was started with.
#[test]
fn a_program_is_known_by_its_own_name_too() {
    let run = |implementation: &str| {
        let mut report = report(vec![variant("fma.rn.f32", Status::Fail, &["sign"])]);
        report.implementation.name = "exec:./my-client --fast".into();
        report.implementation.version = "mylib 1.2".into();
        let waivers = waivers(&[[implementation, "fma.*", "sign", "known"]]);
        waivers.apply(&mut report, Tier::Quick);
        (report.variants[0].status, waivers.note_on_others(&report.implementation))
    };
    for name in ["mylib", "my*", "exec:./my-client --fast", "exec*"] {
        assert_eq!(run(name), (Status::Waived, None), "{name}");
    }
    let (status, note) = run("mylip");
    assert_eq!(status, Status::Fail);
    let note = note.expect("a note");
    assert!(note.contains("calls itself `mylib`") && note.contains("the file names `mylip`"), "{note}");
    // A version without a name is nobody's name.
    let mut own = report(vec![]).implementation;
    (own.name, own.version) = ("emulator".into(), "0.2.0".into());
    let note = waivers(&[["0.2.0", "fma.*", "sign", "known"]]).note_on_others(&own).expect("a note");
    assert!(!note.contains("calls itself"), "{note}");
}

/// A reason that several classes share is said once, and each class keeps its own link.
#[test]
fn a_reason_is_said_once_and_its_link_kept() {
    let text = r#"{"waivers": [
        {"implementation": "*", "variant": "fma.*", "class": "sign", "reason": "known", "link": "https://a"},
        {"implementation": "*", "variant": "fma.*", "class": "overflow", "reason": "known"}
    ]}"#;
    let mut report = report(vec![variant("fma.rn.f32", Status::Fail, &["sign", "overflow"])]);
    Waivers::read(text).unwrap().apply(&mut report, Tier::Quick);
    assert_eq!(report.variants[0].reason.as_deref(), Some("known"));
    let links =
        report.variants[0].classes.iter().map(|class| class.waiver.as_ref().unwrap().link.clone());
    assert_eq!(links.collect::<Vec<_>>(), [Some("https://a".to_owned()), None]);
}

/// A variant that fails for another cause than its mismatches, or was not run to its end, is not waived by waivers
/// of its mismatches.
#[test]
fn a_waiver_covers_mismatches_and_nothing_else() {
    let mut broken = variant("fma.rn.f32", Status::Fail, &["sign"]);
    broken.reason = Some("it does not compile".into());
    let mut report = report(vec![
        broken,
        variant("fma.rz.f32", Status::Incomplete, &["sign"]),
        variant("fma.rm.f32", Status::Fail, &[]),
    ]);
    waivers(&[["libm", "fma.*", "sign", "known"]]).apply(&mut report, Tier::Quick);
    let statuses: Vec<Status> = report.variants.iter().map(|variant| variant.status).collect();
    assert_eq!(statuses, [Status::Fail, Status::Incomplete, Status::Fail]);
    assert_eq!(report.variants[0].reason.as_deref(), Some("it does not compile"));
    assert_eq!(report.variants[2].reason, None);
}

#[test]
fn a_waiver_that_covers_nothing_fails_what_it_names() {
    let known = [["libm", "fma.rn.f32", "ulp-below", "it rounds twice"]];
    let apply = |mut report: Report| {
        waivers(&known).apply(&mut report, Tier::Quick);
        let reasons = report.variants.iter().map(|variant| variant.reason.clone().unwrap_or_default());
        let statuses = report.variants.iter().map(|variant| variant.status);
        (statuses.zip(reasons).collect::<Vec<_>>(), report.totals.failed)
    };
    let passing = || variant("fma.rn.f32", Status::Pass, &[]);
    let other = || variant("mul.rn.f32", Status::Pass, &[]);
    let failed = (Status::Fail, STALE.to_owned());
    let passed = (Status::Pass, String::new());
    assert_eq!(apply(report(vec![other(), passing()])), (vec![passed.clone(), failed], 1));
    // Mismatches of another class do not keep a waiver from being stale.
    let sign = report(vec![variant("fma.rn.f32", Status::Fail, &["sign"])]);
    assert_eq!(apply(sign).0, [(Status::Fail, STALE.to_owned())]);
    let mut disproven = variant("fma.rn.f32", Status::Fail, &["sign"]);
    disproven.reason = Some("it flickers".into());
    let both = (Status::Fail, format!("it flickers; {STALE}"));
    assert_eq!(apply(report(vec![disproven])).0, [both]);
    // A run or a variant that was not tried to its end may yet have the mismatch.
    let mut stopped = report(vec![passing()]);
    stopped.complete = false;
    assert_eq!(apply(stopped), (vec![passed.clone()], 0));
    let mut part = report(vec![passing()]);
    part.plan.shard = Some(reports::Shard { index: 1, count: 2 });
    assert_eq!(apply(part), (vec![passed], 0));
    for untried in [Status::Unsupported, Status::Incomplete] {
        let report = report(vec![variant("fma.rn.f32", untried, &[])]);
        assert_eq!(apply(report), (vec![(untried, String::new())], 0));
    }
}

/// A variant whose mismatches are waived fails nevertheless where another waiver of it covers nothing any more.
#[test]
fn a_waiver_that_is_over_outweighs_one_that_is_not() {
    let mut report = report(vec![variant("fma.rn.f32", Status::Fail, &["sign"])]);
    let known = [["libm", "*.f32", "sign", "open"], ["libm", "fma.rn.f32", "ulp-below", "old"]];
    waivers(&known).apply(&mut report, Tier::Quick);
    assert_eq!(report.variants[0].status, Status::Fail);
    assert_eq!(report.variants[0].reason.as_deref(), Some(STALE));
}

/// A waiver can be found stale only in its own tier, the lowest that finds its mismatch, and in higher ones.
#[test]
fn a_waiver_is_due_in_its_tier() {
    let text = |tier: &str| {
        let entry = waivers(&[["libm", "fma.rn.f32", "ulp-below", "old"]]);
        let WaiverEntry::Implementation(own) = &entry.waivers[0] else { panic!("of an implementation") };
        assert_eq!(own.tier, Tier::Quick, "if none is named");
        let text = r#"{"waivers": [{"implementation": "libm", "variant": "fma.rn.f32",
            "class": "ulp-below", "reason": "old", "tier": "TIER"}]}"#;
        Waivers::read(&text.replace("TIER", tier)).unwrap()
    };
    let tiers = [("quick", Tier::Quick), ("nightly", Tier::Nightly), ("exhaustive", Tier::Exhaustive)];
    for (at, (named, _)) in tiers.iter().enumerate() {
        for (now, (_, tier)) in tiers.iter().enumerate() {
            let mut report = report(vec![variant("fma.rn.f32", Status::Pass, &[])]);
            text(named).apply(&mut report, *tier);
            let due = report.variants[0].status == Status::Fail;
            assert_eq!(due, now >= at, "{named} in {tier:?}");
        }
    }
}

#[test]
fn another_implementation_is_not_waived() {
    let mut report = report(vec![
        variant("fma.rn.f32", Status::Fail, &["sign"]),
        variant("fma.rz.f32", Status::Pass, &[]),
    ]);
    let before = report.clone();
    let others = [["libn", "fma.rn.f32", "sign", "known"], ["host", "fma.rz.f32", "sign", "known"]];
    waivers(&others).apply(&mut report, Tier::Exhaustive);
    assert_eq!(report, before);
}
