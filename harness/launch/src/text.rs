//! The text of `--launch`, which says what each parameter of a kernel is given, and how many threads there are.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result, bail};

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
    /// `[a, b, 0...]`: a pointer to elements of which each is an operand or a number.
    Elements(Vec<Element>),
    /// `{0:a, 8:rows}`: a structure with these fields.
    Structure(Vec<Field>),
}

/// A field of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The bytes of the structure before it; `None` for the field behind the last.
    pub offset: Option<usize>,
    /// The value.
    pub of: LaunchWord,
}

/// Elements of an array that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The value of each.
    pub of: ElementValue,
    /// The number of elements; `None` for all up to the end.
    pub times: Option<usize>,
}

/// The value of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementValue {
    /// The operand of this number.
    Operand(usize),
    /// These bits.
    Bits(u64),
}

/// The number of threads of a launch: `threads=32, blocks=2, rows=53`. What is not said is found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchShape {
    /// The threads in a block.
    pub threads: Option<u32>,
    /// The blocks.
    pub blocks: Option<u32>,
    /// The value of each parameter that is the number of elements.
    pub rows: Option<u64>,
}

/// The values of all parameters of a kernel, in order, as a user writes them, and the threads: `a, b, &d, n=rows` or
/// `a, &d, rows; threads=32`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchText {
    /// The value of each parameter; none if all are to be found out.
    pub words: Vec<LaunchWord>,
    /// The threads.
    pub shape: LaunchShape,
}

/// The names of operands.
pub const OPERANDS: [&str; 3] = ["a", "b", "c"];
/// The most elements of an array.
const ELEMENTS_MAX: usize = 1 << 16;

impl FromStr for LaunchText {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<LaunchText> {
        let (words, shape) = match text.split_once(';') {
            Some((words, shape)) => (words, shape.parse()?),
            None => (text, LaunchShape::default()),
        };
        let words = match (words.trim(), shape == LaunchShape::default()) {
            ("", false) => Vec::new(),
            _ => split(words).into_iter().map(|word| word.trim().parse()).collect::<Result<_>>()?,
        };
        Ok(LaunchText { words, shape })
    }
}

/// Splits a text at commas that stand outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let is_end = |sign: char| {
        match sign {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        sign == ',' && depth == 0
    };
    text.split(is_end).collect()
}

impl FromStr for LaunchShape {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<LaunchShape> {
        let mut shape = LaunchShape::default();
        for word in text.split(',') {
            let said = word.trim().split_once('=').map(|(name, value)| (name.trim(), value.trim()));
            let number = |value: &str| {
                value.parse::<u32>().ok().filter(|number| *number > 0).with_context(|| {
                    format!("`{}` in --launch has no number that is greater than 0", word.trim())
                })
            };
            match said {
                Some(("threads", value)) => shape.threads = Some(number(value)?),
                Some(("blocks", value)) => shape.blocks = Some(number(value)?),
                Some(("rows", value)) => shape.rows = Some(number(value)?.into()),
                _ => bail!(
                    "`{}` in --launch is none of these: `threads=N`, `blocks=N`, `rows=N`",
                    word.trim()
                ),
            }
        }
        Ok(shape)
    }
}

/// Returns the operand of a name.
fn operand(word: &str) -> Option<usize> {
    OPERANDS.iter().position(|name| *name == word)
}

/// Reads a number, decimal or hexadecimal.
fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse::<i64>().map(|number| number as u64).or_else(|_| word.parse()).ok(),
    }
}

