//! Hands code to somebody who executes it elsewhere: the module, the columns that go there, and what comes back.

use formats::{Column, column};
use isa::Variant;
use launch::{CallShape, Role};
use machines::functions::{Argument, Given};
use ptx::Handed;
use ptx::syntax::{Entry, Function, Module};

use super::Code;
use super::batch::{Batch, arguments};
use super::worker::run_within;
use crate::{FailureKind, RowFailure};

/// The way in which the vectors of a batch are divided among the threads of launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadRows {
    /// One launch has a thread for each row.
    OneLaunch,
    /// Each row is a launch of one thread.
    LaunchEach,
}

/// A parameter of the kernel that is launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// The address of the column of this number; of a launch for each row, the address of the row.
    Column(usize),
    /// A number, the same for all rows.
    Number(u64),
    /// A number for each row, which is a launch.
    Each(Vec<u64>),
}

/// The columns and parameters of a batch that is executed elsewhere.
#[derive(Clone, Debug)]
pub struct HandedOver {
    /// The columns, with a row for each thread. Those of results hold a pattern.
    pub columns: Vec<Column>,
    /// The parameters of the kernel, in order.
    pub parameters: Vec<Parameter>,
    /// The number of threads.
    pub threads: usize,
    /// The number of vectors of a thread.
    each: usize,
    /// The number of columns that are results of a function.
    returned: usize,
    /// The columns whose rows no thread may change, with the numbers that they have in `columns`.
    kept: Vec<(usize, Column)>,
}

impl Code {
    /// Returns the module of the code, with a kernel to launch, and the name of that kernel: the code itself, or one
    /// that calls it for each row.
    ///
    /// # Errors
    /// If the function has parameters or results that no kernel can load and store, or a launch is not a thread for each
    /// vector, says so.
    pub fn module_to_launch(&self) -> Result<(Module, String), String> {
        let mut module = self.launched.file.module.clone();
        if let Some(threads) = self.threads() {
            return Err(format!(
                "the threads of `{}` work together, in launches of {threads}, and are executed on no GPU here",
                self.launched.name
            ));
        }
        if let CallShape::Roles(roles) = &self.launched.call
            && roles.roles.len() != self.function.parameters().count()
        {
            return Err(format!(
                "`{}` has structures as parameters, which are given to no GPU here",
                self.launched.name
            ));
        }
        if self.is_kernel {
            return Ok((module, self.launched.name.clone()));
        }
        let Some(entry) = self.caller(&module) else {
            return Err(format!(
                "the parameters and results of `{}` are not values of 1, 2, 4 or 8 bytes, aligned to their size",
                self.launched.name
            ));
        };
        let name = entry.name.clone();
        module.entries = vec![entry];
        Ok((module, name))
    }

    /// Returns the kernel that calls the function.
    fn caller(&self, module: &Module) -> Option<Entry> {
        let is_meant = |of: &&Function| of.name == self.launched.name && of.body.is_some();
        let function = module.functions.iter().find(is_meant)?;
        let handed: Vec<Handed> = match &self.launched.call {
            CallShape::Function => vec![Handed::Value; function.parameters.len()],
            CallShape::Roles(roles) => {
                roles.roles.iter().zip(&roles.sizes).map(|(role, &size)| handed(role, size)).collect()
            }
        };
        ptx::caller_with(function, &handed)
    }

    /// Returns how the vectors of a batch are divided among threads. A kernel whose threads do not take the elements of
    /// their index each, or that has an operand itself and no pointer to it, is launched for each row.
    pub fn thread_rows(&self) -> ThreadRows {
        let CallShape::Roles(roles) = &self.launched.call else { return ThreadRows::OneLaunch };
        let has_values = roles.roles.iter().any(|role| matches!(role, Role::Value { .. }));
        let has_its_own = self.find_fourth_thread().is_some_and(|fourth| fourth.has_its_own);
        match !self.is_kernel || has_its_own && !has_values {
            true => ThreadRows::OneLaunch,
            false => ThreadRows::LaunchEach,
        }
    }

