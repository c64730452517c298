//! Mutants of models: the vectors kill all of them, or there is a reason.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use harness::budget::Tier;
use harness::detection::{self, EQUIVALENCE_VECTORS, ScoreRequest};
use vectors::Variant;

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
        "sin.approx.f32",
        "rcp.approx.ftz.f64",
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
    assert_eq!((score.variants, score.left), (17, 0));
    assert_eq!(totals.killed + totals.tolerated + totals.equivalent, totals.mutants);
    assert!(totals.killed > 200 && totals.equivalent > 10, "{totals:?}");
    // Other generators find fewer on the same budget.
    assert!(
        comparison.sweeps > comparison.testfloat && comparison.testfloat > comparison.uniform,
        "{comparison:?}"
    );
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
    let faults = model::Fault::ALL.len();
    assert!(read("harness/detection.md").contains(&format!("There are [{faults} faults]")), "{faults}");
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
