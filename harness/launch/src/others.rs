//! The further launches of a kernel whose threads exchange no words: with several blocks, and with a number of elements
//! that fills them or does not.

use std::ops::Range;

use isa::Variant;
use machines::functions::{Grid, Launch, MOST_THREADS, RunnableFunction};
use ptx::syntax::Special;

use crate::blocks::{begins_at, elements_of_block};
use crate::grid::{GridLaunch, RoleUnit};
use crate::launched::{Launched, THREADS};
use crate::roles::{CallShape, FOURTH, ParameterRoles, Role, touched, touched_so_far};
use crate::text::{LaunchShape, LaunchText, LaunchWord};

/// The number of threads of a block in a launch with blocks of another size: no power of two, but whole warps.
const OTHER_SIZE: u32 = 96;
/// The number of rounds for which a loop over the grid has elements while it is looked for.
const ROUNDS: u64 = 8;
/// The number of elements behind three full rounds of such a loop.
const BEYOND_ROUNDS: u64 = 5;
/// The most elements for which such a loop is looked for.
const ROUND_ELEMENTS_MAX: u64 = 1 << 15;
/// The lengths that rows of a matrix have while it is looked for whether a thread or a block has one.
const ROW_LENGTHS: [u64; 2] = [2, 3];
/// The most lengths of a rest behind vectors that are tried.
const RESTS_MAX: u64 = 8;
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
        // A row of a matrix for each thread, or for each block: the number is that of the elements of a row.
        if self.has_row_for_each(roles, Grid { blocks: 1, threads }, threads.iter().product()) {
            return Vec::new();
        }
        let has_rows = self.has_row_for_each(roles, Grid { blocks, threads }, blocks);
        let blocks = if has_rows { 1 } else { blocks };
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
        let text = |launch: GridLaunch| {
            let threads = Some(launch.grid.threads.iter().product());
            let shape = LaunchShape { threads, blocks: Some(launch.grid.blocks), rows: launch.rows };
            LaunchText { words: words.clone(), shape }
        };
        let grid = Grid { blocks, threads };
        let whole = GridLaunch { grid, unit, per_block, rows: None };
        let value = roles.rows().filter(|_| bounds.contains(&true));
        let mut all = Vec::new();
        if (self.grid.is_none() || blocks > 1) && !self.is_beyond_constants(roles, whole) {
            all.push(text(whole));
        }
        let with = |rows: u64| text(GridLaunch { rows: Some(rows), ..whole });
        if let Some(value) = value {
            all.extend(partial_rows(whole, value).into_iter().map(with));
            all.extend(self.second_round(roles, whole, value).map(with));
        }
        if self.grid.is_none() && by_thread && self.has_any_size(by_block) {
            let other = self.of_another_size(roles, blocks > 1, value);
            all.extend(other.filter(|other| !self.is_beyond_constants(roles, *other)).map(text));
        }
        // A launch that has no whole number of vectors is left out.
        all.retain(|launch| {
            Launched::find(self.file.clone(), &self.name, Some(launch))
                .is_ok_and(|other| other.elements(variant).is_ok_and(|one| one.is_some()))
        });
        all
    }

    /// Returns the number of elements for which a loop over the grid goes round three times, and a fourth time for few
    /// threads, from the number that one unit has; `None` if a block writes no elements far beyond those of one round.
    fn second_round(&self, roles: &ParameterRoles, launch: GridLaunch, value: u64) -> Option<u64> {
        let block = Grid { blocks: 1, ..launch.grid };
        let program = self.file.runnable(&self.name, Some(block)).ok()?;
        let there = launch.per_block.checked_mul(ROUNDS).filter(|units| *units <= ROUND_ELEMENTS_MAX)?;
        let touched = touched(&program, roles, (there, 0), None)?;
        let end = roles.roles.iter().zip(&touched).find_map(|(role, touched)| match role {
            Role::Written { bytes, .. } | Role::InPlace { bytes, .. } => {
                Some((touched.written.end / (*bytes).max(1)) as u64)
            }
            _ => None,
        });
        // A kernel whose threads have a fixed number of elements, one for each of a few rounds, need not do more.
        end.filter(|end| *end > there / 2)?;
        Some(value * (3 * launch.units() + BEYOND_ROUNDS))
    }

    /// Whether each of several parts of a grid, which are its threads or its blocks, writes as many elements as the kernel
    /// is told: then a launch with all of them has more elements than that.
    fn has_row_for_each(&self, roles: &ParameterRoles, grid: Grid, parts: u32) -> bool {
        let has_counts = roles.roles.iter().any(|role| matches!(role, Role::Rows(_)));
        let Ok(program) = self.file.runnable(&self.name, Some(grid)) else { return false };
        let parts = u64::from(parts);
        let writes_all = |count: u64| {
            let touched = touched_so_far(&program, roles, (count, parts * count), None);
            let touched = touched.map(|(all, _)| all).unwrap_or_default();
            roles.roles.iter().zip(&touched).any(|(role, touched)| match role {
                Role::Written { bytes, .. } | Role::InPlace { bytes, .. } => {
                    !touched.has_gaps && touched.written == (0..bytes * (parts * count) as usize)
                }
                _ => false,
            })
        };
        // Other kernels write as many elements as they are told, or as they have threads.
        parts > 1 && has_counts && ROW_LENGTHS.into_iter().all(writes_all)
    }

    /// Returns a launch of three blocks of 96 threads, or of one, of which the last has fewer elements if the kernel is told
    /// how many there are.
    fn of_another_size(
        &self,
        roles: &ParameterRoles,
        has_blocks: bool,
        value: Option<u64>,
    ) -> Option<GridLaunch> {
        let grid = Grid { blocks: if has_blocks { 3 } else { 1 }, threads: [OTHER_SIZE, 1, 1] };
        let per_block = elements_of_block(&self.file, &self.name, roles, grid.threads);
        let whole = GridLaunch { grid, unit: RoleUnit::Thread, per_block, rows: None };
        let rows = value.map(|value| partial_rows(whole, value));
        Some(GridLaunch { rows: rows.and_then(|rows| rows.first().copied()), ..whole })
    }

    /// Whether a number that the user has said keeps threads of a launch from writing elements that a larger one lets them
    /// write: the number may be that of the elements, so that is not wrong.
    fn is_beyond_constants(&self, roles: &ParameterRoles, launch: GridLaunch) -> bool {
        let numbers = roles.roles.iter().enumerate().filter_map(|(number, role)| match role {
            Role::Constant(value) if *value > 0 => Some((number, value.saturating_mul(launch.units()))),
            _ => None,
        });
        let numbers: Vec<(usize, u64)> = numbers.collect();
        if numbers.is_empty() || launch.units() > ROUND_ELEMENTS_MAX {
            return false;
        }
        let Ok(program) = self.file.runnable(&self.name, Some(launch.grid)) else { return false };
        // The numbers of all elements that are written, and of those that there are.
        let written = |set: Option<(usize, u64)>| -> Option<(usize, usize)> {
            let (touched, _) = touched_so_far(&program, roles, (launch.units(), 0), set)?;
            roles.roles.iter().zip(&touched).find_map(|(role, touched)| match role {
                Role::Written { bytes, .. } | Role::InPlace { bytes, .. } => {
                    Some((touched.written.end, bytes.saturating_mul(launch.units() as usize)))
                }
                _ => None,
            })
        };
        let Some((some, all)) = written(None) else { return false };
        let has_more = |larger| written(Some(larger)).is_some_and(|(more, _)| more > some);
        some < all && numbers.into_iter().any(has_more)
    }

    /// Whether the text says nothing of how many threads a block has.
    fn has_any_size(&self, by_block: bool) -> bool {
        let is_declared = self.file.block(&self.name).is_some();
        !is_declared && (!by_block || self.reads(|one| one == Special::BlockSize))
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

/// Returns numbers of elements that leave a part of the last block without any, from the number that one unit has. Where
/// a thread has several elements, as one with vectors has, the rest behind the vectors is of each length.
fn partial_rows(launch: GridLaunch, value: u64) -> Vec<u64> {
    let blocks = u64::from(launch.grid.blocks);
    match launch.unit {
        RoleUnit::Thread => {
            let of_block = launch.per_block;
            let last = match of_block {
                0 | 1 => return Vec::new(),
                2 | 3 => 1,
                of_block => of_block / 2 + of_block / 8 + 1,
            };
            let rows = (blocks - 1) * of_block + last;
            let of_thread = of_block / (launch.grid.threads_of_block() as u64).max(1);
            if value != 1 || of_thread < 2 {
                return vec![value * rows];
            }
            let whole = rows / of_thread * of_thread;
            rests(of_thread).map(|rest| whole + rest).filter(|rows| *rows < blocks * of_block).collect()
        }
        RoleUnit::Block if value > 3 => vec![value * (blocks - 1) + value / 2 + value / 8 + 1],
        RoleUnit::Block => Vec::new(),
    }
}

/// Lists the lengths of a rest behind vectors of so many elements: all, or the shortest and the longest if there are many.
fn rests(elements: u64) -> impl Iterator<Item = u64> {
    (1..=elements).map(move |rest| rest % elements).filter(move |rest| {
        elements <= RESTS_MAX || *rest < RESTS_MAX / 2 || *rest >= elements - RESTS_MAX / 2
    })
}
