//! Holds a function to the results of another one, bit for bit.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use base::interrupt::is_interruption;
use compilers::promises::kind_of;
use compilers::rows::shape_of;
use compilers::unit::{Approximating, Approximation};
use formats::{Column, column};
use implementations::code::Code;
use implementations::{Implementation, Support};
use isa::{Variant, results_for};
use judge::{Batch, Mismatch, Tally};
use runner::{Meaning, MeaningJudge};

/// The types that a value of so many bytes may have, the most telling vectors first: the bits are compared, whatever
/// they mean.
const TYPES: [(usize, &[&str]); 4] = [
    (8, &["f64", "b64", "s64", "u64"]),
    (4, &["f32", "f16x2", "bf16x2", "b32", "s32", "u32"]),
    (2, &["f16", "bf16", "b16", "u16", "s16", "e4m3x2", "e5m2x2"]),
    (1, &["u8", "s8", "e4m3", "e5m2", "e2m1x2", "b8"]),
];
/// The most operands of an instruction.
const OPERANDS_MAX: usize = 3;
/// The most rows of a batch that are looked for alone because the other function cannot be executed on them.
const UNDECIDED_MAX: usize = 16;
/// The most vectors of a thread.
const VECTORS_MAX: usize = 16;

/// A second function, which gives the right results for the one that is judged.
#[derive(Clone)]
pub struct Against {
    other: Arc<Code>,
    shape: &'static Variant,
    /// The place in their bounds of the other function's approximations.
    approximation: Approximation,
}

impl Against {
    /// Holds `code` to the results of `other`.
    ///
    /// # Errors
    /// If they do not take and give as many bytes, or no instruction has such operands and results, so that there are
    /// no vectors for them.
    pub fn new(other: Code, code: &Code) -> Result<Against> {
        let shape = (1..=VECTORS_MAX).find_map(|each| shape(code, each)).with_context(|| {
            format!(
                "{} takes and gives values for which no sweep has vectors: --against needs up to three numbers \
                 and one result, as an instruction of the table has them",
                code.describe().name
            )
        })?;
        if let Support::No(why) = other.support(shape) {
            bail!("{} cannot be compared with {}: {why}", other.describe().name, code.describe().name);
        }
        Ok(Against { other: Arc::new(other), shape, approximation: Approximation::Nearest })
    }

    /// Returns the same with the other function's approximations at a place in their bounds.
    #[must_use]
    pub fn at(self, approximation: Approximation) -> Against {
        Against { approximation, ..self }
    }

    /// Returns the name of the other function.
    pub fn name(&self) -> String {
        self.other.describe().name
    }

    /// Returns the other function.
    pub fn other(&self) -> &Code {
        &self.other
    }

    /// Returns an instruction with the operands and results of both functions, whose sweeps give the vectors.
    pub fn shape(&self) -> &'static Variant {
        self.shape
    }
}

/// Returns an instruction that takes and gives as many bytes as a thread of some code does for each of `each` vectors.
fn shape(code: &Code, each: usize) -> Option<&'static Variant> {
    let [operands, results] = code.shape();
    let types = |sizes: &[usize]| -> Option<Vec<&[&str]>> {
        let of_size = |size: &usize| {
            let bytes = size.is_multiple_of(each).then_some(size / each)?;
            TYPES.iter().find(|(own, _)| *own == bytes).map(|(_, names)| *names)
        };
        sizes.iter().map(of_size).collect()
    };
    if operands.len() > OPERANDS_MAX {
        return None;
    }
    let (operands, results) = (types(&operands)?, types(&results)?);
    let [result] = results.as_slice() else { return None };
    // Every choice of types, the first of each at first.
    let choices = operands.iter().fold(vec![Vec::new()], |before: Vec<Vec<String>>, names| {
        let longer = |known: Vec<String>| {
            names.iter().map(move |name| [&known[..], &[(*name).to_owned()]].concat())
        };
        before.into_iter().flat_map(longer).collect()
    });
    let fits = |variant: &&'static Variant| matches!(code.support(variant), Support::Yes);
    choices.iter().find_map(|takes| result.iter().find_map(|gives| shape_of(takes, gives).filter(fits)))
}

