//! Tests of what is kept of a proof, with proofs of e5m2, which take no time. The emulator is held against
//! itself, since `prover`'s own tests ask whether it is right.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use emulator::stages::{Modifiers, ProductKind, Products, Stages};
use formats::E5M2;
use isa::Clamp;
use prover::triples::{Fault, Refutation, Steps, SubjectGroup, digests};
use selection::Shard;

use super::state::{GroupState, State};
use super::*;

const UNMODIFIED: Modifiers = Modifiers { flush: false, clamp: Clamp::None, out_of_bounds: false };

fn machine(modifiers: Modifiers) -> Box<dyn Stages> {
    stages::of_e5m2(modifiers, Backend::Lanes).expect("lanes are always there")
}

/// A reference that gives what the stages themselves give, one after the other.
struct Itself(Box<dyn Stages>);

impl Reference for Itself {
    fn results(&mut self, [a, b, c]: [&[u16]; 3], results: &mut Vec<u16>) {
        let Itself(machine) = self;
        let mut products = Products::default();
        let [x, y] = [a, b].map(|factors| factors.iter().map(|&bits| bits.into()).collect::<Vec<u32>>());
        machine.products([&x, &y], &mut products);
        let Products { kinds, significands, exponents } = &products;
        results.clear();
        results.extend((0..c.len()).map(|at| {
            let mut sum = [0];
            let magnitude = [&significands[at..=at], &exponents[at..=at]];
            machine.sums(ProductKind(kinds[at]), magnitude, c[at].into(), &mut sum);
            machine.end(sum[0]) as u16
        }));
    }
}

fn subject() -> ProofSubject {
    modified("e5m2", UNMODIFIED)
}

fn modified(name: &str, modifiers: Modifiers) -> ProofSubject {
    ProofSubject {
        name: name.into(),
        format: &E5M2,
        flush: modifiers.flush,
        out_of_bounds: None,
        machine: machine(modifiers),
        reference: Box::new(move || Box::new(Itself(machine(modifiers)))),
    }
}

fn proven(subject: ProofSubject, shard: Option<Shard>, directory: &Path) -> ProofOutcome {
    proven_together(vec![subject], shard, directory)
}

fn proven_together(subjects: Vec<ProofSubject>, shard: Option<Shard>, directory: &Path) -> ProofOutcome {
    let settings = ProofSettings { jobs: 2, shard, directory: directory.to_owned(), resume: false };
    prove(subjects, &settings, &AtomicBool::new(false)).expect("a directory that can be written")
}

/// Proves two groups of two subjects: what is said of each subject is what its own units come to, one after the
/// other.
#[test]
fn of_several_each_has_its_own_digests() {
    let all = || {
        let clamped = Modifiers { clamp: Clamp::Positive, ..UNMODIFIED };
        let flushed = Modifiers { flush: true, ..UNMODIFIED };
        let both = Modifiers { flush: true, ..clamped };
        let named = [("none", UNMODIFIED), ("ftz", flushed), ("relu", clamped), ("ftz.relu", both)];
        named.map(|(name, modifiers)| modified(name, modifiers))
    };
    assert_eq!(SubjectGroup::all(all().into()).len(), 2);
    let directory = tempfile::tempdir().expect("a directory");
    let together = proven_together(all().into(), None, directory.path());
    let ProofOutcome::Proven(mut together) = together else { panic!("{together:?}") };
    let stop = AtomicBool::new(false);
    for subject in all() {
        let name = subject.name.clone();
        let [group] = &SubjectGroup::all(vec![subject])[..] else { panic!("one group") };
        let multiplied =
            group.multiplied((&|_, work| work(), &stop), |_| {}).expect("right").expect("to its end");
        let mut prover = multiplied.prover();
        let mut steps = Steps::none(1);
        for unit in 0..group.units() {
            steps.add(&prover.prove(unit, &stop).expect("right").expect("to its end"));
        }
        let digests = digests(group.data(), multiplied.pairs(), steps.results[0]);
        let place = together.iter().position(|proven| proven.name == name).expect("proven");
        let expected =
            Proven { name, products: multiplied.products()[0], steps: steps.steps[0], digests };
        assert_eq!(together.swap_remove(place), expected);
    }
    assert!(together.is_empty());
}

#[test]
fn what_disproves_ends_a_proof() {
    let directory = tempfile::tempdir().expect("a directory");
    let refuted = |fault: Fault| {
        let outcome = proven(fault.planted_in(subject()), None, directory.path());
        let ProofOutcome::Refuted(refutation) = outcome else { panic!("{outcome:?}") };
        refutation
    };
    let of_product = refuted(Fault::Product([0x3d, 0x41]));
    assert!(matches!(of_product, Refutation::Product { pair: [0x3d, 0x41], .. }), "{of_product:?}");
    let of_sum = refuted(Fault::Sum([0x3d, 0x41, 0x3c]));
    assert!(matches!(of_sum, Refutation::Result { .. }), "{of_sum:?}");
}

