//! Approximations at their nearest, and at the ends of their bounds, from f64: the results of
//! [`Approximating`] without MPFR, which would take microseconds for each of billions of inputs. [`Approximating`] is
//! asked where f64 is not sure.

mod fast;
mod host;

use std::collections::HashMap;

use compilers::unit::{Approximating, Approximation};
use formats::{Column, FormatId, column};
use isa::{Accuracy, Bound, Contract, Op, Variant};
use machines::functions::{ExecutionUnit, Nearest};
use oracle::Real;

use fast::{Fast, Size};

/// The powers of two between which results are computed in f64; MPFR computes those beyond.
// The normal numbers of f32 reach from 2^-126 to 2^127: 2^±120 is clear of underflow and overflow.
const SMALLEST: f64 = f64::from_bits((1023 - 120) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 120) << 52);

/// The bits of the canonical NaN of f32.
const NAN: u32 = 0x7fff_ffff;

/// A unit whose approximations are all of one kind.
pub struct Approximations {
    approximation: Approximation,
    exact: Nearest,
    /// The unit that is asked where f64 is not sure.
    slow: Approximating,
    /// The approximate instructions by their text, as f64 computes them; `None` for those that it does not compute.
    fast: HashMap<&'static str, Option<Fast>>,
    /// The exact instructions by their text, with the host's kernel; `None` where the host has none.
    host: HashMap<&'static str, Option<host::HostKernel>>,
}

impl Approximations {
    /// Returns a unit that has yet to execute anything.
    pub fn new(approximation: Approximation) -> Approximations {
        Approximations {
            approximation,
            exact: Nearest::default(),
            slow: Approximating::new(approximation),
            fast: HashMap::new(),
            host: HashMap::new(),
        }
    }

    /// Computes an instruction by MPFR.
    fn compute_slowly(
        &mut self,
        variant: &'static Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<(), String> {
        self.slow.execute(variant, operands, results)
    }

    /// Prepares an approximate instruction for f64; `None` if its operation has no function in f64, or it is not of one
    /// lane of f32.
    fn prepare_fast(
        &mut self,
        variant: &'static Variant,
        accuracy: &Accuracy,
    ) -> Result<Option<Fast>, String> {
        let of = |bound| match bound {
            Bound::Ulp(count) => Size::Ulp(count as i32),
            Bound::Relative(log2) => Size::Relative(log2.exp2()),
            Bound::Absolute(log2) => Size::Absolute(log2.exp2()),
            Bound::Unstated(_) => Size::Unstated,
            Bound::Zero => Size::Zero,
        };
        let real = match variant.meaning().op {
            Op::Div => Real::Div,
            Op::Rcp => Real::Rcp,
            Op::Sqrt => Real::Sqrt,
            Op::Rsqrt => Real::Rsqrt,
            Op::Sin => Real::Sin,
            Op::Cos => Real::Cos,
            Op::Lg2 => Real::Log2,
            Op::Ex2 => Real::Exp2,
            Op::Tanh => Real::Tanh,
            _ => return Ok(None),
        };
        let is_single = |format: &formats::Format| format.id == FormatId::F32;
        if variant.lanes() != 1 || !variant.outputs().iter().all(|one| is_single(one.format)) {
            return Ok(None);
        }
        let ranges = accuracy.ranges.iter();
        let ranges =
            ranges.map(|range| (range.operand, range.from, range.to, of(range.bound))).collect();
        let mut fast = Fast {
            real,
            flush: variant.meaning().flush.result,
            ranges,
            specials: [1f32, 0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(NAN)]
                .map(|x| (x.to_bits(), 0)),
            // 2^129 is beyond the largest number of f32, and 2^-151 is below half of its smallest.
            beyond: (real == Real::Exp2).then_some([(129.0, 0), (-151.0, 0)]),
        };
        // Special operands of a division are two, and `Fast::of` divides them by itself.
        if real != Real::Div {
            for (operand, result) in &mut fast.specials {
                *result = self.compute_one(variant, *operand)?;
            }
            for (from, result) in fast.beyond.iter_mut().flatten() {
                *result = self.compute_one(variant, from.to_bits())?;
            }
        }
        Ok(Some(fast))
    }

    /// Computes an instruction of one operand of f32 by MPFR, for one operand.
    fn compute_one(&mut self, variant: &'static Variant, operand: u32) -> Result<u32, String> {
        let [mut given, mut result] = [0; 2].map(|_| [Column::new(4, 1)]);
        given[0].set(0, operand.into());
        self.compute_slowly(variant, &given, &mut result)?;
        Ok(result[0].get(0) as u32)
    }
}

