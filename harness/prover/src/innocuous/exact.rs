//! Magnitudes, exact as far as rounding can tell, and their rounding.

use formats::Format;

/// Number of bits below the larger of two operands that are kept as they are: more than any two roundings look at.
const KEPT: i32 = 100;

/// A way to round a magnitude that a format does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the nearest magnitude, of two that are as near to the even one.
    Nearest,
    /// To the lower magnitude: `.rz`, and `.rm` or `.rp` by the sign.
    Down,
    /// To the higher magnitude: `.rp` or `.rm` by the sign.
    Up,
}

/// A magnitude: `significand × 2^exponent`, and a little more where `sticky` says so, which is less than
/// the significand's last place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactMagnitude {
    /// The significand, which has more bits than any format where the magnitude is sticky.
    pub significand: u128,
    /// The exponent of the significand's last place.
    pub exponent: i32,
    /// Whether the magnitude is a little more than the significand says.
    pub sticky: bool,
}

impl ExactMagnitude {
    /// Creates the exact magnitude of a number of a format, from what [`Format::decode`] gives.
    pub fn of((significand, exponent): (u64, i32)) -> ExactMagnitude {
        ExactMagnitude { significand: significand.into(), exponent, sticky: false }
    }

    /// Computes the product of two magnitudes, of at most 64 bits each.
    pub fn times(self, other: ExactMagnitude) -> ExactMagnitude {
        let significand = self.significand * other.significand;
        ExactMagnitude { significand, exponent: self.exponent + other.exponent, sticky: false }
    }

    /// Computes the magnitude of the sum of two numbers, of at most 24 bits each; `apart`: whether one of them is
    /// negative.
    pub fn plus(self, other: ExactMagnitude, apart: bool) -> ExactMagnitude {
        let top = |of: ExactMagnitude| of.exponent + 128 - of.significand.leading_zeros().cast_signed();
        if self.significand == 0 || other.significand == 0 {
            return if self.significand == 0 { other } else { self };
        }
        let (high, low) = if top(self) >= top(other) { (self, other) } else { (other, self) };
        // The lower exponent, with which nothing is lost, unless it is too far below the larger number.
        let exponent = low.exponent.max(high.exponent - KEPT).min(high.exponent);
        let place = |of: ExactMagnitude| match of.exponent - exponent {
            up @ 0.. => of.significand << up,
            down => of.significand.checked_shr(down.unsigned_abs()).unwrap_or(0),
        };
        let (large, small) = (place(high), place(low));
        let lost = low.exponent < exponent
            && small
                .checked_shl((exponent - low.exponent).cast_unsigned())
                .is_none_or(|back| back != low.significand);
        match apart {
            false => ExactMagnitude { significand: large + small, exponent, sticky: lost },
            // What is lost is taken away: one less in the last place, and a little more than that.
            true => {
                let significand = large.abs_diff(small) - u128::from(lost);
                ExactMagnitude { significand, exponent, sticky: lost }
            }
        }
    }

    /// Computes the quotient of two magnitudes, of at most 24 bits each and not zero.
    pub fn divided_by(self, other: ExactMagnitude) -> ExactMagnitude {
        let dividend = self.significand << KEPT;
        ExactMagnitude {
            significand: dividend / other.significand,
            exponent: self.exponent - KEPT - other.exponent,
            sticky: !dividend.is_multiple_of(other.significand),
        }
    }

    /// Computes the square root of a magnitude that is not zero.
    pub fn root(self) -> ExactMagnitude {
        let room = self.significand.leading_zeros().cast_signed() - 2;
        // The exponent has to be even, so that half of it is an integer.
        let shift = room - ((self.exponent - room) & 1);
        let radicand = self.significand << shift;
        let significand = radicand.isqrt();
        let sticky = significand * significand != radicand;
        ExactMagnitude { significand, exponent: (self.exponent - shift) / 2, sticky }
    }

    /// Rounds to the nearest magnitude of a format, ties to even; returns one more than its largest where it is
    /// beyond that.
    pub fn nearest(self, format: &Format) -> u64 {
        self.rounded(Way::Nearest, format)
    }

