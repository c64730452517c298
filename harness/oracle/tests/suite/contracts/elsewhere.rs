//! Tests of words of several devices, of words behind handles, and of elements of tensors, of which the manual says
//! less.

use judge::MismatchKind;

use super::{accepted, expected, judge, refused, refused_registers};

const TRY_RED: &str =
    "fabric.try_red.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys";
const TRY_ATOM: &str =
    "fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys";

/// Returns a word of four bytes that are alike.
fn each(byte: u64) -> u64 {
    byte * 0x0101_0101
}

/// Checks that `.acc::f16` and its absence mean the same for sums of two: no pair of numbers shows a difference.
#[test]
fn a_sum_of_two_that_is_made_in_f16_first_is_the_same() {
    for (format, infinity) in [("e4m3", None), ("e5m2", Some(0x7c))] {
        let data: Vec<u64> = (0..0x100).collect();
        let pairs = || data.iter().flat_map(|&a| data.iter().map(move |&b| (a, b)));
        let f16 = |byte: u64| {
            let widened = expected(&format!("cvt.rn.f16x2.{format}x2"), &[vec![byte]]);
            widened[0] & 0xffff
        };
        let wide: Vec<u64> = data.iter().map(|&byte| f16(byte)).collect();
        let of = |pick: fn((u64, u64)) -> u64| pairs().map(pick).collect::<Vec<u64>>();
        let (a, b) = (of(|pair| pair.0), of(|pair| pair.1));
        let widened = |bytes: &[u64]| bytes.iter().map(|&byte| wide[byte as usize]).collect::<Vec<_>>();
        let sums = expected("add.f16", &[widened(&a), widened(&b)]);
        let twice = expected(&format!("cast.rn.{format}.f16"), &[sums]);
        for accumulator in ["", ".acc::f16"] {
            let text = format!("multimem.ld_reduce.add{accumulator}.{format}x4");
            let words = |bytes: &[u64]| bytes.iter().map(|&byte| each(byte)).collect::<Vec<_>>();
            let once = expected(&text, &[words(&a), words(&b)]);
            let is_nan = |byte: u64| byte & 0x7f > infinity.unwrap_or(0x7e);
            for (row, (&once, &twice)) in once.iter().zip(&twice).enumerate() {
                let (first, alike) = (once & 0xff, once == each(once & 0xff));
                let same = first == twice || is_nan(first) && is_nan(twice);
                assert!(same && alike, "{text} {:#x} {:#x}: {once:#x}, {twice:#x}", a[row], b[row]);
            }
        }
    }
}

/// Checks sums that are too large, of which nothing is said: NaN or infinity stands for them, or the largest number.
#[test]
fn a_sum_of_8_bits_that_is_too_large_is_special_or_the_largest() {
    let text = "multimem.ld_reduce.add.e4m3x4";
    let times = |name: &'static str, answer: &'static str| vec![(name, answer); 4];
    // 448 + 32.
    let beyond = [each(0x7e), each(0x60)];
    let special = [times("overflow-result", "special"), times("any-nan", "canonical")].concat();
    accepted(text, &beyond, each(0x7f), &special);
    accepted(text, &beyond, each(0x7e), &times("overflow-result", "largest"));
    refused(text, &beyond, each(0x7d), MismatchKind::NanLost);
    refused(text, &beyond, each(0xfe), MismatchKind::NanLost);
    // 448 + 8 is rounded to 448, which is too large before it is rounded.
    assert_eq!(judge(text, &[each(0x7e), each(0x50)], &[each(0x7e)]).mismatches, 0);
    assert_eq!(judge(text, &[each(0x7e), each(0x50)], &[each(0x7f)]).mismatches, 0);
    refused(text, &[each(0x7e), each(0x50)], each(0x7d), MismatchKind::UlpBelow);
    // 240 + 16 is 256, a number like any other.
    refused(text, &[each(0x77), each(0x58)], each(0x7e), MismatchKind::Number);
    // Infinity is one of e5m2's. In f16 no one can tell it from a sum that is too large.
    let infinite = [each(0x7c), each(0x3c)];
    let text = "multimem.ld_reduce.add.e5m2x4";
    accepted(text, &infinite, each(0x7c), &[]);
    refused(text, &infinite, each(0x7b), MismatchKind::NoOverflow);
    let text = "multimem.ld_reduce.add.acc::f16.e5m2x4";
    accepted(text, &infinite, each(0x7c), &times("infinity-result", "special"));
    accepted(text, &infinite, each(0x7b), &times("infinity-result", "largest"));
    refused(text, &infinite, each(0x7a), MismatchKind::NoOverflow);
    refused(text, &[each(0xfc), each(0x3c)], each(0x7b), MismatchKind::NoOverflow);
    refused(text, &[each(0x7c), each(0xfc)], each(0x7b), MismatchKind::NanLost);
    accepted(text, &[each(0x7b), each(0x7b)], each(0x7c), &times("overflow-result", "special"));
    accepted(text, &[each(0x7b), each(0x7b)], each(0x7b), &times("overflow-result", "largest"));
}

