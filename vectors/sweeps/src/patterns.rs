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

/// Returns an integer of at most `p` bits whose quotient by the odd integer `b`, times a power of two, is an integer r
/// of `bits` bits less `off / b`. Returns `None` where r would be shorter.
#[inline]
fn dividend_beside(b: u64, off: i64, p: i32, bits: i32) -> Option<u64> {
    // r·b is `off` modulo 2^bits. So r·b - off is a multiple of 2^bits, and its quotient by b is next to r.
    let r = inverse(b).wrapping_mul(off as u64) & (u64::MAX >> (64 - bits));
    if r >> (bits - 1) == 0 {
        return None;
    }
    let product = (u128::from(r) * u128::from(b)).wrapping_add_signed(-i128::from(off));
    Some((product >> (length(product) - p)) as u64)
}

/// Draws integers a and b of at most `p` bits whose quotient, times a power of two, is next to an odd integer of
/// `bits` bits, at most 15/b beside it. The first of four attempts that succeeds counts; if none does, a and b are
/// arbitrary significands.
#[inline]
pub fn near_quotient(draws: &mut CounterRng, p: i32, bits: i32) -> (u64, u64) {
    for _ in 0..4 {
        let b = draws.odd(p);
        let off = i64::from(2 * draws.between(-8, 7) + 1);
        if let Some(a) = dividend_beside(b, off, p, bits) {
            return (a, b);
        }
    }
    (draws.significand(p), draws.odd(p))
}

/// Draws integers a and b of at most `p` bits whose quotient, times a power of two, is an integer of `bits` bits less
/// `off / b`, odd if `off` is. The first of four attempts that succeeds counts; if none does, a and b are arbitrary
/// significands.
#[inline]
pub fn quotient_beside(draws: &mut CounterRng, p: i32, bits: i32, off: i64) -> (u64, u64) {
    for _ in 0..4 {
        let b = draws.odd(p);
        if let Some(a) = dividend_beside(b, off, p, bits) {
            return (a, b);
        }
    }
    (draws.significand(p), draws.odd(p))
}

/// Returns the odd root of an integer that is 1 modulo 8, modulo 2^63, by Newton's iteration.
#[inline]
pub const fn root(square: u64) -> u64 {
    // The reciprocal of the root: right in the last 3 bits, then in 2n - 2 after n.
    let mut reciprocal = 1u64;
    let mut step = 0;
    while step < 6 {
        let rest = 3u64.wrapping_sub(square.wrapping_mul(reciprocal).wrapping_mul(reciprocal));
        reciprocal = reciprocal.wrapping_mul(rest >> 1);
        step += 1;
    }
    square.wrapping_mul(reciprocal)
}

/// Draws an integer of fewer than `bits` bits, and an exponent, whose root is next to an odd integer of `bits` bits:
/// its distance is below 2^-(bits-7).
#[inline]
pub fn near_root(draws: &mut CounterRng, bits: i32) -> (u128, i32) {
    // Odd squares are 1 modulo 8, and modulo powers of two these numbers alone have odd roots.
    root_beside(bits, i64::from(8 * draws.between(-8, 8) + 1))
}

/// Returns an integer of fewer than `bits` bits, and an exponent, whose value is the square of an odd integer of `bits`
/// bits less `off`, which is 1 modulo 8.
#[inline]
pub fn root_beside(bits: i32, off: i64) -> (u128, i32) {
    let mut r = root(off as u64) & (u64::MAX >> (64 - bits));
    if r >> (bits - 1) == 0 {
        // The other root modulo 2^bits has the leading bit.
        r = (1 << bits) - r;
    }
    let square = (u128::from(r) * u128::from(r)).wrapping_add_signed(-i128::from(off));
    (square >> (bits + 1), bits + 1)
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
    let fits = |(a, b): (u64, u64)| a.max(b) > 0 && length(a.into()) <= pa && length(b.into()) <= pb;
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
    fn roots_square() {
        for square in (0..1000).map(|n| (8 * n as i64 - 4000 + 1) as u64) {
            let root = root(square);
            assert_eq!(root.wrapping_mul(root) << 1, square << 1);
        }
    }

    #[test]
    fn quotients_and_roots_are_near_odd_integers() {
        for (p, bits) in [(11, 12), (24, 25), (24, 24), (53, 54), (53, 53)] {
            let mut near = 0;
            for index in 0..1000 {
                let (a, b) = near_quotient(&mut CounterRng::new(4, index), p, bits);
                assert!(a >> p == 0 && b >> p == 0);
                let shift = bits - 1 + i32::from(a < b);
                let (rest, b) = ((u128::from(a) << shift) % u128::from(b), u128::from(b));
                near += usize::from(rest.min(b - rest) <= 15);
                let (square, exponent) = near_root(&mut CounterRng::new(4, index), bits);
                assert!(length(square) < bits && exponent == bits + 1);
                let square = square << exponent;
                let root = square.isqrt();
                let nearest = if square - root * root > root { root + 1 } else { root };
                assert!(nearest % 2 == 1 && length(nearest) == bits, "{nearest} {bits}");
                assert!(square.abs_diff(nearest * nearest) <= 65);
            }
            assert!(near > 900, "{p} {bits}: {near} of 1000");
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
