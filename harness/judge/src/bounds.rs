//! Bounds of a sum of products: the numbers that it lies between, whatever the order of adding.

use formats::{Class, Format};

/// Bounds of a sum of products over every order of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Lowest number that is right, as bits of D's format.
    pub low: u64,
    /// Highest number that is right, as bits of D's format.
    pub high: u64,
    /// Exponent of the power of two that divides every right result, by the exactness law: no order of adding
    /// rounds anything there. The lowest number is then the highest, except where terms may be missing.
    pub exact: Option<i32>,
    /// Whether the positive terms alone may overflow, and whether the negative ones may: a partial sum may be
    /// infinite then, and where both may, NaN.
    pub may_overflow: [bool; 2],
}

/// Returns the place of a number in the order of D's numbers, where zeros of either sign have one place.
fn place(d: &Format, bits: u64) -> i64 {
    let magnitude = (bits & d.magnitude_mask()) as i64;
    if d.is_negative(bits) { -magnitude } else { magnitude }
}

/// Whether a number is a multiple of 2 to the power `quantum`.
fn is_multiple(d: &Format, bits: u64, quantum: i32) -> bool {
    let number = d.decode(bits);
    number.is_some_and(|(significand, exponent)| {
        significand == 0 || exponent + significand.trailing_zeros() as i32 >= quantum
    })
}

impl Bounds {
    /// Whether a result lies within the bounds.
    pub(super) fn has(&self, d: &Format, result: u64) -> bool {
        let within = (place(d, self.low)..=place(d, self.high)).contains(&place(d, result))
            && self.exact.is_none_or(|quantum| is_multiple(d, result, quantum));
        match d.class(result) {
            Class::Nan => self.may_overflow == [true; 2],
            Class::Infinity => within || self.may_overflow[usize::from(d.is_negative(result))],
            _ => within,
        }
    }

    /// Says in words which results the bounds accept; `show` writes a number as a page shows it.
    pub fn words(&self, show: impl Fn(u64) -> String) -> String {
        let overflow = match self.may_overflow {
            [false, false] => "",
            [true, true] => ", an infinity or NaN: a part of the sum may overflow",
            _ => ", or infinity: a part of the sum may overflow",
        };
        let (low, high) = (show(self.low), show(self.high));
        match self.exact {
            Some(_) if self.low == self.high => {
                format!("{low} alone: no order of adding rounds anything")
            }
            Some(quantum) => {
                format!(
                    "multiples of 2^{quantum} from {low} to {high}: no order of adding rounds anything"
                )
            }
            None => format!("{low} to {high}, whatever the order of adding{overflow}"),
        }
    }
}
