//! Lowers instructions of integers and of the table, loads, stores and branches to steps.

use isa::Variant;
use isa::matrix::MatrixVariant;
use ptx::syntax::{Binary, Carried, Carry, Instruction, Integer, Opcode, Operand, Scalar, Space, U64};

use super::operands::flat;
use super::step::{Action, Collective, ResultRegister, Source, Step};
use super::{Lowering, Machine};
use crate::integer;
use crate::problem::Problem;
use ptx::variant_of_registers;

impl<'a, M: Machine> Lowering<'a, '_, M> {
    /// Lowers an instruction to a step. Steps that have to be done before it are added.
    pub fn step(&mut self, of: &'a Instruction) -> Result<Step, Problem> {
        let unsupported = || Problem::Unsupported(of.to_string());
        let other = || Problem::Operands(of.to_string());
        let alone = |action| Step::new(action, Vec::new(), Vec::new());
        match (&of.opcode, of.operands.as_slice()) {
            (Opcode::Return, []) => Ok(alone(Action::Return)),
            (Opcode::Exit | Opcode::Trap, []) => Ok(alone(Action::End)),
            (Opcode::Branch | Opcode::BranchUniform, [Operand::Label(label)]) => {
                self.branches.push((self.steps.len(), label));
                // A label may come later: until `settle_branches` knows it, a return stands in the place of the branch.
                Ok(alone(Action::Return))
            }
            (Opcode::BranchIndexed, [index, Operand::Register(table)]) => {
                self.tables.push((self.steps.len(), table));
                let from = vec![self.source(index, of)?];
                Ok(Step::new(Action::BranchIndexed(Vec::new()), Vec::new(), from))
            }
            (Opcode::Call | Opcode::CallUniform, operands) => self.call(operands, of),
            // One element may stand in braces, too.
            (Opcode::Load(space, ty), [into, at]) if into.size() == 1 => {
                self.load(*space, elements(into), *ty, at, of)
            }
            (Opcode::Store(space, ty), [at, from]) if from.size() == 1 => {
                self.store(*space, elements(from), *ty, at, of)
            }
            (Opcode::Access(access), [first, second]) => {
                let (at, data) = if access.stores { (first, second) } else { (second, first) };
                let data = elements(data);
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
                Ok(Step::new(Action::Unpack(part), into, vec![self.source(from, of)?]))
            }
            (Opcode::Integer(Integer::Move(ty)), [into, Operand::Vector(each)]) => {
                let part = part(*ty, each).ok_or_else(unsupported)?;
                let from = self.sources(each, of)?;
                let into = vec![self.target(into, ty.width(), false, of)?];
                Ok(Step::new(Action::Pack(part), into, from))
            }
            (Opcode::Integer(integer), [into, sources @ ..])
                if sources.len() == integer::sources(*integer) =>
            {
                self.compute(*integer, into, sources, of)
            }
            (Opcode::Carry(carry), [into, sources @ ..]) if sources.len() == carried(carry) => {
                if !integer::carries(*carry) {
                    return Err(unsupported());
                }
                // PTX declares no register of the carry, and there is one: it is made where it is first needed.
                let flag = match self.flag {
                    Some(flag) => flag,
                    None => *self.flag.insert(self.names.unnamed("CC.CF", 1)),
                };
                let signed = matches!(carry.ty, Scalar::Signed(_));
                let mut into = vec![self.target(into, carry.ty.width(), signed, of)?];
                let mut from = self.sources(sources, of)?;
                into.extend(carry.gives.then_some(ResultRegister::whole_register(flag, 1)));
                from.extend(carry.takes.then_some(Source::Register(flag)));
                Ok(Step::new(Action::Carry(*carry), into, from))
            }
            (Opcode::Tested(spelling), [into, sources @ ..]) => {
                if let Some(matrix) = of.matrix() {
                    return self.matrix(matrix, into, sources, of);
                }
                let variant = of.variant();
                if let Some(variant) = variant
                    && let Some(step) = self.table_collective(variant, of)?
                {
                    return Ok(step);
                }
                self.tested(spelling, variant, into, sources, of)
            }
            (Opcode::Tested(_), []) => Err(unsupported()),
            (Opcode::Together(together), operands) if M::HAS_BLOCKS => {
                self.together(together.does, operands, of)
            }
            (Opcode::Together(_), _) => Err(unsupported()),
            _ => self.collective(of),
        }
    }

    /// Lowers an instruction of integers.
    fn compute(
        &mut self,
        integer: Integer,
        into: &Operand,
        sources: &[Operand],
        of: &Instruction,
    ) -> Result<Step, Problem> {
        let unsupported = || Problem::Unsupported(of.to_string());
        // Where threads have a block, addresses of shared memory differ from generic ones, and are converted.
        let is_of_block = M::HAS_BLOCKS
            && matches!(
                integer,
                Integer::ConvertAddress(Space::Shared) | Integer::ConvertToGeneric(Space::Shared)
            );
        if !is_of_block && !integer::is_legal(integer) {
            return Err(unsupported());
        }
        let (bits, signed) = integer_result(integer);
        let compares = matches!(integer, Integer::Compare(..) | Integer::CompareWith(..));
        let into = match into {
            Operand::Pair(one, other) if compares => [one, other]
                .map(|name| self.target(&name.as_str().into(), bits, signed, of))
                .into_iter()
                .collect::<Result<_, _>>()?,
            Operand::Pair(..) => return Err(unsupported()),
            one => vec![self.target(one, bits, signed, of)?],
        };
        // `mov` and `cvta` alone take the address of shared memory, so `source` refuses such a name.
        let start = match (integer, sources) {
            (Integer::Move(ty), [from]) => self.named_address(ty, from),
            (Integer::ConvertToGeneric(_), [from]) => self.named_address(U64, from),
            _ => None,
        };
        let from = start.map_or_else(|| self.sources(sources, of), |start| Ok(vec![start]))?;
        Ok(Step::new(Action::Compute(integer), into, from))
    }

    /// Lowers a matrix instruction. The machine judges later whether it has as many registers as it needs.
    fn matrix(
        &mut self,
        matrix: &'static MatrixVariant,
        into: &Operand,
        sources: &[Operand],
        of: &Instruction,
    ) -> Result<Step, Problem> {
        let (into, from) = (self.whole_registers(into, of)?, self.sources(flat(sources), of)?);
        Ok(Step::new(Action::Collective(Collective::Matrix(matrix)), into, from))
    }

    /// Lowers an instruction of the table that each thread executes for itself; `variant` is what it is if no operand
    /// is packed where it stands.
    fn tested(
        &mut self,
        spelling: &str,
        variant: Option<&'static Variant>,
        into: &Operand,
        sources: &[Operand],
        of: &Instruction,
    ) -> Result<Step, Problem> {
        let unsupported = || Problem::Unsupported(of.to_string());
        // The manual does not have it, and compilers write it: 1.0 where the comparison gives all ones.
        if let Some(comparison) =
            spelling.strip_suffix(".bf16.bf16").filter(|one| one.starts_with("set."))
        {
            let ones = self.tested(&format!("{comparison}.u16.bf16"), None, into, sources, of)?;
            self.push(ones);
            let integer = Integer::Binary(Binary::And, Scalar::Bits(16));
            let from = vec![self.source(into, of)?, Source::Constant(0x3f80)];
            let into = vec![self.target(into, 16, false, of)?];
            return Ok(Step::new(Action::Compute(integer), into, from));
        }
        // An operand that is packed where it stands counts as one source; elsewhere each register in braces counts.
        let (variant, operands) = match variant {
            Some(variant) => (variant, flat(sources).collect()),
            None => {
                let variant = |results| variant_of_registers(spelling, results, sources.len());
                // The second predicate of a comparison may be left out.
                let second = || variant(2).filter(|variant| variant.outputs().len() == 2);
                let variant = variant(into.size()).or_else(second).ok_or_else(unsupported)?;
                (variant, sources.iter().collect::<Vec<_>>())
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
        for (operand, register) in operands.into_iter().zip(variant.operands()) {
            let width = Scalar::of(&register.ty).width();
            data.push(match operand {
                Operand::Vector(each) => {
                    let part = part(Scalar::Bits(width), each).ok_or_else(unsupported)?;
                    let from = self.sources(each, of)?;
                    let packed = self.names.unnamed("{…}", width);
                    let into = vec![ResultRegister::whole_register(packed, width)];
                    self.push(Step::new(Action::Pack(part), into, from));
                    Source::Register(packed)
                }
                one => self.source(one, of)?,
            });
        }
        Ok(Step::new(Action::Tested(variant), targets, data))
    }
}

/// Returns the number of bits that an instruction gives, and whether they are an integer with sign.
fn integer_result(integer: Integer) -> (u32, bool) {
    let of = |ty: Scalar| (ty.width(), matches!(ty, Scalar::Signed(_)));
    match integer {
        Integer::Compare(..) | Integer::CompareWith(..) => (1, false),
        Integer::Convert(to, _) | Integer::ConvertSaturated(to, _) | Integer::Set(_, to, _) => of(to),
        Integer::ConvertAddress(_) | Integer::ConvertToGeneric(_) => (64, false),
        Integer::Permute | Integer::Funnel { .. } | Integer::Logic3 => (32, false),
        // A count has 32 bits, of a word of 64 bits as well (PTX ISA, `clz`, `popc` and `bfind`).
        Integer::Unary(unary, _) if unary.counts() => (32, false),
        Integer::Binary(Binary::MulWide, ty) | Integer::MultiplyAdd(Binary::MulWide, ty) => {
            (2 * ty.width(), of(ty).1)
        }
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

/// Returns the number of sources of an instruction of extended precision.
fn carried(carry: &Carry) -> usize {
    match carry.of {
        Carried::Add | Carried::Sub => 2,
        Carried::MultiplyAddLow | Carried::MultiplyAddHigh => 3,
    }
}

/// Returns the elements that a load or a store moves: those in braces, or the operand itself.
fn elements(operand: &Operand) -> &[Operand] {
    match operand {
        Operand::Vector(each) => each,
        one => std::slice::from_ref(one),
    }
}

/// Returns the bits of each part of a word whose parts are the operands in braces; `None` if it has no such parts.
fn part(ty: Scalar, each: &[Operand]) -> Option<u32> {
    let part = ty.width().checked_div(each.len() as u32)?;
    let whole = part * each.len() as u32 == ty.width();
    (ty.is_legal() && whole && matches!(part, 8 | 16 | 32)).then_some(part)
}
