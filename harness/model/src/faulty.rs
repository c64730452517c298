//! Wrong models: what each [`Fault`] does to a stage. A fault that only reads the manual wrongly is
//! another meaning (`meaning`). The other faults override stages, a file for each group of stages, and ask the
//! plain stage for all that they do not change. So several faults together do what each does.

mod choose;
mod convert;
mod decode;
mod discarded;
mod finish;
mod integral;
mod lanes;
mod meaning;
mod operate;
mod order;
mod overflow;
mod packed;
mod round;
mod shift;

use formats::Format;
use isa::{Meaning, Variant};

use super::number::Number;
use super::stages::{Plain, VariantFacts};
use super::{Fault, Faults};

/// The stages with faults.
pub struct Faulty<'a> {
    /// The plain stages, for all that no fault overrides.
    plain: Plain<'a>,
    faults: Faults,
    /// The fault that rounds a result to another format first, where one does.
    through: Option<Fault>,
    /// The number of places below which a result's bits are lost, where a fault loses them.
    sticky_lost: Option<u32>,
    /// The number of bits that the smaller term of a sum keeps below the last place of the larger one, where a fault
    /// cuts it.
    term_cut: Option<u32>,
    /// The number of bits below the last place of the larger term from which those of the smaller one are a sticky bit that
    /// is added, where a fault adds it always.
    sticky_added: Option<u32>,
    /// The width of the signed integers that results are clamped to, where a fault cuts their low bits from those.
    clamped_width: Option<u32>,
    /// The number that a count of places to shift by is taken modulo, where a fault does so.
    shift_modulus: Option<u32>,
    /// The width of the integers that integral numbers go through, where a fault sends them through such.
    integral_width: Option<u32>,
    /// The number that the count of a number's integral bits is taken modulo, where a fault does so.
    integral_bits_modulus: Option<u32>,
    /// The faults that lose discarded bits or count them twice: one, or two of them.
    discarded: [Option<Fault>; 2],
}

impl Faulty<'_> {
    /// Returns the stages of a variant with those of `faults` that concern it.
    pub fn new(variant: &Variant, faults: Faults) -> Faulty<'_> {
        let concerned = faults.iter().filter(|fault| fault.concerns(variant));
        let faults = concerned.fold(Faults::default(), |all, fault| all.and(fault.into()));
        Faulty {
            plain: Plain::new(variant, meaning::misread(variant, faults)),
            faults,
            through: faults.iter().find(|fault| fault.intermediate_format().is_some()),
            term_cut: faults.iter().find_map(Fault::bits_of_smaller_term),
            sticky_added: faults.iter().find_map(Fault::bits_above_sticky),
            clamped_width: faults.iter().find_map(Fault::clamped_width),
            shift_modulus: faults.iter().find_map(Fault::shift_modulus),
            integral_width: faults.iter().find_map(Fault::integral_width),
            integral_bits_modulus: faults.iter().find_map(Fault::integral_bits_modulus),
            sticky_lost: faults.iter().find_map(Fault::sticky_places),
            discarded: {
                let mut of_bits = faults.iter().filter(|fault| fault.bits_lost().is_some());
                [of_bits.next(), of_bits.next()]
            },
        }
    }

    // Where the compiler sees which fault it is, its place is a constant.
    #[inline(always)]
    fn has(&self, fault: Fault) -> bool {
        self.faults.has(fault)
    }
}

impl VariantFacts for Faulty<'_> {
    fn variant(&self) -> &Variant {
        self.plain.variant()
    }

    fn meaning(&self) -> &Meaning {
        self.plain.meaning()
    }

    fn output(&self) -> &'static Format {
        self.plain.output()
    }

    fn largest(&self) -> Number {
        self.plain.largest()
    }
}
