//! Pairs of factors of which one is infinite or no number: MPFR takes each as its kind says.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use emulator::stages::Products;

use super::exact::factors;
use super::steps::Shared;
use super::{Refutation, Subject};

/// Asks MPFR about all such pairs of a subject, with the addend 1; what should come of them is what comes
/// of the first product of their kind.
///
/// # Errors
/// A triple of which the stages and MPFR do not say the same.
pub fn specials(
    subject: &Subject,
    number: usize,
    lists: &[Shared],
    ends: &[u16],
    stop: &AtomicBool,
) -> Result<(), Refutation> {
    let c = subject.format.one() as u16;
    let mut results = HashMap::new();
    let mine =
        lists.iter().filter(|shared| shared.subjects.contains(&number) && !shared.list.is_numbers);
    for Shared { list, .. } in mine {
        let mut sum = [0];
        let first = [&list.significands[..1], &list.exponents[..1]];
        subject.machine.sums(list.kind, first, c.into(), &mut sum);
        results.insert(list.kind.0, ends[sum[0] as usize]);
    }
    let factors = factors(subject.format, subject.flush, subject.out_of_bounds);
    let all: Vec<u32> = (0..factors.len() as u32).collect();
    let special: Vec<u32> = all.iter().copied().filter(|&a| !factors[a as usize].is_finite()).collect();
    let mut reference = (subject.reference)();
    let (mut products, mut expected) = (Products::default(), Vec::new());
    let addends = vec![c; all.len()];
    for &a in &special {
        if stop.load(Relaxed) {
            break;
        }
        let one = vec![a; all.len()];
        for pair in [[&one, &all], [&all, &one]] {
            let pair = pair.map(|factors| &factors[..]);
            subject.machine.products(pair, &mut products);
            let [x, y] =
                pair.map(|factors| factors.iter().map(|&bits| bits as u16).collect::<Vec<u16>>());
            reference.results([&x, &y, &addends], &mut expected);
            for (at, (kind, &expected)) in products.kinds.iter().zip(&expected).enumerate() {
                let given = results[kind];
                if given != expected {
                    let (subject, operands) = (subject.name.clone(), [x[at], y[at], c]);
                    return Err(Refutation::Result { subject, operands, given, expected });
                }
            }
        }
    }
    Ok(())
}
