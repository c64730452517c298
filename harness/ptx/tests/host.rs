//! Functions in PTX, held against the same in C as this machine's compiler and processor have them.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use ptx::functions::{Function, Nearest, Passed};
use ptx::syntax::Module;
use vectors::Column;

const NAMES: [&str; 4] = ["root", "quotients", "checksum", "arithmetic"];
const ROWS: usize = 4096;

/// What the functions in C give, a line a row.
fn compiled(rows: &str) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/host/functions.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("host-functions");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-O1", "-ffp-contract=off", "-o"]).arg(&program).arg(source).arg("-lm");
    assert!(compiler.status().expect("a C compiler").success());
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program");
    let mut into = child.stdin.take().expect("its input");
    std::thread::scope(|scope| {
        scope.spawn(move || into.write_all(rows.as_bytes()).expect("rows"));
        String::from_utf8(child.wait_with_output().expect("an end").stdout).expect("lines")
    })
}

/// Words that look drawn: bits, small numbers, and numbers of f32 near each other.
fn words() -> [Column; 2] {
    let mut columns = [(); 2].map(|()| Column::new(4, ROWS));
    let mut word = 0x0123_4567_89ab_cdef_u64;
    for row in 0..ROWS {
        for column in &mut columns {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let drawn = word >> 32;
            column.set(
                row,
                match row % 4 {
                    0 => drawn,
                    1 => drawn % 1000,
                    2 => 0x3f00_0000 + (drawn & 0x81ff_ffff),
                    _ => drawn & 0xff80_0003,
                },
            );
        }
    }
    columns
}

#[test]
fn functions_agree_with_c() {
    let columns = words();
    let mut lines = String::new();
    for row in 0..ROWS {
        let [a, b] = columns.each_ref().map(|column| column.get(row));
        writeln!(lines, "{a:x} {b:x}").expect("room");
    }
    let compiled = compiled(&lines);
    let text = include_str!("host/functions.ptx");
    let module: Module = text.parse().expect("a module");
    let given = NAMES.map(|name| {
        let function = Function::of(&module, name).expect(name);
        let mut passed = columns.each_ref().map(Passed::Value);
        let mut results = [Column::new(4, ROWS)];
        let ran = function.run(&mut Nearest::default(), &mut passed, &mut results, 10_000);
        ran.unwrap_or_else(|fault| panic!("{fault}"));
        let [result] = results;
        result
    });
    assert_eq!(compiled.lines().count(), ROWS);
    for ((row, line), words) in compiled.lines().enumerate().zip(lines.lines()) {
        let due: Vec<u64> =
            line.split(' ').map(|word| u64::from_str_radix(word, 16).expect("a word")).collect();
        let is: Vec<u64> = given.iter().map(|column| column.get(row)).collect();
        assert_eq!(is, due, "{NAMES:?} of {words}");
    }
}
