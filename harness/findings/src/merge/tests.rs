//! Tests of how missing parts are named, how two explanations are added up, and how directories are compared.

use reports::Explanation;

use super::classes::common_explanation;
use super::*;

#[test]
fn missing_parts_are_told_in_ranges() {
    let told = |count: u64, seen: &[u64]| missing(count, seen.iter().copied());
    for (count, seen, words) in [
        (1, &[1][..], ""),
        (3, &[1, 2, 3], ""),
        (4, &[1, 2, 3], "part 4 is missing"),
        (4, &[2, 3, 4], "part 1 is missing"),
        (4, &[1, 4], "2 are missing (2 to 3)"),
        (9, &[2, 3, 7], "6 are missing (1, 4 to 6, 8 to 9)"),
        // The largest number of parts that a command line may ask for.
        (u64::MAX, &[u64::MAX], "18446744073709551614 are missing (1 to 18446744073709551614)"),
        (u64::MAX, &[1], "18446744073709551614 are missing (2 to 18446744073709551615)"),
    ] {
        assert_eq!(told(count, seen), words, "{seen:?} of {count}");
    }
    // Where every other part is missing, up to twenty are named.
    let odd: Vec<String> = (0..20).map(|at| (2 * at + 1).to_string()).collect();
    for (count, more) in [(40, ""), (42, ", …")] {
        let even: Vec<u64> = (1..=count / 2).map(|at| 2 * at).collect();
        let words = format!("{} are missing ({}{more})", count / 2, odd.join(", "));
        assert_eq!(told(count, &even), words);
    }
}

#[test]
fn explanations_are_added_up_where_they_are_of_one_cause() {
    let explanation = |flaw: &str, mismatches: u64, others: &[&str]| Explanation {
        flaws: vec![flaw.into()],
        words: flaw.into(),
        mismatches,
        agreeing: 10 * mismatches,
        ignores: Vec::new(),
        others: others.iter().map(ToString::to_string).collect(),
        ..Explanation::default()
    };
    let one = explanation("toward-zero", 3, &["a", "b"]);
    let other = explanation("toward-zero", 4, &["b", "c"]);
    assert_eq!(
        common_explanation(Some(&one), Some(&other)),
        Some(explanation("toward-zero", 7, &["b"]))
    );
    let another = explanation("flushed", 4, &["b"]);
    assert_eq!(common_explanation(Some(&one), Some(&another)), None);
    assert_eq!(
        (common_explanation(Some(&one), None), common_explanation(None, Some(&one))),
        (None, None)
    );
}

#[test]
fn a_directory_is_among_others_whatever_it_is_called() {
    let directory = tempfile::tempdir().unwrap();
    let part = directory.path().join("part");
    std::fs::create_dir(&part).unwrap();
    let others = [directory.path().join("other"), part.clone()];
    assert!(is_among(&part, &others) && is_among(&part.join("../part"), &others));
    assert!(!is_among(directory.path(), &others) && !is_among(&part, &others[..1]));
}
