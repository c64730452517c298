//! What a function should compute that is no single instruction: for each vector, one of some results.

use std::collections::HashMap;

use judge::Truth;
use oracle::Oracle;
use ptx::functions::{Nearest, Unit};
use vectors::format::Class;
use vectors::isa::Type;
use vectors::{Column, Variant, column};

use crate::compilers::rows::{Expression, Open, Promise, Row, results};

/// Rows that MPFR computes at a time.
const PART: usize = 16;

/// Expressions of which each result has to be one's.
#[derive(Debug)]
pub struct Expected {
    means: Vec<Expression>,
    pub(super) open: Open,
    /// An instruction of the same operands and results, whose sweeps these vectors are.
    pub shape: &'static Variant,
    /// The expressions as a text.
    pub text: String,
}

/// The emulator, and MPFR.
#[derive(Default)]
pub struct Units {
    emulator: Nearest,
    oracles: HashMap<&'static str, (Oracle, Truth)>,
}

impl Units {
    pub(super) fn emulated(&mut self, variant: &'static Variant, operands: &[Column]) -> Vec<Column> {
        results(variant, operands, |operands, results| {
            self.emulator.execute(variant, operands, results).expect("it has every variant");
        })
    }

    fn exact(&mut self, variant: &'static Variant, operands: &[Column]) -> Vec<Column> {
        let made = || (Oracle::new(variant), Truth::new(variant));
        let (oracle, truth) = self.oracles.entry(variant.text()).or_insert_with(made);
        oracle.expect(operands, truth);
        truth.results.clone()
    }
}

impl Expected {
    /// That of a promise.
    pub fn of(row: &Row, promise: &Promise) -> Expected {
        let (means, open) = (promise.means.clone(), promise.open);
        Expected { means, open, shape: row.shape(), text: promise.text() }
    }

    /// The first rows, at most so many and some more, whose results are none of those expected.
    pub fn wrong(
        &self,
        units: &mut Units,
        operands: &[Column],
        came: &Column,
        most: usize,
    ) -> Vec<usize> {
        let mut unlike: Vec<usize> =
            (0..came.rows()).filter(|&row| !self.is_open(operands, row)).collect();
        // The emulator is fast, and MPFR has the last word.
        for expression in &self.means {
            let [operands, came] =
                [operands, std::slice::from_ref(came)].map(|all| column::select(all, &unlike));
            if unlike.is_empty() {
                return Vec::new();
            }
            let due = expression
                .evaluate(&mut |variant, operands| units.emulated(variant, operands), &operands);
            let mut places = 0..;
            unlike.retain(|_| {
                let at = places.next().expect("numbers have no end");
                !self.accepts(due.get(at), came[0].get(at))
            });
        }
        let mut wrong = Vec::new();
        for rows in unlike.chunks(PART) {
            let permitted = self.permitted(units, &column::select(operands, rows));
            let is_wrong = |(at, &row): (usize, &usize)| {
                let any = permitted.iter().any(|due| self.accepts(due.get(at), came.get(row)));
                (!any).then_some(row)
            };
            wrong.extend(rows.iter().enumerate().filter_map(is_wrong));
            if wrong.len() >= most {
                break;
            }
        }
        wrong
    }

    /// The results of each expression, exactly.
    pub fn permitted(&self, units: &mut Units, operands: &[Column]) -> Vec<Column> {
        let mut exact = |variant: &'static Variant, operands: &[Column]| units.exact(variant, operands);
        self.means.iter().map(|expression| expression.evaluate(&mut exact, operands)).collect()
    }

    /// The type of the results.
    pub(super) fn ty(&self) -> &'static Type {
        &self.shape.results()[0].ty
    }

    /// The outermost instruction.
    pub(super) fn outer(&self) -> &'static Variant {
        self.means.first().map_or(self.shape, |expression| expression.variant)
    }

    /// Whether nothing is promised of a vector.
    pub(super) fn is_open(&self, operands: &[Column], row: usize) -> bool {
        let registers = self.shape.operands().iter().zip(operands);
        let mut all = registers.map(|(register, column)| (&register.ty, column.get(row)));
        // The sign of a zero operand matters as little as that of a result: it may become infinity's.
        let zero = |ty: &Type, bits| ty.format.class(ty.lane(bits, 0)) == Class::Zero;
        all.any(|(ty, bits)| self.leaves_open(ty, bits) || self.open.nsz && zero(ty, bits))
    }

    fn leaves_open(&self, ty: &Type, bits: u64) -> bool {
        let class = |lane| ty.format.class(ty.lane(bits, lane));
        (0..ty.lanes).any(|lane| match class(lane) {
            Class::Nan => self.open.nnan,
            Class::Infinity => self.open.ninf,
            _ => false,
        })
    }

    /// Whether a result is as good as one that is due.
    pub(super) fn accepts(&self, due: u64, came: u64) -> bool {
        let ty = self.ty();
        let same = |lane| {
            let [due, came] = [due, came].map(|bits| ty.lane(bits, lane));
            let nan = |bits| !ty.format.is_fixed() && ty.format.is_nan(bits);
            let zero = |bits| ty.format.class(bits) == Class::Zero;
            let least = due & ty.format.magnitude_mask() == ty.format.min_normal();
            let flushed = self.open.tiny && least && came == due & ty.format.sign_mask();
            due == came || nan(due) && nan(came) || self.open.nsz && zero(due) && zero(came) || flushed
        };
        due == came || self.leaves_open(ty, due) || (0..ty.lanes).all(same)
    }
}
