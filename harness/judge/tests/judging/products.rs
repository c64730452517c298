//! Tests of sums of products: which results are right, by which answers to open points, and what is wrong with
//! the rest.

mod counted;

use formats::{F16, RowBits};
use isa::matrix::{MatrixVariant, SumRelaxation, columns_for, results_for};
use judge::{Batch, Bounds, Mismatch, MismatchKind, SumJudge, SumTruth, Tally};

const ONE: u64 = 0x3c00;
const TWO: u64 = 0x4000;
const LARGEST: u64 = 0x7bff;
const INFINITY: u64 = 0x7c00;
const NAN: u64 = 0x7fff;
/// The sign bit: together with a number, the number of the other sign; by itself, −0.
const MINUS: u64 = 0x8000;

fn bounds(low: u64, high: u64) -> Bounds {
    Bounds { low, high, exact: None, may_overflow: [false; 2] }
}

/// Makes the bounds of a sum that no order of adding rounds: any number of f16 is a multiple of 2^-24.
fn exactly(bits: u64) -> Bounds {
    Bounds { exact: Some(-24), ..bounds(bits, bits) }
}

fn finite(nearest: u64, promised: Bounds) -> SumTruth {
    SumTruth::Finite { nearest, promised, relaxed: None, flushed: None, both: None, sparse: false }
}

/// Asserts what a truth of f16 says of results: the answers that they give, or what is wrong with them.
#[track_caller]
fn says(truth: SumTruth, relaxed: Option<SumRelaxation>, rows: &[(u64, &str)]) {
    for &(result, expected) in rows {
        let mut answers = Vec::new();
        let answer =
            |(of, answer): (SumRelaxation, &str)| answers.push(format!("{} {answer}", of.name()));
        let verdict = truth.verdict(&F16, result, relaxed, answer);
        assert_eq!(truth.accepts(&F16, result), verdict.is_ok(), "{result:#06x}");
        let said = verdict.map_or_else(|kind| kind.id().to_owned(), |()| answers.join(", "));
        assert_eq!(said, expected, "{result:#06x} of {truth:x?}");
    }
}

#[test]
fn a_sum_that_is_nan_is_any() {
    assert_eq!(SumTruth::Nan.expected(&F16), NAN);
    let rows = [
        (NAN, "sum-nan canonical"),
        (0x7e00, "sum-nan other"),
        (MINUS | NAN, "sum-nan other"),
        (INFINITY, "nan-lost"),
        (ONE, "nan-lost"),
    ];
    says(SumTruth::Nan, None, &rows);
}

/// An infinite sum has its sign, and its truth says by which relaxation NaN is right as well, if by any.
#[test]
fn an_infinite_sum_has_its_sign() {
    for sign in [0, MINUS] {
        let infinite = |or_nan, sparse| SumTruth::Infinite { negative: sign != 0, or_nan, sparse };
        let held = |or_nan, sparse, infinity: &str, nan: &str| {
            assert_eq!(infinite(or_nan, sparse).expected(&F16), sign | INFINITY);
            let rows = [
                (sign | INFINITY, infinity),
                (MINUS ^ sign | INFINITY, "sign"),
                (NAN, nan),
                (0x7e00, nan),
                (sign | LARGEST, "no-overflow"),
                (0, "no-overflow"),
            ];
            says(infinite(or_nan, sparse), None, &rows);
        };
        held(None, false, "", "nan-appeared");
        held(None, true, "sparse-zero skipped", "sparse-zero multiplied");
        let (overflow, subnormal) = (Some(SumRelaxation::Overflow), Some(SumRelaxation::Subnormal));
        held(overflow, false, "sum-overflow infinity", "sum-overflow nan");
        held(subnormal, false, "sum-subnormal kept", "sum-subnormal flushed");
        held(overflow, true, "sum-overflow infinity, sparse-zero skipped", "sum-overflow nan");
        held(subnormal, true, "sum-subnormal kept, sparse-zero skipped", "sum-subnormal flushed");
    }
}

/// A number is right within its bounds: with both ends, on both sides of zero, and of no other sign.
#[test]
fn a_number_lies_within_its_bounds() {
    let out = "out-of-bound";
    for (sign, low, high) in [(0, ONE, TWO), (MINUS, MINUS | TWO, MINUS | ONE)] {
        let rows = [
            (sign | ONE, ""),
            (sign | (ONE + 7), ""),
            (sign | TWO, ""),
            (sign | (ONE - 1), out),
            (sign | (TWO + 1), out),
            (MINUS ^ sign | ONE, out),
            (MINUS ^ sign | (ONE + 1), "sign"),
            (0, "zero-appeared"),
            (INFINITY, "overflow"),
            (MINUS | INFINITY, "overflow"),
            (NAN, "nan-appeared"),
        ];
        let truth = finite(sign | (ONE + 1), bounds(low, high));
        assert_eq!(truth.expected(&F16), sign | (ONE + 1));
        says(truth, None, &rows);
    }
    // The sign of a zero is no answer where the zero is one right number among others.
    let around = finite(1, bounds(MINUS | ONE, ONE));
    says(around, None, &[(0, ""), (MINUS, ""), (MINUS | ONE, ""), (ONE, ""), (MINUS | TWO, out)]);
    says(finite(0, bounds(MINUS | ONE, ONE)), None, &[(TWO, "zero-lost")]);
}

#[test]
fn where_nothing_is_rounded_one_number_is_right() {
    let out = "inexact";
    says(
        finite(ONE, exactly(ONE)),
        None,
        &[(ONE, ""), (ONE + 1, out), (ONE - 1, out), (MINUS | ONE, "sign"), (0, "zero-appeared")],
    );
    let zero = [
        (0, "sum-zero-sign positive"),
        (MINUS, "sum-zero-sign negative"),
        (1, "zero-lost"),
        (MINUS | 1, "zero-lost"),
        (INFINITY, "overflow"),
        (NAN, "nan-appeared"),
    ];
    says(finite(0, exactly(0)), None, &zero);
}

