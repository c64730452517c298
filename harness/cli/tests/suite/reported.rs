//! Tests that faults which were reported of other projects, implemented anew, are called by their names.

mod approximations;
mod by_hand;
mod described;
mod more_by_hand;
mod small;
mod words;
mod wrong;

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use faults::inject;
use findings::diagnosis;
use formats::{Column, column};
use implementations::{Description, Emulator, Implementation, Support, Worker};
use isa::Variant;
use model::{Fault, Faults, Model};
use reports::{Report, Status};
use runner::{Display, Plan, RunRequest, RunSettings};
use selection::budget::Tier;

const PAGE: &str = include_str!("../../../../docs/why/diagnosis-reported.md");

type ElementFault = fn(&[u64], u64) -> u64;

/// The reported faults of single elements, by the place where each was reported.
#[rustfmt::skip] // a table
const WRONG: &[(&str, ElementFault)] = &[
    ("llvm/llvm-project#57589",              wrong::fast_math_registers),
    ("rust-lang/compiler-builtins#531",      wrong::quotients_flushed),
    ("openhwgroup/cva6#242",                 wrong::carry_lost),
    ("vosen/ZLUDA#289",                      wrong::flush_not_looked_at),
    ("esbmc/esbmc#6367",                     wrong::tiny_products),
    ("numpy/numpy#12721",                    wrong::half_shifted),
    ("VoidStarKat/half-rs#25",               wrong::half_ties_away),
    ("JuliaLang/julia#57809",                wrong::half_of_single),
    ("VoidStarKat/half-rs#151",              wrong::half_of_upper_word),
    ("stillwater-sc/universal#1133",         wrong::brain_float_cut),
    ("dotnet/runtime#130583",                wrong::brain_float_nan_cut),
    ("tile-ai/tilelang#2481",                wrong::brain_float_nan_rounded),
    ("dotnet/runtime#46515",                 wrong::half_or_ed),
    ("factor/factor#2167",                   wrong::half_without_subnormals),
    ("1bit-MONSTER/1bit-MONSTER#300",        wrong::e4m3_without_subnormals),
    ("openvinotoolkit/openvino#30057",       wrong::e4m3_rounded_twice),
    ("jax-ml/ml_dtypes#400",                 wrong::e4m3_not_saturated),
    ("openjdk/jdk#2684",                     wrong::fused_in_double),
    ("rust-lang/compiler-builtins#1262",     wrong::fused_wide),
    ("libriscv/libriscv#317",                wrong::not_fused),
    ("LekKit/RVVM#237",                      wrong::direction_not_looked_at),
    ("golang/go#25798",                      wrong::cancelled_to_plus_zero),
    ("wago-org/wago#48",                     wrong::smaller_by_comparison),
    ("prestodb/presto#5343",                 wrong::half_added),
    ("justinethier/cyclone#524",             wrong::halves_away),
    ("inolen/redream#110",                   wrong::integer_indefinite),
    ("simd-everywhere/simde#1230",           wrong::low_half_of_integer),
    ("llvm/llvm-project#159530",             wrong::nan_is_zero),
    ("B-Lang-org/bsc#489",                   wrong::floor_of_subnormal),
    ("golang/go#48807",                      wrong::integer_by_double),
    ("merryhime/dynarmic#51",                wrong::integer_is_signed),
];

