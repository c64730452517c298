//! Decides where it does no harm to compute in a wider format and to round the result once more.
//!
//! An operation of a format F is innocuous by way of a wider format I if for all operands of F the exact result,
//! rounded to I and then to F, is the exact result rounded to F. The question is asked about rounding to nearest
//! even, both times. The question need not be asked about a directed rounding: because I has every number of F, the
//! largest number of F that is at most x is also the largest number of F that is at most x rounded down to I, and
//! likewise upward. In formats of 8 bits, directed roundings are tried all the same.
//!
//! Operations with one and two inputs, and in 8 bits those with three, are tried with all operands, except that the
//! first operand is positive: rounding to nearest is the same on both sides of zero. For a fused multiply-add in 16
//! bits, all distinct products are tried with all addends, except those that an argument shows to do no harm (`fma`).

mod exact;
mod fma;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use exact::{ExactMagnitude, Way};
use formats::{BF16, E4M3, E5M2, F16, F32, F64, Format};

use crate::LentThreads;

/// An operation that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnocuousOperation {
    /// `a + b`; also `a − b`, because `b` has both signs.
    Add,
    /// `a × b`.
    Multiply,
    /// `a / b`.
    Divide,
    /// The square root of `a`.
    Root,
    /// `a × b + c`, rounded once.
    Fused,
}

/// The rounding to both formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To nearest, ties to even: `.rn`.
    Nearest,
    /// In one direction, both times the same: each of `.rz`, `.rm` and `.rp`.
    Directed,
}

/// A question, which is a row of the table: whether an operation is innocuous by way of a wider format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnocuousQuestion {
    /// The format of operands and result.
    pub format: &'static Format,
    /// The operation that is computed.
    pub operation: InnocuousOperation,
    /// The wider format, which results are rounded to first.
    pub intermediate: &'static Format,
    /// The rounding to both formats.
    pub rounding: Rounding,
}

/// Operands for which rounding twice does harm, and both results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The operation's operands; the entries beyond their number are 0.
    pub operands: [u64; 3],
    /// The magnitude of the exact result, rounded once.
    pub once: u64,
    /// The magnitude of the exact result, rounded by way of the intermediate format.
    pub twice: u64,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnocuousAnswer {
    /// The first witness, if there is one.
    pub witness: Option<Witness>,
    /// The number of sets of operands that the answer is about, not counting signs: those that were tried, and those that
    /// the argument about `fma` leaves out.
    pub decided: u64,
}

impl InnocuousQuestion {
    /// Returns all questions that are asked.
    pub fn all() -> Vec<InnocuousQuestion> {
        use InnocuousOperation::{Add, Divide, Fused, Multiply, Root};
        let wider: [(&Format, &[&Format]); 4] = [
            (&E4M3, &[&F16, &BF16, &F32]),
            (&E5M2, &[&F16, &BF16, &F32]),
            (&F16, &[&F32, &F64]),
            (&BF16, &[&F32, &F64]),
        ];
        let mut all = Vec::new();
        for (format, intermediates) in wider {
            for operation in [Add, Multiply, Divide, Root, Fused] {
                for &intermediate in intermediates {
                    let roundings = [Rounding::Nearest, Rounding::Directed].into_iter();
                    let asked = roundings.take(if format.width() == 8 { 2 } else { 1 });
                    all.extend(asked.map(|rounding| InnocuousQuestion {
                        format,
                        operation,
                        intermediate,
                        rounding,
                    }));
                }
            }
        }
        all
    }

    /// Tries what there is to try, on threads that are lent, and returns the answer.
    pub fn answer(&self, threads: &LentThreads) -> InnocuousAnswer {
        let data = self.format.mask() + 1;
        let positive = self.format.max_finite() + 1;
        match self.operation {
            InnocuousOperation::Root => {
                self.search(threads, positive, 1, |a, _| self.compare([a, 0, 0], self.exact(a)?.root()))
            }
            InnocuousOperation::Add => self.search(threads, positive, data, |a, b| {
                let sum = self.exact(a)?.plus(self.exact(b)?, self.format.is_negative(b));
                self.compare([a, b, 0], sum)
            }),
            InnocuousOperation::Multiply => self.search(threads, positive, positive, |a, b| {
                self.compare([a, b, 0], self.exact(a)?.times(self.exact(b)?))
            }),
            InnocuousOperation::Divide => self.search(threads, positive, positive, |a, b| {
                let divisor = self.exact(b).filter(|divisor| divisor.significand != 0)?;
                self.compare([a, b, 0], self.exact(a)?.divided_by(divisor))
            }),
            InnocuousOperation::Fused => fma::answer(self, threads),
        }
    }

    /// Returns the magnitude of a finite datum; `None` for any other.
    fn exact(&self, bits: u64) -> Option<ExactMagnitude> {
        self.format.decode(bits).map(ExactMagnitude::of)
    }

    /// Returns a witness, if rounding an exact result twice is not rounding it once.
    fn compare(&self, operands: [u64; 3], exact: ExactMagnitude) -> Option<Witness> {
        let ways: &[Way] = match self.rounding {
            Rounding::Nearest => &[Way::Nearest],
            Rounding::Directed => &[Way::Down, Way::Up],
        };
        ways.iter().find_map(|&way| {
            let once = exact.rounded(way, self.format);
            let twice = exact.rounded_twice(way, self.intermediate, self.format);
            (once != twice).then_some(Witness { operands, once, twice })
        })
    }

