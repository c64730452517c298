//! Tests of sums of products: other right results in words, how answers are counted, and differences from a model.

use super::*;

const HALF: &str = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
const EIGHT: &str = "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16";

/// Lists in words the other results that would have been right for a sum.
fn accepted(text: &str, truth: SumTruth) -> Vec<String> {
    let variant: MatrixVariant = text.parse().unwrap();
    let (operands, results) = (columns_for(&variant, 1), results_for(&variant, 1));
    SumJudge::new(&variant).describe(&truth, Batch::new(&operands, &results), 0).accepted
}

#[test]
fn what_else_is_right_is_said_with_its_relaxation() {
    assert_eq!(accepted(HALF, SumTruth::Nan), ["any NaN (sum-nan)"]);
    let infinite = |or_nan, sparse| SumTruth::Infinite { negative: false, or_nan, sparse };
    assert_eq!(accepted(HALF, infinite(None, false)), [""; 0]);
    let both = infinite(Some(SumRelaxation::Overflow), true);
    assert_eq!(accepted(HALF, both), ["any NaN (sum-overflow)", "any NaN (sparse-zero)"]);
    assert_eq!(
        accepted(HALF, finite(ONE, exactly(ONE))),
        ["0x3c00 alone: no order of adding rounds anything"]
    );
    let open = SumTruth::Finite {
        nearest: ONE,
        promised: bounds(ONE, TWO),
        relaxed: Some(Bounds { may_overflow: [true, false], ..bounds(0, TWO) }),
        flushed: Some(Bounds { may_overflow: [false, true], ..bounds(0, TWO) }),
        both: Some(Bounds { may_overflow: [true; 2], ..bounds(0, TWO) }),
        sparse: true,
    };
    let by = |words: &str| format!("0x0000 to 0x4000, whatever the order of adding{words}");
    let infinity = ", or infinity: a part of the sum may overflow";
    let nan = ", an infinity or NaN: a part of the sum may overflow";
    assert_eq!(
        accepted(EIGHT, open),
        [
            "0x3c00 to 0x4000, whatever the order of adding".to_owned(),
            by(infinity) + " (half-accumulation)",
            by(infinity) + " (sum-subnormal)",
            by(nan) + " (half-accumulation, sum-subnormal)",
            "any NaN (sparse-zero)".to_owned(),
        ]
    );
}

/// Sums are counted with their answers: three are right by one answer, and one is wrong. An answer that is said of
/// all sums is counted for numbers alone.
#[test]
fn sums_are_counted_with_their_answers() {
    let variant: MatrixVariant =
        "tcgen05.mma.cta_group::1.kind::f16(a-desc,f16.f16.f16,k16)".parse().unwrap();
    let zero = finite(0, exactly(0));
    let rows = [
        (finite(ONE, exactly(ONE)), ONE),
        (finite(ONE, exactly(ONE)), TWO),
        (zero, 0),
        (zero, MINUS),
        (zero, 0),
        (SumTruth::Nan, NAN),
    ];
    let mut operands = columns_for(&variant, rows.len());
    let mut results = results_for(&variant, rows.len());
    for (row, (_, result)) in rows.iter().enumerate() {
        operands[2].set(row, row as u64);
        results[0].set(row, *result);
    }
    let truths: Vec<SumTruth> = rows.iter().map(|(truth, _)| *truth).collect();
    let judge = SumJudge::new(&variant);
    let mut tally = Tally::default();
    for first in [100, 200] {
        let batch = Batch { first, ..Batch::new(&operands, &results) };
        judge.judge(&truths, batch, &mut tally);
    }
    assert_eq!((tally.vectors, tally.confirmed, tally.mismatches), (12, 12, 2));
    let answers = |of: &str| {
        let answers = tally.answers[of].iter();
        answers.map(|(answer, count)| (answer.as_str(), *count)).collect::<Vec<_>>()
    };
    assert_eq!(answers("sum-zero-sign"), [("negative", 2), ("positive", 4)]);
    assert_eq!(answers("sum-nan"), [("canonical", 2)]);
    assert_eq!(answers("unstated-precision"), [("single", 8)]);
    assert_eq!(tally.answers.len(), 3);
    let examples = &tally.classes[&MismatchKind::Inexact].examples;
    assert_eq!(examples.iter().map(|example| example.index).collect::<Vec<_>>(), [101, 201]);
    let Mismatch { operands, expected, actual, .. } = &examples[0];
    assert_eq!(
        (&operands[2], &expected[..], &actual[..]),
        (&1.into(), &[ONE.into()][..], &[TWO.into()][..])
    );
}

/// Compares sums that have an addend c and controls with those of a model, and returns the tally of mismatches and
/// answers.
fn compared(rows: &[[u64; 4]]) -> Tally {
    let variant: MatrixVariant =
        "tcgen05.mma.cta_group::1.kind::f16(a-desc,f16.f16.f16,k16)".parse().unwrap();
    let mut operands = columns_for(&variant, rows.len());
    let [mut expected, mut results] = [(); 2].map(|()| results_for(&variant, rows.len()));
    for (row, &[c, controls, due, came]) in rows.iter().enumerate() {
        operands[2].set(row, c);
        operands[3].set(row, controls);
        expected[0].set(row, due);
        results[0].set(row, came);
    }
    let mut tally = Tally::default();
    let judge = SumJudge::new(&variant);
    for first in [100, 200] {
        judge.compare(&expected, Batch { first, ..Batch::new(&operands, &results) }, &mut tally);
    }
    tally
}

#[test]
fn what_differs_from_a_model_is_a_mismatch_with_its_number() {
    let tally =
        compared(&[[7, 1, ONE, ONE], [8, 1, ONE, ONE + 1], [0, 1, MINUS, 0], [9, 1, ONE, ONE - 1]]);
    assert_eq!((tally.vectors, tally.mismatches, tally.confirmed), (8, 4, 0));
    assert_eq!(tally.answers["sum-zero-sign"]["positive"], 2);
    let examples = &tally.classes[&MismatchKind::UlpAbove].examples;
    assert_eq!(examples.iter().map(|example| example.index).collect::<Vec<_>>(), [101, 201]);
    let Mismatch { operands, expected, actual, .. } = &examples[0];
    let (due, came): ([RowBits; 1], [RowBits; 1]) = ([ONE.into()], [(ONE + 1).into()]);
    assert_eq!((&operands[2], &expected[..], &actual[..]), (&8.into(), &due[..], &came[..]));
}

/// An addend is open only where a division makes it subnormal: not where nothing is divided, and not if it is zero,
/// infinity or NaN.
#[test]
fn an_addend_that_is_subnormal_or_zero_before_is_not_open() {
    let subnormal = 0x0200;
    for [c, controls] in [[subnormal, 0b0001], [0, 0b1001], [INFINITY, 0b1001], [NAN, 0b1001]] {
        let tally = compared(&[[c, controls, ONE, TWO]]);
        assert_eq!((tally.mismatches, tally.answers.len()), (2, 0), "{c:#x} {controls:#b}");
    }
    let tally = compared(&[[subnormal, 0b1001, ONE, TWO]]);
    assert_eq!((tally.mismatches, tally.answers["sum-subnormal"]["flushed"]), (0, 2));
}