/// Faults of what people wrote by hand, by what was wrong, as the page has it.
#[rustfmt::skip] // a table
const WRONG_BY_HAND: &[(&str, ElementFault)] = &[
    ("A significand that is rounded up to a power of two kept its exponent.", by_hand::half_without_carry),
    ("The carry was or-ed to the exponent.", by_hand::half_with_carry_ored),
    ("A single was cut to a half first.", by_hand::e4m3_of_cut_half),
    ("A quotient was the product with the rounded reciprocal.", by_hand::divided_by_reciprocal),
    ("Negative numbers were converted as unsigned ones, to 0.", by_hand::negative_is_zero),
    ("The same of bytes.", by_hand::negative_byte_is_zero),
    ("Bits of an integer were cut off, not rounded.", by_hand::half_of_cut_integer),
    ("Negative numbers that round to zero got the code of −0, which is NaN.", by_hand::fnuz_underflow),
    ("Infinity was or-ed to the largest number where rounding carries.", by_hand::e5m2_with_infinity_ored),
    ("480, whose code is NaN, became 448.", by_hand::e4m3_of_nan_place),
    ("NaN became 448.", by_hand::e4m3_nan_is_largest),
    ("The code of NaN was read as 480.", by_hand::e4m3_nan_read_as_number),
    ("Overflow was looked for before rounding.", by_hand::half_overflow_before_rounding),
    ("The significand was kept under the exponent of infinity.", by_hand::half_overflow_with_significand),
    ("The binade above the largest number became zero.", by_hand::half_zero_above),
    ("The smaller term of a sum was shifted without a guard bit.", by_hand::half_sum_without_guard),
    ("An inexact sum was made odd in the wrong direction.", by_hand::fused_and_nudged),
    ("Subnormal numbers of e5m2 were read one place too high.", by_hand::e5m2_subnormal_doubled),
    ("The highest exponent was read as that of infinity and NaN.", by_hand::ue5m3_as_ieee),
    ("The code of a power of two became the exponent of bfloat16.", by_hand::power_as_exponent),
    ("The halves of an integer were converted by themselves.", by_hand::integer_in_halves),
    ("A byte was the low one of a clamped integer of 32 bits.", by_hand::low_byte_of_clamped),
    ("The sign was lost.", by_hand::half_without_sign),
    ("A subnormal term was halved beside a normal one.", by_hand::half_sum_of_halved_subnormal),
    ("One signalling NaN made the smaller of two numbers NaN.", by_hand::smaller_with_signalling_nan),
    ("The count of a shift was taken modulo 64.", more_by_hand::e5m2_shifted_modulo),
    ("The highest bit of an integer was added after rounding.", more_by_hand::highest_bit_added),
    ("An unsigned integer was converted as a signed one, and 2^32 added.", more_by_hand::integer_corrected),
    ("2^64 passed a check for the largest integer.", more_by_hand::limit_passed),
    ("The lowest integer became 0.", more_by_hand::lowest_lost),
    ("Rounding up was truncation, and one more.", more_by_hand::one_more),
    ("Rounding down went through an integer of 32 bits.", more_by_hand::floor_of_integer),
    ("A root had four more bits, and no sticky bit.", more_by_hand::root_without_sticky_bit),
    ("A zero addend gave the sign.", more_by_hand::sign_of_addend),
    ("A product of zero was −0 when rounding down.", more_by_hand::product_below_zero),
    ("An infinite sum was rounded toward zero.", more_by_hand::infinity_rounded),
    ("Infinities cancelled to zero.", more_by_hand::infinities_cancelled),
    ("A subnormal product was halved.", more_by_hand::subnormal_product_halved),
    ("The smaller of two was the first unless the second is smaller.", more_by_hand::smaller_unless_second),
    ("A zero was +0, as a function that returns 0 gives it.", small::zero_of_conversion),
    ("The same of products.", small::zero_of_product),
    ("The exponent of a subnormal result went below zero, into the sign.", small::half_packed),
    ("A subnormal result lost its leading bit.", small::e5m2_packed),
    ("The low half of a product did not count where it is subnormal.", small::product_cut),
    ("A term below half the last place of a power of two did not count.", small::difference_of_small),
    ("Numbers that cancel left the larger significand.", small::cancelled),
    ("A clamp by the smaller and then the larger made NaN 1.", small::clamped_nan),
    ("Unsigned integers were those of `cvttss2si`.", small::unsigned_by_signed),
    ("2^52 was added to large numbers, too.", small::power_added),
    ("The bits of a fraction were cleared by a mask that was shifted modulo 32.", small::cleared_modulo),
];

