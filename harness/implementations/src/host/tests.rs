//! Tests of the processor against the emulator, and against what `README.md` says of it.

use std::collections::{BTreeMap, BTreeSet};

use emulator::{Backend, Kernel};
use formats::FormatId;
use isa::{LaneData, Modifier, Operation, Register, Rounding, columns_for};
use sweeps::Sweep;
use wildmatch::WildMatch;

use super::*;

/// Number of vectors of each sweep: enough for each to show what it is for.
const ROWS: u64 = 1000;

pub(super) fn host() -> Host {
    Host::new().expect("the tests of an architecture are compiled for that alone")
}

/// Says which rows of the table cannot be tried here.
pub(super) fn say_what_is_missing(host: &Host) {
    let missing = Feature::ALL.iter().filter(|feature| !feature.is_here());
    for feature in missing {
        let rows = host.table.rows().iter().filter(|row| row.feature == *feature).count()
            + host.chains.iter().filter(|chain| chain.feature == *feature).count();
        let name = feature.name();
        base::terminal::say(&format!(
            "this processor has no {name}: {rows} rows of the table are not tried"
        ));
    }
}

/// Returns the variants that this processor has.
fn variants(host: &Host) -> impl Iterator<Item = &'static Variant> {
    Variant::all().iter().filter(|variant| host.support(variant) == Support::Yes)
}

/// Returns the sweeps of a variant, and how many vectors of each are tried.
fn sweeps(variant: &Variant) -> impl Iterator<Item = (&'static Sweep, u64)> {
    let lengths = Sweep::all().iter().map(|sweep| (sweep, sweep.length(variant).at_most(ROWS)));
    lengths.filter(|(_, rows)| *rows > 0)
}

fn blank(registers: &[Register], rows: usize) -> Vec<Column> {
    registers.iter().map(|register| Column::new(register.ty.row_bytes(), rows)).collect()
}

/// Returns the results that the emulator gives.
fn emulated(variant: &Variant, operands: &[Column]) -> Vec<Column> {
    let mut results = blank(variant.results(), operands[0].rows());
    Kernel::of(variant, Backend::Lanes).expect("it has every variant").run(operands, &mut results);
    results
}

/// Returns the results that the processor gives.
fn run(host: &Host, variant: &Variant, operands: &[Column]) -> Vec<Column> {
    let mut results = blank(variant.results(), operands[0].rows());
    host.worker().unwrap().run(variant, operands, &mut results).unwrap();
    results
}

/// Returns the lanes of the first result.
fn lanes(variant: &Variant, results: &[Column]) -> Vec<u64> {
    let rows = results[0].rows();
    let mut lanes = vec![0; rows * variant.lanes()];
    variant.outputs()[0].gather(variant.results(), results, 0..rows, &mut lanes);
    lanes
}

#[test]
fn every_row_is_of_variants_that_no_other_row_has() {
    let mut seen = BTreeSet::new();
    for row in host().table.rows() {
        for text in row.variants() {
            let variant: Variant = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            let widths = |registers: &[Register]| -> Vec<usize> {
                registers.iter().map(|register| register.ty.row_bytes()).collect()
            };
            assert_eq!(widths(variant.operands()), row.batch.operands, "{text}");
            assert_eq!(widths(variant.results()), row.batch.results, "{text}");
            assert!(seen.insert(text.clone()), "{text} has two rows");
        }
    }
}

/// IEEE 754 leaves no choice to this arithmetic, but for which NaN a NaN is.
#[test]
fn arithmetic_of_f32_and_f64_is_the_emulators_in_every_rounding() {
    use Operation::*;
    let host = host();
    say_what_is_missing(&host);
    let mut roundings: BTreeMap<(Operation, &str), Vec<Rounding>> = BTreeMap::new();
    let arithmetic = variants(&host).filter(|variant| {
        [Add, Sub, Mul, Fma, Mad, Div, Rcp, Sqrt].contains(&variant.operation())
            && matches!(variant.outputs()[0].format.id, FormatId::F32 | FormatId::F64)
            && !variant.has(Modifier::Ftz)
    });
    for variant in arithmetic {
        let format = variant.outputs()[0].format;
        for (sweep, rows) in sweeps(variant) {
            let mut operands = columns_for(variant, rows as usize);
            sweep.fill(variant, 0, 0, &mut operands);
            let (expected, results) = (emulated(variant, &operands), run(&host, variant, &operands));
            let pairs = lanes(variant, &expected).into_iter().zip(lanes(variant, &results));
            for (element, (expected, actual)) in pairs.enumerate() {
                let same = expected == actual || format.is_nan(expected) && format.is_nan(actual);
                let row = element / variant.lanes();
                assert!(same, "{variant} {} {row}: {actual:#x}, not {expected:#x}", sweep.name);
            }
        }
        let tried = roundings.entry((variant.operation(), variant.printed()[0].name)).or_default();
        if !tried.contains(&variant.meaning().rounding) {
            tried.push(variant.meaning().rounding);
        }
    }
    let types = ["f32", "f64"];
    for (operation, name) in [Add, Sub, Mul, Div, Rcp, Sqrt].iter().flat_map(|o| types.map(|t| (*o, t)))
    {
        assert_eq!(roundings[&(operation, name)].len(), 4, "{operation:?} {name}");
    }
}

