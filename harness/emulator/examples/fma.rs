//! `fma.rn.relu.bf16x2` on two vectors, one element at a time and in SIMD lanes.

use emulator::{Backend, Kernel};
use formats::{Column, column};
use isa::Variant;

fn main() {
    let variant: Variant = "fma.rn.relu.bf16x2".parse().expect("a variant of the instruction table");

    // Columns of registers: a, b and c of each vector. A register holds two bf16, lane 0 in its low half.
    let vectors = [[0x4000_3fc0, 0xbfc0_3f81, 0x3f80_0000], [0xff81_3fc0, 0x3f80_3f81, 0x3f80_a500]];
    let mut operands = [(); 3].map(|()| Column::new(4, vectors.len()));
    for (row, registers) in vectors.iter().enumerate() {
        column::set_row(&mut operands, row, registers);
    }

    for backend in [Backend::Scalar, Backend::Lanes] {
        let kernel = Kernel::of(&variant, backend).expect("every CPU has these two");
        let mut results = [Column::new(4, vectors.len())];
        kernel.run(&operands, &mut results);

        // Lane 1: 2 · -1.5 + 1 = -2 is clamped. Lane 0: 1.5 · 1.0078125 is a tie, and goes to even.
        assert_eq!(results[0].get(0), 0x0000_3fc2);
        // Lane 1: a NaN becomes the canonical one. Lane 0: the same product less 2^-53 is no tie.
        assert_eq!(results[0].get(1), 0x7fff_3fc1);
    }
}
