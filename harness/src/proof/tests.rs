//! The whole proof on e5m2, whose 2^24 triples can be tried one by one.

mod modified;

use rustc_apfloat::ieee::Float8E5M2;
use rustc_apfloat::{Float, Round};
use vectors::format::E5M2;
use vectors::isa::Clamp;
use vectors::sweep::CounterRng;

use super::*;
use emulator::stages::{Kind, Modifiers, Products};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use vectors::digests::triples;

/// Another library, which rounds to nearest even.
struct Apfloat;

impl Apfloat {
    /// Each triple's is computed once.
    fn result([a, b, c]: [u16; 3]) -> u16 {
        static RESULTS: LazyLock<Vec<u8>> = LazyLock::new(|| {
            let all = 0..1_u32 << 24;
            all.map(|triple| Apfloat::compute([triple >> 16, triple >> 8 & 0xff, triple & 0xff]))
                .collect()
        });
        RESULTS[usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c)].into()
    }

    fn compute(operands: [u32; 3]) -> u8 {
        let [a, b, c] = operands.map(|bits| Float8E5M2::from_bits(bits.into()));
        let result = a.mul_add_r(b, c, Round::NearestTiesToEven).value;
        if result.is_nan() { E5M2.canonical_nan() as u8 } else { result.to_bits() as u8 }
    }
}

impl Reference for Apfloat {
    fn results(&mut self, [a, b, c]: [&[u16]; 3], results: &mut Vec<u16>) {
        results.clear();
        results.extend((0..a.len()).map(|at| Apfloat::result([a[at], b[at], c[at]])));
    }
}

const UNMODIFIED: Modifiers = Modifiers { flush: false, clamp: Clamp::None, out_of_bounds: false };

fn subject() -> Subject {
    Subject {
        name: "e5m2".into(),
        format: &E5M2,
        flush: false,
        out_of_bounds: None,
        machine: stages::of_e5m2(UNMODIFIED, Backend::Lanes).expect("lanes are always there"),
        reference: Box::new(|| Box::new(Apfloat)),
    }
}

fn proven(subject: Subject, shard: Option<crate::run::Shard>, directory: &std::path::Path) -> Outcome {
    proven_together(vec![subject], shard, directory)
}

fn proven_together(
    subjects: Vec<Subject>,
    shard: Option<crate::run::Shard>,
    directory: &std::path::Path,
) -> Outcome {
    let settings = Settings { jobs: 2, shard, directory: directory.to_owned(), resume: false };
    prove(subjects, &settings, &AtomicBool::new(false)).expect("a directory that can be written")
}

/// The digests of all triples, each tried.
fn tried(result: impl Fn([u16; 3]) -> u16) -> vectors::digests::Proof {
    let [mut inputs, mut results] = [0_u64; 2];
    for (a, b) in (0..=0xff_u16).flat_map(|a| (0..=0xff_u16).map(move |b| (a, b))) {
        let pair = triples::pair(a, b);
        for c in 0..=0xff_u16 {
            let weight = pair.wrapping_mul(triples::addend(c));
            inputs = inputs.wrapping_add(weight);
            results = results.wrapping_add(weight.wrapping_mul(result([a, b, c]).into()));
        }
    }
    vectors::digests::Proof { vectors: 1 << 24, inputs, results }
}

/// What the stages give, one after the other.
fn by_stages(machine: &dyn Stages, [a, b, c]: [u16; 3]) -> u16 {
    let (mut products, mut sum) = (Products::default(), [0]);
    machine.products([&[a.into()], &[b.into()]], &mut products);
    let Products { kinds, significands, exponents } = &products;
    machine.sums(Kind(kinds[0]), [significands, exponents], c.into(), &mut sum);
    machine.end(sum[0]) as u16
}

#[test]
fn a_proof_says_of_all_triples_what_trying_each_does() {
    let directory = tempfile::tempdir().expect("a directory");
    let Outcome::Proven(found) = proven(subject(), None, directory.path()) else { panic!("not proven") };
    let [Proven { products, digests, .. }] = &found[..] else { panic!("one subject") };

    let mut values = std::collections::BTreeSet::new();
    for a in 0..=0xff_u16 {
        for b in 0..=0xff_u16 {
            if let (Some((m, x)), Some((n, y))) = (E5M2.decode(a.into()), E5M2.decode(b.into())) {
                let (product, negative) = (m * n, (a ^ b) >> 7);
                let odd = product.checked_shr(product.trailing_zeros()).unwrap_or(0);
                let exponent = if product == 0 { 0 } else { x + y + product.trailing_zeros() as i32 };
                values.insert((negative, odd, exponent));
            }
        }
    }
    assert_eq!(*digests, tried(Apfloat::result));
    // Some are there twice, with another exponent.
    assert!(*products >= values.len() as u64, "{products} of {}", values.len());
}