/// The reported faults of approximations, by the place where each was reported.
#[rustfmt::skip] // a table
const WRONG_APPROXIMATIONS: &[(&str, ElementFault)] = &[
    ("llvm/llvm-project#217008",             approximations::logarithm_of_subnormal),
    ("llvm/llvm-project#212696",             approximations::power_flushed),
    ("llvm/llvm-project#192432",             approximations::root_of_subnormal),
    ("tenstorrent/tt-metal#55294",           approximations::divided_by_subnormal),
    ("latex3/latex3#155",                    approximations::sine_before_turn),
];

/// An implementation with one fault: in the results of elements, in those of whole rows, or in the model.
#[derive(Clone, Copy)]
enum Reported {
    Element(ElementFault),
    /// A function that makes the right results of a whole row wrong.
    Row(words::RowFault),
    Model(Faults),
}

impl Implementation for Reported {
    fn describe(&self) -> Description {
        Description { name: "reported".into(), ..Description::default() }
    }

    fn support(&self, _: &Variant) -> Support {
        Support::Yes
    }

    /// Returns a limit for faults of words in memory: as many vectors as it takes to see what is wrong with them.
    fn vectors_max(&self) -> Option<u64> {
        matches!(self, Reported::Row(_)).then_some(1 << 10)
    }

    fn worker(&self) -> Result<Box<dyn Worker>> {
        Ok(Box::new(*self))
    }
}

impl Worker for Reported {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        match *self {
            Reported::Model(faults) => Model::new(variant, faults).run(operands, results),
            Reported::Row(wrong) => {
                Emulator::lanes().run(variant, operands, results)?;
                for row in 0..operands[0].rows() {
                    let mut registers = column::row(results, row);
                    wrong(&column::row(operands, row), &mut registers);
                    column::set_row(results, row, &registers);
                }
            }
            Reported::Element(element) => {
                Emulator::lanes().run(variant, operands, results)?;
                let right = results.to_vec();
                inject(variant, operands, &right, results, |_, inputs, right| element(inputs, right));
            }
        }
        Ok(())
    }
}

/// Returns the quick tier's report on one variant, diagnosed.
fn report(implementation: Reported, variant: &str) -> Report {
    let directory = tempfile::tempdir().unwrap();
    let plan = Plan::new(RunRequest::of(Tier::Quick, vec![variant.into()]), &implementation).unwrap();
    let settings = RunSettings { jobs: 2, directory: directory.path().into(), resume: false };
    let stop = AtomicBool::new(false);
    let outcome = runner::run(&plan, &implementation, &settings, &stop, &Display::hidden()).unwrap();
    let (diagnoses, ended) = diagnosis::diagnose(&plan, &outcome.progress, &implementation, 2, &stop);
    ended.unwrap();
    let started = std::time::SystemTime::UNIX_EPOCH;
    findings::report::build(&plan, &implementation, &settings, &outcome, &diagnoses, started)
}

/// Returns the rows of the page's table with these titles.
fn table(titles: &[&str]) -> Vec<Vec<&'static str>> {
    let cells = |line: &'static str| -> Vec<&'static str> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
    };
    let mut lines = PAGE.lines().skip_while(|line| cells(line) != titles);
    assert!(lines.next().is_some(), "no table {titles:?}");
    lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// Returns what is misnamed of some faults, given rows of the page: a fault, a variant, and names.
fn misnamed(wrong: &[(&str, ElementFault)], rows: &[[&str; 3]]) -> Vec<String> {
    let known: BTreeSet<&str> = wrong.iter().map(|(source, _)| *source).collect();
    assert_eq!(known, rows.iter().map(|row| row[0]).collect::<BTreeSet<&str>>());
    assert!(known.len() == wrong.len() && known.len() >= 20);
    let mut misnamed = Vec::new();
    for &[source, variant, names] in rows {
        let names: BTreeSet<&str> = names.split("` and `").collect();
        let (_, element) = wrong.iter().find(|(known, _)| *known == source).unwrap();
        let report = report(Reported::Element(*element), variant);
        assert_eq!(report.variants[0].status, Status::Fail, "{source}");
        let mut called = BTreeSet::new();
        for class in &report.variants[0].classes {
            match &class.explanation {
                Some(explanation) => called.extend(explanation.flaws.iter().map(String::as_str)),
                None => {
                    misnamed.push(format!("{source}: {} is unexplained: {}", class.id, class.diagnosis));
                }
            }
        }
        if called != names {
            misnamed.push(format!("{source}: {called:?}, not {names:?}"));
        }
    }
    misnamed
}

