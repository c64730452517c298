//! Tests with mutants of models: the vectors kill all of them, or there is a reason.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use compilers::promises::REASONS;
use detection::{EQUIVALENCE_LANES, ScoreRequest};
use isa::Variant;
use ptx::mutation::Edit;
use reports::thousands;
use selection::budget::Tier;

fn request(only: Vec<String>, budget: u64, jobs: usize) -> ScoreRequest {
    let equivalence_lanes = EQUIVALENCE_LANES;
    ScoreRequest { tier: Tier::Quick, only, seed: 0, budget, equivalence_lanes, jobs }
}

/// Every mutant of a few variants, one of each operation, is killed, tolerated or proven equivalent, and no proof
/// is wrong. The whole is `cargo xtask mutants`.
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
    let variants = selection::select::select(&only, None).unwrap();
    assert_eq!(variants.len(), texts.len());
    let request = request(only, 64, 2);
    let score = detection::score(&variants, &request, &AtomicBool::new(false), &|_| ()).unwrap();
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
    // Other generators find fewer mutants on the same budget.
    assert!(
        comparison.sweeps > comparison.testfloat && comparison.testfloat > comparison.uniform,
        "{comparison:?}"
    );
}

/// Reads a file of the repository.
fn read(name: &str) -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../").to_owned() + name).unwrap()
}

/// Reads a score that was published.
fn published(name: &str) -> serde_json::Value {
    serde_json::from_str(&read(&format!("reports/published/detection/{name}"))).unwrap()
}

/// The published score of all mutants, as it was last computed, is whole, and the pages have its figures.
#[test]
fn the_published_score_is_whole_and_the_pages_have_its_figures() {
    let score = published("mutants.json");
    assert_eq!(score["only"], serde_json::json!([]));
    assert_eq!(
        (&score["missed"], &score["disproved"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
    let count = |pointer: &str| score.pointer(pointer).unwrap().as_u64().unwrap();
    let outcomes =
        ["found", "permitted", "equivalent"].map(|outcome| count(&format!("/totals/{outcome}")));
    assert_eq!(outcomes.iter().sum::<u64>(), count("/totals/mutants"));
    let scored_variants = count("/variants") as usize;
    assert!(scored_variants <= Variant::all().len());
    let shares = ["sweeps", "testfloat", "uniform"].map(|name| {
        detection::percent(count(&format!("/comparison/{name}")), count("/comparison/mutants"))
    });
    for page in ["README.md", "docs/why/detection.md"] {
        let text = read(page).replace(',', "");
        for figure in outcomes.into_iter().chain([count("/totals/mutants")]) {
            let stands = [" ", "["].iter().any(|before| text.contains(&format!("{before}{figure}")));
            assert!(stands, "{page} lacks {figure}");
        }
        for share in &shares {
            assert!(text.contains(share), "{page} lacks {share}");
        }
    }
    // The page says how many faults and variants there are, and of how many the score is, which is older.
    let faults = model::Fault::ALL;
    let families: Vec<&str> =
        score["families"].as_array().unwrap().iter().map(|of| of["flaw"].as_str().unwrap()).collect();
    let scored = faults.iter().filter(|fault| families.contains(&&*fault.id())).count();
    let (page, all) = (read("docs/why/detection.md"), Variant::all().len());
    let [scored_variants, all] = [scored_variants, all].map(|count| thousands(count as u64));
    for figure in [
        format!("There are [{} faults]", faults.len()),
        format!("{scored} of the {} faults", faults.len()),
        format!("{scored_variants} of the {all} variants"),
    ] {
        assert!(page.contains(&figure), "detection.md lacks {figure}");
    }
}

/// The page about compilers has the scores of all mutants of compiled rows, as they were last tried.
#[test]
fn the_page_about_compilers_has_the_scores_of_the_rows() {
    let scores = published("rows.json");
    let count = |value: &serde_json::Value| value.as_u64().unwrap_or(0);
    let compilers = [("nvrtc", "NVRTC"), ("nvvm", "libnvvm"), ("llvm", "LLVM")];
    let outcomes = ["mutants", "caught"].into_iter().chain(REASONS.iter().map(|reason| reason.id));
    let outcomes: Vec<&str> = outcomes.chain(["survived"]).collect();
    let mut lines = Vec::new();
    for (name, shown) in compilers {
        let score = &scores[name];
        let edits: Vec<_> = score["edits"].as_object().unwrap().values().collect();
        let sum = |outcome: &&str| edits.iter().map(|edit| count(&edit[outcome])).sum::<u64>();
        let sums: Vec<u64> = outcomes.iter().map(sum).collect();
        assert_eq!(sums[0], sums[1..].iter().sum::<u64>(), "{name}: each has one fate");
        assert_eq!(score["survivors"], serde_json::json!([]), "{name}");
        let numbers: Vec<String> =
            [count(&score["functions"])].into_iter().chain(sums).map(thousands).collect();
        let version = score["version"].as_str().unwrap();
        lines.push(format!("| {shown} {version} | {} |", numbers.join(" | ")));
    }
    for edit in Edit::ALL.map(Edit::name) {
        let of = |name: &str| {
            let [mutants, caught] = ["mutants", "caught"]
                .map(|outcome| thousands(count(&scores[name]["edits"][edit][outcome])));
            format!("{caught} of {mutants}")
        };
        lines.push(format!("| {edit} | {} |", compilers.map(|(name, _)| of(name)).join(" | ")));
    }
    let page = read("docs/why/compilers.md");
    let absent: Vec<_> = lines.iter().filter(|line| !page.lines().any(|own| own == **line)).collect();
    assert!(absent.is_empty(), "docs/why/compilers.md lacks {absent:#?}");
}

/// A run that is broken off keeps its results and says how far it came.
#[test]
fn a_broken_run_says_how_far_it_came() {
    let only: Vec<String> = vec!["mul.f16".into(), "neg.f16".into()];
    let variants = selection::select::select(&only, None).unwrap();
    let request = request(only, 8, 1);
    let stop = AtomicBool::new(false);
    let score = detection::score(&variants, &request, &stop, &|_| stop.store(true, Relaxed)).unwrap();
    assert_eq!((score.variants, score.left), (1, 1));
    assert!(score.totals.killed > 0 && score.page().contains("NOT RUN TO THE END: 1 variants are left"));
}
