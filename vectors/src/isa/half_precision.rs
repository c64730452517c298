//! PTX ISA 9.7.4, Half Precision Floating-Point Instructions.

use super::contract::{Contract::Exact, Relaxation::*};
use super::form;
use super::form::{Form, Signature, Type};
use super::modifier::Operation::{self, *};
use super::target::{Since, since, sm};
use crate::format::{self, Format};

const F16: &[&Format] = &[&format::F16];
const BF16: &[&Format] = &[&format::BF16];

/// The rows of the section: each exists for the scalar and the packed type of its formats.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let mul_bf16 = Exact(&[AnyNan]);
    let mul_f16  = Exact(&[AnyNan, FtzTininess, ZeroSign]);
    let fma_f16  = mul_f16;
    let relu_f16 = Exact(&[FtzTininess, ZeroSign]);
    let fma_bf16 = Exact(&[AnyNan, ZeroSign]);
    let oob_f16  = Exact(&[AnyNan, ZeroSign, OobPattern, OobAddend]);
    let oob_bf16 = Exact(&[AnyNan, ZeroSign, OobAddend]);
    vec![
        row(Mul, "{.rn}{.ftz}{.sat}", F16,  mul_f16,  since(4, 2, sm(53)), "9.7.4.3"),
        row(Mul, "{.rn}",             BF16, mul_bf16, since(7, 8, sm(90)), "9.7.4.3"),
        row(Fma, ".rn{.ftz}{.sat}",   F16,  fma_f16,  since(4, 2, sm(53)), "9.7.4.4"),
        row(Fma, ".rn{.ftz}.relu",    F16,  relu_f16, since(7, 0, sm(80)), "9.7.4.4"),
        row(Fma, ".rn{.relu}",        BF16, fma_bf16, since(7, 0, sm(80)), "9.7.4.4"),
        row(Fma, ".rn.oob{.relu}",    F16,  oob_f16,  since(8, 1, sm(90)), "9.7.4.4"),
        row(Fma, ".rn.oob{.relu}",    BF16, oob_bf16, since(8, 1, sm(90)), "9.7.4.4"),
    ]
}

fn row(
    operation: Operation,
    syntax: &'static str,
    formats: &[&'static Format],
    contract: super::contract::Contract,
    since: Since,
    section: &'static str,
) -> Form {
    let names: &[&str] = if operation == Fma { &["a", "b", "c"] } else { &["a", "b"] };
    let types = formats.iter().flat_map(|format| [Type::scalar(format), Type::x2(format)]);
    let signatures = types.map(|ty| Signature::same(ty, names)).collect();
    form(operation, syntax, signatures, contract, since, section)
}
