//! What an implementation may compute in the place of a variant: the variant with faults, another one of its
//! operation, its registers as integers, or nothing.

use emulator::{Backend, Kernel};
use formats::Column;
use isa::Variant;
use model::{Fault, Faults, Model};

use super::integers::Integers;
use super::siblings::Sibling;

/// A guess at what is computed.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// What is computed …
    pub computes: Computes,
    /// … with these faults; none of integers and zeros.
    pub faults: Faults,
}

/// What is computed.
#[derive(Clone, Copy, Debug)]
pub enum Computes {
    /// The variant.
    Itself,
    /// Another variant of its operation.
    Sibling(Sibling),
    /// The same of integers.
    Integers(Integers),
    /// Nothing: all results are 0.
    Zero,
}

impl Candidate {
    /// The variant with faults.
    pub fn faulty(faults: impl Into<Faults>) -> Candidate {
        Candidate { computes: Computes::Itself, faults: faults.into() }
    }

    /// What has no faults beside.
    pub fn of(computes: Computes) -> Candidate {
        Candidate { computes, faults: Faults::default() }
    }

    /// Computes every row of `results`, columns of `variant`.
    pub fn run(&self, variant: &Variant, operands: &[Column], results: &mut [Column]) {
        match self.computes {
            Computes::Itself => Model::new(variant, self.faults).run(operands, results),
            Computes::Sibling(sibling) => self.run_sibling(sibling.variant, operands, results),
            Computes::Integers(integers) => integers.run(variant, operands, results),
            Computes::Zero => results.iter_mut().for_each(|column| column.bytes_mut().fill(0)),
        }
    }

    /// Another variant on the low bits of the first registers, of which those it has no place for are zeros.
    fn run_sibling(&self, sibling: &'static Variant, operands: &[Column], results: &mut [Column]) {
        let rows = operands[0].rows();
        let mut own = isa::columns_for(sibling, rows);
        for (own, (column, register)) in own.iter_mut().zip(operands.iter().zip(sibling.operands())) {
            copy(column, own, register.ty.mask());
        }
        let mut given = isa::results_for(sibling, rows);
        let kernel = Kernel::of(sibling, Backend::Scalar).filter(|_| self.faults.is_empty());
        match kernel {
            Some(kernel) => kernel.run(&own, &mut given),
            None => Model::new(sibling, self.faults).run(&own, &mut given),
        }
        for (number, column) in results.iter_mut().enumerate() {
            match given.get(number) {
                Some(given) => copy(given, column, u64::MAX),
                None => column.bytes_mut().fill(0),
            }
        }
    }

    /// The names of what is wrong, but for what the manual leaves open.
    pub fn flaws(&self, open: Faults) -> Vec<String> {
        let computed = match self.computes {
            Computes::Itself => vec![],
            Computes::Sibling(sibling) => sibling.flaws(),
            Computes::Integers(_) => vec!["computed-as-integers".into()],
            Computes::Zero => vec!["always-zero".into()],
        };
        let faults = self.faults.iter().filter(|fault| !open.has(*fault));
        computed.into_iter().chain(faults.map(Fault::id)).collect()
    }

    /// The same in words, and what is open and how it is taken.
    pub fn words(&self, open: Faults) -> String {
        let computed = match self.computes {
            Computes::Itself => None,
            Computes::Sibling(sibling) => Some(sibling.words()),
            Computes::Integers(integers) => Some(integers.words().into()),
            Computes::Zero => Some("nothing is computed: all results are zero".into()),
        };
        let faults = self.faults.iter().filter(|fault| !open.has(*fault));
        let parts: Vec<String> = computed.into_iter().chain(faults.map(Fault::words)).collect();
        let taken: Vec<String> = open.iter().map(Fault::words).collect();
        match taken.is_empty() {
            true => parts.join("; and "),
            false => format!(
                "{}; and, which the manual leaves open, {}",
                parts.join("; and "),
                taken.join(", ")
            ),
        }
    }

    /// The modifiers of a variant that would have no effect, where that is all that is wrong.
    pub fn ignored(&self, variant: &Variant) -> Option<Vec<String>> {
        let mut faults = self.faults.iter();
        match (self.computes, faults.next(), faults.next()) {
            (Computes::Sibling(sibling), None, _) if sibling.only_ignores() => {
                Some(sibling.ignored().iter().map(|modifier| modifier.to_string()).collect())
            }
            (Computes::Itself, Some(fault), None) => Some(vec![modifier_of(fault, variant)?]),
            _ => None,
        }
    }
}

/// The bits of a mask of every row, in rows of another width.
fn copy(from: &Column, into: &mut Column, mask: u64) {
    let all = u64::MAX >> (64 - 8 * from.row_bytes());
    if from.row_bytes() == into.row_bytes() && mask & all == all {
        into.bytes_mut().copy_from_slice(from.bytes());
    } else {
        (0..from.rows()).for_each(|row| into.set(row, from.get(row) & mask));
    }
}

/// The modifier that a fault takes all effect from.
fn modifier_of(fault: Fault, variant: &Variant) -> Option<String> {
    let text = match fault {
        Fault::NearestInstead | Fault::DownIgnored => {
            let mut rounding = variant.modifiers().iter().filter(|of| of.rounding().is_some());
            return rounding.next().map(|modifier| modifier.to_string());
        }
        Fault::SatIgnored => ".sat",
        Fault::ReluIgnored => ".relu",
        Fault::SatfiniteIgnored => ".satfinite",
        Fault::PzoIgnored => ".pzo",
        Fault::OobIgnored => ".oob",
        Fault::MagnitudesIgnored => ".abs",
        Fault::NanLoses => ".NaN",
        _ => return None,
    };
    Some(text.into())
}
