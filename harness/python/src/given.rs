//! Results that somebody already has, as an implementation that answers for these operands alone.

use std::collections::HashMap;

use anyhow::Result;
use formats::{Column, RowBits, column};
use implementations::{Description, Implementation, Support, Worker};
use isa::Variant;

/// An implementation of one variant that has results of some operands, and of no others.
pub struct Given {
    /// The name of the results, for reports.
    pub name: String,
    /// The variant that the results are of.
    pub variant: &'static Variant,
    /// The results by their operands.
    pub results: HashMap<Vec<RowBits>, Vec<RowBits>>,
}

impl Implementation for Given {
    fn describe(&self) -> Description {
        Description { name: self.name.clone(), ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        match variant.text() == self.variant.text() {
            true => Support::Yes,
            false => Support::No(format!("the results are of {}", self.variant)),
        }
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(GivenWorker { given: self, unanswered: Vec::new() }))
    }
}

/// The worker of [`Given`].
struct GivenWorker<'a> {
    given: &'a Given,
    unanswered: Vec<usize>,
}

impl Worker for GivenWorker<'_> {
    fn run(&mut self, _: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.unanswered.clear();
        for row in 0..operands[0].rows() {
            match self.given.results.get(&column::row_bits(operands, row)) {
                Some(registers) => column::set_row_bits(results, row, registers),
                None => self.unanswered.push(row),
            }
        }
        Ok(())
    }

    fn unanswered(&mut self) -> Vec<usize> {
        self.unanswered.clone()
    }
}
