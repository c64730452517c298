//! Tests of the whole proof on e5m2, whose 2^24 triples can be tried one by one.

mod modified;

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use emulator::Backend;
use emulator::stages::{self, Modifiers, ProductKind, Products};
use formats::E5M2;
use formats::digests::triples;
use isa::Clamp;
use rustc_apfloat::ieee::Float8E5M2;
use rustc_apfloat::{Float, Round};
use sweeps::{CounterRng, Proof};

use super::*;

/// A reference that is another library, which rounds to nearest even.
struct Apfloat;

impl Apfloat {
    /// Returns the result of a triple; each triple's is computed once.
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

fn subject() -> ProofSubject {
    ProofSubject {
        name: "e5m2".into(),
        format: &E5M2,
        flush: false,
        out_of_bounds: None,
        machine: stages::of_e5m2(UNMODIFIED, Backend::Lanes).expect("lanes are always there"),
        reference: Box::new(|| Box::new(Apfloat)),
    }
}

/// A subject's proof: its name, its number of distinct products, and its digests.
struct Proven {
    name: String,
    products: u64,
    digests: Proof,
}

/// Proves all units of all groups, one after the other.
fn proven(subjects: Vec<ProofSubject>) -> Result<Vec<Proven>, Refutation> {
    let stop = AtomicBool::new(false);
    let mut proven = Vec::new();
    for group in SubjectGroup::all(subjects) {
        let multiplied =
            group.multiplied((&crate::tests::lent(2), &stop), |_| {})?.expect("nobody stops it");
        let mut prover = multiplied.prover();
        let mut steps = Steps::none(group.subjects().len());
        for unit in 0..group.units() {
            steps.add(&prover.prove(unit, &stop)?.expect("nobody stops it"));
        }
        let results = group.subjects().iter().zip(multiplied.products()).zip(&steps.results);
        proven.extend(results.map(|((subject, products), &results)| Proven {
            name: subject.name.clone(),
            products,
            digests: digests(group.data(), multiplied.pairs(), results),
        }));
    }
    Ok(proven)
}

/// Returns what disproves the subjects.
fn refuted(subjects: Vec<ProofSubject>) -> Refutation {
    proven(subjects).err().expect("not so")
}

/// Computes the digests of all triples, each tried.
fn tried(result: impl Fn([u16; 3]) -> u16) -> Proof {
    let [mut inputs, mut results] = [0_u64; 2];
    for (a, b) in (0..=0xff_u16).flat_map(|a| (0..=0xff_u16).map(move |b| (a, b))) {
        let pair = triples::pair(a, b);
        for c in 0..=0xff_u16 {
            let weight = pair.wrapping_mul(triples::addend(c));
            inputs = inputs.wrapping_add(weight);
            results = results.wrapping_add(weight.wrapping_mul(result([a, b, c]).into()));
        }
    }
    Proof { vectors: 1 << 24, inputs, results }
}

/// Computes a result by the stages, one after the other.
fn by_stages(machine: &dyn Stages, [a, b, c]: [u16; 3]) -> u16 {
    let (mut products, mut sum) = (Products::default(), [0]);
    machine.products([&[a.into()], &[b.into()]], &mut products);
    let Products { kinds, significands, exponents } = &products;
    machine.sums(ProductKind(kinds[0]), [significands, exponents], c.into(), &mut sum);
    machine.end(sum[0]) as u16
}

#[test]
fn a_proof_says_of_all_triples_what_trying_each_does() {
    let found = proven(vec![subject()]).expect("it is so");
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
        let found = refuted(vec![wrong]);
        assert!(matches!(found, Refutation::Result { .. }), "{a:#x} {b:#x} {c:#x}: {found:?}");

        let finite = [a, b].iter().all(|&bits| E5M2.decode(bits.into()).is_some());
        if finite {
            pairs += 1;
            let found = refuted(vec![Fault::Product([a, b]).planted_in(subject())]);
            assert!(matches!(found, Refutation::Product { pair, .. } if pair == [a, b]), "{found:?}");
        }
    }
    assert!(pairs > 50, "{pairs}");
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
    let otherwise = ProofSubject { reference: Box::new(|| Box::new(Otherwise)), ..subject() };
    let found = refuted(vec![otherwise]);
    let Refutation::Result { operands, expected, .. } = found else { panic!("{found:?}") };
    assert_eq!((operands, expected), ([0x41, 0x7d, 0x3c], 0x3c));
}
