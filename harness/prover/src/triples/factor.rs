//! Factors, and whether something is the product of two factors, read from the format alone: the second reading of
//! what the first stage computes.
//!
//! Nothing is rounded here, and 2^32 pairs are asked about for each variant: so a magnitude has 32 bits and its product
//! 64, and not the 128 bits of the numbers that `innocuous` rounds.

use emulator::stages::ProductKind;
use formats::{Class, Format};

/// A datum of a format as a factor: its class, and its magnitude where it is finite.
#[derive(Clone, Copy)]
pub struct Factor {
    class: Class,
    negative: bool,
    clears: bool,
    flushed: bool,
    /// The significand of a finite factor, whose magnitude is `significand × 2^exponent`.
    significand: u32,
    exponent: i32,
}

/// Returns all data of a format as factors. `flush`: subnormal ones count as zeros; `out_of_bounds`: the magnitude of
/// a NaN that makes the result zero.
pub fn factors(format: &Format, flush: bool, out_of_bounds: Option<u64>) -> Vec<Factor> {
    let factor = |bits| {
        let flushed = flush && format.class(bits) == Class::Subnormal;
        let class = if flushed { Class::Zero } else { format.class(bits) };
        let (significand, exponent) = match class {
            Class::Zero => (0, 0),
            _ => format.decode(bits).unwrap_or_default(),
        };
        Factor {
            class,
            negative: format.is_negative(bits),
            flushed,
            clears: out_of_bounds == Some(bits & format.magnitude_mask()),
            significand: significand as u32,
            exponent,
        }
    };
    (0..=format.mask()).map(factor).collect()
}

impl Factor {
    /// Whether the factor is infinite, NaN, or a subnormal number that counts as zero.
    pub fn is_special(self) -> bool {
        self.flushed || matches!(self.class, Class::Infinity | Class::Nan)
    }
}

/// Whether a product of a kind is that of two factors. Where the product is finite, its magnitude is
/// `significand × 2^(exponent − scale)`. For a NaN and for a product that is cleared nothing but the kind is looked at.
#[inline]
pub fn is_product(
    [a, b]: [Factor; 2],
    kind: ProductKind,
    [significand, exponent]: [u32; 2],
    scale: i32,
) -> bool {
    let cleared = a.clears || b.clears;
    if kind.is(ProductKind::BROKEN) || kind.is(ProductKind::CLEARED) != cleared {
        return false;
    }
    let has = |class| a.class == class || b.class == class;
    let infinite = has(Class::Infinity);
    let nan = has(Class::Nan) || (infinite && has(Class::Zero));
    if nan || cleared {
        return kind.is(ProductKind::NAN) == nan;
    }
    if kind.is(ProductKind::NAN) || kind.is(ProductKind::NEGATIVE) != (a.negative ^ b.negative) {
        return false;
    }
    if infinite || kind.is(ProductKind::INFINITE) {
        return infinite && kind.is(ProductKind::INFINITE);
    }
    // Significands are below 2^12, so their product is exact.
    let product = u64::from(a.significand) * u64::from(b.significand);
    if product == 0 {
        return significand == 0;
    }
    let lower = exponent.cast_signed() - scale - (a.exponent + b.exponent);
    match lower {
        0..32 => u64::from(significand) << lower == product,
        // 24 bits that are shifted by less than 32 fit the word.
        -31..0 => u64::from(significand) == product << -lower,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use formats::F16;

    use super::*;

    #[test]
    fn a_product_is_its_value_however_it_is_scaled() {
        let all = factors(&F16, false, None);
        // 1.5 × −3, in fixed point of 29 bits, the exponent that of the unit.
        let pair = [all[0x3e00], all[0xc200]];
        let nine = 9 << 27;
        let negative = ProductKind(ProductKind::NEGATIVE);
        assert!(is_product(pair, negative, [nine, 0], 28));
        assert!(is_product(pair, negative, [nine >> 1, 1], 28));
        assert!(!is_product(pair, negative, [nine | 1, 0], 28));
        assert!(!is_product(pair, negative, [nine, 1], 28));
        assert!(!is_product(pair, ProductKind(0), [nine, 0], 28));
        assert!(!is_product(pair, ProductKind(ProductKind::NEGATIVE | ProductKind::NAN), [nine, 0], 28));
        assert!(!is_product(
            pair,
            ProductKind(ProductKind::NEGATIVE | ProductKind::INFINITE),
            [nine, 0],
            28
        ));
    }

    #[test]
    fn special_products_are_what_the_standard_says() {
        let [all, flushed, oob] =
            [(false, None), (true, None), (false, Some(0x7ff7))].map(|(f, o)| factors(&F16, f, o));
        let [zero, subnormal, infinity, nan, out] = [0x8000, 1, 0x7c00, 0x7e00, 0xfff7];
        let is = |factors: &[Factor], a: usize, b: usize, kind: u32| {
            is_product([factors[a], factors[b]], ProductKind(kind), [0, 0], 0)
        };
        assert!(
            is(&all, zero, infinity, ProductKind::NAN)
                && !is(&all, zero, infinity, ProductKind::INFINITE)
        );
        assert!(is(&all, infinity, subnormal, ProductKind::INFINITE));
        assert!(is(&flushed, infinity, subnormal, ProductKind::NAN));
        assert!(is(&all, nan, 0x3c00, ProductKind::NAN) && !is(&all, nan, 0x3c00, 0));
        assert!(is(&all, zero, 0x3c00, ProductKind::NEGATIVE) && is(&all, zero, zero, 0));
        assert!(
            is(&oob, out, nan, ProductKind::NAN | ProductKind::CLEARED)
                && !is(&oob, out, nan, ProductKind::NAN)
        );
        assert!(
            is(&all, out, nan, ProductKind::NAN)
                && !is(&all, out, nan, ProductKind::NAN | ProductKind::CLEARED)
        );
    }
}
