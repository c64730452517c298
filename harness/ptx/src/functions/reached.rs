//! Registers, variables and functions that an instruction reaches by their names.

use super::action::{Action, Address, Call, Source, Target};
use super::code::Writer;
use super::declared::Named;
use super::memory::Extent;
use crate::interpreter::Problem;
use crate::syntax::{Instruction, Operand, Scalar, Space};

impl Writer<'_, '_> {
    pub fn call(&mut self, operands: &[Operand], of: &Instruction) -> Result<Action, Problem> {
        let none: &[String] = &[];
        let (results, name, arguments) = match operands {
            [Operand::Arguments(results), Operand::Label(name), Operand::Arguments(arguments)] => {
                (results.as_slice(), name, arguments.as_slice())
            }
            [Operand::Label(name), Operand::Arguments(arguments)] => (none, name, arguments.as_slice()),
            [Operand::Arguments(results), Operand::Label(name)] => (results.as_slice(), name, none),
            [Operand::Label(name)] => (none, name, none),
            _ => return Err(Problem::Unsupported(of.to_string())),
        };
        let missing = || Problem::NoFunction(name.clone());
        let code = self.loading.number(name).ok_or_else(missing)?;
        let [parameters, returned] = self.loading.places(code).ok_or_else(missing)?;
        let mut joined = |names: &[String], places: Vec<Extent>| {
            if names.len() != places.len() {
                return Err(Problem::Operands(of.to_string()));
            }
            let mut joined = Vec::new();
            for (name, place) in names.iter().zip(places) {
                match self.declared.named(name) {
                    Some(Named::Variable(own)) if own.bytes == place.bytes => {
                        joined.push([own, place]);
                    }
                    Some(_) => return Err(Problem::Operands(of.to_string())),
                    None => return Err(Problem::Undeclared(name.clone())),
                }
            }
            Ok(joined)
        };
        let arguments = joined(arguments, parameters)?;
        Ok(Action::Call(Call { code, arguments, results: joined(results, returned)? }))
    }

    pub fn load(
        &mut self,
        space: Space,
        into: &[Operand],
        ty: Scalar,
        at: &Operand,
        of: &Instruction,
    ) -> Result<Action, Problem> {
        let at = self.address(space, ty, into.len(), at, of)?;
        let signed = matches!(ty, Scalar::Signed(_));
        let into = into.iter().map(|one| self.target(one, ty.width(), signed, of));
        Ok(Action::Load { into: into.collect::<Result<_, _>>()?, at, bytes: ty.bytes() })
    }

    pub fn store(
        &mut self,
        space: Space,
        from: &[Operand],
        ty: Scalar,
        at: &Operand,
        of: &Instruction,
    ) -> Result<Action, Problem> {
        let at = self.address(space, ty, from.len(), at, of)?;
        let from = from.iter().map(|one| self.source(one, of));
        Ok(Action::Store { at, bytes: ty.bytes(), from: from.collect::<Result<_, _>>()? })
    }

    /// Where so many words of a type lie.
    fn address(
        &mut self,
        space: Space,
        ty: Scalar,
        words: usize,
        at: &Operand,
        of: &Instruction,
    ) -> Result<Address, Problem> {
        if !ty.is_legal() || space == Space::Shared {
            return Err(Problem::Unsupported(of.to_string()));
        }
        let (base, offset) = match at {
            Operand::Parameter(base) => (base, 0),
            Operand::Memory { base, offset } => (base, offset.unwrap_or(0)),
            _ => return Err(Problem::Operands(of.to_string())),
        };
        Ok(match self.declared.named(base) {
            Some(Named::Register { number, .. }) => Address::Of(Source::Register(number), offset),
            Some(Named::Variable(own)) => {
                let (at, bytes) = (own.start.wrapping_add(offset as usize), words * ty.bytes());
                if !own.holds(at, bytes) || !at.is_multiple_of(bytes) {
                    return Err(Problem::Operands(of.to_string()));
                }
                Address::Own(own, at - own.start)
            }
            None => Address::Of(Source::Constant(self.table(base)?), offset),
        })
    }

    /// The address of a variable of the module.
    fn table(&self, name: &str) -> Result<u64, Problem> {
        self.loading.tables.address(name).ok_or_else(|| Problem::Undeclared(name.to_owned()))
    }

    /// The register that an operand is, which an instruction sets with so many bits.
    pub fn target(
        &mut self,
        operand: &Operand,
        bits: u32,
        signed: bool,
        of: &Instruction,
    ) -> Result<Target, Problem> {
        match operand {
            Operand::Register(name) if name == "_" => Ok(Target::NOBODY),
            Operand::Register(name) => {
                let (register, width) = self.declared.register(name)?;
                match bits <= width && width <= 64 {
                    true => Ok(Target::new(register, width, bits, signed)),
                    false => Err(Problem::Operands(of.to_string())),
                }
            }
            _ => Err(Problem::Operands(of.to_string())),
        }
    }

    pub fn source(&mut self, operand: &Operand, of: &Instruction) -> Result<Source, Problem> {
        Ok(match operand {
            Operand::Register(name) => match self.declared.named(name) {
                Some(Named::Register { width: 65.., .. }) => {
                    return Err(Problem::Unsupported(of.to_string()));
                }
                Some(Named::Register { number, .. }) => Source::Register(number),
                Some(Named::Variable(own)) => Source::Variable(own.start),
                None => Source::Constant(self.table(name)?),
            },
            Operand::Negated(name) => Source::Negated(self.declared.register(name)?.0),
            Operand::Immediate(immediate) => Source::Constant(immediate.value),
            Operand::Single(bits) => Source::Constant((*bits).into()),
            Operand::Double(bits) => Source::Constant(*bits),
            Operand::Special(_) => return Err(Problem::Unsupported(of.to_string())),
            _ => return Err(Problem::Operands(of.to_string())),
        })
    }
}
