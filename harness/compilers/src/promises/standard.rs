//! Judges results of functions by a standard: an instruction's contract, or a set of results.

use std::sync::Arc;

use formats::{Column, column};
use isa::{Type, Variant};
use judge::{Batch, Judge, Mismatch, MismatchKind, Truth};
use oracle::Oracle;

use super::expected::{Expected, Units};
use super::simplest::mismatch;
use super::trial::Aim;
use crate::unit::Approximation;

/// The standard that results are held against.
pub(super) enum Standard {
    Instruction(Box<InstructionContract>),
    Expected(Arc<Expected>, Units),
}

/// The contract of an instruction, by the emulator's results first and then by MPFR's.
pub(super) struct InstructionContract {
    variant: &'static Variant,
    judge: Judge,
    oracle: Oracle,
    truth: Truth,
    units: Units,
}

impl Standard {
    /// Makes the standard of an aim, for a function whose approximations are of this kind.
    pub(super) fn of(aim: &Aim, approximation: Approximation) -> Standard {
        match aim {
            Aim::Expected(expected) => Standard::Expected(expected.clone(), Units::of(approximation)),
            Aim::Instruction(variant) => Standard::Instruction(Box::new(InstructionContract {
                variant,
                judge: Judge::new(variant),
                oracle: Oracle::new(variant),
                truth: Truth::new(variant),
                units: Units::default(),
            })),
        }
    }

    /// Returns the results that are due in one row, without what else a contract accepts.
    pub(super) fn permitted(&mut self, operands: &[Column]) -> Vec<u64> {
        match self {
            Standard::Expected(expected, units) => {
                expected.permitted(units, operands).iter().map(|column| column.get(0)).collect()
            }
            Standard::Instruction(of) => {
                of.oracle.expect(operands, &mut of.truth);
                vec![of.truth.results[0].get(0)]
            }
        }
    }

    /// Returns a mismatch, with its kind, for every row whose results are wrong; `first` is the number of the first
    /// row.
    pub(super) fn mismatches(
        &mut self,
        aim: &Aim,
        first: u64,
        operands: &[Column],
        results: &[Column],
    ) -> Vec<(MismatchKind, Mismatch)> {
        if let Standard::Instruction(of) = self {
            return of.mismatches(first, operands, results);
        }
        let ty = &aim.shape().results()[0].ty;
        let wrong = self.wrong(operands, results, usize::MAX).into_iter();
        let described = wrong.map(|row| {
            let mut permitted = self.permitted(&column::select(operands, &[row]));
            permitted.dedup();
            let (due, came) = (permitted.remove(0), results[0].get(row));
            let kind = kind_of(aim.outer(), ty, [due, came]);
            let accepted = permitted.iter().map(|&bits| ty.hex(bits)).collect();
            let one = mismatch(first + row as u64, operands, row, [due, came]);
            (kind, Mismatch { accepted, ..one })
        });
        described.collect()
    }

    /// Returns the first rows whose results are wrong, in order. The search ends when it has found at least `most` of
    /// them, so there may be some more.
    pub(super) fn wrong(&mut self, operands: &[Column], results: &[Column], most: usize) -> Vec<usize> {
        match self {
            Standard::Expected(expected, units) => expected.wrong(units, operands, &results[0], most),
            Standard::Instruction(of) => of.wrong(operands, results, most),
        }
    }
}

/// Returns the kind of a mismatch of two results of a type: that of the first lane in which they differ.
pub fn kind_of(variant: &Variant, ty: &Type, [due, came]: [u64; 2]) -> MismatchKind {
    let differs = |lane: &usize| ty.lane(due, *lane) != ty.lane(came, *lane);
    let lane = (0..ty.lanes).find(differs).unwrap_or(0);
    MismatchKind::of(variant, ty.format, ty.lane(due, lane), ty.lane(came, lane))
}

impl InstructionContract {
    /// Returns a mismatch, with its kind, for every row that breaks the contract.
    fn mismatches(
        &mut self,
        first: u64,
        operands: &[Column],
        results: &[Column],
    ) -> Vec<(MismatchKind, Mismatch)> {
        let rows = self.wrong(operands, results, usize::MAX);
        let [operands, results] = [operands, results].map(|all| column::select(all, &rows));
        let offsets: Vec<u64> = rows.iter().map(|&row| row as u64).collect();
        self.oracle.expect(&operands, &mut self.truth);
        let batch = Batch { first, offsets: Some(&offsets), operands: &operands, results: &results };
        let verdicts = self.judge.verdicts(&self.truth, batch).into_iter();
        verdicts.map(|(row, kind)| (kind, self.judge.describe(&self.truth, batch, row))).collect()
    }

    /// Returns the first rows that break the contract: those that differ from the emulator, as MPFR judges them.
    fn wrong(&mut self, operands: &[Column], results: &[Column], most: usize) -> Vec<usize> {
        let nearest = self.units.emulated(self.variant, operands);
        let unlike: Vec<usize> = column::differing(results, &nearest).collect();
        let mut wrong = Vec::new();
        // MPFR is slow, and a few wrong rows are enough.
        for rows in unlike.chunks(16) {
            let [operands, results] = [operands, results].map(|all| column::select(all, rows));
            self.oracle.expect(&operands, &mut self.truth);
            let places = self.judge.wrong_rows(&self.truth, Batch::new(&operands, &results));
            wrong.extend(places.into_iter().map(|place| rows[place]));
            if wrong.len() >= most {
                break;
            }
        }
        wrong
    }
}
