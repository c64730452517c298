//! Looks up the registers, memory and functions that an instruction reaches by their names.

use ptx::syntax::{Instruction, Operand, Scalar, Space};

use super::extent::Extent;
use super::names::NamedPlace;
use super::step::{Action, Address, Call, ResultRegister, Source, Step};
use super::{Lowering, Machine};
use crate::problem::{MemoryError, Problem};

impl<M: Machine> Lowering<'_, '_, M> {
    /// Lowers a call, with what is passed and returned.
    pub fn call(&mut self, operands: &[Operand], of: &Instruction) -> Result<Step, Problem> {
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
        let callee = self.machine.function(name);
        let callee = callee.ok_or_else(|| Problem::NoFunction(name.clone()))?;
        let mut joined = |names: &[String], places: Vec<Extent>| {
            if names.len() != places.len() {
                return Err(Problem::Operands(of.to_string()));
            }
            let mut joined = Vec::new();
            for (name, place) in names.iter().zip(places) {
                match self.names.named(name) {
                    Some(NamedPlace::Variable(own)) if own.bytes == place.bytes => {
                        joined.push([own, place]);
                    }
                    Some(_) => return Err(Problem::Operands(of.to_string())),
                    None => return Err(Problem::Undeclared(name.clone())),
                }
            }
            Ok(joined)
        };
        let arguments = joined(arguments, callee.parameters)?;
        let results = joined(results, callee.results)?;
        let call = Call { function: callee.number, arguments, results };
        Ok(Step::new(Action::Call(call), Vec::new(), Vec::new()))
    }

    /// Lowers a load of words of a type, one for each register.
    pub fn load(
        &mut self,
        space: Space,
        into: &[Operand],
        ty: Scalar,
        at: &Operand,
        of: &Instruction,
    ) -> Result<Step, Problem> {
        let at = self.words(space, ty, into.len(), at, of)?;
        let signed = matches!(ty, Scalar::Signed(_));
        let into = into.iter().map(|one| self.target(one, ty.width(), signed, of));
        let into = into.collect::<Result<_, _>>()?;
        Ok(Step::new(Action::Load(at, ty.bytes()), into, Vec::new()))
    }

    /// Lowers a store of words of a type.
    pub fn store(
        &mut self,
        space: Space,
        from: &[Operand],
        ty: Scalar,
        at: &Operand,
        of: &Instruction,
    ) -> Result<Step, Problem> {
        let at = self.words(space, ty, from.len(), at, of)?;
        Ok(Step::new(Action::Store(at, ty.bytes()), Vec::new(), self.sources(from, of)?))
    }

    /// Returns where so many words of a type lie.
    pub fn words(
        &mut self,
        space: Space,
        ty: Scalar,
        count: usize,
        at: &Operand,
        of: &Instruction,
    ) -> Result<Address, Problem> {
        if !ty.is_legal() {
            return Err(Problem::Unsupported(of.to_string()));
        }
        let address = self.address(space, at, of)?;
        match address {
            Address::Own(own, from) => {
                let (at, bytes) = (own.start.wrapping_add(from), count * ty.bytes());
                // A vector of words has to be aligned to the size of the whole vector.
                match own.holds(at, bytes) && at.is_multiple_of(bytes) {
                    true => Ok(address),
                    false if space == Space::Param && !own.holds(at, bytes) => {
                        Err(Problem::Memory(MemoryError::Address))
                    }
                    false => Err(Problem::Operands(of.to_string())),
                }
            }
            Address::Of(..) => Ok(address),
        }
    }

    /// Returns where an operand in brackets lies.
    pub fn address(&mut self, space: Space, at: &Operand, of: &Instruction) -> Result<Address, Problem> {
        let (base, offset) = match at {
            Operand::Parameter(base) => (base, 0),
            Operand::Memory { base, offset } => (base, offset.unwrap_or(0)),
            _ => return Err(Problem::Operands(of.to_string())),
        };
        let source = match self.names.named(base) {
            Some(NamedPlace::Register { number, .. }) => Source::Register(number),
            Some(NamedPlace::Variable(own)) if !is_elsewhere(space) => {
                // A negative offset wraps round here and again in `words`, where `holds` refuses what lies outside.
                return Ok(Address::Own(own, offset as usize));
            }
            Some(NamedPlace::Shared(start)) if space == Space::Shared => Source::Constant(start),
            Some(_) => return Err(Problem::Undeclared(base.clone())),
            None => Source::Constant(self.outside(base)?),
        };
        Ok(Address::Of(space, source, offset))
    }

    /// Returns the address of a variable that is declared outside.
    fn outside(&self, name: &str) -> Result<u64, Problem> {
        self.machine.address(name).ok_or_else(|| match name.starts_with('%') && is_special(name) {
            true => Problem::Refused(format!("the special register `{name}` is not interpreted")),
            false => Problem::Undeclared(name.to_owned()),
        })
    }

