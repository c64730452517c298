//! Runs the steps of a function, in the lanes that execute them.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use formats::Column;

use super::atomics::act_together;
use super::code::Code;
use super::computed::{Around, Scratch, act};
use super::coverage::{StepCoverage, chooses_by};
use super::lanes::RunningLanes;
use super::launch::{Grid, WARP};
use super::memory::Memory;
use super::registers::{RowProblem, RowRegisters};
use super::steps::StepCount;
use super::waiting::Waiting;
use super::{Error, ExecutionUnit, Limits, Passed, RunnableFunction};
use crate::lowering::{Action, BarrierDoes, Call, Collective, Source, Step, StepGuard};
use crate::problem::Problem;

/// The number of rows that are run together: more are no faster, and take more memory.
const TOGETHER: usize = 4096;
/// The number of steps that a thread takes where it waits for others, which takes longer than a step.
const WAITING_STEPS: u64 = 16;
/// The bytes of an address.
const ADDRESS: usize = 8;

/// A block of rows that is being run, with the code of all functions that it may call.
struct BlockMachine<'a, 'b, 'c> {
    code: &'a [Code],
    unit: &'b mut dyn ExecutionUnit,
    memory: Memory<'a, 'c>,
    scratch: &'b mut Scratch,
    /// Memory of the registers of functions that have returned.
    spare: &'b mut Vec<Vec<u64>>,
    steps: StepCount,
    /// The threads of a row, if all are executed, and which lanes have ended then.
    grid: Option<Grid>,
    ended: Vec<bool>,
    /// The number of lanes that have ended.
    ended_lanes: usize,
    /// How often the time was read.
    clock: Rc<Cell<u64>>,
    /// The number of functions that wait for others which they have called.
    depth: usize,
    limits: Limits<'b>,
}

/// Memory that is kept from block to block, and from run to run: the system takes longer to give it than a function of a
/// thousand rows does to be run.
#[derive(Default)]
struct KeptMemory {
    scratch: Scratch,
    /// Memory of the registers of functions that have returned.
    registers: Vec<Vec<u64>>,
    /// Memory of the variables of functions that have returned.
    frames: Vec<Vec<u8>>,
}

/// The most bytes that are kept when a run ends: more are given back.
const KEPT_BYTES: usize = 1 << 24;

thread_local! {
    static KEPT: Cell<KeptMemory> = Cell::default();
}

/// Runs a function on all rows, in blocks of at most `TOGETHER` rows.
pub fn run(
    function: &RunnableFunction,
    unit: &mut dyn ExecutionUnit,
    passed: &mut [Passed],
    results: &mut [Column],
    limits: Limits,
) -> Result<(), Box<Error>> {
    let Some(first) = function.code.first() else { return Ok(()) };
    let whole = |problem| Box::new(Error::whole_function(&first.name, problem));
    let rows = rows(first, passed, results, limits.grid).ok_or_else(|| whole(Problem::Passed))?;
    // After an error this memory is dropped, and the next run has to ask for its own.
    let mut kept = KEPT.take();
    let of_row = function.grid.map_or(1, Grid::all_threads).max(1);
    let together = (TOGETHER / of_row).max(1);
    for start in (0..rows).step_by(together) {
        let block = start..rows.min(start + together);
        block_of(function, first, unit, &mut kept, (&mut *passed, &mut *results), limits, block)
            .map_err(|mut error| {
                // A block counts its lanes from 0, and an error names the row of the batch.
                if let (Some(grid), Some(lane)) = (function.grid, error.lane) {
                    error.thread = Some(grid.place(lane % of_row).map(|number| number as u32));
                }
                error.lane = error.lane.map(|lane| start + lane / of_row);
                error
            })?;
    }
    KEPT.set(kept.shrunk_to(KEPT_BYTES));
    Ok(())
}

impl KeptMemory {
    /// Returns as much of the memory as fits into so many bytes.
    fn shrunk_to(mut self, bytes: usize) -> KeptMemory {
        let mut left = bytes;
        let mut fits = |bytes: usize| {
            let fits = bytes <= left;
            left -= if fits { bytes } else { 0 };
            fits
        };
        self.registers.retain(|all| fits(all.capacity() * size_of::<u64>()));
        self.frames.retain(|all| fits(all.capacity()));
        self
    }
}

