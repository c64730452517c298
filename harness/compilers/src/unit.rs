//! Provides floating-point units that read the contracts of approximate instructions in the extreme, because what a
//! function promises has to hold for whatever its instructions may give.

use std::collections::HashMap;

use formats::Column;
use isa::Variant;
use judge::{Interval, Point, Truth, from_ordinal};
use machines::functions::{ExecutionUnit, Nearest};
use oracle::Oracle;

/// The choice among the results that a bound allows an approximate instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Approximation {
    /// The number that is nearest to the exact value.
    Nearest,
    /// The lowest number that the bound allows.
    Lowest,
    /// The highest number that the bound allows.
    Highest,
}

impl Approximation {
    /// All approximations: a promise has to hold with each.
    pub const ALL: [Approximation; 3] =
        [Approximation::Nearest, Approximation::Lowest, Approximation::Highest];

    /// The approximations at the ends of a bound.
    pub const ENDS: [Approximation; 2] = [Approximation::Lowest, Approximation::Highest];

    /// Returns the word for the approximation in reports and records.
    pub const fn name(self) -> &'static str {
        match self {
            Approximation::Nearest => "nearest",
            Approximation::Lowest => "lowest",
            Approximation::Highest => "highest",
        }
    }

    /// Whether the approximation is at an end of the bound.
    pub fn is_end(self) -> bool {
        self != Approximation::Nearest
    }
}

/// A unit whose approximations are all of one kind; MPFR computes the ends of their bounds.
///
/// The emulator executes exact instructions, and gives the nearest results. Special operands have the results of the
/// manual's tables. Where no bound is stated, and where there is no number within it, the result is the nearest.
pub struct Approximating {
    approximation: Approximation,
    /// The unit that gives the nearest results, and executes exact instructions.
    exact: Nearest,
    /// The oracle of each approximate instruction that was executed, by the name of its variant.
    oracles: HashMap<&'static str, (Oracle, Truth)>,
}

impl Approximating {
    /// Makes a unit that has yet to execute anything.
    pub fn new(approximation: Approximation) -> Approximating {
        Approximating { approximation, exact: Nearest::default(), oracles: HashMap::new() }
    }

    /// Returns the bits of an element at the unit's end of its interval; `None` where its result is the nearest.
    fn bits(&self, variant: &Variant, interval: &Interval) -> Option<u64> {
        let format = variant.outputs().first()?.format;
        let place = match self.approximation {
            Approximation::Nearest => return None,
            Approximation::Lowest => interval.low,
            Approximation::Highest => interval.high,
        };
        let is_stated = match interval.point {
            Point::Bound | Point::Subnormal | Point::Overflow => interval.low <= interval.high,
            Point::Minimum | Point::Gross => false,
            Point::NegativeZero | Point::NegativeInfinity => false,
            Point::ThisNan | Point::UpperHalfNan | Point::ZeroDividend => false,
        };
        // NaN has no place among numbers.
        (is_stated && place != i64::MAX).then(|| from_ordinal(format, place))
    }
}

impl ExecutionUnit for Approximating {
    fn execute(
        &mut self,
        variant: &'static Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<(), String> {
        if variant.is_exact() || !self.approximation.is_end() {
            return self.exact.execute(variant, operands, results);
        }
        let made = || (Oracle::new(variant), Truth::new(variant));
        // Taken out and put back below, because `bits` borrows the unit.
        let (mut oracle, mut truth) = self.oracles.remove(variant.text()).unwrap_or_else(made);
        oracle.expect(operands, &mut truth);
        let intervals = truth.intervals();
        if let Some(output) = variant.outputs().first() {
            let rows = operands.first().map_or(0, Column::rows);
            let mut elements = vec![0u64; intervals.len()];
            output.gather(variant.results(), &truth.results, 0..rows, &mut elements);
            for (element, interval) in elements.iter_mut().zip(intervals) {
                *element = self.bits(variant, interval).unwrap_or(*element);
            }
            // `scatter` leaves the bits that belong to no lane as they were.
            results.iter_mut().for_each(|column| column.bytes_mut().fill(0));
            output.scatter(variant.results(), &elements, 0..rows, results);
        }
        self.oracles.insert(variant.text(), (oracle, truth));
        Ok(())
    }
}

#[cfg(test)]
mod tests {

    use isa::{columns_for, results_for};
    use judge::{Batch, Judge, ordinal};
    use machines::functions::{Passed, RunnableFunction};
    use ptx::syntax::Module;
    use sweeps::{Length, Sweep};

    use super::*;

    const ROWS: usize = 200;

    fn vectors(variant: &Variant) -> Vec<Vec<Column>> {
        let sweeps = ["boundary", "uniform", "exponents"].map(|name| Sweep::named(name).unwrap());
        let columns = sweeps.iter().map(|sweep| {
            let rows = match sweep.length(variant) {
                Length::Finite(rows) if rows < ROWS as u64 => rows as usize,
                _ => ROWS,
            };
            let mut operands = columns_for(variant, rows);
            sweep.fill(variant, 3, 0, &mut operands);
            operands
        });
        columns.filter(|columns| columns[0].rows() > 0).collect()
    }

