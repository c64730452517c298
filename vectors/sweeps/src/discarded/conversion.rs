//! Conversions whose input differs from a rounding boundary in one bit.

use super::Deviation;
use crate::exact::ExactNumber;
use crate::grid::{divisor, leading};
use crate::random::CounterRng;
use crate::shape::{Extra, Lane, OperandSpan, Shape};
use crate::stochastic::{field, field_bits};

/// Draws an input whose conversion deviates from a boundary by the bit. With random bits the boundary is where the
/// discarded ones just carry.
pub fn lane(
    shape: &Shape,
    draws: &mut CounterRng,
    deviation: &Deviation,
    number: usize,
    shared: Option<u64>,
) -> Lane {
    let format = shape.formats[0];
    let (source, span) = (OperandSpan::of(format), shape.destination);
    let (second, scale) = match shape.extra {
        Extra::Random => {
            let drawn = draws.patterned(shape.formats[1].width() as i32);
            (shared.unwrap_or(drawn), 0)
        }
        Extra::Divisor => {
            let drawn = divisor(shape, draws);
            let second = shared.unwrap_or(drawn);
            (second, second as i32 - shape.formats[1].bias)
        }
        Extra::None | Extra::Factor => (0, 0),
    };
    let reach = (source.unit - scale, source.max - scale);
    // Where results are clamped to [0, 1], only numbers with fractions around one half and one show how they are rounded
    // to integers.
    let drawn = match shape.is_integral() && draws.flag() {
        true => draws.common(&[reach, (span.unit - 1, span.unit)]),
        false => leading(shape, draws, reach),
    };
    let place = deviation.place(last_place(shape, scale));
    // How many of the source's bits lie below the result's last place, which is returned too.
    let room = |leading: i32| {
        let last = (leading - span.precision + 1).max(span.unit);
        (source.precision.min(leading + scale - source.unit + 1) - (leading - last + 1).max(0), last)
    };
    let leading = if room(drawn).0 >= place {
        drawn
    } else if place <= source.precision - span.precision {
        // The smaller numbers of the source have fewer bits, of which too few are discarded.
        draws.common(&[reach, (source.unit - scale + span.precision + place - 1, span.max)])
    } else {
        // A subnormal result has fewer bits, so that more of the source's are discarded.
        let subnormal = span.unit + source.precision - place - 1;
        draws.common(&[reach, (subnormal, subnormal)])
    };
    let (room, last) = room(leading);
    let place = place.min(room.max(2));
    let significand = match leading < last {
        // What lies below zero is no deviation from it, so that the boundary is the smallest number.
        true => u64::from(!deviation.midpoint && !deviation.above),
        false => draws.significand(leading - last + 1),
    };
    let (places, carry) = match shape.extra {
        // Discarded and random bits carry where their sum reaches 2^k.
        Extra::Random => {
            let k = field_bits(shape);
            let places = place.max(k);
            (places, (1u128 << places) - (u128::from(field(shape, second, number)) << (places - k)))
        }
        _ => (place, 1u128 << (place - 1)),
    };
    let boundary = (u128::from(significand) << places) + if deviation.midpoint { carry } else { 0 };
    let bit = 1u128 << (places - place);
    let value = if deviation.above { boundary + bit } else { boundary.saturating_sub(bit) };
    let value = ExactNumber::new(draws.flag(), value, last - places + scale);
    [value.truncate(format), second, 0]
}

/// Returns the last place below the result's last one that the source has bits for, if it is divided by 2^`scale`.
fn last_place(shape: &Shape, scale: i32) -> i32 {
    let (source, span) = (OperandSpan::of(shape.formats[0]), shape.destination);
    let bits = |leading: i32| source.precision.min(leading + scale - source.unit + 1);
    // Of the largest numbers the precision is kept, and of the smallest one bit.
    (bits(span.max) - span.precision).max(bits(span.unit) - 1)
}

/// Whether the source has bits for more than the midpoints between numbers.
pub fn applies(shape: &Shape) -> bool {
    match shape.extra {
        Extra::Factor => false,
        Extra::Divisor => true,
        Extra::None | Extra::Random => last_place(shape, 0) >= 2,
    }
}
