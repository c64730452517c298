//! Tests of contracts that are bounds.

use formats::{E4M3, F16, F32, F64, Format, UE8M0};
use judge::{Interval, MismatchKind, Point, from_ordinal, ordinal};

use super::{JudgedCase, answers};

/// Makes the interval of `reach` data to either side of `bits`, in the first range.
fn around(format: &Format, bits: u64, reach: i64, exact: f64) -> Interval {
    let middle = ordinal(format, bits);
    let (low, high) = (middle - reach, middle + reach);
    Interval { low, high, range: Some(0), point: Point::Bound, exact, rest: 0.0 }
}

const THIRD: u64 = 0x3eaa_aaab;
const NAN: u64 = 0x7fff_ffff;
const SIGN: u64 = 0x8000_0000;

/// A third lies a third of a unit below the nearest number.
#[test]
fn what_lies_within_is_right_and_all_errors_are_measured() {
    let given: &[u64] = &[0x3f80_0000, 0x4040_0000];
    let rows: Vec<super::VectorRow> = (0..7).map(|off| (given, THIRD, THIRD - 3 + off)).collect();
    let case = JudgedCase::new("div.full.f32", &rows).within(vec![around(&F32, THIRD, 2, 1.0 / 3.0); 7]);
    let kinds = [(0, MismatchKind::OutOfBound), (6, MismatchKind::OutOfBound)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), kinds);
    let tally = case.tally();
    let errors = &tally.errors["everywhere"];
    assert_eq!((errors.count(), &errors.histogram[..5]), (7, &[1, 1, 2, 3, 0][..]));
    let worst = errors.worst.as_ref().unwrap();
    assert_eq!((worst.index, &worst.operands[1]), (106, &0x4040_0000.into()));
    assert!((worst.ulp.unwrap() - 10.0 / 3.0).abs() < 1e-6, "{worst:?}");
}

/// Errors are measured for results of either sign, and in every format.
#[test]
fn errors_of_negative_results_are_measured() {
    let given: &[u64] = &[0xbc00];
    let rows = [(given, 0xb800, 0xb801), (given, 0xb800, 0x3800), (given, 0xb800, 0xb7fe)];
    let case = JudgedCase::new("tanh.approx.f16", &rows).within(vec![around(&F16, 0xb800, 4, -0.5); 3]);
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), [(1, MismatchKind::OutOfBound)]);
    let tally = case.tally();
    let errors = &tally.errors["everywhere"];
    // One unit; 1024 units of twice 2^-11; and two units of half of that.
    assert_eq!((errors.histogram[1], errors.histogram[12]), (2, 1));
    assert_eq!(errors.worst.as_ref().and_then(|worst| worst.ulp), Some(2048.0));
}

/// A result that `.ftz` made zero is not in error; one that it left, or had no reason to flush, is.
#[test]
fn a_flushed_result_is_not_in_error() {
    let (tiny, normal) = (2f64.powi(-127), 2f64.powi(-120));
    let smallest = 0x0080_0000;
    let measured = |text: &str, actual, exact| {
        let case = JudgedCase::new(text, &[(&[0x7f00_0000], actual, actual)]);
        let tally = case.within(vec![around(&F32, actual, 0, exact)]).tally();
        tally.errors["everywhere"].worst.as_ref().unwrap().ulp
    };
    let unit = 2f64.powi(-149);
    assert_eq!(measured("rcp.approx.ftz.f32", 0, tiny), Some(0.0));
    assert_eq!(measured("rcp.approx.ftz.f32", SIGN, -tiny), Some(0.0));
    assert_eq!(measured("rcp.approx.f32", 0, tiny), Some(tiny / unit));
    assert_eq!(measured("rcp.approx.ftz.f32", 0, normal), Some(2f64.powi(23)));
    assert_eq!(measured("rcp.approx.ftz.f32", smallest, tiny), Some(tiny / unit));
}

