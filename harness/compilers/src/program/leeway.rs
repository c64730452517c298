//! What a single result may be instead: by what an operation leaves open, and by flushing.

use formats::Class;

use super::{Operation, Type};

/// The results of one combination without flushing: where the operation leaves the sign of a zero or of a NaN
/// open, both.
pub fn settled(operation: Operation, [from, to]: [Type; 2], operands: &[u64], result: u64) -> Vec<u64> {
    let format = to.format();
    match operation {
        Operation::Select(_) => vec![operands[if result == 1 { 2 } else { 3 }]],
        Operation::Min | Operation::Max => {
            let zeros = operands.iter().all(|&bits| format.class(bits) == Class::Zero);
            let mut all = vec![result];
            all.extend(zeros.then_some(result ^ format.sign_mask()));
            all
        }
        Operation::CopySign if from.format().is_nan(operands[1]) => {
            vec![result, result ^ format.sign_mask()]
        }
        _ => vec![result],
    }
}

/// The operands with some of them changed, in every way but with none: each by its place, where it has another value.
pub fn changed(operands: &[u64], other: impl Fn(usize, u64) -> Option<u64>) -> Vec<Vec<u64>> {
    let others = operands.iter().enumerate();
    let others: Vec<(usize, u64)> =
        others.filter_map(|(at, &bits)| Some((at, other(at, bits)?))).collect();
    let chosen = 1..1_usize << others.len();
    let changed = chosen.map(|bits| {
        let mut operands = operands.to_vec();
        for (_, &(place, value)) in others.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1) {
            operands[place] = value;
        }
        operands
    });
    changed.collect()
}

/// A number, or the zero of its sign if it is subnormal.
pub fn flush(ty: Type, bits: u64) -> u64 {
    subnormal_as_zero(ty, bits).unwrap_or(bits)
}

/// The zero of a subnormal number's sign.
pub fn subnormal_as_zero(ty: Type, bits: u64) -> Option<u64> {
    let format = ty.format();
    (format.class(bits) == Class::Subnormal).then_some(bits & format.sign_mask())
}

/// The zero with the other sign.
pub fn other_zero(ty: Type, bits: u64) -> Option<u64> {
    let format = ty.format();
    (format.class(bits) == Class::Zero).then_some(bits ^ format.sign_mask())
}

/// The zero that a result may be instead: where it is subnormal, and at the smallest normal number, which one
/// may have been rounded to.
pub fn tiny(ty: Type, bits: u64) -> Option<u64> {
    let format = ty.format();
    let magnitude = bits & format.magnitude_mask();
    (1..=format.min_normal()).contains(&magnitude).then_some(bits & format.sign_mask())
}
