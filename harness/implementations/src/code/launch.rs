//! The text of `--launch`, which says what each parameter of a kernel is given.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, bail};

/// The value of one parameter of a kernel, as a user writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchWord {
    /// `a`, `b` or `c`: the operand of this number, behind a pointer or as a value.
    Operand(usize),
    /// `&d`: a pointer to the next result; the name is the user's.
    Result(String),
    /// `&a`: a pointer to the operand of this number, where the next result is written.
    InPlace(usize),
    /// `rows`: the number of elements that there are.
    Rows,
    /// A number.
    Constant(u64),
    /// `_`: a pointer to memory that is neither operand nor result.
    Unused,
}

/// The values of all parameters of a kernel, in order, as a user writes them: `a, b, &d, n=rows`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchText(pub Vec<LaunchWord>);

/// The names of operands.
pub const OPERANDS: [&str; 3] = ["a", "b", "c"];

impl FromStr for LaunchText {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<LaunchText> {
        text.split(',').map(|word| word.trim().parse()).collect::<Result<_>>().map(LaunchText)
    }
}

impl FromStr for LaunchWord {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<LaunchWord> {
        // A name before `=` is the reader's own, and says nothing.
        let word = text.rsplit_once('=').map_or(text, |(_, word)| word.trim());
        let operand = |word: &str| OPERANDS.iter().position(|name| *name == word);
        if let Some(name) = word.strip_prefix('&') {
            return Ok(match operand(name) {
                Some(number) => LaunchWord::InPlace(number),
                None => LaunchWord::Result(name.to_owned()),
            });
        }
        let number = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => word.parse::<i64>().map(|number| number as u64).or_else(|_| word.parse()).ok(),
        };
        Ok(match (word, operand(word), number) {
            ("rows", ..) => LaunchWord::Rows,
            ("_", ..) => LaunchWord::Unused,
            (_, Some(operand), _) => LaunchWord::Operand(operand),
            (_, _, Some(number)) => LaunchWord::Constant(number),
            _ => bail!(
                "`{text}` in --launch is none of these: `a`, `b`, `c` for an operand, `&d` for a pointer to a \
                 result, `&a` for an operand that is overwritten, `rows` for the number of elements, a number, \
                 `_` for a pointer that is not used"
            ),
        })
    }
}

impl fmt::Display for LaunchText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&words.join(", "))
    }
}

impl fmt::Display for LaunchWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |number: &usize| OPERANDS.get(*number).copied().unwrap_or("a");
        match self {
            LaunchWord::Operand(number) => f.write_str(name(number)),
            LaunchWord::Result(word) => write!(f, "&{word}"),
            LaunchWord::InPlace(number) => write!(f, "&{}", name(number)),
            LaunchWord::Rows => f.write_str("rows"),
            LaunchWord::Constant(number) => write!(f, "{number}"),
            LaunchWord::Unused => f.write_str("_"),
        }
    }
}
