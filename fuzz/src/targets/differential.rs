//! An implementation against MPFR.

use std::cell::RefCell;
use std::collections::HashMap;

use anyhow::{Context, Result};
use harness::implementation::{self, Support, Worker};
use harness::run::{BlockJudge, Judging};
use judge::Mismatch;
use vectors::isa::Register;
use vectors::sweep::fnv1a;
use vectors::{RowBits, Variant};

use super::Target;
use crate::mutation::{self, neighbour};
use crate::{Case, Findings, Random, Ring, engine};

/// The target. Which implementation is tested stands in the environment.
pub const TARGET: Target =
    Target { name: "differential", unit: "vectors judged by MPFR", seeds, mutate, attempt };

/// The variable that names the implementation, as `--impl` does.
pub const IMPLEMENTATION: &str = "FUZZ_IMPL";

/// Vectors that are tried with an input's own: it takes as long to begin with one.
const NEIGHBOURS: usize = 15;
/// Vectors of each variant in a new corpus.
const SEEDS: u64 = 2;

/// Vectors of directed sweeps, in turn, from anywhere in them.
pub fn seeds() -> Vec<Vec<u8>> {
    let variants = Variant::all().iter().enumerate();
    let seeds = variants.flat_map(|(number, variant)| {
        let numbers = (0..SEEDS).map(move |at| number as u64 * SEEDS + at);
        numbers.map(move |seed| mutation::swept(variant, &mut Random::new(seed)).to_bytes())
    });
    seeds.collect()
}

/// A changed case.
pub fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    mutation::mutate(&Ring::all().case(bytes), random).to_bytes()
}

/// The operands of a case, and those of some near it: always the same ones.
pub fn neighbourhood(case: &Case, neighbours: usize) -> Vec<Vec<RowBits>> {
    let mut random = Random::new(fnv1a(&case.to_bytes()));
    let near = (0..neighbours).map(|_| neighbour(case, &mut random).operands);
    std::iter::once(case.operands.clone()).chain(near).collect()
}

fn attempt(bytes: &[u8], findings: &mut Findings) {
    thread_local! {
        static SUBJECT: RefCell<Option<Subject>> = const { RefCell::new(None) };
    }
    let attempt = |subject: &mut Option<Subject>| {
        if subject.is_none() {
            let name = std::env::var(IMPLEMENTATION).unwrap_or("emulator".into());
            *subject = Some(Subject::new(&name)?);
        }
        subject.as_mut().map_or(Ok(()), |subject| subject.attempt(bytes, findings))
    };
    if let Err(error) = SUBJECT.with_borrow_mut(attempt) {
        engine::give_up(&format!("{error:#}"));
    }
}

/// An implementation under test.
pub struct Subject {
    name: String,
    worker: Box<dyn Worker>,
    /// The variants that it has.
    ring: Ring,
    benches: HashMap<&'static str, BlockJudge>,
}

impl Subject {
    /// The implementation of a name.
    ///
    /// # Errors
    /// If there is none, if it does not start, or if it has no variant.
    pub fn new(name: &str) -> Result<Subject> {
        // Workers borrow from it, and it is needed to the end.
        let implementation = Box::leak(implementation::named(name)?);
        let subjects: Vec<_> = Variant::all().iter().map(harness::subject::Subject::Variant).collect();
        implementation.prepare(&subjects);
        let ring = Ring::of(|variant| implementation.support(variant) == Support::Yes);
        anyhow::ensure!(ring.variants().len() > 0, "`{name}` has none of the variants");
        let (name, worker) = (name.to_owned(), implementation.worker()?);
        Ok(Subject { name, worker, ring, benches: HashMap::new() })
    }

    /// Has it compute the case that some bytes stand for, and others near it, and MPFR judge them.
    ///
    /// # Errors
    /// If it breaks.
    pub fn attempt(&mut self, bytes: &[u8], findings: &mut Findings) -> Result<()> {
        let case = self.ring.case(bytes);
        let variant = case.variant;
        let bench = self.benches.entry(variant.text());
        let bench = bench.or_insert_with(|| {
            BlockJudge::new(harness::subject::Subject::Variant(variant), Judging::Mpfr)
        });
        let rows = neighbourhood(&case, NEIGHBOURS);
        let tally = bench.run_rows(&rows, 0, self.worker.as_mut());
        let tally = tally.with_context(|| format!("the implementation broke on {variant}"))?;
        findings.tried += tally.confirmed;
        findings.variants.insert(variant.text());
        for (kind, class) in tally.classes {
            let Some(first) = class.examples.first() else { continue };
            let case = Case::new(variant, &first.operands);
            let class = format!("{}/{variant}/{}", self.name, kind.id());
            findings.add(class, &case.to_bytes(), words(variant, first));
        }
        Ok(())
    }
}

/// A mismatch on one line.
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

    fn classes(subject: &mut Subject, case: &Case) -> Vec<String> {
        let mut findings = Findings::default();
        subject.attempt(&case.to_bytes(), &mut findings).unwrap();
        assert_eq!(findings.tried, 1 + NEIGHBOURS as u64);
        findings.found.into_iter().map(|finding| finding.class).collect()
    }

    /// Cases of every shape: several results, five operands, bounds. One variant in seven.
    #[test]
    fn the_emulator_has_every_case_right() {
        let mut subject = Subject::new("emulator:scalar").unwrap();
        for variant in Variant::all().iter().step_by(7) {
            for bits in [0x3c00_3f80_3f80_3838, 0x8001_0203_8000_0102] {
                let case = Case::new(variant, &[bits; 5]);
                assert_eq!(classes(&mut subject, &case), Vec::<String>::new(), "{case:?}");
            }
        }
    }

    #[test]
    fn a_trial_tells_wrong_from_right() {
        let variant = Variant::all().iter().find(|v| v.text() == "mul.rn.f16").unwrap();
        // 1.5 × (1 + 3 × 2^-10) lies half-way between two numbers of f16, the lower one even.
        let case = Case::new(variant, &[0x3e00, 0x3c03]);
        assert_eq!(classes(&mut Subject::new("emulator").unwrap(), &case), Vec::<String>::new());
        let found = classes(&mut Subject::new("canary").unwrap(), &case);
        assert!(found.contains(&"canary/mul.rn.f16/ulp-above".to_owned()), "{found:?}");
    }
}
