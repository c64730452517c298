//! The parser of operands: only the instruction and the entry say what a name means.

use super::{ParseError, Parser};
use crate::syntax::{Immediate, Notation, Opcode, Operand};

/// The most digits of an immediate; a longer one is not read.
const MOST_DIGITS: usize = 32;

/// The number that the constant `WARP_SZ` stands for on every target (PTX ISA 4.4).
pub(super) const WARP_SIZE: u64 = 32;

impl Parser<'_> {
    /// Takes the operands of an instruction and its end.
    pub(super) fn operands(&mut self, opcode: &Opcode) -> Result<Vec<Operand>, ParseError> {
        let mut operands = Vec::new();
        if self.takes(";") {
            return Ok(operands);
        }
        self.decimals = if opcode.to_string().ends_with(".f32") { Decimals::F32 } else { Decimals::F64 };
        loop {
            operands.push(match opcode {
                Opcode::Branch | Opcode::BranchUniform => Operand::Label(self.name("a label")?),
                Opcode::Call | Opcode::CallUniform => self.called()?,
                _ => self.operand()?,
            });
            if self.takes(";") {
                return Ok(operands);
            }
            if !self.takes(",") {
                return Err(self.expected("`;` or `,`"));
            }
        }
    }

    /// Takes an operand of a call: the function, or its arguments or results in parentheses.
    fn called(&mut self) -> Result<Operand, ParseError> {
        if !self.takes("(") {
            return Ok(Operand::Label(self.name("a function")?));
        }
        let mut names = Vec::new();
        while !self.takes(")") {
            if !names.is_empty() {
                self.take(",")?;
            }
            names.push(self.name("the name of a parameter")?);
        }
        Ok(Operand::Arguments(names))
    }

    /// Takes an operand of an instruction that is neither a branch nor a call.
    fn operand(&mut self) -> Result<Operand, ParseError> {
        if self.takes("[") {
            let operand = self.address()?;
            self.take("]")?;
            return Ok(operand);
        }
        if self.takes("{") {
            let mut each = Vec::from_iter([self.datum()?]);
            while !self.takes("}") {
                self.take(",")?;
                each.push(self.datum()?);
            }
            return Ok(Operand::Vector(each));
        }
        if self.takes("!") {
            return Ok(Operand::Negated(self.name("a predicate")?));
        }
        match self.datum()? {
            Operand::Register(one) if self.takes("|") => {
                Ok(Operand::Pair(one, self.name("a predicate")?))
            }
            Operand::Register(base) if self.takes("+") => {
                Ok(Operand::Behind { base, offset: self.integer("an offset")? as u64 })
            }
            operand => Ok(operand),
        }
    }

    /// Takes the address between brackets.
    fn address(&mut self) -> Result<Operand, ParseError> {
        let base = self.name("an address")?;
        // A negative offset is written as `+-4`.
        if self.takes("+") {
            return Ok(Operand::Memory { base, offset: Some(self.integer("an offset")? as u64) });
        }
        // The text alone does not tell: `[name]` is written for a parameter and for a register.
        let is_parameter = self.parameters.iter().any(|parameter| parameter.name == base);
        Ok(match is_parameter {
            true => Operand::Parameter(base),
            false => Operand::Memory { base, offset: None },
        })
    }

    /// Takes a register or a number.
    pub(super) fn datum(&mut self) -> Result<Operand, ParseError> {
        if self.is_at_constant() {
            return self.constant();
        }
        let name = self.name("an operand")?;
        Ok(self.elements_of(&name).unwrap_or_else(|| Operand::from(&name)))
    }
}

/// Returns the immediate of a value in two's complement; a minus is written where the value is negative.
pub(super) fn negative(value: u64) -> Immediate {
    let notation = if (value as i64) < 0 { Notation::Negative } else { Notation::Decimal };
    Immediate { value, notation }
}

/// The format that decimal numbers with a point or an exponent have. They are f64, and converted to the type of the
/// instruction or variable (PTX ISA 4.5.2 and 4.5.4).
#[derive(Clone, Copy, Debug)]
pub(super) enum Decimals {
    F32,
    F64,
}

impl Decimals {
    /// Returns the bits of a number.
    pub(super) fn operand(self, value: f64) -> Operand {
        match self {
            Decimals::F32 => Operand::Single((value as f32).to_bits()),
            Decimals::F64 => Operand::Double(value.to_bits()),
        }
    }
}

/// Reads a decimal number such as `1.5` or `1e3`.
pub(super) fn decimal(word: &str) -> Option<f64> {
    let digits = word.starts_with(|letter: char| letter.is_ascii_digit());
    let only =
        |letter: u8| letter.is_ascii_digit() || matches!(letter, b'.' | b'e' | b'E' | b'+' | b'-');
    if !digits || !word.bytes().all(only) || !word.contains(['.', 'e', 'E']) {
        return None;
    }
    word.parse().ok()
}

/// Reads an integer, decimal or hexadecimal, or the bits of an f32 (`0f…`) or of an f64 (`0d…`).
pub(super) fn number(word: &str) -> Option<Operand> {
    // Some integers are marked as having no sign.
    let word = word.strip_suffix('U').unwrap_or(word);
    let (prefix, digits) = word.split_at_checked(2).unwrap_or_default();
    let prefix = if prefix == "0X" { "0x" } else { prefix };
    if prefix != "0x" && !prefix.eq_ignore_ascii_case("0f") && !prefix.eq_ignore_ascii_case("0d") {
        if prefix.eq_ignore_ascii_case("0b") && digits.len() <= u64::BITS as usize {
            let is_binary = digits.bytes().all(|digit| matches!(digit, b'0' | b'1'));
            return u64::from_str_radix(digits, 2).ok().filter(|_| is_binary).map(Operand::from);
        }
        // An integer that begins with 0 is octal (PTX ISA 4.5.1).
        let is_octal =
            word.len() > 1 && word.starts_with('0') && word.bytes().all(|one| one.is_ascii_digit());
        let value = if is_octal { u64::from_str_radix(word, 8) } else { word.parse::<u64>() };
        return value.ok().map(Operand::from);
    }
    // A sign is no digit, though Rust's own reading of numbers accepts one.
    if digits.len() > MOST_DIGITS || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u64::from_str_radix(digits, 16).ok()?;
    match (prefix, digits.len()) {
        ("0x", length) => {
            let notation = Notation::Hexadecimal { digits: length as u8 };
            Some(Operand::Immediate(Immediate { value, notation }))
        }
        ("0f" | "0F", 8) => u32::try_from(value).ok().map(Operand::Single),
        ("0d" | "0D", 16) => Some(Operand::Double(value)),
        _ => None,
    }
}
