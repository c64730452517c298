//! Judges compiled programs: executes them, and compares their results with those that they permit.

use std::collections::BTreeSet;

use formats::Column;
use isa::Variant;
use machines::functions::{Error, ExecutionUnit, Nearest, RunnableFunction};
use machines::interpreter::Problem;
use ptx::Header;

use super::execute::{execute_unset, in_words};
use super::language::Language;
use super::module::{Compiled, Ptx};
use super::program::{Defects, Precision, Program, Rules, Spelled, Spelling, Type, permits, vectors};
use super::setting::{Setting, Switch};
use super::unit::{Approximating, Approximation};
use ptx::contraction::contractions;

/// The bits of a result that nothing was stored to.
const UNSTORED: u64 = 0xcdcd_cdcd_cdcd_cdcd;

/// The fate of a program for one target and setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// All results that were judged are permitted; for some vectors there may be too many permitted results to say.
    Right {
        /// The number of vectors that were judged.
        judged: usize,
        /// The numbers of the vectors for which too many results are permitted to say, with their results.
        undecided: Vec<(usize, u64)>,
    },
    /// A result is not permitted.
    Wrong(WrongResult),
    /// The compiler does not take the program, in its words.
    Refused(String),
    /// The compiler died of the program: how, in words.
    Died(String),
    /// The interpreter does not execute the function: the names of what it cannot execute there.
    Unexecuted(Vec<String>),
}

/// The first vector with a result that is not permitted, and what is known of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongResult {
    /// The values of the parameters in the first wrong vector.
    pub operands: Vec<u64>,
    /// The result for the first wrong vector.
    pub result: u64,
    /// The results that are permitted for the first wrong vector.
    pub permitted: Vec<u64>,
    /// The number of vectors whose results are not permitted.
    pub mismatches: usize,
    /// The lack that leaves the function without a definite result, if it has one.
    pub lacks: Option<Lack>,
    /// The approximations with which the function is wrong; an end of their bounds where it is right with the nearest.
    pub approximation: Approximation,
    /// Whether the function has approximate instructions.
    pub approximates: bool,
    /// The results of all vectors.
    pub results: Vec<u64>,
    /// The defects that explain the results of all vectors, if that was asked and any do.
    pub defects: Option<Defects>,
}

/// The name of [`Lack::Rounding`].
pub const UNROUNDED: &str = "unrounded";

/// A lack that leaves a function without a definite result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// No result is stored.
    Stored,
    /// The results depend on a register that is never set.
    Set,
    /// A product and a sum have no rounding, and are not right if they are fused.
    Rounding,
}

impl Lack {
    /// Returns the name of the lack in classes.
    pub const fn name(self) -> &'static str {
        match self {
            Lack::Stored => "unstored",
            Lack::Set => "unset",
            Lack::Rounding => UNROUNDED,
        }
    }

    /// Returns the lack in words.
    pub const fn words(self) -> &'static str {
        match self {
            Lack::Stored => "nothing is stored",
            Lack::Set => "a register is read that is never set",
            Lack::Rounding => {
                "a product and a sum without a rounding modifier, which an assembler may fuse"
            }
        }
    }
}

/// Returns the rules of a language under a setting: what a compiler may do beside the operations as they are written.
/// LLVM's reference says of `fneg`, `fabs` and `copysign` that they change bits; no document says so for NVIDIA's
/// compilers.
pub fn rules(language: Language, setting: Setting) -> Rules {
    let precision = |exact: Switch| match (setting.has(Switch::FastMath), setting.has(exact)) {
        (true, _) => Precision::Fast,
        (false, false) => Precision::Bounded,
        (false, true) => Precision::Exact,
    };
    Rules {
        flush: setting.has(Switch::Ftz) || setting.has(Switch::FtzResults),
        signs: language != Language::Llvm,
        contract: setting.has(Switch::Fma),
        quotients: precision(Switch::PrecDiv),
        roots: precision(Switch::PrecSqrt),
        // The headers of CUDA C++ promise how quotients and roots of half precision are rounded, under every option.
        by_single: language != Language::Cuda,
        truths: language == Language::Cuda,
        flagged_selections: language.has_flagged_selections(),
        signless: setting.has(Switch::Nsz),
        // For CUDA C++, no document makes the exception of signalling NaN.
        signalling: language != Language::Cuda,
        reciprocals: setting.has(Switch::Arcp),
        no_nan: setting.has(Switch::Nnan),
        no_infinity: setting.has(Switch::Ninf),
        defects: Defects::NONE,
    }
}

