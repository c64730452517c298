//! Tests against the host's own f32 and f64: operators, square roots, `as`, comparisons, and the order of numbers.

use formats::{F32, F64};
use isa::{Combination, Comparison, Extremum, Op, Rounding, Variant};

use super::{Random, canonical, run, variant, variants};

const COUNT: usize = 100_000;

/// A row's syntax, and the host's operator that computes the same.
type Operator<F> = (&'static str, fn(F, F) -> F);

/// Gives `check` the operands and the first result of every random vector.
fn each(variant: &Variant, check: impl Fn(&[u64], u64)) {
    let vectors = Random::new(11).vectors(variant, COUNT);
    for (operands, results) in vectors.iter().zip(run(variant, None, &vectors)) {
        check(operands, results[0]);
    }
}

#[test]
fn operators_of_f32_and_f64() {
    let single = |bits: u64| f32::from_bits(bits as u32);
    let singles: [Operator<f32>; 4] = [
        ("add.f32", |a, b| a + b),
        ("sub.f32", |a, b| a - b),
        ("mul.f32", |a, b| a * b),
        ("div.rn.f32", |a, b| a / b),
    ];
    for (syntax, operator) in singles {
        each(&variant(syntax, "d, a, b"), |ops, result| {
            let expected = operator(single(ops[0]), single(ops[1])).to_bits();
            assert_eq!(result, canonical(&F32, expected.into()), "{syntax} {ops:x?}");
        });
    }
    let doubles: [Operator<f64>; 4] = [
        ("add.f64", |a, b| a + b),
        ("sub.f64", |a, b| a - b),
        ("mul.f64", |a, b| a * b),
        ("div.rn.f64", |a, b| a / b),
    ];
    for (syntax, operator) in doubles {
        each(&variant(syntax, "d, a, b"), |ops, result| {
            let expected = operator(f64::from_bits(ops[0]), f64::from_bits(ops[1])).to_bits();
            assert_eq!(result, canonical(&F64, expected), "{syntax} {ops:x?}");
        });
    }
    each(&variant("fma.rn.f64", "d, a, b, c"), |ops, result| {
        let [a, b, c] = [0, 1, 2].map(|index| f64::from_bits(ops[index]));
        assert_eq!(result, canonical(&F64, a.mul_add(b, c).to_bits()), "{ops:x?}");
    });
}

#[test]
fn square_roots_of_f32_and_f64() {
    each(&variant("sqrt.rn.f64", "d, a"), |ops, result| {
        let expected = f64::from_bits(ops[0]).sqrt().to_bits();
        assert_eq!(result, canonical(&F64, expected), "{ops:x?}");
    });
    each(&variant("sqrt.rn.f32", "d, a"), |ops, result| {
        let expected = f32::from_bits(ops[0] as u32).sqrt().to_bits();
        assert_eq!(result, canonical(&F32, expected.into()), "{ops:x?}");
    });
    // The square of an f32 is exact in f64, and says on which side of the root it lies.
    let square = |bits: u64| f64::from(f32::from_bits(bits as u32)).powi(2);
    for variant in variants("sqrt.rz|rm|rp.f32", "d, a") {
        each(&variant, |ops, result| {
            let number: f64 = f32::from_bits(ops[0] as u32).into();
            if number > 0.0 && number.is_finite() {
                let between = match variant.meaning().rounding == Rounding::Up {
                    true => square(result - 1) < number && number <= square(result),
                    false => square(result) <= number && number < square(result + 1),
                };
                assert!(between, "{variant} {number:e}: {result:x}");
            }
        });
    }
}

#[test]
fn conversions_are_those_of_as() {
    macro_rules! to_integers {
        ($($name:literal $integer:ty),*) => {$(
            each(&variant(concat!("cvt.rzi.", $name, ".f32"), "d:dtype, a"), |ops, result| {
                let number = f32::from_bits(ops[0] as u32);
                if !number.is_nan() {
                    assert_eq!(result as $integer, number as $integer, "{number:e}");
                }
            });
            each(&variant(concat!("cvt.rzi.", $name, ".f64"), "d:dtype, a"), |ops, result| {
                let number = f64::from_bits(ops[0]);
                if !number.is_nan() {
                    assert_eq!(result as $integer, number as $integer, "{number:e}");
                }
            });
            each(&variant(concat!("cvt.rn.f32.", $name), "d:dtype, a"), |ops, result| {
                assert_eq!(result, u64::from((ops[0] as $integer as f32).to_bits()), "{ops:x?}");
            });
            each(&variant(concat!("cvt.rn.f64.", $name), "d:dtype, a"), |ops, result| {
                assert_eq!(result, (ops[0] as $integer as f64).to_bits(), "{ops:x?}");
            });
        )*};
    }
    to_integers!("u8" u8, "u16" u16, "u32" u32, "u64" u64, "s8" i8, "s16" i16, "s32" i32, "s64" i64);
    each(&variant("cvt.rn.f32.f64", "d:dtype, a"), |ops, result| {
        let expected = (f64::from_bits(ops[0]) as f32).to_bits();
        assert_eq!(result, canonical(&F32, expected.into()), "{ops:x?}");
    });
    each(&variant("cvt.f64.f32", "d:dtype, a"), |ops, result| {
        let expected = f64::from(f32::from_bits(ops[0] as u32)).to_bits();
        assert_eq!(result, canonical(&F64, expected), "{ops:x?}");
    });
}

/// Checks comparisons against the host's partial order, which is `None` where there is a NaN.
#[test]
fn comparisons_are_those_of_the_host() {
    use std::cmp::Ordering::{self, Equal, Greater, Less};
    let holds = |relation: &str, order: Option<Ordering>| match relation {
        "eq" => order == Some(Equal),
        "ne" => matches!(order, Some(Less | Greater)),
        "lt" => order == Some(Less),
        "le" => matches!(order, Some(Less | Equal)),
        "gt" => order == Some(Greater),
        "ge" => matches!(order, Some(Greater | Equal)),
        "equ" => matches!(order, None | Some(Equal)),
        "neu" => order != Some(Equal),
        "ltu" => matches!(order, None | Some(Less)),
        "leu" => order != Some(Greater),
        "gtu" => matches!(order, None | Some(Greater)),
        "geu" => order != Some(Less),
        "num" => order.is_some(),
        _ => order.is_none(),
    };
    let rows = [
        ("setp.cmp.f32|f64", "p|q:pred, a, b"),
        ("setp.cmp.bool.f32|f64", "p|q:pred, a, b, c:pred"),
        ("set.cmp.u32|s32.f32|f64", "d:dtype, a, b"),
        ("set.cmp.bool.f32.f32|f64", "d:dtype, a, b, c:pred"),
    ];
    for variant in rows.into_iter().flat_map(|(syntax, registers)| variants(syntax, registers)) {
        let mut vectors = Random::new(13).vectors(&variant, 2_000);
        vectors.extend([vec![0, F32.sign_mask()], vec![0, F64.sign_mask()], vec![5, 5]].map(|mut v| {
            v.truncate(2);
            v.resize(variant.operands().len(), 1);
            v
        }));
        let results = run(&variant, None, &vectors);
        let Op::Compare(Comparison { combination, .. }) = variant.meaning().op else { panic!() };
        for (ops, results) in vectors.iter().zip(results) {
            let order = if variant.inputs()[0].format.width() == 64 {
                f64::from_bits(ops[0]).partial_cmp(&f64::from_bits(ops[1]))
            } else {
                f32::from_bits(ops[0] as u32).partial_cmp(&f32::from_bits(ops[1] as u32))
            };
            let combined = |holds: bool| match ops.get(2).map(|&bits| bits & 1 == 1) {
                None => holds,
                Some(c) => match combination.expect("what joins them") {
                    Combination::And => holds && c,
                    Combination::Or => holds || c,
                    Combination::Xor => holds != c,
                },
            };
            let holds = holds(variant.text().split('.').nth(1).expect("a relation"), order);
            let expected = match variant.outputs()[0].format.name {
                "pred" => vec![combined(holds).into(), combined(!holds).into()],
                "f32" => vec![if combined(holds) { 1f32.to_bits().into() } else { 0 }],
                _ => vec![if combined(holds) { 0xffff_ffff } else { 0 }],
            };
            assert_eq!(results, expected, "{variant} {ops:x?}");
        }
    }
}

#[test]
fn smaller_and_larger_are_those_of_the_total_order() {
    let rows = ["min{.NaN}.f64", "max{.NaN}.f64"];
    for variant in rows.into_iter().flat_map(|syntax| variants(syntax, "d, a, b")) {
        let Op::Extremum(Extremum { propagates_nan, .. }) = variant.meaning().op else { panic!() };
        each(&variant, |ops, result| {
            let [a, b] = [0, 1].map(|index| f64::from_bits(ops[index]));
            let expected = match (a.is_nan(), b.is_nan()) {
                (false, false) if variant.text().starts_with("min") == a.total_cmp(&b).is_lt() => a,
                (false, false) => b,
                _ if propagates_nan => f64::NAN,
                (true, _) => b,
                (_, true) => a,
            };
            assert_eq!(result, canonical(&F64, expected.to_bits()), "{variant} {ops:x?}");
        });
    }
}
