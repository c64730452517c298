//! Tests of programs, their sources and what they permit, by examples worked out by hand.

mod defects;
mod sources;

use super::permitted::permits;
use super::*;
use crate::language::Language;
use crate::setting::{Setting, Switch};

fn apply(operation: ProgramOperation, operands: &[usize]) -> Node {
    Node::Apply(operation, operands.to_vec())
}

fn f32s(nodes: Vec<Node>) -> Program {
    Program::new(nodes.into_iter().map(|node| (Type::F32, node)).collect())
}

/// Makes the program a · b + c.
fn sum_of_product() -> Program {
    f32s(vec![
        Node::Parameter,
        Node::Parameter,
        Node::Parameter,
        apply(ProgramOperation::Mul, &[0, 1]),
        apply(ProgramOperation::Add, &[3, 2]),
    ])
}

fn column(values: &[u64]) -> Vec<Vec<u64>> {
    values.iter().map(|&value| vec![value]).collect()
}

fn permitted(program: &Program, rules: Rules, values: &[u64]) -> Vec<u64> {
    program.permitted(rules, &column(values)).remove(0).expect("few")
}

const ONE: u64 = 0x3f80_0000;
const NEVER: Rules = Rules {
    flush: false,
    signs: true,
    contract: false,
    quotients: Precision::Exact,
    roots: Precision::Exact,
    by_single: false,
    truths: false,
    flagged_selections: true,
    signless: false,
    signalling: true,
    reciprocals: false,
    no_nan: false,
    no_infinity: false,
    defects: Defects::NONE,
};
const FLUSH: Rules = Rules { flush: true, ..NEVER };
const CONTRACT: Rules = Rules { contract: true, ..NEVER };
const BOTH: Rules = Rules { contract: true, ..FLUSH };

#[test]
fn a_sum_of_a_product_may_be_rounded_once_where_that_is_permitted() {
    // (1 + 2^-12)² = 1 + 2^-11 + 2^-24, of which the last bit is lost unless −1 − 2^-11 meets it first.
    let values = [0x3f80_0800, 0x3f80_0800, 0xbf80_1000];
    assert_eq!(permitted(&sum_of_product(), NEVER, &values), [0]);
    assert_eq!(permitted(&sum_of_product(), CONTRACT, &values), [0, 0x3380_0000]);
    // c − a / 2 in f16, where the quotient is between two numbers: 0x8401 − 0x0401 / 2.
    let halved = Program::new(vec![
        (Type::F16, Node::Parameter),
        (Type::F16, Node::Parameter),
        (Type::F16, Node::Constant(0x4000)),
        (Type::F16, apply(ProgramOperation::Div, &[0, 2])),
        (Type::F16, apply(ProgramOperation::Sub, &[1, 3])),
    ]);
    assert_eq!(permitted(&halved, CONTRACT, &[0x0401, 0x8401]), [0x8601, 0x8602]);
    assert_eq!(permitted(&halved, NEVER, &[0x0401, 0x8401]), [0x8601]);
    // −(a · b) − c, and a difference from a product.
    let negated = f32s(vec![
        Node::Parameter,
        Node::Parameter,
        Node::Parameter,
        apply(ProgramOperation::Mul, &[0, 1]),
        apply(ProgramOperation::Neg, &[3]),
        apply(ProgramOperation::Sub, &[2, 4]),
    ]);
    assert_eq!(permitted(&negated, CONTRACT, &values), [0, 0x3380_0000]);
    let difference = f32s(vec![
        Node::Parameter,
        Node::Parameter,
        Node::Parameter,
        apply(ProgramOperation::Mul, &[0, 1]),
        apply(ProgramOperation::Sub, &[2, 3]),
    ]);
    assert_eq!(permitted(&difference, CONTRACT, &[values[0], values[1], 0x3f80_1000]), [0, 0xb380_0000]);
}

