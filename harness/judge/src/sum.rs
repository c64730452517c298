//! Sums of products: the results that are right, whatever the order of adding, and the judge of them.

use formats::{Class, Column, Format, column};
use isa::matrix::{MatrixVariant, SumRelaxation};

use super::batch::Batch;
use super::bounds::Bounds;
use super::kind::MismatchKind;
use super::mismatch::Mismatch;
use super::tally::Tally;
use super::unpublished::{SumAnswer, Unpublished};

/// The right results for an element of a matrix instruction's result, as bits of D's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumTruth {
    /// Any NaN: an operand or a scale is NaN, or infinities leave nothing else.
    Nan,
    /// The infinity of this sign.
    Infinite {
        /// Whether the infinity is −∞.
        negative: bool,
        /// Relaxation by which NaN is right as well: the numbers among the terms may overflow to the other infinity,
        /// or a subnormal operand that is multiplied by an infinity may be zero.
        or_nan: Option<SumRelaxation>,
        /// Whether NaN is right as well, because a zero of a sparse A meets NaN or an infinity.
        sparse: bool,
    },
    /// A number within bounds.
    Finite {
        /// Exact sum, rounded to nearest even.
        nearest: u64,
        /// Bounds that the manual promises for the sum.
        promised: Bounds,
        /// Bounds with less precision, where a relaxation permits it.
        relaxed: Option<Bounds>,
        /// Promised bounds where an operand is subnormal, whether it counts or not.
        flushed: Option<Bounds>,
        /// Bounds where an operand is subnormal and less precision is permitted: what both leave together.
        both: Option<Bounds>,
        /// Whether NaN is right as well, because a zero of a sparse A meets NaN or an infinity.
        sparse: bool,
    },
}

impl SumTruth {
    /// Returns the expected result: the canonical NaN, the infinity, or the nearest number.
    pub fn expected(&self, d: &Format) -> u64 {
        match *self {
            SumTruth::Nan => d.canonical_nan(),
            SumTruth::Infinite { negative, .. } => {
                d.infinity().expect("accumulators have it") | if negative { d.sign_mask() } else { 0 }
            }
            SumTruth::Finite { nearest, .. } => nearest,
        }
    }

