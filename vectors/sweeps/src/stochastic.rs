//! The fields of stochastic rounding: which of the shared random bits decide the rounding of a lane.

use isa::{Conversion, Op, RandomBits, RandomFields};

use super::shape::Shape;

/// Returns the layout of a conversion's random bits.
///
/// # Panics
/// If the operation is no stochastic conversion.
fn random_bits(shape: &Shape) -> RandomBits {
    match shape.op {
        Op::Convert(Conversion::Stochastic(random)) => random,
        op => unreachable!("{op:?} has no random bits"),
    }
}

/// Returns how many random bits a lane has.
pub fn field_bits(shape: &Shape) -> i32 {
    random_bits(shape).count as i32
}

/// Returns the random bits of a lane. Of four lanes, lanes 3 and 1 read theirs backwards.
pub fn field(shape: &Shape, random: u64, lane: usize) -> u64 {
    let byte = |number: usize| random >> (8 * number) & 0xff;
    let half = |number: usize| random >> (16 * number) & 0xffff;
    let RandomBits { count, fields } = random_bits(shape);
    let field = match fields {
        RandomFields::Halves => return half(lane) & ((1 << count) - 1),
        RandomFields::PairsOfHalves => half(lane / 2),
        RandomFields::PairsOfBytes => byte(lane / 2 + 2) << 8 | byte(lane / 2),
    };
    if lane % 2 == 1 { u64::from((field as u16).reverse_bits()) } else { field }
}

#[cfg(test)]
mod tests {
    use isa::Variant;

    use super::*;

    /// The fields of random bits are those into which a B200 was seen to take them apart.
    #[test]
    fn fields_are_the_measured_ones() {
        let fields = |text: &str| -> Vec<u64> {
            let shape = Shape::of(&text.parse::<Variant>().unwrap());
            (0..shape.lanes).rev().map(|lane| field(&shape, 0x1234_5678, lane)).collect()
        };
        assert_eq!(fields("cvt.rs.satfinite.e4m3x4.f32"), [0x2c48, 0x1234, 0x1e6a, 0x5678]);
        assert_eq!(fields("cvt.rs.satfinite.e2m1x4.f32"), [0x6a48, 0x1256, 0x1e2c, 0x3478]);
        assert_eq!(fields("cvt.rs.bf16x2.f32"), [0x1234, 0x5678]);
        assert_eq!(fields("cvt.rs.f16x2.f32"), [0x1234, 0x1678]);
    }
}
