//! Tests of `judge --impl cuda:0`: functions and kernels of one's own, executed by a device.

use std::path::{Path, PathBuf};
use std::process::Output;

use reports::Report;

use super::{FakeMachine, said};
use crate::common::assert_refused;

/// A kernel that adds a half to numbers. Where a number is infinite, `HERE` is executed.
const HALF_MORE: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry half_more(.param .u64 x, .param .u64 y, .param .u32 n)
{
\t.reg .b32 %i<5>; .reg .b64 %l<5>; .reg .f32 %f<3>; .reg .pred %p<3>;
\tld.param.u64 %l0, [x];
\tld.param.u64 %l1, [y];
\tld.param.u32 %i4, [n];
\tmov.u32 %i0, %ctaid.x; mov.u32 %i1, %ntid.x; mov.u32 %i2, %tid.x;
\tmad.lo.u32 %i3, %i0, %i1, %i2;
\tsetp.ge.u32 %p0, %i3, %i4;
\t@%p0 bra END;
\tmul.wide.u32 %l2, %i3, 4;
\tadd.u64 %l3, %l0, %l2;
\tadd.u64 %l4, %l1, %l2;
\tld.global.f32 %f0, [%l3];
\tadd.rn.f32 %f1, %f0, 0f3f000000;
\tsetp.eq.f32 %p1, %f0, 0f7f800000;
\t@!%p1 bra STORE;
\tHERE
STORE:
\tst.global.f32 [%l4], %f1;
END:
\tret;
}
";

/// A function that stores what it computes behind a pointer.
const BEHIND: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .func scaled(.param .b32 a, .param .b64 into, .param .b32 mode)
{
\t.reg .f32 %f<3>; .reg .b64 %l; .reg .b32 %m; .reg .pred %p;
\tld.param.f32 %f0, [a];
\tld.param.u64 %l, [into];
\tld.param.u32 %m, [mode];
\tsetp.eq.u32 %p, %m, 1;
\tselp.f32 %f1, 0f3f000000, 0f40000000, %p;
\tmul.rn.f32 %f2, %f0, %f1;
\tst.f32 [%l], %f2;
\tret;
}
";

/// A kernel that has one operand itself, and not behind a pointer.
const BY_VALUE: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry plus(.param .u64 x, .param .f32 s, .param .u64 y)
{
\t.reg .f32 %f<3>; .reg .b64 %l<2>;
\tld.param.u64 %l0, [x];
\tld.param.f32 %f1, [s];
\tld.param.u64 %l1, [y];
\tld.global.f32 %f0, [%l0];
\tadd.rn.f32 %f2, %f0, %f1;
\tst.global.f32 [%l1], %f2;
\tret;
}
";

/// Returns a file of the functions that the tests have, for a target that the device runs.
fn function(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/functions").join(name);
    std::fs::read_to_string(path).unwrap().replace(".target sm_100a", ".target sm_90")
}

