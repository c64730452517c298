//! The checksum at the end of a JSON object, by which a changed digit is noticed.

use xxhash_rust::xxh3::xxh3_64;

/// The text that stands before the checksum at the end of an object; the checksum is of the object's text
/// without both.
const SEAL: &str = ",\"checksum\":\"";

/// Returns the text of an object with its checksum.
pub fn sealed(mut json: Vec<u8>) -> Vec<u8> {
    let seal = seal(&json);
    // The seal ends with the closing brace that is taken away here.
    json.pop();
    json.extend(seal);
    json
}

/// Checks the checksum of an object, and returns its text without the checksum.
///
/// # Errors
/// If the checksum is of another text, or there is none, in words that go on after "it is damaged".
pub fn opened(mut file: Vec<u8>) -> Result<Vec<u8>, &'static str> {
    // The seal stands at the end, so the last place counts.
    let place = file.windows(SEAL.len()).rposition(|window| window == SEAL.as_bytes());
    let Some(place) = place else {
        return Err("it has no checksum: it is cut short, or was not written by the suite");
    };
    let found = file.split_off(place);
    // The checksum is of the object as it was before it was sealed.
    file.push(b'}');
    if found == seal(&file) {
        Ok(file)
    } else {
        Err("it was changed after it was written: its checksum does not match its content")
    }
}

/// Returns the end of an object with its checksum, in the place of the closing brace.
fn seal(json: &[u8]) -> Vec<u8> {
    format!("{SEAL}{:#018x}\"}}", xxh3_64(json)).into_bytes()
}