#[test]
fn parts_of_a_proof_are_the_whole() {
    let root = tempfile::tempdir().expect("a directory");
    let ProofOutcome::Proven(whole) = proven(subject(), None, root.path()) else { panic!("not proven") };
    let parts: Vec<_> = (1..=3).map(|index| root.path().join(index.to_string())).collect();
    for (part, index) in parts.iter().zip(1..) {
        std::fs::create_dir(part).expect("a new directory");
        let outcome = proven(subject(), Some(Shard { index, count: 3 }), part);
        assert!(matches!(outcome, ProofOutcome::Part), "{outcome:?}");
    }
    assert_eq!(merge(&parts).expect("all parts"), whole);
    let refused = |parts: &[&PathBuf]| format!("{:#}", merge(parts).expect_err("refused"));
    assert!(refused(&[&parts[0], &parts[2]]).contains("units of work are missing"));
    assert!(refused(&[&parts[0], &parts[1], &parts[0]]).contains("what another part has, too"));
    assert!(refused(&[]).contains("nothing to merge"));
    let file = parts[1].join("proof.json");
    let text = std::fs::read_to_string(&file).expect("a state").replacen("\"pairs\":", "\"pairs\":1", 1);
    std::fs::write(&file, text).expect("a damaged state");
    assert!(refused(&[&parts[0], &parts[1], &parts[2]]).contains("is damaged"));
}

#[test]
fn what_was_broken_off_goes_on() {
    let directory = tempfile::tempdir().expect("a directory");
    let attempt = |resume, stopped, subject: ProofSubject| {
        let settings =
            ProofSettings { jobs: 1, shard: None, directory: directory.path().to_owned(), resume };
        prove(vec![subject], &settings, &AtomicBool::new(stopped))
    };
    let nothing = attempt(true, false, subject()).expect_err("nothing to go on from");
    let nothing = format!("{nothing:#}");
    assert!(
        nothing.contains("nothing to resume") && nothing.contains("proof.json does not"),
        "{nothing}"
    );
    assert!(matches!(attempt(false, true, subject()), Ok(ProofOutcome::Interrupted)));
    let other = ProofSubject { name: "another".into(), ..subject() };
    let refused = attempt(true, false, other).expect_err("of another proof");
    let refused = format!("{refused:#}");
    assert!(refused.contains("another proof: it is of other variants; give the same"), "{refused}");
    let (directory_of_it, shard) = (directory.path().to_owned(), Some(Shard { index: 1, count: 2 }));
    let settings = ProofSettings { jobs: 1, shard, directory: directory_of_it, resume: true };
    let refused = prove(vec![subject()], &settings, &AtomicBool::new(false)).expect_err("of the whole");
    assert!(refused.to_string().contains("its --shard is `none`, this one's `1/2`"), "{refused:#}");
    // The proof is stopped after half of the work, as if the process had been killed.
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::new(AtomicU64::new(0));
    struct Stopping(Arc<AtomicBool>, Arc<AtomicU64>, Itself);
    impl Reference for Stopping {
        fn results(&mut self, operands: [&[u16]; 3], results: &mut Vec<u16>) {
            self.2.results(operands, results);
            self.0.store(self.1.fetch_add(results.len() as u64, Relaxed) > 40_000, Relaxed);
        }
    }
    let (flag, count) = (stop.clone(), asked.clone());
    let stopping = ProofSubject {
        reference: Box::new(move || {
            Box::new(Stopping(flag.clone(), count.clone(), Itself(machine(UNMODIFIED))))
        }),
        ..subject()
    };
    let settings =
        ProofSettings { jobs: 1, shard: None, directory: directory.path().to_owned(), resume: false };
    let outcome = prove(vec![stopping], &settings, &stop).expect("a directory that can be written");
    assert!(matches!(outcome, ProofOutcome::Interrupted), "{outcome:?}");
    let Ok(ProofOutcome::Proven(resumed)) = attempt(true, false, subject()) else {
        panic!("not proven")
    };
    let fresh = tempfile::tempdir().expect("a directory");
    let ProofOutcome::Proven(whole) = proven(subject(), None, fresh.path()) else {
        panic!("not proven")
    };
    assert_eq!(resumed, whole);
}

/// A file may say any numbers of units, whose sum needs more than 32 bits.
#[test]
fn missing_units_are_counted_whatever_their_number() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut state = State::new(&[], None);
    state.groups = ["one", "other"]
        .map(|name| GroupState {
            subjects: vec![name.into()],
            data: 1,
            units: u32::MAX,
            done: BTreeSet::new(),
            steps: Steps::none(1),
            products: vec![0],
            pairs: 0,
        })
        .into();
    state.save(directory.path()).expect("a file");
    let refused = merge(&[directory.path()]).expect_err("nothing is done").to_string();
    assert!(refused.starts_with("8589934590 units of work are missing"), "{refused}");
}
