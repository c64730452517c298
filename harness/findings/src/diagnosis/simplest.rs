//! Searches for the simplest vector of a class: with the fewest bits set in all significands together, then the
//! exponents nearest to that of 1, then the fewest negative numbers. The search goes step by step from a mismatch;
//! every step makes one thing simpler, or moves exponents together.

use anyhow::Result;
use formats::{Format, RowBits, column};
use implementations::Worker;
use isa::{Type, Variant, columns_for};
use judge::{Mismatch, MismatchKind};

use super::descent::{Descent, descend};
use super::evidence::Rerun;

/// Returns how far a vector is from being simple: bits, exponents, signs, and the bits themselves.
pub fn key(variant: &Variant, operands: &[RowBits]) -> (u32, u64, u32, Vec<RowBits>) {
    let (mut bits, mut exponents, mut signs) = (0, 0, 0);
    for (register, operand) in variant.operands().iter().zip(operands) {
        let (format, operand) = (register.ty.format, operand.word());
        for lane in 0..register.ty.lanes {
            let datum = register.ty.lane(operand, lane);
            // Fixed-point numbers are two's complements, whose magnitude is not a field of their bits.
            let magnitude = if format.is_fixed() && format.is_negative(datum) {
                datum.wrapping_neg() & format.mask()
            } else {
                datum & format.magnitude_mask()
            };
            bits += if format.is_fixed() { magnitude } else { magnitude & format.trailing_mask() }
                .count_ones();
            exponents += distance(format, magnitude);
            signs += u32::from(format.is_negative(datum));
        }
    }
    // The bits themselves decide between vectors that are equally simple, so that the order is total.
    (bits, exponents, signs, operands.to_vec())
}

/// Returns how far the exponent of a magnitude is from that of 1; zero has none, and is at distance 0.
fn distance(format: &Format, magnitude: u64) -> u64 {
    match format.is_fixed() {
        _ if magnitude == 0 => 0,
        true => u64::from(magnitude.ilog2()),
        false => (magnitude >> format.trailing_bits).abs_diff(format.one() >> format.trailing_bits),
    }
}

/// Searches for the simplest vector that can be reached from a mismatch and is one of the same kind. An
/// implementation that takes `most` vectors of a sweep is given no more than that.
pub fn search(
    rerun: &mut Rerun,
    worker: &mut dyn Worker,
    kind: MismatchKind,
    from: &Mismatch,
    most: Option<u64>,
) -> Result<Mismatch> {
    descend(from, most, LaneProbe { rerun, worker, kind })
}

/// The vectors of one variant, tried as evidence is: on a worker, and judged by the oracle.
struct LaneProbe<'a> {
    rerun: &'a mut Rerun,
    worker: &'a mut dyn Worker,
    kind: MismatchKind,
}

impl Descent for LaneProbe<'_> {
    type Key = (u32, u64, u32, Vec<RowBits>);

    const STEPS: usize = 64;

    fn key(&self, operands: &[RowBits]) -> Self::Key {
        key(self.rerun.variant, operands)
    }

    fn steps(&self, operands: &[RowBits]) -> Vec<Vec<RowBits>> {
        steps(self.rerun.variant, operands)
    }

    fn first(&mut self, vectors: &[Vec<RowBits>]) -> Result<Option<Mismatch>> {
        let mut columns = columns_for(self.rerun.variant, vectors.len());
        for (row, operands) in vectors.iter().enumerate() {
            column::set_row_bits(&mut columns, row, operands);
        }
        let evidence = self.rerun.run(columns, self.worker)?;
        // Mismatches are in the order of the rows, so the first is the simplest.
        let found = evidence.mismatches.iter().find(|(_, of)| *of == self.kind);
        let describe =
            |row| self.rerun.judge.describe(&evidence.truth, evidence.batch(&evidence.results), row);
        Ok(found.map(|&(row, _)| describe(row)))
    }
}

