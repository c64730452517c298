//! Decides whether one interpretation of all open points gives all answers to some of them.

use std::cmp::Reverse;

use isa::Relaxation;
use judge::Agreement;

/// An interpretation of some points, by its number at each point; points that it leaves free are 255.
type Partial = [u8; Relaxation::ALL.len()];

/// The number of a point in a [`Partial`] for which no interpretation is chosen yet.
const FREE: u8 = u8::MAX;

/// Returns the places of as few answers as contradict each other, none of which can be left out; `None` if some
/// interpretation gives all answers.
pub fn contradiction(agreements: &[Agreement]) -> Option<Vec<usize>> {
    // Answers that leave the fewest combinations come first, so that little has to be tried. Of these, the ones that
    // are about the most points come first, so that they stay.
    let mut order: Vec<usize> = (0..agreements.len()).collect();
    let key = |agreement: &Agreement| (agreement.combinations.len(), Reverse(agreement.points.len()));
    order.sort_by_key(|&at| key(&agreements[at]));
    let gives_all = |places: &[usize]| {
        let chosen: Vec<&Agreement> = places.iter().map(|&at| &agreements[at]).collect();
        is_given(&chosen, [FREE; Relaxation::ALL.len()])
    };
    if gives_all(&order) {
        return None;
    }
    let mut at = order.len();
    // From the end on, each answer is left out for good unless the contradiction needs it.
    while at > 0 {
        at -= 1;
        let left = order.remove(at);
        if gives_all(&order) {
            order.insert(at, left);
        }
    }
    order.sort_unstable();
    Some(order)
}

/// Whether some interpretation that completes `known` gives all answers.
fn is_given(agreements: &[&Agreement], known: Partial) -> bool {
    let Some((agreement, rest)) = agreements.split_first() else { return true };
    let mut tried: Vec<Partial> = Vec::new();
    agreement.combinations.iter().any(|combination| {
        let mut more = known;
        for (&point, &number) in agreement.points.iter().zip(combination) {
            let place = &mut more[point as usize];
            if *place != FREE && *place != number {
                return false;
            }
            *place = number;
        }
        // Where nothing was free, every combination that fits gives the same interpretation, which is tried once.
        let new = !tried.contains(&more);
        tried.push(more);
        new && is_given(rest, more)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str]) -> Option<Vec<usize>> {
        let read = |text: &&str| Agreement::read(text).expect(text);
        contradiction(&texts.iter().map(read).collect::<Vec<_>>())
    }

    const BOUNDARY: &str = "overflow-boundary × overflow-result";

    #[test]
    fn answers_that_share_interpretations_of_each_point_may_contradict_each_other() {
        let special = format!("{BOUNDARY}: before rounding × special");
        let either = "before rounding × largest | after rounding × special | after rounding × largest";
        let largest = format!("{BOUNDARY}: {either}");
        assert_eq!(found(&[&special]), None);
        assert_eq!(found(&[&largest, &largest]), None);
        assert_eq!(found(&["zero-sign: +0", &largest, "ftz-result: kept", &special]), Some(vec![1, 3]));
    }

    #[test]
    fn what_one_answer_leaves_open_another_decides() {
        let either = "ftz-ignored × zero-sign: flushed × -0 | kept × +0";
        let third = "ftz-ignored × flush-sign: flushed × +0 | kept × -0";
        assert_eq!(found(&[either, "zero-sign: -0", third]), None);
        assert_eq!(found(&[either, "zero-sign: -0", third, "flush-sign: -0"]), Some(vec![0, 1, 2, 3]));
        assert_eq!(found(&[either, "zero-sign: clamped first"]), Some(vec![0, 1]));
        assert_eq!(found(&[]), None);
    }
}
