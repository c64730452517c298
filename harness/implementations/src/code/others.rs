//! The threads of a kernel that exchange words, and the further launches of one whose threads do not: with several
//! blocks, and with a number of elements that fills them or does not.

use std::ops::Range;

use anyhow::{Result, bail};
use isa::Variant;
use machines::functions::{Grid, Launch, MOST_BLOCKS, MOST_THREADS, RunnableFunction, Touched};
use ptx::syntax::Special;

use super::file::CodeFile;
use super::grid::{GridLaunch, RoleUnit};
use super::launch::{LaunchShape, LaunchText, LaunchWord};
use super::roles::{FOURTH, ParameterRoles, Role, touched, touched_so_far};
use super::{CallShape, Code};

/// The numbers of threads of a block that are tried where nothing says how many there are.
const THREADS: [u32; 6] = [32, 64, 128, 256, 512, 1024];
/// The most bytes behind a pointer while elements of other threads are looked for.
const PROBE_BYTES_MAX: u64 = 1 << 23;
/// The most elements of one block that are looked for.
const BLOCK_ELEMENTS_MAX: u64 = 1 << 13;
/// The stride that tells a number of bytes from one of elements.
const STRIDE: u64 = 16;
/// The number of blocks of a kernel whose blocks have one thread each.
const SINGLE_THREADS: u32 = 64;

/// Returns the way in which operands reach a function or kernel, and the launch that a row is, if it is more than one
/// thread.
///
/// # Errors
/// As [`CodeFile::call`].
pub fn call(
    file: &CodeFile,
    name: &str,
    launch: Option<&LaunchText>,
) -> Result<(CallShape, Option<GridLaunch>)> {
    let shape = launch.map(|launch| launch.shape).unwrap_or_default();
    if !file.is_kernel(name) {
        if shape != LaunchShape::default() {
            bail!(
                "`{name}` is a function, which is called by one thread: threads are those of a kernel"
            );
        }
        let program = file.runnable(name, None)?;
        return Ok((file.call(name, &program, launch, None)?, None));
    }
    let declared = file.block(name);
    let is_shared = file.runnable(name, Some(Grid::block(1)))?.shares();
    let blocks = shape.blocks.unwrap_or(1);
    if shape.threads.is_some_and(|threads| threads > MOST_THREADS) || blocks > MOST_BLOCKS {
        bail!(
            "a block has at most {MOST_THREADS} threads, and at most {MOST_BLOCKS} blocks are executed"
        );
    }
    if !is_shared {
        let program = file.runnable(name, None)?;
        let mut call = file.call(name, &program, launch, None)?;
        if let (CallShape::Roles(roles), true) =
            (&mut call, launch.is_none_or(|one| one.words.is_empty()))
        {
            find_strides(file, name, roles);
        }
        if shape == LaunchShape::default() {
            return Ok((call, None));
        }
        let CallShape::Roles(roles) = &call else { return Ok((call, None)) };
        let threads = match (shape.threads, declared) {
            (Some(threads), Some(declared)) => sized(threads, declared),
            (Some(threads), None) => [threads, 1, 1],
            (None, Some(declared)) => declared,
            (None, None) => [THREADS[0], 1, 1],
        };
        let grid = Grid { blocks, threads };
        let per_block = elements_of_block(file, name, roles, threads);
        let launch = GridLaunch { grid, unit: RoleUnit::Thread, per_block, rows: shape.rows };
        return Ok((call, Some(launch)));
    }
    let tried: Vec<[u32; 3]> = match (shape.threads, declared) {
        (Some(threads), Some(declared)) => vec![sized(threads, declared)],
        (Some(threads), None) => vec![[threads, 1, 1]],
        (None, Some(declared)) => vec![declared],
        (None, None) => THREADS.map(|threads| [threads, 1, 1]).to_vec(),
    };
    let mut first = None;
    for threads in tried {
        let grid = Grid { blocks: 1, threads };
        let program = file.runnable(name, Some(grid))?;
        match file.call(name, &program, launch, Some(grid.threads_of_block() as u64)) {
            Ok(call) => {
                let grid = Grid { blocks, threads };
                let (unit, rows) = (RoleUnit::Block, shape.rows);
                return Ok((call, Some(GridLaunch { grid, unit, per_block: 1, rows })));
            }
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| anyhow::anyhow!("no launch was tried")))
}

/// Finds the numbers that another thread multiplies its index by, to find its elements: how far elements lie from each
/// other, in bytes or in elements.
fn find_strides(file: &CodeFile, name: &str, roles: &mut ParameterRoles) {
    let third = Launch { threads: 2, block: 1, thread: 0 };
    // No more elements than the thread needs, so that one which takes several takes no further ones, and room for all
    // places that a stride leads to.
    let there = (third.index() + 1, (third.index() + 1) * STRIDE);
    let Ok(program) = file.runnable_thread(name, third) else { return };
    let begins = |roles: &ParameterRoles, number: usize, stride: u64| -> Vec<Option<usize>> {
        let touched = touched_so_far(&program, roles, there, Some((number, stride)));
        let (touched, _) = touched.unwrap_or_default();
        let begin = |one: &Touched| {
            let first = [&one.read, &one.written].into_iter().filter(|range| !range.is_empty());
            first.map(|range| range.start).min()
        };
        touched.iter().map(begin).collect()
    };
    // As long as one stride is not known, a thread may fail before it comes to another pointer.
    for number in (0..roles.roles.len()).chain(0..roles.roles.len()) {
        if !matches!(roles.roles.get(number), Some(Role::Rows(_))) {
            continue;
        }
        let (none, some) = (begins(&*roles, number, 0), begins(&*roles, number, STRIDE));
        let moved = none.iter().zip(&some).zip(&roles.roles).find_map(|((none, some), role)| {
            let bytes = match role {
                Role::Read { bytes, .. } | Role::Written { bytes, .. } | Role::InPlace { bytes, .. } => {
                    *bytes
                }
                _ => return None,
            };
            let by = some.as_ref()?.checked_sub(*none.as_ref()?)?;
            let all = STRIDE as usize * third.index() as usize;
            match by {
                by if by == all => Some(bytes),
                by if by == all * bytes => Some(1),
                _ => None,
            }
        });
        if let (Some(stride), Some(role)) = (moved, roles.roles.get_mut(number)) {
            *role = Role::Constant(stride as u64);
        }
    }
}

