//! Sums and products of f32 by the host's own arithmetic, which rounds to nearest as PTX does. Nothing but measured
//! functions is computed with it.

use formats::Column;
use isa::Variant;

use super::NAN;

/// A function that computes a column of results from columns of operands, in bits.
pub type HostKernel = fn(&[Column], &mut [u32]);

/// Returns the kernel that computes an instruction, where this host has one.
pub fn kernel(variant: &Variant) -> Option<HostKernel> {
    // Without a rounding these round to nearest even, as with `.rn` (9.7.3.3 to 9.7.3.5).
    match variant.text() {
        "add.f32" | "add.rn.f32" => Some(|operands, results| two(operands, results, |a, b| a + b)),
        "sub.f32" | "sub.rn.f32" => Some(|operands, results| two(operands, results, |a, b| a - b)),
        "mul.f32" | "mul.rn.f32" => Some(|operands, results| two(operands, results, |a, b| a * b)),
        "fma.rn.f32" if fuses() => Some(fused),
        _ => None,
    }
}

/// Returns the bits of a result; every NaN becomes the only one that PTX has.
#[inline(always)]
fn bits(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

#[inline(always)]
fn two(operands: &[Column], results: &mut [u32], of: impl Fn(f32, f32) -> f32) {
    let [a, b] = [0, 1].map(|at| operands[at].elements::<u32>());
    for (result, (&a, &b)) in results.iter_mut().zip(a.iter().zip(b)) {
        *result = bits(of(f32::from_bits(a), f32::from_bits(b)));
    }
}

#[inline(always)]
fn three(operands: &[Column], results: &mut [u32]) {
    let [a, b, c] = [0, 1, 2].map(|at| operands[at].elements::<u32>());
    for (result, ((&a, &b), &c)) in results.iter_mut().zip(a.iter().zip(b).zip(c)) {
        *result = bits(f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c)));
    }
}

/// Whether the host has an instruction for fused multiply-add; without one the emulator is as fast.
#[cfg(target_arch = "x86_64")]
fn fuses() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[cfg(not(target_arch = "x86_64"))]
fn fuses() -> bool {
    cfg!(target_arch = "aarch64")
}

#[cfg(target_arch = "x86_64")]
fn fused(operands: &[Column], results: &mut [u32]) {
    #[target_feature(enable = "avx2,fma")]
    fn with_instructions(operands: &[Column], results: &mut [u32]) {
        three(operands, results);
    }
    // SAFETY: the kernel is given where `fuses` has found the instructions.
    unsafe { with_instructions(operands, results) }
}

#[cfg(not(target_arch = "x86_64"))]
fn fused(operands: &[Column], results: &mut [u32]) {
    three(operands, results);
}

#[cfg(test)]
mod tests {
    use isa::{columns_for, results_for};
    use machines::functions::{ExecutionUnit, Nearest};
    use sweeps::{Length, Sweep};

    use super::*;

    /// Checks the host against the emulator on the vectors of all sweeps.
    #[test]
    fn the_host_computes_what_the_emulator_does() {
        let mut seen = 0;
        for (variant, kernel) in Variant::all().iter().filter_map(|of| Some((of, kernel(of)?))) {
            for sweep in Sweep::all() {
                let rows = match sweep.length(variant) {
                    Length::None => continue,
                    Length::Finite(rows) => rows.min(4096) as usize,
                    Length::Endless => 4096,
                };
                let mut operands = columns_for(variant, rows);
                sweep.fill(variant, 5, 0, &mut operands);
                let [mut host, mut emulator] = [0; 2].map(|_| results_for(variant, rows));
                kernel(&operands, host[0].elements_mut());
                Nearest::default().execute(variant, &operands, &mut emulator).unwrap();
                for row in 0..rows {
                    let given: Vec<u64> = operands.iter().map(|column| column.get(row)).collect();
                    assert_eq!(host[0].get(row), emulator[0].get(row), "{variant} {given:x?}");
                }
                seen += 1;
            }
        }
        assert!(seen > 40, "{seen}");
    }
}
