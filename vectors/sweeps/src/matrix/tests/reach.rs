//! Tests of how often sweeps of dot products reach what they are for.

use formats::Class;

use super::*;

/// Returns the share of a sweep's vectors that satisfy a condition, in percent.
fn share(name: &str, variant: &MatrixVariant, is: impl Fn(&DotData) -> bool) -> usize {
    let sweep = DotSweep::named(name).unwrap();
    let columns = filled(sweep, variant, 0, ROWS);
    (0..ROWS).filter(|&row| is(&data(variant, &columns, row))).count() * 100 / ROWS
}

/// Whether two terms cancel that are not below any other term.
fn cancels(terms: &[Number]) -> bool {
    let largest = terms.iter().map(|term| term.leading()).max().unwrap_or(0);
    let high: Vec<Number> =
        terms.iter().filter(|term| term.leading() == largest).map(|term| term.odd()).collect();
    high.iter()
        .enumerate()
        .any(|(at, &one)| high[at + 1..].contains(&Number { negative: !one.negative, ..one }))
}

#[test]
fn pairs_cancel_whenever_all_is_added() {
    for variant in some() {
        for name in ["cancellation", "groups"] {
            let cancelled = share(name, variant, |data| {
                terms(variant.dot(), data).is_some_and(|terms| cancels(&terms))
            });
            assert_eq!(cancelled, 100, "{name} of {variant}");
        }
    }
}

/// The positive or the negative part of a sum of `overflow` is beyond the largest number, of the addend's format if
/// that is narrower than the result's.
#[test]
fn parts_of_sums_overflow() {
    for variant in some() {
        let (c, d) = (variant.dot().c, variant.dot().d);
        let format = if c.exponent_max() < d.exponent_max() { c } else { d };
        let (largest, exponent) = format.decode(format.max_finite()).unwrap();
        let beyond = share("overflow", variant, |data| {
            let Some(terms) = terms(variant.dot(), data) else { return false };
            [false, true].iter().any(|&negative| {
                let part = terms.iter().filter(|term| term.negative == negative);
                // In quanta of 2^-20 of the last bit: less counts as one.
                let quanta = part.map(|term| {
                    let shift = term.exponent - exponent + 20;
                    match shift {
                        60.. => 1 << 100,
                        0.. => term.magnitude << shift,
                        _ => term.magnitude.checked_shr(-shift as u32).unwrap_or(0).max(1),
                    }
                });
                quanta.sum::<u128>() > u128::from(largest) << 20
            })
        });
        assert!(beyond >= 34, "{variant}: {beyond} %");
    }
}

/// The vectors of `subnormal` have a subnormal element, or a sum that is subnormal or next to subnormal.
#[test]
fn subnormal_numbers_are_met() {
    for variant in some() {
        let dot = variant.dot();
        let met = share("subnormal", variant, |data| {
            let subnormal = |format: &Format, bits: u64| format.class(bits) == Class::Subnormal;
            let factors = data.a.iter().any(|&bits| subnormal(dot.a, bits))
                || data.b.iter().any(|&bits| subnormal(dot.b, bits));
            let terms = terms(dot, data).unwrap_or_default();
            let largest = terms.iter().map(|term| term.leading()).max().unwrap_or(0);
            factors || subnormal(dot.c, data.c) || largest <= dot.d.exponent_min()
        });
        assert!(met >= 75, "{variant}: {met} %");
    }
}

