//! Conversions whose input differs from a rounding boundary in one bit.

use super::Deviation;
use crate::data::sign;
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
    let drawn = leading(shape, draws, reach);
    // A result of one bit leaves most places to be discarded.
    let place = deviation.place(source.precision - 1);
    let room = |leading: i32| {
        let last = (leading - span.precision + 1).max(span.unit);
        (source.precision.min(leading + scale - source.unit + 1) - (leading - last + 1).max(0), last)
    };
    // Where the place does not lie within the source, the result gets fewer bits; an integer source gets more.
    let leading = match room(drawn).0 < place {
        true if format.is_fixed() => (span.precision + place - 1).min(reach.1),
        true => draws.common(&[
            reach,
            (span.unit + source.precision - place - 1, span.unit + source.precision - place - 1),
        ]),
        false => drawn,
    };
    let (room, last) = room(leading);
    let place = place.min(room.max(2));
    let significand = if leading < last { 0 } else { draws.significand(leading - last + 1) };
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
    let value = ExactNumber::new(false, value, last - places + scale);
    [sign(format, draws) | value.truncate(format), second, 0]
}