/// Returns a block of so many threads: in the dimensions that the text declares, if these have so many.
fn sized(threads: u32, declared: [u32; 3]) -> [u32; 3] {
    let all = declared.iter().fold(1u32, |all, one| all.saturating_mul(*one));
    if all == threads { declared } else { [threads, 1, 1] }
}

/// Returns how many times the work of the first thread a block does, by where the first thread of the second block begins
/// to write.
fn elements_of_block(file: &CodeFile, name: &str, roles: &ParameterRoles, threads: [u32; 3]) -> u64 {
    let all = threads.iter().map(|one| u64::from(*one)).product();
    let [x, 1, 1] = threads else { return all };
    let second = Launch { threads: x, block: 1, thread: 0 };
    // Threads that all have one element have a wrong index, unless the text says that a block has so many threads: then
    // several may do the same.
    let least = if file.block(name).is_some() { 1 } else { all };
    begins_at(file, name, roles, second)
        .filter(|begins| (least..=BLOCK_ELEMENTS_MAX).contains(begins))
        .unwrap_or(all)
}

/// Returns the number of the element at which a thread begins to write, in elements of a thread.
fn begins_at(file: &CodeFile, name: &str, roles: &ParameterRoles, launch: Launch) -> Option<u64> {
    let program = file.runnable_thread(name, launch).ok()?;
    let most = roles.roles.iter().map(|role| match role {
        Role::Read { bytes, .. } | Role::Written { bytes, .. } | Role::InPlace { bytes, .. } => {
            *bytes as u64
        }
        _ => 1,
    });
    let fits = PROBE_BYTES_MAX / most.max().unwrap_or(1).max(1);
    let touched = touched(&program, roles, (fits.clamp(1, 4 * BLOCK_ELEMENTS_MAX), 0), None)?;
    roles.roles.iter().zip(&touched).find_map(|(role, touched)| match role {
        Role::Written { bytes, .. } | Role::InPlace { bytes, .. } if !touched.written.is_empty() => {
            let (start, bytes) = (touched.written.start, (*bytes).max(1));
            start.is_multiple_of(bytes).then_some((start / bytes) as u64)
        }
        _ => None,
    })
}

impl Code {
    /// Returns further launches in which threads with other indices, and threads beyond the last element, compute
    /// vectors of an instruction. There are none for a function, and for code that a user has said the blocks of.
    pub fn other_launches(&self, variant: &Variant) -> Vec<LaunchText> {
        let CallShape::Roles(roles) = &self.call else { return Vec::new() };
        if !self.is_kernel || self.has_array(roles) {
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
            None => {
                (RoleUnit::Thread, elements_of_block(&self.file, &self.function_name, roles, threads))
            }
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
            self.relaunched(launch)
                .is_ok_and(|code| code.elements(variant).is_ok_and(|one| one.is_some()))
        });
        all
    }

    /// Returns the same code with another launch, and the same unit and domain.
    ///
    /// # Errors
    /// As [`Code::named`].
    pub fn relaunched(&self, launch: &LaunchText) -> Result<Code> {
        let code = Code::of(self.file.clone(), Some(&self.function_name), Some(launch))?;
        Ok(code.with_unit(self.unit.clone()).within(self.domain.clone()))
    }

    /// Returns the threads of a block of other launches.
    fn threads_of_others(&self, roles: &ParameterRoles, by_thread: bool, by_block: bool) -> [u32; 3] {
        if let Some(launch) = self.grid {
            return launch.grid.threads;
        }
        if let Some(declared) = self.file.block(&self.function_name) {
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
        let begins = begins_at(&self.file, &self.function_name, roles, second);
        let fits = begins.filter(|begins| (2..=u64::from(MOST_THREADS)).contains(begins));
        fits.map_or(usual, |begins| [begins as u32, 1, 1])
    }

    /// Whether the kernel, or what it calls, reads a special register.
    fn reads(&self, is: fn(Special) -> bool) -> bool {
        let program = self.file.runnable(&self.function_name, Some(Grid::block(1)));
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
                let program = self.file.runnable(&self.function_name, Some(grid));
                program.is_ok_and(|program| differs(&program, 1, 0) || differs(&program, 1, value / 2))
            }
            None => {
                let first = self.file.runnable_thread(&self.function_name, Launch::default());
                // A check that is one off lets the first thread write where there is nothing.
                let fourth = self.file.runnable_thread(&self.function_name, FOURTH);
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
