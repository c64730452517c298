//! Tests of the exactness law: in every order, partial sums are numbers of the accumulator.

use formats::Class;

use super::*;
use crate::matrix::Maker;
use crate::matrix::exact::magnitude_room;

#[test]
fn exact_sums_are_exact_in_every_order() {
    let sweep = DotSweep::named("exact").unwrap();
    let (mut full, mut rows) = (0, 0);
    for variant in representatives() {
        let (dot, room) = (variant.dot(), magnitude_room(&Maker::new(variant)));
        let columns = filled(sweep, variant, 100, ROWS / 4);
        let mut products = 0;
        for row in 0..ROWS / 4 {
            let data = data(variant, &columns, row);
            let terms = terms(dot, &data).expect("numbers");
            products += terms.len();
            let quantum = terms.iter().map(|term| term.odd().exponent).min().unwrap_or(0);
            let short = |term: &Number| term.leading() - quantum <= room;
            assert!(terms.iter().all(short), "{variant} row {row}: a term beyond 2^{room} quanta");
            let quanta = |term: Number| term.magnitude << (term.exponent - quantum);
            let quanta: u128 = terms.iter().map(|term| quanta(term.odd())).sum();
            assert!(quanta <= 1 << room, "{variant} row {row}: 2^{} quanta", bit_length(quanta) - 1);
            (full, rows) = (full + usize::from(bit_length(quanta) >= room - 1), rows + 1);
            // Partial sums are multiples of the quantum up to the whole.
            assert!(quantum >= dot.d.exponent_of_lsb() && room <= dot.d.precision() as i32, "{variant}");
            assert!(quantum + bit_length(quanta) - 1 <= dot.d.exponent_max(), "{variant}");
            let normal = |format: &Format, bits: u64| format.class(bits) != Class::Subnormal;
            assert!(data.a.iter().all(|&bits| normal(dot.a, bits)), "{variant}");
            assert!(
                data.b.iter().all(|&bits| normal(dot.b, bits)) && normal(dot.c, data.c),
                "{variant}"
            );
        }
        let all = ROWS / 4 * dot.stored() as usize;
        assert!(products * 10 >= all * 9, "{variant}: {products} of {all} products");
    }
    assert!(full * 5 > rows, "the upper quarter of the room is used by {full} of {rows}");
}
