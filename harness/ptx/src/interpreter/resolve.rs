//! Names become places: registers, labels and operands are looked up before anything is run.

mod shared;

use std::collections::HashMap;

use isa::{Site, Variant};

use super::fragments::Fragments;
use super::integer;
use super::scopes::{Named, Scopes};
use super::{Action, Address, Error, Problem, Program, Source, Step, Tested, WARP};
use crate::syntax::{Instruction, Integer, Opcode, Operand, Scalar, Space, Statement};
use crate::warp::MEMBERS;

/// Deeper braces no kernel has.
const MOST_NESTED: usize = 16;

pub fn program(body: &[Statement]) -> Result<Program, Error> {
    let mut resolver = Resolver {
        scopes: Scopes::default(),
        labels: HashMap::new(),
        steps: Vec::new(),
        branches: Vec::new(),
    };
    resolver.body(body, 0).map_err(|problem| resolver.error(problem))?;
    let Resolver { scopes, labels, mut steps, branches } = resolver;
    for (number, label) in branches {
        let (Some(step), Some(&target)) = (steps.get_mut(number), labels.get(&label)) else {
            return Err(Error { instruction: number + 1, problem: Problem::NoLabel(label) });
        };
        step.action = Action::Branch(target);
    }
    let (outer, names, shared) = scopes.finish();
    Ok(Program { steps, outer, names, shared })
}

struct Resolver {
    scopes: Scopes,
    /// The step behind each label.
    labels: HashMap<String, usize>,
    steps: Vec<Step>,
    /// The steps that branch, and where to.
    branches: Vec<(usize, String)>,
}

impl Resolver {
    fn error(&self, problem: Problem) -> Error {
        Error { instruction: self.steps.len() + 1, problem }
    }

    fn body(&mut self, body: &[Statement], nested: usize) -> Result<(), Problem> {
        for statement in body {
            match statement {
                Statement::Label(name) => {
                    if self.labels.insert(name.clone(), self.steps.len()).is_some() {
                        return Err(Problem::Redeclared(name.clone()));
                    }
                }
                Statement::Declaration(declaration) => self.scopes.declare(declaration)?,
                Statement::Variable(_) | Statement::Targets { .. } => {
                    return Err(Problem::Unsupported(statement.to_string()));
                }
                Statement::Shared { name, bytes, align } => self.scopes.share(name, *bytes, *align)?,
                Statement::Block(_) if nested == MOST_NESTED => return Err(Problem::Nested),
                Statement::Block(body) => {
                    self.scopes.open();
                    self.body(body, nested + 1)?;
                    self.scopes.close();
                }
                Statement::Instruction(instruction) => {
                    let step = self.step(instruction)?;
                    self.steps.push(step);
                }
            }
        }
        Ok(())
    }

    /// The register that an operand is.
    fn target(&self, operand: &Operand, of: &Instruction) -> Result<usize, Problem> {
        match operand {
            Operand::Register(name) => self.scopes.register(name),
            _ => Err(Problem::Operands(of.to_string())),
        }
    }

    fn source(&self, operand: &Operand, of: &Instruction) -> Result<Source, Problem> {
        Ok(match operand {
            Operand::Register(name) => Source::Register(self.scopes.register(name)?),
            Operand::Special(special) => Source::Special(*special),
            Operand::Immediate(immediate) => Source::Constant(immediate.value),
            Operand::Single(bits) => Source::Constant((*bits).into()),
            Operand::Double(bits) => Source::Constant(*bits),
            _ => return Err(Problem::Operands(of.to_string())),
        })
    }

    /// What a register points to, or a variable of shared memory is.
    fn address(&self, space: Space, base: &str, offset: Option<u64>) -> Result<Address, Problem> {
        let base = match self.scopes.named(base) {
            Some(Named::Shared(start)) if space == Space::Shared => Source::Constant(start),
            _ => Source::Register(self.scopes.register(base)?),
        };
        Ok(Address { space, base, offset: offset.unwrap_or(0) })
    }