#[test]
fn specials_are_met_at_every_element() {
    for variant in some().into_iter().filter(|variant| variant.dot().c.infinity().is_some()) {
        let dot = variant.dot();
        let elements = 2 * dot.stored() as usize + 1 + dot.scales.map_or(0, |s| 2 * s.count as usize);
        let sweep = DotSweep::named("specials").unwrap();
        let columns = filled(sweep, variant, 0, elements);
        // The first vectors put a NaN, or all ones, at each element in turn.
        for row in 0..elements {
            let data = data(variant, &columns, row);
            let factor = |format: &Format, bits: u64| {
                let magnitude = format.nan().unwrap_or(format.magnitude_mask());
                bits & format.magnitude_mask() == magnitude & format.magnitude_mask()
            };
            let stored = dot.stored() as usize;
            let is = match row {
                _ if row < stored => factor(dot.a, data.a[row]),
                _ if row < 2 * stored => factor(dot.b, data.b[data.places[row - stored]]),
                _ if row == 2 * stored => factor(dot.c, data.c),
                _ => {
                    let scales = [&data.scales[0][..], &data.scales[1][..]].concat();
                    factor(dot.scales.unwrap().format, scales[row - 2 * stored - 1])
                }
            };
            assert!(is, "{variant}: element {row}");
        }
    }
}

/// The exact sum of `ties` is half way between two numbers of the result, or within a quarter of their distance of
/// that, or has bits below the 13 of a short accumulator.
#[test]
fn ties_are_met() {
    for variant in some() {
        let dot = variant.dot();
        let met = share("ties", variant, |data| {
            let Some(mut terms) = terms(dot, data) else { return false };
            terms.iter_mut().for_each(|term| *term = term.odd());
            let largest = terms.iter().map(|term| term.leading()).max().unwrap_or(0);
            let half = largest - dot.d.precision() as i32;
            let lowest = terms.iter().map(|term| term.exponent).min().unwrap_or(0);
            let leads = |at: i32| terms.iter().any(|term| (at - 1..=at + 1).contains(&term.leading()));
            leads(half) || lowest <= half || lowest < largest - 13
        });
        assert!(met >= 80, "{variant}: {met} %");
    }
}

/// Between the largest term and the smallest, `alignment` has all distances up to the widest unit's, as far as formats
/// go: with the addend's help that is everywhere.
#[test]
fn alignment_reaches_every_distance() {
    let sweep = DotSweep::named("alignment").unwrap();
    for variant in some().into_iter().filter(|variant| variant.dot().d.name != "f64") {
        let widest = if variant.dot().d.name == "f16" { 22 } else { 36 };
        let mut seen = std::collections::HashSet::new();
        let columns = filled(sweep, variant, 0, 8 * ROWS);
        for row in 0..8 * ROWS {
            let data = data(variant, &columns, row);
            let terms = terms(variant.dot(), &data).unwrap();
            let leading: Vec<i32> = terms.iter().map(|term| term.leading()).collect();
            let largest = leading.iter().max().copied().unwrap_or(0);
            seen.extend(leading.iter().map(|leading| largest - leading));
        }
        let missing: Vec<i32> = (2..widest).filter(|distance| !seen.contains(distance)).collect();
        assert!(missing.is_empty(), "{variant}: no distance {missing:?}");
    }
}

/// The vectors of `places` have one product, of elements that meet nothing but zeros elsewhere.
#[test]
fn single_products_are_single() {
    let sweep = DotSweep::named("places").unwrap();
    for variant in some() {
        let columns = filled(sweep, variant, 0, 8);
        for row in 0..8 {
            let data = data(variant, &columns, row);
            assert_eq!(terms(variant.dot(), &data).unwrap().len(), 1, "{variant}");
        }
        // The next eight have the same products.
        let columns = filled(sweep, variant, 8, 8);
        let products = |row: usize| {
            let mut data = data(variant, &columns, row);
            (data.controls.accumulate, data.controls.negate_a) = (false, data.controls.negate_b);
            let mut terms: Vec<_> = terms(variant.dot(), &data)
                .unwrap()
                .into_iter()
                .map(|term| (term.odd().negative, term.odd().magnitude, term.odd().exponent))
                .collect();
            terms.sort_unstable();
            terms
        };
        assert!((1..8).all(|row| products(row) == products(0)), "{variant}");
    }
}

