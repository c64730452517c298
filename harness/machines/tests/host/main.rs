//! Tests that hold functions in PTX against the same in C, as this machine's compiler and processor have them.
//!
//! Each file in C is a program that is given the words of operands and gives those of results; `.ptx` has the same
//! functions, written by hand in the manner of compilers. Which NaN a NaN is may differ, and nothing else.

mod drawn;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use formats::Column;
use isa::Type;
use machines::functions::{Nearest, Passed, RunnableFunction};
use ptx::syntax::Module;

/// A number of steps that is enough for any row.
const STEPS: u64 = 100_000;

/// The name of a function, the types of its results, which lie one behind the other, and the variants whose sweeps are
/// its first operands. The others are drawn, as are all of further rows.
type Compared = (&'static str, &'static str, &'static [&'static str]);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/host")
}

/// Returns the C compiler, with no more than one rounding for each operation of a source.
fn compiler() -> Command {
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-O1", "-ffp-contract=off"]).current_dir(folder());
    compiler
}

fn compiled(file: &str, errors: Stdio) -> Option<PathBuf> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("host-{file}"));
    let mut compiler = compiler();
    compiler.arg("-o").arg(&program).args([&format!("{file}.c"), "-lm"]).stderr(errors);
    compiler.status().expect("a C compiler").success().then_some(program)
}

/// Runs a program in C for a function, and returns the words that it gives for the words of its operands.
fn run(program: &Path, function: &str, operands: &[Column]) -> Vec<u64> {
    let row = |row: usize| operands.iter().map(move |column| column.get(row));
    let words: Vec<u8> = (0..operands[0].rows()).flat_map(row).flat_map(u64::to_ne_bytes).collect();
    let mut child = Command::new(program);
    let child = child.arg(function).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().expect("the program");
    let mut into = child.stdin.take().expect("its input");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || into.write_all(&words).expect("rows"));
        child.wait_with_output().expect("an end")
    });
    assert!(output.status.success(), "there is no {function} in C");
    output.stdout.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().expect("8"))).collect()
}

/// Checks that all functions of a module give what those of a program give.
fn compare(file: &str, text: &str, functions: &[Compared]) {
    let module: Module = text.parse().expect("a module");
    let program = compiled(file, Stdio::inherit()).unwrap_or_else(|| panic!("{file}.c"));
    for &(name, results, variants) in functions {
        let function =
            RunnableFunction::of(&module, name).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let widths: Vec<usize> = function.parameters().map(|(_, bytes)| bytes).collect();
        let operands = drawn::rows(name, &widths, variants);
        let results: Vec<Type> =
            results.split(' ').map(|name| Type::named(name).expect("a type")).collect();
        let (rows, bytes) = (operands[0].rows(), results.iter().map(Type::row_bytes).sum());
        let mut passed: Vec<Passed> = operands.iter().map(Passed::Value).collect();
        let mut given = [Column::new(bytes, rows)];
        let ran = function.run(&mut Nearest::default(), &mut passed, &mut given, STEPS);
        ran.unwrap_or_else(|fault| panic!("{fault}"));
        let due = run(&program, name, &operands);
        assert_eq!(due.len(), rows * results.len(), "{name}");
        for (row, due) in due.chunks_exact(results.len()).enumerate() {
            let mut bytes = given[0].row_bytes_of(row);
            for (number, (ty, &due)) in results.iter().zip(due).enumerate() {
                let (word, rest) = bytes.split_at(ty.row_bytes());
                bytes = rest;
                let is = word.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
                let both_nan = ty.format.is_nan(is) && ty.format.is_nan(due);
                let operands: Vec<u64> = operands.iter().map(|column| column.get(row)).collect();
                assert!(
                    is == due || both_nan,
                    "result {number} of {name} {operands:#x?} is {is:#x}, of C {due:#x}"
                );
            }
        }
    }
}

