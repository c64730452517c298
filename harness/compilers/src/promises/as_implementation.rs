//! Makes a compiled function an implementation of the instruction whose operands and results it has.

use std::fmt;

use anyhow::Result;
use formats::Column;
use implementations::{Description, Implementation, Support, Worker};
use isa::Variant;

use super::function_executor::FunctionExecutor;
use super::standard::Standard;
use super::trial::Trial;
use crate::execute::NOTHING;

/// A trial's function as an implementation, which is given at most `vectors` vectors of each sweep.
pub(super) struct AsImplementation<'a> {
    pub(super) trial: &'a Trial,
    pub(super) vectors: u64,
}

/// A fault of a function: something that a lane of it may not do, in words.
#[derive(Debug)]
pub(super) struct LaneFault(pub(super) String);

impl fmt::Display for LaneFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LaneFault {}

impl LaneFault {
    /// Returns the words of the lane's fault that an error is about.
    ///
    /// # Errors
    /// The error itself, if it is about something else.
    pub(super) fn fault_words(error: anyhow::Error) -> Result<String> {
        match error.chain().find_map(|cause| cause.downcast_ref::<LaneFault>()) {
            Some(LaneFault(words)) => Ok(words.clone()),
            None => Err(error),
        }
    }
}

impl Implementation for AsImplementation<'_> {
    fn describe(&self) -> Description {
        Description { name: "a function that was compiled".into(), ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        match self.trial.aim.shape() == variant {
            true => Support::Yes,
            false => Support::No("the function has different operands or results".into()),
        }
    }

    fn vectors_max(&self) -> Option<u64> {
        Some(self.vectors)
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(FunctionWorker::of(self.trial)))
    }
}

/// Executes a function; fails with a [`LaneFault`] where a lane does what it may not.
pub(super) struct FunctionWorker<'a> {
    trial: &'a Trial,
    executor: FunctionExecutor,
    /// The standard of the trial, made when results first depend on a register that was never set.
    standard: Option<Standard>,
}

impl FunctionWorker<'_> {
    /// Makes a worker that executes the function of a trial.
    pub(super) fn of(trial: &Trial) -> FunctionWorker<'_> {
        FunctionWorker { trial, executor: FunctionExecutor::default(), standard: None }
    }

    /// Whether results depended on a register that was never set. Of the several results of a row, the worker then
    /// gives the first that is wrong, if any is.
    pub(super) fn met_unset(&self) -> bool {
        self.standard.is_some()
    }
}

impl Worker for FunctionWorker<'_> {
    fn run(&mut self, _: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let Trial { aim, approximation, .. } = self.trial;
        let due = self.executor.expected_result(aim, operands);
        let each = self.executor.each_result(self.trial, operands, due.as_ref()).map_err(LaneFault)?;
        let mut each = each.into_iter().map(|column| [column]);
        let [mut shown] = each.next().ok_or_else(|| LaneFault(NOTHING.into()))?;
        // Where results depend on a register that was never set, each of them has to be right: the first that is not is
        // shown.
        let mut settled = vec![false; shown.rows()];
        if each.len() > 0 {
            let standard = self.standard.get_or_insert_with(|| Standard::of(aim, *approximation));
            let first = [shown.clone()];
            for other in [first].into_iter().chain(each) {
                for row in standard.wrong(operands, &other, usize::MAX) {
                    if !std::mem::replace(&mut settled[row], true) {
                        shown.set(row, other[0].get(row));
                    }
                }
            }
        }
        results[0] = shown;
        Ok(())
    }
}