impl ExecutionUnit for Approximations {
    fn execute(
        &mut self,
        variant: &'static Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<(), String> {
        let Contract::Within(accuracy) = variant.form().contract else {
            let kernel = self.host.entry(variant.text()).or_insert_with(|| host::kernel(variant));
            let (Some(kernel), [into]) = (kernel, &mut *results) else {
                return self.exact.execute(variant, operands, results);
            };
            kernel(operands, into.elements_mut());
            return Ok(());
        };
        // Not `entry`: preparing asks the slow unit, and so borrows all of this one.
        if !self.fast.contains_key(variant.text()) {
            let fast = self.prepare_fast(variant, accuracy)?;
            self.fast.insert(variant.text(), fast);
        }
        let Some(Some(fast)) = self.fast.get(variant.text()) else {
            return self.compute_slowly(variant, operands, results);
        };
        let mut unsure = Vec::new();
        if let ([given @ .., last], [into]) = (operands, &mut *results) {
            let first = given.first().unwrap_or(last).elements::<u32>();
            let both = first.iter().zip(last.elements::<u32>());
            for (row, (result, (&a, &b))) in into.elements_mut::<u32>().iter_mut().zip(both).enumerate()
            {
                match fast.of(self.approximation, a, b) {
                    Some(known) => *result = known,
                    None => unsure.push(row),
                }
            }
        }
        if unsure.is_empty() {
            return Ok(());
        }
        let given = column::select(operands, &unsure);
        let mut exact = [Column::new(4, unsure.len())];
        self.compute_slowly(variant, &given, &mut exact)?;
        for (at, &row) in unsure.iter().enumerate() {
            results[0].set(row, exact[0].get(at));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use formats::{F32, UlpReading};
    use isa::{columns_for, results_for};
    use sweeps::{Length, Sweep};

    use super::*;
    use crate::table::Limit;

    const ROWS: usize = 3000;

    /// Checks that PTX's bounds in ulp and maxima of functions in ulp are read alike: the lowest and the highest result
    /// that the oracle permits of `ex2.approx.f32`, which `exp2f` is, are 2 ulp from the nearest one as
    /// [`UlpReading::CorrectlyRounded`] counts them, at powers of two, near infinity and among subnormal numbers.
    #[test]
    fn bounds_of_instructions_and_maxima_of_functions_have_one_unit() {
        let text = "ex2.approx.f32";
        let variant = Variant::all().iter().find(|variant| variant.text() == text).unwrap();
        let powers = (-150..=128).map(|exponent| exponent as f32);
        let around = powers.flat_map(|at| [at.next_down(), at, at.next_up(), at + 0.3]);
        // The example of `explain ex2.approx.ftz.f32 0x33000000`.
        let inputs: Vec<f32> = around.chain([f32::from_bits(0x3300_0000)]).collect();
        let mut operands = [Column::new(4, inputs.len())];
        operands[0]
            .elements_mut()
            .copy_from_slice(&inputs.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
        let [nearest, lowest, highest] = Approximation::ALL.map(|approximation| {
            let mut results = [Column::new(4, inputs.len())];
            Approximations::new(approximation).execute(variant, &operands, &mut results).unwrap();
            results[0].elements::<u32>().to_vec()
        });
        let mut reached = [0; 2];
        for (row, &nearest) in nearest.iter().enumerate() {
            for (result, reached) in [lowest[row], highest[row]].into_iter().zip(&mut reached) {
                let distance =
                    UlpReading::CorrectlyRounded.distance(&F32, result.into(), nearest.into());
                assert!(distance <= 2.0, "{:e}: {result:x} for {nearest:x}: {distance}", inputs[row]);
                assert!(!Limit::Ulp(2).is_exceeded(distance, 0.0, 0.0));
                *reached += usize::from(distance == 2.0);
            }
        }
        assert!(reached.iter().all(|&reached| reached * 2 > inputs.len()), "{reached:?}");
        assert_eq!((nearest.last(), lowest.last()), (Some(&0x3f80_0000), Some(&0x3f7f_fffc)));
    }

    /// Checks every approximate instruction on vectors of three sweeps against MPFR's ends and the emulator's nearest.
    #[test]
    fn results_are_those_of_the_units_that_ask_mpfr() {
        let approximate = |variant: &&Variant| matches!(variant.form().contract, Contract::Within(_));
        let (mut seen, mut known) = (0, 0);
        for variant in Variant::all().iter().filter(approximate) {
            let mut units = Approximation::ALL.map(Approximations::new);
            for sweep in ["boundary", "uniform", "exponents"].map(|name| Sweep::named(name).unwrap()) {
                let rows = match sweep.length(variant) {
                    Length::Finite(rows) => rows.min(ROWS as u64) as usize,
                    _ => ROWS,
                };
                let mut operands = columns_for(variant, rows);
                sweep.fill(variant, 3, 0, &mut operands);
                for fast in &mut units {
                    let [mut one, mut other] = [0; 2].map(|_| results_for(variant, rows));
                    fast.execute(variant, &operands, &mut one).unwrap();
                    fast.compute_slowly(variant, &operands, &mut other).unwrap();
                    for row in 0..rows {
                        let given: Vec<u64> = operands.iter().map(|column| column.get(row)).collect();
                        let [one, other] = [&one, &other].map(|results| results[0].get(row));
                        assert_eq!(one, other, "{variant} {given:x?} {:?}", fast.approximation);
                        if let Some(Some(of)) = fast.fast.get(variant.text()) {
                            seen += 1;
                            let last = *given.last().unwrap() as u32;
                            known +=
                                usize::from(of.of(fast.approximation, given[0] as u32, last).is_some());
                        }
                    }
                }
            }
        }
        assert!(seen > 100_000 && known * 10 > seen * 8, "{known} of {seen}");
    }
}