    /// Judges a result of D's format: passes the answers to open points that it gives to `answer`, or returns what
    /// is wrong with it. `relaxed` is the open point about precision.
    pub fn verdict(
        &self,
        d: &Format,
        result: u64,
        relaxed: Option<SumRelaxation>,
        mut answer: impl FnMut(SumAnswer),
    ) -> Result<(), MismatchKind> {
        let class = d.class(result);
        let multiplied = (SumRelaxation::SparseZero, "multiplied");
        let skipped = (SumRelaxation::SparseZero, "skipped");
        let (promised, reduced, flushed, both, sparse) = match *self {
            SumTruth::Nan if class != Class::Nan => return Err(MismatchKind::NanLost),
            SumTruth::Nan => {
                let canonical = result == d.canonical_nan();
                answer((SumRelaxation::Nan, if canonical { "canonical" } else { "other" }));
                return Ok(());
            }
            SumTruth::Infinite { negative, or_nan, sparse } => {
                return match class {
                    Class::Nan if or_nan.is_some() => {
                        answer(match or_nan {
                            Some(SumRelaxation::Subnormal) => (SumRelaxation::Subnormal, "flushed"),
                            _ => (SumRelaxation::Overflow, "nan"),
                        });
                        Ok(())
                    }
                    Class::Nan if sparse => {
                        answer(multiplied);
                        Ok(())
                    }
                    Class::Nan => Err(MismatchKind::NanAppeared),
                    Class::Infinity if d.is_negative(result) == negative => {
                        match or_nan {
                            Some(SumRelaxation::Overflow) => {
                                answer((SumRelaxation::Overflow, "infinity"));
                            }
                            Some(relaxation) => answer((relaxation, "kept")),
                            None => {}
                        }
                        if sparse {
                            answer(skipped);
                        }
                        Ok(())
                    }
                    Class::Infinity => Err(MismatchKind::Sign),
                    _ => Err(MismatchKind::NoOverflow),
                };
            }
            SumTruth::Finite { promised, relaxed, flushed, both, sparse, .. } => {
                (promised, relaxed, flushed, both, sparse)
            }
        };
        // The fewest relaxations that make the result right, each by the number of its answer; where one of two is
        // enough, which of them it was is not known.
        let within = [Some(promised), reduced, flushed, both];
        let taken = match within.map(|of| of.is_some_and(|of| of.has(d, result))) {
            [true, ..] => Some([0, 0]),
            [_, true, true, _] => Some([2, 2]),
            [_, true, ..] => Some([1, 0]),
            [_, _, true, _] => Some([0, 1]),
            [.., both] => both.then_some([1, 1]),
        };
        let Some([precision, subnormal]) = taken else {
            if sparse && class == Class::Nan {
                answer(multiplied);
                return Ok(());
            }
            return Err(self.kind(d, result));
        };
        if sparse && class != Class::Nan {
            answer(skipped);
        }
        if flushed.is_some() {
            answer((SumRelaxation::Subnormal, SumRelaxation::Subnormal.answers()[subnormal]));
        }
        if let Some(relaxation) = relaxed {
            answer((relaxation, relaxation.answers()[precision]));
        }
        // Each relaxation leaves more than the promise, and both together leave the most.
        let widest = within.into_iter().flatten().last().unwrap_or(promised);
        match class {
            Class::Nan => answer((SumRelaxation::Overflow, "nan")),
            Class::Infinity => answer((SumRelaxation::Overflow, "infinity")),
            _ if widest.may_overflow != [false; 2] => answer((SumRelaxation::Overflow, "number")),
            Class::Zero if promised.exact.is_some() => {
                let negative = d.is_negative(result);
                answer((SumRelaxation::ZeroSign, if negative { "negative" } else { "positive" }));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a result is right.
    pub fn accepts(&self, d: &Format, result: u64) -> bool {
        self.verdict(d, result, None, |_| {}).is_ok()
    }

    /// Returns the kind of a wrong result, where the sum is a number.
    fn kind(&self, d: &Format, result: u64) -> MismatchKind {
        let expected = self.expected(d);
        let magnitude = |bits: u64| bits & d.magnitude_mask();
        let SumTruth::Finite { promised, .. } = self else { return MismatchKind::Number };
        match (d.class(expected), d.class(result)) {
            (_, Class::Nan) => MismatchKind::NanAppeared,
            (Class::Infinity, Class::Infinity) => MismatchKind::Sign,
            (Class::Infinity, _) => MismatchKind::NoOverflow,
            (_, Class::Infinity) => MismatchKind::Overflow,
            (Class::Zero, _) => MismatchKind::ZeroLost,
            (_, Class::Zero) => MismatchKind::ZeroAppeared,
            _ if magnitude(expected) == magnitude(result) => MismatchKind::Sign,
            _ if promised.exact.is_some() => MismatchKind::Inexact,
            _ => MismatchKind::OutOfBound,
        }
    }

    /// Lists in words the results that are right beside the expected one.
    fn other_right_results(&self, d: &Format, relaxed: Option<SumRelaxation>) -> Vec<String> {
        match self {
            SumTruth::Nan => vec![format!("any NaN ({})", SumRelaxation::Nan.name())],
            SumTruth::Infinite { or_nan, sparse, .. } => {
                let open = [*or_nan, sparse.then_some(SumRelaxation::SparseZero)];
                let open = open.into_iter().flatten();
                open.map(|relaxation| format!("any NaN ({})", relaxation.name())).collect()
            }
            SumTruth::Finite { promised, relaxed: reduced, flushed, both, sparse, .. } => {
                let hex = |bits| d.show(bits).hex();
                let named = |bounds: &Option<Bounds>, name: &str| {
                    bounds.map(|bounds| format!("{} ({name})", bounds.words(hex)))
                };
                let (imprecise, subnormal) =
                    (relaxed.map_or("", SumRelaxation::name), SumRelaxation::Subnormal.name());
                let reduced = named(reduced, imprecise);
                let flushed = named(flushed, subnormal);
                let both = named(both, &format!("{imprecise}, {subnormal}"));
                let nan = sparse.then(|| format!("any NaN ({})", SumRelaxation::SparseZero.name()));
                [Some(promised.words(hex)), reduced, flushed, both, nan].into_iter().flatten().collect()
            }
        }
    }
}

/// The judge of one variant's sums of products.
#[derive(Clone, Debug)]
pub struct SumJudge {
    d: &'static Format,
    /// The relaxation by which less precision is enough.
    relaxed: Option<SumRelaxation>,
    /// Answers of relaxations that have only one: they are counted wherever the relaxation is declared.
    stated: Vec<SumAnswer>,
    unpublished: Unpublished,
}

impl SumJudge {
    /// Makes the judge of a variant.
    pub fn new(variant: &MatrixVariant) -> SumJudge {
        let all = variant.relaxations();
        let only = |relaxation: &SumRelaxation| match relaxation.answers() {
            [answer] => Some((*relaxation, *answer)),
            _ => None,
        };
        SumJudge {
            d: variant.dot().d,
            relaxed: all.iter().find(|relaxation| relaxation.is_of_precision()).copied(),
            stated: all.iter().filter_map(only).collect(),
            unpublished: Unpublished::of(variant),
        }
    }

    /// Judges a batch, and adds what it finds to `tally`; `truths` has the truth of each row.
    pub fn judge(&self, truths: &[SumTruth], batch: Batch, tally: &mut Tally) {
        let rows = batch.results[0].rows();
        tally.vectors += rows as u64;
        tally.confirmed += rows as u64;
        let mut answers: Vec<(SumAnswer, u64)> = Vec::new();
        let mut right = 0;
        for (row, truth) in truths.iter().enumerate() {
            let verdict = truth.verdict(self.d, batch.results[0].get(row), self.relaxed, |answer| {
                match answers.iter_mut().find(|(known, _)| *known == answer) {
                    Some((_, count)) => *count += 1,
                    None => answers.push((answer, 1)),
                }
            });
            match verdict {
                Ok(()) => right += u64::from(matches!(truth, SumTruth::Finite { .. })),
                Err(kind) => {
                    let describe = || self.describe(truth, batch, row);
                    tally.mismatch(kind, batch.number(row), describe);
                }
            }
        }
        answers.extend(self.stated.iter().map(|&answer| (answer, right)));
        for ((relaxation, answer), count) in answers {
            tally.answer(relaxation.name(), answer, count);
        }
    }

    /// Compares a batch with the results of a model, bit for bit but for what is [`Unpublished`], and adds what it
    /// finds to `tally`.
    pub fn compare(&self, expected: &[Column], batch: Batch, tally: &mut Tally) {
        // These vectors do not count as confirmed: they are compared with a model, and MPFR judged none of them.
        tally.vectors += batch.results[0].rows() as u64;
        for row in column::differing(expected, batch.results) {
            let [due, came] = [expected, batch.results].map(|of| of[0].get(row));
            let open = self.unpublished.answer(batch.operands, row, due, came);
            if let Some((relaxation, answer)) = open {
                tally.answer(relaxation.name(), answer, 1);
                continue;
            }
            let kind = MismatchKind::of_number(self.d, due, came);
            tally.mismatch(kind, batch.number(row), || Mismatch {
                index: batch.number(row),
                operands: column::row_bits(batch.operands, row),
                expected: column::row_bits(expected, row),
                accepted: Vec::new(),
                actual: column::row_bits(batch.results, row),
                words: None,
            });
        }
    }

    /// Describes a row of a batch as a mismatch, which it need not be.
    pub fn describe(&self, truth: &SumTruth, batch: Batch, row: usize) -> Mismatch {
        Mismatch {
            index: batch.number(row),
            operands: column::row_bits(batch.operands, row),
            expected: vec![truth.expected(self.d).into()],
            accepted: truth.other_right_results(self.d, self.relaxed),
            actual: column::row_bits(batch.results, row),
            words: None,
        }
    }
}
