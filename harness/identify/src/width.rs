//! The widths of a sum, and what is done with the bits beyond them, found from answers.

use anyhow::Result;
use formats::Format;

use super::examiner::Examiner;
use super::order::{ExponentSpan, SummationOrder};
use super::question::{DotQuestion, Places, ScaledProduct, encode};
use super::readings::{NumberRounding, Readings, Rest};

/// A rung of a ladder: a number that tells the question from others, and the question with numbers in places, if there
/// is one.
type Rung = (i32, Option<DotQuestion>);

/// Asks the questions of a ladder, as far as there are any, and returns each one's number with its answer.
fn ladder(examiner: &mut Examiner, rungs: impl Iterator<Item = Rung>) -> Result<Vec<(i32, u64)>> {
    let (steps, questions): (Vec<i32>, Vec<DotQuestion>) =
        rungs.filter_map(|(step, question)| Some((step, question?))).unzip();
    Ok(steps.into_iter().zip(examiner.ask(&questions)?).collect())
}

/// Returns the last step before answers vanish; `None` where they never vanish, or never come.
fn edge(answers: &[(i32, u64)], there: impl Fn(u64) -> bool) -> Option<i32> {
    let last = answers.iter().rposition(|(_, answer)| there(*answer))?;
    (last + 1 < answers.len()).then(|| answers[last].0)
}

/// Finds the widths of a variant's sum, and what is done with the bits beyond them.
pub fn find(
    examiner: &mut Examiner,
    places: &Places,
    span: Option<ExponentSpan>,
    order: &SummationOrder,
) -> Result<Readings> {
    let mut readings = Readings::default();
    let dot = *examiner.variant.dot();
    if let Some(span) = span {
        widths(examiner, places, span, order, &mut readings)?;
        rounding(examiner, places, span, order, &mut readings)?;
    }
    small(examiner, places, &mut readings)?;
    specials(examiner, places, dot.d, &mut readings)?;
    Ok(readings)
}

/// Reads how many bits a sum keeps, and what is done with the rest, from small terms beside a pair that cancels.
fn widths(
    examiner: &mut Examiner,
    places: &Places,
    span: ExponentSpan,
    order: &SummationOrder,
    readings: &mut Readings,
) -> Result<()> {
    let nonzero = |format: &Format, answer: u64| answer & format.magnitude_mask() != 0;
    let d = examiner.variant.dot().d;
    // A block is aligned by its scales, which have less room than its elements have.
    let top = if places.are_blocks() { span.large - 4 } else { span.large };
    let terms = order.places_added_together(places);
    let [i, j, k] = match terms[..] {
        [i, j, k, ..] => [i, j, k],
        // A unit of two terms has the addend beside them.
        [i, j] => [i, j, places.addend()],
        _ => return Ok(()),
    };
    let beside = |pair: ScaledProduct, rest: &[(usize, ScaledProduct)]| {
        let both = [(i, pair), (j, pair.negative())];
        places.question(&[&both, rest].concat())
    };
    let one = ScaledProduct::power(top);
    let rungs = (8..=46).map(|f| (f, beside(one, &[(k, ScaledProduct::power(top - f))])));
    let answers = ladder(examiner, rungs)?;
    let Some(bits) = edge(&answers, |answer| nonzero(d, answer)) else { return Ok(()) };
    readings.fraction_bits = Some(bits as u32);
    if places.are_blocks() && i != places.addend() {
        let cancelled = |f: i32| {
            let mut question = places.question(&[(i, one), (j, ScaledProduct::power(top - f))])?;
            let at = i * places.step;
            // The same product again, of the other sign.
            question.a[at + 1] = question.a[at] ^ examiner.variant.dot().a.sign_mask();
            question.b[at + 1] = question.b[at];
            Some(question)
        };
        let rungs: Vec<Rung> = [bits, bits + 1].map(|f| (f, cancelled(f))).into();
        let answers = ladder(examiner, rungs.into_iter())?;
        if let [(_, near), (_, far)] = answers[..] {
            readings.block_keeps = nonzero(d, near).then(|| !nonzero(d, far));
        }
    }

    // Terms of three quarters of the last bit, of both signs.
    let part = ScaledProduct::odd(3, top - bits - 2);
    let rungs = [(0, part), (1, part.negative())];
    let answers =
        ladder(examiner, rungs.into_iter().map(|(step, part)| (step, beside(one, &[(k, part)]))))?;
    if let [(_, positive), (_, negative)] = answers[..] {
        readings.rest = Some(match [positive, negative].map(|answer| nonzero(d, answer)) {
            [false, false] => Rest::Cut,
            [false, true] => Rest::Floored,
            [true, false] => Rest::Ceiled,
            [true, true] => Rest::Rounded,
        });
    }
    // The product 1.5 × 1.5, whose own exponent is larger by one.
    let square = ScaledProduct { negative: false, factors: [3, 3], exponent: top - 2 };
    let answers =
        ladder(examiner, [(0, beside(square, &[(k, ScaledProduct::power(top - bits))]))].into_iter())?;
    readings.normalised = answers.first().map(|(_, answer)| !nonzero(d, *answer));
    // Halves of the last bit in several places, and in the addend.
    let half = ScaledProduct::power(top - bits - 1);
    let several: Vec<(usize, ScaledProduct)> =
        terms.iter().skip(2).map(|&place| (place, half)).collect();
    let addend = (8..=46).map(|f| (f, beside(one, &[(places.addend(), ScaledProduct::power(top - f))])));
    // Nothing is read from these answers: they are evidence that models are held against.
    ladder(examiner, [(0, beside(one, &several))].into_iter().chain(addend))?;
    Ok(())
}

