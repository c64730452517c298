//! Of quotients, reciprocals and square roots.

use model::{Deviation as D, Deviations, subject};
use vectors::Variant;
use vectors::isa::{Operation as O, Rounding as R};

const FAR: &str = "a quotient or root that is not a number or half-way between two differs from each by a \
    part in 2 to the power of both precisions, and so stays on its side";
const NO_MIDPOINT: &str = "a quotient half-way between two numbers, times the divisor, would have more bits \
    than the dividend";

const BELOW_NORMAL: &str = "a quotient of normal numbers below a power of two is so by more than a unit";

/// Why a deviation does not show in a quotient or root.
pub fn proof(deviation: D, variant: &Variant) -> Option<&'static str> {
    let precision = variant.outputs()[0].format.precision();
    let deviations = Deviations::from(deviation);
    let enough = 2 * precision + if variant.operation() == O::Sqrt { 4 } else { 2 };
    let kept = deviations.sticky_places().or(deviations.through().map(|format| format.precision()));
    let far = kept.is_some_and(|kept| kept >= enough);
    let of_one = match variant.operation() {
        O::Sqrt => root(deviation),
        O::Rcp => reciprocal(deviation, variant),
        O::Div => quotient(deviation, variant),
        _ => return None,
    };
    of_one.or(far.then_some(FAR))
}

fn root(deviation: D) -> Option<&'static str> {
    match deviation {
        D::TiesAway | D::TiesToOdd | D::TiesTowardZero | D::TiesUp => {
            Some("a root half-way between two numbers would have a square of more bits than the operand")
        }
        _ if deviation.overflows() => Some("the root of a number is never too large"),
        D::SubnormalRoundedTwice
        | D::BoundaryCarryLost
        | D::UnderflowLosesSign
        | D::ResultFlushedAnyway
        | D::ResultNotFlushed
        | D::FlushLosesSign
        | D::FlushedAfterRounding
        | D::MinNormalFlushed => Some("the root of a number is never subnormal"),
        _ => None,
    }
}

fn reciprocal(deviation: D, variant: &Variant) -> Option<&'static str> {
    let nearest = variant.rounding() == R::NearestEven;
    match deviation {
        _ if deviation.overflows() && subject::input_flushed(variant) => {
            Some("the reciprocal of a normal number is never too large")
        }
        D::BoundaryCarryLost if nearest => {
            Some("a reciprocal below a power of two is so by almost a unit at least")
        }
        D::TiesAway | D::TiesToOdd | D::TiesTowardZero | D::TiesUp => {
            Some("1/b has finitely many bits only if b is a power of two, and is then a number")
        }
        D::OverflowTieKept => Some(NO_MIDPOINT),
        D::FlushedAfterRounding => Some(BELOW_NORMAL),
        D::OverflowAtMax => Some(
            "the reciprocal of a power of two is none, and that of its neighbour is smaller by far more than \
             a unit of the largest number",
        ),
        D::UnderflowLosesSign => {
            Some("the reciprocal of the largest number is larger than the smallest subnormal one")
        }
        _ => None,
    }
}

fn quotient(deviation: D, variant: &Variant) -> Option<&'static str> {
    match deviation {
        D::TiesAway | D::TiesToOdd | D::TiesTowardZero | D::TiesUp
            if subject::result_flushed(variant) =>
        {
            Some(NO_MIDPOINT)
        }
        D::OverflowTieKept => Some(NO_MIDPOINT),
        D::FlushedAfterRounding => Some(BELOW_NORMAL),
        _ => None,
    }
}
