//! Runs the kernels that are called on the fake driver, one warp after the other, with the faults that the settings ask
//! for: the tests of the suite see from these whether it notices what is wrong with a device.

use std::collections::HashMap;

use machines::interpreter::{
    Emulated, EntryProgram, Error, MemoryError, Problem, STEPS, Surroundings, Tested, Values, WARP,
    WarpPlace, result_at,
};

use crate::calls::Called;
use crate::grid::GridKernel;
use crate::memory::Allocations;
use crate::misuse::misuse;
use crate::settings::DriverSettings;

/// The row and the column, counted from 0, of the element of D that [`DriverSettings::wrong`] makes wrong in a matrix
/// instruction.
const WRONG_ELEMENT: [usize; 2] = [1, 2];

/// A kernel of a module.
pub struct FakeKernel {
    /// The name of each parameter of the kernel, and how many bytes it has.
    pub parameters: Vec<(String, usize)>,
    /// The spellings of all instructions of the kernel, by which settings choose kernels.
    pub opcodes: Vec<String>,
    /// The work of the kernel.
    pub work: Work,
}

/// The work of a kernel.
pub enum Work {
    /// The kernel's own instructions, as a program.
    Program(EntryProgram),
    /// A call of a function of the kernel's module.
    Call(Called),
    /// A kernel that branches as it likes or calls functions, whose threads are run beside each other.
    Grid(GridKernel),
}

/// A call of a kernel.
#[derive(Clone)]
pub struct Launch {
    /// The number of blocks, and the number of threads in each.
    pub grid: (u32, u32),
    /// The values of the parameters, by name.
    pub parameters: HashMap<String, u64>,
    /// The number of calls of kernels before this one, those that were refused included.
    pub earlier_launches: usize,
}

impl FakeKernel {
    /// Whether the kernel has an instruction with this spelling; `false` if none is asked for.
    pub fn has_instruction(&self, name: Option<&String>) -> bool {
        name.is_some_and(|name| self.opcodes.contains(name))
    }

    /// Runs all threads of a call, with the faults that the settings ask for. Ends the process if the kernel does what
    /// cannot be interpreted.
    ///
    /// # Errors
    /// If the kernel touches memory that it may not.
    pub fn run(
        &self,
        launch: &Launch,
        memory: &mut Allocations,
        settings: &DriverSettings,
    ) -> Result<(), MemoryError> {
        // The fault `dies-at-launch`: a driver that takes the process with it.
        if self.has_instruction(settings.dies_at_launch.as_ref()) {
            std::process::abort();
        }
        // The fault `leaves`: the call succeeds, and the columns of results stay as they were.
        if self.has_instruction(settings.leaves.as_ref()) {
            return Ok(());
        }
        let program = match &self.work {
            Work::Program(program) => program,
            Work::Call(called) => return called.run(&launch.parameters, memory, settings),
            Work::Grid(grid) => return grid.run(launch.grid, &launch.parameters, memory, settings),
        };
        let (blocks, threads) = (u64::from(launch.grid.0), u64::from(launch.grid.1));
        let mut emulated = Emulated::for_capability(settings.capability);
        for block in 0..blocks {
            for first in (0..threads).step_by(WARP) {
                // The fault `skips`: with a thread less in the first block, its last thread does not run.
                let skipped = u64::from(settings.skips && block == 0);
                let place = WarpPlace { block, threads: threads - skipped, first };
                let mut execute = |tested: &Tested, sources: &[Values]| {
                    let mut results = emulated.execute(tested, sources)?;
                    // The fault `flickers`: thread 3 gives another last bit in every second call, so that the same
                    // vector has two results.
                    if settings.flickers && launch.earlier_launches % 2 == 1 {
                        results[0][3] ^= 1;
                    }
                    let is_wrong = settings.wrong.as_deref() == Some(tested.spelling);
                    if let (true, Some(matrix)) = (is_wrong, tested.matrix) {
                        let [row, column] = WRONG_ELEMENT;
                        if let Some((register, thread, bit)) = result_at(matrix, row, column) {
                            results[register][thread] ^= 1 << bit;
                        }
                    } else if is_wrong {
                        // The fault `wrong` depends on the operands and not on the thread, and few operands show it:
                        // their last five bits have to add up to 21.
                        let sum =
                            |thread: usize| sources.iter().map(|all| all[thread] & 31).sum::<u64>();
                        let wrong = (0..WARP).filter(|&thread| sum(thread) == 21);
                        wrong.for_each(|thread| results[0][thread] ^= 1);
                    }
                    Ok(results)
                };
                let parameters = &launch.parameters;
                let mut around =
                    Surroundings { parameters, place, memory, execute: &mut execute, steps: STEPS };
                match program.run(&mut around) {
                    Ok(()) => {}
                    Err(Error { problem: Problem::Memory(failure), .. }) => return Err(failure),
                    Err(error) => misuse(&format!("a kernel cannot be run: {error}")),
                }
            }
        }
        Ok(())
    }
}
