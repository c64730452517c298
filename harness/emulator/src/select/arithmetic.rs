//! Selects the kernels of sums, products, quotients and roots.

use formats::{Element, Format};
use isa::{Bound, Clamp, Contract, Meaning, Op, Rounding, Variant};

use super::kernel::single_kernel;
use crate::arithmetic::product_fits;
use crate::backend::{Backend, lane_kernel, wide_kernel};
use crate::elements::{ColumnKernel, Elements, Preparation};
use crate::fields::{BF16, E5M2, F16, F32, F64, FloatFields};
use crate::instruction::{
    Accumulate, Add, Convert, Divide, Fma, Fused, Mul, OutOfBounds, Reciprocal, Root, TimesReciprocal,
};
use crate::rules::{
    Bf16Plain, Bf16Relu, E5m2Plain, F16Ftz, F16FtzRelu, F16FtzSat, F16Plain, F16Relu, F16Sat, Rules,
};
use crate::spec::Spec;

/// Returns the kernel of an `add`, `sub`, `mul`, `fma` or `mad`.
pub fn select(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    let (result, meaning) = (variant.outputs()[0].format, variant.meaning());
    let operands: Vec<&Format> = variant.inputs().iter().map(|input| input.format).collect();
    let uniform = operands.iter().all(|operand| *operand == result);
    // The last operand is the addend, which may be of f32.
    let narrow = operands[..operands.len() - 1].iter().all(|factor| factor.width() == 16);
    let nearest = meaning.rounding == Rounding::NearestEven;
    match *result {
        formats::F16 | formats::BF16 if uniform && nearest => half(variant, backend),
        formats::F32 if uniform => single(meaning.op, Rules::of(result, meaning), backend),
        formats::F32 if narrow => mixed(variant, backend),
        formats::F64 => double(meaning.op, Rules::of(result, meaning), backend),
        _ => kernel_of_any_formats(variant, backend),
    }
}

/// Returns the kernel of an instruction of one 16-bit format that rounds to nearest even. These are the hot kernels,
/// whose modifiers are known when they are compiled.
fn half(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    let kernels = KernelMaker { op: variant.meaning().op, backend };
    monomorphised(variant, kernels).unwrap_or_else(|| kernel_of_any_formats(variant, backend))
}

/// A maker of a value from a format and rules that are known when it is compiled; [`monomorphised`] calls it.
pub trait Monomorphised {
    /// The type of the value that is made.
    type Output;

    /// Makes the value from a format and rules.
    fn of(self, format: impl Spec<FloatFields>, rules: impl Spec<Rules>) -> Self::Output;

    /// Makes the value from a fused multiply-add with `.oob`.
    fn of_out_of_bounds(self, fma: impl Fused) -> Self::Output;
}

/// Instantiates `make` with the format and the modifiers of a variant as types; `None` where there is no instance.
pub fn monomorphised<T: Monomorphised>(variant: &Variant, make: T) -> Option<T::Output> {
    use formats::{BF16 as B, F16 as H};
    // The manual does not print the out-of-bounds pattern; this one was measured.
    fn oob<F: Spec<FloatFields>, M: Spec<Rules>>(result: F, rules: M) -> impl Fused {
        OutOfBounds::<_, 0x7fff, 0x7ff7>(Fma { factors: [result; 2], result, rules })
    }
    let Meaning { flush, clamp, out_of_bounds, .. } = *variant.meaning();
    Some(match (*variant.outputs()[0].format, out_of_bounds, flush.result, clamp) {
        (H, false, false, Clamp::None) => make.of(F16, F16Plain),
        (H, false, true, Clamp::None) => make.of(F16, F16Ftz),
        (H, false, false, Clamp::Unit) => make.of(F16, F16Sat),
        (H, false, true, Clamp::Unit) => make.of(F16, F16FtzSat),
        (H, false, false, Clamp::Positive) => make.of(F16, F16Relu),
        (H, false, true, Clamp::Positive) => make.of(F16, F16FtzRelu),
        (H, true, false, Clamp::None) => make.of_out_of_bounds(oob(F16, F16Plain)),
        (H, true, false, Clamp::Positive) => make.of_out_of_bounds(oob(F16, F16Relu)),
        (B, false, false, Clamp::None) => make.of(BF16, Bf16Plain),
        (B, false, false, Clamp::Positive) => make.of(BF16, Bf16Relu),
        (B, true, false, Clamp::None) => make.of_out_of_bounds(oob(BF16, Bf16Plain)),
        (B, true, false, Clamp::Positive) => make.of_out_of_bounds(oob(BF16, Bf16Relu)),
        _ => return None,
    })
}

