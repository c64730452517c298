//! Tests of which rows break a contract, under which number, and by which kind.

use judge::{Batch, Mismatch, MismatchKind, Tally};

use super::{JudgedCase, answers};

const ONE: u64 = 0x3c00;

#[test]
fn a_mismatch_has_its_number_its_registers_and_its_kind() {
    let ones: &[u64] = &[ONE, ONE];
    let rows = [
        (ones, 0x4000, 0x4000),
        (&[1, 2][..], 3, 4),
        (ones, 0x4000, 0x4000),
        (&[ONE, 0x4000][..], 0x4200, ONE),
    ];
    let case = JudgedCase::new("add.f16", &rows);
    let kinds = vec![(1, MismatchKind::UlpAbove), (3, MismatchKind::Number)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), kinds);
    let mut tally = Tally::default();
    let offsets = [0, 7, 8, 20];
    let scattered = Batch { first: 1000, offsets: Some(&offsets), ..case.batch() };
    case.judge().judge(&case.truth, scattered, &mut tally);
    let first = Mismatch {
        index: 1007,
        operands: vec![1.into(), 2.into()],
        expected: vec![3.into()],
        accepted: Vec::new(),
        actual: vec![4.into()],
        words: None,
    };
    assert_eq!(tally.classes[&MismatchKind::UlpAbove].examples, [first]);
    assert_eq!(tally.classes[&MismatchKind::Number].examples[0].index, 1020);
    assert_eq!((tally.vectors, tally.confirmed, tally.mismatches), (4, 4, 2));
    // Rows that follow each other, into the same tally.
    let following = Batch { first: 2000, ..case.batch() };
    case.judge().judge(&case.truth, following, &mut tally);
    let examples = &tally.classes[&MismatchKind::UlpAbove].examples;
    assert_eq!(examples.iter().map(|example| example.index).collect::<Vec<_>>(), [1007, 2001]);
    assert_eq!((tally.vectors, tally.confirmed, tally.mismatches), (8, 8, 4));
}

/// A row is one vector, and its first lane that is wrong names the class.
#[test]
fn lanes_are_found_in_their_rows() {
    let ones: &[u64] = &[0x3c00_3c00, 0x3c00_3c00];
    let rows = [
        (ones, 0x4000_4000, 0x4000_4000),
        (ones, 0x4000_4000, 0x0000_4000),
        (ones, 0x4000_4000, 0x0000_4001),
        (ones, 0x4000_4000, 0x4000_4000),
        (ones, 0x4000_4000, 0x4000_3fff),
        (ones, 0x4000_3c00, 0x3c00_4000),
    ];
    let case = JudgedCase::new("add.f16x2", &rows);
    let verdicts = case.judge().verdicts(&case.truth, case.batch());
    let expected = [
        (1, MismatchKind::ZeroAppeared),
        (2, MismatchKind::UlpAbove),
        (4, MismatchKind::UlpBelow),
        (5, MismatchKind::LanesSwapped),
    ];
    assert_eq!(verdicts, expected);
}

/// Bits that hold no lane are wrong where they are set, and nowhere else.
#[test]
fn bits_beside_the_lanes_are_found_in_their_rows() {
    let ones: &[u64] = &[0x3f80_0000, 0x3f80_0000];
    let rows = [
        (ones, 0x0808, 0x0808),
        (ones, 0x0808, 0x4808),
        (ones, 0x0808, 0x0848),
        (ones, 0x0808, 0x0809),
        (ones, 0x0808, 0x8849),
    ];
    let case = JudgedCase::new("cvt.rn.satfinite.e2m3x2.f32", &rows);
    let verdicts = case.judge().verdicts(&case.truth, case.batch());
    let expected = [
        (1, MismatchKind::Padding),
        (2, MismatchKind::Padding),
        (3, MismatchKind::UlpAbove),
        (4, MismatchKind::UlpAbove),
    ];
    assert_eq!(verdicts, expected);
}

/// The low bits of tf32 are counted and not judged; the bits of its lane are judged.
#[test]
fn an_open_layout_is_counted_row_by_row() {
    let one: &[u64] = &[0x3f80_0000];
    let rows = [
        (one, 0x3f80_0000, 0x3f80_0000),
        (one, 0x3f80_0000, 0x3f80_0001),
        (one, 0x3f80_0000, 0x3f80_0000),
        (one, 0x3f80_0000, 0x3f80_1fff),
        (one, 0x3f80_0000, 0x3f80_0000),
        (one, 0x3f80_0000, 0x3f80_2000),
    ];
    let case = JudgedCase::new("cvt.rna.tf32.f32", &rows);
    let tally = case.tally();
    assert_eq!(answers(&tally, "tf32-layout"), [("other bits", 2), ("zeros", 4)]);
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), [(5, MismatchKind::UlpAbove)]);
}

#[test]
fn results_are_alike_whose_nans_alone_differ() {
    let any = JudgedCase::new("mul.f16x2", &[]).judge();
    assert!(any.rows_agree(&[0x4000_3c00], &[0x4000_3c00]));
    assert!(any.rows_agree(&[0x7fff_3c00], &[0xfe01_3c00]));
    assert!(any.rows_agree(&[0x3c00_7fff], &[0x3c00_7c01]));
    assert!(!any.rows_agree(&[0x7fff_3c00], &[0xfe01_3c01]));
    assert!(!any.rows_agree(&[0x7fff_3c00], &[0x7c00_3c00]));
    assert!(!any.rows_agree(&[0x7c00_3c00], &[0x7fff_3c00]));
    assert!(!any.rows_agree(&[0x0000_3c00], &[0x8000_3c00]));
    let canonical = JudgedCase::new("fma.rn.relu.f16", &[]).judge();
    assert!(canonical.rows_agree(&[0x7fff], &[0x7fff]));
    assert!(!canonical.rows_agree(&[0x7fff], &[0x7e00]));
}