/// Runs one block of rows.
fn block_of(
    function: &RunnableFunction,
    first: &Code,
    unit: &mut dyn ExecutionUnit,
    kept: &mut KeptMemory,
    (passed, results): (&mut [Passed], &mut [Column]),
    limits: Limits,
    block: Range<usize>,
) -> Result<(), Box<Error>> {
    let grid = function.grid;
    let lanes: Vec<usize> = (0..block.len() * grid.map_or(1, Grid::all_threads)).collect();
    let KeptMemory { scratch, registers, frames } = kept;
    let mut memory = Memory::new(function, frames, passed, block.start, limits);
    if !memory.open(&first.extents, lanes.len()) {
        return Err(Box::new(Error::whole_function(&first.name, Problem::Depth)));
    }
    let [parameters, returned] = first.places();
    for (number, place) in parameters.enumerate() {
        memory.pass(number, place, lanes.len());
    }
    let steps = StepCount::new(limits.steps, lanes.len(), grid);
    let ended = vec![false; if grid.is_some() { lanes.len() } else { 0 }];
    let code = function.code.as_slice();
    let mut machine = BlockMachine {
        code,
        unit,
        memory,
        scratch,
        spare: registers,
        steps,
        grid,
        ended,
        ended_lanes: 0,
        clock: Rc::default(),
        depth: 0,
        limits,
    };
    machine.function(first, &lanes)?;
    for (place, result) in returned.zip(results) {
        let (all, _) = machine.memory.all(machine.memory.last(place));
        result.bytes_of_mut(block.clone()).copy_from_slice(all);
    }
    machine.memory.close();
    Ok(())
}

/// Notes which ways some lanes of a group of so many go at a step.
fn cover(
    step: &Step,
    seen: &StepCoverage,
    registers: &RowRegisters,
    does: &[usize],
    group: usize,
) -> Result<(), RowProblem> {
    let Some(predicate) = chooses_by(step).filter(|_| !does.is_empty()) else {
        if !does.is_empty() {
            seen.note(true);
        }
        if does.len() < group {
            seen.note(false);
        }
        return Ok(());
    };
    let mut values = Vec::new();
    let values = registers.values(predicate, does, &mut values)?;
    for holds in [true, false] {
        if values.iter().any(|value| (*value == 1) == holds) {
            seen.note(holds);
        }
    }
    Ok(())
}

/// Returns the number of rows, if all columns fit: that of the threads, if they are those of a grid.
fn rows(code: &Code, passed: &[Passed], results: &[Column], grid: Option<Grid>) -> Option<usize> {
    // The rows that something has, and the bytes that it takes in the place of a parameter: an address has 8.
    let columns = passed.iter().map(|passed| match passed {
        Passed::Value(column) => (Some(column.rows()), column.row_bytes()),
        Passed::Behind(column) => (Some(column.rows()), ADDRESS),
        Passed::Common(_) => (None, ADDRESS),
    });
    let results = results.iter().map(|column| (Some(column.rows()), column.row_bytes()));
    let columns: Vec<_> = columns.chain(results).collect();
    // A function without any column has no rows, so nothing of it is run.
    let of_columns = columns.iter().find_map(|(rows, _)| *rows);
    let rows = grid.map(Grid::all_threads).or(of_columns).unwrap_or(0);
    let parameters: Vec<usize> = code.parameters().map(|(_, bytes)| bytes).collect();
    // What is passed behind the parameters is pointed to by structures.
    let further = passed.get(parameters.len()..)?;
    let places = parameters.iter().copied().chain(further.iter().map(|_| ADDRESS));
    let places: Vec<usize> = places.chain(code.results().map(|(_, bytes)| bytes)).collect();
    let fit = columns
        .iter()
        .zip(&places)
        .all(|((own, bytes), place)| own.is_none_or(|own| own == rows) && bytes == place);
    let points = further.iter().all(|one| matches!(one, Passed::Behind(_)));
    (fit && points && places.len() == columns.len()).then_some(rows)
}