impl std::fmt::Debug for Against {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Against({})", self.other.describe().name)
    }
}

impl Meaning for Against {
    fn text(&self) -> String {
        format!("the bits of {}", self.name())
    }

    fn identity(&self) -> String {
        self.other.identity()
    }

    fn judge(&self) -> Box<dyn MeaningJudge> {
        let expected = results_for(self.shape, 0);
        Box::new(AgainstJudge {
            against: self.clone(),
            expected,
            failed: Vec::new(),
            undecided: Vec::new(),
            is_interrupted: false,
        })
    }
}

/// The judge of a function by another one, in one thread.
struct AgainstJudge {
    against: Against,
    expected: Vec<Column>,
    /// The rows for which the other function has no result.
    failed: Vec<usize>,
    /// The rows, in order, of which is not known what the other function gives: it takes too many steps, or does what is
    /// not interpreted.
    undecided: Vec<usize>,
    /// Whether the batch was left because the run is to end.
    is_interrupted: bool,
}

impl AgainstJudge {
    /// Has the other function compute some rows. Rows that it cannot be executed on are found by halving.
    fn expect_rows(&mut self, operands: &[Column], rows: Range<usize>) {
        if self.undecided.len() >= UNDECIDED_MAX {
            return self.undecided.extend(rows);
        }
        let Against { other, shape, approximation } = &self.against;
        let all: Vec<usize> = rows.clone().collect();
        let selected = column::select(operands, &all);
        let mut results = column::select(&self.expected, &all);
        let mut worker = other.worker_with(Box::new(Approximating::new(*approximation)));
        match worker.run(shape, &selected, &mut results) {
            Ok(()) => {
                let failed = worker.faults().into_iter().map(|failure| rows.start + failure.row);
                self.failed.extend(failed);
                for (into, from) in self.expected.iter_mut().zip(&results) {
                    into.bytes_of_mut(rows.clone()).copy_from_slice(from.bytes());
                }
            }
            Err(error) if is_interruption(&error) => self.is_interrupted = true,
            Err(_) if rows.len() == 1 => self.undecided.extend(rows),
            Err(_) => {
                drop(worker);
                let middle = rows.start + rows.len() / 2;
                self.expect_rows(operands, rows.start..middle);
                self.expect_rows(operands, middle..rows.end);
            }
        }
    }
}

impl MeaningJudge for AgainstJudge {
    fn expect(&mut self, operands: &[Column]) {
        let rows = operands.first().map_or(0, Column::rows);
        self.expected.iter_mut().for_each(|column| column.resize(rows));
        (self.failed, self.undecided) = (Vec::new(), Vec::new());
        self.is_interrupted = false;
        self.expect_rows(operands, 0..rows);
        // What an earlier batch has left there is no result.
        for column in &mut self.expected {
            self.failed.iter().for_each(|&row| column.row_bytes_of_mut(row).fill(0));
        }
    }

    fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    fn expected(&self) -> &[Column] {
        &self.expected
    }

    fn judge(&mut self, batch: Batch, tally: &mut Tally) {
        let rows = batch.results.first().map_or(0, Column::rows);
        let undecided = self.undecided.len();
        tally.vectors += (rows - undecided) as u64;
        tally.unanswered += undecided as u64;
        let ([register, ..], [result, ..]) = (self.against.shape.results(), batch.results) else {
            return;
        };
        let Some(expected) = self.expected.first() else { return };
        let differing = column::differing(batch.results, &self.expected);
        let all: BTreeSet<usize> = differing.chain(self.failed.iter().copied()).collect();
        for row in all.into_iter().filter(|row| self.undecided.binary_search(row).is_err()) {
            let (due, came) = (expected.get(row), result.get(row));
            let kind = kind_of(self.against.shape, &register.ty, [due, came]);
            let index = batch.number(row);
            tally.mismatch(kind, index, || Mismatch {
                index,
                operands: column::row_bits(batch.operands, row),
                expected: vec![due.into()],
                accepted: Vec::new(),
                actual: vec![came.into()],
                words: self.failed.contains(&row).then(|| "the other function fails on it".to_owned()),
            });
        }
    }
}
