//! Where the bits of exact results lie, and what follows from that.

use model::{Deviation as D, Deviations, subject};
use vectors::Variant;
use vectors::format::{Format, Scale};
use vectors::isa::{Modifier as M, Operation as O, Rounding as R};

const TOO_LARGE: &str = "integers of more bits are too large for the format in any case";

/// The bits that an exact result may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// It is a multiple of 2 to the power of this …
    low: i32,
    /// … and smaller than 2 to the power of this.
    high: i32,
    /// Unless it is zero, it is at least 2 to the power of this.
    least: i32,
    /// The most bits from its leading one to its last one.
    bits: u32,
    /// Where it is a sum: its terms, of which the second has no more bits.
    terms: Option<[Term; 2]>,
}

/// A term of a sum: as above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    low: i32,
    high: i32,
    bits: u32,
}

impl Exact {
    /// Of a variant that adds, multiplies or converts.
    pub fn of(variant: &Variant) -> Option<Exact> {
        let inputs: Vec<Exact> =
            variant.inputs().iter().map(|input| Exact::input(variant, input.format)).collect();
        let exact = match (variant.operation(), inputs.as_slice()) {
            (O::Add | O::Sub, &[a, b]) => a.plus(b),
            (O::Mul, &[a, b]) => a.times(b),
            (O::Fma | O::Mad, &[a, b, c]) => a.times(b).plus(c),
            (O::Cvt | O::Cast, &[a, ..]) if variant.has(M::ScaledDown) || variant.has(M::ScaledUp) => {
                Exact { low: a.low - 127, high: a.high + 127, least: a.least - 127, ..a }
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

    /// Whether it has no more bits than a number of this format, wherever they lie.
    pub fn is_short(self, format: &Format) -> bool {
        self.bits <= format.precision()
    }

    /// Whether it is the sum of terms that have no more bits than a number of this format.
    pub fn terms_fit(self, format: &Format) -> bool {
        self.terms.is_some_and(|[wide, _]| wide.bits <= format.precision())
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
        Exact { low, high, least: low, bits, terms: None }
    }

    /// The numbers of an input's format, as they are computed with.
    fn input(variant: &Variant, format: &Format) -> Exact {
        let (mut exact, to) = (Exact::number(format), variant.outputs()[0].format);
        if subject::converted_first(variant, format) {
            exact.bits = exact.bits.min(to.precision());
            exact.low = exact.low.max(to.unit());
        }
        let flushed = subject::flushes_input(variant, format);
        Exact { least: if flushed { format.exponent_min() } else { exact.low }, ..exact }
    }

    fn times(self, other: Exact) -> Exact {
        Exact {
            low: self.low + other.low,
            high: self.high + other.high,
            least: self.least + other.least,
            bits: self.bits + other.bits,
            terms: None,
        }
    }

    fn plus(self, other: Exact) -> Exact {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high) + 1);
        let mut terms = [self, other].map(|Exact { low, high, bits, .. }| Term { low, high, bits });
        terms.sort_by_key(|term| std::cmp::Reverse(term.bits));
        Exact { low, high, least: low, bits: (high - low) as u32, terms: Some(terms) }
    }

    /// Why a deviation changes nothing, if that follows.
    pub fn proof(self, deviation: D, variant: &Variant) -> Option<&'static str> {
        let to = variant.outputs()[0].format;
        let deviations = Deviations::from(deviation);
        let integral = subject::integral(variant);
        if deviations.only_round() && self.fits(to) && !integral {
            return Some("no result has to be rounded");
        }
        let subnormal = matches!(
            deviation,
            D::SubnormalRoundedTwice
                | D::BoundaryCarryLost
                | D::UnderflowLosesSign
                | D::FlushedAfterRounding
        );
        let tiny = matches!(
            deviation,
            D::ResultFlushedAnyway | D::ResultNotFlushed | D::FlushLosesSign | D::ReluKeepsTiny
        );
        let overflow = deviation.overflows();
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
        match () {
            () if to.is_fixed() => self.to_integer(deviation, to),
            () if subnormal && self.low >= to.unit() && !integral => {
                Some("an exact result is a multiple of the smallest subnormal number")
            }
            () if (tiny || subnormal) && self.least >= to.exponent_min() && !integral => {
                Some("no result is subnormal")
            }
            () if deviation == D::MinNormalFlushed && self.least > to.exponent_min() => {
                Some("no result is so small")
            }
            () if overflow => self.too_small(deviation, variant),
            () => None,
        }
    }