    fn step(&mut self, instruction: &Instruction) -> Result<Step, Problem> {
        let mut guard = None;
        if let Some(of) = &instruction.guard {
            guard = Some((self.scopes.register(&of.predicate)?, !of.negated));
            let word = instruction.variant().is_some_and(Variant::is_in_memory);
            let stores =
                matches!(instruction.opcode, Opcode::Branch | Opcode::Return | Opcode::Store(..));
            if !stores && !word {
                return Err(Problem::Guarded);
            }
        }
        Ok(Step { guard, action: self.action(instruction)? })
    }

    fn action(&mut self, of: &Instruction) -> Result<Action, Problem> {
        let unsupported = || Problem::Unsupported(of.to_string());
        Ok(match (&of.opcode, of.operands.as_slice()) {
            (Opcode::Return, []) => Action::Return,
            (Opcode::Branch, [Operand::Label(label)]) => {
                self.branches.push((self.steps.len(), label.clone()));
                // Labels may come later.
                Action::Return
            }
            (Opcode::Load(_, ty) | Opcode::Store(_, ty) | Opcode::ReduceAdd(_, ty), _)
                if !ty.is_legal() =>
            {
                return Err(unsupported());
            }
            (Opcode::Load(Space::Param, ty), [into, Operand::Parameter(name)]) => {
                let (into, name) = (self.target(into, of)?, name.clone());
                Action::LoadParameter { into, name, bytes: ty.bytes() }
            }
            (
                Opcode::Load(space @ (Space::Global | Space::Shared), ty),
                [into, Operand::Memory { base, offset }],
            ) => {
                let at = self.address(*space, base, *offset)?;
                Action::Load { into: self.target(into, of)?, at, bytes: ty.bytes() }
            }
            (
                Opcode::Store(space @ (Space::Global | Space::Shared), ty),
                [Operand::Memory { base, offset }, from],
            ) => {
                let at = self.address(*space, base, *offset)?;
                Action::Store { at, bytes: ty.bytes(), from: self.source(from, of)? }
            }
            (Opcode::ReduceAdd(Space::Global, ty), [Operand::Memory { base, offset }, from]) => {
                let at = self.address(Space::Global, base, *offset)?;
                Action::ReduceAdd { at, bytes: ty.bytes(), from: self.source(from, of)? }
            }
            (Opcode::Shuffle, [into, from, Operand::Immediate(distance), _, _]) => {
                let flipped = usize::try_from(distance.value).ok().filter(|&flipped| flipped < WARP);
                Action::Shuffle {
                    into: self.target(into, of)?,
                    from: self.source(from, of)?,
                    flipped: flipped.ok_or_else(unsupported)?,
                }
            }
            (Opcode::Tile(tile), operands) => Action::Tile(self.tile(tile, operands, of)?),
            (Opcode::WarpBarrier, [Operand::Immediate(members)]) => match members.value {
                MEMBERS => Action::WarpBarrier,
                _ => return Err(unsupported()),
            },
            (Opcode::ProxyFence, []) => Action::ProxyFence,
            (Opcode::BulkCommit, []) => Action::BulkCommit,
            (Opcode::BulkWait, [Operand::Immediate(groups)]) => match groups.value {
                0 => Action::BulkWait,
                _ => return Err(unsupported()),
            },
            (Opcode::Barrier, [Operand::Immediate(number)]) => match number.value {
                0 => Action::Barrier,
                _ => return Err(unsupported()),
            },
            (Opcode::Integer(Integer::Move(ty)), [into, from]) if self.start(*ty, from).is_some() => {
                let from = Source::Constant(self.start(*ty, from).unwrap_or_default());
                let sources = vec![from];
                Action::Compute { integer: Integer::Move(*ty), into: self.target(into, of)?, sources }
            }
            (Opcode::Integer(Integer::Move(ty)), [Operand::Vector(halves), from]) => {
                let (half, [low, high]) = two_halves(*ty, halves, of)?;
                let into = [self.target(low, of)?, self.target(high, of)?];
                Action::Unpack { into, from: self.source(from, of)?, half }
            }
            (Opcode::Integer(Integer::Move(ty)), [into, Operand::Vector(halves)]) => {
                let (half, [low, high]) = two_halves(*ty, halves, of)?;
                let from = [self.source(low, of)?, self.source(high, of)?];
                Action::Pack { into: self.target(into, of)?, from, half }
            }
            (Opcode::Integer(integer), [into, sources @ ..])
                if sources.len() == integer::sources(*integer) =>
            {
                if !integer::is_legal(*integer) {
                    return Err(unsupported());
                }
                Action::Compute {
                    integer: *integer,
                    into: self.target(into, of)?,
                    sources: self.sources(sources, of)?,
                }
            }
            (Opcode::Tested(spelling), operands)
                if of.variant().is_some_and(|variant| variant.site() == Site::Bulk) =>
            {
                Action::Bulk(self.bulk(spelling, operands, of)?)
            }
            (Opcode::Tested(spelling), operands) if of.variant().is_some_and(Variant::is_in_memory) => {
                Action::Word(self.word(spelling, operands, of)?)
            }
            (Opcode::Tested(spelling), operands) if of.variant().is_some_and(Variant::is_of_warp) => {
                Action::Reduce(self.reduction(spelling, operands, of)?)
            }
            (Opcode::Tested(spelling), [results, sources @ ..]) => {
                let into = match results {
                    Operand::Pair(one, other) => {
                        vec![self.scopes.register(one)?, self.scopes.register(other)?]
                    }
                    one => self.targets(one, of)?,
                };
                let matrix = of.matrix();
                if matrix.is_some_and(|matrix| {
                    !Fragments::of(matrix).is_some_and(|fragments| fragments.takes(&of.operands))
                }) {
                    return Err(Problem::Operands(of.to_string()));
                }
                let sources = self.sources(sources, of)?;
                let reused = |source: &Source| matches!(source, Source::Register(register) if into.contains(register));
                let in_place = sources.iter().any(reused);
                let spelling = spelling.to_string();
                let tested = Tested { spelling, variant: of.variant(), matrix, in_place };
                Action::Tested { tested, into, sources }
            }
            (
                Opcode::Carry(_)
                | Opcode::Access(_)
                | Opcode::BranchUniform
                | Opcode::BranchIndexed
                | Opcode::Call
                | Opcode::CallUniform
                | Opcode::Exit
                | Opcode::Trap,
                _,
            ) => return Err(unsupported()),
            _ => return Err(Problem::Operands(of.to_string())),
        })
    }

