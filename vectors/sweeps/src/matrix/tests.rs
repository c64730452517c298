//! Tests of what the sweeps of dot products promise, measured on representatives of every kind of variant.

mod discarded;
mod document;
mod law;
mod reach;
mod tiles;
mod zeros;

use std::collections::HashMap;

use formats::{Column, Format};
use isa::matrix::{Dot, MatrixVariant, columns_for};

use super::{DotData, DotSweep, Length, Role};
use crate::bit_length;

/// Number of vectors that each measurement looks at.
const ROWS: usize = 128;

/// Returns one variant of every dot product, in the table's order.
fn representatives() -> Vec<&'static MatrixVariant> {
    let mut seen = HashMap::new();
    let mut kept = Vec::new();
    for variant in MatrixVariant::all() {
        let key = format!("{:?} {} {:?}", variant.dot(), variant.words()[0], variant.operands());
        if seen.insert(key, ()).is_none() {
            kept.push(variant);
        }
    }
    kept
}

/// Returns every seventh representative, and those whose addend is of another format than the result.
fn some() -> Vec<&'static MatrixVariant> {
    let all = representatives().into_iter().enumerate();
    all.filter(|(at, v)| at % 7 == 0 || v.dot().c != v.dot().d).map(|(_, variant)| variant).collect()
}

fn filled(sweep: &DotSweep, variant: &MatrixVariant, first: u64, rows: usize) -> Vec<Column> {
    let mut columns = columns_for(variant, rows);
    sweep.fill(variant, 1, first, &mut columns);
    columns
}

fn data(variant: &MatrixVariant, columns: &[Column], row: usize) -> DotData {
    let mut data = DotData::new(variant.dot());
    data.read(variant.dot(), variant.operands(), columns, row);
    data
}

fn applies(sweep: &DotSweep, variant: &MatrixVariant) -> bool {
    sweep.length(variant) != Length::None
}

/// A number, `magnitude × 2^exponent` with a sign.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Number {
    negative: bool,
    magnitude: u128,
    exponent: i32,
}

impl Number {
    /// Returns the exponent of the leading bit.
    fn leading(self) -> i32 {
        self.exponent + bit_length(self.magnitude) - 1
    }

    /// Returns the number with an odd magnitude, so that equal numbers compare as equal.
    fn odd(self) -> Number {
        let zeros = self.magnitude.trailing_zeros().min(127);
        Number { magnitude: self.magnitude >> zeros, exponent: self.exponent + zeros as i32, ..self }
    }

    fn times(self, other: Number) -> Number {
        Number {
            negative: self.negative != other.negative,
            magnitude: self.magnitude * other.magnitude,
            exponent: self.exponent + other.exponent,
        }
    }
}

fn number(format: &Format, bits: u64) -> Option<Number> {
    let (magnitude, exponent) = format.decode(bits)?;
    Some(Number { negative: format.is_negative(bits), magnitude: magnitude.into(), exponent })
}

/// Returns the terms as they are added, zeros left out, the addend last; `None` where a term is not finite.
fn terms(dot: &Dot, data: &DotData) -> Option<Vec<Number>> {
    let mut terms = Vec::new();
    for (k, &place) in data.places.iter().enumerate() {
        let mut term = number(dot.a, data.a[k])?.times(number(dot.b, data.b[place])?);
        if let Some(scales) = dot.scales {
            let block = k * data.scales[0].len() / data.a.len();
            for side in &data.scales {
                term = term.times(number(scales.format, side[block])?);
            }
        }
        term.negative ^= data.controls.negate_a != data.controls.negate_b;
        terms.push(term);
    }
    if data.controls.accumulate {
        let addend = number(dot.c, data.c)?;
        let exponent = addend.exponent - i32::from(data.controls.addend_scale);
        terms.push(Number { exponent, ..addend });
    }
    terms.retain(|term| term.magnitude > 0);
    Some(terms)
}

#[test]
fn names_are_unique_and_found() {
    for sweep in DotSweep::all() {
        assert_eq!(DotSweep::named(sweep.name).map(|found| found.targets), Some(sweep.targets));
        assert!(!sweep.targets.contains("  "), "{}", sweep.name);
    }
    assert!(DotSweep::named("no such").is_none());
}

/// The sweep `chain` is for operands of 16 bits and more, `scales` and `padding` for variants that have some, and
/// `unselected` for a sparse A and a B whose format has more than numbers. All other sweeps are for every variant.
#[test]
fn every_variant_has_the_sweeps_that_it_should() {
    for variant in MatrixVariant::all() {
        let dot = variant.dot();
        for sweep in DotSweep::all() {
            let expected = match sweep.name {
                "chain" => dot.a.width() >= 16,
                "scales" => dot.scales.is_some(),
                "unselected" => {
                    dot.sparsity.is_some() && !["e2m1", "e2m3", "e3m2"].contains(&dot.b.name)
                }
                "padding" => {
                    let padded = |role: Role| {
                        variant.operands().iter().any(|o| o.role == role && o.ignored() > 0)
                    };
                    let tf32 = dot.a.name == "tf32";
                    (padded(Role::A) || padded(Role::B))
                        && (!tf32 || variant.text().starts_with("wgmma"))
                }
                _ => true,
            };
            assert_eq!(applies(sweep, variant), expected, "{} of {variant}", sweep.name);
        }
    }
}

#[test]
fn a_range_is_its_parts() {
    for variant in some() {
        for sweep in DotSweep::all().iter().filter(|sweep| applies(sweep, variant)) {
            // The highest numbers, where arithmetic on them would overflow first.
            let first = u64::MAX - 20;
            let whole = filled(sweep, variant, first, 12);
            for row in 0..12 {
                let part = filled(sweep, variant, first + row as u64, 1);
                for (whole, part) in whole.iter().zip(&part) {
                    assert_eq!(
                        whole.row_bytes_of(row),
                        part.row_bytes_of(0),
                        "{} {variant}",
                        sweep.name
                    );
                }
            }
        }
    }
}

/// Nine of ten vectors multiply something, and no eight vectors in a row are equal.
#[test]
fn vectors_are_not_vacuous() {
    for variant in some() {
        let dot = variant.dot();
        for sweep in DotSweep::all().iter().filter(|sweep| applies(sweep, variant)) {
            let columns = filled(sweep, variant, 7, ROWS);
            let zero = |format: &Format, bits: u64| bits & format.magnitude_mask() == 0;
            let nonzero = (0..ROWS).filter(|&row| {
                let data = data(variant, &columns, row);
                let mut pairs = data.a.iter().zip(&data.places);
                pairs.any(|(&a, &place)| !zero(dot.a, a) && !zero(dot.b, data.b[place]))
            });
            let share = nonzero.count();
            assert!(
                share * 10 >= ROWS * 9 || ["specials", "zeros"].contains(&sweep.name),
                "{} of {variant}: {share} of {ROWS} have a product",
                sweep.name
            );
            for first in 0..ROWS - 8 {
                let same = |row: &usize| {
                    columns.iter().all(|column| column.row_bytes_of(*row) == column.row_bytes_of(first))
                };
                assert!((first..first + 8).filter(same).count() < 8, "{} of {variant}", sweep.name);
            }
        }
    }
}
