//! The stages of a fused multiply-add, one by one, for whoever proves what it computes.
//!
//! The kernel of `fma` in f16 and bf16 is three functions one after the other (`Fused`), and the stages here are the
//! same three. [`Stages::products`] takes `a` and `b`; [`Stages::sums`] takes the product and `c`; [`Stages::end`]
//! takes the sum and gives the result. The first hands on nothing but a [`ProductKind`] with two words, and the second
//! nothing but one word: so a product stands for every pair of factors that has it.

use isa::{Meaning, Op, Rounding, Variant};

use crate::arithmetic::{Exact, Rounded};
use crate::backend::{Backend, LANES, lane_kernel};
use crate::fields::{E5M2, FloatFields};
pub use crate::instruction::Basis;
use crate::instruction::{Fma, Fused, Instruction, OutOfBounds, Product};
pub use crate::rules::Modifiers;
use crate::rules::Rules;
use crate::select::{Monomorphised, monomorphised};
use crate::spec::Spec;
use crate::word::Word;
use crate::words::Words;

/// The properties of a product beside its magnitude, as bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProductKind(pub u32);

impl ProductKind {
    /// The bit of a negative product.
    pub const NEGATIVE: u32 = 1;
    /// The bit of an infinite product.
    pub const INFINITE: u32 = 2;
    /// The bit of a product that is not a number.
    pub const NAN: u32 = 4;
    /// The bit of a product whose result is zero whatever is added: of `.oob`.
    pub const CLEARED: u32 = 8;
    /// The bit of a broken mask, which should be all ones or all zeros and is neither. No product has it.
    pub const BROKEN: u32 = 16;

    /// Whether `bit` is set.
    pub const fn is(self, bit: u32) -> bool {
        self.0 & bit != 0
    }
}

/// The bit of a negative sum, above the magnitude in the word of the sum.
const SUM_NEGATIVE: u32 = 1 << 16;
/// The bit of a sum that is not a number, above the magnitude in the word of the sum.
const SUM_NAN: u32 = 1 << 17;
/// The bit of a sum with a part that does not fit, in the word of the sum. No sum has it.
pub const SUM_BROKEN: u32 = 1 << 18;

/// The results of the first stage, the products, with a column for each part.
#[derive(Clone, Debug, Default)]
pub struct Products {
    /// The kinds of the products: each is a [`ProductKind`].
    pub kinds: Vec<u32>,
    /// The significands of the products, in fixed point: the unit is bit 29.
    pub significands: Vec<u32>,
    /// The exponents of the products, biased for the result, as signed words.
    pub exponents: Vec<u32>,
}

/// The stages of a fused multiply-add.
pub trait Stages: Send + Sync {
    /// Returns what the second stage depends on, for products that are not [`ProductKind::CLEARED`]: instructions with
    /// the same basis have the same second stage.
    fn basis(&self) -> Basis;

    /// Computes the first stage: the products of pairs of factors.
    fn products(&self, factors: [&[u32]; 2], products: &mut Products);

    /// Computes the second stage: the sums of one addend and products of one kind, given by their significands and
    /// exponents.
    fn sums(&self, kind: ProductKind, magnitudes: [&[u32]; 2], addend: u32, sums: &mut [u32]);

    /// Computes the third stage: the result of one sum.
    fn end(&self, sum: u32) -> u32;
}

/// Returns the stages of `variant`, if it is a fused multiply-add whose inputs and result are f16 or bf16, and this CPU
/// has the backend.
pub fn of(variant: &Variant, backend: Backend) -> Option<Box<dyn Stages>> {
    let (Meaning { op, rounding, .. }, result) = (variant.meaning(), variant.outputs()[0].format);
    let uniform = variant.inputs().iter().all(|input| input.format == result);
    let fused = *op == Op::Fma && uniform && *rounding == Rounding::NearestEven;
    fused.then(|| monomorphised(variant, Staging(backend)))??
}

