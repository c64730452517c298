//! Tests of the bound on sums, against what tensor cores compute, which is right, and against results that are wrong.

mod choices;
mod double;
mod edges;
mod subnormal;
mod tile;

use emulator::dot::DotKernel;
use formats::Format;
use isa::Target;
use isa::matrix::{DotData, Lowering, MatrixVariant, columns_for, results_for};
use judge::{Bounds, SumTruth};
use sweeps::matrix::DotSweep;

use super::Sums;

/// Targets, one of each generation.
const TARGETS: [&str; 7] = ["sm_70", "sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a"];

/// Returns variants that differ in what is computed, each with a target for each way in which it is computed.
fn forms() -> Vec<(&'static MatrixVariant, Target)> {
    let mut forms = Vec::new();
    let mut known = Vec::new();
    for variant in MatrixVariant::all() {
        for target in TARGETS {
            let target: Target = target.parse().unwrap();
            let Some(lowering) = Lowering::assumed(variant, target) else { continue };
            let this = (*variant.dot(), lowering, variant.relaxations());
            if !known.contains(&this) {
                known.push(this);
                forms.push((variant, target));
            }
        }
    }
    forms
}

fn is_exact(truth: &SumTruth) -> bool {
    matches!(truth, SumTruth::Finite { promised: Bounds { exact: Some(_), .. }, .. })
}

/// Checks that whatever tensor cores compute is right, in every sweep, by the relaxations that the variant has.
#[test]
fn what_tensor_cores_compute_is_right() {
    const ROWS: u64 = 48;
    let (mut law, mut judged) = (0, 0);
    for (variant, target) in forms() {
        let (mut sums, mut truths) = (Sums::new(variant), Vec::new());
        let mut kernel = DotKernel::of(variant, target).unwrap();
        for sweep in DotSweep::all() {
            let rows = sweep.length(variant).at_most(ROWS);
            if rows == 0 {
                continue;
            }
            let (mut operands, mut results) =
                (columns_for(variant, rows as usize), results_for(variant, rows as usize));
            sweep.fill(variant, 0, 0, &mut operands);
            kernel.run(&operands, &mut results);
            sums.expect(&operands, &mut truths);
            for (row, truth) in truths.iter().enumerate() {
                let result = results[0].get(row);
                law += u32::from(is_exact(truth));
                judged += 1;
                assert!(
                    truth.accepts(variant.dot().d, result),
                    "{variant} {target} {} {row}: {result:x}, {truth:x?}",
                    sweep.name
                );
            }
        }
    }
    assert!(law > 10_000 && judged > 20_000, "{law} of {judged}");
}

/// Checks that no product can be lost, no addend, and none have the wrong sign, where the exactness law holds.
#[test]
fn every_product_counts() {
    const ROWS: usize = 4;
    let exact = DotSweep::named("exact").unwrap();
    for (variant, target) in forms() {
        let (mut sums, mut truths) = (Sums::new(variant), Vec::new());
        let mut kernel = DotKernel::of(variant, target).unwrap();
        let (mut operands, mut results) = (columns_for(variant, ROWS), results_for(variant, ROWS));
        exact.fill(variant, 0, 0, &mut operands);
        sums.expect(&operands, &mut truths);
        assert_eq!(truths.len(), ROWS);
        assert!(truths.iter().all(is_exact), "{variant}: {truths:x?}");
        let of_a = variant.operands()[0];
        for element in 0..of_a.elements as usize {
            let mut lacking = operands.clone();
            for row in 0..ROWS {
                let bytes = lacking[0].row_bytes_of_mut(row);
                let kept: Vec<u64> =
                    (0..of_a.elements as usize).map(|at| of_a.register(bytes, at)).collect();
                bytes.fill(0);
                let kept = kept.iter().enumerate().filter(|(at, _)| *at != element);
                kept.for_each(|(at, &bits)| of_a.set_register(bytes, at, bits));
            }
            kernel.run(&lacking, &mut results);
            for (row, truth) in truths.iter().enumerate() {
                let result = results[0].get(row);
                let wrong = !truth.accepts(variant.dot().d, result);
                assert!(wrong, "{variant} {target} without {element}: {result:x} {truth:x?}");
            }
        }
    }
}

fn truth(text: &str, products: &[(u64, u64)], c: u64) -> (SumTruth, &'static Format) {
    let variant: MatrixVariant = text.parse().unwrap();
    let mut data = DotData::new(variant.dot());
    for (place, &(x, y)) in products.iter().enumerate() {
        (data.a[place], data.b[place]) = (x, y);
    }
    data.c = c;
    (Sums::new(&variant).truth(&data), variant.dot().d)
}

