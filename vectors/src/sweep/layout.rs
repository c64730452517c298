//! Where a lane's inputs lie in the operands' registers.

use super::shape::LANES_MAX;
use crate::isa::Variant;

/// No variant has more operands.
pub const REGISTERS_MAX: usize = 5;

/// Where one input of one lane goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which operand.
    pub register: usize,
    /// How far from its low end.
    pub shift: u32,
    /// The bits of the input that count: none where there is no such input, or where it is shared and
    /// the first lane has it already.
    pub mask: u64,
}

/// Every place of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// By lane and input.
    pub places: [[Place; 3]; LANES_MAX],
    /// Whether every input has the register of its own number.
    pub is_direct: bool,
}

impl Layout {
    const NOWHERE: Place = Place { register: 0, shift: 0, mask: 0 };

    /// That of a variant.
    pub fn of(variant: &Variant) -> Layout {
        let mut places = [[Layout::NOWHERE; 3]; LANES_MAX];
        for (number, input) in variant.inputs().iter().enumerate() {
            for (lane, at) in input.places.iter().enumerate() {
                let ty = variant.operands()[at.register].ty;
                let counts = lane == 0 || !input.is_shared();
                places[lane][number] = Place {
                    register: at.register,
                    shift: at.lane as u32 * ty.stride + ty.offset,
                    mask: if counts { input.format.mask() } else { 0 },
                };
            }
        }
        Layout::new(places)
    }

    /// That of lanes side by side in a register for each input.
    #[cfg(test)]
    pub fn packed(shape: &super::shape::Shape) -> Layout {
        let mut places = [[Layout::NOWHERE; 3]; LANES_MAX];
        for (lane, places) in places.iter_mut().take(shape.lanes).enumerate() {
            for (number, format) in shape.operands().iter().enumerate() {
                let shift = lane as u32 * format.width();
                places[number] = Place { register: number, shift, mask: format.mask() };
            }
        }
        Layout::new(places)
    }

    fn new(places: [[Place; 3]; LANES_MAX]) -> Layout {
        let direct = |(input, place): (usize, &Place)| place.mask == 0 || place.register == input;
        let is_direct = places.iter().all(|lane| lane.iter().enumerate().all(direct));
        Layout { places, is_direct }
    }
}
