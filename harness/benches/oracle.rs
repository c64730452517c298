//! What a vector costs the MPFR oracle, per operation and format.

use divan::Bencher;
use divan::counter::ItemsCount;
use harness::oracle::Oracle;
use vectors::{Column, Variant};

const ROWS: usize = 1 << 14;
fn main() {
    divan::main();
}

#[divan::bench(args = ["mul.f16", "mul.rn.ftz.sat.f16x2", "mul.bf16", "fma.rn.f16", "fma.rn.oob.bf16", "add.rm.f32.f16", "fma.rz.f32.bf16"])]
fn judge(bencher: Bencher, text: &str) {
    let variant: Variant = text.parse().expect("a variant");
    let mut state = 1u64;
    let mut columns: Vec<Column> =
        variant.operands().iter().map(|o| Column::new(o.ty.row_bytes(), ROWS)).collect();
    for column in &mut columns {
        for byte in column.bytes_mut() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *byte = (state >> 56) as u8;
        }
    }
    let mut oracle = Oracle::new(&variant);
    let mut truth = Oracle::truth(&variant);
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| oracle.expect(&columns, &mut truth));
}