/// Nothing else hides behind the name of a class: results differ where the architecture says so.
#[test]
fn differences_arise_where_the_architectures_promise_is_another() {
    let host = host();
    let explained = explained_differences();
    let is_explained = |variant: &Variant| {
        explained.iter().any(|row| WildMatch::new(row.pattern).matches(variant.text()))
    };
    for variant in variants(&host).filter(|variant| is_explained(variant)) {
        let format = variant.outputs()[0].format;
        for (sweep, rows) in sweeps(variant) {
            let mut operands = columns_for(variant, rows as usize);
            sweep.fill(variant, 0, 0, &mut operands);
            let (expected, results) = (emulated(variant, &operands), run(&host, variant, &operands));
            let pairs = lanes(variant, &expected).into_iter().zip(lanes(variant, &results));
            for (element, (expected, actual)) in pairs.enumerate() {
                let both_nan = format.is_nan(expected) && format.is_nan(actual);
                if expected == actual || both_nan {
                    continue;
                }
                let (row, lane) = (element / variant.lanes(), element % variant.lanes());
                let input = |input: &LaneData| {
                    let place = input.slots[lane];
                    variant.operands()[place.register]
                        .ty
                        .lane(operands[place.register].get(row), place.lane)
                };
                let inputs: Vec<u64> = variant.inputs().iter().map(input).collect();
                assert!(
                    architecture::tests::promises_another(variant, &inputs),
                    "{variant} {inputs:x?}: {actual:#x}, not {expected:#x}"
                );
            }
        }
    }
}

#[test]
fn the_control_register_is_as_before_after_a_batch() {
    let host = host();
    for text in ["add.f32", "add.rz.f32", "add.rm.ftz.f32", "mul.rp.ftz.f32", "div.rn.f64"] {
        let variant: &Variant = &text.parse().unwrap();
        let operands = columns_for(variant, 3);
        let before = architecture::tests::control_register();
        run(&host, variant, &operands);
        assert_eq!(architecture::tests::control_register(), before, "{text}");
    }
}

/// 1/3 is no number of f32, and 2^-149 is one of the smallest.
#[test]
fn modifiers_reach_the_control_register() {
    let host = host();
    let result = |text: &str, bits: [u64; 2]| {
        let variant: &Variant = &text.parse().unwrap();
        let mut operands = columns_for(variant, 1);
        operands.iter_mut().zip(bits).for_each(|(column, bits)| column.set(0, bits));
        run(&host, variant, &operands)[0].get(0)
    };
    let third = [0x3f80_0000, 0x4040_0000];
    assert_eq!(result("div.rn.f32", third), 0x3eaa_aaab);
    assert_eq!(result("div.rz.f32", third), 0x3eaa_aaaa);
    assert_eq!(result("div.rm.f32", third), 0x3eaa_aaaa);
    assert_eq!(result("div.rp.f32", third), 0x3eaa_aaab);
    let negative = [0xbf80_0000, 0x4040_0000];
    assert_eq!(result("div.rz.f32", negative), 0xbeaa_aaaa);
    assert_eq!(result("div.rm.f32", negative), 0xbeaa_aaab);
    let operand = [0x8000_0001, 0];
    assert_eq!(result("add.f32", operand), 0x8000_0001);
    assert_eq!(result("add.ftz.f32", operand), 0, "−0 + 0");
    let product = [0x8080_0000, 0x3f00_0000];
    assert_eq!(result("mul.f32", product), 0x8040_0000);
    assert_eq!(result("mul.ftz.f32", product), 0x8000_0000);
}

#[test]
fn columns_of_another_shape_are_refused_and_no_rows_are_nothing() {
    let host = host();
    let variant: &Variant = &"add.f32".parse().unwrap();
    assert_eq!(run(&host, variant, &columns_for(variant, 0))[0].rows(), 0);
    let narrow = [Column::new(4, 2), Column::new(2, 2)];
    let short = [Column::new(4, 2), Column::new(4, 1)];
    for operands in [&narrow, &short] {
        let attempt = std::panic::AssertUnwindSafe(|| run(&host, variant, operands));
        assert!(std::panic::catch_unwind(attempt).is_err());
    }
}

#[test]
fn what_is_not_supported_says_why() {
    let host = host();
    let no_instruction = Support::No(format!("{} has no instruction for it", architecture::NAME));
    for text in ["add.sat.f32", "tanh.approx.f32", "abs.f32", "cvt.rn.satfinite.e4m3x2.f32"] {
        let variant: Variant = text.parse().unwrap();
        assert_eq!(host.support(&variant), no_instruction, "{text}");
        let (operands, mut results) = (columns_for(&variant, 1), blank(variant.results(), 1));
        assert!(host.worker().unwrap().run(&variant, &operands, &mut results).is_err(), "{text}");
    }
    say_what_is_missing(&host);
    for row in host.table.rows() {
        let lacking = Support::No(format!("this processor has no {}", row.feature.name()));
        let expected = if row.feature.is_here() { Support::Yes } else { lacking };
        for text in row.variants() {
            assert_eq!(host.support(&text.parse().unwrap()), expected, "{text}");
        }
    }
}

#[test]
fn it_says_which_processor_it_is() {
    let description = host().describe();
    assert_eq!((description.name.as_str(), description.version.as_str()), ("host", architecture::NAME));
    assert_ne!(description.device.as_deref(), Some(""));
    for feature in Feature::ALL {
        let told = description.details["instructions"].split(", ").any(|name| name == feature.name());
        assert_eq!(told, feature.is_here(), "{}", feature.name());
    }
}
