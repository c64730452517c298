//! Tests of what people get to see of a mismatch: the explanation of a vector, and waivers of known mismatches.

mod steps;

use std::path::Path;
use std::process::{Command, Output};

use crate::common::assert_refused;
use serde_json::{Value, json};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).output().unwrap()
}

fn explained(arguments: &[&str]) -> String {
    let output = run(&[&["explain"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn shows(text: &str, lines: &[&str]) {
    let squeezed: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in lines {
        assert!(squeezed.iter().any(|shown| shown == line), "`{line}` is not in:\n{text}");
    }
}

/// The sum (1 + 2^-10)^2 − (1 + 2^-9) is 2^-20, a subnormal number of f16, and `.ftz` flushes it.
#[test]
fn a_flushed_sum() {
    shows(
        &explained(&["fma.rn.ftz.f16", "0x3c01", "3c01", "bc02"]),
        &[
            "a f16 0x3c01 1.0009765625 +1.0000000001×2^0",
            "exact +9.5367431640625e-7 = +0x1p-20 = +1 × 2^-20",
            "flushed the exact result is subnormal: it becomes zero of its sign",
            "d f16 0x0000 0 +0",
            "0x0010 result-not-flushed subnormal results are kept, in spite of `.ftz`",
        ],
    );
}

/// The inputs 464 and 1.0625 lie half-way between numbers of e4m3.
#[test]
fn ties_of_two_lanes() {
    shows(
        &explained(&["cvt.rn.satfinite.e4m3x2.f32", "3f880000", "43e80000"]),
        &[
            "exact +464 = +0x1.dp8 = +1.1101 × 2^8",
            "round to nearest, ties to even: guard 1, sticky 0, a tie: the bits are cut off",
            "d e4m3x2 0x387e",
            "0x7e38 lanes-swapped the lanes of the result stand in reverse order",
            "0x397e ties-away ties are rounded away from zero",
        ],
    );
}

/// The result of sin(2) = 0.909297… may have an absolute error of at most 2^-20.5, which is shown as a bound.
#[test]
fn the_bound_of_an_approximation() {
    let text = explained(&["sin.approx.f32", "40000000"]);
    shows(&text, &["exact 9.092974268256817e-1 (MPFR, 96 bits, shown as f64)"]);
    assert!(text.contains("bound"), "{text}");
    let text = explained(&["rcp.approx.f32", "00200000"]);
    shows(&text, &["or 0x7f7ffffe to 0x7f800000 (bound-overflow)"]);
    let text = explained(&["rcp.approx.ftz.f64", "7fd0000100000000"]);
    shows(&text, &["exact 2.225071736513434e-308 (MPFR, 192 bits, shown as f64)"]);
    let except = "but for subnormal numbers, with a lower half of zeros (gross-tininess)";
    shows(&text, &[&format!("or 0x0000000000000000 to 0x0010100000000000 {except}")]);
    // An interval is not told twice, and NaN has none.
    let text = explained(&["sqrt.approx.f32", "bf800000"]);
    assert!(!text.contains("bound"), "{text}");
    shows(&explained(&["mul.f16", "7e00", "0000"]), &["or any NaN (any-nan)"]);
}

/// The lanes of a word in two registers are counted in each of them, as the registers are shown.
#[test]
fn lanes_of_a_word_of_128_bits_have_the_name_of_their_register() {
    let text = explained(&["red.add.v4.f32", "0", "0000000100000000", "0", "0"]);
    shows(&text, &["or m1 lane 1: 0x00000001 (vector-flush)"]);
}

#[test]
fn operands_that_are_none_are_refused() {
    let refused = |arguments: &[&str], why: &str| {
        assert_refused(&run(&[&["explain"], arguments].concat()), &[why]);
    };
    refused(&["fma.rn.f16", "3c00"], "takes 3 operands, not 1: a (f16), b (f16), c (f16)");
    refused(&["mul.f16", "3c00", "x"], "`x` is not hexadecimal: write the bits of b, like 0x3c00");
    refused(&["mul.f16", "3c00", "1.5"], "`1.5` is not hexadecimal: write =1.5 for the number");
    refused(&["mul.f16", "3c00", "13c00"], "does not fit into the 16 bits of b (f16)");
    refused(&["mul.f17", "3c00", "3c00"], "mul.f17");
}

fn conformance(out: &Path, waivers: &Value) -> (Option<i32>, Value, String) {
    let file = out.join("waivers.json");
    std::fs::write(&file, waivers.to_string()).unwrap();
    let (directory, file) = (out.to_str().unwrap(), file.to_str().unwrap());
    let only = ["--only", "mul.rn.f16", "--only", "fma.rn.f16"];
    let fixed = ["conformance", "--impl", "canary", "--out", directory, "--waivers", file];
    let output = run(&[&fixed[..], &only].concat());
    let report = std::fs::read(out.join("report.json")).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), serde_json::from_slice(&report).unwrap(), text)
}

/// Waivers cover the classes that they name and nothing else: all classes of the canary are waived, and then too many.
#[test]
fn waivers_cover_what_is_known_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path();
    let (code, report, _) = conformance(out, &json!({ "waivers": [] }));
    assert_eq!(code, Some(1));
    let classes =
        report["variants"].as_array().unwrap().iter().flat_map(|v| v["classes"].as_array().unwrap());
    let mut waivers: Vec<Value> = classes
        .map(|class| {
            let (variant, class) = class["id"].as_str().unwrap().split_once('/').unwrap();
            json!({ "implementation": "can*", "variant": variant, "class": class, "reason": "planted" })
        })
        .collect();
    assert!(waivers.len() > 1);

    let (code, report, text) = conformance(out, &json!({ "waivers": waivers }));
    assert_eq!((code, &report["totals"]["waived"]), (Some(0), &json!(2)), "{text}");
    assert_eq!(report["variants"][0]["classes"][0]["waiver"]["reason"], "planted");
    assert!(text.contains("planted") && text.contains("waived"), "{text}");

    // A class that is not waived fails; so does a waiver of a class that does not occur, unless another tier finds
    // it.
    let (code, report, _) = conformance(out, &json!({ "waivers": waivers[1..] }));
    assert_eq!((code, &report["totals"]["failed"]), (Some(1), &json!(1)));
    let mut stale = json!({
        "implementation": "canary", "variant": "mul.rn.*", "class": "padding", "reason": "once", "tier": "nightly"
    });
    waivers.push(stale.clone());
    assert_eq!(conformance(out, &json!({ "waivers": waivers })).0, Some(0));
    stale["tier"] = "quick".into();
    *waivers.last_mut().unwrap() = stale.clone();
    let (code, _, text) = conformance(out, &json!({ "waivers": waivers }));
    assert_eq!(code, Some(1));
    assert!(text.contains("covers no mismatch any more: remove it"), "{text}");
    // A waiver for another implementation is not looked at.
    stale["implementation"] = "libm".into();
    *waivers.last_mut().unwrap() = stale;
    assert_eq!(conformance(out, &json!({ "waivers": waivers })).0, Some(0));
}

#[test]
fn files_that_are_no_waivers_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("waivers.json");
    let with = |file: &Path| run(&["conformance", "--waivers", file.to_str().unwrap()]);
    assert_refused(&with(&file), &["cannot be read"]);
    std::fs::write(&file, "{}").unwrap();
    assert_refused(&with(&file), &["is not a file of waivers"]);
}

