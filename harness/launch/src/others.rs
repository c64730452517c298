//! The further launches of a kernel whose threads exchange no words: with several blocks, and with a number of elements
//! that fills them or does not.

use std::ops::Range;

use isa::Variant;
use machines::functions::{Grid, Launch, MOST_THREADS, RunnableFunction};
use ptx::syntax::Special;

use crate::blocks::{begins_at, elements_of_block};
use crate::grid::{GridLaunch, RoleUnit};
use crate::launched::{Launched, THREADS};
use crate::roles::{CallShape, FOURTH, ParameterRoles, Role, touched};
use crate::text::{LaunchShape, LaunchText, LaunchWord};

/// The number of blocks of a kernel whose blocks have one thread each.
const SINGLE_THREADS: u32 = 64;

impl Launched {
    /// Returns further launches in which threads with other indices, and threads beyond the last element, compute
    /// vectors of an instruction. There are none for a function, and for code that a user has said the blocks of.
    pub fn other_launches(&self, variant: &Variant) -> Vec<LaunchText> {
        let CallShape::Roles(roles) = &self.call else { return Vec::new() };
        if !self.is_kernel() || self.has_array(roles) {
            return Vec::new();
        }
        let said = self.grid.map(|launch| launch.grid);
        if said.is_some_and(|grid| grid.blocks > 1)
            || self.grid.is_some_and(|launch| launch.rows.is_some())
        {
            return Vec::new();
        }
        let reads = |is: fn(Special) -> bool| self.reads(is);
        let by_thread = reads(|one| {
            matches!(
                one,
                Special::ThreadIndex | Special::ThreadIndexY | Special::ThreadIndexZ | Special::Lane
            )
        });
        let by_block = reads(|one| one == Special::BlockIndex);
        let threads = self.threads_of_others(roles, by_thread, by_block);
        let blocks = match (by_block, threads.iter().product::<u32>()) {
            (false, _) => 1,
            (true, 1) => SINGLE_THREADS,
            (true, _) => 2,
        };
        let (unit, per_block) = match self.grid {
            Some(launch) => (launch.unit, launch.per_block),
            None => (RoleUnit::Thread, elements_of_block(&self.file, &self.name, roles, threads)),
        };
        let bounds: Vec<bool> =
            (0..roles.roles.len()).map(|number| self.is_bound(roles, number)).collect();
        // A parameter that bounds nothing is no number of elements, and stays what it was.
        let words =
            roles.words().into_iter().zip(&roles.roles).zip(&bounds).map(|((word, role), is_bound)| {
                match role {
                    Role::Rows(value) if !is_bound => LaunchWord::Constant(*value),
                    _ => word,
                }
            });
        let words: Vec<LaunchWord> = words.collect();
        let words = roles.words_of_parameters(&words);
        let text = |rows: Option<u64>| {
            let threads = Some(threads.iter().product());
            let shape = LaunchShape { threads, blocks: Some(blocks), rows };
            LaunchText { words: words.clone(), shape }
        };
        let grid = Grid { blocks, threads };
        let whole = GridLaunch { grid, unit, per_block, rows: None };
        let mut all = Vec::new();
        if self.grid.is_none() || blocks > 1 {
            all.push(text(None));
        }
        let value = roles.rows().filter(|_| bounds.contains(&true));
        let partial = value.and_then(|value| partial_rows(whole, value));
        if let Some(rows) = partial {
            all.push(text(Some(rows)));
        }
        // A launch that has no whole number of vectors is left out.
        all.retain(|launch| {
            Launched::find(self.file.clone(), &self.name, Some(launch))
                .is_ok_and(|other| other.elements(variant).is_ok_and(|one| one.is_some()))
        });
        all
    }

    /// Returns the threads of a block of other launches.
    fn threads_of_others(&self, roles: &ParameterRoles, by_thread: bool, by_block: bool) -> [u32; 3] {
        if let Some(launch) = self.grid {
            return launch.grid.threads;
        }
        if let Some(declared) = self.file.block(&self.name) {
            return declared;
        }
        if !by_thread {
            return [1; 3];
        }
        let usual = [THREADS[0], 1, 1];
        if !by_block || self.reads(|one| one == Special::BlockSize) {
            return usual;
        }
        // The text has the size of a block as a constant.
        let second = Launch { threads: THREADS[0], block: 1, thread: 0 };
        let begins = begins_at(&self.file, &self.name, roles, second);
        let fits = begins.filter(|begins| (2..=u64::from(MOST_THREADS)).contains(begins));
        fits.map_or(usual, |begins| [begins as u32, 1, 1])
    }

    /// Whether the kernel, or what it calls, reads a special register.
    fn reads(&self, is: fn(Special) -> bool) -> bool {
        let program = self.file.runnable(&self.name, Some(Grid::block(1)));
        program.is_ok_and(|program| program.reads(is))
    }

    /// Whether threads write less if a parameter, which is the number of elements, is smaller.
    fn is_bound(&self, roles: &ParameterRoles, number: usize) -> bool {
        let Some(Role::Rows(value)) = roles.roles.get(number) else { return false };
        let written = |program: &RunnableFunction, units: u64, rows: u64| -> Option<Vec<Range<usize>>> {
            let touched = touched(program, roles, (units, 0), Some((number, rows)))?;
            Some(touched.into_iter().map(|one| one.written).collect())
        };
        let differs = |program: &RunnableFunction, units: u64, fewer: u64| {
            let (some, all) = (written(program, units, fewer), written(program, units, value * units));
            all.is_some_and(|all| some.is_none_or(|some| some != all))
        };
        match self.grid.filter(|launch| launch.unit == RoleUnit::Block) {
            Some(launch) => {
                let grid = Grid { blocks: 1, ..launch.grid };
                let program = self.file.runnable(&self.name, Some(grid));
                program.is_ok_and(|program| differs(&program, 1, 0) || differs(&program, 1, value / 2))
            }
            None => {
                let first = self.file.runnable_thread(&self.name, Launch::default());
                // A check that is one off lets the first thread write where there is nothing.
                let fourth = self.file.runnable_thread(&self.name, FOURTH);
                first.is_ok_and(|first| differs(&first, 1, 0))
                    || fourth.is_ok_and(|fourth| differs(&fourth, FOURTH.index() + 1, *value))
            }
        }
    }

    /// Whether some elements are said by the launch.
    fn has_array(&self, roles: &ParameterRoles) -> bool {
        roles.roles.iter().any(|role| matches!(role, Role::Elements { .. }))
    }
}

/// Returns a number of elements that leaves a part of the last block without any, from the number that one unit has.
fn partial_rows(launch: GridLaunch, value: u64) -> Option<u64> {
    let blocks = u64::from(launch.grid.blocks);
    match launch.unit {
        RoleUnit::Thread => {
            let of_block = launch.per_block;
            let last = match of_block {
                0 | 1 => return None,
                2 | 3 => 1,
                of_block => of_block / 2 + of_block / 8 + 1,
            };
            Some(value * ((blocks - 1) * of_block + last))
        }
        RoleUnit::Block if value > 3 => Some(value * (blocks - 1) + value / 2 + value / 8 + 1),
        RoleUnit::Block => None,
    }
}
