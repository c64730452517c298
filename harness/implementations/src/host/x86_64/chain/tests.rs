//! Tests of the processor's dot products against the arithmetic of single numbers.

use emulator::{Backend, Kernel};
use formats::{Column, F64};
use isa::Variant;
use isa::matrix::{Controls, DotData, MatrixVariant, columns_for, results_for};
use oracle::dot::Sums;
use sweeps::matrix::DotSweep;

use super::super::tests::control_register;
use crate::host::Host;
use crate::host::tests::{host, say_what_is_missing};
use crate::{Implementation, Support};

/// Number of vectors of each sweep: enough for each to show what it is for.
const ROWS: u64 = 1000;

const BF16: &str = "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32";
const BF16_CONTROLLED: &str = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16(a-regs)";

/// Returns the variant, where this processor has it.
fn supported(host: &Host, text: &str) -> Option<MatrixVariant> {
    let variant: MatrixVariant = text.parse().unwrap();
    match host.support_matrix(&variant) {
        Support::Yes => Some(variant),
        _ => {
            say_what_is_missing(host);
            None
        }
    }
}

fn run(host: &Host, variant: &MatrixVariant, operands: &[Column]) -> Column {
    let mut results = results_for(variant, operands[0].rows());
    host.worker().unwrap().run_dots(variant, operands, &mut results).unwrap();
    results.remove(0)
}

/// Returns the first vectors of every sweep.
fn all_operands(variant: &MatrixVariant) -> impl Iterator<Item = (&'static str, Vec<Column>)> {
    DotSweep::all().iter().filter_map(move |sweep| {
        let rows = sweep.length(variant).at_most(ROWS);
        if rows == 0 {
            return None;
        }
        let mut operands = columns_for(variant, rows as usize);
        sweep.fill(variant, 0, 0, &mut operands);
        Some((sweep.name, operands))
    })
}

/// A sum of products, computed by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ByHand {
    sum: u32,
    /// Whether a partial sum was flushed.
    flushed: bool,
}

/// Computes two fused operations of f32 for each pair of products, the higher element's first, to nearest even.
/// Subnormal operands are zeros, and so are sums that lie below the smallest normal number after they were
/// rounded as if exponents had no end.
fn by_hand(data: &DotData) -> ByHand {
    let wide = |bits: u64, negate: bool| {
        let number = f32::from_bits((bits as u32) << 16);
        let number = if number.is_subnormal() { 0.0_f32.copysign(number) } else { number };
        if negate { -number } else { number }
    };
    let Controls { accumulate, negate_a, negate_b, addend_scale } = data.controls;
    let addend = f32::from_bits(data.c as u32) / f32::from(1_u16 << addend_scale);
    let addend = if addend.is_subnormal() { 0.0_f32.copysign(addend) } else { addend };
    let mut sum = if accumulate { addend } else { 0.0 };
    let mut flushed = false;
    for pair in (0..data.a.len()).step_by(2) {
        for k in [pair + 1, pair] {
            let (a, b) = (wide(data.a[k], negate_a), wide(data.b[k], negate_b));
            // In f64 a product is exact, and so is a sum as small as that but for what decides nothing.
            let exact = f64::from(a).mul_add(f64::from(b), f64::from(sum));
            let tiny = exact != 0.0 && exact.abs() < 2f64.powi(-126) - 2f64.powi(-151);
            sum = if tiny { 0.0_f32.copysign(exact as f32) } else { a.mul_add(b, sum) };
            flushed |= tiny;
        }
    }
    ByHand { sum: sum.to_bits(), flushed }
}