/// A subnormal result is wrong with `.ftz`, and NaN is wrong for a number, whatever the interval.
#[test]
fn subnormal_results_and_nans_have_kinds_of_their_own() {
    let given: &[u64] = &[0x7f00_0000];
    let rows = [(given, 0, 1), (given, 0, 0), (given, 0, NAN), (given, 0, SIGN | 1)];
    let intervals = vec![around(&F32, 0, 8, 0.0); 4];
    let verdicts = |text| {
        let case = JudgedCase::new(text, &rows).within(intervals.clone());
        case.judge().verdicts(&case.truth, case.batch())
    };
    let appeared = (2, MismatchKind::NanAppeared);
    assert_eq!(verdicts("rcp.approx.f32"), [appeared]);
    let flushed = |row| (row, MismatchKind::NotFlushed);
    assert_eq!(verdicts("rcp.approx.ftz.f32"), [flushed(0), appeared, flushed(3)]);
}

/// Results of special inputs lie in no range: no error is measured, and the kind is as for a contract of bits.
#[test]
fn special_inputs_are_judged_bit_for_bit() {
    let infinite: &[u64] = &[0x7f80_0000];
    let rows = [(infinite, 0, 0), (infinite, 0, SIGN), (infinite, 0, 1), (infinite, 0, 0x3f80_0000)];
    let case =
        JudgedCase::new("rcp.approx.f32", &rows).within(vec![Interval::single_result(&F32, 0, 0.0); 4]);
    let kinds = [(1, MismatchKind::ZeroSign), (2, MismatchKind::ZeroLost), (3, MismatchKind::ZeroLost)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), kinds);
    assert_eq!(case.tally().errors["everywhere"].count(), 0);
}

/// Each element counts in the range that its operands lie in.
#[test]
fn errors_are_counted_by_range() {
    let given: &[u64] = &[0x3f80_0000];
    let one = 0x3f80_0000;
    let rows = [(given, one, one), (given, one, one + 1), (given, one, one + 2)];
    let within = |range| Interval { range, ..around(&F32, one, 9, 1.0) };
    let case = JudgedCase::new("sin.approx.f32", &rows);
    let tally = case.within(vec![within(Some(2)), within(Some(0)), within(Some(2))]).tally();
    let of = |name: &str| (tally.errors[name].count(), tally.errors[name].worst.clone());
    assert_eq!(of("|a| up to 2 pi").0, 1);
    assert_eq!(of("|a| up to 100 pi"), (0, None));
    let (count, worst) = of("|a| above 100 pi");
    assert_eq!((count, worst.map(|worst| worst.index)), (2, Some(102)));
}

#[test]
fn lanes_of_a_bound_are_found_in_their_rows() {
    let given: &[u64] = &[0];
    let (right, wrong) = (0x3c00_3c00, 0x3c00_3c09);
    let rows = [
        (given, right, right),
        (given, right, right),
        (given, right, wrong),
        (given, right, 0x3c02_3c00),
        (given, right, 0x3c09_3c00),
    ];
    let case = JudgedCase::new("ex2.approx.f16x2", &rows).within(vec![around(&F16, 0x3c00, 2, 1.0); 10]);
    let kinds = [(2, MismatchKind::OutOfBound), (4, MismatchKind::OutOfBound)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), kinds);
    let tally = case.tally();
    let errors = &tally.errors["everywhere"];
    assert_eq!((errors.count(), errors.histogram[0], errors.histogram[2]), (10, 7, 1));
    assert_eq!(errors.worst.as_ref().map(|worst| (worst.index, worst.ulp)), Some((102, Some(9.0))));
}

/// Any NaN is right where NaN is expected, except where the operands have a NaN of their own.
#[test]
fn nans_within_a_bound_are_counted_or_compared() {
    let given: &[u64] = &[0x7fc0_0000];
    let rows = [(given, NAN, NAN), (given, NAN, 0x7fc0_0000), (given, NAN, NAN), (given, NAN, 0)];
    let nan = Interval::single_result(&F32, NAN, f64::NAN);
    let case = JudgedCase::new("sqrt.approx.f32", &rows).within(vec![nan; 4]);
    assert_eq!(answers(&case.tally(), "any-nan"), [("canonical", 2), ("other", 1)]);
    let lost = [(3, MismatchKind::NanLost)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), lost);
    const ONLY: u64 = 0x7fff_ffff_0000_0000;
    let given: &[u64] = &[0x7ff8_0000_0000_0000];
    let rows = [(given, ONLY, ONLY), (given, ONLY, given[0]), (given, ONLY, 0)];
    let nan = Interval { point: Point::ThisNan, ..Interval::single_result(&F64, ONLY, f64::NAN) };
    let case = JudgedCase::new("rsqrt.approx.ftz.f64", &rows).within(vec![nan; 3]);
    let kinds = [(1, MismatchKind::NanBits), (2, MismatchKind::NanLost)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), kinds);
    assert_eq!(answers(&case.tally(), "nan-payload"), []);
}

