//! Tests of `vectors export`, `vectors kernel`, `vectors blocks` and `vectors check`, by the built binary.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Output};

use isa::{LaneData, Variant};
use oracle::computes_alike;
use serde_json::Value;
use sweeps::Proof;

use crate::common::assert_refused;

fn vectors(arguments: &[&str], directory: &Path) -> Output {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.current_dir(repository).arg("vectors").args(arguments);
    // These three commands write to standard output only.
    if !["blocks", "kernel", "innocuous"].contains(&arguments[0]) {
        command.arg("--out").arg(directory);
    }
    command.output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Exports hold the same vectors in all three formats.
#[test]
fn exports_hold_operands_and_expected_results() {
    let directory = tempfile::tempdir().unwrap();
    let of = |format: &str| {
        let arguments = ["export", "setp.lt.f32", "--count", "300", "--format", format];
        text(&vectors(&arguments, directory.path()));
    };
    let file = |name: &str| std::fs::read(directory.path().join(name)).unwrap();
    of("json");
    let json: Value = serde_json::from_slice(&file("setp.lt.f32.boundary.json")).unwrap();
    assert_eq!(json["header"]["count"], 300);
    assert_eq!(json["header"]["results"][1]["name"], "q");
    of("testfloat");
    let lines = String::from_utf8(file("setp.lt.f32.boundary.txt")).unwrap();
    of("raw");
    let columns = ["a", "b", "p", "q"].map(|name| file(&format!("setp.lt.f32.boundary.{name}.bin")));
    assert_eq!(columns.each_ref().map(Vec::len), [1200, 1200, 300, 300]);
    for (row, line) in lines.lines().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        let [operands, results] = [0, 1].map(|part| json["vectors"][row][part].as_array().unwrap());
        let quoted: Vec<&str> = operands.iter().chain(results).map(|v| v.as_str().unwrap()).collect();
        assert_eq!(quoted, words.iter().map(|word| format!("0x{word}")).collect::<Vec<_>>());
        let bits = |at: usize| u64::from_str_radix(words[at], 16).unwrap();
        let float = |at: usize| f32::from_bits(bits(at) as u32);
        let less = float(0) < float(1);
        assert_eq!([bits(2), bits(3)], [u64::from(less), u64::from(!less)]);
        let raw = u32::from_le_bytes(columns[0][4 * row..][..4].try_into().unwrap());
        assert_eq!(u64::from(raw), bits(0));
        assert_eq!(u64::from(columns[3][row]), bits(3));
    }
    assert_eq!(lines.lines().count(), 300);
}

/// A small export without further options has different operands, and says which vectors of the sweep it has.
#[test]
fn a_small_export_is_from_all_over_the_sweep() {
    let directory = tempfile::tempdir().unwrap();
    let export = |arguments: &[&str]| -> Value {
        let arguments = [&["export", "fma.rn.f16", "--count", "100"], arguments].concat();
        text(&vectors(&arguments, directory.path()));
        let file = std::fs::read(directory.path().join("fma.rn.f16.boundary.json")).unwrap();
        serde_json::from_slice(&file).unwrap()
    };
    let operands = |json: &Value, at: usize| {
        let rows = json["vectors"].as_array().unwrap();
        rows.iter().map(|row| row[0][at].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let spread = export(&[]);
    for at in 0..3 {
        let different: std::collections::HashSet<String> = operands(&spread, at).into_iter().collect();
        assert!(different.len() >= 20, "operand {at}: {different:?}");
    }
    let step = spread["header"]["step"].as_u64().unwrap();
    let again = export(&["--sweep", "boundary", "--step", &step.to_string()]);
    assert_eq!(again, spread);
    // Where a sweep or a first vector is named, the vectors are those from there on, as they always were.
    let first = export(&["--first", "0"]);
    assert_eq!(first["header"].get("step"), None);
    assert_eq!(operands(&first, 0), vec!["0x0000"; 100]);
    assert_eq!(first, export(&["--sweep", "boundary"]));
}

#[test]
fn the_sweeps_of_a_variant_are_listed() {
    let directory = tempfile::tempdir().unwrap();
    let listed = text(&vectors(&["export", "mul.f16", "--list"], directory.path()));
    let names: Vec<&str> =
        listed.lines().filter_map(|line| line.split_once(": ")).map(|l| l.0).collect();
    assert!(names.contains(&"boundary") && names.contains(&"midpoint"), "{listed}");
    assert!(!names.contains(&"grid"), "{listed}");
    assert!(listed.contains("exhaustive: 4,294,967,296 vectors\n"), "{listed}");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn digests_are_the_committed_ones_and_a_changed_line_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let digests = directory.path().join("digests");
    std::fs::create_dir(&digests).unwrap();
    let committed = include_str!("../../../../vectors/digests/quick.txt");
    let line = committed.lines().find(|line| line.starts_with("abs.f16 exhaustive")).unwrap();
    let blocks = text(&vectors(&["blocks", "abs.f16"], directory.path()));
    let fields: Vec<&str> = line.split(' ').collect();
    assert_eq!(blocks.lines().nth(1), Some(format!("0 {} {}", fields[3], fields[4]).as_str()));

    let check = |lines: &str| {
        std::fs::write(digests.join("quick.txt"), lines).unwrap();
        let digests = digests.to_str().unwrap();
        vectors(&["check", "--only", "abs.f16", "--digests", digests], directory.path())
    };
    assert!(text(&check(line)).contains("1 digests confirmed"));
    let wrong = check(&line.replace(fields[4], "0x0000000000000000"));
    assert_eq!(wrong.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&wrong.stdout).contains(fields[4]));
    let none = check("");
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("make them with --write"));
}

