//! Significands whose product, or whose last bits, have a wanted pattern.

use super::exact::length;
use super::random::CounterRng;
use super::shape::Shape;

/// Draws the last `k` bits that put a value as near as possible to a rounding boundary without lying on it: one unit
/// above or below the tie `10…0`, or above or below the representable `0…0`.
#[inline]
pub fn draw_near_boundary(draws: &mut CounterRng, k: i32) -> u64 {
    let half = 1 << (k - 1);
    let pattern = match draws.below(4) {
        0 => half + 1,
        1 => half - 1,
        2 => 1,
        _ => u64::MAX,
    };
    pattern & (u64::MAX >> (64 - k))
}

/// Draws the last `k` bits that are a tie in half of the cases, and else are [near](draw_near_boundary) a rounding
/// boundary.
#[inline]
pub fn tie_or_near(draws: &mut CounterRng, k: i32) -> u64 {
    if draws.flag() { 1 << (k - 1) } else { draw_near_boundary(draws, k) }
}

/// Returns the inverse of an odd number modulo 2^64, by Newton's iteration.
#[inline]
pub const fn inverse(odd: u64) -> u64 {
    // Right in the last 5 bits, and in twice as many after each step.
    let mut inverse = odd.wrapping_mul(3) ^ 2;
    let mut step = 0;
    while step < 4 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

/// Draws significands for which X is an odd integer of one bit more than the result's precision: a tie. Returns `None`
/// where the factors together are too short.
#[inline]
pub fn tie_factors(shape: &Shape, draws: &mut CounterRng) -> Option<(u64, u64)> {
    let ([first, second], p) = (shape.factors.map(|span| span.precision), shape.destination.precision);
    // The product of two lengths has as many bits as both together, or one less.
    let sum = p + 1 + i32::from(draws.flag());
    let (low, high) = (2.max(sum - second), first.min(sum - 2));
    if low > high {
        return None;
    }
    let length_a = draws.between(low, high);
    let length_b = sum - length_a;
    let (mut a, mut b) = (draws.odd(length_a), draws.odd(length_b));
    let product = length(shape.x(a, b));
    if product > p + 1 {
        // Below 1.25 each (or 1.5, of two bits) the product has the smaller length.
        a = (a & !(3 << (length_a - 2) >> 1)) | 1;
        b = (b & !(3 << (length_b - 2) >> 1)) | 1;
    } else if product < p + 1 {
        // From 1.5 × 1.5 on it has the larger.
        a |= 1 << (length_a - 2);
        b |= 1 << (length_b - 2);
    }
    Some((a, b))
}

/// Draws full-length significands whose product's discarded bits are [near](draw_near_boundary) a rounding boundary.
/// The first of three attempts that succeeds counts; if none does, the significands are arbitrary.
#[inline]
pub fn near_factors(shape: &Shape, draws: &mut CounterRng) -> (u64, u64) {
    let ([pa, pb], p) = (shape.factors.map(|span| span.precision), shape.destination.precision);
    let (mut a, mut b) = (1, 1);
    for _ in 0..3 {
        (b, a) = (draws.odd(pb), draws.significand(pa));
        let discarded = pa + pb - p - i32::from(draws.flag());
        if discarded < 1 {
            continue;
        }
        let k = discarded.min(pa);
        let low = inverse(b).wrapping_mul(draw_near_boundary(draws, k)) & (u64::MAX >> (64 - k));
        // `low` is the pattern times the inverse of b, so that a·b ends in the pattern.
        a = (a >> k << k) | low;
        if length(shape.x(a, b)) - p == discarded {
            break;
        }
    }
    (a.max(1), b)
}

/// Draws significands of an X whose last `k` bits are a tie or [near](draw_near_boundary) a rounding boundary, and
/// returns that `k` with them. `k` is chosen so that a Y whose last bit stands just above these bits can be the larger
/// term.
#[inline]
pub fn low_bits(shape: &Shape, draws: &mut CounterRng) -> (u64, u64, i32) {
    let ([pa, pb], p) = (shape.factors.map(|span| span.precision), shape.destination.precision);
    if draws.flag() {
        let length_a = draws.between(1, pa.min(p));
        let length_b = draws.between(1, pb.min(p + 1 - length_a));
        return (draws.odd(length_a), draws.odd(length_b), 1);
    }
    let k = draws.between((pa + pb - p).clamp(1, pa), pa);
    let b = draws.odd(pb);
    let low = inverse(b).wrapping_mul(draw_near_boundary(draws, k)) & (u64::MAX >> (64 - k));
    let a = draws.bits(pa - k) << k | low;
    (a.max(1), b, k)
}

/// Draws significands of an X that is a power of two, or next to one, and returns the power's exponent with them.
#[inline]
pub fn near_power(shape: &Shape, draws: &mut CounterRng) -> (u64, u64, i32) {
    let [pa, pb] = shape.factors.map(|span| span.precision);
    if pb == 1 {
        let k = draws.between(1, pa - 1);
        return match draws.below(3) {
            0 => (1, 1, 0),
            1 => ((1 << k) - 1, 1, k),
            _ => ((1 << k) + 1, 1, k),
        };
    }
    match draws.below(4) {
        0 => (1, 1, 0),
        1 => {
            let k = draws.between(1, pa.min(pb - 1));
            // (2^k - 1)(2^k + 1) is 2^2k - 1.
            ((1 << k) - 1, (1 << k) + 1, 2 * k)
        }
        2 => {
            let k = draws.between(1, (pa - 1).min(pb / 2));
            // (2^k + 1)(2^2k - 2^k + 1) is 2^3k + 1.
            ((1 << k) + 1, (1 << (2 * k)) - (1 << k) + 1, 3 * k)
        }
        _ => {
            let a = draws.significand(pa);
            let power = pa + pb - 1;
            let b =
                if power < 64 { (1 << power) / a } else { ((1u128 << power) / u128::from(a)) as u64 };
            let above = u64::from(draws.flag());
            (a, (b + above).min(u64::MAX >> (64 - pb)), power)
        }
    }
}

/// Draws significands whose X has at most the bits of the result's precision: a number.
#[inline]
pub fn short_factors(shape: &Shape, draws: &mut CounterRng) -> (u64, u64) {
    let ([pa, pb], p) = (shape.factors.map(|span| span.precision), shape.destination.precision);
    let length_a = draws.between(1, pa.min(p));
    let length_b = draws.between(1, pb.min((p - length_a).max(1)));
    (draws.significand(length_a), draws.significand(length_b))
}

/// Draws factors of at most `spans` bits whose product is `2^power + 1` (`above`) or `2^power - 1`. Where these have no
/// such factors that are known in general, the product is as near beside the power as one factor's steps allow.
pub fn neighbour_of_power(
    draws: &mut CounterRng,
    [pa, pb]: [i32; 2],
    power: i32,
    above: bool,
) -> (u64, u64) {
    let bit = |place: i32| 1u64 << place;
    let (half, third, quarter) = (power / 2, power / 3, power / 4);
    let mut known: [Option<(u64, u64)>; 3] = [None; 3];
    if above {
        // 2^n + 1 alone; as a sum of cubes; and 2^(4k+2) + 1 as a difference of two squares.
        known[0] = (power < pa.max(pb)).then(|| (bit(power) + 1, 1));
        known[1] = (power % 3 == 0 && 2 * third <= pa.max(pb))
            .then(|| (bit(2 * third) - bit(third) + 1, bit(third) + 1));
        known[2] = (power % 4 == 2 && half < 64).then(|| {
            let (sum, root) = (bit(half) + 1, bit(quarter + 1));
            (sum + root, sum - root)
        });
    } else {
        // 2^n - 1 alone; as a difference of two squares; and as a difference of two cubes.
        known[0] = (power <= pa.max(pb)).then(|| (bit(power) - 1, 1));
        known[1] = (power % 2 == 0).then(|| (bit(half) + 1, bit(half) - 1));
        known[2] = (power % 3 == 0 && 2 * third < pa.max(pb))
            .then(|| (bit(2 * third) + bit(third) + 1, bit(third) - 1));
    }
    let fits = |(a, b): (u64, u64)| length(a.into()) <= pa && length(b.into()) <= pb;
    let (first, swapped) = (draws.below(3) as usize, draws.flag());
    for way in 0..3 {
        let Some((a, b)) = known[(first + way) % 3] else { continue };
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        if let Some(factors) = [(a, b), (b, a)].into_iter().find(|&factors| fits(factors)) {
            return factors;
        }
    }
    let a = draws.significand(pa);
    let b = (1u128 << power) / u128::from(a) + u128::from(above);
    (a, (b as u64).clamp(1, u64::MAX >> (64 - pb)))
}

#[cfg(test)]
mod tests {
    use formats::{BF16, E5M2, F16, F32, Format};
    use isa::Op::{Add, Fma, Mul};

    use super::*;

    const FORMATS: [&Format; 4] = [&E5M2, &F16, &BF16, &F32];

    #[test]
    fn inverses_invert() {
        for odd in (1..4001).step_by(2).chain([u64::MAX]) {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    #[test]
    fn tie_factors_are_ties_and_both_parities_occur() {
        for format in FORMATS {
            let shape = Shape::new(Mul, &[format, format], format);
            let mut to_odd = 0;
            for index in 0..1000 {
                let (a, b) = tie_factors(&shape, &mut CounterRng::new(1, index)).unwrap();
                let product = u128::from(a) * u128::from(b);
                assert!(product % 2 == 1 && a.max(b) >> format.precision() == 0, "{format:?} {a} {b}");
                assert_eq!(length(product), format.precision() as i32 + 1, "{format:?} {a} {b}");
                to_odd += product >> 1 & 1;
            }
            assert!((300..700).contains(&to_odd), "{format:?}: {to_odd} of 1000 round away from zero");
        }
        let narrow = Shape::new(Fma, &[&F16, &F16, &F32], &F32);
        assert!(tie_factors(&narrow, &mut CounterRng::new(1, 0)).is_none());
    }

    #[test]
    fn near_factors_are_one_unit_from_a_boundary_mostly() {
        for (format, least) in [(&E5M2, 600), (&F16, 800), (&BF16, 800), (&F32, 800)] {
            let shape = Shape::new(Mul, &[format, format], format);
            let hits = (0..1000).filter(|&index| {
                let (a, b) = near_factors(&shape, &mut CounterRng::new(2, index));
                assert!(a.max(b) >> format.precision() == 0);
                let product = u128::from(a) * u128::from(b);
                let k = length(product) - format.precision() as i32;
                let (low, half) = (product & ((1 << k.max(0)) - 1), 1u128 << (k - 1).max(0));
                k > 1 && (low.abs_diff(half) == 1 || low == 1 || low == 2 * half - 1)
            });
            let hits = hits.count();
            assert!(hits >= least, "{format:?}: {hits} of 1000");
        }
    }

    #[test]
    fn near_powers_are_near() {
        let mixed = Shape::new(Add, &[&BF16, &F32], &F32);
        for shape in FORMATS.map(|f| Shape::new(Mul, &[f, f], f)).into_iter().chain([mixed]) {
            let [pa, pb] = shape.factors.map(|span| span.precision);
            for index in 0..1000 {
                let (a, b, power) = near_power(&shape, &mut CounterRng::new(3, index));
                assert!(a >> pa == 0 && b >> pb == 0);
                let (product, power) = (u128::from(a) * u128::from(b), 1u128 << power);
                assert!(product.abs_diff(power) * 2 <= power, "{shape:?}: {a} × {b}");
            }
        }
    }
}