/// The sum 1 − 1 + 2^-24 depends on the generation: Volta keeps 23 fraction bits, later ones 24 or 25.
#[test]
fn an_element_of_a_matrix_product() {
    let half = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    let text = explained(&[half, "0:3c00*3c00", "1:bc00*3c00", "2:0c00*0c00"]);
    shows(
        &text,
        &[
            "16 products of f16 and f16, added to f32, in f32",
            "sm_80, sm_89: groups of 8, 24 fraction bits behind the largest exponent",
            "2 +00.000000000000000000000001|",
            "d 0x33800000 5.960464477539063e-8 +1.00000000000000000000000×2^-24",
        ],
    );
    // The sum 1 · 1 + 2 fits any accumulator.
    let exact =
        "right 0x40400000 3 +1.10000000000000000000000×2^1 alone: no order of adding rounds anything";
    shows(&explained(&[half, "5:3c00*3c00", "c=40000000"]), &[exact]);
    // An accumulator of 13 bits does not reach single precision.
    let eight = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
    let text = explained(&[eight, "c=3f800200"]);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("d ")).collect();
    assert!(
        lines[0].contains("0x3f800000") && lines[0].ends_with("right by reduced-accumulation"),
        "{text}"
    );
    assert!(
        lines[1..].iter().all(|line| line.contains("0x3f800200") && !line.contains("not by")),
        "{text}"
    );
    let four = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";
    shows(
        &explained(&[four, "0:2*2", "scale-a=80,7f"]),
        &["scale-a 2, 1", "d 0x40000000 2 +1.00000000000000000000000×2^1"],
    );
    assert_refused(
        &run(&["explain", eight, "40:0*0"]),
        &["`40:0*0` is not an operand", "places are 0 to 31"],
    );
    assert_refused(
        &run(&["explain", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16", "c=0"]),
        &["is not legal"],
    );
}
