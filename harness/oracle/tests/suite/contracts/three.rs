//! Tests of the sum of three devices' words: any order is right, each sum is rounded as `.acc` says, and nothing else
//! is.

use std::collections::BTreeSet;

use formats::{E4M3, Format};
use isa::{Variant, columns_for};
use judge::{MismatchKind, Truth};
use oracle::Oracle;
use sweeps::CounterRng;

use super::{accepted, expected, refused};

/// Returns all results that are right for one element in all lanes, but for other NaNs.
fn permitted(text: &str, operands: [u64; 3]) -> BTreeSet<u64> {
    let variant: Variant = text.parse().unwrap();
    let width = variant.outputs()[0].format.width();
    let lanes =
        |bits: u64| (0..variant.lanes()).fold(0, |word, lane| word | bits << (lane as u32 * width));
    let mut columns = columns_for(&variant, 1);
    columns.iter_mut().zip(operands).for_each(|(column, bits)| column.set(0, lanes(bits)));
    let mut truth = Truth::new(&variant);
    Oracle::new(&variant).expect(&columns, &mut truth);
    let first = variant.outputs()[0].slots[0].take(truth.results[0].get(0));
    let of_lane = truth.alternatives().iter().filter(|other| other.element == 0);
    let bits: Vec<u64> = of_lane.map(|other| other.bits).collect();
    assert!(bits.is_empty() || bits[0] == first, "{text} {operands:x?}");
    // The judge notes which of them agree in the bits of a word.
    assert!(bits.len() <= 64, "{text} {operands:x?}");
    bits.into_iter().chain([first]).collect()
}

#[test]
fn three_devices_come_in_any_order() {
    let text = "multimem.ld_reduce.add.f32(a,b,c)";
    // 1 + 2^-24 is a tie, and rounded to 1.
    let operands = [0x3f80_0000, 0x3380_0000, 0xbf80_0000];
    accepted(text, &operands, 0, &[("device-order", "c last")]);
    accepted(text, &operands, 0x3380_0000, &[("device-order", "b last or a last")]);
    for answer in [0x3f80_0000, 0xbf80_0000, 0x3400_0000] {
        refused(text, &operands, answer, MismatchKind::ZeroLost);
    }
    // 1 + 1 + 1 is 3 in any order, and nothing is open.
    accepted(text, &[0x3f80_0000; 3], 0x4040_0000, &[]);
    refused(text, &[0x3f80_0000; 3], 0x4000_0000, MismatchKind::Number);
    // Whether each sum is flushed is not said: 1.5 × 2^-126 − 2^-126 + 2^-126.
    let operands = [0x00c0_0000, 0x8080_0000, 0x0080_0000];
    assert_eq!(permitted(text, operands), [0x0080_0000, 0x00c0_0000].into());
    let (flush, of_sum) = (("vector-flush", "flushed"), ("intermediate-flush", "flushed"));
    accepted(text, &operands, 0x0080_0000, &[("device-order", "c last"), flush, of_sum]);
    // a + b is −2^-147, and with c 0x007fffff, which is flushed as a result.
    let operands = [0x8180_0000, 0x017f_fffe, 0x0080_0003];
    assert_eq!(permitted(text, operands), [0x0080_0003, 0x0080_0000, 0x007f_ffff, 0].into());
    // Larger than all numbers on the way, and not in the end.
    let (large, text) = (0x7bff, "multimem.ld_reduce.add.f16x2(a,b,c)");
    assert_eq!(permitted(text, [large, large, 0x8000 | large]), [large, 0x7c00].into());
    assert_eq!(permitted(text, [large, large, 0xfc00]), [0x7fff, 0xfc00].into());
}

/// Checks 2048 + 1 + 1: in f16 1 is lost twice, or the ones are added first.
#[test]
fn sums_on_the_way_have_the_precision_that_is_asked_for() {
    let operands = [0x6800, 0x3c00, 0x3c00];
    let of = |accumulator| format!("multimem.ld_reduce.add{accumulator}.f16x2(a,b,c)");
    assert_eq!(permitted(&of(""), operands), [0x6800, 0x6801].into());
    assert_eq!(permitted(&of(".acc::f32"), operands), [0x6801].into());
    // In f32 2049 + 2^-14 is 2049, a tie in f16, unless the last sum is rounded to f16 alone.
    let operands = [0x6800, 0x3c00, 0x0400];
    assert_eq!(permitted(&of(".acc::f32"), operands), [0x6800, 0x6801].into());
    // 448 + 32 − 32: what is beyond the largest number of e4m3 is no number, or the largest; in f16 it is 480.
    let of = |accumulator| format!("multimem.ld_reduce.add{accumulator}.e4m3x4(a,b,c)");
    let operands = [0x7e, 0x60, 0xe0];
    assert_eq!(permitted(&of(""), operands), [0x7f, 0x7d, 0x7e].into());
    assert_eq!(permitted(&of(".acc::f16"), operands), [0x7e].into());
    // 57344 + 57344 − 57344 is infinite on the way in f16, too, and what becomes of that is open.
    let of = |accumulator| format!("multimem.ld_reduce.add{accumulator}.e5m2x4(a,b,c)");
    let operands = [0x7b, 0x7b, 0xfb];
    assert_eq!(permitted(&of(".acc::f16"), operands), [0x7b, 0x7c].into());
    assert_eq!(permitted(&of(""), operands), [0x7b, 0x7c, 0].into());
}

/// Returns the bits of a result that the oracle expects of these operands.
fn once(text: &str, operands: &[u64]) -> u64 {
    expected(text, &operands.iter().map(|&bits| vec![bits]).collect::<Vec<_>>())[0]
}