/// A product that may be chosen is fused only where it is the one that is chosen: in (x < c ? a · a : x) + c, where x
/// is less than c.
#[test]
fn a_product_that_is_not_chosen_is_not_fused() {
    let chosen = |node| {
        f32s(vec![
            Node::Parameter,
            Node::Parameter,
            Node::Parameter,
            apply(ProgramOperation::Mul, &[0, 0]),
            node,
            apply(ProgramOperation::Add, &[4, 1]),
        ])
    };
    // (1 + 2^-12)² − 1 − 2^-11, of which the last bit is lost unless the product is fused.
    let of = |program: &Program, x| permitted(program, CONTRACT, &[0x3f80_0800, 0xbf80_1000, x]);
    let selected = chosen(apply(ProgramOperation::Select(Relation::Less), &[2, 1, 3, 2]));
    assert_eq!(of(&selected, 0xc000_0000), [0, 0x3380_0000]);
    assert_eq!(of(&selected, 0x4000_0000), [0x3f7f_e000]);
    let least = chosen(apply(ProgramOperation::Min, &[3, 2]));
    assert_eq!(of(&least, 0x4000_0000), [0, 0x3380_0000]);
    assert_eq!(of(&least, ONE), [0xba00_0000]);
}

/// The smaller of a signalling NaN and a number may be NaN, where a language has that exception.
#[test]
fn the_smaller_of_a_signalling_nan_is_a_number_or_anything() {
    let least = f32s(vec![Node::Parameter, Node::Parameter, apply(ProgramOperation::Min, &[0, 1])]);
    let plain = Rules { signalling: false, ..NEVER };
    for (nan, count) in [(0x7f80_0001, 2), (0x7fc0_0000, 1)] {
        assert_eq!(permitted(&least, NEVER, &[nan, ONE]).len(), count);
        assert_eq!(permitted(&least, plain, &[nan, ONE]), [ONE]);
    }
    let of = |language| super::super::program_verdict::rules(language, Setting::default()).signalling;
    assert_eq!(Language::ALL.map(of), [false, true, true]);
}

/// A divisor that a compiler can know is a factor as well as one that stands there.
#[test]
fn a_quotient_by_what_is_known_is_a_product() {
    // a / −(2^68) is subnormal, and below half of the last place of nothing: only a fused operation sees it.
    let negated = f32s(vec![
        Node::Parameter,
        Node::Parameter,
        apply(ProgramOperation::Round, &[1]),
        Node::Constant(0x6180_0000),
        apply(ProgramOperation::Neg, &[3]),
        apply(ProgramOperation::Div, &[0, 4]),
        apply(ProgramOperation::Sub, &[2, 5]),
    ]);
    assert_eq!(permitted(&negated, NEVER, &[0x8080_0001, 0x0080_0001]), [0]);
    assert_eq!(permitted(&negated, CONTRACT, &[0x8080_0001, 0x0080_0001]), [0, 0x8000_0000]);
    // A divisor that is selected from the same twice: 0x6d67 / −2^-10 overflows, and −(−∞) is added.
    let half = |node| (Type::F16, node);
    let selected = Program::new(vec![
        half(Node::Parameter),
        half(Node::Constant(0x9400)),
        half(Node::Parameter),
        half(apply(ProgramOperation::Select(Relation::NotEqual), &[1, 2, 1, 1])),
        half(apply(ProgramOperation::Div, &[0, 3])),
        half(apply(ProgramOperation::Sub, &[4, 2])),
    ]);
    assert_eq!(permitted(&selected, NEVER, &[0x6d67, 0xfc00]), [0x7fff]);
    assert_eq!(permitted(&selected, CONTRACT, &[0x6d67, 0xfc00]), [0x7c00, 0x7fff]);
}

