//! Checks functions that should compute no single instruction: for each vector, one of some results is expected.

use std::collections::HashMap;

use formats::{Class, Column, Format, column};
use isa::{Type, Variant};
use judge::{Batch, Judge, Truth};
use machines::functions::{ExecutionUnit, Nearest};
use oracle::Oracle;

use crate::rows::{Expression, Open, Promise, PromiseRow, results};
use crate::unit::{Approximating, Approximation};

/// The number of rows that MPFR computes at a time.
const PART: usize = 16;

/// The expressions of a promise, of which one has to give each result.
#[derive(Debug)]
pub struct Expected {
    means: Vec<Expression>,
    open: Open,
    /// An instruction of the same operands and results, whose sweeps give the vectors.
    pub shape: &'static Variant,
    /// The expressions as a text.
    pub text: String,
}

/// The emulator and MPFR, which compute expected results. Approximations are at the same place of their bounds as those
/// of the function that is tried.
#[derive(Default)]
pub struct Units {
    emulator: Nearest,
    oracles: HashMap<&'static str, (Oracle, Truth)>,
    approximating: Option<Approximating>,
}

/// The contract of the outermost instruction of an expression, whose operands are results of the others.
pub(super) struct OuterContract {
    expression: Expression,
    judge: Judge,
    oracle: Oracle,
    truth: Truth,
}

impl OuterContract {
    /// Whether the contract permits these results of the expression, for these parameters.
    pub fn permits(&mut self, units: &mut Units, parameters: &[Column], results: &[Column]) -> bool {
        let mut emulated =
            |variant: &'static Variant, operands: &[Column]| units.emulated(variant, operands);
        let operands = self.expression.outer_operands(&mut emulated, parameters);
        self.oracle.expect(&operands, &mut self.truth);
        self.judge.wrong_rows(&self.truth, Batch::new(&operands, results)).is_empty()
    }
}

impl Units {
    /// Makes units whose approximations are of this kind; where that is the nearest numbers, MPFR computes them.
    pub(super) fn of(approximation: Approximation) -> Units {
        let is_end = approximation.is_end();
        let approximating = is_end.then(|| Approximating::new(approximation));
        Units { approximating, ..Units::default() }
    }

    /// Computes an instruction by the emulator, or by a unit for approximations at an end of their bounds.
    pub(super) fn emulated(&mut self, variant: &'static Variant, operands: &[Column]) -> Vec<Column> {
        let unit: &mut dyn ExecutionUnit = match &mut self.approximating {
            Some(unit) if !variant.is_exact() => unit,
            _ => &mut self.emulator,
        };
        results(variant, operands, |operands, results| {
            unit.execute(variant, operands, results).expect("it has every variant");
        })
    }

    /// Computes an instruction by MPFR, but for approximations at an end of their bounds.
    fn exact(&mut self, variant: &'static Variant, operands: &[Column]) -> Vec<Column> {
        if self.approximating.is_some() && !variant.is_exact() {
            return self.emulated(variant, operands);
        }
        let made = || (Oracle::new(variant), Truth::new(variant));
        let (oracle, truth) = self.oracles.entry(variant.text()).or_insert_with(made);
        oracle.expect(operands, truth);
        truth.results.clone()
    }
}

impl Expected {
    /// Makes the expectation that one of some expressions gives each result of a function with the operands of `shape`.
    pub(super) fn new(means: Vec<Expression>, open: Open, shape: &'static Variant) -> Expected {
        let all: Vec<String> = means.iter().map(Expression::to_string).collect();
        Expected { text: all.join(" or ") + &open.to_string(), means, open, shape }
    }

    /// Returns the expressions of which one has to give each result, and what is open beside them.
    pub(super) fn promised(&self) -> (Vec<Expression>, Open) {
        (self.means.clone(), self.open)
    }

    /// Makes the expectation of a row's promise.
    pub fn of(row: &PromiseRow, promise: &Promise) -> Expected {
        let (means, open) = (promise.means.clone(), promise.open);
        Expected { means, open, shape: row.shape(), text: promise.text() }
    }

