//! Checks the values of encodings against libraries of other people: by tables, because the formats are small.

use anyhow::{Context, Result, bail};
use formats::{Class, Format};

use super::report::{Difference, Summary};

/// The tables; their header says where they come from.
const TABLES: &str = include_str!("decode.txt");

/// The value that a table gives for an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DecodedValue {
    Nan,
    Infinity {
        negative: bool,
    },
    Zero {
        negative: bool,
    },
    /// The number ± odd × 2^exponent.
    Number {
        negative: bool,
        odd: u64,
        exponent: i32,
    },
}

impl DecodedValue {
    /// Reads a value as the tables write it: `3p-9` is 3 × 2^-9.
    fn read(text: &str) -> Result<DecodedValue> {
        let (negative, magnitude) = match text.strip_prefix('-') {
            Some(magnitude) => (true, magnitude),
            None => (false, text),
        };
        Ok(match magnitude {
            "nan" => DecodedValue::Nan,
            "inf" => DecodedValue::Infinity { negative },
            "0" => DecodedValue::Zero { negative },
            number => {
                let (odd, exponent) = number.split_once('p').context("a value is written 3p-9")?;
                DecodedValue::Number { negative, odd: odd.parse()?, exponent: exponent.parse()? }
            }
        })
    }

    /// Returns the value of an encoding according to the suite's own decoder.
    fn decoded(format: &Format, bits: u64) -> DecodedValue {
        let negative = format.is_negative(bits);
        match (format.class(bits), format.decode(bits)) {
            (Class::Nan, None) => DecodedValue::Nan,
            (Class::Zero, Some((0, _))) => DecodedValue::Zero { negative },
            (Class::Normal | Class::Subnormal, Some((significand, exponent))) => {
                let even = significand.trailing_zeros();
                DecodedValue::Number {
                    negative,
                    odd: significand >> even,
                    exponent: exponent + even as i32,
                }
            }
            _ => DecodedValue::Infinity { negative },
        }
    }
}

/// Compares all tables with [`Format::decode`] and [`Format::class`].
///
/// # Errors
/// If the tables cannot be read.
pub fn check() -> Result<Summary> {
    let mut summary = Summary::new("ml_dtypes 0.6.0, gfloat 0.5.2");
    for (format, values) in tables()? {
        if values.len() as u64 != format.mask() + 1 {
            bail!("the table of {format:?} has {} values", values.len());
        }
        summary.variants += 1;
        summary.vectors += values.len() as u64;
        for (bits, value) in (0..).zip(values) {
            let ours = DecodedValue::decoded(format, bits);
            if ours != value {
                summary.differs(1, Some(Difference::of_encoding(format, bits, &value, &ours)));
            }
        }
    }
    Ok(summary)
}

/// Reads the tables: for each format what the libraries say of every encoding, in order.
fn tables() -> Result<Vec<(&'static Format, Vec<DecodedValue>)>> {
    let mut tables: Vec<(&'static Format, Vec<DecodedValue>)> = Vec::new();
    for line in TABLES.lines().filter(|line| !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('[') {
            let name = header.split(']').next().unwrap_or_default();
            tables.push((named(name)?, Vec::new()));
        } else {
            let (_, values) = tables.last_mut().context("values without a format")?;
            for text in line.split_whitespace() {
                values.push(DecodedValue::read(text)?);
            }
        }
    }
    Ok(tables)
}

/// Returns the format of a name.
fn named(name: &str) -> Result<&'static Format> {
    let all = formats::FLOATS.into_iter().chain(formats::FIXED);
    all.into_iter().find(|format| format.name == name).with_context(|| format!("no format `{name}`"))
}

#[cfg(test)]
mod nearest;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_those_of_the_libraries() {
        let summary = check().unwrap();
        assert_eq!((summary.variants, summary.vectors), (12, 9 * 256 + 64 + 64 + 16));
        assert_eq!(summary.differences, 0, "{:?}", summary.examples);
    }

    #[test]
    fn a_format_that_ends_elsewhere_differs() {
        let ours = DecodedValue::decoded(&formats::E4M3, 0x7f);
        assert_eq!((ours, DecodedValue::read("nan").unwrap()), (DecodedValue::Nan, DecodedValue::Nan));
        assert_ne!(DecodedValue::decoded(&formats::E4M3FNUZ, 0x7f), ours);
        assert_eq!(
            DecodedValue::read("-15p4").unwrap(),
            DecodedValue::Number { negative: true, odd: 15, exponent: 4 }
        );
    }
}
