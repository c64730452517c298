//! Tests of matrix instructions on a GPU: the results of their kernels, and what is found of a wrong one.

use reports::{Status, Verdict};

use super::{FakeMachine, bits, report, said, variant};

const HALF: &str = "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32";

/// Matrix instructions have their sums: one of each shape of fragments, of selectors and of shared memory.
#[test]
fn matrix_instructions_have_their_sums() {
    let report = report(
        "capability=120;ptx=9.4",
        &[
            "mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f16",
            "mma.sync.aligned.m16n8k4.row.col.rz.f64.f64.f64.f64",
            "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
            "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
            "wmma.mma.sync.aligned.col.row.m8n32k16.f16.f32",
        ],
    );
    assert_eq!((report.totals.passed, report.verdict()), (5, Verdict::Agree));
    assert!(report.totals.vectors > 50_000, "{}", report.totals.vectors);
}

#[test]
fn a_result_that_depends_on_its_place_is_a_mismatch() {
    let report = report(&format!("wrong={HALF}"), &[HALF]);
    let failed = variant(&report, HALF);
    assert_eq!(failed.status, Status::Fail);
    // One of every 128 places is wrong: in tiles, which have all of them in one instruction, and on the diagonal. A
    // sum that was added in some order may be a bit off.
    for name in ["tile", "exact"] {
        let sweep = failed.sweeps.iter().find(|sweep| sweep.name == name).unwrap();
        let each = sweep.vectors / 128;
        assert!(sweep.mismatches > 0 && sweep.mismatches <= 2 * each, "{} of {name}", sweep.mismatches);
    }
    // Alone, the vector stands in another place, and is right.
    assert!(failed.classes.iter().any(|class| class.id.ends_with("/batch-dependent")));
    let example = &failed.classes[0].examples[0];
    let (expected, actual) = (bits(&example.expected[0]), bits(&example.actual[0]));
    assert_eq!(expected ^ actual, 1);
}

#[test]
fn what_a_device_lacks_or_cannot_compile_is_said() {
    let machine = FakeMachine::with(&format!("refuses={HALF}"));
    let scaled = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";
    let fifth = "tcgen05.mma.cta_group::1.kind::f16*";
    let (output, report) = machine.run("cuda:0", &["--only", HALF, "--only", scaled, "--only", fifth]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let failed = variant(&report, HALF);
    let reason = failed.reason.as_deref().unwrap();
    assert!(reason.contains("the driver does not compile it"), "{reason}");
    let lacked = variant(&report, scaled);
    assert_eq!(lacked.status, Status::Unsupported);
    let reason = lacked.reason.as_deref().unwrap();
    assert!(reason.contains("sm_90a does not have it; first to have it: sm_120f"), "{reason}");
    assert!(report.totals.unsupported > 1);
}

/// A device is known by its sums: it agrees with the models of its own architecture, and is told which they are.
#[test]
fn a_device_is_known_by_its_sums() {
    let machine = FakeMachine::with("");
    let (output, report) = machine.run("cuda:0", &["--model", "sm_90a", "--only", HALF]);
    assert_eq!(report.verdict(), Verdict::Agree, "{}", said(&output));
    let (_, report) = machine.run("cuda:0", &["--model", "sm_80", "--only", HALF]);
    assert_eq!(report.verdict(), Verdict::Mismatches);
    let mut identify = machine.command();
    let output = identify.args(["identify", "--impl", "cuda:0", "--only", HALF]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("sm_90"), "{printed}");
}