impl FromStr for LaunchWord {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<LaunchWord> {
        // A name before `=` is the reader's own, and says nothing.
        let word = match text.split_once('=') {
            Some((name, word)) if !name.contains(['{', '[']) => word.trim(),
            _ => text,
        };
        if let Some(fields) = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            let fields = split(fields).into_iter().map(|field| field.trim().parse());
            return fields.collect::<Result<_>>().map(LaunchWord::Structure);
        }
        if let Some(name) = word.strip_prefix('&') {
            return Ok(match operand(name) {
                Some(number) => LaunchWord::InPlace(number),
                None => LaunchWord::Result(name.to_owned()),
            });
        }
        if let Some(elements) = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return elements
                .split(',')
                .map(|element| element.trim().parse())
                .collect::<Result<_>>()
                .map(LaunchWord::Elements);
        }
        Ok(match (word, operand(word), number(word)) {
            ("rows", ..) => LaunchWord::Rows,
            ("_", ..) => LaunchWord::Unused,
            (_, Some(operand), _) => LaunchWord::Operand(operand),
            (_, _, Some(number)) => LaunchWord::Constant(number),
            _ => bail!(
                "`{text}` in --launch is none of these: `a`, `b`, `c` for an operand, `&d` for a pointer to a \
                 result, `&a` for an operand that is overwritten, `rows` for the number of elements, a number, \
                 `_` for a pointer that is not used, `[a, b, 0...]` for a pointer to such elements, \
                 `{{0:a, 8:rows}}` for a structure"
            ),
        })
    }
}

impl FromStr for Field {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Field> {
        let (offset, word) = match text.split_once(':') {
            Some((offset, word)) => {
                let offset = offset.trim().parse().ok();
                let place = || format!("`{text}` in --launch begins with no number of bytes");
                (Some(offset.with_context(place)?), word.trim())
            }
            None => (None, text),
        };
        if word.contains('{') {
            // Structures in structures without end would exhaust the stack.
            bail!("a structure in --launch has another one in it");
        }
        Ok(Field { offset, of: word.parse()? })
    }
}

impl FromStr for Element {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Element> {
        let (word, times) =
            match (text.strip_suffix("..."), text.split_once('*')) {
                (Some(word), _) => (word, None),
                (None, Some((word, times))) => {
                    let times = times.trim().parse().ok();
                    let times = times.filter(|times| (1..=ELEMENTS_MAX).contains(times));
                    (
                        word,
                        Some(times.with_context(|| {
                            format!("`{text}` in --launch has no number of elements")
                        })?),
                    )
                }
                (None, None) => (text, Some(1)),
            };
        let word = word.trim();
        let of = operand(word).map(ElementValue::Operand).or(number(word).map(ElementValue::Bits));
        let of = of.with_context(|| {
            format!("`{text}` in --launch is no element: write `a`, `b`, `c` or bits, and `*N` or `...` behind it")
        })?;
        Ok(Element { of, times })
    }
}

impl fmt::Display for LaunchText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.words.iter().map(ToString::to_string).collect();
        f.write_str(&words.join(", "))?;
        if self.shape == LaunchShape::default() {
            return Ok(());
        }
        write!(f, "; {}", self.shape)
    }
}

impl fmt::Display for LaunchShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = [
            self.threads.map(|threads| format!("threads={threads}")),
            self.blocks.map(|blocks| format!("blocks={blocks}")),
            self.rows.map(|rows| format!("rows={rows}")),
        ];
        f.write_str(&each.into_iter().flatten().collect::<Vec<_>>().join(", "))
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
            LaunchWord::Elements(elements) => {
                let each: Vec<String> = elements.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", each.join(", "))
            }
            LaunchWord::Structure(fields) => {
                let each: Vec<String> = fields.iter().map(ToString::to_string).collect();
                write!(f, "{{{}}}", each.join(", "))
            }
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(offset) = self.offset {
            write!(f, "{offset}:")?;
        }
        self.of.fmt(f)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            ElementValue::Operand(number) => {
                f.write_str(OPERANDS.get(number).copied().unwrap_or("a"))?;
            }
            ElementValue::Bits(bits) => write!(f, "0x{bits:x}")?,
        }
        match self.times {
            None => f.write_str("..."),
            Some(1) => Ok(()),
            Some(times) => write!(f, "*{times}"),
        }
    }
}
