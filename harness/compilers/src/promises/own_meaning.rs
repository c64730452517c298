//! The meaning of a function of a user's own: expressions of instructions, of which one has to give each result.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use formats::{Column, RowBits, column};
use isa::{Type, Variant, columns_for, results_for};
use judge::{Batch, Mismatch, Tally, ordinal};
use runner::{ALL_OPERANDS, Meaning, MeaningJudge};

use super::expected::{Expected, OuterContract, Units};
use super::standard::Standard;
use super::trial::Aim;
use super::ulp_bound::{UlpBound, error_in_ulp};
use crate::rows::{Expression, NAMES, Open, shape_of};
use crate::unit::Approximation;

/// The most characters of a meaning.
const TEXT_MAX: usize = 1 << 14;
/// The flag that permits to fuse products with sums.
const CONTRACT: &str = "contract";

/// A meaning such as `fma.rn.f32(a, b, c) or add.rn.f32(mul.rn.f32(a, b), c); nsz`.
#[derive(Clone, Debug)]
pub struct OwnMeaning {
    expected: Arc<Expected>,
    approximation: Approximation,
    /// The distance from the correctly rounded result of each instruction that is permitted.
    bound: Option<UlpBound>,
}

impl OwnMeaning {
    /// Reads a meaning: a [bound](UlpBound) if there is one, expressions with ` or ` between them, and behind `; ` flags
    /// of what is left open: `contract`, which adds expressions to these, and those that [`Open::read`] takes.
    ///
    /// # Errors
    /// If the text is no meaning, says where; if its expressions do not have one type of result; if a parameter is
    /// left out, or has two types; and if no instruction has such operands and such a result, so that no sweep has
    /// vectors for it.
    pub fn read(text: &str) -> Result<OwnMeaning> {
        if text.len() > TEXT_MAX {
            bail!("--as has more than {TEXT_MAX} characters");
        }
        let (bound, text) = UlpBound::take(text.trim())?;
        let (expressions, flags) = text.split_once(';').unwrap_or((text, ""));
        let (contract, others): (Vec<&str>, Vec<&str>) =
            flags.split_whitespace().partition(|flag| *flag == CONTRACT);
        let others = others.join(" ");
        let open = Open::read(&others).map_err(|flag| {
            anyhow::anyhow!(
                "`{flag}` in --as leaves nothing open that is known: write nnan, ninf, nsz, snan, nan-sign, tiny, \
                 contract or fits-TYPE"
            )
        })?;
        let mut means = Vec::new();
        for expression in expressions.split(" or ").map(str::trim) {
            let read = Expression::read(expression);
            means.push(read.with_context(|| format!("--as `{expression}`"))?);
        }
        if !contract.is_empty() {
            means = contracted(&means)?;
        }
        let mut types: BTreeMap<usize, String> = BTreeMap::new();
        let mut gives: Option<String> = None;
        for expression in &means {
            for (number, ty) in expression.parameters() {
                let known = types.entry(number).or_insert_with(|| ty.clone());
                if *known != ty {
                    bail!("--as: `{}` is {known} in one place and {ty} in another", NAMES[number]);
                }
            }
            let [result] = expression.variant.results() else {
                bail!("--as: {} has several results", expression.variant);
            };
            let ty = result.ty.to_string();
            let known = gives.get_or_insert_with(|| ty.clone());
            if *known != ty {
                bail!("--as: one expression gives {known}, and another {ty}");
            }
        }
        let count = types.keys().next_back().map_or(0, |last| last + 1);
        if let Some(lacking) = (0..count).find(|number| !types.contains_key(number)) {
            bail!("--as: `{}` is used, but not `{}`", NAMES[count - 1], NAMES[lacking]);
        }
        let takes: Vec<String> = types.into_values().collect();
        if takes.is_empty() {
            bail!("--as: the expression has no operand: write `a` for the first parameter");
        }
        let gives = gives.context("--as has no expression")?;
        let shape = shape_of(&takes, &gives).with_context(|| {
            format!(
                "--as: no instruction takes {} and gives {gives}, so there are no vectors for it",
                takes.join(" and ")
            )
        })?;
        let expected = Arc::new(Expected::new(means, open, shape));
        if bound.is_some() && expected.ty().format.is_fixed() {
            bail!("--as: the result {gives} has no ulp, which are units of floating-point numbers");
        }
        Ok(OwnMeaning { expected, approximation: Approximation::Nearest, bound })
    }

    /// Returns the meaning with its approximate instructions at an end of their bounds, for code whose own are there. A
    /// meaning with a bound of its own stays the same: the bound counts from the correctly rounded results.
    #[must_use]
    pub fn at(self, approximation: Approximation) -> OwnMeaning {
        match self.bound {
            Some(_) => self,
            None => OwnMeaning { approximation, ..self },
        }
    }

