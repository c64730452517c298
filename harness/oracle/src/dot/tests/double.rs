//! Tests of sums of f64, of which each operation is rounded as the instruction says.

use super::*;

const MINUS: u64 = 1 << 63;
const ONE: u64 = 0x3ff0_0000_0000_0000;
const LARGEST: u64 = 0x7fef_ffff_ffff_ffff;
const INFINITY: u64 = LARGEST + 1;

/// Returns whether each of `results` is right for a sum of `terms`, in a rounding and with a sign. With the sign
/// `MINUS`, terms, rounding and results are mirrored.
fn right<const N: usize>(rounding: &str, sign: u64, terms: &[u64], results: [u64; N]) -> [bool; N] {
    let rounding = match rounding {
        ".rm" if sign == MINUS => ".rp",
        ".rp" if sign == MINUS => ".rm",
        other => other,
    };
    let text = format!("mma.sync.aligned.m16n8k16.row.col{rounding}.f64.f64.f64.f64");
    let products: Vec<_> = terms.iter().map(|term| (term ^ sign, ONE)).collect();
    accepted(&text, &products, 0, results.map(|result| result ^ sign))
}

/// Checks what a sum that overflows becomes in each rounding: toward zero nothing becomes infinite.
#[test]
fn roundings_that_are_stated_say_what_overflows() {
    for sign in [0, MINUS] {
        let twice = |rounding| right(rounding, sign, &[LARGEST; 2], [LARGEST, INFINITY]);
        assert_eq!([".rz", ".rm"].map(twice), [[true, false]; 2]);
        assert_eq!(["", ".rn", ".rp"].map(twice), [[false, true]; 3]);
    }
}

/// Checks that what follows is added to the largest number, where a sum that overflows is that number.
#[test]
fn from_the_largest_number_a_sum_goes_on() {
    let less = MINUS | 0x7830_0000_0000_0000;
    for sign in [0, MINUS] {
        // Each of 2^900 takes a unit of the largest number, toward zero and down.
        let terms = [LARGEST, LARGEST, less, less, less, less];
        let results = [LARGEST, LARGEST - 4, INFINITY, ONE, 0, MINUS | ONE];
        let of = |rounding| right(rounding, sign, &terms, results);
        assert_eq!([".rz", ".rm"].map(of), [[true, true, false, false, false, false]; 2]);
        assert_eq!(["", ".rn", ".rp"].map(of), [[false, false, true, false, false, false]; 3]);
        // By one order the largest number is taken from itself.
        let terms = [LARGEST, LARGEST, MINUS | LARGEST];
        let results = [LARGEST, 0, INFINITY, MINUS | less];
        let of = |rounding| right(rounding, sign, &terms, results);
        assert_eq!(of(".rz")[..3], [true, true, false]);
        assert_eq!(of(".rm")[..3], [true, true, false]);
        assert_eq!(["", ".rn", ".rp"].map(of), [[true, false, true, false]; 3]);
    }
}

/// Checks that one product and the addend are rounded once: (1 + 2^-52)² is 1 + 2^-51 + 2^-104, and with one product
/// nothing is left to an order.
#[test]
fn one_product_of_f64_is_rounded_once() {
    let beside = ONE + 1;
    let square = ONE + 2;
    let once = |rounding: &str, c: u64, results: [u64; 3]| {
        let text = format!("mma.sync.aligned.m16n8k16.row.col{rounding}.f64.f64.f64.f64");
        accepted(&text, &[(beside, beside)], c, results)
    };
    for (rounding, above) in [("", 0), (".rn", 0), (".rz", 0), (".rm", 0), (".rp", 1)] {
        let results = [square + above, square + 1 - above, square - 1];
        assert_eq!(once(rounding, MINUS, results), [true, false, false], "{rounding}");
        // The addend takes all but 2^-104, which is rounded no more.
        let rest = 0x3970_0000_0000_0000;
        let results = [rest, rest + 1, rest - 1];
        assert_eq!(once(rounding, MINUS | square, results), [true, false, false], "{rounding}");
    }
    // A product of `wmma` may be rounded by itself, and is alone all that there is to round.
    let wmma = "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64";
    let (apart, d) = truth(wmma, &[(beside, beside)], MINUS | square);
    assert!(apart.accepts(d, 0) && apart.accepts(d, 0x3970_0000_0000_0000));
    let (alone, d) = truth(wmma, &[(beside, beside)], MINUS);
    assert!(alone.accepts(d, square) && !alone.accepts(d, square + 1));
}

/// Checks that the addend comes before the products: a chain that begins with zero, an unfused product and one that is
/// cut off are refused, in each rounding in which they differ.
#[test]
fn a_chain_of_f64_begins_with_the_addend() {
    // −2^-844 times 2^-231, which is below half of the smallest number, at the fourth place.
    let product = (0x8b30_0000_0000_0000, 0x3180_0000_0000_0000);
    let of = |rounding: &str| {
        let text = format!("mma.sync.aligned.m16n8k16.row.col{rounding}.f64.f64.f64.f64");
        let products = [(0, 0), (0, 0), (0, 0), (0, 0), product];
        accepted(&text, &products, ONE, [ONE - 1, ONE, ONE - 2])
    };
    assert_eq!([".rz", ".rm"].map(of), [[true, false, false]; 2]);
    assert_eq!(["", ".rn", ".rp"].map(of), [[false, true, false]; 3]);
    // (1 + 2^-52)(1 − 2^-52) is 1 − 2^-104: rounded by itself it is 1, and cut off it is the number below.
    let [above, below] = [ONE + 1, ONE - 2];
    for shape in ["m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"] {
        let text = format!("mma.sync.aligned.{shape}.row.col.f64.f64.f64.f64");
        let tail = MINUS | 0x3970_0000_0000_0000;
        let [unfused, cut] = [0, MINUS | 0x3ca0_0000_0000_0000];
        let right = accepted(&text, &[(above, below)], MINUS | ONE, [tail, unfused, cut]);
        assert_eq!(right, [true, false, false], "{shape}");
    }
}

/// Checks sums of 1 and thrice 2^-53: each addition is a tie by itself, and to nearest or not there is a side on
/// which no order ends.
#[test]
fn sums_of_f64_lie_on_the_side_of_their_rounding() {
    let half = 0x3ca0_0000_0000_0000;
    for sign in [0, MINUS] {
        let of = |rounding| {
            let results = [ONE - 2, ONE, ONE + 1, ONE + 2, ONE + 3, ONE + 5];
            right(rounding, sign, &[half, half, half, ONE], results)
        };
        // Down, the sum is 1 + 2^-52 at most; up, it is 1 + 2^-52 at least.
        assert_eq!([".rm", ".rz"].map(of), [[true, true, true, false, false, false]; 2]);
        assert_eq!(of(".rp"), [false, false, false, true, true, true]);
        assert_eq!([".rn", ""].map(of), [[false, true, true, true, true, false]; 2]);
    }
}

/// Checks sums of 1, −1 and 2^-54 toward zero: where 1 or −1 meets 2^-54 first, the sum is 0 or 2^-53.
#[test]
fn toward_zero_terms_of_both_signs_leave_no_side_out() {
    let [quarter, half] = [0x3c90_0000_0000_0000, 0x3ca0_0000_0000_0000];
    for sign in [0, MINUS] {
        let terms = [ONE, MINUS | ONE, quarter];
        assert_eq!(right(".rz", sign, &terms, [0, quarter, half, ONE]), [true, true, true, false]);
    }
}
