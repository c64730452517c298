//! Runs kernels of users: each thread goes its own way, and none exchanges words with others.

use std::collections::HashMap;

use formats::Column;
use machines::functions::{Grid, Nearest, Passed, RunnableFunction};
use machines::interpreter::{MemoryError, Problem};
use ptx::syntax::{Entry, Module};

use crate::calls::Units;
use crate::memory::Allocations;
use crate::misuse::misuse;
use crate::settings::DriverSettings;

/// The most steps of a thread.
const STEPS: u64 = 1 << 20;

/// A kernel whose threads are run beside each other.
pub struct GridKernel {
    kernel: RunnableFunction,
}

/// The memory behind one parameter of a launch, from the address on that the parameter has to the end of the
/// allocation; or the parameter itself.
enum Given {
    Memory { address: u64, bytes: Vec<u8> },
    Word(Column),
}

impl GridKernel {
    /// Returns the kernel of a module.
    ///
    /// # Errors
    /// The first thing in the kernel that cannot be executed, in words.
    pub fn of(entry: &Entry, module: &Module) -> Result<GridKernel, String> {
        match RunnableFunction::of_one_grid(module, &entry.name) {
            Ok(kernel) => Ok(GridKernel { kernel }),
            Err(errors) => Err(errors.first().map(ToString::to_string).unwrap_or_default()),
        }
    }

    /// Runs all threads of a launch, which has so many blocks of so many threads. Ends the process if the kernel does what cannot be interpreted.
    ///
    /// # Errors
    /// If the kernel touches memory that it may not.
    pub fn run(
        &self,
        (blocks, threads): (u32, u32),
        parameters: &HashMap<String, u64>,
        memory: &mut Allocations,
        settings: &DriverSettings,
    ) -> Result<(), MemoryError> {
        let grid = Grid { blocks, threads: [threads, 1, 1] };
        let mut given = self.given(parameters, memory, grid);
        let mut passed: Vec<Passed> = given
            .iter_mut()
            .map(|given| match given {
                Given::Memory { bytes, .. } => Passed::Common(bytes),
                Given::Word(column) => Passed::Value(column),
            })
            .collect();
        let mut units = Units { exact: Nearest::default(), wrong: settings.wrong.as_deref() };
        let ran = self.kernel.run_grid(grid, &mut units, &mut passed, STEPS);
        match ran.map_err(|error| (error.to_string(), error.problem)) {
            Ok(()) => {}
            Err((_, Problem::Memory(failure))) => return Err(failure),
            Err((words, _)) => misuse(&format!("a kernel cannot be run: {words}")),
        }
        for one in given {
            let Given::Memory { address, bytes } = one else { continue };
            memory.bytes(address, bytes.len()).ok_or(MemoryError::Address)?.copy_from_slice(&bytes);
        }
        Ok(())
    }

    /// Returns what each parameter of a launch gives: memory, if its value is an address in an allocation.
    fn given(&self, parameters: &HashMap<String, u64>, memory: &Allocations, grid: Grid) -> Vec<Given> {
        let each = self.kernel.parameters().map(|(name, bytes)| {
            let word = parameters.get(name).copied().unwrap_or(0);
            if let (8, Some(bytes)) = (bytes, memory.bytes_from(word)) {
                return Given::Memory { address: word, bytes: bytes.to_vec() };
            }
            let mut column = Column::new(bytes, grid.all_threads());
            (0..grid.all_threads()).for_each(|thread| column.set(thread, word));
            Given::Word(column)
        });
        each.collect()
    }
}
