//! Every exponent as likely as every other.

use super::exact::Exact;
use super::fill::Job;
use super::random::Draws;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};
use crate::column::Column;
use crate::format::Format;

pub const SWEEP: Sweep = Sweep {
    name: "exponents",
    hunts: "Errors at particular exponents and exponent differences, which uniform bits of wide \
            exponent fields hardly ever bring together.",
    length: |_| Length::Endless,
    fill,
};

fn fill(job: &Job, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| lane(&shape, draws));
}

/// One datum: exponent field uniform, trailing significand dense or sparse; specials one in 64.
fn datum(format: &Format, draws: &mut Draws) -> u64 {
    let (fields, trailing) = (1 << format.exponent_bits, format.trailing_bits as i32);
    let sign = if draws.flag() { format.sign_mask() } else { 0 };
    let field = match draws.below(64) {
        0 => fields - 1,
        _ => draws.below(fields - 1),
    };
    sign | (field as u64) << trailing | draws.patterned(trailing)
}

fn lane(shape: &Shape, draws: &mut Draws) -> Lane {
    let mut lane = [0; 3];
    for (operand, format) in lane.iter_mut().zip(shape.operands()) {
        *operand = datum(format, draws);
    }
    let free = draws.flag();
    if free {
        return lane;
    }
    // The other half: the exponents meet. First the product's is brought into the result's range,
    // then the addend's to the product's, by new exponents for the later operands.
    let span = shape.destination;
    let mut x = exponent(shape.formats[0], lane[0]);
    if shape.multiplies() {
        let wanted = draws.between(span.unit - 2, span.max + 1);
        lane[1] = moved(shape.formats[1], lane[1], wanted - x);
        x += exponent(shape.formats[1], lane[1]);
    }
    if shape.adds() {
        let last = shape.arity - 1;
        let reach = shape.addend.precision + 2;
        let wanted = x + draws.between(-reach, reach);
        lane[last] = moved(shape.formats[last], lane[last], wanted);
    }
    lane
}

/// Exponent of the leading bit; that of the smallest number for a zero, one more than that of the
/// largest for infinities and NaN.
fn exponent(format: &Format, bits: u64) -> i32 {
    match format.decode(bits) {
        Some((significand, exponent)) => {
            Exact::new(false, u128::from(significand.max(1)), exponent).leading()
        }
        None => format.exponent_max() + 1,
    }
}

/// A finite datum with its leading bit moved to `exponent`, or as near as the format's range allows;
/// infinities and NaN stay.
fn moved(format: &Format, bits: u64, exponent: i32) -> u64 {
    match format.decode(bits) {
        Some((significand, _)) => {
            let value = Exact::new(format.is_negative(bits), significand.into(), 0);
            Exact { exponent: exponent - value.leading(), ..value }.truncate(format)
        }
        None => bits,
    }
}
