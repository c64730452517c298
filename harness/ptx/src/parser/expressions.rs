//! The parser of constant expressions (PTX ISA 4.5): `(1 << 3) + 1`. Integers have 64 bits, with a sign or without, and
//! numbers with a point are f64.

use super::operands::{negative, number};
use super::{ParseError, Parser};
use crate::syntax::{Immediate, Notation, Operand};

/// The deepest nesting of an expression; no program has a deeper one.
const MOST_DEEP: usize = 32;

/// The value of an expression.
#[derive(Clone, Copy)]
enum Value {
    /// The bits of an integer, and whether it has a sign.
    Integer(u64, bool),
    Real(f64),
}

/// An expression that was read: a literal keeps its notation.
struct Constant {
    value: Value,
    literal: Option<Operand>,
}

/// The operators of two operands, each with how closely it binds.
const OPERATORS: [(&str, u8); 18] = [
    ("*", 10),
    ("/", 10),
    ("%", 10),
    ("+", 9),
    ("-", 9),
    ("<<", 8),
    (">>", 8),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("==", 6),
    ("!=", 6),
    ("&", 5),
    ("^", 4),
    ("|", 3),
    ("&&", 2),
    ("||", 1),
];

impl Parser<'_> {
    /// Whether an expression begins here, and no name.
    pub(super) fn is_at_constant(&mut self) -> bool {
        self.tokens.peek().is_some_and(|token| {
            token.text.starts_with(|letter: char| letter.is_ascii_digit())
                || matches!(token.text, "-" | "+" | "~" | "(" | "WARP_SZ")
        })
    }

    /// Takes a constant expression as an operand.
    pub(super) fn constant(&mut self) -> Result<Operand, ParseError> {
        let Constant { value, literal } = self.choice(0)?;
        if let Some(literal) = literal {
            return Ok(literal);
        }
        Ok(match value {
            Value::Integer(value, true) => Operand::Immediate(negative(value)),
            Value::Integer(value, false) => {
                Operand::Immediate(Immediate { value, notation: Notation::Decimal })
            }
            Value::Real(value) => self.decimals.operand(value),
        })
    }

    /// Takes a constant expression whose value is an integer, in two's complement; the error says `expected` if the first
    /// token is none.
    pub(super) fn integer(&mut self, expected: &'static str) -> Result<i64, ParseError> {
        let start = self.expected(expected);
        let constant = match self.is_at_constant() {
            true => self.choice(0),
            false => return Err(start),
        };
        match constant {
            Ok(Constant { value: Value::Integer(value, _), .. }) => Ok(value as i64),
            Ok(_) => Err(start),
            Err(error) => Err(if error.found == start.found { start } else { error }),
        }
    }

    /// Takes an expression, with a choice by `?` and `:` or without.
    fn choice(&mut self, deep: usize) -> Result<Constant, ParseError> {
        let first = self.joined_by(0, deep)?;
        if !self.takes("?") {
            return Ok(first);
        }
        let one = self.choice(deep + 1)?;
        self.take(":")?;
        let other = self.choice(deep + 1)?;
        Ok(Constant { literal: None, ..if first.value.holds() { one } else { other } })
    }

    /// Takes operands joined by operators that bind more closely than `above`.
    fn joined_by(&mut self, above: u8, deep: usize) -> Result<Constant, ParseError> {
        let mut left = self.primary(deep)?;
        while let Some((operator, binds)) = self.operator().filter(|(_, binds)| *binds > above) {
            self.next_operator();
            let right = self.joined_by(binds, deep + 1)?;
            let Some(value) = joined(operator, left.value, right.value) else {
                return Err(self.expected("an expression that has a value before this"));
            };
            left = Constant { value, literal: None };
        }
        Ok(left)
    }

    /// Returns the operator that stands here, if there is one.
    fn operator(&mut self) -> Option<(&'static str, u8)> {
        let text = self.tokens.peek()?.text;
        // `%` begins words, too: in `7 %3` the word is `%3`.
        let remainder = text
            .strip_prefix('%')
            .is_some_and(|rest| rest.bytes().all(|letter| letter.is_ascii_alphanumeric()));
        let text = if remainder { "%" } else { text };
        OPERATORS.iter().find(|(operator, _)| *operator == text).copied()
    }

    /// Takes the operator that stands here.
    fn next_operator(&mut self) {
        match self.tokens.peek_mut() {
            Some(token) if token.text.len() > 1 && token.text.starts_with('%') => {
                token.text = token.text.get(1..).unwrap_or_default();
            }
            _ => {
                self.next();
            }
        }
    }

    /// Takes a literal, an expression in parentheses, or either behind signs.
    fn primary(&mut self, deep: usize) -> Result<Constant, ParseError> {
        if deep >= MOST_DEEP {
            return Err(self.expected("a simpler expression"));
        }
        let computed = |value: Value| Ok(Constant { value, literal: None });
        for sign in ["-", "+", "~", "!"] {
            if !self.takes(sign) {
                continue;
            }
            let Constant { value, .. } = self.primary(deep + 1)?;
            return match (sign, value) {
                ("-", Value::Integer(value, signed)) => {
                    computed(Value::Integer(value.wrapping_neg(), signed))
                }
                ("-", Value::Real(value)) => computed(Value::Real(-value)),
                ("~", Value::Integer(value, _)) => computed(Value::Integer(!value, false)),
                ("!", value) => computed(Value::of(!value.holds())),
                ("+", value) => computed(value),
                _ => Err(self.expected("an integer behind `~`")),
            };
        }
        if self.takes("(") {
            let cast = [(".s64", true), (".u64", false)].into_iter().find(|(ty, _)| self.takes(ty));
            if let Some((_, signed)) = cast {
                self.take(")")?;
                let Constant { value, .. } = self.primary(deep + 1)?;
                return computed(match value {
                    Value::Integer(value, _) => Value::Integer(value, signed),
                    Value::Real(value) if signed => Value::Integer(value as i64 as u64, true),
                    Value::Real(value) => Value::Integer(value as u64, false),
                });
            }
            let Constant { value, .. } = self.choice(deep + 1)?;
            self.take(")")?;
            return computed(value);
        }
        if self.takes("WARP_SZ") {
            let value = Value::Integer(super::operands::WARP_SIZE, true);
            return Ok(Constant { value, literal: Some(Operand::from(super::operands::WARP_SIZE)) });
        }
        let decimals = self.decimals;
        self.word("a number", |word| {
            if let Some(value) = super::operands::decimal(word) {
                return Some(Constant {
                    value: Value::Real(value),
                    literal: Some(decimals.operand(value)),
                });
            }
            let literal = number(word)?;
            let value = match literal {
                Operand::Immediate(Immediate { value, .. }) => {
                    let signed = !word.ends_with('U') && i64::try_from(value).is_ok();
                    Value::Integer(value, signed)
                }
                Operand::Single(bits) => Value::Real(f32::from_bits(bits).into()),
                Operand::Double(bits) => Value::Real(f64::from_bits(bits)),
                _ => return None,
            };
            Some(Constant { value, literal: Some(literal) })
        })
    }
}

