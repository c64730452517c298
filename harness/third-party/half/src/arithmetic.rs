//! Arithmetic and comparisons within a type of the crate `half`.

use ptx_abi::{Compute, binary, comparison, ternary, unary};

use crate::Half;

/// Returns an operation with operands and result of one type, if the crate has it.
pub fn arithmetic<H: Half>(operation: &str) -> Option<Compute> {
    Some(match operation {
        "add" => two(|a: H, b| a + b),
        "sub" => two(|a: H, b| a - b),
        "mul" => two(|a: H, b| a * b),
        "min" => two(H::min),
        "max" => two(H::max),
        "fma" => ternary(|a, b, c| H::of(a).mul_add(H::of(b), H::of(c)).bits()),
        "ex2" => one(H::exp2),
        "tanh" => one(H::tanh),
        _ => return None,
    })
}

/// Returns a conversion to an integer within the type. (The crate's `round` has ties away from zero, which PTX has
/// not.)
pub fn integral<H: Half>(rounding: &str) -> Option<Compute> {
    Some(match rounding {
        "rzi" => one(H::trunc),
        "rmi" => one(H::floor),
        "rpi" => one(H::ceil),
        _ => return None,
    })
}

/// Returns a comparison that writes a predicate.
pub fn compare<H: Half>(word: &str) -> Option<Compute> {
    let holds = comparison::<H>(word)?;
    Some(binary(move |a, b| u8::from(holds(&H::of(a), &H::of(b)))))
}

fn one<H: Half>(function: fn(H) -> H) -> Compute {
    unary(move |a| function(H::of(a)).bits())
}

fn two<H: Half>(function: fn(H, H) -> H) -> Compute {
    binary(move |a, b| function(H::of(a), H::of(b)).bits())
}
