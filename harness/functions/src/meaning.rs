//! Judges a function of a user's own by a function of the table: each result has to lie within a bound of the exact
//! value.

use std::sync::Arc;

use anyhow::{Result, bail};
use compilers::promises::UlpBound;
use compilers::rows::shape_of;
use formats::{Class, Column, Format, UlpReading, column};
use isa::{Variant, results_for};
use judge::{Batch, Errors, Mismatch, MismatchKind, Tally};
use oracle::FunctionValue;
use runner::{ALL_OPERANDS, Meaning, MeaningJudge};

use super::table::{FUNCTIONS, LibraryFunction, Limit};
use super::tally::errors;
use super::truth::{Truths, power, value};

/// The flag of a meaning that permits subnormal operands and results to be zeros.
const FTZ: &str = "ftz";

/// A meaning such as `expf` or `within 1 ulp of expf; ftz`.
#[derive(Clone)]
pub struct FunctionMeaning {
    function: &'static LibraryFunction,
    /// The bound that the text names; the documented one if it names none.
    bound: Option<UlpBound>,
    limit: fn(f64) -> Limit,
    flush: bool,
    shape: &'static Variant,
}

impl FunctionMeaning {
    /// Reads a meaning: the name of a function of the table, with a bound before it, if another than the documented
    /// maximum is meant, and `; ftz` behind it if subnormal numbers may be flushed. `None` if the text names no function
    /// of the table.
    ///
    /// # Errors
    /// If there is another flag than `ftz`, the bound is no number, or neither text nor table has a bound.
    pub fn read(text: &str) -> Result<Option<FunctionMeaning>> {
        let (named, flags) = text.split_once(';').unwrap_or((text, ""));
        let (bound, name) = UlpBound::take(named.trim())?;
        let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
            return Ok(None);
        };
        let flags: Vec<&str> = flags.split_whitespace().collect();
        if let Some(flag) = flags.iter().find(|flag| **flag != FTZ) {
            bail!("`{flag}` in --as: behind the name of a function, only `{FTZ}` can be written");
        }
        if function.arity > 1 && !flags.is_empty() {
            bail!(
                "`{FTZ}` in --as: {name} has several operands, and only functions of one can be flushed"
            );
        }
        let Some(limit) =
            function.documented.limit.or(bound.map(|_| (|_| Limit::Unsaid) as fn(f64) -> Limit))
        else {
            bail!("no maximum is documented for {name}: write --as 'within N ulp of {name}'");
        };
        let ty = function.format.name.to_owned();
        let takes = vec![ty.clone(); function.arity as usize];
        let Some(shape) = shape_of(&takes, &ty) else {
            bail!("no instruction takes and gives the types of {name}, so there are no vectors for it");
        };
        Ok(Some(FunctionMeaning { function, bound, limit, flush: !flags.is_empty(), shape }))
    }

    /// Returns an instruction with the operands and the result of the function, whose sweeps give the vectors.
    pub fn shape(&self) -> &'static Variant {
        self.shape
    }

    /// Returns whether a result is one that the bound permits, and its error in ulp; infinite if only one of the result and
    /// the correctly rounded one is NaN. What may be a zero, because it may be flushed, has no error.
    fn judged(&self, operand: u64, result: u64, known: FunctionValue, of_zero: [u64; 2]) -> (bool, f64) {
        let format = self.function.format;
        let FunctionValue { nearest, value: exact } = known;
        let [is, should] = [result, nearest].map(|bits| format.is_nan(bits));
        if is || should {
            let is_right = is && should
                || self.flush && is_subnormal(format, operand) && {
                    let zero = of_zero[usize::from(format.is_negative(operand))];
                    is && format.is_nan(zero) || result == zero
                };
            return (is_right, if is_right { 0.0 } else { f64::INFINITY });
        }
        let magnitude = format.magnitude_mask();
        if self.flush {
            let of_zero = of_zero[usize::from(format.is_negative(operand))];
            let flushed = result & magnitude == 0 && exact.abs() <= power(format.exponent_min());
            if flushed || is_subnormal(format, operand) && result == of_zero {
                return (true, 0.0);
            }
        }
        if result == nearest {
            return (true, 0.0);
        }
        let is_at_end = [result, nearest].iter().any(|bits| format.class(*bits) == Class::Infinity);
        let (distance, off) = if is_at_end {
            // The value decides: infinity stands for the power of two behind the largest number.
            let end = power(format.exponent_max() + 1);
            let off = (value(format, result).clamp(-end, end) - exact).abs();
            (off / power(format.ulp_exponent(format.exponent_max())), off)
        } else {
            let (off, _) = errors(format, result, exact);
            (UlpReading::CorrectlyRounded.distance(format, result, nearest), off)
        };
        let is_right = match self.bound {
            Some(bound) => distance <= bound.ulp(),
            None => !(self.limit)(value(format, operand)).is_exceeded(distance, off, exact),
        };
        (is_right, distance)
    }
}