/// Returns whether each of some results is right for a sum.
fn accepted<const N: usize>(
    text: &str,
    products: &[(u64, u64)],
    c: u64,
    results: [u64; N],
) -> [bool; N] {
    let (truth, d) = truth(text, products, c);
    results.map(|result| truth.accepts(d, result))
}

const HALF: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
const BFLOAT: &str = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";

#[test]
fn sums_that_fit_are_exact_in_any_order() {
    // 1 · 2 + 3 · 4 + 5 = 19, and −0 is 0.
    let (right, d) = truth(HALF, &[(0x3c00, 0x4000), (0x4200, 0x4400)], 0x40a0_0000);
    let SumTruth::Finite { nearest, promised, .. } = right else { panic!("{right:x?}") };
    assert_eq!((nearest, promised.low, promised.high), (0x4198_0000, 0x4198_0000, 0x4198_0000));
    assert_eq!(promised.exact, Some(0));
    assert!(right.accepts(d, 0x4198_0000) && !right.accepts(d, 0x4198_0001) && !right.accepts(d, 0));
    let (zeros, d) = truth(HALF, &[], 0x8000_0000);
    assert!(zeros.accepts(d, 0) && zeros.accepts(d, 0x8000_0000) && !zeros.accepts(d, 1));
    // 1 + 2^-24 is not: either neighbour will do, and 2 will not.
    let (open, d) = truth(HALF, &[(0x3c00, 0x3c00), (0x0c00, 0x0c00)], 0);
    assert!(!is_exact(&open));
    assert!(
        open.accepts(d, 0x3f80_0000) && open.accepts(d, 0x3f80_0001) && !open.accepts(d, 0x4000_0000)
    );
}

#[test]
fn special_operands_decide() {
    let (nan, d) = truth(HALF, &[(0x7c00, 0)], 0);
    assert!(nan == SumTruth::Nan && nan.accepts(d, 0x7fff_ffff) && !nan.accepts(d, 0));
    let (infinite, d) = truth(HALF, &[(0xfc00, 0x3c00)], 0x3f80_0000);
    assert!(infinite.accepts(d, 0xff80_0000) && !infinite.accepts(d, 0x7f80_0000));
    assert_eq!(truth(HALF, &[(0xfc00, 0x3c00)], 0x7f80_0000).0, SumTruth::Nan);
    for nan in [0x7fc0_0000, 0xff80_0001] {
        assert_eq!(truth(HALF, &[(0x3c00, 0x3c00)], nan).0, SumTruth::Nan);
        assert_eq!(truth(HALF, &[(0x7c00, 0x3c00)], nan).0, SumTruth::Nan);
    }
    // 2^128 − 2^128: an order may overflow. 2^128 − 1 does, and to nothing else.
    let (far, d) = truth(BFLOAT, &[(0x5f80, 0x5f80), (0xdf80, 0x5f80)], 0);
    assert!([0, 0x7f80_0000, 0xff80_0000, 0x7fff_ffff].iter().all(|&result| far.accepts(d, result)));
    let (over, d) = truth(BFLOAT, &[(0x5f80, 0x5f80), (0xbf80, 0x3f80)], 0);
    assert!(over.accepts(d, 0x7f80_0000) && over.accepts(d, 0x7f7f_ffff));
    assert!(![0xff80_0000, 0x7fff_ffff, 0].iter().any(|&result| over.accepts(d, result)));
}

#[test]
fn half_precision_is_enough_where_c_and_d_are_half() {
    let half = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
    // 1 + 2^-11, 2^-11 more: 1, or 1 + 2^-10.
    let (open, d) = truth(half, &[(0x1000, 0x3c00), (0x1000, 0x3c00)], 0x3c00);
    assert!(open.accepts(d, 0x3c00) && open.accepts(d, 0x3c01) && !open.accepts(d, 0x4000));
}

/// Checks that a sum is rounded once, however far the terms lie apart: 1 + 2^-24 is a tie, and 2^-149 more is above
/// it.
#[test]
fn the_expected_sum_is_rounded_once() {
    let expected = |products: &[(u64, u64)], c| {
        let (truth, d) = truth(BFLOAT, products, c);
        truth.expected(d)
    };
    let tie = [(0x3f80, 0x3f80), (0x3980, 0x3980)];
    assert_eq!([expected(&tie, 0), expected(&tie, 1)], [0x3f80_0000, 0x3f80_0001]);
    let below = [(0x3f80, 0x3f80), (0xb980, 0x3980)];
    assert_eq!([expected(&below, 0), expected(&below, 0x8000_0001)], [0x3f80_0000 - 1, 0x3f80_0000 - 1]);
}