/// The maker of the kernel of an operation.
struct KernelMaker {
    op: Op,
    backend: Backend,
}

impl Monomorphised for KernelMaker {
    type Output = Option<Box<dyn ColumnKernel>>;

    fn of(self, format: impl Spec<FloatFields>, rules: impl Spec<Rules>) -> Self::Output {
        uniform::<u16>(self.op, format, rules, self.backend)
    }

    fn of_out_of_bounds(self, fma: impl Fused) -> Self::Output {
        single_kernel::<u16>(lane_kernel::<u32, _, _, _>(self.backend, fma))
    }
}

/// Returns the kernel of an instruction all of whose data have one format, in words of 32 bits.
fn uniform<E: Element>(
    op: Op,
    format: impl Spec<FloatFields>,
    rules: impl Spec<Rules>,
    backend: Backend,
) -> Option<Box<dyn ColumnKernel>> {
    let (factors, result) = ([format; 2], format);
    let fma = Fma { factors, result, rules };
    let add = |subtract| Add { operands: (result, result), subtract, result, rules };
    single_kernel::<E>(match op {
        Op::Add => lane_kernel::<u32, _, _, _>(backend, add(false)),
        Op::Sub => lane_kernel::<u32, _, _, _>(backend, add(true)),
        Op::Mul => lane_kernel::<u32, _, _, _>(backend, Mul { factors, result, rules }),
        Op::Fma => lane_kernel::<u32, _, _, _>(backend, fma),
        _ => None,
    })
}

/// Returns the kernel of `mul` or `fma` in a format, without modifiers. The formats are those that have hot kernels,
/// and e5m2, whose operands are few enough to try them all.
pub fn unmodified(op: Op, format: &Format, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    match *format {
        formats::E5M2 => uniform::<u8>(op, E5M2, E5m2Plain, backend),
        formats::F16 => uniform::<u16>(op, F16, F16Plain, backend),
        formats::BF16 => uniform::<u16>(op, BF16, Bf16Plain, backend),
        _ => None,
    }
}

/// Returns the kernel of an instruction with operands of 16 bits, and an addend and a result of f32.
fn mixed(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    fn of(
        factor: impl Spec<FloatFields>,
        variant: &Variant,
        backend: Backend,
    ) -> Option<Box<dyn ColumnKernel>> {
        let (result, rules) = (F32, Rules::of(&formats::F32, variant.meaning()));
        let add = |subtract| Add { operands: (factor, result), subtract, result, rules };
        single_kernel::<u32>(match variant.meaning().op {
            Op::Add => lane_kernel::<u32, _, _, _>(backend, add(false)),
            Op::Sub => lane_kernel::<u32, _, _, _>(backend, add(true)),
            Op::Fma => lane_kernel::<u32, _, _, _>(backend, Fma { factors: [factor; 2], result, rules }),
            _ => None,
        })
    }
    match *variant.inputs()[0].format {
        formats::F16 => of(F16, variant, backend),
        formats::BF16 => of(BF16, variant, backend),
        _ => None,
    }
}

/// Returns the kernel of an instruction of f32, whose products need 64 bits, and whose sums do not.
fn single(op: Op, rules: Rules, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    let (factors, result) = ([F32; 2], F32);
    let add = |subtract| Add { operands: (result, result), subtract, result, rules };
    single_kernel::<u32>(match op {
        Op::Add => lane_kernel::<u32, _, _, _>(backend, add(false)),
        Op::Sub => lane_kernel::<u32, _, _, _>(backend, add(true)),
        Op::Mul => lane_kernel::<u64, _, _, _>(backend, Mul { factors, result, rules }),
        Op::Fma => lane_kernel::<u64, _, _, _>(backend, Fma { factors, result, rules }),
        _ => None,
    })
}

/// Returns the kernel of an instruction of f64.
fn double(op: Op, rules: Rules, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    let (factors, result) = ([F64; 2], F64);
    let add = |subtract| Add { operands: (result, result), subtract, result, rules };
    single_kernel::<u64>(match op {
        Op::Add => wide_kernel(backend, add(false)),
        Op::Sub => wide_kernel(backend, add(true)),
        Op::Mul => wide_kernel(backend, Mul { factors, result, rules }),
        Op::Fma => wide_kernel(backend, Fma { factors, result, rules }),
        _ => None,
    })
}