    /// Returns an instruction with the operands and the result of the meaning, whose sweeps give the vectors.
    pub fn shape(&self) -> &'static Variant {
        self.expected.shape
    }

    /// Computes what the instructions of each expression give for one row of operands: the instruction with its operands
    /// as a text, its type, and the bits of the result, each behind the instructions that its operands are results of.
    pub fn steps(&self, operands: &[Column]) -> Vec<Vec<(String, &'static Type, u64)>> {
        let (means, _) = self.expected.promised();
        let mut units = Units::of(self.approximation);
        let mut step = |part: &Expression| {
            let mut unit =
                |variant: &'static Variant, operands: &[Column]| units.emulated(variant, operands);
            let result = part.evaluate(&mut unit, operands).get(0);
            let ty = part.variant.results().first().map(|register| &register.ty)?;
            Some((part.with_operands(), ty, result))
        };
        means.iter().map(|mean| mean.parts().into_iter().filter_map(&mut step).collect()).collect()
    }

    /// Whether the meaning has approximate instructions.
    fn is_approximate(&self) -> bool {
        let (means, _) = self.expected.promised();
        means.iter().flat_map(Expression::instructions).any(|variant| !variant.is_exact())
    }

    /// Returns the only instruction of the meaning, if it is one of the parameters in order and nothing is left open:
    /// its contract then says more.
    pub fn instruction(&self) -> Option<&'static Variant> {
        let (means, open) = self.expected.promised();
        let plain = means.first().and_then(Expression::plain);
        plain.filter(|_| means.len() == 1 && open == Open::default() && self.bound.is_none())
    }
}

