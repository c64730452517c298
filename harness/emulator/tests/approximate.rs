//! Compares approximate functions in lanes with the same functions computed one element at a time, to the bit. A CPU
//! without lanes has nothing to compare, and the tests say so.

use std::io::Write;
use std::sync::Once;

use emulator::{Backend, Kernel};
use formats::Column;
use isa::{Variant, columns_for, results_for};
use sweeps::CounterRng;

/// The number of rows that are computed at a time: no multiple of the number of lanes.
const ROWS: usize = (1 << 14) + 3;

const VARIANTS: [&str; 18] = [
    "ex2.approx.f32",
    "ex2.approx.ftz.f32",
    "ex2.approx.f16x2",
    "ex2.approx.ftz.bf16",
    "lg2.approx.f32",
    "lg2.approx.ftz.f32",
    "rsqrt.approx.f32",
    "rsqrt.approx.ftz.f32",
    "sin.approx.f32",
    "sin.approx.ftz.f32",
    "cos.approx.f32",
    "cos.approx.ftz.f32",
    "tanh.approx.f32",
    "tanh.approx.f16",
    "tanh.approx.bf16x2",
    "sqrt.approx.f32",
    "div.approx.f32",
    "div.approx.ftz.f32",
];

/// Returns the kernels of a variant: the scalar one, and one for each kind of lanes that this CPU has.
fn kernels(variant: &Variant) -> Vec<(Backend, Kernel)> {
    static SAID: Once = Once::new();
    let kernel = |backend| (backend, Kernel::of(variant, backend).expect("the CPU has the backend"));
    let kernels: Vec<(Backend, Kernel)> = Backend::distinct().map(kernel).collect();
    if kernels.len() < 2 {
        SAID.call_once(|| {
            let words = "SKIPPED: this CPU has no lanes (AVX2 or AVX-512) to compare with scalars";
            writeln!(std::io::stderr(), "{words}").expect("standard error is open");
        });
    }
    kernels
}

/// Compares all kernels of a variant on the rows of `operands`.
fn compare(variant: &Variant, kernels: &[(Backend, Kernel)], operands: &[Column]) {
    let results = |kernel: &Kernel| {
        let mut results = results_for(variant, operands[0].rows());
        kernel.run(operands, &mut results);
        results.swap_remove(0)
    };
    let [(Backend::Scalar, scalar), others @ ..] = kernels else { panic!("every CPU has scalars") };
    let expected = results(scalar);
    for (backend, kernel) in others {
        let got = results(kernel);
        if got.bytes() != expected.bytes() {
            let row =
                (0..got.rows()).find(|&row| got.get(row) != expected.get(row)).expect("one differs");
            let operands: Vec<u64> = operands.iter().map(|operand| operand.get(row)).collect();
            let (got, expected) = (got.get(row), expected.get(row));
            panic!("{variant} of {operands:x?}: {got:#x} with {backend:?}, not {expected:#x}");
        }
    }
}

/// Compares all kernels of a variant of one f32 on a range of inputs.
fn compare_inputs(text: &str, inputs: std::ops::Range<u64>) {
    let variant: Variant = text.parse().expect("a variant");
    let kernels = kernels(&variant);
    for start in inputs.clone().step_by(ROWS) {
        let rows = (inputs.end - start).min(ROWS as u64) as usize;
        let mut operand = Column::new(4, rows);
        for (at, row) in operand.elements_mut::<u32>().iter_mut().enumerate() {
            *row = start as u32 + at as u32;
        }
        compare(&variant, &kernels, &[operand]);
    }
}

#[test]
fn random_operands() {
    for text in VARIANTS {
        let variant: Variant = text.parse().expect("a variant");
        let kernels = kernels(&variant);
        let mut draws = CounterRng::new(0, 1);
        for _ in 0..8 {
            let mut operands = columns_for(&variant, ROWS);
            for operand in &mut operands {
                (0..ROWS).for_each(|row| operand.set(row, draws.next()));
            }
            compare(&variant, &kernels, &operands);
        }
    }
}

/// Compares results around zero, the smallest normal number, 1 and infinity, of both signs.
#[test]
fn neighbours_of_zero_one_infinity_and_the_smallest_normal_number() {
    for text in VARIANTS.into_iter().filter(|text| text.ends_with("f32") && !text.starts_with("div")) {
        for centre in [0x0080_0000, 0x0100_0000, 0x3f80_0000, 0x7f80_0000, 0xc2fc_0000] {
            for sign in [0, 1 << 31] {
                compare_inputs(text, (centre ^ sign) - 40_000..(centre ^ sign) + 40_000);
            }
        }
    }
}

/// Defines tests that compare every input of a function.
macro_rules! every_input {
    ($($name:ident = $text:literal;)+) => {$(
        #[test]
        #[ignore = "minutes"]
        fn $name() {
            compare_inputs($text, 0..1 << 32);
        }
    )+};
}

every_input! {
    every_ex2 = "ex2.approx.f32";
    every_ex2_ftz = "ex2.approx.ftz.f32";
    every_lg2 = "lg2.approx.f32";
    every_rsqrt = "rsqrt.approx.f32";
    every_sin = "sin.approx.f32";
    every_cos = "cos.approx.f32";
    every_tanh = "tanh.approx.f32";
    every_sqrt = "sqrt.approx.f32";
}