/// "Zero the least significant 32 mantissa bits": errors are in units of the upper half's last place.
#[test]
fn of_the_upper_half_the_lower_is_zero() {
    const HALF: u64 = 0x3fe0_0000_0000_0000;
    let given: &[u64] = &[0x4000_0000_0000_0000];
    let rows = [(given, HALF, HALF + (1 << 32)), (given, HALF, HALF + 1), (given, HALF, HALF | 1 << 31)];
    let wide = Interval { point: Point::Minimum, ..around(&F64, HALF, 1 << 40, 0.5) };
    let case = JudgedCase::new("rcp.approx.ftz.f64", &rows).within(vec![wide; 3]);
    let kinds = [(1, MismatchKind::Padding), (2, MismatchKind::Padding)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), kinds);
    let tally = case.tally();
    let errors = &tally.errors["everywhere"];
    assert_eq!(errors.worst.as_ref().and_then(|worst| worst.ulp), Some(1.0));
    assert_eq!(answers(&tally, "unstated-accuracy"), [("best effort", 1)]);
    let whole = JudgedCase::new("rsqrt.approx.f64", &rows[1..]).within(vec![wide; 2]);
    assert_eq!(whole.tally().mismatches, 0);
}

/// Where no bound is stated, a result outside the minimum has another kind than a result out of a bound.
#[test]
fn outside_the_minimum_is_out_of_range() {
    let given: &[u64] = &[0x447a_0000];
    let one = 0x3f80_0000;
    let rows = [(given, one, one + 4), (given, one, one + 3), (given, one, NAN)];
    let minimum = Interval { point: Point::Minimum, range: Some(2), ..around(&F32, one, 3, 1.0) };
    let case = JudgedCase::new("sin.approx.f32", &rows).within(vec![minimum; 3]);
    let kinds = [(0, MismatchKind::OutOfRange), (2, MismatchKind::NanAppeared)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), kinds);
    let tally = case.tally();
    assert_eq!(answers(&tally, "unstated-accuracy"), [("best effort", 1)]);
    // How near a result comes need not be the same everywhere.
    assert!(tally.firsts.is_empty());
}

/// Near the smallest normal number a gross approximation may be flushed or not, whatever the exact value.
#[test]
fn a_gross_approximation_may_lie_on_the_other_side() {
    const SMALLEST: u64 = 0x0010_0000_0000_0000;
    let smallest = f64::MIN_POSITIVE;
    let given: &[u64] = &[0x7fd0_0000_0000_0000];
    let answered = |actual, exact| {
        let case = JudgedCase::new("rcp.approx.ftz.f64", &[(given, SMALLEST, actual)]);
        let interval = Interval { point: Point::Gross, ..around(&F64, 0, 0, exact) };
        let interval = Interval { high: ordinal(&F64, SMALLEST), ..interval };
        let tally = case.within(vec![interval]).tally();
        let answers = answers(&tally, "gross-tininess");
        let answers: Vec<String> = answers.iter().map(|(answer, _)| (*answer).to_owned()).collect();
        (answers.join(", "), tally.classes.into_keys().next())
    };
    let (exact, approximate) = (("exact".to_owned(), None), ("approximate".to_owned(), None));
    for normal in [smallest, smallest * 1.5, -smallest] {
        assert_eq!(answered(SMALLEST, normal), exact);
        assert_eq!(answered(0, normal), approximate);
    }
    for tiny in [smallest.next_down(), -smallest / 2.0] {
        assert_eq!(answered(0, tiny), exact);
        assert_eq!(answered(SMALLEST, tiny), approximate);
    }
    let beyond = SMALLEST + (1 << 32);
    assert_eq!(answered(beyond, smallest), (String::new(), Some(MismatchKind::OutOfRange)));
}

