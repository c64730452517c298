//! The meaning of a variant's words that several libraries share.

/// Returns the words of a variant: `fma.rn.f32` has three.
pub fn words(variant: &str) -> Vec<&str> {
    variant.split('.').collect()
}

/// Returns a comparison by its name in PTX, or `None` for another word. The numbers are those whose operators are
/// IEEE 754's: any comparison with a NaN is false, but for `neu`, "unequal or unordered".
pub fn comparison<F: PartialOrd>(word: &str) -> Option<fn(&F, &F) -> bool> {
    Some(match word {
        "eq" => |a, b| a == b,
        "neu" => |a, b| a != b,
        "lt" => |a, b| a < b,
        "le" => |a, b| a <= b,
        "gt" => |a, b| a > b,
        "ge" => |a, b| a >= b,
        "num" => |a, b| a.partial_cmp(b).is_some(),
        "nan" => |a, b| a.partial_cmp(b).is_none(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_a_nan_are_those_of_the_manual() {
        let with_nan = |word| comparison::<f32>(word).map(|holds| holds(&1.0, &f32::NAN));
        assert_eq!(
            ["eq", "neu", "ge", "num", "nan"].map(with_nan),
            [false, true, false, false, true].map(Some)
        );
        assert_eq!(with_nan("ne"), None);
    }
}
