//! Samples for tests: reports of runs that might have been.

pub mod classes;
mod crowded;

use reports::*;

use classes::{crashed, packed, scalar, waived, wide};
pub use crowded::crowded;

/// Returns the report of a whole run in which everything agrees, with a choice that the contract left.
pub fn agreeing() -> Report {
    let mut variants = Vec::new();
    for (instruction, modifiers) in [("add", ["rn", "rn.ftz"]), ("fma", ["rn", "rn.ftz.relu"])] {
        for ty in ["f16", "f16x2", "bf16", "bf16x2"] {
            for modifier in modifiers {
                variants.push(passing(&format!("{instruction}.{modifier}.{ty}"), 1_234_567));
            }
        }
    }
    variants[4].relaxations.push(RelaxationReport {
        name: "any-nan".into(),
        reason: "The manual does not say which NaN results.".into(),
        results: 12_345,
        answers: [("canonical".to_owned(), 12_000), ("payload of a".to_owned(), 345)].into(),
    });
    for (judge, variant, confirmed) in
        [(Judge::Series, "rcp.approx.f32", 1 << 22), (Judge::Device, "cvt.rn.f16.f32", 1 << 26)]
    {
        let mut judged = VariantReport { judge, ..passing(variant, 1 << 32) };
        judged.sweeps[0].judge = judge;
        judged.sweeps[0].confirmed = confirmed;
        variants.push(judged);
    }
    report(variants)
}

/// Returns a report of what a fuzz campaign kept, of which something fails, something fails no more, and something
/// is no vector.
pub fn fuzzed() -> Report {
    let report = failing();
    let id = report.variants[1].classes[0].id.clone();
    let artifact = |file: &str, status, variant: Option<&str>| Artifact {
        file: file.into(),
        status,
        variant: variant.map(Into::into),
        class: None,
        reason: None,
    };
    let reason = |reason: &str| Some(reason.to_owned());
    let artifacts = vec![
        Artifact {
            class: Some(id),
            ..artifact(
                "differential/libm-mul.rn.ftz.f16-not-flushed",
                ArtifactStatus::Fails,
                Some("mul.rn.ftz.f16"),
            )
        },
        artifact("differential/libm-fma.rn.f16-ulp-above", ArtifactStatus::Agrees, Some("fma.rn.f16")),
        Artifact {
            reason: reason("there is no such instruction"),
            ..artifact("in-process/crash-1", ArtifactStatus::Untested, Some("sin.approx.f32"))
        },
        Artifact {
            reason: reason("it has 3 bytes, and no vector has so few"),
            ..artifact("in-process/notes", ArtifactStatus::Unread, None)
        },
    ];
    let causes = RootCause::all(&report.variants);
    let reduced = vec!["Only the vectors of 2 files that a fuzz campaign kept.".into()];
    let plan = Plan { tier: FUZZ.into(), floor: 0, ..report.plan };
    Report { plan, reduced, campaign: Some(Campaign { artifacts, causes }), ..report }
}

/// Returns the report of a run with every kind of status and with packed, wide and several results.
pub fn failing() -> Report {
    let mut variants = vec![passing("fma.rn.f16", 4_294_967_296)];
    variants.push(VariantReport {
        status: Status::Fail,
        mismatches: 12_001,
        classes: vec![
            Class {
                pattern: None,
                id: "mul.rn.ftz.f16/not-flushed".into(),
                diagnosis: "Subnormal results are kept, as if `.ftz` were not there.".into(),
                count: 12_000,
                explanation: Some(Explanation {
                    mismatches: 1_310,
                    agreeing: 9_000,
                    others: vec!["min-normal-flushed".into()],
                    other_words: [(
                        "min-normal-flushed".into(),
                        "the smallest normal result is flushed, too".into(),
                    )]
                    .into(),
                    ..Explanation::of(vec![Flaw::new(
                        "result-not-flushed",
                        "subnormal results are kept, in spite of `.ftz`",
                    )])
                }),
                simplest: None,
                waiver: None,
                examples: vec![Example {
                    sweep: "pairs".into(),
                    index: 67_142_656,
                    operands: vec![
                        scalar("a", "f16", "0x0400", "0.00006103515625", "+ 2^-14 × 1.0000000000"),
                        scalar("b", "f16", "0x3800", "0.5", "+ 2^-1 × 1.0000000000"),
                    ],
                    expected: vec![scalar("d", "f16", "0x0000", "0", "+ 0")],
                    accepted: vec![],
                    actual: vec![scalar(
                        "d",
                        "f16",
                        "0x0200",
                        "0.000030517578125",
                        "+ 2^-14 × 0.1000000000",
                    )],
                    words: None,
                }],
            },
            crashed(),
        ],
        ..passing("mul.rn.ftz.f16", 1_000_000)
    });
    variants.push(VariantReport {
        status: Status::Fail,
        judge: Judge::Screened,
        mismatches: 345,
        classes: vec![packed(), wide()],
        max_ulp: Some(1.5),
        accuracy: vec![RangeReport {
            range: "|a| up to 2 pi".into(),
            bound: "2^-20.5".into(),
            results: 1_000_000,
            histogram: vec![900_000, 100_000, 0],
            worst: Some(WorstReport {
                ulp: Some(1.5),
                sweep: "uniform".into(),
                index: 17,
                operands: vec![scalar("a", "f16", "0x3800", "0.5", "+ 2^-1 × 1.0000000000")],
            }),
            profile: vec![
                BinadeReport { negative: true, exponent: -1, share: 0.75 },
                BinadeReport { negative: false, exponent: 3, share: 1.5 },
            ],
        }],
        ..passing("fma.rn.relu.f16x2", 1_000_000)
    });
    let reason = "The sign of a zero under `.rm` is a known erratum of this device.";
    variants.push(VariantReport {
        status: Status::Waived,
        reason: Some(reason.into()),
        mismatches: 7,
        classes: vec![waived("add.rm.f16/zero-sign", 7, reason)],
        ..passing("add.rm.f16", 1_000_000)
    });
    variants.push(VariantReport {
        status: Status::Fail,
        reason: Some("Waived for a NaN with a payload, but no vector mismatches any more.".into()),
        ..passing("sub.rn.bf16", 1_000_000)
    });
    variants.push(VariantReport {
        status: Status::Unsupported,
        reason: Some("needs sm_100a".into()),
        sweeps: vec![],
        ..passing("add.rn.f32.bf16", 0)
    });
    report(variants.into_iter().map(counted_in_its_sweep).collect())
}

