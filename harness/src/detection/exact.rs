//! Where the bits of exact results lie, and what follows from that.

use vectors::Variant;
use vectors::format::{Format, Scale};
use vectors::isa::{Modifier as M, Operation as O, Rounding as R};

use crate::mutant::{Deviation as D, Deviations, subject};

const TOO_LARGE: &str = "integers of more bits are too large for the format in any case";

/// The bits that an exact result may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// It is a multiple of 2 to the power of this …
    low: i32,
    /// … and smaller than 2 to the power of this.
    high: i32,
    /// The most bits from its leading one to its last one.
    bits: u32,
    /// Where it is a sum: its terms.
    terms: Option<Terms>,
}

/// The two terms of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Terms {
    /// The most bits of either.
    bits: u32,
    /// One of them is smaller than 2 to the power of this.
    high: i32,
}

impl Exact {
    /// Of a variant that adds, multiplies or converts.
    pub fn of(variant: &Variant) -> Option<Exact> {
        let inputs: Vec<Exact> =
            variant.inputs().iter().map(|input| Exact::number(input.format)).collect();
        let exact = match (variant.operation(), inputs.as_slice()) {
            (O::Add | O::Sub, &[a, b]) => a.plus(b),
            (O::Mul, &[a, b]) => a.times(b),
            (O::Fma | O::Mad, &[a, b, c]) => a.times(b).plus(c),
            (O::Cvt | O::Cast, &[a, ..]) if variant.has(M::ScaledDown) || variant.has(M::ScaledUp) => {
                Exact { low: a.low - 127, high: a.high + 127, ..a }
            }
            (O::Cvt | O::Cast, &[a, ..]) => a,
            _ => return None,
        };
        Some(exact)
    }

    /// The exact product of a variant that adds to one.
    pub fn product(variant: &Variant) -> Option<Exact> {
        let fused = matches!(variant.operation(), O::Fma | O::Mad);
        let [a, b] = [0, 1].map(|input| variant.inputs().get(input).map(|of| Exact::number(of.format)));
        fused.then_some(a?.times(b?))
    }

    /// Whether all of its bits are those of a number of this format.
    pub fn fits(self, format: &Format) -> bool {
        self.bits <= format.precision()
            && self.low >= format.unit()
            && self.high <= format.exponent_max() + 1
    }

    /// Whether it is the sum of terms that have no more bits than a number of this format.
    pub fn terms_fit(self, format: &Format) -> bool {
        self.terms.is_some_and(|terms| terms.bits <= format.precision())
    }

    fn number(format: &Format) -> Exact {
        let high = match format.scale {
            Scale::Fixed => format.unit() + format.width() as i32,
            _ => format.exponent_max() + 1,
        };
        let (low, bits) = match format.scale {
            Scale::Fixed => (format.unit(), format.width()),
            Scale::Power => (format.exponent_min().min(-127), 1),
            Scale::Floating => (format.unit(), format.precision()),
        };
        Exact { low, high, bits, terms: None }
    }

    fn times(self, other: Exact) -> Exact {
        let bits = self.bits + other.bits;
        Exact { low: self.low + other.low, high: self.high + other.high, bits, terms: None }
    }

