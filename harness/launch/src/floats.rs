//! Finds the parameters, and the fields of structures, that a program uses as floating-point numbers: newer compilers
//! declare registers and parameters by their bits alone.

use std::collections::{HashMap, HashSet};

use ptx::syntax::{Integer, Opcode, Operand, Scalar, Space, Statement, each_instruction};

/// The types of instructions that take floating-point numbers.
const FLOATS: [&str; 7] = ["f16", "bf16", "f16x2", "bf16x2", "tf32", "f32", "f64"];

/// The places in parameters that are used as floating-point numbers: the name of each parameter, and the bytes before the
/// place.
pub struct FloatPlaces<'a>(HashSet<(&'a str, usize)>);

impl<'a> FloatPlaces<'a> {
    /// Finds the places that a program uses so.
    pub fn of(body: &'a [Statement]) -> FloatPlaces<'a> {
        let (mut floats, mut copied_from) = (Vec::new(), HashMap::<&str, Vec<&str>>::new());
        let mut loads = Vec::new();
        each_instruction(body, &mut |instruction| {
            let operands = instruction.operands.as_slice();
            match (&instruction.opcode, operands) {
                (Opcode::Tested(text), [_, sources @ ..]) if takes_floats(text) => {
                    floats.extend(sources.iter().flat_map(registers));
                }
                (Opcode::Integer(Integer::Move(_)), [to, from]) => {
                    for (to, from) in registers(to).into_iter().zip(registers(from)) {
                        copied_from.entry(to).or_default().push(from);
                    }
                }
                (Opcode::Integer(Integer::Select(_)), [to, one, other, _]) => {
                    for to in registers(to) {
                        let from = registers(one).into_iter().chain(registers(other));
                        copied_from.entry(to).or_default().extend(from);
                    }
                }
                (Opcode::Load(Space::Param, ty), [to, at]) => loads.push((*ty, to, at)),
                (Opcode::Access(access), [to, at]) if access.space == Space::Param => {
                    loads.push((access.ty, to, at));
                }
                _ => {}
            }
        });
        let mut known: HashSet<&str> = HashSet::new();
        while let Some(register) = floats.pop() {
            if known.insert(register) {
                floats.extend(copied_from.get(register).into_iter().flatten().copied());
            }
        }
        let mut places = HashSet::new();
        for (ty, to, at) in loads {
            let (base, offset) = match at {
                Operand::Parameter(base) => (base.as_str(), 0),
                Operand::Memory { base, offset } => (base.as_str(), offset.unwrap_or(0) as usize),
                _ => continue,
            };
            for (number, register) in registers(to).into_iter().enumerate() {
                if matches!(ty, Scalar::Float(..)) || known.contains(register) {
                    places.insert((base, offset.wrapping_add(number * ty.bytes())));
                }
            }
        }
        FloatPlaces(places)
    }

    /// Whether a place of a parameter is used so.
    pub fn has(&self, parameter: &str, offset: usize) -> bool {
        self.0.contains(&(parameter, offset))
    }
}

/// Whether the sources of an instruction are floating-point numbers: the last of its types is theirs.
fn takes_floats(text: &str) -> bool {
    text.rsplit('.').next().is_some_and(|ty| FLOATS.contains(&ty))
}

/// Lists the registers of an operand.
fn registers(operand: &Operand) -> Vec<&str> {
    match operand {
        Operand::Register(name) => vec![name],
        Operand::Vector(each) => each.iter().flat_map(registers).collect(),
        _ => Vec::new(),
    }
}
