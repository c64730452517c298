//! Checksums of reports, by which a changed digit is noticed. They are no signatures: whoever wants to
//! deceive can make one.

use xxhash_rust::xxh3::xxh3_64;

use crate::Document;

/// The kind of checksum that is written; another one has another name.
const KIND: &str = "xxh3-1";

/// The report with the checksum of what it says.
pub fn sealed<D: Document>(mut report: D) -> D {
    *report.checksum() = None;
    // A report that cannot be written as JSON is told so by whoever writes it.
    let json = serde_json::to_vec(&report).unwrap_or_default();
    *report.checksum() = Some(format!("{KIND}:{:#018x}", xxh3_64(&json)));
    report
}

/// Whether a report has a checksum of the kind that is known here, and it is that of another content.
pub(crate) fn is_altered<D: Document>(report: &D) -> bool {
    let is_known = |sum: &String| sum.split(':').next() == Some(KIND);
    let given = report.clone().checksum().take().filter(is_known);
    given.is_some_and(|given| sealed(report.clone()).checksum().as_ref() != Some(&given))
}

/// What to tell a person of a report that was read and could not be held against its checksum.
pub fn doubt<D: Document>(report: &D) -> Option<&'static str> {
    match report.clone().checksum() {
        None => {
            Some("has no checksum, as older reports have none: a changed digit in it is not noticed")
        }
        Some(sum) if sum.split(':').next() != Some(KIND) => {
            Some("has a checksum of a kind that is not known here: a changed digit in it is not noticed")
        }
        Some(_) => None,
    }
}
