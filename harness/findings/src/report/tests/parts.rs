//! Tests of how a report is matched to a part of a run.

use implementations::Canary;
use runner::RunOutcome;
use runner::state::RunIdentity;
use selection::Shard;

use super::*;
use crate::diagnosis::Diagnoses;

fn mul_f16() -> Plan {
    Plan::new(RunRequest::of(Tier::Quick, vec!["mul.f16".into()]), &Canary).unwrap()
}

/// A report is of the part whose parameters it has, one and all.
#[test]
fn a_report_is_of_the_part_that_it_says() {
    let mut plan = mul_f16();
    plan.request.shard = Some(Shard { index: 1, count: 3 });
    let description = Canary.describe();
    let identity = RunIdentity::of(&plan, &description);
    let outcome = RunOutcome { progress: Progress::new(plan.tasks.len()), complete: true, error: None };
    let settings = RunSettings { jobs: 1, directory: "nowhere".into(), resume: false };
    let begun = SystemTime::UNIX_EPOCH;
    let report = build(&plan, &Canary, &settings, &outcome, &Diagnoses::new(), begun);
    assert!(identity.is_of(&report, &description));
    let changes: [fn(&mut RunRequest); 5] = [
        |of| of.shard = None,
        |of| of.tier = Tier::Nightly,
        |of| of.seed = 7,
        |of| of.only = Vec::new(),
        |of| of.skip = vec!["mul.*".into()],
    ];
    for change in changes {
        let mut request = plan.request.clone();
        change(&mut request);
        let of = Plan { request, ..mul_f16() };
        assert!(!RunIdentity::of(&of, &description).is_of(&report, &description), "{:?}", of.request);
    }
    let another = Description { version: "9".into(), ..description };
    assert!(
        !identity.is_of(&report, &another)
            && !RunIdentity::of(&plan, &another).is_of(&report, &Canary.describe())
    );
}
