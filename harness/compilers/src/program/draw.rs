//! Random programs, and random vectors of values for their parameters.

mod integers;

use formats::{Class, Format};
use sweeps::{CounterRng, stream_key};

use super::{Integer, Node, Program, ProgramOperation, Relation, Type};
use crate::language::Language;

/// A plan of which programs are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawPlan {
    /// The language that the programs are written in, which may lack something.
    pub language: Language,
    /// The types of the programs' values.
    pub types: Vec<Type>,
    /// The operations that the programs may have.
    pub operations: Vec<ProgramOperation>,
    /// The types of integers that programs convert numbers to and back.
    pub integers: Vec<Integer>,
    /// The largest number of operations between a parameter and the result.
    pub depth: u32,
}

/// All relations by which a selection may compare.
pub(super) const RELATIONS: [Relation; 6] = [
    Relation::Less,
    Relation::LessOrEqual,
    Relation::Greater,
    Relation::GreaterOrEqual,
    Relation::Equal,
    Relation::NotEqual,
];

impl DrawPlan {
    /// Draws program number `index` of a seed. Half of the programs are a single operation, often with a constant in
    /// one place: most of what goes wrong is found there.
    pub fn program(&self, seed: u64, index: u64) -> Program {
        let mut draws = CounterRng::new(stream_key(seed, "programs", 0), index);
        let depth = match draws.below(4) {
            0 | 1 => 1,
            2 => 2.min(self.depth),
            _ => self.depth,
        };
        // Half of the programs have the wide types alone, where the flags are.
        let wide: Vec<Type> = self.types.iter().copied().filter(|ty| !ty.is_half()).collect();
        let types = if draws.flag() && !wide.is_empty() { wide } else { self.types.clone() };
        let plan = DrawPlan { types, ..self.clone() };
        let ty = plan.types[draws.below(plan.types.len() as i32) as usize];
        let mut values = Vec::new();
        plan.value(&mut values, ty, depth, &mut draws);
        Program::new(values)
    }

    /// Appends a value of this type and all that it is made of, at most `depth` operations deep; returns its place.
    fn value(
        &self,
        values: &mut Vec<(Type, Node)>,
        ty: Type,
        depth: u32,
        draws: &mut CounterRng,
    ) -> usize {
        if depth == 0 {
            return leaf(values, ty, draws);
        }
        // The way there and back is three operations: two casts and one between them.
        if let (3.., Type::F32, true) = (depth, ty, self.types.contains(&Type::F64))
            && draws.below(4) == 0
        {
            return self.there_and_back(values, draws);
        }
        let operation = self.operation(ty, draws);
        // One operand is as deep as may be, the others are as deep as is drawn.
        let deep = draws.below(operation.operands() as i32) as usize;
        let from = match operation {
            ProgramOperation::Cast => {
                let others = self.sources(ty);
                others[draws.below(others.len() as i32) as usize]
            }
            _ => ty,
        };
        let mut operands: Vec<usize> = (0..operation.operands())
            .map(|at| {
                let less = if at == deep { depth - 1 } else { draws.below(depth as i32) as u32 };
                self.value(values, from, less, draws)
            })
            .collect();
        // The arms of a selection are mostly the values that were compared, as in `a < b ? a : b`.
        if let ProgramOperation::Select(_) = operation {
            for at in [2, 3] {
                if draws.below(4) != 0 {
                    operands[at] = operands[draws.below(2) as usize];
                }
            }
        }
        values.push((ty, Node::Apply(operation, operands)));
        values.len() - 1
    }

    /// Appends a value of single precision that is an operation in double precision on another value and a constant,
    /// which compilers like to narrow; returns its place.
    fn there_and_back(&self, values: &mut Vec<(Type, Node)>, draws: &mut CounterRng) -> usize {
        let single = self.value(values, Type::F32, 0, draws);
        values.push((Type::F64, Node::Apply(ProgramOperation::Cast, vec![single])));
        let wide = values.len() - 1;
        let bits = constant(Type::F32.format(), draws);
        values.push((Type::F64, Node::Constant(widened(bits))));
        let mut operands = vec![wide, values.len() - 1];
        if draws.flag() {
            operands.reverse();
        }
        let operation =
            [ProgramOperation::Add, ProgramOperation::Sub, ProgramOperation::Mul, ProgramOperation::Div];
        let operation = operation[draws.below(4) as usize];
        values.push((Type::F64, Node::Apply(operation, operands)));
        values.push((Type::F32, Node::Apply(ProgramOperation::Cast, vec![values.len() - 1])));
        values.len() - 1
    }

    /// Returns the types that can be cast to a type at once: in CUDA C++ half precision goes by way of single.
    fn sources(&self, to: Type) -> Vec<Type> {
        let direct = |from: Type| match self.language {
            Language::Cuda => !from.is_half() || to == Type::F32,
            Language::Nvvm | Language::Llvm => true,
        };
        self.types.iter().copied().filter(|&from| from != to && direct(from)).collect()
    }

    /// Draws an operation with a result of this type, again until it is one that the type and the language have.
    fn operation(&self, ty: Type, draws: &mut CounterRng) -> ProgramOperation {
        loop {
            match self.operations[draws.below(self.operations.len() as i32) as usize] {
                ProgramOperation::Cast if self.sources(ty).is_empty() => {}
                ProgramOperation::Rem | ProgramOperation::Round if ty.is_half() => {}
                ProgramOperation::Select(_) => {
                    return ProgramOperation::Select(RELATIONS[draws.below(6) as usize]);
                }
                operation => return operation,
            }
        }
    }
}

/// Converts a number of single precision to double precision, which has it exactly.
fn widened(bits: u64) -> u64 {
    f64::from(f32::from_bits(bits as u32)).to_bits()
}

