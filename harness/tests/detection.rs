//! The suite on trial: a canary with known faults must be found out, fault by fault.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use harness::budget::Tier;
use harness::detection::{self, EQUIVALENCE_VECTORS, ScoreRequest};
use harness::diagnosis;
use harness::implementation::{
    Canary, Description, Implementation, PLANTED, PLANTED_APPROXIMATIONS, Support, Worker,
};
use harness::run::{self, Display, Plan, Request, Settings};
use model::{Fault, Faults, Model};
use reports::{Report, Status};
use vectors::format::F64;
use vectors::sweep::{Length, Sweep, columns_for, results_for};
use vectors::{Column, Variant};

fn quick(implementation: &dyn Implementation, only: Vec<String>) -> Report {
    let directory = tempfile::tempdir().unwrap();
    let request = Request::of(Tier::Quick, only);
    let plan = Plan::new(request, implementation).unwrap();
    let settings = Settings { jobs: 2, directory: directory.path().into(), resume: false };
    let stop = AtomicBool::new(false);
    let outcome = run::run(&plan, implementation, &settings, &stop, &Display::hidden()).unwrap();
    let (diagnoses, diagnosed) = diagnosis::diagnose(&plan, &outcome.progress, implementation, 2, &stop);
    diagnosed.unwrap();
    harness::report::build(
        &plan,
        implementation,
        &settings,
        &outcome,
        &diagnoses,
        std::time::SystemTime::UNIX_EPOCH,
    )
}

/// Of the healthy variants, every so many-th is run as well.
const SAMPLED: usize = 97;

/// Each planted fault is found by the quick tier, in its own variant, and called by its name where the
/// variant has a model; a sample of the healthy variants stays green.
#[test]
fn quick_tier_finds_every_planted_fault_and_names_it() {
    let approximations = PLANTED_APPROXIMATIONS.iter().map(|(text, _)| *text);
    let planted: BTreeSet<&str> = PLANTED.iter().map(|(text, _)| *text).chain(approximations).collect();
    assert_eq!(planted.len(), PLANTED.len() + PLANTED_APPROXIMATIONS.len(), "one fault a variant");
    let texts = Variant::all().iter().map(Variant::text);
    let healthy = texts.filter(|text| !planted.contains(text)).step_by(SAMPLED);
    let only = planted.iter().copied().chain(healthy).map(str::to_owned).collect();
    let report = quick(&Canary, only);
    assert!(report.complete);
    let failed: BTreeSet<&str> = report
        .variants
        .iter()
        .filter(|variant| variant.status == Status::Fail)
        .map(|variant| variant.variant.as_str())
        .collect();
    assert_eq!(failed, planted);
    let mut misnamed = Vec::new();
    for variant in report.variants.iter().filter(|variant| variant.status == Status::Fail) {
        assert!(!variant.classes.is_empty(), "{}", variant.variant);
        for class in &variant.classes {
            let example = &class.examples[0];
            assert_ne!(example.expected, example.actual, "{}", class.id);
        }
        let Some((_, fault)) = PLANTED.iter().find(|(text, _)| *text == variant.variant) else {
            continue;
        };
        for class in &variant.classes {
            // Of some, another fault gives the same results throughout.
            let named = class.explanation.as_ref().is_some_and(|explanation| {
                explanation.flaws == [fault.id()] || explanation.others.contains(&fault.id())
            });
            if !named {
                misnamed.push(format!("{}: {:?}, not {}", class.id, class.explanation, fault.id()));
            }
        }
    }
    assert!(misnamed.is_empty(), "{misnamed:#?}");
}

