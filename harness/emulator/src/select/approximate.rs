//! The approximate functions as kernels: the special inputs of the manual's tables, the functions of [`approximate`],
//! and one rounding to nearest. A kernel computes one element at a time, unless an estimate over lanes tells the
//! result.

use formats::{Class, Element, Format};
use isa::{Flush, Meaning, Op, Variant};

use super::kernel::single_kernel;
use crate::approximate::estimate::{
    Cos, Estimated, EstimatedFunction, Ex2, Lg2, Rsqrt, Sin, Tanh, UNDECIDED,
};
use crate::approximate::{self, Approximation, Real};
use crate::backend::{Backend, RunColumns, screened_kernel};
use crate::elements::ColumnKernel;
use crate::fields::{BF16, F16, F32, FloatFields};
use crate::spec::Spec;

/// Returns the kernel of a variant that the manual promises within a bound, if this CPU has the backend.
pub fn select(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    use formats::{BF16 as B, F16 as H, F32 as S};
    match (variant.meaning().op, *variant.outputs()[0].format) {
        (Op::Ex2, H) => screened::<u16>(variant, backend, Ex2, F16),
        (Op::Ex2, B) => screened::<u16>(variant, backend, Ex2, BF16),
        (Op::Ex2, S) => screened::<u32>(variant, backend, Ex2, F32),
        (Op::Tanh, H) => screened::<u16>(variant, backend, Tanh, F16),
        (Op::Tanh, B) => screened::<u16>(variant, backend, Tanh, BF16),
        (Op::Tanh, S) => screened::<u32>(variant, backend, Tanh, F32),
        (Op::Lg2, S) => screened::<u32>(variant, backend, Lg2, F32),
        (Op::Sin, S) => screened::<u32>(variant, backend, Sin, F32),
        (Op::Cos, S) => screened::<u32>(variant, backend, Cos, F32),
        (Op::Rsqrt, S) => screened::<u32>(variant, backend, Rsqrt, F32),
        _ => backend.available().then(|| one_at_a_time(variant))?,
    }
}

/// Returns the kernel of a variant whose function has estimates.
fn screened<E: Element>(
    variant: &Variant,
    backend: Backend,
    function: impl EstimatedFunction,
    format: impl Spec<FloatFields>,
) -> Option<Box<dyn ColumnKernel>> {
    let estimate = Estimated::of(variant, function, format);
    single_kernel::<E>(screened_kernel(backend, estimate, UNDECIDED, Approximate::of(variant)))
}

/// Returns the kernel of a variant whose function has no estimates, and is computed one element at a time.
fn one_at_a_time(variant: &Variant) -> Option<Box<dyn ColumnKernel>> {
    let kernel = Approximate::of(variant);
    match kernel.format.width() {
        16 => single_kernel::<u16>(Some(Box::new(kernel))),
        32 => single_kernel::<u32>(Some(Box::new(kernel))),
        _ => single_kernel::<u64>(Some(Box::new(kernel))),
    }
}

/// A function of one operand, which has the format of the result.
#[derive(Clone, Copy)]
struct Approximate {
    op: Op,
    format: &'static Format,
    /// Whether subnormal inputs, all alike, and results become zero.
    flush: Flush,
    /// Whether only the upper halves of inputs and results count (`.approx.ftz.f64`).
    upper_half: bool,
    nan: u64,
}

impl<E: Element> RunColumns<E> for Approximate {
    fn run(&self, inputs: &[&[E]], results: &mut [E]) {
        for (at, result) in results.iter_mut().enumerate() {
            let bits = self.function(self.input(inputs[0][at].bits()));
            *result = E::of(if self.upper_half { bits & !0xffff_ffff } else { bits });
        }
    }
}

impl Approximate {
    fn of(variant: &Variant) -> Approximate {
        let &Meaning { op, flush, upper_half, .. } = variant.meaning();
        let format = variant.outputs()[0].format;
        Approximate { op, format, flush, upper_half, nan: variant.nan() }
    }