    fn executed(
        unit: &mut dyn ExecutionUnit,
        variant: &'static Variant,
        operands: &[Column],
    ) -> Vec<Column> {
        let mut results = results_for(variant, operands[0].rows());
        unit.execute(variant, operands, &mut results).unwrap();
        results
    }

    /// Results at both ends of a bound are right, one step beyond them is wrong, and between them lies the nearest
    /// result.
    #[test]
    fn extremes_are_the_last_results_that_the_judge_accepts() {
        let approximate = |variant: &&Variant| !variant.is_exact();
        let mut moved = 0;
        for variant in Variant::all().iter().filter(approximate).filter(|v| v.lanes() == 1) {
            let format = variant.outputs()[0].format;
            let judge = Judge::new(variant);
            for operands in vectors(variant) {
                let mut truth = Truth::new(variant);
                Oracle::new(variant).expect(&operands, &mut truth);
                let nearest = executed(&mut Nearest::default(), variant, &operands);
                for (extreme, step) in [(Approximation::Lowest, -1), (Approximation::Highest, 1)] {
                    let mut results = executed(&mut Approximating::new(extreme), variant, &operands);
                    let wrong = judge.wrong_rows(&truth, Batch::new(&operands, &results));
                    assert!(wrong.is_empty(), "{variant} {extreme:?}");
                    for row in 0..operands[0].rows() {
                        let [end, middle] = [results[0].get(row), nearest[0].get(row)];
                        let [end, middle] = [end, middle].map(|bits| ordinal(format, bits));
                        assert!((end - middle) * step >= 0, "{variant} {extreme:?} {row}");
                        if end == middle {
                            continue;
                        }
                        moved += 1;
                        let beyond = from_ordinal(format, end + step);
                        results[0].set(row, beyond);
                        let wrong = judge.wrong_rows(&truth, Batch::new(&operands, &results));
                        let is_other = truth.intervals()[row].other(format, 0) == Some(beyond);
                        assert!(wrong.len() == 1 || is_other, "{variant} {extreme:?} {row}");
                        results[0].set(row, from_ordinal(format, end));
                    }
                }
            }
        }
        assert!(moved > 1000, "only {moved} results are not the nearest");
    }

    #[test]
    fn packed_lanes_each_have_their_extreme() {
        let variant = Variant::all().iter().find(|one| one.text() == "ex2.approx.f16x2").unwrap();
        let mut operands = columns_for(variant, 1);
        // 1.5 and 0.5
        operands[0].set(0, 0x3e00_3800);
        let [low, high] = Approximation::ENDS
            .map(|extreme| executed(&mut Approximating::new(extreme), variant, &operands)[0].get(0));
        assert!(low & 0xffff < high & 0xffff && low >> 16 < high >> 16, "{low:x} {high:x}");
    }

    /// A square root of f16 as compilers make it, by way of an approximation of f32: with the nearest
    /// root it is rounded to nearest, and not with every root that the bound allows.
    #[test]
    fn what_holds_of_the_nearest_need_not_hold_of_an_extreme() {
        let module: Module = ".version 8.0\n.target sm_80\n.address_size 64\n\
            .visible .func (.param .align 2 .b8 func_retval0[2]) f(.param .align 2 .b8 f_param_0[2])\n{\n\
            .reg .b16 %rs<3>;\n.reg .f32 %f<3>;\nld.param.b16 %rs1, [f_param_0];\n\
            cvt.f32.f16 %f1, %rs1;\nsqrt.approx.ftz.f32 %f2, %f1;\ncvt.rn.f16.f32 %rs2, %f2;\n\
            st.param.b16 [func_retval0], %rs2;\nret;\n}\n"
            .parse()
            .unwrap();
        let root = RunnableFunction::of(&module, "f").unwrap();
        let rows = 0x7c00;
        let mut inputs = Column::new(2, rows);
        (0..rows).for_each(|row| inputs.set(row, row as u64));
        let roots = |unit: &mut dyn ExecutionUnit| {
            let mut results = [Column::new(2, rows)];
            root.run(unit, &mut [Passed::Value(&inputs)], &mut results, 100).unwrap();
            results[0].clone()
        };
        let nearest = roots(&mut Nearest::default());
        let [low, high] = Approximation::ENDS.map(|extreme| roots(&mut Approximating::new(extreme)));
        // The nearest roots are rounded to nearest: f32 has more than twice the bits of f16.
        let differs =
            |row: &usize| low.get(*row) != nearest.get(*row) || high.get(*row) != nearest.get(*row);
        let wrong: Vec<usize> = (0..rows).filter(differs).collect();
        assert_eq!((wrong.len(), wrong.first()), (15, Some(&0x0bff)));
        assert_eq!([low.get(0x0bff), nearest.get(0x0bff), high.get(0x0bff)], [0x23ff, 0x23ff, 0x2400]);
    }

    #[test]
    fn exact_instructions_have_no_extreme() {
        let variant = Variant::all().iter().find(|one| one.text() == "div.rn.f32").unwrap();
        for operands in vectors(variant) {
            let nearest = executed(&mut Nearest::default(), variant, &operands);
            let lowest = executed(&mut Approximating::new(Approximation::Lowest), variant, &operands);
            assert_eq!(nearest, lowest);
        }
    }
}
