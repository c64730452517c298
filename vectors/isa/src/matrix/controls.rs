//! The controls: operands of a matrix instruction that apply to a sum as a whole.

use formats::Format;

use super::dot::Dot;

/// The controls that operands of `wgmma` and `tcgen05` set for a sum, as one byte. All other bits of the byte are zero,
/// and do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controls {
    /// Bit 0: whether the addend is added (`scale-d`, `enable-input-d`).
    pub accumulate: bool,
    /// Bit 1: whether A's elements change their signs (`imm-scale-a`, and a bit of the descriptor).
    pub negate_a: bool,
    /// Bit 2: whether B's elements change their signs.
    pub negate_b: bool,
    /// Bits 3 to 6: the number of powers of two by which the addend is divided (`scale-input-d`), where [operands may
    /// say so](Dot::scaled_addend).
    pub addend_scale: u8,
}

impl Controls {
    /// The controls of instructions that have no such operands: the addend is added, and nothing changes its sign or
    /// scale.
    pub const PLAIN: Controls =
        Controls { accumulate: true, negate_a: false, negate_b: false, addend_scale: 0 };

    /// Reads the controls from a byte of a dot product's column.
    pub const fn from_bits(dot: &Dot, bits: u64) -> Controls {
        Controls {
            accumulate: bits & 1 > 0,
            negate_a: bits & 2 > 0,
            negate_b: bits & 4 > 0,
            addend_scale: if dot.scaled_addend { (bits >> 3 & 15) as u8 } else { 0 },
        }
    }

    /// Returns the controls as a byte.
    pub const fn bits(self) -> u64 {
        self.accumulate as u64
            | (self.negate_a as u64) << 1
            | (self.negate_b as u64) << 2
            | (self.addend_scale as u64) << 3
    }

    /// Whether an addend other than zero becomes a subnormal number by its division.
    pub fn makes_subnormal(self, format: &Format, addend: u64) -> bool {
        let by = i32::from(self.addend_scale);
        let number = format.decode(addend).filter(|(significand, _)| *significand > 0);
        by > 0
            && number.is_some_and(|(significand, lowest)| {
                lowest + significand.ilog2() as i32 - by < format.exponent_min()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::MatrixVariant;

    /// Checks that controls are a byte, in which bits that control nothing in a variant do not count.
    #[test]
    fn controls_are_a_byte() {
        let of =
            |text: &str, bits| Controls::from_bits(text.parse::<MatrixVariant>().unwrap().dot(), bits);
        let scaled = "tcgen05.mma.cta_group::1.kind::f16(a-desc,f32.f16.f16,k16)";
        let all: Vec<u64> = (0..128).map(|bits| of(scaled, bits).bits()).collect();
        assert_eq!(all, (0..128).collect::<Vec<_>>());
        assert_eq!((of(scaled, 0b1_1010).addend_scale, of(scaled, 0xff).bits()), (3, 0x7f));
        for plain in [
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16(a-desc)",
            "tcgen05.mma.ws.cta_group::1.kind::f16(a-desc,f32.f16.f16,k16)",
            "tcgen05.mma.cta_group::1.kind::f8f6f4(a-desc,f32.e4m3.e4m3,k32)",
        ] {
            assert_eq!(of(plain, 0xff).bits(), 0b111, "{plain}");
        }
    }
}
