//! Tests of rows as data and machine code as text, and that no row is kept by operations that must not keep it.

use std::collections::HashSet;

use super::code::{CodeOperation, Operations, kernels};
use super::expected_code::ExpectedCode;
use super::rows::{self, MachineRow};

fn named(texts: &[&str]) -> Operations {
    texts.iter().map(|text| CodeOperation::named(text)).collect()
}

fn read(lines: &[&str]) -> Operations {
    let lines: Vec<String> =
        lines.iter().map(|line| format!("        /*0090*/                   {line} ;")).collect();
    let [(name, operations)] = &kernels(&format!(".text.f:\n{}\n", lines.join("\n")))[..] else {
        panic!("one kernel")
    };
    assert_eq!(name, "f");
    operations.clone()
}

#[test]
fn guises_are_seen_through() {
    let cases: [(&[&str], &[&str]); 21] = [
        (&["FADD.FTZ.RZ R1, R2, -R3"], &["FADD.RZ.FTZ"]),
        (&["@!P0 FFMA R1, R2, R3, R4"], &["FFMA"]),
        (&["HFMA2.MMA R5, R0, R5, -RZ"], &["HMUL2"]),
        (&["HFMA2 R5, R0, 1, 1, R5"], &["HADD2"]),
        (&["HFMA2.BF16_V2 R0, R0.H0_H0, R5.H0_H0, -RZ.H0_H0"], &["HMUL2.BF16"]),
        // A positive zero is an addend, since its sign counts.
        (&["HFMA2 R5, R0, R5, RZ"], &["HFMA2"]),
        (&["FFMA2 R4, R4.F32x2.HI_LO, R6.F32x2.HI_LO, R8.F32x2.HI_LO"], &["FFMA2"]),
        (&["HFMA2.MMA R3, -RZ, RZ, 1.875, 0", "HADD2.F32 R1, -RZ, R2.H0_H0", "FADD R1, -RZ, -R2"], &[]),
        // An operation that flushes is no move.
        (&["FADD.FTZ R1, -RZ, R2"], &["FADD.FTZ"]),
        (
            &[
                "MOV R1, R2",
                "LDG.E R1, [R2]",
                "FSETP.GEU.FTZ.AND P0, PT, R1, R2, PT",
                "IADD3 R1, R2, R3, RZ",
            ],
            &[],
        ),
        (&["F2FP.F16.F32.PACK_AB.RZ R1, RZ, R2"], &["F2FP.F16.F32.RZ"]),
        (&["F2FP.F16.E2M1.UNPACK_B R1, R2"], &["F2FP.F16.E2M1"]),
        (&["HGMMA.64x16x16.F32.BF16 R24, gdesc[UR4], !UPT", "UTCBAR [UR4], URZ"], &["HGMMA.F32.BF16"]),
        // A factor of zero is no move if the other factor may be infinite, or if the product is +0, which makes −0 +0.
        (&["FFMA R5, RZ, R5, R0"], &["FFMA"]),
        (&["FFMA R5, RZ, RZ, R0"], &["FFMA"]),
        (&["FFMA R5, RZ, -RZ, R0"], &[]),
        // Rounded down, +0 + −0 is −0: there −0 changes an addend of +0, and +0 changes no addend.
        (
            &[
                "FFMA.RM R5, R0, R5, -RZ",
                "FADD.RM R5, -RZ, R0",
                "DFMA.RM R4, R6, R8, RZ",
                "DADD.RM R4, RZ, R6",
                "FFMA.RP R5, R0, R5, -RZ",
            ],
            &["FFMA.RM", "FADD.RM", "DMUL.RM", "FMUL.RP"],
        ),
        // The zero of the uniform registers.
        (&["FFMA R1, R2, UR4, -URZ", "HFMA2 R5, R0, R5, -URZ.H0_H0"], &["FMUL", "HMUL2"]),
        (&["FADD R1, -URZ, R2", "HFMA2 R3, -URZ, URZ, 1, 1", "FFMA R1, R2, R3, URZ"], &["FFMA"]),
        // Products of matrices of integers and of bits.
        (
            &[
                "IMMA.16816.S8.S8 R4, R8.ROW, R12.COL, R4",
                "BMMA.88128.XOR.POPC R4, R8.ROW, R12.COL, R4",
                "IGMMA.64x16x32.S8.S8 R24, gdesc[UR4], !UPT",
                "UTCIMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], !UPT",
            ],
            &[],
        ),
        (&["OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X R4, R8, R12, R4"], &["OMMA.SF.F32.E2M1.E2M1.UE4M3.4X"]),
    ];
    for (lines, due) in cases {
        assert_eq!(read(lines), named(due), "{lines:?}");
    }
    assert_ne!(named(&["F2FP.F16.E2M1"]), named(&["F2FP.E2M1.F16"]));
}

