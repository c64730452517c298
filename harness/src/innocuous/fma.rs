//! Fused multiply-adds: every distinct product with every addend.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use super::exact::Exact;
use super::{Answer, Question, Witness};

/// The answer about a fused multiply-add. Witnesses have the smallest addend that there is one for.
pub fn answer(question: &Question, jobs: usize) -> Answer {
    let products = products(question);
    let tried = products.len() as u64 * (question.format.mask() + 1);
    let risky: Vec<_> =
        products.into_iter().filter(|(product, _)| may_do_harm(question, *product)).collect();
    // Of each sign of the addend, the product being positive.
    for magnitude in 0..=question.format.max_finite() {
        let witness = [0, question.format.sign_mask()]
            .into_iter()
            .find_map(|sign| with_addend(question, &risky, magnitude | sign, jobs));
        if witness.is_some() {
            return Answer { witness, tried };
        }
    }
    Answer { witness: None, tried }
}

/// A product, and the lowest pair of positive factors that has it.
type Product = (Exact, [u64; 2]);

/// All distinct products of positive factors, in order of the lowest pair that has each.
fn products(question: &Question) -> Vec<Product> {
    let positive: Vec<(u64, Exact)> = (1..=question.format.max_finite())
        .map(|bits| (bits, question.exact(bits).expect("finite")))
        .collect();
    let mut lowest: HashMap<(u64, i32), [u32; 2]> = HashMap::new();
    for (at, (a, x)) in positive.iter().enumerate() {
        for (b, y) in &positive[at..] {
            let product = x.times(*y);
            let zeros = product.significand.trailing_zeros();
            let odd = (product.significand >> zeros) as u64;
            lowest
                .entry((odd, product.exponent + zeros.cast_signed()))
                .or_insert([*a as u32, *b as u32]);
        }
    }
    let product = |((significand, exponent), pair): ((u64, i32), [u32; 2])| {
        (Exact::of((significand, exponent)), pair.map(u64::from))
    };
    let mut products: Vec<Product> = lowest.into_iter().map(product).collect();
    products.sort_unstable_by_key(|(_, pair)| *pair);
    products
}

/// Whether there may be an addend with which a product does harm.
///
/// Rounding twice is not rounding once only where the first leaves a middle between two numbers of the
/// format, and the sum was none. Middles and addends are multiples of half the format's smallest number,
/// so the product is none, and is no further from one than the first rounding moves anything.
fn may_do_harm(question: &Question, product: Exact) -> bool {
    let half = question.format.exponent_of_lsb() - 1;
    let Some(places) = u32::try_from(half - product.exponent).ok().filter(|places| *places > 0) else {
        return false;
    };
    // Half the last place of the largest middle, in the intermediate format.
    let moved = question.format.exponent_max() + 1 - question.intermediate.precision().cast_signed();
    let Some(unit) = 1_u128.checked_shl(places) else { return true };
    let rest = product.significand & (unit - 1);
    let distance = rest.min(unit - rest);
    match u32::try_from(moved - product.exponent) {
        Ok(bits) => 1_u128.checked_shl(bits).is_none_or(|most| distance <= most),
        Err(_) => false,
    }
}

/// The first of some products that does harm with an addend.
fn with_addend(question: &Question, products: &[Product], c: u64, jobs: usize) -> Option<Witness> {
    const CHUNK: usize = 1 << 12;
    let addend = question.exact(c)?;
    let apart = question.format.is_negative(c);
    let harm = |(product, [a, b]): &Product| question.compare([*a, *b, c], product.plus(addend, apart));
    if products.len() <= CHUNK {
        return products.iter().find_map(harm);
    }
    let (next, found, over) = (AtomicUsize::new(0), Mutex::new(None::<Witness>), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while !over.load(Relaxed)
                    && let Some(chunk) = products.chunks(CHUNK).nth(next.fetch_add(1, Relaxed))
                {
                    if let Some(witness) = chunk.iter().find_map(harm) {
                        over.store(true, Relaxed);
                        let mut found = found.lock().expect("nobody panics");
                        *found = Some(found.map_or(witness, |known| known.min(witness)));
                    }
                }
            });
        }
    });
    found.into_inner().expect("nobody panics")
}
