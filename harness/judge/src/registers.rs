//! Writes and reads registers in the files of a run: a number where a register has at most 64 bits, and else all
//! its digits.

use std::fmt;

use formats::RowBits;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Hexadecimal digits of the widest register that is written as a number.
const WORD: usize = 16;

pub fn serialize<S: Serializer>(registers: &[RowBits], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(registers.iter().map(Written))
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<RowBits>, D::Error> {
    from.deserialize_seq(RegistersVisitor)
}

struct Written<'a>(&'a RowBits);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0.as_word() {
            Some(word) => to.serialize_u64(word),
            None => to.collect_str(&format_args!("{:#x}", self.0)),
        }
    }
}

struct RegistersVisitor;

impl<'de> Visitor<'de> for RegistersVisitor {
    type Value = Vec<RowBits>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("registers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<RowBits>, A::Error> {
        let mut registers = Vec::new();
        while let Some(Read(bits)) = from.next_element()? {
            registers.push(bits);
        }
        Ok(registers)
    }
}

struct Read(RowBits);

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Read, D::Error> {
        // `Read` visits for itself, and the 0 in it is not used.
        from.deserialize_any(Read(0.into()))
    }
}

impl<'de> Visitor<'de> for Read {
    type Value = Read;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a register: a number, or more than 64 bits as \"0x…\"")
    }

    fn visit_u64<E: Error>(self, word: u64) -> Result<Read, E> {
        Ok(Read(word.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Read, E> {
        // A register of at most 64 bits is written as a number: each has one way of being written.
        let digits = text.strip_prefix("0x").filter(|digits| digits.len() > WORD);
        let digits = digits.filter(|digits| digits.len().is_multiple_of(2));
        let bits = digits.and_then(|digits| RowBits::from_hex(digits, digits.len() / 2).ok());
        bits.map(Read).ok_or_else(|| E::custom("a register of more than 64 bits is not written so"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Of(#[serde(with = "super")] Vec<RowBits>);

    #[test]
    fn words_are_numbers_and_what_is_wider_has_all_its_digits() {
        let mut wide = [0; 9];
        wide[0] = 0x3c;
        let of = Of(vec![0.into(), u64::MAX.into(), RowBits::from_bytes(&wide)]);
        let json = serde_json::to_string(&of).unwrap();
        assert_eq!(json, r#"[0,18446744073709551615,"0x00000000000000003c"]"#);
        assert_eq!(serde_json::from_str::<Of>(&json).unwrap(), of);
    }

    #[test]
    fn what_is_no_register_is_refused_with_a_sentence() {
        let sentences = [
            ("[-1]", "expected a register"),
            ("[1.5]", "expected a register"),
            ("[18446744073709551616]", "expected a register"),
            ("[null]", "expected a register"),
            ("7", "expected registers"),
            (r#"["0x3c00"]"#, "is not written so"),
            (r#"["0x000000000000003c"]"#, "is not written so"),
            (r#"["00000000000000003c"]"#, "is not written so"),
            (r#"["0x0000000000000003c"]"#, "is not written so"),
            (r#"["0x0000000000000000+c"]"#, "is not written so"),
            (r#"["0x"]"#, "is not written so"),
        ];
        for (json, sentence) in sentences {
            let error = serde_json::from_str::<Of>(json).unwrap_err().to_string();
            assert!(error.contains(sentence), "{json}: {error}");
        }
    }
}
