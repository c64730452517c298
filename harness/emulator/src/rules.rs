//! Modifiers as kernels see them: what they do to operands, to rounding and to the result.

use std::marker::PhantomData;

use vectors::Format;
use vectors::format::Specials;
use vectors::isa::Rounding;

use super::layout::Encoding;
use super::value::Value;

/// How a result is made to fit its format's numbers, if it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamp {
    /// Not at all: what is too large overflows.
    None,
    /// `.sat`: to [0, 1], NaN to +0.
    Unit,
    /// `.relu`: negative numbers to +0.
    Positive,
    /// `.satfinite`: to the largest finite magnitude.
    Finite,
    /// `.satfinite.relu`.
    PositiveFinite,
}

/// The modifiers of an operation with a floating-point result.
#[derive(Clone, Copy, Debug)]
pub struct Modifiers {
    /// How it rounds.
    pub rounding: Rounding,
    /// Whether subnormal operands count as zeros.
    pub flush_operands: bool,
    /// Whether results below the normal numbers become zeros.
    pub flush_results: bool,
    /// How the result is clamped.
    pub clamp: Clamp,
    /// `.pzo`: whether −0 becomes +0.
    pub positive_zero: bool,
}

impl Modifiers {
    /// No modifier: nearest even.
    pub const NONE: Modifiers = Modifiers {
        rounding: Rounding::NearestEven,
        flush_operands: false,
        flush_results: false,
        clamp: Clamp::None,
        positive_zero: false,
    };
}

/// Modifiers of an operation with a result in a certain format, as masks and bounds.
///
/// A magnitude is the encoding without its sign.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Whether subnormal operands count as zeros.
    pub flush_operands: bool,
    /// Whether results below the normal numbers become zeros.
    pub flush_results: bool,
    /// Whether a tie goes to the even neighbour.
    pub ties_to_even: bool,
    /// Whether a tie goes away from zero.
    pub ties_away: bool,
    /// Whether the rounding goes by the sign.
    pub directed: bool,
    /// If it does, whether up.
    pub upward: bool,
    /// Whether numbers beyond the largest finite one round to infinity, whatever their sign.
    pub overflows: bool,
    /// The largest magnitude of a result, if it is clamped.
    pub limit: Option<u64>,
    /// Magnitudes above this one are NaN, in a format that has no infinity.
    pub last: Option<u64>,
    /// Whether negative results become +0.
    pub positive: bool,
    /// The sign bit of negative results.
    pub sign: u64,
    /// Whether −0 becomes +0.
    pub positive_zero: bool,
    /// What stands for NaN.
    pub nan: u64,
}

impl Rules {
    /// The rules of `modifiers` for results in `format`.
    pub const fn new(format: &Format, modifiers: Modifiers) -> Rules {
        let Modifiers { rounding, clamp, .. } = modifiers;
        let positive = matches!(clamp, Clamp::Unit | Clamp::Positive | Clamp::PositiveFinite);
        let finite = matches!(clamp, Clamp::Finite | Clamp::PositiveFinite);
        Rules {
            flush_operands: modifiers.flush_operands,
            flush_results: modifiers.flush_results,
            ties_to_even: matches!(rounding, Rounding::NearestEven),
            ties_away: matches!(rounding, Rounding::NearestAway),
            directed: matches!(rounding, Rounding::Down | Rounding::Up),
            upward: matches!(rounding, Rounding::Up),
            overflows: matches!(
                rounding,
                Rounding::NearestEven | Rounding::NearestAway | Rounding::Stochastic
            ),
            limit: match clamp {
                Clamp::Unit => Some(format.one()),
                _ if finite => Some(format.max_finite()),
                _ => None,
            },
            last: match format.infinity() {
                Some(_) => None,
                None => Some(format.max_finite()),
            },
            positive,
            sign: if positive { 0 } else { format.sign_mask() },
            positive_zero: modifiers.positive_zero
                || matches!(format.specials, Specials::NanNegativeZero),
            nan: match (clamp, format.nan()) {
                (Clamp::Unit, _) => 0,
                (_, Some(nan)) => nan,
                (_, None) => format.max_finite(),
            },
        }
    }
}

impl Value<Rules> for Rules {
    const CONSTANT: bool = false;

    #[inline(always)]
    fn get(&self) -> &Rules {
        self
    }
}

/// `.ftz` in a [`Set`].
pub const FTZ: u32 = 1;
/// `.sat` in a [`Set`].
pub const SAT: u32 = 2;
/// `.relu` in a [`Set`].
pub const RELU: u32 = 4;

/// The modifiers of the hot kernels, which round to nearest even: a constant, by the format of the
/// result and a sum of [`FTZ`], [`SAT`] and [`RELU`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Set<R, const M: u32>(PhantomData<R>);

impl<R: Encoding, const M: u32> Set<R, M> {
    const RULES: Rules = Rules::new(
        &R::FORMAT,
        Modifiers {
            flush_operands: M & FTZ != 0,
            flush_results: M & FTZ != 0,
            clamp: match M & (SAT | RELU) {
                SAT => Clamp::Unit,
                RELU => Clamp::Positive,
                _ => Clamp::None,
            },
            ..Modifiers::NONE
        },
    );
}

impl<R: Encoding, const M: u32> Value<Rules> for Set<R, M> {
    const CONSTANT: bool = true;

    #[inline(always)]
    fn get(&self) -> &Rules {
        const { &Self::RULES }
    }
}