/// Whether the bits are those of a number between zero and the smallest normal number.
fn is_subnormal(format: &Format, bits: u64) -> bool {
    let magnitude = bits & format.magnitude_mask();
    magnitude != 0 && magnitude < format.min_normal()
}

impl std::fmt::Debug for FunctionMeaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FunctionMeaning({})", self.text())
    }
}

impl Meaning for FunctionMeaning {
    fn text(&self) -> String {
        let bound = self.bound.map(|bound| bound.to_string()).unwrap_or_default();
        let flags = if self.flush { format!("; {FTZ}") } else { String::new() };
        format!("{bound}{}{flags}", self.function.name)
    }

    fn bound(&self) -> Option<String> {
        Some(self.bound.map_or_else(|| self.function.documented.says.into(), UlpBound::in_words))
    }

    fn judge(&self) -> Box<dyn MeaningJudge> {
        let LibraryFunction { real, format, .. } = *self.function;
        let mut truths = Truths::new(real, format);
        let of_zero = [0.0, -0.0].map(|zero| truths.exact([zero, 0.0]).nearest);
        Box::new(FunctionJudge {
            meaning: Arc::new(self.clone()),
            truths,
            of_zero,
            known: Vec::new(),
            expected: results_for(self.shape, 0),
        })
    }
}

/// The judge of a function in one thread.
struct FunctionJudge {
    meaning: Arc<FunctionMeaning>,
    truths: Truths,
    /// The correctly rounded results of +0 and of −0.
    of_zero: [u64; 2],
    /// The exact values of the last batch.
    known: Vec<FunctionValue>,
    /// The correctly rounded results of the last batch.
    expected: Vec<Column>,
}

impl MeaningJudge for FunctionJudge {
    fn expect(&mut self, operands: &[Column]) {
        let format = self.meaning.function.format;
        let rows = operands.first().map_or(0, Column::rows);
        let input = |at: usize, row: usize| {
            operands.get(at).map_or(0.0, |column| value(format, column.get(row)))
        };
        self.known.clear();
        self.known.extend((0..rows).map(|row| self.truths.of([input(0, row), input(1, row)])));
        for column in &mut self.expected {
            column.resize(rows);
            self.known.iter().enumerate().for_each(|(row, known)| column.set(row, known.nearest));
        }
    }

    fn expected(&self) -> &[Column] {
        &self.expected
    }

