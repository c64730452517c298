//! What tensor cores do with a dot product, as plain data.
//!
//! A unit takes a group of terms and an addend. Products are exact, and not normalised: the exponent of one is
//! the sum of its operands', and a subnormal operand's is the smallest normal one. Products and addend are
//! aligned to the largest exponent among them, cut off toward zero behind so many fraction bits, added
//! exactly, and rounded once. A dot product of more terms is a chain of groups, each with the result before
//! as its addend.
//!
//! Sources: MMA-Sim, Xie and others, arXiv 2511.10909 (`arithmetic/fdpa.py`, `nv_ptx/sim.py` of version 2.1.1);
//! Khattak and Mikaitis, arXiv 2512.07004 (`models` of its repository at b12b5a7); for Volta to Ampere also
//! Fasi, Higham, Mikaitis and Pranesh, 2021.

use formats::FormatId;

use crate::Target;

/// A generation of tensor cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generation {
    /// sm_70, sm_72
    Volta,
    /// sm_75
    Turing,
    /// sm_80 to sm_88
    Ampere,
    /// sm_89
    Ada,
    /// sm_90
    Hopper,
    /// sm_100 to sm_110
    Blackwell,
    /// sm_120, sm_121
    RtxBlackwell,
}

impl Generation {
    /// That of a target; `None` before there were tensor cores.
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
    /// Fraction bits behind the largest exponent; what is below is cut off.
    pub fraction_bits: u32,
    /// Number of terms that it takes.
    pub group: u32,
    /// The exponent that a zero has: no alignment is to a smaller one, since an addend that is not zero has at
    /// least that of the smallest normal number.
    pub zero_exponent: i32,
    /// How a sum is rounded.
    pub rounding: UnitRounding,
}

/// How a unit rounds its sum to the accumulator's format. Overflow is infinity in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitRounding {
    /// Toward zero, to f32.
    TowardZero,
    /// Toward zero, to the 13 upper bits of f32's significand.
    TowardZero13,
    /// To nearest even, to f16.
    NearestEven,
}

/// Which operands a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplicands {
    /// f16 and bf16.
    Sixteen,
    /// tf32.
    Tf32,
    /// Types of 8, 6 and 4 bits without scales.
    Eight,
    /// The same with scales, whose exponents are added to each product's (`.kind::mxf8f6f4`).
    ScaledEight,
    /// Four bits with scales: each [`SCALED_GROUP`] products are added exactly, and the sum multiplied by the
    /// scales; its exponent is theirs, whatever the sum (`.kind::mxf4`, `.kind::mxf4nvf4`).
    ScaledFour,
}

/// How many products of four bits are added before they are scaled.
pub const SCALED_GROUP: usize = 16;

impl Multiplicands {
    /// Those of a format; `None` of one that no unit multiplies in this way.
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

/// A row: the unit of a generation for some operands, with f32 or with f16 accumulated.
type Row = (Generation, Multiplicands, FormatId, Unit);

const fn unit(fraction_bits: u32, group: u32, zero_exponent: i32, rounding: UnitRounding) -> Unit {
    Unit { fraction_bits, group, zero_exponent, rounding }
}

/// The units. Those of f16, bf16, tf32, and of 8 bits on Ada and Hopper, were observed on V100, A100, A2,
/// RTX 1000 Ada, L40S, H100, H200 and B200 (Khattak and Mikaitis, 240,000 sums of normal numbers); exponents of
/// zero, special values and subnormal numbers, and all of 8 bits since Blackwell, are claimed by MMA-Sim's
/// authors, from runs of theirs.
#[rustfmt::skip] // one row, one line
const UNITS: &[Row] = {
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
    /// That of a generation for operands of a format without scales, with this one accumulated; `None` where it
    /// has none.
    pub fn of(
        generation: Generation,
        operands: FormatId,
        accumulated: FormatId,
    ) -> Option<&'static Unit> {
        Unit::find(generation, Multiplicands::of(operands)?, accumulated)
    }

    /// The same of one of the rows.
    pub fn find(
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
