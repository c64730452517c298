//! What all kinds of reports have in common: a form, a checksum, and texts that anybody may have written.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::model::Report;
use crate::text::{elided, printable};
use crate::unknown::UnknownFields;

/// A kind of report, each in a file of its own.
pub trait Document: Clone + Serialize + DeserializeOwned {
    /// The name and version of its form, found in its `schema` field.
    const SCHEMA: &'static str;

    /// Its checksum, if it has one.
    fn checksum(&self) -> Option<&str>;

    /// The place of its checksum.
    fn checksum_mut(&mut self) -> &mut Option<String>;

    /// The fields of its file that this build does not know.
    fn unknown(&self) -> &UnknownFields;

    /// The place of these.
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

/// A report of which every text is printable: a terminal gets no other control characters than the ends of lines and
/// colours that [`terminal`](crate::terminal) writes, and no line that only looks like one of its own.
pub fn harmless<D: Document>(report: &D) -> D {
    with_texts(report, &printable)
}

/// A report of which no text has more than so many letters. Of bits there are the first.
pub(crate) fn shortened<D: Document>(report: &D, letters: usize) -> D {
    let shortened = |text: &str| match text.starts_with("0x") {
        true => text.chars().take(letters).collect(),
        false => elided(text, letters),
    };
    with_texts(report, &shortened)
}

/// A report with other texts, and other names of what it has by name.
fn with_texts<D: Document>(report: &D, other: &dyn Fn(&str) -> String) -> D {
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
    let mut value = serde_json::to_value(report).expect("a report is JSON");
    replace(&mut value, other);
    serde_json::from_value(value).expect("texts are free")
}