/// Reads how the result is rounded, and how many bits it has, from small terms beside a large addend.
fn rounding(
    examiner: &mut Examiner,
    places: &Places,
    span: ExponentSpan,
    order: &SummationOrder,
    readings: &mut Readings,
) -> Result<()> {
    let (c, d) = (examiner.variant.dot().c, examiner.variant.dot().d);
    let all = order.places_added_together(places);
    let Some((&k, rest)) = all.split_first() else { return Ok(()) };
    // A term as small as can be leaves the addend the most room.
    let middle = (span.small + span.large) / 2;
    let most = d.trailing_bits as i32;
    let beside = |base: ScaledProduct, numbers: &[(usize, ScaledProduct)]| {
        places.question(&[&[(places.addend(), base)], numbers].concat())
    };
    let at = middle.min(c.exponent_max().min(d.exponent_max()) - most - 3);
    let rungs =
        (7..=most).map(|w| (w, beside(ScaledProduct::power(at + w), &[(k, ScaledProduct::power(at))])));
    let answers = ladder(examiner, rungs)?;
    let moved = |(w, answer): &(i32, u64)| encode(d, 1, at + w) != Some(*answer);
    let Some((bits, _)) = answers.iter().rfind(|rung| moved(rung)) else { return Ok(()) };
    let bits = *bits;
    readings.result_bits = Some(bits as u32);
    // Half a last bit behind an even one and behind an odd one. Two addends of a size make a sum that is twice
    // as large, so that even an alignment that keeps no more bits than the result has that half.
    let two = at + bits;
    let mut numbers = Vec::new();
    for negative in [false, true] {
        for odd in [false, true] {
            let sign = |number: ScaledProduct| ScaledProduct { negative, ..number };
            let half = (k, sign(ScaledProduct::power(at)));
            let whole = |exponent: i32| {
                let exact = ScaledProduct::power(exponent);
                let last = (1 << (exponent - at - 1)) + 1;
                sign(if odd { ScaledProduct::odd(last, at + 1) } else { exact })
            };
            let doubled = rest.first().and_then(|&other| {
                beside(whole(two), &[(other, sign(ScaledProduct::power(two))), half])
            });
            // An addend of few bits leaves its last bit to a term.
            let third = || match rest {
                [other, third, ..] if odd => {
                    let [large, last] =
                        [two, at + 1].map(|exponent| sign(ScaledProduct::power(exponent)));
                    beside(large, &[(*other, large), (*third, last), half])
                }
                _ => None,
            };
            let question = doubled.or_else(third).or_else(|| beside(whole(two + 1), &[half]));
            numbers.push((i32::from(negative) * 2 + i32::from(odd), question));
        }
    }
    let answers = ladder(examiner, numbers.into_iter())?;
    if let [(_, even), (_, odd), (_, negative_even), _] = answers[..] {
        let base = encode(d, 1, two + 1);
        let grown = |answer: u64| base.is_some_and(|base| answer & d.magnitude_mask() > base);
        let step = 1 << (d.trailing_bits as i32 - bits).max(0);
        let odd_up = base.is_some_and(|base| odd & d.magnitude_mask() > base + step);
        readings.rounding = Some(match [grown(even), odd_up, grown(negative_even)] {
            [false, false, false] => NumberRounding::TowardZero,
            [false, true, _] => NumberRounding::NearestEven,
            [true, _, true] => NumberRounding::NearestAway,
            [true, _, false] => NumberRounding::Up,
            [false, false, true] => NumberRounding::Down,
        });
    }
    // The terms are so many that together they are a last bit: each of them is kept.
    let rungs = (0..=all.len().ilog2() as i32).map(|power| {
        let terms = all.iter().take(1 << power).map(|&place| (place, ScaledProduct::power(at)));
        (bits + power, beside(ScaledProduct::power(at + bits + power), &terms.collect::<Vec<_>>()))
    });
    let answers = ladder(examiner, rungs)?;
    let kept = |&(w, answer): &(i32, u64)| encode(d, 1, at + w) != Some(answer);
    let last = answers.iter().take_while(|rung| kept(rung)).last();
    let reached = last.map(|(f, _)| *f) == answers.last().map(|(f, _)| *f);
    match last {
        Some((f, _)) if readings.fraction_bits.is_none() && !reached => {
            readings.fraction_bits = Some(*f as u32);
        }
        Some((f, _)) => readings.at_least = Some(*f as u32),
        None => {}
    }
    // Tails show how a rounding treats a long rest: powers of two in every term, far and near.
    let tails = (1..=6).map(|far| {
        let terms: Vec<(usize, ScaledProduct)> =
            all.iter().map(|&place| (place, ScaledProduct::power(at))).collect();
        (far, beside(ScaledProduct::power(at + bits + far), &terms))
    });
    // These answers, too, are evidence alone.
    ladder(examiner, tails)?;
    Ok(())
}

