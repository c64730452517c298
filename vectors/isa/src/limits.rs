//! Upper limits on the size of an instruction that computes lane by lane. Arrays and loops of scalar code have these
//! lengths; larger instructions have another shape.

/// The largest number of lanes that a variant has.
pub const LANES_MAX: usize = 16;

/// The largest number of inputs that a lane has: an input that all lanes share counts in each.
pub const INPUTS_MAX: usize = 3;

/// The largest number of results that a lane has, as in `p|!q`.
pub const OUTPUTS_MAX: usize = 2;

/// The largest number of operands that a variant has, each in a register of its own: four f32 and random bits.
pub const OPERANDS_MAX: usize = 5;

/// The largest number of things that can be counted of one vector: one for each result of each lane.
pub const ELEMENTS_MAX: usize = LANES_MAX * OUTPUTS_MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    /// Checks that each limit is reached, so that none is wider than arrays have to be.
    #[test]
    fn no_variant_is_larger() {
        let most = |count: fn(&Variant) -> usize| Variant::all().iter().map(count).max().unwrap();
        assert_eq!(most(|variant| variant.lanes()), LANES_MAX);
        assert_eq!(most(|variant| variant.inputs().len()), INPUTS_MAX);
        assert_eq!(most(|variant| variant.outputs().len()), OUTPUTS_MAX);
        assert_eq!(most(|variant| variant.operands().len()), OPERANDS_MAX);
    }
}
