//! Tests of defects: each explains what it makes wrong, and nothing else.

use super::*;

/// Returns the names of the defects that a function may have under these rules, and that permit a result.
/// `approximates` is whether the function has approximate instructions.
fn explained_under(
    (rules, approximates): (Rules, bool),
    program: &Program,
    values: &[u64],
    result: u64,
) -> Vec<&'static str> {
    let by = |defect: &Defect| {
        let rules = Rules { defects: Defects::from(*defect), ..rules };
        permitted(program, rules, values).contains(&result)
    };
    let open = Defect::ALL.into_iter().filter(|defect| defect.is_open(program, rules, approximates));
    open.filter(by).map(Defect::name).collect()
}

/// Each defect permits the wrong result that was found of it, and no other defect does.
#[test]
fn defects_explain() {
    let explained = |program: &Program, values: &[u64], result: u64| {
        explained_under((BOTH, false), program, values, result)
    };
    let quotient =
        f32s(vec![Node::Parameter, Node::Constant(0x7e96_7699), apply(ProgramOperation::Div, &[0, 1])]);
    assert_eq!(explained(&quotient, &[0x7e96_7699], 0), ["reciprocal"]);
    // Where nothing may flush, the defect of reciprocals does not explain that something is flushed.
    let rules = Rules { defects: Defects::from(Defect::Reciprocal), ..NEVER };
    assert_eq!(permitted(&quotient, rules, &[0x7e96_7699]), [ONE]);
    let select = f32s(vec![
        Node::Parameter,
        Node::Constant(0x007f_ffff),
        apply(ProgramOperation::Select(Relation::GreaterOrEqual), &[0, 1, 0, 1]),
    ]);
    assert_eq!(explained(&select, &[0xff80_0000], 0), ["selection-flushed"]);
    let narrow = Program::new(vec![
        (Type::F32, Node::Parameter),
        (Type::F64, apply(ProgramOperation::Cast, &[0])),
        (Type::F64, Node::Constant(0x47e0_0000_0000_0000)),
        (Type::F64, apply(ProgramOperation::Div, &[1, 2])),
        (Type::F32, apply(ProgramOperation::Cast, &[3])),
    ]);
    // 2^126 / 2^127 is a half, and a product with 2^-127, which is subnormal in single precision, zero.
    assert_eq!(explained(&narrow, &[0x7e80_0000], 0), [""; 0]);
    let product = Program::new(vec![
        (Type::F32, Node::Parameter),
        (Type::F64, apply(ProgramOperation::Cast, &[0])),
        (Type::F64, Node::Constant(0x380f_ffff_c000_0000)),
        (Type::F64, apply(ProgramOperation::Mul, &[1, 2])),
        (Type::F32, apply(ProgramOperation::Cast, &[3])),
    ]);
    assert_eq!(explained(&product, &[0x7f00_0000], 0), ["narrowed"]);
    let absolute = f32s(vec![Node::Parameter, apply(ProgramOperation::Abs, &[0])]);
    let kept = Rules { signs: false, ..FLUSH };
    assert_eq!(permitted(&absolute, FLUSH, &[0x8000_0001]), [0, 1]);
    assert_eq!(permitted(&absolute, kept, &[0x8000_0001]), [1]);
    let flushed = Rules { defects: Defects::from(Defect::SignsFlushed), ..kept };
    assert_eq!(permitted(&absolute, flushed, &[0x8000_0001]), [0, 1]);
    let half = |operation, count: usize| {
        let mut values = vec![(Type::Bf16, Node::Parameter); count];
        values.push((Type::Bf16, apply(operation, &(0..count).collect::<Vec<_>>())));
        Program::new(values)
    };
    // 10^9 and 3 leave 1.
    let remainder = f32s(vec![Node::Parameter, Node::Parameter, apply(ProgramOperation::Rem, &[0, 1])]);
    assert_eq!(
        explained(&remainder, &[0x4e6e_6b28, 0x4040_0000], 0xc200_0000),
        ["remainder-of-quotient"]
    );
    // Where the divisor is infinite the dividend is taken, though of two infinities nothing is left.
    let infinities = [0x7f80_0000; 2];
    assert_eq!(explained(&remainder, &infinities, 0x7f80_0000), ["remainder-of-quotient"]);
    // Nothing is left of magnitudes, and the sign is the dividend's.
    let apart = [0xbf07_e000, 0x2efa_0137];
    assert_eq!(explained(&remainder, &apart, 0x8000_0000), ["remainder-of-quotient"]);
    // 2.5 is rounded to 3.
    let round = f32s(vec![Node::Parameter, apply(ProgramOperation::Round, &[0])]);
    assert_eq!(explained(&round, &[0x4020_0000], 0x4000_0000), ["ties-to-even"]);
    let narrowed = Program::new(vec![
        (Type::F64, Node::Parameter),
        (Type::F16, apply(ProgramOperation::Cast, &[0])),
    ]);
    assert_eq!(explained(&narrowed, &[0xfff0_0000_0000_0001], 0xfc00), ["nan-cut"]);
    assert_eq!(explained(&half(ProgramOperation::Neg, 1), &[1], 0x8000), ["halves-flushed"]);
    assert_eq!(
        explained(&half(ProgramOperation::Fma, 3), &[0x3fc0, 0xbf81, 0x2500], 0xbfc2),
        ["rounded-twice"]
    );
}

