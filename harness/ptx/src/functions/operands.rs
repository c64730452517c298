//! What an instruction does, from how it is written.

use vectors::Variant;

use super::action::{Action, Address, Call, Source, Target};
use super::code::Writer;
use super::declared::Named;
use crate::interpreter::{Problem, integer};
use crate::syntax::{Carried, Carry, Instruction, Integer, Opcode, Operand, Scalar, Space};

impl<'a> Writer<'a, '_> {
    /// What an instruction does. Steps that prepare it are written down.
    pub fn action(&mut self, of: &'a Instruction) -> Result<Action, Problem> {
        let unsupported = || Problem::Unsupported(of.to_string());
        let other = || Problem::Operands(of.to_string());
        match (&of.opcode, of.operands.as_slice()) {
            (Opcode::Return, []) => Ok(Action::Return),
            (Opcode::Exit | Opcode::Trap, []) => Ok(Action::End),
            (Opcode::Branch | Opcode::BranchUniform, [Operand::Label(label)]) => {
                self.branches.push((self.steps.len(), label));
                // Labels may come later.
                Ok(Action::Return)
            }
            (Opcode::BranchIndexed, [index, Operand::Register(table)]) => {
                self.tables.push((self.steps.len(), table));
                Ok(Action::BranchIndexed { index: self.source(index, of)?, targets: Vec::new() })
            }
            (Opcode::Call | Opcode::CallUniform, operands) => self.call(operands, of),
            (Opcode::Load(space, ty), [into, at]) => {
                self.load(*space, std::slice::from_ref(into), *ty, at, of)
            }
            (Opcode::Store(space, ty), [at, from]) => {
                self.store(*space, std::slice::from_ref(from), *ty, at, of)
            }
            (Opcode::Access(access), [first, second]) => {
                let (at, data) = if access.stores { (first, second) } else { (second, first) };
                let data = match data {
                    Operand::Vector(each) => each.as_slice(),
                    one => std::slice::from_ref(one),
                };
                match (data.len() == access.lanes, access.stores) {
                    (false, _) => Err(other()),
                    (true, true) => self.store(access.space, data, access.ty, at, of),
                    (true, false) => self.load(access.space, data, access.ty, at, of),
                }
            }
            (Opcode::Integer(Integer::Move(ty)), [Operand::Vector(each), from]) => {
                let part = part(*ty, each).ok_or_else(unsupported)?;
                let into = each.iter().map(|one| self.target(one, part, false, of));
                let into = into.collect::<Result<_, _>>()?;
                Ok(Action::Unpack { into, from: self.source(from, of)?, part })
            }
            (Opcode::Integer(Integer::Move(ty)), [into, Operand::Vector(each)]) => {
                let part = part(*ty, each).ok_or_else(unsupported)?;
                let from = each.iter().map(|one| self.source(one, of)).collect::<Result<_, _>>()?;
                Ok(Action::Pack { into: self.target(into, ty.width(), false, of)?, from, part })
            }
            (Opcode::Integer(integer), [into, sources @ ..])
                if sources.len() == integer::sources(*integer) =>
            {
                if !integer::is_legal(*integer) {
                    return Err(unsupported());
                }
                let (bits, signed) = given(*integer);
                let (into, opposite) = match into {
                    Operand::Pair(one, other) => {
                        if !matches!(integer, Integer::Compare(..) | Integer::CompareWith(..)) {
                            return Err(unsupported());
                        }
                        (one.as_str().into(), Some(Operand::from(other.as_str())))
                    }
                    one => (one.clone(), None),
                };
                let into = self.target(&into, bits, signed, of)?;
                let opposite = opposite.map(|one| self.target(&one, 1, false, of)).transpose()?;
                let sources = sources.iter().map(|one| self.source(one, of));
                let sources = sources.collect::<Result<_, _>>()?;
                Ok(Action::Compute { integer: *integer, into, opposite, sources })
            }
            (Opcode::Carry(carry), [into, sources @ ..]) if sources.len() == carried(carry) => {
                let flag = match self.flag {
                    Some(flag) => flag,
                    None => *self.flag.insert(self.declared.unnamed("CC.CF")),
                };
                let signed = matches!(carry.ty, Scalar::Signed(_));
                let into = self.target(into, carry.ty.width(), signed, of)?;
                let sources = sources.iter().map(|one| self.source(one, of));
                Ok(Action::Carry {
                    carry: *carry,
                    into,
                    flag,
                    sources: sources.collect::<Result<_, _>>()?,
                })
            }
            (Opcode::Tested(_), [into, sources @ ..]) => self.tested(into, sources, of),
            (Opcode::Integer(_) | Opcode::Carry(_) | Opcode::Access(_), _) => Err(other()),
            (Opcode::Load(..) | Opcode::Store(..), _) => Err(other()),
            _ => Err(unsupported()),
        }
    }

    /// An instruction of the table.
    fn tested(
        &mut self,
        into: &Operand,
        sources: &[Operand],
        of: &Instruction,
    ) -> Result<Action, Problem> {
        let unsupported = || Problem::Unsupported(of.to_string());
        let Opcode::Tested(spelling) = &of.opcode else { return Err(unsupported()) };
        let mut flat = Vec::new();
        let variant: &'static Variant = match of.variant() {
            Some(variant) => {
                for one in sources {
                    match one {
                        Operand::Vector(each) => flat.extend(each),
                        one => flat.push(one),
                    }
                }
                variant
            }
            // Operands that are packed where they stand.
            None => {
                flat.extend(sources);
                let variant = |results| crate::variant(spelling, results, sources.len());
                // The second predicate of a comparison may be left out.
                let second = || variant(2).filter(|variant| variant.outputs().len() == 2);
                variant(into.size()).or_else(second).ok_or_else(unsupported)?
            }
        };
        let results = match into {
            Operand::Pair(one, other) => vec![one.as_str().into(), other.as_str().into()],
            one => vec![one.clone(), Operand::Register("_".into())],
        };
        let mut targets = Vec::new();
        for (result, register) in results.iter().zip(variant.results()) {
            let ty = Scalar::of(&register.ty);
            let signed = matches!(Scalar::read(register.ty.name), Some(Scalar::Signed(_)));
            targets.push(self.target(result, ty.width(), signed, of)?);
        }
        let mut data = Vec::new();
        for (operand, register) in flat.into_iter().zip(variant.operands()) {
            let width = Scalar::of(&register.ty).width();
            data.push(match operand {
                Operand::Vector(each) => {
                    let part = part(Scalar::Bits(width), each).ok_or_else(unsupported)?;
                    let from = each.iter().map(|one| self.source(one, of)).collect::<Result<_, _>>()?;
                    let packed = self.declared.unnamed("{…}");
                    let into = Target::new(packed, width, width, false);
                    self.push(Action::Pack { into, from, part });
                    Source::Register(packed)
                }
                one => self.source(one, of)?,
            });
        }
        Ok(Action::Tested { variant, into: targets, sources: data })
    }

    fn call(&mut self, operands: &[Operand], of: &Instruction) -> Result<Action, Problem> {
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
        let mut joined = |names: &[String], places: Vec<super::memory::Extent>| {
            if names.len() != places.len() {
                return Err(Problem::Operands(of.to_string()));
            }
            let mut joined = Vec::new();
            for (name, place) in names.iter().zip(places) {
                match self.declared.named(name) {
                    Some(Named::Variable(own)) if own.bytes == place.bytes => {
                        joined.push(([own.start, place.start], own.bytes));
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

    fn load(
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

    fn store(
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
                Address::Own(at)
            }
            None => Address::Of(Source::Constant(self.table(base)?), offset),
        })
    }

    /// The address of a variable of the module.
    fn table(&self, name: &str) -> Result<u64, Problem> {
        self.loading.tables.address(name).ok_or_else(|| Problem::Undeclared(name.to_owned()))
    }

    /// The register that an operand is, which an instruction sets with so many bits.
    fn target(
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

    fn source(&mut self, operand: &Operand, of: &Instruction) -> Result<Source, Problem> {
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

/// The bits that an instruction gives, and whether they are an integer with sign.
fn given(integer: Integer) -> (u32, bool) {
    let of = |ty: Scalar| (ty.width(), matches!(ty, Scalar::Signed(_)));
    match integer {
        Integer::Compare(..) | Integer::CompareWith(..) => (1, false),
        Integer::Convert(to, _) | Integer::ConvertSaturated(to, _) | Integer::Set(_, to, _) => of(to),
        Integer::ConvertAddress(_) | Integer::ConvertToGeneric(_) => (64, false),
        Integer::Permute | Integer::Funnel { .. } | Integer::Logic3 => (32, false),
        Integer::Unary(unary, ty) if unary.counts() => (32.min(ty.width()), false),
        Integer::Binary(crate::syntax::Binary::MulWide, ty)
        | Integer::MultiplyAdd(crate::syntax::Binary::MulWide, ty) => (2 * ty.width(), of(ty).1),
        Integer::Move(ty)
        | Integer::Unary(_, ty)
        | Integer::Binary(_, ty)
        | Integer::MultiplyAdd(_, ty)
        | Integer::DifferenceAdd(ty)
        | Integer::Select(ty)
        | Integer::SelectBySign(ty)
        | Integer::ExtractField(ty)
        | Integer::InsertField(ty) => of(ty),
    }
}

/// How many sources an instruction of extended precision has.
fn carried(carry: &Carry) -> usize {
    match carry.of {
        Carried::Add | Carried::Sub => 2,
        Carried::MultiplyAddLow | Carried::MultiplyAddHigh => 3,
    }
}

/// The bits of each part of a word, of which the operands in braces are all.
fn part(ty: Scalar, each: &[Operand]) -> Option<u32> {
    let part = ty.width().checked_div(each.len() as u32)?;
    let whole = part * each.len() as u32 == ty.width();
    (ty.is_legal() && whole && matches!(part, 8 | 16 | 32)).then_some(part)
}
