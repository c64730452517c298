//! Tests of what the engine keeps of a target's findings.

use findings::campaign;
use implementations::Canary;

use super::*;
use crate::FuzzCase;
use crate::targets::oracles::TARGET;

fn findings(words: &str) -> Findings {
    let mut findings = Findings { tried: 16, ..Findings::default() };
    findings.add("mul.f16/ulp above", words.as_bytes(), words);
    findings.add("mul.f16/ulp above", b"another", "another");
    findings
}

/// Checks that the first input and line of each class are kept, that all findings are counted, and that a class that
/// an earlier run had found is not new.
#[test]
fn a_class_is_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let artifacts = folder.path().join("oracles");
    for fresh in [1, 0] {
        let mut run = SearchState::new(&TARGET, artifacts.clone());
        run.count(findings("first"));
        run.count(findings("second"));
        assert_eq!((run.executions, run.tried, run.fresh), (2, 32, fresh));
        let end = format!("; 4 findings in 1 classes, {fresh} of them new");
        assert!(run.line().ends_with(&end), "{}", run.line());
        let list = fs::read_to_string(artifacts.join(LIST)).unwrap();
        assert_eq!(list, "mul.f16/ulp above: first\n");
        assert_eq!(fs::read(artifacts.join("mul.f16-ulp-above")).unwrap(), b"first");
        assert_eq!(fs::read_dir(&artifacts).unwrap().count(), 2);
    }
}

/// Checks that the inputs that the engine keeps can be read to make a report.
#[test]
fn what_is_kept_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let case = FuzzCase::new(&Variant::all()[0], &[1, 2]);
    let mut findings = Findings::default();
    let class = format!("exec:./client a/b/{}/ulp-above", case.variant);
    findings.add(class, &case.to_bytes(), "a=0x1 b=0x2 expected …");
    SearchState::new(&TARGET, folder.path().join("differential")).count(findings);
    let files = campaign::files(folder.path()).unwrap();
    let kept = campaign::read(folder.path(), files, &Canary);
    assert_eq!(kept.iter().map(|kept| kept.case.clone()).collect::<Vec<_>>(), [Ok(case)]);
    let tested = campaign::tested(folder.path()).unwrap();
    assert_eq!(tested.into_iter().collect::<Vec<_>>(), ["exec:./client a/b"]);
}

/// Checks that libFuzzer's own change is used now and then, the target's otherwise, and that changed inputs fit.
#[test]
fn changes_fit() {
    let (seeds, mut own) = ((TARGET.seeds)(), 0);
    for seed in 0..400 {
        let mut data = [0; 40];
        data[..12].copy_from_slice(&seeds[seed as usize][..12]);
        let size = mutate(&TARGET, &mut data, 12, 12, seed, |_, _, _| 99);
        own += usize::from(size == 99);
        assert!(size == 99 || size <= 12);
    }
    assert!((20..80).contains(&own), "{own}");
}
