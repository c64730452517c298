//! The rules that a variant gives a kernel beside its operation: how operands, rounding and the result are treated.

use formats::{Format, Specials};
use isa::{Clamp, Meaning, Rounding};

use super::spec::{Spec, known};

/// The treatment of operands and of a result in a certain format, as masks and bounds.
///
/// A magnitude is the encoding without its sign.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Whether subnormal operands count as zeros.
    pub flush_operands: bool,
    /// The rules that sums and their rounding depend on.
    pub rounding: RoundingRules,
    /// The largest magnitude of a result, if it is clamped.
    pub limit: Option<u64>,
    /// The magnitude above which results are NaN, in a format that has no infinity.
    pub last: Option<u64>,
    /// Whether negative results become +0.
    pub positive: bool,
    /// The sign bit of negative results.
    pub sign: u64,
    /// Whether −0 becomes +0.
    pub positive_zero: bool,
    /// The encoding that stands for NaN.
    pub nan: u64,
}

/// The rules by which an exact value becomes a number of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundingRules {
    /// Whether results below the normal numbers become zeros.
    pub flush_results: bool,
    /// Whether a tie goes to the even neighbour.
    pub ties_to_even: bool,
    /// Whether a tie goes away from zero.
    pub ties_away: bool,
    /// Whether the rounding goes by the sign: down or up.
    pub directed: bool,
    /// Whether a rounding that goes by the sign is up.
    pub upward: bool,
    /// Whether numbers beyond the largest finite one round to infinity, whatever their sign.
    pub overflows: bool,
}

impl RoundingRules {
    /// Returns the rules of a rounding, without `.ftz`.
    const fn of(rounding: Rounding) -> RoundingRules {
        use Rounding::{Down, NearestAway, NearestEven, Stochastic, Up};
        RoundingRules {
            flush_results: false,
            ties_to_even: matches!(rounding, NearestEven),
            ties_away: matches!(rounding, NearestAway),
            directed: matches!(rounding, Down | Up),
            upward: matches!(rounding, Up),
            overflows: matches!(rounding, NearestEven | NearestAway | Stochastic),
        }
    }
}

/// The rounding rules among the rules `M`: code that is given them can ask for nothing else.
#[derive(Clone, Copy, Debug)]
pub struct OfRounding<M>(pub M);

impl<M: Spec<Rules>> Spec<RoundingRules> for OfRounding<M> {
    const KNOWN: Option<RoundingRules> = match M::KNOWN {
        Some(rules) => Some(rules.rounding),
        None => None,
    };

    #[inline(always)]
    fn get(&self) -> &RoundingRules {
        &self.0.get().rounding
    }
}

impl Rules {
    /// Returns the rules for results in `format`, rounded to nearest even, without modifiers.
    pub const fn plain(format: &Format) -> Rules {
        Rules {
            flush_operands: false,
            rounding: RoundingRules::of(Rounding::NearestEven),
            limit: None,
            last: match format.infinity() {
                Some(_) => None,
                None => Some(format.max_finite()),
            },
            positive: false,
            sign: format.sign_mask(),
            positive_zero: matches!(format.specials, Specials::NanNegativeZero),
            // A format without NaN has "positive MAX_NORM" in its place (9.7.10.24).
            nan: match format.nan() {
                Some(nan) => nan,
                None => format.max_finite(),
            },
        }
    }

    /// Returns the rules for results in `format`, with the rounding and the modifiers of a variant, whose inputs are
    /// all flushed alike.
    pub fn of(format: &Format, meaning: &Meaning) -> Rules {
        let Meaning { rounding, flush, clamp, satfinite, positive_zero, .. } = *meaning;
        let plain = Rules::plain(format);
        let finite = if satfinite { plain.with_limit(format.max_finite()) } else { plain };
        let rounding = RoundingRules { flush_results: flush.result, ..RoundingRules::of(rounding) };
        Rules {
            flush_operands: flush.inputs[0],
            rounding,
            positive_zero: plain.positive_zero || positive_zero,
            ..finite.clamped(format, clamp)
        }
    }

    /// Returns the rules for results in `format`, rounded to nearest even, with modifiers of `fma`.
    pub const fn modified(format: &Format, modifiers: Modifiers) -> Rules {
        let plain = Rules::plain(format);
        let flushed = if modifiers.flush { plain.flushed() } else { plain };
        flushed.clamped(format, modifiers.clamp)
    }

    /// Returns the rules with subnormal operands and results as zeros.
    const fn flushed(self) -> Rules {
        let rounding = RoundingRules { flush_results: true, ..self.rounding };
        Rules { flush_operands: true, rounding, ..self }
    }

    /// Returns the rules with no result of a magnitude larger than `limit`.
    const fn with_limit(self, limit: u64) -> Rules {
        Rules { limit: Some(limit), ..self }
    }

    /// Returns the rules with results in the interval of `clamp`.
    const fn clamped(self, format: &Format, clamp: Clamp) -> Rules {
        match clamp {
            Clamp::None => self,
            // Negative results become +0, so that no result has a sign.
            Clamp::Positive => Rules { positive: true, sign: 0, ..self },
            // "Clamps the result to [0.0, 1.0]. NaN results are flushed to +0.0" (9.7.3.3).
            Clamp::Unit => Rules { positive: true, sign: 0, nan: 0, ..self }.with_limit(format.one()),
        }
    }
}

/// The modifiers of an `fma` in half precision.
#[derive(Clone, Copy, Debug)]
pub struct Modifiers {
    /// Whether `.ftz` is given.
    pub flush: bool,
    /// The clamp: `.sat` or `.relu`.
    pub clamp: Clamp,
    /// Whether `.oob` is given.
    pub out_of_bounds: bool,
}

known! {
    Rules:
    F16Plain = Rules::plain(&formats::F16);
    F16Ftz = Rules::plain(&formats::F16).flushed();
    F16Sat = Rules::plain(&formats::F16).clamped(&formats::F16, Clamp::Unit);
    F16FtzSat = Rules::plain(&formats::F16).flushed().clamped(&formats::F16, Clamp::Unit);
    F16Relu = Rules::plain(&formats::F16).clamped(&formats::F16, Clamp::Positive);
    F16FtzRelu = Rules::plain(&formats::F16).flushed().clamped(&formats::F16, Clamp::Positive);
    Bf16Plain = Rules::plain(&formats::BF16);
    Bf16Relu = Rules::plain(&formats::BF16).clamped(&formats::BF16, Clamp::Positive);
    E5m2Plain = Rules::plain(&formats::E5M2);
}

#[cfg(test)]
mod tests {
    use formats::Scale;
    use isa::{Family, Variant};

    /// Checks that the operands of each instruction that rounds are flushed alike, since [`super::Rules`] has one flag
    /// for all of them. Formats without subnormal numbers are left out.
    #[test]
    fn inputs_are_flushed_alike() {
        let arithmetic = |v: &&Variant| {
            matches!(v.meaning().op.family(), Family::SumsAndProducts | Family::QuotientsAndRoots)
        };
        for variant in Variant::all().iter().filter(arithmetic) {
            let inputs = variant.inputs().iter().zip(variant.meaning().flush.inputs);
            let mut flushed = inputs.filter(|(input, _)| input.format.scale == Scale::Floating);
            let first = variant.meaning().flush.inputs[0];
            assert!(flushed.all(|(_, flush)| flush == first), "{variant}");
        }
    }
}
