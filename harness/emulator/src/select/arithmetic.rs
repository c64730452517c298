//! Sums, products, quotients and roots.

use vectors::format::{self, Format};
use vectors::isa::{Clamp, Meaning, Op, Rounding};
use vectors::{Variant, lanes::Element};

use super::alone;
use crate::elements::{Columns, Elements, Preparation};
use crate::instruction::{Add, Convert, Divide, Fma, Mul, OutOfBounds, Reciprocal, Root};
use crate::layout::{BF16, E5M2, F16, F32, F64, Layout};
use crate::machine::{Machine, program, wide_program};
use crate::rules::{Bf16Plain, Bf16Relu, E5m2Plain, Rules};
use crate::rules::{F16Ftz, F16FtzRelu, F16FtzSat, F16Plain, F16Relu, F16Sat};
use crate::spec::Spec;

/// `add`, `sub`, `mul`, `fma` and `mad`.
pub fn select(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    let (result, meaning) = (variant.outputs()[0].format, variant.meaning());
    let operands: Vec<&Format> = variant.inputs().iter().map(|input| input.format).collect();
    let uniform = operands.iter().all(|operand| *operand == result);
    let narrow = operands[..operands.len() - 1].iter().all(|factor| factor.width() == 16);
    let nearest = meaning.rounding == Rounding::NearestEven;
    match *result {
        format::F16 | format::BF16 if uniform && nearest => half(variant, machine),
        format::F32 if uniform => single(meaning.op, Rules::of(result, meaning), machine),
        format::F32 if narrow => mixed(variant, machine),
        format::F64 => double(meaning.op, Rules::of(result, meaning), machine),
        _ => any(variant, machine),
    }
}

/// Instructions of one 16-bit format that round to nearest even: the hot kernels, whose modifiers are
/// known when they are compiled.
fn half(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    use format::{BF16 as B, F16 as H};
    let Meaning { op, flush, clamp, out_of_bounds: oob, .. } = *variant.meaning();
    match (*variant.outputs()[0].format, flush.result, clamp) {
        (H, false, Clamp::None) => uniform::<u16>(op, oob, F16, F16Plain, machine),
        (H, true, Clamp::None) => uniform::<u16>(op, oob, F16, F16Ftz, machine),
        (H, false, Clamp::Unit) => uniform::<u16>(op, oob, F16, F16Sat, machine),
        (H, true, Clamp::Unit) => uniform::<u16>(op, oob, F16, F16FtzSat, machine),
        (H, false, Clamp::Positive) => uniform::<u16>(op, oob, F16, F16Relu, machine),
        (H, true, Clamp::Positive) => uniform::<u16>(op, oob, F16, F16FtzRelu, machine),
        (B, false, Clamp::None) => uniform::<u16>(op, oob, BF16, Bf16Plain, machine),
        (B, false, Clamp::Positive) => uniform::<u16>(op, oob, BF16, Bf16Relu, machine),
        _ => any(variant, machine),
    }
}

/// An instruction of which all formats are one, in words of 32 bits.
fn uniform<E: Element>(
    op: Op,
    oob: bool,
    format: impl Spec<Layout>,
    rules: impl Spec<Rules>,
    machine: Machine,
) -> Option<Box<dyn Columns>> {
    let (factors, result) = ([format; 2], format);
    let fma = Fma { factors, result, rules };
    let add = |subtract| Add { operands: (result, result), subtract, result, rules };
    alone::<E>(match op {
        Op::Add => program::<u32, _, _, _>(machine, add(false)),
        Op::Sub => program::<u32, _, _, _>(machine, add(true)),
        Op::Mul => program::<u32, _, _, _>(machine, Mul { factors, result, rules }),
        Op::Fma if oob => program::<u32, _, _, _>(machine, OutOfBounds(fma)),
        Op::Fma => program::<u32, _, _, _>(machine, fma),
        _ => None,
    })
}

/// `mul` or `fma` of a format without modifiers: of those that have hot kernels, and of e5m2, whose
/// operands are few enough to try them all.
pub fn unmodified(op: Op, format: &Format, machine: Machine) -> Option<Box<dyn Columns>> {
    match *format {
        format::E5M2 => uniform::<u8>(op, false, E5M2, E5m2Plain, machine),
        format::F16 => uniform::<u16>(op, false, F16, F16Plain, machine),
        format::BF16 => uniform::<u16>(op, false, BF16, Bf16Plain, machine),
        _ => None,
    }
}