#[test]
fn a_subnormal_may_be_flushed_where_that_is_permitted_and_a_selected_one_may_not() {
    let sum = f32s(vec![Node::Parameter, Node::Parameter, apply(ProgramOperation::Add, &[0, 1])]);
    assert_eq!(permitted(&sum, NEVER, &[3, 4]), [7]);
    // Each operand may have been flushed where it was computed.
    assert_eq!(permitted(&sum, FLUSH, &[3, 4]), [0, 3, 4, 7]);
    // The smallest normal number: a sum that is exact, and one that may have been rounded to it.
    assert_eq!(permitted(&sum, FLUSH, &[0x0080_0000, 0]), [0, 0x0080_0000]);
    // a >= c ? a : c of −inf and a subnormal number (selects, and computes nothing).
    let select = f32s(vec![
        Node::Parameter,
        Node::Constant(0x007f_ffff),
        apply(ProgramOperation::Select(Relation::GreaterOrEqual), &[0, 1, 0, 1]),
    ]);
    assert_eq!(permitted(&select, FLUSH, &[0xff80_0000]), [0x007f_ffff]);
}

/// Flags of LLVM's language permit what they say, and no more.
#[test]
fn flags_permit_what_they_say() {
    let signless = Rules { signless: true, ..NEVER };
    let (zero, minus_zero, infinity) = (0, 0x8000_0000, 0x7f80_0000);
    let of = |operation: ProgramOperation, rules, values: &[u64]| {
        let mut nodes = vec![Node::Parameter; values.len()];
        nodes.push(apply(operation, &(0..values.len()).collect::<Vec<_>>()));
        f32s(nodes).permitted(rules, &column(values)).remove(0)
    };
    // −0 + −0 is a zero, and 1 / 0 infinite, of either sign; 1 / 2 is what it was.
    assert_eq!(of(ProgramOperation::Add, signless, &[minus_zero; 2]), Some(vec![zero, minus_zero]));
    assert_eq!(of(ProgramOperation::Div, signless, &[ONE, zero]), Some(vec![infinity, 0xff80_0000]));
    assert_eq!(of(ProgramOperation::Div, signless, &[ONE, 0x4000_0000]), Some(vec![0x3f00_0000]));
    // The value whose sign is copied is no operand of arithmetic.
    assert_eq!(of(ProgramOperation::CopySign, signless, &[ONE, minus_zero]), Some(vec![0xbf80_0000]));
    // Numbers of f32 that are selected by numbers of f16: f32's 2 has the lower half of a zero of f16.
    let by_halves = Program::new(vec![
        (Type::F16, Node::Parameter),
        (Type::F32, Node::Parameter),
        (Type::F32, apply(ProgramOperation::Select(Relation::Equal), &[0, 0, 1, 1])),
    ]);
    for (bits, due) in [(0x4000_0000, &[0x4000_0000][..]), (0, &[0, 0x8000_0000]), (0x7c00, &[0x7c00])] {
        let rules = Rules { no_infinity: true, ..signless };
        assert_eq!(permitted(&by_halves, rules, &[0x3c00, bits]), due);
        // Where the comparison alone has flags, what is selected is as it was.
        let rules = Rules { flagged_selections: false, ..rules };
        assert_eq!(permitted(&by_halves, rules, &[0x3c00, bits]), [bits]);
        assert_eq!(by_halves.permitted(rules, &column(&[0x7c00, bits])), [None]);
    }
    // 5 / 3, and 5 · (1 / 3).
    let reciprocals = Rules { reciprocals: true, ..NEVER };
    assert_eq!(of(ProgramOperation::Div, NEVER, &[0x40a0_0000, 0x4040_0000]), Some(vec![0x3fd5_5555]));
    assert_eq!(
        of(ProgramOperation::Div, reciprocals, &[0x40a0_0000, 0x4040_0000]),
        Some(vec![0x3fd5_5555, 0x3fd5_5556])
    );
    // The reciprocal of 2^127 is subnormal, and flushed only where that is permitted.
    let large = [0x7f00_0000; 2];
    assert_eq!(of(ProgramOperation::Div, reciprocals, &large), Some(vec![ONE]));
    assert_eq!(
        of(ProgramOperation::Div, Rules { flush: true, ..reciprocals }, &large),
        Some(vec![0, ONE])
    );
    let (no_nan, no_infinity) = (Rules { no_nan: true, ..NEVER }, Rules { no_infinity: true, ..NEVER });
    for (rules, operation, values, anything) in [
        (no_nan, ProgramOperation::Sqrt, vec![0xbf80_0000], true),
        (no_infinity, ProgramOperation::Sqrt, vec![0xbf80_0000], false),
        (no_nan, ProgramOperation::Min, vec![ONE, 0x7fc0_0000], true),
        (no_nan, ProgramOperation::Div, vec![ONE, zero], false),
        (no_infinity, ProgramOperation::Div, vec![ONE, zero], true),
        (no_infinity, ProgramOperation::Div, vec![ONE, infinity], true),
        (no_infinity, ProgramOperation::CopySign, vec![ONE, infinity], false),
    ] {
        let permitted = of(operation, rules, &values);
        assert_eq!(permitted.is_none(), anything, "{operation:?} {values:x?}: {permitted:x?}");
    }
}

