//! The model against what was not written here: the host's arithmetic and casts, tables of small formats
//! searched for the nearest number, and values worked out by hand.

mod explained;
mod faults;
mod host;
mod search;
mod values;

use formats::{Format, column};
use isa::{Contract, Form, Variant, columns_for, results_for};
use sweeps::CounterRng;

use super::{Fault, Model};

/// The variants of a row, those of the table if it has them.
fn variants(syntax: &'static str, registers: &'static str) -> Vec<Variant> {
    let form = Form::new(syntax, registers, Contract::Exact, "7.8 sm_90", "0");
    let of_table = |other: Variant| match other.text().parse::<Variant>() {
        Ok(variant) if variant.operands().len() == other.operands().len() => variant,
        _ => other,
    };
    Variant::expand(Box::leak(Box::new(form))).into_iter().map(of_table).collect()
}

/// The only variant of a row.
fn variant(syntax: &'static str, registers: &'static str) -> Variant {
    let [variant] = <[Variant; 1]>::try_from(variants(syntax, registers)).expect("no choices");
    variant
}

/// The results of a batch; each element is a row of registers.
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

/// The first result register of one vector.
fn one(variant: &Variant, operands: &[u64]) -> u64 {
    run(variant, None, &[operands.to_vec()])[0][0]
}

/// Random vectors that reach the corners.
struct Random(CounterRng);

impl Random {
    fn new(seed: u64) -> Random {
        Random(CounterRng::new(seed, 0))
    }

    /// A datum: any bits, a boundary, or few bits set in an exponent near that of 1, where sums and
    /// products of several meet.
    fn datum(&mut self, format: &Format) -> u64 {
        let sign = self.0.next() & format.sign_mask();
        let one = format.one();
        let nan = format.nan().unwrap_or(0) & format.magnitude_mask();
        let max = format.max_finite();
        let normal = format.min_normal();
        let boundaries = [
            0,
            1,
            2,
            normal.saturating_sub(1),
            normal,
            one - 1,
            one,
            one + 1,
            max - 1,
            max,
            max.wrapping_add(1),
            nan,
            0x7ff7, // the out-of-bounds NaN of 16 bits
        ];
        match self.0.below(4) {
            0 => self.0.next() & format.mask(),
            1 => sign | boundaries[self.0.below(13) as usize] & format.magnitude_mask(),
            2 if format.is_fixed() => self.0.next() >> self.0.below(64) & format.mask(),
            _ if format.is_fixed() => {
                (1u64 << self.0.below(64) | 1 << self.0.below(64) | 1 << self.0.below(64))
                    & format.mask()
            }
            _ => {
                let bit = |random: &mut Random| 1 << random.0.below(format.trailing_bits.max(1) as i32);
                let few = [bit(self), bit(self) | bit(self), !bit(self), bit(self) - 1, self.0.next()];
                let trailing = few[self.0.below(5) as usize] & format.trailing_mask();
                let reach = (format.trailing_bits as i32 + 3).min(format.bias - 1);
                let field = (format.bias + self.0.between(-reach, reach)) as u64;
                (sign | field << format.trailing_bits | trailing) & format.mask()
            }
        }
    }

    /// The registers of a vector for a variant.
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

/// A datum with every NaN made canonical.
fn canonical(format: &Format, bits: u64) -> u64 {
    if format.is_nan(bits) { format.canonical_nan() } else { bits }
}
