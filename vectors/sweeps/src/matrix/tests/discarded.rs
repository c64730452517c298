//! Tests that the sweep `discarded` has its bit at every place, above and below midpoints and numbers, and that the
//! products of its sums of f64 must not be rounded before they are added.

use std::collections::BTreeSet;

use super::*;

/// The number of vectors that the quick tier asks of a sweep.
const QUICK: usize = 1 << 10;

/// A bit beside a boundary: whether that is a midpoint, whether the bit is above it, and the bit's place.
type Deviation = (bool, bool, i32);

/// An exact sum, as digits of 32 bits; digit 0 is in units of 2^`exponent`.
struct ExactSum {
    digits: Vec<i64>,
    exponent: i32,
}

impl ExactSum {
    /// Returns the magnitude of the sum of some terms, in which no bit is lost.
    fn of(terms: &[Number]) -> ExactSum {
        let exponent = terms.iter().map(|term| term.exponent).min().unwrap_or(0);
        let highest = terms.iter().map(|term| term.leading()).max().unwrap_or(0);
        let mut digits = vec![0i64; (highest - exponent) as usize / 32 + 6];
        for term in terms {
            let at = (term.exponent - exponent) as usize;
            for bit in (0..128).filter(|bit| term.magnitude >> bit & 1 == 1) {
                let unit = 1 << ((at + bit) % 32);
                digits[(at + bit) / 32] += if term.negative { -unit } else { unit };
            }
        }
        let mut sum = ExactSum { digits, exponent };
        if sum.carry() < 0 {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum.carry();
        }
        sum
    }

    /// Brings the digits into their range, and returns what is carried out of the last one.
    fn carry(&mut self) -> i64 {
        self.digits.iter_mut().fold(0, |carry, digit| {
            let whole = *digit + carry;
            *digit = whole & 0xffff_ffff;
            whole >> 32
        })
    }

    /// Returns the exponents of the bits that are set, the lowest first.
    fn bits(&self) -> Vec<i32> {
        let all = (0..self.digits.len() * 32).filter(|at| self.digits[at / 32] >> (at % 32) & 1 == 1);
        all.map(|at| at as i32 + self.exponent).collect()
    }

    /// Returns how the sum differs from a rounding boundary of a format in one bit, if it does.
    fn one_bit_beside(&self, format: &Format) -> Option<Deviation> {
        let bits = self.bits();
        let (lowest, leading) = (*bits.first()?, *bits.last()?);
        if leading > format.exponent_max() {
            return None;
        }
        let last = (leading - format.precision() as i32 + 1).max(format.exponent_of_lsb());
        let halved = bits.contains(&(last - 1));
        let below = bits.iter().filter(|&&bit| bit < last - 1).count() as i32;
        match below {
            0 => None,
            1 => Some((halved, true, last - lowest)),
            // Nothing but ones, down to the last: one bit below the next boundary.
            _ => (below == last - 1 - lowest).then_some((!halved, false, last - lowest)),
        }
    }
}

/// The last place that is looked at: that of the last bit of a product of f64 numbers, of which the upper half is kept.
const LAST: i32 = 53;

/// Returns the last place that a bit beside a midpoint may have where half of the last place and the bit are products
/// with scales of 1, or with the same scales.
fn last_beside_midpoint(dot: &Dot) -> i32 {
    let highest = dot.a.exponent_max() + dot.b.exponent_max() + 1;
    let lowest = dot.a.exponent_of_lsb() + dot.b.exponent_of_lsb();
    let largest = dot.c.exponent_max().min(dot.d.exponent_max()) - dot.d.precision() as i32 + 1;
    highest.min(largest) - lowest
}

/// An implementation may lose a bit at one place and at no other. So each place comes up on every side, from the third
/// one on: the second is as far from a midpoint as from a number. Beside midpoints it is each place that products reach.
#[test]
fn sums_have_one_bit_at_each_place() {
    let sweep = DotSweep::named("discarded").unwrap();
    for variant in representatives() {
        let dot = variant.dot();
        let columns = filled(sweep, variant, 0, QUICK);
        let beside = |row| {
            let terms = terms(dot, &data(variant, &columns, row)).expect("numbers");
            ExactSum::of(&terms).one_bit_beside(dot.d)
        };
        let seen: Vec<Deviation> = (0..QUICK).filter_map(beside).collect();
        let share = seen.len() * 100 / QUICK;
        let places: BTreeSet<Deviation> = seen.into_iter().collect();
        assert!(share >= 95, "{variant}: {share} %");
        let near = (dot.d.precision() as i32 + 4).min(LAST);
        for (midpoint, last) in [(true, near.min(last_beside_midpoint(dot))), (false, near)] {
            for above in [true, false] {
                let is_missing = |place: &i32| !places.contains(&(midpoint, above, *place));
                let missing: Vec<i32> = (3..=last).filter(is_missing).collect();
                // A place that is passed once may have a sum that is another: of 28 places two are missing, at most.
                assert!(
                    missing.len() <= 2,
                    "{variant}: midpoint {midpoint}, above {above}: {missing:?} of {last}"
                );
            }
        }
    }
}

/// A sum of f64 with one product is rounded once, in every order of adding. In a part of the vectors it is wrong if the
/// product is rounded first.
#[test]
fn rounded_products_give_other_sums() {
    let variant = "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64".parse().unwrap();
    let sweep = DotSweep::named("discarded").unwrap();
    let columns = filled(sweep, &variant, 0, QUICK);
    let differs = |row: &usize| {
        let data = data(&variant, &columns, *row);
        let number = |bits: &u64| f64::from_bits(*bits);
        let factors = data.a.iter().map(number).zip(data.b.iter().map(number));
        let products: Vec<_> = factors.filter(|(a, b)| *a != 0.0 && *b != 0.0).collect();
        let c = number(&data.c);
        products.len() == 1 && products.iter().any(|(a, b)| a.mul_add(*b, c) != a * b + c)
    };
    let differing = (0..QUICK).filter(differs).count();
    assert!(differing * 100 >= 30 * QUICK, "{differing} of {QUICK}");
}
