//! The units of tensor cores that compute dot products, as plain data.
//!
//! A unit takes a group of terms and an addend. Products are exact, and not normalised: the exponent of a product is
//! the sum of its operands' exponents, and a subnormal operand counts with the smallest normal exponent. Products and
//! addend are aligned to the largest exponent among them, and cut off toward zero behind a fixed number of fraction
//! bits. They are then added exactly, and the sum is rounded once. A dot product of more terms is a chain of groups,
//! each with the result of the group before as its addend.
//!
//! Sources: MMA-Sim, Xie and others, arXiv 2511.10909 (`arithmetic/fdpa.py`, `nv_ptx/sim.py` of version 2.1.1);
//! Khattak and Mikaitis, arXiv 2512.07004 (`models` of its repository at b12b5a7); for Volta to Ampere also
//! Fasi, Higham, Mikaitis and Pranesh, 2021.

use formats::FormatId;

use crate::Target;

/// A generation of tensor cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Generation {
    /// Volta: sm_70 and sm_72.
    Volta,
    /// Turing: sm_75.
    Turing,
    /// Ampere: sm_80 to sm_88.
    Ampere,
    /// Ada: sm_89.
    Ada,
    /// Hopper: sm_90.
    Hopper,
    /// Blackwell: sm_100 to sm_110.
    Blackwell,
    /// RTX Blackwell: sm_120 and sm_121.
    RtxBlackwell,
}

impl Generation {
    /// Returns the generation of a target; `None` before there were tensor cores.
    pub const fn of(target: Target) -> Option<Generation> {
        Some(match target.number {
            ..70 => return None,
            70..75 => Generation::Volta,
            75..80 => Generation::Turing,
            80..89 => Generation::Ampere,
            89 => Generation::Ada,
            90..100 => Generation::Hopper,
            100..120 => Generation::Blackwell,
            _ => Generation::RtxBlackwell,
        })
    }
}

/// The parameters of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The number of fraction bits that are kept behind the largest exponent; bits below are cut off.
    pub fraction_bits: u32,
    /// The number of terms that the unit takes at once.
    pub group: u32,
    /// The exponent that counts for a zero. No alignment is to a smaller one, since an addend that is not zero has at
    /// least the exponent of the smallest normal number.
    pub zero_exponent: i32,
    /// The rounding of the sum.
    pub rounding: UnitRounding,
}

/// The rounding of a unit's sum to the accumulator's format. In each, overflow gives infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitRounding {
    /// Toward zero, to f32.
    TowardZero,
    /// Toward zero, to the 13 upper bits of f32's significand.
    TowardZero13,
    /// To nearest even, to f16.
    NearestEven,
}

/// The operands that a row of the units' table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplicands {
    /// f16 and bf16.
    Sixteen,
    /// tf32.
    Tf32,
    /// Types of 8, 6 and 4 bits without scales.
    Eight,
    /// Types of 8, 6 and 4 bits with scales, whose exponents are added to each product's (`.kind::mxf8f6f4`).
    ScaledEight,
    /// Types of four bits with scales (`.kind::mxf4`, `.kind::mxf4nvf4`). Each [`SCALED_GROUP`] products are added
    /// exactly, and their sum is multiplied by the scales; the exponent is that of the scales, whatever the sum.
    ScaledFour,
}

/// The number of four-bit products that are added before they are scaled.
pub const SCALED_GROUP: usize = 16;

impl Multiplicands {
    /// Returns the multiplicands that a format belongs to; `None` for a format that no unit multiplies in this way.
    pub const fn of(format: FormatId) -> Option<Multiplicands> {
        match format {
            FormatId::F16 | FormatId::Bf16 => Some(Multiplicands::Sixteen),
            FormatId::Tf32 => Some(Multiplicands::Tf32),
            FormatId::E4m3 | FormatId::E5m2 | FormatId::E3m2 | FormatId::E2m3 | FormatId::E2m1 => {
                Some(Multiplicands::Eight)
            }
            _ => None,
        }
    }
}

/// A row of the units' table: the unit of a generation for some operands, with f32 or with f16 accumulated.
type UnitRow = (Generation, Multiplicands, FormatId, Unit);

const fn unit(fraction_bits: u32, group: u32, zero_exponent: i32, rounding: UnitRounding) -> Unit {
    Unit { fraction_bits, group, zero_exponent, rounding }
}