/// Checks that f32 may be flushed or kept behind a handle and in tensors. The manual says which for `atom`, `red`
/// and bulk reductions, and not for these.
#[test]
fn f32_behind_a_handle_and_of_tensors_is_flushed_or_kept() {
    let (flushed, kept) = (("vector-flush", "flushed"), ("vector-flush", "kept"));
    let atom = format!("{TRY_ATOM}.add.f32");
    let answers = |text: &str, operands: &[u64], answers: &[u64]| judge(text, operands, answers);
    for (m, counted) in [(0, flushed), (1, kept)] {
        let tally = answers(&atom, &[0, 1], &[m, 0]);
        let (name, interpretation) = counted;
        assert_eq!((tally.mismatches, tally.answers[name][interpretation]), (0, 1));
    }
    refused_registers(&atom, &[0, 1], &[2, 0], MismatchKind::ZeroLost);
    // What was there is given as it was.
    refused_registers(&atom, &[1, 0x3f80_0000], &[0x3f80_0000, 0], MismatchKind::Original);
    let blocks = [
        format!("{TRY_RED}.add.f32"),
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group(f32)".into(),
    ];
    for text in &blocks {
        let operands = [1, 0, 0, 0];
        for (low, counted) in [(0, flushed), (1, kept)] {
            let tally = answers(text, &operands, &[low, 0]);
            assert_eq!((tally.mismatches, tally.answers[counted.0][counted.1]), (0, 1), "{text}");
        }
    }
    // In bulk, not of a tensor, the manual says that subnormal numbers are kept.
    let bulk = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32";
    assert_eq!(answers(bulk, &[1, 0, 0, 0], &[1, 0]).mismatches, 0);
    assert_eq!(answers(bulk, &[1, 0, 0, 0], &[0, 0]).mismatches, 1);
}

/// Checks that the smaller behind a handle is open where it is open elsewhere. `atom` has the smaller of registers;
/// of `fabric.try_atom` the manual does not say which that is.
#[test]
fn the_smaller_behind_a_handle_is_open_where_it_is_elsewhere() {
    let text = format!("{TRY_ATOM}.min.f16x2");
    // The low half alone: the other is 1 and 1.
    let both = |half: u64| 0x3c00_0000 | half;
    for (a, b, results) in [(0x7e00, 0x3c00, [0x3c00, 0x7fff]), (0x8000, 0, [0x8000, 0])] {
        for half in results {
            let found = judge(&text, &[both(a), both(b)], &[both(half), both(a)]);
            assert_eq!(found.mismatches, 0, "{a:x} {b:x} {half:x}");
        }
    }
    assert_eq!(judge(&text, &[both(0x3c00), both(0x4000)], &[both(0x4000), both(0x3c00)]).mismatches, 1);
}