#[test]
fn dues_say_what_may_stand_there() {
    let choice = |due: &str, operations: &[&str]| ExpectedCode::of(due).choice(&named(operations));
    assert_eq!(choice("FFMA | FMUL FADD", &["FFMA"]), Some(0));
    assert_eq!(choice("FFMA | FMUL FADD", &["FADD", "FMUL"]), Some(1));
    assert_eq!(choice("FFMA | FMUL FADD", &["FADD"]), None);
    assert_eq!(choice("FMUL FADD", &["FADD", "FMUL", "FFMA"]), None);
    assert_eq!(choice("FFMA * !HMMA.TF32", &["FFMA", "FADD"]), Some(0));
    assert_eq!(choice("FFMA * !HMMA.TF32", &["FFMA", "HMMA.TF32"]), None);
    assert_eq!(ExpectedCode::of("refused no such"), ExpectedCode::Refused("no such".into()));
    assert_eq!(choice("refused no such", &[]), None);
    assert!(ExpectedCode::of("FFMA | FMUL FADD").is_open() && !ExpectedCode::of("FFMA").is_open());
}

#[test]
fn every_row_is_complete() {
    let mut known = HashSet::new();
    for row in rows::all() {
        for target in row.targets {
            assert!(known.insert((&row.name, target)), "{} is there twice for {target}", row.name);
        }
        let texts = [&row.name, &row.text, &row.types, &row.due_text];
        assert!(texts.iter().all(|text| !text.contains(['{', '}'])), "{row:?}");
        assert!(!row.targets.is_empty() && !row.source.is_empty());
        let kernel = row.kernel("f", row.targets[0]);
        assert!(row.text.split("; ").all(|line| kernel.contains(line)), "{kernel}");
    }
    assert!(known.len() > 900, "{}", known.len());
}

/// Returns the sets of operations that stand in the place of these, one for each mistake that a compiler makes.
fn mistaken(operations: &Operations) -> Vec<Operations> {
    let mut all = Vec::new();
    let mut instead = |operation: &CodeOperation, others: &[CodeOperation]| {
        let kept = operations.iter().filter(|own| *own != operation).cloned();
        all.push(kept.chain(others.iter().cloned()).collect());
    };
    for operation in operations {
        // The operation is not there.
        instead(operation, &[]);
        for at in 0..operation.modifiers.len() {
            let mut less = operation.clone();
            less.modifiers.remove(at);
            instead(operation, &[less]);
        }
        for modifier in ["FTZ", "RZ", "SAT"].into_iter().filter(|modifier| !operation.has(modifier)) {
            instead(operation, &[CodeOperation::named(&format!("{operation}.{modifier}"))]);
        }
    }
    // The operations are contracted, or taken apart.
    let contracted: Operations = operations
        .iter()
        .map(|own| {
            CodeOperation::named(&own.to_string().replacen("MUL", "FMA", 1).replacen("ADD", "FMA", 1))
        })
        .collect();
    let apart = operations.iter().flat_map(|own| {
        ["MUL", "ADD"].map(|kind| CodeOperation::named(&own.to_string().replacen("FMA", kind, 1)))
    });
    all.extend([contracted, apart.collect()]);
    all.retain(|changed: &Operations| changed != operations);
    all
}

/// No row is kept by a mistake, but for what an open row leaves open.
#[test]
fn no_mistake_is_kept() {
    let mut mistakes = 0;
    let all = |row: &'static MachineRow| match &row.due {
        ExpectedCode::Stands(choices) => choices.iter().map(|choice| (row, choice)).collect(),
        ExpectedCode::Refused(_) => Vec::new(),
    };
    for (row, choice) in rows::all().iter().flat_map(all) {
        assert!(row.due.choice(&choice.has).is_some(), "{}: {}", row.name, row.due_text);
        for changed in mistaken(&choice.has) {
            let permitted = match &row.due {
                ExpectedCode::Stands(choices) => choices.iter().any(|other| other.has == changed),
                ExpectedCode::Refused(_) => false,
            };
            let kept = row.due.choice(&changed).is_some();
            assert_eq!(kept, permitted, "{}: {} is kept by {changed:?}", row.name, row.due_text);
            mistakes += 1;
        }
        for lacked in &choice.lacks {
            let more = choice.has.iter().chain([lacked]).cloned().collect();
            assert_eq!(row.due.choice(&more), None, "{}: {lacked}", row.name);
        }
    }
    assert!(mistakes > 2000, "{mistakes}");
}
