//! Chooses the columns of registers: registers that no lane needs at once share one, so that all columns stay near the
//! processor.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::lowering::{Action, Step};

/// The column of each register.
#[derive(Debug)]
pub struct Slots {
    /// The column of each register, by the register's number.
    pub of: Vec<usize>,
    /// The number of columns.
    pub count: usize,
}

/// The steps from one to another, both among them.
type StepSpan = (usize, usize);

impl Slots {
    /// Chooses columns for so many registers, as these steps use them.
    pub fn of(steps: &[Step], registers: usize) -> Slots {
        let loops = loops(steps);
        let spans = (0..registers).zip(spans(steps, registers));
        let mut spans: Vec<(StepSpan, usize)> = spans
            .filter_map(|(register, span)| Some((extend_to_loop(span?, &loops), register)))
            .collect();
        spans.sort_unstable();
        let mut slots = Slots { of: vec![0; registers], count: 0 };
        let (mut taken, mut free) = (BinaryHeap::new(), Vec::new());
        for ((first, last), register) in spans {
            // A step may set one register before it reads another, so both have a column there.
            while let Some(&Reverse((end, slot))) = taken.peek()
                && end < first
            {
                free.push(slot);
                taken.pop();
            }
            let slot = free.pop().unwrap_or(slots.count);
            slots.count = slots.count.max(slot + 1);
            taken.push(Reverse((last, slot)));
            if let Some(of) = slots.of.get_mut(register) {
                *of = slot;
            }
        }
        slots
    }
}

/// Returns for each register the steps from the first to the last one that has it.
fn spans(steps: &[Step], registers: usize) -> Vec<Option<StepSpan>> {
    let mut all: Vec<Option<StepSpan>> = vec![None; registers];
    for (at, step) in steps.iter().enumerate() {
        for register in step.registers() {
            if let Some(span) = all.get_mut(register) {
                *span = Some((span.map_or(at, |(first, _)| first), at));
            }
        }
    }
    all
}

/// Returns the steps that may be repeated: from where a branch goes back to, to the branch. Loops that have a step in
/// common are one.
fn loops(steps: &[Step]) -> Vec<StepSpan> {
    let mut all = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let targets = match &step.action {
            Action::Branch(target) => std::slice::from_ref(target),
            Action::BranchIndexed(targets) => targets,
            _ => continue,
        };
        all.extend(targets.iter().filter(|&&target| target <= at).map(|&target| (target, at)));
    }
    all.sort_unstable();
    let mut apart: Vec<StepSpan> = Vec::new();
    for (start, end) in all {
        match apart.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => apart.push((start, end)),
        }
    }
    apart
}

/// Extends a span to the start of the loop that it begins in. A register that is set in a loop may be read the next
/// time round, so all registers that a loop uses are there where it starts, each in a column of its own.
fn extend_to_loop((first, last): StepSpan, loops: &[StepSpan]) -> StepSpan {
    // The end needs no extension: what else the loop uses is there from its start, and has another column.
    let before = loops.partition_point(|&(start, _)| start <= first).checked_sub(1);
    let holding = before.and_then(|at| loops.get(at)).filter(|(_, end)| first <= *end);
    (holding.map_or(first, |of| of.0), last)
}

#[cfg(test)]
mod tests {
    use sweeps::CounterRng;

    use super::*;
    use crate::lowering::{ResultRegister, Source, StepGuard};

    const REGISTERS: usize = 12;

    /// Draws steps of which each sets a register and reads one, or branches.
    fn drawn(rng: &mut CounterRng, count: usize, branches: usize) -> Vec<Step> {
        let mut below = |limit: usize| (rng.next() % limit as u64) as usize;
        let mut step = || {
            let kind = below(10);
            let (action, into) = match kind {
                of if of < branches && of % 2 == 0 => (Action::Branch(below(count + 1)), Vec::new()),
                of if of < branches => {
                    (Action::BranchIndexed(vec![below(count + 1), below(count + 1)]), Vec::new())
                }
                _ => (Action::Unpack(32), vec![ResultRegister::whole_register(below(REGISTERS), 32)]),
            };
            let from = match action {
                Action::Branch(_) => Vec::new(),
                _ => vec![Source::Register(below(REGISTERS))],
            };
            let guarded = below(4) == 0;
            let guard = guarded.then(|| StepGuard { predicate: below(REGISTERS), wanted: true });
            Step { guard, ..Step::new(action, into, from) }
        };
        (0..count).map(|_| step()).collect()
    }

    /// Executes steps, and counts the reads of registers that were set: each must find what its register was set to.
    fn walked(rng: &mut CounterRng, steps: &[Step], slots: &Slots) -> usize {
        let (mut set, mut holds) = ([false; REGISTERS], vec![None; slots.count]);
        let (mut at, mut reads) = (0, 0);
        for _ in 0..100 {
            let Some(step) = steps.get(at) else { break };
            let mut read = |register: usize, holds: &[Option<usize>]| {
                if set[register] {
                    assert_eq!(holds[slots.of[register]], Some(register), "{steps:#?}");
                    reads += 1;
                }
            };
            if let Some(guard) = step.guard {
                read(guard.predicate, &holds);
            }
            at += 1;
            let does = step.guard.is_none() || rng.next().is_multiple_of(2);
            match (&step.action, step.from.as_slice()) {
                (Action::Branch(target), _) if does => at = *target,
                (Action::BranchIndexed(targets), [Source::Register(index)]) if does => {
                    read(*index, &holds);
                    at = targets[usize::from(rng.next().is_multiple_of(2))];
                }
                (Action::Unpack(_), [Source::Register(from)]) if does => {
                    read(*from, &holds);
                    let into = step.into[0].register.unwrap();
                    (set[into], holds[slots.of[into]]) = (true, Some(into));
                }
                _ => {}
            }
        }
        reads
    }

    #[test]
    fn what_was_set_is_there_until_it_is_read_whichever_way_steps_go() {
        let (mut reads, mut shared) = (0, 0);
        for seed in 0..20_000 {
            let mut rng = CounterRng::new(seed, 0);
            let steps = drawn(&mut rng, 2 + seed as usize % 30, seed as usize % 4);
            let slots = Slots::of(&steps, REGISTERS);
            shared += REGISTERS - slots.count;
            reads += (0..8).map(|_| walked(&mut rng, &steps, &slots)).sum::<usize>();
        }
        assert!(reads > 100_000 && shared > 20_000, "{reads} {shared}");
    }

    #[test]
    fn a_hundred_registers_one_after_the_other_need_two_columns() {
        let unpack = |from: usize| {
            let (into, from) = (ResultRegister::whole_register(from + 1, 32), Source::Register(from));
            Step::new(Action::Unpack(32), vec![into], vec![from])
        };
        let steps: Vec<Step> = (0..100).map(unpack).collect();
        assert_eq!(Slots::of(&steps, 101).count, 2);
    }
}