/// The units of all generations. Those for f16, bf16 and tf32, and those for 8 bits on Ada and Hopper, were observed on
/// V100, A100, A2, RTX 1000 Ada, L40S, H100, H200 and B200 (Khattak and Mikaitis, 240,000 sums of normal numbers).
/// Exponents of zero, special values and subnormal numbers, and everything about 8 bits since Blackwell, are claimed by
/// MMA-Sim's authors, from runs of theirs.
#[rustfmt::skip] // one row, one line
const UNITS: &[UnitRow] = {
    use FormatId::{F16, F32};
    use Generation::*;
    use Multiplicands::*;
    use UnitRounding::*;
    &[
        (Volta,        Sixteen, F32, unit(23,  4, -131, TowardZero)),
        (Volta,        Sixteen, F16, unit(23,  4,  -19, NearestEven)),
        (Turing,       Sixteen, F32, unit(24,  8, -132, TowardZero)),
        (Turing,       Sixteen, F16, unit(24,  8,  -20, NearestEven)),
        (Ampere,       Sixteen, F32, unit(24,  8, -132, TowardZero)),
        (Ampere,       Sixteen, F16, unit(24,  8,  -20, NearestEven)),
        (Ampere,       Tf32,    F32, unit(24,  4, -132, TowardZero)),
        (Ada,          Sixteen, F32, unit(24,  8, -132, TowardZero)),
        (Ada,          Sixteen, F16, unit(24,  8,  -20, NearestEven)),
        (Ada,          Tf32,    F32, unit(24,  4, -132, TowardZero)),
        (Ada,          Eight,   F32, unit(13, 16, -132, TowardZero13)),
        (Ada,          Eight,   F16, unit(13, 16,  -20, NearestEven)),
        (Hopper,       Sixteen, F32, unit(25, 16, -133, TowardZero)),
        (Hopper,       Sixteen, F16, unit(25, 16,  -21, NearestEven)),
        (Hopper,       Tf32,    F32, unit(25,  8, -133, TowardZero)),
        (Hopper,       Eight,   F32, unit(13, 32, -133, TowardZero13)), // of wgmma
        (Hopper,       Eight,   F16, unit(13, 32,  -21, NearestEven)),  // of wgmma
        (Blackwell,    Sixteen, F32, unit(25, 16, -133, TowardZero)),
        (Blackwell,    Sixteen, F16, unit(25, 16,  -21, NearestEven)),
        (Blackwell,    Tf32,    F32, unit(25,  8, -133, TowardZero)),
        (Blackwell,    Eight,   F32, unit(25, 32, -133, TowardZero)),   // of tcgen05
        (Blackwell,    Eight,   F16, unit(25, 32,  -21, NearestEven)),  // of tcgen05
        (Blackwell,    ScaledEight, F32, unit(25, 32, -133, TowardZero)), // of tcgen05
        (Blackwell,    ScaledFour,  F32, unit(35, 64, -139, TowardZero)), // of tcgen05
        (RtxBlackwell, Sixteen, F32, unit(25, 16, -133, TowardZero)),
        (RtxBlackwell, Sixteen, F16, unit(25, 16,  -21, NearestEven)),
        (RtxBlackwell, Tf32,    F32, unit(25,  8, -133, TowardZero)),
        (RtxBlackwell, Eight,   F32, unit(25, 32, -133, TowardZero)),
        (RtxBlackwell, Eight,   F16, unit(25, 32,  -21, NearestEven)),
        (RtxBlackwell, ScaledEight, F32, unit(25, 32, -133, TowardZero)),
        (RtxBlackwell, ScaledFour,  F32, unit(35, 64, -139, TowardZero)),
    ]
};

impl Unit {
    /// Returns a generation's unit for operands of a format without scales, with the given format accumulated; `None`
    /// where the generation has none.
    pub fn of(
        generation: Generation,
        operands: FormatId,
        accumulated: FormatId,
    ) -> Option<&'static Unit> {
        Unit::find(generation, Multiplicands::of(operands)?, accumulated)
    }

    /// Returns a generation's unit for the given multiplicands and accumulated format; `None` where it has none.
    pub(super) fn find(
        generation: Generation,
        operands: Multiplicands,
        accumulated: FormatId,
    ) -> Option<&'static Unit> {
        let row = UNITS.iter().find(|(of, multiplied, added, _)| {
            *of == generation && *multiplied == operands && *added == accumulated
        });
        row.map(|(.., unit)| unit)
    }
}
