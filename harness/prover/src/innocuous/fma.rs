//! Answers questions about fused multiply-adds, by trying every distinct product with every addend.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::exact::ExactMagnitude;
use super::{InnocuousAnswer, InnocuousQuestion, Rounding, Witness, first_witness};
use crate::LentThreads;

/// Answers a question about a fused multiply-add. Witnesses have the smallest addend that there is one for.
pub fn answer(question: &InnocuousQuestion, threads: &LentThreads) -> InnocuousAnswer {
    let products = products(question);
    let decided = products.len() as u64 * (question.format.mask() + 1);
    let risky: Vec<_> =
        products.into_iter().filter(|(product, _)| may_do_harm(question, *product)).collect();
    // Both signs of the addend are tried, as the product is positive.
    for magnitude in 0..=question.format.max_finite() {
        let witness = [0, question.format.sign_mask()]
            .into_iter()
            .find_map(|sign| with_addend(question, &risky, magnitude | sign, threads));
        if witness.is_some() {
            return InnocuousAnswer { witness, decided };
        }
    }
    InnocuousAnswer { witness: None, decided }
}

/// A product, and a pair of positive factors that has it.
type ExactProduct = (ExactMagnitude, [u64; 2]);

/// Returns all distinct products of positive factors, in order of their significands.
fn products(question: &InnocuousQuestion) -> Vec<ExactProduct> {
    // Every number is an odd one times a power of two; of each odd one, the exponents follow each other.
    let mut odd: BTreeMap<u64, RangeInclusive<i32>> = BTreeMap::new();
    for bits in 1..=question.format.max_finite() {
        let (significand, exponent) = question.format.decode(bits).expect("finite");
        let zeros = significand.trailing_zeros();
        let exponent = exponent + zeros.cast_signed();
        let those = odd.entry(significand >> zeros).or_insert(exponent..=exponent);
        *those = *those.start()..=exponent;
    }
    let odd: Vec<(u64, RangeInclusive<i32>)> = odd.into_iter().collect();
    // Product, exponent, one of the odd numbers and its exponent.
    let mut products: Vec<(u32, i32, u32, i32)> = Vec::new();
    for (at, (m, those)) in odd.iter().enumerate() {
        for (n, others) in &odd[at..] {
            let sums = those.start() + others.start()..=those.end() + others.end();
            let of = sums.map(|sum| (sum, *those.start().max(&(sum - others.end()))));
            // Significands of 16-bit formats have at most 11 bits, so that products fit 32.
            products.extend(of.map(|(sum, x)| ((m * n) as u32, sum, *m as u32, x)));
        }
    }
    products.sort_unstable();
    products.dedup_by_key(|(significand, exponent, ..)| (*significand, *exponent));
    let bits = |significand: u32, exponent| {
        ExactMagnitude::of((significand.into(), exponent)).nearest(question.format)
    };
    let product = |(significand, sum, m, x): (u32, i32, u32, i32)| {
        (ExactMagnitude::of((significand.into(), sum)), [bits(m, x), bits(significand / m, sum - x)])
    };
    products.into_iter().map(product).collect()
}

/// Whether there may be an addend with which a product does harm.
///
/// Rounding twice differs from rounding once only where the first rounding gives a middle between two numbers of the
/// format, and the exact sum was none. Middles and addends are multiples of half the format's smallest number. So the
/// distance of the sum from a middle is that of the product from such a multiple, or is larger by more multiples; and
/// the first rounding moves nothing further than half its last place.
fn may_do_harm(question: &InnocuousQuestion, product: ExactMagnitude) -> bool {
    if question.rounding == Rounding::Directed {
        return true;
    }
    let half = question.format.exponent_of_lsb() - 1;
    // Half the last place of the largest middle, in the intermediate format.
    let moved = question.format.exponent_max() + 1 - question.intermediate.precision().cast_signed();
    let rest = match u32::try_from(half - product.exponent) {
        Ok(places) if places < 64 => product.significand & ((1 << places) - 1),
        Ok(_) => product.significand,
        Err(_) => 0,
    };
    if rest == 0 || moved >= half {
        return moved >= half;
    }
    // Within the multiples the nearer one counts; further than 64 bits below, that is the lower.
    let distance = match half - product.exponent {
        places @ ..64 => rest.min((1 << places) - rest),
        _ => rest,
    };
    match u32::try_from(moved - product.exponent) {
        Ok(bits) => 1_u128.checked_shl(bits).is_none_or(|most| distance <= most),
        Err(_) => false,
    }
}

