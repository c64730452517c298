//! The dot products of matrix instructions, with operands and results in columns.

use formats::{Column, Format, FormatId};
use isa::matrix::{DotData, Lowering, MatrixVariant, SCALED_GROUP, Unit, UnitRounding};
use isa::{Rounding, Target};

use super::Lowered;
use super::nearest::divided;
use crate::{Backend, Kernel};

/// The dot products of a matrix instruction as a target computes them.
pub struct DotKernel {
    variant: MatrixVariant,
    arithmetic: DotArithmetic,
    data: DotData,
    multiplied: Vec<u64>,
}

enum DotArithmetic {
    /// A sequence that computes one dot product after the other.
    Lowered(Lowered),
    /// A chain of fused operations, each of which computes all rows.
    Fused(Kernel),
}

impl DotKernel {
    /// Returns the kernel of a variant on a target; `None` where the target lacks the variant.
    pub fn of(variant: &MatrixVariant, target: Target) -> Option<DotKernel> {
        DotKernel::with_lowering(variant, Lowering::assumed(variant, target)?)
    }

    /// Returns the kernel of a variant that is computed by `lowering`, on whatever target; `None` where it cannot be.
    pub fn with_lowering(variant: &MatrixVariant, lowering: Lowering) -> Option<DotKernel> {
        let dot = *variant.dot();
        let scaled = dot.scales.is_some();
        let [single, small] = [dot.d.id != FormatId::F64, dot.a.width() <= 8];
        let accumulates = |unit: Unit, format: FormatId| {
            let short = unit.rounding == UnitRounding::TowardZero13;
            // Sums are of 64 bits.
            unit.group > 0 && unit.fraction_bits <= 48 && (!short || format == FormatId::F32)
        };
        let fits = match lowering {
            Lowering::Fused => !single,
            Lowering::Unit(unit) => single && !scaled && accumulates(unit, dot.d.id),
            Lowering::ThroughHalf(unit) => {
                single && !scaled && small && dot.c.id == dot.d.id && accumulates(unit, dot.d.id)
            }
            Lowering::Narrowed(unit) => {
                !scaled && dot.d.id == FormatId::F16 && accumulates(unit, FormatId::F32)
            }
            Lowering::SingleSoftware | Lowering::HalfSoftware => {
                // `Lowered` has these sequences for four terms of f16.
                dot.k == 4 && [dot.a.id, dot.b.id] == [FormatId::F16; 2]
            }
            Lowering::Scaled(unit) => scaled && accumulates(unit, dot.d.id),
            Lowering::ScaledGroups(unit) => {
                let whole = unit.group.is_multiple_of(SCALED_GROUP as u32);
                scaled
                    && [dot.a.id, dot.b.id] == [FormatId::E2m1; 2]
                    && whole
                    && accumulates(unit, dot.d.id)
            }
        };
        if !fits {
            return None;
        }
        let arithmetic = match Lowered::new(dot, lowering) {
            Some(lowered) => DotArithmetic::Lowered(lowered),
            None => DotArithmetic::Fused(fused(dot.rounding)?),
        };
        let (variant, data) = (variant.clone(), DotData::new(&dot));
        Some(DotKernel { variant, arithmetic, data, multiplied: Vec::new() })
    }

    /// Returns the newest target that has a variant, and the variant's kernel on that target.
    pub fn newest(variant: &MatrixVariant) -> Option<(Target, DotKernel)> {
        let has = |target: &Target| variant.form().available(Some(*target), None);
        let target = Target::all().map(|(target, _)| target).filter(has).last()?;
        Some((target, DotKernel::of(variant, target)?))
    }

    /// Computes every row of the variant's result column from the same row of its operands' columns.
    ///
    /// # Panics
    /// If the columns are not the variant's.
    pub fn run(&mut self, operands: &[Column], results: &mut [Column]) {
        match &self.arithmetic {
            DotArithmetic::Lowered(lowered) => {
                let dot = *self.variant.dot();
                for row in 0..operands[0].rows() {
                    self.data.read(&dot, self.variant.operands(), operands, row);
                    let DotData { a, b, c, scales, places, controls } = &mut self.data;
                    let sign = |format: &Format, negate| if negate { format.sign_mask() } else { 0 };
                    let register = |format: &Format, bits: u64| match format.id {
                        // A unit reads a register of 32 bits, of which tf32 is the upper 19.
                        FormatId::Tf32 => bits << 13,
                        _ => bits,
                    };
                    let flip = sign(dot.a, controls.negate_a);
                    a.iter_mut().for_each(|bits| *bits = register(dot.a, *bits ^ flip));
                    let flip = sign(dot.b, controls.negate_b);
                    self.multiplied.clear();
                    self.multiplied.extend(places.iter().map(|&k| register(dot.b, b[k] ^ flip)));
                    // The rounding of a scaled addend that becomes subnormal is published nowhere.
                    let c = match (controls.accumulate, controls.addend_scale) {
                        (false, _) => 0,
                        (true, 0) => *c,
                        (true, by) => divided(dot.c, *c, by),
                    };
                    let [x, y] = &scales;
                    results[0].set(row, lowered.compute_scaled([a, &self.multiplied], c, [x, y]));
                }
            }
            DotArithmetic::Fused(kernel) => {
                let rows = operands[0].rows();
                let [mut a, mut b] = [(); 2].map(|()| Column::new(8, rows));
                let mut sum = operands[2].clone();
                for k in 0..self.variant.dot().k as usize {
                    for (element, all) in [(&mut a, &operands[0]), (&mut b, &operands[1])] {
                        let words = all.elements::<u64>().chunks_exact(all.row_bytes() / 8);
                        let into = element.elements_mut::<u64>().iter_mut();
                        into.zip(words).for_each(|(to, row)| *to = row[k]);
                    }
                    kernel.run(&[a.clone(), b.clone(), sum], std::slice::from_mut(&mut results[0]));
                    sum = results[0].clone();
                }
            }
        }
    }
}

