//! How two data compare. MPFR says it of every pair; or, where one number is held against all of its
//! format, at the few places where the answer changes.

use std::cmp::Ordering;

use vectors::Format;

use super::operand::Operand;

/// Compares data.
pub struct Order {
    operands: [Operand; 2],
    by_runs: bool,
    /// The first number of late, and how often it came.
    late: (u64, u32),
    line: Option<Line>,
}

/// A line is worth what it costs once its number comes again and again.
const OFTEN: u32 = 64;

impl Order {
    /// MPFR is asked about every pair.
    pub fn of_pairs() -> Order {
        Order { operands: [(); 2].map(|()| Operand::new(64)), by_runs: false, late: (0, 0), line: None }
    }

    /// Where one first number comes again and again, MPFR is asked where the answer changes, and then no
    /// more. Of NaN it is asked every time.
    pub fn by_runs() -> Order {
        Order { by_runs: true, ..Order::of_pairs() }
    }

    /// How two data compare; `None` if one is NaN.
    pub fn of(&mut self, format: &Format, a: u64, b: u64) -> Option<Ordering> {
        let Order { operands: [x, y], by_runs, late, line } = self;
        let mut ask = |a, b| {
            x.set(format, a);
            y.set(format, b);
            x.get().partial_cmp(&*y.get())
        };
        if !*by_runs || format.is_nan(a) || format.is_nan(b) {
            return ask(a, b);
        }
        *late = if late.0 == a { (a, late.1.saturating_add(1)) } else { (a, 1) };
        if late.1 < OFTEN {
            return ask(a, b);
        }
        let line = match line {
            Some(line) if line.number == a => line,
            line => line.insert(Line::new(format, a, |b| ask(a, b))),
        };
        line.runs[usize::from(format.is_negative(b))].of(b & format.magnitude_mask())
    }
}

/// How one number compares with all of its format, by the sign of the other.
struct Line {
    number: u64,
    runs: [Runs; 2],
}

impl Line {
    /// Of a number, from how it compares with others.
    fn new(format: &Format, number: u64, mut ask: impl FnMut(u64) -> Option<Ordering>) -> Line {
        let last = first(format.magnitude_mask() + 1, |magnitude| format.is_nan(magnitude)) - 1;
        let mut of_sign = |sign| Runs::new(last, |magnitude| ask(sign | magnitude));
        Line { number, runs: [of_sign(0), of_sign(format.sign_mask())] }
    }
}

/// The order over all magnitudes of one sign. They grow, so it is one thing, then another, then a third, of
/// which one or two may be missing.
struct Runs {
    orders: [Option<Ordering>; 3],
    /// Where the second and the third begin.
    starts: [u64; 2],
}

impl Runs {
    fn new(last: u64, mut ask: impl FnMut(u64) -> Option<Ordering>) -> Runs {
        let [low, high] = [ask(0), ask(last)];
        let second = first(last, |magnitude| ask(magnitude) != low);
        let third = first(last, |magnitude| ask(magnitude) == high);
        Runs { orders: [low, ask(second), high], starts: [second, third] }
    }

    fn of(&self, magnitude: u64) -> Option<Ordering> {
        let [second, third] = self.starts;
        match () {
            () if magnitude < second => self.orders[0],
            () if magnitude < third => self.orders[1],
            () => self.orders[2],
        }
    }
}

/// The first number up to `last` of which something holds, that holds of all behind it as well; `last` if
/// there is none before it.
fn first(last: u64, mut holds: impl FnMut(u64) -> bool) -> u64 {
    let (mut from, mut to) = (0, last);
    while from < to {
        let middle = from.midpoint(to);
        (from, to) = if holds(middle) { (from, middle) } else { (middle + 1, to) };
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use vectors::format::{BF16, E4M3, F16};

    #[test]
    fn by_runs_every_datum_compares_with_every_other_as_mpfr_says() {
        for format in [&F16, &BF16, &E4M3] {
            let (mut each, mut runs) = (Order::of_pairs(), Order::by_runs());
            let step = if format.width() < 16 { 1 } else { 499 };
            let infinity = format.infinity().unwrap_or(format.max_finite());
            let borders = [0, 1, format.min_normal(), format.one(), format.max_finite(), infinity];
            let borders = borders.into_iter().flat_map(|border| [border, border | format.sign_mask()]);
            for a in borders.chain((0..=format.mask()).step_by(step)) {
                for b in 0..=format.mask() {
                    assert_eq!(
                        runs.of(format, a, b),
                        each.of(format, a, b),
                        "{a:#x} {b:#x} of {format:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn of_one_number_mpfr_is_asked_a_few_times() {
        let mut asked = 0;
        let one = F16.one();
        let line = Line::new(&F16, one, |b| {
            asked += 1;
            Order::of_pairs().of(&F16, one, b)
        });
        assert_eq!(line.runs[0].starts, [one, one + 1]);
        assert_eq!(line.runs[1].orders, [Some(Ordering::Greater); 3]);
        assert!(asked < 80, "{asked}");
    }
}
