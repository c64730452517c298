//! A function or a kernel of a file, with the way in which operands reach it, and the threads that execute it.

use std::sync::Arc;

use anyhow::{Result, bail};
use isa::{Register, Variant};
use machines::functions::{Grid, MOST_BLOCKS, MOST_THREADS};
use ptx::syntax::BlockSize;

use crate::blocks::{elements_of_block, find_counts, find_strides};
use crate::file::CodeFile;
use crate::grid::{Elements, GridLaunch, RoleUnit};
use crate::roles::{CallShape, Role, result_name};
use crate::text::{LaunchShape, LaunchText, LaunchWord};

/// The numbers of threads of a block that are tried where nothing says how many there are.
pub(crate) const THREADS: [u32; 6] = [32, 64, 128, 256, 512, 1024];

/// A function or a kernel of a file, and the way it is launched.
pub struct Launched {
    /// The file that the code stands in.
    pub file: Arc<CodeFile>,
    /// The name of the function or kernel in its file.
    pub name: String,
    /// The way in which operands reach it, and results leave it.
    pub call: CallShape,
    /// The launch that a row is, if a row is more than one thread.
    pub grid: Option<GridLaunch>,
}

impl Launched {
    /// Finds out how a function or kernel is launched, as far as `launch` does not say it.
    ///
    /// # Errors
    /// As [`CodeFile::call`].
    pub fn find(file: Arc<CodeFile>, name: &str, launch: Option<&LaunchText>) -> Result<Launched> {
        let (call, grid) = call(&file, name, launch)?;
        Ok(Launched { file, name: name.to_owned(), call, grid })
    }

    /// Whether the code is a kernel, and no function.
    pub fn is_kernel(&self) -> bool {
        self.file.is_kernel(&self.name)
    }

    /// Returns what each parameter is given, as `--launch` takes it; `None` for a function whose parameters are its
    /// operands.
    pub fn text(&self) -> Option<LaunchText> {
        match &self.call {
            CallShape::Function => None,
            CallShape::Roles(roles) => {
                let shape = self.grid.map(|launch| launch.shape()).unwrap_or_default();
                Some(LaunchText { words: roles.words_of_parameters(&roles.words()), shape })
            }
        }
    }

    /// Returns the launch in which each operand that is overwritten is a result alone, as where a kernel reads back what it
    /// has written; `None` if there is no such operand.
    pub fn text_without_reading_back(&self) -> Option<LaunchText> {
        let CallShape::Roles(roles) = &self.call else { return None };
        let mut words = roles.words();
        for (word, role) in words.iter_mut().zip(&roles.roles) {
            if let Role::InPlace { result, .. } = role {
                *word = LaunchWord::Result(result_name(*result));
            }
        }
        // Operands behind one that is none any more have other names.
        let mut next = 0;
        for word in words.iter_mut() {
            if let LaunchWord::Operand(number) = word {
                (*number, next) = (next, next + 1);
            }
        }
        let is_other = words != roles.words();
        let shape = self.text()?.shape;
        is_other.then(|| LaunchText { words: roles.words_of_parameters(&words), shape })
    }

    /// Whether an operand is passed by value.
    pub fn has_values(&self) -> bool {
        match &self.call {
            CallShape::Function => true,
            CallShape::Roles(roles) => roles.roles.iter().any(|role| matches!(role, Role::Value { .. })),
        }
    }

    /// Returns the elements of a launch, if a row is one.
    ///
    /// # Errors
    /// If the launch has no whole number of vectors of the instruction.
    pub fn elements(&self, variant: &Variant) -> Result<Option<Elements>, String> {
        let (Some(launch), CallShape::Roles(roles)) = (self.grid, &self.call) else { return Ok(None) };
        let takes = |registers: &[Register]| -> Vec<usize> {
            registers.iter().map(|register| register.ty.row_bytes()).collect()
        };
        launch.elements(roles, &[takes(variant.operands()), takes(variant.results())]).transpose()
    }
}

/// Returns the way in which operands reach a function or kernel, and the launch that a row is, if it is more than one
/// thread.
///
/// # Errors
/// As [`CodeFile::call`].
fn call(
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
    check_block(file, name, shape.threads)?;
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
        if let CallShape::Roles(roles) = &mut call {
            find_counts(file, name, roles);
        }
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
/// Checks that a kernel can be launched with the blocks that its text says, and with blocks of so many threads, if the
/// user says it.
fn check_block(file: &CodeFile, name: &str, said: Option<u32>) -> Result<()> {
    let Some(BlockSize { is_exact, threads }) = file.block_size(name) else { return Ok(()) };
    let directive = if is_exact { ".reqntid" } else { ".maxntid" };
    let [x, y, z] = threads;
    let declared = format!("{directive} {x}, {y}, {z}");
    let all = threads.iter().try_fold(1u32, |all, one| all.checked_mul(*one));
    let Some(all) = all.filter(|all| (1..=MOST_THREADS).contains(all)) else {
        bail!(
            "the kernel `{name}` has `{declared}`, and no GPU launches such blocks: a block has 1 to {MOST_THREADS} threads"
        );
    };
    match said {
        Some(said) if is_exact && said != all => bail!(
            "the kernel `{name}` has `{declared}`, so it cannot be launched with {said} threads in a block: leave --threads \
             out, or change the text"
        ),
        Some(said) if said > all => bail!(
            "the kernel `{name}` has `{declared}`, so it cannot be launched with {said} threads in a block: {all} are the most"
        ),
        _ => Ok(()),
    }
}

/// Returns a block of so many threads: in the dimensions that the text declares, if these have so many.
fn sized(threads: u32, declared: [u32; 3]) -> [u32; 3] {
    let all = declared.iter().fold(1u32, |all, one| all.saturating_mul(*one));
    if all == threads { declared } else { [threads, 1, 1] }
}
