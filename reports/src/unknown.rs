//! Fields of a report's file that this build does not know: a later suite's, or somebody's own.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::text::{elided, printable};

/// The largest number of unknown fields that are named: whoever wrote a file may have written any number.
const NAMED: usize = 16;
/// The largest number of characters of a field's name.
const LETTERS: usize = 100;

/// Names of the fields that a report's file has and this build does not know. They are ignored, and nothing that is
/// made of the report has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownFields {
    /// The names, each once, like `/variants/*/retries` for a field of any variant, fit for a terminal.
    names: BTreeSet<String>,
    /// Whether there are more unknown fields than are named.
    more: bool,
}

impl UnknownFields {
    /// Finds the fields of a file, `given`, that are not among those that this build writes for the report, `own`.
    /// Fields that say nothing, as `null` and 0 do, are left out: known ones may be written so, too.
    pub(crate) fn of(given: &Value, own: &Value) -> UnknownFields {
        let mut found = UnknownFields::default();
        found.look(given, own, &mut String::new());
        found
    }

    /// Whether there are no unknown fields.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the names of the unknown fields, each in backticks.
    pub fn names(&self) -> String {
        let names: Vec<String> = self.names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ") + if self.more { " and others" } else { "" }
    }

    /// Returns a sentence for `reduced`, where a report is written anew without these fields; `None` if there are
    /// none.
    pub fn left_out(&self) -> Option<String> {
        let names = self.names();
        (!self.is_empty()).then(|| format!("Without fields that this suite does not know: {names}."))
    }

    /// Returns a sentence for a comparison of two reports, which tells nothing of their unknown fields; `None` if
    /// there are none.
    pub fn not_compared(reports: [&UnknownFields; 2]) -> Option<String> {
        let mut all = UnknownFields::default();
        reports.into_iter().for_each(|of| all.extend(of));
        let names = all.names();
        (!all.is_empty())
            .then(|| format!("Fields that this suite does not know are not compared: {names}."))
    }

    /// Adds the unknown fields of another file.
    pub fn extend(&mut self, other: &UnknownFields) {
        other.names.iter().for_each(|name| self.add(name));
        self.more |= other.more;
    }

    /// Adds the fields of `given` that `own` lacks. `place` says where both stand, and is left as it was.
    fn look(&mut self, given: &Value, own: &Value, place: &mut String) {
        let end = place.len();
        match (given, own) {
            (Value::Object(given), Value::Object(own)) => {
                for (name, value) in given {
                    *place += "/";
                    *place += name;
                    match own.get(name) {
                        Some(own) => self.look(value, own, place),
                        None if says_nothing(value) => {}
                        None => self.add(&elided(&printable(place), LETTERS)),
                    }
                    place.truncate(end);
                }
            }
            (Value::Array(given), Value::Array(own)) => {
                *place += "/*";
                given.iter().zip(own).for_each(|(given, own)| self.look(given, own, place));
                place.truncate(end);
            }
            _ => {}
        }
    }

    /// Adds a name; of too many names only that there are more.
    fn add(&mut self, name: &str) {
        match self.names.len() < NAMED || self.names.contains(name) {
            true => _ = self.names.insert(name.to_owned()),
            false => self.more = true,
        }
    }
}

/// Whether a value, such as `null`, 0 or an empty list, is one that a field has where it may also be left out.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_u64() == Some(0),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_is_named_once_wherever_it_stands() {
        let own = json!({ "a": [{ "b": 1 }, { "b": 2 }], "c": { "d": "e" } });
        let mut given = own.clone();
        given["a"][0]["new"] = json!(1);
        given["a"][1]["new"] = json!({ "b": 1 });
        given["c"]["\u{1b}"] = json!("");
        given["c"]["nothing"] = json!(0);
        let found = UnknownFields::of(&given, &own);
        assert_eq!(found.names(), "`/a/*/new`, `/c/\u{fffd}`");
        assert_eq!(UnknownFields::of(&own, &own).left_out(), None);
    }

    #[test]
    fn some_are_named_of_many() {
        let given: Value = (0..1000).map(|at| (format!("{at:>0$}", at + 1), json!(1))).collect();
        let mut found = UnknownFields::of(&given, &json!({}));
        assert_eq!((found.names.len(), found.more), (NAMED, true));
        assert!(found.names().ends_with(" and others") && found.names().len() < NAMED * (LETTERS + 10));
        let before = found.clone();
        found.extend(&UnknownFields::of(&json!({ "another": 1 }), &json!({})));
        assert_eq!(found, before);
    }
}
