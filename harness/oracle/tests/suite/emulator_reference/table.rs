//! Tests of every variant of the table that promises exact results.

use isa::{Contract, Modifier, Operation, Variant};

use super::check;

/// Compares so many rows of each variant of some operations with their definition.
fn check_all(operations: &[Operation], rows: usize) {
    let exact = |v: &&Variant| matches!(v.form().contract, Contract::Exact);
    let of = |v: &&Variant| operations.contains(&v.operation());
    for variant in Variant::all().iter().filter(of).filter(exact) {
        check(variant, rows, false);
    }
}

#[test]
fn sums_are_as_defined() {
    check_all(&[Operation::Add, Operation::Sub], 1000);
}

#[test]
fn products_are_as_defined() {
    check_all(&[Operation::Mul, Operation::Fma, Operation::Mad], 300);
}

#[test]
fn quotients_and_roots_are_as_defined() {
    check_all(&[Operation::Div, Operation::Rcp, Operation::Sqrt], 2000);
}

#[test]
fn conversions_are_as_defined() {
    check_all(&[Operation::Cvt, Operation::Cast], 500);
}

#[test]
fn signs_and_classes_are_as_defined() {
    check_all(&[Operation::Abs, Operation::Neg, Operation::Copysign, Operation::Testp], 2000);
}

#[test]
fn choices_are_as_defined() {
    check_all(&[Operation::Min, Operation::Max, Operation::Slct], 2000);
}

#[test]
fn comparisons_are_as_defined() {
    check_all(&[Operation::Set, Operation::Setp], 200);
}

/// Checks conversions of every datum of at most 16 bits from or to formats of at most 8, clamps aside.
#[test]
fn every_datum() {
    let few = |v: &&Variant| {
        let [from, to] = [v.inputs()[0].format, v.outputs()[0].format].map(|f| f.width());
        let conversion = matches!(v.operation(), Operation::Cvt | Operation::Cast);
        let clamped = v.has(Modifier::Relu) || v.has(Modifier::Pzo) || v.has(Modifier::Sat);
        conversion && !clamped && v.inputs().len() == 1 && from <= 16 && (from <= 8 || to <= 8)
    };
    for variant in Variant::all().iter().filter(few) {
        let every = 1 << variant.inputs()[0].format.width();
        check(variant, every / variant.lanes(), true);
    }
}

/// Checks instructions on 8-bit data, at length.
#[test]
fn eight_bits_at_length() {
    let texts = [
        "mul.e4m3x4.e4m3x4.e5m2x4",
        "mul.satfinite.e5m2x4.e4m3x4.ue8m0x4",
        "add.e5m2x4.e4m3x4",
        "sub.satfinite.e4m3x4.e5m2x4",
        "fma.e5m2x4.e4m3x4.ue8m0x4",
        "fma.satfinite.e4m3x4.e3m2x4.e5m2x4",
        "fma.e4m3x4.ue8m0x4.ue8m0x4",
    ];
    for text in texts {
        check(&text.parse().expect("a variant"), 1 << 14, false);
    }
}
