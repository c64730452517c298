//! The `differential` target, which judges an implementation against MPFR.
//!
//! A library under test may be loaded into this very process. Then libFuzzer sees which branches the library takes, and
//! prefers inputs that take new ones.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result};
use formats::RowBits;
use implementations::{Implementation, Support, Worker, library};
use isa::{Register, Variant};
use judge::{Mismatch, MismatchKind};
use runner::{BlockJudge, Judging};
use sweeps::fnv1a;

use crate::mutation::{self, neighbour};
use crate::target::IN_PROCESS;
use crate::{Findings, FuzzCase, FuzzTarget, Random, Ring, engine, feedback};

/// The `differential` target; the environment names the implementation that it tests.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "differential", unit: "vectors judged by MPFR", begin, seeds, mutate, attempt };

/// The environment variable that names the implementation, as `--impl` does.
pub const IMPLEMENTATION: &str = "FUZZ_IMPL";

/// Number of neighbouring vectors that are tried together with an input's own. To start on a batch costs as much as to
/// compute a dozen vectors, so a single vector would waste most of the time.
///
/// A library in this process gets no neighbours, so that the branches that libFuzzer sees are those of the input.
const NEIGHBOURS: usize = 127;
/// Number of vectors of each variant in a new corpus.
const SEEDS: u64 = 2;

/// Returns the inputs of a new corpus: for each variant, vectors from anywhere in its sweeps.
pub fn seeds() -> Vec<Vec<u8>> {
    let variants = Variant::all().iter().enumerate();
    let seeds = variants.flat_map(|(number, variant)| {
        let numbers = (0..SEEDS).map(move |at| number as u64 * SEEDS + at);
        numbers.map(move |seed| mutation::swept(variant, &mut Random::new(seed)).to_bytes())
    });
    seeds.collect()
}

/// Returns the input of a changed case.
pub fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    mutation::mutate(&Ring::all().case(bytes), random).to_bytes()
}

/// Returns the operands of a case, and of `neighbours` cases near it, which are the same at each call.
pub fn neighbourhood(case: &FuzzCase, neighbours: usize) -> Vec<Vec<RowBits>> {
    let mut random = Random::new(fnv1a(&case.to_bytes()));
    let near = (0..neighbours).map(|_| neighbour(case, &mut random).operands);
    std::iter::once(case.operands.clone()).chain(near).collect()
}

thread_local! {
    static TESTED: RefCell<Option<TestedImplementation>> = const { RefCell::new(None) };
}

/// Starts the implementation that the environment names: the emulator, if it names none.
fn begin() -> Result<()> {
    let name = std::env::var(IMPLEMENTATION).unwrap_or("emulator".into());
    let tested = match std::env::var_os(IN_PROCESS) {
        Some(_) => TestedImplementation::in_process(&name)?,
        None => TestedImplementation::new(&name)?,
    };
    TESTED.set(Some(tested));
    Ok(())
}

/// Tries an input on the implementation that `begin` started, and ends the search if the implementation breaks.
fn attempt(bytes: &[u8], findings: &mut Findings) {
    let attempt = |tested: &mut Option<TestedImplementation>| {
        // Tests replay inputs without `begin`, and try the emulator.
        if tested.is_none() {
            *tested = Some(TestedImplementation::new("emulator")?);
        }
        tested.as_mut().map_or(Ok(()), |tested| tested.attempt(bytes, findings))
    };
    if let Err(error) = TESTED.with_borrow_mut(attempt) {
        engine::give_up(&format!("{error:#}"));
    }
}

/// Most cases of a class that are tried in a process of their own as long as none of them is wrong there. Each takes a
/// tenth of a second.
const RETRIES_MAX: u32 = 16;

/// The knowledge of whether a class of mismatches comes again in a new process.
#[derive(Clone, Copy)]
enum Again {
    /// A case of the class was wrong in a new process, too.
    Comes,
    /// This many cases of the class were tried in a new process, and none was wrong there so far.
    NotYet(u32),
}

/// An implementation under test.
pub struct TestedImplementation {
    name: String,
    worker: Box<dyn Worker>,
    /// The variants that the implementation has; the ring finds one of them for each input.
    ring: Ring,
    /// The judge of each variant that was tried, by the variant's text.
    judges: HashMap<&'static str, BlockJudge>,
    /// The number of neighbouring vectors that are tried with each input.
    neighbours: usize,
    /// The knowledge about each class of a library in this process: whether it came again in another process. `None` for
    /// any other implementation.
    again: Option<BTreeMap<String, Again>>,
}

impl TestedImplementation {
    /// Starts the implementation of a name.
    ///
    /// # Errors
    /// If no implementation has the name, if it does not start, or if it has no variant.
    pub fn new(name: &str) -> Result<TestedImplementation> {
        TestedImplementation::of(name, implementations::named(name)?, NEIGHBOURS)
    }

    /// Loads the library that `lib:PATH` names into this process.
    ///
    /// A case that is wrong here is tried again in a process of its own: only what comes again is a finding.
    ///
    /// # Errors
    /// As [`TestedImplementation::new`], and if the name is not a library's.
    pub fn in_process(name: &str) -> Result<TestedImplementation> {
        let library = Box::new(library::in_process(name)?);
        Ok(TestedImplementation {
            again: Some(BTreeMap::new()),
            ..TestedImplementation::of(name, library, 0)?
        })
    }

