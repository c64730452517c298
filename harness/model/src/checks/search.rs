//! Tests of small formats as lists of all their numbers, written down from the standards' definitions: the number that
//! another one rounds to is searched for.

use formats::F16;
use isa::{Rounding, Variant};

use super::{Random, run, variants};

/// The numbers of a format that are not negative, in order, indexed by their codes.
struct Codes {
    numbers: Vec<f64>,
    nan: Option<u64>,
    infinity: Option<u64>,
    sign: u64,
}

/// Returns the numbers of the first `codes` codes of a float with this width of the trailing significand and bias.
fn floats(codes: u64, trailing: u32, bias: i32) -> Vec<f64> {
    let number = |code: u64| {
        let (field, fraction) = (code >> trailing, code & ((1 << trailing) - 1));
        let fraction = fraction as f64 / 2f64.powi(trailing as i32);
        match field {
            0 => fraction * 2f64.powi(1 - bias),
            field => (1.0 + fraction) * 2f64.powi(field as i32 - bias),
        }
    };
    (0..codes).map(number).collect()
}

impl Codes {
    fn of(name: &str) -> Codes {
        let (numbers, nan, infinity, sign) = match name.split('x').next().expect("a name") {
            "e4m3" => (floats(0x7f, 3, 7), Some(0x7f), None, 0x80),
            "e5m2" => (floats(0x7c, 2, 15), Some(0x7f), Some(0x7c), 0x80),
            "e2m3" => (floats(0x20, 3, 1), None, None, 0x20),
            "e3m2" => (floats(0x20, 2, 3), None, None, 0x20),
            "e2m1" => (floats(0x8, 1, 1), None, None, 0x8),
            "ue5m3" => (floats(0xff, 3, 15), Some(0xff), None, 0),
            "ue8m0" => ((0..0xff).map(|code| 2f64.powi(code - 127)).collect(), Some(0xff), None, 0),
            "e4m3fnuz" => (floats(0x80, 3, 8), Some(0x80), None, 0x80),
            "e5m2fnuz" => (floats(0x80, 2, 16), Some(0x80), None, 0x80),
            "f16" => (floats(0x7c00, 10, 15), Some(0x7fff), Some(0x7c00), 0x8000),
            "bf16" => (floats(0x7f80, 7, 127), Some(0x7fff), Some(0x7f80), 0x8000),
            "tf32" => (floats(0x3fc00, 10, 127), Some(0x3ffff), Some(0x3fc00), 0x40000),
            other => panic!("no list of {other}"),
        };
        Codes { numbers, nan, infinity, sign }
    }

    /// Returns the code that a number becomes, given random bits for the rounding that takes them.
    fn nearest(&self, variant: &Variant, number: f64, random: u64) -> u64 {
        let satfinite = variant.meaning().satfinite;
        let max = self.numbers.len() as u64 - 1;
        if number.is_nan() {
            return self.nan.unwrap_or(max);
        }
        // A format without a sign holds the magnitude.
        let negative = number.is_sign_negative() && self.sign != 0;
        let (magnitude, sign) = (number.abs(), if negative { self.sign } else { 0 });
        let infinite = if satfinite {
            max | sign
        } else {
            self.infinity.map_or(self.nan.unwrap_or(max), |bits| bits | sign)
        };
        if magnitude.is_infinite() {
            return infinite;
        }
        let above = self.numbers.partition_point(|&one| one < magnitude);
        if self.numbers.get(above) == Some(&magnitude) {
            return self.signed(above as u64, sign);
        }
        if above == 0 {
            return 0; // below the smallest power of two
        }
        let low = self.numbers[above - 1];
        // Beyond the end the numbers go on as if the exponent did.
        let high = match self.numbers.get(above) {
            Some(high) => *high,
            None => 2.0 * low - self.numbers[above - 2],
        };
        let part = (magnitude - low) / (high - low);
        let away = match variant.meaning().rounding {
            Rounding::NearestEven => part > 0.5 || part == 0.5 && above % 2 == 0,
            Rounding::NearestAway => part >= 0.5,
            Rounding::TowardZero => false,
            Rounding::Stochastic => (part * 65536.0).min(65536.0) as u64 + random >= 65536,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        };
        match (away, above as u64 > max) {
            (false, _) => self.signed(above as u64 - 1, sign),
            (true, false) => self.signed(above as u64, sign),
            (true, true) => infinite,
        }
    }

    fn signed(&self, code: u64, sign: u64) -> u64 {
        // The FNUZ formats have no −0.
        if code == 0 && self.nan == Some(self.sign) { 0 } else { code | sign }
    }
}

/// Returns random numbers of f32, and every number of the format and every midpoint between two, with its neighbours.
fn numbers(codes: &Codes) -> Vec<u64> {
    let mut random = Random::new(17);
    let format = &formats::F32;
    let mut all: Vec<u64> = (0..50_000).map(|_| random.datum(format)).collect();
    for pair in codes.numbers.windows(2).step_by((codes.numbers.len() / 5000).max(1)) {
        for number in [pair[0], (pair[0] + pair[1]) / 2.0, 2.0 * pair[1] - pair[0], 2.0 * pair[1]] {
            let bits = (number as f32).to_bits();
            let near = [bits.wrapping_sub(1), bits, bits + 1];
            all.extend(near.into_iter().flat_map(|bits| [bits, bits | 1 << 31]).map(u64::from));
        }
    }
    all
}

