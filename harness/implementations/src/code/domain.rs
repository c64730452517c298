//! Conditions on operands, such as `|a| <= 448 and a is not subnormal`: code that is right only for some operands is
//! executed on these alone.

mod read;
mod value;

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use base::place::PlaceError;
use formats::{Column, Format};
use isa::Variant;
use launch::OPERANDS;

use value::{Datum, Kind, Number};

/// A condition on the operands of a vector. Vectors that do not fulfil it are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    text: String,
    /// Alternatives, each of which has conditions that all have to hold.
    any: Vec<Vec<Condition>>,
}

/// A condition that joins no others.
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    /// A chain of comparisons, such as `-1 <= a < b`, of which all have to hold.
    Compared(Term, Vec<(Order, Term)>),
    /// An operand is of a kind, or is not.
    Is { operand: usize, wanted: bool, kind: Kind },
}

/// A side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    /// The value of the operand of this number.
    Operand(usize),
    /// The magnitude of the operand of this number, written `|a|`.
    Magnitude(usize),
    /// A number.
    Number(Number),
    /// The bits of the operand on the other side, written in hexadecimal digits.
    Bits(u64),
}

/// A comparison of two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

impl Domain {
    /// Checks that the operands of an instruction are those that the condition names.
    ///
    /// # Errors
    /// If the instruction lacks one, or a comparison has more bits than the operand beside it: says which.
    pub fn check(&self, variant: &Variant) -> Result<(), String> {
        let operands = variant.operands();
        let name = |number: usize| OPERANDS.get(number).copied().unwrap_or_default();
        for number in self.any.iter().flatten().flat_map(Condition::operands) {
            if number >= operands.len() {
                let count = operands.len();
                return Err(format!(
                    "--where names `{}`, and there {} only {count} operand{}",
                    name(number),
                    if count == 1 { "is" } else { "are" },
                    if count == 1 { "" } else { "s" }
                ));
            }
        }
        for (number, bits) in self.any.iter().flatten().flat_map(Condition::bits) {
            let width = operands.get(number).map_or(64, |register| register.ty.format.width());
            if width < 64 && bits >> width != 0 {
                return Err(format!(
                    "--where compares `{}`, which has {width} bits, with {bits:#x}",
                    name(number)
                ));
            }
        }
        Ok(())
    }

    /// Returns the numbers of the rows that fulfil the condition, in order. Of packed operands, every lane has to.
    pub fn rows(&self, variant: &Variant, operands: &[Column]) -> Vec<usize> {
        let named = self.any.iter().flatten().flat_map(Condition::operands);
        let lanes = named.filter_map(|number| variant.operands().get(number)).map(|one| one.ty.lanes);
        let lanes = lanes.max().unwrap_or(1);
        let rows = operands.first().map_or(0, Column::rows);
        (0..rows)
            .filter(|&row| (0..lanes).all(|lane| self.holds(variant, operands, row, lane)))
            .collect()
    }

    /// Returns the bits of the numbers and encodings that operands are compared with, each in the format of the operand
    /// of this number.
    pub fn bounds(&self, variant: &Variant, operand: usize) -> Vec<u64> {
        let Some(register) = variant.operands().get(operand) else { return Vec::new() };
        let format = register.ty.format;
        let of_one = |condition: &Condition| match condition {
            Condition::Compared(first, rest) => {
                let terms = std::iter::once(first).chain(rest.iter().map(|(_, term)| term));
                terms.filter_map(|term| term.bits(format)).collect()
            }
            Condition::Is { .. } => Vec::new(),
        };
        self.any.iter().flatten().flat_map(of_one).collect()
    }

    /// Whether one lane of a row fulfils the condition.
    fn holds(&self, variant: &Variant, operands: &[Column], row: usize, lane: usize) -> bool {
        let datum = |number: usize| {
            let (register, column) = (variant.operands().get(number)?, operands.get(number)?);
            let ty = &register.ty;
            // An operand of one lane stands beside each lane of the others.
            let lane = if lane < ty.lanes { lane } else { 0 };
            Some(Datum { format: ty.format, bits: ty.lane(column.get(row), lane) })
        };
        self.any.iter().any(|all| all.iter().all(|condition| condition.holds(&datum) == Some(true)))
    }
}

