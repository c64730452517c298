//! Says of sums whether their order matters: threads add to a word in an order that PTX leaves open.

use formats::{Class, Format};

/// The terms of a sum of one format, as far as the order of adding them goes.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    format: &'static Format,
    /// The number of terms that are finite and not zero.
    finite: u32,
    /// The exponent of the largest power of two that all of these are multiples of.
    unit: i32,
    /// The sum of their magnitudes; rounded where it is large, to no less than it would be compared with.
    magnitudes: f64,
    has_infinity: bool,
    has_nan: bool,
}

impl Terms {
    /// Returns no terms.
    pub fn new(format: &'static Format) -> Terms {
        let (finite, unit, magnitudes) = (0, i32::MAX, 0.0);
        Terms { format, finite, unit, magnitudes, has_infinity: false, has_nan: false }
    }

    /// Adds a term.
    pub fn add(&mut self, bits: u64) {
        match self.format.class(bits) {
            Class::Nan => self.has_nan = true,
            Class::Infinity => self.has_infinity = true,
            _ => {
                let decoded = self.format.decode(bits).filter(|(magnitude, _)| *magnitude != 0);
                if let (Some((magnitude, exponent)), Some(value)) = (decoded, self.format.value(bits)) {
                    self.finite += 1;
                    self.unit =
                        self.unit.min(exponent.saturating_add(magnitude.trailing_zeros() as i32));
                    self.magnitudes += value.abs();
                }
            }
        }
    }

    /// Whether the sum is proven to be the same in every order: a term is NaN, at most two are not zero, or no partial sum
    /// has to be rounded.
    ///
    /// Zeros change no other number, and together they are −0 only if all are. All terms are multiples of one unit, and so
    /// are their partial sums; below 2^precision units, the format has each of these numbers, and so has f64. Beside an
    /// infinity, no partial sum of the others may become infinite, and one number alone is none.
    pub fn are_free(&self) -> bool {
        let power = |exponent: i32| 2f64.powi(exponent);
        let units = self.unit.saturating_add(self.format.precision() as i32);
        let is_exact = self.finite == 0 || self.magnitudes < power(units.min(2000));
        let fits = !self.has_infinity
            || self.finite <= 1
            || self.magnitudes < power(self.format.exponent_max());
        self.has_nan || (self.finite <= 2 || is_exact) && fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F32: &Format = &formats::F32;

    fn free(terms: &[f32]) -> bool {
        let mut all = Terms::new(F32);
        terms.iter().for_each(|term| all.add(term.to_bits().into()));
        all.are_free()
    }

    /// Returns the sums of terms in every order.
    fn sums(terms: &[f32]) -> Vec<u32> {
        let mut all = Vec::new();
        for (number, &last) in terms.iter().enumerate() {
            let mut others = terms.to_vec();
            others.remove(number);
            match others.is_empty() {
                true => all.push(last.to_bits()),
                false => all
                    .extend(sums(&others).into_iter().map(|sum| (f32::from_bits(sum) + last).to_bits())),
            }
        }
        all
    }

    #[test]
    fn what_is_free_has_one_sum_in_all_orders() {
        assert!(free(&[]) && free(&[0.1, 0.2]) && free(&[0.1, -0.0, 0.2, 0.0]));
        assert!(free(&[1.0, 2.0, 3.0, 16777208.0]) && !free(&[1.0, 2.0, 3.0, 16777215.0]));
        assert!(!free(&[0.1, 0.2, 0.3]) && free(&[0.1, f32::NAN, 0.3, 0.7]));
        assert!(
            free(&[f32::INFINITY, 1.0, 2.0])
                && free(&[f32::INFINITY, f32::MAX])
                && !free(&[f32::NEG_INFINITY, f32::MAX, f32::MAX])
        );
        let values = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            1.5,
            16777215.0,
            1e-45,
            0.1,
            f32::MAX,
            -f32::MAX,
            f32::INFINITY,
            f32::NEG_INFINITY,
        ];
        let (mut are_free, mut differ) = (0, 0);
        for number in 0..values.len().pow(4) {
            let terms: Vec<f32> =
                (0..4).map(|place| values[number / values.len().pow(place) % values.len()]).collect();
            let sums = sums(&terms);
            let number = |bits: &u32| if f32::from_bits(*bits).is_nan() { u32::MAX } else { *bits };
            let is_one = sums.iter().all(|sum| number(sum) == number(&sums[0]));
            assert!(is_one || !free(&terms), "{terms:?}: {sums:x?}");
            are_free += usize::from(free(&terms));
            differ += usize::from(!is_one);
        }
        assert!(are_free > 5000 && differ > 1000, "{are_free} {differ}");
    }
}