/// Returns a variant whose one sweep has what was counted, and more planned where the variant is not at its end.
pub fn counted_in_its_sweep(mut variant: VariantReport) -> VariantReport {
    let VariantReport { vectors, unanswered, mismatches, .. } = variant;
    let unfinished = u64::from(variant.status == Status::Incomplete);
    if let [sweep] = &mut variant.sweeps[..] {
        (sweep.vectors, sweep.unanswered, sweep.mismatches) = (vectors, unanswered, mismatches);
        sweep.planned = vectors + unanswered + unfinished;
    }
    variant
}

/// Returns the report of a whole run of something that has no results of some vectors, and none at all of one
/// variant.
pub fn partial() -> Report {
    let without = |variant: &str, vectors: u64, unanswered: u64| {
        let mut partial = VariantReport { unanswered, ..passing(variant, vectors) };
        partial.sweeps[0].unanswered = unanswered;
        partial.sweeps[0].planned += unanswered;
        partial.status = Status::of(vectors + unanswered, vectors, unanswered, 0);
        partial
    };
    let mut nothing = without("fma.rn.f32", 0, 5_000);
    nothing.reason = Some("it has no result for any of 5000 vectors".into());
    let variants = vec![passing("neg.f32", 5_000), without("add.rn.f32", 4_000, 1_000), nothing];
    let mut report = report(variants);
    report.plan.vectors = 15_000;
    report.reduced = vec![
        "The implementation has no result for 6000 of 15000 vectors, which were not judged.".into(),
    ];
    report
}

/// Returns the report of a filtered run that was interrupted before it found anything.
pub fn interrupted() -> Report {
    let mut begun = passing("mul.rn.bf16", 250_000);
    begun.status = Status::Incomplete;
    begun.sweeps[0].planned = 1_000_000;
    let mut untouched = passing("mul.rn.bf16x2", 0);
    untouched.status = Status::Incomplete;
    untouched.sweeps[0].planned = 1_000_000;
    let mut report = report(vec![passing("mul.rn.f16", 1_000_000), begun, untouched]);
    report.complete = false;
    report.plan.only = vec!["mul.rn.*".into()];
    report.plan.shard = Some(Shard { index: 1, count: 4 });
    report.plan.vectors = 3_000_000;
    report.times.resumed = 1;
    report.reduced = vec![
        "Only variants that match `mul.rn.*` were tested.".into(),
        "Only shard 1 of 4 was tested.".into(),
        "The run was interrupted after 1,250,000 of 3,000,000 vectors; the same command with \
         `--resume` takes it up where it ended."
            .into(),
    ];
    report
}

/// Returns a passing variant with one sweep.
pub fn passing(variant: &str, vectors: u64) -> VariantReport {
    VariantReport {
        variant: variant.into(),
        status: Status::Pass,
        reason: None,
        judge: Judge::Mpfr,
        vectors,
        unanswered: 0,
        mismatches: 0,
        sweeps: vec![SweepReport {
            name: "pairs".into(),
            planned: vectors,
            vectors,
            unanswered: 0,
            mismatches: 0,
            judge: Judge::Mpfr,
            confirmed: vectors,
            inputs: "0x00d1ce5eed00ab1e".into(),
            results: "0xfeedfacecafebeef".into(),
            expected: "0xfeedfacecafebeef".into(),
        }],
        relaxations: vec![],
        max_ulp: None,
        accuracy: vec![],
        classes: vec![],
    }
}

/// Returns the report of a whole run over the variants.
pub fn report(variants: Vec<VariantReport>) -> Report {
    let totals = Totals::of(&variants);
    Report {
        schema: SCHEMA.into(),
        suite: Suite { version: "0.1.0".into(), revision: Some("0123abc".into()) },
        implementation: Implementation {
            name: "cuda:0".into(),
            version: "13.0".into(),
            device: Some("NVIDIA H200".into()),
            driver: Some("580.65.06".into()),
            details: [("ECC".to_owned(), "on".to_owned())].into(),
        },
        oracle: Oracle { name: "MPFR".into(), mpfr: "4.2.2".into(), gmp: "6.3.0".into() },
        environment: Environment {
            os: "linux".into(),
            arch: "x86_64".into(),
            cpu: "a fast one".into(),
            threads: 2,
        },
        plan: Plan {
            tier: "quick".into(),
            seed: "0x2a".into(),
            only: vec![],
            skip: vec![],
            target: None,
            model: None,
            shard: None,
            vectors: totals.vectors,
            floor: 4096,
            formats: Vec::new(),
        },
        complete: true,
        reduced: vec![],
        times: Times { started: "2026-03-01T02:00:00Z".into(), seconds: 12.34, resumed: 0 },
        variants,
        totals,
        inconsistencies: Vec::new(),
        rules: Vec::new(),
        campaign: None,
        checksum: None,
        unknown: Default::default(),
    }
}
