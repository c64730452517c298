//! Makes vectors of the constants of the code: a threshold in the code is where it breaks.

use std::collections::BTreeSet;

use formats::RowBits;
use implementations::code::Code;
use isa::Variant;
use runner::{JudgedBy, Task};
use selection::VectorList;
use selection::subject::VectorSource;

/// The most values that operands take.
const VALUES_MAX: usize = 48;
/// The most vectors that are added.
const VECTORS_MAX: usize = 1 << 14;

/// Returns tasks whose vectors have the constants of the code, and the numbers beside them, as operands.
///
/// Each call keeps its vectors in memory to the end of the program.
pub fn tasks(code: &Code, shape: &'static Variant) -> Vec<Task> {
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
        return Vec::new();
    }
    let constants = task(VectorList { variant: shape, rows, name: "constants" });
    [constants].into_iter().chain(words(shape)).collect()
}

/// Returns a task of every word of 16 bits, if that is all the code takes, and it has several lanes: an instruction
/// computes each lane by itself, and code may not.
fn words(shape: &'static Variant) -> Option<Task> {
    let [operand] = shape.operands() else { return None };
    (operand.ty.lanes > 1 && operand.ty.width() <= 16).then(|| {
        let rows = (0..1u64 << operand.ty.width()).map(|bits| vec![bits.into()]).collect();
        task(VectorList { variant: shape, rows, name: "words" })
    })
}

/// Makes a task of a list of vectors, which MPFR judges.
fn task(list: VectorList) -> Task {
    let vectors = list.rows.len() as u64;
    // Like a sweep, a list lives to the end of the program.
    let asked = VectorSource::Given(Box::leak(Box::new(list)));
    Task { asked, vectors, judged_by: JudgedBy::Mpfr, proven: None }
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
