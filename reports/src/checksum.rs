//! Checksums of reports, by which a changed digit is noticed. They are no signatures: whoever wants to
//! deceive can make one.

use xxhash_rust::xxh3::xxh3_64;

use crate::Report;

/// The kind of checksum that is written; another one has another name.
const KIND: &str = "xxh3-1";

/// The report with the checksum of what it says.
pub fn sealed(mut report: Report) -> Report {
    report.checksum = None;
    // A report that cannot be written as JSON is told so by whoever writes it.
    let json = serde_json::to_vec(&report).unwrap_or_default();
    report.checksum = Some(format!("{KIND}:{:#018x}", xxh3_64(&json)));
    report
}

/// Whether a report has a checksum of the kind that is known here, and it is that of another content.
pub(crate) fn is_altered(report: &Report) -> bool {
    let is_known = |sum: &&String| sum.split(':').next() == Some(KIND);
    let checksum = report.checksum.as_ref().filter(is_known);
    checksum.is_some_and(|_| sealed(report.clone()).checksum != report.checksum)
}

/// What to tell a person of a report that was read and could not be held against its checksum.
pub fn doubt(report: &Report) -> Option<&'static str> {
    match &report.checksum {
        None => {
            Some("has no checksum, as older reports have none: a changed digit in it is not noticed")
        }
        Some(sum) if sum.split(':').next() != Some(KIND) => {
            Some("has a checksum of a kind that is not known here: a changed digit in it is not noticed")
        }
        Some(_) => None,
    }
}
