//! Compares the emulator's kernels with `rustc_apfloat`, one element at a time, and every other backend that this CPU
//! has with those kernels.

mod inputs;
mod reference;

use std::collections::BTreeSet;
use std::io::Write;

use emulator::{Backend, Kernel};
use formats::{Column, Format};
use isa::{Clamp, Meaning, Op, Rounding, Variant};
use sweeps::CounterRng;

use reference::{Core, clamp};

/// The number of elements that a variant is tried on: lanes of packed types count each.
const ELEMENTS: usize = 1 << 19;

/// Returns the backends of this CPU that compute several elements side by side.
fn lanes() -> Vec<Backend> {
    Backend::distinct().filter(|backend| *backend != Backend::Scalar).collect()
}

/// Says what the other tests try, where that is less than usual.
#[test]
fn lanes_are_tried_where_this_cpu_has_them() -> std::io::Result<()> {
    match lanes()[..] {
        [] => writeln!(
            std::io::stderr(),
            "SKIPPED: this CPU has no lanes for the emulator (AVX2 or AVX-512): only scalars are tried"
        ),
        _ => Ok(()),
    }
}

/// Inputs of a core and the results that the reference has for them.
struct Expected {
    core: Core,
    inputs: Vec<[u64; 3]>,
    results: Vec<u64>,
}

impl Expected {
    fn new(core: Core, elements: usize) -> Expected {
        let mut random = CounterRng::new(7, 0);
        let inputs: Vec<_> = (0..elements).map(|_| inputs::operands(&mut random, &core)).collect();
        let results = inputs.iter().map(|&input| core.compute(input)).collect();
        Expected { core, inputs, results }
    }

    /// Returns the operand columns of a variant: packed types hold two inputs a row.
    fn columns(&self, variant: &Variant) -> Vec<Column> {
        let used = match variant.meaning().op {
            Op::Mul => [0, 1].as_slice(),
            Op::Fma => &[0, 1, 2],
            Op::Add | Op::Sub => &[0, 2],
            op => unreachable!("{op:?}"),
        };
        let column = |(operand, &index): (&isa::Register, &usize)| {
            let lane: Vec<u64> = self.inputs.iter().map(|input| input[index]).collect();
            column(&lane, operand.ty.format, operand.ty.lanes)
        };
        variant.operands().iter().zip(used).map(column).collect()
    }
}

fn column(elements: &[u64], format: &Format, lanes: usize) -> Column {
    let bytes = format.width() as usize / 8;
    let mut column = Column::new(bytes * lanes, elements.len() / lanes);
    for (chunk, element) in column.bytes_mut().chunks_exact_mut(bytes).zip(elements) {
        chunk.copy_from_slice(&element.to_le_bytes()[..bytes]);
    }
    column
}

fn elements(column: &Column, format: &Format) -> Vec<u64> {
    let element = |chunk: &[u8]| chunk.iter().rev().fold(0, |bits, byte| (bits << 8) | u64::from(*byte));
    column.bytes().chunks_exact(format.width() as usize / 8).map(element).collect()
}

fn run(variant: &Variant, backend: Backend, operands: &[Column]) -> Column {
    let kernel = Kernel::of(variant, backend).expect("a kernel for every variant");
    let mut results = [Column::new(variant.results()[0].ty.row_bytes(), operands[0].rows())];
    kernel.run(operands, &mut results);
    let [result] = results;
    result
}

/// Checks the variants of the given operation and formats on every backend.
fn check(op: Op, source: Format, result: Format) {
    let mut computed: Vec<Expected> = Vec::new();
    let of = |v: &&Variant| {
        let core = Core::of(v);
        (core.op, core.source, core.result) == (op, source, result)
    };
    let mut tried = 0;
    for variant in Core::variants().filter(of) {
        tried += 1;
        let core = Core::of(variant);
        let at = computed.iter().position(|expected| expected.core == core).unwrap_or_else(|| {
            computed.push(Expected::new(core, ELEMENTS));
            computed.len() - 1
        });
        let expected = &computed[at];
        let columns = expected.columns(variant);
        let scalar = run(variant, Backend::Scalar, &columns);
        let results = elements(&scalar, &result);
        for ((&input, &core), actual) in expected.inputs.iter().zip(&expected.results).zip(results) {
            let wanted = clamp(variant, input, core);
            assert!(actual == wanted, "{variant} {input:x?}: {actual:#x}, not {wanted:#x}");
        }
        for backend in lanes() {
            assert!(run(variant, backend, &columns) == scalar, "{variant} on {backend:?}");
        }
    }
    assert!(tried > 0, "no variant is {op:?} of {} with a result of {}", source.name, result.name);
}

#[test]
fn mul_f16() {
    check(Op::Mul, formats::F16, formats::F16);
}

#[test]
fn mul_bf16() {
    check(Op::Mul, formats::BF16, formats::BF16);
}

#[test]
fn fma_f16() {
    check(Op::Fma, formats::F16, formats::F16);
}

#[test]
fn fma_bf16() {
    check(Op::Fma, formats::BF16, formats::BF16);
}