/// What a variant does not have cannot be wrong with it.
#[test]
fn faults_change_nothing_that_they_do_not_concern() {
    let mut changed = BTreeMap::new();
    for variant in Variant::all().iter().step_by(11).filter(|variant| Model::covers(variant)) {
        let mut operands = columns_for(variant, 96);
        let mut results = [results_for(variant, 96), results_for(variant, 96)];
        for sweep in ["boundary", "exponents", "uniform"].map(|name| Sweep::named(name).unwrap()) {
            let all = match sweep.length(variant) {
                Length::None => continue,
                Length::Finite(all) => all,
                Length::Endless => u64::MAX,
            };
            if all < 96 {
                continue;
            }
            sweep.fill(variant, 5, 0, &mut operands);
            Model::new(variant, None).run(&operands, &mut results[0]);
            for fault in Fault::ALL.iter().filter(|fault| !fault.concerns(variant)) {
                Model::new(variant, *fault).run(&operands, &mut results[1]);
                if results[0] != results[1] {
                    changed.insert((format!("{fault:?}"), variant.mnemonic()), variant.text());
                }
            }
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

fn request(only: Vec<String>, budget: u64, jobs: usize) -> ScoreRequest {
    let equivalence_vectors = EQUIVALENCE_VECTORS;
    ScoreRequest { tier: Tier::Quick, only, seed: 0, budget, equivalence_vectors, jobs }
}

/// A variant of each operation: every mutant is killed, tolerated or proven equivalent, and no proof is
/// wrong. The whole is `cargo xtask mutants`.
#[test]
fn every_mutant_of_some_variants_is_killed() {
    let texts = [
        "add.rn.ftz.f16x2",
        "fma.rn.oob.relu.bf16x2",
        "mul.rz.f32",
        "fma.rn.f32",
        "div.rn.ftz.f32",
        "sqrt.rm.f64",
        "min.xorsign.abs.f32",
        "setp.geu.and.f16",
        "testp.normal.f64",
        "slct.f64.f32",
        "cvt.rn.satfinite.e4m3x2.f32",
        "cvt.rni.s32.f32",
        "cvt.rn.f32.s64",
        "cast.rn.e4m3fnuz.f32",
        "tanh.approx.f16",
    ];
    let only: Vec<String> = texts.map(String::from).into();
    let variants = harness::select::select(&only, None).unwrap();
    assert_eq!(variants.len(), texts.len());
    let request = request(only, 64, 2);
    let score = detection::score(&variants, &request, &AtomicBool::new(false), &|_| ());
    assert!(
        score.survived.is_empty() && score.proofs_refuted.is_empty(),
        "{:?} {:?}",
        score.survived,
        score.proofs_refuted
    );
    let (totals, comparison) = (score.totals, score.comparison);
    assert_eq!((score.variants, score.left), (15, 0));
    assert_eq!(totals.killed + totals.tolerated + totals.equivalent, totals.mutants);
    assert!(totals.killed > 200 && totals.equivalent > 10, "{totals:?}");
    // Other generators find fewer on the same budget.
    assert!(
        comparison.sweeps > comparison.testfloat && comparison.testfloat > comparison.uniform,
        "{comparison:?}"
    );
}

/// An implementation that is wrong in a way of its own.
#[derive(Clone, Copy)]
struct Wrong {
    compute: fn(&Variant, &[Column], &mut [Column]),
    /// It has no result of one row in so many, if any.
    silent: Option<usize>,
    /// Of the last batch.
    rows: usize,
}

impl Wrong {
    fn new(compute: fn(&Variant, &[Column], &mut [Column])) -> Wrong {
        Wrong { compute, silent: None, rows: 0 }
    }
}

impl Implementation for Wrong {
    fn describe(&self) -> Description {
        Description { name: "wrong".into(), ..Description::default() }
    }

    fn support(&self, _variant: &Variant) -> Support {
        Support::Yes
    }

    fn worker(&self) -> anyhow::Result<Box<dyn Worker>> {
        Ok(Box::new(*self))
    }
}

impl Worker for Wrong {
    fn run(
        &mut self,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> anyhow::Result<()> {
        (self.compute)(variant, operands, results);
        self.rows = operands[0].rows();
        for row in self.unanswered() {
            results.iter_mut().for_each(|column| column.set(row, 0x55));
        }
        Ok(())
    }

    fn unanswered(&mut self) -> Vec<usize> {
        self.silent.map_or(Vec::new(), |every| (0..self.rows).step_by(every).collect())
    }
}

/// What is written of rows without a result is no evidence.
#[test]
fn rows_without_a_result_do_not_hide_a_fault() {
    let wrong = Wrong::new(|variant, operands, results| {
        Model::new(variant, Fault::TiesAway).run(operands, results);
    });
    let report = quick(&Wrong { silent: Some(3), ..wrong }, vec!["mul.f16".into()]);
    let variant = &report.variants[0];
    assert!(variant.unanswered > 1000 && !variant.classes.is_empty(), "{variant:?}");
    for class in &variant.classes {
        let explanation = class.explanation.as_ref().unwrap();
        assert_eq!(explanation.flaws, ["ties-away"], "{}", class.id);
    }
}

/// Two faults in one operation: what both of them do needs both to be explained.
#[test]
fn two_faults_are_told_apart_or_named_together() {
    let wrong = Wrong::new(|variant, operands, results| {
        let both = Faults::from(Fault::TiesAway).and(Fault::Through(&F64).into());
        Model::new(variant, both).run(operands, results);
    });
    let report = quick(&wrong, vec!["fma.rn.f32".into()]);
    let classes = &report.variants[0].classes;
    let above = classes.iter().find(|class| class.id.ends_with("/ulp-above")).unwrap();
    let explanation = above.explanation.as_ref().unwrap();
    assert_eq!(explanation.flaws, ["ties-away", "through-f64"]);
    assert!(explanation.mismatches > 10 && explanation.agreeing > 1000, "{explanation:?}");
    // 1 + 2^-24 and its like: the simplest has few bits, and lies near 1.
    let simplest = above.simplest.as_ref().unwrap();
    let bits = |name: &str| simplest.operands.iter().find(|operand| operand.name == name).unwrap();
    let value = |name| bits(name).lanes[0].value.clone();
    assert!(
        ["0", "1"].iter().any(|one| ["a", "b", "c"].map(value).contains(&(*one).to_owned())),
        "{simplest:?}"
    );
}

/// What no model does is said to be unexplained, and still has a simplest vector.
#[test]
fn what_nothing_explains_is_not_explained() {
    let wrong = Wrong::new(|variant, operands, results| {
        Model::new(variant, None).run(operands, results);
        for row in 0..results[0].rows() {
            let [a, b] = [0, 1].map(|operand| operands[operand].get(row));
            if (a.wrapping_mul(0x9e37) ^ b) & 0x3ff == 0x155 || a & 0x7ff == 0x2a5 {
                results[0].set(row, results[0].get(row) ^ 2);
            }
        }
    });
    let report = quick(&wrong, vec!["mul.f16".into()]);
    let classes = &report.variants[0].classes;
    assert!(!classes.is_empty());
    for class in classes {
        assert_eq!(class.explanation, None, "{}", class.id);
        assert!(class.simplest.is_some(), "{}", class.id);
    }
}

/// All mutants, as it was last carried out.
#[test]
fn the_published_score_is_whole_and_the_pages_have_its_figures() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}{name}")).unwrap();
    let score: serde_json::Value =
        serde_json::from_str(&read("reports/published/detection/mutants.json")).unwrap();
    assert_eq!(score["only"], serde_json::json!([]));
    assert_eq!(
        (&score["missed"], &score["disproved"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
    let count = |pointer: &str| score.pointer(pointer).unwrap().as_u64().unwrap();
    let outcomes =
        ["found", "permitted", "equivalent"].map(|outcome| count(&format!("/totals/{outcome}")));
    assert_eq!(outcomes.iter().sum::<u64>(), count("/totals/mutants"));
    assert_eq!(count("/variants") as usize, Variant::all().len());
    let shares = ["sweeps", "testfloat", "uniform"].map(|name| {
        detection::percent(count(&format!("/comparison/{name}")), count("/comparison/mutants"))
    });
    for page in ["README.md", "harness/detection.md"] {
        let text = read(page).replace(',', "");
        for figure in outcomes.into_iter().chain([count("/totals/mutants")]) {
            let stands = [" ", "["].iter().any(|before| text.contains(&format!("{before}{figure}")));
            assert!(stands, "{page} lacks {figure}");
        }
        for share in &shares {
            assert!(text.contains(share), "{page} lacks {share}");
        }
    }
}

/// A run that is broken off keeps what it has.
#[test]
fn a_broken_run_says_how_far_it_came() {
    let only: Vec<String> = vec!["mul.f16".into(), "neg.f16".into()];
    let variants = harness::select::select(&only, None).unwrap();
    let request = request(only, 8, 1);
    let stop = AtomicBool::new(false);
    let score = detection::score(&variants, &request, &stop, &|_| stop.store(true, Relaxed));
    assert_eq!((score.variants, score.left), (1, 1));
    assert!(score.totals.killed > 0 && score.page().contains("NOT RUN TO THE END: 1 variants are left"));
}