/// Reads the exponent that zeros have, and whether subnormal addends and operands count.
fn small(examiner: &mut Examiner, places: &Places, readings: &mut Readings) -> Result<()> {
    let dot = *examiner.variant.dot();
    let least = dot.d.exponent_of_lsb();
    if places.count > 1 {
        // The smallest number less a far smaller one, which is lost behind the exponent of zeros; and for sums
        // that are rounded to nearest, half of it and a far smaller one.
        let beside = |exponent: i32, tail: fn(ScaledProduct) -> ScaledProduct| {
            move |behind: i32| {
                let numbers = [
                    (0, ScaledProduct::power(exponent)),
                    (1, tail(ScaledProduct::power(exponent - behind))),
                ];
                (behind, places.question(&numbers))
            }
        };
        let less = ladder(examiner, (1..=46).map(beside(least, ScaledProduct::negative)))?;
        let more = ladder(examiner, (1..=46).map(beside(least - 1, |number| number)))?;
        let last = match edge(&more, |answer| answer == 1) {
            Some(behind) => Some(least - 1 - behind),
            // A rounding to nearest would hide the loss.
            None if readings.rounding != Some(NumberRounding::TowardZero) => None,
            None => edge(&less, |answer| answer == 0).map(|behind| least - behind),
        };
        let exponent = readings.fraction_bits.zip(last).map(|(bits, last)| bits as i32 + last);
        readings.zero_exponent = exponent;
    }
    // The largest subnormal bit, which a result of fewer bits has too.
    let addend = DotQuestion { c: dot.c.min_normal() >> 1, ..places.zeros() };
    let answer = examiner.ask(&[addend])?;
    if [dot.c.id, dot.d.id] == [dot.d.id; 2] {
        readings.addend_kept = answer.first().map(|answer| *answer != 0);
    }
    let mut question = places.zeros();
    question.a[0] = 1;
    question.b[0] = encode(dot.b, 1, dot.b.exponent_max().min(100)).unwrap_or(dot.b.one());
    let fits = dot.a.exponent_of_lsb() + dot.b.exponent_max().min(100) >= dot.d.exponent_min();
    let answer = examiner.ask(&[question])?;
    let has_subnormals = dot.a.trailing_bits > 0;
    readings.operand_kept = answer.first().filter(|_| fits && has_subnormals).map(|answer| *answer != 0);
    Ok(())
}

/// Reads what becomes of NaN and of −0; infinities and other addends are asked for as evidence alone.
fn specials(
    examiner: &mut Examiner,
    places: &Places,
    d: &Format,
    readings: &mut Readings,
) -> Result<()> {
    let c = examiner.variant.dot().c;
    let with = |bits: u64| DotQuestion { c: bits, ..places.zeros() };
    let infinity = c.infinity().unwrap_or(c.max_finite());
    let largest = c.max_finite();
    let one = encode(c, 1, 0).unwrap_or(c.one());
    let numbers = [c.canonical_nan(), c.sign_mask(), infinity, infinity | c.sign_mask(), largest, one];
    let answers = examiner.ask(&numbers.map(with))?;
    if let [nan, zero, ..] = answers[..] {
        readings.nan = Some(nan).filter(|bits| d.is_nan(*bits));
        readings.negative_zero = Some(zero);
    }
    Ok(())
}
