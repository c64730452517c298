//! The manual's tables of special inputs, which say what a function gives where no bound is needed.

use formats::{Class, Format};

/// A table of special inputs, made ready for looking up.
pub struct Specials {
    /// The table's results, by sign, then by class of the input.
    rows: [[Option<Special>; CLASSES]; 2],
}

/// The result that a table states for a special input.
#[derive(Clone, Copy, Debug)]
pub struct Special {
    /// The result's bits.
    pub bits: u64,
    /// The result as a number.
    pub value: f64,
}

const CLASSES: usize = Class::Nan as usize + 1;

impl Specials {
    /// Reads a table as the rows of instructions have it: a pair of texts such as `-inf` and `-0` says that the first
    /// gives the second. A result that is not a number has the bits `nan`.
    ///
    /// # Panics
    /// On a text that is malformed: a test reads every row's.
    pub fn read(table: &[(&str, &str)], nan: u64, result: &Format) -> Specials {
        let mut rows = [[None; CLASSES]; 2];
        for &(input, gives) in table {
            let (signs, class) = match signed(input) {
                None => (&[false, true][..], Class::Nan),
                Some((true, class)) => (&[true][..], class_named(class)),
                Some((false, class)) => (&[false][..], class_named(class)),
            };
            for &negative in signs {
                rows[usize::from(negative)][class as usize] = Some(Special::read(gives, nan, result));
            }
        }
        Specials { rows }
    }

    /// Returns what the table says of an input of this class and sign; `None` if it has no row for it.
    #[inline]
    pub fn of(&self, class: Class, negative: bool) -> Option<Special> {
        self.rows[usize::from(negative)][class as usize]
    }
}

impl Special {
    fn read(text: &str, nan: u64, format: &Format) -> Special {
        let Some((negative, magnitude)) = signed(text) else {
            return Special { bits: nan, value: f64::NAN };
        };
        let (bits, value) = match magnitude {
            "0" => (0, 0.0),
            "1" => (format.one(), 1.0),
            "inf" => (format.infinity().expect("a format with infinity"), f64::INFINITY),
            _ => panic!("`{text}` is no result of a special input"),
        };
        match negative {
            true => Special { bits: format.sign_mask() | bits, value: -value },
            false => Special { bits, value },
        }
    }
}

/// Returns whether a text has a minus, and what stands behind its sign; `None` for NaN, which has none.
fn signed(text: &str) -> Option<(bool, &str)> {
    match text.split_at(1) {
        ("-", magnitude) => Some((true, magnitude)),
        ("+", magnitude) => Some((false, magnitude)),
        _ if text == "nan" => None,
        _ => panic!("`{text}` has no sign"),
    }
}

fn class_named(text: &str) -> Class {
    match text {
        "0" => Class::Zero,
        "normal" => Class::Normal,
        "inf" => Class::Infinity,
        _ => panic!("`{text}` is no class of inputs"),
    }
}

#[cfg(test)]
mod tests {
    use formats::{F16, F32};

    use super::*;

    #[test]
    fn a_row_is_of_one_sign_but_for_nan() {
        let table = Specials::read(&[("-inf", "-1"), ("+0", "+inf"), ("nan", "nan")], 0x7fff, &F16);
        let bits = |class, negative| table.of(class, negative).map(|special| special.bits);
        assert_eq!([true, false].map(|sign| bits(Class::Infinity, sign)), [Some(0xbc00), None]);
        assert_eq!([true, false].map(|sign| bits(Class::Zero, sign)), [None, Some(0x7c00)]);
        assert_eq!([true, false].map(|sign| bits(Class::Nan, sign)), [Some(0x7fff); 2]);
        assert_eq!(table.of(Class::Infinity, true).unwrap().value, -1.0);
    }

    #[test]
    #[should_panic(expected = "`inf` has no sign")]
    fn what_has_no_sign_is_refused() {
        Specials::read(&[("inf", "+0")], 0, &F32);
    }

    #[test]
    #[should_panic(expected = "`2` is no class of inputs")]
    fn what_is_no_class_is_refused() {
        Specials::read(&[("+2", "nan")], 0, &F32);
    }
}