/// Returns the vectors that are one step away from a given one.
pub fn steps(variant: &Variant, operands: &[RowBits]) -> Vec<Vec<RowBits>> {
    let types: Vec<Type> = variant.operands().iter().map(|register| register.ty).collect();
    let mut steps = Vec::new();
    let mut place = |changes: &[(usize, usize, u64)]| {
        let mut changed = operands.to_vec();
        for &(register, lane, bits) in changes {
            let ty = &types[register];
            let others = changed[register].word() & !ty.place(ty.format.mask(), lane);
            changed[register] = (others | ty.place(bits, lane)).into();
        }
        steps.push(changed);
    };
    let data: Vec<(usize, usize, u64)> = types
        .iter()
        .enumerate()
        .flat_map(|(register, ty)| (0..ty.lanes).map(move |lane| (register, lane)))
        .map(|(register, lane)| (register, lane, types[register].lane(operands[register].word(), lane)))
        .collect();
    for &(register, lane, bits) in &data {
        let of_one = simpler_data(types[register].format, bits);
        of_one.into_iter().for_each(|bits| place(&[(register, lane, bits)]));
    }
    // A lane of all operands at once becomes zero.
    let lanes = types.iter().map(|ty| ty.lanes).max().unwrap_or(1);
    for lane in (0..lanes).filter(|_| lanes > 1) {
        let of_lane: Vec<_> = data.iter().filter(|datum| datum.1 == lane).collect();
        place(&of_lane.iter().map(|&&(register, lane, _)| (register, lane, 0)).collect::<Vec<_>>());
    }
    // Exponents of two operands move together, or those of three.
    for (at, &first) in data.iter().enumerate() {
        for &second in data[at + 1..].iter().filter(|second| second.1 == first.1 || lanes == 1) {
            let format = types[first.0].format;
            for by in shifts(format, first.2) {
                for other in [by, -by, 2 * by] {
                    let moved = [(first, by), (second, other)].map(|((register, lane, bits), by)| {
                        shifted(types[register].format, bits, by).map(|bits| (register, lane, bits))
                    });
                    if let [Some(a), Some(b)] = moved {
                        place(&[a, b]);
                        // A third goes with the second, as the addend does with a product.
                        for &(register, lane, bits) in data.iter().filter(|third| third.1 == first.1) {
                            let third = ![first.0, second.0].contains(&register);
                            for by in [other, by + other] {
                                match shifted(types[register].format, bits, by) {
                                    Some(bits) if third => place(&[a, b, (register, lane, bits)]),
                                    _ => {}
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    steps
}

/// Returns data that may be simpler than a given one.
fn simpler_data(format: &Format, bits: u64) -> Vec<u64> {
    let mut simpler = vec![0, format.one(), bits & format.magnitude_mask()];
    let trailing = if format.is_fixed() { format.magnitude_mask() } else { format.trailing_mask() };
    simpler.extend(
        (0..64).map(|bit| 1 << bit).filter(|bit| bits & trailing & bit != 0).map(|bit| bits & !bit),
    );
    // Halves of the significand at once.
    for keep in [u64::MAX << (format.trailing_bits / 2), (1 << (format.trailing_bits / 2)) - 1, 0] {
        simpler.push(bits & !trailing | bits & trailing & keep);
    }
    simpler.extend(shifts(format, bits).into_iter().filter_map(|by| shifted(format, bits, by)));
    simpler
}

/// Returns changes of a datum's exponent that bring it nearer to that of 1; none for fixed-point formats.
fn shifts(format: &Format, bits: u64) -> Vec<i64> {
    if format.is_fixed() {
        return Vec::new();
    }
    let field = |bits: u64| ((bits & format.exponent_mask()) >> format.trailing_bits) as i64;
    let to_one = field(format.one()) - field(bits);
    let mut shifts = vec![to_one, to_one / 2, to_one / 4, to_one.signum(), 4 * to_one.signum()];
    shifts.retain(|by| *by != 0);
    shifts.dedup();
    shifts
}

/// Returns a datum with its exponent field moved by `by`, if the format has such an exponent.
fn shifted(format: &Format, bits: u64, by: i64) -> Option<u64> {
    if format.is_fixed() {
        return None;
    }
    let top = (format.exponent_mask() >> format.trailing_bits) as i64;
    let field = ((bits & format.exponent_mask()) >> format.trailing_bits) as i64 + by;
    let kept = bits & !format.exponent_mask();
    (0..=top).contains(&field).then_some(kept | (field as u64) << format.trailing_bits)
}