/// Where terms may be missing, multiples of a quantum are right: here from −1 to 2, in halves and in steps of 2.
#[test]
fn between_bounds_multiples_of_a_quantum_are_right() {
    let steps = |quantum| Bounds { exact: Some(quantum), ..bounds(MINUS | ONE, TWO) };
    let (half, ones_half) = (0x3800, 0x3e00);
    let rows = [(half, ""), (MINUS | half, ""), (ones_half, ""), (TWO, ""), (MINUS | ONE, "")];
    says(finite(ONE, steps(-1)), None, &rows);
    let out = "inexact";
    let rows = [(0x3400, out), (0x3a00, out), (0x4100, out), (MINUS | TWO, out), (INFINITY, "overflow")];
    says(finite(ONE, steps(-1)), None, &rows);
    let rows = [(TWO, ""), (ONE, out), (0, "sum-zero-sign positive"), (MINUS | ONE, out)];
    says(finite(TWO, steps(1)), None, &rows);
    let words = [1, -1].map(|quantum| steps(quantum).words(|bits| format!("{bits:#x}")));
    let range = "from 0xbc00 to 0x4000: no order of adding rounds anything";
    assert_eq!(words, [format!("multiples of 2^1 {range}"), format!("multiples of 2^-1 {range}")]);
}

/// An infinity is right on the side whose terms may overflow, and NaN where both sides may.
#[test]
fn parts_of_a_sum_may_overflow() {
    let may = |may_overflow| finite(ONE, Bounds { may_overflow, ..bounds(ONE, TWO) });
    let (number, infinity) = ("sum-overflow number", "sum-overflow infinity");
    let rows = |positive, negative, nan| {
        [(ONE, number), (INFINITY, positive), (MINUS | INFINITY, negative), (NAN, nan)]
    };
    says(may([true, false]), None, &rows(infinity, "overflow", "nan-appeared"));
    says(may([false, true]), None, &rows("overflow", infinity, "nan-appeared"));
    says(may([true; 2]), None, &rows(infinity, infinity, "sum-overflow nan"));
    // An infinity lies within the bounds where the sum itself is beyond the largest number.
    let beyond = finite(INFINITY, bounds(LARGEST, INFINITY));
    let rows = [(LARGEST, ""), (INFINITY, infinity), (MINUS | INFINITY, "sign"), (ONE, "no-overflow")];
    says(beyond, None, &rows);
    // A zero is an answer to whether something overflows, and not to which sign a zero has.
    let zero = Bounds { may_overflow: [true; 2], ..exactly(0) };
    says(finite(0, zero), None, &[(0, number), (MINUS, number)]);
}

/// A result is counted by the fewest relaxations that make it right, and as `either` where one of two would do.
#[test]
fn the_fewest_relaxations_are_taken() {
    let reduced = Some(SumRelaxation::Reduced);
    let exact = exactly(ONE + 4);
    let relaxed = Some(bounds(ONE + 3, ONE + 5));
    let flushed = Some(bounds(ONE + 2, ONE + 4));
    let both = Some(bounds(ONE, ONE + 6));
    let truth = |relaxed, flushed, both| SumTruth::Finite {
        nearest: ONE + 4,
        promised: exact,
        relaxed,
        flushed,
        both,
        sparse: false,
    };
    let (single, less) = ("reduced-accumulation single", "reduced-accumulation reduced");
    let rows = [(ONE + 4, single), (ONE + 5, less), (ONE + 3, less), (ONE + 2, "inexact")];
    says(truth(relaxed, None, None), reduced, &rows);
    let (kept, zero) = ("sum-subnormal kept", "sum-subnormal flushed");
    says(truth(None, flushed, None), None, &[(ONE + 4, kept), (ONE + 3, zero), (ONE + 5, "inexact")]);
    let rows = [
        (ONE + 4, "sum-subnormal kept, reduced-accumulation single"),
        (ONE + 3, "sum-subnormal either, reduced-accumulation either"),
        (ONE + 5, "sum-subnormal kept, reduced-accumulation reduced"),
        (ONE + 2, "sum-subnormal flushed, reduced-accumulation single"),
        (ONE + 6, "sum-subnormal flushed, reduced-accumulation reduced"),
        (ONE + 7, "inexact"),
    ];
    says(truth(relaxed, flushed, both), reduced, &rows);
    // A sum that may overflow by one of the relaxations may do so by all.
    let far = both.map(|both| Bounds { may_overflow: [true, false], ..both });
    let rows = [
        (ONE + 4, "sum-subnormal kept, reduced-accumulation single, sum-overflow number"),
        (INFINITY, "sum-subnormal flushed, reduced-accumulation reduced, sum-overflow infinity"),
        (NAN, "nan-appeared"),
    ];
    says(truth(relaxed, flushed, far), reduced, &rows);
}

#[test]
fn zeros_that_are_not_stored_may_make_nan() {
    let truth = SumTruth::Finite {
        nearest: ONE,
        promised: bounds(ONE, TWO),
        relaxed: None,
        flushed: None,
        both: None,
        sparse: true,
    };
    let rows = [
        (ONE, "sparse-zero skipped"),
        (NAN, "sparse-zero multiplied"),
        (0x7e00, "sparse-zero multiplied"),
        (TWO + 1, "out-of-bound"),
        (INFINITY, "overflow"),
    ];
    says(truth, None, &rows);
}