impl Value {
    fn of(holds: bool) -> Value {
        Value::Integer(holds.into(), true)
    }

    /// Whether the value counts as true.
    fn holds(self) -> bool {
        match self {
            Value::Integer(value, _) => value != 0,
            Value::Real(value) => value != 0.0,
        }
    }

    fn real(self) -> f64 {
        match self {
            Value::Integer(value, true) => value as i64 as f64,
            Value::Integer(value, false) => value as f64,
            Value::Real(value) => value,
        }
    }
}

/// Returns the value of two operands and the operator between them; `None` if there is none.
fn joined(operator: &str, left: Value, right: Value) -> Option<Value> {
    match operator {
        "&&" => return Some(Value::of(left.holds() && right.holds())),
        "||" => return Some(Value::of(left.holds() || right.holds())),
        _ => {}
    }
    let (Value::Integer(a, a_signed), Value::Integer(b, b_signed)) = (left, right) else {
        let (a, b) = (left.real(), right.real());
        return Some(match operator {
            "+" => Value::Real(a + b),
            "-" => Value::Real(a - b),
            "*" => Value::Real(a * b),
            "/" => Value::Real(a / b),
            _ => Value::of(compared(operator, a.partial_cmp(&b))?),
        });
    };
    let signed = a_signed && b_signed;
    let order = if signed { (a as i64).cmp(&(b as i64)) } else { a.cmp(&b) };
    let count = u32::try_from(b).unwrap_or(u32::MAX);
    Some(match operator {
        "+" => Value::Integer(a.wrapping_add(b), signed),
        "-" => Value::Integer(a.wrapping_sub(b), signed),
        "*" => Value::Integer(a.wrapping_mul(b), signed),
        "/" | "%" if b == 0 => return None,
        "/" if signed => Value::Integer((a as i64).wrapping_div(b as i64) as u64, true),
        "/" => Value::Integer(a / b, false),
        "%" if signed => Value::Integer((a as i64).wrapping_rem(b as i64) as u64, true),
        "%" => Value::Integer(a % b, false),
        "<<" => Value::Integer(a.checked_shl(count).unwrap_or(0), a_signed),
        ">>" if a_signed => Value::Integer((a as i64 >> count.min(63)) as u64, true),
        ">>" => Value::Integer(a.checked_shr(count).unwrap_or(0), false),
        "&" => Value::Integer(a & b, signed),
        "^" => Value::Integer(a ^ b, signed),
        "|" => Value::Integer(a | b, signed),
        _ => Value::of(compared(operator, Some(order))?),
    })
}

/// Whether a relation holds in this order; of NaN there is none. `None` if the operator is no relation.
fn compared(operator: &str, order: Option<std::cmp::Ordering>) -> Option<bool> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    Some(match operator {
        "<" => order == Some(Less),
        ">" => order == Some(Greater),
        "<=" => matches!(order, Some(Less | Equal)),
        ">=" => matches!(order, Some(Greater | Equal)),
        "==" => order == Some(Equal),
        "!=" => order != Some(Equal),
        _ => return None,
    })
}