/// Returns expressions with all that come of them by fusing products with sums, each once.
///
/// # Errors
/// If nothing can be fused, or too much.
fn contracted(means: &[Expression]) -> Result<Vec<Expression>> {
    let mut all: Vec<Expression> = Vec::new();
    for mean in means {
        for one in
            mean.contractions().map_err(|error| anyhow::anyhow!("`{CONTRACT}` in --as: {error}"))?
        {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    if all.len() == means.len() {
        bail!(
            "`{CONTRACT}` in --as: there is nothing to fuse: no sum or difference has a product as its operand that is \
             rounded and flushed as it is"
        );
    }
    let written: usize = all.iter().map(|one| one.to_string().len() + " or ".len()).sum();
    if written > TEXT_MAX {
        bail!("`{CONTRACT}` in --as: what may come of fusing has more than {TEXT_MAX} characters");
    }
    Ok(all)
}

impl Meaning for OwnMeaning {
    fn text(&self) -> String {
        let bound = self.bound.map(|bound| bound.to_string()).unwrap_or_default();
        bound + &self.expected.text
    }

    fn bound(&self) -> Option<String> {
        self.bound.map(UlpBound::in_words)
    }

    fn judge(&self) -> Box<dyn MeaningJudge> {
        let aim = Aim::Expected(self.expected.clone());
        Box::new(OwnJudge {
            expected: self.expected.clone(),
            standard: Standard::of(&aim, self.approximation),
            aim,
            units: Units::of(self.approximation),
            bound: self.bound,
            // A bound of its own takes the place of those that PTX has for approximate instructions.
            ends: (self.bound.is_none() && self.is_approximate())
                .then(|| Approximation::ENDS.map(Units::of)),
            contracts: if self.bound.is_none() { self.expected.outer_contracts() } else { Vec::new() },
            first: Vec::new(),
        })
    }
}

/// The judge of a meaning in one thread.
struct OwnJudge {
    expected: Arc<Expected>,
    aim: Aim,
    standard: Standard,
    units: Units,
    bound: Option<UlpBound>,
    /// The units at both ends of the bounds, if the meaning has approximate instructions.
    ends: Option<[Units; 2]>,
    /// The contract of the outermost instruction of each expression.
    contracts: Vec<OuterContract>,
    /// The results of the first expression.
    first: Vec<Column>,
}

impl OwnJudge {
    /// Whether every lane of a result is within the meaning's own bound of the result that is due.
    fn is_near(&self, due: u64, came: u64) -> bool {
        let ty = self.expected.ty();
        let near = |bound: UlpBound| {
            (0..ty.lanes).all(|lane| {
                let [due, came] = [due, came].map(|bits| ty.lane(bits, lane));
                due == came || bound.permits(ty.format, came, due)
            })
        };
        self.bound.is_some_and(near)
    }

    /// Whether a result is within the meaning's own bound of the exact result of one of its expressions.
    fn is_near_any(&mut self, mismatch: &Mismatch) -> bool {
        if self.bound.is_none() {
            return false;
        }
        let operands = self.operands(mismatch);
        let came = mismatch.actual.first().map_or(0, RowBits::word);
        self.standard.permitted(&operands).into_iter().any(|due| self.is_near(due, came))
    }

    /// Returns the operands of a mismatch as columns of one row.
    fn operands(&self, mismatch: &Mismatch) -> Vec<Column> {
        let mut operands = columns_for(self.expected.shape, 1);
        column::set_row_bits(&mut operands, 0, &mismatch.operands);
        operands
    }

    /// Whether the contract of the outermost instruction of an expression permits a result: what PTX leaves open for the
    /// instruction is open in an expression, too.
    fn is_within_contract(&mut self, mismatch: &Mismatch) -> bool {
        let operands = self.operands(mismatch);
        let mut results = results_for(self.expected.shape, 1);
        column::set_row_bits(&mut results, 0, &mismatch.actual);
        self.contracts.iter_mut().any(|contract| contract.permits(&mut self.units, &operands, &results))
    }

    /// Whether a result lies between those that the first expression has at both ends of its bounds: code may compute
    /// an approximation in another way, or exactly.
    fn is_within_bounds(&mut self, mismatch: &Mismatch) -> bool {
        let operands = self.operands(mismatch);
        let Some(ends) = &mut self.ends else { return false };
        let ty = self.expected.ty();
        let [low, high] = ends.each_mut().map(|units| self.expected.first(units, &operands).get(0));
        let came = mismatch.actual.first().map_or(0, RowBits::word);
        (0..ty.lanes).all(|lane| {
            // Nothing lies between a number and NaN.
            if [low, high].iter().any(|end| ty.format.is_nan(ty.lane(*end, lane))) {
                return false;
            }
            let places = [low, came, high].map(|bits| ordinal(ty.format, ty.lane(bits, lane)));
            let [low, came, high] = places;
            // Of an expression that falls, the higher approximation gives the lower result.
            (low.min(high)..=low.max(high)).contains(&came)
        })
    }
}

impl MeaningJudge for OwnJudge {
    fn expect(&mut self, operands: &[Column]) {
        self.first = vec![self.expected.first(&mut self.units, operands)];
    }

    fn expected(&self) -> &[Column] {
        &self.first
    }

    fn judge(&mut self, batch: Batch, tally: &mut Tally) {
        let rows = batch.results.first().map_or(0, Column::rows);
        tally.vectors += rows as u64;
        // Most rows are what the first expression gives, bit for bit or within the bound.
        let is_far = |row: &usize| match (self.first.first(), batch.results.first()) {
            (Some(due), Some(came)) => !self.is_near(due.get(*row), came.get(*row)),
            _ => true,
        };
        let differing: Vec<usize> =
            column::differing(batch.results, &self.first).filter(is_far).collect();
        let mut known = BTreeMap::new();
        if !differing.is_empty() {
            let [operands, results] =
                [batch.operands, batch.results].map(|of| column::select(of, &differing));
            for (kind, mismatch) in self.standard.mismatches(&self.aim, 0, &operands, &results) {
                let row = differing.get(mismatch.index as usize).copied().unwrap_or_default();
                if self.bound.is_some() {
                    known.insert(row, self.error_of_mismatch(&mismatch));
                }
                if self.is_near_any(&mismatch)
                    || self.is_within_bounds(&mismatch)
                    || self.is_within_contract(&mismatch)
                {
                    continue;
                }
                let index = batch.number(row);
                tally.mismatch(kind, index, || Mismatch { index, ..mismatch });
            }
        }
        self.add_errors(batch, &differing, &known, tally);
    }
}

impl OwnJudge {
    /// Returns the error of a result that is not near that of the first expression: its distance from the nearest result
    /// which is due.
    fn error_of_mismatch(&mut self, mismatch: &Mismatch) -> f64 {
        let operands = self.operands(mismatch);
        let came = mismatch.actual.first().map_or(0, RowBits::word);
        let due = self.standard.permitted(&operands).into_iter();
        due.map(|due| self.error(due, came)).fold(f64::INFINITY, f64::min)
    }

    /// Returns the largest error of the lanes of a result.
    fn error(&self, due: u64, came: u64) -> f64 {
        let ty = self.expected.ty();
        let lanes = (0..ty.lanes).map(|lane| {
            let [due, came] = [due, came].map(|bits| ty.lane(bits, lane));
            error_in_ulp(ty.format, came, due)
        });
        lanes.fold(0.0, f64::max)
    }

    /// Adds the errors of all results to a tally, if the meaning has a bound. `far` has the rows, in order, whose results
    /// are not near those of the first expression, and `known` the errors of those of them that count.
    fn add_errors(&self, batch: Batch, far: &[usize], known: &BTreeMap<usize, f64>, tally: &mut Tally) {
        let (Some(_), Some(due), Some(came)) = (self.bound, self.first.first(), batch.results.first())
        else {
            return;
        };
        let errors = tally.errors.entry(ALL_OPERANDS.to_owned()).or_default();
        for row in 0..came.rows() {
            let error = match (known.get(&row), far.binary_search(&row)) {
                (Some(error), _) => *error,
                // What is right for another reason is left open, or the result of another expression.
                (None, Ok(_)) => 0.0,
                (None, Err(_)) => self.error(due.get(row), came.get(row)),
            };
            errors.add_ulp(error, || (batch.number(row), column::row_bits(batch.operands, row)));
        }
    }
}
