//! Describes what a source means, by instructions of instructions, written as `add.rn.f32(mul.rn.f32(a, b), c)`.

use std::fmt;

use base::place::PlaceError;
use formats::Column;
use isa::{Type, Variant, results_for};

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
    /// # Errors
    /// If there is another flag than those of the fields: the flag.
    pub fn read(flags: &str) -> Result<Open, &str> {
        let mut open = Open::default();
        for flag in flags.split_whitespace() {
            match flag {
                "nnan" => open.nnan = true,
                "ninf" => open.ninf = true,
                "nsz" => open.nsz = true,
                "snan" => open.snan = true,
                "nan-sign" => open.nan_sign = true,
                "tiny" => open.tiny = true,
                _ => match flag.strip_prefix(FITS).and_then(Integer::named) {
                    Some(of) => open.fits = Some(of),
                    None => return Err(flag),
                },
            }
        }
        Ok(open)
    }

    /// Reads what is left open as [`Open::read`] does.
    ///
    /// # Panics
    /// If there is another flag than those of the fields.
    pub fn of(flags: &str) -> Open {
        Open::read(flags).unwrap_or_else(|flag| panic!("{flag} is no flag that leaves something open"))
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
    /// # Errors
    /// If the text is no expression, says where it stops to be one.
    pub fn read(text: &str) -> Result<Expression, PlaceError> {
        let mut reader = Reader { text, rest: text };
        let expression = reader.instruction(0)?;
        match reader.rest.trim_start() {
            "" => Ok(expression),
            _ => Err(reader.error("the end of the expression".into())),
        }
    }

    /// Reads the expression of a text as [`Expression::read`] does.
    ///
    /// # Panics
    /// If the text is no expression.
    pub fn parse(text: &str) -> Expression {
        Expression::read(text).unwrap_or_else(|error| panic!("`{text}`, {error}"))
    }

    /// Returns the instruction, where the expression is one of the parameters in order.
    pub fn plain(&self) -> Option<&'static Variant> {
        let mut operands = self.operands.iter().enumerate();
        let own = operands.all(|(at, operand)| *operand == MeaningOperand::Parameter(at));
        own.then_some(self.variant)
    }

    /// Returns all instructions of the expression, each behind those that its operands are results of.
    pub fn instructions(&self) -> Vec<&'static Variant> {
        self.parts().into_iter().map(|part| part.variant).collect()
    }

    /// Lists the expression and all within it, each behind those that its operands are results of.
    pub fn parts(&self) -> Vec<&Expression> {
        let inner = self.operands.iter().filter_map(|operand| match operand {
            MeaningOperand::Of(inner) => Some(inner.parts()),
            MeaningOperand::Parameter(_) | MeaningOperand::Constant(_) => None,
        });
        inner.flatten().chain([self]).collect()
    }

    /// Lists the parameters of the expression, each with the type of the register that it is used in.
    pub fn parameters(&self) -> Vec<(usize, String)> {
        let mut all = Vec::new();
        for (operand, register) in self.operands.iter().zip(self.variant.operands()) {
            match operand {
                MeaningOperand::Parameter(number) => all.push((*number, register.ty.to_string())),
                MeaningOperand::Constant(_) => {}
                MeaningOperand::Of(inner) => all.extend(inner.parameters()),
            }
        }
        all
    }

    /// Returns the text of the expression, with the operands also where they are the parameters in order.
    pub fn with_operands(&self) -> String {
        match self.plain() {
            Some(_) => format!("{self}({})", NAMES[..self.operands.len()].join(", ")),
            None => self.to_string(),
        }
    }

    /// Computes the results of the expression by a unit, from columns of the parameters.
    pub fn evaluate(&self, unit: &mut InstructionFunction, parameters: &[Column]) -> Column {
        let columns = self.outer_operands(unit, parameters);
        unit(self.variant, &columns).swap_remove(0)
    }

    /// Computes the operands of the outermost instruction by a unit, from columns of the parameters.
    pub fn outer_operands(&self, unit: &mut InstructionFunction, parameters: &[Column]) -> Vec<Column> {
        let rows = parameters[0].rows();
        self.operands
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
            .collect()
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

/// The deepest nesting of instructions in an expression.
const DEPTH_MAX: usize = 64;

/// The state of reading an expression from its beginning to its end.
struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// Returns the error that something else than `expected` stands here.
    fn error(&self, expected: String) -> PlaceError {
        PlaceError::at(self.text, self.rest, &[',', '(', ')'], expected)
    }

    /// Takes a sign if it stands here, and says whether it did.
    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Returns the word that stands here: everything up to a parenthesis or a comma.
    fn word(&self) -> &'a str {
        let rest = self.rest.trim_start();
        rest[..rest.find(['(', ',', ')']).unwrap_or(rest.len())].trim_end()
    }

    /// Takes a word that stands here.
    fn take(&mut self, word: &str) {
        self.rest = self.rest.trim_start().get(word.len()..).unwrap_or("");
    }

    /// Takes an instruction that lies in `depth` others.
    fn instruction(&mut self, depth: usize) -> Result<Expression, PlaceError> {
        let name = self.word();
        let Some(variant) = Variant::named(name) else {
            return Err(self.error("the name of an instruction".into()));
        };
        if depth == DEPTH_MAX {
            return Err(self.error(format!("at most {DEPTH_MAX} instructions in each other")));
        }
        let count = variant.operands().len();
        let (mut operands, before) = (Vec::new(), self.rest);
        self.take(name);
        if !self.takes('(') {
            if count > NAMES.len() {
                self.rest = before;
                return Err(self.error("an instruction of at most three operands".into()));
            }
            operands.extend((0..count).map(MeaningOperand::Parameter));
            return Ok(Expression { variant, operands });
        }
        for (at, register) in variant.operands().iter().enumerate() {
            if at > 0 && !self.takes(',') {
                return Err(self.error(format!("`,`, because {name} has {count} operands")));
            }
            operands.push(self.operand(&register.ty, depth)?);
        }
        match self.takes(')') {
            true => Ok(Expression { variant, operands }),
            false => Err(self.error(format!("`)`, because {name} has {count} operands"))),
        }
    }

    /// Takes an operand of an instruction: a parameter, a constant or an instruction.
    fn operand(&mut self, ty: &Type, depth: usize) -> Result<MeaningOperand, PlaceError> {
        let word = self.word();
        if let Some(at) = NAMES.iter().position(|name| *name == word) {
            self.take(word);
            return Ok(MeaningOperand::Parameter(at));
        }
        let is_special = matches!(word, "inf" | "nan");
        if is_special || word.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            let bits = constant(word, ty).map_err(|expected| self.error(expected))?;
            self.take(word);
            return Ok(MeaningOperand::Constant(bits));
        }
        match word.is_empty() {
            true => Err(self.error("`a`, `b`, `c`, a constant or an instruction".into())),
            false => self.instruction(depth + 1).map(|inner| MeaningOperand::Of(Box::new(inner))),
        }
    }
}