/// Returns the function of this name in a compiler's PTX, ready to be executed.
///
/// # Errors
/// The names of what is not executed in the function, each once.
pub fn function(ptx: &Ptx, name: &str) -> Result<RunnableFunction, Vec<String>> {
    let module = ptx.tree.as_ref().map_err(|error| vec![error.to_string()])?;
    let (faults, function) = match RunnableFunction::of(module, name) {
        Ok(function) => (unavailable(&function, module.header), Some(function)),
        Err(faults) => (faults.iter().map(unexecuted).collect(), None),
    };
    let names: BTreeSet<String> = faults.into_iter().collect();
    function.filter(|_| names.is_empty()).ok_or_else(|| names.into_iter().collect())
}

/// Returns the variants of a function that its module's target and version of PTX do not have, in words.
fn unavailable(function: &RunnableFunction, header: Header) -> Vec<String> {
    let Header { target, ptx } = header;
    let variants = function.variants().filter(|variant| !variant.available(Some(target), Some(ptx)));
    variants.map(|variant| format!("{variant}{FOR}{target} in PTX {ptx}")).collect()
}

/// The word behind an instruction that PTX has, but not for this target.
const FOR: &str = " for ";

/// Whether the name of something that is not executed is a floating-point instruction that PTX does not have, or not
/// for this target. The table has all floating-point instructions of PTX, so such a name has a mnemonic of the table
/// and is none of the table's names.
pub fn is_illegal(name: &str) -> bool {
    if name.split_once(FOR).is_some_and(|(variant, _)| Variant::named(variant).is_some()) {
        return true;
    }
    // Any other problem in words is no such instruction, whatever instruction it occurs in.
    if name.contains(' ') {
        return false;
    }
    let mut words = name.split('.');
    let mnemonic = words.next().unwrap_or_default();
    let floating = words.any(|word| {
        // A type such as `f32` or `bf16x2`: letters and digits, and perhaps a number of lanes.
        let letters = word.trim_end_matches(|char: char| char.is_ascii_digit() || char == 'x');
        letters.len() < word.len() && matches!(letters, "f" | "bf")
    });
    let known = Variant::all().iter().any(|variant| variant.text().split('.').next() == Some(mnemonic));
    floating && known
}

/// Returns the words that a fault is counted by: for an instruction that is not known, its name alone.
fn unexecuted(fault: &Error) -> String {
    match fault.problem {
        Problem::Unsupported(_) if !fault.opcode.is_empty() => fault.opcode.clone(),
        _ => in_words(fault),
    }
}

/// Executes a compiled program on `rows` vectors drawn with `seed`, and judges the results by the rules. Approximate
/// instructions give their nearest results and, where these are right, also those at either end of their bounds.
pub fn judge(spelled: Spelled, rules: Rules, compiled: &Compiled, seed: u64, rows: usize) -> Fate {
    let (ptx, name) = match compiled {
        Compiled::Ptx(ptx, name) => (ptx, name),
        Compiled::Refused(words) => return Fate::Refused(words.clone()),
        Compiled::Died(words) => return Fate::Died(words.clone()),
    };
    let function = match function(ptx, name) {
        Ok(function) => function,
        Err(names) => return Fate::Unexecuted(names),
    };
    let operands = vectors(spelled.program, seed, rows);
    let fate = executed(spelled, rules, &function, &operands);
    // Where the rules do not permit contraction, the function has to be right however the assembler contracts it.
    if rules.contract || !matches!(fate, Fate::Right { .. }) {
        return fate;
    }
    let fused = match fused(ptx, name) {
        Ok(fused) => fused,
        Err(many) => return Fate::Unexecuted(vec![many]),
    };
    let wrong =
        fused.into_iter().find_map(|function| match executed(spelled, rules, &function, &operands) {
            Fate::Wrong(wrong) => {
                Some(WrongResult { lacks: Some(wrong.lacks.unwrap_or(Lack::Rounding)), ..wrong })
            }
            _ => None,
        });
    wrong.map_or(fate, Fate::Wrong)
}

