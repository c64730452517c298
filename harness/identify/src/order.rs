//! The order of a summation as a tree, found from answers.
//!
//! Numbers that cancel stand in two places, and small ones everywhere else. A small one survives if it is added where
//! the two have cancelled already. So the lost ones stand in the places below the node where the two meet. How many
//! are lost for each pair determines the tree (as FPRev finds it, Xie and others, arXiv 2411.00442).

use anyhow::Result;
use formats::Format;

use super::examiner::Examiner;
use super::question::{DotQuestion, Places, ScaledProduct, encode};
use super::tree::{Node, tree};

/// The order of a summation, as far as answers tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SummationOrder {
    /// The tree of the sum.
    Tree(Node),
    /// The groups of terms that are added together, where operands have too few exponents for a tree.
    Together(Vec<Vec<usize>>),
    /// No order: no tree has these answers.
    None,
}

/// The two exponents that are far apart in a variant's sums.
#[derive(Clone, Copy, Debug)]
pub struct ExponentSpan {
    /// The exponent of the small numbers.
    pub small: i32,
    /// The exponent of the numbers that cancel.
    pub large: i32,
}

impl ExponentSpan {
    /// Returns the span of a variant, of which neither exponent overflows or is lost in its accumulator; `None` where
    /// terms can be no power of two.
    pub fn of(examiner: &Examiner, places: &Places) -> Option<ExponentSpan> {
        const FAR: i32 = 60;
        let dot = examiner.variant.dot();
        let [least, normal, most] = places.exponents()?;
        let accumulators = [dot.c, dot.d];
        let top = accumulators.iter().map(|format| format.exponent_max()).min()?;
        let bottom = accumulators.iter().map(|format| format.exponent_of_lsb() + 2).max()?;
        let large = most.min(top).min(FAR);
        let smallest = |least: i32| least.max(bottom).max(-FAR);
        // Subnormal operands serve only where there is no room without them: an implementation may flush them.
        let small = if large - smallest(normal) >= 40 { smallest(normal) } else { smallest(least) };
        Some(ExponentSpan { small, large })
    }

    /// Returns the number of bits between the two exponents.
    pub fn bits(self) -> i32 {
        self.large - self.small
    }

    /// Whether many small numbers together may be too large to be lost in a wide unit.
    fn is_narrow(self) -> bool {
        self.bits() < 48
    }

    /// Whether the exponents are far enough apart for any known unit to lose the small numbers.
    pub fn suffices(self) -> bool {
        self.bits() >= 32
    }
}

/// Finds the order of a variant's summation.
pub fn find(examiner: &mut Examiner, places: &Places, span: ExponentSpan) -> Result<SummationOrder> {
    if !span.suffices() {
        return find_added_together(examiner, places, span);
    }
    let all = places.count + 1;
    let pairs: Vec<(usize, usize)> = (0..all).flat_map(|i| (i + 1..all).map(move |j| (i, j))).collect();
    // Without a cancelling pair all small numbers survive, or what is lost tells nothing.
    let small: Vec<(usize, ScaledProduct)> =
        (0..all).map(|place| (place, ScaledProduct::power(span.small))).collect();
    let Some(question) = places.question(&small) else { return Ok(SummationOrder::None) };
    let answers = examiner.ask(&[question])?;
    let d = examiner.variant.dot().d;
    if answers.iter().any(|answer| survivors(d, *answer, span.small, false) != Some(all)) {
        return Ok(SummationOrder::None);
    }
    let mut lost = vec![vec![0; all]; all];
    // Where sums are cut off in one direction, small numbers of one sign, or after a large one of the other, are
    // not lost but become a last bit: then other signs are asked for.
    let mut left = pairs;
    for [swapped, negative] in [[false, false], [true, false], [false, true]] {
        let question = |&(i, j): &(usize, usize)| {
            let sign = |number: ScaledProduct, negative| ScaledProduct { negative, ..number };
            let numbers: Vec<(usize, ScaledProduct)> = (0..all)
                .map(|place| match place {
                    _ if place == i => (place, sign(ScaledProduct::power(span.large), swapped)),
                    _ if place == j => (place, sign(ScaledProduct::power(span.large), !swapped)),
                    _ => (place, sign(ScaledProduct::power(span.small), negative)),
                })
                .collect();
            places.question(&numbers)
        };
        let Some(questions) = left.iter().map(question).collect::<Option<Vec<DotQuestion>>>() else {
            return Ok(SummationOrder::None);
        };
        let answers = examiner.ask(&questions)?;
        let format = examiner.variant.dot().d;
        let mut unclear = Vec::new();
        for (&(i, j), answer) in left.iter().zip(answers) {
            let number = survivors(format, answer, span.small, negative);
            // Two places have the numbers that cancel, so that no more than the others can survive.
            match number.filter(|survivors| *survivors <= all - 2) {
                Some(survivors) => (lost[i][j], lost[j][i]) = (all - survivors, all - survivors),
                None => unclear.push((i, j)),
            }
        }
        left = unclear;
        if left.is_empty() {
            break;
        }
    }
    if !left.is_empty() {
        return if span.is_narrow() {
            find_added_together(examiner, places, span)
        } else {
            Ok(SummationOrder::None)
        };
    }
    let leaves: Vec<usize> = (0..all).collect();
    match tree(&leaves, &lost) {
        Some(tree) => Ok(SummationOrder::Tree(tree)),
        None if span.is_narrow() => find_added_together(examiner, places, span),
        None => Ok(SummationOrder::None),
    }
}

