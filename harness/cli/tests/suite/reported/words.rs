//! Tests with words in memory that are wrong as a whole, of two registers each: the faults turn operands `a0 a1 b0
//! b1` and right results `m0 m1 d0 d1` into wrong results.

use model::{Fault, Faults};

use super::{Reported, report};

/// A function that makes the right results of a row wrong.
pub type RowFault = fn(operands: &[u64], results: &mut [u64]);

/// The faults: the name, whether `red` shows it too, which gives no word back, and the function.
#[rustfmt::skip] // a table
const WRONG: &[(&str, bool, RowFault)] = &[
    ("word-halves-exchanged",     true,  |_, of| of.swap(0, 1)),
    ("word-kept",                 true,  |operands, of| of[..2].copy_from_slice(&operands[..2])),
    ("word-is-operand",           true,  |operands, of| of[..2].copy_from_slice(&operands[2..])),
    ("word-lower-half-kept",      true,  |operands, of| of[0] = operands[0]),
    ("word-first-kept",           true,  |operands, of| of[0] = of[0] >> 16 << 16 | operands[0] & 0xffff),
    ("word-upper-half-kept",      true,  |operands, of| of[1] = operands[1]),
    ("word-upper-half-zero",      true,  |_, of| of[1] = 0),
    ("word-upper-half-copied",    true,  |_, of| of[1] = of[0]),
    ("word-last-kept",            true,  |operands, of| of[1] = last_of(operands[1], of[1])),
    ("word-reversed",             false, |_, of| reverse(&mut of[..2])),
    ("lanes-swapped",             true,  |_, of| of.chunks_mut(2).for_each(reverse)),
    ("original-halves-exchanged", false, |_, of| of.swap(2, 3)),
    ("original-upper-half-zero",  false, |_, of| of[3] = 0),
    ("original-reversed",         false, |_, of| reverse(&mut of[2..])),
    ("original-flushed",          false, |_, of| of[2..].iter_mut().for_each(flush)),
];

/// Returns the uppermost 16 bits of one register and the other bits of the other.
fn last_of(upper: u64, others: u64) -> u64 {
    upper >> 48 << 48 | others << 16 >> 16
}

/// Reverses the eight elements of 16 bits of a word.
fn reverse(word: &mut [u64]) {
    let elements = |bits: u64| (0..4).rev().map(move |place| bits >> (16 * place) & 0xffff);
    let reversed = |bits: u64| elements(bits).rev().fold(0, |all, element| all << 16 | element);
    let [lower, upper] = [word[0], word[1]].map(reversed);
    (word[0], word[1]) = (upper, lower);
}

/// Makes subnormal elements of f16 zeros of their sign.
fn flush(register: &mut u64) {
    for place in [0, 16, 32, 48] {
        if *register >> place & 0x7c00 == 0 {
            *register &= !(0x3ff << place);
        }
    }
}

/// Words in memory that are wrong as a whole are told from elements that are computed wrongly.
#[test]
fn words_of_128_bits_are_told_by_what_is_wrong_with_them() {
    for (name, of_red, row) in WRONG {
        for variant in ["atom.global.add.noftz.v8.f16", "red.add.noftz.v8.f16"] {
            if variant.starts_with("red") && !of_red {
                continue;
            }
            let report = report(Reported::Row(*row), variant);
            assert!(!report.variants[0].classes.is_empty(), "{name}");
            for class in &report.variants[0].classes {
                let Some(explanation) = &class.explanation else { panic!("{name}: {class:?}") };
                assert_eq!(explanation.flaws, [*name], "{variant}: {explanation:?}");
            }
        }
    }
}

/// A point that the manual leaves open is never called a fault beside a real one.
#[test]
fn what_is_open_is_no_part_of_what_is_wrong() {
    let kept = Faults::from(Fault::MemoryKept);
    let both = Reported::Model(kept.and(Fault::WordUpperHalfKept.into()));
    let report = report(both, "atom.global.add.v4.f32");
    let classes = report.variants[0].classes.iter();
    let explanations: Vec<_> = classes.map(|class| class.explanation.as_ref().unwrap()).collect();
    for explanation in &explanations {
        assert_eq!(explanation.flaws, ["word-upper-half-kept"], "{explanation:?}");
        assert!(explanation.others.is_empty(), "{explanation:?}");
    }
    // In a class without subnormal numbers the open point does not matter.
    let open = "; and, which the manual leaves open, subnormal numbers in global memory are kept";
    assert!(explanations.iter().any(|of| of.words.contains(open)), "{explanations:?}");
}
