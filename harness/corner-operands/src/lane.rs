//! Random operands of a lane, whose exponents meet.

use formats::Format;
use sweeps::CounterRng;

use crate::{boundary, integer, one_in, pick, sparse};

/// Draws the operands of one lane whose result has the format `result`: any bits, boundaries, or sparse numbers
/// with exponents near one that they share.
pub fn lane(random: &mut CounterRng, inputs: &[&Format], result: &Format) -> Vec<u64> {
    let kind = random.below(8);
    let shared = match one_in(random, 3) {
        true => random.between(-3, 3),
        false => random.between(result.exponent_min(), result.exponent_max()),
    };
    let mut operand = |format: &Format| match kind {
        0 | 1 => random.next() & format.mask(),
        2 | 3 => boundary(random, format),
        _ if format.is_fixed() => integer(random, format),
        _ => {
            let reach = pick(random, &[1, 4, result.precision() as i32 + 3]);
            let exponent = shared + random.between(-reach, reach);
            sparse(random, format, finite_field(format, exponent), result)
        }
    };
    inputs.iter().map(|format| operand(format)).collect()
}

/// Draws two numbers of `source` and one of `result`, such that the product of the first two (`fused`), or the
/// first alone, lands beside the third, or beside an end of the result's range.
pub fn product_meeting_addend(
    random: &mut CounterRng,
    source: &Format,
    result: &Format,
    fused: bool,
) -> [u64; 3] {
    let (low, high) = (source.exponent_min(), source.exponent_max());
    let reach = result.precision() as i32 + 3;
    let a = random.between(low - 1, high);
    let target = match random.below(4) {
        0 => result.exponent_min() + random.between(-reach, 2),
        1 => result.exponent_max() + random.between(-2, 2),
        _ => random.between(2 * low, 2 * high),
    };
    let b = (target - a).clamp(low - 1, high);
    let first = if fused { a + b } else { a };
    let c = first + random.between(-reach - 12, reach);
    [(source, a), (source, b), (result, c)].map(|(format, exponent)| {
        // The number is subnormal now and then, where the exponent is as low as that.
        let lowest = random.between(0, 1) as u64;
        let field = finite_field(format, exponent).max(lowest);
        sparse(random, format, field, result)
    })
}

/// Returns the exponent field of a finite number of about this exponent.
fn finite_field(format: &Format, exponent: i32) -> u64 {
    let last = format.max_finite() >> format.trailing_bits;
    (exponent + format.bias).clamp(0, last as i32) as u64
}

#[cfg(test)]
mod tests {
    use formats::{F16, F32, F64};

    use super::*;

    fn exponent(format: &Format, bits: u64) -> Option<i32> {
        let (significand, exponent) = format.decode(bits)?;
        Some(exponent + significand.checked_ilog2()? as i32)
    }

    /// Tests that most products lie so near to their addend that bits of both count, and some on either side of
    /// it.
    #[test]
    fn products_meet_their_addends() {
        for (source, result) in [(&F16, &F16), (&F16, &F32), (&F32, &F32), (&F64, &F64)] {
            let (mut random, mut distances) = (CounterRng::new(4, 0), Vec::new());
            for _ in 0..10_000 {
                let [a, b, c] = product_meeting_addend(&mut random, source, result, true);
                let exponents = [exponent(source, a), exponent(source, b), exponent(result, c)];
                if let [Some(a), Some(b), Some(c)] = exponents {
                    distances.push(a + b - c);
                }
            }
            let near = result.precision() as i32 + 2;
            let count = |of: &dyn Fn(i32) -> bool| distances.iter().filter(|at| of(**at)).count();
            assert!(count(&|at| at.abs() <= near) > 4_000, "{}", source.name);
            assert!(count(&|at| at < 0) > 1_000 && count(&|at| at > 0) > 1_000, "{}", source.name);
        }
    }

    #[test]
    fn lanes_have_an_operand_for_each_input() {
        let mut random = CounterRng::new(5, 0);
        for _ in 0..1_000 {
            let [a, b] = lane(&mut random, &[&F32, &F16], &F16)[..] else { panic!("not two") };
            assert!(a & !F32.mask() == 0 && b & !F16.mask() == 0);
        }
    }
}
