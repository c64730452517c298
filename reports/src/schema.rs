//! The JSON Schema of a report, generated from [`Report`].

#[cfg(feature = "schema")]
use schemars::generate::SchemaSettings;

#[cfg(feature = "schema")]
use crate::Report;

/// The identifier of the schema, its `$id`.
pub const SCHEMA_ID: &str = "urn:ptx-conformance:report:1";

/// The committed schema, `reports/schema/report.schema.json`.
pub const SCHEMA_JSON: &str = include_str!("../schema/report.schema.json");

/// The schema that belongs to the types of this build, formatted as the committed copy is.
#[cfg(feature = "schema")]
pub fn generate() -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<Report>().to_value();
    schema["$id"] = SCHEMA_ID.into();
    // The order of the keys must not depend on which features other crates turn on in serde_json.
    schema.sort_all_objects();
    format!("{schema:#}\n")
}
