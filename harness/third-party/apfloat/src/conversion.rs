//! Conversions between formats, and from and to integers.

use ptx_abi::{Compute, Register, unary};
use rustc_apfloat::ieee::IeeeFloat;
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::format::{Format, decode, encode};

/// Returns the conversion from one format to another.
pub fn convert<S: Format, T: Format>(round: Round) -> Compute {
    unary(move |a| {
        let number: IeeeFloat<T> = decode::<S>(a).convert_r(round, &mut false).value;
        encode(number)
    })
}

/// Returns the conversion from an integer to a format; the library takes integers of 128 bits.
pub fn from_integer<I: Register + Into<i128>, T: Format>(round: Round) -> Compute {
    unary(move |a: I| encode(IeeeFloat::<T>::from_i128_r(a.into(), round).value))
}

/// Returns the conversion from a format to a signed integer.
pub fn to_signed<S: Format, I: Register + TryFrom<i128>>(round: Round) -> Compute {
    unary(move |a| {
        let integer = decode::<S>(a).to_i128_r(8 * size_of::<I>(), round, &mut false).value;
        exactly::<I, _>(integer.try_into())
    })
}

/// Returns the conversion from a format to an unsigned integer.
pub fn to_unsigned<S: Format, I: Register + TryFrom<u128>>(round: Round) -> Compute {
    unary(move |a| {
        let integer = decode::<S>(a).to_u128_r(8 * size_of::<I>(), round, &mut false).value;
        exactly::<I, _>(integer.try_into())
    })
}

/// Returns an integer in the width that the library was asked for, and panics if the library has exceeded it.
fn exactly<I, E>(integer: Result<I, E>) -> I {
    let Ok(integer) = integer else { panic!("the library has exceeded the integer's width") };
    integer
}
