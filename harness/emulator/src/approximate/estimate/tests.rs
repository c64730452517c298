use std::ops::RangeInclusive;

use formats::Format;
use sweeps::CounterRng;

use super::super::{Approximation, Real};
use super::*;
use crate::approximate;
use crate::fields::{BF16, F16, F32};
use crate::{Backend, Kernel};

/// A variant, and the function that gives its results by an estimate.
type EstimateCase = (Variant, Box<dyn Fn(u64) -> u64>);

fn cases() -> Vec<EstimateCase> {
    fn case(
        text: &str,
        function: impl EstimatedFunction,
        format: impl Spec<FloatFields>,
    ) -> EstimateCase {
        let variant: Variant = text.parse().expect("a variant");
        let undecided = UNDECIDED & variant.outputs()[0].format.mask();
        assert_ne!(variant.nan(), undecided);
        let estimated = Estimated::of(&variant, function, format);
        let compute = move |bits| estimated.of_words([Words([bits])]).0[0];
        (variant, Box::new(compute))
    }
    vec![
        case("ex2.approx.f32", Ex2, F32),
        case("ex2.approx.ftz.f32", Ex2, F32),
        case("ex2.approx.f16", Ex2, F16),
        case("ex2.approx.ftz.bf16", Ex2, BF16),
        case("lg2.approx.f32", Lg2, F32),
        case("lg2.approx.ftz.f32", Lg2, F32),
        case("rsqrt.approx.f32", Rsqrt, F32),
        case("rsqrt.approx.ftz.f32", Rsqrt, F32),
        case("sin.approx.f32", Sin, F32),
        case("sin.approx.ftz.f32", Sin, F32),
        case("cos.approx.f32", Cos, F32),
        case("cos.approx.ftz.f32", Cos, F32),
        case("tanh.approx.f32", Tanh, F32),
        case("tanh.approx.f16", Tanh, F16),
        case("tanh.approx.bf16", Tanh, BF16),
    ]
}

/// Returns operands of a format: all operands of 16 bits; otherwise, of each exponent and sign, the ends and others
/// between.
fn sample(format: &Format) -> Vec<u64> {
    if format.width() == 16 {
        return (0..1 << 16).collect();
    }
    let mut random = CounterRng::new(5, 0);
    let mut encodings = Vec::new();
    for leading in 0..1u64 << (format.width() - format.trailing_bits) {
        let first = leading << format.trailing_bits;
        let last = first | format.trailing_mask();
        encodings.extend((first..first + 16).chain(last - 16..=last));
        encodings.extend((0..512).map(|_| first | random.next() & format.trailing_mask()));
    }
    encodings
}

#[test]
fn what_is_decided_is_what_the_definition_gives() {
    for (variant, estimated) in cases() {
        let definition = Kernel::of(&variant, Backend::Scalar).expect("every CPU has this one");
        for bits in sample(variant.outputs()[0].format) {
            let (got, want) = (estimated(bits), definition.run_one(&[bits])[0]);
            assert!(got == UNDECIDED || got == want, "{variant} of {bits:#x}: {got:#x}, not {want:#x}");
        }
    }
}

/// Checks that few results are undecided: otherwise the definition would do the work.
#[test]
fn less_than_two_in_a_hundred_are_undecided() {
    for (variant, estimated) in cases() {
        let mut random = CounterRng::new(6, 0);
        let count = 1 << 16;
        let mask = variant.outputs()[0].format.mask();
        let undecided = (0..count).filter(|_| estimated(random.next() & mask) == UNDECIDED).count();
        assert!(undecided * 50 < count, "{variant}: {undecided} of {count}");
    }
}

type One = Words<u64, 1>;

/// Returns the largest difference of an estimate's significand from the definition's, in hundredths of `bound`
/// ([`PARTS`]), on f32 with exponents from a range. `estimate` gives nothing where it promises nothing.
fn largest_error(
    bound: u64,
    exponents: RangeInclusive<i32>,
    definition: fn(Real) -> Approximation,
    estimate: impl Fn(&Unpacked<One>) -> Option<Estimate<One>>,
) -> u64 {
    let mut random = CounterRng::new(7, 0);
    let mut largest = 0;
    for exponent in exponents.flat_map(|exponent| [exponent; 10_000]) {
        let draw = random.next();
        let trailing = draw & formats::F32.trailing_mask();
        let bits = (draw >> 63 << 31) | (((exponent + 127) as u64) << 23) | trailing;
        let Some(estimate) = estimate(&unpack(F32, false, Words([bits]))) else { continue };
        let value = definition(Real::new(draw >> 63 == 1, 1 << 23 | trailing, exponent - 23)).value;
        // Q66, of which the definition has Q63 with an exponent that may be another one.
        let got = i128::from(estimate.significand.0[0]) << (66 - SIGNIFICAND);
        let places = 66 - 63 + value.exponent + 127 - estimate.exponent.0[0] as i32;
        let difference = (i128::from(value.significand) << places) - got;
        largest = largest.max((difference >> (66 - SIGNIFICAND)).unsigned_abs());
    }
    (largest * PARTS as u128 / u128::from(bound)) as u64
}

/// The number of parts that a bound is divided into.
const PARTS: u64 = 100;

#[test]
fn errors_are_well_below_their_bounds() {
    let format = F32.get();
    let positive = |a: &Unpacked<One>| a.negative.0[0] == 0;
    let trigonometric = |quarter| {
        move |a: &Unpacked<One>| {
            let (_, estimate, near) = trigonometric::estimate(format, a, quarter);
            (near.0[0] != 0).then_some(estimate)
        }
    };
    let errors = [
        largest_error(exponential::BOUND, -40..=6, approximate::ex2, |a| Some(Ex2.estimate(format, a))),
        largest_error(logarithm::BOUND, -8..=8, approximate::lg2, |a| {
            positive(a).then(|| Lg2.estimate(format, a).1)
        }),
        largest_error(reciprocal_root::BOUND, -4..=4, approximate::rsqrt, |a| {
            positive(a).then(|| Rsqrt.estimate(format, a))
        }),
        largest_error(tangent::BOUND, -12..=5, approximate::tanh, |a| Some(Tanh.estimate(format, a))),
        largest_error(trigonometric::BOUND, -12..=127, approximate::sin, trigonometric(0)),
        largest_error(trigonometric::BOUND, -30..=127, approximate::cos, trigonometric(1)),
    ];
    // And not so far below that something else would be estimated.
    assert!(errors.iter().all(|error| (PARTS / 50..PARTS * 2 / 3).contains(error)), "{errors:?}");
}