/// Operands of 16 bits, addend and result f32.
fn mixed(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    fn of(factor: impl Spec<Layout>, variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
        let (result, rules) = (F32, Rules::of(&format::F32, variant.meaning()));
        let add = |subtract| Add { operands: (factor, result), subtract, result, rules };
        alone::<u32>(match variant.meaning().op {
            Op::Add => program::<u32, _, _, _>(machine, add(false)),
            Op::Sub => program::<u32, _, _, _>(machine, add(true)),
            Op::Fma => program::<u32, _, _, _>(machine, Fma { factors: [factor; 2], result, rules }),
            _ => None,
        })
    }
    match *variant.inputs()[0].format {
        format::F16 => of(F16, variant, machine),
        format::BF16 => of(BF16, variant, machine),
        _ => None,
    }
}

/// f32. Its products need 64 bits, its sums do not.
fn single(op: Op, rules: Rules, machine: Machine) -> Option<Box<dyn Columns>> {
    let (factors, result) = ([F32; 2], F32);
    let add = |subtract| Add { operands: (result, result), subtract, result, rules };
    alone::<u32>(match op {
        Op::Add => program::<u32, _, _, _>(machine, add(false)),
        Op::Sub => program::<u32, _, _, _>(machine, add(true)),
        Op::Mul => program::<u64, _, _, _>(machine, Mul { factors, result, rules }),
        _ => program::<u64, _, _, _>(machine, Fma { factors, result, rules }),
    })
}

/// f64.
fn double(op: Op, rules: Rules, machine: Machine) -> Option<Box<dyn Columns>> {
    let (factors, result) = ([F64; 2], F64);
    let add = |subtract| Add { operands: (result, result), subtract, result, rules };
    alone::<u64>(match op {
        Op::Add => wide_program(machine, add(false)),
        Op::Sub => wide_program(machine, add(true)),
        Op::Mul => wide_program(machine, Mul { factors, result, rules }),
        _ => wide_program(machine, Fma { factors, result, rules }),
    })
}

/// Any formats of at most 32 bits.
fn any(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    let (format, meaning) = (variant.outputs()[0].format, variant.meaning());
    let (result, rules) = (Layout::new(format), Rules::of(format, meaning));
    let layouts: Vec<Layout> = variant.inputs().iter().map(|input| Layout::new(input.format)).collect();
    let (a, b) = (layouts[0], layouts[1]);
    let add = |subtract| Add { operands: (a, b), subtract, result, rules };
    match meaning.op {
        _ if meaning.out_of_bounds => None,
        Op::Add => alone::<u32>(program::<u32, _, _, _>(machine, add(false))),
        Op::Sub => alone::<u32>(program::<u32, _, _, _>(machine, add(true))),
        Op::Mul if a.precision + b.precision > 32 => {
            let mul = Mul { factors: [a, b], result, rules };
            alone::<u32>(program::<u64, _, _, _>(machine, mul))
        }
        // The last factor is converted to the result's format first.
        Op::Mul if meaning.converted == Some(1) => {
            let convert = Convert { source: b, result, rules: Rules::plain(format) };
            let mul = Mul { factors: [a, result], result, rules };
            Some(Box::new(Elements {
                programs: vec![program::<u32, _, u32, _>(machine, mul)?],
                last: Some(Preparation::Convert(program::<u32, _, _, _>(machine, convert)?)),
            }))
        }
        Op::Mul => {
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
    let (format, meaning) = (variant.outputs()[0].format, variant.meaning());
    let rules = Rules::of(format, meaning);
    match *format {
        format::F32 => {
            let divide = Divide { format: F32, rules };
            alone::<u32>(match meaning.op {
                Op::Div => program::<u64, _, _, _>(machine, divide),
                Op::Rcp => program::<u64, _, _, _>(machine, Reciprocal(divide)),
                _ => program::<u64, _, _, _>(machine, Root(divide)),
            })
        }
        format::F64 => {
            let divide = Divide { format: F64, rules };
            alone::<u64>(match meaning.op {
                Op::Div => wide_program(machine, divide),
                Op::Rcp => wide_program(machine, Reciprocal(divide)),
                _ => wide_program(machine, Root(divide)),
            })
        }
        _ => None,
    }
}
