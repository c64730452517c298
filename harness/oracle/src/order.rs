//! The order of two data. MPFR compares each pair, or one datum with the ends of a run of others.

use std::cmp::Ordering;
use std::ops::Range;

use formats::Format;

use super::operand::Operand;

/// Comparison of data by MPFR, in scratch operands.
pub struct DatumComparer {
    operands: [Operand; 2],
}

impl DatumComparer {
    /// Makes a comparison that serves every format.
    pub fn new() -> DatumComparer {
        DatumComparer { operands: [(); 2].map(|()| Operand::new(64)) }
    }

    /// Returns how two data compare; `None` if one is NaN.
    pub fn of(&mut self, format: &Format, a: u64, b: u64) -> Option<Ordering> {
        let [x, y] = &mut self.operands;
        x.set(format, a);
        y.set(format, b);
        x.get().partial_cmp(&*y.get())
    }

    /// Returns how `a` compares with some consecutive data, at least one, as `read` reads them: ranges of data that
    /// compare alike, each with its order. The data of one sign that are no NaN are ordered, and NaNs compare alike
    /// with whatever there is. So MPFR need only see both ends of a run.
    pub fn of_consecutive(
        &mut self,
        format: &Format,
        a: u64,
        others: &[u64],
        read: impl Fn(u64) -> u64,
    ) -> Vec<(Range<usize>, Option<Ordering>)> {
        let mut ask = |at: usize| {
            let kind = (format.is_negative(others[at]), format.is_nan(others[at]));
            (at, (kind, self.of(format, a, read(others[at]))))
        };
        let mut parts = vec![(ask(0), ask(others.len() - 1))];
        let mut runs = Vec::new();
        while let Some((low, high)) = parts.pop() {
            if low.1 == high.1 {
                let (_, order) = low.1;
                runs.push((low.0..high.0 + 1, order));
            } else {
                let middle = low.0.midpoint(high.0);
                parts.extend([(ask(middle + 1), high), (low, ask(middle))]);
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use formats::{BF16, E4M3, F16};

    use super::*;

    /// Checks some data, and each datum of a small format, in runs of two lengths.
    #[test]
    fn one_datum_compares_with_a_run_as_mpfr_says_of_each_pair() {
        let mut order = DatumComparer::new();
        for format in [&F16, &BF16, &E4M3] {
            let step = if format.width() < 16 { 1 } else { 1499 };
            let infinity = format.infinity().unwrap_or(format.max_finite());
            let borders = [0, 1, format.min_normal(), format.one(), format.max_finite(), infinity];
            let borders = borders.into_iter().flat_map(|border| [border, border | format.sign_mask()]);
            let all: Vec<u64> = (0..=format.mask()).collect();
            for (number, a) in borders.chain((0..=format.mask()).step_by(step)).enumerate() {
                for others in all.chunks([1024, 999][number % 2]) {
                    let mut told = 0;
                    for (range, found) in order.of_consecutive(format, a, others, |b| b) {
                        assert_eq!(range.start, told, "{a:#x} of {format:?}");
                        told = range.end;
                        for &b in &others[range] {
                            assert_eq!(found, order.of(format, a, b), "{a:#x} {b:#x} of {format:?}");
                        }
                    }
                    assert_eq!(told, others.len(), "{a:#x} of {format:?}");
                }
            }
        }
    }

    #[test]
    fn of_a_run_that_compares_alike_mpfr_sees_the_ends() {
        let others: Vec<u64> = (0..=F16.max_finite()).collect();
        let runs = DatumComparer::new().of_consecutive(&F16, F16.one(), &others, |b| b);
        let equal = runs.iter().find(|(_, order)| *order == Some(Ordering::Equal));
        assert_eq!(equal.map(|(range, _)| range.clone()), Some(0x3c00..0x3c01));
        assert!(runs.len() < 40, "{}", runs.len());
    }
}