/// Returns the kernel of an instruction of any formats of at most 32 bits.
fn kernel_of_any_formats(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    let (format, meaning) = (variant.outputs()[0].format, variant.meaning());
    let (result, rules) = (FloatFields::new(format), Rules::of(format, meaning));
    let fields: Vec<FloatFields> =
        variant.inputs().iter().map(|input| FloatFields::new(input.format)).collect();
    let (a, b) = (fields[0], fields[1]);
    let add = |subtract| Add { operands: (a, b), subtract, result, rules };
    match meaning.op {
        // The instances of `monomorphised` are all that there are with `.oob`.
        _ if meaning.out_of_bounds => None,
        Op::Add => single_kernel::<u32>(lane_kernel::<u32, _, _, _>(backend, add(false))),
        Op::Sub => single_kernel::<u32>(lane_kernel::<u32, _, _, _>(backend, add(true))),
        Op::Mul if !product_fits(u32::BITS, [a, b]) => {
            let mul = Mul { factors: [a, b], result, rules };
            single_kernel::<u32>(lane_kernel::<u64, _, _, _>(backend, mul))
        }
        // The last factor is converted to the result's format first.
        Op::Mul if meaning.converted == Some(1) => {
            let convert = Convert { source: b, result, rules: Rules::plain(format) };
            let mul = Mul { factors: [a, result], result, rules };
            Some(Box::new(Elements {
                kernels: vec![lane_kernel::<u32, _, u32, _>(backend, mul)?],
                last: Some(Preparation::Convert(lane_kernel::<u32, _, _, _>(backend, convert)?)),
            }))
        }
        Op::Mul => {
            let mul = Mul { factors: [a, b], result, rules };
            single_kernel::<u32>(lane_kernel::<u32, _, _, _>(backend, mul))
        }
        _ => {
            let fma = Fma { factors: [a, b], result, rules };
            // Beside f32 only products of narrower factors fit a word of 32 bits.
            single_kernel::<u32>(if a.precision + b.precision > 24 {
                lane_kernel::<u64, _, _, _>(backend, fma)
            } else {
                lane_kernel::<u32, _, _, _>(backend, fma)
            })
        }
    }
}

/// Returns the kernel of the sum of three numbers in another format than the result's, `accumulator`. The first two are
/// added first.
pub fn select_accumulated(
    variant: &Variant,
    accumulator: &Format,
    backend: Backend,
) -> Option<Box<dyn ColumnKernel>> {
    let format = variant.outputs()[0].format;
    let (result, wide) = (FloatFields::new(format), FloatFields::new(accumulator));
    let rules = Rules::plain(accumulator);
    let add = |first| Add { operands: (first, result), subtract: false, result: wide, rules };
    let last = Convert { source: wide, result, rules: Rules::of(format, variant.meaning()) };
    let accumulate = Accumulate { first: add(result), second: add(wide), last };
    single_kernel::<u32>(lane_kernel::<u32, _, _, _>(backend, accumulate))
}

/// Returns the kernel of a `div`, `rcp` or `sqrt`. Approximate forms are rounded to nearest.
pub fn select_division(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    let (format, meaning) = (variant.outputs()[0].format, variant.meaning());
    let rules = Rules::of(format, meaning);
    match *format {
        formats::F32 => {
            let divide = Divide { format: F32, rules };
            single_kernel::<u32>(match meaning.op {
                Op::Div if gives_zeros(variant) => {
                    lane_kernel::<u64, _, _, _>(backend, TimesReciprocal(divide))
                }
                Op::Div => lane_kernel::<u64, _, _, _>(backend, divide),
                Op::Rcp => lane_kernel::<u64, _, _, _>(backend, Reciprocal(divide)),
                _ => lane_kernel::<u64, _, _, _>(backend, Root(divide)),
            })
        }
        formats::F64 => {
            let divide = Divide { format: F64, rules };
            single_kernel::<u64>(match meaning.op {
                Op::Div => wide_kernel(backend, divide),
                Op::Rcp => wide_kernel(backend, Reciprocal(divide)),
                _ => wide_kernel(backend, Root(divide)),
            })
        }
        _ => None,
    }
}

/// Whether a zero is promised for a range of operands, whatever the exact result: `div.approx`.
fn gives_zeros(variant: &Variant) -> bool {
    let Contract::Within(accuracy) = variant.form().contract else { return false };
    accuracy.ranges.iter().any(|range| matches!(range.bound, Bound::Zero))
}