/// Nothing else stands behind the classes that `README.md` explains: where no partial sum is flushed, every
/// result is right.
#[test]
fn bf16_pairs_are_two_fused_operations_each_with_sums_flushed() {
    let host = host();
    let mut seen = [0; 3];
    for text in [BF16, BF16_CONTROLLED] {
        let Some(variant) = supported(&host, text) else { return };
        let (mut sums, mut truths) = (Sums::new(&variant), Vec::new());
        let mut data = DotData::new(variant.dot());
        for (sweep, operands) in all_operands(&variant) {
            let results = run(&host, &variant, &operands);
            sums.expect(&operands, &mut truths);
            for (row, truth) in truths.iter().enumerate() {
                data.read(variant.dot(), variant.operands(), &operands, row);
                let (hand, result) = (by_hand(&data), results.get(row) as u32);
                let both_nan = [hand.sum, result].iter().all(|&bits| f32::from_bits(bits).is_nan());
                assert!(
                    hand.sum == result || both_nan,
                    "{variant} {sweep} {row}: {result:#x}, not {:#x}",
                    hand.sum
                );
                let right = truth.accepts(variant.dot().d, result.into());
                assert!(right || hand.flushed, "{variant} {sweep} {row}: {result:#x} is a mismatch");
                let case = if right { usize::from(hand.flushed) } else { 2 };
                seen[case] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// 2^-126 − 2^-151 is halfway to the number below if exponents had no end, so the even one, 2^-126, stays; what
/// lies lower is flushed, where gradual underflow would have 2^-126 down to 2^-126 − 2^-150.
#[test]
fn a_sum_is_flushed_that_is_tiny_after_rounding() {
    let host = host();
    let Some(variant) = supported(&host, BF16) else { return };
    let mut operands = columns_for(&variant, 3);
    // 1 and 1 + 2^-7, times −2^-151 in two parts; and 1 times −2^-150.
    let factors = [(0x3f80_u64, 0x0080_u64), (0x3f81, 0x0080), (0x3f80, 0x0100)];
    for (row, (a, b)) in factors.into_iter().enumerate() {
        // 2^-25 · 2^-126.
        let scaled = (a - (25 << 7)) | 0x8000;
        variant.operands()[0].set(operands[0].row_bytes_of_mut(row), 3, scaled);
        variant.operands()[1].set(operands[1].row_bytes_of_mut(row), 3, b);
        operands[2].set(row, 0x0080_0000);
    }
    let results = run(&host, &variant, &operands);
    let found: Vec<u64> = (0..3).map(|row| results.get(row)).collect();
    assert_eq!(found, [0x0080_0000, 0, 0]);
}

/// The chain is tested in each of the four roundings, with the emulator's `fma` of single numbers.
#[test]
fn f64_is_a_chain_of_fused_operations_from_the_first_element_on() {
    let host = host();
    for (suffix, fma) in [("", "rn"), (".rn", "rn"), (".rz", "rz"), (".rm", "rm"), (".rp", "rp")] {
        let text = format!("mma.sync.aligned.m16n8k4.row.col{suffix}.f64.f64.f64.f64");
        let Some(variant) = supported(&host, &text) else { return };
        let fma: Variant = format!("fma.{fma}.f64").parse().unwrap();
        let kernel = Kernel::of(&fma, Backend::Lanes).expect("it has every variant");
        for (sweep, operands) in all_operands(&variant) {
            let rows = operands[0].rows();
            let mut step = isa::columns_for(&fma, rows);
            let mut sums = operands[2].clone();
            for k in 0..variant.dot().k as usize {
                for row in 0..rows {
                    for (operand, column) in [0, 1].into_iter().zip(&mut step) {
                        let from = operands[operand].row_bytes_of(row);
                        column.set(row, variant.operands()[operand].get(from, k));
                    }
                    step[2].set(row, sums.get(row));
                }
                kernel.run(&step, std::slice::from_mut(&mut sums));
            }
            let results = run(&host, &variant, &operands);
            for row in 0..rows {
                let (expected, actual) = (sums.get(row), results.get(row));
                let both_nan = F64.is_nan(expected) && F64.is_nan(actual);
                let same = expected == actual || both_nan;
                assert!(same, "{variant} {sweep} {row}: {actual:#x}, not {expected:#x}");
            }
        }
    }
}

/// 3 · 5 + 1: what the controls among the operands say is followed, and the operands stay as they were.
#[test]
fn controls_change_signs_and_drop_the_addend() {
    let host = host();
    let Some(variant) = supported(&host, BF16_CONTROLLED) else { return };
    let mut operands = columns_for(&variant, 8);
    for row in 0..8 {
        variant.operands()[0].set(operands[0].row_bytes_of_mut(row), 9, 0x4040);
        variant.operands()[1].set(operands[1].row_bytes_of_mut(row), 9, 0x40a0);
        operands[2].set(row, 0x3f80_0000);
        operands[3].set(row, row as u64);
    }
    let before = operands.clone();
    let results = run(&host, &variant, &operands);
    let found: Vec<f32> = (0..8).map(|row| f32::from_bits(results.get(row) as u32)).collect();
    assert_eq!(found, [15.0, 16.0, -15.0, -14.0, -15.0, -14.0, 15.0, 16.0]);
    assert_eq!(operands, before);
}

#[test]
fn the_control_register_is_as_before_and_other_columns_are_refused() {
    let host = host();
    let Some(variant) = supported(&host, "mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64") else {
        return;
    };
    let before = control_register();
    assert_eq!(run(&host, &variant, &columns_for(&variant, 3)).rows(), 3);
    assert_eq!(control_register(), before);
    assert_eq!(run(&host, &variant, &columns_for(&variant, 0)).rows(), 0);
    let narrow = [Column::new(32, 2), Column::new(24, 2), Column::new(8, 2)];
    let short = [Column::new(32, 2), Column::new(32, 1), Column::new(8, 2)];
    let few = [Column::new(32, 2), Column::new(32, 2)];
    for operands in [&narrow[..], &short, &few] {
        let attempt = std::panic::AssertUnwindSafe(|| run(&host, &variant, operands));
        assert!(std::panic::catch_unwind(attempt).is_err());
    }
}

/// Scales, metadata and other formats are no part of an instruction.
#[test]
fn dots_of_bf16_and_f64_are_all_that_it_has() {
    let host = host();
    let mut counts = [0; 2];
    for variant in MatrixVariant::all() {
        let dense = ["f32.bf16.bf16", "f64.f64.f64.f64"].map(|types| variant.text().contains(types));
        let sparse = variant.dot().sparsity.is_some();
        let has = host.chain(variant).is_some();
        assert_eq!(has, dense.contains(&true) && !sparse, "{variant}");
        if !has {
            let (operands, mut results) = (columns_for(variant, 1), results_for(variant, 1));
            assert!(host.worker().unwrap().run_dots(variant, &operands, &mut results).is_err());
            let no = Support::No("x86-64 has no instruction for it".into());
            assert_eq!(host.support_matrix(variant), no, "{variant}");
        }
        counts.iter_mut().zip(dense).for_each(|(count, of)| *count += u32::from(of && has));
    }
    assert_eq!(counts, [84, 40]);
}
