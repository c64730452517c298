//! The properties that all kinds of reports share: a form, a checksum, and texts that anybody may have written.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::model::Report;
use crate::text::{elided, printable};
use crate::unknown::UnknownFields;

/// A kind of report: on an implementation, or on a compiler. Each report is a file of its own.
pub trait Document: Clone + Serialize + DeserializeOwned {
    /// The name and version of the report's form, found in the file's `schema` field.
    const SCHEMA: &'static str;

    /// Returns the report's checksum, if it has one.
    fn checksum(&self) -> Option<&str>;

    /// Returns the place of the report's checksum, for setting or removing it.
    fn checksum_mut(&mut self) -> &mut Option<String>;

    /// Returns the fields of the report's file that this build does not know.
    fn unknown(&self) -> &UnknownFields;

    /// Returns the place of the fields of the report's file that this build does not know, for changing them.
    fn unknown_mut(&mut self) -> &mut UnknownFields;
}

impl Document for Report {
    const SCHEMA: &'static str = crate::model::SCHEMA;

    fn checksum(&self) -> Option<&str> {
        self.checksum.as_deref()
    }

    fn checksum_mut(&mut self) -> &mut Option<String> {
        &mut self.checksum
    }

    fn unknown(&self) -> &UnknownFields {
        &self.unknown
    }

    fn unknown_mut(&mut self) -> &mut UnknownFields {
        &mut self.unknown
    }
}

/// Returns a copy of a report in which every text is printable. A terminal gets no other control characters than
/// the ends of lines and colours that [`terminal`](crate::terminal) writes, and no line that only looks like one of
/// that module's.
pub fn harmless<D: Document>(report: &D) -> D {
    with_texts(report, &printable)
}

/// Returns a copy of a report in which no text has more than `letters` characters. Bits, which begin with `0x`,
/// keep their first characters.
pub(crate) fn shortened<D: Document>(report: &D, letters: usize) -> D {
    let shortened = |text: &str| match text.starts_with("0x") {
        // Bits with a mark of omission in them would be no hex string, and the report would not load.
        true => text.chars().take(letters).collect(),
        false => elided(text, letters),
    };
    with_texts(report, &shortened)
}

/// Returns a copy of a report in which `other` has replaced every text, and every name by which an object has a
/// value.
fn with_texts<D: Document>(report: &D, other: &dyn Fn(&str) -> String) -> D {
    /// Replaces the texts of a value, and of all within it.
    fn replace(value: &mut Value, other: &dyn Fn(&str) -> String) {
        match value {
            Value::String(text) => *text = other(text),
            Value::Array(items) => items.iter_mut().for_each(|item| replace(item, other)),
            Value::Object(fields) => {
                fields.values_mut().for_each(|of| replace(of, other));
                *fields =
                    std::mem::take(fields).into_iter().map(|(key, of)| (other(&key), of)).collect();
            }
            _ => {}
        }
    }
    // By way of JSON, which reaches the texts of every type, and of types that are added.
    let mut value = serde_json::to_value(report).expect("a report is JSON");
    replace(&mut value, other);
    serde_json::from_value(value).expect("texts are free")
}
