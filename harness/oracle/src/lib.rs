//! The oracle: for each lane the exact value, then the one rounding, both by MPFR, then what the
//! modifiers make of it. Formats are values; nothing per instruction but the mathematics.

mod accuracy;
mod arithmetic;
mod compare;
mod finish;
mod fixed;
mod library;
mod operand;
mod rounded;
mod runs;
mod series;

use judge::{Accepted, Truth};
use vectors::isa::{Contract, Op};
use vectors::{Column, Format, Variant};

use accuracy::Approximate;
use arithmetic::Arithmetic;
use compare::Compare;
pub use library::{Versions, decimal, versions};
pub use runs::has_runs;
use series::Series;
pub use series::departure;

/// Rows that are computed before they go to their registers: few enough for the nearest cache.
const ROWS: usize = 1024;
/// No lane has more outputs.
const OUTPUTS_MAX: usize = 2;

/// Knows the truth about one variant. Not shared between threads: it owns its scratch numbers.
pub struct Oracle {
    variant: Variant,
    engine: Engine,
    /// Whether MPFR need not see what lies inside a run of inputs with one result.
    runs: bool,
    /// Elements of each input and of each output of a few rows.
    inputs: [Vec<u64>; 3],
    outputs: [Vec<u64>; OUTPUTS_MAX],
}

/// The kinds of mathematics.
enum Engine {
    /// One value, rounded once.
    Arithmetic(Box<Arithmetic>),
    /// A choice among operands, or a statement about them.
    Compare(Box<Compare>),
    /// A value within a bound.
    Approximate(Box<Approximate>),
    /// The same, of runs of consecutive inputs.
    Series(Box<Series>),
}

impl Oracle {
    /// The oracle of a variant.
    pub fn new(variant: &Variant) -> Oracle {
        let engine = match (variant.form().contract, variant.meaning().op) {
            (Contract::Within(accuracy), _) => {
                Engine::Approximate(Box::new(Approximate::new(variant, accuracy)))
            }
            (
                _,
                Op::Abs
                | Op::Neg
                | Op::Copysign
                | Op::Test(_)
                | Op::Extremum(_)
                | Op::Compare(_)
                | Op::Select,
            ) => Engine::Compare(Box::new(Compare::new(variant))),
            _ => Engine::Arithmetic(Box::new(Arithmetic::new(variant))),
        };
        Oracle::with(variant, engine)
    }

    /// The oracle of an approximate function of one f32 that computes runs of consecutive inputs by
    /// series, and all else by MPFR: 50 times as fast on the sweep `exhaustive`. `None` of other
    /// variants.
    ///
    /// Its truth is that of [`Oracle::new`] in every bit but those of [`Interval::exact`](judge::Interval::exact), which may
    /// differ by 2^-38 of itself, and mostly differs by less than 2^-50. It lies on the same side as
    /// the exact value of every number of f32 and every middle between two, so that no error passes
    /// from one bin of a histogram to another.
    pub fn by_series(variant: &Variant) -> Option<Oracle> {
        let Contract::Within(accuracy) = variant.form().contract else { return None };
        let series = || Engine::Series(Box::new(Series::new(variant, accuracy)));
        Oracle::has_series(variant).then(|| Oracle::with(variant, series()))
    }

    /// Whether [`Oracle::by_series`] has an oracle of a variant.
    pub fn has_series(variant: &Variant) -> bool {
        series::has(variant)
    }

    fn with(variant: &Variant, engine: Engine) -> Oracle {
        let elements = vec![0; ROWS * variant.lanes()];
        Oracle {
            variant: variant.clone(),
            engine,
            runs: false,
            inputs: [(); 3].map(|()| elements.clone()),
            outputs: [(); OUTPUTS_MAX].map(|()| elements.clone()),
        }
    }

    /// The oracle of a variant, which lets MPFR judge both ends of a run of consecutive inputs, and
    /// infers what lies between where that is sure. It knows what [`Oracle::new`] knows.
    pub fn by_runs(variant: &Variant) -> Oracle {
        Oracle { runs: has_runs(variant), ..Oracle::new(variant) }
    }

    /// Whether it computes what `other` does, step by step, of the same registers: as `cvt.rni.sat.s32.f32`
    /// does what `cvt.rni.s32.f32` does.
    pub fn is(&self, other: &Oracle) -> bool {
        let registers = |oracle: &Oracle| {
            let all = [oracle.variant.operands(), oracle.variant.results()].concat();
            all.iter().map(|register| register.ty).collect::<Vec<_>>()
        };
        match (&self.engine, &other.engine) {
            (Engine::Arithmetic(a), Engine::Arithmetic(b)) => {
                registers(self) == registers(other) && a.is(b)
            }
            _ => false,
        }
    }

    /// Computes what `operands` should give; they are the variant's, all of one length.
    ///
    /// # Panics
    /// If `truth` was made for a variant with a contract of another kind.
    pub fn expect(&mut self, operands: &[Column], truth: &mut Truth) {
        let rows = operands[0].rows();
        let Truth { results, accepted } = truth;
        if let (Engine::Series(series), Accepted::Within(intervals)) = (&mut self.engine, &mut *accepted)
        {
            return series.expect(&operands[0], &mut results[0], intervals);
        }
        for column in results.iter_mut() {
            column.resize(rows);
            column.bytes_mut().fill(0);
        }
        accepted.clear();
        let variant = &self.variant;
        let lanes = variant.lanes();
        for start in (0..rows).step_by(ROWS) {
            let range = start..rows.min(start + ROWS);
            let count = range.len() * lanes;
            for (stream, elements) in variant.inputs().iter().zip(&mut self.inputs) {
                stream.gather(variant.operands(), operands, range.clone(), elements);
            }
            let first = start * lanes;
            let inputs = self.inputs.each_ref().map(|elements| &elements[..count]);
            let outputs = self.outputs.each_mut().map(|elements| &mut elements[..count]);
            match (&mut self.engine, &mut *accepted) {
                (Engine::Arithmetic(arithmetic), Accepted::Exact(alternatives))
                    if self.runs && runs::are_consecutive(inputs[0]) =>
                {
                    let ([input, ..], [output, _]) = (inputs, outputs);
                    let format = variant.inputs()[0].format;
                    runs::expect(arithmetic, format, input, output, first, alternatives);
                }
                (Engine::Arithmetic(arithmetic), Accepted::Exact(alternatives)) => {
                    let [output, _] = outputs;
                    arithmetic.expect(inputs, output, first, alternatives);
                }
                (Engine::Compare(compare), Accepted::Exact(_)) => compare.expect(inputs, outputs),
                (Engine::Approximate(approximate), Accepted::Within(intervals)) => {
                    let [output, _] = outputs;
                    approximate.expect(inputs, output, intervals);
                }
                _ => panic!("the truth of another variant"),
            }
            for (stream, elements) in variant.outputs().iter().zip(&self.outputs) {
                stream.scatter(variant.results(), elements, range.clone(), results);
            }
        }
    }
}

/// The inputs' formats; those that a variant lacks are its first.
fn formats(variant: &Variant) -> [&'static Format; 3] {
    let inputs = variant.inputs();
    std::array::from_fn(|at| inputs.get(at).unwrap_or(&inputs[0]).format)
}