#[test]
fn fma_mixed() {
    check(Op::Fma, formats::F16, formats::F32);
    check(Op::Fma, formats::BF16, formats::F32);
}

#[test]
fn add_mixed() {
    check(Op::Add, formats::F16, formats::F32);
    check(Op::Add, formats::BF16, formats::F32);
}

#[test]
fn sub_mixed() {
    check(Op::Sub, formats::F16, formats::F32);
    check(Op::Sub, formats::BF16, formats::F32);
}

/// Checks sums, differences, products and fused operations of a format, side by side.
fn check_each(format: Format) {
    std::thread::scope(|scope| {
        for op in [Op::Add, Op::Sub, Op::Mul, Op::Fma] {
            scope.spawn(move || check(op, format, format));
        }
    });
}

#[test]
fn single_precision() {
    check_each(formats::F32);
}

#[test]
fn double_precision() {
    check_each(formats::F64);
}

#[test]
fn sums_of_16_bits() {
    for format in [formats::F16, formats::BF16] {
        check(Op::Add, format, format);
        check(Op::Sub, format, format);
    }
}

/// Checks every `a`, `b` and `c` of E5M2.
#[test]
fn e5m2_exhaustively() {
    let core = |op| Core {
        op,
        source: formats::E5M2,
        result: formats::E5M2,
        rounding: Rounding::NearestEven,
        ftz: false,
    };
    let every = || 0..1u64 << 8;
    let byte = |value: u64| vec![value; 1 << 8];
    for op in [Op::Mul, Op::Fma] {
        let addends = if op == Op::Mul { 0..1 } else { every() };
        let kernels: Vec<Kernel> = Backend::distinct()
            .map(|backend| Kernel::unmodified(op, &formats::E5M2, backend).expect("a kernel"))
            .collect();
        for (a, c) in addends.flat_map(|c| every().map(move |a| (a, c))) {
            let lanes = [byte(a), every().collect(), byte(c)];
            let used = if op == Op::Mul { &lanes[..2] } else { &lanes };
            let columns: Vec<Column> = used.iter().map(|lane| column(lane, &formats::E5M2, 1)).collect();
            let expected: Vec<u64> = every().map(|b| core(op).compute([a, b, c])).collect();
            for kernel in &kernels {
                let mut results = [Column::new(1, 1 << 8)];
                kernel.run(&columns, &mut results);
                let actual = elements(&results[0], &formats::E5M2);
                assert!(actual == expected, "{op:?} of a = {a:#x}, c = {c:#x}");
            }
        }
    }
}

/// Checks every number of rows from none to a few words, and some more.
#[test]
fn every_length_gives_the_same_rows() {
    let mut tried = 0;
    for variant in Core::variants() {
        tried += 1;
        let expected = Expected::new(Core::of(variant), 128);
        let columns = expected.columns(variant);
        let whole = run(variant, Backend::Scalar, &columns);
        for rows in (0..=41).chain([63]) {
            let cut = |column: &Column| {
                let mut column = column.clone();
                column.resize(rows);
                column
            };
            let columns: Vec<Column> = columns.iter().map(cut).collect();
            for backend in Backend::distinct() {
                let result = run(variant, backend, &columns);
                assert!(result.bytes() == cut(&whole).bytes(), "{variant}, {rows} rows on {backend:?}");
            }
        }
    }
    assert!(tried > 0, "no variant has a reference");
}

/// Checks that the inputs tell modifier sets apart: inputs that tell no two apart would prove nothing. Not told apart
/// are the default `.rn`, and `.rz` and `.rm`, which are the same to the positive results that `.sat` leaves.
#[test]
fn every_modifier_makes_a_difference() {
    let mut operations_told_apart = BTreeSet::new();
    for variant in Core::variants() {
        let expected = Expected::new(Core::of(variant), 1 << 14);
        let columns = expected.columns(variant);
        let result = run(variant, Backend::Scalar, &columns);
        let distinct = |v: &Variant| {
            let mut meaning = *v.meaning();
            // Whether flushing is open makes no difference here, and a sum of two is the same wherever it is made.
            meaning.flush.open = false;
            meaning.accumulator = None;
            match meaning {
                Meaning { clamp: Clamp::Unit, rounding: Rounding::Down, .. } => {
                    Meaning { rounding: Rounding::TowardZero, ..meaning }
                }
                meaning => meaning,
            }
        };
        let lanes = |v: &Variant| v.results()[0].ty.lanes;
        let siblings = Core::variants().filter(|other| {
            other.meaning().op == variant.meaning().op
                && lanes(other) == lanes(variant)
                && other.type_suffix() == variant.type_suffix()
                && distinct(other) != distinct(variant)
        });
        for other in siblings {
            assert!(run(other, Backend::Scalar, &columns) != result, "{variant} and {other}");
            operations_told_apart.insert(format!("{:?}", variant.meaning().op));
        }
    }
    assert_eq!(operations_told_apart, ["Add", "Fma", "Mul", "Sub"].map(String::from).into());
}