/// Returns the kernel of `fma` of f64 in a rounding.
fn fused(rounding: Option<Rounding>) -> Option<Kernel> {
    let text = match rounding {
        Some(Rounding::TowardZero) => "fma.rz.f64",
        Some(Rounding::Down) => "fma.rm.f64",
        Some(Rounding::Up) => "fma.rp.f64",
        _ => "fma.rn.f64",
    };
    Kernel::of(&text.parse().ok()?, Backend::Lanes)
        .or_else(|| Kernel::of(&text.parse().ok()?, Backend::Scalar))
}

#[cfg(test)]
mod tests {
    use isa::matrix::{columns_for, results_for};
    use sweeps::matrix::DotSweep;

    use super::*;

    /// Checks the probe of the notes: sums are computed in ascending order, in each rounding.
    #[test]
    fn double_precision_is_a_chain_of_fused_operations() {
        let [large, one] = [0x4340_0000_0000_0000_u64, 0x3ff0_0000_0000_0000];
        let terms = [large, one, one, large | 1 << 63];
        for (rounding, expected) in
            [("", 0_u64), (".rz", 0), (".rm", 1 << 63), (".rp", 0x4010_0000_0000_0000)]
        {
            let text = format!("mma.sync.aligned.m8n8k4.row.col{rounding}.f64.f64.f64.f64");
            let variant: MatrixVariant = text.parse().unwrap();
            let mut operands = columns_for(&variant, 1);
            operands[0].elements_mut::<u64>().copy_from_slice(&terms);
            operands[1].elements_mut::<u64>().fill(one);
            let mut results = results_for(&variant, 1);
            DotKernel::newest(&variant).unwrap().1.run(&operands, &mut results);
            assert_eq!(results[0].get(0), expected, "{text}");
        }
    }

    /// A number as `significand × 2^exponent`, without zeros at the end of the significand.
    type Number = (i128, i32);

    fn number(format: &Format, bits: u64) -> Number {
        let (significand, exponent) = format.decode(bits).expect("a number");
        let zeros = if significand == 0 { 0 } else { significand.trailing_zeros() };
        let magnitude = i128::from(significand >> zeros);
        (if format.is_negative(bits) { -magnitude } else { magnitude }, exponent + zeros as i32)
    }

    fn sum(terms: &[Number]) -> Number {
        let of_terms = terms.iter().filter(|(significand, _)| *significand != 0);
        let lowest = of_terms.clone().map(|(_, exponent)| *exponent).min().unwrap_or(0);
        let sum: i128 = of_terms.map(|(significand, exponent)| significand << (exponent - lowest)).sum();
        let zeros = if sum == 0 { 0 } else { sum.trailing_zeros() };
        (sum >> zeros, if sum == 0 { 0 } else { lowest + zeros as i32 })
    }

    /// Checks sums that are exact in any order, added here as integers: whatever stands in a wrong place shows.
    #[test]
    fn every_variant_adds_what_is_stored_where_it_belongs() {
        let exact = DotSweep::named("exact").unwrap();
        for variant in MatrixVariant::all() {
            let (_, mut kernel) = DotKernel::newest(variant).expect("every variant has a target");
            let mut operands = columns_for(variant, 8);
            exact.fill(variant, 0, 0, &mut operands);
            let mut results = results_for(variant, 8);
            kernel.run(&operands, &mut results);
            let dot = variant.dot();
            let mut data = DotData::new(dot);
            for row in 0..8 {
                data.read(dot, variant.operands(), &operands, row);
                let mut terms: Vec<Number> = Vec::new();
                let negative = data.controls.negate_a != data.controls.negate_b;
                for (at, &place) in data.places.iter().enumerate() {
                    let mut factors = vec![number(dot.a, data.a[at]), number(dot.b, data.b[place])];
                    if let Some(scales) = dot.scales {
                        let block = at * scales.count as usize / data.a.len();
                        factors
                            .extend([0, 1].map(|side| number(scales.format, data.scales[side][block])));
                    }
                    let sign = (if negative { -1 } else { 1 }, 0);
                    terms.push(factors.iter().fold(sign, |(x, e), (y, f)| (x * y, e + f)));
                }
                if data.controls.accumulate {
                    let (significand, exponent) = number(dot.c, data.c);
                    terms.push((significand, exponent - i32::from(data.controls.addend_scale)));
                }
                let result = sum(&[number(dot.d, results[0].get(row))]);
                assert_eq!(result, sum(&terms), "{variant} row {row}");
            }
        }
    }
}