/// Reads the bits of a constant: a number in decimal, which is rounded to the nearest of the format and stands in every
/// lane; `inf`, `-inf` or `nan`; or the bits of the whole register, such as `0x3f800000`. The error says what should stand
/// there.
fn constant(word: &str, ty: &Type) -> Result<u64, String> {
    let (format, width) = (ty.format, ty.width());
    if let Some(hex) = word.strip_prefix("0x") {
        let bits = u64::from_str_radix(hex, 16).ok().filter(|bits| width >= 64 || bits >> width == 0);
        return bits.ok_or_else(|| format!("at most {width} bits in hexadecimal digits"));
    }
    let one = match word {
        "nan" => format.nan(),
        "inf" => format.infinity(),
        "-inf" => format.infinity().map(|bits| bits | format.sign_mask()),
        _ if format.is_fixed() => {
            let least = if format.signed { -(1 << (format.width() - 1)) } else { 0 };
            let number = word.parse::<i128>().ok();
            let fits = number.filter(|number| (least..=i128::from(format.mask())).contains(number));
            fits.map(|number| number as u64 & format.mask())
        }
        _ => {
            let value =
                word.parse::<f64>().ok().filter(|_| word.contains(|one: char| one.is_ascii_digit()));
            let value = value.ok_or("a number")?;
            if value.is_infinite() {
                return Err(format!(
                    "a number that is not far beyond those of {}, or `inf`",
                    format.name
                ));
            }
            let sign = if word.starts_with('-') { format.sign_mask() } else { 0 };
            format.nearest(value).map(|bits| bits | sign)
        }
    };
    let one = one.ok_or_else(|| format!("a number of {}, or bits such as 0x3c", format.name))?;
    Ok((0..ty.lanes).map(|lane| ty.place(one, lane)).fold(0, |all, lane| all | lane))
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
                MeaningOperand::Of(inner) => f.write_str(&inner.with_operands())?,
            }
        }
        f.write_str(")")
    }
}
