//! Checksums of reports, by which a changed digit is noticed. Checksums are no signatures: whoever wants to deceive can
//! make one.

mod text;

use xxhash_rust::xxh3::xxh3_64;

use crate::document::Document;

/// The kind of checksum that is written, as it stands before the colon; another kind has another name.
const KIND: &str = "xxh3-1";

/// Returns the report with the checksum of its content.
pub fn sealed<D: Document>(mut report: D) -> D {
    // The checksum does not cover itself.
    *report.checksum_mut() = None;
    // Whoever writes the report is told if it cannot be written as JSON.
    let json = serde_json::to_vec(&report).unwrap_or_default();
    *report.checksum_mut() = Some(sum(xxh3_64(&json)));
    report
}

/// Whether a report has a checksum of the kind that this build knows, and it does not fit the content of the file that
/// the report was read from.
pub(crate) fn is_altered<D: Document>(report: &D, file: &[u8]) -> bool {
    let Some(given) = report.checksum().filter(|sum| is_known(sum)) else { return false };
    // The checksum covers fields that this build does not know, and only the file has those. The file is read token by
    // token, which takes no memory.
    let is_of_file = text::digest(file).is_some_and(|digest| sum(digest) == given);
    let is_own = || sealed(report.clone()).checksum() == Some(given);
    !(is_of_file || report.unknown().is_empty() && is_own())
}

/// Returns what to tell a person about a report that was read, each as the predicate of a sentence: that it could not
/// be held against its checksum, and which of its fields are ignored.
pub fn doubts<D: Document>(report: &D) -> Vec<String> {
    let checksum = match report.checksum() {
        None => Some("has no checksum, like older reports: a changed digit in it is not noticed"),
        Some(sum) if !is_known(sum) => {
            Some("has a checksum of an unknown kind: a changed digit in it is not noticed")
        }
        Some(_) => None,
    };
    let unknown = report.unknown();
    let ignored = (!unknown.is_empty()).then(|| {
        format!(
            "has fields that this version of the suite does not know and ignores: {}",
            unknown.names()
        )
    });
    checksum.map(str::to_owned).into_iter().chain(ignored).collect()
}

fn sum(digest: u64) -> String {
    format!("{KIND}:{digest:#018x}")
}

fn is_known(sum: &str) -> bool {
    sum.split(':').next() == Some(KIND)
}