    /// Rounds to a magnitude of a format; returns one more than the largest for infinity.
    pub fn rounded(self, way: Way, format: &Format) -> u64 {
        if self.significand == 0 {
            return 0;
        }
        let lowest = format.exponent_of_lsb();
        let top = self.exponent + 128 - self.significand.leading_zeros().cast_signed();
        let last = (top - format.precision().cast_signed()).max(lowest);
        let quotient = match last - self.exponent {
            // A sticky significand has too many bits to come here.
            up @ ..=0 => self.significand << up.unsigned_abs(),
            // The whole magnitude is below half of the last place.
            129.. => u128::from(way == Way::Up),
            down => {
                let quotient = self.significand.checked_shr(down.unsigned_abs()).unwrap_or(0);
                let half = 1_u128 << (down - 1);
                let rest = self.significand & (half | (half - 1));
                let up = match way {
                    Way::Nearest => rest > half || rest == half && (self.sticky || quotient & 1 == 1),
                    Way::Down => false,
                    Way::Up => rest > 0 || self.sticky,
                };
                quotient + u128::from(up)
            }
        };
        // The implicit bit, and a carry, add one to the exponent.
        let bits = ((last - lowest) as u128) << format.trailing_bits;
        let most = format.max_finite() + u64::from(way != Way::Down);
        (bits + quotient).min(most.into()) as u64
    }

    /// Rounds to an intermediate format, which has every number of `format`, and then to `format`.
    pub fn rounded_twice(self, way: Way, intermediate: &Format, format: &Format) -> u64 {
        match intermediate.decode(self.rounded(way, intermediate)) {
            Some(rounded) => ExactMagnitude::of(rounded).rounded(way, format),
            // What is infinite in the intermediate format is infinite in the narrower one, too.
            None => format.max_finite() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use formats::{F16, F32};
    use rustc_apfloat::ieee::{Half, Single};
    use rustc_apfloat::{Float, FloatConvert};
    use sweeps::CounterRng;

    use super::*;

    /// Results are those of another library, which rounds once, or by way of its own wider formats.
    #[test]
    fn results_are_another_library_s() {
        let mut random = CounterRng::new(5, 1);
        let half = |bits: u64| Half::from_bits(bits.into());
        for _ in 0..200_000 {
            let [a, b] = [(); 2].map(|()| random.next() & 0x7fff);
            let (Some(x), Some(y)) = (F16.decode(a), F16.decode(b)) else { continue };
            let (x, y) = (ExactMagnitude::of(x), ExactMagnitude::of(y));
            let (p, q) = (half(a), half(b));
            let same = |ours: ExactMagnitude, theirs: Half, what: &str| {
                let theirs = (theirs.to_bits() & 0x7fff) as u64;
                assert_eq!(ours.nearest(&F16), theirs, "{what} {a:#x} {b:#x}");
            };
            same(x.plus(y, false), (p + q).value, "sum");
            same(x.plus(y, true), (p - q).value, "difference");
            same(x.times(y), (p * q).value, "product");
            if y.significand != 0 {
                same(x.divided_by(y), (p / q).value, "quotient");
                let by_single = (wide_single(p) / wide_single(q)).value;
                let theirs = narrow(by_single).to_bits() as u64 & 0x7fff;
                assert_eq!(
                    x.divided_by(y).rounded_twice(Way::Nearest, &F32, &F16),
                    theirs,
                    "{a:#x} / {b:#x}"
                );
            }
        }
    }

    /// The exact value lies between the results of the two ways, and no other number of the format does.
    #[test]
    fn ways_are_neighbours_of_the_exact_value() {
        let mut random = CounterRng::new(6, 1);
        let value = |bits: u64| match F16.decode(bits) {
            Some((significand, exponent)) => significand as f64 * f64::from(exponent).exp2(),
            None => f64::INFINITY,
        };
        for _ in 0..100_000 {
            let [a, b] = [(); 2].map(|()| random.next() & 0x7fff);
            let (Some(x), Some(y)) = (F16.decode(a), F16.decode(b)) else { continue };
            let product = ExactMagnitude::of(x).times(ExactMagnitude::of(y));
            let [down, up] = [Way::Down, Way::Up].map(|way| product.rounded(way, &F16));
            let exact = value(a) * value(b);
            assert!(value(down) <= exact && exact <= value(up), "{a:#x} {b:#x}");
            assert_eq!(up - down, u64::from(value(down) != exact), "{a:#x} {b:#x}");
        }
    }

    fn wide_single(x: Half) -> Single {
        x.convert(&mut false).value
    }

    fn narrow(x: Single) -> Half {
        x.convert(&mut false).value
    }

    #[test]
    fn roots_are_the_nearest() {
        for bits in 1..=F16.max_finite() {
            let x = ExactMagnitude::of(F16.decode(bits).expect("finite"));
            let root = x.root();
            // The radicand lies between the root's square and that of the next significand.
            let square = |significand: u128| significand.checked_mul(significand).expect("fits");
            let shift = (2 * root.exponent - x.exponent).unsigned_abs();
            let radicand = x.significand << shift;
            assert!(
                square(root.significand) <= radicand && radicand < square(root.significand + 1),
                "{bits:#x}"
            );
            assert_eq!(root.sticky, square(root.significand) != radicand);
        }
    }
}
