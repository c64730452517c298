//! The lexer: splits PTX text into words and signs.

use super::ParseError;

/// A word or a sign of a text, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// A word of letters, digits and what joins them, a string, or one other character.
    pub text: &'a str,
    /// Line of the token, counted from 1.
    pub line: usize,
    /// Text of the line comment that ends just before the token, if there is one.
    pub comment: Option<&'a str>,
}

impl Token<'_> {
    /// Whether the token is a word rather than a sign.
    pub fn is_word(&self) -> bool {
        self.text.starts_with(is_of_word)
    }
}

/// Whether a character is part of words. Directives, names and numbers are words with their dots: `.reg`, `%tid.x`,
/// `0f3f800000`.
fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$' | '%' | '.')
}

/// Splits a text into tokens. The only comments kept are line comments in the line above a token.
///
/// # Errors
/// If a comment or a string does not end, or if there is a character that no PTX has.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    let (mut rest, mut line, mut comment) = (text, 1, None);
    while let Some(letter) = rest.chars().next() {
        if letter == '\n' {
            line += 1;
        }
        if let Some(behind) = rest.strip_prefix("//") {
            let (said, _) = behind.split_once('\n').unwrap_or((behind, ""));
            comment = Some(said.strip_prefix(' ').unwrap_or(said).trim_end_matches('\r'));
            // The end of the line stays, and is counted in the next round.
            rest = behind.get(said.len()..).unwrap_or_default();
        } else if let Some(behind) = rest.strip_prefix("/*") {
            let Some((said, behind)) = behind.split_once("*/") else {
                return Err(ParseError { line, expected: "the end of a comment", found: String::new() });
            };
            line += said.matches('\n').count();
            rest = behind;
        } else if letter.is_ascii_whitespace() {
            rest = rest.strip_prefix(letter).unwrap_or_default();
        } else if letter == '"' {
            // A string that reaches the end of its line does not end.
            let end = rest.get(1..).and_then(|behind| behind.find(['"', '\n']));
            // Both quotation marks belong to the token, and `end` counts from behind the first.
            let length = end.map_or(rest.len(), |end| end + 2);
            let (text, behind) =
                rest.split_at_checked(length)
                    .filter(|(text, _)| text.ends_with('"'))
                    .ok_or(ParseError { line, expected: "the end of a string", found: String::new() })?;
            tokens.push(Token { text, line, comment: comment.take() });
            rest = behind;
        } else if is_of_word(letter) || "@!,;:|+-=()[]{}<>*/&^~?".contains(letter) {
            let length = if is_of_word(letter) { word(rest) } else { sign(rest) };
            let (text, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
            tokens.push(Token { text, line, comment: comment.take() });
            rest = behind;
        } else {
            return Err(ParseError { line, expected: "PTX", found: letter.to_string() });
        }
    }
    Ok(tokens)
}

/// The operators of constant expressions that have two characters.
const OPERATORS: [&str; 8] = ["<<", ">>", "<=", ">=", "==", "!=", "&&", "||"];

/// Returns the length in bytes of the sign that a text begins with.
fn sign(text: &str) -> usize {
    if OPERATORS.iter().any(|operator| text.starts_with(operator)) { 2 } else { 1 }
}

/// Returns the length in bytes of the word that a text begins with. Two colons are part of a modifier: `.scaled::n1`.
/// The sign of an exponent is part of a number: `1.5e-3`.
fn word(text: &str) -> usize {
    let mut length = 0;
    while let Some((before, rest)) = text.split_at_checked(length) {
        length += match rest.strip_prefix("::") {
            Some(behind) if behind.starts_with(is_of_word) => 2,
            _ if is_before_exponent(before) && rest.starts_with(['+', '-']) => 1,
            // Behind a number, `%` is an operator.
            _ if rest.starts_with('%') && before.starts_with(|letter: char| letter.is_ascii_digit()) => {
                break;
            }
            _ => match rest
                .find(|letter: char| !is_of_word(letter) || letter == '%')
                .unwrap_or(rest.len())
            {
                0 if rest.starts_with('%') => 1,
                0 => break,
                more => more,
            },
        };
    }
    length
}

/// Whether a text is the beginning of a decimal number up to the letter that announces the exponent.
fn is_before_exponent(text: &str) -> bool {
    let digits = text.strip_suffix(['e', 'E']).unwrap_or_default();
    digits.starts_with(|letter: char| letter.is_ascii_digit())
        && digits.bytes().all(|letter| letter.is_ascii_digit() || letter == b'.')
}
