//! Reads conditions on operands from text.

use base::place::PlaceError;
use launch::OPERANDS;

use super::value::{Kind, Number};
use super::{Condition, Order, Term};

/// The most characters of a condition.
const TEXT_MAX: usize = 1024;
/// The comparisons, the longer spellings first.
const ORDERS: [(&str, Order); 7] = [
    ("<=", Order::LessOrEqual),
    (">=", Order::GreaterOrEqual),
    ("==", Order::Equal),
    ("!=", Order::NotEqual),
    ("<", Order::Less),
    (">", Order::Greater),
    ("=", Order::Equal),
];
/// The words for kinds of operands.
const KINDS: [(&str, Kind); 8] = [
    ("finite", Kind::Finite),
    ("infinite", Kind::Infinite),
    ("integer", Kind::Integer),
    ("nan", Kind::Nan),
    ("negative", Kind::Negative),
    ("normal", Kind::Normal),
    ("subnormal", Kind::Subnormal),
    ("zero", Kind::Zero),
];

/// The state of reading a text from its beginning to its end.
struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

/// Reads alternatives with ` or ` between them, each of conditions with ` and ` between them.
///
/// # Errors
/// If the text is something else, says where it stops to be that.
pub fn alternatives(text: &str) -> Result<Vec<Vec<Condition>>, PlaceError> {
    let mut reader = Reader { text, rest: text };
    if text.len() > TEXT_MAX {
        reader.rest = text.get(TEXT_MAX..).unwrap_or_default();
        return Err(reader.error(format!("at most {TEXT_MAX} characters")));
    }
    let mut any = Vec::new();
    loop {
        let mut all = vec![reader.condition()?];
        while reader.takes("and") {
            all.push(reader.condition()?);
        }
        any.push(all);
        if !reader.takes("or") {
            break;
        }
    }
    match reader.word() {
        "" if reader.rest.trim_start().is_empty() => Ok(any),
        _ => Err(reader.error("`and`, `or`, a comparison or the end".into())),
    }
}

impl<'a> Reader<'a> {
    fn error(&self, expected: String) -> PlaceError {
        PlaceError::at(self.text, self.rest, &[' ', '<', '>', '=', '!', '|'], expected)
    }

    /// Returns the word that stands here: letters, digits, signs and points.
    fn word(&self) -> &'a str {
        let rest = self.rest.trim_start();
        let ends = |one: char| !(one.is_alphanumeric() || matches!(one, '.' | '-' | '+' | '_'));
        rest.get(..rest.find(ends).unwrap_or(rest.len())).unwrap_or_default()
    }

    /// Takes a word if it stands here, and says whether it did.
    fn takes(&mut self, word: &str) -> bool {
        let is = self.word() == word;
        if is {
            self.skip(word);
        }
        is
    }

    /// Leaves out a text that stands here.
    fn skip(&mut self, text: &str) {
        self.rest = self.rest.trim_start().get(text.len()..).unwrap_or_default();
    }

    /// Takes a condition: a chain of comparisons, or an operand and its kind.
    fn condition(&mut self) -> Result<Condition, PlaceError> {
        let first = self.term()?;
        if let (Term::Operand(operand), true) = (first, self.takes("is")) {
            let wanted = !self.takes("not");
            let word = self.word();
            let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == word) else {
                let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
                return Err(self.error(format!("one of {}", names.join(", "))));
            };
            self.skip(word);
            return Ok(Condition::Is { operand, wanted, kind: *kind });
        }
        let (mut left, mut rest) = (first, Vec::new());
        while let Some(order) = self.order() {
            let before = self.rest;
            let right = self.term()?;
            if left.operand().is_none() && right.operand().is_none() {
                self.rest = before;
                return Err(self.error("`a`, `b` or `c`, because one side has to be an operand".into()));
            }
            rest.push((order, right));
            left = right;
        }
        match rest.is_empty() {
            false => Ok(Condition::Compared(first, rest)),
            true if matches!(first, Term::Operand(_)) => {
                Err(self.error("a comparison such as `<=`, or `is`".into()))
            }
            true => Err(self.error("a comparison such as `<=`".into())),
        }
    }

    /// Takes a comparison if one stands here.
    fn order(&mut self) -> Option<Order> {
        let rest = self.rest.trim_start();
        let (text, order) = ORDERS.iter().find(|(text, _)| rest.starts_with(text))?;
        self.skip(text);
        Some(*order)
    }

    /// Takes one side of a comparison.
    fn term(&mut self) -> Result<Term, PlaceError> {
        let operand = |word: &str| OPERANDS.iter().position(|name| *name == word);
        if self.rest.trim_start().starts_with('|') {
            self.skip("|");
            let word = self.word();
            let number = operand(word);
            let number = number.ok_or_else(|| self.error("`a`, `b` or `c`".into()))?;
            self.skip(word);
            return match self.rest.trim_start().starts_with('|') {
                true => {
                    self.skip("|");
                    Ok(Term::Magnitude(number))
                }
                false => Err(self.error("`|`".into())),
            };
        }
        let word = self.word();
        let term = match (operand(word), word.strip_prefix("0x")) {
            (Some(number), _) => Some(Term::Operand(number)),
            (None, Some(digits)) => u64::from_str_radix(digits, 16).ok().map(Term::Bits),
            (None, None) => number(word).map(Term::Number),
        };
        let term = term.ok_or_else(|| {
            self.error("`a`, `b`, `c`, `|a|`, a number such as 448, or bits such as 0x7f".into())
        })?;
        self.skip(word);
        Ok(term)
    }
}

/// Reads a number in decimal, as an integer if it is one.
fn number(word: &str) -> Option<Number> {
    if let Ok(integer) = word.parse() {
        return Some(Number::Integer(integer));
    }
    let is_number = word.contains(|one: char| one.is_ascii_digit());
    let value = word.parse::<f64>().ok().filter(|value| is_number && value.is_finite())?;
    Some(Number::Real(value))
}