#[test]
fn reported_faults_are_called_by_their_names() {
    let rows = table(&["reported in", "what was wrong", "variant", "named"]);
    let rows: Vec<[&str; 3]> = rows.iter().map(|row| [row[0], row[2], row[3]]).collect();
    let misnamed = misnamed(WRONG, &rows);
    assert!(misnamed.is_empty(), "{}", misnamed.join("\n"));
}

#[test]
fn faults_of_what_is_written_by_hand_are_called_by_their_names() {
    let rows = table(&["how it was wrong", "variant", "named"]);
    let rows: Vec<[&str; 3]> = rows.iter().map(|row| [row[0], row[1], row[2]]).collect();
    let misnamed = misnamed(WRONG_BY_HAND, &rows);
    assert!(misnamed.is_empty(), "{}", misnamed.join("\n"));
}

/// Returns for each class what explains it, or how it is described where nothing does.
fn said(element: ElementFault, variant: &str) -> Vec<String> {
    let report = report(Reported::Element(element), variant);
    assert_eq!(report.variants[0].status, Status::Fail, "{variant}");
    let classes = report.variants[0].classes.iter();
    let flaws = |class: &reports::Class| class.explanation.as_ref().map(|of| of.flaws.join(" and "));
    classes.map(|class| flaws(class).unwrap_or(class.diagnosis.clone())).collect()
}

#[test]
fn reported_faults_of_approximations_are_named_or_described() {
    let rows = table(&["reported in", "what was wrong", "variant", "said of it"]);
    let known: BTreeSet<&str> = WRONG_APPROXIMATIONS.iter().map(|(source, _)| *source).collect();
    assert_eq!(known, rows.iter().map(|row| row[0]).collect::<BTreeSet<&str>>());
    for row in &rows {
        let &[source, _, variant, words] = row.as_slice() else { panic!("{row:?}") };
        let (_, element) = WRONG_APPROXIMATIONS.iter().find(|(known, _)| *known == source).unwrap();
        let said = said(*element, variant);
        assert!(said.iter().all(|of| of.contains(words)), "{source}: {said:#?}, not `{words}`");
    }
}

/// Faults that no table of reports has are told: seams, with what they are the seams of, and `.ftz` that is not
/// obeyed.
#[test]
fn seams_and_flushing_of_approximations_are_told() {
    let unflushed: ElementFault = |a, _| (f32::from_bits(a[0] as u32).exp2()).to_bits().into();
    let cases: &[(ElementFault, &str, &str)] = &[
        (approximations::table_entry, "rcp.approx.f32", "all in one of 128 segments of their binades"),
        (approximations::octant_mistaken, "cos.approx.f32", "of an odd multiple of π/4"),
        (unflushed, "ex2.approx.ftz.f32", "result-not-flushed"),
    ];
    for (element, variant, words) in cases {
        let said = said(*element, variant);
        assert!(said.iter().all(|of| of.contains(words)), "{variant}: {said:#?}, not `{words}`");
    }
}

/// Right reciprocals of f64 in which the lower half and subnormal numbers are left are called by these faults.
#[test]
fn what_is_left_of_right_approximations_is_named() {
    let right: ElementFault = |a, right| {
        let a = f64::from_bits(a[0] & !0 << 32);
        if a.is_normal() { (1.0 / a).to_bits() } else { right }
    };
    let report = report(Reported::Element(right), "rcp.approx.ftz.f64");
    let (kept, lower) = ("approximation-not-flushed", "lower-half");
    for (kind, names) in [("padding", &[kept, lower][..]), ("not-flushed", &[kept])] {
        let id = format!("rcp.approx.ftz.f64/{kind}");
        let classes = &report.variants[0].classes;
        let class = classes.iter().find(|class| class.id == id);
        let class = class.unwrap_or_else(|| panic!("{id} in {classes:#?}"));
        assert_eq!(class.explanation.as_ref().unwrap().flaws, names, "{class:?}");
    }
}