    /// Returns the columns and parameters for a batch. Results are filled with bytes of `pattern`.
    ///
    /// # Errors
    /// If the code has other operands or results than the instruction, says which.
    pub fn hand_over(
        &self,
        variant: &Variant,
        operands: &[Column],
        pattern: u8,
    ) -> Result<HandedOver, String> {
        let each = self.vectors_of_thread(variant)?;
        let rows = operands.first().map_or(0, Column::rows);
        let threads = rows.div_ceil(each);
        let mut over = HandedOver {
            columns: Vec::new(),
            parameters: Vec::new(),
            threads,
            each,
            returned: 0,
            kept: Vec::new(),
        };
        if !self.is_kernel {
            for (_, bytes) in self.function.results() {
                let mut column = Column::new(bytes, threads);
                column.bytes_mut().fill(pattern);
                over.add(column);
            }
            over.returned = over.columns.len();
        }
        let arguments = arguments(self, operands, each, 0..rows, (variant, None, pattern));
        let roles = match &self.launched.call {
            CallShape::Function => Vec::new(),
            CallShape::Roles(roles) => roles.roles.clone(),
        };
        for (number, argument) in arguments.into_iter().enumerate() {
            match (roles.get(number), argument) {
                // The number stands in the text of the kernel that calls the function.
                (Some(Role::Rows(_) | Role::Constant(_)), _) if !self.is_kernel => {}
                (Some(Role::Rows(of_one)), _) => {
                    let threads = match self.thread_rows() {
                        ThreadRows::OneLaunch => threads as u64,
                        ThreadRows::LaunchEach => 1,
                    };
                    over.parameters.push(Parameter::Number(of_one.saturating_mul(threads)));
                }
                (Some(Role::Constant(number)), _) => over.parameters.push(Parameter::Number(*number)),
                (Some(Role::Value { .. }), Argument::Value(column)) if self.is_kernel => {
                    let each = (0..column.rows()).map(|row| column.get(row)).collect();
                    over.parameters.push(Parameter::Each(each));
                }
                (role, Argument::Behind(column) | Argument::Value(column)) => {
                    if let Some(Role::Read { .. }) = role {
                        over.kept.push((over.columns.len(), column.clone()));
                    }
                    over.add(column);
                }
            }
        }
        if !self.is_kernel {
            over.parameters.push(Parameter::Number(threads as u64));
        }
        Ok(over)
    }

    /// Writes what came back for a batch into its results, and returns the rows of threads that have overwritten an
    /// operand which no result belongs to.
    pub fn take_back(
        &self,
        over: HandedOver,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Vec<RowFailure> {
        let HandedOver { mut columns, kept, each, returned, .. } = over;
        let rows = operands.first().map_or(0, Column::rows);
        let mut failures = Vec::new();
        for (number, before) in kept {
            let Some(after) = columns.get(number) else { continue };
            if *after == before {
                continue;
            }
            for thread in column::differing(std::slice::from_ref(after), std::slice::from_ref(&before)) {
                let first = thread * each;
                failures.extend((first..rows.min(first + each)).map(|row| RowFailure {
                    row,
                    kind: FailureKind::Failed,
                    words: "the code overwrites an operand".into(),
                }));
            }
        }
        let behind = columns.split_off(returned);
        let behind = match &self.launched.call {
            CallShape::Function => Vec::new(),
            // Values of a function have columns, too, and are no memory that the code can write.
            CallShape::Roles(roles) => {
                let with_column = roles.roles.iter().filter(|role| {
                    role.is_pointer() || !self.is_kernel && matches!(role, Role::Value { .. })
                });
                let pairs = with_column.zip(behind);
                pairs.filter(|(role, _)| role.is_pointer()).map(|(_, column)| column).collect()
            }
        };
        let mut batch = Batch { operands, results, each, has_results: true, variant, elements: None };
        batch.write(self, 0..rows, &Given { results: columns, behind });
        failures
    }

    /// Runs code on the rows of a batch that lie within its domain. `run` is given these rows, and returns its failures.
    /// Returns the failures, and the rows outside of the domain, by their numbers in the batch.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn run_in_domain(
        &self,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
        run: impl FnOnce(&[Column], &mut [Column]) -> anyhow::Result<Vec<RowFailure>>,
    ) -> anyhow::Result<(Vec<RowFailure>, Vec<usize>)> {
        run_within(self.domain(), variant, operands, results, run)
    }
}

impl HandedOver {
    /// Adds a column, whose address is the next parameter.
    fn add(&mut self, column: Column) {
        self.parameters.push(Parameter::Column(self.columns.len()));
        self.columns.push(column);
    }
}

/// Returns what a parameter of a function with this role is handed, which has so many bytes.
fn handed(role: &Role, size: usize) -> Handed {
    match *role {
        Role::Read { bytes, .. } | Role::Written { bytes, .. } | Role::InPlace { bytes, .. } => {
            Handed::Row(bytes)
        }
        // Only launches of many threads have such elements.
        Role::Unused | Role::Elements { .. } => Handed::Row(size),
        Role::Value { .. } => Handed::Value,
        Role::Rows(number) | Role::Constant(number) => Handed::Number(number),
    }
}
