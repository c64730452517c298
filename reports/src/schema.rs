//! The JSON Schemas of reports, generated from [`Report`](crate::Report) and
//! [`CompilerReport`](crate::compilers::CompilerReport).

#[cfg(feature = "schema")]
use schemars::{JsonSchema, generate::SchemaSettings};
#[cfg(feature = "schema")]
use serde_json::Value;

#[cfg(feature = "schema")]
use crate::{CompilerReport, Report};

/// The identifier of the JSON Schema of implementations' reports, its `$id`.
#[cfg(feature = "schema")]
const SCHEMA_ID: &str = "urn:ptx-conformance:report:1";

/// The committed schema of implementations' reports, `reports/schema/report.schema.json`.
pub const SCHEMA_JSON: &str = include_str!("../schema/report.schema.json");

/// The identifier of the JSON Schema of compilers' reports, its `$id`.
#[cfg(feature = "schema")]
const COMPILERS_ID: &str = "urn:ptx-conformance:compiler-report:1";

/// The committed schema of compilers' reports, `reports/schema/compiler-report.schema.json`.
pub const COMPILERS_JSON: &str = include_str!("../schema/compiler-report.schema.json");

/// Returns the schema of implementations' reports that belongs to the types of this build, formatted as the committed
/// copy is.
#[cfg(feature = "schema")]
pub fn generate() -> String {
    generated::<Report>(SCHEMA_ID)
}

/// Returns the schema of compilers' reports that belongs to the types of this build, formatted as the committed copy
/// is.
#[cfg(feature = "schema")]
pub fn generate_compilers() -> String {
    generated::<CompilerReport>(COMPILERS_ID)
}

/// Returns the schema of a type, under an identifier.
#[cfg(feature = "schema")]
fn generated<T: JsonSchema>(id: &str) -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    schema["$id"] = id.into();
    close(&mut schema);
    // The order of the keys must not depend on which features other crates turn on in serde_json.
    schema.sort_all_objects();
    format!("{schema:#}\n")
}

/// Lets every object have the fields that it is described with and no others. A reader ignores fields that it does not
/// know, but the schema describes what this build writes.
#[cfg(feature = "schema")]
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.contains_key("properties") && !fields.contains_key("additionalProperties") {
                fields.insert("additionalProperties".into(), false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
