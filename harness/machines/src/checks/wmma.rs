//! Tests of `wmma`: matrices are loaded by rows and by columns, multiplied and stored, A by way of shared memory.

use std::collections::{BTreeMap, HashMap};

use formats::{BF16, F16, F32, F64, Format, TF32};
use isa::matrix::MatrixVariant;
use ptx::syntax::Entry;

use super::ALONE;
use super::warp::{Draws, bits_of, number_of};
use crate::interpreter::{Emulated, EntryProgram, Memory, STEPS, Surroundings, Tested, Values, WARP};

/// A kernel of these matrices, each with its layout.
struct Multiplied {
    sides: [usize; 3],
    layouts: [bool; 4],
    formats: [&'static Format; 4],
    program: EntryProgram,
}

/// The number of elements between the end of a row, or of a column, and the beginning of the next.
const APART: usize = 8;
/// The addresses of A, B, C and D.
const AT: [u64; 4] = [1 << 32, 2 << 32, 3 << 32, 4 << 32];

/// Returns the bits of an element in memory, where a number of tf32 has 32.
fn bits(format: &Format) -> usize {
    if *format == TF32 { 32 } else { format.width() as usize }
}

/// Returns the word for a layout in the names of instructions.
fn layout(by_rows: bool) -> &'static str {
    if by_rows { "row" } else { "col" }
}