    fn judge(&mut self, batch: Batch, tally: &mut Tally) {
        let rows = batch.results.first().map_or(0, Column::rows);
        tally.vectors += rows as u64;
        let (Some(results), Some(operands)) = (batch.results.first(), batch.operands.first()) else {
            return;
        };
        let vector = |row: usize| (batch.number(row), column::row_bits(batch.operands, row));
        let (mut errors, mut differing) = (Errors::default(), 0);
        for row in column::differing(batch.results, &self.expected) {
            let Some(&known) = self.known.get(row) else { continue };
            let came = results.get(row);
            let (is_right, error) = self.meaning.judged(operands.get(row), came, known, self.of_zero);
            differing += 1;
            errors.add_ulp(error, || vector(row));
            if is_right {
                continue;
            }
            let kind =
                MismatchKind::of(self.meaning.shape, self.meaning.function.format, known.nearest, came);
            let index = batch.number(row);
            tally.mismatch(kind, index, || Mismatch {
                index,
                operands: column::row_bits(batch.operands, row),
                expected: vec![known.nearest.into()],
                accepted: Vec::new(),
                actual: vec![came.into()],
                words: None,
            });
        }
        // The others are the correctly rounded results.
        (differing..rows).for_each(|_| errors.add_ulp(0.0, || vector(0)));
        tally.errors.entry(ALL_OPERANDS.to_owned()).or_default().merge(errors);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the results that are wrong for an operand.
    fn wrong(text: &str, operand: f32, results: &[f32]) -> Vec<f32> {
        let meaning = FunctionMeaning::read(text).expect(text).expect(text);
        let column = |bits: Vec<u32>| {
            let mut column = Column::new(4, bits.len());
            column.elements_mut().copy_from_slice(&bits);
            [column]
        };
        let operands = column(vec![operand.to_bits(); results.len()]);
        let given = column(results.iter().map(|result| result.to_bits()).collect());
        let mut judge = meaning.judge();
        judge.expect(&operands);
        let mut tally = Tally::default();
        judge.judge(Batch::new(&operands, &given), &mut tally);
        assert_eq!(tally.vectors, results.len() as u64);
        assert_eq!(tally.errors[ALL_OPERANDS].count(), tally.vectors);
        let all = tally.classes.values().flat_map(|class| &class.examples);
        let mut rows: Vec<u64> = all.map(|one| one.index).collect();
        rows.sort_unstable();
        rows.into_iter().map(|row| results[row as usize]).collect()
    }

    const E: f32 = std::f32::consts::E;

    /// Returns the number that is so many numbers above e.
    fn beside_e(count: i32) -> f32 {
        f32::from_bits(E.to_bits().wrapping_add_signed(count))
    }

    #[test]
    fn a_result_within_the_bound_is_right() {
        let all = [E, beside_e(1), beside_e(-2), beside_e(3)];
        assert_eq!(wrong("within 0 ulp of expf", 1.0, &all), all[1..]);
        assert_eq!(wrong("within 1.5 ulp of expf", 1.0, &all), all[2..]);
        // The guide documents 2 ulp.
        assert_eq!(wrong("expf", 1.0, &all), all[3..]);
        assert_eq!(wrong("within 3 ulp of expf", 1.0, &all), [0.0; 0]);
    }

    /// The largest error is kept with its operand, whether it is within the bound or not.
    #[test]
    fn the_largest_error_is_kept() {
        for (text, results, largest) in [
            ("within 9 ulp of expf", [beside_e(1), beside_e(-3)], Some(3.0)),
            ("within 0 ulp of expf", [beside_e(2), E], Some(2.0)),
            ("expf", [E, E], Some(0.0)),
            ("expf", [f32::NAN, beside_e(1)], None),
        ] {
            let meaning = FunctionMeaning::read(text).expect(text).expect(text);
            let column = |all: [f32; 2]| {
                let mut column = Column::new(4, 2);
                column.elements_mut().copy_from_slice(&all.map(f32::to_bits));
                [column]
            };
            let (operands, given) = (column([1.0; 2]), column(results));
            let (mut judge, mut tally) = (meaning.judge(), Tally::default());
            judge.expect(&operands);
            judge.judge(Batch::new(&operands, &given), &mut tally);
            let worst = tally.errors[ALL_OPERANDS].worst.as_ref().expect("there are results");
            assert_eq!(worst.ulp, largest, "{text} {results:?}");
            assert_eq!(worst.operands[0].word(), u64::from(1.0_f32.to_bits()));
        }
    }

    #[test]
    fn nan_and_infinity_are_told_from_numbers() {
        assert_eq!(wrong("logf", -1.0, &[f32::NAN, -f32::NAN, 1.0]), [1.0]);
        assert_eq!(wrong("expf", 1.0, &[f32::INFINITY]), [f32::INFINITY]);
        assert_eq!(wrong("expf", 1000.0, &[f32::INFINITY, 1.0, f32::MAX]), [1.0, f32::MAX]);
        // e^89 is 31 % above the largest number.
        assert_eq!(wrong("expf", 89.0, &[f32::INFINITY, f32::MAX]), [f32::MAX]);
        assert_eq!(wrong("logf", 0.0, &[f32::NEG_INFINITY, f32::MIN]), [f32::MIN]);
        assert_eq!(wrong("within 1e9 ulp of expf", f32::INFINITY, &[f32::MAX]), [f32::MAX]);
        assert_eq!(wrong("expf", 1.0, &[f32::NAN]).len(), 1);
    }

    #[test]
    fn subnormal_numbers_may_be_zeros_where_that_is_said() {
        const TINY: f32 = 1e-40;
        assert_eq!(wrong("sinf; ftz", TINY, &[TINY, 0.0, 1e-38]), [1e-38]);
        assert_eq!(wrong("sinf", TINY, &[0.0]), [0.0]);
        assert_eq!(wrong("expf; ftz", -100.0, &[0.0]), [0.0; 0]);
        // The logarithm of a number that is flushed is that of zero.
        assert_eq!(wrong("logf; ftz", TINY, &[f32::NEG_INFINITY]), [0.0; 0]);
        assert_eq!(wrong("logf", TINY, &[f32::NEG_INFINITY]).len(), 1);
    }

    #[test]
    fn what_is_read_is_written_again() {
        for text in ["expf", "within 1 ulp of expf; ftz", "within 0.5 ulp of __expf"] {
            let meaning = FunctionMeaning::read(text).unwrap().expect(text);
            assert_eq!(meaning.text(), text);
        }
        assert!(FunctionMeaning::read("add.rn.f32").unwrap().is_none());
        for text in ["expf; nsz", "within x ulp of expf", "within -1 ulp of expf", "within 1 ulp expf"] {
            assert!(FunctionMeaning::read(text).is_err(), "{text}");
        }
    }
}
