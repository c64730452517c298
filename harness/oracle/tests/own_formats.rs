//! Tests of formats that a user defines. They are defined once for a process, so this file has one test.

use emulator::{Backend, Kernel};
use formats::{Column, Definition, Format, column};
use isa::{Rounding, Variant, columns_for, define_formats, results_for};
use judge::Truth;
use oracle::Oracle;
use sweeps::CounterRng;

/// Number of random operands of each cast.
const ROWS: usize = 2000;

/// Formats of the table, defined again: the definition, and the table's format.
const COPIES: [(&str, &str); 10] = [
    ("myf16=e5m10", "f16"),
    ("mybf16=e8m7,bias=127,nan=ieee", "bf16"),
    ("mye5m2=e5m2", "e5m2"),
    ("mye4m3=e4m3,nan=all-ones", "e4m3"),
    ("myfnuz=e4m3,bias=8,nan=negative-zero", "e4m3fnuz"),
    ("myb11=e4m3,bias=11,infinity=no,negative-zero=no", "e4m3b11fnuz"),
    ("mye3m4=e3m4,infinity=yes", "e3m4"),
    ("mye2m1=e2m1,nan=none", "e2m1"),
    ("mye3m2=e3m2,nan=none", "e3m2"),
    ("myue8m0=ue8m0,nan=all-ones", "ue8m0"),
];

/// Formats that nothing else has: the definition, and what is independent of the suite's decoder: whether there is a
/// sign, the exponent bits, the significand bits, the bias, and the magnitude of the largest number.
const OWN: [(&str, bool, i32, i32, i32, u64); 5] = [
    ("odd=e5m10,bias=3,nan=none", true, 5, 10, 3, 0x7fff),
    ("wide=e8m5,bias=200,nan=negative-zero", true, 8, 5, 200, 0x1fff),
    ("e10m4=e10m4", true, 10, 4, 511, 0x3fef),
    ("scale=ue4m6,bias=9,nan=all-ones", false, 4, 6, 9, 0x3fe),
    ("tiny=e2m5,bias=1,nan=ieee", true, 2, 5, 1, 0x5f),
];

/// Returns random operands of a variant.
fn operands(variant: &Variant, random: &mut CounterRng) -> Vec<Column> {
    let mut operands = columns_for(variant, ROWS);
    let source = variant.inputs()[0].format;
    for row in 0..ROWS {
        let lane = corner_operands::lane(random, &[source], variant.outputs()[0].format);
        column::set_row(&mut operands, row, &lane);
    }
    operands
}

/// Returns what MPFR expects of a variant, which the emulator gives too.
fn expected(variant: &Variant, operands: &[Column]) -> Truth {
    let mut truth = Truth::new(variant);
    Oracle::new(variant).expect(operands, &mut truth);
    for backend in Backend::distinct() {
        let mut results = results_for(variant, ROWS);
        let kernel = Kernel::of(variant, backend).expect("every cast has a kernel");
        kernel.run(operands, &mut results);
        let different = column::differing(&results, &truth.results).next();
        if let Some(row) = different {
            let [asked, is, due] =
                [operands, &results, &truth.results].map(|columns| columns[0].get(row));
            panic!("{variant} of {asked:#x} on {backend:?}: {is:#x}, not {due:#x}");
        }
    }
    truth
}

/// Returns the numbers of a format of [`OWN`] without a minus sign, in the order of their encodings.
fn numbers(trailing: i32, bias: i32, largest: u64) -> Vec<f64> {
    let number = |bits: u64| {
        let (field, low) = ((bits >> trailing) as i32, (bits & ((1 << trailing) - 1)) as f64);
        let fraction = low / f64::from(1 << trailing);
        match field {
            0 => fraction * 2f64.powi(1 - bias),
            _ => (1.0 + fraction) * 2f64.powi(field - bias),
        }
    };
    (0..=largest).map(number).collect()
}

/// Returns the encoding of the nearest of `numbers` to a magnitude; `None` beyond the largest. Comparisons of f64 are
/// exact, and so is the middle of two neighbours.
fn nearest(numbers: &[f64], magnitude: f64) -> Option<u64> {
    let above = numbers.partition_point(|number| *number <= magnitude);
    let low = above - 1;
    let step = match numbers.get(above) {
        Some(next) => next - numbers[low],
        None => numbers[low] - numbers[low - 1],
    };
    let middle = numbers[low] + step / 2.0;
    match magnitude < middle || magnitude == middle && low % 2 == 0 {
        true => Some(low as u64),
        false => Some(above as u64).filter(|_| above < numbers.len()),
    }
}

#[test]
fn casts_of_own_formats_are_computed() {
    let copies = COPIES.iter().map(|(text, _)| *text);
    let definitions: Vec<Definition> = copies
        .chain(OWN.iter().map(|own| own.0))
        .map(|text| text.parse().expect("a definition"))
        .collect();
    define_formats(&definitions).expect("they come first");
    define_formats(&definitions).expect("the same ones again");
    assert!(define_formats(&definitions[1..]).is_err(), "others come too late");
    let casts = |name: &str| {
        let of = |variant: &&Variant| {
            let words: Vec<&str> = variant.text().split('.').collect();
            words[0] == "cast" && words[1..].contains(&name)
        };
        Variant::all().iter().filter(of).collect::<Vec<_>>()
    };
    let mut random = CounterRng::new(1, 0);
    for (text, table) in COPIES {
        let name = text.split('=').next().expect("a name");
        let mut compared = 0;
        for variant in casts(name) {
            let operands = operands(variant, &mut random);
            let truth = expected(variant, &operands);
            // The same cast of the table; f16 and bf16 are results of conversions there.
            let other = variant.text().replace(name, table);
            let same = other.parse::<Variant>().or_else(|_| other.replacen("cast", "cvt", 1).parse());
            let Ok(same) = same else { continue };
            let mut of_table = Truth::new(&same);
            Oracle::new(&same).expect(&operands, &mut of_table);
            assert!(truth.results == of_table.results, "{variant} is not {same}");
            compared += 1;
        }
        assert!(compared >= 6, "{name}: {compared}");
    }
    for (text, signed, _, trailing, bias, largest) in OWN {
        let name = text.split('=').next().expect("a name");
        let numbers = numbers(trailing, bias, largest);
        let casts = casts(name);
        assert!(casts.len() >= 24, "{name}: {casts:?}");
        for variant in casts {
            let operands = operands(variant, &mut random);
            let truth = expected(variant, &operands);
            let (source, result): (&Format, &Format) =
                (variant.inputs()[0].format, variant.outputs()[0].format);
            if result.name != name || variant.meaning().rounding != Rounding::NearestEven {
                continue;
            }
            for row in 0..ROWS {
                let (asked, bits) = (operands[0].get(row), truth.results[0].get(row));
                // Integers of 64 bits may be rounded on the way to f64.
                let Some(value) =
                    source.value(asked).filter(|_| source.width() < 64 || !source.is_fixed())
                else {
                    continue;
                };
                let found = nearest(&numbers, value.abs());
                let found = found.or(variant.meaning().satfinite.then_some(largest));
                let shown = format!("{variant} of {asked:#x}: {bits:#x}, and the nearest is {found:x?}");
                let Some(magnitude) = found else {
                    assert!(result.decode(bits).is_none(), "{shown}");
                    continue;
                };
                let sign = if signed && value.is_sign_negative() { result.sign_mask() } else { 0 };
                // Where −0 would be, one of the formats has NaN.
                let due = if result.is_nan(sign | magnitude) { 0 } else { sign | magnitude };
                assert_eq!(bits, due, "{shown}");
            }
        }
    }
}
