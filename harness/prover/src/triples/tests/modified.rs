//! Tests of proofs with modifiers, all of them in one proof: for subjects with one basis, two stages are run once.

use super::*;

/// The modifiers of a variant, with what each does written without the formats' and the emulator's functions.
#[derive(Clone, Copy)]
struct Modified(Modifiers);

/// The magnitude of the NaN that is taken as out of bounds, of which e5m2 has none of its own.
const OUT_OF_BOUNDS: u16 = 0x7e;
const SIGN: u16 = 0x80;
const ONE: u16 = 0x3c;
const INFINITY: u16 = 0x7c;
const MIN_NORMAL: u16 = 0x04;

impl Modified {
    fn result(self, operands: [u16; 3]) -> u16 {
        let Modifiers { flush, clamp, out_of_bounds } = self.0;
        if out_of_bounds && operands[..2].iter().any(|bits| bits & !SIGN == OUT_OF_BOUNDS) {
            return 0;
        }
        let flushed = |bits: u16| if flush && bits & !SIGN < MIN_NORMAL { bits & SIGN } else { bits };
        let operands = operands.map(flushed);
        let result = Apfloat::result(operands);
        let result = if flush && is_tiny(operands) { result & SIGN } else { result };
        let (nan, negative) = (result & !SIGN > INFINITY, result & SIGN != 0);
        match clamp {
            Clamp::None => result,
            Clamp::Positive if nan || !negative => result,
            Clamp::Positive => 0,
            Clamp::Unit if nan || negative => 0,
            Clamp::Unit => result.min(ONE),
        }
    }

    fn name(self) -> String {
        format!("{:?}", self.0)
    }

    fn subject(self) -> ProofSubject {
        ProofSubject {
            name: self.name(),
            format: &E5M2,
            flush: self.0.flush,
            out_of_bounds: self.0.out_of_bounds.then_some(OUT_OF_BOUNDS.into()),
            machine: stages::of_e5m2(self.0, Backend::Lanes).expect("lanes are always there"),
            reference: Box::new(move || Box::new(self)),
        }
    }
}

impl Reference for Modified {
    fn results(&mut self, [a, b, c]: [&[u16]; 3], results: &mut Vec<u16>) {
        results.clear();
        results.extend((0..a.len()).map(|at| self.result([a[at], b[at], c[at]])));
    }
}

/// Whether the exact result is below the normal numbers. Such a result is exact in f64: all numbers here are
/// multiples of 2^-32, and what is left of larger ones has no more places than they.
fn is_tiny(operands: [u16; 3]) -> bool {
    let value = |bits: u16| {
        let (significand, exponent) = E5M2.decode((bits & !SIGN).into())?;
        let magnitude = significand as f64 * f64::from(exponent).exp2();
        Some(if bits & SIGN == 0 { magnitude } else { -magnitude })
    };
    let [Some(a), Some(b), Some(c)] = operands.map(value) else { return false };
    a.mul_add(b, c).abs() < f64::from(-14).exp2()
}

/// Returns the combinations of modifiers that PTX has.
fn all() -> [Modified; 8] {
    use Clamp::{None, Positive, Unit};
    let of = |flush, clamp| Modified(Modifiers { flush, clamp, out_of_bounds: false });
    let oob = |clamp| Modified(Modifiers { clamp, out_of_bounds: true, ..UNMODIFIED });
    [
        of(false, None),
        of(false, Unit),
        of(false, Positive),
        of(true, None),
        of(true, Unit),
        of(true, Positive),
        oob(None),
        oob(Positive),
    ]
}

#[test]
fn of_all_modifiers_together_a_proof_says_what_trying_each_triple_does() {
    let all = all();
    let mut found = proven(all.iter().map(|one| one.subject()).collect()).expect("it is so");
    assert_eq!(found.len(), all.len());
    for modified in all {
        let at = found.iter().position(|proven| proven.name == modified.name()).expect("proven");
        let digests = found.swap_remove(at).digests;
        assert_eq!(digests, tried(|triple| modified.result(triple)), "{}", modified.name());
    }
}

/// A fault in any subject of a group is found: each has its own end, and those out of bounds their own products.
#[test]
fn a_fault_in_the_product_of_one_of_a_group_disproves() {
    let wrong = Modified(Modifiers { out_of_bounds: true, ..UNMODIFIED });
    for pair in [[0x3d, 0x41], [0x01, 0xfb]] {
        let faulty = Fault::Product(pair).planted_in(wrong.subject());
        let outcome = refuted(vec![Modified(UNMODIFIED).subject(), faulty]);
        let Refutation::Product { subject, pair: found, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!((subject, found), (wrong.name(), pair));
    }
}

/// A subject that clamps otherwise than the reference says is found, though sums are run for the first of a group.
#[test]
fn another_end_than_the_reference_s_disproves() {
    let relu = Modified(Modifiers { clamp: Clamp::Positive, ..UNMODIFIED });
    let sat = Modified(Modifiers { clamp: Clamp::Unit, ..UNMODIFIED });
    let mixed = ProofSubject { machine: relu.subject().machine, ..sat.subject() };
    let found = refuted(vec![relu.subject(), mixed]);
    assert!(matches!(&found, Refutation::Result { subject, .. } if *subject == sat.name()), "{found:?}");
}
