//! Vectors per second of the emulator's kernels, on one core.

use divan::Bencher;
use divan::counter::ItemsCount;
use harness::emulator::{Kernel, Machine};
use vectors::{Column, Variant};

/// Operands and results together stay in the first-level cache.
const ROWS: usize = 1 << 12;

/// Columns of hashed row numbers: every kind of datum, in no order.
fn operands(variant: &Variant) -> Vec<Column> {
    let mut state = 0u64;
    let mut column = |row_bytes| {
        let mut column = Column::new(row_bytes, ROWS);
        for row in 0..ROWS {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            column.set(row, state.wrapping_mul(state ^ (state >> 32)) >> 16);
        }
        column
    };
    variant.operands().iter().map(|operand| column(operand.ty.row_bytes())).collect()
}

macro_rules! benchmarks {
    ($($name:ident $text:literal)+) => {$(
        #[divan::bench(args = Machine::ALL)]
        fn $name(bencher: Bencher, machine: Machine) {
            let variant: Variant = $text.parse().expect("a variant");
            let Some(kernel) = Kernel::of(&variant, machine) else { return };
            let operands = operands(&variant);
            let mut results = [Column::new(variant.results()[0].ty.row_bytes(), ROWS)];
            bencher
                .counter(ItemsCount::new(ROWS))
                .bench_local(|| kernel.run(divan::black_box(&operands), &mut results));
        }
    )+};
}

benchmarks! {
    mul_f16 "mul.f16"
    mul_bf16 "mul.bf16"
    fma_f16 "fma.rn.f16"
    fma_ftz_sat_f16 "fma.rn.ftz.sat.f16"
    fma_bf16 "fma.rn.bf16"
    fma_rn_f32_f16 "fma.rn.f32.f16"
    fma_rm_f32_bf16 "fma.rm.f32.bf16"
    add_rn_f32_f16 "add.rn.f32.f16"
    add_rn_f32_bf16 "add.rn.f32.bf16"
}

fn main() {
    divan::main();
}