#[test]
fn one_wrong_pair_or_triple_disproves() {
    let directory = tempfile::tempdir().expect("a directory");
    let right = subject();
    let mut random = CounterRng::new(3, 1);
    let mut datum = || (random.next() & 0xff) as u16;
    let (mut tried, mut pairs) = (0, 0);
    while tried < 100 {
        let [a, b, c] = [(); 3].map(|()| datum());
        let wrong = Fault::Sum([a, b, c]).planted_in(subject());
        // A NaN has no last bit.
        if by_stages(&*wrong.machine, [a, b, c]) == by_stages(&*right.machine, [a, b, c]) {
            continue;
        }
        tried += 1;
        let outcome = proven(wrong, None, directory.path());
        assert!(
            matches!(outcome, Outcome::Refuted(Refutation::Result { .. })),
            "{a:#x} {b:#x} {c:#x}: {outcome:?}"
        );

        let finite = [a, b].iter().all(|&bits| E5M2.decode(bits.into()).is_some());
        if finite {
            pairs += 1;
            let outcome = proven(Fault::Product([a, b]).planted_in(subject()), None, directory.path());
            let Outcome::Refuted(Refutation::Product { pair, .. }) = outcome else {
                panic!("{outcome:?}")
            };
            assert_eq!(pair, [a, b]);
        }
    }
    assert!(pairs > 50, "{pairs}");
}

#[test]
fn parts_of_a_proof_are_the_whole() {
    let root = tempfile::tempdir().expect("a directory");
    let Outcome::Proven(whole) = proven(subject(), None, root.path()) else { panic!("not proven") };
    let parts: Vec<_> = (1..=3).map(|index| root.path().join(index.to_string())).collect();
    for (part, index) in parts.iter().zip(1..) {
        std::fs::create_dir(part).expect("a new directory");
        let outcome = proven(subject(), Some(crate::run::Shard { index, count: 3 }), part);
        assert!(matches!(outcome, Outcome::Part), "{outcome:?}");
    }
    assert_eq!(merge(&parts).expect("all parts"), whole);
    let refused = |parts: &[&std::path::PathBuf]| format!("{:#}", merge(parts).expect_err("refused"));
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
    let attempt = |resume, stopped, subject: Subject| {
        let settings = Settings { jobs: 1, shard: None, directory: directory.path().to_owned(), resume };
        prove(vec![subject], &settings, &AtomicBool::new(stopped))
    };
    let nothing = attempt(true, false, subject()).expect_err("nothing to go on from");
    assert!(format!("{nothing:#}").contains("proof.json cannot be read"), "{nothing:#}");
    assert!(matches!(attempt(false, true, subject()), Ok(Outcome::Interrupted)));
    let other = Subject { name: "another".into(), ..subject() };
    let refused = attempt(true, false, other).expect_err("of another proof");
    assert!(format!("{refused:#}").contains("is of other variants"), "{refused:#}");
    // Half of the work, as if the process had been killed.
    let stop = std::sync::Arc::new(AtomicBool::new(false));
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    struct Stopping(std::sync::Arc<AtomicBool>, std::sync::Arc<std::sync::atomic::AtomicU64>);
    impl Reference for Stopping {
        fn results(&mut self, operands: [&[u16]; 3], results: &mut Vec<u16>) {
            use std::sync::atomic::Ordering::Relaxed;
            Apfloat.results(operands, results);
            self.0.store(self.1.fetch_add(results.len() as u64, Relaxed) > 40_000, Relaxed);
        }
    }
    let (flag, count) = (stop.clone(), asked.clone());
    let stopping = Subject {
        reference: Box::new(move || Box::new(Stopping(flag.clone(), count.clone()))),
        ..subject()
    };
    let settings =
        Settings { jobs: 1, shard: None, directory: directory.path().to_owned(), resume: false };
    let outcome = prove(vec![stopping], &settings, &stop).expect("a directory that can be written");
    assert!(matches!(outcome, Outcome::Interrupted), "{outcome:?}");
    let Ok(Outcome::Proven(resumed)) = attempt(true, false, subject()) else { panic!("not proven") };
    let fresh = tempfile::tempdir().expect("a directory");
    let Outcome::Proven(whole) = proven(subject(), None, fresh.path()) else { panic!("not proven") };
    assert_eq!(resumed, whole);
}

/// Steps do not see every pair that is infinite or no number; those are asked one by one.
#[test]
fn a_reference_that_takes_one_special_pair_otherwise_is_noticed() {
    struct Otherwise;
    impl Reference for Otherwise {
        fn results(&mut self, operands: [&[u16]; 3], results: &mut Vec<u16>) {
            Apfloat.results(operands, results);
            let [a, b, _] = operands;
            for (at, result) in results.iter_mut().enumerate() {
                if (a[at], b[at]) == (0x41, 0x7d) {
                    *result = 0x3c;
                }
            }
        }
    }
    let directory = tempfile::tempdir().expect("a directory");
    let otherwise = Subject { reference: Box::new(|| Box::new(Otherwise)), ..subject() };
    let outcome = proven(otherwise, None, directory.path());
    let Outcome::Refuted(Refutation::Result { operands, expected, .. }) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!((operands, expected), ([0x41, 0x7d, 0x3c], 0x3c));
}
