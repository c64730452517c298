//! Compiles several sources as one module, which costs a compiler a fraction of what they cost one by one.

use std::collections::HashSet;
use std::ops::Range;

use anyhow::Result;

use super::{CompileOutcome, CompileRequest, Compiler};

impl Compiler {
    /// Compiles requests whose sources may stand in one module, as functions of different names do. Returns the outcome
    /// of each module, with the range of requests that it was made of, in their order. A module has at most `most` of
    /// them, all of one language, target and list of options. A module that is not compiled is tried again in halves,
    /// so that a source that is refused, or that the compiler dies of, stands alone.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub fn compile_together(
        &self,
        requests: &[CompileRequest],
        most: usize,
    ) -> Result<Vec<(Range<usize>, CompileOutcome)>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for (number, request) in requests.iter().enumerate() {
            match parts.last_mut() {
                Some(part) if part.len() < most && fit(&requests[part.start], request) => {
                    part.end = number + 1;
                }
                _ => parts.push(number..number + 1),
            }
        }
        let mut done = Vec::new();
        // All halves of a round are compiled at once, so that every process of the compiler has work.
        while !parts.is_empty() {
            let modules: Vec<CompileRequest> =
                parts.iter().map(|part| module(&requests[part.clone()])).collect();
            let mut halves = Vec::new();
            for (part, outcome) in parts.into_iter().zip(self.compile(&modules)?) {
                match outcome {
                    CompileOutcome::Refused(_) | CompileOutcome::Died(_) if part.len() > 1 => {
                        let middle = part.start + part.len() / 2;
                        halves.extend([part.start..middle, middle..part.end]);
                    }
                    outcome => done.push((part, outcome)),
                }
            }
            parts = halves;
        }
        // Halves are done rounds after the modules beside them.
        done.sort_by_key(|(part, _)| part.start);
        Ok(done)
    }
}

/// Whether two requests differ in their sources alone.
fn fit(one: &CompileRequest, other: &CompileRequest) -> bool {
    let source = one.source.clone();
    *one == CompileRequest { source, ..other.clone() }
}

/// The beginnings of lines that a module has only once: declarations, which LLVM takes no second time, and the head of
/// PTX.
const ONCE: [&str; 4] = ["declare ", ".version ", ".target ", ".address_size "];

/// Makes a single request with the sources of all requests.
fn module(requests: &[CompileRequest]) -> CompileRequest {
    let mut declared = HashSet::new();
    let lines = requests.iter().flat_map(|request| request.source.lines());
    let once = |line: &str| ONCE.iter().any(|word| line.starts_with(word));
    let lines = lines.filter(|line| !once(line) || declared.insert(*line));
    let source = lines.flat_map(|line| [line, "\n"]).collect();
    CompileRequest { source, ..requests[0].clone() }
}
