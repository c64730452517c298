//! Leeway of single results: what a result may be instead, by what an operation leaves open and by flushing.

use formats::Class;

use super::{ProgramOperation, Type};

/// Returns the results of one combination of operands without flushing: where the operation leaves the sign of a zero
/// or of a NaN open, both. Of a selection `result` is 1 or 0, as the comparison gives it.
pub fn results_without_flushing(
    operation: ProgramOperation,
    [from, to]: [Type; 2],
    operands: &[u64],
    result: u64,
) -> Vec<u64> {
    let format = to.format();
    match operation {
        ProgramOperation::Select(_) => vec![operands[if result == 1 { 2 } else { 3 }]],
        ProgramOperation::Min | ProgramOperation::Max => {
            // Of zeros of both signs either may be the smaller or the larger one.
            let zeros = operands.iter().all(|&bits| format.class(bits) == Class::Zero);
            let signs_differ = operands.iter().any(|bits| *bits != operands[0]);
            let mut all = vec![result];
            all.extend((zeros && signs_differ).then_some(result ^ format.sign_mask()));
            all
        }
        ProgramOperation::CopySign if from.format().is_nan(operands[1]) => {
            vec![result, result ^ format.sign_mask()]
        }
        _ => vec![result],
    }
}

/// Returns the operands with some of them changed, in every way but the one that changes none. `other` gives the
/// other value of an operand by its place and value, where it has one.
pub fn changed(operands: &[u64], other: impl Fn(usize, u64) -> Option<u64>) -> Vec<Vec<u64>> {
    let others = operands.iter().enumerate();
    let others: Vec<(usize, u64)> =
        others.filter_map(|(at, &bits)| Some((at, other(at, bits)?))).collect();
    // Each bit says whether one operand is changed; the number 0, which changes none, is left out.
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

/// Returns a number, or the zero of its sign if it is subnormal.
pub fn flush(ty: Type, bits: u64) -> u64 {
    subnormal_as_zero(ty, bits).unwrap_or(bits)
}

/// Returns the zero of a subnormal number's sign; `None` of other values.
pub fn subnormal_as_zero(ty: Type, bits: u64) -> Option<u64> {
    let format = ty.format();
    (format.class(bits) == Class::Subnormal).then_some(bits & format.sign_mask())
}

/// Returns the zero with the other sign; `None` of values that are not zero.
pub fn other_zero(ty: Type, bits: u64) -> Option<u64> {
    let format = ty.format();
    (format.class(bits) == Class::Zero).then_some(bits ^ format.sign_mask())
}

/// Returns the zero that a result may be instead. That is where the result is subnormal, and where it is the smallest
/// normal number, to which a subnormal result may have been rounded.
pub fn tiny(ty: Type, bits: u64) -> Option<u64> {
    let format = ty.format();
    let magnitude = bits & format.magnitude_mask();
    (1..=format.min_normal()).contains(&magnitude).then_some(bits & format.sign_mask())
}
