//! The stages with faults of signs, classes and choices.

use formats::Class;
use isa::{ClassMask, NanRule, Op};

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::stages::{Choose, VariantFacts};

impl Choose for Faulty<'_> {
    fn signed(&self, bits: u64) -> u64 {
        let (format, of_operand) = (self.output(), self.meaning().nan == NanRule::Operand);
        let (nan, zero) = (format.is_nan(bits), format.class(bits) == Class::Zero);
        let kept = match self.meaning().op {
            _ if nan && of_operand => self.has(Fault::NanKeepsItsSign),
            _ if nan && self.has(Fault::NanKeepsPayload) => true,
            Op::Abs => zero && self.has(Fault::AbsKeepsNegativeZero),
            _ => bits == 0 && self.has(Fault::NegSparesZero),
        };
        if kept { bits } else { self.plain.signed(bits) }
    }

    fn copysign(&self, sign: u64, magnitude: u64) -> u64 {
        match self.has(Fault::CopysignFlips) {
            true => magnitude ^ sign & self.output().sign_mask(),
            false => self.plain.copysign(sign, magnitude),
        }
    }

    fn is_of(&self, classes: ClassMask, bits: u64) -> bool {
        let format = self.input(0);
        let signalling = bits & format.quiet_bit() == 0;
        let (normal, subnormal) = (classes.contains(Class::Normal), classes.contains(Class::Subnormal));
        match format.class(bits) {
            Class::Zero if self.has(Fault::ZeroNotNormal) && normal && !subnormal => false,
            Class::Zero if self.has(Fault::ZeroSubnormal) && subnormal => true,
            Class::Infinity if self.has(Fault::InfinityFinite) => normal,
            Class::Nan if self.has(Fault::NanInfinite) => classes.contains(Class::Infinity),
            Class::Nan if self.has(Fault::SignallingIsNumber) && signalling => normal,
            _ => self.plain.is_of(classes, bits),
        }
    }

    fn selects_first(&self, selector: Datum) -> bool {
        match selector {
            Datum::Nan(_) if self.has(Fault::NanSelectsFirst) => true,
            _ if selector.is_zero() && self.has(Fault::NegativeZeroSelectsSecond) => {
                !selector.is_negative()
            }
            _ => self.plain.selects_first(selector),
        }
    }
}
