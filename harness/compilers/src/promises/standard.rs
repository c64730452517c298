//! What results of functions are held against: an instruction's contract, or a set of results.

use std::sync::Arc;

use formats::{Column, column};
use isa::Variant;
use judge::{Batch, Judge, Truth};
use oracle::Oracle;

use super::expected::{Expected, Units};
use super::trial::Aim;
use crate::unit::Extreme;

/// What results are held against.
pub(super) enum Standard {
    Instruction(Box<Instruction>),
    Expected(Arc<Expected>, Units),
}

/// An instruction, the emulator's first and then MPFR's.
pub(super) struct Instruction {
    variant: &'static Variant,
    judge: Judge,
    oracle: Oracle,
    truth: Truth,
    units: Units,
}

impl Standard {
    /// That of an aim, for a function whose approximations are at an end of their bounds, or else the nearest numbers.
    pub(super) fn of(aim: &Aim, extreme: Option<Extreme>) -> Standard {
        match aim {
            Aim::Expected(expected) => Standard::Expected(expected.clone(), Units::at(extreme)),
            Aim::Instruction(variant) => Standard::Instruction(Box::new(Instruction {
                variant,
                judge: Judge::new(variant),
                oracle: Oracle::new(variant),
                truth: Truth::new(variant),
                units: Units::default(),
            })),
        }
    }

    /// What is due in one row, apart from what else a contract accepts.
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

    /// The first rows, at most so many and some more, whose results are wrong.
    pub(super) fn wrong(&mut self, operands: &[Column], results: &[Column], most: usize) -> Vec<usize> {
        match self {
            Standard::Expected(expected, units) => expected.wrong(units, operands, &results[0], most),
            Standard::Instruction(of) => of.wrong(operands, results, most),
        }
    }
}

impl Instruction {
    fn wrong(&mut self, operands: &[Column], results: &[Column], most: usize) -> Vec<usize> {
        let nearest = self.units.emulated(self.variant, operands);
        let unlike: Vec<usize> = column::differing(results, &nearest).collect();
        let mut wrong = Vec::new();
        // MPFR takes its time, and a few are enough.
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
