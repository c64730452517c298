//! Prints a syntax tree as PTX text, one statement a line.

use std::fmt::{Display, Formatter, Result};

use super::{
    BlockSize, Declaration, Declared, Entry, Function, Guard, Immediate, Instruction, Linkage, Module,
    Notation, Operand, Parameter, Statement, Variable,
};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.header.fmt(f)?;
        self.variables.iter().try_for_each(|variable| writeln!(f, "{variable}"))?;
        self.functions.iter().try_for_each(|function| function.fmt(f))?;
        self.entries.iter().try_for_each(|entry| entry.fmt(f))
    }
}

impl Display for Entry {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(comment) = &self.comment {
            writeln!(f, "// {comment}")?;
        }
        // Each parameter stands on a line of its own, as compilers write them.
        writeln!(f, ".visible .entry {}(", self.name)?;
        list(f, ",\n", &self.parameters)?;
        f.write_str("\n)\n")?;
        if let Some(BlockSize { is_exact, threads: [x, y, z] }) = self.block {
            let directive = if is_exact { ".reqntid" } else { ".maxntid" };
            writeln!(f, "{directive} {x}, {y}, {z}")?;
        }
        block(f, &self.body)
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}.func ", self.linkage)?;
        if !self.results.is_empty() {
            f.write_str("(")?;
            list(f, ", ", &self.results)?;
            f.write_str(") ")?;
        }
        write!(f, "{}(", self.name)?;
        list(f, ", ", &self.parameters)?;
        match &self.body {
            None => f.write_str(");\n"),
            Some(body) => {
                f.write_str(")\n")?;
                block(f, body)
            }
        }
    }
}

impl Display for Linkage {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Linkage::Own => "",
            Linkage::Visible => ".visible ",
            Linkage::Extern => ".extern ",
            Linkage::Weak => ".weak ",
        })
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(".param ")?;
        self.declarator(f)
    }
}

impl Parameter {
    /// Writes everything that follows the state space: alignment, type, name and length.
    fn declarator(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(align) = self.align {
            write!(f, ".align {align} ")?;
        }
        write!(f, "{} {}", self.ty, self.name)?;
        self.length.map_or(Ok(()), |length| write!(f, "[{length}]"))
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{} ", self.linkage, self.space)?;
        self.of.declarator(f)?;
        if !self.values.is_empty() {
            f.write_str(" = {")?;
            list(f, ", ", &self.values)?;
            f.write_str("}")?;
        }
        f.write_str(";")
    }
}

impl Display for Statement {
    /// Writes the statement as whole lines.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Statement::Label(name) => writeln!(f, "{name}:"),
            Statement::Declaration(declaration) => writeln!(f, "{declaration}"),
            Statement::Variable(variable) => writeln!(f, "{variable}"),
            Statement::Shared { name, bytes, align } => {
                writeln!(f, ".shared .align {align} .b8 {name}[{bytes}];")
            }
            Statement::Targets { name, labels } => {
                write!(f, "{name}: .branchtargets ")?;
                list(f, ", ", labels)?;
                f.write_str(";\n")
            }
            Statement::Block(body) => block(f, body),
            Statement::Instruction(instruction) => writeln!(f, "{instruction}"),
        }
    }
}

impl Display for Declaration {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, ".reg {} ", self.ty)?;
        list(f, ", ", &self.names)?;
        f.write_str(";")
    }
}

impl Display for Declared {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.name)?;
        self.count.map_or(Ok(()), |count| write!(f, "<{count}>"))
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(Guard { predicate, negated }) = &self.guard {
            write!(f, "@{}{predicate} ", if *negated { "!" } else { "" })?;
        }
        self.opcode.fmt(f)?;
        if !self.operands.is_empty() {
            f.write_str(" ")?;
            list(f, ", ", &self.operands)?;
        }
        f.write_str(";")
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Operand::Register(name) | Operand::Label(name) => f.write_str(name),
            Operand::Negated(name) => write!(f, "!{name}"),
            Operand::Arguments(names) => {
                f.write_str("(")?;
                list(f, ", ", names)?;
                f.write_str(")")
            }
            Operand::Pair(one, other) => write!(f, "{one}|{other}"),
            Operand::Vector(each) => {
                f.write_str("{")?;
                list(f, ", ", each)?;
                f.write_str("}")
            }
            Operand::Place(each) => {
                f.write_str("[")?;
                list(f, ", ", each)?;
                f.write_str("]")
            }
            Operand::Special(special) => f.write_str(special.text()),
            Operand::Immediate(immediate) => immediate.fmt(f),
            Operand::Single(bits) => write!(f, "0f{bits:08x}"),
            Operand::Double(bits) => write!(f, "0d{bits:016x}"),
            Operand::Parameter(name) | Operand::Memory { base: name, offset: None } => {
                write!(f, "[{name}]")
            }
            // The offset is in two's complement: a negative one is written as `+-4`.
            Operand::Memory { base, offset: Some(offset) } => write!(f, "[{base}+{}]", *offset as i64),
            Operand::Behind { base, offset } => write!(f, "{base}+{}", *offset as i64),
        }
    }
}

impl Display for Immediate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.notation {
            Notation::Decimal => self.value.fmt(f),
            Notation::Negative => (self.value as i64).fmt(f),
            Notation::Hexadecimal { digits } => {
                write!(f, "0x{:0digits$x}", self.value, digits = digits.into())
            }
        }
    }
}

/// Writes statements in braces, one a line.
fn block(f: &mut Formatter<'_>, body: &[Statement]) -> Result {
    f.write_str("{\n")?;
    body.iter().try_for_each(|statement| statement.fmt(f))?;
    f.write_str("}\n")
}

/// Writes items with `between` between them.
fn list(f: &mut Formatter<'_>, between: &str, each: &[impl Display]) -> Result {
    each.iter().enumerate().try_for_each(|(number, one)| {
        f.write_str(if number == 0 { "" } else { between })?;
        one.fmt(f)
    })
}
