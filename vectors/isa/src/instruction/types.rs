//! The types of registers: those that PTX prints, and those that it only implies.

use std::fmt;

use formats::Format;

/// The type of a register: one or more data of one format, lane 0 in the low bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The name as PTX prints it, without the leading dot.
    pub name: &'static str,
    /// The encoding of each lane.
    pub format: &'static Format,
    /// The number of lanes.
    pub lanes: usize,
    /// The distance from one lane to the next, in bits.
    pub stride: u32,
    /// The position of a lane's lowest bit in its stride; all other bits are 0.
    pub offset: u32,
}

/// Makes the type of a single datum of a format, which has the format's name.
const fn scalar(format: &'static Format) -> Type {
    // A row of a column is whole bytes.
    let stride = format.width().next_multiple_of(8);
    Type { name: format.name, format, lanes: 1, stride, offset: 0 }
}

/// Makes the type of several data of a format, side by side.
const fn packed(name: &'static str, format: &'static Format, lanes: usize) -> Type {
    // Data of six bits have a byte each, data of four bits share one (PTX ISA 5.2.3).
    let stride = if format.width() == 6 { 8 } else { format.width() };
    Type { name, format, lanes, stride, offset: 0 }
}

/// Makes the type of a single datum under another name than the format's.
const fn bits(name: &'static str, format: &'static Format) -> Type {
    Type { name, ..scalar(format) }
}

/// Every type of the table.
#[rustfmt::skip] // a table
pub const TYPES: &[Type] = &[
    scalar(&formats::F16), scalar(&formats::BF16), scalar(&formats::F32), scalar(&formats::F64),
    // tf32 lies in a register of 32 bits, where f32 has the same bits.
    Type { stride: 32, offset: 13, ..scalar(&formats::TF32) },
    packed("f16x2",    &formats::F16,   2), packed("bf16x2",  &formats::BF16,  2),
    packed("f32x2",    &formats::F32,   2),
    packed("e4m3x2",   &formats::E4M3,  2), packed("e4m3x4",  &formats::E4M3,  4),
    packed("e5m2x2",   &formats::E5M2,  2), packed("e5m2x4",  &formats::E5M2,  4),
    packed("e2m3x2",   &formats::E2M3,  2), packed("e2m3x4",  &formats::E2M3,  4),
    packed("e3m2x2",   &formats::E3M2,  2), packed("e3m2x4",  &formats::E3M2,  4),
    packed("e2m1x2",   &formats::E2M1,  2), packed("e2m1x4",  &formats::E2M1,  4),
    // "Padded": each datum lies in the low half of a byte.
    Type { stride: 8, ..packed("e2m1p4x4", &formats::E2M1, 4) },
    packed("ue8m0x2",  &formats::UE8M0, 2), packed("ue8m0x4", &formats::UE8M0, 4),
    packed("ue5m3x2",  &formats::UE5M3, 2), packed("s2f6x2",  &formats::S2F6,  2),
    scalar(&formats::U8),  scalar(&formats::U16), scalar(&formats::U32), scalar(&formats::U64),
    scalar(&formats::S8),  scalar(&formats::S16), scalar(&formats::S32), scalar(&formats::S64),
    bits("b16", &formats::U16), bits("b32", &formats::U32), bits("b64", &formats::U64),
    scalar(&formats::PRED),
    // The type of the indices of two of four, which no register here holds.
    bits("b2", &formats::U8),
    // Types that are used only by words that several devices have at one address or behind one handle, and by casts.
    scalar(&formats::E4M3), scalar(&formats::E5M2),
    // Types that are never printed: what a comparison of packed data writes, vectors in memory, the scale of a whole
    // conversion, and the formats of casts that PTX does not have.
    packed("f16x4", &formats::F16, 4), packed("bf16x4", &formats::BF16, 4),
    packed("e4m3x8", &formats::E4M3, 8), packed("e5m2x8", &formats::E5M2, 8),
    packed("u16x2", &formats::U16, 2), packed("s16x2", &formats::S16, 2),
    scalar(&formats::UE8M0),
    scalar(&formats::E4M3FNUZ), scalar(&formats::E5M2FNUZ),
    scalar(&formats::E4M3IEEE), scalar(&formats::E3M4), scalar(&formats::E4M3B11FNUZ),
    scalar(&formats::E2M1), scalar(&formats::E2M3), scalar(&formats::E3M2),
];

