//! Ranges of what a lane computes with, in which an implementation may have a fault that it does not have elsewhere.
//!
//! The ends of a range are not guessed: they lie between the lanes that are wrong and those that the fault would make
//! wrong, though they are right.

use formats::{Format, Scale};
use isa::Variant;

use super::axis::short;
use super::evidence::Element;

/// A quantity of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The magnitude of one float, as its encoding.
    Magnitude(usize),
    /// The value of one input: of an integer itself, and of a float its place in the order of all.
    Value(usize),
    /// The magnitude of the right result, as its encoding.
    Result,
    /// The exponent of the first input less that of the second.
    Distance,
    /// The exponent of the third input less that of the product of the others.
    AddendDistance,
}

/// A range of a quantity. An end that is `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    quantity: Quantity,
    /// The lowest value in the range.
    low: Option<i128>,
    /// The lowest value above the range.
    end: Option<i128>,
}

impl Quantity {
    /// Returns the quantities that lanes of a variant with one output have.
    pub fn all_of(variant: &Variant) -> Vec<Quantity> {
        let inputs = variant.inputs();
        let float = |format: &Format| format.scale == Scale::Floating;
        let signed = |format: &Format| !float(format) || format.signed;
        let magnitudes = (0..inputs.len()).filter(|&input| float(inputs[input].format));
        let values = (0..inputs.len()).filter(|&input| signed(inputs[input].format));
        let mut all: Vec<Quantity> =
            magnitudes.map(Quantity::Magnitude).chain(values.map(Quantity::Value)).collect();
        all.extend(float(variant.outputs()[0].format).then_some(Quantity::Result));
        let alike = |count: usize| {
            let some = inputs.get(..count);
            some.is_some_and(|some| {
                some.iter().all(|of| float(of.format) && of.format == inputs[0].format)
            })
        };
        all.extend(alike(2).then_some(Quantity::Distance));
        all.extend(alike(3).then_some(Quantity::AddendDistance));
        all
    }

    /// Returns the quantity of a lane with these inputs and this right result; `None` where it has none, as NaN has.
    fn of(self, variant: &Variant, inputs: &[u64], right: u64) -> Option<i128> {
        let format = |input: usize| variant.inputs()[input].format;
        let magnitude = |format: &Format, bits: u64| {
            (!format.is_nan(bits)).then_some(i128::from(bits & format.magnitude_mask()))
        };
        let exponent = |input: usize| {
            let (significand, exponent) = format(input).decode(inputs[input])?;
            Some(i128::from(exponent) + i128::from(significand.checked_ilog2()?))
        };
        match self {
            Quantity::Magnitude(input) => magnitude(format(input), inputs[input]),
            Quantity::Value(input) if format(input).is_fixed() => {
                Some(integer(format(input), inputs[input]))
            }
            Quantity::Value(input) => {
                let magnitude = magnitude(format(input), inputs[input])?;
                Some(if format(input).is_negative(inputs[input]) { !magnitude } else { magnitude })
            }
            Quantity::Result => magnitude(variant.outputs()[0].format, right),
            Quantity::Distance => Some(exponent(0)? - exponent(1)?),
            Quantity::AddendDistance => Some(exponent(2)? - exponent(0)? - exponent(1)?),
        }
    }

    /// Returns the quantity in words, and what is written of one of its values.
    fn words(self, variant: &Variant) -> (String, Box<dyn Fn(i128) -> String>) {
        let name = |input: usize| variant.operands().get(input).map_or("a", |register| register.name);
        let float = |format: &'static Format| {
            move |of: i128| {
                let (magnitude, sign) = if of < 0 { (!of, "-") } else { (of, "") };
                let value = format.value(magnitude as u64).map_or("infinity".into(), short);
                format!("{sign}{value}")
            }
        };
        let format = |input: usize| variant.inputs()[input].format;
        match self {
            Quantity::Magnitude(input) => (format!("|{}|", name(input)), Box::new(float(format(input)))),
            Quantity::Value(input) if format(input).is_fixed() => {
                (name(input).into(), Box::new(|of| of.to_string()))
            }
            Quantity::Value(input) => (name(input).into(), Box::new(float(format(input)))),
            Quantity::Result => {
                let words = "the right result's magnitude".into();
                (words, Box::new(float(variant.outputs()[0].format)))
            }
            Quantity::Distance => (
                format!("the exponent of {} less that of {}", name(0), name(1)),
                Box::new(|of| of.to_string()),
            ),
            Quantity::AddendDistance => (
                format!("the exponent of {} less that of the product", name(2)),
                Box::new(|of| of.to_string()),
            ),
        }
    }
}

