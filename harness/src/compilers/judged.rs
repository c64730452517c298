//! What became of a program: compiled, executed, and compared with what it permits.

use ptx::functions::{Error, Function, Nearest};
use vectors::Variant;

use super::execute::execute;
use super::module::{Compiled, Ptx};
use super::program::{Defects, Language, Program, Rules, permits, vectors};
use super::setting::{Setting, Switch};

/// What a result is that nothing was stored to.
const UNSTORED: u64 = 0xcdcd_cdcd_cdcd_cdcd;

/// What became of a program for one target and setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// All results are permitted, of so many vectors; of some others there were too many to say.
    Right {
        /// Vectors that were judged.
        judged: usize,
        /// Vectors of which too much is permitted to be told.
        undecided: usize,
    },
    /// A result is not permitted.
    Wrong(Wrong),
    /// The compiler does not take it, in its words.
    Refused(String),
    /// The compiler died of it.
    Died(String),
    /// What there is in it that the interpreter does not execute.
    Unexecuted(Vec<String>),
}

/// The first vector with a result that is not permitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The values of the parameters.
    pub operands: Vec<u64>,
    /// The result.
    pub result: u64,
    /// What is permitted.
    pub permitted: Vec<u64>,
    /// How many of the vectors have such a result.
    pub mismatches: usize,
    /// Whether no result was stored at all.
    pub unstored: bool,
    /// The results of all vectors.
    pub results: Vec<u64>,
    /// What explains all of these, if that was asked and anything does.
    pub defects: Option<Defects>,
}

/// What a setting permits in a language. LLVM's reference says of `fneg`, `fabs` and `copysign` that they change
/// bits; of NVIDIA's compilers no document does.
pub fn rules(language: Language, setting: Setting) -> Rules {
    Rules {
        flush: setting.has(Switch::Ftz) || setting.has(Switch::FtzResults),
        signs: language != Language::Llvm,
        contract: setting.has(Switch::Fma),
        defects: Defects::NONE,
    }
}

/// A function of a compiler's PTX, or what there is in it that is not executed.
///
/// # Errors
/// Each name of what is not executed, once.
pub fn function(ptx: &Ptx, name: &str) -> Result<Function, Vec<String>> {
    let module = ptx.tree.as_ref().map_err(|error| vec![error.to_string()])?;
    Function::of(module, name).map_err(|faults| {
        let mut names: Vec<String> = faults.iter().map(unexecuted).collect();
        names.sort_unstable();
        names.dedup();
        names
    })
}

/// Whether something that is not executed is an instruction of floating point that PTX does not have: the table has
/// all that there are, so its mnemonic is one of the table's and it is none of the table's names.
pub fn is_illegal(name: &str) -> bool {
    let mut words = name.split('.');
    let mnemonic = words.next().unwrap_or_default();
    let floating = words.any(|word| {
        let letters = word.trim_end_matches(|char: char| char.is_ascii_digit() || char == 'x');
        letters.len() < word.len() && matches!(letters, "f" | "bf")
    });
    let known = Variant::all().iter().any(|variant| variant.text().split('.').next() == Some(mnemonic));
    floating && known
}

/// What a fault is counted by.
fn unexecuted(fault: &Error) -> String {
    if fault.opcode.is_empty() { fault.problem.to_string() } else { fault.opcode.clone() }
}

/// Executes a program that was compiled, on so many vectors.
pub fn judge(program: &Program, rules: Rules, compiled: &Compiled, seed: u64, rows: usize) -> Fate {
    let (ptx, name) = match compiled {
        Compiled::Ptx(ptx, name) => (ptx, name),
        Compiled::Refused(words) => return Fate::Refused(words.clone()),
        Compiled::Died(words) => return Fate::Died(words.clone()),
    };
    let function = match function(ptx, name) {
        Ok(function) => function,
        Err(names) => return Fate::Unexecuted(names),
    };
    let operands = vectors(program, seed, rows);
    match results(&function, program, &operands) {
        Ok(results) => compared(program, rules, &operands, &results),
        Err(what) => Fate::Unexecuted(vec![what]),
    }
}

/// The results of rows, or what kept them from being computed.
fn results(function: &Function, program: &Program, operands: &[Vec<u64>]) -> Result<Vec<u64>, String> {
    let rows = operands.first().map_or(1, Vec::len);
    let values = |at: usize, row: usize| operands[at][row];
    let result = execute(function, &mut Nearest::default(), (operands.len(), rows), values);
    let result = result.map_err(|fault| format!("{}: {}", fault.opcode, fault.problem))?;
    let result = result.ok_or("it returns nothing")?;
    let mask = program.result().format().mask();
    Ok((0..rows).map(|row| result.get(row) & mask).collect())
}

/// The results of rows beside those that are permitted.
fn compared(program: &Program, rules: Rules, operands: &[Vec<u64>], results: &[u64]) -> Fate {
    let format = program.result().format();
    let (mut judged, mut undecided, mut mismatches, mut first) = (0, 0, 0, None);
    for (row, permitted) in program.permitted(rules, operands).into_iter().enumerate() {
        let Some(permitted) = permitted else {
            undecided += 1;
            continue;
        };
        judged += 1;
        let result = results[row];
        if !permits(format, &permitted, result) {
            mismatches += 1;
            let operands = operands.iter().map(|values| values[row]).collect();
            first.get_or_insert((operands, result, permitted));
        }
    }
    let Some((first, result, permitted)) = first else { return Fate::Right { judged, undecided } };
    let unstored = results.iter().all(|&bits| bits == UNSTORED & format.mask());
    let results = results.to_vec();
    Fate::Wrong(Wrong {
        operands: first,
        result,
        permitted,
        mismatches,
        unstored,
        results,
        defects: None,
    })
}

impl Wrong {
    /// The same with what explains all of the results, of vectors of this seed.
    #[must_use]
    pub fn explained(self, program: &Program, rules: Rules, seed: u64) -> Wrong {
        let format = program.result().format();
        let operands = vectors(program, seed, self.results.len());
        let explains = |defects: &Defects| {
            let permitted = program.permitted(Rules { defects: *defects, ..rules }, &operands);
            let mut rows = permitted.iter().zip(&self.results);
            rows.all(|(permitted, &result)| {
                permitted.as_ref().is_none_or(|of| permits(format, of, result))
            })
        };
        let defects = if self.unstored { None } else { Defects::all().into_iter().find(explains) };
        Wrong { defects, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ptx_does_not_have_is_told_from_what_is_not_executed() {
        for illegal in ["setp.lt.ftz.bf16", "add.ftz.bf16x2", "cvt.ftz.f64.f16"] {
            assert!(is_illegal(illegal), "{illegal}");
        }
        for unknown in
            ["frobnicate.f32", "add.u16x2", "dp4a.s32.s32", "the program does not come to an end"]
        {
            assert!(!is_illegal(unknown), "{unknown}");
        }
    }
}
