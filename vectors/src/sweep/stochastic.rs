//! Which of the shared random bits decide the rounding of a lane.

use super::shape::Shape;

/// How many random bits a lane has: as many as f32 has more than f16, or a half of the word.
pub fn field_bits(shape: &Shape) -> i32 {
    if shape.lanes == 2 && shape.result.trailing_bits == 10 { 13 } else { 16 }
}

/// The random bits of a lane. Two lanes have a half of the word each, or its low bits. Of four, the
/// upper two share one field and the lower two another, which lanes 3 and 1 read backwards; the
/// fields are halves, or, for results of 4 bits, every other byte.
pub fn field(shape: &Shape, random: u64, lane: usize) -> u64 {
    let halves = [random & 0xffff, random >> 16 & 0xffff];
    if shape.lanes <= 2 {
        return halves[lane] & ((1 << field_bits(shape)) - 1);
    }
    let field = if shape.result.width() == 4 {
        let byte = |n: usize| random >> (8 * n) & 0xff;
        byte(lane / 2 + 2) << 8 | byte(lane / 2)
    } else {
        halves[lane / 2]
    };
    if lane % 2 == 1 { u64::from((field as u16).reverse_bits()) } else { field }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{BF16, E2M1, E4M3, F16, F32, Format, U32};
    use crate::isa::Operation;

    /// As a B200 was seen to take them apart.
    #[test]
    fn fields_are_the_measured_ones() {
        let fields = |result: &'static Format, lanes| -> Vec<u64> {
            let shape = Shape { lanes, ..Shape::new(Operation::Cvt, &[&F32, &U32], result) };
            (0..lanes).rev().map(|lane| field(&shape, 0x1234_5678, lane)).collect()
        };
        assert_eq!(fields(&E4M3, 4), [0x2c48, 0x1234, 0x1e6a, 0x5678]);
        assert_eq!(fields(&E2M1, 4), [0x6a48, 0x1256, 0x1e2c, 0x3478]);
        assert_eq!(fields(&BF16, 2), [0x1234, 0x5678]);
        assert_eq!(fields(&F16, 2), [0x1234, 0x1678]);
    }
}
