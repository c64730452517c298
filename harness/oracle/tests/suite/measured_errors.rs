//! Tests of histograms and worst errors, against another computation of them: exact fractions for quotients and
//! reciprocals, and other formulas for other functions, at three times the oracle's precision.

use std::collections::BTreeMap;

use emulator::{Backend, Kernel};
use formats::{Class, Column, Format};
use isa::{Contract, Meaning, Range, Variant, columns_for, results_for};
use judge::{Batch, Errors, Judge, Tally, Truth};
use oracle::Oracle;
use rug::float::{Constant, Special};
use rug::ops::Pow;
use rug::{Float, Rational};
use sweeps::{Length, Sweep};

/// Bits of exact values.
const PRECISION: u32 = 300;
/// Bits of intermediate results. In π/2 − x, 128 bits are before the point where x is as large as f32 has them, and
/// as many as 149 zeros behind it where the sine is as small.
const WIDE: u32 = PRECISION + 128 + 160;
/// The number of vectors of each sweep; for 16-bit operands all are among them.
const ROWS: u64 = 1 << 16;

/// Returns a result that is mostly a little wrong in its last place, and sometimes much.
fn wrong(format: &Format, right: u64, number: u64, last_place: u64) -> u64 {
    if format.class(right) == Class::Nan || right & format.magnitude_mask() == 0 {
        return right;
    }
    let magnitude = right & format.magnitude_mask();
    let off = [0i64, 1, -1, 0, 2, -2, 5, -9, 0, 300, 1][(number % 11) as usize];
    let last = format.infinity().expect("binary") as i64;
    let moved = (magnitude as i64 + off * last_place as i64).clamp(0, last) as u64;
    let given = if number % 1009 == 1008 { last as u64 } else { moved };
    right & format.sign_mask() | given
}

/// Returns the value of a datum; `None` for infinity and NaN.
fn value(format: &Format, bits: u64) -> Option<Rational> {
    let (significand, exponent) = format.decode(bits)?;
    let magnitude = Rational::from(significand) << exponent;
    Some(if format.is_negative(bits) { -magnitude } else { magnitude })
}

/// Computes the exact result of a function of finite numbers other than zero, by another road than the oracle's.
fn exact(mnemonic: &str, operands: &[Rational]) -> Option<Float> {
    let a = Float::with_val(WIDE, &operands[0]);
    let negative = operands[0] < 0;
    let ln2 = Float::with_val(WIDE, Constant::Log2);
    let half_turn: Float = Float::with_val(WIDE, Constant::Pi);
    Some(match mnemonic {
        "rcp" => Float::with_val(WIDE, Rational::from(operands[0].recip_ref())),
        "div" => Float::with_val(WIDE, Rational::from(&operands[0] / &operands[1])),
        "sqrt" | "rsqrt" | "lg2" if negative => return None,
        "sqrt" => a.pow(Float::with_val(WIDE, 0.5)),
        "rsqrt" => a.pow(Float::with_val(WIDE, -0.5)),
        "lg2" => a.ln() / ln2,
        "ex2" => (a * ln2).exp(),
        // sin x = cos (π/2 − x), and the reverse.
        "sin" => Float::cos(half_turn / 2 - a),
        "cos" => Float::sin(half_turn / 2 - a),
        // The value differs from ±1 by less than 2^-5000.
        "tanh" if *a.as_abs() > 2000 => Float::with_val(WIDE, a.signum()),
        "tanh" => {
            let power = Float::exp_m1(a * 2);
            Float::with_val(WIDE, &power / (Float::with_val(WIDE, &power + 2)))
        }
        _ => panic!("{mnemonic}"),
    })
}

/// Returns the error of a result in units of the last place of the exact value. For f64 that place may be the last of
/// the upper half.
fn error(format: &Format, exact: &Float, actual: u64, last_place: u64) -> Float {
    let infinite = || Float::with_val(PRECISION, Special::Infinity);
    let unit = |leading: i32| {
        let leading = leading.max(format.exponent_min());
        (Float::with_val(PRECISION, 1) << (leading - format.trailing_bits as i32)) * last_place
    };
    let Some(actual_value) = value(format, actual) else {
        // From here on infinity is right: the largest number, and half a unit of it.
        let border = value(format, format.max_finite()).unwrap();
        let border = Float::with_val(PRECISION, border) + unit(format.exponent_max()) / 2;
        let beyond = *exact.as_abs() >= border && !format.is_nan(actual);
        let right = beyond && exact.is_sign_negative() == format.is_negative(actual);
        return if right { Float::new(PRECISION) } else { infinite() };
    };
    if exact.to_f64().is_infinite() {
        // So far away, distances are not told apart.
        return infinite();
    }
    let leading = exact.get_exp().map_or(i32::MIN, |exponent| exponent - 1);
    let difference = Float::with_val(WIDE, exact - actual_value);
    (difference / unit(leading)).abs()
}

/// Returns the bin of an error: the first goes up to ½, and every next one is twice as wide.
fn bin(error: &Float) -> usize {
    (0..15).find(|&bin| *error <= 2f64.powi(bin - 1)).unwrap_or(15) as usize
}

fn columns(variant: &Variant, sweep: &'static Sweep) -> Option<Vec<Column>> {
    let rows = match sweep.length(variant) {
        Length::None => return None,
        Length::Finite(all) => all.min(ROWS),
        Length::Endless => 4096,
    };
    let mut columns = columns_for(variant, rows as usize);
    sweep.fill(variant, 11, 0, &mut columns);
    Some(columns)
}