/// Returns the stages of a fused multiply-add of e5m2, if this CPU has the backend. PTX does not have that instruction;
/// its triples are few enough to try them all. The out-of-bounds value is the NaN 0x7e.
pub fn of_e5m2(modifiers: Modifiers, backend: Backend) -> Option<Box<dyn Stages>> {
    let rules = Rules::modified(&formats::E5M2, modifiers);
    if modifiers.out_of_bounds {
        let fma = Fma { factors: [E5M2; 2], result: E5M2, rules };
        return Staging(backend).of_out_of_bounds(OutOfBounds::<_, 0x7f, 0x7e>(fma));
    }
    Staging(backend).of(E5M2, rules)
}

/// The maker of the stages of a fused multiply-add.
struct Staging(Backend);

impl Monomorphised for Staging {
    type Output = Option<Box<dyn Stages>>;

    fn of(self, format: impl Spec<FloatFields>, rules: impl Spec<Rules>) -> Self::Output {
        staged(Fma { factors: [format; 2], result: format, rules }, self.0)
    }

    fn of_out_of_bounds(self, fma: impl Fused) -> Self::Output {
        staged(fma, self.0)
    }
}

/// Returns the stages of an instruction, on a backend that this CPU has.
fn staged<I: Fused>(instruction: I, backend: Backend) -> Option<Box<dyn Stages>> {
    backend.available().then(|| Box::new(OnBackend { instruction, backend }) as Box<dyn Stages>)
}

struct OnBackend<I> {
    instruction: I,
    backend: Backend,
}

impl<I> OnBackend<I> {
    /// Runs a stage, which is an instruction of its own.
    fn run(&self, stage: impl Instruction<2>, inputs: [&[u32]; 2], results: &mut [u32]) {
        let kernel = lane_kernel::<u32, _, u32, 2>(self.backend, stage);
        let kernel = kernel.expect("the backend was available");
        let count = results.len();
        if count >= LANES {
            return kernel.run(&inputs, results);
        }
        // Fewer elements than lanes do not fill a word.
        let (mut padded, mut filled) = ([[0; LANES]; 2], [0; LANES]);
        for (padded, input) in padded.iter_mut().zip(inputs) {
            padded[..count].copy_from_slice(input);
        }
        kernel.run(&padded.each_ref().map(|input| &input[..]), &mut filled);
        results.copy_from_slice(&filled[..count]);
    }
}

impl<I: Fused> Stages for OnBackend<I> {
    fn basis(&self) -> Basis {
        self.instruction.basis()
    }

    fn products(&self, factors: [&[u32]; 2], products: &mut Products) {
        let Products { kinds, significands, exponents } = products;
        for column in [&mut *kinds, significands, exponents] {
            column.resize(factors[0].len(), 0);
        }
        self.run(KindOf(self.instruction), factors, kinds);
        self.run(SignificandOf(self.instruction), factors, significands);
        self.run(ExponentOf(self.instruction), factors, exponents);
    }

    fn sums(&self, kind: ProductKind, magnitudes: [&[u32]; 2], addend: u32, sums: &mut [u32]) {
        self.run(SumWith { instruction: self.instruction, kind, addend }, magnitudes, sums);
    }

    fn end(&self, sum: u32) -> u32 {
        let sum = Words::<u32, 1>([sum]);
        let set = |bit: u32| !(sum & bit).equals(0);
        let (negative, nan) = (set(SUM_NEGATIVE), set(SUM_NAN));
        let rounded = Rounded { negative, magnitude: sum & (SUM_NEGATIVE - 1), nan };
        self.instruction.end(rounded).0[0]
    }
}

/// Returns zero for a mask that is all ones or all zeros, and another word for any that is neither.
#[inline(always)]
fn broken<W: Word>(mask: W) -> W {
    mask ^ mask.negative()
}

#[derive(Clone, Copy)]
struct KindOf<I>(I);

