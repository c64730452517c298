//! The place in a line of text where it stops to be what it should be.

use std::fmt;

/// The most characters of a found word that an error shows.
const FOUND_MAX: usize = 40;

/// An error of a line of text that a person wrote: what should stand at a place, and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceError {
    /// The place in the text, in characters, counted from 1.
    pub place: usize,
    /// Description of what should stand there.
    pub expected: String,
    /// The word that stands there instead; empty at the end of the text.
    pub found: String,
}

impl PlaceError {
    /// Returns the error that something else than `expected` stands at the beginning of `rest`, which is the end of
    /// `text`. Blanks before it are skipped. The word that is shown ends before the first of the characters in `ends`,
    /// and has at least one character.
    pub fn at(text: &str, rest: &str, ends: &[char], expected: String) -> PlaceError {
        let rest = rest.trim_start();
        let place = text.len().saturating_sub(rest.len());
        let place = text.get(..place).map_or(place, |before| before.chars().count()) + 1;
        let word = rest.chars().enumerate().take_while(|(at, one)| *at == 0 || !ends.contains(one));
        let found: String = word.map(|(_, one)| one).take(FOUND_MAX).collect();
        PlaceError { place, expected, found: found.trim_end().to_owned() }
    }
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlaceError { place, expected, found } = self;
        match found.as_str() {
            "" => write!(f, "character {place}: expected {expected}, but the text ends"),
            found => write!(f, "character {place}: expected {expected}, found `{found}`"),
        }
    }
}

impl std::error::Error for PlaceError {}

#[cfg(test)]
mod tests {
    use super::PlaceError;

    #[test]
    fn a_place_is_counted_in_characters() {
        let error =
            |text: &str, rest: &str| PlaceError::at(text, rest, &[',', ')'], "x".into()).to_string();
        assert_eq!(error("äb, cd)", " cd)"), "character 5: expected x, found `cd`");
        assert_eq!(error("ab)", ")"), "character 3: expected x, found `)`");
        assert_eq!(error("ab ", " "), "character 4: expected x, but the text ends");
    }
}