/// Returns the place of a new parameter, of a parameter that there already is, or of a new constant.
fn leaf(values: &mut Vec<(Type, Node)>, ty: Type, draws: &mut CounterRng) -> usize {
    let there: Vec<usize> =
        (0..values.len()).filter(|&at| values[at] == (ty, Node::Parameter)).collect();
    let node = match draws.below(8) {
        0..=2 => Node::Constant(constant(ty.format(), draws)),
        3 if !there.is_empty() => return there[draws.below(there.len() as i32) as usize],
        _ => Node::Parameter,
    };
    values.push((ty, node));
    values.len() - 1
}

/// Draws a constant for a program: a number near the ends of the format or near one, a small integer, or a power of
/// two.
fn constant(format: &Format, draws: &mut CounterRng) -> u64 {
    let sign = if draws.below(4) == 0 { format.sign_mask() } else { 0 };
    let trailing = format.trailing_bits;
    let field = |exponent: i32| ((exponent - format.exponent_min() + 1) as u64) << trailing;
    let magnitude = match draws.below(10) {
        0 => special(format, draws),
        // Numbers whose reciprocals are not normal, and numbers near these.
        1 => {
            field(draws.between(format.exponent_max() - 2, format.exponent_max()))
                | pattern(format, draws)
        }
        2 => {
            field(draws.between(format.exponent_min(), format.exponent_min() + 2))
                | pattern(format, draws)
        }
        // A subnormal number; without the 1 it might be zero.
        3 => draws.patterned(trailing as i32).max(1),
        4 => field(draws.between(format.exponent_min(), format.exponent_max())),
        // 1, 2, 3, 5, 10 …
        5 | 6 => integer(format, 1 + draws.below(16) as u64),
        _ => field(draws.between(-3, 3)) | pattern(format, draws),
    };
    sign | magnitude
}

/// Draws the bits of a trailing significand.
fn pattern(format: &Format, draws: &mut CounterRng) -> u64 {
    draws.patterned(format.trailing_bits as i32)
}

/// Returns the bits of a small positive integer in a format.
fn integer(format: &Format, number: u64) -> u64 {
    let leading = 63 - number.leading_zeros();
    let trailing = format.trailing_bits;
    let field = (leading as i32 - format.exponent_min() + 1) as u64;
    field << trailing | (number << trailing >> leading) & format.trailing_mask()
}

/// Draws a special value: zero, the largest or smallest number of a kind or its neighbour, one or its neighbour,
/// infinity or a NaN.
fn special(format: &Format, draws: &mut CounterRng) -> u64 {
    let infinity = format.infinity().expect("programs are of IEEE's formats");
    let all = [
        0,
        1,
        format.min_normal() - 1,
        format.min_normal(),
        format.min_normal() + 1,
        format.one() - 1,
        format.one(),
        format.one() + 1,
        format.max_finite(),
        infinity,
        infinity | format.quiet_bit(),
        infinity | 1,
    ];
    all[draws.below(all.len() as i32) as usize]
}

/// Draws vectors `0..rows` for a program, as a column of values for each parameter.
pub fn vectors(program: &Program, seed: u64, rows: usize) -> Vec<Vec<u64>> {
    let constants = program.constants();
    let parameters = program.parameters().into_iter().enumerate();
    parameters
        .map(|(lane, ty)| {
            // Each row has draws of its own, so the first rows are the same however many are drawn.
            let key = stream_key(seed, "program vectors", lane);
            let own: Vec<u64> =
                constants.iter().filter(|(of, _)| *of == ty).map(|(_, bits)| *bits).collect();
            (0..rows as u64)
                .map(|row| value(ty.format(), &own, &mut CounterRng::new(key, row)))
                .collect()
        })
        .collect()
}

/// Draws a value for a parameter, in some cases near one of the constants that the program has of its type.
fn value(format: &Format, constants: &[u64], draws: &mut CounterRng) -> u64 {
    let sign = if draws.flag() { format.sign_mask() } else { 0 };
    let kind = draws.below(8);
    // Without constants these three kinds are values like those of other kinds, further below.
    if kind >= 5 && !constants.is_empty() {
        let near = constants[draws.below(constants.len() as i32) as usize];
        return draw_near_constant(format, near, draws)
            ^ if draws.below(4) == 0 { format.sign_mask() } else { 0 };
    }
    let trailing = format.trailing_bits;
    let fields = format.exponent_max() - format.exponent_min() + 1;
    sign | match kind {
        0 => special(format, draws),
        // A subnormal number; without the 1 it might be zero.
        1 => draws.patterned(trailing as i32).max(1),
        2 | 5 => ((1 + draws.below(fields)) as u64) << trailing | pattern(format, draws),
        3 | 6 => integer(format, 1 + draws.below(16) as u64),
        _ => {
            let field = (draws.between(-3, 3) - format.exponent_min() + 1) as u64;
            field << trailing | pattern(format, draws)
        }
    }
}

/// Draws a value beside a constant: the constant, a neighbour of it, or its significand with another exponent.
fn draw_near_constant(format: &Format, constant: u64, draws: &mut CounterRng) -> u64 {
    let magnitude = constant & format.magnitude_mask();
    let sign = constant & format.sign_mask();
    let moved = match draws.below(4) {
        0 => magnitude,
        1 => (magnitude + 1).min(format.magnitude_mask()),
        2 => magnitude.saturating_sub(1),
        _ if format.class(constant) == Class::Normal => {
            let fields = format.exponent_max() - format.exponent_min() + 1;
            ((1 + draws.below(fields)) as u64) << format.trailing_bits
                | magnitude & format.trailing_mask()
        }
        _ => special(format, draws),
    };
    sign | moved
}
