//! Sums, products, quotients and roots.

use vectors::format::{self, Format};
use vectors::isa::{Modifier, Operation};
use vectors::{Variant, lanes::Element};

use super::{alone, modifiers};
use crate::elements::{Columns, Elements, Preparation};
use crate::instruction::{Add, Convert, Divide, Fma, Mul, OutOfBounds, Reciprocal, Root};
use crate::layout::{BF16, E5M2, Encoding, F16, F32, F64, Layout};
use crate::machine::{Machine, program, wide_program};
use crate::rules::{Clamp, FTZ, Modifiers, RELU, Rules, SAT, Set};

/// `add`, `sub`, `mul`, `fma` and `mad`.
pub fn select(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    let result = variant.outputs()[0].format;
    let operands: Vec<&Format> = variant.inputs().iter().map(|input| input.format).collect();
    let uniform = operands.iter().all(|operand| *operand == result);
    let operation = variant.operation();
    match result.name {
        "f16" | "bf16" if uniform => half(variant, machine),
        "f32" if uniform => single(operation, Rules::new(result, modifiers(variant)), machine),
        "f32" if operands[..operands.len() - 1].iter().all(|factor| factor.width() == 16) => {
            mixed(variant, machine)
        }
        "f64" => double(operation, Rules::new(result, modifiers(variant)), machine),
        _ => any(variant, machine),
    }
}

/// Instructions of one 16-bit format: the hot kernels, whose modifiers are constants.
fn half(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    let Modifiers { flush_operands, clamp, .. } = modifiers(variant);
    let clamp = match clamp {
        Clamp::Unit => SAT,
        Clamp::Positive => RELU,
        _ => 0,
    };
    let set = clamp | if flush_operands { FTZ } else { 0 };
    let oob = variant.has(Modifier::Oob);
    let operation = variant.operation();
    if variant.outputs()[0].format == &format::F16 {
        const FTZ_SAT: u32 = FTZ | SAT;
        const FTZ_RELU: u32 = FTZ | RELU;
        match set {
            0 => constant::<F16, u16, 0>(operation, oob, machine),
            FTZ => constant::<F16, u16, FTZ>(operation, oob, machine),
            SAT => constant::<F16, u16, SAT>(operation, oob, machine),
            FTZ_SAT => constant::<F16, u16, FTZ_SAT>(operation, oob, machine),
            RELU => constant::<F16, u16, RELU>(operation, oob, machine),
            FTZ_RELU => constant::<F16, u16, FTZ_RELU>(operation, oob, machine),
            _ => None,
        }
    } else {
        match set {
            0 => constant::<BF16, u16, 0>(operation, oob, machine),
            RELU => constant::<BF16, u16, RELU>(operation, oob, machine),
            _ => None,
        }
    }
}

/// An instruction of which all formats are one that is a constant, with modifiers that are too.
fn constant<F: Encoding, E: Element, const M: u32>(
    operation: Operation,
    oob: bool,
    machine: Machine,
) -> Option<Box<dyn Columns>> {
    let (factors, result, rules) = ([F::default(); 2], F::default(), Set::<F, M>::default());
    let fma = Fma { factors, result, rules };
    let add = |subtract| Add { operands: (result, result), subtract, result, rules };
    alone::<E>(match operation {
        Operation::Add => program::<u32, _, _, _>(machine, add(false)),
        Operation::Sub => program::<u32, _, _, _>(machine, add(true)),
        Operation::Mul => program::<u32, _, _, _>(machine, Mul { factors, result, rules }),
        _ if oob => program::<u32, _, _, _>(machine, OutOfBounds(fma)),
        _ => program::<u32, _, _, _>(machine, fma),
    })
}

/// `mul` or `fma` of a format without modifiers: of those that have hot kernels, and of e5m2, whose
/// operands are few enough to try them all.
pub fn unmodified(operation: Operation, format: &Format, machine: Machine) -> Option<Box<dyn Columns>> {
    match format.name {
        "e5m2" => constant::<E5M2, u8, 0>(operation, false, machine),
        "f16" => constant::<F16, u16, 0>(operation, false, machine),
        "bf16" => constant::<BF16, u16, 0>(operation, false, machine),
        _ => None,
    }
}