/// A NaN whose lower half is left is not taken for a subnormal number; without `.ftz` it would be as good as any
/// other NaN.
#[test]
fn a_nan_of_which_too_much_is_left_is_not_taken_for_a_subnormal_number() {
    let left: ElementFault = |a, right| {
        if f64::from_bits(a[0]).is_nan() { 0x7fff_ffff_0000_0001 } else { right }
    };
    for variant in ["rsqrt.approx.ftz.f64", "rcp.approx.ftz.f64"] {
        let report = report(Reported::Element(left), variant);
        let classes = &report.variants[0].classes;
        assert!(!classes.is_empty());
        for class in classes {
            assert_eq!(class.explanation.as_ref().unwrap().flaws, ["lower-half"], "{class:?}");
        }
    }
}

/// The largest error that a class tells is the one of the table. It is in units of the exact value's last place, of
/// which reciprocals of f64 have the upper half alone.
#[test]
fn errors_of_a_class_are_in_the_units_of_the_table() {
    let cases: &[(ElementFault, &str)] = &[
        // The exact value is just below 1, where units are half as large.
        (|_, right| if right == 0x3c00 { 0x3c01 } else { right }, "tanh.approx.f16"),
        (|_, right| if right == 0x3ff << 52 { right | 1 << 63 } else { right }, "rcp.approx.ftz.f64"),
    ];
    for (element, variant) in cases {
        let report = report(Reported::Element(*element), variant);
        let worst = report.variants[0].worst().unwrap();
        let of_class = |class: &reports::Class| {
            let (_, behind) = class.diagnosis.split_once("by up to ")?;
            behind.split_once(" ulp")?.0.parse().ok()
        };
        let told = report.variants[0].classes.iter().filter_map(of_class).reduce(f64::max);
        let told = told.unwrap_or_else(|| panic!("{:#?}", report.variants[0].classes));
        // The number that is told has four digits.
        assert!((told / worst - 1.0).abs() < 1e-3, "{variant}: {told} ulp, not {worst}");
    }
}

/// Flushing by the processor (DAZ and FTZ where nobody asked for them), the commonest fault of all, is named in
/// every operation that x86 has.
#[test]
fn flushing_by_the_processor_is_named_in_every_operation() {
    let both = Faults::from(Fault::FlushedAnyway).and(Fault::FlushedAfterRoundingAnyway.into());
    let names: BTreeSet<String> = both.iter().map(Fault::id).collect();
    let variants = [
        "add.rn.f32",
        "sub.rn.f64",
        "mul.rn.f64",
        "div.rn.f32",
        "div.rz.f64",
        "sqrt.rn.f32",
        "rcp.rp.f32",
        "fma.rn.f32",
        "fma.rm.f64",
        "cvt.rn.f32.f64",
        "cvt.rn.f16.f32",
        "cvt.rmi.s32.f32",
        "fma.rn.f16x2",
        "fma.rn.relu.bf16",
    ];
    for variant in variants {
        let report = report(Reported::Model(both), variant);
        for class in &report.variants[0].classes {
            let Some(explanation) = &class.explanation else { panic!("{} is unexplained", class.id) };
            // A sum is never rounded where it is subnormal, so it does not show whether it is flushed before or
            // after rounding.
            let mut listed = explanation.others.clone();
            listed.push(explanation.flaws.join(" and "));
            let of_both = |flaws: &String| flaws.split(" and ").all(|flaw| names.contains(flaw));
            let named = listed.iter().any(of_both);
            assert!(named, "{}: {explanation:?}", class.id);
        }
        assert!(!report.variants[0].classes.is_empty(), "{variant}");
    }
}
