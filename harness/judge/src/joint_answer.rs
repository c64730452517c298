//! Results that several open points decide together. An answer to each point by itself does not tell which
//! interpretations go together: a result may be right by two of them, and wrong by their mixture.

use std::collections::BTreeMap;
use std::fmt;

use isa::Relaxation;
use serde::{Deserialize, Serialize};

use super::interpretation::OpenPoints;
use super::mismatch::Mismatch;
use super::truth::Alternative;

/// Combinations of interpretations of all open points of an element, as a set: bit `n` is alternative `n`.
pub type Combinations = u128;

/// The largest number of combinations of interpretations that an element may have; a test asks all variants.
const COMBINATIONS_MAX: usize = Combinations::BITS as usize;

/// The number of joint answers that are kept of one variant and sweep: those that are first by their text. Whatever
/// is left out in one part of a run is left out of all of it, so sums do not depend on order.
pub const JOINT_ANSWERS_MAX: usize = 32;

/// Results that several relaxations decide together, and that agree with the same combinations of their
/// interpretations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct JointAnswer {
    /// Number of such results.
    pub count: u64,
    /// The first vector with such a result.
    pub first: Mismatch,
}

/// The interpretations of several open points that one result agrees with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agreement {
    /// Open points that decide the result.
    pub points: Vec<Relaxation>,
    /// Combinations of interpretations, each listed point by point, under which the answer is right.
    pub combinations: Vec<Vec<u8>>,
}

impl Agreement {
    /// Returns the agreement of an answer to one point, by the answer's text, such as `exact or unbounded`.
    pub fn of_one(point: Relaxation, answer: &str) -> Agreement {
        let set = point.interpretations_of(answer);
        let numbers = (0..point.interpretations().len() as u8).filter(|number| set >> number & 1 == 1);
        Agreement { points: vec![point], combinations: numbers.map(|number| vec![number]).collect() }
    }

    /// Returns the agreement of an answer to all open points of an element: the answer is the result of those
    /// alternatives of the element whose numbers are in `agreeing`.
    fn of_element(open: OpenPoints, alternatives: &[Alternative], agreeing: Combinations) -> Agreement {
        let points: Vec<Relaxation> =
            Relaxation::ALL.into_iter().filter(|&point| open.contains(point)).collect();
        let agreeing = alternatives.iter().enumerate().filter(|(at, _)| agreeing >> at & 1 == 1);
        let combination = |alternative: &Alternative| {
            points.iter().map(|&point| alternative.interpretation[point as usize]).collect()
        };
        let combinations = agreeing.map(|(_, alternative)| combination(alternative)).collect();
        Agreement { points, combinations }
    }

    /// Reads an agreement as [`fmt::Display`] writes it; returns `None` for any other text.
    pub fn read(text: &str) -> Option<Agreement> {
        let (points, combinations) = text.split_once(": ")?;
        let named = |name: &str| Relaxation::ALL.into_iter().find(|point| point.name() == name);
        let points: Vec<Relaxation> = points.split(" × ").map(named).collect::<Option<_>>()?;
        let combination = |text: &str| {
            let names: Vec<&str> = text.split(" × ").collect();
            let number = |(point, name): (&Relaxation, &&str)| {
                let known = point.interpretations().iter().position(|known| known == name);
                known.map(|number| number as u8)
            };
            let numbers = points.iter().zip(&names).map(number).collect::<Option<Vec<u8>>>()?;
            // `zip` ends with the shorter list, so that the lengths have to be compared, too.
            (names.len() == points.len()).then_some(numbers)
        };
        let combinations = combinations.split(" | ").map(combination).collect::<Option<_>>()?;
        Some(Agreement { points, combinations })
    }
}

/// Writes an agreement, such as `ftz-ignored × zero-sign: flushed × -0 | flushed × clamped first`.
impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.points.iter().map(|point| point.name()).collect();
        let combination = |numbers: &Vec<u8>| {
            let named = self.points.iter().zip(numbers);
            let names = named.map(|(point, &number)| point.interpretations()[usize::from(number)]);
            names.collect::<Vec<_>>().join(" × ")
        };
        let combinations: Vec<String> = self.combinations.iter().map(combination).collect();
        write!(f, "{}: {}", names.join(" × "), combinations.join(" | "))
    }
}

/// The joint answers in one batch, while it is judged.
#[derive(Default)]
pub(super) struct JointAnswers<'a>(BTreeMap<(OpenPoints, Combinations), RowAlternatives<'a>>);

struct RowAlternatives<'a> {
    count: u64,
    row: usize,
    alternatives: &'a [Alternative],
}

impl<'a> JointAnswers<'a> {
    /// Counts an answer, unless it tells nothing: it is about one point alone, or agrees with all combinations or none.
    pub(super) fn count(&mut self, alternatives: &'a [Alternative], agreeing: Combinations, row: usize) {
        let open = alternatives[0].open;
        // An element has at least one alternative and at most 128, so that the shift is less than the width.
        let all = Combinations::MAX >> (COMBINATIONS_MAX - alternatives.len());
        if open.len() > 1 && agreeing != 0 && agreeing != all {
            let found = self.0.entry((open, agreeing)).or_insert(RowAlternatives {
                count: 0,
                row,
                alternatives,
            });
            found.count += 1;
        }
    }

    /// Returns every answer in words, how often it was given, and its first row.
    pub(super) fn answers(self) -> impl Iterator<Item = (String, u64, usize)> {
        self.0.into_iter().map(|((open, agreeing), RowAlternatives { count, row, alternatives })| {
            (Agreement::of_element(open, alternatives, agreeing).to_string(), count, row)
        })
    }
}

#[cfg(test)]
mod tests {
    use isa::Variant;

    use super::*;

    #[test]
    fn interpretations_of_all_points_of_an_element_fit_a_set() {
        for variant in Variant::all() {
            // These two make no alternatives: the judge itself accepts other NaNs.
            let never = [Relaxation::AnyNan, Relaxation::NanPayload];
            let open = variant.relaxations().filter(|point| !never.contains(point));
            let combinations: usize = open.map(|point| point.interpretations().len()).product();
            assert!(combinations <= COMBINATIONS_MAX, "{variant}: {combinations}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for point in Relaxation::ALL {
            for name in point.interpretations() {
                let marks = [" × ", " | ", ": ", " or "];
                assert!(!marks.iter().any(|mark| name.contains(mark)), "{name}");
            }
        }
        let points = vec![Relaxation::FtzTininess, Relaxation::ZeroSign];
        let agreement = Agreement { points, combinations: vec![vec![0, 1], vec![2, 2]] };
        let text = agreement.to_string();
        assert_eq!(text, "ftz-tininess × zero-sign: exact × -0 | rounded × clamped first");
        assert_eq!(Agreement::read(&text), Some(agreement));
        for text in ["", "zero-sign", "zero-sign: 0", "zero-sign: -0 × -0", "zero: -0", "zero-sign: "] {
            assert_eq!(Agreement::read(text), None, "{text}");
        }
        let one = Agreement::of_one(Relaxation::FtzTininess, "unbounded or rounded");
        assert_eq!(one.combinations, [[1], [2]]);
    }
}