/// Operands of 16 bits, addend and result f32.
fn mixed(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    fn of<F: Encoding>(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
        let rules = Rules::new(&format::F32, modifiers(variant));
        let (factor, result) = (F::default(), F32);
        let add = |subtract| Add { operands: (factor, result), subtract, result, rules };
        alone::<u32>(match variant.operation() {
            Operation::Add => program::<u32, _, _, _>(machine, add(false)),
            Operation::Sub => program::<u32, _, _, _>(machine, add(true)),
            Operation::Fma => {
                program::<u32, _, _, _>(machine, Fma { factors: [factor; 2], result, rules })
            }
            _ => None,
        })
    }
    match variant.inputs()[0].format.name {
        "f16" => of::<F16>(variant, machine),
        "bf16" => of::<BF16>(variant, machine),
        _ => None,
    }
}

/// f32. Its products need 64 bits, its sums do not.
fn single(operation: Operation, rules: Rules, machine: Machine) -> Option<Box<dyn Columns>> {
    let (factors, result) = ([F32; 2], F32);
    let add = |subtract| Add { operands: (result, result), subtract, result, rules };
    alone::<u32>(match operation {
        Operation::Add => program::<u32, _, _, _>(machine, add(false)),
        Operation::Sub => program::<u32, _, _, _>(machine, add(true)),
        Operation::Mul => program::<u64, _, _, _>(machine, Mul { factors, result, rules }),
        _ => program::<u64, _, _, _>(machine, Fma { factors, result, rules }),
    })
}

/// f64.
fn double(operation: Operation, rules: Rules, machine: Machine) -> Option<Box<dyn Columns>> {
    let (factors, result) = ([F64; 2], F64);
    let add = |subtract| Add { operands: (result, result), subtract, result, rules };
    alone::<u64>(match operation {
        Operation::Add => wide_program(machine, add(false)),
        Operation::Sub => wide_program(machine, add(true)),
        Operation::Mul => wide_program(machine, Mul { factors, result, rules }),
        _ => wide_program(machine, Fma { factors, result, rules }),
    })
}

/// Any formats of at most 32 bits.
fn any(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    let format = variant.outputs()[0].format;
    let (result, rules) = (Layout::new(format), Rules::new(format, modifiers(variant)));
    let layouts: Vec<Layout> = variant.inputs().iter().map(|input| Layout::new(input.format)).collect();
    let (a, b) = (layouts[0], layouts[1]);
    let add = |subtract| Add { operands: (a, b), subtract, result, rules };
    match variant.operation() {
        Operation::Add => alone::<u32>(program::<u32, _, _, _>(machine, add(false))),
        Operation::Sub => alone::<u32>(program::<u32, _, _, _>(machine, add(true))),
        Operation::Mul if a.precision + b.precision > 32 => {
            let mul = Mul { factors: [a, b], result, rules };
            alone::<u32>(program::<u64, _, _, _>(machine, mul))
        }
        Operation::Mul if result.width == 16 => {
            // A factor of the other 16-bit format is converted to the result's first.
            let rounded = Rules::new(format, Modifiers::NONE);
            let convert = Convert { source: b, result, rules: rounded };
            let mul = Mul { factors: [a, result], result, rules };
            Some(Box::new(Elements {
                programs: vec![program::<u32, _, u32, _>(machine, mul)?],
                last: Some(Preparation::Convert(program::<u32, _, _, _>(machine, convert)?)),
            }))
        }
        Operation::Mul => {
            let mul = Mul { factors: [a, b], result, rules };
            alone::<u32>(program::<u32, _, _, _>(machine, mul))
        }
        _ => {
            let fma = Fma { factors: [a, b], result, rules };
            // Beside f32 only products of narrower factors fit a word of 32 bits.
            alone::<u32>(if a.precision + b.precision > 24 {
                program::<u64, _, _, _>(machine, fma)
            } else {
                program::<u32, _, _, _>(machine, fma)
            })
        }
    }
}

/// `div`, `rcp` and `sqrt`. Approximate forms are rounded to nearest.
pub fn select_division(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    let modifiers = modifiers(variant);
    let operation = variant.operation();
    match variant.outputs()[0].format.name {
        "f32" => {
            let divide = Divide { format: F32, rules: Rules::new(&format::F32, modifiers) };
            alone::<u32>(match operation {
                Operation::Div => program::<u64, _, _, _>(machine, divide),
                Operation::Rcp => program::<u64, _, _, _>(machine, Reciprocal(divide)),
                _ => program::<u64, _, _, _>(machine, Root(divide)),
            })
        }
        "f64" => {
            let divide = Divide { format: F64, rules: Rules::new(&format::F64, modifiers) };
            alone::<u64>(match operation {
                Operation::Div => wide_program(machine, divide),
                Operation::Rcp => wide_program(machine, Reciprocal(divide)),
                _ => wide_program(machine, Root(divide)),
            })
        }
        _ => None,
    }
}
