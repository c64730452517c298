//! Computes the digest of a report's file as it stands there, with fields that no Rust type has.

use std::fmt;

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use xxhash_rust::xxh3::Xxh3Default;

/// The name of the field that holds a report's checksum, and is not covered by it.
const CHECKSUM: &str = "checksum";

/// Returns the digest of a report's JSON without spaces and without its checksum, with its fields in the order of the
/// file; `None` if the file is not JSON.
pub fn digest(file: &[u8]) -> Option<u64> {
    let mut digest = Xxh3Default::new();
    let mut json = serde_json::Deserializer::from_slice(file);
    Tokens { digest: &mut digest, is_report: true }.deserialize(&mut json).ok()?;
    json.end().ok()?;
    Some(digest.digest())
}

/// A visitor that feeds a value of a file to a digest, token by token.
struct Tokens<'a> {
    digest: &'a mut Xxh3Default,
    /// Whether the value is the whole report, and not a part of it.
    is_report: bool,
}

impl Tokens<'_> {
    fn part(&mut self) -> Tokens<'_> {
        Tokens { digest: self.digest, is_report: false }
    }

    fn text(&mut self, text: &str) {
        self.digest.update(text.as_bytes());
    }

    /// Feeds a value that has no parts to the digest, in the only way in which reports write it.
    fn token<E: Error>(mut self, value: impl Serialize) -> Result<(), E> {
        self.text(&serde_json::to_string(&value).map_err(E::custom)?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Tokens<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tokens<'_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.token(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.token(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.token(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.token(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.token(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.token(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        self.text("[");
        let mut before = "";
        while items.next_element_seed(Item { before, tokens: self.part() })?.is_some() {
            before = ",";
        }
        self.text("]");
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<(), A::Error> {
        self.text("{");
        let mut before = "";
        while let Some(name) = fields.next_key::<String>()? {
            // A field of this name within the report is content like any other.
            if self.is_report && name == CHECKSUM {
                fields.next_value::<IgnoredAny>()?;
                continue;
            }
            self.text(before);
            self.part().token::<A::Error>(name)?;
            self.text(":");
            fields.next_value_seed(self.part())?;
            before = ",";
        }
        self.text("}");
        Ok(())
    }
}

/// An item of a list, with the comma before it: whether another item comes is known only when it is read.
struct Item<'a> {
    before: &'static str,
    tokens: Tokens<'a>,
}

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(mut self, json: D) -> Result<(), D::Error> {
        self.tokens.text(self.before);
        self.tokens.deserialize(json)
    }
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    #[test]
    fn a_file_has_the_digest_of_its_text_without_spaces_and_checksum() {
        let due = r#"{"b":[1,-2,0.5,"×\n\"",null,true,[],{}],"a":{"checksum":"kept"},"c":12345678901234567890}"#;
        let digest_of = |text: &str| digest(text.as_bytes());
        assert_eq!(digest_of(due), Some(xxh3_64(due.as_bytes())));
        let spaced = r#" { "b" : [1, -2, 5e-1, "\u00d7\n\"", null, true, [ ], { }],
            "checksum": {"x": [1]}, "a": {"checksum": "kept"}, "c": 12345678901234567890 } "#;
        assert_eq!(digest_of(spaced), digest_of(due));
        assert_ne!(digest_of(&due.replace("kept", "gone")), digest_of(due));
        assert_ne!(digest_of(&due.replace("[1,", "[")), digest_of(due));
        assert_eq!((digest_of("{} 1"), digest_of("{"), digest_of("")), (None, None, None));
    }
}
