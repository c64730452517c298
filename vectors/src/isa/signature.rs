//! The registers of an instruction, and how its lanes lie in them.

use super::modifier::Operation;
use super::types::Type;
use crate::format::Format;

/// A register as the manual's syntax line has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// `d`, `a`, `b` …
    pub name: &'static str,
    /// What it holds.
    pub ty: Type,
}

/// Where a lane finds an input, or leaves a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which of the operands, or of the results.
    pub register: usize,
    /// Which lane of that register.
    pub lane: usize,
}

/// A datum that every lane has one of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Its encoding.
    pub format: &'static Format,
    /// Where each lane has it. If all lanes have it in one place, they share it.
    pub places: Vec<Place>,
}

impl Stream {
    /// Whether several lanes read the same datum.
    pub fn is_shared(&self) -> bool {
        self.places.len() > 1 && self.places.iter().all(|place| *place == self.places[0])
    }
}

/// The types of an instruction: those printed in the mnemonic, and those of the registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The types in the mnemonic, in its order.
    pub printed: Vec<Type>,
    /// The destinations.
    pub results: Vec<Register>,
    /// The sources.
    pub operands: Vec<Register>,
    /// What a lane computes from.
    pub inputs: Vec<Stream>,
    /// What a lane gives.
    pub outputs: Vec<Stream>,
}

impl Signature {
    /// Reads the manual's operand list: `d, a, b` or `p|q:pred, a, b, c:pred`, results first, with
    /// bars between several of them. A register's type is written behind it; `dtype`, `atype`,
    /// `btype` and `ctype` are the printed types in order. Without one it is the last printed type.
    ///
    /// # Panics
    /// On a type that does not exist.
    pub fn read(operation: Operation, printed: &[Type], registers: &'static str) -> Signature {
        let last = *printed.last().expect("a mnemonic ends with a type");
        let ty = |name: &str| match name {
            "dtype" => printed[0],
            "atype" => printed[1],
            "btype" => printed[2],
            "ctype" => printed[3],
            name => Type::named(name).unwrap_or_else(|| panic!("`{name}` in `{registers}`")),
        };
        let register = |text: &'static str| match text.trim().split_once(':') {
            Some((name, of)) => Register { name, ty: ty(of) },
            None => Register { name: text.trim(), ty: last },
        };
        let (results, operands) = registers.split_once(',').expect("results, then operands");
        let result_type = register(results).ty;
        let names = results.split(':').next().unwrap_or_default().split('|');
        let results: Vec<Register> =
            names.map(|name| Register { name: name.trim(), ty: result_type }).collect();
        let operands: Vec<Register> = operands.split(',').map(register).collect();
        let (inputs, outputs) = streams(operation, &results, &operands);
        Signature { printed: printed.to_vec(), results, operands, inputs, outputs }
    }

    /// Number of independent lanes.
    pub fn lanes(&self) -> usize {
        self.outputs[0].places.len()
    }

    /// The types as printed: `.f32.bf16`.
    pub fn suffix(&self) -> String {
        self.printed.iter().map(|ty| format!(".{ty}")).collect()
    }
}

/// What a lane computes from, and what it gives.
fn streams(
    operation: Operation,
    results: &[Register],
    operands: &[Register],
) -> (Vec<Stream>, Vec<Stream>) {
    let widest = operands.iter().map(|operand| operand.ty.lanes).max().expect("operands");
    let lanes = results[0].ty.lanes.max(widest);
    let one = |register: usize, of: &[Register]| {
        let Type { format, lanes: have, .. } = of[register].ty;
        let lane = |lane| Place { register, lane: if have == 1 { 0 } else { lane } };
        Stream { format, places: (0..lanes).map(lane).collect() }
    };
    // `cvt.f16x2.f32 d, a, b`: one input whose lanes are registers of their own, the highest first.
    let spread = operation == Operation::Cvt && lanes > 1 && operands[0].ty.lanes == 1;
    let first = if spread {
        let places = (0..lanes).rev().map(|register| Place { register, lane: 0 }).collect();
        vec![Stream { format: operands[0].ty.format, places }]
    } else {
        Vec::new()
    };
    let rest = if spread { lanes } else { 0 };
    let rest = (rest..operands.len()).map(|register| one(register, operands));
    let inputs = first.into_iter().chain(rest).collect();
    // `setp.f16x2 p|q`: one output whose lanes are registers of their own.
    let outputs = if lanes > 1 && results.len() == lanes {
        let places = (0..lanes).map(|register| Place { register, lane: 0 }).collect();
        vec![Stream { format: results[0].ty.format, places }]
    } else {
        (0..results.len()).map(|register| one(register, results)).collect()
    };
    (inputs, outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(operation: Operation, printed: &[&str], registers: &'static str) -> Signature {
        let printed: Vec<Type> = printed.iter().map(|name| Type::named(name).unwrap()).collect();
        Signature::read(operation, &printed, registers)
    }

    fn places(stream: &Stream) -> Vec<(usize, usize)> {
        stream.places.iter().map(|place| (place.register, place.lane)).collect()
    }

    #[test]
    fn registers_are_the_manuals_operand_list() {
        let mixed = read(Operation::Fma, &["f32", "bf16"], "d:dtype, a, b, c:dtype");
        let types: Vec<&str> = mixed.operands.iter().map(|register| register.ty.name).collect();
        assert_eq!(
            (types, mixed.results[0].ty.name, mixed.lanes()),
            (vec!["bf16", "bf16", "f32"], "f32", 1)
        );
        let compared = read(Operation::Setp, &["f32"], "p|q:pred, a, b, c:pred");
        assert_eq!((compared.results.len(), compared.outputs.len(), compared.lanes()), (2, 2, 1));
    }

    #[test]
    fn lanes_are_gathered_from_registers() {
        let two = read(Operation::Cvt, &["f16x2", "f32"], "d:dtype, a, b, rbits:b32");
        assert_eq!((two.lanes(), two.inputs.len()), (2, 2));
        assert_eq!(places(&two.inputs[0]), [(1, 0), (0, 0)], "a is the upper half");
        assert!(two.inputs[1].is_shared() && !two.inputs[0].is_shared());
        let four = read(Operation::Cvt, &["e4m3x4", "f32"], "d:dtype, a, b, e, f, rbits:b32");
        assert_eq!(places(&four.inputs[0]), [(3, 0), (2, 0), (1, 0), (0, 0)]);
        let packed = read(Operation::Setp, &["f16x2"], "p|q:pred, a, b");
        assert_eq!((packed.lanes(), packed.outputs.len()), (2, 1));
        assert_eq!(places(&packed.outputs[0]), [(0, 0), (1, 0)]);
        let up = read(Operation::Cvt, &["bf16x2", "e4m3x2"], "d:dtype, a, scale:ue8m0x2");
        assert_eq!(places(&up.inputs[1]), [(1, 0), (1, 1)]);
    }
}
