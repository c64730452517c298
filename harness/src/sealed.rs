//! Files of JSON that only the suite writes and reads, with a checksum by which a changed digit is noticed.

use xxhash_rust::xxh3::xxh3_64;

/// What stands before the checksum, which is in an object with it and without it.
const SEAL: &[u8] = b",\"checksum\":\"";

/// The text of an object with its checksum.
pub(crate) fn sealed(mut json: Vec<u8>) -> Vec<u8> {
    let checksum = format!("{:#018x}\"}}", xxh3_64(&json));
    json.pop();
    [&json, SEAL, checksum.as_bytes()].concat()
}

/// The text without its checksum, if this is what the checksum is of.
pub(crate) fn opened(file: Vec<u8>) -> Option<Vec<u8>> {
    let at = file.windows(SEAL.len()).rposition(|window| window == SEAL)?;
    let json = [&file[..at], b"}"].concat();
    (sealed(json.clone()) == file).then_some(json)
}