impl FromStr for Domain {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Domain, PlaceError> {
        let text = text.trim();
        Ok(Domain { any: read::alternatives(text)?, text: text.to_owned() })
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Condition {
    /// Lists the numbers of the operands that the condition names.
    fn operands(&self) -> Vec<usize> {
        match self {
            Condition::Is { operand, .. } => vec![*operand],
            Condition::Compared(first, rest) => {
                let terms = std::iter::once(first).chain(rest.iter().map(|(_, term)| term));
                terms.filter_map(Term::operand).collect()
            }
        }
    }

    /// Lists the encodings of the condition, each with the number of the operand that it is compared with.
    fn bits(&self) -> Vec<(usize, u64)> {
        let pair = |(left, _, right): (Term, Order, Term)| match (left, right) {
            (Term::Bits(bits), other) | (other, Term::Bits(bits)) => Some((other.operand()?, bits)),
            _ => None,
        };
        self.comparisons().into_iter().filter_map(pair).collect()
    }

    /// Lists the comparisons of neighbours in a chain.
    fn comparisons(&self) -> Vec<(Term, Order, Term)> {
        let Condition::Compared(first, rest) = self else { return Vec::new() };
        let lefts = std::iter::once(first).chain(rest.iter().map(|(_, term)| term));
        lefts.zip(rest).map(|(left, (order, right))| (*left, *order, *right)).collect()
    }

    /// Whether the condition holds; `None` if there is no such operand.
    fn holds<'a>(&self, datum: &impl Fn(usize) -> Option<Datum<'a>>) -> Option<bool> {
        match self {
            Condition::Is { operand, wanted, kind } => Some(datum(*operand)?.is(*kind) == *wanted),
            Condition::Compared(first, rest) => {
                let mut left = first;
                for (order, right) in rest {
                    if !compare(*left, *order, *right, datum)? {
                        return Some(false);
                    }
                    left = right;
                }
                Some(true)
            }
        }
    }
}

/// Whether a comparison holds; `None` if there is no such operand. A NaN fulfils only `!=`.
fn compare<'a>(
    left: Term,
    order: Order,
    right: Term,
    datum: &impl Fn(usize) -> Option<Datum<'a>>,
) -> Option<bool> {
    if let (Order::Equal | Order::NotEqual, Term::Operand(number), Term::Bits(bits))
    | (Order::Equal | Order::NotEqual, Term::Bits(bits), Term::Operand(number)) = (order, left, right)
    {
        return Some((datum(number)?.bits == bits) == (order == Order::Equal));
    }
    // Bits have the format of the operand on the other side.
    let format = [left, right]
        .iter()
        .find_map(Term::operand)
        .map(datum)
        .map_or(Some(None), |of| of.map(|of| Some(of.format)))?;
    let value = |term: Term| {
        Some(match term {
            Term::Operand(number) => datum(number)?.value(),
            Term::Magnitude(number) => datum(number)?.value().map(Number::magnitude),
            Term::Number(number) => Some(number),
            Term::Bits(bits) => format.and_then(|format| Datum { format, bits }.value()),
        })
    };
    let ordering = match (value(left)?, value(right)?) {
        (Some(left), Some(right)) => left.order(right),
        _ => None,
    };
    Some(match order {
        Order::Less => ordering == Some(Ordering::Less),
        Order::LessOrEqual => ordering.is_some_and(Ordering::is_le),
        Order::Equal => ordering == Some(Ordering::Equal),
        Order::NotEqual => ordering != Some(Ordering::Equal),
        Order::GreaterOrEqual => ordering.is_some_and(Ordering::is_ge),
        Order::Greater => ordering == Some(Ordering::Greater),
    })
}

impl Term {
    /// Returns the number of the operand that the term is about.
    fn operand(&self) -> Option<usize> {
        match self {
            Term::Operand(number) | Term::Magnitude(number) => Some(*number),
            Term::Number(_) | Term::Bits(_) => None,
        }
    }

    /// Returns the encoding in a format of what operands are compared with.
    fn bits(&self, format: &Format) -> Option<u64> {
        match self {
            Term::Operand(_) | Term::Magnitude(_) => None,
            Term::Bits(bits) => Some(bits & format.mask()),
            Term::Number(Number::Integer(number)) if format.is_integer() => {
                Some(*number as u64 & format.mask())
            }
            Term::Number(number) => format.toward_zero(number.real()),
        }
    }
}

#[cfg(test)]
mod tests;
