use formats::{E2M1, E4M3, E5M2};

use super::*;
use crate::operand::Operand;
use rug::Rational;

/// Returns finite magnitudes of a format as fractions, in ascending order: the place of each is its bits.
fn magnitudes(format: &Format) -> Vec<Rational> {
    let value = |bits| {
        let (significand, exponent) = format.decode(bits).unwrap();
        Rational::from(significand) << exponent
    };
    (0..=format.max_finite()).map(value).collect()
}

/// Rounds by looking among all numbers of the format: the definition, and nothing else.
fn by_definition(format: &Format, numbers: &[Rational], rounding: Rounding, exact: &Rational) -> u64 {
    let magnitude = Rational::from(exact.abs_ref());
    let negative = *exact < 0;
    let below = numbers.partition_point(|number| *number <= magnitude) - 1;
    let max = numbers.len() - 1;
    // Beyond the largest number stands the one that an unbounded exponent would have next.
    let next = match numbers.get(below + 1) {
        Some(next) => next.clone(),
        None => Rational::from(&numbers[max] * 2u32) - &numbers[max - 1],
    };
    let to_next = next - &magnitude;
    let to_below = magnitude - &numbers[below];
    let up = to_below != 0
        && match rounding {
            Rounding::NearestEven => to_next < to_below || to_next == to_below && below & 1 == 1,
            Rounding::TowardZero => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
            rounding => unreachable!("{rounding:?}"),
        };
    let inwards = matches!(
        (rounding, negative),
        (Rounding::TowardZero, _) | (Rounding::Down, false) | (Rounding::Up, true)
    );
    let sign = if negative { format.sign_mask() } else { 0 };
    let far_beyond = below == max && to_next <= 0;
    sign | match below + usize::from(up) {
        _ if far_beyond && inwards => format.max_finite(),
        place if far_beyond || place > max => return Rounded::overflowed(format, negative).bits,
        place => place as u64,
    }
}

fn rational(format: &Format, bits: u64) -> Option<Rational> {
    let (significand, exponent) = format.decode(bits)?;
    let magnitude = Rational::from(significand) << exponent;
    Some(if format.is_negative(bits) { -magnitude } else { magnitude })
}

/// Checks all products, and all sums of products with a spread of addends, of 8-bit data.
#[test]
fn every_finite_product_and_sum_of_8_bit_data_is_rounded_by_the_definition() {
    let mut checked = 0;
    for (format, rounding) in
        [&E5M2, &E4M3].into_iter().flat_map(|f| Rounding::IEEE.into_iter().map(move |r| (f, r)))
    {
        let numbers = magnitudes(format);
        let precision = format.precision();
        let mut rounder = Rounder::new(format, rounding, format.canonical_nan());
        let [mut a, mut b, mut c] = [(); 3].map(|()| Operand::new(precision));
        for (x, y) in (0..256).flat_map(|x| (0..256).map(move |y| (x, y))) {
            let (Some(exact_x), Some(exact_y)) = (rational(format, x), rational(format, y)) else {
                continue;
            };
            a.set(format, x);
            b.set(format, y);
            let product = exact_x * exact_y;
            for z in [0, 1 + (x * 7 + y * 13) % 0x7b, 0x80 + (x + y) % 0x7b, x ^ 0x83] {
                let Some(exact_z) = rational(format, z) else { continue };
                c.set(format, z);
                let exact = Rational::from(&product + &exact_z);
                let rounded = rounder.round(|result, round| {
                    result.assign_round(a.get().mul_add_ref(&b.get(), &c.get()), round)
                });
                let tiny = exact != 0
                    && Rational::from(exact.abs_ref()) < numbers[format.min_normal() as usize];
                assert_eq!(rounded.tiny_exact, tiny, "{format:?} {rounding:?} {x:#x} {y:#x} {z:#x}");
                if exact != 0 {
                    let expected = by_definition(format, &numbers, rounding, &exact);
                    assert_eq!(rounded.bits, expected, "{format:?} {rounding:?} {x:#x} {y:#x} {z:#x}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 1_500_000, "only {checked} checked");
}

/// Checks that infinity and the largest number have the number's sign, and that NaN, where it stands for infinity,
/// has none.
#[test]
fn what_stands_for_overflow_has_the_sign_of_a_number() {
    for (format, positive, negative) in [(&E5M2, 0x7c, 0xfc), (&E4M3, 0x7f, 0x7f), (&E2M1, 0x7, 0xf)] {
        let of = |negative| Rounded::overflowed(format, negative);
        assert_eq!([of(false).bits, of(true).bits], [positive, negative], "{format:?}");
        assert!(of(true).negative && !of(false).negative && of(true).overflowed);
    }
}