    /// Returns the first rows whose results are none of those expected, in order. The search ends when it has found at
    /// least `most` of them, so there may be some more.
    pub fn wrong(
        &self,
        units: &mut Units,
        operands: &[Column],
        came: &Column,
        most: usize,
    ) -> Vec<usize> {
        let mut unlike: Vec<usize> = (0..came.rows())
            .filter(|&row| {
                !self.is_open(operands, row) && !self.is_of_signalling(operands, row, came.get(row))
            })
            .collect();
        // The emulator is fast, and MPFR has the last word.
        for expression in &self.means {
            let [operands, came] =
                [operands, std::slice::from_ref(came)].map(|all| column::select(all, &unlike));
            if unlike.is_empty() {
                return Vec::new();
            }
            let due = expression
                .evaluate(&mut |variant, operands| units.emulated(variant, operands), &operands);
            // `retain` does not say which row it asks about.
            let mut places = 0..;
            let all = &operands;
            unlike.retain(|_| {
                let at = places.next().expect("numbers have no end");
                !self.accepts(all, at, due.get(at), came[0].get(at))
            });
        }
        let mut wrong = Vec::new();
        for rows in unlike.chunks(PART) {
            let permitted = self.permitted(units, &column::select(operands, rows));
            for (at, &row) in rows.iter().enumerate() {
                let accepts = |permitted: &[Column], at| {
                    permitted.iter().any(|due| self.accepts(operands, row, due.get(at), came.get(row)))
                };
                let mut with_other_zeros = || {
                    let others = self.other_zeros(operands, row);
                    others.iter().any(|one| accepts(&self.permitted(units, one), 0))
                };
                if !accepts(&permitted, at) && !with_other_zeros() {
                    wrong.push(row);
                }
            }
            if wrong.len() >= most {
                break;
            }
        }
        wrong
    }

    /// Computes the exact results of each expression: a column for each, in their order.
    pub fn permitted(&self, units: &mut Units, operands: &[Column]) -> Vec<Column> {
        let mut exact = |variant: &'static Variant, operands: &[Column]| units.exact(variant, operands);
        self.means.iter().map(|expression| expression.evaluate(&mut exact, operands)).collect()
    }

    /// Returns the contract of the outermost instruction of each expression.
    pub(super) fn outer_contracts(&self) -> Vec<OuterContract> {
        let contract = |expression: &Expression| OuterContract {
            judge: Judge::new(expression.variant),
            oracle: Oracle::new(expression.variant),
            truth: Truth::new(expression.variant),
            expression: expression.clone(),
        };
        self.means.iter().map(contract).collect()
    }

    /// Computes the results of the first expression by the emulator.
    pub(super) fn first(&self, units: &mut Units, operands: &[Column]) -> Column {
        let mut emulated =
            |variant: &'static Variant, operands: &[Column]| units.emulated(variant, operands);
        match self.means.first() {
            Some(expression) => expression.evaluate(&mut emulated, operands),
            None => Column::new(self.ty().row_bytes(), operands.first().map_or(0, Column::rows)),
        }
    }

