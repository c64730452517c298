//! Tests of words in memory: `atom` gives back the word as it was, and nothing is open about that word.

use isa::Relaxation;
use judge::MismatchKind;

use super::JudgedCase;

const ONE: u64 = 0x3c00;
const NAN: u64 = 0x7fff;
const OTHER_NAN: u64 = 0x7e01;

fn verdicts(case: &JudgedCase) -> Vec<(usize, MismatchKind)> {
    case.judge().verdicts(&case.truth, case.batch())
}

#[test]
fn the_word_as_it_was_is_judged_bit_for_bit() {
    let given = [OTHER_NAN, ONE];
    let rows = [
        (given, [NAN, OTHER_NAN], [NAN, OTHER_NAN]),
        // Any NaN will do as a sum, and only the one that was there as what was there.
        (given, [NAN, OTHER_NAN], [OTHER_NAN, OTHER_NAN]),
        (given, [NAN, OTHER_NAN], [NAN, NAN]),
        ([ONE, ONE], [0x4000, ONE], [0x4000, 0x4000]),
        ([ONE, ONE], [0x4000, ONE], [0x4001, ONE]),
    ];
    let atom = JudgedCase::with("atom.global.add.noftz.f16", &rows);
    let kinds = [(2, MismatchKind::Original), (3, MismatchKind::Original), (4, MismatchKind::UlpAbove)];
    assert_eq!(verdicts(&atom), kinds);
    let judge = atom.judge();
    assert!(judge.rows_agree(&[NAN, ONE], &[OTHER_NAN, ONE]));
    assert!(!judge.rows_agree(&[ONE, NAN], &[ONE, OTHER_NAN]));
}

/// A result that is accepted for the word afterwards is not accepted for the word as it was.
#[test]
fn other_readings_are_of_the_word_afterwards() {
    let variant = "atom.global.min.noftz.v2.f16";
    let lanes = |high: u64, low: u64| high << 16 | low;
    let (word, operand) = (lanes(ONE, NAN), lanes(ONE, ONE));
    let row = |new, old| ([word, operand], [lanes(ONE, ONE), word], [new, old]);
    let rows = [
        row(lanes(ONE, ONE), word),
        row(lanes(ONE, NAN), word),
        row(lanes(ONE, NAN), lanes(ONE, ONE)),
        row(lanes(NAN, ONE), word),
    ];
    let mut case = JudgedCase::with(variant, &rows);
    for row in 0..rows.len() {
        case = case.open(2 * row, Relaxation::MemoryNan, &[ONE, NAN]);
    }
    assert_eq!(verdicts(&case), [(2, MismatchKind::Original), (3, MismatchKind::NanAppeared)]);
    let tally = case.tally();
    assert_eq!(super::answers(&tally, "memory-nan"), [("nan", 2), ("number", 2)]);
}
