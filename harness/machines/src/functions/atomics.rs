//! Executes atomic operations on shared memory, and copies to it, in each lane for itself.

use std::collections::BTreeMap;

use formats::Column;
use isa::Variant;
use ptx::syntax::{Atomic, Scalar, WordOperation};

use super::ExecutionUnit;
use super::computed::{Around, MemoryPlace, place};
use super::registers::{RowProblem, RowRegisters};
use super::shared::{AtomicOperation, AtomicRequest};
use crate::lowering::{Address, Collective, CopiedBytes, Step};
use crate::problem::{MemoryError, Problem};

/// Executes an operation on shared memory at which no thread waits for others, in these lanes.
pub fn act_together(
    collective: &Collective,
    step: &Step,
    registers: &mut RowRegisters,
    lanes: &[usize],
    around: &mut Around,
) -> Result<(), RowProblem> {
    match *collective {
        Collective::Atomic(atomic, at) => change_integers(atomic, at, step, registers, lanes, around),
        Collective::Word(variant, at) => add(variant, at, step, registers, lanes, around),
        Collective::CopyAsync { into, from, bytes, copied } => {
            let sources = values(step, 0, registers, lanes)?;
            let Around { memory, scratch, .. } = around;
            let into = addresses(place(into, registers, lanes, bytes, memory, scratch)?)?;
            // The source is aligned as the whole is, also where only a part of it is read.
            let from = addresses(place(from, registers, lanes, bytes, memory, scratch)?)?;
            for (at, &lane) in lanes.iter().enumerate() {
                let value = |values: &[u64]| values.get(at).copied().unwrap_or(0);
                let given = match copied {
                    CopiedBytes::All => bytes,
                    CopiedBytes::NoneIf => {
                        if value(&sources) & 1 == 1 {
                            0
                        } else {
                            bytes
                        }
                    }
                    CopiedBytes::Source => (value(&sources) & 0xffff_ffff) as usize,
                };
                let done = match given > bytes {
                    true => Err(Problem::Race(format!("copies {given} bytes into {bytes}"))),
                    false => memory.copy(lane, value(&into), value(&from), [bytes, given]),
                };
                done.map_err(|problem| (Some(lane), problem))?;
            }
            Ok(())
        }
        Collective::CopyCommit => {
            lanes.iter().for_each(|&lane| around.memory.commit_copies(lane));
            Ok(())
        }
        Collective::CopyWait(but) => {
            lanes.iter().for_each(|&lane| around.memory.wait_for_copies(lane, but));
            Ok(())
        }
        // Threads wait for each other at all others.
        _ => Ok(()),
    }
}

/// Returns the values of a source of a step in these lanes; none if the step has no such source.
fn values(
    step: &Step,
    number: usize,
    registers: &RowRegisters,
    lanes: &[usize],
) -> Result<Vec<u64>, RowProblem> {
    let Some(&source) = step.from.get(number) else { return Ok(Vec::new()) };
    let mut values = Vec::new();
    registers.values(source, lanes, &mut values).map(<[u64]>::to_vec)
}

/// Returns the addresses of words outside of the threads' own memory.
fn addresses(place: MemoryPlace) -> Result<Vec<u64>, RowProblem> {
    match place {
        MemoryPlace::Each(addresses) => Ok(addresses),
        MemoryPlace::Variable(..) => Err((None, Problem::Memory(MemoryError::Address))),
    }
}

/// Returns the places of lanes in the order in which they take turns. PTX leaves it open, so it depends on the bits of
/// registers that are not set: runs with other bits have another order.
fn turns(registers: &RowRegisters, lanes: &[usize]) -> Vec<usize> {
    let mut turns: Vec<usize> = (0..lanes.len()).collect();
    if let Some(bits) = registers.unset_bits().filter(|bits| *bits != 0) {
        turns.sort_by_key(|&at| lanes.get(at).map_or(0, |&lane| lane as u64 ^ bits));
    }
    turns
}

/// Executes an atomic operation of integers.
fn change_integers(
    atomic: Atomic,
    at: Address,
    step: &Step,
    registers: &mut RowRegisters,
    lanes: &[usize],
    around: &mut Around,
) -> Result<(), RowProblem> {
    let Atomic { operation, ty, returns, .. } = atomic;
    let [one, other] = [values(step, 0, registers, lanes)?, values(step, 1, registers, lanes)?];
    let Around { memory, scratch, .. } = around;
    let addresses = addresses(place(at, registers, lanes, ty.bytes(), memory, scratch)?)?;
    let returns = returns && step.into.iter().any(|target| target.register.is_some());
    in_turns(step, registers, lanes, &addresses, |at, lane, address| {
        let [b, c] = [&one, &other].map(|values| values.get(at).copied().unwrap_or(0));
        let operation_of = AtomicOperation::Integer(operation, matches!(ty, Scalar::Signed(_)), b);
        let of = AtomicRequest { operation: operation_of, returns, instruction: step.instruction };
        let mut change = |old: u64| Ok(changed(operation, ty, old, [b, c]));
        memory.change(lane, (address, ty.bytes()), of, &mut change)
    })
}

