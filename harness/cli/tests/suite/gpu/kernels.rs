//! Tests of the results of kernels, and of kernels that do not compile.

use reports::{Judge, Report, Status, Verdict};

use super::{FakeMachine, bits, report, said, variant};

/// Kernels are given the columns of a batch and give theirs back: one kernel of each shape of operands and results.
#[test]
fn kernels_are_given_the_columns_of_a_batch_and_give_theirs_back() {
    let report = report(
        "capability=100;ptx=9.4",
        &[
            "setp.eq.and.f16x2",
            "testp.normal.f64",
            "slct.f64.f32",
            "fma.rn.f32.bf16",
            "cvt.rn.f32.s8",
            "cvt.rn.f16x2.e4m3x2",
            "cvt.rs.satfinite.e2m1x4.f32",
            "add.f32x2",
            "max.NaN.f32(a,b,c)",
            "redux.sync.min.abs.f32",
        ],
    );
    assert_eq!((report.totals.passed, report.verdict()), (10, Verdict::Agree));
    assert!(report.totals.vectors > 500_000);
}

#[test]
fn results_that_are_wrong_or_missing_are_mismatches() {
    let wrong = report("wrong=mul.rz.f32", &["mul.rz.f32", "mul.rn.f32"]);
    assert_eq!(variant(&wrong, "mul.rn.f32").status, Status::Pass);
    let failed = variant(&wrong, "mul.rz.f32");
    assert!(failed.mismatches > 100, "{}", failed.mismatches);
    let operands = &failed.classes[0].examples[0].operands;
    assert_eq!(operands.iter().map(|operand| bits(operand) & 31).sum::<u64>(), 21);
    // A row that a kernel leaves out shows, even where it had a result in the batch before.
    let skips = report("skips", &["abs.f16"]);
    let classes = &variant(&skips, "abs.f16").classes;
    let [left] = &classes[..] else { panic!("{classes:?}") };
    assert_eq!((&*left.id, left.examples[0].index), ("abs.f16/unwritten", 255), "{left:?}");
}

#[test]
fn a_kernel_that_does_not_compile_fails_alone_and_with_the_log() {
    let machine = FakeMachine::with("refuses=.entry mul_rz_f32(");
    let (output, report) = machine.run("cuda:0", &["--only", "mul.r*.f32"]);
    let failed = variant(&report, "mul.rz.f32");
    assert_eq!(failed.status, Status::Fail);
    let reason = failed.reason.as_deref().unwrap();
    let words = "the driver does not compile it: cuModuleLoadDataEx gave CUDA_ERROR_INVALID_PTX (invalid \
                 ptx): ptxas application ptx input, line 5; error   : ";
    assert!(reason.starts_with(words) && reason.ends_with("aborted"), "{reason}");
    assert_eq!(variant(&report, "mul.rn.f32").status, Status::Pass);
    assert_eq!((report.totals.failed, report.verdict()), (1, Verdict::Mismatches));
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("does not compile it: cuModuleLoadDataEx"), "{printed}");
    let schema = serde_json::from_str(reports::SCHEMA_JSON).unwrap();
    assert!(jsonschema::is_valid(&schema, &serde_json::to_value(&report).unwrap()));
}

/// A refusal needs no words: a stand-in for a driver may have none for what it refuses, a version among it.
#[test]
fn a_refusal_needs_no_words() {
    let report = report("silent;refuses=.entry mul_rz_f32(", &["mul.rz.f32", "mul.rn.f32"]);
    let reason = variant(&report, "mul.rz.f32").reason.as_deref().unwrap();
    assert!(
        reason.contains("does not compile it: cuModuleLoadDataEx gave CUDA_ERROR_UNKNOWN"),
        "{reason}"
    );
    assert_eq!((report.totals.failed, report.totals.passed), (1, 1));
}

/// Kernels that are not asked for are not compiled, since a stand-in for a driver may die of what it does not know.
#[test]
fn what_is_not_asked_for_is_not_compiled() {
    let report = report("dies=mul_rz_f32(", &["mul.rn.f32", "mul.rm.f32"]);
    assert_eq!((report.totals.passed, report.verdict()), (2, Verdict::Agree));
}

