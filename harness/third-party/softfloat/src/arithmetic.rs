//! Arithmetic and comparisons within a format.

use ptx_abi::{Compute, binary, ternary, unary};

use crate::format::{Float, Format, Round};

// SAFETY, of every call: the functions take any bits, and have no state but the rounding, which is this
// thread's, and flags that nobody reads.

/// Returns an operation with operands and result of one format, if SoftFloat has it.
pub fn arithmetic<F: Float>(
    format: &'static Format<F>,
    operation: &str,
    round: Round,
) -> Option<Compute> {
    let function = match operation {
        "add" => format.add,
        "sub" => format.sub,
        "mul" => format.mul,
        "div" => format.div,
        // Since sm_20 `fma` and `mad` are one.
        "fma" | "mad" => {
            return Some(ternary(move |a, b, c| {
                round.set();
                // SAFETY: see above.
                unsafe { (format.mul_add)(F::of(a), F::of(b), F::of(c)) }.bits()
            }));
        }
        "sqrt" => {
            return Some(unary(move |a| {
                round.set();
                // SAFETY: see above.
                unsafe { (format.sqrt)(F::of(a)) }.bits()
            }));
        }
        // To an integer within the format; the last argument is whether to raise the flag "inexact".
        "cvt" => {
            return Some(unary(move |a| {
                // SAFETY: see above.
                unsafe { (format.round_to_int)(F::of(a), round.0, false) }.bits()
            }));
        }
        _ => return None,
    };
    Some(binary(move |a, b| {
        round.set();
        // SAFETY: see above.
        unsafe { function(F::of(a), F::of(b)) }.bits()
    }))
}

/// Returns a comparison that writes a predicate.
pub fn compare<F: Float>(format: &'static Format<F>, word: &str) -> Option<Compute> {
    let holds = comparison(format, word)?;
    Some(binary(move |a, b| u8::from(holds(F::of(a), F::of(b)))))
}

/// Returns a comparison that writes ones or zeros in all 32 bits.
pub fn compare_into<F: Float>(format: &'static Format<F>, word: &str) -> Option<Compute> {
    let holds = comparison(format, word)?;
    Some(binary(move |a, b| if holds(F::of(a), F::of(b)) { u32::MAX } else { 0 }))
}

/// Returns a comparison by its name in PTX. SoftFloat has three comparisons. Two more are these with the operands
/// exchanged, and "unequal or unordered" is what is not equal.
fn comparison<F: Float>(
    format: &'static Format<F>,
    word: &str,
) -> Option<impl Fn(F, F) -> bool + 'static> {
    let (function, exchanged, expected) = match word {
        "eq" => (format.eq, false, true),
        "neu" => (format.eq, false, false),
        "lt" => (format.lt, false, true),
        "gt" => (format.lt, true, true),
        "le" => (format.le, false, true),
        "ge" => (format.le, true, true),
        _ => return None,
    };
    Some(move |a, b| {
        let (a, b) = if exchanged { (b, a) } else { (a, b) };
        // SAFETY: see above.
        unsafe { function(a, b) == expected }
    })
}
