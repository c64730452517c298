//! Between which numbers a sum of products lies, whatever the order of adding.

use formats::{Class, Format};

/// A bound over every order of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The lowest number.
    pub low: u64,
    /// The highest.
    pub high: u64,
    /// Where no order of adding rounds anything, the exactness law, the exponent of two that divides whatever is
    /// right; the lowest number is the highest, but where terms may be missing.
    pub exact: Option<i32>,
    /// Whether the positive terms alone, and the negative ones, may overflow: a partial sum may be infinite
    /// then, and where both may, NaN.
    pub may_overflow: [bool; 2],
}

/// Place of a number in the order of D's, zeros of either sign being one.
fn place(d: &Format, bits: u64) -> i64 {
    let magnitude = (bits & d.magnitude_mask()) as i64;
    if d.is_negative(bits) { -magnitude } else { magnitude }
}

/// Whether a number is a multiple of a power of two.
fn is_multiple(d: &Format, bits: u64, quantum: i32) -> bool {
    let number = d.decode(bits);
    number.is_some_and(|(significand, exponent)| {
        significand == 0 || exponent + significand.trailing_zeros() as i32 >= quantum
    })
}

impl Bounds {
    /// Whether a result lies within.
    pub(super) fn has(&self, d: &Format, result: u64) -> bool {
        let within = (place(d, self.low)..=place(d, self.high)).contains(&place(d, result))
            && self.exact.is_none_or(|quantum| is_multiple(d, result, quantum));
        match d.class(result) {
            Class::Nan => self.may_overflow == [true; 2],
            Class::Infinity => within || self.may_overflow[usize::from(d.is_negative(result))],
            _ => within,
        }
    }

    /// What it accepts, in words, where numbers are shown as a page shows them.
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
