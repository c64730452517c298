//! Kernels, run warp after warp.

use std::collections::HashMap;
use std::sync::LazyLock;

use emulator::Backend;
use vectors::sweep::{columns_for, results_for};
use vectors::{Column, Variant, column};

use crate::interpreter::{Place, Program, Surroundings, Values, WARP};
use crate::memory::Allocations;
use crate::settings::Settings;

/// A kernel of a module.
pub struct Kernel {
    /// The names of its parameters, and their bytes.
    pub parameters: Vec<(String, usize)>,
    /// Its text.
    pub program: Program,
}

/// A call of a kernel.
#[derive(Clone)]
pub struct Launch {
    /// Blocks, and threads in each.
    pub grid: (u32, u32),
    /// The values of the parameters, by name.
    pub parameters: HashMap<String, u64>,
    /// How many kernels were called before.
    pub number: usize,
}

/// The variant that an instruction is, by its name and its numbers of results and sources.
pub fn variant(mnemonic: &str, results: usize, sources: usize) -> Option<&'static Variant> {
    static ALL: LazyLock<HashMap<(&str, usize, usize), &Variant>> = LazyLock::new(|| {
        let shape = |variant: &'static Variant| {
            ((variant.spelling(), variant.results().len(), variant.operands().len()), variant)
        };
        Variant::all().iter().filter(|variant| variant.is_ptx()).map(shape).collect()
    });
    ALL.get(&(mnemonic, results, sources)).copied()
}

impl Kernel {
    /// Runs all its threads.
    pub fn run(&self, launch: &Launch, memory: &mut Allocations, settings: &Settings) {
        let (blocks, threads) = (u64::from(launch.grid.0), u64::from(launch.grid.1));
        let mut units: HashMap<String, Unit> = HashMap::new();
        for block in 0..blocks {
            for first in (0..threads).step_by(WARP) {
                let skipped = u64::from(settings.skips && block == 0);
                let place = Place { block, threads: threads - skipped, first };
                let mut execute = |mnemonic: &str, sources: &[Values]| {
                    let unit = units.entry(mnemonic.to_owned()).or_insert_with(|| {
                        let mut shapes = self.program.foreign();
                        let (_, results, sources) = shapes.find(|one| one.0 == mnemonic).expect("read");
                        Unit::of(variant(mnemonic, results, sources).expect("a legal module"))
                    });
                    let mut results = unit.execute(sources);
                    if settings.flickers && launch.number % 2 == 1 {
                        results[0][3] ^= 1;
                    }
                    if settings.wrong.as_deref() == Some(mnemonic) {
                        let sum =
                            |thread: usize| sources.iter().map(|all| all[thread] & 31).sum::<u64>();
                        let wrong = (0..WARP).filter(|&thread| sum(thread) == 21);
                        wrong.for_each(|thread| results[0][thread] ^= 1);
                    }
                    results
                };
                let parameters = &launch.parameters;
                let mut around = Surroundings { parameters, place, memory, execute: &mut execute };
                self.program.run(&mut around);
                if memory.fault.is_some() {
                    return;
                }
            }
        }
    }
}

/// What executes a variant, a warp at a time.
struct Unit {
    kernel: emulator::Kernel,
    operands: Vec<Column>,
    results: Vec<Column>,
}

impl Unit {
    fn of(variant: &Variant) -> Unit {
        let kernel = emulator::Kernel::of(variant, Backend::Scalar).expect("every variant has one");
        Unit { kernel, operands: columns_for(variant, WARP), results: results_for(variant, WARP) }
    }

    fn execute(&mut self, sources: &[Values]) -> Vec<Values> {
        for thread in 0..WARP {
            let row: Vec<u64> = sources.iter().map(|values| values[thread]).collect();
            column::set_row(&mut self.operands, thread, &row);
        }
        self.kernel.run(&self.operands, &mut self.results);
        let values = |column: &Column| std::array::from_fn(|thread| column.get(thread));
        self.results.iter().map(values).collect()
    }
}