/// Returns the functions that an assembler may make of one by contraction. In each, one sum of a product is fused,
/// where neither has a rounding modifier.
///
/// # Errors
/// If they are too many and too long to be executed; the error is what people are told.
pub fn fused(ptx: &Ptx, name: &str) -> Result<Vec<RunnableFunction>, String> {
    let Ok(module) = &ptx.tree else { return Ok(Vec::new()) };
    let modules = contractions(module, name)?.into_iter();
    Ok(modules.filter_map(|module| RunnableFunction::of(&module, name).ok()).collect())
}

/// Executes and judges a function, with the nearest results of approximations and then with those at the ends of their
/// bounds.
fn executed(spelled: Spelled, rules: Rules, function: &RunnableFunction, operands: &[Vec<u64>]) -> Fate {
    let judged =
        |unit: &mut dyn ExecutionUnit, approximation| match results(function, unit, spelled, operands) {
            Ok(all) => {
                let mut each =
                    all.iter().map(|of| compared(spelled.program, rules, operands, of, approximation));
                let first = each.next().unwrap_or_else(|| Fate::Unexecuted(Vec::new()));
                // Where results depend on a register that was never set, each of them has to be right.
                each.fold(first, Fate::and_unset)
            }
            Err(what) => Fate::Unexecuted(vec![what]),
        };
    let mut nearest = Noting::default();
    let mut fate = judged(&mut nearest, Approximation::Nearest);
    if let Fate::Wrong(wrong) = &mut fate {
        wrong.approximates = nearest.approximates;
    }
    if !nearest.approximates || !matches!(fate, Fate::Right { .. }) {
        return fate;
    }
    let other = Approximation::ENDS.into_iter().find_map(|end| {
        match judged(&mut Approximating::new(end), end) {
            Fate::Right { .. } => None,
            wrong => Some(wrong),
        }
    });
    other.unwrap_or(fate)
}

/// The emulator, which notes whether it was asked for an approximation.
#[derive(Default)]
struct Noting {
    nearest: Nearest,
    approximates: bool,
}

impl ExecutionUnit for Noting {
    fn execute(
        &mut self,
        variant: &'static Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<(), String> {
        self.approximates |= !variant.is_exact();
        self.nearest.execute(variant, operands, results)
    }
}

impl Fate {
    /// Returns the fate of a function that gives other results with other bits in a register that was never set, from
    /// its fates with two such fillings: wrong, with [`Lack::Set`], if either is wrong.
    fn and_unset(self, other: Fate) -> Fate {
        match (self, other) {
            (Fate::Wrong(wrong), _) | (Fate::Right { .. }, Fate::Wrong(wrong)) => {
                Fate::Wrong(WrongResult { lacks: Some(Lack::Set), ..wrong })
            }
            (first, _) => first,
        }
    }
}