    /// Returns the type of the results.
    pub(super) fn ty(&self) -> &'static Type {
        &self.shape.results()[0].ty
    }

    /// Returns the outermost instruction of what is expected.
    pub(super) fn outer(&self) -> &'static Variant {
        self.means.first().map_or(self.shape, |expression| expression.variant)
    }

    /// Whether nothing is promised of a vector.
    fn is_open(&self, operands: &[Column], row: usize) -> bool {
        if let (Some(integer), Some(input)) = (self.open.fits, self.shape.inputs().first()) {
            let bits = input.slots[0].take(operands[input.slots[0].register].get(row));
            return integer.of_value(input.format.value(bits)).is_none();
        }
        // This is asked of every vector, and mostly nothing is open.
        if !(self.open.nnan || self.open.ninf) {
            return false;
        }
        let mut registers = self.shape.operands().iter().zip(operands);
        registers.any(|(register, column)| self.leaves_open(&register.ty, column.get(row)))
    }

    /// Whether a result is a NaN that a signalling operand may give.
    fn is_of_signalling(&self, operands: &[Column], row: usize, came: u64) -> bool {
        let signalling =
            |format: &Format, bits: u64| format.is_nan(bits) && bits & format.quiet_bit() == 0;
        self.open.snan
            && has_lane(self.ty(), came, Format::is_nan)
            && self.has_operand(operands, row, signalling)
    }

    /// Whether an operand of a row has a lane of a kind.
    fn has_operand(&self, operands: &[Column], row: usize, kind: fn(&Format, u64) -> bool) -> bool {
        let mut registers = self.shape.operands().iter().zip(operands);
        registers.any(|(register, column)| has_lane(&register.ty, column.get(row), kind))
    }

    /// Returns the zeros among the operands of a row whose signs do not matter: the register of each, and the sign's
    /// bit in it.
    fn free_zeros(&self, operands: &[Column], row: usize) -> Vec<(usize, u64)> {
        let inputs = self.shape.inputs().iter().filter(|_| self.open.nsz);
        let slots = inputs.flat_map(|input| input.slots.iter().map(move |slot| (input.format, slot)));
        let zeros = slots.filter(|(format, slot)| {
            let bits = slot.take(operands[slot.register].get(row));
            format.signed && !format.is_fixed() && format.class(bits) == Class::Zero
        });
        zeros.map(|(format, slot)| (slot.register, slot.put(format.sign_mask()))).collect()
    }

    /// Returns the operands of a row with every other choice of signs for the zeros whose signs do not matter. The sign
    /// of a result may depend on them, even if it is infinite.
    fn other_zeros(&self, operands: &[Column], row: usize) -> Vec<Vec<Column>> {
        let zeros = self.free_zeros(operands, row);
        let changed = (1..1_usize << zeros.len()).map(|chosen| {
            let mut one = column::select(operands, &[row]);
            for (at, &(register, sign)) in zeros.iter().enumerate() {
                let bits = one[register].get(0);
                one[register].set(0, if chosen >> at & 1 == 1 { bits ^ sign } else { bits });
            }
            one
        });
        changed.collect()
    }

    /// Whether the promise leaves the difference between two results of a row open.
    pub(super) fn may_differ(&self, operands: &[Column], row: usize, due: u64, came: u64) -> bool {
        self.is_open(operands, row)
            || self.is_of_signalling(operands, row, due)
            || self.is_of_signalling(operands, row, came)
            || !self.free_zeros(operands, row).is_empty()
            || self.accepts(operands, row, due, came)
    }

    /// Whether a lane of a value is a NaN or an infinity of which the flags leave everything open.
    fn leaves_open(&self, ty: &Type, bits: u64) -> bool {
        let class = |lane| ty.format.class(ty.lane(bits, lane));
        (0..ty.lanes).any(|lane| match class(lane) {
            Class::Nan => self.open.nnan,
            Class::Infinity => self.open.ninf,
            _ => false,
        })
    }

    /// Whether a result of a row is as good as one that is due.
    fn accepts(&self, operands: &[Column], row: usize, due: u64, came: u64) -> bool {
        let ty = self.ty();
        let unsigned = self.open.nan_sign && self.has_operand(operands, row, Format::is_nan);
        let same = |lane| {
            let kept = if unsigned { ty.format.magnitude_mask() } else { ty.format.mask() };
            let [due, came] = [due, came].map(|bits| ty.lane(bits, lane) & kept);
            let nan = |bits| !ty.format.is_fixed() && ty.format.is_nan(bits);
            let zero = |bits| ty.format.class(bits) == Class::Zero;
            // A value below this number may be rounded up to it, or flushed to zero before it is rounded.
            let least = due & ty.format.magnitude_mask() == ty.format.min_normal();
            let flushed = self.open.tiny && least && came == due & ty.format.sign_mask();
            due == came || nan(due) && nan(came) || self.open.nsz && zero(due) && zero(came) || flushed
        };
        due == came || self.leaves_open(ty, due) || (0..ty.lanes).all(same)
    }
}