impl<'a> BlockMachine<'a, '_, '_> {
    /// Runs a function whose variables are the last in memory, until these lanes have returned.
    fn function(&mut self, code: &'a Code, rows: &[usize]) -> Result<(), Box<Error>> {
        let base = self.memory.address(0);
        let spare = self.spare.pop().unwrap_or_default();
        let counts = (self.steps.lanes(), rows.len());
        // The lanes are the threads of a grid for each row, or those of one grid from the block's first row on.
        let of_run = self.limits.grid.map(|grid| (grid, self.memory.first()));
        let grid = self.grid.map(|grid| (grid, 0)).or(of_run);
        let clock = Rc::clone(&self.clock);
        let open = (self.limits.unset, &*clock);
        let mut registers = RowRegisters::new(code, counts, (base, grid), open, spare);
        let mut lanes = RunningLanes::new(rows, self.steps.lanes());
        // The values of a guard and the lanes in which it holds, in memory that all steps share.
        let mut guarded = (Vec::new(), Vec::new());
        // Steps of the group since it was formed, and those that one of it has left.
        // The count is added to `steps` only where the group changes, and not at every step.
        let mut since = 0;
        let mut left = self.steps.left(&lanes.group);
        loop {
            if lanes.are_done() {
                if !lanes.have_parked() {
                    break;
                }
                self.release(code, &mut lanes, &mut registers)?;
                left = self.steps.left(&lanes.group);
            }
            if lanes.meet() {
                lanes.wait();
                self.steps.add(&lanes.group, &mut since);
                lanes.form();
                left = self.steps.left(&lanes.group);
            }
            let step = code.steps.get(lanes.at);
            // Behind the last step a function returns, and an error there names the last instruction.
            let instruction = step.map_or(code.texts.len(), |step| step.instruction);
            let error = |(lane, problem): RowProblem| Box::new(code.error(instruction, lane, problem));
            since += 1;
            if since > left {
                self.steps.add(&lanes.group, &mut since);
                return Err(error(self.steps.spent(&lanes.group)));
            }
            let mut does = lanes.group.as_slice();
            if let Some(StepGuard { predicate, wanted }) = step.and_then(|step| step.guard) {
                let (values, doing) = &mut guarded;
                let predicate = Source::Register(predicate);
                let values = registers.values(predicate, does, values).map_err(error)?;
                doing.clear();
                let holds = does.iter().zip(values.iter()).filter(|(_, value)| (**value == 1) == wanted);
                doing.extend(holds.map(|(&lane, _)| lane));
                does = doing.as_slice();
            }
            if let (Some(step), Some(seen)) = (step, code.coverage.get(lanes.at))
                && !seen.is_complete()
            {
                cover(step, seen, &registers, does, lanes.group.len()).map_err(error)?;
            }
            if does.is_empty() {
                lanes.at += 1;
                continue;
            }
            let all = does.len() == lanes.group.len();
            let traced =
                self.limits.trace.and_then(|trace| does.iter().find(|lane| **lane == trace.lane));
            if let (Some(trace), Some(step @ Step { action: Action::Branch(_), .. }), Some(&row)) =
                (self.limits.trace, step, traced)
            {
                trace.add(code, step, &registers, row);
            }
            match step.map(|step| (&step.action, step)) {
                Some((Action::Branch(target), _)) if all => lanes.at = *target,
                Some((Action::Branch(target), _)) => {
                    // Only a guard leaves out lanes of a group, so `guarded.1` has those that branch. It is put back to
                    // keep its memory.
                    let going = std::mem::take(&mut guarded.1);
                    // The lanes that do not branch go on here: `scatter` first sends the whole group to this step.
                    lanes.at += 1;
                    lanes.scatter(&going, std::iter::repeat(*target));
                    guarded.1 = going;
                    // Steps are counted before `form` makes another group.
                    self.steps.add(&lanes.group, &mut since);
                    lanes.form();
                    left = self.steps.left(&lanes.group);
                }
                Some((Action::BranchIndexed(targets), step)) => {
                    let going = does.to_vec();
                    let mut numbers = Vec::new();
                    // No table has a target of this number, so a step without an index is an error.
                    let index = step.from.first().copied().unwrap_or(Source::Constant(u64::MAX));
                    let numbers = registers.values(index, &going, &mut numbers).map_err(error)?;
                    let beyond = numbers.iter().position(|&number| number >= targets.len() as u64);
                    if let Some(row) = beyond {
                        return Err(error((going.get(row).copied(), Problem::NoTarget)));
                    }
                    lanes.at += 1;
                    let target = |number: &u64| targets.get(*number as usize).copied();
                    lanes.scatter(&going, numbers.iter().filter_map(target));
                    self.steps.add(&lanes.group, &mut since);
                    lanes.form();
                    left = self.steps.left(&lanes.group);
                }
                // The end of a function returns, too.
                Some((Action::Return, _)) | None => {
                    let returning = does.to_vec();
                    if self.depth == 0 {
                        self.end(&returning);
                    }
                    lanes.at += 1;
                    self.steps.add(&lanes.group, &mut since);
                    lanes.leave(&returning);
                    lanes.form();
                    left = self.steps.left(&lanes.group);
                }
                Some((Action::End, _)) => return Err(error((does.first().copied(), Problem::Ends))),
                Some((Action::Call(call), _)) => {
                    // The function that is called counts in the same `steps`, so these steps are added before.
                    self.steps.add(&lanes.group, &mut since);
                    self.call(call, does, &error)?;
                    left = self.steps.left(&lanes.group);
                    lanes.at += 1;
                }
                Some((Action::Collective(Collective::ActiveMask), step)) => {
                    self.give_active(step, does, &mut registers);
                    lanes.at += 1;
                }
                // Nearly always all threads come to a barrier together, and need not be told one by one.
                Some((
                    Action::Collective(Collective::BlockBarrier { does: BarrierDoes::Wait, .. }),
                    step,
                )) if let [Source::Constant(barrier), _] = step.from.as_slice()
                    && does.len() + self.ended_lanes == self.steps.lanes()
                    && self.memory.pass_barriers(*barrier) =>
                {
                    lanes.at += 1;
                }
                Some((Action::Collective(collective), _)) if collective.waits() => {
                    let waiting = does.to_vec();
                    since += WAITING_STEPS;
                    self.steps.add(&lanes.group, &mut since);
                    lanes.park(&waiting);
                    lanes.form();
                    left = self.steps.left(&lanes.group);
                }
                Some((_, step)) => {
                    let BlockMachine { memory, unit, scratch, .. } = self;
                    let mut around = Around { memory, unit: &mut **unit, scratch };
                    let done = match &step.action {
                        Action::Collective(one) => {
                            act_together(one, step, &mut registers, does, &mut around)
                        }
                        _ => act(step, &mut registers, does, &mut around),
                    };
                    done.map_err(error)?;
                    if let (Some(trace), Some(&row)) = (self.limits.trace, traced) {
                        trace.add(code, step, &registers, row);
                    }
                    lanes.at += 1;
                }
            }
        }
        self.spare.push(registers.into_values());
        Ok(())
    }