/// Has one lane after the other change the word at its address, in the order of [`turns`], and sets the targets to the
/// words as they were. `change` is given the place of the lane in `lanes`, the lane and the address.
fn in_turns(
    step: &Step,
    registers: &mut RowRegisters,
    lanes: &[usize],
    addresses: &[u64],
    mut change: impl FnMut(usize, usize, u64) -> Result<u64, Problem>,
) -> Result<(), RowProblem> {
    let mut old = vec![0; lanes.len()];
    for at in turns(registers, lanes) {
        let (Some(&lane), Some(&address)) = (lanes.get(at), addresses.get(at)) else { continue };
        let before = change(at, lane, address).map_err(|problem| (Some(lane), problem))?;
        old.iter_mut().skip(at).take(1).for_each(|old| *old = before);
    }
    for target in &step.into {
        registers.set(target, lanes, old.iter().copied());
    }
    Ok(())
}

/// Executes an atomic sum of the table.
fn add(
    variant: &'static Variant,
    at: Address,
    step: &Step,
    registers: &mut RowRegisters,
    lanes: &[usize],
    around: &mut Around,
) -> Result<(), RowProblem> {
    let terms = values(step, 0, registers, lanes)?;
    let Around { memory, unit, scratch } = around;
    let bytes = variant.results().first().map_or(0, |result| result.ty.row_bytes());
    let addresses = addresses(place(at, registers, lanes, bytes, memory, scratch)?)?;
    let returns = step.into.iter().any(|target| target.register.is_some());
    // Sums that were computed already: threads often add the same.
    let mut sums = BTreeMap::new();
    in_turns(step, registers, lanes, &addresses, |at, lane, address| {
        let term = terms.get(at).copied().unwrap_or(0) & (u64::MAX >> (64 - 8 * bytes.clamp(1, 8)));
        let operation = AtomicOperation::Sum(variant, term);
        let of = AtomicRequest { operation, returns, instruction: step.instruction };
        let mut change = |old: u64| match sums.get(&(old, term)) {
            Some(&sum) => Ok(sum),
            None => {
                let new = sum(variant, old, term, &mut **unit)?;
                sums.insert((old, term), new);
                Ok(new)
            }
        };
        memory.change(lane, (address, bytes), of, &mut change)
    })
}

/// Returns a word and a term added by an instruction of the table.
fn sum(
    variant: &'static Variant,
    old: u64,
    term: u64,
    unit: &mut dyn ExecutionUnit,
) -> Result<u64, Problem> {
    let columns = |registers: &[isa::Register], words: &[u64]| -> Vec<Column> {
        let all = registers.iter().zip(words.iter().chain(std::iter::repeat(&0)));
        let column = |(register, &word): (&isa::Register, &u64)| {
            let mut column = Column::new(register.ty.row_bytes(), 1);
            column.set(0, word);
            column
        };
        all.map(column).collect()
    };
    let operands = columns(variant.operands(), &[old, term]);
    let mut results = columns(variant.results(), &[]);
    unit.execute(variant, &operands, &mut results).map_err(Problem::Tested)?;
    // The word as it is afterwards is the first result, and behind it stands the word as it was.
    Ok(results.first().map_or(0, |new| new.get(0)))
}

/// Returns the word that an operation on integers makes of another (PTX ISA, `atom`).
pub fn changed(operation: WordOperation, ty: Scalar, old: u64, [b, c]: [u64; 2]) -> u64 {
    let unused = 64 - ty.width().clamp(1, 64);
    let cut = |word: u64| word << unused >> unused;
    let (old, b) = (cut(old), cut(b));
    let is_less = match ty {
        Scalar::Signed(_) => ((old << unused) as i64) < ((b << unused) as i64),
        _ => old < b,
    };
    cut(match operation {
        WordOperation::Add => old.wrapping_add(b),
        WordOperation::Min => {
            if is_less {
                old
            } else {
                b
            }
        }
        WordOperation::Max => {
            if is_less {
                b
            } else {
                old
            }
        }
        WordOperation::And => old & b,
        WordOperation::Or => old | b,
        WordOperation::Xor => old ^ b,
        WordOperation::Increment => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        WordOperation::Decrement => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
        WordOperation::Exchange => b,
        WordOperation::CompareAndSwap => {
            if old == b {
                c
            } else {
                old
            }
        }
    })
}
