//! Operands that reach the corners of an operation: specials, exponents that meet, sums that cancel.

use corner_operands::{boundary, product_meeting_addend};
use isa::Op;
use sweeps::CounterRng;

use crate::reference::Core;

/// Draws operands `[a, b, c]` for one lane.
pub fn operands(random: &mut CounterRng, core: &Core) -> [u64; 3] {
    let formats = [&core.source, &core.source, &core.result];
    let uniform = |random: &mut CounterRng| formats.map(|format| random.next() & format.mask());
    match random.below(8) {
        0 => uniform(random),
        1 | 2 => {
            let mut operands = uniform(random);
            for (operand, format) in operands.iter_mut().zip(formats) {
                if random.below(2) == 0 {
                    *operand = boundary(random, format);
                }
            }
            operands
        }
        3 => cancelling(random, core),
        _ => met(random, core),
    }
}

/// Draws operands whose product, or whose first term, lands beside the addend.
fn met(random: &mut CounterRng, core: &Core) -> [u64; 3] {
    let fused = !matches!(core.op, Op::Add | Op::Sub);
    product_meeting_addend(random, &core.source, &core.result, fused)
}

/// Draws operands with an addend that takes away all of the product (or of the narrow addend), or nearly.
fn cancelling(random: &mut CounterRng, core: &Core) -> [u64; 3] {
    let [a, b, _] = met(random, core);
    let nothing = match core.op {
        Op::Fma => core.result.sign_mask(),
        _ => 0,
    };
    let rest = core.compute([a, b, nothing]);
    let sign = if core.op == Op::Sub { 0 } else { core.result.sign_mask() };
    let off = random.between(-1, 1) as u64;
    [a, b, (rest ^ sign).wrapping_add(off) & core.result.mask()]
}
