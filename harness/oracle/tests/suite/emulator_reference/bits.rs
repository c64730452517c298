//! Definitions of what a lane must be where nothing is rounded: on the host's numbers, whose comparisons are exact,
//! or on bits.

use std::cmp::Ordering;

use formats::{Class, F32, F64, Format};
use isa::{Modifier, Operation, Variant};

/// Returns a datum as a number of the host, exactly.
fn number(f: &Format, bits: u64) -> f64 {
    let sign = if f.is_negative(bits) { -1.0 } else { 1.0 };
    match (f.class(bits), f.decode(bits)) {
        (Class::Nan, _) => f64::NAN,
        (Class::Infinity, _) => sign * f64::INFINITY,
        _ if *f == F64 => f64::from_bits(bits),
        (_, decoded) => {
            let (significand, exponent) = decoded.expect("finite");
            sign * significand as f64 * 2f64.powi(exponent)
        }
    }
}

/// Returns an integer, exactly: numbers of the host do not have all of 64 bits.
fn integer(f: &Format, bits: u64) -> i128 {
    let unused = 128 - f.width();
    if f.signed { i128::from(bits) << unused >> unused } else { bits.into() }
}

/// Returns the outputs of one lane, by definition.
pub fn expected(variant: &Variant, formats: &[&Format], inputs: &[u64]) -> Vec<u64> {
    let has = |modifier| variant.has(modifier);
    let f = formats[0];
    let flush = |f: &Format, bits: u64| {
        if has(Modifier::Ftz) && f.class(bits) == Class::Subnormal { bits & f.sign_mask() } else { bits }
    };
    let flushed: Vec<u64> = inputs.iter().zip(formats).map(|(&bits, f)| flush(f, bits)).collect();
    match variant.operation() {
        Operation::Abs | Operation::Neg => {
            let sign =
                if variant.operation() == Operation::Neg { !flushed[0] & f.sign_mask() } else { 0 };
            let bits = flushed[0] & f.magnitude_mask() | sign;
            vec![match f.is_nan(bits) {
                true if *f != F64 => f.canonical_nan(),
                // `abs` passes a NaN of f64 through as it is.
                true if variant.operation() == Operation::Abs => inputs[0],
                _ => bits,
            }]
        }
        Operation::Copysign => vec![inputs[0] & f.sign_mask() | inputs[1] & f.magnitude_mask()],
        Operation::Testp => vec![u64::from(is(variant.modifiers()[0], f.class(inputs[0])))],
        Operation::Slct => vec![if number(&F32, flushed[2]) >= 0.0 { inputs[0] } else { inputs[1] }],
        Operation::Min | Operation::Max => vec![extreme(variant, f, &flushed)],
        Operation::Set | Operation::Setp => {
            let relation = variant.modifiers()[0];
            let holds = match f.is_integer() {
                true => compare(relation, integer(f, flushed[0]), integer(f, flushed[1])),
                false => compare(relation, number(f, flushed[0]), number(f, flushed[1])),
            };
            let combined = |holds: bool| match inputs.get(2) {
                Some(&c) if has(Modifier::And) => holds && c == 1,
                Some(&c) if has(Modifier::Or) => holds || c == 1,
                Some(&c) => holds != (c == 1),
                None => holds,
            };
            let result = variant.outputs()[0].format;
            let yes = if result.is_fixed() { result.mask() } else { result.one() };
            let both = [combined(holds), combined(!holds)];
            both.iter().take(variant.outputs().len()).map(|&p| if p { yes } else { 0 }).collect()
        }
        operation => panic!("no definition of {operation:?}"),
    }
}

fn is(kind: Modifier, class: Class) -> bool {
    match kind {
        Modifier::Finite => !matches!(class, Class::Infinity | Class::Nan),
        Modifier::Infinite => class == Class::Infinity,
        Modifier::Number => class != Class::Nan,
        Modifier::Notanumber => class == Class::Nan,
        Modifier::Normal => matches!(class, Class::Normal | Class::Zero),
        Modifier::Subnormal => class == Class::Subnormal,
        kind => panic!("testp.{kind}"),
    }
}

fn compare<T: PartialOrd>(modifier: Modifier, a: T, b: T) -> bool {
    let unordered = a.partial_cmp(&b).is_none();
    match modifier {
        Modifier::Eq => a == b,
        Modifier::Ne => !unordered && a != b,
        Modifier::Lt | Modifier::Lo => a < b,
        Modifier::Le | Modifier::Ls => a <= b,
        Modifier::Gt | Modifier::Hi => a > b,
        Modifier::Ge | Modifier::Hs => a >= b,
        Modifier::Equ => unordered || a == b,
        Modifier::Neu => a != b,
        Modifier::Ltu => unordered || a < b,
        Modifier::Leu => unordered || a <= b,
        Modifier::Gtu => unordered || a > b,
        Modifier::Geu => unordered || a >= b,
        Modifier::Num => !unordered,
        Modifier::Unordered => unordered,
        modifier => panic!("{modifier} is no comparison"),
    }
}

fn extreme(variant: &Variant, f: &Format, inputs: &[u64]) -> u64 {
    let has = |modifier| variant.has(modifier);
    let fold = |a: u64, b: u64| {
        let nan = [f.is_nan(a), f.is_nan(b)];
        if nan == [true; 2] || (has(Modifier::PropagateNan) && nan != [false; 2]) {
            return f.canonical_nan();
        }
        let key = |bits| {
            let bits = if has(Modifier::XorsignAbs) { bits & f.magnitude_mask() } else { bits };
            number(f, bits)
        };
        let order = match variant.operation() {
            Operation::Min => key(a).total_cmp(&key(b)),
            _ => key(b).total_cmp(&key(a)),
        };
        let chosen = match nan {
            [true, _] => b,
            [_, true] => a,
            _ if order == Ordering::Greater => b,
            _ => a,
        };
        if has(Modifier::XorsignAbs) {
            chosen & f.magnitude_mask() | (a ^ b) & f.sign_mask()
        } else {
            chosen
        }
    };
    let mask = if has(Modifier::Abs) { f.magnitude_mask() } else { f.mask() };
    let mut operands = inputs.iter().map(|bits| bits & mask);
    let first = operands.next().expect("operands");
    operands.fold(first, fold)
}
