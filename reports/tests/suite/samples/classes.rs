//! Samples for tests: classes of mismatches that might have been.

use reports::*;

/// Returns a class of mismatches in which the implementation ended.
pub fn crashed() -> Class {
    let one = |name| scalar(name, "f16", "0x3c00", "1", "+ 2^0 × 1.0000000000");
    Class {
        pattern: None,
        id: "mul.rn.ftz.f16/crashed".into(),
        diagnosis: "no result: the implementation ended".into(),
        count: 1,
        explanation: None,
        simplest: None,
        waiver: None,
        examples: vec![Example {
            sweep: "pairs".into(),
            index: 5,
            operands: vec![one("a"), one("b")],
            expected: vec![one("d")],
            accepted: vec![],
            actual: vec![],
            words: Some("it ended (signal: 11 (SIGSEGV)); it said: table of ones is empty".into()),
        }],
    }
}

/// Returns a class of mismatches that are known and waived.
pub fn waived(id: &str, count: u64, reason: &str) -> Class {
    Class {
        id: id.into(),
        diagnosis: "It is known.".into(),
        count,
        waiver: Some(Waiver { reason: reason.into(), link: None }),
        ..crashed()
    }
}

/// Returns a class of mismatches that are wrong in one of two lanes.
pub fn packed() -> Class {
    let pair = |name: &str, bits: &str, low: [&str; 3], high: [&str; 3]| Datum {
        name: name.into(),
        ty: "f16x2".into(),
        bits: bits.into(),
        lanes: [low, high].map(|[bits, value, fields]| lane(bits, value, fields)).into(),
    };
    let one = ["0x3c00", "1", "+ 2^0 × 1.0000000000"];
    let minus_two = ["0xc000", "-2", "- 2^1 × 1.0000000000"];
    let zero = ["0x0000", "0", "+ 0"];
    let minus_one = ["0xbc00", "-1", "- 2^0 × 1.0000000000"];
    Class {
        pattern: None,
        id: "fma.rn.relu.f16x2/no-relu-in-high-lane".into(),
        diagnosis: "A negative result of the high lane is not clamped to zero.".into(),
        count: 340,
        explanation: None,
        simplest: None,
        waiver: None,
        examples: vec![Example {
            sweep: "interesting".into(),
            index: 3,
            operands: vec![
                pair("a", "0xc0003c00", one, minus_two),
                pair("b", "0x3c003c00", one, one),
                pair("c", "0x3c000000", zero, one),
            ],
            expected: vec![pair("d", "0x00003c00", one, zero)],
            accepted: vec!["0x80003c00".into(), "any NaN in place of a NaN".into()],
            actual: vec![pair("d", "0xbc003c00", one, minus_one)],
            words: None,
        }],
    }
}

/// Returns a class of mismatches of 64 bits, with two results.
pub fn wide() -> Class {
    let pi = "0x400921fb54442d18";
    let decimal = "3.141592653589793115997963468544185161590576171875";
    let fields = "+ 2^1 × 1.1001001000011111101101010100010001000010110100011000";
    Class {
        pattern: None,
        id: "fma.rn.relu.f16x2/it's odd".into(),
        diagnosis: "Nothing known explains these mismatches.".into(),
        count: 5,
        explanation: None,
        simplest: None,
        waiver: None,
        examples: vec![Example {
            sweep: "random".into(),
            index: 1_000_000_000,
            operands: vec![scalar("a", "f64", pi, decimal, fields)],
            expected: vec![
                scalar("p", "pred", "0x1", "true", ""),
                scalar("q", "f64", pi, decimal, fields),
            ],
            accepted: vec![],
            actual: vec![scalar("p", "pred", "0x0", "false", ""), scalar("q", "f64", "0x0", "0", "+ 0")],
            words: None,
        }],
    }
}

/// Returns a register of one lane.
pub fn scalar(name: &str, ty: &str, bits: &str, value: &str, fields: &str) -> Datum {
    let lanes = vec![lane(bits, value, fields)];
    Datum { name: name.into(), ty: ty.into(), bits: bits.into(), lanes }
}

/// Returns a value, with the numbers that its fields, like `+ 2^0 × 1.01`, say in words.
fn lane(bits: &str, value: &str, fields: &str) -> Lane {
    let number = fields.split_once(" × ").and_then(|(exponent, digits)| {
        let (sign, exponent) = exponent.split_once(" 2^")?;
        Some((format!("{sign}{digits}"), exponent.parse().ok()?))
    });
    let (significand, exponent) = number.unzip();
    Lane { bits: bits.into(), value: value.into(), fields: fields.into(), significand, exponent }
}
