use vectors::format::{self, Format};
use vectors::sweep::CounterRng;

use super::super::{Approximation, Real};
use super::*;
use crate::approximate;
use crate::fields::{BF16, F16, F32};
use crate::{Backend, Kernel};

/// A variant, and its results by an estimate.
type Case = (Variant, Box<dyn Fn(u64) -> u64>);

fn cases() -> Vec<Case> {
    fn case(text: &str, function: impl Function, format: impl Spec<FloatFields>) -> Case {
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

/// Of each exponent and sign the ends and others between; of 16 bits all.
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

/// Otherwise the definition would do the work.
#[test]
fn less_than_two_in_a_hundred_are_undecided() {
    for (variant, estimated) in cases() {
        let mut random = CounterRng::new(6, 0);
        let count = 1 << 16;
        let undecided = (0..count).filter(|_| {
            let bits = random.next() & variant.outputs()[0].format.mask();
            estimated(bits) == UNDECIDED
        });
        let undecided = undecided.count();
        eprintln!("{variant} {undecided}");
        assert!(undecided * 50 < count, "{variant}: {undecided} of {count}");
    }
}

/// The largest difference of significands from the definition's, in Q62, for exponents from `range`.
fn largest_error(
    range: std::ops::RangeInclusive<i32>,
    estimate: impl Fn(&Unpacked<Words<u64, 1>>) -> Option<Estimate<Words<u64, 1>>>,
    definition: fn(Real) -> Approximation,
) -> u64 {
    let mut random = CounterRng::new(7, 0);
    let mut largest = 0;
    for exponent in range {
        for negative in [false, true] {
            for _ in 0..20_000 {
                let trailing = random.next() & format::F32.trailing_mask();
                let magnitude = ((exponent + 127) as u64) << 23 | trailing;
                let bits = magnitude | u64::from(negative) << 31;
                let Some(estimate) = estimate(&unpack(F32, false, Words([bits]))) else { continue };
                let value = definition(Real::new(negative, 1 << 23 | trailing, exponent - 23)).value;
                let got = (estimate.significand.0[0] as i128) << 4;
                let places = value.exponent + 127 - estimate.exponent.0[0] as i32 + 3;
                let want = (value.significand as i128) << places;
                largest = largest.max((got - want).unsigned_abs() >> 4);
            }
        }
    }
    largest as u64
}

#[test]
fn errors_are_below_their_bounds() {
    let format = F32.get();
    let positive = |a: &Unpacked<Words<u64, 1>>| a.negative.0[0] == 0;
    let errors = [
        ("ex2", exponential::BOUND, largest_error(-40..=6, |a| Some(Ex2.estimate(format, a)), approximate::ex2)),
        ("lg2", logarithm::BOUND, largest_error(-4..=4, |a| positive(a).then(|| Lg2.estimate(format, a).1), approximate::lg2)),
        ("rsqrt", root::BOUND, largest_error(-4..=4, |a| positive(a).then(|| Rsqrt.estimate(format, a)), approximate::rsqrt)),
        ("tanh", tangent::BOUND, largest_error(-12..=5, |a| Some(Tanh.estimate(format, a)), approximate::tanh)),
        ("sin", trigonometric::BOUND, largest_error(-12..=127, |a| { let (_, e, near) = trigonometric::estimate(format, a, 0); (near.0[0] != 0).then_some(e) }, approximate::sin)),
        ("cos", trigonometric::BOUND, largest_error(-30..=127, |a| { let (_, e, near) = trigonometric::estimate(format, a, 1); (near.0[0] != 0).then_some(e) }, approximate::cos)),
    ];
    for (name, bound, error) in errors {
        eprintln!("{name} error {:.3} of bound", error as f64 / bound as f64);
    }
}