    fn plus(self, other: Exact) -> Exact {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high) + 1);
        let terms = Terms { bits: self.bits.max(other.bits), high: self.high.min(other.high) };
        Exact { low, high, bits: (high - low) as u32, terms: Some(terms) }
    }

    /// Why a deviation changes nothing, if that follows.
    pub fn proof(self, deviation: D, variant: &Variant) -> Option<&'static str> {
        let to = variant.outputs()[0].format;
        let deviations = Deviations::from(deviation);
        let subnormal = matches!(
            deviation,
            D::SubnormalRoundedTwice
                | D::BoundaryCarryLost
                | D::UnderflowLosesSign
                | D::FlushedAfterRounding
        );
        let tiny = matches!(
            deviation,
            D::ResultFlushedAnyway
                | D::ResultNotFlushed
                | D::FlushLosesSign
                | D::MinNormalFlushed
                | D::ReluKeepsTiny
        );
        let overflow = matches!(
            deviation,
            D::OverflowToMax
                | D::OverflowToInfinity
                | D::OverflowWrongSide
                | D::OverflowTieKept
                | D::OverflowAtMax
        );
        if let Some(places) = deviations.sticky_places() {
            return match () {
                () if self.bits <= places => Some("no exact result has so many bits"),
                () if self.too_large(places, variant) => Some(TOO_LARGE),
                () => self.terms_apart(places, variant),
            };
        }
        if let Some(first) = deviations.through() {
            return self.through(first, variant);
        }
        let nearest = variant.rounding() == R::NearestEven;
        match () {
            () if to.is_fixed() => self.to_integer(deviation, to),
            () if subnormal && self.low >= to.unit() && !subject::integral(variant) => {
                Some("an exact result is a multiple of the smallest subnormal number")
            }
            () if tiny && self.low >= to.exponent_min() => Some("no result is subnormal"),
            () if overflow && self.high <= to.exponent_max() => Some("no result is too large"),
            () if matches!(deviation, D::OverflowToMax | D::OverflowTieKept)
                && nearest
                && self
                    .terms
                    .is_some_and(|terms| terms.high <= to.exponent_max() - to.precision() as i32) =>
            {
                Some("one term is less than half a unit of the largest number")
            }
            () => None,
        }
    }

    fn through(self, first: &Format, variant: &Variant) -> Option<&'static str> {
        let precision = variant.outputs()[0].format.precision();
        let nearest = variant.rounding() == R::NearestEven && !variant.outputs()[0].format.is_fixed();
        if self.bits <= first.precision() && self.low >= first.unit() {
            return Some("the other format holds every exact result");
        }
        if self.too_large(first.precision(), variant) {
            return Some(TOO_LARGE);
        }
        let to = variant.outputs()[0].format;
        let to_zero = !matches!(variant.rounding(), R::Up | R::Down);
        if to_zero && self.bits <= first.precision() && first.unit() <= to.unit() - 2 - self.bits as i32
        {
            return Some("the other format holds every exact result that does not become zero");
        }
        if let Some(apart) = self.terms_apart(first.precision(), variant) {
            return Some(apart);
        }
        // The terms of fma.rn.f16: a product of 22 bits and a number of 11.
        let halves = self.terms.is_some_and(|terms| terms.bits == 22) && precision == 11;
        (halves && nearest && first.precision() >= 53).then_some(
            "a sum of more than 53 bits is at least 32; then either its terms are multiples of 2^-28, or \
             the product is too small to bring it near the middle between two numbers",
        )
    }

    /// Whether an integer of more than so many bits is too large for the result's format.
    fn too_large(self, bits: u32, variant: &Variant) -> bool {
        let to = variant.outputs()[0].format;
        subject::from_integer(variant) && !to.is_fixed() && bits as i32 > to.exponent_max() + 1
    }

    /// Why a sum of more than so many bits is rounded to nearest as if the others were not there.
    fn terms_apart(self, places: u32, variant: &Variant) -> Option<&'static str> {
        let to = variant.outputs()[0].format;
        let (precision, terms) = (to.precision(), self.terms?);
        let nearest = variant.rounding() == R::NearestEven && !to.is_fixed();
        (nearest && terms.bits <= precision && places >= precision + terms.bits + 2).then_some(
            "if the terms of a sum lie so far apart, the smaller is too small to bring the sum near the \
             middle between two numbers",
        )
    }

    fn to_integer(self, deviation: D, to: &Format) -> Option<&'static str> {
        let small = self.high < to.width() as i32;
        (deviation == D::Wraps && small && to.signed).then_some("no finite number is too large")
    }
}