/// Groups of types that a syntax may name, as the manual does: the name, then its members.
pub(super) const GROUPS: &[(&str, &str)] = &[
    ("int", "u8|u16|u32|u64|s8|s16|s32|s64"),
    ("narrow", "e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2"),
    ("alt", "e5m2x4|e4m3x4|e3m2x4|e2m3x4|e2m1x4|e2m1p4x4|ue8m0x4"),
];

impl Type {
    /// Returns the type of the given name, or `None` where there is none.
    pub fn named(name: &str) -> Option<Type> {
        let own = || Some(scalar(formats::own().iter().copied().find(|format| format.name == name)?));
        TYPES.iter().copied().find(|ty| ty.name == name).or_else(own)
    }

    /// Returns the size of the register, in bits.
    pub const fn width(&self) -> u32 {
        self.stride * self.lanes as u32
    }

    /// Returns the size of one row of a column of such registers, in bytes.
    pub const fn row_bytes(&self) -> usize {
        (self.width() as usize).div_ceil(8)
    }

    /// Returns how far a lane's lowest bit lies from the register's lowest bit, in bits.
    #[inline]
    pub const fn shift(&self, lane: usize) -> u32 {
        lane as u32 * self.stride + self.offset
    }

    /// Returns the bits of one lane of a register.
    #[inline]
    pub const fn lane(&self, register: u64, lane: usize) -> u64 {
        register >> self.shift(lane) & self.format.mask()
    }

    /// Returns a register that holds `bits` in one lane, and 0 in all others.
    #[inline]
    pub const fn place(&self, bits: u64, lane: usize) -> u64 {
        bits << self.shift(lane)
    }

    /// Returns the mask of the register's bits that belong to lanes.
    pub fn mask(&self) -> u64 {
        (0..self.lanes).fold(0, |mask, lane| mask | self.place(self.format.mask(), lane))
    }

    /// Formats a register in hexadecimal, like `0x3c00`.
    pub fn hex(&self, register: u64) -> String {
        format!("0x{register:0digits$x}", digits = 2 * self.row_bytes())
    }

    /// Whether the lanes fill the register without a gap, each a whole number of bytes: then a column of registers is a
    /// column of lanes.
    pub(crate) const fn is_dense(&self) -> bool {
        self.stride == self.format.width() && self.stride >= 8
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_registers_hold_their_lanes() {
        assert!(GROUPS.iter().all(|(name, _)| Type::named(name).is_none()));
        for ty in TYPES {
            assert_eq!(Type::named(ty.name), Some(*ty));
            assert!(ty.width() <= 64 && ty.offset + ty.format.width() <= ty.stride, "{ty}");
            assert!(ty.row_bytes().is_power_of_two(), "{ty}");
            for lane in 0..ty.lanes {
                let register = ty.place(ty.format.mask(), lane);
                assert_eq!(ty.lane(register, lane), ty.format.mask(), "{ty}");
            }
        }
    }

    #[test]
    fn lanes_lie_where_the_manual_has_them() {
        let lane = |name: &str, register, lane| Type::named(name).unwrap().lane(register, lane);
        assert_eq!([lane("e2m1x2", 0x52, 0), lane("e2m1x2", 0x52, 1)], [2, 5]);
        assert_eq!([lane("e2m3x2", 0x2a15, 0), lane("e2m3x2", 0x2a15, 1)], [0x15, 0x2a]);
        assert_eq!(lane("tf32", 0x7fff_e000, 0), 0x3_ffff);
        assert_eq!(lane("e2m1p4x4", 0x0504_0302, 3), 5);
        let named = |name| Type::named(name).unwrap();
        assert_eq!((named("e2m1p4x4").mask(), named("f16x2").mask()), (0x0f0f_0f0f, 0xffff_ffff));
        assert_eq!(
            (named("e2m1x2").hex(5), named("f64").hex(5)),
            ("0x05".into(), format!("0x{:016x}", 5))
        );
    }
}