impl Multiplied {
    /// Writes the kernel: A is copied to shared memory, from where its fragment is loaded.
    fn new(sides: [usize; 3], layouts: [bool; 4], formats: [&'static Format; 4]) -> Multiplied {
        let [m, n, k] = sides;
        let shape = format!("m{m}n{n}k{k}");
        let [a, b, c, d] = formats.map(|format| format.name);
        let types = if a == "f16" { format!("{d}.{c}") } else { format!("{d}.{a}.{b}.{c}") };
        let [of_a, of_b] = [0, 1].map(|matrix| layout(layouts[matrix]));
        let spelling = format!("wmma.mma.sync.aligned.{of_a}.{of_b}.{shape}.{types}");
        let variant: MatrixVariant = spelling.parse().unwrap();
        // As many registers as the builder of such instructions has, too.
        let operands = ptx::matrix(variant.spelling(), &variant.words()).operands;
        let names = |letter: char, operand: usize| {
            let name = |number: usize| format!("%{letter}{number}");
            let names: Vec<String> = (0..operands[operand].size()).map(name).collect();
            format!("{{{}}}", names.join(", "))
        };
        let fragments = [names('a', 1), names('b', 2), names('c', 3), names('d', 0)];
        let wide = bits(formats[0]).max(32);
        let mut text = format!(
            ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{{\n\
             .shared .align 32 .b8 shared[4096];\n.reg .b{wide} %a<8>, %b<8>, %c<8>, %d<8>;\n\
             .reg .b64 %at, %from;\n.reg .b32 %lane, %to, %word;\nmov.u32 %lane, %tid.x;\n\
             ld.param.u64 %from, [a];\nmad.wide.u32 %from, %lane, 4, %from;\nmov.u32 %to, shared;\n\
             mad.lo.u32 %to, %lane, 4, %to;\n"
        );
        for turn in 0..16 {
            let offset = 128 * turn;
            text += &format!(
                "ld.global.b32 %word, [%from+{offset}];\nst.shared.b32 [%to+{offset}], %word;\n"
            );
        }
        text += "bar.warp.sync 0xffffffff;\nmov.u32 %to, shared;\n";
        for (number, matrix) in ["a", "b", "c", "d"].into_iter().enumerate() {
            let (does, space, at) = match number {
                0 => ("load", "shared", "%to"),
                3 => ("store", "global", "%at"),
                _ => ("load", "global", "%at"),
            };
            let stride = Self::line(sides, number, layouts[number]) + APART;
            // The product stands between the loads of A, B and C and the store of D.
            if number == 3 {
                text += &format!(
                    "{spelling} {}, {}, {}, {};\n",
                    fragments[3], fragments[0], fragments[1], fragments[2]
                );
            }
            if number > 0 {
                text += &format!("ld.param.u64 %at, [{matrix}];\n");
            }
            let (by, ty) = (layout(layouts[number]), formats[number].name);
            let moved = format!("wmma.{does}.{matrix}.sync.aligned.{by}.{shape}.{space}.{ty}");
            let fragment = &fragments[number];
            text += &match number {
                3 => format!("{moved} [{at}], {fragment}, {stride};\n"),
                _ => format!("{moved} {fragment}, [{at}], {stride};\n"),
            };
        }
        text += "ret;\n}\n";
        let entry: Entry = text.parse().unwrap_or_else(|error| panic!("{text}{error}"));
        assert_eq!(entry.to_string().parse().as_ref(), Ok(&entry));
        let program = EntryProgram::of(&entry).unwrap_or_else(|error| panic!("{text}{error}"));
        Multiplied { sides, layouts, formats, program }
    }

    /// Returns the number of elements of a row, where a matrix lies by rows, or of a column.
    fn line([m, n, k]: [usize; 3], matrix: usize, by_rows: bool) -> usize {
        let [rows, columns] = [[m, k], [k, n], [m, n], [m, n]][matrix];
        if by_rows { columns } else { rows }
    }

    /// Returns the address of an element.
    fn address(&self, matrix: usize, row: usize, column: usize) -> u64 {
        let stride = Self::line(self.sides, matrix, self.layouts[matrix]) + APART;
        let at = if self.layouts[matrix] { row * stride + column } else { column * stride + row };
        AT[matrix] + (at * bits(self.formats[matrix]) / 8) as u64
    }

    /// Runs the kernel on A, B and C, which are given by rows, and returns D as it is in memory.
    fn execute(&self, matrices: [&[f64]; 3]) -> Vec<f64> {
        let [m, n, k] = self.sides;
        let mut memory: BTreeMap<u64, u8> = (AT[0]..).zip([0; 4096]).collect();
        for (matrix, (all, columns)) in matrices.into_iter().zip([k, n, n]).enumerate() {
            let format = self.formats[matrix];
            for (at, &number) in all.iter().enumerate() {
                let word = bits_of(format, number) << if *format == TF32 { 13 } else { 0 };
                let address = self.address(matrix, at / columns, at % columns);
                memory.store(address, bits(format) / 8, word).unwrap();
            }
        }
        let mut emulated = Emulated::default();
        let parameters =
            ["a", "b", "c", "d"].map(str::to_owned).into_iter().zip(AT).collect::<HashMap<_, _>>();
        let ran = self.program.run(&mut Surroundings {
            parameters: &parameters,
            place: ALONE,
            memory: &mut memory,
            execute: &mut |tested: &Tested, sources: &[Values]| emulated.execute(tested, sources),
            steps: STEPS,
        });
        assert_eq!(ran, Ok(()));
        let d = self.formats[3];
        let word = |at: usize| {
            let address = self.address(3, at / n, at % n);
            number_of(d, memory.load(address, bits(d) / 8).unwrap())
        };
        (0..m * n).map(word).collect()
    }
}

/// Some elements of A and of B are tried alone, in turn, and all together.
#[test]
fn products_are_stored_where_they_belong() {
    let (halves, mixed) = ([&F16, &F16, &F16, &F16], [&F16, &F16, &F16, &F32]);
    let mut draws = Draws(11);
    for (sides, formats) in [
        ([16, 16, 16], halves),
        ([8, 32, 16], mixed),
        ([32, 8, 16], [&BF16, &BF16, &F32, &F32]),
        ([16, 16, 8], [&TF32, &TF32, &F32, &F32]),
        ([8, 8, 4], [&F64; 4]),
    ] {
        for layouts in 0..16 {
            let layouts = [0, 1, 2, 3].map(|matrix| layouts >> matrix & 1 > 0);
            let kernel = Multiplied::new(sides, layouts, formats);
            let [m, n, k] = sides;
            let c: Vec<f64> = (0..m * n).map(|at| at as f64).collect();
            for turn in 0..6 {
                let [mut a, mut b] =
                    [m * k, k * n].map(|count| Vec::from_iter((0..count).map(|_| draws.number())));
                // The element alone is the first of the matrix, the last, or some between.
                let only = |all: &mut Vec<f64>, at: usize| {
                    let at = at * (all.len() - 1) / 4;
                    all.iter_mut()
                        .enumerate()
                        .for_each(|(place, x)| *x = if place == at { 2.0 } else { 0.0 });
                };
                match turn {
                    0 => {}
                    _ if turn % 2 > 0 => only(&mut a, turn - 1),
                    _ => only(&mut b, turn - 1),
                }
                let sum = |at: usize| -> f64 {
                    (0..k).map(|k_at| a[at / n * k + k_at] * b[k_at * n + at % n]).sum()
                };
                let expected: Vec<f64> = (0..m * n).map(|at| c[at] + sum(at)).collect();
                assert_eq!(kernel.execute([&a, &b, &c]), expected, "{sides:?} {layouts:?} {turn}");
            }
        }
    }
    assert_eq!(WARP, 32);
}
