//! Tries pairs of factors of which one is infinite, NaN or flushed: the reference takes each as its kind says.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use emulator::stages::{ProductKind, Products};
use formats::Format;

use super::factor::factors;
use super::steps::SharedProducts;
use super::{ProofSubject, Refutation};

/// Returns the addend that a pair is asked about with, by the kind of its product: 1, or for a product that is zero
/// the smallest normal number. Were that product not zero, a sum with an addend of the other sign would be below the
/// normal numbers, and be flushed, however small the product was. A clamp may hide that; and a product that is too
/// small does not change a sum of the same sign. So both signs are asked.
fn addend(format: &Format, kind: u32, same: bool) -> u16 {
    let negative = (kind & ProductKind::NEGATIVE != 0) == same;
    let edge = format.min_normal() | if negative { format.sign_mask() } else { 0 };
    (if kind & !ProductKind::NEGATIVE == 0 { edge } else { format.one() }) as u16
}

/// Asks the reference about all pairs of a subject of which one factor is special, with one addend or two. Each pair
/// should give what the first product of its kind gives.
///
/// # Errors
/// A refutation, by a triple of which the stages and the reference do not say the same.
pub fn specials(
    subject: &ProofSubject,
    number: usize,
    lists: &[SharedProducts],
    ends: &[u16],
    stop: &AtomicBool,
) -> Result<(), Refutation> {
    // Only products that are zero need addends of both signs, and a special factor gives one only where it is flushed.
    for same in [false, true].into_iter().take(1 + usize::from(subject.flush)) {
        ask(subject, same, results(subject, same, (number, lists, ends)), stop)?;
    }
    Ok(())
}

/// Computes the result of the first product of each kind that is no number, and of zeros.
fn results(
    subject: &ProofSubject,
    same: bool,
    (number, lists, ends): (usize, &[SharedProducts], &[u16]),
) -> HashMap<u32, u16> {
    let mine =
        lists.iter().filter(|shared| shared.subjects.contains(&number) && !shared.list.is_numbers);
    let result = |SharedProducts { list, .. }: &SharedProducts| {
        let (mut sum, first) = ([0], [&list.significands[..1], &list.exponents[..1]]);
        let c = addend(subject.format, list.kind.0, same);
        subject.machine.sums(list.kind, first, c.into(), &mut sum);
        (list.kind.0, ends[sum[0] as usize])
    };
    mine.map(result).collect()
}

/// Asks the reference about all pairs with a special factor; `results` has what the stages give for each kind.
fn ask(
    subject: &ProofSubject,
    same: bool,
    results: HashMap<u32, u16>,
    stop: &AtomicBool,
) -> Result<(), Refutation> {
    let factors = factors(subject.format, subject.flush, subject.out_of_bounds);
    let all: Vec<u32> = (0..factors.len() as u32).collect();
    let mut reference = (subject.reference)();
    let (mut products, mut expected) = (Products::default(), Vec::new());
    for &a in all.iter().filter(|&&a| factors[a as usize].is_special()) {
        if stop.load(Relaxed) {
            break;
        }
        let one = vec![a; all.len()];
        for pair in [[&one, &all], [&all, &one]] {
            let pair = pair.map(|factors| &factors[..]);
            subject.machine.products(pair, &mut products);
            let [x, y] =
                pair.map(|factors| factors.iter().map(|&bits| bits as u16).collect::<Vec<u16>>());
            let c: Vec<u16> =
                products.kinds.iter().map(|&kind| addend(subject.format, kind, same)).collect();
            reference.results([&x, &y, &c], &mut expected);
            for (at, (kind, &expected)) in products.kinds.iter().zip(&expected).enumerate() {
                let given = results[kind];
                if given != expected {
                    let (subject, operands) = (subject.name.clone(), [x[at], y[at], c[at]]);
                    return Err(Refutation::Result { subject, operands, given, expected });
                }
            }
        }
    }
    Ok(())
}
