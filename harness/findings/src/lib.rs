//! Turns the mismatches of a run into findings: diagnoses, reports, the merging of parts of a run, campaigns of
//! fuzzing, and the probes of what the manual leaves open.

pub mod campaign;
pub mod diagnosis;
pub mod merge;
pub mod probe;
pub mod report;