/// For a choice of how a table is read, the first vector with each answer is kept.
#[test]
fn the_answers_to_a_point_of_a_bound_are_kept() {
    let given: &[u64] = &[SIGN | 1];
    let rows =
        [(given, NAN, SIGN), (given, NAN, SIGN), (given, NAN, NAN), (given, NAN, NAN), (given, NAN, 0)];
    let either = Interval { point: Point::NegativeZero, ..Interval::single_result(&F32, NAN, f64::NAN) };
    let case = JudgedCase::new("sqrt.approx.f32", &rows).within(vec![either; 5]);
    let tally = case.tally();
    assert_eq!(answers(&tally, "negative-subnormal"), [("nan", 2), ("zero", 2)]);
    let first = |answer: &str| tally.firsts["negative-subnormal"][answer].index;
    assert_eq!((first("zero"), first("nan")), (100, 102));
    assert_eq!(answers(&tally, "any-nan"), [("canonical", 2)]);
    let lost = [(4, MismatchKind::NanLost)];
    assert_eq!(case.judge().verdicts(&case.truth, case.batch()), lost);
}

/// The bound 2^-9.9 is 0.00105, which is 0.0168 units for a subnormal result of 16 units.
#[test]
fn a_subnormal_result_is_within_the_bound_or_within_a_unit() {
    let answered = |actual, units: f64| {
        let case = JudgedCase::new("ex2.approx.f16", &[(&[0xcd00], 16, actual)]);
        let exact = units * 2f64.powi(-24);
        let interval = Interval { point: Point::Subnormal, ..around(&F16, 16, 1, exact) };
        answers(&case.within(vec![interval]).tally(), "subnormal-accuracy")
            .iter()
            .map(|(answer, count)| format!("{count} {answer}"))
            .collect::<String>()
    };
    for units in [16.0, 16.016, 15.984] {
        assert_eq!(answered(16, units), "1 within the bound", "{units}");
    }
    for units in [16.018, 15.982] {
        assert_eq!(answered(16, units), "1 within a unit", "{units}");
    }
    assert_eq!(answered(17, 16.0), "1 within a unit");
    assert_eq!(answered(15, 16.0), "1 within a unit");
    assert_eq!(answered(18, 16.0), "");
}

#[test]
fn places_are_in_the_order_of_values() {
    for format in [&F16, &E4M3, &UE8M0] {
        let mut data: Vec<u64> = (0..=format.mask()).filter(|&bits| !format.is_nan(bits)).collect();
        data.sort_by_key(|&bits| ordinal(format, bits));
        for pair in data.windows(2) {
            assert_eq!(ordinal(format, pair[0]) + 1, ordinal(format, pair[1]), "{pair:x?}");
            let negative = [pair[0], pair[1]].map(|bits| format.is_negative(bits));
            let magnitudes = [pair[0], pair[1]].map(|bits| bits & format.magnitude_mask());
            match negative {
                [true, true] => assert!(magnitudes[0] > magnitudes[1], "{pair:x?}"),
                [false, false] => assert!(magnitudes[0] < magnitudes[1], "{pair:x?}"),
                // −0, then +0.
                _ => assert_eq!((negative, magnitudes), ([true, false], [0, 0])),
            }
        }
        assert_eq!(ordinal(format, 0), 0);
        assert!(data.iter().all(|&bits| from_ordinal(format, ordinal(format, bits)) == bits));
    }
    assert_eq!([0x7c01, 0xffff].map(|nan| ordinal(&F16, nan)), [i64::MAX; 2]);
}

/// The second interpretation of a point makes one datum right beside the interval, or none.
#[test]
fn the_other_result_of_a_point_is_one_datum() {
    let other =
        |point, exact| Interval { point, ..Interval::single_result(&F32, 0, exact) }.other(&F32, NAN);
    let infinity = 0x7f80_0000;
    assert_eq!(other(Point::Overflow, 1.0), Some(infinity));
    assert_eq!(other(Point::Overflow, -1.0), Some(SIGN | infinity));
    assert_eq!(other(Point::NegativeZero, 0.0), Some(SIGN));
    assert_eq!(other(Point::NegativeInfinity, 0.0), Some(SIGN | infinity));
    assert_eq!(other(Point::UpperHalfNan, 0.0), Some(NAN));
    assert_eq!(other(Point::ZeroDividend, 0.0), Some(NAN));
    let none = [Point::Bound, Point::Minimum, Point::Gross, Point::Subnormal, Point::ThisNan];
    for none in none {
        assert_eq!(other(none, -1.0), None);
    }
}
