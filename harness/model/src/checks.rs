//! Tests of the model against what was not written here: the host's arithmetic and casts, tables of small formats
//! searched for the nearest number, and values worked out by hand.

mod explained;
mod faults;
mod host;
mod reported;
mod search;
mod values;

use formats::{Format, column};
use isa::{Contract, Form, Variant, columns_for, results_for};
use sweeps::CounterRng;

use super::{Fault, Model};

/// Returns the variants of a row of syntax; those of the table of instructions where it has them.
fn variants(syntax: &'static str, registers: &'static str) -> Vec<Variant> {
    let form = Form::new(syntax, registers, Contract::Exact, "7.8 sm_90", "0");
    let of_table = |other: Variant| match other.text().parse::<Variant>() {
        Ok(variant) if variant.operands().len() == other.operands().len() => variant,
        _ => other,
    };
    Variant::expand(Box::leak(Box::new(form))).into_iter().map(of_table).collect()
}

/// Returns the only variant of a row of syntax.
fn variant(syntax: &'static str, registers: &'static str) -> Variant {
    let [variant] = <[Variant; 1]>::try_from(variants(syntax, registers)).expect("no choices");
    variant
}

/// Returns the results of a batch. Each element of `operands` and of the results is a row of registers.
fn run(variant: &Variant, fault: Option<Fault>, operands: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let mut columns = columns_for(variant, operands.len());
    for (row, registers) in operands.iter().enumerate() {
        assert_eq!(registers.len(), columns.len(), "{variant}");
        column::set_row(&mut columns, row, registers);
    }
    let mut results = results_for(variant, operands.len());
    // What was in the registers before does not matter.
    results.iter_mut().for_each(|column| column.bytes_mut().fill(0xa5));
    Model::new(variant, fault).run(&columns, &mut results);
    (0..operands.len()).map(|row| column::row(&results, row)).collect()
}

/// Returns the first result register of one vector, from the right model.
fn one(variant: &Variant, operands: &[u64]) -> u64 {
    run(variant, None, &[operands.to_vec()])[0][0]
}

/// Random vectors that reach the corners.
struct Random(CounterRng);

impl Random {
    fn new(seed: u64) -> Random {
        Random(CounterRng::new(seed, 0))
    }

    /// Returns the bits of a datum of any kind.
    fn datum(&mut self, format: &Format) -> u64 {
        corner_operands::datum(&mut self.0, format)
    }

    /// Returns the operand registers of one vector for a variant.
    fn vector(&mut self, variant: &Variant) -> Vec<u64> {
        let register = |random: &mut Random, ty: &isa::Type| {
            (0..ty.lanes).fold(0, |bits, lane| bits | ty.place(random.datum(ty.format), lane))
        };
        variant.operands().iter().map(|operand| register(self, &operand.ty)).collect()
    }

    fn vectors(&mut self, variant: &Variant, count: usize) -> Vec<Vec<u64>> {
        (0..count).map(|_| self.vector(variant)).collect()
    }
}

/// Returns the bits of a datum, with every NaN made canonical.
fn canonical(format: &Format, bits: u64) -> u64 {
    if format.is_nan(bits) { format.canonical_nan() } else { bits }
}
