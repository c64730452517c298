//! Runs kernels, warp after warp.

use std::collections::HashMap;

use machines::interpreter::{
    Emulated, EntryProgram, Error, MemoryError, Problem, STEPS, Surroundings, Tested, Values, WARP,
    WarpPlace, result_at,
};

use crate::calls::Called;
use crate::memory::Allocations;
use crate::misuse::misuse;
use crate::settings::DriverSettings;

/// The row and the column of a matrix where a wrong result stands.
const WRONG: [usize; 2] = [1, 2];

/// A kernel of a module.
pub struct FakeKernel {
    /// The names of the kernel's parameters, and their bytes.
    pub parameters: Vec<(String, usize)>,
    /// The names of its instructions.
    pub opcodes: Vec<String>,
    /// The work of the kernel.
    pub does: Does,
}

/// The work of a kernel.
pub enum Does {
    /// The kernel's own instructions, as a program.
    Program(EntryProgram),
    /// A call of a function of the kernel's module.
    Call(Called),
}

/// A call of a kernel.
#[derive(Clone)]
pub struct Launch {
    /// The number of blocks, and of threads in each.
    pub grid: (u32, u32),
    /// The values of the parameters, by name.
    pub parameters: HashMap<String, u64>,
    /// The number of kernels that were called before.
    pub number: usize,
}

impl FakeKernel {
    /// Whether one of the kernel's instructions has the name, if there is one.
    pub fn has(&self, name: Option<&String>) -> bool {
        name.is_some_and(|name| self.opcodes.contains(name))
    }

    /// Runs all threads of a call.
    ///
    /// # Errors
    /// If the kernel touches memory that it may not.
    pub fn run(
        &self,
        launch: &Launch,
        memory: &mut Allocations,
        settings: &DriverSettings,
    ) -> Result<(), MemoryError> {
        if self.has(settings.dies_at_launch.as_ref()) {
            std::process::abort();
        }
        if self.has(settings.leaves.as_ref()) {
            return Ok(());
        }
        let program = match &self.does {
            Does::Program(program) => program,
            Does::Call(called) => return called.run(&launch.parameters, memory, settings),
        };
        let (blocks, threads) = (u64::from(launch.grid.0), u64::from(launch.grid.1));
        let mut emulated = Emulated::for_capability(settings.capability);
        for block in 0..blocks {
            for first in (0..threads).step_by(WARP) {
                let skipped = u64::from(settings.skips && block == 0);
                let place = WarpPlace { block, threads: threads - skipped, first };
                let mut execute = |tested: &Tested, sources: &[Values]| {
                    let mut results = emulated.execute(tested, sources)?;
                    if settings.flickers && launch.number % 2 == 1 {
                        results[0][3] ^= 1;
                    }
                    let is_wrong = settings.wrong.as_deref() == Some(tested.spelling);
                    if let (true, Some(matrix)) = (is_wrong, tested.matrix) {
                        if let Some((register, thread, bit)) = result_at(matrix, WRONG[0], WRONG[1]) {
                            results[register][thread] ^= 1 << bit;
                        }
                    } else if is_wrong {
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
