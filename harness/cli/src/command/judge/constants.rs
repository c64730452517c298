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
    let bounds =
        |number: usize| code.domain().map(|domain| domain.bounds(shape, number)).unwrap_or_default();
    let each: Vec<Vec<u64>> = operands
        .iter()
        .enumerate()
        .map(|(number, operand)| values(code, &bounds(number), operand.ty.width(), operands.len()))
        .collect();
    let mut rows: Vec<Vec<RowBits>> = vec![Vec::new()];
    for values in &each {
        let longer =
            |row: Vec<RowBits>| values.iter().map(move |&bits| [&row[..], &[bits.into()]].concat());
        rows = rows.into_iter().flat_map(longer).take(VECTORS_MAX).collect();
    }
    if rows.is_empty() || operands.is_empty() {
        return;
    }
    push(plan, VectorList { variant: shape, rows, name: "constants" });
    add_words(plan, shape);
}

/// Adds every word of 16 bits, if that is all the code takes, and it has several lanes: an instruction computes each lane
/// by itself, and code may not.
fn add_words(plan: &mut Plan, shape: &'static Variant) {
    let [operand] = shape.operands() else { return };
    if operand.ty.lanes > 1 && operand.ty.width() <= 16 {
        let rows = (0..1u64 << operand.ty.width()).map(|bits| vec![bits.into()]).collect();
        push(plan, VectorList { variant: shape, rows, name: "words" });
    }
}

fn push(plan: &mut Plan, list: VectorList) {
    let vectors = list.rows.len() as u64;
    // Like a sweep, a list lives to the end of the program.
    let asked = VectorSource::Given(Box::leak(Box::new(list)));
    plan.tasks.push(Task { asked, vectors, judged_by: JudgedBy::Mpfr, proven: None });
}

/// Returns the values of an operand of so many bits: zero, the bounds of its domain, and the code's constants, those of
/// comparisons first, with the numbers beside them, of both signs. There are fewer where several operands have them
/// together.
fn values(code: &Code, bounds: &[u64], width: u32, operands: usize) -> Vec<u64> {
    let mask = u64::MAX >> (64 - width.clamp(1, 64));
    let sign = 1 << (width.clamp(1, 64) - 1);
    let most = match operands {
        0 | 1 => VALUES_MAX * 8,
        2 => VALUES_MAX * 2,
        _ => VALUES_MAX / 2,
    };
    let mut all = vec![0];
    let mut known = BTreeSet::from([0]);
    for constant in bounds.iter().copied().chain(code.constants()) {
        for bits in as_operands(constant, width) {
            for near in [bits, bits.wrapping_add(1), bits.wrapping_sub(1)] {
                let near = near & mask;
                all.extend([near, near ^ sign].into_iter().filter(|&one| known.insert(one)));
            }
        }
    }
    all.truncate(most);
    all
}

/// Returns the bits of an operand that a constant may be compared with: its own, those of the same number in another
/// width, and those of 16 bits in either half of a word.
fn as_operands(constant: u64, width: u32) -> Vec<u64> {
    let (single, double) = (f32::from_bits(constant as u32), f64::from_bits(constant));
    let is_usual = |number: f64| (1e-30..=1e30).contains(&number.abs());
    let mut all = Vec::new();
    match width {
        32 if constant >> 32 != 0 => all.push(u64::from((double as f32).to_bits())),
        64 if constant >> 32 == 0 && is_usual(single.into()) => {
            all.push(f64::from(single).to_bits());
        }
        _ => {}
    }
    all.push(constant);
    if width == 32 && constant >> 16 == 0 {
        all.extend([constant << 16, constant << 16 | constant]);
    }
    all
}