    /// The address that an operand stands for, in a type that has such.
    fn start(&self, ty: Scalar, operand: &Operand) -> Option<u64> {
        let Operand::Register(name) = operand else { return None };
        match self.scopes.named(name)? {
            Named::Shared(start) if matches!(ty.width(), 32 | 64) => Some(start),
            _ => None,
        }
    }

    /// The registers that an operand is, in braces or one.
    fn targets(&self, operand: &Operand, of: &Instruction) -> Result<Vec<usize>, Problem> {
        match operand {
            Operand::Vector(each) => each.iter().map(|one| self.target(one, of)).collect(),
            one => Ok(vec![self.target(one, of)?]),
        }
    }

    /// Sources in order, those in braces one by one.
    fn sources(&self, operands: &[Operand], of: &Instruction) -> Result<Vec<Source>, Problem> {
        let mut sources = Vec::with_capacity(operands.len());
        for operand in operands {
            match operand {
                Operand::Vector(each) => {
                    for one in each {
                        sources.push(self.source(one, of)?);
                    }
                }
                one => sources.push(self.source(one, of)?),
            }
        }
        Ok(sources)
    }
}

/// The bits of each half of a word, and the operands in braces that stand for them.
fn two_halves<'a>(
    ty: Scalar,
    each: &'a [Operand],
    of: &Instruction,
) -> Result<(u32, &'a [Operand; 2]), Problem> {
    let half = ty.width() / 2;
    match <&[Operand; 2]>::try_from(each) {
        Ok(each) if ty.is_legal() && half >= 8 => Ok((half, each)),
        _ => Err(Problem::Unsupported(of.to_string())),
    }
}
