//! Tests of the model of sums against results worked out by hand, and of its faults over every sweep.

mod faults;
mod probes;
mod sweeps;

use isa::Target;
use isa::matrix::{DotData, MatrixVariant};

fn target(name: &str) -> Target {
    name.parse().expect("a target")
}

fn variant(text: &str) -> MatrixVariant {
    text.parse().unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

/// Returns data of a sum with addend `c` and scales of 1. `terms` are places with factors in hexadecimal,
/// `0:3c00*3c00 2-5:0c00*0400`; a later term replaces an earlier one in its place.
fn data(variant: &MatrixVariant, terms: &str, c: u64) -> DotData {
    let mut data = DotData::new(variant.dot());
    data.c = c;
    for term in terms.split_whitespace() {
        let (places, product) = term.split_once(':').expect("a place");
        let (a, b) = product.split_once('*').expect("a product");
        let [a, b] = [a, b].map(|bits| u64::from_str_radix(bits, 16).expect("hexadecimal"));
        let (first, last) = places.split_once('-').unwrap_or((places, places));
        let [first, last] = [first, last].map(|place| place.parse::<usize>().expect("a number"));
        for k in first..=last {
            data.a[k] = a;
            let place = data.places[k];
            data.b[place] = b;
        }
    }
    let one = variant.dot().scales.map_or(0, |scales| scales.format.one());
    data.scales.iter_mut().for_each(|scales| scales.fill(one));
    data
}