    /// Calls a function in the lanes of `does`: hands over the arguments, runs it, and fetches the results.
    fn call(
        &mut self,
        call: &Call,
        does: &[usize],
        error: &dyn Fn(RowProblem) -> Box<Error>,
    ) -> Result<(), Box<Error>> {
        let code = self.code;
        let Some(called) = code.get(call.function) else { return Ok(()) };
        // Lanes find their variables by their number in the block, so there is room for all, also for those that wait.
        if !self.memory.open(&called.extents, self.steps.lanes()) {
            return Err(error((None, Problem::Depth)));
        }
        // The first round copies the arguments; the second one begins with the call, and copies the results.
        for (handed, back) in [(&call.arguments, false), (&call.results, true)] {
            if back {
                self.depth += 1;
                self.function(called, does)?;
                self.depth -= 1;
            }
            for &places in handed {
                does.iter().for_each(|&lane| self.memory.hand(lane, places, back));
            }
        }
        self.memory.close();
        Ok(())
    }

    /// Lets lanes go on that have waited for each other, and forms the next group.
    fn release(
        &mut self,
        code: &Code,
        lanes: &mut RunningLanes,
        registers: &mut RowRegisters,
    ) -> Result<(), Box<Error>> {
        // Only threads of a grid wait.
        let grid = self.grid.unwrap_or(Grid::block(1));
        let Limits { unset, probes, .. } = self.limits;
        let waiting = Waiting { grid, code, ended: &self.ended, unset, goes_on: probes };
        waiting.release(lanes, registers, &mut self.memory, &mut *self.unit).map_err(
            |(instruction, (lane, problem))| Box::new(code.error(instruction, lane, problem)),
        )?;
        lanes.form();
        Ok(())
    }

    /// Notes that lanes of a grid have ended.
    fn end(&mut self, returning: &[usize]) {
        for &lane in returning {
            if let Some(ended) = self.ended.get_mut(lane) {
                *ended = true;
                self.ended_lanes += 1;
            }
        }
    }

    /// Gives each lane the threads of its warp that execute a step together.
    fn give_active(&self, step: &Step, does: &[usize], registers: &mut RowRegisters) {
        let grid = self.grid.unwrap_or(Grid::block(1));
        let warp = |lane: usize| {
            let [block, thread] = grid.place(lane);
            (block, thread / WARP)
        };
        let masks = does.chunk_by(|one, other| warp(*one) == warp(*other)).flat_map(|together| {
            let bit = |all: u64, &lane: &usize| all | 1 << (grid.place(lane)[1] % WARP);
            let mask = together.iter().fold(0, bit);
            together.iter().map(move |_| mask)
        });
        let masks: Vec<u64> = masks.collect();
        for target in &step.into {
            registers.set(target, does, masks.iter().copied());
        }
    }
}
