//! The instructions, as functions of words and as functions of columns.

use std::marker::PhantomData;

use vectors::Column;

use super::arithmetic::{Unpacked, denormalise, exact, pack, product, round, sum, unpack};
use super::encoding::{Element, Encoding};
use super::load::HostWord;
use super::modifiers::{Modifiers, OOB, has};
use super::word::Word;

/// `mul` of factors in the format `F` with a result in the format `R` (PTX ISA 9.7.4.3).
#[inline(always)]
pub fn mul<F: Encoding, R: Encoding, W: Word, const M: Modifiers>(a: W, b: W) -> W {
    let (a, b) = (unpack::<F, W, M>(a), unpack::<F, W, M>(b));
    let exact = denormalise(product::<F, R, W>(a, b));
    pack::<R, W, M>(round::<R, W, M>(exact))
}

/// `fma` of factors in the format `F` with addend and result in the format `R` (PTX ISA 9.7.4.4,
/// 9.7.5.3).
#[inline(always)]
pub fn fma<F: Encoding, R: Encoding, W: Word, const M: Modifiers>(a: W, b: W, c: W) -> W {
    let (a, b, c) = (unpack::<F, W, M>(a), unpack::<F, W, M>(b), unpack::<R, W, M>(c));
    let exact = sum::<W, M>(product::<F, R, W>(a, b), exact::<R, R, W>(c));
    let result = pack::<R, W, M>(round::<R, W, M>(exact));
    if has(M, OOB) { result & !(out_of_bounds(a) | out_of_bounds(b)) } else { result }
}

/// `add` of a number in the format `F` and one in the format `R` (PTX ISA 9.7.5.1).
#[inline(always)]
pub fn add<F: Encoding, R: Encoding, W: Word, const M: Modifiers>(a: W, c: W) -> W {
    let (a, c) = (unpack::<F, W, M>(a), unpack::<R, W, M>(c));
    let exact = sum::<W, M>(exact::<F, R, W>(a), exact::<R, R, W>(c));
    pack::<R, W, M>(round::<R, W, M>(exact))
}

/// `sub`: `a − c` (PTX ISA 9.7.5.2).
#[inline(always)]
pub fn sub<F: Encoding, R: Encoding, W: Word, const M: Modifiers>(a: W, c: W) -> W {
    add::<F, R, W, M>(a, c ^ R::SIGN)
}

/// Mask of the out-of-bounds NaN that tensor copies fill with, of either sign. The manual does not
/// print its pattern; this one was measured.
#[inline(always)]
fn out_of_bounds<W: Word>(a: Unpacked<W>) -> W {
    a.magnitude.equals(0x7ff7)
}

/// An instruction with its formats and modifiers: what to load from columns, and what to do with it.
pub trait Instruction {
    /// The elements of each operand.
    type Operands<'a>: Copy;
    /// The elements of the result.
    type Result: Element;

    /// Views of the operands' columns; packed types as twice as many elements.
    fn operands(columns: &[Column]) -> Self::Operands<'_>;

    /// The results for as many elements as a word holds, from `at` on.
    fn compute<W: HostWord>(operands: Self::Operands<'_>, at: usize) -> W;
}

macro_rules! instructions {
    ($($name:ident = $function:ident($($operand:ident: $format:ident),+);)+) => {$(
        #[doc = concat!("[`", stringify!($function), "`] as an [`Instruction`].")]
        pub struct $name<F, R, const M: Modifiers>(PhantomData<(F, R)>);

        impl<F: Encoding, R: Encoding, const M: Modifiers> Instruction for $name<F, R, M> {
            type Operands<'a> = ($(&'a [$format::Element],)+);
            type Result = R::Element;

            #[inline(always)]
            fn operands(columns: &[Column]) -> Self::Operands<'_> {
                let [$($operand),+] = columns else { panic!("{} operands", columns.len()) };
                ($($operand.elements(),)+)
            }

            #[inline(always)]
            fn compute<W: HostWord>(($($operand,)+): Self::Operands<'_>, at: usize) -> W {
                $function::<F, R, W, M>($(W::load($operand, at)),+)
            }
        }
    )+};
}

instructions! {
    Mul = mul(a: F, b: F);
    Fma = fma(a: F, b: F, c: R);
    Add = add(a: F, c: R);
    Sub = sub(a: F, c: R);
}
