use super::*;
use formats::{F16, F64};
use isa::Contract;
use rug::Rational;
use rug::ops::Pow;
use sweeps::CounterRng;

/// Returns zeros, infinities, negative numbers and NaNs of a format.
fn special_inputs(format: &Format) -> Vec<u64> {
    let (sign, infinity) = (format.sign_mask(), format.infinity().unwrap());
    let numbers = [format.min_normal(), format.one(), format.max_finite()];
    let nans = [infinity | 1, infinity | format.quiet_bit(), format.magnitude_mask()];
    let both = [0, infinity].into_iter().chain(nans).flat_map(|bits| [bits, sign | bits]);
    both.chain(numbers.map(|bits| sign | bits)).collect()
}

/// Holds the manual's tables of special inputs against the functions that they are about, as MPFR has them.
#[test]
fn the_tables_of_special_inputs_say_what_mpfr_says() {
    let mut seen = 0;
    for variant in Variant::all() {
        let Contract::Within(accuracy) = variant.form().contract else { continue };
        let mut approximate = Approximate::new(variant, accuracy);
        assert_eq!(approximate.arity == 2, accuracy.specials.is_empty(), "{variant}");
        if accuracy.specials.is_empty() {
            continue;
        }
        let format = approximate.formats[0];
        for bits in special_inputs(format) {
            let bits = approximate.inputs([bits, 0])[0];
            let (class, negative) = (format.class(bits), format.is_negative(bits));
            let Some(special) = approximate.specials.of(class, negative) else {
                assert_eq!(class, Class::Normal, "{variant} {bits:#x} has no row");
                continue;
            };
            approximate.compute([bits, 0]);
            let by_mpfr = approximate.nearest();
            // MPFR has +∞ for 1/√−0.
            let differs = approximate.op == Op::Rsqrt && (class, negative) == (Class::Zero, true);
            let by_mpfr = if differs { by_mpfr | approximate.result.sign_mask() } else { by_mpfr };
            assert_eq!(special.bits, by_mpfr, "{variant} {bits:#x}");
            assert_eq!(approximate.lane([bits, 0]).0, by_mpfr, "{variant} {bits:#x}");
            seen += 1;
        }
    }
    assert!(seen > 250, "only {seen} special inputs");
}

/// Returns the approximation of the variant with this name.
fn approximate(text: &str) -> Approximate {
    let variant: Variant = text.parse().unwrap();
    let Contract::Within(accuracy) = variant.form().contract else { panic!("{text} is exact") };
    Approximate::new(&variant, accuracy)
}

