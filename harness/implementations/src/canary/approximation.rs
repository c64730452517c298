//! Faults that are planted in the canary's approximate functions.

use formats::{BF16, Class, F16, F32, F64, Format};

/// A variant, and the function that spoils one element: from the bits of its operands and the result that it
/// should have.
type PlantedApproximation = (&'static str, fn(&[u64], u64) -> u64);

/// Planted faults, one in each of these variants, of the kinds that emulators have.
#[rustfmt::skip] // a table
pub const PLANTED_APPROXIMATIONS: &[PlantedApproximation] = &[
    // Divides, where the manual has a zero.
    ("div.approx.f32",        |a, right| if huge(a[1]) { divided(a) } else { right }),
    // Flushes, where nobody asked for it.
    ("div.full.f32",          |_, right| flushed(&F32, right)),
    // Multiplies by a reciprocal, which of large divisors is subnormal and flushed.
    ("div.full.ftz.f32",      |a, right| if huge(a[1]) { right & F32.sign_mask() } else { right }),
    // Has a table with a wrong entry.
    ("rcp.approx.f32",        |a, right| if entry(a[0]) == 0x25 { right ^ 7 } else { right }),
    // Loses the sign of zero.
    ("rcp.approx.ftz.f32",    |_, right| if is(&F32, right, Class::Infinity) { right & !F32.sign_mask() } else { right }),
    // Writes the lower half, too.
    ("rcp.approx.ftz.f64",    |_, right| if is(&F64, right, Class::Normal) { right | 1 } else { right }),
    ("sqrt.approx.f32",       |_, right| if is(&F32, right, Class::Zero) { 0 } else { right }),
    ("rsqrt.approx.f32",      |_, right| if is(&F32, right, Class::Infinity) { right & !F32.sign_mask() } else { right }),
    // Does not flush operands, of which the sine is the operand itself.
    ("sin.approx.ftz.f32",    |a, right| if is(&F32, a[0], Class::Subnormal) { a[0] } else { right }),
    // Has too few bits of pi for large arguments.
    ("cos.approx.f32",        |a, right| if (64.0..300.0).contains(&f32_of(a[0]).abs()) { bits(f32_of(right) + 1.2e-4) } else { right }),
    // Flushes operands without `.ftz`.
    ("lg2.approx.f32",        |a, right| if is(&F32, a[0], Class::Subnormal) { bits(f32::NEG_INFINITY) } else { right }),
    // Ignores the sign of infinity.
    ("lg2.approx.ftz.f32",    |a, right| if is(&F32, a[0], Class::Infinity) { bits(f32::INFINITY) } else { right }),
    // Does not flush results.
    ("ex2.approx.ftz.f32",    |a, right| if (-149.0..-126.0).contains(&f32_of(a[0])) { 1 << (f32_of(a[0]) + 149.0) as u32 } else { right }),
    // Clamps what overflows.
    ("ex2.approx.f16",        |a, right| if is(&F16, a[0], Class::Normal) { right.min(F16.max_finite()) } else { right }),
    // Loses small results.
    ("tanh.approx.f32",       |a, right| if f32_of(a[0]).abs() < 2.4e-4 { right & F32.sign_mask() } else { right }),
    // Exceeds 1.
    ("tanh.approx.f16x2",     |_, right| if right & 0x7fff == F16.one() { right + 1 } else { right }),
    // Is 1 of NaN.
    ("tanh.approx.bf16",      |_, right| if BF16.is_nan(right) { BF16.one() } else { right }),
];

fn is(format: &Format, bits: u64, class: Class) -> bool {
    format.class(bits) == class
}

/// Returns a number, or the zero of its sign where it is subnormal.
fn flushed(format: &Format, bits: u64) -> u64 {
    if is(format, bits, Class::Subnormal) { bits & format.sign_mask() } else { bits }
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits(value: f32) -> u64 {
    value.to_bits().into()
}

fn divided(operands: &[u64]) -> u64 {
    bits(f32_of(operands[0]) / f32_of(operands[1]))
}

/// Whether the magnitude of `divisor` is finite and above 2^126.
fn huge(divisor: u64) -> bool {
    (0x7e80_0001..0x7f80_0000).contains(&(divisor & !F32.sign_mask()))
}

/// Returns the leading bits of a significand.
fn entry(bits: u64) -> u64 {
    bits >> 16 & 0x7f
}