#[test]
fn eight_bits_may_be_accumulated_in_fewer_where_the_manual_says_so() {
    // 16 + 2^-12: single precision keeps it, 13 bits do not.
    let short = |text: &str| {
        let (open, d) = truth(text, &[(0x58, 0x38), (0x08, 0x08)], 0);
        [0x4180_0080, 0x4180_0000, 0x41c0_0000].map(|result| open.accepts(d, result))
    };
    let (mma, fifth) = (
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
        "tcgen05.mma.cta_group::1.kind::f8f6f4(a-desc,f32.e4m3.e4m3,k32)",
    );
    assert_eq!(short(mma), [true, true, false]);
    assert_eq!(short(fifth), [true, false, false]);
}

/// Checks that 65,536, which is exact in f32 and no number of f16, is rounded to infinity or to the largest number.
#[test]
fn what_a_narrower_result_cannot_hold_is_rounded() {
    let narrow = "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32";
    let (open, d) = truth(narrow, &[(0x7800, 0x3c00), (0x7800, 0x3c00)], 0);
    assert_eq!(
        [0x7c00, 0x7bff, 0x7bfe, 0xfc00].map(|bits| open.accepts(d, bits)),
        [true, true, false, false]
    );
    let results = [0xfc00, 0xfbff, 0xfbfe, 0x7c00];
    let right = accepted(narrow, &[(0xf800, 0x3c00), (0xf800, 0x3c00)], 0, results);
    assert_eq!(right, [true, true, false, false]);
    let eight = "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16";
    let (open, d) = truth(eight, &[(0x7e, 0x7e)], 0);
    assert!(open.accepts(d, 0x7bff) && open.accepts(d, 0x7c00));
}

/// Checks that terms of one sign overflow to the infinity of that sign, or to the largest number.
#[test]
fn terms_of_one_sign_overflow_on_their_side() {
    let (far, d) = truth(BFLOAT, &[(0x7f00, 0x7f00)], 0);
    let results = [0x7f80_0000, 0x7f7f_ffff, 0xff80_0000, 0x7fff_ffff, 0];
    assert_eq!(results.map(|bits| far.accepts(d, bits)), [true, true, false, false, false]);
    let results = [0xff80_0000, 0xff7f_ffff, 0x7f80_0000, 0x7fff_ffff, 0];
    let right = accepted(BFLOAT, &[(0xff00, 0x7f00)], 0, results);
    assert_eq!(right, [true, true, false, false, false]);
    let half = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
    let (far, d) = truth(half, &[(0x7bff, 0x7bff)], 0);
    assert_eq!([0x7c00, 0xfc00, 0x7fff].map(|bits| far.accepts(d, bits)), [true, false, false]);
    // An infinity beside it leaves nothing else.
    let (infinite, d) = truth(half, &[(0x7bff, 0x7bff)], 0x7c00);
    assert!(infinite.accepts(d, 0x7c00) && !infinite.accepts(d, 0x7fff));
}

/// Checks that a subnormal number times an infinity may be flushed, which makes the product NaN.
#[test]
fn an_infinity_times_a_subnormal_number_may_be_nan() {
    let (open, d) = truth(HALF, &[(0x7c00, 0x0001)], 0);
    assert!(open.accepts(d, 0x7f80_0000) && open.accepts(d, 0x7fff_ffff) && !open.accepts(d, 0));
    let (plain, d) = truth(HALF, &[(0x7c00, 0x0400)], 0);
    assert!(plain.accepts(d, 0x7f80_0000) && !plain.accepts(d, 0x7fff_ffff));
}

/// Checks that fewer bits are accepted for e4m3 and e5m2 alone: the note on `wgmma` is of these, and permits whatever
/// is more than half precision.
#[test]
fn fewer_bits_are_for_eight() {
    let small = "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e2m1.f32";
    let (exact, d) = truth(small, &[(0x0c, 0x02)], 0x4580_0001);
    assert!(!exact.accepts(d, 0x4580_0800), "{exact:x?}");
    let wgmma = "wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e5m2(a-regs)";
    let (open, d) = truth(wgmma, &[(0x44, 0x24), (0x04, 0x30)], 0);
    assert!(open.accepts(d, 0x3d80_0000) && open.accepts(d, 0x3d80_0400));
}
