//! The sweep `places`: which element meets which, by a single product, and by the same terms in other places.

use formats::Format;

use super::term::{ExponentRange, number, ordinary};
use super::{DotSweep, Length, Maker, exact, random};

pub const SWEEP: DotSweep = DotSweep {
    name: "places",
    targets: "Elements of A that meet others of B than they should: layouts, metadata, lanes.",
    length: |_| Length::Endless,
    make,
};

/// Number of consecutive vectors that have the same terms.
const ALIKE: u64 = 8;

/// Makes eight vectors in turn of one product each, and eight of the same terms in other places.
fn make(maker: &mut Maker) {
    match maker.index / ALIKE % 2 {
        0 => write_one_product(maker),
        _ => permuted(maker),
    }
}

/// Writes one product that is not zero, a number that tells its place; in every other place A or B is zero.
fn write_one_product(maker: &mut Maker) {
    let terms = maker.terms();
    // Vectors with one product are numbered without the runs of permuted ones between them.
    let hot = (maker.index / (2 * ALIKE) * ALIKE + maker.index % ALIKE) as usize % terms;
    for k in 0..terms {
        let side = maker.draws.flag();
        if side && k != hot {
            maker.a[k] = ordinary(maker.dot.a, &mut maker.draws);
        } else if k != hot {
            maker.b[k] = ordinary(maker.dot.b, &mut maker.draws);
        }
    }
    let negative = maker.draws.flag();
    let [first, second] = [maker.dot.a, maker.dot.b];
    let digit = distinct(first, hot);
    maker.a[hot] = digit | if negative { first.sign_mask() } else { 0 };
    maker.b[hot] = distinct(second, hot / 3);
}

/// Returns number `nth` of those that a format has from 1 up to its largest: powers of two and odd numbers. After the
/// last number they begin again.
fn distinct(format: &Format, nth: usize) -> u64 {
    let significands = 1 << format.trailing_bits.min(2);
    let ExponentRange { high, .. } = ExponentRange::of(format, 2 * significands as u128 - 1);
    let nth = nth % (significands * (high.min(3) + 1) as usize);
    number(format, false, (significands + nth % significands) as u128, (nth / significands) as i32)
}

/// Writes terms that several consecutive vectors share, in another order in each.
fn permuted(maker: &mut Maker) {
    let terms = maker.terms();
    // The vector number is one that no vector of a run has, so that these draws are nobody else's.
    let shared = maker.draws_of(!(maker.index / ALIKE));
    let own = std::mem::replace(&mut maker.draws, shared);
    match maker.draws.flag() {
        true => exact::small(maker),
        false => random::elements(maker),
    }
    maker.draws = own;
    // A Fisher-Yates shuffle, by the vector's own draws.
    for k in (1..terms).rev() {
        let other = maker.pick(k + 1);
        maker.a.swap(k, other);
        maker.b.swap(k, other);
    }
}