/// Returns how many numbers of this exponent and sign an answer is the sum of; `None` where it is no such sum.
fn survivors(format: &Format, answer: u64, exponent: i32, negative: bool) -> Option<usize> {
    let (significand, lowest) = format.decode(answer)?;
    if significand == 0 {
        return Some(0);
    }
    let zeros = significand.trailing_zeros();
    let shift = u32::try_from(lowest + zeros as i32 - exponent).ok().filter(|shift| *shift < 16)?;
    (format.is_negative(answer) == negative).then_some(((significand >> zeros) as usize) << shift)
}

/// Finds which terms are added together. Beside a large addend, two halves of its last bit count if they are added
/// together before they are rounded.
fn find_added_together(
    examiner: &mut Examiner,
    places: &Places,
    span: ExponentSpan,
) -> Result<SummationOrder> {
    let dot = *examiner.variant.dot();
    let half = dot.d.trailing_bits as i32 + 1;
    let exponent = span.large.min(dot.c.exponent_max() - half);
    let pairs: Vec<(usize, usize)> =
        (0..places.count).flat_map(|i| (i + 1..places.count).map(move |j| (i, j))).collect();
    let question = |&(i, j): &(usize, usize)| {
        let term = ScaledProduct::power(exponent);
        places.question(&[
            (i, term),
            (j, term),
            (places.addend(), ScaledProduct::power(exponent + half)),
        ])
    };
    let Some(questions) = pairs.iter().map(question).collect::<Option<Vec<DotQuestion>>>() else {
        return Ok(SummationOrder::None);
    };
    let answers = examiner.ask(&questions)?;
    let unmoved = encode(dot.d, 1, exponent + half);
    let mut parts: Vec<Vec<usize>> = (0..places.count).map(|place| vec![place]).collect();
    for (&(i, j), answer) in pairs.iter().zip(answers) {
        if Some(answer) == unmoved {
            continue;
        }
        let [x, y] = [i, j].map(|place| parts.iter().position(|part| part.contains(&place)));
        if let (Some(x), Some(y)) = (x.min(y), x.max(y))
            && x != y
        {
            let joined = parts.remove(y);
            parts[x].extend(joined);
            parts[x].sort_unstable();
        }
    }
    Ok(SummationOrder::Together(parts))
}

impl SummationOrder {
    /// Returns the number of terms of a group, where groups are chained in ascending order from the addend on.
    pub fn group(&self, places: &Places) -> Option<usize> {
        match self {
            SummationOrder::Tree(tree) => {
                let mut steps = tree.chain()?;
                let first = steps.first_mut()?;
                first.retain(|place| *place != places.addend());
                let size = first.len();
                let ascending = steps.concat().into_iter().eq(0..places.count);
                // The last group has what is left, which may be fewer terms.
                let (_, even) = steps.split_last()?;
                (ascending && even.iter().all(|step| step.len() == size)).then_some(size)
            }
            SummationOrder::Together(parts) => {
                let size = parts.first()?.len();
                let ascending = parts.concat().into_iter().eq(0..places.count);
                (ascending && parts.iter().all(|part| part.len() <= size)).then_some(size)
            }
            SummationOrder::None => None,
        }
    }

    /// Returns the places of terms that are added together, as many as there are.
    pub fn places_added_together(&self, places: &Places) -> Vec<usize> {
        match self {
            SummationOrder::Tree(tree) => tree.widest(places.addend()),
            SummationOrder::Together(parts) => {
                parts.iter().max_by_key(|part| part.len()).cloned().unwrap_or_default()
            }
            SummationOrder::None => (0..places.count).collect(),
        }
    }

    /// Whether the addend is added to the sum of all terms.
    pub fn addend_last(&self, places: &Places) -> bool {
        let SummationOrder::Tree(Node::Sum(parts)) = self else { return false };
        parts.len() == 2 && parts.contains(&Node::Place(places.addend())) && places.count > 1
    }

    /// Describes the order in words.
    pub fn text(&self, places: &Places) -> String {
        let things = if places.are_blocks() { "blocks" } else { "terms" };
        match (self, self.group(places)) {
            (SummationOrder::None, _) => "no tree of sums explains the answers".into(),
            (SummationOrder::Together(parts), Some(size)) if parts.len() > 1 && size > 1 => {
                format!(
                    "{things} are added together in groups of {size}; their exponents are too few for more"
                )
            }
            (SummationOrder::Together(parts), _) if parts.len() == 1 => {
                format!("all {} {things} are added together", places.count)
            }
            (SummationOrder::Together(_), _) => {
                format!("no two {things} are seen together beside a large addend")
            }
            (SummationOrder::Tree(_), Some(1)) if places.count > 1 => {
                format!("one {} after the other, from the addend on", things.trim_end_matches('s'))
            }
            (SummationOrder::Tree(_), Some(size)) if size == places.count => {
                format!("all {size} {things} and the addend together")
            }
            (SummationOrder::Tree(_), Some(size)) => {
                format!("groups of {size} {things}, ascending, the addend in the first")
            }
            (SummationOrder::Tree(tree), None) => {
                let last = if self.addend_last(places) { "the addend last: " } else { "" };
                format!("{last}{}", tree.text(places.addend()))
            }
        }
    }
}