/// Judges a text on a device with these settings.
fn judge(settings: &str, text: &str, arguments: &[&str]) -> (FakeMachine, Output) {
    let machine = FakeMachine::with(settings);
    std::fs::write(machine.path().join("own.ptx"), text).unwrap();
    let mut command = machine.command();
    command.args(["judge", "own.ptx", "--out", "out", "--jobs", "2"]);
    if !arguments.contains(&"--tier") {
        command.args(["--tier", "quick"]);
    }
    let output = command.args(arguments).output().unwrap();
    (machine, output)
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Asserts that a run ended without a verdict, and said why.
fn ends(output: &Output, words: &[&str]) {
    let text = said(output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for word in words {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
}

fn report(folder: &Path) -> Report {
    reports::load(&folder.join("out/report.json")).unwrap()
}

/// A device gives what the interpreter gives, for functions and for kernels, each thread of which takes one element or
/// four.
#[test]
fn a_device_executes_functions_and_kernels() {
    for (file, meaning, name) in [
        ("f32_to_bf16.ptx", "cvt.rn.bf16.f32", "f32_to_bf16"),
        ("f32_fma.ptx", "fma.rn.f32", "f32_fma"),
        ("multiply_add.ptx", "fma.rn.f32", "multiply_add"),
        ("halve_by_four.ptx", "mul.rn.f32(a, 0.5)", "halve_by_four"),
        ("relu_in_place.ptx", "max.NaN.f16(a, 0)", "relu_in_place"),
    ] {
        let text = function(file);
        let (machine, output) = judge("", &text, &["--as", meaning, "--impl", "cuda:0"]);
        assert_eq!(output.status.code(), Some(0), "{file}: {}{}", printed(&output), said(&output));
        assert!(printed(&output).contains("a GPU does not tell which instructions"), "{file}");
        let on_device = report(machine.path());
        assert_eq!(on_device.implementation.name, format!("code:own.ptx#{name}@cuda:0"));
        let device = on_device.implementation.device.unwrap_or_default();
        assert!(device.starts_with("Fake 0"), "{device}");
        let (machine, output) = judge("", &text, &["--as", meaning]);
        assert_eq!(output.status.code(), Some(0), "{file}: {}", said(&output));
        let interpreted = report(machine.path());
        let sweeps = |report: &Report| serde_json::to_value(&report.variants[0].sweeps).unwrap();
        let on_device = sweeps(&reports::load(&machine.path().join("out/report.json")).unwrap());
        assert_eq!(on_device, sweeps(&interpreted), "{file}");
    }
}

/// Kernels are launched as their parameters need it.
#[test]
fn a_launch_has_all_rows_or_one() {
    let words = |text: &str, arguments: &[&str]| {
        let (_, output) = judge("", text, &[arguments, &["--impl", "cuda:0"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
        said(&output)
    };
    let half_more = HALF_MORE.replace("HERE", "");
    let text = words(&half_more, &["--as", "add.rn.f32(a, 0.5)"]);
    assert!(text.contains("Each batch of vectors is one launch"), "{text}");
    let text = words(BY_VALUE, &["--as", "add.rn.f32", "--launch", "a, b, &d"]);
    assert!(text.contains("Each row is a launch of one thread"), "{text}");
    let text = words(BEHIND, &["--as", "mul.rn.f32(a, 0.5)", "--launch", "a, &d, 1"]);
    assert!(text.contains("The function is called with --launch 'a, &d, 1'"), "{text}");
    // One thread for the only element: the index is not looked at.
    let first = half_more.replace("mad.lo.u32 %i3, %i0, %i1, %i2;", "mov.u32 %i3, 0;");
    let text = words(&first, &["--as", "add.rn.f32(a, 0.5)"]);
    assert!(text.contains("Each row is a launch of one thread"), "{text}");
}

/// Only operands that fulfil the condition go to the device; those that do not are counted.
#[test]
fn a_domain_holds_on_a_device() {
    let text = HALF_MORE.replace("HERE", "mov.f32 %f1, 0f00000000;");
    let meaning = ["--as", "add.rn.f32(a, 0.5)", "--impl", "cuda:0"];
    let (_, output) = judge("", &text, &meaning);
    assert_eq!(output.status.code(), Some(1), "{}{}", printed(&output), said(&output));
    let (machine, output) = judge("", &text, &[&meaning[..], &["--where", "a is finite"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    assert!(report(machine.path()).totals.unanswered > 0);
}

/// A device that computes something wrong is found, and what was found can be run again there, and in the interpreter.
#[test]
fn a_wrong_device_is_found_and_replayed() {
    let (machine, output) = judge(
        "wrong=fma.rn.f32",
        &function("multiply_add.ptx"),
        &["--as", "fma.rn.f32", "--impl", "cuda:0"],
    );
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", said(&output));
    assert!(text.contains("--impl 'code:own.ptx#multiply_add@cuda:0'"), "{text}");
    assert!(text.contains("in the suite's interpreter:"), "{text}");
    let replay = |name: &str| {
        let mut command = machine.command();
        command.args(["replay", "out/report.json", "--impl", name]).output().unwrap()
    };
    let again = replay("code:own.ptx#multiply_add@cuda:0");
    assert_eq!(again.status.code(), Some(1), "{}{}", printed(&again), said(&again));
    let interpreted = replay("code:own.ptx#multiply_add");
    assert_eq!(interpreted.status.code(), Some(0), "{}{}", printed(&interpreted), said(&interpreted));
}

/// A function is held to itself in the interpreter, bit for bit.
#[test]
fn a_device_is_held_to_the_interpreter() {
    let text = function("f32_product_sum.ptx");
    let against = ["--against", "own.ptx", "--impl", "cuda:0"];
    let (_, output) = judge("", &text, &against);
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    let (_, output) = judge("wrong=mul.rn.f32", &text, &against);
    assert_eq!(output.status.code(), Some(1), "{}{}", printed(&output), said(&output));
    let (_, output) = judge("", &function("f32_reciprocal.ptx"), &against);
    assert_refused(&output, &["--against compares bits", "--as"]);
}

/// A thread that stores nothing is noticed.
#[test]
fn results_that_are_not_written_are_noticed() {
    let text = HALF_MORE.replace("HERE", "bra END;");
    let (machine, output) = judge("", &text, &["--as", "add.rn.f32(a, 0.5)", "--impl", "cuda:0"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", printed(&output), said(&output));
    let report = report(machine.path());
    let classes: Vec<&str> =
        report.variants[0].classes.iter().map(|class| class.id.rsplit('/').next().unwrap()).collect();
    assert_eq!(classes, ["unwritten"]);
}

/// A run ends, with all that was found until then, if the code breaks the device.
#[test]
fn a_device_that_breaks_ends_the_run() {
    let as_sum = ["--as", "add.rn.f32(a, 0.5)"];
    let on = |gpu: &'static str| [&as_sum[..], &["--impl", gpu]].concat();
    let astray = HALF_MORE.replace("HERE", "st.global.f32 [%l2], %f1;");
    let (_, output) = judge("", &astray, &on("cuda:0"));
    ends(&output, &["cuda:0 failed and cannot be used further"]);
    let right = HALF_MORE.replace("HERE", "");
    let (_, output) = judge("lost-at-launch=1", &right, &on("cuda:0"));
    ends(&output, &["cuda:0 failed and cannot be used further", "CUDA_ERROR_ILLEGAL_ADDRESS"]);
    let (_, output) = judge("hangs-at-launch=1", &right, &on("cuda:0,deadline=1"));
    ends(&output, &["did not finish a batch within 1 s", "deadline="]);
}

/// Code that a device cannot execute is refused with a sentence.
#[test]
fn what_a_device_does_not_run_is_refused() {
    let right = HALF_MORE.replace("HERE", "");
    let as_sum = ["--as", "add.rn.f32(a, 0.5)", "--impl"];
    let refused = |settings: &str, text: &str, gpu: &str, words: &[&str]| {
        let (_, output) = judge(settings, text, &[&as_sum[..], &[gpu]].concat());
        assert_refused(&output, words);
    };
    let newer = right.replace("8.0", "8.6").replace("sm_80", "sm_100");
    refused("", &newer, "cuda:0", &["is for sm_100", "compute capability 9.0", "sm_90a", "--target"]);
    refused("", &right, "cuda:7", &["there is no GPU cuda:7"]);
    refused("", &right, "emulator", &["does not name a GPU"]);
    refused("", &right, "cuda:0,isolated", &["without the options `isolated`"]);
    refused("refuses=half_more", &right, "cuda:0", &["does not compile code:own.ptx#half_more"]);
    let (_, output) = judge("", &right, &["--impl", "cuda:0"]);
    assert_refused(&output, &["--impl goes with --as or --against"]);
}
