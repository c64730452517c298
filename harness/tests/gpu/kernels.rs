//! What kernels give, and what becomes of those that do not compile.

use reports::{Judge, Report, Status, Verdict};

use crate::{Machine, bits, report, said, variant};

/// One of each shape of operands and results.
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
        ],
    );
    assert_eq!((report.totals.passed, report.verdict()), (9, Verdict::Agree));
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
    let first =
        |class: &reports::Class| (class.examples[0].index, class.examples[0].actual[0].bits.clone());
    assert!(classes.iter().any(|class| first(class) == (255, "0xa5a5".into())), "{classes:?}");
    // Alone it is the first row of its batch, and has a result.
    let alone = classes.iter().find(|class| class.id == "abs.f16/batch-dependent");
    assert_eq!(alone.map(first), Some((255, "0x00ff".into())), "{classes:?}");
}

#[test]
fn a_kernel_that_does_not_compile_fails_alone_and_with_the_log() {
    let machine = Machine::with("refuses=.entry mul_rz_f32(");
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

/// What only stands in for a driver may die of what it does not know.
#[test]
fn what_is_not_asked_for_is_not_compiled() {
    let report = report("dies=mul_rz_f32(", &["mul.rn.f32", "mul.rm.f32"]);
    assert_eq!((report.totals.passed, report.verdict()), (2, Verdict::Agree));
}

/// A driver that refuses to run a kernel, and goes on, costs the variant.
#[test]
fn a_kernel_that_is_not_run_fails_alone() {
    let machine = Machine::with("fails=mul.rz.f32");
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

/// Operands that stand in the text are as good as others, and fewer.
#[test]
fn kernels_of_constants_are_a_configuration_of_their_own() {
    let machine = Machine::with("");
    let only = ["--only", "fma.rn.f32", "--only", "abs.f16", "--only", "slct.f64.f32"];
    let (_, report) = machine.run("cuda:0,constants", &only);
    assert_eq!((report.totals.passed, report.verdict()), (3, Verdict::Agree));
    for variant in &report.variants {
        assert!(variant.sweeps.iter().all(|sweep| sweep.vectors <= 64), "{}", variant.variant);
        // The first vectors of a whole space would be a poor choice.
        assert!(variant.sweeps.len() > 2);
        assert!(variant.sweeps.iter().all(|sweep| sweep.name != "exhaustive"));
    }
    let machine = Machine::with("refuses=0f7f800000");
    let (output, report) = machine.run("cuda:0,constants", &only[..4]);
    assert_eq!((output.status.code(), report.totals.passed), (Some(1), 1));
    let example = &variant(&report, "fma.rn.f32").classes[0].examples[0];
    let words = "fma.rn.f32 does not compile of some constants: cuModuleLoadDataEx gave";
    assert!(example.words.as_deref().unwrap().contains(words), "{example:?}");
}

/// A part of all pairs of operands: seven blocks and a few.
fn screened(settings: &str) -> Report {
    let arguments = ["--tier", "nightly", "--shard", "3/9001", "--only", "mul.f16"];
    let (output, report) = Machine::with(settings).run("cuda:0", &arguments);
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
    // Judged here, it comes to the same.
    let here = whole(&screened("refuses=.entry screen_"));
    assert_eq!((here.judge, here.vectors), (Judge::Screened, sweep.vectors));
    assert_eq!((&here.inputs, &here.results), (&sweep.inputs, &sweep.results));
    // What differs comes back and is judged by MPFR.
    let wrong = screened("wrong=mul.f16");
    let sweep = whole(&wrong);
    assert_eq!((wrong.verdict(), sweep.judge), (Verdict::Mismatches, Judge::Device));
    assert!(sweep.mismatches > sweep.vectors / 64, "{} of {}", sweep.mismatches, sweep.vectors);
}
