//! The checksum at the end of a JSON object, by which a changed digit is noticed.

use xxhash_rust::xxh3::xxh3_64;

/// What stands before the checksum, which is in an object with it and without it.
const SEAL: &str = ",\"checksum\":\"";

/// The text of an object with its checksum.
pub fn sealed(mut json: Vec<u8>) -> Vec<u8> {
    let seal = seal(&json);
    json.pop();
    json.extend(seal);
    json
}

/// The text without its checksum.
///
/// # Errors
/// In words that go on after "it is damaged", if the checksum is of another text, or there is none.
pub fn opened(mut file: Vec<u8>) -> Result<Vec<u8>, &'static str> {
    let place = file.windows(SEAL.len()).rposition(|window| window == SEAL.as_bytes());
    let Some(place) = place else {
        return Err("it has no checksum: it is cut short, or none of the suite's files");
    };
    let found = file.split_off(place);
    file.push(b'}');
    if found == seal(&file) {
        Ok(file)
    } else {
        Err("it is not what was written: its checksum is of another content")
    }
}

/// The end of an object with its checksum, in the place of the brace.
fn seal(json: &[u8]) -> Vec<u8> {
    format!("{SEAL}{:#018x}\"}}", xxh3_64(json)).into_bytes()
}
