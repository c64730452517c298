//! The bits of one register in one row, as they are kept where rows are few: in mismatches, reports and cases.

use std::cmp::Ordering;
use std::fmt;

use thiserror::Error;

/// The bits of one row of a column. A row of at most 64 bits is a word, and takes no memory but its own; a
/// wider row is kept as its bytes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RowBits(Bits);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    Word(u64),
    /// A row of more than 8 bytes, little-endian.
    Wide(Box<[u8]>),
}

/// The reason why a text is not read as the bits of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RowError {
    /// The text has no digit, or something that is no hexadecimal digit.
    #[error("it is not a hexadecimal number")]
    NoNumber,
    /// The number has more bits than the row, whose width in bits this is.
    #[error("it has more than the {0} bits of its register")]
    TooWide(usize),
}

impl RowBits {
    /// Returns the bits of a row that is given as its bytes, little-endian.
    pub fn from_bytes(row: &[u8]) -> RowBits {
        let mut word = [0; 8];
        match word.get_mut(..row.len()) {
            Some(low) => {
                low.copy_from_slice(row);
                RowBits(Bits::Word(u64::from_le_bytes(word)))
            }
            None => RowBits(Bits::Wide(row.into())),
        }
    }

    /// Reads hexadecimal digits, with or without leading zeros, as a row of `row_bytes` bytes.
    ///
    /// # Errors
    /// If there are no digits, something that is no hexadecimal digit, or more than the row holds.
    pub fn from_hex(digits: &str, row_bytes: usize) -> Result<RowBits, RowError> {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(RowError::NoNumber);
        }
        // Leading zeros are no bits of the number, however many there are.
        let digits = digits.trim_start_matches('0').as_bytes();
        if digits.len() > 2 * row_bytes {
            return Err(RowError::TooWide(8 * row_bytes));
        }
        let mut row = vec![0; row_bytes];
        for (at, &digit) in digits.iter().rev().enumerate() {
            let value = char::from(digit).to_digit(16).unwrap_or_default() as u8;
            row[at / 2] |= value << (4 * (at % 2));
        }
        Ok(RowBits::from_bytes(&row))
    }

    /// Returns the bits of a row that is a word.
    ///
    /// # Panics
    /// If the row has more than 64 bits.
    #[inline]
    pub fn word(&self) -> u64 {
        self.as_word().unwrap_or_else(|| panic!("{self:?} is no word"))
    }

    /// Returns the bits of a row that is a word; `None` if the row has more than 64.
    #[inline]
    pub const fn as_word(&self) -> Option<u64> {
        match self.0 {
            Bits::Word(word) => Some(word),
            Bits::Wide(_) => None,
        }
    }

    /// Whether these are the bits of a row of `row_bytes` bytes, or a word that has no bits beyond such a row.
    pub fn fits(&self, row_bytes: usize) -> bool {
        match &self.0 {
            Bits::Word(word) => match row_bytes {
                // A shift by 64 overflows, so a row of eight bytes has an arm of its own.
                0..8 => word >> (8 * row_bytes) == 0,
                bytes => bytes == 8,
            },
            Bits::Wide(bytes) => bytes.len() == row_bytes,
        }
    }

    /// Writes as many low bytes as `row` has room for, and zeros where `row` is longer.
    pub fn write(&self, row: &mut [u8]) {
        let word;
        let bytes: &[u8] = match &self.0 {
            Bits::Word(bits) => {
                word = bits.to_le_bytes();
                &word
            }
            Bits::Wide(bytes) => bytes,
        };
        let common = row.len().min(bytes.len());
        row[..common].copy_from_slice(&bytes[..common]);
        row[common..].fill(0);
    }

    /// Returns the bytes of a row of `row_bytes` bytes, little-endian.
    pub fn to_bytes(&self, row_bytes: usize) -> Vec<u8> {
        let mut row = vec![0; row_bytes];
        self.write(&mut row);
        row
    }

    /// Returns the bits in hexadecimal, like `0x3c00`, with all digits of a row of `row_bytes` bytes.
    pub fn hex(&self, row_bytes: usize) -> String {
        format!("0x{self:0digits$x}", digits = 2 * row_bytes)
    }
}

