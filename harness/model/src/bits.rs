//! Operations that look at bits and move them: signs, classes and a choice.

use vectors::format::{Class, F64};
use vectors::isa::{Modifier, Operation};

use super::datum::Datum;
use super::{Deviation, Model};

impl Model {
    /// `abs` and `neg`.
    pub(super) fn signed(&self, bits: u64) -> u64 {
        let format = self.output();
        let bits = self.flushed(format, bits);
        // Of f64, a NaN too has nothing but its sign changed.
        if format.is_nan(bits) && *format != F64 {
            let kept = self.deviates(Deviation::NanKeepsPayload);
            return if kept { bits } else { format.canonical_nan() };
        }
        if format.is_nan(bits) && self.deviates(Deviation::NanKeepsItsSign) {
            return bits;
        }
        let zero = format.class(bits) == Class::Zero;
        if self.variant.operation() == Operation::Abs {
            let kept = zero && self.deviates(Deviation::AbsKeepsNegativeZero);
            if kept { bits } else { bits & format.magnitude_mask() }
        } else {
            let spared = bits == 0 && self.deviates(Deviation::NegSparesZero);
            if spared { bits } else { bits ^ format.sign_mask() }
        }
    }

    /// The magnitude of the second input with the sign of the first.
    pub(super) fn copysign(&self, inputs: &[u64]) -> u64 {
        let format = self.output();
        match self.deviates(Deviation::CopysignFlips) {
            true => inputs[1] ^ inputs[0] & format.sign_mask(),
            false => inputs[1] & format.magnitude_mask() | inputs[0] & format.sign_mask(),
        }
    }

    /// Whether the number is of the kind asked for.
    pub(super) fn testp(&self, bits: u64) -> bool {
        let format = self.input(0);
        let signalling = format.is_nan(bits) && bits & format.quiet_bit() == 0;
        let class = match format.class(bits) {
            Class::Infinity if self.deviates(Deviation::InfinityFinite) => Class::Normal,
            Class::Nan if self.deviates(Deviation::NanInfinite) => Class::Infinity,
            Class::Nan if self.deviates(Deviation::SignallingIsNumber) && signalling => Class::Normal,
            class => class,
        };
        let kind = self.variant.modifiers()[0];
        match kind {
            Modifier::Finite => !matches!(class, Class::Infinity | Class::Nan),
            Modifier::Infinite => class == Class::Infinity,
            Modifier::Number => class != Class::Nan,
            Modifier::Notanumber => class == Class::Nan,
            Modifier::Normal if class == Class::Zero => !self.deviates(Deviation::ZeroNotNormal),
            Modifier::Normal => class == Class::Normal,
            Modifier::Subnormal if class == Class::Zero => self.deviates(Deviation::ZeroSubnormal),
            Modifier::Subnormal => class == Class::Subnormal,
            kind => unreachable!("testp{kind}"),
        }
    }

    /// The first input where the third is not negative, else the second.
    pub(super) fn select(&self, inputs: &[u64]) -> u64 {
        let format = self.input(2);
        let selector = self.decoded(format, inputs[2]);
        let first = match selector {
            Datum::Nan(_) => self.deviates(Deviation::NanSelectsFirst),
            _ if selector.is_zero() => {
                !(selector.is_negative() && self.deviates(Deviation::NegativeZeroSelectsSecond))
            }
            _ => !selector.is_negative(),
        };
        if first { inputs[0] } else { inputs[1] }
    }
}