/// Checks a conversion of single numbers of f32 against the list of the result's numbers.
fn check(variant: &Variant) {
    let register = variant.results()[0].ty;
    let codes = Codes::of(register.name);
    let vectors: Vec<Vec<u64>> = numbers(&codes).into_iter().map(|bits| vec![bits]).collect();
    for (operands, results) in vectors.iter().zip(run(variant, None, &vectors)) {
        let number = f32::from_bits(operands[0] as u32).into();
        let expected = register.place(codes.nearest(variant, number, 0), 0);
        assert!(
            results[0] == expected,
            "{variant} {:x} = {number:e}: {:x} {expected:x}",
            operands[0],
            results[0]
        );
    }
}

#[test]
fn casts_and_scalar_conversions_go_to_the_nearest() {
    let rows = [
        "cast.rn|rna|rz|rm|rp{.satfinite}.e4m3fnuz|e5m2fnuz|e4m3|e5m2.f32",
        "cvt.rn|rna|rz|rm|rp{.satfinite}.f16|bf16|tf32|ue8m0.f32",
    ];
    for variant in rows.into_iter().flat_map(|syntax| variants(syntax, "d:dtype, a")) {
        // Nearest to a power of two is not asked of a format that has nothing else.
        if variant.results()[0].ty.name != "ue8m0"
            || matches!(variant.meaning().rounding, Rounding::TowardZero | Rounding::Up)
        {
            check(&variant);
        }
    }
}

#[test]
fn packed_conversions_go_to_the_nearest() {
    let rows = [
        "cvt.rn|rz.satfinite.e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2.f32",
        "cvt.rn|rz|rp{.satfinite}.ue5m3x2.f32",
        "cvt.rz|rp{.satfinite}.ue8m0x2.f32",
    ];
    for variant in rows.into_iter().flat_map(|syntax| variants(syntax, "d:dtype, a, b")) {
        let register = variant.results()[0].ty;
        let codes = Codes::of(register.name);
        let numbers = numbers(&codes);
        let pairs = numbers.iter().zip(numbers.iter().rev());
        let vectors: Vec<Vec<u64>> = pairs.map(|(&a, &b)| vec![a, b]).collect();
        for (operands, results) in vectors.iter().zip(run(&variant, None, &vectors)) {
            let lane =
                |index: usize| codes.nearest(&variant, f32::from_bits(operands[index] as u32).into(), 0);
            let expected = register.place(lane(0), 1) | register.place(lane(1), 0);
            assert!(results[0] == expected, "{variant} {operands:x?}: {:x} {expected:x}", results[0]);
        }
    }
}

/// Checks stochastic rounding with one number in all four lanes. The lanes differ in their random bits, which were read
/// off the results of 0x12345678, as they were measured.
#[test]
fn random_bits_and_discarded_bits_carry() {
    let syntax = "cvt.rs.satfinite.e4m3x4|e5m2x4|e2m3x4|e3m2x4|e2m1x4.f32";
    for variant in variants(syntax, "d:dtype, a, b, e, f, rbits:b32") {
        let register = variant.results()[0].ty;
        let codes = Codes::of(register.name);
        let fields = match register.name {
            "e2m1x4" => [0x3478, 0x1e2c, 0x1256, 0x6a48],
            _ => [0x5678, 0x1e6a, 0x1234, 0x2c48],
        };
        let vectors: Vec<Vec<u64>> =
            numbers(&codes).into_iter().map(|n| vec![n, n, n, n, 0x1234_5678]).collect();
        for (operands, results) in vectors.iter().zip(run(&variant, None, &vectors)) {
            let number = f32::from_bits(operands[0] as u32).into();
            for (lane, field) in fields.into_iter().enumerate() {
                let expected = codes.nearest(&variant, number, field);
                let actual = register.lane(results[0], lane);
                assert!(actual == expected, "{variant} {number:e} {lane}: {actual:x} {expected:x}");
            }
        }
    }
}

/// Checks that every number of a small format is one of f32 and of bf16, and mostly one of f16.
#[test]
fn small_formats_widen_exactly() {
    let rows = [
        ("cast.f32.e4m3fnuz|e5m2fnuz|e4m3|e5m2", "d:dtype, a"),
        ("cvt.rn.f16x2.e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2|ue5m3x2", "d:dtype, a"),
        ("cvt.rn.bf16x2.e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2|ue5m3x2|ue8m0x2", "d:dtype, a"),
    ];
    for variant in rows.into_iter().flat_map(|(syntax, registers)| variants(syntax, registers)) {
        let [from, to] = [variant.operands()[0].ty, variant.results()[0].ty];
        let codes = Codes::of(from.name);
        for (code, &number) in codes.numbers.iter().enumerate() {
            for sign in [0, codes.sign] {
                let bits = code as u64 | sign;
                if Some(bits) == codes.nan {
                    continue;
                }
                let result = run(&variant, None, &[vec![from.place(bits, 0)]])[0][0];
                let value = match to.format.decode(to.lane(result, 0)) {
                    Some((significand, exponent)) => significand as f64 * 2f64.powi(exponent),
                    None => f64::INFINITY,
                };
                // ue5m3 has numbers beyond those of f16.
                let beyond = *to.format == F16 && number > 65504.0;
                let number = if beyond { f64::INFINITY } else { number };
                assert_eq!(value, number, "{variant} {bits:x}");
                assert_eq!(to.format.is_negative(to.lane(result, 0)), sign != 0, "{variant} {bits:x}");
            }
        }
    }
}