impl From<u64> for RowBits {
    fn from(word: u64) -> RowBits {
        RowBits(Bits::Word(word))
    }
}

impl PartialEq<u64> for RowBits {
    fn eq(&self, word: &u64) -> bool {
        self.as_word() == Some(*word)
    }
}

impl fmt::LowerHex for RowBits {
    /// Formats a word like any integer, and a wider row with all its digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Bits::Word(word) => fmt::LowerHex::fmt(word, f),
            Bits::Wide(bytes) => {
                f.write_str(if f.alternate() { "0x" } else { "" })?;
                bytes.iter().rev().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

impl fmt::Debug for RowBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#x}")
    }
}

impl Ord for RowBits {
    /// Compares rows of one width as the integers that they are; wider rows come later.
    fn cmp(&self, other: &RowBits) -> Ordering {
        match (&self.0, &other.0) {
            (Bits::Word(a), Bits::Word(b)) => a.cmp(b),
            (Bits::Word(_), Bits::Wide(_)) => Ordering::Less,
            (Bits::Wide(_), Bits::Word(_)) => Ordering::Greater,
            (Bits::Wide(a), Bits::Wide(b)) => {
                a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
            }
        }
    }
}

impl PartialOrd for RowBits {
    fn partial_cmp(&self, other: &RowBits) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_what_its_text_and_its_bytes_say() {
        for row_bytes in [1, 2, 3, 8, 9, 16, 160] {
            let bytes: Vec<u8> = (1..=row_bytes as u8).collect();
            let bits = RowBits::from_bytes(&bytes);
            let hex = bits.hex(row_bytes);
            assert_eq!(hex.len(), 2 + 2 * row_bytes);
            assert_eq!(RowBits::from_hex(&hex[2..], row_bytes), Ok(bits.clone()));
            assert_eq!((bits.to_bytes(row_bytes), bits.as_word().is_some()), (bytes, row_bytes <= 8));
        }
        let of_two: [RowBits; 4] =
            [0xffff.into(), 0x1_0000.into(), u64::MAX.into(), RowBits::from_bytes(&[0; 9])];
        assert_eq!(of_two.each_ref().map(|bits| bits.fits(2)), [true, false, false, false]);
        assert_eq!(of_two.each_ref().map(|bits| bits.fits(8)), [true, true, true, false]);
        assert_eq!(of_two.each_ref().map(|bits| bits.fits(9)), [false, false, false, true]);
        assert_eq!(RowBits::from_hex("3C00", 2), Ok(0x3c00.into()));
        assert_eq!(RowBits::from(5).hex(2), "0x0005");
        assert_eq!(format!("{:x?}", [RowBits::from(0x3c00)]), "[0x3c00]");
        assert_eq!(RowBits::from(0x1_2345).to_bytes(2), [0x45, 0x23]);
        assert_eq!(RowBits::from(7).to_bytes(9), [7, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "0x1", "+1", "-1", " 1", "1g", "١", "1\0", "3c00 "] {
            assert_eq!(RowBits::from_hex(text, 4), Err(RowError::NoNumber), "{text:?}");
        }
        let long = "f".repeat(1 << 16);
        assert_eq!(RowBits::from_hex(&long, 16), Err(RowError::TooWide(128)));
        assert_eq!(RowBits::from_hex("10000", 2), Err(RowError::TooWide(16)));
        assert_eq!(RowBits::from_hex(&format!("{}1", "0".repeat(99)), 1), Ok(1.into()));
        assert_eq!(RowError::TooWide(16).to_string(), "it has more than the 16 bits of its register");
    }

    #[test]
    fn rows_of_one_width_are_in_the_order_of_integers() {
        let wide = |low: u8, high: u8| {
            let mut bytes = [0; 16];
            (bytes[0], bytes[15]) = (low, high);
            RowBits::from_bytes(&bytes)
        };
        let ordered =
            [0.into(), 256.into(), RowBits::from(u64::MAX), wide(9, 0), wide(1, 1), wide(0, 2)];
        assert!(ordered.is_sorted());
    }
}
