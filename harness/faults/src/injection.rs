//! Injection of faults into right results, element by element, for operations of which no model has stages. It
//! uses no opinion.

use formats::Column;
use isa::Variant;

/// Fills `results` with what `wrong` makes of the right results of a variant with one output. `wrong` is
/// called for each element, with the element's place, its inputs and its right result.
pub fn inject(
    variant: &Variant,
    operands: &[Column],
    right: &[Column],
    results: &mut [Column],
    mut wrong: impl FnMut(usize, &[u64], u64) -> u64,
) {
    let rows = operands[0].rows();
    let inputs = variant.inputs().iter().map(|input| {
        let mut elements = vec![0u64; rows * variant.lanes()];
        input.gather(variant.operands(), operands, 0..rows, &mut elements);
        elements
    });
    let inputs: Vec<Vec<u64>> = inputs.collect();
    let output = &variant.outputs()[0];
    let mut damaged = vec![0u64; rows * variant.lanes()];
    output.gather(variant.results(), right, 0..rows, &mut damaged);
    let mut of_element = vec![0; inputs.len()];
    for (element, result) in damaged.iter_mut().enumerate() {
        of_element.iter_mut().zip(&inputs).for_each(|(input, all)| *input = all[element]);
        *result = wrong(element, &of_element, *result);
    }
    results.iter_mut().for_each(|column| column.bytes_mut().fill(0));
    output.scatter(variant.results(), &damaged, 0..rows, results);
}
