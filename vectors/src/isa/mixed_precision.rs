//! PTX ISA 9.7.5, Mixed Precision Floating-Point Instructions.

use super::contract::{Contract, Contract::Exact, Relaxation::*};
use super::form;
use super::form::{Form, Signature, Type};
use super::modifier::Operation::{self, *};
use super::target::{Since, since, sm};
use crate::format::{BF16, F16, F32};

/// The rows of the section: narrow operands are converted to f32 exactly, and the sum rounds once.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let exact = Exact(&[AnyNan, ZeroSign]);
    vec![
        row(Add, "{.rnd}{.sat}", exact, since(8, 6, sm(100)), "9.7.5.1"),
        row(Sub, "{.rnd}{.sat}", exact, since(8, 6, sm(100)), "9.7.5.2"),
        row(Fma, ".rnd{.sat}",   exact, since(8, 6, sm(100)), "9.7.5.3"),
    ]
}

fn row(
    operation: Operation,
    syntax: &'static str,
    contract: Contract,
    since: Since,
    section: &'static str,
) -> Form {
    let names: &[&str] = if operation == Fma { &["a", "b", "c"] } else { &["a", "c"] };
    let types = [Type::scalar(&F16), Type::scalar(&BF16)];
    let signatures = types.map(|ty| Signature::mixed(Type::scalar(&F32), ty, names)).to_vec();
    form(operation, syntax, signatures, contract, since, section)
}