    /// Searches for the first witness among so many first and second operands, in their order.
    fn search(
        &self,
        threads: &LentThreads,
        first: u64,
        second: u64,
        harm: impl Fn(u64, u64) -> Option<Witness> + Sync,
    ) -> InnocuousAnswer {
        let witness = first_witness(threads, first, |a| (0..second).find_map(|b| harm(a, b)));
        InnocuousAnswer { witness, decided: first * second }
    }
}

/// Returns the witness of the first of so many parts of a search that has one, on threads that are lent.
fn first_witness(
    threads: &LentThreads,
    parts: u64,
    search: impl Fn(u64) -> Option<Witness> + Sync,
) -> Option<Witness> {
    // Parts are begun in order and brought to an end, so that of the lowest one that has a witness is known.
    let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let found = Mutex::new(BTreeMap::new());
    let work = || {
        while !over.load(Relaxed) {
            let part = next.fetch_add(1, Relaxed);
            if part >= parts {
                break;
            }
            if let Some(witness) = search(part) {
                over.store(true, Relaxed);
                found.lock().expect("nobody panics").insert(part, witness);
            }
        }
    };
    threads(usize::MAX, &work);
    found.into_inner().expect("nobody panics").into_values().next()
}

impl InnocuousOperation {
    /// Returns the number of operands of the operation.
    pub fn inputs(self) -> usize {
        match self {
            InnocuousOperation::Root => 1,
            InnocuousOperation::Add | InnocuousOperation::Multiply | InnocuousOperation::Divide => 2,
            InnocuousOperation::Fused => 3,
        }
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rounding::Nearest => "rn",
            Rounding::Directed => "rz, rm, rp",
        })
    }
}

impl fmt::Display for InnocuousOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InnocuousOperation::Add => "add, sub",
            InnocuousOperation::Multiply => "mul",
            InnocuousOperation::Divide => "div",
            InnocuousOperation::Root => "sqrt",
            InnocuousOperation::Fused => "fma",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(
        format: &'static Format,
        operation: InnocuousOperation,
        intermediate: &'static Format,
    ) -> InnocuousAnswer {
        InnocuousQuestion { format, operation, intermediate, rounding: Rounding::Nearest }
            .answer(&crate::tests::lent(2))
    }

    /// Figueroa, *When is double rounding innocuous?* (1995): 2p + 2 bits suffice where exponents do.
    #[test]
    fn what_is_known_to_be_innocuous_is() {
        for operation in
            [InnocuousOperation::Multiply, InnocuousOperation::Divide, InnocuousOperation::Root]
        {
            assert_eq!(answer(&E4M3, operation, &F16).witness, None, "{operation}");
            assert_eq!(answer(&E5M2, operation, &F32).witness, None, "{operation}");
        }
        assert_eq!(answer(&F16, InnocuousOperation::Root, &F32).witness, None);
    }

    /// Directed roundings are innocuous, as the argument says, also where rounding to nearest is not.
    #[test]
    fn directed_roundings_are_innocuous() {
        let directed = |question: &InnocuousQuestion| question.rounding == Rounding::Directed;
        let asked: Vec<InnocuousQuestion> =
            InnocuousQuestion::all().into_iter().filter(directed).collect();
        assert_eq!(asked.len(), 2 * 5 * 3);
        for question in asked {
            assert_eq!(question.answer(&crate::tests::lent(2)).witness, None, "{question:?}");
        }
    }

    /// Directed roundings do harm, too, where the intermediate format lacks numbers of the other.
    #[test]
    fn what_does_harm_is_found_of_directed_roundings() {
        let (operation, rounding) = (InnocuousOperation::Add, Rounding::Directed);
        let question = InnocuousQuestion { format: &F16, operation, intermediate: &BF16, rounding };
        assert!(question.answer(&crate::tests::lent(2)).witness.is_some());
    }

    /// The first witness is a witness, and not every operation has one.
    #[test]
    fn a_witness_is_one() {
        let InnocuousAnswer { witness, .. } = answer(&BF16, InnocuousOperation::Fused, &F32);
        let witness = witness.expect("published ones are below");
        let [a, b, c] =
            witness.operands.map(|bits| ExactMagnitude::of(BF16.decode(bits).expect("finite")));
        let sum = a.times(b).plus(c, BF16.is_negative(witness.operands[2]));
        assert_eq!(sum.nearest(&BF16), witness.once);
        assert_eq!(sum.rounded_twice(Way::Nearest, &F32, &BF16), witness.twice);
        assert_ne!(witness.once, witness.twice);
    }

    /// Witnesses published for bf16 give the same wrong neighbour by way of f32 and by way of f64.
    #[test]
    fn published_witnesses_are_witnesses() {
        for (a, b, c) in [(0x3fc0, 0xbf81, 0x2500), (0x2a20, 0x51a6, 0x9359)] {
            let of = |bits: u64| ExactMagnitude::of(BF16.decode(bits).expect("finite"));
            let exact = of(a).times(of(b)).plus(of(c), BF16.is_negative(a ^ b ^ c));
            let once = exact.nearest(&BF16);
            let by_way_of = |format| exact.rounded_twice(Way::Nearest, format, &BF16);
            let [single, double] = [&F32, &F64].map(by_way_of);
            assert!(single != once && double == single, "{a:#x} {b:#x} {c:#x}: {once:#x} {single:#x}");
        }
    }
}