/// Executes a function, and returns the results of the rows or the words for what kept them from being computed. There
/// are several lists of results if they depend on a register that was never set.
fn results(
    function: &RunnableFunction,
    unit: &mut dyn ExecutionUnit,
    spelled: Spelled,
    operands: &[Vec<u64>],
) -> Result<Vec<Vec<u64>>, String> {
    let rows = operands.first().map_or(1, Vec::len);
    let constants = match spelled.spelling {
        Spelling::Parameters | Spelling::Memory => spelled.program.constants(),
        Spelling::Plain | Spelling::Opaque(_) => Vec::new(),
    };
    let (passed, mut behind) = match spelled.spelling {
        Spelling::Memory => (operands.len(), constants.iter().map(|of| filled(*of, rows)).collect()),
        _ => (operands.len() + constants.len(), Vec::new()),
    };
    // Constants that are parameters stand behind the program's own.
    let values = |at: usize, row: usize| match operands.get(at) {
        Some(operands) => operands[row],
        None => constants[at - operands.len()].1,
    };
    let results = execute_unset(function, unit, (passed, rows), values, &mut behind)?;
    let mask = spelled.program.result().format().mask();
    let masked = |column: &Column| (0..rows).map(|row| column.get(row) & mask).collect();
    Ok(results.iter().map(masked).collect())
}

/// Returns a column that holds a constant in each row.
fn filled((ty, bits): (Type, u64), rows: usize) -> Column {
    let mut column = Column::new(ty.format().width() as usize / 8, rows);
    (0..rows).for_each(|row| column.set(row, bits));
    column
}

/// Compares the results of rows with those that the program permits.
fn compared(
    program: &Program,
    rules: Rules,
    operands: &[Vec<u64>],
    results: &[u64],
    approximation: Approximation,
) -> Fate {
    let format = program.result().format();
    let (mut judged, mut undecided, mut mismatches, mut first) = (0, Vec::new(), 0, None);
    for (row, permitted) in program.permitted(rules, operands).into_iter().enumerate() {
        let result = results[row];
        let Some(permitted) = permitted else {
            undecided.push((row, result));
            continue;
        };
        judged += 1;
        if !permits(format, &permitted, result) {
            mismatches += 1;
            let operands = operands.iter().map(|values| values[row]).collect();
            first.get_or_insert((operands, result, permitted));
        }
    }
    let Some((first, result, permitted)) = first else { return Fate::Right { judged, undecided } };
    // The machine of functions fills its memory with the byte 0xcd.
    let unstored = results.iter().all(|&bits| bits == UNSTORED & format.mask());
    let lacks = unstored.then_some(Lack::Stored);
    let results = results.to_vec();
    Fate::Wrong(WrongResult {
        operands: first,
        result,
        permitted,
        mismatches,
        lacks,
        approximation,
        approximates: approximation.is_end(),
        results,
        defects: None,
    })
}

impl WrongResult {
    /// Adds the defects that explain all of the results, for vectors drawn with this seed.
    #[must_use]
    pub fn explained(self, program: &Program, rules: Rules, seed: u64) -> WrongResult {
        let format = program.result().format();
        let operands = vectors(program, seed, self.results.len());
        let due = program.permitted(rules, &operands);
        let explains = |defects: &Defects| {
            let of = |rules: Rules| program.permitted(Rules { defects: *defects, ..rules }, &operands);
            // Where flags and a defect together leave all open, that is no explanation: the result has to be one that
            // the defect itself gives, unless these are too many to say.
            let itself = of(Rules { no_nan: false, no_infinity: false, ..rules });
            let mut rows = of(rules).into_iter().zip(&due).zip(itself).zip(&self.results);
            rows.all(|(((flagged, due), itself), &result)| {
                let is = |of: &Vec<u64>| permits(format, of, result);
                let else_right = || due.as_ref().is_none_or(is) || itself.as_ref().is_none_or(is);
                flagged.as_ref().map_or_else(else_right, is)
            })
        };
        // A lack, or an approximation at an end of its bound, explains the results by itself.
        let known = self.lacks.is_some() || self.approximation.is_end();
        let approximates = self.approximates;
        let is_open =
            |defects: &Defects| defects.iter().all(|of| of.is_open(program, rules, approximates));
        let defects = || Defects::all().into_iter().filter(is_open).find(explains);
        WrongResult { defects: if known { None } else { defects() }, ..self }
    }
}

#[cfg(test)]
mod tests;