/// Digests are written into two files of a directory. One file in their place would keep only what is written last.
#[test]
fn digests_are_written_into_a_directory_and_not_into_one_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("digests.txt");
    let kept = "add.f16 exhaustive 4294967296 0x1 0x2\n";
    std::fs::write(&file, kept).unwrap();
    let write = |digests: &Path| {
        let digests = digests.to_str().unwrap();
        let arguments = ["check", "--write", "--only", "abs.f16", "--digests", digests];
        vectors(&arguments, directory.path())
    };
    assert_refused(&write(&file), &["is one file", "proven.txt and quick.txt", "name their directory"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);
    // A directory may have any name.
    let named = directory.path().join("named.txt");
    std::fs::create_dir(&named).unwrap();
    assert!(text(&write(&named)).contains("1 digests written"));
    assert!(std::fs::read_to_string(named.join("quick.txt")).unwrap().starts_with("abs.f16 exhaustive"));
}

/// Kernels are printed as devices get them: in the plainest module that may have the instruction, unless the
/// command line says which.
#[test]
fn kernels_are_printed_as_devices_get_them() {
    let directory = tempfile::tempdir().unwrap();
    let kernel =
        |arguments: &[&str]| text(&vectors(&[&["kernel"], arguments].concat(), directory.path()));
    let module = kernel(&["fma.rn.oob.f16"]);
    assert!(module.starts_with(".version 8.1\n.target sm_90\n.address_size 64\n"), "{module}");
    assert!(module.contains(".visible .entry fma_rn_oob_f16(\n.param .u64 column_d,\n"), "{module}");
    assert!(module.contains("\nfma.rn.oob.f16 %d, %a, %b, %c;\n"), "{module}");
    let module = kernel(&["fma.rn.oob.f16", "--target", "sm_100"]);
    assert!(module.starts_with(".version 8.6\n.target sm_100\n"), "{module}");
    for (arguments, words) in [
        (["kernel", "fma.rn.oob.f16", "--target", "sm_80"], "sm_80 does not have it"),
        (["kernel", "fma.rn.oob.f16", "--target", "sm_91"], "there is no target `sm_91`"),
        (["kernel", "cast.rn.e4m3fnuz.f32", "--target", "sm_90"], "a cast"),
    ] {
        let output = vectors(&arguments, directory.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{arguments:?}");
    }
    assert_eq!(vectors(&["kernel", "cast.rn.e4m3fnuz.f32"], directory.path()).status.code(), Some(2));
    let fifth = "tcgen05.mma.cta_group::1.kind::f16(a-desc,f32.f16.f16,k16)";
    let long = format!("mma.{}", "x".repeat(5000));
    for (name, words) in [
        ("mmma.sync", "`mma` is; the nearest legal spelling is `mma."),
        ("foo", "for matrices wmma, mma, wgmma, tcgen05"),
        (fifth, "works on tensor memory"),
        ("tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32", "loads from tensor memory"),
        ("multimem.red.add.f32", "several devices"),
        (&long, "it has 5004 characters"),
    ] {
        let output = vectors(&["kernel", name], directory.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words) && said.chars().count() < 500, "{said}");
    }
}

#[test]
fn what_cannot_be_exported_is_told() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (
            ["export", "mul.f16", "--sweep", "grid"].as_slice(),
            "does not apply to mul.f16; the sweeps of mul.f16 are ",
        ),
        (&["export", "mul.f16", "--sweep", "none"], "unknown sweep `none`; the sweeps of mul.f16 are "),
        (&["export", "mul.f15"], "the nearest legal spelling"),
        (&["export", "mul.f16", "--count", "0"], "--count and --first select 0 vectors"),
        (&["export", "abs.f16", "--sweep", "exhaustive", "--first", "65536"], "select 0 vectors"),
    ] {
        let output = vectors(arguments, directory.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{arguments:?}");
    }
}

/// Returns the digests of the quick tier: for each variant its lines, without its name.
fn quick() -> HashMap<&'static str, Vec<&'static str>> {
    let mut lines: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in include_str!("../../../../vectors/digests/quick.txt").lines() {
        if let Some((variant, rest)) = line.split_once(' ').filter(|(first, _)| *first != "#") {
            lines.entry(variant).or_default().push(rest);
        }
    }
    lines
}

