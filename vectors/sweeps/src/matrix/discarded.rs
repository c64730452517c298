//! The sweep `discarded`: exact sums that differ from a rounding boundary in one bit, at every place in turn. It is
//! the sweep of lanes of that name for sums of one product and an addend, with two products besides.

use formats::FormatId;
use isa::Op;

use super::{DotSweep, Length, Maker};
use crate::discarded::terms::{has_long_products, longest, product_ending_in, terms};
use crate::discarded::{Arrangement, Deviation};
use crate::exact::{SumTerms, length};
use crate::patterns::{short_factors, tie_factors};
use crate::shape::{OperandSpan, Shape};
use crate::{CounterRng, ExactNumber};

pub const SWEEP: DotSweep = DotSweep {
    name: "discarded",
    targets: "Bits below the rounding position that are lost, counted twice or not seen as sticky, and products that \
              are rounded before they are added: exact sums on a midpoint or a number, plus and minus one bit, at each \
              place down to the last.",
    length: |_| Length::Endless,
    make,
};

/// Makes a vector of one product and an addend, or of two products, that add up to a boundary and one bit.
fn make(maker: &mut Maker) {
    maker.controls.accumulate = true;
    let shape = shape(maker);
    // Of f64 the order of two products is open, so that only a sum of one has a single right result.
    let in_turn = maker.dot.d.id != FormatId::F64;
    let (side, round) = (maker.index & 3, maker.index >> if in_turn { 3 } else { 2 });
    let mut deviation = Deviation::of(round << 2 | side);
    if in_turn && maker.index & 4 == 0 {
        let walk = Walk::of(round, &shape);
        let is_on_product = if walk.near { walk.pass.is_multiple_of(4) } else { maker.draws.flag() };
        return match is_on_product {
            true => on_product(maker, &deviation, &walk),
            false => on_addend(maker, &deviation, &walk),
        };
    }
    // Side and place count through the vectors' numbers; the arrangement is drawn.
    let kind = maker.draws.below(8);
    let arrangements =
        [Arrangement::Carries, Arrangement::LargerY, Arrangement::Cancels, Arrangement::LargerX];
    deviation.arrangement = arrangements[(kind & 3) as usize];
    if kind >= 4
        && has_long_products(&shape)
        && let Some(terms) = crossed(&shape, &mut maker.draws, &deviation)
    {
        return put_terms(maker, terms);
    }
    put_one_product(maker, &deviation);
}

/// The walk of sums of two products through the places of the bit: those near the rounding position in order, then as
/// many that are drawn.
struct Walk {
    /// How often the places near the rounding position have been passed.
    pass: u64,
    /// Whether the place is near the rounding position.
    near: bool,
    /// The number of the place among those near the rounding position.
    at: i32,
    /// The number of places near the rounding position: from place 2 on, and a few beyond the result's precision.
    places: i32,
}

impl Walk {
    /// Returns a walk after a number of steps.
    fn of(round: u64, shape: &Shape) -> Walk {
        let places = shape.destination.precision + 3;
        let (pass, at) = (round / places as u64, (round % places as u64) as i32);
        Walk { pass, near: pass % 2 == 0, at, places }
    }

    /// Returns the place of the bit, where the last one is at least 2.
    fn place(&self, draws: &mut CounterRng, last: i32) -> i32 {
        match self.near {
            true => 2 + self.at % self.places.min(last - 1).max(1),
            false => draws.between(2, last.max(2)),
        }
    }
}

/// Returns the shape of one product and the addend. The first factor has the exponents that scales give it as well.
fn shape(maker: &Maker) -> Shape {
    let dot = &maker.dot;
    let mut shape = Shape::new(Op::Fma, &[dot.a, dot.b, dot.c], dot.d);
    let (low, high) = maker.scale_span();
    shape.factors[0].unit += low;
    shape.factors[0].max += high;
    shape
}

/// Writes one product and an addend that lie as the deviation asks.
fn put_one_product(maker: &mut Maker, deviation: &Deviation) {
    let mut shape = shape(maker);
    if deviation.arrangement != Arrangement::LargerY {
        // Without an addend that is larger, the sum is about as large as the product.
        let largest = shape.factors[0].max + shape.factors[1].max;
        shape.destination.max = shape.destination.max.min(largest);
    }
    let terms = terms(&shape, &mut maker.draws, deviation);
    put_terms(maker, terms);
}

/// Draws a product beside a boundary, and a Y that takes the sum to the other side of it: rounded to the result's
/// precision before Y is added, the product would lie on the boundary, or beyond it.
fn crossed(shape: &Shape, draws: &mut CounterRng, deviation: &Deviation) -> Option<SumTerms> {
    let spans = shape.factors.map(|span| span.precision);
    let (span, addend) = (shape.destination, shape.addend);
    let place = deviation.place((longest(shape) - span.precision).min(spans[0].max(spans[1])));
    let mut opposite = *deviation;
    opposite.above = !deviation.above;
    let pattern = opposite.pattern(place, place) as u64;
    let (a, b) = product_ending_in(draws, spans, span.precision + place, place, pattern)?;
    // How far the last bit of the product, and Y, lie below the leading bit.
    let (last, below) = (span.precision + place - 1, span.precision + place - 2);
    let (low, high) = shape.x_exponents(a, b);
    let leading = draws.common(&[
        (low + last, high + last),
        (span.min(), span.max),
        (addend.unit + below, addend.max + below),
    ]);
    let negative = draws.flag();
    let y = ExactNumber::power(negative == deviation.above, leading - below);
    Some(SumTerms { factors: (a, b), exponent: leading - last, negative, y })
}