    /// Returns an input as the function sees it: its upper half alone, or flushed, where the variant asks for that.
    fn input(&self, bits: u64) -> u64 {
        let bits = if self.upper_half { bits & !0xffff_ffff } else { bits };
        let subnormal = self.format.class(bits) == Class::Subnormal;
        if self.flush.inputs[0] && subnormal { bits & self.format.sign_mask() } else { bits }
    }

    /// Returns the value of a finite datum.
    fn real(&self, bits: u64) -> Real {
        let (significand, exponent) = self.format.decode(bits).unwrap_or_default();
        Real::new(self.format.is_negative(bits), significand, exponent)
    }

    /// Returns the bits of +∞.
    fn infinity(&self) -> u64 {
        self.format.exponent_mask()
    }

    /// Computes the result of a function of one operand (PTX ISA 9.7.3.13 to 9.7.3.22, 9.7.4.9, 9.7.4.10).
    fn function(&self, a: u64) -> u64 {
        use Op::{Cos, Ex2, Lg2, Rcp, Rsqrt, Sin, Tanh};
        let (format, sign) = (self.format, a & self.format.sign_mask());
        let (nan, one, infinity) = (self.nan, format.one(), self.infinity());
        let rooted = matches!(self.op, Lg2 | Rsqrt);
        match (self.op, format.class(a)) {
            (_, Class::Nan) | (Sin | Cos, Class::Infinity) => nan,
            (Sin | Tanh, Class::Zero) => a,
            (Cos | Ex2, Class::Zero) => one,
            (Lg2, Class::Zero) => format.sign_mask() | infinity,
            (Rsqrt | Rcp, Class::Zero) => sign | infinity,
            _ if rooted && sign != 0 => nan,
            (Ex2, Class::Infinity) if sign != 0 => 0,
            (Ex2 | Lg2, Class::Infinity) => infinity,
            (Tanh, Class::Infinity) => sign | one,
            // The reciprocals are left: 1/±∞ is ±0, and the root of −∞ was NaN above.
            (_, Class::Infinity) => sign,
            (op, _) => {
                let x = self.real(a);
                self.round(match op {
                    Sin => approximate::sin(x),
                    Cos => approximate::cos(x),
                    Lg2 => approximate::lg2(x),
                    Ex2 => approximate::ex2(x),
                    Tanh => approximate::tanh(x),
                    Rsqrt => approximate::rsqrt(x),
                    Rcp => approximate::rcp(x),
                    op => unreachable!("{op:?} is no function of one operand"),
                })
            }
        }
    }

    /// Rounds an approximation to nearest; the result is flushed by its exact value.
    fn round(&self, Approximation { value, inexact }: Approximation) -> u64 {
        let format = self.format;
        let sign = if value.negative { format.sign_mask() } else { 0 };
        if value.significand == 0 || self.flush.result && value.exponent < format.exponent_min() {
            return sign;
        }
        if value.exponent > format.exponent_max() {
            return sign | self.infinity();
        }
        let unit = (value.exponent - format.trailing_bits as i32).max(format.exponent_of_lsb());
        // One more bit than the significand has: the sticky bit.
        let drop = (unit - (value.exponent - 64)) as u32;
        // `wide` has 65 bits, which are then less than half a unit.
        if drop > 66 {
            return sign;
        }
        let wide = u128::from(value.significand) << 1 | u128::from(inexact);
        let (kept, rest) = ((wide >> drop) as u64, wide & ((1 << drop) - 1));
        let half = 1 << (drop - 1);
        let up = rest > half || rest == half && kept & 1 == 1;
        // The implicit bit adds one to the exponent field, and so does a carry.
        let field = (unit - format.exponent_of_lsb()) as u64;
        let magnitude = (field << format.trailing_bits) + kept + u64::from(up);
        sign | magnitude.min(self.infinity())
    }
}