/// Returns the witness of the first of some products that does harm with the addend `c`.
fn with_addend(
    question: &InnocuousQuestion,
    products: &[ExactProduct],
    c: u64,
    threads: &LentThreads,
) -> Option<Witness> {
    const CHUNK: usize = 1 << 12;
    let addend = question.exact(c)?;
    let apart = question.format.is_negative(c);
    let harm =
        |(product, [a, b]): &ExactProduct| question.compare([*a, *b, c], product.plus(addend, apart));
    if products.len() <= CHUNK {
        return products.iter().find_map(harm);
    }
    let chunks = products.len().div_ceil(CHUNK) as u64;
    first_witness(threads, chunks, |number| {
        products.chunks(CHUNK).nth(number as usize).into_iter().flatten().find_map(harm)
    })
}

#[cfg(test)]
mod tests {
    use formats::{BF16, E4M3, E5M2, F16, F32, F64};

    use super::super::InnocuousOperation;
    use super::*;

    fn question(format: &'static formats::Format) -> InnocuousQuestion {
        InnocuousQuestion {
            format,
            operation: InnocuousOperation::Fused,
            intermediate: &F32,
            rounding: Rounding::Nearest,
        }
    }

    #[test]
    fn each_product_is_there_once_with_its_factors() {
        for format in [&E4M3, &E5M2, &BF16] {
            let products = products(&question(format));
            let of = |bits: u64| ExactMagnitude::of(format.decode(bits).expect("finite"));
            for (product, [a, b]) in &products {
                let found = of(*a).times(of(*b));
                let zeros = found.significand.trailing_zeros();
                assert_eq!(product.significand, found.significand >> zeros, "{a:#x} {b:#x}");
                assert_eq!(product.exponent, found.exponent + zeros.cast_signed());
            }
            let once = |product: ExactMagnitude| (product.significand, product.exponent);
            assert!(products.windows(2).all(|pair| once(pair[0].0) < once(pair[1].0)));
            if format.width() == 8 {
                let all = (1..=format.max_finite())
                    .flat_map(|a| (1..=format.max_finite()).map(move |b| (a, b)));
                let values = all.map(|(a, b)| {
                    let found = of(a).times(of(b));
                    let zeros = found.significand.trailing_zeros();
                    (found.significand >> zeros, found.exponent + zeros.cast_signed())
                });
                let values: std::collections::BTreeSet<_> = values.collect();
                assert_eq!(values.len(), products.len());
            }
        }
        // Counted by others, too.
        assert_eq!(products(&question(&BF16)).len(), 3_274_193);
    }

    #[test]
    fn the_witness_does_not_depend_on_who_is_first() {
        let question = question(&BF16);
        let products = products(&question);
        for addend in [0x0001, 0x3f80, 0xc049] {
            let of = |jobs| with_addend(&question, &products, addend, &crate::tests::lent(jobs));
            let witness = of(1);
            assert!(witness.is_some(), "{addend:#x}");
            (0..20).for_each(|_| assert_eq!(of(3), witness, "{addend:#x}"));
        }
    }

    /// Products that are left out do no harm, and some are left out.
    #[test]
    fn what_is_left_out_does_no_harm() {
        for (format, intermediate) in [(&E4M3, &F32), (&E5M2, &F64), (&E4M3, &F16), (&E4M3, &BF16)] {
            let question = InnocuousQuestion { intermediate, ..question(format) };
            let (risky, plain): (Vec<_>, Vec<_>) = products(&question)
                .into_iter()
                .partition(|(product, _)| may_do_harm(&question, *product));
            let harm = |products: &[ExactProduct]| {
                let addends = (0..=format.mask()).filter(|c| format.decode(*c).is_some());
                addends
                    .filter(|c| with_addend(&question, products, *c, &crate::tests::lent(1)).is_some())
                    .count()
            };
            assert_eq!(harm(&plain), 0, "{} by way of {}", format.name, intermediate.name);
            assert_eq!(plain.is_empty(), intermediate.width() == 16);
            let answer = answer(&question, &crate::tests::lent(2));
            assert_eq!(answer.witness.is_some(), harm(&risky) > 0);
        }
    }
}