/// Writes one product, at a place that is drawn, and the addend.
fn put_terms(maker: &mut Maker, terms: SumTerms) {
    let SumTerms { factors: (a, b), exponent, negative, y } = terms;
    let place = maker.pick(maker.terms());
    let exponent = exponent + length(a.into()) + length(b.into()) - 2;
    maker.scale_to(place, a, b, exponent);
    maker.put(place, a, b, exponent, negative);
    put_addend(maker, y);
}

/// Writes the addend, which counters what becomes of the products' signs.
fn put_addend(maker: &mut Maker, y: ExactNumber) {
    let negative = y.negative ^ maker.controls.negate_a ^ maker.controls.negate_b;
    maker.c = ExactNumber { negative, ..y }.truncate(maker.dot.c);
}

/// Draws two places of terms, and scales.
fn two_places(maker: &mut Maker) -> [usize; 2] {
    let base = maker.draws.between(-8, 8);
    maker.scale_all(base);
    let terms = maker.terms();
    let place = maker.pick(terms);
    [place, (place + 1 + maker.pick(terms - 1)) % terms]
}

/// Returns the lowest and the highest exponent that a power of two has as a product at the second of two places, with
/// scales of its own if the block is another.
fn second_reach(maker: &Maker, [place, other]: [usize; 2]) -> (i32, i32) {
    let [a, b] = [maker.dot.a, maker.dot.b].map(OperandSpan::of);
    let shift = maker.shift(place);
    let own = maker.block(place) != maker.block(other);
    let (low, high) = if own { maker.scale_span() } else { (shift, shift) };
    (a.unit + b.unit + low, a.max + b.max + high)
}

/// Writes a power of two as the second of two products.
fn put_second(maker: &mut Maker, [place, other]: [usize; 2], exponent: i32, negative: bool) {
    if maker.block(place) != maker.block(other) {
        maker.scale_to(other, 1, 1, exponent);
    }
    maker.put(other, 1, 1, exponent, negative);
}

/// Writes an addend that is a number of the result's format, and below it two products: half of the last place and the
/// bit, or for a number twice the bit and the bit with the other sign.
fn on_addend(maker: &mut Maker, deviation: &Deviation, walk: &Walk) {
    let places = two_places(maker);
    let span = OperandSpan::of(maker.dot.c).common(&OperandSpan::of(maker.dot.d));
    let p = maker.dot.d.precision() as i32;
    let (first, second) = (maker.reach(places[0], 1, 1), second_reach(maker, places));
    // The exponent of the last place of the largest number above the products that there are.
    let highest = span.max - p + 1;
    let depth = match deviation.midpoint {
        true => highest.min(first.1 + 1) - second.0,
        false => highest - second.0.max(first.0 - 1),
    };
    let q = walk.place(&mut maker.draws, depth);
    // How far the products lie below the addend's leading bit.
    let below = p - 1 + q;
    let larger = if deviation.midpoint { p } else { below - 1 };
    let leading = maker.draws.common(&[
        (span.min(), span.max),
        (first.0 + larger, first.1 + larger),
        (second.0 + below, second.1 + below),
    ]);
    let (significand, negative) = (maker.draws.significand(span.precision), maker.draws.flag());
    let last = leading - span.precision + 1;
    put_addend(maker, ExactNumber::new(negative, significand.into(), last));
    let towards = negative == deviation.above;
    let (half, bit) = match deviation.midpoint {
        // Half of its last place below a power of two lies a number.
        true => (
            if maker.draws.flag() && !significand.is_power_of_two() { !negative } else { negative },
            towards,
        ),
        false => (towards, !towards),
    };
    maker.put(places[0], 1, 1, leading - larger, half);
    put_second(maker, places, leading - below, bit);
}

/// Writes a product that is a number of the result's format or a midpoint, and the bit as another product or as the
/// addend. Where the product cannot be a midpoint, the addend is half of the last place.
fn on_product(maker: &mut Maker, deviation: &Deviation, walk: &Walk) {
    let shape = shape(maker);
    let span = shape.destination;
    let p = span.precision;
    let places = two_places(maker);
    let tie = if deviation.midpoint { tie_factors(&shape, &mut maker.draws) } else { None };
    let (a, b) = tie.unwrap_or_else(|| short_factors(&shape, &mut maker.draws));
    let halved = deviation.midpoint && tie.is_none();
    let (low, high) = maker.reach(places[0], a, b);
    // How far the product's leading bit lies above its exponent.
    let carry = length(shape.x(a, b)) - length(a.into()) - length(b.into()) + 1;
    let (low, high) = (low + carry, high + carry);
    let highest = span.max.min(high) - p + 1;
    let second = second_reach(maker, places);
    let beyond = highest - second.0 < 2;
    if halved && beyond {
        return on_addend(maker, deviation, walk);
    }
    let by_addend = !halved && (beyond || maker.draws.flag());
    let addend = shape.addend.leading();
    let bit = if by_addend { addend } else { second };
    let below = p - 1 + walk.place(&mut maker.draws, highest - bit.0);
    let mut ranges = vec![(low, high), (span.min(), span.max), (bit.0 + below, bit.1 + below)];
    if halved {
        ranges.push((addend.0 + p, addend.1 + p));
    }
    let leading = maker.draws.common(&ranges);
    let negative = maker.draws.flag();
    maker.put(places[0], a, b, leading - carry, negative);
    let towards = negative == deviation.above;
    if by_addend {
        return put_addend(maker, ExactNumber::power(towards, leading - below));
    }
    put_second(maker, places, leading - below, towards);
    let opposite = maker.draws.flag();
    let sign =
        if halved { negative != (opposite && !shape.x(a, b).is_power_of_two()) } else { opposite };
    let half = ExactNumber::power(sign, leading - p);
    put_addend(maker, if halved { half } else { ExactNumber::zero(sign) });
}