/// The sweep `subnormal` has a term of the smallest number, or half of it, and another term at the last bit that
/// alignment to a zero's exponent keeps, where products are that small.
#[test]
fn the_exponent_of_zeros_is_met() {
    for text in [
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e5m2.e3m2.f32.ue8m0",
    ] {
        let variant = text.parse().unwrap();
        let met = share("subnormal", &variant, |data| {
            let format = variant.dot().d;
            let leading = |term: &Number| term.leading();
            let terms: Vec<i32> = terms(variant.dot(), data).unwrap().iter().map(leading).collect();
            let (high, low) = (terms.iter().max(), terms.iter().min());
            let tips = |low: i32| (26..=34).contains(&(format.exponent_min() - low));
            let smallest = format.exponent_of_lsb();
            terms.len() == 2
                && high.is_some_and(|&high| high == smallest || high == smallest - 1)
                && low.is_some_and(|&low| tips(low))
        });
        assert!(met >= 10, "{text}: {met} %");
    }
}

/// The sweep `padding` puts junk in a register's padding, and in no part of an element.
#[test]
fn padding_holds_junk() {
    let sweep = DotSweep::named("padding").unwrap();
    for variant in representatives().into_iter().filter(|variant| applies(sweep, variant)) {
        let columns = filled(sweep, variant, 0, 4);
        for (operand, column) in variant.operands().iter().zip(&columns) {
            let multiplied = matches!(operand.role, Role::A | Role::B);
            let junk = |row: usize| {
                let row = column.row_bytes_of(row);
                (0..operand.elements as usize)
                    .any(|at| operand.register(row, at) & operand.padding() > 0)
            };
            assert_eq!((0..4).any(junk), multiplied && operand.ignored() > 0, "{variant}");
        }
    }
}

/// In most vectors of `scales`, the blocks do not all have the same scales, where there are several blocks.
#[test]
fn scales_differ() {
    let sweep = DotSweep::named("scales").unwrap();
    for variant in some().into_iter().filter(|variant| applies(sweep, variant)) {
        let distinct = share("scales", variant, |data| {
            data.scales[0].len() == 1 || data.scales[0].iter().any(|bits| *bits != data.scales[0][0])
        });
        assert!(distinct >= 50, "{variant}: {distinct} %");
    }
}

/// For the sweep `chain`, ascending order, descending order and ascending products rounded on their own give different
/// sums of f64.
#[test]
fn chains_depend_on_their_order() {
    let variant = "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64".parse().unwrap();
    let differ = |other: fn(&[(f64, f64)], f64) -> f64| {
        share("chain", &variant, |data| {
            let factors = data.a.iter().zip(&data.b);
            let factors: Vec<(f64, f64)> =
                factors.map(|(&a, &b)| (f64::from_bits(a), f64::from_bits(b))).collect();
            let c = f64::from_bits(data.c);
            let ascending = factors.iter().fold(c, |sum, &(a, b)| a.mul_add(b, sum));
            ascending != other(&factors, c)
        })
    };
    let descending = differ(|factors, c| factors.iter().rev().fold(c, |sum, &(a, b)| a.mul_add(b, sum)));
    let last = differ(|factors, c| factors.iter().fold(0.0, |sum: f64, &(a, b)| a.mul_add(b, sum)) + c);
    let unfused = differ(|factors, c| factors.iter().fold(c, |sum, &(a, b)| sum + a * b));
    assert!(descending >= 50 && last >= 50 && unfused >= 25, "{descending} {last} {unfused}");
}

/// The largest term of `largest` is the addend, or a product whose leading bit is above its exponent.
#[test]
fn the_largest_term_is_now_one_now_another() {
    for variant in some() {
        let dot = variant.dot();
        let addend = share("largest", variant, |data| {
            let terms = terms(dot, data).unwrap();
            let largest = terms.iter().map(|term| term.leading()).max();
            let scale = i32::from(data.controls.addend_scale);
            largest == number(dot.c, data.c).map(|addend| addend.leading() - scale)
        });
        assert!((40..=95).contains(&addend), "{variant}: the addend is it in {addend} %");
    }
}