impl<I: Fused> Instruction<2> for KindOf<I> {
    #[inline(always)]
    fn compute<W: Word>(&self, factors: [W; 2]) -> W {
        let Product { exact, cleared } = self.0.multiply(factors);
        let Exact { negative, infinite, nan, .. } = exact;
        let masks = [negative, infinite, nan, cleared];
        let whole = masks.iter().fold(W::from(0), |any, &mask| any | broken(mask)).equals(0);
        let bits = (negative & ProductKind::NEGATIVE)
            | (infinite & ProductKind::INFINITE)
            | (nan & ProductKind::NAN)
            | (cleared & ProductKind::CLEARED);
        bits | (!whole & ProductKind::BROKEN)
    }
}

#[derive(Clone, Copy)]
struct SignificandOf<I>(I);

impl<I: Fused> Instruction<2> for SignificandOf<I> {
    #[inline(always)]
    fn compute<W: Word>(&self, factors: [W; 2]) -> W {
        self.0.multiply(factors).exact.significand
    }
}

#[derive(Clone, Copy)]
struct ExponentOf<I>(I);

impl<I: Fused> Instruction<2> for ExponentOf<I> {
    #[inline(always)]
    fn compute<W: Word>(&self, factors: [W; 2]) -> W {
        self.0.multiply(factors).exact.exponent
    }
}

/// The second stage as an instruction, whose inputs are the significands and exponents of products.
#[derive(Clone, Copy)]
struct SumWith<I> {
    instruction: I,
    kind: ProductKind,
    addend: u32,
}

impl<I: Fused> Instruction<2> for SumWith<I> {
    #[inline(always)]
    fn compute<W: Word>(&self, [significand, exponent]: [W; 2]) -> W {
        let mask = |bit| W::mask(self.kind.is(bit));
        let exact = Exact {
            negative: mask(ProductKind::NEGATIVE),
            significand,
            exponent,
            infinite: mask(ProductKind::INFINITE),
            nan: mask(ProductKind::NAN),
        };
        let product = Product { exact, cleared: mask(ProductKind::CLEARED) };
        let sum = self.instruction.add(product, W::from(self.addend));
        let Rounded { negative, magnitude, nan } = sum;
        let whole = (broken(negative) | broken(nan) | (magnitude >> 16)).equals(0);
        magnitude | (negative & SUM_NEGATIVE) | (nan & SUM_NAN) | (!whole & SUM_BROKEN)
    }
}

#[cfg(test)]
mod tests {
    use sweeps::CounterRng;

    use super::*;
    use crate::Kernel;

    /// Checks that the stages one after the other are the kernel.
    #[test]
    fn stages_make_up_the_kernel() {
        let variants = Variant::all().iter().filter(|variant| variant.lanes() == 1);
        let staged = variants.filter_map(|variant| Some((variant, of(variant, Backend::Lanes)?)));
        let mut count = 0;
        for (variant, stages) in staged {
            count += 1;
            let kernel = Kernel::of(variant, Backend::Scalar).expect("a kernel");
            let mut random = CounterRng::new(7, count);
            let mut column = || (0..64).map(|_| random.next() as u32 & 0xffff).collect::<Vec<u32>>();
            let [mut a, b, c] = [(); 3].map(|()| column());
            a[..8].copy_from_slice(&[0, 0x8000, 0x7ff7, 0x7c00, 0x7f80, 0x7e00, 1, 0x83ff]);
            let mut products = Products::default();
            stages.products([&a, &b], &mut products);
            for at in 0..a.len() {
                let Products { kinds, significands, exponents } = &products;
                let mut sums = [0];
                let magnitude = [&significands[at..=at], &exponents[at..=at]];
                stages.sums(ProductKind(kinds[at]), magnitude, c[at], &mut sums);
                let operands = [a[at], b[at], c[at]].map(u64::from);
                let result = u64::from(stages.end(sums[0]));
                assert_eq!(kernel.run_one(&operands), [result], "{variant} {operands:#x?}");
            }
        }
        assert_eq!(count, 12, "scalar forms of fma in f16 and bf16");
    }
}