/// The worst defect that is known: a division by a large number.
#[test]
fn a_quotient_near_one_is_not_zero() {
    let quotient =
        f32s(vec![Node::Parameter, Node::Constant(0x7e96_7699), apply(ProgramOperation::Div, &[0, 1])]);
    assert_eq!(permitted(&quotient, BOTH, &[0x7e96_7699]), [ONE]);
}

#[test]
fn arithmetic_in_double_precision_is_not_flushed() {
    let program = Program::new(vec![
        (Type::F32, Node::Parameter),
        (Type::F64, apply(ProgramOperation::Cast, &[0])),
        (Type::F64, Node::Constant(0x47e0_0000_0000_0000)),
        (Type::F64, apply(ProgramOperation::Div, &[1, 2])),
        (Type::F32, apply(ProgramOperation::Cast, &[3])),
    ]);
    // 2^127 / 2^127.
    assert_eq!(permitted(&program, FLUSH, &[0x7f00_0000]), [ONE]);
    assert_eq!(program.kinds(), "cast.f32.f64 div.f64 cast.f64.f32");
}

#[test]
fn remainders_are_exact_and_ties_go_away() {
    let of = |operation, count: usize, values: &[u64]| {
        let mut nodes = vec![Node::Parameter; count];
        nodes.push(apply(operation, &(0..count).collect::<Vec<_>>()));
        permitted(&f32s(nodes), NEVER, values)
    };
    // 10^9 and 3 leave 1, −10^9 and 3 leave −1.
    assert_eq!(of(ProgramOperation::Rem, 2, &[0x4e6e_6b28, 0x4040_0000]), [ONE]);
    assert_eq!(of(ProgramOperation::Rem, 2, &[0xce6e_6b28, 0x4040_0000]), [0xbf80_0000]);
    // 2.5 is rounded to 3, −0.5 to −1.
    assert_eq!(of(ProgramOperation::Round, 1, &[0x4020_0000]), [0x4040_0000]);
    assert_eq!(of(ProgramOperation::Round, 1, &[0xbf00_0000]), [0xbf80_0000]);
}

#[test]
fn zeros_nan_and_halves() {
    let least = f32s(vec![Node::Parameter, Node::Parameter, apply(ProgramOperation::Min, &[0, 1])]);
    assert_eq!(permitted(&least, NEVER, &[0, 0x8000_0000]), [0, 0x8000_0000]);
    // Zeros of one sign leave nothing open.
    assert_eq!(permitted(&least, NEVER, &[0, 0]), [0]);
    assert_eq!(permitted(&least, NEVER, &[0x8000_0000, 0x8000_0000]), [0x8000_0000]);
    assert_eq!(permitted(&least, NEVER, &[ONE, 0x7fc0_0000]), [ONE]);
    assert_eq!(permitted(&least, NEVER, &[ONE, 0x7f80_0001]), [ONE, 0x7fff_ffff]);
    assert!(permits(Type::F32.format(), &[0x7fc0_0000], 0xffff_ffff));
    assert!(!permits(Type::F32.format(), &[0x7fc0_0000], 0x7f80_0000));
    let third = Program::new(vec![
        (Type::F16, Node::Parameter),
        (Type::F16, Node::Constant(0x4200)),
        (Type::F16, apply(ProgramOperation::Div, &[0, 1])),
    ]);
    assert_eq!(permitted(&third, NEVER, &[0x3c00]), [0x3555]);
}

