//! The stages of an operation: unpack, combine exactly, round once, pack.
//!
//! Between unpacking and rounding a significand is a fixed-point number: bit 29 is the unit, the
//! bits below are the fraction. Above it there is room for the carry of a sum and for its sign,
//! and below the last place even of f32 there are six more bits for what rounding needs to know.
//! Bits that are shifted out at the lower end leave a trace in bit 0, the sticky bit.

use vectors::isa::Rounding;

use super::encoding::Encoding;
use super::modifiers::{FTZ, Modifiers, RELU, SAT, has, rounding};
use super::word::Word;

/// Position of the unit in a fixed-point significand.
const UNIT: u32 = 29;

/// A datum taken apart.
#[derive(Clone, Copy)]
pub struct Unpacked<W> {
    /// Mask of the sign.
    pub negative: W,
    /// The encoding without its sign, after `.ftz`.
    pub magnitude: W,
    /// With the implicit bit. A finite datum is `significand × 2^(exponent − bias − trailing)`.
    significand: W,
    /// The exponent field, and 1 for subnormals, which share the smallest normal exponent.
    exponent: W,
}

/// The bits of a datum taken apart; `.ftz` flushes it first.
#[inline(always)]
pub fn unpack<F: Encoding, W: Word, const M: Modifiers>(bits: W) -> Unpacked<W> {
    let mut magnitude = bits & F::MAGNITUDE;
    if has(M, FTZ) {
        magnitude = magnitude & magnitude.exceeds(F::MIN_NORMAL - 1);
    }
    let exponent = (magnitude >> F::TRAILING).max(1);
    Unpacked {
        negative: (bits << (32 - F::WIDTH)).negative(),
        magnitude,
        significand: magnitude + F::MIN_NORMAL - (exponent << F::TRAILING),
        exponent,
    }
}

/// An intermediate result on its way to the format `R`, exact but for what the sticky bit stands
/// for: its magnitude is `significand × 2^(exponent − R::BIAS)`, the significand in fixed point.
#[derive(Clone, Copy)]
pub struct Exact<W> {
    /// Mask of the sign.
    negative: W,
    /// Below 2 for an operand, 4 for a sum. Not normalised: it may be small, or zero.
    significand: W,
    /// Biased for `R`, signed.
    exponent: W,
    /// Mask of infinities. They also have an exponent beyond every finite one: in a sum the
    /// infinite operand prevails, and rounding makes it an infinity again.
    infinite: W,
    /// Mask of results that are no number, whatever the rest says.
    nan: W,
}

/// The biased exponent of infinities in the format `R`: so far above those of finite data and
/// products that an infinity prevails in any sum and overflows in any rounding, and still small
/// enough that it fits a word when it is shifted into the place of the exponent field.
const fn beyond<R: Encoding>() -> u32 {
    7 << (R::FORMAT.exponent_bits - 2)
}

/// A datum of the format `F` as an operand of a sum in the format `R`.
#[inline(always)]
pub fn exact<F: Encoding, R: Encoding, W: Word>(a: Unpacked<W>) -> Exact<W> {
    let infinite = a.magnitude.exceeds(F::MAX_FINITE);
    let widened = Exact {
        negative: a.negative,
        significand: a.significand << (UNIT - F::TRAILING),
        exponent: a.exponent + (R::BIAS - F::BIAS),
        infinite,
        nan: a.magnitude.exceeds(F::INFINITY),
    };
    // A subnormal may stay as it is where no operand or result has a smaller exponent than its own.
    let normalised = if R::BIAS == F::BIAS { widened } else { normalise(widened) };
    Exact { exponent: normalised.exponent.max_signed(infinite & beyond::<R>()), ..normalised }
}

/// The product of two data of the format `F`: 22 bits or fewer, so it loses nothing.
#[inline(always)]
pub fn product<F: Encoding, R: Encoding, W: Word>(a: Unpacked<W>, b: Unpacked<W>) -> Exact<W> {
    let (larger, smaller) = (a.magnitude.max(b.magnitude), a.magnitude.min(b.magnitude));
    let infinite = larger.exceeds(F::MAX_FINITE);
    // The product of two significands below 2 is below 4, so one place is kept free above it.
    let bias = (R::BIAS + 1).wrapping_sub(2 * F::BIAS);
    let multiplied = Exact {
        negative: a.negative ^ b.negative,
        significand: (a.significand * b.significand) << (UNIT - 1 - 2 * F::TRAILING),
        exponent: a.exponent + b.exponent + bias,
        infinite,
        nan: larger.exceeds(F::INFINITY) | (infinite & smaller.equals(0)),
    };
    // If the result is no more precise than the factors, a product of subnormals may stay as it is.
    // With one subnormal factor it still has as many bits as the result needs; with two it is far
    // below the result's last place.
    let normalised = if R::PRECISION > F::PRECISION {
        normalise(multiplied)
    } else if R::BIAS + 1 > UNIT - R::TRAILING {
        // Zero times a large number must not make a small addend sticky.
        Exact { exponent: multiplied.exponent & !multiplied.significand.equals(0), ..multiplied }
    } else {
        multiplied
    };
    Exact { exponent: infinite.select(beyond::<R>(), normalised.exponent), ..normalised }
}

