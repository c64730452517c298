//! Tests of what becomes of the files that a campaign kept.

use implementations::{Canary, Emulator};
use isa::Variant;

use super::*;

fn kept(file: &str, variant: &str, operands: &[u64]) -> KeptFile {
    let variant = Variant::all().iter().find(|of| of.text() == variant).expect("legal");
    KeptFile { file: file.into(), case: Ok(FuzzCase::new(variant, operands)) }
}

fn campaign() -> Vec<KeptFile> {
    vec![
        kept("a", "mul.rn.f16", &[0x3e00, 0x3c03]),
        kept("b", "abs.bf16", &[0x807f]),
        kept("c", "mul.rn.f16", &[0x3c00, 0x3c00]),
        kept("d", "mul.rn.f16", &[0x3e00, 0x3c03]),
        KeptFile { file: "e".into(), case: Err("it is empty".into()) },
    ]
}

#[test]
fn each_vector_is_planned_once() {
    let plan = plan(&campaign(), &Canary);
    let tasks = plan.tasks.iter().map(|task| (task.subject().id(), task.asked.sweep(), task.vectors));
    assert_eq!(tasks.collect::<Vec<_>>(), [("mul.rn.f16", "fuzz", 2), ("abs.bf16", "fuzz", 1)]);
    let mut columns = plan.tasks[0].subject().operands(2);
    plan.tasks[0].asked.fill(7, 0, &mut columns);
    let rows = [[0x3e00, 0x3c03], [0x3c00, 0x3c00]];
    for (row, bits) in rows.iter().enumerate() {
        assert_eq!(formats::column::row_bits(&columns, row), bits.map(RowBits::from));
    }
}

#[test]
fn every_file_is_told() {
    let statuses = |implementation: &dyn Implementation| {
        let kept = campaign();
        let artifacts = try_again(&kept, &plan(&kept, implementation), implementation);
        let artifacts = artifacts.expect("it works");
        artifacts.into_iter().map(|of| (of.status, of.class)).collect::<Vec<_>>()
    };
    use ArtifactStatus::{Agrees, Fails, Unread};
    let ulp = || Some("mul.rn.f16/ulp-above".to_owned());
    let zero = Some("abs.bf16/zero-appeared".to_owned());
    assert_eq!(
        statuses(&Canary),
        [(Fails, ulp()), (Fails, zero), (Agrees, None), (Fails, ulp()), (Unread, None)]
    );
    let right = (Agrees, None);
    assert_eq!(
        statuses(&Emulator::scalar()),
        [right.clone(), right.clone(), right.clone(), right, (Unread, None)]
    );
}
