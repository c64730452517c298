//! The stages with faults of comparisons, and of the choice of the smaller and the larger.

use formats::Class;
use isa::Extremum;

use super::Faulty;
use crate::Fault;
use crate::stages::{Order, VariantFacts, better};

impl Order for Faulty<'_> {
    fn better(&self, extremum: Extremum, a: u64, b: u64) -> u64 {
        let zeros = [a, b].map(|bits| self.output().class(bits)) == [Class::Zero; 2];
        if zeros && self.has(Fault::ZerosEqualFirst) { a } else { better(self, extremum, a, b) }
    }

    fn beside_nan(&self, extremum: Extremum, a: u64, b: u64) -> u64 {
        match () {
            () if self.has(Fault::NanGivesFirst) => a,
            () if self.has(Fault::NanGivesSecond) => b,
            () => self.plain.beside_nan(extremum, a, b),
        }
    }

    fn rank(&self, bits: u64) -> i64 {
        if self.has(Fault::UnsignedOrder) {
            // Without the highest bit of 64, which would be a sign.
            return (bits ^ 1 << 63) as i64;
        }
        let (format, magnitude) = (self.output(), bits & self.output().magnitude_mask());
        match format.is_negative(bits) {
            true if magnitude == 0 && self.has(Fault::ZerosEqual) => 0,
            true if magnitude == 0 && self.has(Fault::NegativeZeroLowest) => i64::MIN,
            // As two's complements, the bits of a negative number with a larger magnitude are the larger integer.
            true if self.has(Fault::IntegerOrder) => i64::MIN + magnitude as i64,
            _ => self.plain.rank(bits),
        }
    }

    fn product_of_signs(&self, inputs: &[u64]) -> u64 {
        let inputs = if self.has(Fault::XorsignOfFirst) { &inputs[..1] } else { inputs };
        let skips = |bits: &u64| self.has(Fault::XorsignSkipsNan) && self.output().is_nan(*bits);
        let counted: Vec<u64> = inputs.iter().copied().filter(|bits| !skips(bits)).collect();
        self.plain.product_of_signs(&counted)
    }

    fn complement(&self, holds: bool) -> bool {
        if self.has(Fault::ComplementMissing) { holds } else { self.plain.complement(holds) }
    }

    fn truth(&self) -> u64 {
        if self.has(Fault::TrueIsOne) { self.output().one() } else { self.plain.truth() }
    }

    fn unordered(&self, a: u64, b: u64) -> bool {
        match self.has(Fault::SecondNanMissed) {
            true => self.input(0).is_nan(a),
            false => self.plain.unordered(a, b),
        }
    }

    fn value(&self, bits: u64) -> i128 {
        let format = self.input(0);
        if format.is_fixed() {
            // All bits as a magnitude, or the highest as a sign.
            let unused = 128 - format.width();
            return match self.has(Fault::IntegerOrder) {
                true if format.signed => bits.into(),
                true => i128::from(bits) << unused >> unused,
                false => self.plain.value(bits),
            };
        }
        let magnitude = i128::from(bits & format.magnitude_mask());
        match format.is_negative(bits) {
            true if self.has(Fault::ZerosDiffer) => !magnitude,
            true if magnitude != 0 && self.has(Fault::IntegerOrder) => i128::MIN + magnitude,
            _ => self.plain.value(bits),
        }
    }
}
