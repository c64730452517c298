//! Adds the constants of the code to the vectors: a threshold in the code is where it breaks.

use std::collections::BTreeSet;

use formats::RowBits;
use implementations::code::Code;
use isa::Variant;
use runner::{JudgedBy, Plan, Task};
use selection::VectorList;
use selection::subject::VectorSource;

/// The most values that operands take.
const VALUES_MAX: usize = 48;
/// The most vectors that are added.
const VECTORS_MAX: usize = 1 << 14;

/// Adds vectors whose operands are constants of the code, and the numbers beside them, to a plan.
pub fn add(plan: &mut Plan, code: &Code, shape: &'static Variant) {
    let operands = shape.operands();
    let each: Vec<Vec<u64>> =
        operands.iter().map(|operand| values(code, operand.ty.width(), operands.len())).collect();
    let mut rows: Vec<Vec<RowBits>> = vec![Vec::new()];
    for values in &each {
        let longer =
            |row: Vec<RowBits>| values.iter().map(move |&bits| [&row[..], &[bits.into()]].concat());
        rows = rows.into_iter().flat_map(longer).take(VECTORS_MAX).collect();
    }
    if rows.is_empty() || operands.is_empty() {
        return;
    }
    let vectors = rows.len() as u64;
    let list = VectorList { variant: shape, rows, name: "constants" };
    // Like a sweep, a list lives to the end of the program.
    let asked = VectorSource::Given(Box::leak(Box::new(list)));
    plan.tasks.push(Task { asked, vectors, judged_by: JudgedBy::Mpfr, proven: None });
}

/// Returns the values of an operand of so many bits: the code's constants with the numbers beside them, of both signs,
/// and zero. There are fewer where several operands have them together.
fn values(code: &Code, width: u32, operands: usize) -> Vec<u64> {
    let mask = u64::MAX >> (64 - width.clamp(1, 64));
    let sign = 1 << (width.clamp(1, 64) - 1);
    let most = match operands {
        0 | 1 => VALUES_MAX * 8,
        2 => VALUES_MAX * 2,
        _ => VALUES_MAX / 2,
    };
    let mut all = BTreeSet::from([0]);
    for constant in code.constants() {
        let bits = constant & mask;
        for near in [bits, bits.wrapping_add(1) & mask, bits.wrapping_sub(1) & mask] {
            all.extend([near, near ^ sign]);
        }
    }
    all.into_iter().take(most).collect()
}
