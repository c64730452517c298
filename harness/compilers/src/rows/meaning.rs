//! Describes what a source means, by instructions of instructions, written as `add.rn.f32(mul.rn.f32(a, b), c)`.

use std::fmt;

use formats::{Column, Format};
use isa::{Variant, results_for};

use crate::program::Integer;

/// An instruction of parameters, constants and other instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The outermost instruction.
    pub variant: &'static Variant,
    /// The operands of that instruction.
    pub(crate) operands: Vec<MeaningOperand>,
}

/// An operand of an instruction in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MeaningOperand {
    /// The parameter of this number.
    Parameter(usize),
    /// A constant of these bits.
    Constant(u64),
    /// The result of another instruction.
    Of(Box<Expression>),
}

/// The freedom that a promise leaves beside its expressions, by LLVM's flags of these names and by when flushing is
/// done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Open {
    /// Whether nothing is said where an operand or a result is NaN.
    pub nnan: bool,
    /// Whether nothing is said where an operand or a result is infinite.
    pub ninf: bool,
    /// Whether a zero may have either sign.
    pub nsz: bool,
    /// Whether a NaN may be the result where an operand is a signalling NaN.
    pub snan: bool,
    /// Whether the result may be of either sign where an operand is NaN.
    pub nan_sign: bool,
    /// Whether the least normal number may be zero: what is smaller may have been flushed before it was rounded.
    pub tiny: bool,
    /// The type of integers outside of which nothing is said: where it does not have the first operand, rounded toward
    /// zero.
    pub fits: Option<Integer>,
}

impl Open {
    /// Reads what is left open from flags with spaces between them.
    ///
    /// # Panics
    /// If there is another flag than those of the fields.
    pub fn of(flags: &str) -> Open {
        let mut open = Open::default();
        for flag in flags.split_whitespace() {
            match flag {
                "nnan" => open.nnan = true,
                "ninf" => open.ninf = true,
                "nsz" => open.nsz = true,
                "snan" => open.snan = true,
                "nan-sign" => open.nan_sign = true,
                "tiny" => open.tiny = true,
                _ if let Some(of) = flag.strip_prefix(FITS).and_then(Integer::named) => {
                    open.fits = Some(of);
                }
                _ => panic!("{flag} is no flag that leaves something open"),
            }
        }
        open
    }
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Open { nnan, ninf, nsz, snan, nan_sign, tiny, fits } = *self;
        let all = [
            (nnan, "nnan"),
            (ninf, "ninf"),
            (nsz, "nsz"),
            (snan, "snan"),
            (nan_sign, "nan-sign"),
            (tiny, "tiny"),
        ];
        let own = all.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_owned());
        let own: Vec<String> = own.chain(fits.map(|of| format!("{FITS}{}", of.name()))).collect();
        if own.is_empty() { Ok(()) } else { write!(f, "; {}", own.join(" ")) }
    }
}

/// The word before the name of a type of integers that the first operand has to fit.
const FITS: &str = "fits-";

/// The names of an expression's parameters.
pub const NAMES: [&str; 3] = ["a", "b", "c"];

/// A function that computes the results of an instruction on columns of operands.
pub type InstructionFunction<'a> = dyn FnMut(&'static Variant, &[Column]) -> Vec<Column> + 'a;

impl Expression {
    /// Reads the expression of a text: an instruction's name alone is the instruction of the parameters in order.
    ///
    /// # Panics
    /// If the text is no expression.
    pub fn parse(text: &str) -> Expression {
        let (expression, rest) = instruction(text);
        assert!(rest.is_empty(), "`{rest}` behind `{text}`");
        expression
    }