/// Whether a lane of a value is of a kind.
fn has_lane(ty: &Type, bits: u64, kind: fn(&Format, u64) -> bool) -> bool {
    (0..ty.lanes).any(|lane| kind(ty.format, ty.lane(bits, lane)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the results that are wrong for an expression, where the operands of f32 in `row` are the same for each
    /// result.
    fn wrong(text: &str, flags: &str, row: [u32; 2], results: &[u32]) -> Vec<u32> {
        let means = vec![Expression::parse(text)];
        let shape = means[0].variant;
        let expected = Expected { means, open: Open::of(flags), shape, text: text.into() };
        let column = |bits: &[u32]| {
            let mut column = Column::new(4, bits.len());
            column.elements_mut().copy_from_slice(bits);
            column
        };
        let operands = row.map(|bits| column(&vec![bits; results.len()]));
        let operands = &operands[..shape.operands().len()];
        let rows = expected.wrong(&mut Units::default(), operands, &column(results), usize::MAX);
        rows.into_iter().map(|row| results[row]).collect()
    }

    #[test]
    fn a_signalling_operand_may_give_a_nan_where_that_is_said() {
        let results = [0, 0x7fc0_0000, 1];
        let of = |flags: &str, operand: u32| wrong("min.f32", flags, [0, operand], &results);
        assert_eq!(of("nsz snan", 0x7f80_0001), [1]);
        assert_eq!(of("nsz", 0x7f80_0001), [0x7fc0_0000, 1]);
        assert_eq!(of("nsz snan", 0x7fc0_0001), [0x7fc0_0000, 1]);
    }

    #[test]
    fn the_sign_alone_is_open_where_an_operand_is_nan_and_that_is_said() {
        const ONE: u32 = 0x3f80_0000;
        let results = [ONE, ONE | 1 << 31, 7];
        let of = |operand: u32| wrong("copysign.f32", "nan-sign", [operand, ONE], &results);
        assert_eq!(of(0x7fc0_0000), [7]);
        assert_eq!(of(1 << 31), [ONE, 7]);
    }

    /// The power 3^5 is computed by approximations; those of the function and those of the promise are at the same end.
    #[test]
    fn approximations_of_a_promise_are_where_those_of_the_function_are() {
        let text = "ex2.approx.f32(mul.rn.f32(b, lg2.approx.f32(a)))";
        let means = vec![Expression::parse(text)];
        let shape = Variant::named("div.rn.f32").expect("of as many operands");
        let expected = Expected { means, open: Open::default(), shape, text: text.into() };
        let operands = [0x4040_0000, 0x40a0_0000].map(|bits| {
            let mut column = Column::new(4, 1);
            column.set(0, bits);
            column
        });
        let ends = [Approximation::Lowest, Approximation::Nearest, Approximation::Highest];
        let results = ends.map(|end| expected.permitted(&mut Units::of(end), &operands).remove(0));
        let [low, nearest, high] = [0, 1, 2].map(|at| f32::from_bits(results[at].get(0) as u32));
        assert!(low < nearest && nearest < high && (nearest - 243.0).abs() < 1e-3, "{low} {high}");
        for (at, end) in ends.into_iter().enumerate() {
            for (other, came) in results.iter().enumerate() {
                let wrong = expected.wrong(&mut Units::of(end), &operands, came, 1);
                assert_eq!(wrong.is_empty(), at == other, "{end:?} {other}");
            }
        }
    }

    #[test]
    fn signs_of_zeros_do_not_matter_and_all_else_does() {
        const ZERO: [u32; 2] = [0, 1 << 31];
        const INFINITY: [u32; 2] = [0x7f80_0000, 0xff80_0000];
        const ONE: u32 = 0x3f80_0000;
        // Of 0 and −1, −1 is the least, whatever the sign of the zero.
        assert_eq!(wrong("min.f32(a, b)", "nsz", [0, 0xbf80_0000], &[0xbf80_0000, 0, ONE]), [0, ONE]);
        assert_eq!(wrong("min.f32(a, b)", "nsz", ZERO, &[0, 1 << 31, ONE]), [ONE]);
        assert_eq!(wrong("min.f32(a, b)", "", ZERO, &[0, 1 << 31]), [0]);
        // The sign of an operand decides which infinity comes out.
        for zero in ZERO {
            assert_eq!(
                wrong("div.rn.f32(a, b)", "nsz", [ONE, zero], &[INFINITY[0], INFINITY[1], ONE]),
                [ONE]
            );
        }
        assert_eq!(wrong("div.rn.f32(a, b)", "", [ONE, 0], &INFINITY), [INFINITY[1]]);
        assert_eq!(wrong("div.rn.f32(a, b)", "nnan", [0x7fc0_0000, 0], &[ONE, 7]), [0; 0]);
    }
}
