//! The JSON Schemas of reports, generated from [`Report`] and [`CompilerReport`].

#[cfg(feature = "schema")]
use schemars::{JsonSchema, generate::SchemaSettings};

#[cfg(feature = "schema")]
use crate::{CompilerReport, Report};

/// The identifier of the schema, its `$id`.
pub const SCHEMA_ID: &str = "urn:ptx-conformance:report:1";

/// The committed schema, `reports/schema/report.schema.json`.
pub const SCHEMA_JSON: &str = include_str!("../schema/report.schema.json");

/// The identifier of the schema of compilers' reports.
pub const COMPILERS_ID: &str = "urn:ptx-conformance:compiler-report:1";

/// The committed schema of them, `reports/schema/compiler-report.schema.json`.
pub const COMPILERS_JSON: &str = include_str!("../schema/compiler-report.schema.json");

/// The schema that belongs to the types of this build, formatted as the committed copy is.
#[cfg(feature = "schema")]
pub fn generate() -> String {
    generated::<Report>(SCHEMA_ID)
}

/// That of compilers' reports.
#[cfg(feature = "schema")]
pub fn generate_compilers() -> String {
    generated::<CompilerReport>(COMPILERS_ID)
}

#[cfg(feature = "schema")]
fn generated<T: JsonSchema>(id: &str) -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    schema["$id"] = id.into();
    // The order of the keys must not depend on which features other crates turn on in serde_json.
    schema.sort_all_objects();
    format!("{schema:#}\n")
}