/// Checks the permitted results against what other instructions make of the same numbers, in every order.
#[test]
fn what_is_permitted_is_what_sums_of_two_give() {
    use formats::{BF16, F16};
    let mut random = CounterRng::new(20, 0);
    let mut near = |format: &Format| {
        // Few exponents, so that sums are inexact and cancel.
        let [a, b] = [(); 2].map(|()| random.next() & format.mask() & !(0b11 << format.trailing_bits));
        let c = if random.below(2) == 0 {
            a ^ format.sign_mask() ^ random.below(3) as u64
        } else {
            random.next()
        };
        [a, b, c & format.mask()].map(|bits| if format.is_nan(bits) { 0 } else { bits })
    };
    let orders = |[a, b, c]: [u64; 3]| [[a, b, c], [a, c, b], [b, c, a]];
    let mut open = 0;
    for round in 0..2000 {
        let (format, ty) = [(&F16, "f16"), (&BF16, "bf16")][round % 2];
        let operands = near(format);
        let narrow = |a, b| once(&format!("add.{ty}"), &[a, b]);
        let plain: BTreeSet<u64> = orders(operands).map(|[a, b, c]| narrow(narrow(a, b), c)).into();
        let text = format!("multimem.ld_reduce.add.{ty}x2(a,b,c)");
        assert_eq!(permitted(&text, operands), plain, "{text} {operands:x?}");
        let wide = |bits| once(&format!("cvt.f32.{ty}"), &[bits]);
        let sum = |a, b| once("add.f32", &[a, b]);
        let twice = orders(operands)
            .map(|[a, b, c]| once(&format!("cvt.rn.{ty}.f32"), &[sum(sum(wide(a), wide(b)), wide(c))]));
        // Numbers of f16 are so near to each other that f64 has the last sum exactly.
        let exact = |[a, b, c]: [u64; 3]| {
            let [first, last] =
                [sum(wide(a), wide(b)), wide(c)].map(|bits| once("cvt.f64.f32", &[bits]));
            once("cvt.rn.f16.f64", &[once("add.f64", &[first, last])])
        };
        let text = format!("multimem.ld_reduce.add.acc::f32.{ty}x2(a,b,c)");
        let permitted = permitted(&text, operands);
        match ty {
            "f16" => {
                let all = twice.into_iter().chain(orders(operands).map(exact)).collect();
                assert_eq!(permitted, all, "{text} {operands:x?}");
                // f64 has the sum of all three, too: rounded once, it is that of some order.
                let [a, b, c] = operands.map(|bits| once("cvt.f64.f16", &[bits]));
                let exact = once("add.f64", &[once("add.f64", &[a, b]), c]);
                assert!(permitted.contains(&once("cvt.rn.f16.f64", &[exact])), "{operands:x?}");
            }
            _ => assert!(twice.iter().all(|bits| permitted.contains(bits)), "{text} {operands:x?}"),
        }
        open += usize::from(plain.len() > 1);
    }
    assert!(open > 200, "{open}");
}

/// Checks all triples of 8 bits, in one order of each three. No element has all points open at once, and for e4m3
/// the exact sum, rounded once, is the result of some order.
#[test]
fn every_sum_of_8_bits_in_f16() {
    // All sums of three are multiples of 2^-9, and in magnitude no larger than 1344.
    let sums = (-688_128..=688_128).map(|units| (units as f32 / 512.0).to_bits().into());
    let rounded = expected("cast.rn.e4m3.f32", &[sums.collect()]);
    let units = |bits: u64| {
        let (significand, exponent) = E4M3.decode(bits)?;
        let magnitude = (significand << (exponent + 9)) as i64;
        Some(if bits & 0x80 == 0 { magnitude } else { -magnitude })
    };
    for text in [
        "multimem.ld_reduce.add.acc::f16.e4m3x4(a,b,c)",
        "multimem.ld_reduce.add.acc::f16.e5m2x4(a,b,c)",
    ] {
        let variant: Variant = text.parse().unwrap();
        let format = variant.outputs()[0].format;
        let mut oracle = Oracle::new(&variant);
        let mut truth = Truth::new(&variant);
        for a in (0..0x100u64).filter(|a| !format.is_nan(*a)) {
            let pairs: Vec<(u64, u64)> = (0..=a).flat_map(|b| (0..=b).map(move |c| (b, c))).collect();
            let rows = pairs.len().div_ceil(4);
            let mut columns = columns_for(&variant, rows);
            for (row, four) in pairs.chunks(4).enumerate() {
                let word = |of: &dyn Fn(usize) -> u64| {
                    (0..four.len()).fold(0, |word, lane| word | of(lane) << (8 * lane))
                };
                columns[0].set(row, word(&|_| a));
                columns[1].set(row, word(&|lane| four[lane].0));
                columns[2].set(row, word(&|lane| four[lane].1));
            }
            oracle.expect(&columns, &mut truth);
            let mut others = truth.alternatives().chunk_by(|a, b| a.element == b.element).peekable();
            for (element, &(b, c)) in pairs.iter().enumerate() {
                let word = truth.results[0].get(element / 4);
                let mut right = vec![word >> (8 * (element % 4)) & 0xff];
                if let Some(of_element) = others.next_if(|others| others[0].element == element) {
                    assert!(of_element.len() <= 64, "{text} {a:x} {b:x} {c:x}");
                    right.extend(of_element.iter().map(|other| other.bits));
                }
                if *format != E4M3 {
                    continue;
                }
                if let ((Some(a), Some(b)), Some(c)) = ((units(a), units(b)), units(c)) {
                    let exact = rounded[(a + b + c + 688_128) as usize];
                    let zero = exact & 0x7f == 0;
                    assert!(zero || right.contains(&exact), "{text} {a} {b} {c}: {exact:x} {right:x?}");
                }
            }
        }
    }
}
