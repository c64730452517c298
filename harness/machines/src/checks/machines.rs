//! Tests that statements mean the same to both machines: a thread of a warp computes what a row of a batch does, and
//! whatever one machine cannot read the other cannot either, for the same reason.

use std::collections::{BTreeMap, HashMap};

use formats::Column;
use ptx::syntax::{Entry, Module};

use super::ALONE;
use crate::functions::{Error, Nearest, Passed, RunnableFunction};
use crate::interpreter::{self, Emulated, EntryProgram, Memory, STEPS, Surroundings, WARP};

/// The declarations of registers that every body may use.
const REGISTERS: &str =
    ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .b16 %rs<9>;\n.reg .b8 %c<9>;\n.reg .pred %p<9>;\n";

/// Runs a body in a warp, whose thread *n* has *n* in `%r1`, and returns what the body leaves in that register.
fn in_warp(body: &str) -> Result<Vec<u64>, interpreter::Error> {
    const OUT: u64 = 1 << 32;
    let text = format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b64 %out, %wide;\n.reg .b32 %lane;\n{REGISTERS}\
         mov.u32 %lane, %laneid;\nmov.u32 %r1, %lane;\n{body}\nld.param.u64 %out, [out];\n\
         mul.wide.u32 %wide, %lane, 4;\nadd.u64 %out, %out, %wide;\nst.global.b32 [%out], %r1;\nret;\n}}"
    );
    let entry: Entry = text.parse().unwrap();
    let (mut memory, mut emulated) = (BTreeMap::new(), Emulated::default());
    EntryProgram::of(&entry)?.run(&mut Surroundings {
        parameters: &HashMap::from([("out".to_owned(), OUT)]),
        place: ALONE,
        memory: &mut memory,
        execute: &mut |tested, sources| emulated.execute(tested, sources),
        steps: STEPS,
    })?;
    Ok((0..WARP as u64).map(|thread| memory.load(OUT + 4 * thread, 4).unwrap()).collect())
}

/// Runs a body as a function of rows, whose row *n* has *n* in `%r1`, and returns what the body leaves in that
/// register.
fn in_rows(body: &str) -> Result<Vec<u64>, Box<Error>> {
    let text = format!(
        ".version 9.0\n.target sm_100a\n.address_size 64\n.func (.param .b32 r) f(.param .b32 a)\n{{\n{REGISTERS}\
         ld.param.b32 %r1, [a];\n{body}\nst.param.b32 [r], %r1;\nret;\n}}\n"
    );
    let module: Module = text.parse().unwrap();
    let function =
        RunnableFunction::of(&module, "f").map_err(|mut errors| Box::new(errors.remove(0)))?;
    let (mut rows, mut results) = (Column::new(4, WARP), [Column::new(4, WARP)]);
    (0..WARP).for_each(|row| rows.set(row, row as u64));
    let mut passed = [Passed::Value(&rows)];
    function.run(&mut Nearest::default(), &mut passed, &mut results, 1000)?;
    Ok((0..WARP).map(|row| results[0].get(row)).collect())
}

#[test]
fn a_thread_computes_what_a_row_does() {
    for (body, due) in [
        // Both results of a comparison, the opposite of a predicate, and a predicate that nobody wants.
        (
            "setp.lt.u32 %p1|%p2, %r1, 7;\nselp.b32 %r2, 1, 2, %p1;\nselp.b32 %r1, 0, %r2, %p2;",
            (|n| u64::from(n < 7)) as fn(u64) -> u64,
        ),
        ("setp.lt.u32 %p1|_, %r1, 7;\nselp.b32 %r1, 3, 4, !%p1;", |n| if n < 7 { 4 } else { 3 }),
        ("setp.lt.f32 %p1, %r1, 0f00000007;\nselp.b32 %r1, 1, 0, %p1;", |n| u64::from(n < 7)),
        // An integer with sign fills the register that it is put into.
        ("neg.s32 %r2, %r1;\ncvt.s8.s32 %r1, %r2;", |n| u64::from((n as i32).wrapping_neg() as u32)),
        ("mul.lo.u32 %r1, %r1, 0x10001001;\ncvt.s16.u32 %r1, %r1;", |n| {
            u64::from((n as u32).wrapping_mul(0x1000_1001) as i16 as u32)
        }),
        // Parts of a word: as many as there are, no more than their bits.
        ("mov.b32 {%c1, %c2, %c3, %c4}, 0x04030201;\nmov.b32 %r1, {%c4, %c1, %c1, %c3};", |_| {
            0x0301_0104
        }),
        ("mul.lo.u32 %r1, %r1, 0x12345;\nmov.b32 %r1, {%r1, 2};", |n| 2 << 16 | (n * 0x12345) & 0xffff),
        // Operands that are packed where they stand.
        ("cvt.u16.u32 %rs1, %r1;\nadd.rn.f16x2 %r1, {%rs1, %rs1}, {0x0000, 0x3c00};", |n| {
            0x3c00_0000 | n
        }),
        ("bra.uni L;\nmov.b32 %r1, 5;\nL:", |n| n),
        ("{ .reg .b32 %r1;\nmov.b32 %r1, 5; }\n{ .reg .b32 %r1;\nmov.b32 %r1, 6; }", |n| n),
    ] {
        let due: Vec<u64> = (0..WARP as u64).map(due).collect();
        assert_eq!(in_warp(body).unwrap_or_else(|error| panic!("{body}: {error}")), due, "{body}");
        assert_eq!(in_rows(body).unwrap_or_else(|error| panic!("{body}: {error}")), due, "{body}");
    }
}

#[test]
fn what_one_machine_cannot_read_the_other_cannot_either() {
    for body in [
        "mov.b32 %r1, %r9;",
        "mov.b32 %r1, !%p9;",
        "mov.b32 %r1;",
        "mov.b64 %r1, %rd1;",
        "ld.global.b64 %r1, [%rd1];",
        "mul.wide.u64 %rd1, %rd1, 2;",
        "mov.b32 {%rs1, %rs2, %rs3}, %r1;",
        "add.u16x2 %r1, %r1, %r1;",
        "add.f32 %r1, %r1;",
        "ld.global.b32 %r1, [nowhere];",
        "L: L:",
        "bra M;",
        ".reg .b32 %r<2>;",
        ".reg .b32 x, x;",
        "ld.global.b128 %r1, [%rd1];",
    ] {
        let [warp, rows] = [in_warp(body).unwrap_err().problem, in_rows(body).unwrap_err().problem];
        assert_eq!(warp, rows, "{body}");
    }
}
