//! Tests of matrix instructions by programs: an exact client in Python is right, and one that forgets something is
//! found out.

use reports::Status;

use super::{protocol, report, run};

/// The tested variants, one of each kind of operands.
const VARIANTS: [&str; 5] = [
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32",
    "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.e2m1.e3m2.f16",
];

/// A client that computes sums in fractions and rounds them once is right: the page of the protocol is enough for
/// that.
#[test]
fn a_client_in_fractions_is_right() {
    let client = protocol().join("dots.py");
    let name = format!("exec,vectors=96,deadline=60:python3 '{}'", client.display());
    let scaled = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";
    let report = report(&name, &[&VARIANTS[..], &[scaled]].concat());
    assert_eq!(report.implementation.version, "python-dots 1");
    for found in &report.variants {
        let lacks = found.variant == scaled;
        let due = if lacks { Status::Unsupported } else { Status::Pass };
        assert_eq!(found.status, due, "{}", found.variant);
        assert!(lacks || found.vectors > 500, "{}: {}", found.variant, found.vectors);
    }
}

/// The exact client is found out where it forgets its addend or the last term, or where all sums are zero.
#[test]
fn clients_that_forget_are_found_out() {
    let text = std::fs::read_to_string(protocol().join("dots.py")).unwrap();
    let directory = tempfile::tempdir().unwrap();
    for (name, from, to, kind) in [
        ("addend", "terms + [(decode(c_name, c), Fraction(1))]", "terms", Some("inexact")),
        ("term", "zip(a, b)]", "list(zip(a, b))[1:]]", Some("inexact")),
        ("zero", "return encode(d_name, total)", "return 0", Some("zero-appeared")),
        // Another order of both operands alike is as right.
        (
            "order",
            "elements(row, width):",
            "elements(row, width):\n    row = row[width:] + row[:width]",
            None,
        ),
    ] {
        assert!(text.contains(from), "{name}");
        let path = directory.path().join(format!("{name}.py"));
        std::fs::write(&path, text.replace(from, to)).unwrap();
        let client = format!("exec,vectors=32,deadline=60:python3 '{}'", path.display());
        let (output, found) = run(&client, &VARIANTS[..1]);
        let code = output.status.code();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(code, Some(i32::from(kind.is_some())), "{name}: {printed}");
        let found = found.unwrap();
        let classes: Vec<&str> =
            found.variants[0].classes.iter().map(|class| class.id.rsplit('/').next().unwrap()).collect();
        assert!(kind.is_none_or(|kind| classes.contains(&kind)), "{name}: {classes:?}");
    }
}