/// The same value with its highest bit at the unit; for zero, an exponent below that of any datum.
#[inline(always)]
fn normalise<W: Word>(a: Exact<W>) -> Exact<W> {
    let shift = a.significand.leading_zeros() - (31 - UNIT);
    let zero = a.significand.equals(0);
    Exact { significand: a.significand << shift, exponent: (a.exponent - shift) & !zero, ..a }
}

/// The same value with no exponent below the smallest normal number's, as [`round`] needs it.
/// A sum has that from its addend.
#[inline(always)]
pub fn denormalise<W: Word>(a: Exact<W>) -> Exact<W> {
    let exponent = a.exponent.max_signed(1);
    Exact { significand: shift_right_sticky(a.significand, exponent - a.exponent), exponent, ..a }
}

/// `a + b`. An exact zero is positive unless both are negative, or one is and `.rm` rounds.
#[inline(always)]
pub fn sum<W: Word, const M: Modifiers>(a: Exact<W>, b: Exact<W>) -> Exact<W> {
    let signed = |x: Exact<W>| (x.significand ^ x.negative) - x.negative;
    let distance = a.exponent - b.exponent;
    let swap = (signed(a) ^ signed(b)) & distance.negative();
    let (higher, lower) = (signed(a) ^ swap, signed(b) ^ swap);
    let total = higher + shift_right_sticky(lower, distance.abs());

    let mut negative = total.negative() | (a.negative & b.negative);
    if rounding(M) == Rounding::Down {
        negative = negative | (total.equals(0) & (a.negative | b.negative));
    }
    let opposite_infinities = a.infinite & b.infinite & (a.negative ^ b.negative);
    Exact {
        negative,
        significand: total.abs(),
        exponent: a.exponent.max_signed(b.exponent),
        infinite: a.infinite | b.infinite,
        nan: a.nan | b.nan | opposite_infinities,
    }
}

/// Signed right shift. What is shifted out leaves its trace: the last bit is set unless it was zero.
#[inline(always)]
fn shift_right_sticky<W: Word>(a: W, count: W) -> W {
    let shifted = a.shr_signed(count);
    let exact = (shifted << count).equals(a);
    shifted | (exact + 1)
}

/// A result that has been rounded, still without its sign.
#[derive(Clone, Copy)]
pub struct Rounded<W> {
    negative: W,
    magnitude: W,
    nan: W,
}

/// Rounds to the format `R`, once: gradual underflow, overflow by the rounding, `.ftz` by the
/// exact value.
#[inline(always)]
pub fn round<R: Encoding, W: Word, const M: Modifiers>(a: Exact<W>) -> Rounded<W> {
    // The highest bit goes to bit 30, so that rounding may carry into bit 31; but not below the
    // smallest exponent: there the number is subnormal, and its leading zeros remain.
    let places = a.significand.leading_zeros().min(a.exponent + 1);
    let significand = a.significand << (places - 1);
    let exponent = a.exponent + 1 - places;

    let excess = 31 - R::PRECISION;
    let remainder = (1 << excess) - 1;
    let increment = match rounding(M) {
        Rounding::NearestEven => ((significand >> excess) & 1) + (remainder >> 1),
        Rounding::TowardZero => W::from(0),
        Rounding::Down => a.negative & remainder,
        Rounding::Up => !a.negative & remainder,
        rounding => unreachable!("{rounding:?}"),
    };
    // The implicit bit adds one to the exponent of a normal number, and so does a carry.
    let unbounded = (exponent << R::TRAILING) + ((significand + increment) >> excess);

    let away = match rounding(M) {
        Rounding::NearestEven => W::from(!0),
        Rounding::TowardZero => a.infinite,
        Rounding::Down => a.infinite | a.negative,
        Rounding::Up => a.infinite | !a.negative,
        rounding => unreachable!("{rounding:?}"),
    };
    // Infinity is the encoding that follows the largest finite number's.
    let bounded = unbounded.min(W::from(R::MAX_FINITE) - away);
    let stays = if has(M, FTZ) { significand.exceeds((1 << 30) - 1) } else { significand.exceeds(0) };
    Rounded { negative: a.negative, magnitude: bounded & stays, nan: a.nan }
}

/// The result's bits, clamped by `.sat` or `.relu`. Every NaN is the canonical one.
#[inline(always)]
pub fn pack<R: Encoding, W: Word, const M: Modifiers>(a: Rounded<W>) -> W {
    if has(M, SAT) {
        a.magnitude.min(R::ONE) & !(a.negative | a.nan)
    } else if has(M, RELU) {
        a.nan.select(R::CANONICAL_NAN, a.magnitude & !a.negative)
    } else {
        a.nan.select(R::CANONICAL_NAN, a.magnitude | (a.negative & R::SIGN))
    }
}