impl Range {
    /// Returns the range of a quantity that has all lanes of `wrong` and none of `right`, with ends as simple as can be;
    /// `None` if there is no such range, or if it has no end.
    pub fn between(
        variant: &Variant,
        quantity: Quantity,
        wrong: &[Element],
        right: &[Element],
    ) -> Option<Range> {
        let of = |lane: &Element| quantity.of(variant, &lane.inputs, lane.expected);
        let wrong: Option<Vec<i128>> = wrong.iter().map(of).collect();
        let wrong = wrong?;
        let (lowest, highest) = (*wrong.iter().min()?, *wrong.iter().max()?);
        let (mut below, mut above) = (None, None);
        for value in right.iter().filter_map(of) {
            match value {
                _ if value < lowest => below = below.max(Some(value)),
                _ if value > highest => {
                    above = Some(above.map_or(value, |above: i128| above.min(value)));
                }
                _ => return None,
            }
        }
        let low = below.map(|below| roundest(below + 1, lowest));
        let end = above.map(|above| roundest(highest + 1, above));
        (low.is_some() || end.is_some()).then_some(Range { quantity, low, end })
    }

    /// Whether a lane lies in the range.
    pub fn has(self, variant: &Variant, inputs: &[u64], right: u64) -> bool {
        let within =
            |of: i128| self.low.is_none_or(|low| low <= of) && self.end.is_none_or(|end| of < end);
        self.quantity.of(variant, inputs, right).is_some_and(within)
    }

    /// Whether the range ends on both sides.
    pub fn is_bounded(self) -> bool {
        self.low.is_some() && self.end.is_some()
    }

    /// Returns the range in words.
    pub fn words(self, variant: &Variant) -> String {
        let (quantity, shown) = self.quantity.words(variant);
        match (self.low, self.end) {
            (Some(low), Some(end)) if end == low + 1 => format!("{quantity} is {}", shown(low)),
            (Some(low), Some(end)) => {
                format!("{quantity} is at least {} and less than {}", shown(low), shown(end))
            }
            (Some(low), None) => format!("{quantity} is at least {}", shown(low)),
            (None, Some(end)) => format!("{quantity} is less than {}", shown(end)),
            (None, None) => format!("{quantity} is any"),
        }
    }

    /// Returns the name of the range, behind that of a fault: it has no numbers.
    pub fn id(self, variant: &Variant) -> String {
        let (quantity, _) = self.quantity.words(variant);
        let quantity = quantity.replace([' ', '|', '\''], "-").trim_matches('-').to_owned();
        match (self.low, self.end) {
            (Some(_), Some(_)) => format!("{quantity}-is-in-a-range"),
            (Some(_), None) => format!("{quantity}-is-large"),
            (None, _) => format!("{quantity}-is-small"),
        }
    }
}

/// Returns the number from `low` to `high` that ends with the most zero bits: of encodings, a power of two where there
/// is one.
fn roundest(low: i128, high: i128) -> i128 {
    if low <= 0 && high >= 0 {
        return 0;
    }
    // Without its last bits, `high` stays in the range until it has lost too many.
    let cut = |bits: u32| high >> bits << bits;
    let bits = (0..i128::BITS).take_while(|&bits| cut(bits) >= low).last().unwrap_or(0);
    cut(bits)
}

/// Returns the value of an integer's bits, in units of the last place.
pub fn integer(format: &Format, bits: u64) -> i128 {
    let unused = 64 - format.width();
    match format.signed {
        true => i128::from(((bits << unused) as i64) >> unused),
        false => i128::from(bits),
    }
}

#[cfg(test)]
mod tests {
    use isa::limits::INPUTS_MAX;

    use super::*;

    #[test]
    fn a_range_ends_at_the_simplest_number_between_wrong_and_right() {
        assert_eq!(roundest(0x5eff_ffff, 0x5f12_3456), 0x5f00_0000);
        assert_eq!(roundest(31, 33), 32);
        assert_eq!(roundest(7, 7), 7);
        assert_eq!(roundest(-5, 3), 0);
        assert_eq!(roundest(-35, -31), -32);
        let variant = Variant::named("cvt.rn.f32.u64").unwrap();
        let lanes = |of: &'static [[u64; 1]]| {
            let lane = |&[input]: &[u64; 1]| {
                let mut inputs = [0; INPUTS_MAX];
                inputs[0] = input;
                Element { inputs, expected: 0, actual: 0 }
            };
            of.iter().map(lane).collect::<Vec<_>>()
        };
        let range =
            |wrong, right| Range::between(variant, Quantity::Value(0), &lanes(wrong), &lanes(right));
        let large = range(&[[1 << 63 | 5], [u64::MAX]], &[[3], [(1 << 63) - 1]]).unwrap();
        assert_eq!(large.words(variant), "a is at least 9223372036854775808");
        assert_eq!(large.id(variant), "a-is-large");
        assert!(large.has(variant, &[1 << 63], 0) && !large.has(variant, &[(1 << 63) - 1], 0));
        assert_eq!(range(&[[5], [9]], &[[7]]), None);
        assert_eq!(range(&[[5], [9]], &[]), None);
        let one = range(&[[8]], &[[7], [9]]).unwrap();
        assert_eq!((one.words(variant), one.is_bounded()), ("a is 8".into(), true));
    }
}