/// Numbers become integers and numbers again; those that do not fit may be anything, but for truth values.
#[test]
fn integers_are_cut_and_what_does_not_fit_is_open() {
    let of = |name: &str, rules, bits: u64| {
        let integer = Integer::named(name).expect("a type");
        let program = f32s(vec![Node::Parameter, apply(ProgramOperation::Integer(integer), &[0])]);
        program.permitted(rules, &column(&[bits])).remove(0)
    };
    const MINUS_ZERO: u64 = 0x8000_0000;
    assert_eq!(of("s1", NEVER, 0), Some(vec![0]));
    assert_eq!(of("s1", NEVER, MINUS_ZERO), Some(vec![0]));
    assert_eq!(of("s1", NEVER, 0xbfc0_0000), Some(vec![0xbf80_0000]));
    assert_eq!(of("s1", NEVER, ONE), None);
    assert_eq!(of("u8", NEVER, 0x437f_8000), Some(vec![0x437f_0000]));
    assert_eq!(of("u8", NEVER, 0x4380_0000), None);
    assert_eq!(of("u8", NEVER, 0x7fc0_0000), None);
    // In CUDA C++ a half is true, and NaN too.
    let truths = Rules { truths: true, ..NEVER };
    assert_eq!(of("u1", truths, 0x3f00_0000), Some(vec![ONE]));
    assert_eq!(of("u1", truths, 0x7fc0_0000), Some(vec![ONE]));
    assert_eq!(of("u1", truths, MINUS_ZERO), Some(vec![0]));
    assert_eq!(of("u1", Rules { flush: true, ..truths }, 1), Some(vec![0, ONE]));
}

/// Where an option permits approximations, all that is within their bounds is permitted, also in what is made of
/// them.
#[test]
fn approximations_may_be_anywhere_within_their_bounds() {
    let quotient = |ty| {
        let operands = [Node::Parameter, Node::Parameter, apply(ProgramOperation::Div, &[0, 1])];
        Program::new(operands.into_iter().map(|node| (ty, node)).collect())
    };
    let bounded = Rules { quotients: Precision::Bounded, by_single: true, ..NEVER };
    let third = [0x4120_0000, 0x4040_0000];
    assert_eq!(permitted(&quotient(Type::F32), NEVER, &third), [0x4055_5555]);
    let of_bound = permitted(&quotient(Type::F32), bounded, &third);
    assert!(of_bound.len() > 2 && of_bound.contains(&0x4055_5556), "{of_bound:x?}");
    // 0x1bc3 / 0xd400 in half precision is a tie but for a bit that no bound keeps.
    let halves = permitted(&quotient(Type::F16), bounded, &[0x1bc3, 0xd400]);
    assert_eq!(halves.len(), 2, "{halves:x?}");
    let exact = Rules { by_single: false, ..bounded };
    assert_eq!(permitted(&quotient(Type::F16), exact, &[0x1bc3, 0xd400]).len(), 1);
    // The next integer below a quotient of one: any of several numbers below it is nearer than half.
    let fast = Rules { quotients: Precision::Fast, ..NEVER };
    let large = permitted(&quotient(Type::F32), fast, &[0x7f00_0000, 0x7f00_0000]);
    assert!(large.contains(&0) && large.contains(&ONE), "{large:x?}");
}

/// A set of results that is too large to be told may be told after all, for a single vector.
#[test]
fn a_closer_look_tells_larger_sets() {
    // The sixteenth power of a quotient.
    let mut nodes = vec![Node::Parameter, Node::Parameter, apply(ProgramOperation::Div, &[0, 1])];
    nodes.extend((2..6).map(|last| apply(ProgramOperation::Mul, &[last, last])));
    let program = f32s(nodes);
    let rules = Rules { quotients: Precision::Bounded, ..NEVER };
    let values = column(&[0x4120_0000, 0x4040_0000]);
    assert_eq!(program.permitted(rules, &values), [None]);
    let closer = program.permitted_closer(rules, &values).remove(0).expect("many");
    assert!(closer.len() > 48, "{closer:x?}");
}
