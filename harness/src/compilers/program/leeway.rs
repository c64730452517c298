//! What a single result may be instead: by what an operation leaves open, and by flushing.

use vectors::format::Class;

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

/// The operands with some of the first so many flushed, in every way but with none.
pub fn some_flushed(ty: Type, operands: &[u64], first: usize) -> Vec<Vec<u64>> {
    let subnormal = |at: &usize| *at < first && flush(ty, operands[*at]) != operands[*at];
    let places: Vec<usize> = (0..operands.len()).filter(subnormal).collect();
    let chosen = 1..1_usize << places.len();
    let flushed = chosen.map(|bits| {
        let mut operands = operands.to_vec();
        for (_, &place) in places.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1) {
            operands[place] = flush(ty, operands[place]);
        }
        operands
    });
    flushed.collect()
}

/// A number, or the zero of its sign if it is subnormal.
pub fn flush(ty: Type, bits: u64) -> u64 {
    let format = ty.format();
    if format.class(bits) == Class::Subnormal { bits & format.sign_mask() } else { bits }
}

/// The zero that a result may be instead: where it is subnormal, and at the smallest normal number, which one
/// may have been rounded to.
pub fn tiny(ty: Type, bits: u64) -> Option<u64> {
    let format = ty.format();
    let magnitude = bits & format.magnitude_mask();
    (1..=format.min_normal()).contains(&magnitude).then_some(bits & format.sign_mask())
}