    /// Why no result is too large, or by little only.
    fn too_small(self, deviation: D, variant: &Variant) -> Option<&'static str> {
        let to = variant.outputs()[0].format;
        let top = to.exponent_max();
        // The other term is a number of the result's format.
        let term = self.terms.map(|terms| terms.map(|term| term.high).into_iter().min());
        let below = |unit: i32| term.flatten().is_some_and(|high| high <= unit);
        let unit = top + 1 - to.precision() as i32;
        match (subject::visible_rounding(variant), deviation) {
            _ if self.high <= top => Some("no result is too large"),
            (R::TowardZero, _) if self.high <= top + 1 => {
                Some("what is larger than the largest number is truncated to it")
            }
            (R::TowardZero, _) if below(unit) => {
                Some("one term is smaller than a unit of the largest number, and the rest is cut off")
            }
            (R::NearestEven, D::OverflowToMax | D::OverflowTieKept) if below(unit - 1) => {
                Some("one term is less than half a unit of the largest number")
            }
            _ => None,
        }
    }

    fn through(self, first: &Format, variant: &Variant) -> Option<&'static str> {
        let (to, short) = (variant.outputs()[0].format, self.bits <= first.precision());
        if short && self.low >= first.unit() {
            return Some("the other format holds every exact result");
        }
        if self.too_large(first.precision(), variant) {
            return Some(TOO_LARGE);
        }
        // Below half of the smallest number what is rounded to the other format does not get above it.
        let becomes_zero = match subject::visible_rounding(variant) {
            R::NearestEven | R::TowardZero => Some(to.unit() - 1),
            R::NearestAway => Some(to.unit() - 2),
            R::Up | R::Down | R::Stochastic => None,
        };
        let held = |below: i32| short && first.unit() <= below + 1 - self.bits as i32;
        if becomes_zero.is_some_and(held) {
            return Some("the other format holds every exact result that does not become zero");
        }
        self.terms_apart(first.precision(), variant)
    }

    /// Whether an integer of more than so many bits is too large for the result's format.
    fn too_large(self, bits: u32, variant: &Variant) -> bool {
        let to = variant.outputs()[0].format;
        subject::from_integer(variant) && !to.is_fixed() && bits as i32 > to.exponent_max() + 1
    }

    /// Why a sum of more than so many bits is rounded to nearest as if the others were not there.
    fn terms_apart(self, places: u32, variant: &Variant) -> Option<&'static str> {
        let to = variant.outputs()[0].format;
        let [wide, other] = self.terms?;
        let nearest = variant.rounding() == R::NearestEven && !to.is_fixed();
        // Where the wide term is the smaller one, and not too small to bring the sum near the middle.
        let enough = places >= to.precision() + wide.bits + 2;
        if !(nearest && enough && other.bits <= to.precision()) {
            return None;
        }
        // Where it is the larger one, and the sum not too large.
        let spanned = (to.exponent_max() - other.low + 1).max(wide.bits as i32 + 1);
        match () {
            () if wide.bits <= to.precision() => Some(
                "if the terms of a sum lie so far apart, the smaller is too small to bring the sum near \
                 the middle between two numbers",
            ),
            () if places as i32 >= spanned => Some(
                "a sum of more bits is too large, or its product is too small to bring it near the middle \
                 between two numbers",
            ),
            () => None,
        }
    }

    fn to_integer(self, deviation: D, to: &Format) -> Option<&'static str> {
        let small = self.high < to.width() as i32;
        (deviation == D::Wraps && small && to.signed).then_some("no finite number is too large")
    }
}