/// Returns a value of f64 plus a part of the unit of its last place, as a fraction.
fn with_part(value: f64, part: f32) -> Rational {
    let exponent = ((value.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-1022);
    Rational::from_f64(value).unwrap() + (Rational::from_f32(part).unwrap() << (exponent - 52))
}

/// Returns positive numbers of f64: some near which the functions come close to a number or a middle between two,
/// powers of two, subnormal ones, and some anywhere.
fn positive_numbers() -> impl Iterator<Item = u64> {
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    // 1,188,813 divides 2^74 − 1.
    let near = [ONE + 1, ONE - 2, 1_188_813f64.to_bits(), ONE - 1, ONE + 3];
    let powers = (0..2046).step_by(97).map(|exponent| (exponent + 1) << 52);
    let subnormal = [1, 3, 0x000f_ffff_ffff_ffff];
    let anywhere = (0..100).map(|at| CounterRng::new(0x5eed, at).next() % F64.max_finite() + 1);
    near.into_iter().chain(powers).chain(subnormal).chain(anywhere)
}

/// Holds [`Interval::rest`] against fractions: for a reciprocal y of x, x·y is 1, and for the reciprocal of a root,
/// x·y² is. A rest that is not zero keeps away from zero and from a half, by as much as it may be wrong.
#[test]
fn the_rest_is_what_f64_lacks_of_an_exact_value() {
    const WRONG: f32 = 1.0 / 1048576.0;
    let (mut zeros, mut least, mut most) = (0, 1f32, 0f32);
    for (text, is_root) in
        [("rcp.approx.ftz.f64", false), ("rsqrt.approx.f64", true), ("rsqrt.approx.ftz.f64", true)]
    {
        let mut of_variant = approximate(text);
        for given in positive_numbers() {
            let [bits, _] = of_variant.inputs([given, 0]);
            let (_, interval) = of_variant.lane([bits, 0]);
            let Interval { range: Some(_), exact, rest, .. } = interval else { continue };
            let shown = format!("{text} {bits:#x} {exact:e} {rest:e}");
            let x = Rational::from_f64(f64::from_bits(bits)).unwrap();
            // Returns how the number so many units above what f64 has compares with the exact value.
            let place = |part: f32| {
                let y = with_part(exact, part);
                let y = if is_root { Rational::from(y.square_ref()) } else { y };
                (y * &x).cmp(&Rational::from(1))
            };
            if rest == 0.0 {
                assert!(place(0.0).is_eq(), "{shown}");
                zeros += 1;
                continue;
            }
            let (size, middle) = (rest.abs(), 0.5f32.copysign(rest));
            assert!((WRONG..=0.5 - WRONG).contains(&size), "{shown}");
            assert!(place(rest - WRONG).is_lt() && place(rest + WRONG).is_gt(), "{shown}");
            assert_eq!(
                [place(0.0), place(middle)].map(|it| it.is_lt()),
                [rest > 0.0, rest < 0.0],
                "{shown}"
            );
            (least, most) = (least.min(size), most.max(size));
            if !is_root {
                let (_, negative) = of_variant.lane([bits | F64.sign_mask(), 0]);
                assert_eq!((negative.exact, negative.rest), (-exact, -rest), "{shown}");
            }
        }
    }
    assert!(zeros > 20 && least == WRONG && most == 0.5 - WRONG, "{zeros} {least:e} {most}");
    let (_, third) = approximate("rcp.approx.ftz.f32").lane([0x4040_0000, 0]);
    assert_eq!((third.exact, third.rest), (1.0 / 3.0, 0.0));
}

/// Checks that the power of a bound is 2 to the power that the manual states, a multiple of a thousandth. For bounds
/// in units, and where nothing is stated, it is 1.
#[test]
fn powers_of_bounds_are_those_of_the_contract() {
    let mut seen = 0;
    for variant in Variant::all() {
        let Contract::Within(accuracy) = variant.form().contract else { continue };
        let of_variant = Approximate::new(variant, accuracy);
        for (at, range) in accuracy.ranges.iter().enumerate() {
            let power = of_variant.power(at);
            let (Bound::Absolute(log2) | Bound::Relative(log2)) = range.bound else {
                assert_eq!(power, 1.0, "{variant} {}", range.name);
                continue;
            };
            let thousandths = (1000.0 * log2).round();
            assert_eq!(thousandths / 1000.0, log2, "{variant} {}", range.name);
            let thousandfold = |power: f64| Rational::from_f64(power).unwrap().pow(1000);
            let stated = Rational::from(1) << thousandths as i32;
            // The power stated is itself rounded to f64.
            let beside = power * 8.0 * f64::EPSILON;
            let holds = thousandfold(power - beside) < stated && stated < thousandfold(power + beside);
            assert!(holds, "{variant} {}: {power:e}", range.name);
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} stated bounds");
}

/// Returns bits of f16, and the number that they are: those whose power of two is subnormal or nearly so.
fn exponents_of_subnormal_powers() -> impl Iterator<Item = (u64, f64)> {
    // −13 to −26.
    (0xca80..0xce80).map(|bits| {
        let (significand, exponent) = F16.decode(bits).unwrap();
        (bits, -(significand as f64) * 2f64.powi(exponent))
    })
}

/// Checks that a subnormal power of two may be a unit in the last place away, where 2^-9.9 of it is less.
#[test]
fn a_unit_is_granted_where_the_bound_of_a_subnormal_power_is_less() {
    let variant: Variant = "ex2.approx.f16".parse().unwrap();
    let (unit, smallest_normal) = (2f64.powi(-24), 2f64.powi(-14));
    let (mut granted, mut refused) = (0, 0);
    for (bits, x) in exponents_of_subnormal_powers() {
        let exact = x.exp2();
        let bound = exact * (-9.9f64).exp2();
        let least = exact < smallest_normal && bound < unit;
        let size = if least { unit } else { bound };
        let promise = describe_element(&variant, &[bits]).unwrap().promise.unwrap();
        assert_eq!(promise.least, least, "{x}");
        let [low, high] = promise.ends.unwrap();
        let near = |end: f64, right: f64| (end - right).abs() <= right.abs() * 1e-12 + unit * 1e-12;
        assert!(near(low, (exact - size).max(0.0)) && near(high, exact + size), "{x}: {low:e} {high:e}");
        // Beyond the middle between two numbers lies what a unit grants.
        let (_, interval) = approximate("ex2.approx.f16").lane([bits, 0]);
        let is_subnormal = interval.point == Point::Subnormal;
        assert_eq!(is_subnormal, exact < smallest_normal, "{x}");
        if least { granted += 1 } else { refused += 1 }
    }
    assert!(granted > 700 && refused > 70, "{granted} {refused}");
    let single = describe_element(&"tanh.approx.f32".parse().unwrap(), &[1]).unwrap().promise.unwrap();
    assert!(!single.least, "{single}");
}

/// Checks that the smallest normal number is not among the results that `.ftz` makes zero.
#[test]
fn a_result_is_flushed_below_the_smallest_normal_number() {
    let variant: Variant = "ex2.approx.ftz.f32".parse().unwrap();
    let flushed = |x: f32| describe_element(&variant, &[x.to_bits().into()]).unwrap().result_flushed;
    assert_eq!([-125.0, -126.0, -126.00001, -127.0].map(flushed), [false, false, true, true]);
}

/// Checks that an absolute bound reaches across zero, however small the exact value is.
#[test]
fn an_absolute_bound_reaches_across_zero() {
    // 2^-130.
    let tiny = 1u64 << 19;
    for (given, sign) in [(tiny, 1), (tiny | 1 << 31, -1)] {
        let (_, interval) = approximate("sin.approx.f32").lane([given, 0]);
        let farthest = i64::from(((-20.5f64).exp2() as f32).to_bits());
        let across = if sign > 0 { -interval.low } else { interval.high };
        assert!((across - farthest).abs() <= 1, "{given:#x}: {} to {}", interval.low, interval.high);
    }
}

/// Checks that everything is told of one element in the words of `explain`: what is flushed, cut, looked up and
/// promised.
#[test]
fn of_one_element_everything_is_told() {
    let words = |text: &str, inputs: &[u64]| {
        let told = describe_element(&text.parse().unwrap(), inputs).unwrap();
        let mut words = vec![format!("{:e}", told.exact)];
        words
            .extend(told.flushed.iter().map(|flushed| if *flushed { "flushed" } else { "kept" }.into()));
        let facts = [(told.cut, "cut"), (told.by_table, "by table"), (told.result_flushed, "tiny")];
        words.extend(facts.into_iter().filter(|fact| fact.0).map(|fact| fact.1.into()));
        words.extend(told.promise.map(|promise| promise.to_string()));
        words.join("; ")
    };
    let zero = "|b| above 2^126: a zero of the exact value's sign, NaN where that is infinite";
    let unstated = "none is stated, and what is left is";
    #[rustfmt::skip] // a table
    let cases: [(&str, &[u64], String); 19] = [
        ("rcp.approx.f32", &[0x4040_0000],
            "3.333333333333333e-1; kept; 1 ulp from the correctly rounded result: \
             3.333333134651184e-1 to 3.333333730697632e-1".into()),
        ("rcp.approx.f32", &[0xc040_0000],
            "-3.333333333333333e-1; kept; 1 ulp from the correctly rounded result: \
             -3.333333730697632e-1 to -3.333333134651184e-1".into()),
        ("ex2.approx.f32", &[0xc2fe_0000],
            "5.877471754111438e-39; kept; 2 ulp from the correctly rounded result: \
             5.877468951514509e-39 to 5.877474556708366e-39".into()),
        ("ex2.approx.ftz.f32", &[0xc2fe_0000],
            "5.877471754111438e-39; kept; tiny; 2 ulp from the correctly rounded result: \
             5.877468951514509e-39 to 5.877474556708366e-39".into()),
        ("ex2.approx.ftz.f32", &[0xc348_0000],
            "6.223015277861142e-61; kept; tiny; 2 ulp from the correctly rounded result: \
             0e0 to 2.802596928649634e-45".into()),
        ("ex2.approx.ftz.f32", &[1], "1e0; flushed; by table".into()),
        ("rcp.approx.ftz.f64", &[0x3ff0_0000_0000_0001],
            format!("1e0; kept; cut; {unstated} a number of the right sign, of a magnitude from 2^-1022 to 2^1022")),
        ("rcp.approx.ftz.f64", &[1], "inf; flushed; by table".into()),
        ("tanh.approx.f32", &[1],
            "1.401298464324817e-45; kept; 2^-11 times the exact value, from that: \
             1.4006142365590335e-45 to 1.4019826920906007e-45".into()),
        ("sin.approx.f32", &[0x4e6e_6b28],
            format!("5.458434494486996e-1; kept; {unstated} at most 1 + 2^-14.7 in magnitude")),
        ("div.approx.f32", &[0x3f80_0000, 0x7e90_0000], format!("1.0448838673975888e-38; kept; kept; {zero}")),
        ("div.approx.ftz.f32", &[0x3f80_0000, 0x7e90_0000], format!("1.0448838673975888e-38; kept; kept; {zero}")),
        ("div.approx.ftz.f32", &[1, 0x3f80_0000], "0e0; flushed; kept".into()),
        ("div.approx.f32", &[0x7f80_0000, 0x7e90_0000], format!("inf; kept; kept; {zero}")),
        ("div.approx.f32", &[0, 0x7e90_0000], "0e0; kept; kept".into()),
        ("div.approx.f32", &[0, 0x3f80_0000], "0e0; kept; kept".into()),
        ("div.approx.f32", &[0x3f80_0000, 0x7f80_0000], "0e0; kept; kept".into()),
        ("div.approx.ftz.f32", &[0x0080_0000, 0x4000_0000],
            "5.877471754111438e-39; kept; kept; tiny; 2 ulp from the correctly rounded result: \
             5.877468951514509e-39 to 5.877474556708366e-39".into()),
        ("lg2.approx.f32", &[0x3f80_0000],
            "0e0; kept; 2^-22 from the exact value: -2.384185791015625e-7 to 2.384185791015625e-7".into()),
    ];
    for (text, inputs, wanted) in cases {
        assert_eq!(words(text, inputs), wanted, "{text} of {inputs:x?}");
    }
}
