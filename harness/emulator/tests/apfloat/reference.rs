//! The reference: what `rustc_apfloat` computes, with the modifiers that it lacks applied as plainly as possible.

use formats::{BF16, F16, F32, F64, Format};
use isa::{Clamp, Op, Rounding, Variant};
use rustc_apfloat::ieee::{BFloat, Double, Float8E5M2, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

/// An operation, its formats and rounding, and whether it flushes: everything but the clamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    pub op: Op,
    pub source: Format,
    pub result: Format,
    pub rounding: Rounding,
    pub ftz: bool,
}

impl Core {
    /// Returns every variant that has a reference here.
    pub fn variants() -> impl Iterator<Item = &'static Variant> {
        Variant::all().iter().filter(|variant| {
            let Core { op, source, result, .. } = Core::of(variant);
            let formats = match op {
                Op::Mul => vec![source, source],
                Op::Fma => vec![source, source, result],
                Op::Add | Op::Sub => vec![source, result],
                _ => return false,
            };
            let known = source == result && [F16, BF16, F32, F64].contains(&source)
                || [F16, BF16].contains(&source) && result == F32;
            let lanes = variant.results()[0].ty.lanes;
            let operands: Vec<Format> = variant.operands().iter().map(|a| *a.ty.format).collect();
            // The word that `atom` gives back beside its result is no arithmetic; `red` has the result alone.
            let alone = variant.results().len() == 1;
            known
                && alone
                && operands == formats
                && variant.operands().iter().all(|a| a.ty.lanes == lanes)
        })
    }

    pub fn of(variant: &Variant) -> Core {
        Core {
            op: variant.meaning().op,
            source: *variant.operands()[0].ty.format,
            result: *variant.results()[0].ty.format,
            rounding: variant.meaning().rounding,
            ftz: variant.meaning().flush.result,
        }
    }

    /// Computes the result for one lane, without the clamps. `mul` ignores `c`, `add` and `sub` ignore `b`.
    pub fn compute(&self, [a, b, c]: [u64; 3]) -> u64 {
        if !self.ftz {
            return self.round([a, b, c], self.rounding);
        }
        let flush = |format: &Format, bits: u64| {
            let tiny = bits & format.magnitude_mask() < format.min_normal();
            if tiny { bits & format.sign_mask() } else { bits }
        };
        let operands = [flush(&self.source, a), flush(&self.source, b), flush(&self.result, c)];
        // Truncation does not reach the smallest normal number from below.
        let truncated = self.round(operands, Rounding::TowardZero);
        let rounded = self.round(operands, self.rounding);
        let tiny = truncated & self.result.magnitude_mask() < self.result.min_normal();
        if tiny { rounded & self.result.sign_mask() } else { rounded }
    }

    fn round(&self, operands: [u64; 3], rounding: Rounding) -> u64 {
        let op = self.op;
        let bits = match (self.source.name, self.result.name) {
            ("f16", "f16") => apply::<Half, Half>(op, operands, rounding),
            ("bf16", "bf16") => apply::<BFloat, BFloat>(op, operands, rounding),
            ("e5m2", "e5m2") => apply::<Float8E5M2, Float8E5M2>(op, operands, rounding),
            ("f16", "f32") => apply::<Half, Single>(op, operands, rounding),
            ("bf16", "f32") => apply::<BFloat, Single>(op, operands, rounding),
            ("f32", "f32") => apply::<Single, Single>(op, operands, rounding),
            ("f64", "f64") => apply::<Double, Double>(op, operands, rounding),
            formats => panic!("no reference for {formats:?}"),
        };
        if self.result.is_nan(bits) { self.result.canonical_nan() } else { bits }
    }
}

fn apply<S: FloatConvert<R>, R: Float>(op: Op, [a, b, c]: [u64; 3], rounding: Rounding) -> u64 {
    let round = match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::TowardZero => Round::TowardZero,
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
        rounding => unreachable!("{rounding:?}"),
    };
    let widen = |bits: u64| -> R { S::from_bits(bits.into()).convert(&mut false).value };
    let c = R::from_bits(c.into());
    let result = match op {
        Op::Mul => widen(a).mul_r(widen(b), round),
        Op::Fma => widen(a).mul_add_r(widen(b), c, round),
        Op::Add => widen(a).add_r(c, round),
        Op::Sub => widen(a).sub_r(c, round),
        op => unreachable!("{op:?}"),
    };
    result.value.to_bits() as u64
}

/// Applies the clamps of `variant` to the result of its [`Core`].
pub fn clamp(variant: &Variant, [a, b, _]: [u64; 3], result: u64) -> u64 {
    let format = variant.results()[0].ty.format;
    let out_of_bounds = [a, b].iter().any(|bits| bits & 0x7fff == 0x7ff7);
    let nan = format.is_nan(result);
    let meaning = variant.meaning();
    let result = if meaning.out_of_bounds && out_of_bounds { 0 } else { result };
    match meaning.clamp {
        Clamp::Unit if nan || format.is_negative(result) => 0,
        Clamp::Unit => result.min(format.one()),
        Clamp::Positive if format.is_negative(result) => 0,
        Clamp::Positive | Clamp::None => result,
    }
}
