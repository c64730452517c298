//! Operands that reach the corners: specials, sparse significands, exponents that meet.

use formats::Format;
use isa::Op;
use sweeps::CounterRng;

use crate::reference::Core;

/// Operands `[a, b, c]` for one lane.
pub fn operands(random: &mut CounterRng, core: &Core) -> [u64; 3] {
    let formats = [&core.source, &core.source, &core.result];
    let uniform = |random: &mut CounterRng| formats.map(|format| random.next() & format.mask());
    match random.below(8) {
        0 => uniform(random),
        1 | 2 => {
            let mut operands = uniform(random);
            for (operand, format) in operands.iter_mut().zip(formats) {
                if random.below(2) == 0 {
                    *operand = special(random, format);
                }
            }
            operands
        }
        3 => cancelling(random, core),
        _ => meeting(random, core),
    }
}

/// A value at a boundary of its format, of either sign.
fn special(random: &mut CounterRng, format: &Format) -> u64 {
    let boundaries = [
        0,
        1,
        2,
        format.min_normal() - 1,
        format.min_normal(),
        format.min_normal() + 1,
        format.one() - 1,
        format.one(),
        format.one() + 1,
        format.max_finite(),
        format.max_finite() - 1,
        format.infinity().expect("formats with infinities"),
        format.max_finite() + 2,
        format.canonical_nan(),
        0x7ff7 & format.magnitude_mask(),
        0x7eff & format.magnitude_mask(),
    ];
    let boundary = boundaries[random.below(boundaries.len() as i32) as usize];
    boundary | (random.next() & format.sign_mask())
}

/// A datum with this biased exponent (1 and less: subnormal now and then) and few bits set, or few
/// clear, or any.
fn sparse(random: &mut CounterRng, format: &Format, exponent: i32) -> u64 {
    let last = (format.max_finite() >> format.trailing_bits) as i32;
    let lowest = random.between(0, 1);
    let field = exponent.clamp(lowest, last) as u64;
    let one = |random: &mut CounterRng| 1u64 << random.below(format.trailing_bits as i32);
    let trailing = match random.below(6) {
        0 => one(random),
        1 => one(random) | one(random),
        2 => !one(random),
        3 => one(random).wrapping_sub(one(random)),
        4 => !(one(random) | one(random)),
        _ => random.next(),
    };
    let sign = random.next() & format.sign_mask();
    sign | (field << format.trailing_bits) | (trailing & format.trailing_mask())
}

/// Exponents such that the product (or the narrow addend) lands beside the addend, or beside the
/// end of the format's range.
fn meeting(random: &mut CounterRng, core: &Core) -> [u64; 3] {
    let (source, result) = (&core.source, &core.result);
    let (low, high) = (source.exponent_min(), source.exponent_max());
    let reach = result.precision() as i32 + 3;
    let a = random.between(low - 1, high);
    let target = match random.below(4) {
        0 => result.exponent_min() + random.between(-reach, 2),
        1 => result.exponent_max() + random.between(-2, 2),
        _ => random.between(2 * low, 2 * high),
    };
    let b = (target - a).clamp(low - 1, high);
    let first = if matches!(core.op, Op::Add | Op::Sub) { a } else { a + b };
    let c = first + random.between(-reach - 12, reach);
    let biased = |format: &Format, exponent: i32| exponent + format.bias;
    [
        sparse(random, source, biased(source, a)),
        sparse(random, source, biased(source, b)),
        sparse(random, result, biased(result, c)),
    ]
}

/// An addend that takes away all of the product (or of the narrow addend), or nearly.
fn cancelling(random: &mut CounterRng, core: &Core) -> [u64; 3] {
    let [a, b, _] = meeting(random, core);
    let nothing = match core.op {
        Op::Fma => core.result.sign_mask(),
        _ => 0,
    };
    let rest = core.compute([a, b, nothing]);
    let sign = if core.op == Op::Sub { 0 } else { core.result.sign_mask() };
    let off = random.between(-1, 1) as u64;
    [a, b, (rest ^ sign).wrapping_add(off) & core.result.mask()]
}