/// Variants that the oracle computes alike have the same results in every sweep; `as` in a line of digests rests on
/// that.
#[test]
fn variants_that_the_oracle_computes_alike_have_the_same_digests() {
    let lines = quick();
    let mut alike = 0;
    for (at, variant) in Variant::all().iter().enumerate() {
        let behind = Variant::all()[at + 1..].iter();
        for other in behind.filter(|other| computes_alike(variant, other)) {
            assert_eq!(lines[variant.text()], lines[other.text()], "{variant} and {other}");
            alike += 1;
        }
    }
    assert!(alike > 100, "only {alike} pairs");
    let is = |a: &str, b: &str| computes_alike(&a.parse().unwrap(), &b.parse().unwrap());
    assert!(is("cvt.rni.sat.s8.f32", "cvt.rni.s8.f32"));
    assert!(!is("cvt.rni.ftz.s8.f32", "cvt.rni.s8.f32") && !is("cvt.rni.s8.f32", "cvt.rni.s8.f64"));
    assert!(!is("cvt.rn.sat.f16.f32", "cvt.rn.f16.f32") && !is("add.f16", "sub.f16"));
}

/// Results in half precision are proven for all pairs of operands and for all single ones, as the README says.
#[test]
fn in_half_precision_whatever_two_operands_give_is_proven() {
    let half = |data: &LaneData| [&formats::F16, &formats::BF16].contains(&data.format);
    let lines = quick();
    let is_known = |variant: &Variant, vectors: u64| {
        let line = format!("exhaustive {vectors} ");
        Proof::of(variant, "exhaustive", vectors).is_some()
            || lines[variant.text()].iter().any(|known| known.starts_with(&line))
    };
    let scalar = Variant::all().iter().filter(|variant| variant.is_exact() && variant.lanes() == 1);
    let mut spaces = [0; 2];
    for variant in scalar.filter(|variant| variant.inputs().iter().all(half)) {
        let operands = variant.inputs().len();
        if let Some(spaces) = spaces.get_mut(operands - 1) {
            *spaces += 1;
            assert!(is_known(variant, 1 << (16 * operands)), "{variant}");
        }
    }
    assert_eq!(spaces, [224, 318]);
}

/// The published table is what the command finds, checked as far as it takes no minutes.
#[test]
fn where_rounding_twice_does_no_harm_is_as_published() {
    let published = include_str!("../../../../reports/published/INNOCUOUS.md");
    for format in ["e4m3", "e5m2"] {
        let found = text(&vectors(&["innocuous", "--format", format], Path::new("")));
        let rows = |text: &str| -> Vec<String> {
            let of_format = |line: &&str| line.starts_with(&format!("| {format} |"));
            text.lines().filter(of_format).map(str::to_owned).collect()
        };
        assert_eq!(rows(&found).len(), 30, "{found}");
        assert_eq!(rows(&found), rows(published));
    }
    let unknown = vectors(&["innocuous", "--format", "f8"], Path::new(""));
    assert_refused(&unknown, &["unknown --type: write e4m3, e5m2, f16 or bf16"]);
}

#[test]
fn what_cannot_be_proven_by_products_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let prove = |arguments: &[&str]| vectors(&[&["prove"], arguments].concat(), directory.path());
    assert_refused(&prove(&["--only", "abs.f16"]), &["scalar forms of fma.f16 or fma.bf16"]);
    assert_refused(&prove(&["--only", "fma.rn.f16", "--plant", "1"]), &["two operands or three"]);
    assert_refused(&prove(&["--merge", "/none"]), &["/none/proof.json does not exist"]);
    assert_refused(&prove(&["--only", "fma.rn.f16", "--resume"]), &["nothing to resume", "proof.json"]);
}

/// Every `fma` in half precision has a line; the line of a packed variant is that of the scalar one whose lanes it
/// has.
#[test]
fn lines_of_packed_variants_are_those_of_their_lanes() {
    let lines = include_str!("../../../../vectors/digests/proven.txt").lines();
    let triples = lines.filter(|line| !line.starts_with('#') && line.contains(" triples "));
    let fields: Vec<Vec<&str>> = triples.map(|line| line.split(' ').collect()).collect();
    assert_eq!(fields.len(), 24);
    let mut packed = 0;
    for line in fields.iter().filter(|line| line[5] == "as") {
        packed += 1;
        let [one, other] = [line[0], line[6]].map(|name| name.parse::<Variant>().unwrap());
        assert!(oracle::lanes_compute_alike(&one, &other), "{one} {other}");
        let original = fields.iter().find(|line| line[0] == other.text()).expect("its original");
        assert_eq!((original[5], &original[2..5]), ("products", &line[2..5]));
    }
    assert_eq!(packed, 12);
}
