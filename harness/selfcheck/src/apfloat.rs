//! `rustc_apfloat`, LLVM's software floating point in Rust, as a reference.

mod finish;
mod number;
mod program;

use super::{Computation, Depth, Reference, VectorRange, batches_of};
use finish::rounding;
use isa::{Contract, Operation, Rounding, Variant};
use program::LaneProgram;
use sweeps::{Length, Sweep};

/// The reference `rustc_apfloat`, in the version that the manifest pins.
pub struct Apfloat;

impl Reference for Apfloat {
    fn name(&self) -> &'static str {
        "rustc_apfloat 0.2.3"
    }

    fn excluded(&self, variant: &Variant) -> Option<&'static str> {
        if matches!(variant.form().contract, Contract::Within(_)) {
            return Some("the contract is a bound, and it has no approximations");
        }
        match (program::operation(variant), rounding(variant)) {
            (Operation::Sqrt, _) => Some("it has no square root"),
            (Operation::Copysign | Operation::Slct, _) => Some("it moves bits, and computes nothing"),
            (_, Rounding::Stochastic) => Some("it has no rounding by random bits"),
            (_, Rounding::Up | Rounding::Down) if variant.outputs()[0].format.name == "e4m3" => {
                Some("its E4M3 turns the direction of negative overflow round (known defect)")
            }
            (operation, _) if variant.is_arithmetic() && !number::operates(operation) => {
                Some("it does not have the operation")
            }
            _ => None,
        }
    }

    fn batches(&self, variant: &Variant, depth: &Depth) -> Vec<VectorRange> {
        let exhaustive = Sweep::exhaustive();
        if let Some(batches) = depth.exhaustive_ranges(variant) {
            return batches;
        }
        let applies = |sweep: &&Sweep| sweep.length(variant) != Length::None;
        let sweeps = Sweep::all().iter().filter(|sweep| sweep.name != exhaustive.name).filter(applies);
        let sweeps: Vec<&'static Sweep> = sweeps.collect();
        // Half of all variants are comparisons, which have far fewer ways to be wrong.
        let compares = matches!(variant.operation(), Operation::Set | Operation::Setp);
        let all = if compares { depth.vectors / 16 } else { depth.vectors };
        let each = all / sweeps.len() as u64;
        let batches = sweeps.into_iter().map(|sweep| match sweep.length(variant) {
            Length::Finite(length) => batches_of(sweep, 0, length.min(each)),
            _ => batches_of(sweep, 0, each),
        });
        batches.flatten().collect()
    }

    fn computation(&self, variant: &Variant) -> Computation {
        let program = LaneProgram::new(variant);
        let variant = variant.clone();
        let mut elements: [Vec<u64>; 3] = Default::default();
        let mut outputs: [Vec<u64>; 2] = Default::default();
        Box::new(move |operands, results| {
            let (rows, lanes) = (operands[0].rows(), variant.lanes());
            for (input, elements) in variant.inputs().iter().zip(&mut elements) {
                elements.resize(rows * lanes, 0);
                input.gather(variant.operands(), operands, 0..rows, elements);
            }
            outputs.iter_mut().for_each(Vec::clear);
            for at in 0..rows * lanes {
                // Inputs that the variant does not have are empty, and count as 0.
                let lane = elements.each_ref().map(|input| input.get(at).copied().unwrap_or(0));
                outputs.iter_mut().zip(program.lane(lane)).for_each(|(output, bits)| output.push(bits));
            }
            results.iter_mut().for_each(|column| column.bytes_mut().fill(0));
            for (output, elements) in variant.outputs().iter().zip(&outputs) {
                output.scatter(variant.results(), elements, 0..rows, results);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use rustc_apfloat::ieee::{Double, Float8E4M3FN};
    use rustc_apfloat::{Float, FloatConvert, Round};

    /// Shows the known defect: −480, rounded up, overflows to −448, the largest number, but the library has NaN. If
    /// this test fails, the library has been mended, and the exclusion can go.
    #[test]
    fn the_known_defect_is_there() {
        let below: Double = -Double::from_u128(480).value;
        let rounded: Float8E4M3FN = below.convert_r(Round::TowardPositive, &mut false).value;
        assert!(rounded.is_nan());
        let truncated: Float8E4M3FN = below.convert_r(Round::TowardZero, &mut false).value;
        assert_eq!(truncated.to_bits(), 0xfe);
    }
}