/// A kernel that a driver refuses to run costs its variant alone, where the driver goes on.
#[test]
fn a_kernel_that_is_not_run_fails_alone() {
    let machine = FakeMachine::with("fails=mul.rz.f32");
    let (output, report) = machine.run("cuda:0", &["--only", "mul.r*.f32"]);
    assert!(report.complete, "{}", said(&output));
    let failed = variant(&report, "mul.rz.f32");
    let [class] = &failed.classes[..] else { panic!("{:?}", failed.classes) };
    assert_eq!((&*class.id, class.count), ("mul.rz.f32/failed", failed.vectors));
    let words = class.examples[0].words.as_deref().unwrap();
    assert!(words.contains("does not run it: cuLaunchKernel gave CUDA_ERROR_NOT_SUPPORTED"), "{words}");
    assert_eq!((report.totals.failed, report.totals.passed), (1, 15));
    assert_eq!(output.status.code(), Some(1));
}

/// Rows that are never written are mismatches of one kind of their own, and a result that looks like what was there
/// before is not one of them.
#[test]
fn rows_that_are_never_written_are_a_kind_of_their_own() {
    let report = report("leaves=abs.f16", &["abs.f16", "neg.f16"]);
    let failed = variant(&report, "abs.f16");
    let [class] = &failed.classes[..] else { panic!("{:?}", failed.classes) };
    assert_eq!((&*class.id, class.count), ("abs.f16/unwritten", failed.vectors));
    assert_eq!(
        (variant(&report, "neg.f16").status, variant(&report, "neg.f16").vectors),
        (Status::Pass, 65536)
    );
}

/// A driver that runs in a process of its own and ends it costs the variants that it does so for.
#[test]
fn a_driver_in_a_process_of_its_own_may_end() {
    let only =
        ["--only", "mul.rn.f32", "--only", "mul.rz.f32", "--only", "abs.f16", "--only", "neg.f16"];
    let (_, report) = FakeMachine::with("").run("cuda:0,isolated", &only);
    assert_eq!((report.totals.passed, report.verdict()), (4, Verdict::Agree));
    assert!(report.implementation.version.contains("driver CUDA"), "{:?}", report.implementation);
    let wrongs = "dies=mul_rz_f32(;dies-at-launch=mul.rn.f32;leaves=abs.f16";
    let (output, report) = FakeMachine::with(wrongs).run("cuda:0,isolated", &only);
    assert!(report.complete, "{}", said(&output));
    assert_eq!(variant(&report, "neg.f16").status, Status::Pass);
    let unwritten = &variant(&report, "abs.f16").classes[0];
    assert_eq!(unwritten.id, "abs.f16/unwritten");
    for fatal in ["mul.rn.f32", "mul.rz.f32"] {
        let fatal = variant(&report, fatal);
        assert_eq!(fatal.status, Status::Unsupported, "{fatal:?}");
        assert!(fatal.reason.as_deref().unwrap().contains("signal: 6"), "{:?}", fatal.reason);
    }
    // Without a process of its own the driver takes the run with it.
    let machine = FakeMachine::with(wrongs);
    let mut command = machine.command();
    command.args(["conformance", "--out", "run", "--impl", "cuda:0"]).args(only);
    assert_eq!(command.output().unwrap().status.code(), None);
}

/// A word of 128 bits is two registers for the suite, and one row of 16 bytes for a kernel, however it is run.
#[test]
fn words_of_128_bits_are_rows_of_16_bytes() {
    let only = ["--only", "atom.global.max.noftz.v8.bf16", "--only", "red.add.v4.f32"];
    let leaves = "leaves=atom.global.max.noftz.v8.bf16";
    for implementation in ["cuda:0", "cuda:0,constants", "cuda:0,isolated"] {
        let (output, report) = FakeMachine::with("").run(implementation, &only);
        let passed = (report.totals.passed, report.verdict());
        assert_eq!(passed, (2, Verdict::Agree), "{implementation}: {}", said(&output));
        if implementation.ends_with("constants") {
            continue;
        }
        let (_, report) = FakeMachine::with(leaves).run(implementation, &only);
        let left = variant(&report, "atom.global.max.noftz.v8.bf16");
        let classes: Vec<_> = left.classes.iter().map(|class| (&*class.id, class.count)).collect();
        assert_eq!(
            classes,
            [("atom.global.max.noftz.v8.bf16/unwritten", left.vectors)],
            "{implementation}"
        );
    }
    let (_, report) = FakeMachine::with("wrong=red.add.v4.f32").run("cuda:0", &only);
    let wrong = &variant(&report, "red.add.v4.f32").classes[0];
    let names: Vec<_> = wrong.examples[0].actual.iter().map(|datum| &*datum.name).collect();
    assert_eq!(names, ["m0", "m1"]);
}

