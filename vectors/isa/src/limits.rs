//! How large an instruction that computes lane by lane can be. Arrays and loops of scalar code have
//! these lengths; what is larger has another shape.

/// No variant has more lanes.
pub const LANES_MAX: usize = 16;

/// No lane has more inputs: what all lanes share counts in each.
pub const INPUTS_MAX: usize = 3;

/// No lane has more results: `p|!q`.
pub const OUTPUTS_MAX: usize = 2;

/// No variant has more operands, each in a register of its own: four f32 and random bits.
pub const OPERANDS_MAX: usize = 5;

/// So many things at most can be counted of one vector: one for each result of each lane.
pub const ELEMENTS_MAX: usize = LANES_MAX * OUTPUTS_MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    /// Each limit is reached, so that none is wider than arrays have to be.
    #[test]
    fn no_variant_is_larger() {
        let most = |count: fn(&Variant) -> usize| Variant::all().iter().map(count).max().unwrap();
        assert_eq!(most(|variant| variant.lanes()), LANES_MAX);
        assert_eq!(most(|variant| variant.inputs().len()), INPUTS_MAX);
        assert_eq!(most(|variant| variant.outputs().len()), OUTPUTS_MAX);
        assert_eq!(most(|variant| variant.operands().len()), OPERANDS_MAX);
    }
}