#[test]
fn memory_and_loops() {
    let numbers: &[&str] = &["add.rn.f32", "mul.rn.f32", "div.rn.f32"];
    let functions: [Compared; 5] = [
        ("root", "u32", &[]),
        ("quotients", "u32", &[]),
        ("checksum", "u32", &[]),
        ("arithmetic", "u32", numbers),
        ("sorted", "u64 u64", &[]),
    ];
    compare("functions", include_str!("functions.ptx"), &functions);
}

#[test]
fn numbers_of_64_bits() {
    let functions: [Compared; 4] = [
        ("arithmetic", "f64 f64 f64 f64 f64 f64 f64", &["add.rn.f64", "mul.rn.f64", "div.rn.f64"]),
        ("fused", "f64 f64 f64 f64 f64", &["fma.rn.f64"]),
        ("compared", "u64 f64 u32", &["setp.lt.f64"]),
        ("compared_narrow", "u32 f32 u32", &["setp.lt.f32"]),
    ];
    compare("doubles", include_str!("doubles.ptx"), &functions);
}

#[test]
fn conversions() {
    let functions: [Compared; 5] = [
        ("widened", "f64 f32 f32 f32 f32 f32", &["cvt.f64.f32", "cvt.rni.f32.f32"]),
        ("narrowed", "f64 f64 f64 f64 f64 f32", &["cvt.rn.f32.f64", "cvt.rni.f64.f64"]),
        ("integers_narrow", "s64 u64 s64 s32 u32 u16", &["cvt.rzi.s32.f32", "cvt.rzi.u64.f32"]),
        ("integers_wide", "s64 u64 s64 s32 u32 u16", &["cvt.rzi.u32.f64", "cvt.rzi.s64.f64"]),
        (
            "numbers",
            "f64 f64 f64 f64 f64 f32 f32 f32 f32 f32",
            &["cvt.rn.f32.u64", "cvt.rn.f64.s64", "cvt.rn.f32.s64"],
        ),
    ];
    compare("conversions", include_str!("conversions.ptx"), &functions);
}

#[test]
fn integers() {
    let functions: [Compared; 6] = [
        ("widths", "u64 u64 u64 u64 u64 u32 u32 u32 u16 u16", &[]),
        ("products", "u64 u64 u64 u64 u64 u64 u64 u32 u32", &[]),
        ("shifts", "u64 u64 u64 u32 u32 u32 u32 u16 u16", &[]),
        ("wide_quotients", "u64 u64 u64 u64", &[]),
        ("bits", "u64 u64 u32 u32 u32 u32 u32 u32", &[]),
        ("carries", "u64 u64 u64 u64 u64 u64", &[]),
    ];
    compare("integers", include_str!("integers.ptx"), &functions);
}

#[test]
fn ways_of_lanes() {
    let functions: [Compared; 5] = [
        ("newton", "f64 u64", &["sqrt.rn.f64"]),
        ("looked_up", "f32 u32", &["cvt.rni.f32.f32"]),
        ("chosen", "f64", &["add.rn.f64"]),
        ("polynomial", "f64", &["sqrt.rn.f64"]),
        ("power", "f64", &["sqrt.rn.f64"]),
    ];
    compare("control", include_str!("control.ptx"), &functions);
}

#[test]
fn halves() {
    if compiled("half", Stdio::null()).is_none() {
        // Written past the test harness, so that it shows even of a test that passes.
        return writeln!(std::io::stderr(), "SKIPPED: the C compiler has no _Float16")
            .expect("a terminal");
    }
    let functions: [Compared; 4] = [
        ("arithmetic", "f16 f16 f16 f16 f16 f16 f16", &["add.rn.f16", "mul.rn.f16", "fma.rn.f16"]),
        ("compared", "u16 u16 u32", &["setp.lt.f16"]),
        ("from_halves", "f64 s64 f32 s32 u32 f16 f16", &["cvt.f32.f16", "cvt.rzi.s32.f16"]),
        ("to_halves", "f16 f16 f16 f16 f16", &["cvt.rn.f16.f64", "cvt.rn.f16.s64"]),
    ];
    compare("halves", include_str!("halves.ptx"), &functions);
}
