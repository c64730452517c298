//! Interprets `redux.sync`, which gives one result of the words that all threads of a warp have.

use isa::Variant;

use super::{Execute, Problem, Tested, Values, WARP};

/// Reduces the values of all threads to one, and gives it to each thread. Values are reduced three by three, until one
/// is left; the last of them stands in for any that lack, as it changes nothing.
///
/// # Errors
/// If the unit under test gives no such result.
pub fn reduce(
    variant: &'static Variant,
    mut values: Values,
    execute: &mut Execute,
) -> Result<Values, Problem> {
    let tested = Tested::tested_alone(variant);
    let mut left = WARP;
    while left > 1 {
        let last = left - 1;
        let operand = |number: usize| -> Values {
            std::array::from_fn(|row| {
                values.get((3 * row + number).min(last)).copied().unwrap_or_default()
            })
        };
        let sources = [operand(0), operand(1), operand(2)];
        let results = tested.results(execute, &sources, 1)?;
        values = results.first().copied().unwrap_or(values);
        // The rows behind these have been reduced of the last value alone, and are not read any more.
        left = left.div_ceil(3);
    }
    let [value, ..] = values;
    Ok([value; WARP])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_counts() {
        let variant = Variant::all().iter().find(|variant| variant.is_of_warp()).unwrap();
        let mut largest = |_: &Tested, sources: &[Values]| {
            let largest = |row: usize| sources.iter().map(|values| values[row]).max().unwrap_or(0);
            Ok(vec![std::array::from_fn(largest)])
        };
        for thread in 0..WARP {
            let values = std::array::from_fn(|other| if other == thread { 7 } else { 3 });
            assert_eq!(reduce(variant, values, &mut largest), Ok([7; WARP]), "{thread}");
        }
        let mut none = |_: &Tested, _: &[Values]| Ok(Vec::new());
        assert!(reduce(variant, [0; WARP], &mut none).is_err());
    }
}