    /// Prepares the implementation for all variants, and starts a worker of it.
    fn of(
        name: &str,
        implementation: Box<dyn Implementation>,
        neighbours: usize,
    ) -> Result<TestedImplementation> {
        // Workers borrow from the implementation, and it is needed until the process ends.
        let implementation = Box::leak(implementation);
        let subjects: Vec<_> = Variant::all().iter().map(selection::subject::Subject::Variant).collect();
        implementation.prepare(&subjects);
        // Inputs stand only for variants that the implementation has, so that no execution is wasted.
        let ring = Ring::of(|variant| implementation.support(variant) == Support::Yes);
        anyhow::ensure!(ring.variants().len() > 0, "`{name}` supports no variant");
        let (name, worker) = (name.to_owned(), implementation.worker()?);
        Ok(TestedImplementation { name, worker, ring, judges: HashMap::new(), neighbours, again: None })
    }

    /// Has the implementation compute the case that `bytes` stand for, and others near it, and MPFR judge the results.
    ///
    /// # Errors
    /// If the implementation breaks.
    pub fn attempt(&mut self, bytes: &[u8], findings: &mut Findings) -> Result<()> {
        let case = self.ring.case(bytes);
        let variant = case.variant;
        let judge = self.judges.entry(variant.text()).or_insert_with(|| {
            BlockJudge::new(selection::subject::Subject::Variant(variant), Judging::Mpfr)
        });
        let rows = neighbourhood(&case, self.neighbours);
        // Inputs are of no sweep, so the first row has the number 0.
        let tally = judge.run_rows(&rows, 0, self.worker.as_mut());
        let tally = tally.with_context(|| format!("the implementation failed on {variant}"))?;
        // libFuzzer keeps inputs whose own result, the first row's, is of a new class or nearer to a tie.
        feedback::note(variant, judge.operands(), judge.results());
        findings.tried += tally.confirmed;
        findings.variants.insert(variant.text());
        for (kind, class) in tally.classes {
            let Some(first) = class.examples.first() else { continue };
            let case = FuzzCase::new(variant, &first.operands);
            let class = format!("{}/{variant}/{}", self.name, kind.id());
            match self.comes_again(&class, &case, kind)? {
                true => findings.add(class, &case.to_bytes(), words(variant, first)),
                false => findings.unconfirmed += 1,
            }
        }
        Ok(())
    }

    /// Whether a class is found in a new process as well; always true of an implementation that is not in this process.
    ///
    /// # Errors
    /// If the implementation does not start in the new process, or breaks there.
    fn comes_again(&mut self, class: &str, case: &FuzzCase, kind: MismatchKind) -> Result<bool> {
        let Some(again) = &mut self.again else { return Ok(true) };
        let before = again.get(class).copied().unwrap_or(Again::NotYet(0));
        match before {
            Again::Comes => return Ok(true),
            Again::NotYet(RETRIES_MAX) => return Ok(false),
            Again::NotYet(_) => {}
        }
        let elsewhere = implementations::named(&self.name)?;
        let subject = selection::subject::Subject::Variant(case.variant);
        let mut judge = BlockJudge::new(subject, Judging::Mpfr);
        let rows = [case.operands.clone()];
        // As above: a case is of no sweep.
        let tally = judge.run_rows(&rows, 0, elsewhere.worker()?.as_mut())?;
        let found = tally.classes.contains_key(&kind);
        let now = match before {
            Again::NotYet(times) if !found => Again::NotYet(times + 1),
            _ => Again::Comes,
        };
        again.insert(class.to_owned(), now);
        Ok(found)
    }
}

/// Describes a mismatch on one line: its operands, the expected results and the actual ones.
fn words(variant: &Variant, mismatch: &Mismatch) -> String {
    let data = |registers: &[Register], bits: &[RowBits]| {
        let each = registers.iter().zip(bits);
        let hex = |(register, bits): (&Register, &RowBits)| {
            format!("{}={}", register.name, bits.hex(register.ty.row_bytes()))
        };
        let each = each.map(hex);
        each.collect::<Vec<_>>().join(" ")
    };
    let (operands, results) = (variant.operands(), variant.results());
    let actual = match &mismatch.words {
        Some(words) => format!("no result: {words}"),
        None => format!("actual {}", data(results, &mismatch.actual)),
    };
    format!(
        "{} expected {} {actual}",
        data(operands, &mismatch.operands),
        data(results, &mismatch.expected)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(tested: &mut TestedImplementation, case: &FuzzCase) -> Vec<String> {
        let mut findings = Findings::default();
        tested.attempt(&case.to_bytes(), &mut findings).unwrap();
        assert_eq!(findings.tried, 1 + NEIGHBOURS as u64);
        findings.found.into_iter().map(|finding| finding.class).collect()
    }

    /// Checks that the emulator has cases of every shape right, of one variant in seven: several results, five
    /// operands, bounds.
    #[test]
    fn the_emulator_has_every_case_right() {
        let mut tested = TestedImplementation::new("emulator:scalar").unwrap();
        for variant in Variant::all().iter().step_by(7) {
            for bits in [0x3c00_3f80_3f80_3838, 0x8001_0203_8000_0102] {
                let case = FuzzCase::new(variant, &[bits; 5]);
                assert_eq!(classes(&mut tested, &case), Vec::<String>::new(), "{case:?}");
            }
        }
    }

    #[test]
    fn a_trial_tells_wrong_from_right() {
        let variant = Variant::all().iter().find(|v| v.text() == "mul.rn.f16").unwrap();
        // 1.5 × (1 + 3 × 2^-10) lies half-way between two numbers of f16, the lower one even.
        let case = FuzzCase::new(variant, &[0x3e00, 0x3c03]);
        assert_eq!(
            classes(&mut TestedImplementation::new("emulator").unwrap(), &case),
            Vec::<String>::new()
        );
        let found = classes(&mut TestedImplementation::new("canary").unwrap(), &case);
        assert!(found.contains(&"canary/mul.rn.f16/ulp-above".to_owned()), "{found:?}");
    }
}