    /// Returns the instruction, where the expression is one of the parameters in order.
    pub fn plain(&self) -> Option<&'static Variant> {
        let mut operands = self.operands.iter().enumerate();
        let own = operands.all(|(at, operand)| *operand == MeaningOperand::Parameter(at));
        own.then_some(self.variant)
    }

    /// Returns all instructions of the expression, each behind those that its operands are results of.
    pub fn instructions(&self) -> Vec<&'static Variant> {
        let mut all = Vec::new();
        for operand in &self.operands {
            if let MeaningOperand::Of(inner) = operand {
                all.extend(inner.instructions());
            }
        }
        all.push(self.variant);
        all
    }

    /// Computes the results of the expression by a unit, from columns of the parameters.
    pub fn evaluate(&self, unit: &mut InstructionFunction, parameters: &[Column]) -> Column {
        let rows = parameters[0].rows();
        let columns: Vec<Column> = self
            .operands
            .iter()
            .zip(self.variant.operands())
            .map(|(operand, register)| match operand {
                MeaningOperand::Parameter(at) => parameters[*at].clone(),
                MeaningOperand::Of(inner) => inner.evaluate(unit, parameters),
                MeaningOperand::Constant(bits) => {
                    let mut column = Column::new(register.ty.row_bytes(), rows);
                    (0..rows).for_each(|row| column.set(row, *bits));
                    column
                }
            })
            .collect();
        unit(self.variant, &columns).swap_remove(0)
    }
}

/// Has `fill` compute an instruction's results in new columns, and returns these: it makes a unit of the emulator or an
/// oracle.
pub fn results(
    variant: &'static Variant,
    operands: &[Column],
    fill: impl FnOnce(&[Column], &mut [Column]),
) -> Vec<Column> {
    let mut results = results_for(variant, operands[0].rows());
    fill(operands, &mut results);
    results
}

/// Reads the instruction at the beginning of a text, and returns its expression and the rest of the text.
fn instruction(text: &str) -> (Expression, &str) {
    let end = text.find(['(', ',', ')']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let variant = Variant::named(name).unwrap_or_else(|| panic!("{name} is no variant"));
    let count = variant.operands().len();
    let Some(mut rest) = rest.strip_prefix('(') else {
        let operands = (0..count).map(MeaningOperand::Parameter).collect();
        return (Expression { variant, operands }, rest);
    };
    let mut operands = Vec::new();
    for register in variant.operands() {
        let (operand, behind) = operand(rest, register.ty.format);
        operands.push(operand);
        let due = if operands.len() == count { ")" } else { ", " };
        rest = behind.strip_prefix(due).unwrap_or_else(|| panic!("`{due}` before `{behind}`"));
    }
    (Expression { variant, operands }, rest)
}

/// Reads the operand at the beginning of a text: a parameter, a constant or an instruction.
fn operand<'a>(text: &'a str, format: &Format) -> (MeaningOperand, &'a str) {
    let end = text.find([',', ')', '(']).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if let Some(at) = NAMES.iter().position(|name| *name == word) {
        return (MeaningOperand::Parameter(at), rest);
    }
    if word.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
        return (MeaningOperand::Constant(constant(word, format)), rest);
    }
    let (inner, rest) = instruction(text);
    (MeaningOperand::Of(Box::new(inner)), rest)
}

/// Reads the bits of a constant: of a number in decimal, or bits as `0x3f800000`.
fn constant(word: &str, format: &Format) -> u64 {
    if let Some(hex) = word.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).expect("hexadecimal digits");
    }
    match format.width() {
        64 => word.parse::<f64>().expect("a number").to_bits(),
        32 => word.parse::<f32>().expect("a number").to_bits().into(),
        _ => panic!("{word}: bits, in half precision"),
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.variant.text())?;
        if self.plain().is_some() {
            return Ok(());
        }
        for (at, operand) in self.operands.iter().enumerate() {
            f.write_str(if at == 0 { "(" } else { ", " })?;
            match operand {
                MeaningOperand::Parameter(at) => f.write_str(NAMES[*at])?,
                MeaningOperand::Constant(bits) => write!(f, "{bits:#x}")?,
                MeaningOperand::Of(inner) if inner.plain().is_some() => {
                    let names = &NAMES[..inner.operands.len()];
                    write!(f, "{inner}({})", names.join(", "))?;
                }
                MeaningOperand::Of(inner) => write!(f, "{inner}")?,
            }
        }
        f.write_str(")")
    }
}