/// What rules forbid is a defect where it is done, and no other defect has the same result.
#[test]
fn what_is_forbidden_explains() {
    let explained = |program: &Program, values: &[u64], result: u64| {
        assert!(!permitted(program, NEVER, values).contains(&result));
        explained_under((NEVER, false), program, values, result)
    };
    // a − b · 0.265625, with one rounding.
    let f64s = |nodes: [Node; 5]| Program::new(nodes.map(|node| (Type::F64, node)).into());
    let difference = f64s([
        Node::Parameter,
        Node::Parameter,
        Node::Constant(0x3fd1_0000_0000_0000),
        apply(ProgramOperation::Mul, &[1, 2]),
        apply(ProgramOperation::Sub, &[0, 3]),
    ]);
    let values = [0x3fd1_0000_0000_0000, 0x3fd0_ffff_ffff_ffff];
    assert_eq!(permitted(&difference, NEVER, &values), [0x3fc8_f800_0000_0000]);
    assert_eq!(explained(&difference, &values, 0x3fc8_f800_0000_0001), ["contracted"]);
    // A number that f16 does not have goes through f16.
    let casts = Program::new(vec![
        (Type::Bf16, Node::Parameter),
        (Type::F16, apply(ProgramOperation::Cast, &[0])),
        (Type::F32, apply(ProgramOperation::Cast, &[1])),
    ]);
    assert_eq!(permitted(&casts, NEVER, &[0xf01e]), [0xff80_0000]);
    assert_eq!(explained(&casts, &[0xf01e], 0xf01e_0000), ["casts-left-out"]);
    // (1 + 2^-9) − 1, where bf16 does not have the sum.
    let sums = Program::new(vec![
        (Type::Bf16, Node::Parameter),
        (Type::Bf16, Node::Parameter),
        (Type::Bf16, Node::Parameter),
        (Type::Bf16, apply(ProgramOperation::Add, &[0, 1])),
        (Type::Bf16, apply(ProgramOperation::Add, &[3, 2])),
    ]);
    assert_eq!(explained(&sums, &[0x3f80, 0x3b00, 0xbf80], 0x3b00), ["casts-left-out"]);
    let sum = f32s(vec![Node::Parameter, Node::Parameter, apply(ProgramOperation::Add, &[0, 1])]);
    assert_eq!(explained(&sum, &[3, 4], 0), ["flushed"]);
    // 1 + 2^-11 + 2^-40 goes through single precision to half precision.
    let narrowed = Program::new(vec![
        (Type::F64, Node::Parameter),
        (Type::F16, apply(ProgramOperation::Cast, &[0])),
    ]);
    assert_eq!(explained(&narrowed, &[0x3ff0_0200_0000_1000], 0x3c00), ["rounded-twice"]);
    // The sum is 2^-70 below the middle of two numbers, and double precision has the middle.
    let fused = f32s(vec![
        Node::Parameter,
        Node::Parameter,
        Node::Parameter,
        apply(ProgramOperation::Fma, &[0, 1, 2]),
    ]);
    let values = [0x3980_0001, 0x397f_fffe, 0x3f80_0001];
    assert_eq!(explained(&fused, &values, 0x3f80_0002), ["rounded-twice"]);
    // The neighbour of the root of two is within the bound of approximate roots, where there are any.
    let root = f32s(vec![Node::Parameter, apply(ProgramOperation::Sqrt, &[0])]);
    let of = |approximates| explained_under((NEVER, approximates), &root, &[0x4000_0000], 0x3fb5_04f4);
    assert_eq!((of(true), of(false)), (vec!["approximation"], vec![]));
}

/// Where all casts of a program lead there and back, its parameter is its result.
#[test]
fn a_program_without_casts_takes_all_parameters() {
    let program = Program::new(vec![
        (Type::F64, Node::Parameter),
        (Type::F64, Node::Parameter),
        (Type::F32, apply(ProgramOperation::Cast, &[0])),
        (Type::F64, apply(ProgramOperation::Cast, &[2])),
    ]);
    let other = program.without_casts().expect("casts");
    assert_eq!(other.parameters(), program.parameters());
    assert_eq!(permitted(&other, NEVER, &[0x3ff0_0000_0000_0001, 0]), [0x3ff0_0000_0000_0001]);
    assert!(sum_of_product().without_casts().is_none());
}