/// Returns the name of the contract's range that operands lie in.
fn range(variant: &Variant, values: &[Rational]) -> &'static str {
    let Contract::Within(accuracy) = variant.form().contract else { panic!("{variant} is exact") };
    let holds = |range: &&Range| {
        let magnitude = values[range.operand].clone().abs();
        let end = |end: f64| Rational::from_f64(end);
        magnitude >= end(range.from).unwrap() && end(range.to).is_none_or(|to| magnitude <= to)
    };
    accuracy.ranges.iter().find(holds).expect("a range for every number").name
}

/// Judges wrong results of a variant, and compares the judge's errors with those added up here. Returns how many were
/// compared.
fn compare(text: &str, sweep: &'static Sweep) -> u64 {
    let variant: Variant = text.parse().unwrap();
    let Some(operands) = columns(&variant, sweep) else { return 0 };
    let (input, output) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let rows = operands[0].rows();
    let &Meaning { flush, upper_half, .. } = variant.meaning();
    let last_place = if upper_half { 1 << 32 } else { 1 };
    let mut results = results_for(&variant, rows);
    Kernel::of(&variant, Backend::Scalar).unwrap().run(&operands, &mut results);
    for row in 0..rows {
        let given = wrong(output, results[0].get(row), row as u64, last_place);
        results[0].set(row, given);
    }
    let mut truth = Truth::new(&variant);
    Oracle::new(&variant).expect(&operands, &mut truth);
    let mut tally = Tally::default();
    Judge::new(&variant).judge(&truth, Batch::new(&operands, &results), &mut tally);
    let mut of_range: BTreeMap<&str, ([u64; Errors::BINS], Option<f64>)> = BTreeMap::new();
    for row in 0..rows {
        let bits: Vec<u64> = operands.iter().map(|column| column.get(row) & !(last_place - 1)).collect();
        let is_number = |&bits: &u64| match input.class(bits) {
            Class::Zero | Class::Infinity | Class::Nan => false,
            Class::Subnormal => !flush.inputs[0],
            Class::Normal => true,
        };
        if !bits.iter().all(is_number) {
            continue;
        }
        let values: Vec<Rational> = bits.iter().map(|&bits| value(input, bits).unwrap()).collect();
        let Some(exact) = exact(variant.mnemonic(), &values) else { continue };
        // By the manual a fast division by such numbers gives zero (9.7.3.8).
        let vanishes =
            text.starts_with("div.approx") && *values[1].as_abs() > Rational::from(1) << 126u32;
        let exact = if vanishes { Float::new(PRECISION) } else { exact };
        let actual = results[0].get(row);
        // A zero in the place of a subnormal number is what `.ftz` asks for.
        let least = Rational::from(1) << output.exponent_min();
        let flushed = flush.result && actual & output.magnitude_mask() == 0 && *exact.as_abs() < least;
        let exact = if flushed { Float::new(PRECISION) } else { exact };
        if exact.is_infinite() {
            // The exact value is above 2^(2^62), which MPFR has no number for: it is infinity, without an error.
            continue;
        }
        // Of narrower formats errors are those from the exact value to the precision of f64.
        let precision = if output.width() == 64 { PRECISION } else { 53 };
        let exact = Float::with_val(precision, exact);
        let error = error(output, &exact, actual, last_place);
        let (histogram, worst) = of_range.entry(range(&variant, &values)).or_default();
        histogram[bin(&error)] += 1;
        let error = error.to_f64();
        *worst = Some(worst.map_or(error, |worst| worst.max(error)));
    }
    let mut compared = 0;
    for (range, measured) in &tally.errors {
        let (histogram, worst) = of_range.remove(range.as_str()).unwrap_or_default();
        let name = format!("{text}, {}, {range}", sweep.name);
        assert_eq!(measured.histogram, histogram, "{name}");
        let given = measured.worst.as_ref().map(|worst| worst.ulp.unwrap_or(f64::INFINITY));
        let near = match (given, worst) {
            (Some(given), Some(worst)) => given == worst || (given / worst - 1.0).abs() < 1e-9,
            (given, worst) => given == worst,
        };
        assert!(near, "{name}: worst {given:?}, not {worst:?}");
        compared += histogram.iter().sum::<u64>();
    }
    assert!(of_range.is_empty(), "{text}, {}: {:?}", sweep.name, of_range.keys());
    compared
}

#[test]
fn errors_are_those_of_another_computation() {
    let variants = [
        "ex2.approx.f16",
        "tanh.approx.f16",
        "tanh.approx.bf16",
        "rcp.approx.f32",
        "div.approx.f32",
        "div.full.f32",
        "sqrt.approx.f32",
        "rsqrt.approx.f32",
        "lg2.approx.f32",
        "ex2.approx.f32",
        "tanh.approx.f32",
        "sin.approx.f32",
        "cos.approx.f32",
        "rsqrt.approx.f64",
        "rcp.approx.ftz.f32",
        "div.approx.ftz.f32",
        "div.full.ftz.f32",
        "sqrt.approx.ftz.f32",
        "ex2.approx.ftz.f32",
        "ex2.approx.ftz.bf16",
        "lg2.approx.ftz.f32",
        "sin.approx.ftz.f32",
        "rcp.approx.ftz.f64",
        "rsqrt.approx.ftz.f64",
    ];
    for text in variants {
        let sweeps =
            Sweep::all().iter().filter(|sweep| sweep.name != "exhaustive" || text.ends_with("16"));
        let compared: u64 = sweeps.map(|sweep| compare(text, sweep)).sum();
        assert!(compared > 4000, "{text}: only {compared}");
    }
}