    /// Returns the register that an operand is, as the target of an instruction that sets it with so many bits.
    pub fn target(
        &mut self,
        operand: &Operand,
        bits: u32,
        signed: bool,
        of: &Instruction,
    ) -> Result<ResultRegister, Problem> {
        match operand {
            Operand::Register(name) if name == "_" => Ok(ResultRegister::NOBODY),
            Operand::Register(name) => {
                let (register, width) = self.names.register(name)?;
                match bits <= width && width <= 64 {
                    true => Ok(ResultRegister::new(register, width, bits, signed)),
                    false => Err(Problem::Operands(of.to_string())),
                }
            }
            _ => Err(Problem::Operands(of.to_string())),
        }
    }

    /// Returns the registers that an operand is, one or those in braces, as targets of an instruction that sets them
    /// whole.
    pub fn whole_registers(
        &mut self,
        operand: &Operand,
        of: &Instruction,
    ) -> Result<Vec<ResultRegister>, Problem> {
        let mut each = Vec::new();
        for one in flat(std::slice::from_ref(operand)) {
            let Operand::Register(name) = one else { return Err(Problem::Operands(of.to_string())) };
            let (register, width) = self.names.register(name)?;
            each.push(ResultRegister::whole_register(register, width));
        }
        Ok(each)
    }

    /// Returns the source that an operand is: a register, an address or a literal.
    pub fn source(&mut self, operand: &Operand, of: &Instruction) -> Result<Source, Problem> {
        Ok(match operand {
            Operand::Register(name) => match self.names.named(name) {
                // Both machines keep a value in a `u64`.
                Some(NamedPlace::Register { width: 65.., .. }) => {
                    return Err(Problem::Unsupported(of.to_string()));
                }
                Some(NamedPlace::Register { number, .. }) => Source::Register(number),
                Some(NamedPlace::Variable(own)) => Source::Variable(own.start),
                // `mov` alone takes its address.
                Some(NamedPlace::Shared(_)) => return Err(Problem::Undeclared(name.clone())),
                None => Source::Constant(self.outside(name)?),
            },
            Operand::Negated(name) => Source::Negated(self.names.register(name)?.0),
            Operand::Immediate(immediate) => Source::Constant(immediate.value),
            Operand::Single(bits) => Source::Constant((*bits).into()),
            Operand::Double(bits) => Source::Constant(*bits),
            Operand::Special(special) => Source::Special(*special),
            _ => return Err(Problem::Operands(of.to_string())),
        })
    }

    /// Returns the sources that operands are, in order.
    pub fn sources<'o>(
        &mut self,
        operands: impl IntoIterator<Item = &'o Operand>,
        of: &Instruction,
    ) -> Result<Vec<Source>, Problem> {
        operands.into_iter().map(|one| self.source(one, of)).collect()
    }

    /// Returns the address that the operand of a `mov` or `cvta` stands for, if it is a variable of shared memory, or a
    /// variable and an offset.
    pub fn named_address(&mut self, ty: Scalar, operand: &Operand) -> Option<Source> {
        let (name, offset) = match operand {
            Operand::Register(name) => (name, None),
            Operand::Behind { base, offset } => (base, Some(*offset)),
            _ => return None,
        };
        let behind = offset.unwrap_or(0);
        match self.names.named(name) {
            _ if !matches!(ty.width(), 32 | 64) => None,
            Some(NamedPlace::Shared(start)) => Some(Source::Constant(start.wrapping_add(behind))),
            Some(NamedPlace::Variable(own)) => {
                offset.map(|_| Source::Variable(own.start.wrapping_add(behind as usize)))
            }
            Some(NamedPlace::Register { .. }) => None,
            None => {
                let address = self.machine.address(name).filter(|_| offset.is_some())?;
                Some(Source::Constant(address.wrapping_add(behind)))
            }
        }
    }
}

/// Whether a name is that of a special register which neither machine has (PTX ISA, 10).
fn is_special(name: &str) -> bool {
    const OTHERS: [&str; 14] = [
        "%envreg",
        "%pm",
        "%clusterid",
        "%nclusterid",
        "%cluster_ctaid",
        "%cluster_nctaid",
        "%cluster_ctarank",
        "%cluster_nctarank",
        "%is_explicit_cluster",
        "%reserved_smem_offset",
        "%total_smem_size",
        "%aggr_smem_size",
        "%dynamic_smem_size",
        "%current_graph_exec",
    ];
    let base = name.split_once('.').map_or(name, |(base, _)| base);
    let front = base.trim_end_matches(|letter: char| letter.is_ascii_digit());
    OTHERS.iter().any(|other| *other == base || *other == front)
}

/// Whether a space holds no parameter and no variable of a thread's own.
fn is_elsewhere(space: Space) -> bool {
    matches!(space, Space::Global | Space::Shared | Space::Const)
}

/// Lists operands in order, those in braces one by one.
pub fn flat(operands: &[Operand]) -> impl Iterator<Item = &Operand> {
    operands.iter().flat_map(|operand| match operand {
        Operand::Vector(each) => each.as_slice(),
        one => std::slice::from_ref(one),
    })
}