/// Two threads that are neighbours in a warp execute one instruction on one word. The stand-in's lower thread comes
/// first, which has the other operand where the first is the warp's last.
#[test]
fn two_threads_of_a_warp_change_one_word() {
    // The process that the driver is in makes no difference to a kernel, nor the kernel to that, so two pairs suffice.
    for (implementation, text) in
        [("cuda:0", "red.global.add.noftz.f16(b,c)"), ("cuda:0,isolated", "red.shared.add.f32(b,c)")]
    {
        let (output, report) = FakeMachine::with("").run(implementation, &["--only", text]);
        let passed = (report.totals.passed, report.verdict());
        assert_eq!(passed, (1, Verdict::Agree), "{implementation}: {}", said(&output));
        let of = variant(&report, text);
        let order = of.relaxations.iter().find(|open| open.name == "thread-order").unwrap();
        assert!(order.answers["b first"] > 10 * order.answers["c first"], "{order:?}");
        assert!(order.answers["c first"] > 0, "{order:?}");
    }
}

/// Kernels of constants, whose operands stand in the text, are a configuration of their own: as good as others, and
/// fewer.
#[test]
fn kernels_of_constants_are_a_configuration_of_their_own() {
    let machine = FakeMachine::with("");
    let only = ["--only", "fma.rn.f32", "--only", "abs.f16", "--only", "slct.f64.f32"];
    let (_, report) = machine.run("cuda:0,constants", &only);
    assert_eq!((report.totals.passed, report.verdict()), (3, Verdict::Agree));
    for variant in &report.variants {
        assert!(variant.sweeps.iter().all(|sweep| sweep.vectors <= 64), "{}", variant.variant);
        // The first vectors of a whole space would be a poor choice.
        assert!(variant.sweeps.len() > 2);
        assert!(variant.sweeps.iter().all(|sweep| sweep.name != "exhaustive"));
    }
    let machine = FakeMachine::with("refuses=0f7f800000");
    let (output, report) = machine.run("cuda:0,constants", &only[..4]);
    assert_eq!((output.status.code(), report.totals.passed), (Some(1), 1));
    let example = &variant(&report, "fma.rn.f32").classes[0].examples[0];
    let words = "fma.rn.f32 does not compile of some constants: cuModuleLoadDataEx gave";
    assert!(example.words.as_deref().unwrap().contains(words), "{example:?}");
}

/// Returns the report on a part of all pairs of operands: seven blocks and a few.
fn screened(settings: &str) -> Report {
    let arguments = ["--tier", "nightly", "--shard", "3/9001", "--only", "mul.f16"];
    let (output, report) = FakeMachine::with(settings).run("cuda:0", &arguments);
    assert!(report.complete, "{}", said(&output));
    report
}

#[test]
fn vectors_are_made_and_judged_on_the_device_where_that_can_be_printed() {
    let right = screened("");
    let whole = |report: &Report| {
        let sweeps = &variant(report, "mul.f16").sweeps;
        sweeps.iter().find(|sweep| sweep.name == "exhaustive").unwrap().clone()
    };
    let sweep = whole(&right);
    assert_eq!((right.verdict(), sweep.judge), (Verdict::Agree, Judge::Device));
    // Where the driver does not take or does not run the kernel that judges, the results are judged here and come
    // to the same.
    for setting in ["refuses=.entry screen_", "fails=shfl.sync.bfly.b32"] {
        let here = whole(&screened(setting));
        assert_eq!((here.judge, here.vectors), (Judge::Screened, sweep.vectors), "{setting}");
        assert_eq!((&here.inputs, &here.results), (&sweep.inputs, &sweep.results));
    }
    // Vectors that differ come back and are judged by MPFR.
    let wrong = screened("wrong=mul.f16");
    let sweep = whole(&wrong);
    assert_eq!((wrong.verdict(), sweep.judge), (Verdict::Mismatches, Judge::Device));
    assert!(sweep.mismatches > sweep.vectors / 64, "{} of {}", sweep.mismatches, sweep.vectors);
}
